//! `ludex check GAME PROGRAM --positions SUITE`: positions in which a move must keep the value.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use games::GameName;
use referee::printable;
use referee::{CommandLine, GameSetup, IsolationMode, Kind, Limits, PlayerSpec, Seat, play_game};
use review::{Case, Suite};
use serde::Serialize;

use crate::error::bad_input;
use crate::input;

/// How programs are asked.
pub(super) struct Asking {
    pub(super) limits: Limits,
    pub(super) isolation: IsolationMode,
    pub(super) json: bool,
    pub(super) quiet: bool,
}

/// What came of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Grade {
    /// A move that keeps the value.
    Pass,
    /// Another move, or none.
    Fail,
    /// A move that nothing is proven of.
    Open,
}

/// One position, answered.
#[derive(Serialize)]
struct Answered<'a> {
    position: String,
    worth: String,
    source: &'a str,
    keeps: &'a [String],
    /// The move, or what was wrong.
    answer: String,
    grade: Grade,
}

/// Asks every program all positions of a suite. All must pass; what is open fails nobody.
pub(super) fn run(
    game: &str,
    programs: &[String],
    path: &Path,
    asking: &Asking,
) -> anyhow::Result<()> {
    let game: GameName = game.parse().map_err(bad_input)?;
    let bytes = input::read_file(path)?;
    let suite: Suite = String::from_utf8_lossy(&bytes)
        .parse()
        .map_err(|error| bad_input(format!("{}:{error}", path.display())))?;
    if suite.game != game {
        let (found, path) = (suite.game, path.display());
        return Err(bad_input(format!(
            "{path}: positions of {found}, not {game}"
        )));
    }
    let players = programs.iter().map(|text| player(game, text));
    let players = players.collect::<Result<Vec<_>, _>>()?;
    let mut out = std::io::stdout().lock();
    let mut failed = 0;
    for player in &players {
        let mut list = Vec::new();
        for case in &suite.cases {
            let one = ask(player, case, asking)?;
            if !asking.json && !asking.quiet && one.grade == Grade::Fail {
                let (keeps, source) = (one.keeps.join("; "), printable(one.source));
                writeln!(out, "{}\n  {source}", one.position)?;
                let verb = if one.keeps.len() == 1 {
                    "keeps"
                } else {
                    "keep"
                };
                let (worth, answer) = (&one.worth, printable(&one.answer));
                writeln!(out, "  {worth}, played {answer}; {keeps} {verb} it")?;
            }
            list.push(one);
        }
        let count = |grade| list.iter().filter(|one| one.grade == grade).count();
        failed += usize::from(count(Grade::Fail) > 0);
        if asking.json {
            let object = serde_json::json!({ "program": player.name, "positions": list });
            writeln!(out, "{object}")?;
        } else {
            let open = match count(Grade::Open) {
                0 => String::new(),
                open => format!(", {open} moves not decided"),
            };
            let (name, all) = (printable(&player.name), list.len());
            writeln!(
                out,
                "{name}: {} of {all} positions pass{open}",
                count(Grade::Pass)
            )?;
        }
    }
    out.flush()?;
    if failed > 0 {
        bail!("{failed} of {} programs failed", programs.len());
    }
    Ok(())
}

/// A program by its command, as it is usually asked to play this game; `KIND:COMMAND` and
/// `bot:NAME` are others.
fn player(game: GameName, text: &str) -> anyhow::Result<PlayerSpec> {
    let other = text.parse::<PlayerSpec>().ok();
    let named = |player: &PlayerSpec| text.starts_with("bot:") || player.kind.is_program();
    if let Some(player) = other.filter(named) {
        player.check_files().map_err(bad_input)?;
        return Ok(player);
    }
    let command: CommandLine = text.parse().map_err(bad_input)?;
    let kind: Option<&Kind> = game.about().programs.first();
    let kind = kind.ok_or_else(|| bad_input(format!("{game} is not played by programs")))?;
    let player = PlayerSpec::program(*kind, command.0);
    player.check_files().map_err(bad_input)?;
    Ok(player)
}

/// Asks for one move.
fn ask<'a>(player: &PlayerSpec, case: &'a Case, asking: &Asking) -> anyhow::Result<Answered<'a>> {
    let opponent: PlayerSpec = "random".parse()?;
    let players = match Seat::from(case.position.side_to_move()) {
        Seat::First => [player.clone(), opponent],
        Seat::Second => [opponent, player.clone()],
    };
    let setup = GameSetup::new(case.position.clone(), players);
    let setup = GameSetup {
        limits: setup.limits.with(&asking.limits),
        isolation: asking.isolation,
        longest: 1,
        ..setup
    };
    let record = play_game(&setup, &mut |_| (), &Arc::default()).map_err(bad_input)?;
    let turn = record.moves.first();
    let played = turn.filter(|turn| turn.verdict.is_ok());
    let (answer, grade) = match (played.and_then(|turn| turn.mv.clone()), turn) {
        (Some(mv), _) if case.keeps.contains(&mv) => (mv, Grade::Pass),
        (Some(mv), _) if case.open.contains(&mv) => (mv, Grade::Open),
        (Some(mv), _) => (mv, Grade::Fail),
        (None, Some(turn)) => (turn.verdict.to_string(), Grade::Fail),
        (None, None) => ("nothing".into(), Grade::Fail),
    };
    Ok(Answered {
        position: case.position.to_string(),
        worth: case.worth.to_string(),
        source: &case.source,
        keeps: &case.keeps,
        answer,
        grade,
    })
}
