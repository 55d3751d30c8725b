//! How soon a page shows something on a slow connection.

use serde_json::json;

use crate::visit::visit;

/// A phone on a slow network: 150 ms to the server and back, 1.6 Mbit/s.
#[test]
fn first_content_comes_within_a_second_on_a_slow_connection() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.devtools("Network.enable", &json!({}));
    let slow = json!({
        "offline": false, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000,
    });
    browser.devtools("Network.emulateNetworkConditions", &slow);
    browser.devtools(
        "Network.setCacheDisabled",
        &json!({ "cacheDisabled": true }),
    );
    for path in ["/", "/play", "/learn/reversi/1", "/library"] {
        let paint = "performance.getEntriesByName('first-contentful-paint')[0]";
        let mut tries = Vec::new();
        // A busy machine may need more than one try; a heavy page would never make it.
        let within = (0..40).any(|_| {
            browser.go(path);
            browser.wait(paint);
            let took = browser.js(&format!("return {paint}.startTime"));
            tries.push(took.as_f64().unwrap());
            tries.last().is_some_and(|&took| took < 1000.0)
        });
        assert!(within, "{path}: {tries:?} ms");
        let weight = browser.js(
            "return [...performance.getEntriesByType('resource'), performance.getEntriesByType('navigation')[0]]
                .reduce((sum, file) => sum + file.transferSize, 0)",
        );
        assert!(
            weight.as_f64().unwrap() < 100_000.0,
            "{path}: {weight} bytes"
        );
    }
}
