//! The frame that every page shares.

use std::borrow::Cow;

use axum::response::Html;
use maud::{DOCTYPE, Markup, html};

use crate::settings::{Settings, Theme, theme_switch};

/// The parts of the site: address, name.
const PARTS: [(&str, &str); 7] = [
    ("/play", "Play"),
    ("/learn", "Learn"),
    ("/analyse", "Analyse"),
    ("/library", "Library"),
    ("/tournaments", "Tournaments"),
    ("/solved", "Solved games"),
    ("/tester", "Tester"),
];

/// A whole page; `part` is the address of the part of the site that it belongs to.
pub(crate) fn shell(title: &str, part: &str, body: Markup) -> Html<String> {
    let settings = html! {
        a href="/settings" aria-current=[(part == "/settings").then_some("page")] { "Settings" } " "
    };
    let foot = (settings, theme_switch());
    frame("Ludex", (title, body), &PARTS, part, foot)
}

/// A whole page of a site with this name and these parts: its title and what stands on it; at the
/// foot, what stands in the line there and below it.
pub(crate) fn frame(
    site: &str,
    (title, body): (&str, Markup),
    parts: &[(&str, &str)],
    part: &str,
    (line, below): (Markup, Markup),
) -> Html<String> {
    let settings = Settings::current();
    let scheme = match settings.theme {
        Theme::System => "light dark",
        theme => theme.name(),
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" data-theme=[(settings.theme != Theme::System).then_some(settings.theme.name())]
            data-bare=[(!settings.coordinates).then_some("")] data-still=[(!settings.motion).then_some("")]
            data-sounds=[settings.sounds.then_some("")] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content=(scheme);
                title { (title) " · " (site) }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/site.css";
                script type="module" src="/assets/site.js" {}
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    a.brand href="/" { (mark()) span { (site) } }
                    nav aria-label="Parts of the site" {
                        @for (address, name) in parts.iter().copied() {
                            a href=(address) aria-current=[(address == part).then_some("page")] { (name) }
                        }
                    }
                }
                div.trouble #trouble role="alert" hidden { p {} button type="button" data-again { "Try now" } }
                main #main tabindex="-1" { (body) }
                footer.bottom {
                    p { "Ludex: board games to play, analyse and solve. " (line) button.link type="button" data-keys hidden { "Keys (?)" } }
                    (below)
                }
                (keys())
                div #announce .unseen aria-live="polite" {}
            }
        }
    };
    Html(seen(page.into_string()))
}

/// A page without anything that hides in it or turns its text around: much of it was written by strangers.
fn seen(page: String) -> String {
    match referee::marked(&page, |c| !c.is_ascii_whitespace()) {
        Cow::Owned(seen) => seen,
        Cow::Borrowed(_) => page,
    }
}

/// The mark beside the name: a black disc and a white one.
fn mark() -> Markup {
    html! {
        svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" {
            rect width="32" height="32" rx="7" fill="#1c7c4a" {}
            circle cx="12" cy="16" r="8" fill="#14181a" {}
            circle cx="20" cy="16" r="8" fill="#fbfcfb" {}
        }
    }
}

/// The list of keys, which `?` opens.
fn keys() -> Markup {
    const KEYS: [(&str, &str); 8] = [
        ("arrow keys", "walk over the points of a board"),
        ("Shift + arrow", "the other diagonal of a hexagon"),
        ("Enter or Space", "choose the point: play there"),
        ("m", "go to the box for typed moves"),
        ("← →", "step through a game (outside the board)"),
        ("n, p", "next and previous mistake of an analysed game"),
        ("Esc", "let go of a chosen point"),
        ("?", "show these keys"),
    ];
    html! {
        dialog #keys aria-labelledby="keys-title" {
            h2 #keys-title { "Keys" }
            dl {
                @for (key, what) in KEYS {
                    dt { kbd { (key) } }
                    dd { (what) }
                }
            }
            form method="dialog" { button { "Close" } }
        }
    }
}

/// `5 things`, or `1 thing`.
pub(crate) fn count(number: impl Into<u64>, thing: &str) -> String {
    match number.into() {
        1 => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}

/// A word as it begins a sentence.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + chars.as_str()
    })
}
