//! The exact value of an Othello position near its end, and the best move:
//! `cargo run -p examples --bin solve-a-position`.

use othello::solve_exact;
use rules::Game;

fn main() -> Result<(), rules::PositionError> {
    // Black to move, with ten empty squares.
    let position: reversi::Position =
        "--OOOO--X-OOOOX-XXOOXXXXXXOXOOXXXXXOOOXXXXOOOXXX--OOOO-X--OOOO-- X".parse()?;
    let value = solve_exact(position.board());
    println!("with best play the mover ends {value:+} discs ahead");
    for mv in position.moves() {
        let mut next = position;
        next.play_unchecked(mv);
        // What is good for the opponent is bad for the mover.
        println!(
            "  {}: {:+}",
            position.move_text(mv),
            -solve_exact(next.board())
        );
    }
    Ok(())
}
