//! What a person types during a game.

/// A line that was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    Nothing,
    /// A move as the game writes it.
    Move(String),
    /// A move by its number in the list.
    Number(usize),
    Moves,
    Board,
    Hint,
    Undo,
    New,
    Save(String),
    Load(String),
    Resign,
    Help,
    Quit,
}

/// What `help` says.
pub(crate) const HELP: &str = "\
During a game you can type:
  d3, a1-b2, …   play this move; a number plays that one of the list
  moves (m)      list the moves you have
  hint (?)       what would a strong player do?
  undo (u)       take your last move back
  board (b)      draw the board again, and its text for other commands
  save FILE      write the game down
  load FILE      go on with a saved game
  new            begin again from the same start
  resign         give up
  help (h)       this list
  quit (q)       leave";

impl Command {
    /// Reads a line; every line that is no command is a move.
    pub(crate) fn read(line: &str) -> Result<Command, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let file = |command: fn(String) -> Command| {
            if rest.is_empty() {
                Err(format!("{word} wants the name of a file"))
            } else {
                Ok(command(rest.into()))
            }
        };
        match word.to_ascii_lowercase().as_str() {
            "save" => return file(Command::Save),
            "load" => return file(Command::Load),
            _ => {}
        }
        Ok(match line.to_ascii_lowercase().as_str() {
            "" => Command::Nothing,
            "moves" | "m" => Command::Moves,
            "board" | "b" => Command::Board,
            "hint" | "?" => Command::Hint,
            "undo" | "u" => Command::Undo,
            "new" => Command::New,
            "resign" => Command::Resign,
            "help" | "h" => Command::Help,
            "quit" | "q" | "exit" => Command::Quit,
            _ => match line.parse() {
                Ok(number) => Command::Number(number),
                Err(_) => Command::Move(line.into()),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, command: Command) {
        assert_eq!(Command::read(line), Ok(command));
    }

    #[test]
    fn commands_are_read() {
        check("  \t", Command::Nothing);
        check("d3\r\n", Command::Move("d3".into()));
        check("12", Command::Number(12));
        check("U", Command::Undo);
        check("save  my game.txt ", Command::Save("my game.txt".into()));
        check("a1-b2 w: b2 b5", Command::Move("a1-b2 w: b2 b5".into()));
        check("pass", Command::Move("pass".into()));
        assert_eq!(
            Command::read("load"),
            Err("load wants the name of a file".into())
        );
    }
}
