//! What goes wrong, in one line and one exit status.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use tournament::StoreError;

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

/// Writes lines to standard error, if anybody reads there. What they are about may have a
/// stranger's name.
pub(crate) fn note(text: impl fmt::Display) {
    for line in text.to_string().split('\n') {
        let _ = writeln!(io::stderr(), "{}", referee::printable(line));
    }
}

/// Says what went wrong. However long the input is that the message repeats, it stays short.
fn fail(message: &str) {
    let words = message.split(' ').map(|word| shortened(word, LONGEST_WORD));
    let message = words.collect::<Vec<_>>().join(" ");
    note(format_args!(
        "ludex: {}",
        shortened(&message, LONGEST_MESSAGE)
    ));
}

/// So many characters of a word are shown, as of a path.
const LONGEST_WORD: usize = 300;

/// So many characters of a whole message are shown.
const LONGEST_MESSAGE: usize = 1000;

/// The beginning and the end of a text that is longer than this.
fn shortened(text: &str, most: usize) -> String {
    let place = |number: usize| text.char_indices().nth(number).map(|(place, _)| place);
    if place(most).is_none() {
        return text.into();
    }
    let mut ends = text.char_indices().rev();
    let end = ends.nth(most / 3).map_or(0, |(place, _)| place);
    let begin = place(most - most / 3 - 2).unwrap_or_default();
    format!("{}…{}", &text[..begin], &text[end..])
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
    fail(&causes(&error));
    if error.chain().any(is_bad_input) {
        ExitCode::from(2)
    } else {
        ExitCode::FAILURE
    }
}

/// Whether the user named something that cannot be used.
fn is_bad_input(cause: &(dyn std::error::Error + 'static)) -> bool {
    use StoreError::{Missing, Open, OtherKind};
    let store = cause.downcast_ref::<StoreError>();
    cause.is::<BadInput>() || matches!(store, Some(Open { .. } | OtherKind { .. } | Missing { .. }))
}

/// The error and its causes, but for those that only say again what came before.
fn causes(error: &anyhow::Error) -> String {
    let add = |text: String, cause: String| match text.ends_with(&cause) {
        true => text,
        false => format!("{text}: {cause}"),
    };
    let causes = error.chain().map(ToString::to_string);
    causes.reduce(add).unwrap_or_default()
}

/// Shows help where that was asked for, or says in one line what is wrong with the usage
/// of `command`.
pub(crate) fn usage(error: &clap::Error, command: &clap::Command) -> ExitCode {
    use clap::error::ErrorKind;
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // Nobody is left to read if this cannot be printed.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(2)
        }
        _ => {
            let words = std::env::args_os().skip(1);
            let words: Vec<String> = words.map_while(|word| word.into_string().ok()).collect();
            let path = path(command, &words);
            fail(&one_line(&error.to_string(), &path));
            ExitCode::from(2)
        }
    }
}

/// The command and its subcommands as far as the words name them: `ludex solve mmpawns`.
fn path(command: &clap::Command, words: &[String]) -> String {
    let mut path = command.get_name().to_string();
    let mut at = command;
    for word in words {
        let Some(next) = at.find_subcommand(word) else {
            break;
        };
        path = format!("{path} {}", next.get_name());
        at = next;
    }
    path
}

/// The first paragraph of a clap message, and in whose help to read more.
fn one_line(message: &str, path: &str) -> String {
    let first = message.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    let text = words.join(" ");
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    format!("{text} (see {path} --help)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_once() {
        let error = anyhow::anyhow!("it is no database")
            .context("cannot open a.db: it is no database")
            .context("nothing is kept");
        assert_eq!(
            causes(&error),
            "nothing is kept: cannot open a.db: it is no database"
        );
    }

    #[test]
    fn what_is_long_is_shortened_in_the_middle() {
        assert_eq!(shortened("twelve chars", 12), "twelve chars");
        assert_eq!(shortened("thirteen char", 12), "thirte… char");
        for text in ["x".repeat(5000), "é".repeat(5000), "a b ".repeat(5000)] {
            let short = shortened(&text, LONGEST_WORD);
            assert_eq!(short.chars().count(), LONGEST_WORD);
            assert_eq!(shortened(&short, LONGEST_WORD), short);
        }
    }

    #[test]
    fn clap_messages_become_one_line() {
        let message = "error: the following required arguments were not provided:\n  <GAME>\n\n\
                       Usage: ludex moves <GAME> [POSITION]\n\nFor more information, try '--help'.\n";
        assert_eq!(
            one_line(message, "ludex moves"),
            "the following required arguments were not provided: <GAME> (see ludex moves --help)"
        );
    }

    #[test]
    fn whole_subcommands_are_named() {
        let solve = clap::Command::new("solve").subcommand(clap::Command::new("gipf"));
        let command = clap::Command::new("ludex").subcommand(solve);
        for (words, expected) in [
            ("", "ludex"),
            ("chess", "ludex"),
            ("solve chess", "ludex solve"),
            ("solve gipf --x", "ludex solve gipf"),
            ("--x solve", "ludex"),
        ] {
            let words: Vec<String> = words.split(' ').map(str::to_string).collect();
            assert_eq!(path(&command, &words), expected);
        }
    }
}
