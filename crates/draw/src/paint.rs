//! Grounds and pieces in the colours of a game. Only presentation attributes are used, no
//! style sheet, so a picture is complete in itself and obeys any content policy.

use std::f64::consts::{FRAC_PI_3, FRAC_PI_6};
use std::fmt::Write;

use rules::Side;

use crate::glyphs;
use crate::layout::{Kind, Layout, Shape};
use crate::look::{Emblem, Frame, Look, Surface};
use crate::scene::{Piece, Tone, Value};

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
    /// The distances between columns and between rows.
    step: (f64, f64),
    outlines: bool,
}

impl Canvas<'_> {
    /// A picture large enough for the layout and its coordinates.
    pub(crate) fn new(layout: &Layout, outlines: bool) -> Canvas<'_> {
        let (columns, rows) = layout.extent();
        let (margin, step) = match layout.shape {
            Shape::Hexagon(_) if layout.upright => (UNIT * 1.15, (UNIT * 0.866, UNIT)),
            Shape::Hexagon(_) => (UNIT * 1.15, (UNIT, UNIT * 0.866)),
            _ => (UNIT, (UNIT, UNIT)),
        };
        Canvas {
            layout,
            width: columns * step.0 + 2.0 * margin,
            height: rows * step.1 + 2.0 * margin,
            margin,
            step,
            outlines,
        }
    }

    /// The middle of a place.
    pub(crate) fn at(&self, spot: usize) -> (f64, f64) {
        let (x, y) = self.layout.at(spot);
        (self.margin + x * self.step.0, self.margin + y * self.step.1)
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

/// The gradients that the pieces and the ground use.
pub(crate) fn gradients(out: &mut String, look: &Look, prefix: &str) {
    out.push_str("<defs>");
    for (side, piece) in look.pieces.iter().enumerate() {
        let (light, dark) = (piece.light, piece.shade);
        let _ = write!(
            out,
            "<radialGradient id=\"{prefix}p{side}\" cx=\".36\" cy=\".3\" r=\".8\">\
             <stop offset=\"0\" stop-color=\"{light}\"/><stop offset=\"1\" stop-color=\"{dark}\"/>\
             </radialGradient>"
        );
    }
    let [middle, edge] = look.ground;
    let _ = write!(
        out,
        "<radialGradient id=\"{prefix}g\" r=\".75\"><stop offset=\"0\" stop-color=\"{middle}\"/>\
         <stop offset=\"1\" stop-color=\"{edge}\"/></radialGradient></defs>"
    );
}

/// The board without pieces, framed, with its coordinates.
pub(crate) fn ground(out: &mut String, canvas: &Canvas<'_>, prefix: &str, dark: bool) {
    let layout = canvas.layout;
    match layout.shape {
        Shape::Hexagon(size) => hexagon(out, canvas, size, prefix, dark),
        Shape::Squares { columns, rows } => {
            frame_squares(out, canvas, prefix, dark);
            coordinates(out, canvas, columns, rows, dark);
            match &layout.look.surface {
                Surface::Plain => {}
                Surface::Lines(ink) => lines(out, canvas, columns, rows, ink),
                Surface::Chequers { dark, goals } => {
                    chequers(out, canvas, columns, dark);
                    edges(out, canvas, goals);
                }
            }
        }
        Shape::Choices => {
            frame_squares(out, canvas, prefix, dark);
            choices(out, canvas);
        }
    }
}

/// The colours of the frame.
fn frame(look: &Look, dark: bool) -> (&'static str, &'static str) {
    let Frame { fill, ink } = if dark { &look.dark_frame } else { &look.frame };
    (fill, ink)
}

/// The frame of a board of squares.
fn frame_squares(out: &mut String, canvas: &Canvas<'_>, prefix: &str, dark: bool) {
    let (fill, _) = frame(canvas.layout.look, dark);
    let (w, h) = (canvas.width, canvas.height);
    let _ = write!(
        out,
        "<rect class=\"frame\" width=\"{w}\" height=\"{h}\" rx=\"14\" fill=\"{fill}\"/>\
         <rect x=\"32\" y=\"32\" width=\"{}\" height=\"{}\" fill=\"url(#{prefix}g)\"/>",
        w - UNIT,
        h - UNIT
    );
}

/// Letters above and below the board, numbers on both sides.
fn coordinates(out: &mut String, canvas: &Canvas<'_>, columns: usize, rows: usize, dark: bool) {
    let (_, ink) = frame(canvas.layout.look, dark);
    let (right, below) = (canvas.width - 16.0, canvas.height - 16.0);
    out.push_str(COORDINATES);
    for i in 0..columns.max(rows) {
        let letter = char::from(b'a' + i as u8);
        for (x, y) in [(16.0, 16.0), (right, below)] {
            if i < columns {
                let along = canvas.at(i).0;
                canvas.label(out, (along, y), &letter.to_string(), 19.0, ink);
            }
            if i < rows {
                let along = canvas.at(i * columns).1;
                canvas.label(out, (x, along), &(i + 1).to_string(), 19.0, ink);
            }
        }
    }
    out.push_str("</g>");
}

/// What the names of places are in, so that a page can hide them.
const COORDINATES: &str = "<g class=\"coordinates\">";

/// Lines between the squares, and the four dots of an 8×8 board.
fn lines(out: &mut String, canvas: &Canvas<'_>, columns: usize, rows: usize, ink: &str) {
    let (right, below) = (canvas.width - 32.0, canvas.height - 32.0);
    let mut path = String::new();
    for i in 0..=columns.max(rows) {
        let at = 32 + i * 64;
        if i <= columns {
            let _ = write!(path, "M{at} 32V{below}");
        }
        if i <= rows {
            let _ = write!(path, "M32 {at}H{right}");
        }
    }
    let _ = write!(
        out,
        "<path d=\"{path}\" stroke=\"{ink}\" stroke-width=\"1.6\" fill=\"none\"/>"
    );
    if (columns, rows) != (8, 8) {
        return;
    }
    for (column, row) in [(2, 2), (6, 2), (2, 6), (6, 6)] {
        let (x, y) = (32 + column * 64, 32 + row * 64);
        let _ = write!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{ink}\"/>"
        );
    }
}

/// Squares of two colours, and holes.
fn chequers(out: &mut String, canvas: &Canvas<'_>, columns: usize, dark: &str) {
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
        } else if (i % columns + i / columns) % 2 == 1 {
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"64\" height=\"64\" fill=\"{dark}\"/>"
            );
        }
    }
}

/// The top and the bottom edge, which are goals.
fn edges(out: &mut String, canvas: &Canvas<'_>, colours: &[&str; 2]) {
    let (width, below) = (canvas.width - UNIT, canvas.height - 32.0);
    let ends = match canvas.layout.turned {
        true => [below, 29.0],
        false => [29.0, below],
    };
    for (y, colour) in ends.into_iter().zip(colours) {
        let _ = write!(
            out,
            "<rect x=\"32\" y=\"{y}\" width=\"{width}\" height=\"4\" fill=\"{colour}\"/>"
        );
    }
}

/// Squares that stand for moves, with their names.
fn choices(out: &mut String, canvas: &Canvas<'_>) {
    for (i, spot) in canvas.layout.spots.iter().enumerate() {
        let (x, y) = canvas.at(i);
        let _ = write!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"56\" height=\"56\" rx=\"8\" fill=\"#fff\" stroke=\"#5d6a78\" stroke-width=\"2\"/>",
            x - 28.0,
            y - 28.0
        );
        let size = if spot.name.chars().count() > 4 {
            11.0
        } else {
            19.0
        };
        canvas.label(out, (x, y), &spot.name, size, "#1b1b1b");
    }
}

/// The hexagon with its lines, dots and their names.
fn hexagon(out: &mut String, canvas: &Canvas<'_>, size: usize, prefix: &str, dark: bool) {
    let (fill, ink) = frame(canvas.layout.look, dark);
    let (cx, cy) = canvas.centre();
    // Where the first corner is: to the right, or a twelfth of a turn further.
    let first = match canvas.layout.upright {
        true => FRAC_PI_6,
        false => 0.0,
    };
    let corners = |reach: f64| {
        let mut points = String::new();
        for k in 0..6 {
            let angle = first + f64::from(k) * FRAC_PI_3;
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
    let mut names = String::new();
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
        let side = (((dy.atan2(dx) - first) / FRAC_PI_3).floor() + 0.5) * FRAC_PI_3 + first;
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
        canvas.label(&mut names, at, &spot.name, 18.0, ink);
    }
    let _ = write!(out, "{COORDINATES}{names}</g>");
}

/// Text that cannot be taken for markup.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// How far above and below its place the pieces of a stack are.
const STACK: (f64, f64) = (7.0, 3.0);

/// One piece with its shadow. Of two stacked pieces the lower one looks out below the upper
/// one, which has a spot in its middle.
pub(crate) fn piece(out: &mut String, layout: &Layout, at: (f64, f64), piece: Piece, prefix: &str) {
    let ((x, y), Piece { side, stacked }) = (at, piece);
    let look = layout.look;
    if stacked {
        let (above, below) = STACK;
        disc(out, look, (x, y + below), side, prefix, "under");
        disc(out, look, (x, y - above), side, prefix, "piece");
        emblem(out, layout, (x, y - above), side);
        spot(out, look, (x, y - above), side);
    } else {
        disc(out, look, at, side, prefix, "piece");
        emblem(out, layout, at, side);
    }
}

/// A disc with its shadow.
fn disc(out: &mut String, look: &Look, (x, y): (f64, f64), side: Side, prefix: &str, class: &str) {
    let (r, n) = (look.radius, side.index());
    let rim = look.pieces[n].rim;
    let _ = write!(
        out,
        "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{r}\" fill=\"#000\" opacity=\".28\"/>\
         <circle class=\"{class} s{n}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\" fill=\"url(#{prefix}p{n})\" \
         stroke=\"{rim}\" stroke-width=\"1.5\"/>",
        x + 1.5,
        y + 3.0
    );
}

/// The spot and the bright edge of the upper piece of a stack.
fn spot(out: &mut String, look: &Look, (x, y): (f64, f64), side: Side) {
    let ink = match look.emblem {
        Emblem::Ring(rings) => rings[side.index()],
        Emblem::None | Emblem::Arrow => look.pieces[1 - side.index()].shade,
    };
    let _ = write!(
        out,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6.5\" fill=\"{ink}\"/>\
         <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\"/>",
        look.radius - 1.0
    );
}

/// What is drawn on a piece.
fn emblem(out: &mut String, layout: &Layout, (x, y): (f64, f64), side: Side) {
    match layout.look.emblem {
        Emblem::None => {}
        Emblem::Ring(rings) => {
            let ring = rings[side.index()];
            let _ = write!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"13\" fill=\"none\" stroke=\"{ring}\" stroke-width=\"2.5\"/>"
            );
        }
        Emblem::Arrow => {
            let up = (side == Side::First) != layout.turned;
            let tip = if up { -1.0 } else { 1.0 };
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
