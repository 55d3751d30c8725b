//! What goes wrong, as a page or as JSON that says what it was.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use crate::page;

/// Why a request got no proper answer.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// The HTTP status.
    pub(crate) status: StatusCode,
    /// What was wrong: lower case, no full stop.
    pub(crate) message: String,
}

impl Fault {
    /// The reader asked for something that makes no sense.
    pub(crate) fn bad(message: impl ToString) -> Fault {
        Fault::new(StatusCode::BAD_REQUEST, message)
    }

    /// The thing is not here.
    pub(crate) fn missing(message: impl ToString) -> Fault {
        Fault::new(StatusCode::NOT_FOUND, message)
    }

    /// Readable, but against the rules of the game or of the form.
    pub(crate) fn refused(message: impl ToString) -> Fault {
        Fault::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// Not the reader's fault.
    pub(crate) fn ours(message: impl ToString) -> Fault {
        Fault::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// A file that did not arrive.
    pub(crate) fn upload(error: axum::extract::multipart::MultipartError) -> Fault {
        let status = error.status();
        Fault::new(
            status,
            match status {
                StatusCode::PAYLOAD_TOO_LARGE => "the file is too large",
                _ => "the file did not arrive whole: choose it and send it again",
            },
        )
    }

    /// A fault with this status.
    pub(crate) fn new(status: StatusCode, message: impl ToString) -> Fault {
        let message = message.to_string();
        Fault { status, message }
    }

    /// The same as JSON, for programs.
    pub(crate) fn json(self) -> Response {
        let body = serde_json::json!({ "error": self.message });
        (self.status, axum::Json(body)).into_response()
    }
}

impl Fault {
    /// What is wrong, on a page.
    pub(crate) fn title_and_body(&self) -> (&'static str, Markup) {
        let title = match self.status.as_u16() {
            404 => "Not here",
            401 | 403 => "Not allowed",
            500..=599 => "Our fault",
            _ => "That does not work",
        };
        let body = html! {
            div.narrow {
                h1 { (title) }
                p.problem role="alert" { (self.message) }
                p { a href="/" { "Back to the start" } }
            }
        };
        (title, body)
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let (title, body) = self.title_and_body();
        let mut response = (self.status, page::shell(title, "", body)).into_response();
        // Another site dresses it as its own pages are.
        response.extensions_mut().insert(self);
        response
    }
}
