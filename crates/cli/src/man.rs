//! `ludex man`: the manual pages.

use std::path::PathBuf;

use clap::CommandFactory;

use crate::error::bad_input;

/// Write the manual pages of all commands into a folder
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex man ~/.local/share/man/man1
  ludex man . && man ./ludex-play.1")]
pub(crate) struct Args {
    /// The folder, which must exist
    folder: PathBuf,
}

pub(crate) fn run<C: CommandFactory>(args: &Args) -> anyhow::Result<()> {
    clap_mangen::generate_to(C::command(), &args.folder)
        .map_err(|error| bad_input(format!("{}: {error}", args.folder.display())))
}
