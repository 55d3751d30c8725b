//! A scene as SVG.

use std::fmt::Write;

use rules::Side;

use crate::layout::{Kind, Shape};
use crate::paint::{self, Canvas, UNIT};
use crate::scene::{Scene, Stroke, Trace, Value};

/// How to draw a picture.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SvgStyle {
    /// For a dark page.
    pub dark: bool,
    /// Put before the identifiers inside, so that several pictures fit into one page;
    /// boards of the same game may share it.
    pub prefix: String,
    /// What the picture shows, for who cannot see it.
    pub title: String,
    /// Letters as lines, for painters that have no fonts.
    pub outlines: bool,
}

/// What a control can lie over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A place of the board, by its number in the layout.
    Spot(usize),
    /// The value on an arrow, by the arrow's number among the strokes.
    Stroke(usize),
}

/// Draws the scene as one SVG element.
#[must_use]
pub fn svg(scene: &Scene, style: &SvgStyle) -> String {
    svg_with(scene, style, |_| None)
}

/// Draws the scene, with an HTML element over everything for which `control` gives one:
/// this makes real controls of the points of a board.
#[must_use]
pub fn svg_with(
    scene: &Scene,
    style: &SvgStyle,
    mut control: impl FnMut(Target) -> Option<String>,
) -> String {
    let canvas = Canvas::new(&scene.layout, style.outlines);
    let prefix = format!("{}{}", style.prefix, scene.layout.look.id);
    let mut out = String::with_capacity(16 * 1024);
    let (w, h) = (canvas.width, canvas.height);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.1} {h:.1}\" width=\"{w:.0}\" height=\"{h:.0}\" \
         class=\"board\" text-anchor=\"middle\" font-family=\"system-ui, Helvetica, Arial, 'DejaVu Sans', sans-serif\" \
         font-weight=\"600\""
    );
    let mut controls = String::new();
    let mut lay = |(x, y): (f64, f64), width: f64, height: f64, html: &str| {
        let _ = write!(
            controls,
            "<foreignObject x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">{html}</foreignObject>",
            x - width / 2.0,
            y - height / 2.0,
        );
    };
    for spot in 0..scene.layout.spots.len() {
        if let Some(html) = control(Target::Spot(spot)) {
            lay(canvas.at(spot), UNIT, UNIT, &html);
        }
    }
    let labels = Label::all(scene, &canvas);
    for (number, label) in labels.iter().enumerate() {
        if let Some(label) = label
            && let Some(html) = control(Target::Stroke(number))
        {
            lay(label.at, label.width, label.height, &html);
        }
    }
    // The picture is one image to a screen reader; controls speak for themselves.
    if controls.is_empty() {
        let title = if style.title.is_empty() {
            "board"
        } else {
            &style.title
        };
        let _ = write!(out, " role=\"img\"><title>{}</title>", paint::escape(title));
    } else {
        out.push('>');
    }
    let hidden = if controls.is_empty() {
        ""
    } else {
        " aria-hidden=\"true\""
    };
    let _ = write!(out, "<g{hidden}>");
    paint::gradients(&mut out, scene.layout.look, &prefix);
    paint::ground(&mut out, &canvas, &prefix, style.dark);
    rows(&mut out, scene, &canvas);
    pieces(&mut out, scene, &canvas, &prefix);
    marks(&mut out, scene, &canvas, &labels);
    out.push_str("</g>");
    out.push_str(&controls);
    out.push_str("</svg>");
    out
}

/// The rows of which one must be chosen, as bands that look out beneath their pieces: where rows
/// cross, it matters which piece lies there.
fn rows(out: &mut String, scene: &Scene, canvas: &Canvas<'_>) {
    for (number, &(a, b)) in scene.marks.rows.iter().enumerate() {
        let ((x, y), (u, v)) = (canvas.at(a), canvas.at(b));
        let line = format!("<path d=\"M{x:.1} {y:.1}L{u:.1} {v:.1}\" stroke-linecap=\"round\"");
        let _ = write!(
            out,
            "<g class=\"row\" data-row=\"{number}\">{line} stroke=\"#3d2b00\" stroke-width=\"67\" opacity=\".55\"/>\
             {line} stroke=\"#ffb300\" stroke-width=\"62\"/></g>"
        );
    }
}

/// The pieces on the board, and ghosts of those just taken.
fn pieces(out: &mut String, scene: &Scene, canvas: &Canvas<'_>, prefix: &str) {
    let layout = &scene.layout;
    if let Some(last) = &scene.marks.last {
        for &(spot, piece) in &last.taken {
            if scene.pieces[spot].is_none() {
                out.push_str("<g class=\"taken\" opacity=\".38\">");
                paint::piece(out, layout, canvas.at(spot), piece, prefix);
                out.push_str("</g>");
                let (x, y) = canvas.at(spot);
                let _ = write!(
                    out,
                    "<path d=\"M{:.1} {:.1}l24 24m0 -24l-24 24\" stroke=\"#b3261e\" stroke-width=\"5\" stroke-linecap=\"round\"/>",
                    x - 12.0,
                    y - 12.0
                );
            }
        }
    }
    for (spot, piece) in scene.pieces.iter().enumerate() {
        if let Some(piece) = *piece {
            let came = scene.marks.last.as_ref();
            let came = came.and_then(|last| arrival(canvas, last, spot));
            out.push_str(came.as_deref().unwrap_or_default());
            paint::piece(out, layout, canvas.at(spot), piece, prefix);
            out.push_str(if came.is_some() { "</g>" } else { "" });
        }
    }
}

/// The beginning of a group that says how the piece on a place got there with the last move, so
/// that a page can show it: from where, or by turning over, or from nowhere.
fn arrival(canvas: &Canvas<'_>, last: &Trace, spot: usize) -> Option<String> {
    let to = canvas.at(spot);
    let from = |from: usize| {
        let (x, y) = canvas.at(from);
        format!(
            "<g class=\"came\" data-from=\"{:.1} {:.1}\">",
            x - to.0,
            y - to.1
        )
    };
    let pushed = last.pushed.iter().find(|(_, end)| *end == spot);
    match (last.stroke.from, last.stroke.to) {
        (Some(start), Some(end)) if end == spot => Some(from(start)),
        (None, Some(end)) if end == spot => Some("<g class=\"came put\">".into()),
        _ if last.turned.contains(&spot) => Some("<g class=\"came over\">".into()),
        _ => pushed.map(|&(start, _)| from(start)),
    }
}

/// Everything over the pieces.
fn marks(out: &mut String, scene: &Scene, canvas: &Canvas<'_>, labels: &[Option<Label>]) {
    let marks = &scene.marks;
    for &spot in &marks.legal {
        legal(out, scene, canvas, spot);
    }
    for &spot in &marks.chosen {
        let (x, y) = canvas.at(spot);
        // A ring around a dot must not hide its name.
        let r = match scene.layout.spots[spot].kind {
            Kind::Dot => 11.0,
            _ => 27.0,
        };
        let _ = write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\" fill=\"none\" stroke=\"#ffb300\" stroke-width=\"6\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{}\" fill=\"none\" stroke=\"#3d2b00\" stroke-width=\"1.5\"/>",
            r + 3.5
        );
    }
    if let Some(last) = &marks.last {
        trace(out, scene, canvas, last);
    }
    for stroke in &marks.strokes {
        if let (Some(from), Some(to)) = (stroke.from, stroke.to) {
            arrow(out, canvas.at(from), canvas.at(to), "#2b3a55", 4.0);
        }
    }
    for (stroke, label) in marks.strokes.iter().zip(labels) {
        if let (Some(written), Some(label)) = (&stroke.value, label) {
            value(out, canvas, written, label);
        }
    }
}

/// A place that can be chosen.
fn legal(out: &mut String, scene: &Scene, canvas: &Canvas<'_>, spot: usize) {
    let (x, y) = canvas.at(spot);
    if scene
        .marks
        .strokes
        .iter()
        .any(|s| s.from.is_none() && s.to == Some(spot))
    {
        return;
    }
    let _ = match (scene.layout.spots[spot].kind, scene.pieces[spot]) {
        (Kind::Dot, _) => write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"12\" fill=\"#fff8e4\" stroke=\"#5d4c2a\" stroke-width=\"4\"/>"
        ),
        (_, Some(_)) => write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"28\" fill=\"none\" stroke=\"#fff\" stroke-width=\"4.5\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"28\" fill=\"none\" stroke=\"#1b6b3f\" stroke-width=\"4.5\" stroke-dasharray=\"9 5\"/>"
        ),
        _ => write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"10\" fill=\"#000\" opacity=\".35\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"10\" fill=\"none\" stroke=\"#fff\" stroke-width=\"2\" opacity=\".85\"/>"
        ),
    };
}

/// The last move and its effects.
fn trace(out: &mut String, scene: &Scene, canvas: &Canvas<'_>, last: &Trace) {
    for &spot in &last.turned {
        let (x, y) = canvas.at(spot);
        let _ = write!(
            out,
            "<circle class=\"turned\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\" fill=\"none\" stroke=\"#e5872d\" stroke-width=\"3\"/>"
        );
    }
    match (last.stroke.from, last.stroke.to) {
        (Some(from), Some(to)) => arrow(out, canvas.at(from), canvas.at(to), "#d9622b", 6.0),
        (None, Some(to)) => {
            let (x, y) = canvas.at(to);
            let rim = if scene.pieces[to].is_some_and(|piece| piece.side == Side::First) {
                "#fff"
            } else {
                "#40200c"
            };
            let _ = write!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\" fill=\"#e5702d\" stroke=\"{rim}\" stroke-width=\"2\"/>"
            );
        }
        _ => {}
    }
}

/// An arrow that leaves room at its ends.
fn arrow(out: &mut String, (x, y): (f64, f64), (u, v): (f64, f64), colour: &str, width: f64) {
    let length = (u - x).hypot(v - y).max(1.0);
    let (dx, dy) = ((u - x) / length, (v - y) / length);
    let (x, y) = (x + dx * 14.0, y + dy * 14.0);
    let (u, v) = (u - dx * 10.0, v - dy * 10.0);
    let head = width * 2.2;
    let (bx, by) = (u - dx * head, v - dy * head);
    let _ = write!(
        out,
        "<path d=\"M{x:.1} {y:.1}L{bx:.1} {by:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>\
         <path d=\"M{u:.1} {v:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{colour}\"/>",
        bx - dy * head * 0.75,
        by + dx * head * 0.75,
        bx + dy * head * 0.75,
        by - dx * head * 0.75
    );
}

/// Where a value is written.
struct Label {
    at: (f64, f64),
    width: f64,
    height: f64,
    /// The size of the letters.
    size: f64,
}

impl Label {
    /// The room for the values of all moves, on their places or their arrows. A label that would
    /// lie over an earlier one moves along its arrow, and is smaller if that is not enough.
    fn all(scene: &Scene, canvas: &Canvas<'_>) -> Vec<Option<Label>> {
        let mut placed: Vec<Option<Label>> = Vec::new();
        for stroke in &scene.marks.strokes {
            let mut choices = Label::choices(scene, canvas, stroke);
            let free = |label: &Label| placed.iter().flatten().all(|other| !label.meets(other));
            let label = choices
                .iter()
                .position(free)
                .map(|place| choices.swap_remove(place));
            placed.push(label.or_else(|| choices.pop()));
        }
        placed
    }

    /// Where the value of a move can be written, the best place first.
    fn choices(scene: &Scene, canvas: &Canvas<'_>, stroke: &Stroke) -> Vec<Label> {
        let (Some(value), Some(to)) = (&stroke.value, stroke.to) else {
            return Vec::new();
        };
        let (u, v) = canvas.at(to);
        let (x, y) = stroke.from.map_or((u, v), |from| canvas.at(from));
        // Arrows lie so close that neighbours must bear their values further up and down in
        // turn: beside each other there is no room.
        let lean = (u - x) * (v - y);
        let part = match scene.layout.shape {
            Shape::Squares { .. } if lean == 0.0 => 0.95,
            Shape::Squares { .. } if lean > 0.0 => 0.3,
            Shape::Squares { .. } => 0.62,
            _ if lean > 0.0 => 0.36,
            _ if lean < 0.0 => 0.64,
            _ => 0.5,
        };
        let parts = [part, 0.62, 0.3, 0.95, 0.46, 0.78, 0.2, 1.1];
        let (parts, size, room) = match (stroke.from, scene.layout.shape) {
            (None, _) => (&parts[..1], 21.0, 15.0),
            (Some(_), Shape::Hexagon(_)) => (&parts[..], 13.0, 6.0),
            (Some(_), _) => (&parts[..], 15.0, 10.0),
        };
        let letters = value.text.chars().count() as f64;
        let label = |scale: f64, part: f64| Label {
            at: (x + (u - x) * part, y + (v - y) * part),
            width: scale * (size * 0.66 * letters + room),
            height: scale * size * 1.5,
            size: scale * size,
        };
        [1.0, 0.85, 0.7, 0.6]
            .iter()
            .flat_map(|&scale| parts.iter().map(move |&part| label(scale, part)))
            .collect()
    }

    /// Whether the two lie over each other.
    fn meets(&self, other: &Label) -> bool {
        (self.at.0 - other.at.0).abs() < (self.width + other.width) / 2.0
            && (self.at.1 - other.at.1).abs() < (self.height + other.height) / 2.0
    }
}

/// The value of a move; a thick frame is the best one, an underline an exact one.
fn value(out: &mut String, canvas: &Canvas<'_>, value: &Value, label: &Label) {
    let ((x, y), width, size) = (label.at, label.width, label.size);
    let (fill, ink) = paint::tone(value);
    let _ = write!(
        out,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\" rx=\"{:.1}\" fill=\"{fill}\" \
         stroke=\"{ink}\" stroke-width=\"{}\"/>",
        x - width / 2.0,
        y - label.height / 2.0,
        label.height,
        size * 0.4,
        if value.best { 3 } else { 1 }
    );
    canvas.label(out, (x, y), &value.text, size, ink);
    if value.exact {
        let _ = write!(
            out,
            "<path d=\"M{:.1} {:.1}h{:.1}\" stroke=\"{ink}\" stroke-width=\"2\"/>",
            x - width * 0.32,
            y + size * 0.55,
            width * 0.64
        );
    }
}
