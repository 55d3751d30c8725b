//! The looks: colours, grounds and pieces. Only presentation attributes are used, no
//! style sheet, so a picture is complete in itself and obeys any content policy.

use std::fmt::Write;

use rules::Side;

use crate::glyphs;
use crate::layout::{Ground, Kind, Layout};
use crate::scene::{Tone, Value};

/// The distance between two neighbours.
pub(crate) const UNIT: f64 = 64.0;

/// Where drawing units begin: the size of the picture and where places lie in it.
pub(crate) struct Canvas<'a> {
    layout: &'a Layout,
    /// Width of the picture.
    pub(crate) width: f64,
    /// Height of the picture.
    pub(crate) height: f64,
    margin: f64,
    row: f64,
    outlines: bool,
}

impl Canvas<'_> {
    /// A picture large enough for the layout and its coordinates.
    pub(crate) fn new(layout: &Layout, outlines: bool) -> Canvas<'_> {
        let (columns, rows) = layout.extent();
        let (margin, row) = match layout.ground {
            Ground::Hexagon(_) => (UNIT * 1.15, UNIT * 0.866),
            _ => (UNIT, UNIT),
        };
        Canvas {
            layout,
            width: columns * UNIT + 2.0 * margin,
            height: rows * row + 2.0 * margin,
            margin,
            row,
            outlines,
        }
    }

    /// The middle of a place.
    pub(crate) fn at(&self, spot: usize) -> (f64, f64) {
        let spot = &self.layout.spots[spot];
        (self.margin + spot.x * UNIT, self.margin + spot.y * self.row)
    }

    /// A word centred on a point.
    pub(crate) fn label(&self, out: &mut String, at: (f64, f64), text: &str, size: f64, ink: &str) {
        if self.outlines {
            return glyphs::word(out, at, text, size, ink);
        }
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" fill=\"{ink}\">{}</text>",
            at.0,
            at.1 + size * 0.35,
            escape(text)
        );
    }

    /// The middle of the picture.
    fn centre(&self) -> (f64, f64) {
        (self.width / 2.0, self.height / 2.0)
    }
}

/// The gradients that the pieces of this ground use.
pub(crate) fn gradients(out: &mut String, ground: Ground, prefix: &str) {
    let discs = match ground {
        Ground::Cloth => [("#5a6166", "#0c0e10"), ("#ffffff", "#cdd3cf")],
        Ground::Hexagon(_) => [("#ffffff", "#d8d2c4"), ("#5b5f69", "#14161b")],
        Ground::Field => [("#f0655a", "#a81f1b"), ("#5b8ff0", "#1b459f")],
    };
    out.push_str("<defs>");
    for (side, (light, dark)) in discs.into_iter().enumerate() {
        let _ = write!(
            out,
            "<radialGradient id=\"{prefix}p{side}\" cx=\".36\" cy=\".3\" r=\".8\">\
             <stop offset=\"0\" stop-color=\"{light}\"/><stop offset=\"1\" stop-color=\"{dark}\"/>\
             </radialGradient>"
        );
    }
    let ground = match ground {
        Ground::Cloth => ("#23915a", "#14693f"),
        Ground::Hexagon(_) => ("#efe3c6", "#d9c598"),
        Ground::Field => ("#efe6d2", "#efe6d2"),
    };
    let _ = write!(
        out,
        "<radialGradient id=\"{prefix}g\" r=\".75\"><stop offset=\"0\" stop-color=\"{}\"/>\
         <stop offset=\"1\" stop-color=\"{}\"/></radialGradient></defs>",
        ground.0, ground.1
    );
}

/// The board without pieces, framed, with its coordinates.
pub(crate) fn ground(out: &mut String, canvas: &Canvas<'_>, prefix: &str, dark: bool) {
    let layout = canvas.layout;
    match layout.ground {
        Ground::Hexagon(size) => hexagon(out, canvas, size, prefix, dark),
        ground => {
            squares(out, canvas, prefix, dark);
            if ground == Ground::Cloth {
                cloth(out, canvas);
            } else {
                field(out, canvas);
            }
        }
    }
}

/// The frame's colours: itself, and the coordinates on it.
fn frame(ground: Ground, dark: bool) -> (&'static str, &'static str) {
    match (ground, dark) {
        (Ground::Cloth, false) => ("#22302a", "#dfe9e2"),
        (Ground::Cloth, true) => ("#101713", "#c3d3c9"),
        (Ground::Hexagon(_), false) => ("#3b3226", "#f3e9d3"),
        (Ground::Hexagon(_), true) => ("#1d1811", "#dccfae"),
        (Ground::Field, false) => ("#3a3440", "#ece6f2"),
        (Ground::Field, true) => ("#1b181f", "#cfc6d8"),
    }
}

/// The frame of an eight by eight board.
fn squares(out: &mut String, canvas: &Canvas<'_>, prefix: &str, dark: bool) {
    let (fill, ink) = frame(canvas.layout.ground, dark);
    let (w, h) = (canvas.width, canvas.height);
    let _ = write!(
        out,
        "<rect class=\"frame\" width=\"{w}\" height=\"{h}\" rx=\"14\" fill=\"{fill}\"/>\
         <rect x=\"32\" y=\"32\" width=\"512\" height=\"512\" fill=\"url(#{prefix}g)\"/>"
    );
    for i in 0..8 {
        let along = UNIT + f64::from(i) * UNIT;
        let letter = char::from(b'a' + i as u8);
        for across in [16.0, 560.0] {
            canvas.label(out, (along, across), &letter.to_string(), 19.0, ink);
            canvas.label(out, (across, along), &(i + 1).to_string(), 19.0, ink);
        }
    }
}

/// The lines and the four dots of a Reversi board.
fn cloth(out: &mut String, canvas: &Canvas<'_>) {
    let mut path = String::new();
    for i in 0..9 {
        let at = 32 + i * 64;
        let _ = write!(path, "M{at} 32V544M32 {at}H544");
    }
    let _ = write!(
        out,
        "<path d=\"{path}\" stroke=\"#0b4428\" stroke-width=\"1.6\" fill=\"none\"/>"
    );
    for corner in [18, 22, 50, 54] {
        let (x, y) = canvas.at(corner);
        let _ = write!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"#0b4428\"/>",
            x - 32.0,
            y - 32.0
        );
    }
}

/// Chequers, holes, and the two goals of an MMPawns field.
fn field(out: &mut String, canvas: &Canvas<'_>) {
    for (i, spot) in canvas.layout.spots.iter().enumerate() {
        let (x, y) = canvas.at(i);
        let (x, y) = (x - 32.0, y - 32.0);
        if spot.kind == Kind::Hole {
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"64\" height=\"64\" fill=\"#2a2530\"/>\
                 <path d=\"M{} {}l44 44m0 -44l-44 44\" stroke=\"#5f566b\" stroke-width=\"3\" fill=\"none\"/>\
                 <path d=\"M{x} {}v-64h64\" stroke=\"#131016\" stroke-width=\"5\" fill=\"none\"/>",
                x + 10.0,
                y + 10.0,
                y + 64.0
            );
        } else if (i % 8 + i / 8) % 2 == 1 {
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"64\" height=\"64\" fill=\"#d6c6a4\"/>"
            );
        }
    }
    for (y, colour) in [(29, "#e2463c"), (544, "#3d74e0")] {
        let _ = write!(
            out,
            "<rect x=\"32\" y=\"{y}\" width=\"512\" height=\"4\" fill=\"{colour}\"/>"
        );
    }
}

/// The hexagon with its lines, dots and their names.
fn hexagon(out: &mut String, canvas: &Canvas<'_>, size: usize, prefix: &str, dark: bool) {
    let (fill, ink) = frame(canvas.layout.ground, dark);
    let (cx, cy) = canvas.centre();
    let corners = |reach: f64| {
        let mut points = String::new();
        for k in 0..6 {
            let angle = f64::from(k) * std::f64::consts::FRAC_PI_3;
            let radius = (size as f64 + reach) * UNIT;
            let (x, y) = (cx + radius * angle.cos(), cy + radius * angle.sin());
            let _ = write!(points, "{x:.1},{y:.1} ");
        }
        points
    };
    let _ = write!(
        out,
        "<polygon class=\"frame\" points=\"{}\" fill=\"{fill}\" stroke=\"{fill}\" stroke-width=\"16\" stroke-linejoin=\"round\"/>\
         <polygon points=\"{}\" fill=\"url(#{prefix}g)\" stroke=\"#8d7848\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
        corners(1.0),
        corners(0.28)
    );
    let mut path = String::new();
    for (a, b) in canvas.layout.lines() {
        let ((x, y), (u, v)) = (canvas.at(a), canvas.at(b));
        let _ = write!(path, "M{x:.1} {y:.1}L{u:.1} {v:.1}");
    }
    let _ = write!(
        out,
        "<path d=\"{path}\" stroke=\"#5d4c2a\" stroke-width=\"2.2\" fill=\"none\"/>"
    );
    for (i, spot) in canvas.layout.spots.iter().enumerate() {
        if spot.kind != Kind::Dot {
            continue;
        }
        let (x, y) = canvas.at(i);
        let _ = write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\" fill=\"#5d4c2a\"/>"
        );
        // Names stand outside the dots: away from the nearest side, not the centre,
        // so that they line up along the sides.
        let (dx, dy) = (x - cx, y - cy);
        let side = ((dy.atan2(dx) / std::f64::consts::FRAC_PI_3).floor() + 0.5)
            * std::f64::consts::FRAC_PI_3;
        let corner = ((dx.hypot(dy) / UNIT) - size as f64).abs() < 0.01;
        let (angle, reach) = if corner {
            (dy.atan2(dx), 0.64)
        } else {
            (side, 0.56)
        };
        let at = (
            x + angle.cos() * UNIT * reach,
            y + angle.sin() * UNIT * reach,
        );
        canvas.label(out, at, &spot.name, 18.0, ink);
    }
}

/// Text that cannot be taken for markup.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// How large pieces are.
pub(crate) fn radius(ground: Ground) -> f64 {
    match ground {
        Ground::Cloth => 27.0,
        Ground::Hexagon(_) => 25.0,
        Ground::Field => 24.0,
    }
}

/// One piece with its shadow.
pub(crate) fn piece(
    out: &mut String,
    ground: Ground,
    (x, y): (f64, f64),
    side: Side,
    prefix: &str,
) {
    let (r, n) = (radius(ground), side.index());
    let rim = match (ground, side) {
        (Ground::Cloth, Side::First) | (Ground::Hexagon(_), Side::Second) => "#000000",
        (Ground::Cloth | Ground::Hexagon(_), _) => "#8f938f",
        (Ground::Field, Side::First) => "#6d110e",
        (Ground::Field, Side::Second) => "#0e2a66",
    };
    let _ = write!(
        out,
        "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{r}\" fill=\"#000\" opacity=\".28\"/>\
         <circle class=\"piece s{n}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\" fill=\"url(#{prefix}p{n})\" \
         stroke=\"{rim}\" stroke-width=\"1.5\"/>",
        x + 1.5,
        y + 3.0
    );
    match ground {
        Ground::Cloth => {}
        Ground::Hexagon(_) => {
            let ring = ["#b3ab99", "#70757f"][n];
            let _ = write!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"13\" fill=\"none\" stroke=\"{ring}\" stroke-width=\"2.5\"/>"
            );
        }
        Ground::Field => {
            // An arrow head the way the pawn goes, so that the sides differ without colour.
            let tip = if side == Side::First { -1.0 } else { 1.0 };
            let _ = write!(
                out,
                "<path d=\"M{:.1} {:.1}L{x:.1} {:.1}L{:.1} {:.1}Z\" fill=\"#fff\" stroke=\"#fff\" \
                 stroke-width=\"3\" stroke-linejoin=\"round\"/>",
                x - 10.0,
                y - tip * 6.0,
                y + tip * 12.0,
                x + 10.0,
                y - tip * 6.0
            );
        }
    }
}

/// The colours of a value: background and ink.
pub(crate) fn tone(value: &Value) -> (&'static str, &'static str) {
    match value.tone {
        Tone::Plain if value.best => ("#ffe9a3", "#3d2b00"),
        Tone::Plain => ("#f4f4f0", "#1b1b1b"),
        Tone::Worse => ("#ffd9bd", "#552200"),
        Tone::Bad => ("#f3c1c8", "#5c0013"),
        Tone::Win => ("#c9ecd2", "#0b3d1e"),
        Tone::Draw => ("#dfe5f2", "#1d2b4d"),
        Tone::Loss => ("#f6cdcf", "#5c0013"),
    }
}
