//! The few files that a browser needs beside the pages, kept inside the program.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
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
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "public, max-age=60"),
    ];
    Ok((headers, file.data.into_owned()).into_response())
}

/// The description of the JSON interface.
pub(crate) async fn openapi() -> Result<Response, Fault> {
    file(Path("openapi.json".into())).await
}
