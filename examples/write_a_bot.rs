//! An Othello program as courses hand it in: eight rows and a colour as arguments, a move as
//! answer. Build it, and let it play:
//!
//! ```sh
//! cargo build -p examples --bin write-a-bot
//! ludex match argv:target/debug/write-a-bot greedy
//! ```

use programs::othello::{read, text};
use reversi::{Board, Discs, Square};

/// What a board is worth to the player who has just moved: corners first, then few replies.
fn value(after: Board) -> i32 {
    const CORNERS: u64 = 0x8100_0000_0000_0081;
    // The opponent is to move, so `other` are the discs of the player who has moved.
    let corners = |discs: Discs| (discs.0 & CORNERS).count_ones() as i32;
    10 * (corners(after.other) - corners(after.own)) - after.moves().0.count_ones() as i32
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match read(&arguments) {
        Ok(position) => {
            let board = position.board();
            let moves = Square::all().filter(|&square| board.moves().contains(square));
            let best = moves.max_by_key(|&square| value(board.play(square)));
            println!("{}", text(best));
        }
        Err(error) => {
            eprintln!("write-a-bot: {error}");
            std::process::exit(2);
        }
    }
}
