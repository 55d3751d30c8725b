//! The few files that a browser needs beside the pages, kept inside the program.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use games::GameName;
use rust_embed::RustEmbed;

use crate::fault::Fault;

#[derive(RustEmbed)]
#[folder = "assets/"]
struct Files;

/// One of the embedded files; nothing of the request reaches the file system.
pub(crate) async fn file(Path(name): Path<String>) -> Result<Response, Fault> {
    let file = Files::get(&name).ok_or_else(|| Fault::missing(format!("no file {name:?}")))?;
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    };
    let mut data = file.data.into_owned();
    match name.as_str() {
        "site.css" => data.extend_from_slice(chips().as_bytes()),
        "openapi.json" => {
            let text = String::from_utf8_lossy(&data);
            data = text.replace("@GAMES@", &game_names()).into_bytes();
        }
        _ => {}
    }
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "public, max-age=60"),
    ];
    Ok((headers, data).into_response())
}

/// The small pieces beside the names of players, as each game draws them.
fn chips() -> String {
    let rules = GameName::all().flat_map(|game| {
        let chips = game.about().chips.into_iter().enumerate();
        chips.map(move |(side, chip)| format!(".chip.{game}.s{side} {{ background: {chip}; }}\n"))
    });
    rules.collect()
}

/// The names of all games, with the others that each has.
fn game_names() -> String {
    let names = GameName::all().map(|game| match game.about().aliases {
        [] => game.to_string(),
        others => format!("{game} (or {})", others.join(", ")),
    });
    names.collect::<Vec<_>>().join(", ")
}

/// The description of the JSON interface.
pub(crate) async fn openapi() -> Result<Response, Fault> {
    file(Path("openapi.json".into())).await
}
