//! `ludex train`: making the numbers that the engines play by; one module per game.

mod gipf;
mod gipf_move_ordering;
mod gipf_proof_numbers;
mod gipf_standard;
mod mmpawns;
mod othello;
mod othello_cuts;

use clap::Subcommand;

/// Make the numbers that are embedded in the engines, from nothing but the rules
#[derive(clap::Args)]
#[command(after_help = "\
Every embedded number and the command that makes it:
  crates/othello/weights/othello.weights       ludex train othello run
  crates/othello/weights/othello.network       ludex train othello network
  crates/othello/src/probcut.rs (COEFFICIENTS) ludex train othello-cuts
  crates/othello/data/othello.book             ludex book grow
  crates/gipf-engine/src/player/eval.rs        ludex train gipf
  crates/gipf-engine/src/solve/defender/       ludex train gipf-move-ordering
  crates/gipf-engine/src/solve/proof_number/   ludex train gipf-proof-numbers
  crates/gipf-standard-engine/src/weights.bin  ludex train gipf-standard
  crates/mmpawns-engine/src/weights.rs         ludex train mmpawns")]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(Subcommand)]
enum Game {
    Gipf(gipf::Args),
    GipfMoveOrdering(gipf_move_ordering::Args),
    GipfProofNumbers(gipf_proof_numbers::Args),
    GipfStandard(gipf_standard::Args),
    Mmpawns(mmpawns::Args),
    Othello(othello::Args),
    OthelloCuts(othello_cuts::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.game {
        Game::Gipf(args) => gipf::run(args),
        Game::GipfMoveOrdering(args) => gipf_move_ordering::run(args),
        Game::GipfProofNumbers(args) => gipf_proof_numbers::run(args),
        Game::GipfStandard(args) => gipf_standard::run(args),
        Game::Mmpawns(args) => mmpawns::run(args),
        Game::Othello(args) => othello::run(args),
        Game::OthelloCuts(args) => othello_cuts::run(args),
    }
}
