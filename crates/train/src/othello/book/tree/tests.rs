use super::*;
use crate::othello::book::starts;
use crate::othello::selfplay::generator;
use othello::book::{canonical, settled};
use rand::RngExt;
use reversi::{Move, Position};
use rules::{Game, Side};

const RECIPE: Recipe = Recipe {
    depth: 1,
    width: 4,
    loss: 1,
};

fn start() -> Board {
    settled(Position::start().board()).unwrap().board
}

fn planted(recipe: Recipe) -> Tree {
    let mut tree = Tree::new(recipe);
    tree.add_starts([start()]);
    tree
}

/// Where the moves of a position lead to, each position once.
fn successors(board: Board) -> Vec<Board> {
    let next = |square| after(board, square).map(|next| next.board);
    let mut boards: Vec<Board> = board.moves().filter_map(next).collect();
    boards.sort();
    boards.dedup();
    boards
}

/// Has all moves be worth the same but those that lead to these positions.
fn insert(tree: &mut Tree, board: Board, usual: i8, others: &[(Board, i8)]) {
    let value = |square| {
        let next = after(board, square).map(|next| next.board);
        let other = others.iter().find(|(other, _)| Some(*other) == next);
        other.map_or(usual, |(_, value)| *value)
    };
    let searched = board.moves().map(value).collect();
    tree.insert(board, searched);
    tree.count();
}

#[test]
fn grows_where_best_play_leaves_the_book_and_goes_on_as_values_change() {
    let mut tree = planted(RECIPE);
    assert_eq!(tree.next(9), [start()]);
    // All first moves are images of each other.
    let [first] = successors(start())[..] else {
        panic!("one successor");
    };
    insert(&mut tree, start(), 0, &[]);
    assert_eq!(tree.next(9), [first]);
    // Three replies: one loses nothing, one a disc, one three.
    let [a, b, c] = successors(first)[..] else {
        panic!("three successors");
    };
    insert(&mut tree, first, 0, &[(b, -1), (c, -3)]);
    assert_eq!(tree.next(9), [a, b, c]);
    assert_eq!(tree.next(2), [a, b]);
    // What follows a is one ply further, as far as b.
    let after_a = successors(a);
    let mut one_tree = tree.clone();
    insert(&mut one_tree, a, 0, &[]);
    let next = one_tree.next(99);
    assert_eq!(next[0], b, "fewer discs come first");
    assert_eq!(next[1..=after_a.len()], after_a[..]);
    assert_eq!(next[after_a.len() + 1..], [c]);
    // The search was wrong about a: it loses six discs, so b is best now and c loses two.
    insert(&mut tree, a, 6, &[]);
    assert_eq!(tree.next(99)[..2], [b, c]);
    let costs = tree.costs();
    assert_eq!((costs[&b], costs[&c]), (2, 4));
    // It loses five more than b: more than the width, and what follows it is left alone.
    assert!(!costs.contains_key(&a));
    assert!(after_a.iter().all(|next| !tree.next(99).contains(next)));
}

#[test]
fn a_disc_lost_counts_as_the_recipe_says() {
    for (loss, cost) in [(0, 2), (1, 4), (3, 8)] {
        let mut tree = planted(Recipe { loss, ..RECIPE });
        insert(&mut tree, start(), 0, &[]);
        let first = tree.next(1)[0];
        let reply = successors(first)[1];
        insert(&mut tree, first, 0, &[(reply, -2)]);
        assert_eq!(tree.costs()[&reply], cost);
    }
}

#[test]
fn starts_come_first_wherever_they_are() {
    let mut tree = planted(RECIPE);
    insert(&mut tree, start(), 0, &[]);
    let random = starts::random(5, 12, 1);
    assert_eq!(tree.add_starts(random.clone()), 5);
    assert_eq!(tree.add_starts(random.clone()), 0);
    let mut next = tree.next(5);
    next.sort();
    assert_eq!(next, random);
    assert_eq!(tree.next(99).len(), 6);
}

#[test]
fn what_is_under_way_does_not_count() {
    let mut tree = planted(RECIPE);
    tree.insert(start(), vec![0; 4]);
    assert!(tree.is_under_way(start()));
    assert_eq!(tree.next(9), [start()]);
    tree.count();
    assert!(!tree.is_under_way(start()));
    assert_ne!(tree.next(9), [start()]);
    // New starts end a batch.
    let first = tree.next(9)[0];
    tree.insert(first, vec![0; first.moves().len() as usize]);
    tree.add_starts(starts::random(1, 8, 1));
    assert!(!tree.is_under_way(first));
}

/// The value of a position by looking at its moves one by one, with passes as moves.
fn negamax(searched: &HashMap<Board, Vec<i8>>, position: &Position) -> Option<i32> {
    if position.is_legal(Move::PASS) {
        let mut next = *position;
        next.play_unchecked(Move::PASS);
        return negamax(searched, &next).map(|value| -value);
    }
    let (image, _) = canonical(position.board());
    let values = searched.get(&image)?;
    let image = Position::new(image, Side::First);
    let moves = image.moves().into_iter().zip(values);
    moves
        .map(|(mv, &value)| {
            let mut next = image;
            next.play_unchecked(mv);
            negamax(searched, &next).map_or(i32::from(value), |value| -value)
        })
        .max()
}

#[test]
fn values_are_those_of_a_plain_negamax() {
    let mut rng = generator(1, 0);
    // Openings, and ends in which there are passes.
    for (plies, grown) in [(0, 150), (4, 150), (48, 150), (55, 60)] {
        let mut tree = Tree::new(Recipe {
            width: 128,
            ..RECIPE
        });
        tree.add_starts(starts::random(3, plies, 7));
        let mut searched = HashMap::new();
        for _ in 0..grown {
            let Some(&board) = tree.next(3).last() else {
                break;
            };
            let moves = board.moves().len();
            let values: Vec<i8> = (0..moves).map(|_| rng.random_range(-9..=9)).collect();
            tree.insert(board, values.clone());
            tree.count();
            searched.insert(board, values);
        }
        assert!(searched.len() > 20, "{plies}: {}", searched.len());
        let values = tree.values(|_| true);
        assert_eq!(values.len(), searched.len());
        for (&board, &value) in &values {
            let position = Position::new(board, Side::First);
            assert_eq!(negamax(&searched, &position), Some(value));
        }
        // The file says the same.
        let bytes = tree.write();
        let book = Book::read(&bytes).unwrap();
        for entry in book.entries() {
            assert_eq!(i32::from(entry.value), values[&entry.board]);
            let advice = book.advice(&Position::new(entry.board, Side::First));
            assert_eq!(advice.unwrap().value, values[&entry.board]);
        }
        assert_eq!(Tree::read(&book), tree);
    }
}
