//! Boards of any game: scenes, and moves entered by pointing at places.

use std::hash::{Hash, Hasher};

use draw::{Kind, Scene, Step, SvgStyle, Target, Value, svg_with};
use games::AnyPosition;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use thiserror::Error;

use crate::query::query;
use crate::settings::Settings;

/// A way to enter a move, with the move's text.
pub(crate) type Way = draw::Way<String>;

/// A move that is being entered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Picked {
    /// What has been pointed at: coordinates, or the labels of rows and other choices.
    pub(crate) picks: Vec<String>,
    /// Places that have been pointed at.
    pub(crate) chosen: Vec<usize>,
    /// Places that can be pointed at next.
    pub(crate) next: Vec<usize>,
    /// What must be chosen next where it is more than a place.
    pub(crate) choices: Vec<Choice>,
    /// The move, when nothing is left to choose.
    pub(crate) complete: Option<String>,
    /// Whether there is nothing to point at: the move is a pass.
    pub(crate) passing: bool,
    /// Whether some move has more than one step.
    pub(crate) stepwise: bool,
}

/// A step that has a label of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    /// The ends of the row that is chosen, where a row is.
    pub(crate) row: Option<(usize, usize)>,
    pub(crate) label: String,
    /// How it is called.
    pub(crate) words: String,
}

impl Choice {
    fn of(scene: &Scene, step: &Step) -> Choice {
        let name = |spot: usize| &scene.layout.spots[spot].name;
        let words = match step.row {
            Some((from, to)) => format!("Row {} – {}", name(from), name(to)),
            None => step.label.clone(),
        };
        Choice {
            row: step.row,
            label: step.label.clone(),
            words,
        }
    }
}

impl Picked {
    /// The rows to choose from, from end to end.
    pub(crate) fn rows(&self) -> Vec<(usize, usize)> {
        let rows = self.choices.iter().filter_map(|choice| choice.row);
        rows.collect()
    }
}

/// Why a pick cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum Refusal {
    /// No move goes on there.
    #[error("{0} cannot be chosen here")]
    Nowhere(String),
    /// It lies in several rows of which one must be chosen.
    #[error("several rows cross at {0}: choose another stone of the row")]
    Crossing(String),
}

impl From<Refusal> for String {
    fn from(refusal: Refusal) -> String {
        refusal.to_string()
    }
}

/// Follows the picks; says which one cannot be followed.
pub(crate) fn pick(scene: &Scene, ways: &[Way], picks: &[String]) -> Result<Picked, Refusal> {
    let mut left: Vec<&Way> = ways.iter().collect();
    let mut picked = Picked {
        passing: ways.iter().any(|way| way.steps.is_empty()),
        stepwise: ways.iter().any(|way| way.steps.len() > 1),
        ..Picked::default()
    };
    for (k, pick) in picks.iter().enumerate() {
        let named = |step: &Step| step.is_named(&scene.layout, pick);
        left.retain(|way| way.steps.get(k).is_some_and(named));
        let Some(first) = left.first() else {
            return Err(Refusal::Nowhere(pick.clone()));
        };
        if left.iter().any(|way| way.steps[k] != first.steps[k]) {
            return Err(Refusal::Crossing(pick.clone()));
        }
        picked.chosen.extend(scene.layout.find(pick));
        picked.picks.push(pick.clone());
    }
    let depth = picks.len();
    if depth > 0
        && let Some(done) = left.iter().find(|way| way.steps.len() == depth)
    {
        picked.complete = Some(done.mv.clone());
        return Ok(picked);
    }
    let mut steps: Vec<&Step> = Vec::new();
    for step in left.iter().filter_map(|way| way.steps.get(depth)) {
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    let choices = steps.iter().filter(|step| !step.is_place(&scene.layout));
    picked.choices = choices.map(|step| Choice::of(scene, step)).collect();
    picked.next = telling(&steps);
    Ok(picked)
}

/// Follows the picks on a board that a move is entered on, and shows there what has been chosen and
/// what can be next.
pub(crate) fn follow(
    position: &AnyPosition,
    scene: &mut Scene,
    picks: &[String],
) -> Result<Picked, Refusal> {
    let picked = pick(scene, &position.ways(), picks)?;
    if let Some(underway) = position.underway(&picked.picks) {
        *scene = underway;
    }
    scene.marks.legal.clone_from(&picked.next);
    scene.marks.chosen.clone_from(&picked.chosen);
    scene.marks.rows = picked.rows();
    Ok(picked)
}

/// The places that say which of the steps is meant: not those where rows cross.
fn telling(steps: &[&Step]) -> Vec<usize> {
    let mut spots: Vec<usize> = steps.iter().flat_map(|step| &step.spots).copied().collect();
    spots.sort_unstable();
    let same = spots.chunk_by(|a, b| a == b);
    same.filter(|same| same.len() == 1)
        .flatten()
        .copied()
        .collect()
}

/// Adds one more pick: goes on, lets go of what was chosen, or chooses anew what came before it,
/// the latest choice first.
fn pick_more(
    scene: &Scene,
    ways: &[Way],
    before: &[String],
    pick_: &str,
) -> Result<Picked, Refusal> {
    let mut all = before.to_vec();
    all.push(pick_.to_string());
    // The stone just pushed in may lie in the row to take, so going on comes first.
    let refusal = match pick(scene, ways, &all) {
        Err(refusal @ Refusal::Nowhere(_)) => refusal,
        // Who points at a crossing means one of its rows, nothing that came before.
        answer => return answer,
    };
    if let Some((last, rest)) = before.split_last()
        && last == pick_
    {
        return pick(scene, ways, rest);
    }
    let anew = |kept| {
        let picks = [&before[..kept], &all[before.len()..]].concat();
        pick(scene, ways, &picks).ok()
    };
    (0..before.len()).rev().find_map(anew).ok_or(refusal)
}

/// What has been entered: a whole move, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Entered {
    /// The move's text.
    Move(String),
    /// What has been pointed at; more must be.
    More(Vec<String>),
}

/// What tells a position from others in an address or a form. Steps that were chosen in another one,
/// such as before a move was taken back, are none here.
fn mark(position: &AnyPosition) -> String {
    let mut hasher = std::hash::DefaultHasher::new();
    (position.game().name(), position.to_string()).hash(&mut hasher);
    format!("{:08x}", hasher.finish() as u32)
}

/// The steps of a move in an address.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(default)]
pub(crate) struct Steps {
    /// What has been pointed at, joined by commas.
    picks: String,
    /// The mark of the position; without one it is the present position that is meant.
    of: String,
}

impl Steps {
    /// The steps in a position: none if they were chosen in another one.
    pub(crate) fn in_position(&self, position: &AnyPosition) -> Vec<String> {
        match self.of.is_empty() || self.of == mark(position) {
            true => split(&self.picks),
            false => Vec::new(),
        }
    }

    /// The end of an address that says these steps.
    pub(crate) fn query(position: &AnyPosition, picks: &[String]) -> String {
        match picks {
            [] => String::new(),
            picks => query(&[("picks", &picks.join(",")), ("of", &mark(position))]),
        }
    }
}

/// What a form sends beside what is entered in it: the steps so far, the mark of the position, and how
/// many moves had been made there.
pub(crate) fn fields(position: &AnyPosition, picks: Option<&[String]>, made: usize) -> Markup {
    html! {
        @if let Some(picks) = picks { input type="hidden" name="picks" value=(picks.join(",")); }
        input type="hidden" name="of" value=(mark(position));
        input type="hidden" name="after" value=(made);
    }
}

/// A move as a page sends it: typed whole, or pointed at step by step.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(default)]
pub(crate) struct Sent {
    #[serde(rename = "move")]
    mv: String,
    picks: String,
    pick: String,
    of: String,
    after: Option<usize>,
}

/// What a move is in a game that may have gone on since the page was drawn that sends it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Arrived {
    /// It is for the last position; or it cannot be chosen there, and why.
    Now(Result<Entered, String>),
    /// It has been made already: a page that had no answer sends its move again.
    Before,
    /// It was meant for a position that the game has left.
    Late,
}

/// What is said of a move that comes late.
pub(crate) const LATE: &str = "the game has gone on meanwhile: look at the board again";

impl Sent {
    /// The steps before the latest one.
    pub(crate) fn steps(&self) -> Steps {
        Steps {
            picks: self.picks.clone(),
            of: self.of.clone(),
        }
    }

    /// What was sent in a game of these positions and moves.
    pub(crate) fn read(&self, positions: &[AnyPosition], moves: &[impl AsRef<str>]) -> Arrived {
        let after = self.after.unwrap_or(moves.len());
        let Some(position) = positions.get(after) else {
            return Arrived::Late;
        };
        if !self.of.is_empty() && self.of != mark(position) {
            return Arrived::Late;
        }
        let entered = entered(position, &self.mv, &split(&self.picks), &self.pick);
        let Some(made) = moves.get(after) else {
            return Arrived::Now(entered);
        };
        let same = |mv: &str| {
            let played = position.clone().play(mv);
            played.is_ok_and(|mv| mv == made.as_ref())
        };
        match entered {
            Ok(Entered::Move(mv)) if same(&mv) => Arrived::Before,
            _ => Arrived::Late,
        }
    }
}

/// A move that was typed, or the next place that was pointed at. Says why it cannot be chosen.
pub(crate) fn entered(
    position: &AnyPosition,
    typed: &str,
    picks: &[String],
    pick: &str,
) -> Result<Entered, String> {
    if !typed.trim().is_empty() || pick.is_empty() {
        return Ok(Entered::Move(typed.trim().to_string()));
    }
    let ways = position.ways();
    match pick_more(&position.scene(), &ways, picks, pick) {
        Ok(picked) => Ok(match picked.complete {
            Some(complete) => Entered::Move(complete),
            None => Entered::More(picked.picks),
        }),
        // Where a place is a whole move, the rules say it best why it cannot be played on.
        Err(error) => {
            let whole = ways.iter().all(|way| way.steps.len() < 2);
            let reason = position.clone().play(pick).err().filter(|_| whole);
            Err(match reason {
                Some(rules::MoveError::Illegal { reason, .. }) => format!("{pick}: {reason}"),
                _ => error.into(),
            })
        }
    }
}

/// Splits picks as they stand in an address.
pub(crate) fn split(picks: &str) -> Vec<String> {
    picks
        .split(',')
        .filter(|pick| !pick.is_empty())
        .map(str::to_string)
        .collect()
}

/// How pictures with this title are drawn.
fn titled(title: &str) -> SvgStyle {
    SvgStyle {
        title: title.into(),
        ..SvgStyle::default()
    }
}

/// The board from the side from which the visitor likes to see it.
fn seen(scene: &Scene) -> Scene {
    match Settings::current().turned {
        true => scene.clone().turn(),
        false => scene.clone(),
    }
}

/// A board whose places are buttons that submit `pick` in the form around it.
pub(crate) fn controls(scene: &Scene, title: &str) -> PreEscaped<String> {
    let scene = &seen(scene);
    PreEscaped(svg_with(scene, &titled(title), |target| {
        let Target::Spot(spot) = target else {
            return None;
        };
        let place = &scene.layout.spots[spot];
        if place.kind == Kind::Hole {
            return None;
        }
        let off = !scene.marks.legal.contains(&spot);
        let (x, y) = scene.layout.at(spot);
        let button = html! {
            button.pt id={ "pt-" (place.name) } name="pick" value=(place.name)
                aria-label=(scene.describe(spot)) aria-disabled=[off.then_some("true")]
                data-x=(x) data-y=(y) {}
        };
        Some(button.into_string())
    }))
}

/// The way through the turns of a recorded game whose page has this address.
pub(crate) fn turns_nav(address: &str, at: usize, last: usize) -> Markup {
    html! {
        nav.steps aria-label="Through the game" {
            a.button href={ (address) "?at=0" } aria-label="first position" { "«" }
            a.button href={ (address) "?at=" (at.saturating_sub(1)) } aria-label="one turn back" data-key="ArrowLeft" { "‹" }
            span.quiet { (at) " / " (last) }
            a.button href={ (address) "?at=" ((at + 1).min(last)) } aria-label="one turn on" data-key="ArrowRight" { "›" }
            a.button href={ (address) "?at=" (last) } aria-label="last position" { "»" }
        }
    }
}

/// A link over a place.
fn link(scene: &Scene, spot: usize, href: &str, label: &str) -> String {
    let (name, (x, y)) = (&scene.layout.spots[spot].name, scene.layout.at(spot));
    let link = html! {
        a.pt id={ "pt-" (name) } href=(href) aria-label=(label)
            data-x=(x) data-y=(y) {}
    };
    link.into_string()
}

/// A board whose places are links.
pub(crate) fn links(
    scene: &Scene,
    title: &str,
    address: impl Fn(usize) -> Option<(String, String)>,
) -> PreEscaped<String> {
    let scene = &seen(scene);
    PreEscaped(svg_with(scene, &titled(title), |target| {
        let Target::Spot(spot) = target else {
            return None;
        };
        let (href, label) = address(spot)?;
        Some(link(scene, spot, &href, &label))
    }))
}

/// A board on which every move is a link, and the moves in `values`, which come best
/// first, bear their values. A place leads to the best move that ends there, a value to
/// its own move.
pub(crate) fn walk(
    scene: Scene,
    title: &str,
    position: &AnyPosition,
    values: Vec<(String, Value)>,
    address: impl Fn(&str) -> String,
) -> PreEscaped<String> {
    let mut scene = seen(&scene);
    let mut ways = position.ways();
    let rank = |way: &Way| values.iter().position(|(mv, _)| *mv == way.mv);
    ways.sort_by_key(|way| rank(way).unwrap_or(usize::MAX));
    let mut marked = Vec::new();
    for (mv, value) in values {
        let Ok(mut stroke) = position.stroke(&mv) else {
            continue;
        };
        // Moves that differ only in what they take lie over each other: the best is shown.
        let ends = (stroke.from, stroke.to);
        let known = |s: &draw::Stroke| (s.from, s.to) == ends;
        if !scene.marks.strokes.iter().any(known) {
            stroke.value = Some(value);
            scene.marks.strokes.push(stroke);
            marked.push(mv);
        }
    }
    let scene = &scene;
    PreEscaped(svg_with(scene, &titled(title), |target| match target {
        Target::Spot(spot) => {
            let way = ways.iter().find(|way| {
                let place = |step: &&Step| step.is_place(&scene.layout);
                let last = way.steps.iter().rfind(place);
                last.is_some_and(|step| step.spots.contains(&spot))
            })?;
            let label = format!("{}: try {}", scene.describe(spot), way.mv);
            Some(link(scene, spot, &address(&way.mv), &label))
        }
        Target::Stroke(number) => {
            scene.marks.strokes[number].from?;
            // For the mouse: the keyboard has the places, and the table of moves.
            let link = html! {
                a.badge href=(address(marked.get(number)?)) tabindex="-1" aria-hidden="true" {}
            };
            Some(link.into_string())
        }
    }))
}

/// A board on which a game is played, to look at.
pub(crate) fn still(scene: &Scene, title: &str) -> PreEscaped<String> {
    picture(&seen(scene), title)
}

/// A board to look at.
pub(crate) fn picture(scene: &Scene, title: &str) -> PreEscaped<String> {
    PreEscaped(draw::svg(scene, &titled(title)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the places that can be chosen after these picks.
    fn next(position: &AnyPosition, picks: &[&str]) -> Vec<String> {
        let (scene, picks) = (
            position.scene(),
            picks.iter().map(|pick| (*pick).to_owned()),
        );
        let picked = pick(&scene, &position.ways(), &picks.collect::<Vec<_>>()).unwrap();
        let name = |spot: &usize| scene.layout.spots[*spot].name.clone();
        picked.next.iter().map(name).collect()
    }

    /// Where rows cross, a place says nothing: it is not offered, and pointing at it undoes nothing.
    #[track_caller]
    fn check_crossing(text: &str, picks: &[&str], at: &str, offered: &[&str]) {
        let position: AnyPosition = games::GIPF_STANDARD.parse(text).unwrap();
        let mut places = next(&position, picks);
        places.sort_unstable();
        assert_eq!(places, offered);
        let picks: Vec<String> = picks.iter().map(ToString::to_string).collect();
        let Err(error) = entered(&position, "", &picks, at) else {
            panic!("{at} after {picks:?} was taken");
        };
        let words = format!("several rows cross at {at}: choose another stone of the row");
        assert_eq!(error, words);
    }

    #[test]
    fn a_crossing_is_not_offered_and_undoes_nothing() {
        check_crossing(
            "standard 3 5 W B___/___w_/___w__/_wwWw__/__w___/_____/___W",
            &[],
            "e5",
            &["c3", "d4", "e4", "e6", "e7", "f5"],
        );
        // The crossing piece has been kept before the push.
        check_crossing(
            "tournament 6 12+ W W___/_W_w_/__WwwB/___W___/______/_____/__BB",
            &["b5", "c5", "d5", "e5", "e9", "e8"],
            "e5",
            &["b5", "c5", "d5", "e6", "e7", "e8"],
        );
    }

    /// What is sent from a page on which a game had come to `drawn` arrives at one that has come to `now`.
    #[track_caller]
    fn check_arrival(drawn: &[&str], now: &[&str], pick: &str, expected: &Arrived) {
        let positions = |moves: &[&str]| {
            let mut all = vec![AnyPosition::start(games::REVERSI)];
            for mv in moves {
                let mut next = all[all.len() - 1].clone();
                next.play(mv).unwrap();
                all.push(next);
            }
            all
        };
        let sent = Sent {
            pick: pick.into(),
            of: mark(&positions(drawn)[drawn.len()]),
            after: Some(drawn.len()),
            ..Sent::default()
        };
        assert_eq!(&sent.read(&positions(now), now), expected);
    }

    #[test]
    fn what_was_chosen_in_another_position_is_none_here() {
        let played = Arrived::Now(Ok(Entered::Move("c3".into())));
        check_arrival(&["d3"], &["d3"], "c3", &played);
        check_arrival(&["d3"], &["d3", "c3"], "c3", &Arrived::Before);
        check_arrival(&["d3"], &["d3", "c5"], "c3", &Arrived::Late);
        // Taken back, and played on otherwise.
        check_arrival(&["d3"], &[], "c3", &Arrived::Late);
        check_arrival(&["d3"], &["f5"], "f6", &Arrived::Late);
        check_arrival(&["d3"], &["f5", "f6"], "f6", &Arrived::Late);
        let (here, mut there) = (
            AnyPosition::start(games::GIPF),
            AnyPosition::start(games::GIPF),
        );
        there.play(&here.moves()[0]).unwrap();
        let picks = ["a1".to_owned()];
        let address = Steps::query(&here, &picks);
        let steps: Steps = serde_urlencoded::from_str(&address[1..]).unwrap();
        assert_eq!(steps.in_position(&here), picks);
        assert_eq!(steps.in_position(&there), Vec::<String>::new());
    }
}
