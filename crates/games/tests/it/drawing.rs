//! Every position of random games can be drawn, and every move be pointed at.

use std::collections::BTreeSet;

use draw::{Kind, Marks, SvgStyle, TextStyle, Tone, Value, svg, text};
use games::{AnyPosition, GIPF, GIPF_STANDARD, MMPAWNS, REVERSI};

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
    let (ways, moves) = (position.ways(), position.moves());
    let entered: BTreeSet<&String> = ways.iter().map(|way| &way.mv).collect();
    assert_eq!(entered, moves.iter().collect(), "{position}");
    for mv in moves {
        let after = position.scene_after(&mv).unwrap();
        let trace = after.marks.last.as_ref().unwrap();
        for &(spot, _) in &trace.taken {
            // What goes before the push may make room for what is pushed.
            let before = scene.pieces[spot].is_some() && position.game() == GIPF_STANDARD;
            assert!(
                before || after.pieces[spot].is_none(),
                "{mv:?} in {position}"
            );
        }
        let mover = position.side_to_move();
        for &spot in &trace.turned {
            assert_eq!(scene.pieces[spot], Some((!mover).into()));
            assert_eq!(after.pieces[spot], Some(mover.into()));
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
        for step in &way.steps {
            assert!(!step.label.is_empty());
            assert!(step.row.is_none() || step.spots.len() > 1);
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
fn published_gipf_can_be_drawn() {
    for (seed, rules) in [(1, "basic"), (2, "standard"), (3, "tournament")] {
        walk(GIPF_STANDARD.parse(rules).unwrap(), seed, check_position);
    }
    for text in [
        "standard 3 5 W B___/___w_/___w__/_wwWw__/__w___/_____/___W",
        "tournament 8+ 14+ W W___/_W___/__W___/___W___/______/_____/__BB",
        "standard 3 5 W W___/_____/______/_WwwwB_/______/_____/____",
    ] {
        check_position(&GIPF_STANDARD.parse(text).unwrap());
    }
}

/// Follows the labels; says what can be chosen after them.
#[track_caller]
fn check_steps(text: &str, picks: &[&str], next: &[&str], how: &str) {
    let position = GIPF_STANDARD.parse(text).unwrap();
    let ways = position.ways();
    let chosen = |way: &&draw::Way<String>| {
        let labels = way.steps.iter().map(|step| step.label.as_str());
        labels.take(picks.len()).eq(picks.iter().copied())
    };
    let mut labels: Vec<&str> = ways
        .iter()
        .filter(chosen)
        .filter_map(|way| way.steps.get(picks.len()))
        .map(|step| step.label.as_str())
        .collect();
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels, next, "{text} {picks:?}");
    let picks: Vec<String> = picks.iter().map(ToString::to_string).collect();
    assert_eq!(position.how(&picks), how);
    assert!(position.underway(&picks).is_some());
}

#[test]
fn rows_and_kept_pieces_are_entered_before_and_after_the_push() {
    let crossing = "standard 3 5 W B___/___w_/___w__/_wwWw__/__w___/_____/___W";
    let (first, second) = ("row c3 f5", "row e7 e4");
    check_steps(
        crossing,
        &[],
        &[first, second],
        "Choose the row to take off first.",
    );
    check_steps(
        crossing,
        &[first],
        &["keep e5", "take e5"],
        "Does the GIPF-piece on e5 stay? Choose it to keep it.",
    );
    // A kept piece at the crossing keeps the other row alive, and is asked about again.
    check_steps(
        crossing,
        &[first, "keep e5"],
        &["keep e5", "take e5"],
        "Does the GIPF-piece on e5 stay? Choose it to keep it.",
    );
    check_steps(
        crossing,
        &[first, "take e5", "e1"],
        &["e2"],
        "From e1: choose the point to push the piece to.",
    );
    check_steps(
        "tournament 16+ 16+ W ___B/_____/______/_______/______/_____/W___",
        &["d1", "d2"],
        &["GIPF-piece", "single piece"],
        "Which piece is pushed to d2?",
    );
    // A row that the push makes.
    check_steps(
        "standard 3 5 W W___/_____/______/_WwwB__/______/_____/___B",
        &["a1", "b2"],
        &["keep c3", "take c3"],
        "Does the GIPF-piece on c3 stay? Choose it to keep it.",
    );
    check_steps(
        "standard 3 5 W W___/_____/______/_WwwwB_/______/_____/___B",
        &["keep c3"],
        &["keep g5", "take g5"],
        "Does the GIPF-piece on g5 stay? Choose it to keep it.",
    );
}

/// The board shows what has come off and what has been pushed in.
#[test]
fn the_board_in_the_middle_of_a_move() {
    let position = "standard 3 5 W W___/_____/______/_WwwwB_/______/_____/___B";
    let position = GIPF_STANDARD.parse(position).unwrap();
    let picks = ["keep c3", "take g5"].map(String::from);
    let scene = position.underway(&picks).unwrap();
    let on = |name: &str| scene.pieces[scene.layout.find(name).unwrap()];
    assert!(on("c3").is_some_and(|piece| piece.stacked));
    assert!(on("d4").is_none() && on("g5").is_none());
    let lines = text(&scene, TextStyle::default());
    assert!(
        lines.contains("a1  .   W   .   .   .   .   .   i5"),
        "{lines}"
    );
    assert!(
        lines.contains(
            "\nCapitals are stacked pieces\nStandard game. In reserve: White 6, Black 5\n"
        ),
        "{lines}"
    );
    let picture = svg(&scene, &SvgStyle::default());
    assert_eq!(picture.matches("class=\"under").count(), 3);
    let spot = scene.layout.find("c3").unwrap();
    assert_eq!(scene.describe(spot), "c3, white, stacked");
}

/// The notes beside the board in the middle of a move.
#[track_caller]
fn check_notes(text: &str, picks: &[&str], notes: &[&str]) {
    let position = GIPF_STANDARD.parse(text).unwrap();
    let picks: Vec<String> = picks.iter().map(ToString::to_string).collect();
    assert_eq!(position.underway(&picks).unwrap().notes, notes);
}

#[test]
fn a_ply_is_counted_when_it_has_been_made() {
    let start = [
        "Tournament game. In reserve: White 18 (a GIPF-piece first), Black 18 (a GIPF-piece first)",
    ];
    check_notes("tournament", &[], &start);
    check_notes("tournament", &["e1"], &start);
    check_notes(
        "standard 9 9 W 99/100 W__B/_____/______/B_____W/______/_____/W__B",
        &["e1"],
        &[
            "Standard game. In reserve: White 9, Black 9",
            "Captured: White's 3, Black's 3",
            "Plies without a capture: 99; drawn after 100",
        ],
    );
    // A capture in the middle of a move begins the count anew.
    check_notes(
        "standard 3 5 W 98/100 W___/_____/______/_WwwwB_/______/_____/___B",
        &["keep c3", "take g5"],
        &[
            "Standard game. In reserve: White 6, Black 5",
            "Captured: White's 8, Black's 11",
        ],
    );
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

/// Where rows cross, it matters which piece lies there.
#[test]
fn rows_lie_beneath_their_pieces() {
    let position = "standard 3 5 W B___/___w_/___w__/_wwWw__/__w___/_____/___W";
    let position = GIPF_STANDARD.parse(position).unwrap();
    let mut scene = position.scene();
    let ways = position.ways();
    scene.marks.rows = ways.iter().filter_map(|way| way.steps[0].row).collect();
    let picture = svg(&scene, &SvgStyle::default());
    let last_row = picture.rfind("class=\"row\"").unwrap();
    let first_piece = picture.find("class=\"piece").unwrap();
    assert!(last_row < first_piece, "{picture}");
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
        AnyPosition::start(GIPF_STANDARD),
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
