//! The player against brute force, and what holds of every search.

mod node_counts;

use std::collections::HashMap;

use gipf_standard::{DrawLimit, Position, Rules, Setup};
use gipf_standard_engine::{Player, Proof, Prover, Weights};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Outcome, Side};
use search::{Distance, Limits, Score};

/// The value of a position by looking at everything: 1 if the side to move wins within so many
/// plies, -1 if it loses, 0 if neither is certain.
fn brute_force(position: &Position, plies: u32) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.sign_for(position.side_to_move());
    }
    if plies == 0 {
        return 0;
    }
    let values = position.moves().into_iter().map(|mv| {
        let mut next = *position;
        next.play_unchecked(mv);
        -brute_force(&next, plies - 1)
    });
    values.max().unwrap_or(-1)
}

/// A position near the end of a random game.
fn late(rng: &mut ChaCha8Rng, rules: Rules) -> Position {
    loop {
        let mut position = Position::start(rules).with_limit(DrawLimit::NEVER);
        let mut before = Vec::new();
        for _ in 0..300 {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            before.push(position);
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        let back = rng.random_range(1..4);
        if let Some(at) = before.len().checked_sub(back)
            && position.outcome().is_some()
        {
            return before[at];
        }
    }
}

#[test]
fn wins_that_brute_force_finds_are_found() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut player = Player::default();
    let mut decided = 0;
    for number in 0..60 {
        let position = late(&mut rng, Rules::ALL[number % 3]);
        let expected = brute_force(&position, 2);
        let report = player.search(&position, &Limits::default().with_depth(4));
        if expected != 0 {
            decided += 1;
            assert_eq!(report.score.sign(), Some(expected), "{position}");
        }
    }
    assert!(decided >= 15, "only {decided} of 60 positions are decided");
}

#[test]
fn the_last_gipf_piece_is_taken() {
    // White's push onto b2 makes a row at whose end lies Black's last GIPF-piece.
    let position: Position = "standard 6 6 W W___/_____/__b___/_wwwB__/______/__b__/_w__"
        .parse()
        .unwrap();
    let report = Player::default().search(&position, &Limits::default().with_depth(3));
    let best = report.best.unwrap();
    assert_eq!(position.move_text(best), "a1-b2;xb2,c3,d4,e5,Gf5*");
    assert_eq!(report.score, Score::Win(Distance::Exactly(1)));
    let mut next = position;
    next.play(best).unwrap();
    assert_eq!(next.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn every_line_can_be_played() {
    for rules in Rules::ALL {
        let mut position = Position::start(rules);
        let report = Player::default().search(&position, &Limits::default().with_nodes(20_000));
        assert_eq!(report.line.first(), report.best.as_ref());
        for mv in report.line {
            position.play(mv).unwrap();
        }
    }
}

#[test]
fn limits_are_kept() {
    let position = Position::start(Rules::Standard);
    let mut player = Player::default();
    for nodes in [0, 1, 50, 3_000] {
        let report = player.search(&position, &Limits::default().with_nodes(nodes));
        assert!(report.nodes <= nodes && report.best.is_some());
    }
    let report = player.search(&position, &Limits::default().with_depth(3));
    assert_eq!(report.depth, 3);
    let over: Position = "standard 3 3 B W___/_____/______/_______/______/_____/____"
        .parse()
        .unwrap();
    let report = player.search(&over, &Limits::default());
    assert_eq!(report.best, None);
    assert_eq!(report.score, Score::Loss(Distance::Exactly(0)));
}

/// Who wins a game that is drawn soon: by looking at everything. `None` if that is too much.
fn winner(position: &Position, known: &mut HashMap<Position, Outcome>) -> Option<Outcome> {
    let decided = position.outcome().or_else(|| known.get(position).copied());
    if decided.is_some() || known.len() > 5_000 {
        return decided;
    }
    let side = position.side_to_move();
    let mut best = Outcome::Win(!side);
    for mv in position.moves() {
        let mut next = *position;
        next.play_unchecked(mv);
        let outcome = winner(&next, known)?;
        if outcome.sign_for(side) > best.sign_for(side) {
            best = outcome;
        }
        if best == Outcome::Win(side) {
            break;
        }
    }
    known.insert(*position, best);
    Some(best)
}

#[test]
fn proofs_agree_with_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let limits = Limits::default().with_nodes(50_000);
    let mut counts = [0; 3];
    for number in 0..90 {
        // Drawn after two plies without a capture, so that everything can be looked at.
        let setup = Setup {
            limit: DrawLimit::new(2),
            ..late(&mut rng, Rules::ALL[number % 3]).setup()
        };
        let position = Position::try_from(setup).unwrap();
        let Some(expected) = winner(&position, &mut HashMap::new()) else {
            continue;
        };
        for attacker in Side::BOTH {
            let mut prover = Prover::new(1 << 20);
            let proof = prover.prove(&position, attacker, &Weights::default(), &limits);
            let proof = proof.unwrap_or_else(|| panic!("{position}: nothing is proved"));
            let wins = expected == Outcome::Win(attacker);
            assert_eq!(matches!(proof, Proof::Win(_)), wins, "{position}");
            if let Proof::Win(Some(mv)) = proof {
                let mut next = position;
                next.play(mv).unwrap();
                let winner = winner(&next, &mut HashMap::new());
                assert_eq!(winner, Some(expected), "{position}");
            }
        }
        let report = Player::default().search(&position, &Limits::default().with_depth(4));
        if let Some(sign) = report.score.sign() {
            let expected = expected.sign_for(position.side_to_move());
            assert_eq!(sign, expected, "{position}");
        }
        counts[match expected {
            Outcome::Win(side) => side.index(),
            Outcome::Draw => 2,
        }] += 1;
    }
    assert!(counts.iter().all(|&count| count >= 4), "{counts:?}");
}

/// Node counts are held: whoever changes the search changes them on purpose.
#[test]
fn node_counts_are_held() {
    let counts = Rules::ALL.map(|rules| {
        let limits = Limits::default().with_depth(6);
        let report = Player::default().search(&Position::start(rules), &limits);
        assert_eq!(report.depth, 6);
        report.nodes
    });
    assert_eq!(counts, [10_838, 14_218, 63_120]);
}

/// Before its first piece a side has no GIPF-piece on the board, and is not lost by that.
#[test]
fn nobody_is_lost_before_the_first_piece() {
    let mut position = Position::start(Rules::Tournament);
    for text in ["", "Gi2-h3"] {
        if let Ok(mv) = position.parse_move(text) {
            position.play_unchecked(mv);
        }
        for depth in 1..=3 {
            let limits = Limits::default().with_depth(depth);
            let score = Player::default().search(&position, &limits).score;
            assert!(score.value().abs() < 1000, "{position} {depth}: {score}");
        }
    }
}
