//! Chores of this workspace: `cargo xtask --help` lists them.

// These macros panic when the reader is gone: `step::say` and `step::note` do not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod conformance;
mod dist;
mod handin;
mod licences;
mod packages;
mod step;
mod suite;
mod test;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Chores of the Ludex workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Chore {
    /// Check everything: format, lints, tests, conformance, documentation, licences
    ///
    /// Installs what the tests need first: bwrap, a NATS server and a browser with its driver (where
    /// the system's package manager is apt), and axe-core (through npm).
    Test {
        /// Leave out the tests in a real browser
        #[arg(long)]
        no_browser: bool,
    },
    /// Run a folder of NAME.in / NAME.out cases through a program, show the first difference
    Conformance {
        /// The program to run
        program: PathBuf,
        /// The folder with the cases
        folder: PathBuf,
        /// Ignore blank lines and trailing blanks
        #[arg(long)]
        loose: bool,
    },
    /// Hold every package to the licences that deny.toml allows
    Licences,
    /// Build the four programs as they are handed in, and check their size
    Handin,
    /// Make the archive of a release for this platform, in target/dist
    ///
    /// The command, the four programs, completions, manual pages, and all licences.
    Dist,
    /// Try random inputs on every parser, or on one
    ///
    /// The targets are the tests of the crate `fuzz`: ggf, obf, transcript, wthor, matrix,
    /// gipf_load, positions, notation, book, tournament_file, programs_file, game_record, forms, zip,
    /// tar, tgz, language_file.
    Fuzz(test::Fuzz),
    /// Let the MMPawns program play itself under the clock of a tournament: hours for a thousand games
    Soak(test::Soak),
    /// Search for the grader's Reversi dialogues again and print them: minutes
    Dialogues {
        /// At most so many random games
        #[arg(long, default_value_t = 3_000_000)]
        games: u32,
    },
    /// Search for the grader's positions of published GIPF again and print them: minutes
    Positions {
        /// At most so many positions
        #[arg(long, default_value_t = 20_000)]
        positions: u32,
    },
    /// Search for the grader's endgames of GIPF again and print them: minutes
    Endings {
        /// Look at so many random boards
        #[arg(long, default_value_t = 20_000)]
        boards: u32,
    },
    /// Compare what reviews prove with tables and with plain search, on thousands of positions
    Proofs {
        /// So many games of each kind
        #[arg(long, default_value_t = 60)]
        games: u32,
    },
    /// Run the collections of hostile programs and hand-ins over and over
    Hostile {
        /// So many times
        #[arg(long, default_value_t = 20)]
        rounds: u32,
    },
    /// Kill a course that is being served, at random moments, and see that nothing is lost
    Kills {
        /// So often
        #[arg(long, default_value_t = 50)]
        times: u32,
    },
    /// Kill workers, coordinators and NATS servers of a cup at random moments: half an hour
    ClusterKills {
        /// So often
        #[arg(long, default_value_t = 200)]
        times: u32,
    },
    /// Take the README's pictures anew, in a real browser
    Screenshots,
}

fn main() -> ExitCode {
    let done = match Chore::parse() {
        Chore::Test { no_browser } => test::run(test::Options {
            browser: !no_browser,
        }),
        Chore::Conformance {
            program,
            folder,
            loose,
        } => conformance::run(&program, &folder, loose),
        Chore::Licences => licences::check(),
        Chore::Handin => handin::build().map(|_| ()),
        Chore::Dist => dist::run(),
        Chore::Fuzz(fuzz) => test::fuzz(&fuzz),
        Chore::Soak(soak) => test::soak(&soak),
        Chore::Dialogues { games } => test::dialogues(games),
        Chore::Positions { positions } => test::positions(positions),
        Chore::Endings { boards } => test::endings(boards),
        Chore::Proofs { games } => test::proofs(games),
        Chore::Hostile { rounds } => test::hostile(rounds),
        Chore::Kills { times } => test::kills(times),
        Chore::ClusterKills { times } => test::cluster_kills(times),
        Chore::Screenshots => test::screenshots(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            step::note(format_args!("xtask: {e:#}"));
            ExitCode::FAILURE
        }
    }
}
