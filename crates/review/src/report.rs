//! The review of one game.

use std::sync::atomic::Ordering;
use std::time::Duration;

use games::{AnyPosition, GameName, Proof, Resources, Value};
use referee::{Seat, Seconds};
use search::Limits;
use serde::{Deserialize, Serialize};

use crate::budget::Budget;
use crate::knowledge::Knowledge;
use crate::mistake::{Kind, Mistake, MoveWorth};
use crate::played::{Action, Played, Turn};
use crate::priority::given_time;
use crate::prove::{Filled, Workers, line, side_by_side, within, worths};
use crate::words;

/// The strongest statement about a position, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Statement {
    /// A proof.
    Proven(Proof),
    /// An estimate in points of the game's scale. It is part of no count of proofs.
    Estimate {
        /// The points.
        points: i32,
    },
    /// Nothing.
    Unknown,
}

impl Statement {
    /// The proof, if it is one.
    #[must_use]
    pub fn proof(self) -> Option<Proof> {
        match self {
            Statement::Proven(proof) => Some(proof),
            Statement::Estimate { .. } | Statement::Unknown => None,
        }
    }
}

/// How many positions of a game are proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// Positions with a proof.
    pub proven: usize,
    /// All positions in which a player had a choice.
    pub positions: usize,
}

impl std::fmt::Display for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} positions proven", self.proven, self.positions)
    }
}

/// A turn, judged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Judged {
    /// The number of the turn in the record, from 1.
    pub turn: u32,
    /// Who was to move.
    pub side: Seat,
    /// The position before.
    pub position: String,
    /// The move, or what happened instead of one.
    pub played: String,
    /// What the position was worth.
    pub statement: Statement,
    /// What the move was worth to the player who made it, where that is proven.
    pub worth: Option<Proof>,
}

/// What is known of a game that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Review {
    /// Which game.
    pub game: GameName,
    /// The players, the first to move first.
    pub players: [String; 2],
    /// Where the game was decided, in one sentence.
    pub summary: String,
    /// The number of the turn that decided it, where that is proven.
    pub turning_point: Option<u32>,
    /// How many positions are proven.
    pub coverage: Coverage,
    /// Time that the review was allowed; none if it was stopped.
    pub time: Seconds,
    /// The proven mistakes in the order of the game.
    pub mistakes: Vec<Mistake>,
    /// All turns.
    pub turns: Vec<Judged>,
}

impl Review {
    /// The mistakes without those that only made a win slower.
    pub fn real_mistakes(&self) -> impl Iterator<Item = &Mistake> {
        self.mistakes.iter().filter(|mistake| mistake.is_real())
    }

    /// Whether it is of this game: one that moves were taken back in may have gone on otherwise.
    #[must_use]
    pub fn is_of(&self, played: &Played) -> bool {
        let same = |(judged, turn): (&Judged, &Turn)| {
            judged.position == turn.before.to_string() && judged.played == action_text(&turn.action)
        };
        self.turns.len() == played.turns.len() && self.turns.iter().zip(&played.turns).all(same)
    }
}

/// Parts of the time until which the positions of the game, the moves of mistakes and lines are
/// proven; the rest is for estimates.
const PROOFS_UNTIL: f64 = 0.7;
const MOVES_UNTIL: f64 = 0.9;
const LINES_UNTIL: f64 = 0.97;

/// Time for the estimate of a position, and the most positions that are visited for it.
const ESTIMATE_TIME: Duration = Duration::from_millis(30);
const ESTIMATE_NODES: u64 = 20_000;

/// Proves what the budget allows of a game, and says what follows. Everything that is proven
/// goes into the knowledge at once, where others can see it; when the budget's flag is set, the
/// review says what is known by then.
pub fn review(
    played: &Played,
    knowledge: &Knowledge,
    resources: &Resources,
    budget: &Budget,
) -> Review {
    if budget.time.is_zero() {
        return stated(played, knowledge);
    }
    if budget.gives_way && budget.source.is_system() {
        let given = Budget {
            source: given_time(),
            ..budget.clone()
        };
        return review(played, knowledge, resources, &given);
    }
    let whole = budget.limits(1.0).begin();
    let until = |part: f64| Limits {
        wall: Some(budget.time.mul_f64(part)),
        ..whole.clone()
    };
    let mut workers = Workers {
        provers: played.game.provers(resources, budget.room),
        knowledge,
        per_position: budget.per_position.unwrap_or(budget.time),
        source: budget.source.clone(),
        gives_way: budget.gives_way,
    };
    workers.prove(&played.backwards(), &until(PROOFS_UNTIL));
    deduce(played, knowledge);
    let mut mistakes = found(played, knowledge);
    mistakes.sort_by_key(|(_, kind, ..)| kind.price());
    let moves: Vec<AnyPosition> = mistakes
        .iter()
        .flat_map(|&(index, ..)| worths(knowledge, &played.turns[index].before))
        .map(|(_, after, _)| after)
        .collect();
    workers.prove(&moves.iter().collect::<Vec<_>>(), &until(MOVES_UNTIL));
    let refuted: Vec<&AnyPosition> = mistakes
        .iter()
        .filter_map(|&(index, ..)| played.turns[index].after.as_ref())
        .collect();
    workers.follow(&refuted, &until(LINES_UNTIL));
    drop(workers);
    let estimates = estimates(played, knowledge, resources, budget, &whole);
    let stopped = budget.stop.load(Ordering::Relaxed);
    Review {
        time: Seconds(if stopped { Duration::ZERO } else { budget.time }),
        ..report(played, knowledge, &estimates)
    }
}

/// What is known of a game already.
#[must_use]
pub fn stated(played: &Played, knowledge: &Knowledge) -> Review {
    report(played, knowledge, &[])
}

/// Whoever has a move to a position that the opponent loses wins: so a proof of one position
/// often is one of the position before it.
fn deduce(played: &Played, knowledge: &Knowledge) {
    for turn in played.turns.iter().rev() {
        let loses = |proof: &Proof| proof.value == Value::Loss;
        if knowledge.of(&turn.before).is_none()
            && let (Action::Move(_), Some(after)) = (&turn.action, &turn.after)
            && knowledge.of(after).as_ref().is_some_and(loses)
        {
            knowledge.learn(&turn.before, Value::Win.into());
        }
    }
}

/// Which turns were mistakes: number, kind, what the position and what the move was worth.
fn found(played: &Played, knowledge: &Knowledge) -> Vec<(usize, Kind, Proof, Proof)> {
    let turns = played.turns.iter().enumerate();
    turns
        .filter_map(|(index, turn)| {
            let best = knowledge.of(&turn.before)?;
            let worth = worth(turn, knowledge)?;
            let kind = Kind::between(best, worth)?;
            Some((index, kind, best, worth))
        })
        .collect()
}

/// What a turn was worth to its player: that of the position afterwards, or a lost game.
fn worth(turn: &Turn, knowledge: &Knowledge) -> Option<Proof> {
    match (&turn.action, &turn.after) {
        (_, Some(after)) => knowledge.of(after).map(Proof::before),
        (Action::Fault(_), None) => Some(Value::Loss.into()),
        // Giving up is no move: it says what the player thought of the position.
        (Action::Resigned | Action::Move(_), None) => None,
    }
}

/// Estimates of the positions without a proof, as far as there is time.
fn estimates(
    played: &Played,
    knowledge: &Knowledge,
    resources: &Resources,
    budget: &Budget,
    whole: &Limits,
) -> Vec<Option<i32>> {
    let filled = Filled::new(played.turns.len());
    let open: Vec<usize> = (0..played.turns.len())
        .filter(|&index| knowledge.of(&played.turns[index].before).is_none())
        .collect();
    if open.is_empty() {
        return filled.into_list();
    }
    let analyst = |_| played.game.analyst(resources);
    let mut analysts: Vec<_> = (0..budget.room.threads).map(analyst).collect();
    side_by_side(
        &mut analysts,
        budget.gives_way,
        open.len(),
        |analyst, number| {
            let Some(limits) = within(whole, &budget.source, ESTIMATE_TIME) else {
                return;
            };
            let index = open[number];
            let limits = limits.with_nodes(ESTIMATE_NODES);
            let report = analyst.search(&played.turns[index].before, &limits);
            match (Proof::of(report.score), report.score) {
                (Some(proof), _) => knowledge.learn(&played.turns[index].before, proof),
                (None, score) => filled.put(index, score.value()),
            }
        },
    );
    filled.into_list()
}

fn report(played: &Played, knowledge: &Knowledge, estimates: &[Option<i32>]) -> Review {
    let turns: Vec<Judged> = played
        .turns
        .iter()
        .enumerate()
        .map(|(index, turn)| {
            let estimate = estimates.get(index).copied().flatten();
            let estimate =
                estimate.map_or(Statement::Unknown, |points| Statement::Estimate { points });
            Judged {
                turn: turn.number,
                side: turn.side.into(),
                position: turn.before.to_string(),
                played: action_text(&turn.action),
                statement: knowledge
                    .of(&turn.before)
                    .map_or(estimate, Statement::Proven),
                worth: worth(turn, knowledge),
            }
        })
        .collect();
    let mistakes: Vec<Mistake> = found(played, knowledge)
        .into_iter()
        .map(|found| mistake(played, knowledge, found))
        .collect();
    let proven = |judged: &&Judged| judged.statement.proof().is_some();
    let coverage = Coverage {
        proven: turns.iter().filter(proven).count(),
        positions: turns.len(),
    };
    let turning_point = mistakes
        .iter()
        .rfind(|mistake| mistake.kind.changes_result());
    Review {
        game: played.game,
        players: played.players.clone(),
        summary: words::summary(played, turning_point, &turns),
        turning_point: turning_point.map(|mistake| mistake.turn),
        coverage,
        time: Seconds(Duration::ZERO),
        mistakes,
        turns,
    }
}

fn mistake(
    played: &Played,
    knowledge: &Knowledge,
    (index, kind, best, worth): (usize, Kind, Proof, Proof),
) -> Mistake {
    let turn = &played.turns[index];
    let mut mistake = Mistake {
        index,
        turn: turn.number,
        side: turn.side.into(),
        player: played.players[turn.side.index()].clone(),
        position: turn.before.to_string(),
        played: action_text(&turn.action),
        is_fault: matches!(turn.action, Action::Fault(_)),
        kind,
        best,
        worth,
        kept: Vec::new(),
        worse: Vec::new(),
        open: Vec::new(),
        refutation: turn
            .after
            .as_ref()
            .map_or_else(Vec::new, |after| line(knowledge, after)),
        took: turn.took.map(Seconds),
        left: turn.left.map(Seconds),
        is_program: turn.is_program,
    };
    let mut moves = worths(knowledge, &turn.before);
    moves.sort_by_key(|(_, _, proof)| proof.map(Proof::order));
    for (mv, _, proof) in moves {
        match proof {
            None => mistake.open.push(mv),
            Some(proof) if mistake.is_kept_by(proof) => mistake.kept.push(MoveWorth { mv, proof }),
            Some(proof) => mistake.worse.push(MoveWorth { mv, proof }),
        }
    }
    mistake
}

fn action_text(action: &Action) -> String {
    match action {
        Action::Move(mv) => mv.clone(),
        Action::Fault(what) => what.clone(),
        Action::Resigned => "resigned".into(),
    }
}
