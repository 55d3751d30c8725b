//! Scenes of GIPF: pushed lines, and rows that cross.

use rules::{Game, Side};

use crate::games::{Drawable, Step, Way, names};
use crate::layout::{Kind, Layout};
use crate::scene::{Scene, Stroke, Trace};

/// The dot and the point of a move's text, and the rest of it.
fn entry<'a>(layout: &Layout, text: &'a str) -> Option<((usize, usize), &'a str)> {
    let (push, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (from, to) = push.split_once('-')?;
    Some(((layout.find(from)?, layout.find(to)?), rest))
}

/// The rows in ` w: b2 d4 b: c3 f3`.
fn rows(layout: &Layout, text: &str) -> Vec<Step> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let row = |words: &[&str]| {
        let (a, b) = (layout.find(words[1])?, layout.find(words[2])?);
        Some(Step {
            spots: line(layout, a, b),
            label: words.join(" "),
            row: Some((a, b)),
        })
    };
    words.chunks_exact(3).filter_map(row).collect()
}

/// The points from one to another along a line.
fn line(layout: &Layout, from: usize, to: usize) -> Vec<usize> {
    let (dx, dy) = layout.between(from, to);
    let count = if dy == 0.0 { dx.abs() } else { dy.abs() };
    let way = (dx / count.max(1.0), dy / count.max(1.0));
    let mut spots = vec![from];
    while spots.len() as f64 <= count {
        match layout.step(spots[spots.len() - 1], way) {
            Some(next) => spots.push(next),
            None => break,
        }
    }
    spots
}

/// The pieces after the push, before anything is taken.
fn push(scene: &Scene, (from, to): (usize, usize), side: Side) -> Vec<Option<Side>> {
    let mut pieces = scene.pieces.clone();
    let way = scene.layout.between(from, to);
    let (mut at, mut hand) = (Some(to), Some(side));
    while let (Some(spot), Some(stone)) = (at, hand) {
        hand = pieces[spot].replace(stone);
        at = scene.layout.step(spot, way);
    }
    pieces
}

impl Drawable for gipf::Position {
    fn scene(&self) -> Scene {
        let layout = Layout::hexagon(usize::from(self.variant().size()));
        // Both count the points row by row from the top left.
        let mut points = self.geometry().rows().flatten();
        let pieces = layout
            .spots
            .iter()
            .map(|spot| match spot.kind {
                Kind::Dot => None,
                _ => points.next().and_then(|&point| self.stone(point)),
            })
            .collect();
        let mut scene = Scene::new(layout, pieces, names::<Self>());
        let [white, black] = Side::BOTH.map(|side| self.reserve(side));
        let run = self.variant().run();
        scene.notes.push(format!(
            "In reserve: White {white}, Black {black}; rows of {run} are taken"
        ));
        scene
    }

    fn trace(&self, mv: gipf::Move) -> Trace {
        let scene = self.scene();
        let text = self.move_text(mv);
        let Some((ends, _)) = entry(&scene.layout, &text) else {
            return Trace::default();
        };
        let pushed = push(&scene, ends, self.side_to_move());
        let mut next = *self;
        next.play_unchecked(mv);
        let after = next.scene().pieces;
        let gone = |(spot, stone): (usize, &Option<Side>)| {
            let stone = (*stone)?;
            after[spot].is_none().then_some((spot, stone))
        };
        Trace {
            stroke: Stroke {
                from: Some(ends.0),
                to: Some(ends.1),
                value: None,
            },
            turned: Vec::new(),
            taken: pushed.iter().enumerate().filter_map(gone).collect(),
        }
    }

    fn ways(&self) -> Vec<Way<gipf::Move>> {
        let scene = self.scene();
        let layout = &scene.layout;
        let mut ways = Vec::new();
        for mv in self.moves() {
            let text = self.move_text(mv);
            let Some(((from, to), rest)) = entry(layout, &text) else {
                continue;
            };
            // A stone put on an empty point pushes nothing: all dots beside it will do,
            // though the rules list the move once.
            let dots = (0..layout.spots.len()).filter(|&dot| {
                let (dx, dy) = layout.between(dot, to);
                let beside = dx.abs() + dy.abs() / 2.0 == 1.0;
                dot == from
                    || (scene.pieces[to].is_none() && layout.spots[dot].kind == Kind::Dot && beside)
            });
            for dot in dots {
                let mut steps = vec![Step::place(layout, dot), Step::place(layout, to)];
                steps.extend(rows(layout, rest));
                ways.push(Way { steps, mv });
            }
        }
        ways
    }
}
