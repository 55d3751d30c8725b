//! What a review says is what plain search says.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use games::{AnyPosition, GameName, Resources, Room, Value};
use referee::{GameRecord, GameSetup, play_game};
use review::{
    Action, Budget, Conversion, Kind, Knowledge, Played, Review, Reviewed, Statement, Suite,
    review, stated,
};
use rules::{Outcome, Side};
use search::{HeldTime, Time};

/// A game between weak players.
pub(crate) fn record(start: AnyPosition, players: [&str; 2], seed: u64) -> GameRecord {
    let players = players.map(|name| name.parse().unwrap());
    let mut setup = GameSetup::new(start, players);
    setup.seed = seed;
    setup.longest = 120;
    play_game(&setup, &mut |_| (), &Arc::default()).unwrap()
}

/// A budget on a clock that goes on by a step at every reading, however slow the machine is. With
/// one thread a review always gets equally far: of two, one uses up the readings of the other.
pub(crate) fn budget(per_position: u64) -> Budget {
    Budget {
        per_position: Some(Duration::from_millis(per_position)),
        gives_way: false,
        room: Room {
            threads: 1,
            memory: 8 << 20,
        },
        source: Time::held(&HeldTime::new(Duration::from_micros(100))),
        ..Budget::default().with_time(Duration::from_secs(3600))
    }
}

fn played(game: GameName, seed: u64) -> (Played, Option<Outcome>) {
    let players = [["random", "greedy"], ["greedy", "random"]][seed as usize % 2];
    let record = record(AnyPosition::random_start(game, seed), players, seed);
    let outcome = record.score.outcome();
    (Played::from_record(&record).unwrap(), outcome)
}

fn reviewed(played: &Played, knowledge: &Knowledge) -> Review {
    review(played, knowledge, &Resources::default(), &budget(1))
}

/// Final differences by plain search, for positions with few moves left.
fn difference(position: &AnyPosition, mut alpha: i32, beta: i32) -> i32 {
    if let Some(score) = position.final_score() {
        return score.value() / search::Score::UNIT;
    }
    for mv in position.moves() {
        let mut next = position.clone();
        next.play(&mv).unwrap();
        alpha = alpha.max(-difference(&next, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

#[test]
fn mistakes_are_those_of_plain_search() {
    let (mut compared, mut mistakes) = (0, 0);
    for seed in 0..4 {
        let (played, _) = played(games::REVERSI, seed);
        let review = reviewed(&played, &Knowledge::default());
        assert!(review.coverage.proven >= 8, "{}", review.coverage);
        let found = |number: u32| review.mistakes.iter().find(|found| found.turn == number);
        let late = played.turns.len().saturating_sub(6);
        for turn in &played.turns[late..] {
            let Some(after) = &turn.after else { continue };
            let best = difference(&turn.before, -64, 64);
            let worth = -difference(after, -64, 64);
            compared += 1;
            let mistake = found(turn.number);
            assert_eq!(mistake.is_some(), worth < best, "turn {}", turn.number);
            let Some(mistake) = mistake else { continue };
            mistakes += 1;
            assert_eq!(mistake.best.margin, Some(best));
            assert_eq!(mistake.worth.margin, Some(worth));
            let keeps = |mv: &str| {
                let mut next = turn.before.clone();
                next.play(mv).unwrap();
                let worth = -difference(&next, -64, 64);
                match mistake.kind {
                    Kind::Margin(lost) => {
                        assert_eq!(lost as i32, best - mistake.worth.margin.unwrap());
                        worth == best
                    }
                    _ => worth.signum() == best.signum(),
                }
            };
            let expected: Vec<String> = turn
                .before
                .moves()
                .into_iter()
                .filter(|mv| keeps(mv))
                .collect();
            let mut kept: Vec<String> = mistake.kept.iter().map(|kept| kept.mv.clone()).collect();
            kept.sort_by_key(|mv| expected.iter().position(|one| one == mv));
            assert_eq!(kept, expected, "turn {}", turn.number);
            assert!(mistake.open.is_empty());
            // The refutation is best play to the end.
            let mut at = after.clone();
            for mv in &mistake.refutation {
                at.play(mv).unwrap();
            }
            let over = at.final_score().expect("a line to the end");
            let sign = if at.side_to_move() == turn.side {
                1
            } else {
                -1
            };
            assert_eq!(sign * over.value() / search::Score::UNIT, worth);
        }
    }
    assert!(compared > 20 && mistakes > 2, "{compared}, {mistakes}");
}

#[test]
fn neighbours_never_contradict_each_other() {
    for game in GameName::all() {
        let mut compared = 0;
        for seed in 0..2 {
            let (played, _) = played(game, seed);
            let nothing = Knowledge::default();
            let budget = budget(1).with_threads(2);
            let review = review(&played, &nothing, &Resources::default(), &budget);
            let proven = review
                .turns
                .iter()
                .filter(|turn| turn.statement.proof().is_some());
            assert_eq!(proven.count(), review.coverage.proven);
            for (judged, turn) in review.turns.iter().zip(&played.turns) {
                let Action::Move(_) = turn.action else {
                    continue;
                };
                if let (Some(best), Some(worth)) = (judged.statement.proof(), judged.worth) {
                    assert!(worth.value <= best.value, "{game}: {}", judged.position);
                    compared += 1;
                }
                if let Statement::Estimate { .. } = judged.statement {
                    assert!(
                        review
                            .mistakes
                            .iter()
                            .all(|found| found.turn != judged.turn)
                    );
                }
            }
        }
        assert!(compared > 0, "{game}: {compared}");
    }
}

#[test]
fn what_was_proven_is_known_later() {
    let (played, _) = played(games::REVERSI, 3);
    let first = Knowledge::default();
    let review = reviewed(&played, &first);
    let kept = first.take_news();
    assert!(kept.len() >= review.coverage.proven && first.take_news().is_empty());
    let later = stated(&played, &Knowledge::new(kept));
    assert_eq!(later.mistakes, review.mistakes);
    assert_eq!(later.coverage, review.coverage);
    let json = serde_json::to_string(&review).unwrap();
    let again: Review = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), json);
}

#[test]
fn a_stopped_review_says_what_is_known() {
    let (played, _) = played(games::REVERSI, 3);
    let budget = budget(1);
    budget.stop.store(true, Ordering::Relaxed);
    let known = Knowledge::default();
    let review = review(&played, &known, &Resources::default(), &budget);
    assert_eq!((review.coverage.proven, known.len()), (0, 0));
    assert_eq!(review.summary, "Nothing could be proven yet.");
    assert_eq!(review.time.0, Duration::ZERO);
}

#[test]
fn games_are_summed_up_by_player() {
    let games: Vec<(Side, Option<Outcome>, Review)> = (0..4)
        .map(|seed| {
            let (played, outcome) = played(games::REVERSI, seed);
            let side = if seed % 2 == 0 {
                Side::First
            } else {
                Side::Second
            };
            (side, outcome, reviewed(&played, &Knowledge::default()))
        })
        .collect();
    let list: Vec<Reviewed<'_>> = games
        .iter()
        .map(|(side, outcome, review)| Reviewed {
            id: "cup.1.1.1",
            side: *side,
            outcome: *outcome,
            review,
        })
        .collect();
    let sum = Conversion::new("random", &list);
    assert_eq!(sum.games, 4);
    let proven_won = |(side, _, review): &&(Side, Option<Outcome>, Review)| {
        review.turns.iter().any(|turn| {
            let own = Side::from(turn.side) == *side;
            let value = turn.statement.proof().map(|proof| proof.value);
            let after = turn.worth.map(|worth| worth.value);
            let won = if own { Value::Win } else { Value::Loss };
            value == Some(won) || after == Some(won)
        })
    };
    assert_eq!(sum.won, games.iter().filter(proven_won).count());
    let converted = games.iter().filter(proven_won);
    let converted = converted.filter(|(side, outcome, _)| *outcome == Some(Outcome::Win(*side)));
    assert_eq!(sum.converted, converted.count());
    assert!(sum.costliest.len() <= 10 && !sum.costliest.is_empty());
    let mistakes = games
        .iter()
        .flat_map(|(_, _, review)| review.real_mistakes());
    let suite = Suite::new(
        games::REVERSI,
        mistakes.map(|mistake| ("cup.1.1.1", mistake)),
    );
    assert!(!suite.cases.is_empty());
    assert_eq!(suite.to_string().parse(), Ok(suite));
}
