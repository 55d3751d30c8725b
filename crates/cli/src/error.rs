//! What goes wrong, in one line and one exit status.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// The user's doing: bad usage or bad input, so that `ludex` exits with status 2.
#[derive(Debug)]
pub(crate) struct BadInput(String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// An error that is the user's doing; the text names the bad value and where it stands.
pub(crate) fn bad_input(message: impl fmt::Display) -> anyhow::Error {
    anyhow::Error::new(BadInput(message.to_string()))
}

/// Says what went wrong, if anything, and how to exit.
pub(crate) fn status(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    let broken_pipe = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe);
    if broken_pipe {
        // The reader has seen enough, as `head` does.
        return ExitCode::SUCCESS;
    }
    eprintln!("ludex: {error:#}");
    if error.chain().any(|cause| cause.is::<BadInput>()) {
        ExitCode::from(2)
    } else {
        ExitCode::FAILURE
    }
}

/// Shows help where that was asked for, or tells in one line what is wrong with the usage.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // Nobody is left to tell if this cannot be printed.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(2)
        }
        _ => {
            let subcommand = std::env::args().nth(1).unwrap_or_default();
            eprintln!("ludex: {}", one_line(&error.to_string(), &subcommand));
            ExitCode::from(2)
        }
    }
}

/// The first paragraph of a clap message, and where to read more: where the message says
/// so, else in the help of the subcommand.
fn one_line(message: &str, subcommand: &str) -> String {
    let first = message.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    let text = words.join(" ");
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let usage = message
        .lines()
        .find_map(|line| line.strip_prefix("Usage: "))
        .map_or_else(|| format!("ludex {subcommand}"), str::to_string);
    let command: Vec<&str> = usage
        .split_whitespace()
        .take_while(|word| !word.starts_with(['<', '[', '-']))
        .collect();
    format!("{text} (see {} --help)", command.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_messages_become_one_line() {
        let message = "error: the following required arguments were not provided:\n  <GAME>\n\n\
                       Usage: ludex moves <GAME> [POSITION]\n\nFor more information, try '--help'.\n";
        assert_eq!(
            one_line(message, "moves"),
            "the following required arguments were not provided: <GAME> (see ludex moves --help)"
        );
    }
}
