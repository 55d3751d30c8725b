//! What a game says about itself, as data.

use std::time::Duration;

use draw::{Look, PLAIN};
use search::{Distance, Score};

use crate::{Editor, Kind, Lesson, Levels};

/// What a game says about itself. [`About::new`] has a sensible default for everything, so
/// that a small game states little.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name on pages.
    pub title: &'static str,
    /// Other names that people type, in lower case.
    pub aliases: &'static [&'static str],
    /// What the game is, in a sentence or two.
    pub summary: &'static str,
    /// The rules, a paragraph each.
    pub rules: &'static [&'static str],
    /// The starts to choose from, the usual choice first.
    pub starts: &'static [Start],
    /// What the positions of `random` are called, in the plural.
    pub random_starts: &'static str,
    /// The variants of the game, where positions have short forms.
    pub variants: Option<Variants>,
    /// Texts in empty input boxes.
    pub prompt: Prompt,
    /// Games and positions to show what an analysis can.
    pub examples: &'static [Example],
    /// How values are written and compared.
    pub scale: Scale,
    /// What the boards look like.
    pub look: &'static Look,
    /// A small picture of a piece for each side, as CSS backgrounds.
    pub chips: [&'static str; 2],
    /// How a position is changed by hand; `None` leaves only its text.
    pub editor: Option<Editor>,
    /// Whether games are noted down in a short form, too.
    pub short_form: bool,
    /// How long players may think, unless somebody says otherwise.
    pub limits: TimeLimits,
    /// What a fault costs, unless somebody says otherwise.
    pub fault: Cost,
    /// How programs can be asked to play this game.
    pub programs: &'static [Kind],
    /// What its tables of solved variants hold, where there are such.
    pub solved: Option<&'static str>,
    /// Openings that have names, the shorter ones before those that go on from them.
    pub openings: &'static [Opening],
    /// Players of `ludex bench search`: enough to do for a second or so.
    pub bench: &'static [&'static str],
    /// The rules as small positions to solve, about ten.
    pub lessons: &'static [Lesson],
    /// Players for people of every strength.
    pub levels: Levels,
}

/// A start to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// `start`, `random`, or the text of a position.
    pub value: &'static str,
    /// What it is.
    pub words: &'static str,
}

/// An opening that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// What it is called.
    pub name: &'static str,
    /// Its moves, in any form that the game reads.
    pub moves: &'static str,
}

impl About {
    /// The opening with this name, in small letters or large ones.
    pub fn opening(&self, name: &str) -> Result<&'static Opening, String> {
        let wanted = name.to_lowercase();
        let mut known = self.openings.iter();
        known
            .find(|opening| opening.name.to_lowercase() == wanted)
            .ok_or_else(|| {
                let names: Vec<&str> = self.openings.iter().map(|opening| opening.name).collect();
                match names.is_empty() {
                    true => format!("no opening of {} has a name", self.title),
                    false => format!("unknown opening {name:?}; there are {}", names.join(", ")),
                }
            })
    }
}

/// Variants of a game: short texts that are positions too.
#[derive(Clone, Copy, Debug)]
pub struct Variants {
    /// How one is written.
    pub prompt: &'static str,
    /// Reads one and writes it in its usual form.
    pub read: fn(&str) -> Result<String, String>,
}

/// Texts in empty input boxes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prompt {
    /// Where a position is wanted.
    pub position: &'static str,
    /// Where positions are wanted, one on each line.
    pub positions: &'static str,
}

/// A game or a position to show what an analysis can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// Words before the link.
    pub before: &'static str,
    /// The words of the link.
    pub words: &'static str,
    /// The game or position, in any form that the game reads.
    pub text: &'static str,
}

/// How values are written and compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale {
    /// Points of an estimate that are written as one: 100 where values are discs.
    pub unit: i32,
    /// A move that is worse than the best by this many points is a mistake, by three times
    /// as many a blunder.
    pub mistake: i32,
    /// So many points are far from zero in a graph.
    pub far: f64,
    /// What the values mean.
    pub meaning: &'static str,
}

/// How long players may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimits {
    /// Wall time of one move.
    pub wall: Duration,
    /// Processor time of all moves of a game.
    pub game_cpu: Option<Duration>,
}

/// What a fault costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// The turn; see [`Definition::forfeit`](crate::Definition::forfeit).
    Turn,
    /// The game.
    Game,
}

/// What the values of most games mean.
const MEANING: &str = "Values are for the player to move: W5 wins in 5 plies, W≤9 in 9 at most, W by proof without a known distance; L4 loses in 4; D: neither side can force a win; a number is the engine's estimate.";

impl About {
    /// A game with this title and nothing special.
    #[must_use]
    pub const fn new(title: &'static str) -> About {
        About {
            title,
            aliases: &[],
            summary: "",
            rules: &[],
            starts: &[
                Start {
                    value: "start",
                    words: "The usual start",
                },
                Start {
                    value: "random",
                    words: "A random opening",
                },
            ],
            random_starts: "random openings",
            variants: None,
            prompt: Prompt {
                position: "text of a position",
                positions: "one on each line",
            },
            examples: &[],
            scale: Scale {
                unit: 1,
                mistake: 15,
                far: 80.0,
                meaning: MEANING,
            },
            look: &PLAIN,
            chips: [
                "radial-gradient(circle at 35% 30%, #5a6166, #0c0e10 75%)",
                "radial-gradient(circle at 35% 30%, #fff, #d3d8d4 80%)",
            ],
            editor: None,
            short_form: false,
            limits: TimeLimits {
                wall: Duration::from_secs(10),
                game_cpu: None,
            },
            fault: Cost::Game,
            programs: &[],
            solved: None,
            openings: &[],
            bench: &["minimax:5", "alphabeta:d9", "mcts:n100000"],
            lessons: &[],
            levels: Levels::USUAL,
        }
    }
}

impl Scale {
    /// A score in short: `+2`, `-0.5`, `0` for estimates and margins; `W5` for a win in five
    /// plies, `W≤9` for a win in nine at most, `W` for a win at an unknown distance; `L4`; `D`.
    #[must_use]
    pub fn words(&self, score: Score) -> String {
        let decided = |letter: char, distance: Distance| match distance {
            Distance::Exactly(plies) => format!("{letter}{plies}"),
            Distance::AtMost(plies) => format!("{letter}≤{plies}"),
            Distance::Unknown => letter.into(),
        };
        match score {
            Score::Estimate(points) => self.points(points),
            Score::Margin(0) => "0".into(),
            Score::Margin(margin) => format!("{margin:+}"),
            Score::Win(distance) => decided('W', distance),
            Score::Draw => "D".into(),
            Score::Loss(distance) => decided('L', distance),
        }
    }

    /// An estimate in words: `+2`, `-0.5`, `0`.
    #[must_use]
    pub fn points(&self, points: i32) -> String {
        let unit = f64::from(self.unit);
        match points {
            0 => "0".into(),
            _ if points % self.unit == 0 => format!("{:+}", points / self.unit),
            _ => format!("{:+.1}", f64::from(points) / unit),
        }
    }

    /// What a mistake cost, in words: `4.5`, or `20` where points are whole.
    #[must_use]
    pub fn price(&self, points: i32) -> String {
        match self.unit {
            1 => points.to_string(),
            unit => format!("{:.1}", f64::from(points) / f64::from(unit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::{AnyPosition, GameName};

    #[test]
    fn openings_are_found_by_their_names() {
        for game in GameName::all() {
            let openings = game.about().openings;
            let names: BTreeSet<String> = openings.iter().map(|o| o.name.to_lowercase()).collect();
            assert_eq!(names.len(), openings.len(), "{game}");
            for opening in openings {
                let after = AnyPosition::after_moves(game, opening.moves).unwrap();
                for name in [opening.name, &opening.name.to_uppercase()] {
                    let found = AnyPosition::after_opening(game, name);
                    assert_eq!(found.as_ref(), Ok(&after), "{name}");
                }
            }
            let error = AnyPosition::after_opening(game, "Nothing").unwrap_err();
            let expected = match openings.first() {
                Some(first) => format!("unknown opening \"Nothing\"; there are {}", first.name),
                None => format!("no opening of {} has a name", game.about().title),
            };
            assert!(error.starts_with(&expected), "{error}");
        }
    }
}
