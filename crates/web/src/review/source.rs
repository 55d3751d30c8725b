//! Which games can be reviewed: those of tournaments, those played here, and those pasted.

use std::time::Duration;

use games::{AnyPosition, Transcript};
use referee::quoted;
use review::{Action, Played, Turn};
use rules::Side;
use serde::{Deserialize, Serialize};

use crate::Site;
use crate::analyse::Found;
use crate::analyse::subject::Subject;
use crate::fault::Fault;
use crate::play::game::{Cut, Match, Seat};
use crate::tournaments;

/// Where a game comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", content = "id", rename_all = "lowercase")]
pub(crate) enum Source {
    /// A game of a tournament.
    Tournament(String),
    /// A game that was played here.
    Play(String),
    /// A game that was pasted or read from a file.
    Analysis(String),
}

/// A game with everything that its review needs.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    pub(crate) played: Played,
    /// The game as it can be analysed.
    pub(crate) subject: Subject,
    /// The positions of the subject.
    pub(crate) positions: Vec<AnyPosition>,
    /// Who played.
    pub(crate) title: String,
    /// The address of the game itself.
    pub(crate) game: String,
    /// The command that asks a program again, without the number of the turn.
    pub(crate) replay: Option<String>,
    /// The side of the person who played here against a bot.
    pub(crate) person: Option<Side>,
}

impl Source {
    /// The source of an address `/review/{kind}/{id}`.
    pub(crate) fn parse(kind: &str, id: &str) -> Result<Source, Fault> {
        let id = id.to_owned();
        match kind {
            "tournament" => Ok(Source::Tournament(id)),
            "play" => Ok(Source::Play(id)),
            "analysis" => Ok(Source::Analysis(id)),
            other => Err(Fault::missing(format!("there are no games of {other:?}"))),
        }
    }

    /// Kind and id.
    pub(crate) fn parts(&self) -> (&'static str, &str) {
        match self {
            Source::Tournament(id) => ("tournament", id),
            Source::Play(id) => ("play", id),
            Source::Analysis(id) => ("analysis", id),
        }
    }

    /// Under which id the review is kept. Ids of games of tournaments have no slash.
    pub(crate) fn key(&self) -> String {
        match (self, self.parts()) {
            (Source::Tournament(id), _) => id.clone(),
            (_, (kind, id)) => format!("{kind}/{id}"),
        }
    }

    /// The address of the review.
    pub(crate) fn address(&self) -> String {
        let (kind, id) = self.parts();
        format!("/review/{kind}/{id}")
    }

    /// Reads the game.
    pub(crate) async fn load(&self, site: &Site) -> Result<Loaded, Fault> {
        match self {
            Source::Tournament(id) => of_tournament(site, id).await,
            Source::Play(id) => of_play(site, id).await,
            Source::Analysis(id) => {
                let found = Found::kept(site, id).await?;
                of_analysis(found, format!("/analyse/{id}"))
            }
        }
    }
}

async fn of_tournament(site: &Site, id: &str) -> Result<Loaded, Fault> {
    let record = site.store.record(id).await.map_err(tournaments::fault)?;
    let record = record.ok_or_else(|| Fault::missing(format!("game {id} was not played")))?;
    let played = Played::from_record(&record).map_err(Fault::ours)?;
    let subject = tournaments::game::subject(&record);
    let positions = subject.positions().map_err(Fault::ours)?;
    // The id of the tournament, then round, table and game.
    let tournament = id.rsplitn(4, '.').last().unwrap_or(id);
    Ok(Loaded {
        positions,
        title: subject.title.clone(),
        subject,
        game: format!("/tournaments/{tournament}/games/{id}"),
        replay: Some(replay_command(site, id)),
        person: None,
        played,
    })
}

/// The command that asks a program again for a move of a game, without the number of the turn.
pub(crate) fn replay_command(site: &Site, id: &str) -> String {
    let file = site.config.database.as_deref();
    let file = file.and_then(std::path::Path::file_name);
    let file = file.map_or(String::new(), |name| {
        format!(" --db {}", quoted(&name.to_string_lossy()))
    });
    format!("ludex replay {}{file}", quoted(id))
}

async fn of_play(site: &Site, id: &str) -> Result<Loaded, Fault> {
    let table = site.open_games.find(site, id).await?;
    let game = table.lock().await?.clone();
    let position = game.position().map_err(Fault::ours)?;
    if game.ending(&position).is_none() {
        return Err(Fault::refused("a game is reviewed when it is over"));
    }
    let subject = Subject {
        game: game.game,
        start: game.start.clone(),
        moves: game.moves.iter().map(|played| played.mv.clone()).collect(),
        title: Side::BOTH.map(|side| game.name(side)).join(" – "),
    };
    let positions = subject.positions().map_err(Fault::ours)?;
    Ok(Loaded {
        played: played_here(&game, &subject, &positions)?,
        positions,
        title: subject.title.clone(),
        subject,
        game: format!("/play/{id}"),
        replay: None,
        person: match game.seats {
            [Seat::Human, Seat::Bot(_)] => Some(Side::First),
            [Seat::Bot(_), Seat::Human] => Some(Side::Second),
            _ => None,
        },
    })
}

/// A game that was played here, with the names and clocks of its players.
fn played_here(
    game: &Match,
    subject: &Subject,
    positions: &[AnyPosition],
) -> Result<Played, Fault> {
    let mut played = transcript(subject, positions)?;
    played.players = Side::BOTH.map(|side| game.name(side).to_owned());
    let mut used = [Duration::ZERO; 2];
    let mut left = Vec::new();
    for (before, made) in positions.iter().zip(&game.moves) {
        let seat = before.side_to_move().index();
        let whole = game.clock_ms.map(Duration::from_millis);
        left.push(whole.map(|whole| whole.saturating_sub(used[seat])));
        used[seat] += Duration::from_millis(made.ms);
    }
    for turn in &mut played.turns {
        let number = turn.number as usize - 1;
        turn.took = Some(Duration::from_millis(game.moves[number].ms));
        turn.left = left[number];
    }
    let last = &positions[positions.len() - 1];
    if let Some(ending) = game.ending(last) {
        played.outcome = Some(ending.outcome);
        played.ending = ending.text;
    }
    if let Some((_, Cut::Flagged)) = game.cut {
        played.turns.push(Turn {
            number: game.moves.len() as u32 + 1,
            side: last.side_to_move(),
            before: last.clone(),
            action: Action::Fault("ran out of time".into()),
            after: None,
            took: None,
            left: Some(Duration::ZERO),
            is_program: false,
        });
    }
    Ok(played)
}

fn of_analysis(found: Found, game: String) -> Result<Loaded, Fault> {
    let Found {
        subject, positions, ..
    } = found;
    let played = transcript(&subject, &positions)?;
    let title = match subject.title.as_str() {
        "" => subject.game.about().title.to_owned(),
        title => title.to_owned(),
    };
    Ok(Loaded {
        played,
        positions,
        title,
        subject,
        game,
        replay: None,
        person: None,
    })
}

fn transcript(subject: &Subject, positions: &[AnyPosition]) -> Result<Played, Fault> {
    let transcript = Transcript {
        start: positions[0].clone(),
        moves: subject.moves.clone(),
        title: subject.title.clone(),
    };
    let mut played = Played::from_transcript(&transcript).map_err(Fault::ours)?;
    if let Some(players) = transcript.players() {
        played.players = players.map(str::to_owned);
    }
    Ok(played)
}
