//! Boards as they are loaded: what is counted before one is accepted.

use ::gipf::{Variant, text};
use rules::Side;

use super::fault::Fault;
use super::state::State;

/// The board, or the first error that applies. The lines before the rows can be read.
pub(super) fn load(
    variant: &str,
    reserves: &str,
    rows: &[&str],
    fault: Fault,
) -> Result<State, String> {
    let unreadable = |what: &str| what.to_string();
    let variant = text::read_variant(variant).map_err(|error| error.to_string())?;
    let words: Vec<&str> = reserves.split_whitespace().collect();
    let [white, black, side] = words[..] else {
        return Err(unreadable(reserves));
    };
    let number = |text: &str| text.parse().map_err(|_| unreadable(text));
    let state = State {
        stones: stones(variant, rows, fault),
        variant,
        reserves: [number(white)?, number(black)?],
        side: if side == "W" {
            Side::First
        } else {
            Side::Second
        },
        pushed: [0; 2],
    };
    let mut checks = [
        wrong_lengths(variant, rows, fault).then(|| "WRONG_BOARD_ROW_LENGTH".into()),
        wrong_number(&state, Side::First, fault),
        wrong_number(&state, Side::Second, fault),
        match found(&state, fault) {
            0 => None,
            1 => Some("ERROR_FOUND_1_ROW_OF_LENGTH_K".into()),
            many => Some(format!("ERROR_FOUND_{many}_ROWS_OF_LENGTH_K")),
        },
    ];
    match fault {
        Fault::LoadsBlackFirst => checks.swap(1, 2),
        Fault::LoadsRowsFirst => checks[1..].rotate_right(1),
        Fault::LoadsStonesBeforeLengths => checks[..3].rotate_left(1),
        Fault::LoadsRunsBeforeLengths => checks.rotate_right(1),
        _ => {}
    }
    match checks.into_iter().flatten().next() {
        Some(error) => Err(error),
        None => Ok(state),
    }
}

/// The points of a row.
fn points(row: &str) -> impl Iterator<Item = char> {
    row.chars().filter(|letter| !letter.is_whitespace())
}

/// Whether the rows are not those of the board.
fn wrong_lengths(variant: Variant, rows: &[&str], fault: Fault) -> bool {
    let right = ::gipf::Geometry::of(variant.size()).rows().map(<[u8]>::len);
    let right: Vec<usize> = right.collect();
    let lengths: Vec<usize> = rows.iter().map(|row| points(row).count()).collect();
    let count = match fault {
        Fault::LoadsFewerRows => lengths.len() > right.len(),
        Fault::LoadsMoreRows => lengths.len() < right.len(),
        _ => lengths.len() != right.len(),
    };
    if fault == Fault::LoadsAllPointsTogether {
        return lengths.iter().sum::<usize>() != right.iter().sum::<usize>();
    }
    let mut rows = lengths.iter().zip(&right).enumerate();
    count
        || rows.any(|(row, (found, right))| match fault {
            Fault::LoadsAnyLengthOf(which) => row != which && found != right,
            Fault::LoadsLongRows => found < right,
            Fault::LoadsShortRows => found > right,
            _ => found != right,
        })
}

fn stones(variant: Variant, rows: &[&str], fault: Fault) -> [u128; 2] {
    let mut stones = [0; 2];
    let geometry = ::gipf::Geometry::of(variant.size());
    let all: Vec<(char, u8)> = if fault == Fault::LoadsAllPointsTogether {
        let letters = rows.iter().flat_map(|row| points(row));
        letters.zip(geometry.rows().flatten().copied()).collect()
    } else {
        let rows = rows.iter().zip(geometry.rows());
        rows.flat_map(|(row, right)| points(row).zip(right.iter().copied()))
            .collect()
    };
    for (letter, point) in all {
        match letter {
            'W' => stones[0] |= 1 << point,
            'B' => stones[1] |= 1 << point,
            _ => {}
        }
    }
    stones
}

/// What is said if a player has too many stones.
fn wrong_number(state: &State, side: Side, fault: Fault) -> Option<String> {
    let on_board = state.stones[side.index()].count_ones() as u16;
    let all = on_board.saturating_add(state.reserves[side.index()]);
    let whole = state.variant.stones(match fault {
        Fault::LoadsTotalsExchanged => !side,
        Fault::LoadsOneTotal => Side::First,
        _ => side,
    });
    let wrong = match fault {
        Fault::LoadsOnlyWholeSets => all != whole,
        Fault::LoadsWithoutReserves => on_board > whole,
        Fault::LoadsAnyNumber => false,
        _ => all > whole,
    };
    let name = ["WHITE", "BLACK"][side.index()];
    wrong.then(|| format!("WRONG_{name}_PAWNS_NUMBER"))
}

/// How many rows should have been taken off.
fn found(state: &State, fault: Fault) -> usize {
    let lines = state.geometry().lines();
    let run = usize::from(state.variant.run());
    let mut all = 0;
    for side in Side::BOTH {
        if fault == Fault::LoadsRowsOf(side.index()) {
            continue;
        }
        for (number, line) in lines.iter().enumerate() {
            if fault == Fault::LoadsRowsAlong(number / (lines.len() / 3)) {
                continue;
            }
            let runs = line.split(|point| state.at(*point) != Some(side));
            let most = match fault {
                Fault::LoadsRunsAtMost(most) => most,
                _ => usize::MAX,
            };
            let lengths = runs.map(<[u8]>::len);
            let lengths: Vec<usize> = lengths.filter(|len| (run..=most).contains(len)).collect();
            all += match fault {
                Fault::LoadsEveryWindow => lengths.iter().map(|len| len + 1 - run).sum(),
                Fault::LoadsLinesOnce => lengths.len().min(1),
                Fault::LoadsExactRuns => lengths.iter().filter(|len| **len == run).count(),
                _ => lengths.len(),
            };
        }
    }
    match fault {
        Fault::LoadsRowsAtMost(most) => all.min(most),
        _ => all,
    }
}
