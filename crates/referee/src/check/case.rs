//! A case: what the program is given, and what it must make of it.

use ::mmpawns::matrix::Matrix;

use crate::{Input, quoted};

/// One case.
pub(super) struct Case {
    /// Unique among the cases of its program.
    pub(super) name: String,
    /// The rule of the document that it is about.
    pub(super) rule: &'static str,
    /// What the program gets.
    pub(super) ask: Ask,
    /// What it must do.
    pub(super) want: Want,
}

/// The rule of cases that only a program fails which runs out of something: they are long, so of
/// the mutants only those of that kind are tried on them.
pub(super) const LONG: &str = "long sessions and long lines are answered to the end";

/// The rule of dialogues that are drawn from the seed. Nobody knows them who does not know the seed,
/// so they count as much as all others, which are the same with every seed.
pub(super) const GAMES: &str = "random dialogues: all rules together";

/// What a program gets.
pub(super) enum Ask {
    /// Arguments.
    Args(Vec<String>),
    /// All of standard input at once.
    Stdin(Vec<u8>),
    /// Standard input piece by piece, with the output expected after each before the
    /// next piece is sent.
    Steps(Vec<Step>),
    /// `matrix.txt`, or none.
    Matrix(Option<Vec<u8>>),
}

/// One piece of a dialogue.
pub(super) struct Step {
    /// What is sent.
    pub(super) input: Vec<u8>,
    /// How many bytes of output must be there before the next piece.
    pub(super) until: usize,
}

/// What a program must do.
pub(super) enum Want {
    /// Print exactly this, and end with status 0.
    Output(Vec<u8>),
    /// Print exactly this, say something on standard error, and end with this status.
    Complaint {
        /// Standard output.
        output: Vec<u8>,
        /// A line of standard error; any will do if there is none.
        errors: Option<&'static str>,
        /// The exit status.
        status: i32,
    },
    /// Print a legal move of this position, as a referee reads it.
    Move(::reversi::Position),
    /// Print a legal move of this position in one line, as a referee reads it.
    Play(gipf_standard::Position),
    /// Print one of these lines and nothing else.
    OneOf(Vec<String>),
    /// Say on standard error in one line what is wrong, print nothing, end with status 2,
    /// and leave `matrix.txt` as it is.
    Refusal {
        /// The line must hold one of these, if there are any.
        names: Vec<String>,
    },
    /// Rewrite `matrix.txt` with a legal move.
    Rewrite(Box<Matrix>),
    /// Rewrite it with exactly this first line: the only legal result.
    Result {
        /// The file before.
        before: Box<Matrix>,
        /// The first line after.
        first_line: &'static str,
    },
    /// Be a file of at most so many bytes.
    Size(u64),
}

impl Case {
    /// A case with standard input.
    pub(super) fn stdin(
        name: impl Into<String>,
        rule: &'static str,
        input: impl Into<Vec<u8>>,
        want: Want,
    ) -> Case {
        Case {
            name: name.into(),
            rule,
            ask: Ask::Stdin(input.into()),
            want,
        }
    }

    /// What a program gets that is run from start to end.
    pub(super) fn as_input(&self) -> Input {
        let mut input = Input::default();
        match &self.ask {
            Ask::Args(args) => input.args.clone_from(args),
            Ask::Stdin(bytes) => input.stdin = Some(bytes.clone().into()),
            Ask::Steps(_) => input.stdin = Some(self.input().into()),
            Ask::Matrix(content) => input.file = content.clone().map(Into::into),
        }
        input
    }

    /// The input as one piece.
    pub(super) fn input(&self) -> Vec<u8> {
        match &self.ask {
            Ask::Args(args) => args.join(" ").into_bytes(),
            Ask::Stdin(input) => input.clone(),
            Ask::Steps(steps) => steps.iter().flat_map(|step| step.input.clone()).collect(),
            Ask::Matrix(content) => content.clone().unwrap_or_default(),
        }
    }

    /// The right output, where there is just one.
    pub(super) fn expected(&self) -> Option<&[u8]> {
        match &self.want {
            Want::Output(output) | Want::Complaint { output, .. } => Some(output),
            _ => None,
        }
    }

    /// A shell command that runs the program on the same input.
    pub(super) fn reproduce(&self, command: &[String]) -> String {
        let words = |more: &[String]| {
            let all: Vec<String> = command
                .iter()
                .chain(more)
                .map(|word| quoted(word))
                .collect();
            all.join(" ")
        };
        match &self.ask {
            Ask::Args(args) => words(args),
            Ask::Stdin(_) | Ask::Steps(_) => {
                let printed = printf(&self.input());
                format!("{printed} | {}", words(&[]))
            }
            Ask::Matrix(None) => format!("rm -f matrix.txt; {}", words(&[])),
            Ask::Matrix(Some(content)) => {
                let printed = printf(content);
                format!("{printed} > matrix.txt; {}", words(&[]))
            }
        }
    }
}

/// A `printf` command that writes these bytes, however many.
fn printf(bytes: &[u8]) -> String {
    let mut text = String::from("printf '");
    for &byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\\' => text.push_str("\\\\"),
            b'%' => text.push_str("%%"),
            b'\'' => text.push_str("'\\''"),
            b' '..=b'~' => text.push(byte.into()),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_print_the_very_bytes() {
        for bytes in [
            &b"d3\n=\n"[..],
            b"100% 'quoted' \\ back\r\n",
            &[0, 1, 0xff, b'7', b'\t'],
        ] {
            let output = std::process::Command::new("sh")
                .args(["-c", &printf(bytes)])
                .output()
                .unwrap();
            assert_eq!(output.stdout, bytes, "{}", printf(bytes));
        }
    }
}
