//! Plays whole games by the trait that all games have: `cargo run -p examples --bin play-a-game`.

use rules::{Game, Outcome};

/// The move that leaves the opponent the fewest replies.
fn choose<G: Game>(position: &G) -> G::Move {
    let replies = |&mv: &G::Move| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        next.moves().len()
    };
    let best = position.moves().into_iter().min_by_key(replies);
    best.expect("a position without an outcome has a move")
}

/// Plays from this position to the end, or for so many plies, and prints the moves.
fn play<G: Game>(mut position: G, plies: usize) {
    let mut moves = Vec::new();
    while position.outcome().is_none() && moves.len() < plies {
        let mv = choose(&position);
        moves.push(position.move_text(mv));
        position.play(mv).expect("a legal move");
    }
    let end = match position.outcome() {
        Some(Outcome::Win(side)) => format!("{} wins", G::side_name(side)),
        Some(Outcome::Draw) => "a draw".to_owned(),
        None => "not over".to_owned(),
    };
    println!("{}: {}\n{end}: {position}", G::NAME, moves.join(" "));
}

fn main() -> Result<(), rules::PositionError> {
    play(reversi::Position::start(), usize::MAX);
    // GIPF can go round in circles.
    play("2 2 5 5".parse::<gipf::Position>()?, 100);
    Ok(())
}
