use gipf::Position;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side};

use super::cells::{Node, attacks, defends};
use super::*;
use crate::solve::boards::{Boards, Small};
use crate::solve::closure::Closures;
use crate::tables::index::Portable;

/// A position of random play in which the game goes on.
fn random_position(variant: &str, rng: &mut ChaCha8Rng) -> Position {
    loop {
        let mut position = Position::start(variant.parse().unwrap());
        for _ in 0..rng.random_range(0..60) {
            let moves = position.moves();
            if position.outcome().is_some() || moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Whether the player to move wins, or the opponent, or neither.
fn finish(defence: &mut impl Defence, slice: u64) -> Option<bool> {
    loop {
        match defence.run(&Limits::default(), slice) {
            [Progress::Wins, _] => return Some(true),
            [_, Progress::Wins] => return Some(false),
            [Progress::Fails, Progress::Fails] => return None,
            [Progress::Full, _] | [_, Progress::Full] => panic!("no memory"),
            _ => {}
        }
    }
}

#[test]
fn agrees_with_the_closure() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut counts = [0; 3];
    for (variant, positions) in [
        ("2 2 4 4", 60),
        ("2 2 6 5", 60),
        ("2 3 5 5", 20),
        ("3 3 4 5", 20),
        ("3 3 5 4", 20),
        ("3 4 5 5", 40),
        ("3 5 5 5", 20),
    ] {
        for _ in 0..positions {
            let position = random_position(variant, &mut rng);
            let (boards, board) = Small::new(&position).unwrap();
            let slice = rng.random_range(1..200);
            let found = finish(&mut boards.defence(&board, 1 << 28), slice);
            let mut closures = Closures::new(&boards, &board, 1 << 28);
            assert_eq!(found, finish(&mut closures, slice), "{position}");
            counts[found.map_or(2, usize::from)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}

/// The search with so much caution, to its end.
fn run_with(caution: i32, position: &Position) -> (Hold, [Progress; 2]) {
    let (boards, board) = Small::new(position).unwrap();
    let Holds { board, root, .. } = boards.defence(&board, 1 << 28);
    let mut hold = Hold::new(board, caution, root, 1 << 28);
    let progress = hold.run(&Limits::default(), u64::MAX);
    (hold, progress)
}

#[test]
fn what_is_held_with_caution_is_held() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut counts = [0; 2];
    for (variant, positions) in [("3 3 4 5", 10), ("3 3 5 4", 10), ("3 3 5 5", 12)] {
        for _ in 0..positions {
            let position = random_position(variant, &mut rng);
            let caution = rng.random_range(50..400);
            let held = run_with(caution, &position).1 == [Progress::Fails; 2];
            let (boards, board) = Small::new(&position).unwrap();
            let mut closures = Closures::new(&boards, &board, 1 << 28);
            let tie = finish(&mut closures, u64::MAX).is_none();
            assert!(!held || tie, "{position} {caution}");
            counts[usize::from(held)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 2), "{counts:?}");
}

/// Everything that a defender's cell claims, looked up move by move.
fn check_ways(hold: &mut Hold) -> usize {
    let mut checked = 0;
    for tier in 0..hold.places.tiers.len() as u16 {
        let numbers = match hold.places.tiers[usize::from(tier)].attacking {
            true => 0,
            false => hold.places.tiers[usize::from(tier)].layout.size as u32,
        };
        for number in 0..numbers {
            let node = Node { tier, number };
            let cell = hold.places.get(node);
            if cell == 0 || cell & defends::WAYS == defends::LOST {
                continue;
            }
            let stones = hold.places.stones::<Portable>(node);
            if !hold.places.index.views.is_free(stones.other) {
                // Taking moves back leads to boards with rows, which nobody comes to.
                assert_eq!(cell & !defends::WAYS, 0, "{stones:?}");
                continue;
            }
            let mut list = Vec::new();
            hold.places.index.shape().successors(stones, &mut list);
            list.retain(|next| !next.collected);
            let held = list.iter().filter(|next| {
                let to = hold.places.after::<Portable>(tier, next);
                hold.places.get(to) == attacks::HELD
            });
            let held = held.count();
            let ways = usize::from(cell & defends::WAYS);
            assert!(ways <= held, "{stones:?} has {held} ways, not {ways}");
            assert_eq!(ways > 0, held > 0, "{stones:?}");
            // Once nothing is left to do, everybody who is needed has a way.
            if cell & defends::NEEDED != 0 {
                assert!(cell & !defends::NEEDED != 0, "{stones:?} has no way");
            }
            checked += 1;
        }
    }
    checked
}

/// That the attacker cannot get out of the set, move by move.
fn check_set(hold: &mut Hold) -> usize {
    let mut checked = 0;
    for tier in 0..hold.places.tiers.len() as u16 {
        let numbers = match hold.places.tiers[usize::from(tier)].attacking {
            true => hold.places.tiers[usize::from(tier)].layout.size as u32,
            false => 0,
        };
        for number in 0..numbers {
            let node = Node { tier, number };
            let stones = hold.places.stones::<Portable>(node);
            if hold.places.get(node) != attacks::HELD || hold.places.is_over(tier, stones) {
                continue;
            }
            let mut list = Vec::new();
            hold.places.index.shape().successors(stones, &mut list);
            for next in &list {
                let to = hold.places.after::<Portable>(tier, next);
                assert!(
                    !hold.places.is_over(to.tier, next.stones),
                    "{stones:?} wins"
                );
                check_answer(hold, to, next.stones);
            }
            checked += 1;
        }
    }
    checked
}

/// That the defender wins or can come back to the set.
fn check_answer(hold: &mut Hold, node: Node, stones: Stones) {
    let mut list = Vec::new();
    hold.places.index.shape().successors(stones, &mut list);
    let wins = list.iter().any(|next| {
        let to = hold.places.after::<Portable>(node.tier, next);
        hold.places.is_over(to.tier, next.stones)
    });
    if wins {
        return;
    }
    assert_ne!(hold.places.get(node) & defends::NEEDED, 0, "{stones:?}");
    let answer = list.iter().find(|next| {
        let to = hold.places.after::<Portable>(node.tier, next);
        is_held(hold, to.tier, next.stones)
    });
    assert!(answer.is_some(), "{stones:?} has no answer");
}

/// Whether the set has the position, or one that differs in fewer stones of the defender in
/// reserve or more of the attacker.
fn is_held(hold: &Hold, tier: u16, stones: Stones) -> bool {
    let wanted = hold.places.tiers[usize::from(tier)].layout.tier;
    (0..hold.places.tiers.len() as u16).any(|tier| {
        let cells = &hold.places.tiers[usize::from(tier)];
        let has = cells.layout.tier;
        let on_board = u32::from(has.other) >= stones.other.count_ones();
        let worse = has.own >= wanted.own && has.other <= wanted.other;
        cells.attacking && on_board && worse && {
            let number = hold.places.index.number::<Portable>(&cells.layout, stones);
            hold.places.get(Node { tier, number }) == attacks::HELD
        }
    })
}

/// The position with one stone more in the reserve of a side.
fn with_one_more(position: &Position, side: usize) -> Position {
    let text = position.to_string();
    let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for field in [2 + side, 4 + side] {
        let number: u32 = fields[field].parse().unwrap();
        fields[field] = (number + 1).to_string();
    }
    fields.join(" ").parse().unwrap()
}

#[test]
fn a_stone_in_reserve_never_harms() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let (mut better, mut pairs) = (0, 0);
    for (variant, positions) in [("2 2 4 4", 60), ("3 3 4 4", 10), ("3 4 4 4", 30)] {
        for _ in 0..positions {
            let position = random_position(variant, &mut rng);
            let worth = |position: &Position, side: Side| {
                let (boards, board) = Small::new(position).unwrap();
                let mut closures = Closures::new(&boards, &board, 1 << 28);
                let mover_wins = finish(&mut closures, u64::MAX);
                match mover_wins.map(|wins| wins == (position.side_to_move() == side)) {
                    Some(true) => 1,
                    Some(false) => -1,
                    None => 0,
                }
            };
            for (side, which) in Side::BOTH.into_iter().zip(0..) {
                let more = with_one_more(&position, which);
                let (before, after) = (worth(&position, side), worth(&more, side));
                assert!(before <= after, "{position} {more}");
                better += usize::from(before < after);
                pairs += 1;
            }
        }
    }
    assert!(better > 10 && better < pairs, "{better} of {pairs}");
}

#[test]
fn sets_hold() {
    // Symmetric positions of few stones are those that many views lead to.
    for (variant, caution) in [
        ("2 2 5 5", BOLD),
        ("2 2 8 8", BOLD),
        ("2 2 9 4", BOLD),
        ("3 3 5 5", CAUTION),
    ] {
        let (mut hold, progress) = run_with(caution, &variant.parse().unwrap());
        assert_eq!(progress, [Progress::Fails; 2], "{variant}");
        assert!(check_ways(&mut hold) > 5, "{variant}");
        assert!(check_set(&mut hold) > 5, "{variant}");
        assert!(
            hold.roots.iter().all(|&root| hold.places.get(root) != 0),
            "{variant}"
        );
    }
}

#[test]
fn stays_within_its_memory() {
    let position: Position = "3 3 8 8".parse().unwrap();
    let (boards, board) = Small::new(&position).unwrap();
    let mut holds = boards.defence(&board, 8 << 20);
    let progress = holds.run(&Limits::default(), u64::MAX);
    let hold = holds.hold;
    assert_eq!(progress, [Progress::Full; 2]);
    // One step more may have been taken than there was room for.
    assert!(hold.bytes() < 16 << 20, "{}", hold.bytes());
}
