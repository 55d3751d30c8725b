//! Boards as files.

use axum::extract::Query;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use draw::SvgStyle;
use games::{AnyPosition, GameName};
use resvg::{tiny_skia, usvg};
use serde::Deserialize;

use crate::fault::Fault;

/// Which board is wanted.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Wanted {
    game: String,
    position: String,
}

impl Wanted {
    fn picture(&self, outlines: bool) -> Result<String, Fault> {
        let game: GameName = self.game.parse().map_err(Fault::bad)?;
        let position = match self.position.as_str() {
            "" => AnyPosition::start(game),
            text => AnyPosition::parse(game, text).map_err(Fault::bad)?,
        };
        let style = SvgStyle {
            outlines,
            ..SvgStyle::default()
        };
        Ok(draw::svg(&position.scene(), &style))
    }
}

/// `GET /board.svg`
pub(crate) async fn svg(Query(wanted): Query<Wanted>) -> Result<Response, Fault> {
    let kind = [(header::CONTENT_TYPE, "image/svg+xml")];
    Ok((kind, wanted.picture(false)?).into_response())
}

/// `GET /board.png`
pub(crate) async fn png(Query(wanted): Query<Wanted>) -> Result<Response, Fault> {
    let picture = wanted.picture(true)?;
    let png = tokio::task::spawn_blocking(move || raster(&picture))
        .await
        .map_err(Fault::ours)?
        .map_err(Fault::ours)?;
    Ok(([(header::CONTENT_TYPE, "image/png")], png).into_response())
}

/// Paints an SVG picture at twice its size.
fn raster(svg: &str) -> Result<Vec<u8>, String> {
    const SCALE: f32 = 2.0;
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).map_err(|e| e.to_string())?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width() * SCALE as u32, size.height() * SCALE as u32);
    let mut canvas = tiny_skia::Pixmap::new(width, height).ok_or("the picture has no size")?;
    let scale = tiny_skia::Transform::from_scale(SCALE, SCALE);
    resvg::render(&tree, scale, &mut canvas.as_mut());
    canvas.encode_png().map_err(|e| e.to_string())
}
