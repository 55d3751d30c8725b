//! Sessions of GIPF taken apart: which command a line of the output answers.

use ::gipf::{Position, text};

use super::gipf::run;

/// A line of the right output: which command it answers.
pub(super) struct AnswerAt {
    /// The command.
    pub(super) command: String,
    /// The board before the command, if one is loaded.
    pub(super) position: Option<Position>,
    /// The place of the line in the answer, from 0.
    pub(super) place: usize,
}

/// The command that a line of the right output answers, counted from 1.
pub(super) fn answer_at(input: &str, line: usize) -> Option<AnswerAt> {
    let lines = |input: &str| {
        let output = run(input).0;
        output.split(|byte| *byte == b'\n').count() - 1
    };
    let mut before = 0;
    // What comes before a board is loaded does not matter after it.
    for group in groups(input) {
        let all = lines(&group.concat());
        if line > before + all {
            before += all;
            continue;
        }
        let mut answered = before;
        for count in 1..=group.len() {
            let until = before + lines(&group[..count].concat());
            if line <= until {
                let board = format!("{}PRINT_GAME_BOARD\n", group[..count - 1].concat());
                let first = group[count - 1].lines().find(|line| is_command(line))?;
                return Some(AnswerAt {
                    command: first.trim().into(),
                    position: printed(&run(&board).0),
                    place: line - answered - 1,
                });
            }
            answered = until;
        }
    }
    None
}

/// Whether a line is a command, as far as a reader of boards can see.
fn is_command(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !text::is_row(line) && !line.starts_with(|c: char| c.is_ascii_digit())
}

/// The commands with the lines that belong to them; a group begins where a board is loaded.
fn groups(input: &str) -> Vec<Vec<String>> {
    let mut groups: Vec<Vec<String>> = vec![Vec::new()];
    for line in input.split_inclusive('\n') {
        if is_command(line) {
            if line.trim() == "LOAD_GAME_BOARD" {
                groups.push(Vec::new());
            }
            if let Some(group) = groups.last_mut() {
                group.push(line.into());
            }
        } else if let Some(group) = groups.last_mut() {
            match group.last_mut() {
                Some(command) => command.push_str(line),
                None => group.push(line.into()),
            }
        }
    }
    groups
}

/// The board that was printed last.
fn printed(output: &[u8]) -> Option<Position> {
    let output = String::from_utf8_lossy(output);
    let lines: Vec<&str> = output.lines().filter(|line| !line.is_empty()).collect();
    let rows = lines.iter().rev().take_while(|line| text::is_row(line));
    let first = lines.len() - rows.count();
    let head = lines.get(first.checked_sub(2)?..first)?;
    text::load(head[0], head[1], &lines[first..]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::gipf::{SMALL, START};

    #[test]
    fn lines_are_traced_to_their_commands() {
        let input = format!("{SMALL}PRINT_GAME_BOARD\nDO_MOVE a1-b1\nIS_GAME_OVER\n{START}");
        for (line, command, place) in [
            (1, "LOAD_GAME_BOARD", 0),
            (2, "PRINT_GAME_BOARD", 0),
            (6, "PRINT_GAME_BOARD", 4),
            (8, "DO_MOVE a1-b1", 0),
            (9, "IS_GAME_OVER", 0),
            (10, "LOAD_GAME_BOARD", 0),
        ] {
            let found = answer_at(&input, line).unwrap();
            assert_eq!((found.command.as_str(), found.place), (command, place));
        }
        assert!(answer_at(&input, 11).is_none());
        assert!(answer_at(&input, 9).unwrap().position.is_some());
        assert!(answer_at(&input, 1).unwrap().position.is_none());
    }
}
