//! What a visitor likes the pages to be like. It is kept in a cookie of the browser, so that a
//! page comes out right at once, without a script and without an account.

use axum::Router;
use axum::extract::Form;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::Deserialize;

use crate::fault::Fault;
use crate::guard::cookies;
use crate::login::is_ours;
use crate::page::shell;

/// The name of the cookie.
const COOKIE: &str = "ludex_settings";

tokio::task_local! {
    /// What the visitor likes whose request is being answered.
    static CURRENT: Settings;
}

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Theme {
    /// As the system of the reader says.
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Theme::System => "As my system has it",
            Theme::Light => "Light",
            Theme::Dark => "Dark",
        }
    }
}

/// What a visitor likes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    pub(crate) theme: Theme,
    /// Whether boards show the names of their places.
    pub(crate) coordinates: bool,
    /// Whether moves are heard.
    pub(crate) sounds: bool,
    /// Whether pieces are seen to move, where the system does not ask for less motion.
    pub(crate) motion: bool,
    /// Whether boards are seen from the other side.
    pub(crate) turned: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            theme: Theme::System,
            coordinates: true,
            sounds: false,
            motion: true,
            turned: false,
        }
    }
}

impl Settings {
    /// Those of the visitor whose request is being answered.
    pub(crate) fn current() -> Settings {
        CURRENT.try_with(|settings| *settings).unwrap_or_default()
    }

    /// Those that the cookie of a request says.
    pub(crate) fn of(headers: &HeaderMap) -> Settings {
        let cookie = cookies(headers).find(|(name, _)| *name == COOKIE);
        Settings::read(cookie.map_or("", |(_, value)| value))
    }

    /// Answers a request in the way that the visitor likes.
    pub(crate) async fn hold<T>(self, answer: impl Future<Output = T>) -> T {
        CURRENT.scope(self, answer).await
    }

    /// Draws something in the way that the visitor likes, apart from any request.
    pub(crate) fn draw<T>(self, draw: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self, draw)
    }

    /// What differs from the usual, as words with dots between; unknown ones mean nothing.
    fn read(text: &str) -> Settings {
        let mut settings = Settings::default();
        for word in text.split('.') {
            match word {
                "light" => settings.theme = Theme::Light,
                "dark" => settings.theme = Theme::Dark,
                "bare" => settings.coordinates = false,
                "sounds" => settings.sounds = true,
                "still" => settings.motion = false,
                "turned" => settings.turned = true,
                _ => {}
            }
        }
        settings
    }

    fn write(self) -> String {
        let words = [
            (self.theme != Theme::System, self.theme.name()),
            (!self.coordinates, "bare"),
            (self.sounds, "sounds"),
            (!self.motion, "still"),
            (self.turned, "turned"),
        ];
        let said: Vec<&str> = words.iter().filter(|w| w.0).map(|w| w.1).collect();
        said.join(".")
    }

    /// Sends the reader back, with these from now on.
    fn back(self, headers: &HeaderMap) -> Result<Response, Fault> {
        let cookie = format!(
            "{COOKIE}={}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000",
            self.write()
        );
        let cookie = HeaderValue::from_str(&cookie).map_err(Fault::ours)?;
        let mut response = Redirect::to(&came_from(headers)).into_response();
        response.headers_mut().append(header::SET_COOKIE, cookie);
        Ok(response)
    }
}

/// The page of this site from which a form was sent.
fn came_from(headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|h| h.to_str().ok());
    let from = headers.get(header::REFERER).and_then(|h| h.to_str().ok());
    let path = from
        .and_then(|from| from.split_once("://"))
        .and_then(|(_, rest)| rest.strip_prefix(host?));
    match path {
        Some(path) if is_ours(path) => path.into(),
        _ => "/settings".into(),
    }
}

/// The addresses of this part.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/settings", get(show).post(save))
        .route("/settings/turn", post(turn))
        .route("/settings/theme", post(theme))
}

/// `GET /settings`
async fn show() -> Html<String> {
    let settings = Settings::current();
    let check = |name: &str, on: bool, words: &str, more: &str| {
        html! {
            label { input type="checkbox" name=(name) value="on" checked[on]; " " (words) " " span.quiet { (more) } }
        }
    };
    let body = html! {
        div.narrow {
            h1 { "Settings" }
            form.card method="post" action="/settings" data-plain {
                fieldset.checks {
                    legend { "Colours" }
                    @for theme in Theme::ALL {
                        label { input type="radio" name="theme" value=(theme.name()) checked[theme == settings.theme]; " " (theme.words()) }
                    }
                }
                fieldset.checks {
                    legend { "Boards" }
                    (check("coordinates", settings.coordinates, "Coordinates", ""))
                    (check("turned", settings.turned, "From the other side", "while playing and analysing"))
                    (check("motion", settings.motion, "Pieces move", "where your system does not ask for less motion"))
                    (check("sounds", settings.sounds, "Sounds", "of moves, and at the end of a game"))
                }
                div.actions { button.primary { "Save" } }
            }
            p.quiet { "Kept in a cookie of this browser, for a year." }
        }
    };
    shell("Settings", "/settings", body)
}

/// The form as it was filled in; a box that is not checked is not sent.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Filled {
    theme: String,
    coordinates: String,
    turned: String,
    motion: String,
    sounds: String,
}

fn theme_of(name: &str) -> Result<Theme, Fault> {
    let mut all = Theme::ALL.into_iter();
    all.find(|theme| theme.name() == name)
        .ok_or_else(|| Fault::bad(format!("theme {name:?} is not system, light or dark")))
}

/// `POST /settings`
async fn save(headers: HeaderMap, Form(filled): Form<Filled>) -> Result<Response, Fault> {
    let settings = Settings {
        theme: theme_of(&filled.theme)?,
        coordinates: !filled.coordinates.is_empty(),
        sounds: !filled.sounds.is_empty(),
        motion: !filled.motion.is_empty(),
        turned: !filled.turned.is_empty(),
    };
    settings.back(&headers)
}

/// `POST /settings/turn`: boards the other way up.
async fn turn(headers: HeaderMap) -> Result<Response, Fault> {
    let settings = Settings::current();
    let turned = !settings.turned;
    Settings { turned, ..settings }.back(&headers)
}

/// `POST /settings/theme`
async fn theme(headers: HeaderMap, Form(filled): Form<Filled>) -> Result<Response, Fault> {
    let theme = theme_of(&filled.theme)?;
    let settings = Settings::current();
    Settings { theme, ..settings }.back(&headers)
}

/// The button that turns the board.
pub(crate) fn turn_button() -> Markup {
    html! {
        form method="post" action="/settings/turn" {
            button #turn aria-label="Turn the board" aria-pressed=(Settings::current().turned) title="Turn the board" { "⟳" }
        }
    }
}

/// The switch between light and dark, at the foot of every page.
pub(crate) fn theme_switch() -> Markup {
    let current = Settings::current().theme;
    html! {
        form.themes method="post" action="/settings/theme" data-plain {
            span { "Colours: " }
            @for theme in Theme::ALL {
                button.link name="theme" value=(theme.name()) aria-pressed=(theme == current) { (theme.name()) } " "
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_says_what_differs_from_the_usual() {
        assert_eq!(Settings::read(""), Settings::default());
        assert_eq!(Settings::default().write(), "");
        let text = "dark.bare.sounds.still.turned";
        assert_eq!(Settings::read(text).write(), text);
        assert_eq!(Settings::read("no.such.words"), Settings::default());
    }

    #[test]
    fn only_pages_of_this_site_are_gone_back_to() {
        let from = |referer: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("localhost:7171"));
            headers.insert(header::REFERER, HeaderValue::from_str(referer).unwrap());
            came_from(&headers)
        };
        assert_eq!(from("http://localhost:7171/play/x?at=3"), "/play/x?at=3");
        for other in [
            "http://evil.example/play",
            "http://localhost:7171//evil.example",
            "http://localhost:7171",
            "x",
        ] {
            assert_eq!(from(other), "/settings", "{other}");
        }
    }
}
