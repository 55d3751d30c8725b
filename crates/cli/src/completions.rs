//! `ludex completions`: scripts for shells.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex completions bash > ~/.local/share/bash-completion/completions/ludex
  ludex completions fish > ~/.config/fish/completions/ludex.fish")]
pub(crate) struct Args {
    /// Which shell
    shell: Shell,
}

pub(crate) fn run<C: CommandFactory>(args: &Args) -> anyhow::Result<()> {
    // Through a buffer, because the generator panics when its reader goes away.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut C::command(), "ludex", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(())
}
