//! The JSON interface, and the file that describes it.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};

use crate::client::{Answer, Client};

async fn post(client: &Client, path: &str, body: &Value) -> Answer {
    let request = Request::post(path)
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json");
    let body = Body::from(body.to_string());
    client.send(request.body(body).unwrap()).await
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Checks a value against the part of JSON Schema that the file uses.
#[track_caller]
fn check_schema(file: &Value, schema: &Value, value: &Value) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        return check_schema(file, &file["components"]["schemas"][name], value);
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let whole = kind == "integer" && kinds.contains(&"number");
    assert!(whole || kinds.contains(&kind), "{value} is not {kinds:?}");
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(
            value.get(name.as_str().unwrap()).is_some(),
            "{name} is missing in {value}"
        );
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(field) = value.get(name) {
            check_schema(file, inner, field);
        }
    }
    for item in value.as_array().into_iter().flatten() {
        check_schema(file, &schema["items"], item);
    }
}

/// Checks an answer against what the file says about it.
#[track_caller]
fn check_answer(file: &Value, method: &str, path: &str, answer: &Answer) {
    let status = answer.status.as_u16().to_string();
    let responses = &file["paths"][path][method]["responses"];
    let response = responses.get(&status).unwrap_or(&responses["4XX"]);
    assert!(
        response.is_object(),
        "{method} {path} answers {status}: {}",
        answer.body
    );
    check_schema(
        file,
        &response["content"]["application/json"]["schema"],
        &parse(&answer.body),
    );
}

#[tokio::test]
async fn the_description_and_the_routes_agree() {
    let client = Client::new().await;
    let file = parse(&client.get("/api/openapi.json").await.ok());
    let mut described = BTreeSet::new();
    for (path, methods) in file["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            described.insert((method.clone(), path.clone()));
        }
    }
    let answered: BTreeSet<_> = web::api_addresses()
        .into_iter()
        .map(|(method, path)| (method.to_string(), path.to_string()))
        .collect();
    assert_eq!(described, answered);
}

#[tokio::test]
async fn answers_are_as_described() {
    let client = Client::new().await;
    let file = parse(&client.get("/api/openapi.json").await.ok());
    for (path, address) in [
        ("/api/games", "/api/games"),
        ("/api/position", "/api/position?game=gipf"),
        ("/api/position", "/api/position?game=chess"),
        ("/api/analyse", "/api/analyse?game=reversi&ms=200"),
        ("/api/play/{id}", "/api/play/none"),
        ("/api/tournaments", "/api/tournaments"),
        ("/api/tournaments/{id}", "/api/tournaments/none"),
        (
            "/api/tournaments/{id}/games/{game}",
            "/api/tournaments/none/games/none",
        ),
    ] {
        check_answer(&file, "get", path, &client.get(address).await);
    }
    check_the_rest(&client, &file).await;
    let answer = post(
        &client,
        "/api/play",
        &json!({ "game": "reversi", "bot": "greedy" }),
    )
    .await;
    check_answer(&file, "post", "/api/play", &answer);
    let id = parse(&answer.body)["id"].as_str().unwrap().to_string();
    let answer = post(
        &client,
        &format!("/api/play/{id}/move"),
        &json!({ "move": "d3" }),
    )
    .await;
    check_answer(&file, "post", "/api/play/{id}/move", &answer);
    assert_eq!(
        parse(&answer.body)["played"].as_array().unwrap().len(),
        2,
        "{}",
        answer.body
    );
    let answer = post(
        &client,
        &format!("/api/play/{id}/move"),
        &json!({ "move": "a1" }),
    )
    .await;
    assert_eq!(answer.status.as_u16(), 422);
    check_answer(&file, "post", "/api/play/{id}/move", &answer);
    let answer = post(
        &client,
        &format!("/api/play/{id}/move"),
        &json!({ "mv": 1 }),
    )
    .await;
    assert!(answer.status.is_client_error());
    check_answer(&file, "post", "/api/play/{id}/move", &answer);
    let answer = post(&client, &format!("/api/play/{id}/undo"), &json!({})).await;
    check_answer(&file, "post", "/api/play/{id}/undo", &answer);
    assert_eq!(parse(&answer.body)["played"], json!([]));
    let answer = post(&client, &format!("/api/play/{id}/resign"), &json!({})).await;
    check_answer(&file, "post", "/api/play/{id}/resign", &answer);
    assert_eq!(parse(&answer.body)["result"], "White");
    assert!(
        client
            .get("/api/nothing")
            .await
            .fails(404)
            .contains("error")
    );
}

/// Analyses, tournaments, tests and tables.
async fn check_the_rest(client: &Client, file: &Value) {
    let check = async |method: &str, path: &str, address: &str, body: &Value| {
        let answer = match method {
            "post" => post(client, address, body).await,
            _ => client.get(address).await,
        };
        check_answer(file, method, path, &answer);
        parse(&answer.body)
    };
    let none = json!({});
    let kept = check(
        "post",
        "/api/analyse",
        "/api/analyse",
        &json!({ "text": "f5d6c3" }),
    )
    .await;
    let address = format!("/api/analyse/{}?ms=300", kept["id"].as_str().unwrap());
    let graph = check("get", "/api/analyse/{id}", &address, &none).await;
    assert_eq!(graph["positions"].as_array().unwrap().len(), 4);
    let refused = json!({ "text": "f5f5" });
    let refused = check("post", "/api/analyse", "/api/analyse", &refused).await;
    assert!(refused["error"].as_str().unwrap().contains("f5"));

    check("get", "/api/play", "/api/play", &none).await;
    check("get", "/api/play/{id}/hint", "/api/play/none/hint", &none).await;
    check("get", "/api/programs", "/api/programs", &none).await;
    let test = json!({ "program": 0, "algorithm": "random" });
    check("post", "/api/tester", "/api/tester", &test).await;

    let plan = json!({ "name": "Cup", "game": "mmpawns", "bots": ["random", "greedy"] });
    let cup = check("post", "/api/tournaments", "/api/tournaments", &plan).await;
    let cup = format!("/api/tournaments/{}", cup["id"].as_str().unwrap());
    check("get", "/api/tournaments/{id}", &cup, &none).await;
    for (method, rest) in [("post", "/stop"), ("post", "/resume"), ("get", "/games")] {
        let path = format!("/api/tournaments/{{id}}{rest}");
        check(method, &path, &format!("{cup}{rest}"), &none).await;
    }
    for (key, value, problem) in [
        (
            "format",
            json!("swiss"),
            "a swiss needs the number of rounds",
        ),
        ("rounds", json!(2), "rounds does not belong to this format"),
        (
            "openings",
            json!({ "from": "here" }),
            "from = \"here\" is not",
        ),
        ("openings", json!({ "positions": ["x"] }), "position 1: "),
        (
            "limits",
            json!({ "wall": "0 s" }),
            "wall = 0 leaves nothing to a player",
        ),
        (
            "limits",
            json!({ "wal": "1 s" }),
            "limits.wal: unknown field \"wal\"",
        ),
        (
            "openings",
            json!({ "file": "/etc/passwd" }),
            "openings.file: unknown field \"file\"",
        ),
    ] {
        let mut plan = plan.clone();
        plan[key] = value;
        let refused = check("post", "/api/tournaments", "/api/tournaments", &plan).await;
        let error = refused["error"].as_str().unwrap();
        assert!(error.contains(problem), "{error}");
    }
    let verdict = cup.replace("/tournaments/", "/tester/");
    check("get", "/api/tester/{id}", &verdict, &none).await;
    let wrong = json!({ "name": "Cup", "game": "mmpawns", "boots": [] });
    let wrong = check("post", "/api/tournaments", "/api/tournaments", &wrong).await;
    assert!(wrong["error"].as_str().unwrap().contains("boots"));

    let tables = check("get", "/api/solved", "/api/solved", &none).await;
    assert_eq!(tables["tables"][0]["variant"], "2 3 5 5");
    let path = "/api/solved/{variant}";
    let start = check("get", path, "/api/solved/2-3-5-5", &none).await;
    assert!(!start["moves"].as_array().unwrap().is_empty());
    check("get", path, "/api/solved/9-9-9-9", &none).await;
}

/// A slip of the pen is not passed over.
#[tokio::test]
async fn unknown_fields_are_refused() {
    let client = Client::new().await;
    for (path, body, problem) in [
        (
            "/api/play",
            json!({ "game": "reversi", "bots": "best" }),
            "unknown field \"bots\"",
        ),
        (
            "/api/play",
            json!({ "game": "reversi", "bot": "minimax", "budget": "1s" }),
            "minimax:1s",
        ),
        (
            "/api/play",
            json!({ "game": "reversi", "bot": "greedy", "budget": "1s" }),
            "greedy has no budget",
        ),
        (
            "/api/analyse",
            json!({ "text": "f5d6", "titel": "x" }),
            "titel: unknown field \"titel\", expected ",
        ),
        (
            "/api/tester",
            json!({ "program": 0, "algorithm": "random", "x": 1 }),
            "x: unknown field \"x\"",
        ),
    ] {
        let answer = post(&client, path, &body).await;
        assert!(answer.status.is_client_error(), "{path} {body}");
        let error = parse(&answer.body)["error"].as_str().unwrap().to_string();
        assert!(error.contains(problem), "{path} {body}: {error}");
        assert!(!error.contains("deserialize"), "{error}");
    }
    // What is no JSON, and where there is nothing.
    let raw = async |path: &str, kind: &str| {
        let request = Request::post(path)
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, kind);
        let answer = client.send(request.body(Body::from("{]")).unwrap()).await;
        parse(&answer.body)["error"].as_str().unwrap().to_string()
    };
    let error = raw("/api/analyse", "application/json").await;
    assert!(error.starts_with("this is not JSON: "), "{error}");
    let error = raw("/api/analyse", "text/plain").await;
    assert_eq!(
        error,
        "send JSON, and say so: Content-Type: application/json"
    );
    for nowhere in ["/api/nothing", "/api/"] {
        let answer = client.get(nowhere).await.fails(404);
        let error = parse(&answer)["error"].as_str().unwrap().to_string();
        assert!(error.starts_with("there is no"), "{nowhere}: {error}");
    }
    for address in [
        "/api/position?game=reversi&postion=x",
        "/api/analyse?game=reversi&depth=3",
    ] {
        let error = client.get(address).await.fails(400);
        assert!(error.contains("unknown field"), "{error}");
    }
    let game = post(
        &client,
        "/api/play",
        &json!({ "game": "reversi", "side": "both" }),
    )
    .await;
    let id = parse(&game.body)["id"].as_str().unwrap().to_string();
    let answer = post(
        &client,
        &format!("/api/play/{id}/move"),
        &json!({ "move": "d3", "x": 1 }),
    )
    .await;
    answer.fails(422);
}

/// A move that comes too late ends the game, and not only until the server is started again.
#[tokio::test]
async fn a_late_move_ends_the_game_for_good() {
    let client = Client::new().await;
    let game = json!({ "game": "reversi", "side": "both", "clock": "1" });
    let game = parse(&post(&client, "/api/play", &game).await.body);
    let address = format!("/api/play/{}/move", game["id"].as_str().unwrap());
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    let late = post(&client, &address, &json!({ "move": "d3" })).await;
    let late = late.fails(422);
    assert!(late.contains("Black ran out of time"), "{late}");
    // The list is read from the store.
    let list = parse(&client.get("/api/play").await.ok());
    assert_eq!(list["games"][0]["result"], "White", "{list}");
}
