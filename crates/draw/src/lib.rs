//! Pictures of every board, as SVG and as lines of text.
//!
//! A [`Scene`] is a layout, the pieces on it and the marks over them; [`svg`] and
//! [`text`] draw any scene, so that a board looks the same in a terminal, in a report
//! and in a browser. [`Drawable`] makes scenes of positions.
//!
//! ```
//! use draw::{Drawable, SvgStyle, TextStyle, svg, text};
//! use reversi::Position;
//! use rules::Game;
//!
//! let start = Position::start();
//! let d3 = start.parse_move("d3")?;
//! let scene = start.scene_after(d3);
//! assert!(text(&scene, TextStyle::default()).contains("[X]"));
//! assert!(svg(&scene, &SvgStyle::default()).starts_with("<svg"));
//! # Ok::<(), rules::MoveError>(())
//! ```

mod games;
mod glyphs;
mod hexagon;
mod layout;
mod paint;
mod scene;
mod svg;
mod text;

pub use games::{Drawable, Step, Way};
pub use layout::{Ground, Kind, Layout, Spot};
pub use scene::{Marks, Scene, Stroke, Tone, Trace, Value};
pub use svg::{SvgStyle, Target, svg, svg_with};
pub use text::{TextStyle, text};
