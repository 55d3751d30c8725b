//! Lessons are positions that can be solved, and that can be got wrong.

use games::{AnyPosition, GameName, Goal, Lesson};

/// All legal moves of a lesson: those that solve it, and those that do not.
fn sorted(game: GameName, lesson: &Lesson) -> (Vec<String>, Vec<String>) {
    let position = AnyPosition::parse(game, lesson.position)
        .unwrap_or_else(|error| panic!("{game}, {}: {error}", lesson.title));
    let solves = |mv: &String| {
        let mut after = position.clone();
        let written = after.play(mv).unwrap();
        assert_eq!(written, *mv, "the form in which the game writes it");
        lesson.is_solved_by(mv, &after)
    };
    position.moves().into_iter().partition(solves)
}

#[test]
fn every_lesson_can_be_solved_and_says_what_is_wrong() {
    for game in games::BUILT_IN {
        let lessons = game.about().lessons;
        assert_eq!(lessons.len(), 10, "{game}");
        for lesson in lessons {
            let name = format!("{game}, {}", lesson.title);
            let (right, wrong) = sorted(game, lesson);
            assert!(!right.is_empty(), "{name}: nothing solves it");
            // Whatever can go wrong has its reason, and nothing else has one.
            assert_eq!(
                wrong.is_empty(),
                lesson.wrong.is_empty(),
                "{name}: {wrong:?}"
            );
            assert!(
                lesson.text.ends_with('.') && lesson.right.ends_with('.'),
                "{name}"
            );
            if let Goal::Moves(moves) | Goal::AllBut(moves) = lesson.goal {
                let (position, all) = (lesson.position, right.len() + wrong.len());
                let known: Vec<_> = right.iter().chain(&wrong).collect();
                for mv in moves {
                    assert!(
                        known.iter().any(|k| k == mv),
                        "{name}: {mv} of {all} in {position}"
                    );
                }
            }
        }
    }
}
