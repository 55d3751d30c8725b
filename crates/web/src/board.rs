//! Boards of any game: scenes, and moves entered by pointing at places.

use draw::{Kind, Scene, Step, SvgStyle, Target, Value, svg_with};
use games::AnyPosition;
use maud::{Markup, PreEscaped, html};

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

impl Picked {
    /// The rows to choose from, from end to end.
    pub(crate) fn rows(&self) -> Vec<(usize, usize)> {
        let rows = self.choices.iter().filter_map(|choice| choice.row);
        rows.collect()
    }
}

/// Follows the picks; says which one leads nowhere.
pub(crate) fn pick(scene: &Scene, ways: &[Way], picks: &[String]) -> Result<Picked, String> {
    let mut left: Vec<&Way> = ways.iter().collect();
    let mut picked = Picked::default();
    for (k, pick) in picks.iter().enumerate() {
        let spot = scene.layout.find(pick);
        let names = |step: &Step| {
            step.label == *pick || spot.is_some_and(|spot| step.spots.contains(&spot))
        };
        left.retain(|way| way.steps.get(k).is_some_and(names));
        let Some(first) = left.first() else {
            return Err(format!("{pick} cannot be chosen here"));
        };
        if left.iter().any(|way| way.steps[k] != first.steps[k]) {
            return Err(format!(
                "several rows cross at {pick}: choose another stone of the row"
            ));
        }
        picked.chosen.extend(spot);
        picked.picks.push(pick.clone());
    }
    let depth = picks.len();
    if depth > 0
        && let Some(done) = left.iter().find(|way| way.steps.len() == depth)
    {
        picked.complete = Some(done.mv.clone());
        return Ok(picked);
    }
    for step in left.iter().filter_map(|way| way.steps.get(depth)) {
        picked.next.extend(&step.spots);
        if !step.is_place(&scene.layout) {
            let name = |spot: usize| &scene.layout.spots[spot].name;
            let choice = Choice {
                row: step.row,
                label: step.label.clone(),
                words: match step.row {
                    Some((from, to)) => format!("Row {} – {}", name(from), name(to)),
                    None => step.label.clone(),
                },
            };
            if !picked.choices.contains(&choice) {
                picked.choices.push(choice);
            }
        }
    }
    picked.next.sort_unstable();
    picked.next.dedup();
    Ok(picked)
}

/// Adds one more pick: goes on, lets go of what was chosen, or chooses anew what came before it,
/// the latest choice first.
fn pick_more(
    scene: &Scene,
    ways: &[Way],
    before: &[String],
    pick_: &str,
) -> Result<Picked, String> {
    let mut all = before.to_vec();
    all.push(pick_.to_string());
    // The stone just pushed in may lie in the row to take, so going on comes first.
    pick(scene, ways, &all).or_else(|error| {
        if let Some((last, rest)) = before.split_last()
            && last == pick_
        {
            return pick(scene, ways, rest);
        }
        let anew = |kept| {
            let picks = [&before[..kept], &all[before.len()..]].concat();
            pick(scene, ways, &picks).ok()
        };
        (0..before.len()).rev().find_map(anew).ok_or(error)
    })
}

/// What has been entered: a whole move, or a part of one.
pub(crate) enum Entered {
    /// The move's text.
    Move(String),
    /// What has been pointed at; more must be.
    More(Vec<String>),
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
                _ => error,
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
        let button = html! {
            button.pt id={ "pt-" (place.name) } name="pick" value=(place.name)
                aria-label=(scene.describe(spot)) aria-disabled=[off.then_some("true")]
                data-x=(place.x) data-y=(place.y) {}
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
    let place = &scene.layout.spots[spot];
    let link = html! {
        a.pt id={ "pt-" (place.name) } href=(href) aria-label=(label)
            data-x=(place.x) data-y=(place.y) {}
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
