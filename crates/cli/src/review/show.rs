//! A review on the terminal.

use std::io::{self, Write};

use games::{AnyPosition, GameName};
use referee::printable;
use review::{Conversion, Costly, Mistake, MoveWorth, Played, Review, Statement};
use search::Score;

use crate::board;

/// What is shown, and how.
pub(super) struct How<'a> {
    /// Wins that were only made slower as well.
    pub(super) slower: bool,
    /// The command that asks a program again, without the number of the turn.
    pub(super) replay: Option<&'a str>,
}

/// The review of one game: the turning point first, then mistakes, then every turn.
pub(super) fn review(
    out: &mut impl Write,
    played: &Played,
    review: &Review,
    how: &How<'_>,
) -> io::Result<()> {
    let [first, second] = review.players.each_ref().map(|name| printable(name));
    writeln!(out, "{}: {first} against {second}", review.game)?;
    writeln!(out, "{}", printable(&review.summary))?;
    writeln!(out, "{}", review.coverage)?;
    let shown = |mistake: &&Mistake| how.slower || mistake.is_real();
    let mistakes: Vec<&Mistake> = review.mistakes.iter().filter(shown).collect();
    match mistakes.len() {
        0 => writeln!(out, "\nno proven mistakes")?,
        1 => writeln!(out, "\none proven mistake")?,
        many => writeln!(out, "\n{many} proven mistakes")?,
    }
    for one in mistakes {
        mistake(out, review.game, one, how)?;
    }
    writeln!(out, "\nall turns, worth to the player to move")?;
    for (judged, turn) in review.turns.iter().zip(&played.turns) {
        let scale = &review.game.about().scale;
        let worth = match judged.statement {
            Statement::Proven(proof) => format!("{proof}, proven"),
            Statement::Estimate { points } => {
                format!("about {}, estimate", scale.words(Score::Estimate(points)))
            }
            Statement::Unknown => "not known".into(),
        };
        let side = review.game.side_name(turn.side);
        writeln!(
            out,
            "{:>4}  {side:<6} {:<12} {worth}",
            judged.turn,
            printable(&judged.played)
        )?;
    }
    Ok(())
}

/// A mistake: what it cost, what would have kept the value, how it is refuted.
fn mistake(
    out: &mut impl Write,
    game: GameName,
    mistake: &Mistake,
    how: &How<'_>,
) -> io::Result<()> {
    let side = game.side_name(mistake.side());
    writeln!(
        out,
        "\nturn {}  {side}  {}  {}",
        mistake.turn,
        printable(&mistake.played),
        mistake.cost()
    )?;
    let kept = match (&mistake.kept[..], &mistake.open[..]) {
        ([], []) => "no move kept the value".into(),
        ([], _) => "not found in time".into(),
        (kept, _) => MoveWorth::list(kept),
    };
    writeln!(out, "  kept       {kept}")?;
    if !mistake.open.is_empty() {
        writeln!(out, "  not proven {}", mistake.open.join(", "))?;
    }
    if !mistake.refutation.is_empty() {
        writeln!(out, "  then       {}", mistake.refutation.join(" "))?;
    }
    if let Some(took) = mistake.took {
        let left = mistake.left.map(|left| format!(", {left} left before"));
        writeln!(out, "  time       {took}{}", left.unwrap_or_default())?;
    }
    if let (Some(replay), true) = (how.replay, mistake.is_program) {
        writeln!(out, "  again      {replay} --move {}", mistake.turn)?;
    }
    Ok(())
}

/// What a player made of its games.
pub(super) fn player(
    out: &mut impl Write,
    game: GameName,
    sum: &Conversion,
    replay: &str,
) -> io::Result<()> {
    writeln!(out, "{}: {}", printable(&sum.player), sum.headline())?;
    writeln!(out, "{} games, {}", sum.games, sum.coverage)?;
    writeln!(
        out,
        "won positions given by opponents: {}, given back: {}",
        sum.given, sum.given_back
    )?;
    if sum.points > 0 {
        writeln!(out, "points thrown away: {}", sum.points)?;
    }
    counts(out, "by kind", &sum.by_kind, |kind| kind.to_string())?;
    counts(out, "by turn", &sum.by_turn, |turn| {
        format!("{turn}–{}", turn + 9)
    })?;
    counts(out, "against", &sum.against, |name| printable(name))?;
    counts(out, "repeated", &sum.repeated, |position| {
        position.to_string()
    })?;
    for (number, costly) in (1..).zip(&sum.costliest) {
        let Costly {
            game: id,
            opponent,
            mistake: one,
        } = costly;
        writeln!(out, "\n{number}. {id}, against {}", printable(opponent))?;
        if let Ok(position) = AnyPosition::parse(game, &one.position) {
            write!(out, "{}", picture(&position))?;
        }
        let how = How {
            slower: false,
            replay: Some(&replay.replace("GAME", id)),
        };
        mistake(out, game, one, &how)?;
    }
    Ok(())
}

fn picture(position: &AnyPosition) -> String {
    draw::text(&board::scene(position), board::text_style())
}

fn counts<K>(
    out: &mut impl Write,
    title: &str,
    counts: &std::collections::BTreeMap<K, usize>,
    words: impl Fn(&K) -> String,
) -> io::Result<()> {
    if counts.is_empty() {
        return Ok(());
    }
    let list: Vec<String> = counts
        .iter()
        .map(|(key, count)| format!("{} {count}", words(key)))
        .collect();
    writeln!(out, "{title:<9} {}", list.join(", "))
}
