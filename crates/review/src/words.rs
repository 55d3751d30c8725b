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
    // Who was winning at the turns that are proven.
    let proven: Vec<(u32, Option<Side>)> = turns
        .iter()
        .filter_map(|judged| {
            let proof = judged.statement.proof()?;
            Some((judged.turn, winner(proof, judged.side.into())))
        })
        .collect();
    let Some(&(first, winning)) = proven.first() else {
        return "Nothing could be proven yet.".into();
    };
    let value = |winning| match winning {
        Some(side) => format!("{} was winning", who(played, side)),
        None => "the game was a draw".into(),
    };
    let changes = proven.windows(2).find(|pair| pair[0].1 != pair[1].1);
    if let Some(&[(before, was), (after, is)]) = changes {
        return format!(
            "The result changed between turns {before} and {after}, by a mistake that is not found yet: {}, and then {}.",
            value(was),
            value(is)
        );
    }
    let rest = match (played.outcome, winning) {
        (Some(Outcome::Win(won)), Some(side)) if won == side => " and won",
        _ => "",
    };
    format!(
        "No proven mistake changed the result: in every proven position from turn {first} on, {}{rest}.",
        value(winning)
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

#[cfg(test)]
mod tests {
    use games::Transcript;

    use super::*;
    use crate::report::Statement;

    /// What is said if this is proven of the turns of a game that Black won.
    fn said(proven: [Option<Value>; 4]) -> String {
        let transcript = Transcript::read(Some(games::REVERSI), "d3c3c4c5").unwrap();
        let played = Played::from_transcript(&transcript[0]).unwrap();
        let played = Played {
            outcome: Some(Outcome::Win(Side::First)),
            ..played
        };
        let turns: Vec<Judged> = played
            .turns
            .iter()
            .zip(proven)
            .map(|(turn, value)| Judged {
                turn: turn.number,
                side: turn.side.into(),
                position: turn.before.to_string(),
                played: String::new(),
                statement: value
                    .map_or(Statement::Unknown, |value| Statement::Proven(value.into())),
                worth: None,
            })
            .collect();
        summary(&played, None, &turns)
    }

    #[test]
    fn every_proof_counts_in_what_is_said_of_all() {
        use Value::{Draw, Loss, Win};
        assert_eq!(
            said([None, Some(Loss), Some(Win), None]),
            "No proven mistake changed the result: in every proven position from turn 2 on, Black was winning and won."
        );
        assert_eq!(
            said([Some(Draw), None, None, Some(Draw)]),
            "No proven mistake changed the result: in every proven position from turn 1 on, the game was a draw."
        );
        assert_eq!(
            said([Some(Loss), None, Some(Win), None]),
            "The result changed between turns 1 and 3, by a mistake that is not found yet: White was winning, and then Black was winning."
        );
        assert_eq!(said([None; 4]), "Nothing could be proven yet.");
    }
}
