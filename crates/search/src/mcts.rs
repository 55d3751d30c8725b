//! Monte Carlo tree search: a tree grown by short random games, which the estimate judges.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Evaluate, Game};

use crate::{Clock, Distance, Limits, Report, Score};

/// UCT over an arena of nodes. Wins and losses that the tree proves count as such, not as
/// averages. The seed decides all random choices; two searches with the same seed and a
/// limit of positions are alike.
///
/// ```
/// use reversi::Position;
/// use search::{Limits, Mcts};
///
/// let report = Mcts::new(7).search(&Position::start(), &Limits::default().with_nodes(5_000));
/// assert!(report.best.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Mcts<G: Game> {
    rng: ChaCha8Rng,
    nodes: Vec<Node<G::Move>>,
    /// Moves of the position at hand, in a buffer that lasts.
    moves: Vec<G::Move>,
    /// The way from the root to the leaf at hand.
    path: Vec<usize>,
}

/// Random games played if neither positions nor time nor a flag limit the search.
const DEFAULT_GAMES: u32 = 10_000;

/// The tree stops growing at this size; the games go on.
const MOST_NODES: usize = 1 << 21;

/// Plies of a random game before it is judged. Games played out say less about good
/// play, and take far longer.
const RANDOM_MOVES: u32 = 2;

/// An estimate as large as this counts as three games won out of four.
const SURE: f32 = 200.0;

/// How much to favour moves that were tried little.
const CURIOSITY: f32 = 1.0;

/// What the average over all games, between −1 and 1, counts in a report.
const SCALE: f32 = 1_000.0;

/// A position in the tree, by the move that leads to it.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    mv: M,
    /// The children lie side by side; none yet if `first` is 0.
    first: u32,
    count: u32,
    visits: u32,
    /// Results of the games through here, for the player who made the move: 1, 0, −1.
    total: f32,
    /// What is proven for that player.
    proven: Option<Proven>,
}

/// A proven result, by the plies it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proven {
    Win(u32),
    Draw,
    Loss(u32),
}

impl Proven {
    /// The result of a finished game for the player who moved last.
    fn by_rules<G: Game>(position: &G) -> Option<Proven> {
        let outcome = position.outcome()?;
        Some(match outcome.sign_for(!position.side_to_move()) {
            1 => Proven::Win(0),
            0 => Proven::Draw,
            _ => Proven::Loss(0),
        })
    }

    fn result(self) -> f32 {
        match self {
            Proven::Win(_) => 1.0,
            Proven::Draw => 0.0,
            Proven::Loss(_) => -1.0,
        }
    }

    /// What it is worth to the player who made the move that led here. Moves that were not
    /// tried may be shorter.
    fn score(self) -> Score {
        match self {
            Proven::Win(plies) => Score::Win(Distance::at_most(plies)),
            Proven::Draw => Score::Draw,
            Proven::Loss(plies) => Score::Loss(Distance::at_most(plies)),
        }
    }
}

impl<M: Copy> Node<M> {
    fn new(mv: M) -> Node<M> {
        Node {
            mv,
            first: 0,
            count: 0,
            visits: 0,
            total: 0.0,
            proven: None,
        }
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    fn average(&self) -> f32 {
        self.total / self.visits.max(1) as f32
    }

    /// Proven wins first, proven losses last, between them by visits.
    fn merit(&self) -> (i64, f32) {
        let rank = match self.proven {
            Some(Proven::Win(plies)) => i64::MAX - i64::from(plies),
            Some(Proven::Loss(plies)) => i64::MIN + i64::from(plies),
            _ => i64::from(self.visits),
        };
        (rank, self.average())
    }
}

impl<G: Evaluate> Mcts<G> {
    /// A search whose random choices come from this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Mcts {
            rng: ChaCha8Rng::seed_from_u64(seed),
            nodes: Vec::new(),
            moves: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Searches until a limit is reached or the result is proven; without a limit of
    /// positions, time or flag it plays 10 000 games. There is no depth to limit.
    pub fn search(&mut self, position: &G, limits: &Limits) -> Report<G::Move> {
        let mut clock = Clock::start(limits);
        let mut report = Report::before_search(position);
        let Some(first) = report.best else {
            return report;
        };
        let bounded = limits.nodes.is_some()
            || limits.wall.is_some()
            || limits.cpu.is_some()
            || limits.stop.is_some();
        self.nodes.clear();
        self.nodes.push(Node::new(first));
        let mut games = 0;
        while self.nodes[0].proven.is_none() && (bounded || games < DEFAULT_GAMES) {
            if !self.play_game(position, &mut clock) {
                break;
            }
            games += 1;
        }
        self.read_off(&mut report);
        report.nodes = clock.nodes();
        report.time = clock.elapsed();
        report
    }

    /// One game through the tree and on by chance; false if the clock has stopped.
    fn play_game(&mut self, root: &G, clock: &mut Clock) -> bool {
        let mut position = root.clone();
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        // Down the tree, to a leaf.
        while self.nodes[at].first != 0 && self.nodes[at].proven.is_none() {
            at = self.choose_child(at);
            position.play_unchecked(self.nodes[at].mv);
            self.path.push(at);
            if clock.tick() {
                return false;
            }
        }
        if self.nodes[at].proven.is_none() {
            self.nodes[at].proven = Proven::by_rules(&position);
            let leaf = &self.nodes[at];
            if leaf.proven.is_none() && (at == 0 || leaf.visits > 0) {
                at = self.grow(at, &mut position);
                self.nodes[at].proven = Proven::by_rules(&position);
            }
        }
        let result = match self.nodes[at].proven {
            Some(proven) => proven.result(),
            // The result is for the player to move here, but the node belongs to the
            // one who moved.
            None => match self.random_game(position, clock) {
                Some(result) => -result,
                None => return false,
            },
        };
        self.learn(result);
        true
    }

    /// The child to visit next, by the upper confidence bound.
    fn choose_child(&self, parent: usize) -> usize {
        let curiosity = CURIOSITY * (self.nodes[parent].visits.max(1) as f32).ln().sqrt();
        let bound = |index: &usize| {
            let node = &self.nodes[*index];
            match node.proven {
                // Known to be lost: only where everything is.
                Some(Proven::Loss(_)) => -2.0,
                _ if node.visits == 0 => f32::INFINITY,
                _ => node.average() + curiosity / (node.visits as f32).sqrt(),
            }
        };
        self.nodes[parent]
            .children()
            .max_by(|a, b| bound(a).total_cmp(&bound(b)))
            .unwrap_or(parent)
    }

    /// Gives a leaf its children and goes on to one of them.
    fn grow(&mut self, leaf: usize, position: &mut G) -> usize {
        position.moves_into(&mut self.moves);
        if self.nodes.len() + self.moves.len() > MOST_NODES {
            return leaf;
        }
        let first = self.nodes.len();
        self.nodes
            .extend(self.moves.iter().map(|&mv| Node::new(mv)));
        self.nodes[leaf].first = first as u32;
        self.nodes[leaf].count = self.moves.len() as u32;
        let child = first + self.rng.random_range(0..self.moves.len());
        position.play_unchecked(self.nodes[child].mv);
        self.path.push(child);
        child
    }

    /// The result of a game by chance, for the player to move; `None` if the clock stopped.
    fn random_game(&mut self, mut position: G, clock: &mut Clock) -> Option<f32> {
        let side = position.side_to_move();
        for _ in 0..RANDOM_MOVES {
            if clock.tick() {
                return None;
            }
            position.moves_into(&mut self.moves);
            if self.moves.is_empty() {
                return position.outcome().map(|o| o.sign_for(side) as f32);
            }
            let mv = self.moves[self.rng.random_range(0..self.moves.len())];
            position.play_unchecked(mv);
        }
        if let Some(outcome) = position.outcome() {
            return Some(outcome.sign_for(side) as f32);
        }
        let estimate = position.evaluate() as f32;
        let chance = estimate / (estimate.abs() + SURE);
        Some(if position.side_to_move() == side {
            chance
        } else {
            -chance
        })
    }

    /// Counts a result, for the player who moved last on the path, all the way up, and
    /// proves what follows from what has been proven below.
    fn learn(&mut self, mut result: f32) {
        for step in (0..self.path.len()).rev() {
            let index = self.path[step];
            if self.nodes[index].proven.is_none() && self.nodes[index].first != 0 {
                self.nodes[index].proven = self.prove(index);
                if let Some(proven) = self.nodes[index].proven {
                    result = proven.result();
                }
            }
            let node = &mut self.nodes[index];
            node.visits += 1;
            node.total += result;
            result = -result;
        }
    }

    /// A child's win is a loss here; if all children are proven, so is this.
    fn prove(&self, index: usize) -> Option<Proven> {
        let children = &self.nodes[self.nodes[index].children()];
        let mut soonest = None;
        let mut latest = 0;
        let (mut open, mut draw) = (false, false);
        for child in children {
            match child.proven {
                Some(Proven::Win(plies)) => {
                    soonest = Some(soonest.map_or(plies, |best: u32| best.min(plies)));
                }
                Some(Proven::Loss(plies)) => latest = latest.max(plies),
                Some(Proven::Draw) => draw = true,
                None => open = true,
            }
        }
        match soonest {
            Some(plies) => Some(Proven::Loss(plies + 1)),
            None if open => None,
            None if draw => Some(Proven::Draw),
            None => Some(Proven::Win(latest + 1)),
        }
    }

    /// The best line so far and its value.
    fn read_off(&self, report: &mut Report<G::Move>) {
        let mut at = 0;
        let mut line = Vec::new();
        while let Some(child) = self.nodes[at].children().max_by(|&a, &b| {
            let (a, b) = (self.nodes[a].merit(), self.nodes[b].merit());
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        }) {
            if self.nodes[child].visits == 0 {
                break;
            }
            line.push(self.nodes[child].mv);
            at = child;
        }
        if line.is_empty() {
            return;
        }
        let root = &self.nodes[0];
        report.best = line.first().copied();
        report.depth = line.len() as u32;
        report.line = line;
        report.score = match root.proven {
            Some(proven) => -proven.score(),
            None => Score::Estimate((-root.average() * SCALE) as i32),
        };
    }
}
