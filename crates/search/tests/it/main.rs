//! Every search on every game.

mod agree;
mod limits;
mod mcts;
mod node_counts;

fn reversi_start() -> reversi::Position {
    reversi::Position::start()
}

fn gipf_start(variant: &str) -> gipf::Position {
    variant.parse().unwrap()
}

fn mmpawns_start() -> mmpawns::Position {
    let text = "A 1 BB-B*-BB/--------/---*----/--------/--------/--*-----/--------/A-AA*AAA";
    text.parse().unwrap()
}
