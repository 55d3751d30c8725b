//! The review in words that a student understands.

use games::{GameName, Proof, Value};
use rules::{Outcome, Side};

use crate::mistake::{Kind, Mistake};
use crate::played::Played;
use crate::report::Judged;

/// So many moves are named in a sentence.
const NAMED_MOVES: usize = 3;

/// Where the game was decided, in one sentence.
pub(crate) fn summary(
    played: &Played,
    turning_point: Option<&Mistake>,
    turns: &[Judged],
) -> String {
    if let Some(mistake) = turning_point {
        return turning(played, mistake);
    }
    let proven = turns
        .iter()
        .find_map(|judged| Some((judged, judged.statement.proof()?)));
    let Some((judged, proof)) = proven else {
        return "Nothing could be proven yet.".into();
    };
    let value = match winner(proof, judged.side.into()) {
        Some(side) => format!("{} was winning", who(played, side)),
        None => "the game was a draw".into(),
    };
    let rest = match (played.outcome, winner(proof, judged.side.into())) {
        (Some(Outcome::Win(won)), Some(side)) if won == side => " and won",
        _ => "",
    };
    format!(
        "No proven mistake changed the result: in every proven position from turn {} on, {value}{rest}.",
        judged.turn
    )
}

/// The sentence about the move that decided the game.
fn turning(played: &Played, mistake: &Mistake) -> String {
    let side = mistake.side();
    let opponent = who(played, !side);
    let then = match mistake.worth.value {
        Value::Draw => "the game is a draw".to_string(),
        _ => format!("{opponent} wins{}", by(mistake.worth)),
    };
    let had = match mistake.best.value {
        Value::Win => format!("a proven win{}", by(mistake.best)),
        value => format!("a proven {value}"),
    };
    let start = format!("On turn {} {} had {had}", mistake.turn, who(played, side));
    if mistake.is_fault {
        return match mistake.refutation.is_empty() {
            true => format!("{start} and lost it by a fault: {}.", mistake.played),
            false => format!(
                "{start} and lost the turn by a fault ({}), after which {then}.",
                mistake.played
            ),
        };
    }
    let kept: Vec<&str> = mistake.kept.iter().map(|worth| worth.mv.as_str()).collect();
    let what = match mistake.best.value {
        Value::Win => "the win",
        _ => "the draw",
    };
    let instead = match &kept[..] {
        [] => String::new(),
        [only] => format!("; only {only} would have kept {what}"),
        [first, last] => format!("; {first} or {last} would have kept {what}"),
        [..] if kept.len() > NAMED_MOVES => format!(
            "; {} and {} other moves would have kept {what}",
            kept[0],
            kept.len() - 1
        ),
        [first @ .., last] => format!("; {} or {last} would have kept {what}", first.join(", ")),
    };
    // Only what is proven is said of the others.
    let instead = match mistake.open.is_empty() {
        true => instead,
        false => instead.replace("; only ", "; "),
    };
    format!(
        "{start} and played {}, after which {then}{instead}.",
        mistake.played
    )
}

/// `Black`, or `Black (greedy)` where the player has another name.
fn who(played: &Played, side: Side) -> String {
    name(played.game, side, &played.players[side.index()])
}

/// A player with side and name.
pub(crate) fn name(game: GameName, side: Side, player: &str) -> String {
    let color = game.side_name(side);
    match player == color {
        true => color.to_string(),
        false => format!("{color} ({player})"),
    }
}

fn winner(proof: Proof, mover: Side) -> Option<Side> {
    match proof.value {
        Value::Win => Some(mover),
        Value::Draw => None,
        Value::Loss => Some(!mover),
    }
}

/// ` by 6`, ` in 5 plies`, or nothing.
fn by(proof: Proof) -> String {
    match (proof.margin, proof.distance) {
        (Some(margin), _) => format!(" by {}", margin.abs()),
        (None, Some(1)) => " in 1 ply".into(),
        (None, Some(plies @ 2..)) => format!(" in {plies} plies"),
        (None, _) => String::new(),
    }
}

impl Mistake {
    /// What the mistake cost, in words: `win by 6 → loss by 2`.
    #[must_use]
    pub fn cost(&self) -> String {
        match self.kind {
            Kind::Slower(_) | Kind::Margin(_) => {
                format!("{}: {} → {}", self.kind, self.best, self.worth)
            }
            _ => format!("{} → {}", self.best, self.worth),
        }
    }
}
