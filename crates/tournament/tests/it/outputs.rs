//! Reports of a tournament with hostile names.

use tournament::Store;
use tournament::output::{self, ReportOptions, table};

use super::{block_on, checked, config, options};

const EVIL: &str = "<script>alert('x')</script>";

#[test]
fn reports_hold_together_and_escape_everything() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let mut config = config("A & B <cup>", &["random", "greedy", "minimax:1"]);
        config.players[1].name = EVIL.into();
        config.players[2].name = "=HYPERLINK(\"x\")".into();
        config.pairs = 2;
        let config = checked(config);
        let id = tournament::run(&store, &config, &options())
            .await
            .unwrap()
            .tournament;

        let page = output::html(&store, &id, &ReportOptions::default())
            .await
            .unwrap();
        assert!(page.contains("A &amp; B &lt;cup&gt;"));
        assert!(page.contains("&lt;script&gt;alert"));
        assert!(!page.contains(EVIL) && !page.contains("<script>alert"));
        assert_eq!(
            page.matches("</script>").count(),
            2,
            "data and code, no more"
        );
        let addresses = page.matches("http").count();
        let names = page.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(addresses, names, "nothing is loaded from elsewhere");
        let data = page.split("id=\"data\">").nth(1).unwrap();
        let data: serde_json::Value =
            serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
        assert_eq!(data["games"].as_array().unwrap().len(), 12);
        assert_eq!(data["replays"]["games"].as_object().unwrap().len(), 12);
        assert_eq!(data["players"][1], EVIL);

        let standings = store.standings(&id).await.unwrap();
        let text = table::standings(&standings, ["Black", "White"]);
        assert_eq!(text.lines().count(), 3 + 4, "{text}");
        assert!(table::crosstable(&standings).contains('×'));
        let csv = output::csv::standings(&standings);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let names: Vec<String> = reader.records().map(|r| r.unwrap()[1].to_owned()).collect();
        assert!(names.contains(&EVIL.to_owned()));
        assert!(names.iter().any(|name| name.starts_with("'=")));

        let json = serde_json::to_value(output::json(&store, &id).await.unwrap()).unwrap();
        assert_eq!(json["games"].as_array().unwrap().len(), 12);
        assert_eq!(json["standings"]["rows"].as_array().unwrap().len(), 3);
        let record = store
            .record(json["games"][0]["id"].as_str().unwrap())
            .await
            .unwrap();
        assert!(
            output::ggf(&record.unwrap(), "cup")
                .unwrap()
                .starts_with("(;GM[Othello]")
        );
    });
}
