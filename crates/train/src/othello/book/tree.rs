//! The positions of a book, their values by each other, and where to grow next.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use othello::book::{Book, Entry, Next, Recipe, after, write};
use reversi::Board;

/// A position that was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Node {
    moves: Vec<Edge>,
    /// Whether its batch is not finished, so that it does not count for what is next.
    under_way: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Edge {
    /// Where the move leads to, if it does not end the game.
    next: Option<Next>,
    /// What the search said.
    searched: i8,
}

/// A book that grows. Transpositions and symmetric positions are one.
///
/// The value of a position is the best one of its moves, and that of a move comes from the
/// position that it leads to where that was looked at, and else from the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    recipe: Recipe,
    nodes: BTreeMap<Board, Node>,
    starts: BTreeSet<Board>,
}

impl Tree {
    /// A book that knows nothing.
    #[must_use]
    pub fn new(recipe: Recipe) -> Tree {
        Tree {
            recipe,
            nodes: BTreeMap::new(),
            starts: BTreeSet::new(),
        }
    }

    /// A book to go on with.
    #[must_use]
    pub fn read(book: &Book<'_>) -> Tree {
        let mut tree = Tree::new(book.recipe());
        tree.starts.extend(book.waiting());
        for entry in book.entries() {
            if entry.is_start {
                tree.starts.insert(entry.board);
            }
            let node = Node {
                moves: edges(entry.board, entry.searched),
                under_way: entry.under_way,
            };
            tree.nodes.insert(entry.board, node);
        }
        tree
    }

    /// The bytes of the book, with values by all that is known.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let values = self.values(|_| true);
        let entries = self.nodes.iter().map(|(&board, node)| Entry {
            board,
            searched: node.moves.iter().map(|edge| edge.searched).collect(),
            value: values[&board] as i8,
            is_start: self.starts.contains(&board),
            under_way: node.under_way,
        });
        let waiting = self.starts.iter().copied();
        let waiting = waiting.filter(|start| !self.nodes.contains_key(start));
        write(self.recipe, entries.collect(), waiting.collect())
    }

    /// How it grows.
    #[must_use]
    pub fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// How many positions it knows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it knows none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many positions it grows from.
    #[must_use]
    pub fn starts(&self) -> usize {
        self.starts.len()
    }

    /// Adds positions to grow from, as a book has them ([`settled`](othello::book::settled)),
    /// and says how many are new.
    pub fn add_starts(&mut self, starts: impl IntoIterator<Item = Board>) -> usize {
        let before = self.starts.len();
        self.starts.extend(starts);
        let new = self.starts.len() - before;
        if new > 0 {
            // A batch that was chosen without them is not finished first.
            self.count();
        }
        new
    }

    /// Adds what a search said about the moves of a position, in the order of their squares.
    /// It does not count until [`count`](Tree::count) is called.
    pub(super) fn insert(&mut self, board: Board, searched: Vec<i8>) {
        let node = Node {
            moves: edges(board, searched),
            under_way: true,
        };
        self.nodes.insert(board, node);
    }

    /// Whether the position was looked at, but does not count yet.
    pub(super) fn is_under_way(&self, board: Board) -> bool {
        self.nodes.get(&board).is_some_and(|node| node.under_way)
    }

    /// From now on all that is known counts.
    pub(super) fn count(&mut self) {
        for node in self.nodes.values_mut() {
            node.under_way = false;
        }
    }

    /// The positions to look at next, by what counts, the most important one first:
    /// those that the fewest plies and discs lost by both sides lead to from a start. Of
    /// equally important ones, those with the fewest discs come first.
    pub(super) fn next(&self, most: usize) -> Vec<Board> {
        let mut leaves: Vec<(u32, u32, Board)> = self
            .costs()
            .into_iter()
            .filter(|(board, _)| !self.counts(board))
            .map(|(board, cost)| (cost, discs(board), board))
            .collect();
        leaves.sort();
        leaves.truncate(most);
        leaves.into_iter().map(|(.., board)| board).collect()
    }

    /// What every position that is reached from a start costs.
    fn costs(&self) -> HashMap<Board, u32> {
        let values = self.values(|node| !node.under_way);
        let mut costs: HashMap<Board, u32> = self.starts.iter().map(|&board| (board, 0)).collect();
        // A move adds a disc, so nothing comes before what leads to it.
        for board in self.by_discs() {
            let (Some(&cost), true) = (costs.get(&board), self.counts(&board)) else {
                continue;
            };
            for edge in &self.nodes[&board].moves {
                let lost = (values[&board] - edge.value(&values)) as u32;
                let Some(next) = edge.next.filter(|_| lost <= self.recipe.width.into()) else {
                    continue;
                };
                let cost = cost + 1 + lost * u32::from(self.recipe.loss);
                let known = costs.entry(next.board).or_insert(cost);
                *known = cost.min(*known);
            }
        }
        costs
    }

    /// The values of positions by each other, of those that count.
    fn values(&self, counts: impl Fn(&Node) -> bool) -> HashMap<Board, i32> {
        let mut values = HashMap::with_capacity(self.nodes.len());
        // A move adds a disc, so whatever it leads to comes first.
        for board in self.by_discs().into_iter().rev() {
            let node = &self.nodes[&board];
            if counts(node) {
                let moves = node.moves.iter().map(|edge| edge.value(&values));
                let best = moves.max().unwrap_or_default();
                values.insert(board, best);
            }
        }
        values
    }

    fn counts(&self, board: &Board) -> bool {
        self.nodes.get(board).is_some_and(|node| !node.under_way)
    }

    /// All positions that were looked at, those with the fewest discs first.
    fn by_discs(&self) -> Vec<Board> {
        let mut boards: Vec<Board> = self.nodes.keys().copied().collect();
        boards.sort_by_key(|&board| discs(board));
        boards
    }
}

impl Edge {
    /// The value of the move, by the position that it leads to if that is known.
    fn value(&self, values: &HashMap<Board, i32>) -> i32 {
        let known = self
            .next
            .and_then(|next| Some(next.value_before(*values.get(&next.board)?)));
        known.unwrap_or(self.searched.into())
    }
}

fn edges(board: Board, searched: Vec<i8>) -> Vec<Edge> {
    let edge = |(square, searched)| Edge {
        next: after(board, square),
        searched,
    };
    board.moves().zip(searched).map(edge).collect()
}

fn discs(board: Board) -> u32 {
    64 - board.empty().len()
}

#[cfg(test)]
mod tests;
