//! How a review looks: where the game was decided, then every mistake.

use games::{AnyPosition, GameName};
use maud::{Markup, html};
use review::{Mistake, MoveWorth, Review, Statement};
use search::Score;

use super::source::Loaded;
use super::work::Job;
use crate::board;
use crate::query::{joined, query};

/// Seconds that a review may be given, the usual one first.
pub(super) const SECONDS: [u64; 4] = [30, 10, 60, 300];

/// How far the review of a game is.
pub(super) enum Stage {
    /// Nobody has asked for it.
    Fresh,
    /// It waits for so many others.
    Waiting(usize),
    /// It is at work.
    Running,
    /// It is over.
    Done,
    /// It ended with a problem.
    Failed(String),
}

impl Stage {
    /// The stage of a review with this job, or with none.
    pub(super) fn of(job: Option<&Job>, before: usize, review: Option<&Review>) -> Stage {
        match job {
            Some(job) if job.is_over() => match job.problem() {
                Some(problem) => Stage::Failed(problem),
                None => Stage::Done,
            },
            Some(job) if job.version().1 == 0 => Stage::Waiting(before),
            Some(_) => Stage::Running,
            None if review.is_some() => Stage::Done,
            None => Stage::Fresh,
        }
    }

    fn is_open(&self) -> bool {
        matches!(self, Stage::Waiting(_) | Stage::Running)
    }
}

/// How a review is to look.
#[derive(Clone, Copy, Default)]
pub(super) struct Look {
    /// Whether mistakes have boards of their own.
    pub(super) boards: bool,
    /// Whether wins that were only made slower are shown.
    pub(super) slower: bool,
}

impl Look {
    /// As a part of an address.
    fn query(self) -> String {
        let flags = [("boards", self.boards), ("slower", self.slower)];
        let pairs: Vec<(&str, &str)> = flags
            .into_iter()
            .filter_map(|(name, wanted)| wanted.then_some((name, "yes")))
            .collect();
        match pairs.is_empty() {
            true => String::new(),
            false => query(&pairs),
        }
    }
}

/// Everything that a review on a page shows.
pub(super) struct View<'a> {
    pub(super) loaded: &'a Loaded,
    /// The address of the review.
    pub(super) base: &'a str,
    pub(super) stage: &'a Stage,
    pub(super) review: Option<&'a Review>,
    pub(super) look: Look,
}

impl View<'_> {
    /// The review with its buttons, filled in while it runs.
    pub(super) fn section(&self) -> Markup {
        let events = || format!("{}/events{}", self.base, self.look.query());
        let events = self.stage.is_open().then(events);
        html! {
            section #review data-events=[events] {
                div #part-review aria-busy=(self.stage.is_open()) { (self.part()) }
                (self.actions())
            }
        }
    }

    /// What changes while the review runs.
    pub(super) fn part(&self) -> Markup {
        let summary = self.review.filter(|review| review.coverage.proven > 0);
        html! {
            @if let Some(review) = summary { p.turning { strong { (review.summary) } } }
            p.status #status role="status" {
                @if let Some(review) = self.review { (review.coverage) }
                @match self.stage {
                    Stage::Fresh => "Solvers look for moves after which a proven result was gone, from the end of the game backwards.",
                    Stage::Waiting(0) => "Begins in a moment.",
                    Stage::Waiting(1) => "Waits for the review of another game.",
                    Stage::Waiting(before) => { "Waits for the reviews of " (before) " other games." }
                    Stage::Running => { " " span.tag.mid { "at work" } }
                    Stage::Done => @if summary.is_none() { ": there was not enough time for a proof." },
                    Stage::Failed(problem) => { " " span.problem { (problem) } }
                }
            }
            @if self.stage.is_open() { noscript { p { a href=(self.base) { "Look again" } } } }
            @if let Some(review) = self.review {
                @for mistake in &review.mistakes {
                    @if self.look.slower || mistake.is_real() { (self.mistake(mistake)) }
                }
                @if review.real_mistakes().next().is_none() && matches!(self.stage, Stage::Done) {
                    p { "No proven mistakes." }
                }
                (self.slower_wins(review))
                (self.turns(review))
            }
        }
    }

    /// The way to the wins that were only made slower, and back.
    fn slower_wins(&self, review: &Review) -> Markup {
        let count = review.mistakes.len() - review.real_mistakes().count();
        let wins = if count == 1 {
            "win that was"
        } else {
            "wins that were"
        };
        html! {
            @if self.look.slower {
                p { a href=(self.base) { "Only mistakes that cost something" } }
            } @else if count > 0 {
                p { a href={ (self.base) "?slower=yes" } { "Show " (count) " " (wins) " only made slower, too" } }
            }
        }
    }

    /// The buttons.
    fn actions(&self) -> Markup {
        let mistakes = self
            .review
            .is_some_and(|review| review.real_mistakes().any(|one| !one.kept.is_empty()));
        html! {
            div.actions {
                @if self.stage.is_open() {
                    form method="post" action={ (self.base) "/stop" } { button { "Stop" } }
                } @else {
                    form method="post" action=(self.base) {
                        (seconds("Time for the review"))
                        button.primary[self.review.is_none()] { @if self.review.is_some() { "Look further" } @else { "Review this game" } }
                    }
                    @if mistakes {
                        form method="post" action={ (self.base) "/train" } { button.primary { "Train on these mistakes" } }
                    }
                }
            }
            @if self.review.is_some() {
                p.links {
                    a href={ (self.base) "/review.json" } { "Review (JSON)" }
                    @if mistakes { " · " a href={ (self.base) "/suite.txt" } { "Positions as a test (text)" } }
                }
            }
        }
    }

    fn mistake(&self, mistake: &Mistake) -> Markup {
        let game = self.loaded.played.game;
        html! {
            article.slip {
                @if self.look.boards && let Some(scene) = scene(game, mistake) {
                    div.small { (board::picture(&scene, &format!("turn {}", mistake.turn))) }
                }
                div {
                    h2 { a href=(self.analysis(mistake, 0)) { "Turn " (mistake.turn) ": " (mistake.played) } }
                    p { (mistake.player) " " (game.side_name(mistake.side())) ": " strong { (mistake.cost()) } }
                    dl { (facts(mistake)) (refutation(mistake, |step| self.analysis(mistake, step))) }
                    @if let (Some(replay), true) = (&self.loaded.replay, mistake.is_program) {
                        p { "To ask the program again: " code { (replay) " --move " (mistake.turn) } }
                    }
                }
            }
        }
    }

    /// The address of the analysis after a mistake and so many moves of its refutation.
    fn analysis(&self, mistake: &Mistake, step: usize) -> String {
        let Loaded {
            subject, positions, ..
        } = self.loaded;
        let moves = subject.moves.iter().zip(positions);
        let mut places = moves.map(|(mv, position)| (mv, position.to_string()));
        let place =
            places.position(|(mv, position)| *mv == mistake.played && position == mistake.position);
        match place {
            Some(place) => stepped(&subject.address(), place + 1, mistake, step),
            None => alone(self.loaded.played.game, mistake, step),
        }
    }

    /// Every turn with the strongest statement about it.
    fn turns(&self, review: &Review) -> Markup {
        let scale = &review.game.about().scale;
        html! {
            details.more {
                summary { "All turns" }
                div.scroll.turns tabindex="0" role="region" aria-label="All turns" { table {
                    thead { tr { th.num { "Turn" } th { "Side" } th { "Move" } th { "The position was worth" } } }
                    tbody { @for turn in &review.turns { tr {
                        td.num { (turn.turn) }
                        td { (review.game.side_name(turn.side.into())) }
                        td { (turn.played) }
                        td { @match turn.statement {
                            Statement::Proven(proof) => { (proof) " " span.tag.good { "proven" } }
                            Statement::Estimate { points } => { "about " (scale.words(Score::Estimate(points))) " " span.tag { "estimate" } }
                            Statement::Unknown => "not known",
                        } }
                    } } }
                } }
            }
        }
    }
}

/// What is known of a mistake beside its refutation.
pub(crate) fn facts(mistake: &Mistake) -> Markup {
    html! {
        @if !mistake.kept.is_empty() { dt { "Kept the value" } dd { (MoveWorth::list(&mistake.kept)) } }
        @if !mistake.open.is_empty() { dt { "Not proven" } dd { (mistake.open.join(", ")) } }
        @if let Some(took) = mistake.took {
            dt { "Time" }
            dd { (took) @if let Some(left) = mistake.left { ", " (left) " left before" } }
        }
    }
}

/// The refutation, each move of it a link to the board after it.
pub(crate) fn refutation(mistake: &Mistake, address: impl Fn(usize) -> String) -> Markup {
    html! {
        @if !mistake.refutation.is_empty() {
            dt { "Then" }
            dd.line { @for (step, mv) in (1..).zip(&mistake.refutation) { a href=(address(step)) { (mv) } } }
        }
    }
}

/// The address of the analysis after a mistake and so many moves of its refutation, beginning
/// with the position in which it was made. A turn that was lost by a fault is no move.
pub(crate) fn alone(game: GameName, mistake: &Mistake, step: usize) -> String {
    let lost = || {
        let position = AnyPosition::parse(game, &mistake.position).ok()?;
        Some(position.forfeit()?.0.to_string())
    };
    let (start, moves) = match mistake.is_fault {
        true => (lost(), String::new()),
        false => (None, joined(&[&mistake.played])),
    };
    let start = start.unwrap_or_else(|| mistake.position.clone());
    let pairs = [("game", game.name()), ("start", &start), ("moves", &moves)];
    let base = format!("/analyse/game{}", query(&pairs));
    stepped(&base, usize::from(!mistake.is_fault), mistake, step)
}

/// The address of an analysis with the refutation after so many moves of a game.
fn stepped(base: &str, at: usize, mistake: &Mistake, step: usize) -> String {
    let (at, step, line) = (
        at.to_string(),
        step.to_string(),
        joined(&mistake.refutation),
    );
    let mut pairs = vec![("at", at.as_str())];
    if step != "0" {
        pairs.extend([("line", line.as_str()), ("step", step.as_str())]);
    }
    format!("{base}&{}", &query(&pairs)[1..])
}

/// The choice of a time.
pub(crate) fn seconds(words: &str) -> Markup {
    html! {
        label { span.unseen { (words) }
            select name="seconds" { @for seconds in SECONDS { option value=(seconds) { (time(seconds)) } } }
        }
    }
}

/// The board after a mistake, or that on which a turn was lost.
pub(crate) fn scene(game: GameName, mistake: &Mistake) -> Option<draw::Scene> {
    let position = AnyPosition::parse(game, &mistake.position).ok()?;
    let after = position.scene_after(&mistake.played);
    Some(after.unwrap_or_else(|_| position.scene()))
}

/// `30 seconds`, `5 minutes`.
fn time(seconds: u64) -> String {
    match seconds {
        60 => "1 minute".into(),
        _ if seconds.is_multiple_of(60) => format!("{} minutes", seconds / 60),
        _ => format!("{seconds} seconds"),
    }
}
