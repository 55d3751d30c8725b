//! A small GIPF interpreter, slow and obvious, whose rules can have one fault.

mod choices;
mod fault;
mod loading;
mod rows;
mod rules;
mod solving;
mod state;

use std::collections::HashMap;
use std::fmt::Write;

use ::gipf::{Field, text};
use ::rules::Side;

pub(super) use self::fault::{Fault, Part};
use self::rules::Rules;
use self::state::State;

/// The interpreter.
struct Interpreter {
    fault: Fault,
    state: Option<State>,
    bad_move: Option<String>,
    /// What has been said of boards, for a program that remembers it: with the plies it was asked for.
    said: HashMap<(State, Option<u32>), String>,
    output: String,
}

/// The answers to commands on well-formed boards.
pub(super) fn run(input: &str, fault: Fault) -> String {
    let mut interpreter = Interpreter {
        fault,
        state: None,
        bad_move: None,
        said: HashMap::new(),
        output: String::new(),
    };
    let lines = input.lines().map(str::trim_end).filter(|l| !l.is_empty());
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        if line == "LOAD_GAME_BOARD" {
            let variant = lines.next().unwrap_or_default();
            let reserves = lines.next().unwrap_or_default();
            let mut rows: Vec<&str> = Vec::new();
            while let Some(row) = lines.next_if(|line| text::is_row(line)) {
                rows.push(row);
            }
            interpreter.load(variant, reserves, &rows);
        } else {
            interpreter.obey(line);
        }
    }
    interpreter.output
}

impl Interpreter {
    fn say(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.output, "{line}");
    }

    fn load(&mut self, variant: &str, reserves: &str, rows: &[&str]) {
        self.bad_move = None;
        let before = self.state.take();
        let loaded = text::load(variant, reserves, rows);
        let readable = !matches!(loaded, Err(text::LoadError::Header(_)));
        let keeps = matches!(self.fault, Fault::LoadsKeepingAfter(_));
        if self.fault.is_of_loading() && readable && !keeps {
            match loading::load(variant, reserves, rows, self.fault) {
                Ok(state) => {
                    self.state = Some(state);
                    self.say("BOARD_STATE_OK");
                }
                Err(error) => self.say(error),
            }
            return;
        }
        match loaded {
            Ok(position) => {
                let setup = position.setup();
                self.state = Some(State {
                    variant: setup.variant,
                    stones: setup.stones,
                    reserves: setup.reserves,
                    side: setup.side,
                    pushed: [0; 2],
                });
                self.say("BOARD_STATE_OK");
            }
            Err(error) => self.say(error),
        }
        if let Fault::LoadsKeepingAfter(begin) = self.fault
            && self
                .output
                .lines()
                .last()
                .is_some_and(|line| line.starts_with(begin))
        {
            self.state = before;
        }
    }

    fn obey(&mut self, line: &str) {
        let (command, argument) = line.split_once(' ').unwrap_or((line, ""));
        if self.fault == Fault::BadMoveForgottenByQuestions && command != "PRINT_GAME_STATE" {
            self.bad_move = None;
        }
        let Some(state) = self.state.clone() else {
            self.say("EMPTY_BOARD");
            return;
        };
        let rules = Rules(self.fault);
        match command {
            "PRINT_GAME_BOARD" => self.say(state.print()),
            "DO_MOVE" => self.do_move(&state, argument),
            "PRINT_GAME_STATE" => {
                let text = self.state_of(&state, rules);
                self.say(text);
                if self.fault == Fault::BadMoveToldOnce {
                    self.bad_move = None;
                }
            }
            "IS_GAME_OVER" => self.say(match rules.winner(&state) {
                None => "GAME_IN_PROGRESS",
                Some(Side::First) => "THE_WINNER_IS_WHITE",
                Some(Side::Second) => "THE_WINNER_IS_BLACK",
            }),
            "WINNING_SEQUENCE_EXIST" => {
                let most = argument.trim().parse().unwrap_or(0);
                let text = match self.fault {
                    Fault::WinsFromMemory(part) => {
                        let known = self.said.entry((state.without(part), Some(most)));
                        let right = || Rules(Fault::None).winning(&state, most);
                        known.or_insert_with(right).clone()
                    }
                    _ => rules.winning(&state, most),
                };
                self.say(text);
            }
            "SOLVE_GAME_STATE" => {
                let text = self.solved(&state);
                self.say(text);
            }
            _ if command.starts_with("GEN_ALL_POS_MOV") => {
                let next = if command.contains("_EXT") {
                    rules.generated_or_win(&state)
                } else {
                    rules.generated(&state)
                };
                if command.ends_with("_NUM") {
                    self.say(format_args!("{}_UNIQUE_MOVES", next.len()));
                } else {
                    for state in next {
                        self.output.push_str(&state.print());
                    }
                }
            }
            _ => {}
        }
    }

    fn state_of(&self, state: &State, rules: Rules) -> String {
        let letter = ['W', 'B'][state.side.index()];
        if let Some(text) = &self.bad_move {
            return text.clone();
        }
        let full = state.occupied() == state.geometry().full();
        let dead = match self.fault {
            Fault::DeadLockIsWin => false,
            Fault::DeadLockBeforeReserve => full,
            _ => state.reserves[state.side.index()] > 0,
        };
        match rules.winner(state) {
            None => "in_progress".into(),
            Some(_) if dead => format!("dead_lock {letter}"),
            Some(Side::First) => "white_win".into(),
            Some(Side::Second) => "black_win".into(),
        }
    }

    fn do_move(&mut self, state: &State, argument: &str) {
        let words: Vec<&str> = argument.split_whitespace().collect();
        let first = match self.fault {
            Fault::BadMoveWithChoices => argument,
            _ => words.first().copied().unwrap_or_default(),
        };
        let letter = ['W', 'B'][state.side.index()];
        let kept = self.bad_move.take();
        if state.reserves[state.side.index()] == 0 {
            self.bad_move = Some(format!("bad_move {letter} {first}"));
            return; // Said on standard error.
        }
        match Rules(self.fault).moved(state, &words) {
            Ok(next) => {
                self.state = Some(next);
                if self.fault == Fault::BadMoveStays {
                    self.bad_move = kept;
                }
                self.say("MOVE_COMMITTED");
            }
            Err(error) => {
                if self.fault != Fault::BadMoveForgotten {
                    self.bad_move = Some(format!("bad_move {letter} {first}"));
                }
                self.spoil(state, words.first().copied().unwrap_or_default(), &error);
                self.say(error);
            }
        }
    }
}

impl Interpreter {
    /// What a move that is refused does to the board all the same.
    fn spoil(&mut self, state: &State, mv: &str, error: &str) {
        let mut spoilt = state.clone();
        match self.fault {
            Fault::BadMoveLosesTheTurn => spoilt.side = !spoilt.side,
            Fault::BadMoveCostsAStone => spoilt.reserves[spoilt.side.index()] -= 1,
            Fault::WrongChoiceKeepsThePush if error.starts_with("WRONG") => {
                let size = state.geometry().size();
                let entry = mv.split_once('-').and_then(|(from, to)| {
                    let [dot, target] = [from, to].map(|label| Field::from_label(label, size));
                    state.geometry().entry(dot?, target?)
                });
                let pushed = entry.and_then(|entry| {
                    let entry = &state.geometry().entries()[usize::from(entry)];
                    Rules(self.fault).push(state, entry)
                });
                spoilt = pushed.unwrap_or(spoilt);
            }
            _ => return,
        }
        self.state = Some(spoilt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, Subject};

    /// Without a fault it answers as the program does, where all boards are well-formed.
    #[test]
    fn without_a_fault_it_is_right() {
        let cases = Subject::Gipf.cases(&CheckOptions::default());
        let mut compared = 0;
        for case in &cases {
            let name = &case.name;
            if ["move-", "slide-", "remove-", "choice-", "game-", "winning-"]
                .iter()
                .any(|kind| name.starts_with(kind))
            {
                let input = String::from_utf8(case.input()).unwrap();
                let expected = String::from_utf8_lossy(case.expected().unwrap()).into_owned();
                assert_eq!(run(&input, Fault::None), expected, "{name}");
                compared += 1;
            }
        }
        assert!(compared > 40, "{compared}");
    }
}
