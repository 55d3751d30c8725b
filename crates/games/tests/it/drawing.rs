//! Every position of random games can be drawn, and every move be pointed at.

use draw::{Kind, Marks, SvgStyle, TextStyle, Tone, Value, svg, text};
use games::{AnyPosition, GIPF, MMPAWNS, REVERSI};
use rules::Side;

/// Plays a game by a little generator of its own, and looks at every position.
fn walk(start: AnyPosition, seed: u64, look: impl Fn(&AnyPosition)) {
    let mut state = seed;
    let mut position = start;
    for _ in 0..120 {
        look(&position);
        let moves = position.moves();
        if moves.is_empty() {
            return;
        }
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        position
            .play(&moves[(state >> 33) as usize % moves.len()])
            .unwrap();
    }
}

/// Checks what must hold of any position of any game.
fn check_position(position: &AnyPosition) {
    let scene = position.scene();
    let picture = svg(&scene, &SvgStyle::default());
    let pieces = scene.pieces.iter().flatten().count();
    assert_eq!(picture.matches("class=\"piece").count(), pieces);
    assert_eq!(
        picture.matches("<text").count(),
        picture.matches("</text").count()
    );
    assert_eq!(position.pieces(), scene.characters());
    let letters = text(&scene, TextStyle::default());
    assert!(letters.lines().count() >= 5, "{letters}");
    let ways = position.ways();
    for mv in position.moves() {
        assert!(ways.iter().any(|way| way.mv == mv), "{mv:?} in {position}");
        let after = position.scene_after(&mv).unwrap();
        let trace = after.marks.last.as_ref().unwrap();
        for &(spot, side) in &trace.taken {
            assert_eq!(after.pieces[spot], None, "{mv:?} in {position}");
            assert!(side == Side::First || side == Side::Second);
        }
        let mover = position.side_to_move();
        for &spot in &trace.turned {
            assert_eq!(scene.pieces[spot], Some(!mover));
            assert_eq!(after.pieces[spot], Some(mover));
        }
        // No piece appears or goes without being told of, but the mover's new one.
        let count = |scene: &draw::Scene| scene.pieces.iter().flatten().count();
        let new = usize::from(trace.stroke.to.is_some() && position.game() != MMPAWNS);
        assert_eq!(
            count(&scene) + new - trace.taken.len(),
            count(&after),
            "{mv:?} in {position}"
        );
    }
    // Where no choice of rows is left open, pointing decides.
    for way in &ways {
        assert!(position.moves().contains(&way.mv));
        for step in &way.steps {
            assert!(!step.spots.is_empty() && !step.label.is_empty());
            for &spot in &step.spots {
                assert_ne!(scene.layout.spots[spot].kind, Kind::Hole);
            }
        }
    }
}

#[test]
fn reversi_games_can_be_drawn() {
    for seed in 1..6 {
        walk(AnyPosition::start(REVERSI), seed, check_position);
    }
}

#[test]
fn mmpawns_games_can_be_drawn() {
    let start = "A 1 -B-B----/B-*--B-B/---*----/--------/----*---/*-------/A-A--A-A/--A---A-";
    let start = MMPAWNS.parse(start).unwrap();
    for seed in 1..20 {
        walk(start.clone(), seed, check_position);
    }
}

#[test]
fn gipf_games_can_be_drawn() {
    for (seed, variant) in [
        (1, "4 4 15 15"),
        (2, "3 3 12 12"),
        (3, "2 2 9 9"),
        (4, "3 2 20 20"),
    ] {
        walk(GIPF.parse(variant).unwrap(), seed, check_position);
    }
}

#[test]
fn the_names_of_the_hexagon_are_those_of_the_rules() {
    for size in 2..=7 {
        let layout = GIPF
            .parse(&format!("{size} {size} 9 9"))
            .unwrap()
            .scene()
            .layout;
        let mut names: Vec<_> = layout.spots.iter().map(|s| s.name.clone()).collect();
        let fields = gipf::Geometry::of(size).all_fields();
        let mut labels: Vec<_> = fields.map(|field| field.label(size)).collect();
        names.sort();
        labels.sort();
        assert_eq!(names, labels);
    }
}

#[test]
fn rows_that_cross_are_steps_of_their_own() {
    let position = "4 4 15 15 9 3 W W__B/_W___/__B___/B_____W/__BB__/_B_B_/B__B";
    let position = GIPF.parse(position).unwrap();
    let ways = position.ways();
    let mut rows: Vec<_> = ways
        .iter()
        .filter(|way| way.steps[0].label == "a5" && way.steps[1].label == "b5")
        .map(|way| &way.steps[2])
        .collect();
    rows.sort_by_key(|row| row.label.clone());
    assert_eq!(rows.len(), 2, "{rows:?}");
    for row in &rows {
        assert!(row.label.starts_with("b: ") && row.label.contains("e5"));
        assert_eq!(row.spots.len(), 4, "{row:?}");
    }
    assert_ne!(rows[0].row, rows[1].row);
}

#[test]
fn a_gipf_board_in_letters() {
    let position = GIPF.parse("3 3 12 12").unwrap();
    let text = text(&position.scene(), TextStyle::default());
    assert!(
        text.starts_with("       a4  b5  c6  d7\n     a3  W   .   B   e6\n"),
        "{text}"
    );
}

#[test]
fn a_reversi_board_in_letters() {
    let start = AnyPosition::start(REVERSI);
    let mut next = start.clone();
    next.play("d3").unwrap();
    let mut scene = start.scene_after("d3").unwrap();
    scene.marks.legal = next.first_steps();
    scene.marks.strokes.push(draw::Stroke {
        from: None,
        to: scene.layout.find("c3"),
        value: Some(Value {
            text: "+2".into(),
            tone: Tone::Win,
            best: true,
            exact: true,
        }),
    });
    let expected = "
   a   b   c   d   e   f   g   h
1  .   .   .   .   .   .   .   .   1
2  .   .   .   .   .   .   .   .   2
3  .   .  +2= [X]  +   .   .   .   3
4  .   .   .  (X)  X   .   .   .   4
5  .   .   +   X   O   .   .   .   5
6  .   .   .   .   .   .   .   .   6
7  .   .   .   .   .   .   .   .   7
8  .   .   .   .   .   .   .   .   8
   a   b   c   d   e   f   g   h
Black 4, White 1
";
    assert_eq!(text(&scene, TextStyle::default()), expected[1..]);
    let spot = scene.layout.find("c3").unwrap();
    assert_eq!(scene.describe(spot), "c3, empty, can be chosen, +2 exactly");
    scene.marks = Marks::default();
    assert!(text(&scene, TextStyle { colour: true }).contains("\x1b["));
}

#[test]
fn titles_and_values_are_escaped() {
    let mut scene = AnyPosition::start(REVERSI).scene();
    scene.marks.strokes.push(draw::Stroke {
        from: None,
        to: Some(0),
        value: Some(Value {
            text: "<b>".into(),
            ..Value::default()
        }),
    });
    let style = SvgStyle {
        title: "a < b & \"c\"".into(),
        ..SvgStyle::default()
    };
    let picture = svg(&scene, &style);
    assert!(picture.contains("a &lt; b &amp; &quot;c&quot;"));
    assert!(picture.contains("&lt;b&gt;") && !picture.contains("<b>"));
}

/// The value of an attribute in a tag.
fn attribute(tag: &str, name: &str) -> f64 {
    let rest = tag.split_once(&format!(" {name}=\"")).unwrap().1;
    rest.split('"').next().unwrap().parse().unwrap()
}

#[test]
fn labels_do_not_lie_over_each_other() {
    let positions = [
        AnyPosition::start(MMPAWNS),
        AnyPosition::random_start(MMPAWNS, 3),
        AnyPosition::parse(GIPF, "2 2 5 5").unwrap(),
        AnyPosition::parse(GIPF, "3 3 6 6").unwrap(),
        AnyPosition::start(GIPF),
        AnyPosition::start(REVERSI),
    ];
    for position in positions {
        let mut scene = position.scene();
        for mv in position.moves() {
            let mut stroke = position.stroke(&mv).unwrap();
            let ends = (stroke.from, stroke.to);
            if scene.marks.strokes.iter().any(|s| (s.from, s.to) == ends) {
                continue;
            }
            stroke.value = Some(draw::Value {
                text: "W≤12".into(),
                tone: draw::Tone::Plain,
                best: false,
                exact: true,
            });
            scene.marks.strokes.push(stroke);
        }
        let svg = draw::svg(&scene, &draw::SvgStyle::default());
        let tags = svg
            .split("<rect")
            .skip(1)
            .map(|rest| rest.split("/>").next().unwrap());
        let labels: Vec<[f64; 4]> = tags
            .filter(|tag| tag.contains(" rx=") && tag.contains(" stroke-width=\"1\""))
            .map(|tag| ["x", "y", "width", "height"].map(|name| attribute(tag, name)))
            .collect();
        assert_eq!(labels.len(), scene.marks.strokes.len(), "{position}");
        for (i, [x, y, w, h]) in labels.iter().enumerate() {
            for [a, b, c, d] in &labels[..i] {
                // Coordinates are rounded to tenths.
                let apart =
                    x + 0.2 > a + c || a + 0.2 > x + w || y + 0.2 > b + d || b + 0.2 > y + h;
                assert!(apart, "{position}: {x} {y} {w} {h} and {a} {b} {c} {d}");
            }
        }
    }
}
