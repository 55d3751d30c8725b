//! Dialogues of the Reversi program that between them show every rule: runs of every
//! length in every direction for both players, every square as the beginning and the end
//! of one, and squares that only a wrong program takes for legal.

use std::collections::BTreeSet;

use ::reversi::{Board, Position, Square};

use super::rays::Sight;

/// The dialogues, as `cargo xtask dialogues` finds them: Black's squares, and `==` for a pass.
const FOUND: &str = include_str!("dialogues.txt");

/// Dialogues with numbers as large and as small as they get, found by climbing from random
/// games: all discs are Black's, all are White's, White has to choose between two moves that turn
/// over very many, and single moves of both turn over discs in very many directions.
const EXTREMES: &str = include_str!("extremes.txt");

/// The largest and the smallest difference in a reply: every disc of a full board.
pub(super) const LARGEST: i32 = 64;
pub(super) const SMALLEST: i32 = -64;

/// So many discs turned over are not the most, though a move of an earlier square turns over
/// as many.
pub(super) const MOST_TURNED: u8 = 10;

/// The most discs that a move of Black, and of White, turns over, and in how many directions.
pub(super) const MOST_AT_ONCE: [u32; 2] = [18, 14];
pub(super) const MOST_DIRECTIONS: [u32; 2] = [8, 7];

/// Those dialogues as input, with nonsense after every move: it repeats the difference.
pub(super) fn extremes() -> Vec<Vec<u8>> {
    let text = |mv: Option<Square>| mv.map_or("=".into(), |square| square.to_string());
    let input = |line| read(line).map(|mv| format!("{}\n?\n", text(mv)));
    EXTREMES
        .lines()
        .map(|line| input(line).collect::<String>().into_bytes())
        .collect()
}

/// A dialogue as input, with squares on the way that must be refused.
pub(super) fn inputs() -> Vec<Vec<u8>> {
    let mut asked = BTreeSet::new();
    FOUND
        .lines()
        .map(|line| {
            let mut input = Vec::new();
            let mut board = Position::start().board();
            for mv in read(line) {
                for square in decoys(&board, &mut asked) {
                    input.extend_from_slice(format!("{square}\n").as_bytes());
                }
                let text = mv.map_or("=".into(), |square| square.to_string());
                input.extend_from_slice(format!("{text}\n").as_bytes());
                board = after(&board, mv).1;
            }
            input
        })
        .collect()
}

/// The board of a diagram, Black to move.
pub(super) fn board_of(rows: &[&str]) -> Board {
    let cells: Vec<u8> = rows.iter().flat_map(|row| row.bytes().take(8)).collect();
    let of = |disc: u8| {
        let squares = Square::all();
        let on = squares.filter(|square| cells.get(square.index()) == Some(&disc));
        on.collect()
    };
    Board {
        own: of(b'C'),
        other: of(b'B'),
    }
}

/// Black's moves; `None` is a pass.
fn read(line: &str) -> impl Iterator<Item = Option<Square>> {
    let moves = line.as_bytes().chunks(2);
    moves.map(|mv| std::str::from_utf8(mv).ok()?.parse().ok())
}

/// How often each invention is tried out in all.
const TIMES: usize = 3;

/// Squares that are illegal here, but not for a program with one of the faults that were
/// tried out too seldom so far.
fn decoys(board: &Board, asked: &mut BTreeSet<(usize, usize)>) -> Vec<Square> {
    let mut decoys = Vec::new();
    for (number, fault) in Sight::inventions().into_iter().enumerate() {
        let Some(time) = (0..TIMES).find(|time| !asked.contains(&(number, *time))) else {
            continue;
        };
        let mut seen = fault.moves(board) & !board.moves();
        if let Some(square) = seen.next() {
            asked.insert((number, time));
            if !decoys.contains(&square) {
                decoys.push(square);
            }
        }
    }
    decoys
}

/// White's reply to Black's move, and the board with Black to move again.
fn after(board: &Board, mv: Option<Square>) -> (Option<Square>, Board) {
    let white = mv.map_or(board.pass(), |square| board.play(square));
    // The first of several is in the lowest row and the earliest column.
    let key = |square: &Square| std::cmp::Reverse(white.flips(*square).len());
    let reply = white.moves().min_by_key(key);
    let next = reply.map_or(white.pass(), |square| white.play(square));
    (reply, next)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rules::Squares;

    use super::*;
    use crate::check::cover::{Candidate, cover};
    use crate::check::rays::{Direction, Segment, one, runs};

    /// What a turn shows; of Black's moves only those that turn over one run, since only
    /// those are illegal for whoever does not see it.
    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
    enum Shown {
        Run(bool, Direction, u8),
        Target(bool, Square),
        Bracket(bool, Square),
        From(bool, Direction, u8),
        To(bool, Direction, u8),
        WhitePasses,
        BlackMustPass,
        BlackPassesWithMoves,
    }

    /// The runs that a disc closes.
    fn segments(board: &Board, target: Square) -> Vec<Segment> {
        Direction::ALL
            .into_iter()
            .filter_map(|direction| {
                let mut run = Squares::NONE;
                let mut at = direction.step(target)?;
                while board.other.contains(at) {
                    run |= one(at);
                    at = direction.step(at)?;
                }
                (board.own.contains(at) && !run.is_empty()).then_some(Segment {
                    target,
                    direction,
                    length: run.len() as u8,
                    run,
                    bracket: at,
                })
            })
            .collect()
    }

    /// The edges on which a square lies, and the corner, as numbers.
    fn borders(square: Square) -> Vec<u8> {
        let (column, row) = (square.column(), square.row());
        let mut all = Vec::new();
        all.extend((column == 0).then_some(0));
        all.extend((column == 7).then_some(1));
        all.extend((row == 0).then_some(2));
        all.extend((row == 7).then_some(3));
        if all.len() == 2 {
            all.push(4 + all[0] + 2 * (all[1] - 2));
        }
        all
    }

    fn shown(board: &Board, mv: Option<Square>) -> (Vec<Shown>, Board) {
        let mut shown = Vec::new();
        let mut add = |white: bool, segment: &Segment| {
            let Segment {
                target,
                direction,
                length,
                bracket,
                ..
            } = *segment;
            shown.extend([
                Shown::Run(white, direction, length),
                Shown::Target(white, target),
                Shown::Bracket(white, bracket),
            ]);
            let from = borders(target).into_iter();
            shown.extend(from.map(|border| Shown::From(white, direction, border)));
            let to = borders(bracket).into_iter();
            shown.extend(to.map(|border| Shown::To(white, direction, border)));
        };
        if let Some(square) = mv
            && let [only] = &segments(board, square)[..]
        {
            add(false, only);
        }
        let (reply, next) = after(board, mv);
        let white = mv.map_or(board.pass(), |square| board.play(square));
        for segment in reply
            .into_iter()
            .flat_map(|square| segments(&white, square))
        {
            add(true, &segment);
        }
        shown.extend(reply.is_none().then_some(Shown::WhitePasses));
        if mv.is_none() {
            let stuck = board.moves().is_empty();
            shown.push(if stuck {
                Shown::BlackMustPass
            } else {
                Shown::BlackPassesWithMoves
            });
        }
        (shown, next)
    }

    fn all_shown(moves: &[Option<Square>]) -> BTreeSet<Shown> {
        let mut board = Position::start().board();
        let mut all = BTreeSet::new();
        for mv in moves {
            let (shown, next) = shown(&board, *mv);
            all.extend(shown);
            board = next;
        }
        all
    }

    /// Everything that segments on the board can show in a game from the start.
    fn wanted() -> BTreeSet<Shown> {
        let middle = Squares(0x0000_0018_1800_0000);
        let mut all = BTreeSet::new();
        for segment in Segment::all() {
            if middle.contains(segment.target) {
                continue;
            }
            for white in [false, true] {
                all.insert(Shown::Run(white, segment.direction, segment.length));
                all.insert(Shown::Target(white, segment.target));
                all.insert(Shown::Bracket(white, segment.bracket));
                for border in borders(segment.target) {
                    all.insert(Shown::From(white, segment.direction, border));
                }
                for border in borders(segment.bracket) {
                    all.insert(Shown::To(white, segment.direction, border));
                }
            }
        }
        all.extend([Shown::WhitePasses, Shown::BlackMustPass]);
        all.insert(Shown::BlackPassesWithMoves);
        all
    }

    #[test]
    fn the_dialogues_show_everything() {
        let mut missing = wanted();
        for line in FOUND.lines() {
            for shown in all_shown(&read(line).collect::<Vec<_>>()) {
                missing.remove(&shown);
            }
        }
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn the_extremes_are_reached() {
        let mut differences = BTreeSet::new();
        let mut most_turned = 0;
        let (mut at_once, mut directions) = ([0; 2], [0; 2]);
        for line in EXTREMES.lines() {
            let mut board = Position::start().board();
            for mv in read(line) {
                let white = mv.map_or(board.pass(), |square| board.play(square));
                let (reply, next) = after(&board, mv);
                let turned = |square: Square| white.flips(square).len();
                let earlier = reply.and_then(|reply| {
                    let before = white.moves().take_while(|square| *square != reply);
                    before.map(turned).max()
                });
                let most = reply.map_or(0, turned);
                for (player, board, mv) in [(0, &board, mv), (1, &white, reply)] {
                    let runs: Vec<Squares> =
                        mv.into_iter().flat_map(|mv| runs(board, mv)).collect();
                    let discs = runs.iter().map(|run| run.len()).sum();
                    at_once[player] = at_once[player].max(discs);
                    directions[player] = directions[player].max(runs.len() as u32);
                }
                most_turned = most_turned.max(earlier.unwrap_or(0).min(most.saturating_sub(1)));
                differences.insert(next.difference());
                board = next;
            }
        }
        assert_eq!(differences.first(), Some(&SMALLEST));
        assert_eq!(differences.last(), Some(&LARGEST));
        assert_eq!(most_turned, u32::from(MOST_TURNED));
        assert_eq!((at_once, directions), (MOST_AT_ONCE, MOST_DIRECTIONS));
    }

    /// Random games of Black, who takes every chance to show something new: the fewest that show
    /// as much as all of them, and what none shows.
    fn find(games: u32) -> (Vec<Vec<Option<Square>>>, BTreeSet<Shown>) {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut missing = wanted();
        let mut candidates = Vec::new();
        for _ in 0..games {
            let mut board = Position::start().board();
            let mut moves = Vec::new();
            let mut last = 0;
            for _ in 0..40 {
                let legal: Vec<Option<Square>> = match board.moves() {
                    none if none.is_empty() => vec![None],
                    some => some.map(Some).collect(),
                };
                let gain = |mv: &Option<Square>| {
                    let (shown, _) = shown(&board, *mv);
                    shown.iter().filter(|one| missing.contains(one)).count()
                };
                let best = legal.iter().max_by_key(|mv| gain(mv)).copied().flatten();
                let mut mv = legal[rng.random_range(0..legal.len())];
                if rng.random_range(0..60) == 0 {
                    mv = None;
                }
                if gain(&best) > 0 {
                    mv = best;
                }
                let (shown, next) = shown(&board, mv);
                moves.push(mv);
                for one in shown {
                    if missing.remove(&one) {
                        last = moves.len();
                    }
                }
                board = next;
            }
            if last > 0 {
                moves.truncate(last);
                candidates.push(Candidate {
                    shows: all_shown(&moves).into_iter().collect(),
                    case: moves,
                });
            }
            if missing.is_empty() {
                break;
            }
        }
        (cover(candidates), missing)
    }

    /// A few games here; with `cargo xtask dialogues` as many as it takes until nothing is
    /// missing, and the lines of `dialogues.txt` are printed.
    #[test]
    fn random_games_show_most_rules() {
        let games = std::env::var("LUDEX_DIALOGUES").ok();
        let games = games.map(|games| games.parse().expect("a number of games"));
        let (dialogues, missing) = find(games.unwrap_or(300));
        for moves in &dialogues {
            let text = |mv: &Option<Square>| mv.map_or("==".into(), |square| square.to_string());
            println!("{}", moves.iter().map(text).collect::<String>());
        }
        let mut left = wanted();
        for moves in &dialogues {
            for shown in all_shown(moves) {
                left.remove(&shown);
            }
        }
        assert_eq!(left, missing, "the cover loses something");
        let most = if games.is_some() {
            0
        } else {
            wanted().len() / 4
        };
        assert!(missing.len() <= most, "{missing:?}");
    }
}
