use gipf::Position;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side};

use super::cells::{Node, defender};
use super::*;
use crate::solve::fixed_point::hashed::HashedProver;
use crate::solve::rules::Small;
use crate::tables::index::Portable;

/// The rules of a position's variant, and what the prover needs.
fn prepare(position: &Position) -> (Small, Knowledge, SmallBoard) {
    let rules = Small::new(position.variant());
    let knowledge = Knowledge {
        model: Arc::new(DefenderModel::new(rules.shape())),
        index: Arc::new(Index::new(Arc::clone(&rules.views))),
    };
    (rules, knowledge, SmallBoard::new(position).unwrap())
}

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
fn finish(prover: &mut impl FixedPointProver, slice: u64) -> Option<bool> {
    loop {
        match prover.run(&Limits::default(), slice) {
            [Progress::Wins, _] => return Some(true),
            [_, Progress::Wins] => return Some(false),
            [Progress::Fails, Progress::Fails] => return None,
            [Progress::Full, _] | [_, Progress::Full] => panic!("no memory"),
            _ => {}
        }
    }
}

#[test]
fn agrees_with_the_hashed_prover() {
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
            let (rules, knowledge, root) = prepare(&position);
            let slice = rng.random_range(1..200);
            let mut indexed = IndexedProver::new(knowledge, root, 1 << 28);
            let found = finish(&mut indexed, slice);
            let mut hashed = HashedProver::new(&rules, &root, 1 << 28);
            assert_eq!(found, finish(&mut hashed, slice), "{position}");
            counts[found.map_or(2, usize::from)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}

/// The search with this risk limit, to its end.
fn run_with(risk_limit: i32, position: &Position) -> (SafeSet, [Progress; 2]) {
    let (_, knowledge, root) = prepare(position);
    let (mut set, nodes) = IndexedProver::begin(&knowledge, risk_limit, root, 1 << 28);
    let progress = set.run(nodes, &Limits::default(), u64::MAX);
    (set, progress)
}

#[test]
fn a_set_under_a_risk_limit_is_safe() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut counts = [0; 2];
    for (variant, positions) in [("3 3 4 5", 10), ("3 3 5 4", 10), ("3 3 5 5", 12)] {
        for _ in 0..positions {
            let position = random_position(variant, &mut rng);
            let risk_limit = rng.random_range(50..400);
            let safe = run_with(risk_limit, &position).1 == [Progress::Fails; 2];
            let (rules, _, root) = prepare(&position);
            let mut hashed = HashedProver::new(&rules, &root, 1 << 28);
            let tie = finish(&mut hashed, u64::MAX).is_none();
            assert!(!safe || tie, "{position} {risk_limit}");
            counts[usize::from(safe)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 2), "{counts:?}");
}

/// Everything that a defender's cell claims, looked up move by move.
fn check_support(set: &mut SafeSet) -> usize {
    let mut checked = 0;
    for tier in 0..set.positions.tiers.len() as u16 {
        let size = match set.positions.tiers[usize::from(tier)].attacking {
            true => 0,
            false => set.positions.layout.size as u32,
        };
        for index in 0..size {
            let node = Node { tier, index };
            let cell = set.positions.get(node);
            if cell == 0 || cell & defender::SUPPORT == defender::REFUTED {
                continue;
            }
            let stones = set.positions.stones::<Portable>(node);
            if !set.positions.index.views.is_free(stones.other) {
                // Taking moves back leads to boards with rows, which cannot arise.
                assert_eq!(cell & !defender::SUPPORT, 0, "{stones:?}");
                continue;
            }
            let mut list = Vec::new();
            set.positions.index.shape().successors(stones, &mut list);
            list.retain(|next| !next.collected);
            let safe = list.iter().filter(|next| {
                let to = set.positions.after::<Portable>(tier, next);
                set.positions.is_safe(to)
            });
            let safe = safe.count();
            let support = usize::from(cell & defender::SUPPORT);
            assert!(
                support <= safe,
                "{stones:?} has {safe} replies, not {support}"
            );
            assert_eq!(support > 0, safe > 0, "{stones:?}");
            // Once no work is left, every needed position has a reply.
            if cell & defender::NEEDED != 0 {
                assert!(cell & !defender::NEEDED != 0, "{stones:?} has no reply");
            }
            checked += 1;
        }
    }
    checked
}

/// That the attacker cannot get out of the set, move by move.
fn check_set(set: &mut SafeSet) -> usize {
    let mut checked = 0;
    for tier in 0..set.positions.tiers.len() as u16 {
        let size = match set.positions.tiers[usize::from(tier)].attacking {
            true => set.positions.layout.size as u32,
            false => 0,
        };
        for index in 0..size {
            let node = Node { tier, index };
            let stones = set.positions.stones::<Portable>(node);
            if !set.positions.is_safe(node) || set.positions.is_over(tier, stones) {
                continue;
            }
            let mut list = Vec::new();
            set.positions.index.shape().successors(stones, &mut list);
            for next in &list {
                let to = set.positions.after::<Portable>(tier, next);
                assert!(
                    !set.positions.is_over(to.tier, next.stones),
                    "{stones:?} wins"
                );
                check_reply(set, to, next.stones);
            }
            checked += 1;
        }
    }
    checked
}

/// That the defender wins or has a reply into the set.
fn check_reply(set: &mut SafeSet, node: Node, stones: Stones) {
    let mut list = Vec::new();
    set.positions.index.shape().successors(stones, &mut list);
    let wins = list.iter().any(|next| {
        let to = set.positions.after::<Portable>(node.tier, next);
        set.positions.is_over(to.tier, next.stones)
    });
    if wins {
        return;
    }
    assert_ne!(set.positions.get(node) & defender::NEEDED, 0, "{stones:?}");
    let reply = list.iter().find(|next| {
        let to = set.positions.after::<Portable>(node.tier, next);
        is_safe(set, to.tier, next.stones)
    });
    assert!(reply.is_some(), "{stones:?} has no reply");
}

/// Whether the position dominates one of the set.
fn is_safe(set: &SafeSet, tier: u16, stones: Stones) -> bool {
    let wanted = set.positions.tiers[usize::from(tier)].tier;
    (0..set.positions.tiers.len() as u16).any(|tier| {
        let cells = &set.positions.tiers[usize::from(tier)];
        let has = cells.tier;
        let on_board = u32::from(has.other) >= stones.other.count_ones();
        let dominated = has.own >= wanted.own && has.other <= wanted.other;
        cells.attacking && on_board && dominated && {
            let node = set.positions.node::<Portable>(tier, stones);
            set.positions.is_safe(node)
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

/// The premises of the argument for dominance, on boards of all sizes: a stone more in reserve
/// changes no move, moves keep it, and it changes who has lost only where its owner is to move
/// and would have none.
#[test]
fn moves_do_not_depend_on_reserves() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let (mut moves, mut saved) = (0, 0);
    for variant in [
        "2 2 4 4", "3 3 5 4", "3 4 4 6", "4 4 6 6", "5 3 7 9", "7 4 8 8",
    ] {
        for _ in 0..40 {
            let position = random_position(variant, &mut rng);
            for (side, which) in Side::BOTH.into_iter().zip(0..) {
                let more = with_one_more(&position, which);
                assert_eq!(position.moves(), more.moves(), "{position}");
                for mv in position.moves() {
                    let [mut next, mut next_more] = [position, more];
                    next.play_unchecked(mv);
                    next_more.play_unchecked(mv);
                    assert_eq!(with_one_more(&next, which), next_more, "{position}");
                    if next.outcome() != next_more.outcome() {
                        let spent = next.side_to_move() == side && next.reserve(side) == 0;
                        assert!(spent && next_more.outcome().is_none(), "{next}");
                        saved += 1;
                    }
                    moves += 1;
                }
            }
        }
    }
    assert!(moves > 10_000 && saved > 100, "{moves} {saved}");
}

#[test]
fn a_stone_in_reserve_never_harms() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let (mut better, mut pairs) = (0, 0);
    for (variant, positions) in [("2 2 4 4", 60), ("3 3 4 4", 10), ("3 4 4 4", 30)] {
        for _ in 0..positions {
            let position = random_position(variant, &mut rng);
            let worth = |position: &Position, side: Side| {
                let rules = Small::new(position.variant());
                let root = SmallBoard::new(position).unwrap();
                let mut hashed = HashedProver::new(&rules, &root, 1 << 28);
                let mover_wins = finish(&mut hashed, u64::MAX);
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
fn finished_sets_are_safe() {
    // Symmetric positions of few stones have many symmetric predecessors.
    for (variant, risk_limit) in [
        ("2 2 5 5", NO_RISK_LIMIT),
        ("2 2 8 8", NO_RISK_LIMIT),
        ("2 2 9 4", NO_RISK_LIMIT),
        ("3 3 5 5", CAUTIOUS_RISK_LIMIT),
    ] {
        let position = variant.parse().unwrap();
        let (mut set, progress) = run_with(risk_limit, &position);
        assert_eq!(progress, [Progress::Fails; 2], "{variant}");
        assert!(check_support(&mut set) > 5, "{variant}");
        assert!(check_set(&mut set) > 5, "{variant}");
        let roots = set.nodes_of(SmallBoard::new(&position).unwrap());
        let kept = set.positions.is_safe(roots[0]) && set.positions.get(roots[1]) != 0;
        assert!(kept, "{variant}");
    }
}

/// The positions of a random game in which it goes on.
fn random_game(variant: &str, rng: &mut ChaCha8Rng) -> Vec<Position> {
    let mut position = Position::start(variant.parse().unwrap());
    let mut game = Vec::new();
    while position.outcome().is_none() && game.len() < 40 {
        game.push(position);
        let moves = position.moves();
        position.play_unchecked(moves[rng.random_range(0..moves.len())]);
    }
    game
}

/// Positions of several games are asked about together, some of them again after they have been
/// given up, and wins are taken over from elsewhere in between: every answer is that of a set of
/// its own.
#[test]
fn together_agrees_with_the_hashed_prover() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let (mut counts, mut checked) = ([0; 3], 0);
    for (variant, games) in [
        ("2 2 4 4", 8),
        ("2 2 6 5", 8),
        ("2 3 5 5", 3),
        ("3 3 4 5", 3),
        ("3 3 5 4", 3),
        ("3 3 5 5", 4),
        ("3 4 5 5", 4),
        ("3 5 5 5", 2),
    ] {
        let (rules, knowledge, start) = prepare(&variant.parse().unwrap());
        let most = start.totals[0].max(start.totals[1]);
        let mut together = Together::new(knowledge, most, 1 << 28);
        let positions: Vec<Position> = (0..games)
            .flat_map(|_| random_game(variant, &mut rng))
            .collect();
        let roots: Vec<SmallBoard> = positions
            .iter()
            .map(|position| SmallBoard::new(position).unwrap())
            .collect();
        let truth: Vec<Option<bool>> = roots
            .iter()
            .map(|root| finish(&mut HashedProver::new(&rules, root, 1 << 28), u64::MAX))
            .collect();
        let mut open: Vec<usize> = (0..roots.len()).collect();
        while !open.is_empty() {
            let asked: Vec<usize> = open
                .iter()
                .copied()
                .filter(|_| rng.random_range(0..3) > 0)
                .collect();
            together.ask(asked.iter().map(|&number| (number, roots[number])));
            let mut decided = Vec::new();
            for _ in 0..rng.random_range(1..8) {
                let slice = rng.random_range(1..400);
                let progress = together.run(&Limits::default(), slice, |number, found| {
                    assert_eq!(found, truth[number], "{}", positions[number]);
                    counts[found.map_or(2, usize::from)] += 1;
                    decided.push(number);
                });
                if progress == Progress::Fails {
                    assert_eq!(decided.len(), asked.len());
                    break;
                }
                let left = asked.iter().find(|number| !decided.contains(number));
                if let (Some(&number), 0) = (left, rng.random_range(0..4))
                    && let Some(mover_wins) = truth[number]
                {
                    together.learn(number, mover_wins);
                    decided.push(number);
                }
            }
            open.retain(|number| !decided.contains(number));
        }
        let set = together.finished();
        check_support(set);
        checked += check_set(set);
    }
    assert!(counts.iter().all(|&count| count > 15), "{counts:?}");
    assert!(checked > 1000, "{checked}");
}

#[test]
fn stays_within_its_memory() {
    let position: Position = "3 3 8 8".parse().unwrap();
    let (_, knowledge, root) = prepare(&position);
    let mut prover = IndexedProver::new(knowledge, root, 8 << 20);
    let progress = prover.run(&Limits::default(), u64::MAX);
    let set = prover.set;
    assert_eq!(progress, [Progress::Full; 2]);
    // One step more may have been taken than there was room for.
    assert!(set.bytes() < 16 << 20, "{}", set.bytes());
}
