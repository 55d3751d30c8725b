//! Pictures of boards, as SVG and as lines of text.
//!
//! A [`Scene`] is a layout, the pieces on it and the marks over them; [`svg`] and
//! [`text`] draw any scene, so that a board looks the same in a terminal, in a report
//! and in a browser. No game is known here: a game brings its [`Look`] and makes scenes of
//! its positions.
//!
//! ```
//! use draw::{Layout, PLAIN, Scene, SvgStyle, TextStyle, svg, text};
//! use rules::Side;
//!
//! let layout = Layout::squares(&PLAIN, 3, 3);
//! let mut pieces = vec![None; 9];
//! pieces[4] = Some(Side::First);
//! let scene = Scene::new(layout, pieces, ["Cross", "Nought"]);
//! assert!(text(&scene, TextStyle::default()).contains("2  .   1   .   2"));
//! assert!(svg(&scene, &SvgStyle::default()).starts_with("<svg"));
//! assert_eq!(scene.describe(4), "b2, cross");
//! ```

mod glyphs;
mod layout;
mod look;
mod paint;
mod scene;
mod svg;
mod text;

pub use layout::{Kind, Layout, Shape, Spot};
pub use look::{Emblem, Frame, Look, PLAIN, PieceLook, Surface};
pub use scene::{Marks, Piece, Scene, Step, Stroke, Tone, Trace, Value, Way};
pub use svg::{SvgStyle, Target, svg, svg_with};
pub use text::{TextStyle, text};
