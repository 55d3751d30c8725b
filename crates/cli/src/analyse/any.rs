//! `ludex analyse GAME`: a position move by move, or a game, by the engine of any game.

use std::io::Write;
use std::time::Duration;

use games::{AnyEngine, AnyPosition, GameName, Transcript};
use search::{Limits, Report};
use serde_json::{Value, json};

use crate::error::bad_input;
use crate::input;

/// Say what every legal move of a position is worth, or every move of a game
///
/// A position gives a table of its moves, best first; a game gives for each move what it was
/// worth and what would have been better. All moves of a position get the same share of the time.
/// W5 wins in 5 plies, L4 loses in 4, D is a draw, all proven; a number is an estimate.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex analyse gipf \"3 3 6 6\"
  ludex analyse gipf-standard tournament --time 30
  ludex analyse gipf-standard \"basic e1-e3 e9-e7\"     moves of other rules than the usual: name them first
  ludex analyse gipf-standard game.sgf --time 2 --json")]
pub(crate) struct Args {
    /// The position or game in any form that the game knows, a file of them, or - for standard
    /// input
    #[arg(allow_hyphen_values = true)]
    text: String,
    /// Time for each position, such as 5 (seconds), 1.5s or 200ms
    #[arg(long, default_value = "5s", value_parser = input::time_limit)]
    time: Duration,
    /// Look at most this many plies ahead, for as long as it takes; 2 are the least, the move and
    /// the answer
    #[arg(long, value_name = "PLIES", conflicts_with = "time", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    tables: input::Tables,
}

pub(crate) fn run(game: GameName, args: &Args) -> anyhow::Result<()> {
    let (place, text) = match input::source(&args.text)? {
        Some((place, bytes)) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            (place.to_string(), text)
        }
        None => (input::no_source(&args.text), args.text.clone()),
    };
    let read = Transcript::read(Some(game), &text)
        .map_err(|error| bad_input(format!("{place}: {error}")))?;
    let mut analyst = Analyst {
        engine: game.analyst(&args.tables.resources()),
        args,
    };
    let mut out = std::io::stdout().lock();
    for (number, transcript) in (1..).zip(&read) {
        if read.len() > 1 && !args.json {
            writeln!(out, "{number} of {}", read.len())?;
        }
        match transcript.moves.is_empty() {
            true => analyst.position(&transcript.start, &mut out)?,
            false => analyst.game(transcript, &mut out)?,
        }
    }
    Ok(())
}

struct Analyst<'a> {
    engine: Box<dyn AnyEngine>,
    args: &'a Args,
}

impl Analyst<'_> {
    /// The limits of one of so many searches of a position.
    fn limits(&self, parts: usize) -> Limits {
        match self.args.depth {
            // Every move is searched as deeply as the position: one ply after it is the least.
            Some(depth) => Limits::default().with_depth(depth.max(2)),
            None => Limits::default().with_wall(self.args.time / parts.max(1) as u32),
        }
    }

    /// What a move is worth to the player who makes it, and how the game goes on.
    fn worth(&mut self, position: &AnyPosition, mv: &str, limits: &Limits) -> Report<String> {
        let mut next = position.clone();
        let played = next.play(mv).unwrap_or_else(|_| mv.to_string());
        let mut report = match next.final_score() {
            Some(score) => Report::over(score),
            None => {
                let limits = match limits.depth {
                    Some(depth) => limits.clone().with_depth(depth - 1),
                    None => limits.clone(),
                };
                self.engine.search(&next, &limits)
            }
        };
        report.score = report.score.before_move();
        report.depth += 1;
        report.line.insert(0, played.clone());
        report.best = Some(played);
        report
    }

    fn position(&mut self, position: &AnyPosition, out: &mut impl Write) -> anyhow::Result<()> {
        // One move of each class is searched: two searches could give two values.
        let classes = position.classes();
        let limits = self.limits(classes.len());
        let mut reports: Vec<Report<String>> = Vec::new();
        for class in &classes {
            let known = self.worth(position, &class[0], &limits);
            reports.extend(class.iter().map(|mv| position.same_report(&known, mv)));
        }
        reports.sort_by_key(|report| std::cmp::Reverse(report.score.value()));
        if self.args.json {
            let moves: Vec<Value> = reports
                .iter()
                .map(|report| value(position, report))
                .collect();
            let object = json!({ "position": position.to_string(), "moves": moves });
            writeln!(out, "{object}")?;
            return Ok(());
        }
        if reports.is_empty() {
            writeln!(out, "no moves: the game is over")?;
        }
        for report in &reports {
            let words = words(position, report);
            let trust = trust(report);
            writeln!(out, "{words:>6}  {trust:<8}  {}", report.line.join(" "))?;
        }
        Ok(())
    }

    fn game(&mut self, transcript: &Transcript, out: &mut impl Write) -> anyhow::Result<()> {
        let positions = transcript.positions().map_err(bad_input)?;
        let limits = self.limits(2);
        for (number, (position, mv)) in (1..).zip(positions.iter().zip(&transcript.moves)) {
            let best = self.engine.search(position, &limits);
            let (best, played) = match &best.best {
                Some(found) if position.same_worth(found, mv) => {
                    let played = position.same_report(&best, mv);
                    (best, played)
                }
                _ => {
                    let played = self.worth(position, mv, &limits);
                    // The move that was played may turn out to be better than the one found.
                    match best.score.value() < played.score.value() {
                        true => (played.clone(), played),
                        false => (best, played),
                    }
                }
            };
            let side = position.game().side_name(position.side_to_move());
            let scale = &position.game().about().scale;
            let mistake = scale.mistake(best.score, played.score);
            if self.args.json {
                let object = json!({
                    "number": number, "side": side, "played": value(position, &played),
                    "best": value(position, &best), "mistake": mistake.map(|found| found.text()),
                });
                writeln!(out, "{object}")?;
                continue;
            }
            let (words, trust) = (words(position, &played), trust(&played));
            write!(out, "{number:>2}. {side} {mv} {words} ({trust})")?;
            if let Some(mistake) = mistake {
                let better = best.best.as_deref().unwrap_or_default();
                let value = self::words(position, &best);
                write!(out, ", {}: {better} is {value}", mistake.text())?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

fn words(position: &AnyPosition, report: &Report<String>) -> String {
    position.game().about().scale.words(report.score)
}

/// How well founded a value is.
fn trust(report: &Report<String>) -> String {
    match report.score.is_proven() {
        true => "proven".into(),
        false => format!("depth {}", report.depth),
    }
}

fn value(position: &AnyPosition, report: &Report<String>) -> Value {
    json!({
        "move": report.best, "score": report.score, "text": words(position, report),
        "proven": report.score.is_proven(), "depth": report.depth, "line": report.line,
    })
}
