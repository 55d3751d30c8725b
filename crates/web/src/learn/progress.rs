//! Which lessons a visitor has solved: kept in a cookie, so that nobody needs an account.

use axum::http::{HeaderMap, HeaderValue, header};
use games::GameName;

use crate::fault::Fault;
use crate::guard::cookies;

/// The name of the cookie.
const COOKIE: &str = "ludex_learned";

/// What has been solved: games with the numbers of their lessons, from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Progress(Vec<(GameName, Vec<usize>)>);

impl Progress {
    /// What the cookie of a request says.
    pub(super) fn of(headers: &HeaderMap) -> Progress {
        let cookie = cookies(headers).find(|(name, _)| *name == COOKIE);
        Progress::read(cookie.map_or("", |(_, value)| value))
    }

    /// `reversi:1.2.3_gipf:1`; what is no lesson of a game is left out.
    fn read(text: &str) -> Progress {
        let mut progress = Progress::default();
        for part in text.split('_') {
            let Some((name, numbers)) = part.split_once(':') else {
                continue;
            };
            if let Ok(game) = name.parse::<GameName>() {
                for number in numbers.split('.').filter_map(|n| n.parse().ok()) {
                    progress.add(game, number);
                }
            }
        }
        progress
    }

    fn write(&self) -> String {
        let part = |(game, numbers): &(GameName, Vec<usize>)| {
            let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
            format!("{game}:{}", numbers.join("."))
        };
        let parts: Vec<String> = self.0.iter().map(part).collect();
        parts.join("_")
    }

    /// The lessons of a game that have been solved.
    pub(super) fn solved(&self, game: GameName) -> &[usize] {
        let entry = self.0.iter().find(|(other, _)| *other == game);
        entry.map_or(&[], |(_, numbers)| numbers)
    }

    /// Notes that a lesson has been solved.
    pub(super) fn add(&mut self, game: GameName, number: usize) {
        if !(1..=game.about().lessons.len()).contains(&number) {
            return;
        }
        let place = match self.0.iter().position(|(other, _)| *other == game) {
            Some(place) => place,
            None => {
                self.0.push((game, Vec::new()));
                self.0.len() - 1
            }
        };
        let numbers = &mut self.0[place].1;
        if let Err(at) = numbers.binary_search(&number) {
            numbers.insert(at, number);
        }
    }

    /// The first lesson of a game that is still to be solved.
    pub(super) fn next(&self, game: GameName) -> Option<usize> {
        let solved = self.solved(game);
        (1..=game.about().lessons.len()).find(|number| !solved.contains(number))
    }

    /// The header that keeps it in the browser for a year.
    pub(super) fn cookie(&self) -> Result<(header::HeaderName, HeaderValue), Fault> {
        let text = format!(
            "{COOKIE}={}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000",
            self.write()
        );
        let value = HeaderValue::from_str(&text).map_err(Fault::ours)?;
        Ok((header::SET_COOKIE, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{GIPF, REVERSI};

    #[test]
    fn a_cookie_keeps_what_has_been_solved() {
        let progress = Progress::read("reversi:3.1.1_gipf:2_chess:1_reversi:x.0.999");
        assert_eq!(progress.write(), "reversi:1.3_gipf:2");
        assert_eq!(progress.solved(REVERSI), [1, 3]);
        assert_eq!(progress.next(REVERSI), Some(2));
        assert_eq!(progress.next(GIPF), Some(1));
        assert_eq!(Progress::read(""), Progress::default());
    }
}
