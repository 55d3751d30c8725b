//! A player of published GIPF: the text of a position in a line of standard input, a move in a
//! line of standard output. Build it, and let it play:
//!
//! ```sh
//! cargo build -p examples --bin write-a-line-bot
//! ludex match line:target/debug/write-a-line-bot greedy --game gipf-standard
//! ```

use std::io::BufRead;

use gipf_standard::Position;
use rules::{Evaluate, Game};

/// What a move is worth: the end of the game, or pieces.
fn value(position: &Position, mv: gipf_standard::Move) -> i32 {
    let mut next = *position;
    next.play_unchecked(mv);
    match next.outcome() {
        Some(outcome) => 1000 * outcome.sign_for(position.side_to_move()),
        None => -next.evaluate(),
    }
}

fn main() {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).expect("input");
    match line.parse::<Position>() {
        Ok(position) => {
            let moves = position.moves().into_iter();
            let best = moves.max_by_key(|&mv| value(&position, mv));
            if let Some(best) = best {
                println!("{}", position.move_text(best));
            }
        }
        Err(error) => {
            eprintln!("write-a-line-bot: {error}");
            std::process::exit(2);
        }
    }
}
