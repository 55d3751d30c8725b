//! Games and positions read from texts, whatever their form.

use rules::MoveError;

use crate::{AnyPosition, GameName, UnknownGame};

/// A start position and moves from it; a lone position has no moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transcript {
    /// The first position.
    pub start: AnyPosition,
    /// The moves, as the game writes them.
    pub moves: Vec<String>,
    /// Who played, where that is known.
    pub title: String,
}

/// How much of a game is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Form {
    /// Everything.
    #[default]
    Complete,
    /// Without what can be told from the position, where the game has such a form.
    Short,
}

/// Why a file was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// The game knows no files but texts.
    NotMine,
    /// What is wrong with the file.
    Malformed(String),
}

impl Transcript {
    /// A lone position.
    pub fn alone(position: impl Into<AnyPosition>) -> Transcript {
        Transcript {
            start: position.into(),
            moves: Vec::new(),
            title: String::new(),
        }
    }

    /// Reads games from a text of this game, or of any if none is named.
    pub fn read(game: Option<GameName>, text: &str) -> Result<Vec<Transcript>, String> {
        let (game, text) = &body(game, text)?;
        if text.trim().is_empty() {
            return Err("there is nothing to read".into());
        }
        if let Some(game) = game {
            return game.read(text);
        }
        let (likely, others): (Vec<_>, Vec<_>) = GameName::all().partition(|g| g.looks_like(text));
        // Who recognises a text says best what is wrong with it.
        let mut problem = None;
        for candidate in likely.iter().chain(&others) {
            match candidate.read(text) {
                Ok(found) => return Ok(found),
                Err(error) if likely.contains(candidate) && problem.is_none() => {
                    let title = candidate.about().title;
                    problem = Some(format!("this looks like {title}, but {error}"));
                }
                Err(_) => {}
            }
        }
        let start: String = text.trim().chars().take(SHOWN).collect();
        Err(problem.unwrap_or_else(|| format!(
            "{start:?} is no game or position of any game here; choose the game to be told what is wrong with it"
        )))
    }

    /// Reads games from a file of this game, or of any if none is named: a form of its own that
    /// the game knows, or a text.
    pub fn read_file(named: Option<GameName>, bytes: &[u8]) -> Result<Vec<Transcript>, String> {
        let mut problem = None;
        for game in GameName::all().filter(|&game| named.is_none_or(|named| named == game)) {
            match game.read_file(bytes) {
                Ok(found) => return Ok(found),
                Err(Unread::Malformed(error)) => problem = problem.or(Some(error)),
                Err(Unread::NotMine) => {}
            }
        }
        match std::str::from_utf8(bytes) {
            Ok(text) if !bytes.contains(&0) => Transcript::read(named, text),
            _ => {
                let what = "the file is neither a text nor a file of games that is known here";
                Err(problem.map_or_else(|| what.into(), |error| format!("{what} ({error})")))
            }
        }
    }

    /// How many games these files say that they hold, as far as they say so. None of them is read, which
    /// takes long where they are many.
    #[must_use]
    pub fn games_in(files: &[Vec<u8>]) -> usize {
        let said = |file: &Vec<u8>| GameName::all().find_map(|game| game.games_in(file));
        files.iter().filter_map(said).sum()
    }

    /// Reads games from files that belong together: texts, and files of which some hold the names
    /// for others.
    pub fn read_files(files: &[Vec<u8>]) -> Result<Vec<Transcript>, String> {
        if let [file] = files {
            return Transcript::read_file(None, file);
        }
        let is_text = |file: &Vec<u8>| std::str::from_utf8(file).is_ok() && !file.contains(&0);
        let (texts, others): (Vec<_>, Vec<_>) = files.iter().cloned().partition(is_text);
        let mut found = Vec::new();
        if !others.is_empty() {
            let mut problem = None;
            let read = GameName::all().find_map(|game| match game.read_library(&others) {
                Ok(games) => Some((game, games)),
                Err(error) => {
                    problem.get_or_insert(error);
                    None
                }
            });
            let (game, games) = read.ok_or_else(|| problem.unwrap_or_default())?;
            for recorded in games {
                found.push(recorded.listed(game)?);
            }
        }
        for text in texts {
            found.extend(Transcript::read_file(None, &text)?);
        }
        Ok(found)
    }

    /// The names of the players, where the title begins with them: `Anna – Ben, Cup 2009, 40–24`,
    /// `Anna – Ben (Cup)`.
    #[must_use]
    pub fn players(&self) -> Option<[&str; 2]> {
        let (first, rest) = self.title.split_once(" – ")?;
        let second = rest.split(", ").next()?.split(" (").next()?;
        Some([first.trim(), second.trim()])
    }

    /// Every position, the first one first; the error has the number of the move.
    pub fn positions(&self) -> Result<Vec<AnyPosition>, String> {
        replay(&self.start, &self.moves)
            .map_err(|(number, error)| format!("move {number}: {error}"))
    }
}

/// So many letters of a text are repeated in a complaint about it.
const SHOWN: usize = 40;

/// Every position of a game; the error has the number of the move.
fn replay(start: &AnyPosition, moves: &[String]) -> Result<Vec<AnyPosition>, (usize, MoveError)> {
    let mut positions = vec![start.clone()];
    for (i, mv) in moves.iter().enumerate() {
        let mut next = positions[i].clone();
        next.play(mv).map_err(|error| (i + 1, error))?;
        positions.push(next);
    }
    Ok(positions)
}

/// The first word of a game that was saved at the terminal, before the name of the game.
pub const HEADING: &str = "ludex";

/// The lines of a text as comments, which readers skip.
#[must_use]
pub fn comment(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| format!("% {line}").trim_end().to_owned() + "\n");
    lines.collect()
}

/// A text without comments and without the first line of a saved game, which names the game: it
/// must be this one, where one is named.
pub fn body(game: Option<GameName>, text: &str) -> Result<(Option<GameName>, String), String> {
    let text = without_comments(text);
    let begun = text.trim_start();
    let (first, rest) = begun.split_once('\n').unwrap_or((begun, ""));
    let [HEADING, name] = first.split_whitespace().collect::<Vec<_>>()[..] else {
        return Ok((game, text));
    };
    let named: GameName = name.parse().map_err(|e: UnknownGame| e.to_string())?;
    match game {
        Some(game) if game != named => Err(format!("a game of {named}, not {game}")),
        _ => Ok((Some(named), rest.to_string())),
    }
}

/// A text of moves without the result at its end; a player may be named before `resigns`.
fn without_result(text: &str) -> &str {
    let (rest, last) = split_last_word(text);
    match last.to_lowercase().replace(['–', '−'], "-").as_str() {
        "1-0" | "0-1" | "½-½" | "1/2-1/2" => rest,
        "resigns" | "resigns." => match split_last_word(rest) {
            (before, player) if player.chars().all(char::is_alphabetic) => before,
            _ => rest,
        },
        _ => text,
    }
}

/// The last word of a text, and what stands before it.
fn split_last_word(text: &str) -> (&str, &str) {
    let text = text.trim_end();
    text.rsplit_once(char::is_whitespace).unwrap_or(("", text))
}

/// A text without a byte order mark and the lines that begin with a per cent sign.
fn without_comments(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('%'));
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads a position in one line and moves after it; or moves alone, from the usual start; or
/// several games or positions, one on each line.
pub(crate) fn read_plain(game: GameName, text: &str) -> Result<Vec<Transcript>, String> {
    read_each(game, text, |text| {
        let (start, text) = split_position(game, text)?;
        let (moves, rest) = (split_moves(text), text.trim());
        if moves.is_empty() && !rest.is_empty() {
            return Err(format!("{rest:?} is no move"));
        }
        let transcript = Transcript {
            start: start.unwrap_or_else(|| game.start()),
            moves,
            title: String::new(),
        };
        transcript.positions()?;
        Ok(transcript)
    })
}

/// The position in the first line of a text, if there is one, and the moves.
fn split_position(game: GameName, text: &str) -> Result<(Option<AnyPosition>, &str), String> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match AnyPosition::parse(game, first) {
        Ok(position) => Ok((Some(position), rest)),
        // A line without a dash or a jump is no move, so it was meant as a position.
        Err(error) if !first.contains(['-', 'x']) || first.contains('/') => Err(error.to_string()),
        Err(_) => Ok((None, text)),
    }
}

/// Reads one game or position, or several, one on each line, by what reads one. Results at the
/// ends are passed over.
pub(crate) fn read_each(
    game: GameName,
    text: &str,
    read_one: impl Fn(&str) -> Result<Transcript, String>,
) -> Result<Vec<Transcript>, String> {
    let read_one = |text: &str| read_one(without_result(text.trim()));
    let whole = read_one(text);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let is_position = |line: &str| AnyPosition::parse(game, line).is_ok();
    // The second line says whether the others are games too; after a position it is moves.
    match lines.as_slice() {
        [first, second, ..]
            if whole.is_err()
                && (is_position(second) || !is_position(first))
                && read_one(second).is_ok() =>
        {
            let each = lines.iter().enumerate().map(|(i, line)| {
                read_one(line).map_err(|error| format!("line {}: {error}", i + 1))
            });
            each.collect()
        }
        _ => whole.map(|transcript| vec![transcript]),
    }
}

/// Moves between blanks, commas and line ends; `w: b2 d4` goes with the move before it.
fn split_moves(text: &str) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',' || c == ';') {
        if word.is_empty() || word.trim_end_matches('.').parse::<u32>().is_ok() {
            continue;
        }
        match moves.last_mut() {
            Some(last) if !word.contains(['-', 'x']) && word != "pass" => {
                last.push(' ');
                last.push_str(word);
            }
            _ => moves.push(word.to_string()),
        }
    }
    moves
}

/// The first two bytes of a text, by which games tell their texts apart.
pub(crate) fn beginning(text: &str) -> Option<(u8, u8)> {
    let mut bytes = text.trim_start().bytes();
    Some((bytes.next()?, bytes.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GIPF, GIPF_STANDARD, MMPAWNS, REVERSI};

    #[track_caller]
    fn check(game: GameName, text: &str, moves: &[usize]) {
        let read = Transcript::read(Some(game), text).unwrap();
        let found: Vec<usize> = read.iter().map(|one| one.moves.len()).collect();
        assert_eq!(found, moves, "{text}");
    }

    #[test]
    fn several_games_and_comments() {
        check(REVERSI, "f5d6c3\nf5f6e6\n", &[3, 3]);
        check(REVERSI, "f5 d6\nc3 d3\n", &[4]);
        check(REVERSI, "% a title\nf5d6c3\n\n% another\nf5f6\n", &[3, 2]);
        let board = AnyPosition::start(REVERSI).to_string();
        check(
            REVERSI,
            &format!("% Cup\n{board}\nd3\nc5\n%  1. d3  +0\n"),
            &[2],
        );
        check(REVERSI, &format!("{board}\n{board}\n"), &[0, 0]);
        check(GIPF, "4 4 15 15\na1-b2\ni5-h5\n% 1. a1-b2 +3\n", &[2]);
        // One game that goes on over several lines.
        check(GIPF, "a1-b2 i5-h5\na1-b2\n", &[3]);
        check(GIPF, "2 2 5 5\n3 3 6 6\n", &[0, 0]);
        check(MMPAWNS, "a8-a7 a1-a2\nb8-b7 b1-b2\n", &[4]);
        let error = Transcript::read(Some(REVERSI), "f5d6\nf5f6\nf5a1\n").unwrap_err();
        assert!(error.starts_with("line 3: move 2:"), "{error}");
        let error = Transcript::read(Some(GIPF), "a1-b2\na1-b2\na9-b2\n").unwrap_err();
        assert!(error.contains("line 3: move 1:"), "{error}");
    }

    #[test]
    fn games_of_published_gipf() {
        check(GIPF_STANDARD, "e1-e2 e9-e8", &[2]);
        check(GIPF_STANDARD, "1. Ge1-e2 Ge9-e8 2. d2 e9-e7", &[4]);
        check(GIPF_STANDARD, "basic\ne1-e2\ne9-e8\n", &[2]);
        for text in [
            "Gi3-h3 / Gb6-c6\n",
            "1. Gi3-h3/Gb6-c6 2. h4 / b5",
            "Gh3 Gc6",
            "1. Gh3 Gc6",
            "Gh3\nGc6\n",
            "tournament Gh3 Gc6",
            "tournament\nGh3 / Gc6",
            "basic e1-e3 e9-e7",
            "basic 0/60 e1-e3 e9-e7",
            "h3 c6",
            "standard 12 12 W W__B/_____/______/B_____W/______/_____/W__B h1-h2 a2-b3",
            "\u{feff}e1–e2 e9–e8",
            "e1-e2 e9-e8 1-0",
            "e1-e2 e9-e8\n½–½\n",
            "e1-e2 e9-e8 White resigns",
        ] {
            let moves = if text.contains("2. ") { 4 } else { 2 };
            check(GIPF_STANDARD, text, &[moves]);
        }
        check(GIPF_STANDARD, "Gh3 Gc6 1-0\nGh3 / Gc6 0-1\n", &[2, 2]);
        check(GIPF_STANDARD, "basic e1-e3 e9-e7\nGh3\n", &[2, 1]);
        let error = Transcript::read(None, "Gh3 Gz9").unwrap_err();
        assert!(error.contains("Published GIPF"), "{error}");
        check(GIPF_STANDARD, "basic\nstandard\ntournament\n", &[0, 0, 0]);
        let start = "standard 3 5 W W___/_____/______/_WwwwB_/______/_____/___B";
        let game = format!("{start}\nxd4,e5,f5,Gg5*,=Gc3;e1-e2(5)\nh1-h2");
        check(GIPF_STANDARD, &game, &[2]);
        let read = Transcript::read(None, &game).unwrap();
        assert_eq!(read[0].moves, ["xd4,e5,f5,Gg5*,=Gc3;e1-e2", "h1-h2"]);
        assert_eq!(read[0].positions().unwrap().len(), 3);
        let error = Transcript::read(None, "standard\nGe1-e2").unwrap_err();
        assert!(error.contains("no GIPF-piece may be brought in"), "{error}");
        let file = "(;GM[27]SU[gipf-standard]P0[id \"a\"])";
        let read = Transcript::read(None, file).unwrap();
        assert_eq!(read[0].start, AnyPosition::start(GIPF_STANDARD));
    }

    /// What is written of a game is read as the same game, in every game.
    #[test]
    fn what_is_noted_down_is_read() {
        for game in GameName::all() {
            let start = AnyPosition::random_start(game, 7);
            let (mut now, mut moves) = (start.clone(), Vec::new());
            for number in 0..30 {
                let legal = now.moves();
                let Some(mv) = legal.get(number * 7 % legal.len().max(1)) else {
                    break;
                };
                moves.push(now.play(mv).unwrap());
            }
            let texts = [Form::Complete, Form::Short].map(|form| start.record(&moves, form));
            for text in &texts {
                let text = text.as_ref().unwrap();
                let read = Transcript::read(Some(game), text).unwrap();
                assert_eq!((&read[0].start, &read[0].moves), (&start, &moves), "{text}");
            }
            assert_eq!(texts[0] != texts[1], game.about().short_form, "{game}");
        }
    }

    #[test]
    fn games_are_noted_down_as_published() {
        let read = Transcript::read(None, "Gh3 / Gc6 h4 b5").unwrap();
        let text = read[0].start.record(&read[0].moves, Form::Complete);
        let expected = "tournament\n1. Gi2-h3(16) Gb6-c6(16)\n2. i4-h4(15) a5-b5(15)\n";
        assert_eq!(text.as_deref(), Ok(expected));
    }

    #[test]
    fn comments_are_skipped_however_many_lines_they_have() {
        let title = comment("Anna\nf5d6 – Bo\n\n");
        assert_eq!(title, "% Anna\n% f5d6 – Bo\n%\n");
        let read = Transcript::read(None, &(title + "f5f6")).unwrap();
        assert_eq!(read[0].moves, ["f5", "f6"]);
        assert_eq!(comment(""), "");
    }

    #[test]
    fn files_of_boardspace_are_recognised() {
        let bad = "(;GM[21]SU[gipf-standard]P0[id \"a\"]P0[1 Slide A 5 E 5])";
        let named = Transcript::read(Some(GIPF_STANDARD), bad).unwrap_err();
        let error = Transcript::read(None, bad).unwrap_err();
        assert_eq!(
            error,
            format!("this looks like Published GIPF, but {named}")
        );
        for text in ["(;GM[Othello]BO[8 broken", "(;PB[a]PW[b]"] {
            let error = Transcript::read(None, text).unwrap_err();
            assert!(error.contains("this looks like Reversi"), "{error}");
        }
        let error = Transcript::read(None, "(;GM[21]SU[hive]P0[id \"a\"])").unwrap_err();
        assert!(error.contains("is no game"), "{error}");
    }

    #[test]
    fn a_choice_of_rows_stays_with_its_move() {
        assert_eq!(
            split_moves("1. a1-b2 w: b2 d4, i5-h5"),
            ["a1-b2 w: b2 d4", "i5-h5"]
        );
    }
}
