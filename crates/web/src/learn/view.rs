//! How lessons look.

use axum::response::Html;
use games::{Algorithm, AnyPosition, GameName, Lesson};
use maud::{Markup, html};

use super::progress::Progress;
use crate::board::{self, Picked};
use crate::page::{count, shell};
use crate::play::view::choices;
use crate::query::query;

/// What is said about the last move.
pub(super) enum Said {
    Nothing,
    /// Why it does not solve the lesson, or is none.
    Wrong(String),
    /// The move that solves it.
    Solved(String),
}

/// `GET /learn`: all games that have lessons.
pub(super) fn all(progress: &Progress) -> Html<String> {
    let games = GameName::all().filter(|game| !game.about().lessons.is_empty());
    let body = html! {
        h1 { "Learn the rules" }
        p { "Each game in a few small steps: a position, a task, and a move to find." }
        ul.tiles {
            @for game in games {
                @let about = game.about();
                li.tile {
                    a href={ "/learn/" (game) } {
                        (board::picture(&game.random_start(7).scene(), &format!("a board of {}", about.title)))
                        h2 { (about.title) }
                    }
                    p { (about.summary) }
                    p { (solved(game, progress)) }
                }
            }
        }
    };
    shell("Learn the rules", "/learn", body)
}

/// `3 of 10 steps solved`
fn solved(game: GameName, progress: &Progress) -> String {
    let all = game.about().lessons.len() as u64;
    let done = progress.solved(game).len();
    format!("{done} of {} solved", count(all, "step"))
}

/// `GET /learn/{game}`
pub(super) fn overview(game: GameName, progress: &Progress) -> Html<String> {
    let about = game.about();
    let done = progress.solved(game);
    let next = progress.next(game);
    let words = match (done.is_empty(), next) {
        (true, _) => "Begin",
        (false, Some(_)) => "Go on",
        (false, None) => "Once more",
    };
    let body = html! {
        div.narrow {
            h1 { "Learn " (about.title) }
            p { (about.summary) " " (solved(game, progress)) "." }
            p { a.button.primary href={ "/learn/" (game) "/" (next.unwrap_or(1)) } { (words) } }
            ol.lessons {
                @for (number, lesson) in (1..).zip(about.lessons) {
                    li { a href={ "/learn/" (game) "/" (number) } { (lesson.title) } @if done.contains(&number) { " " span.tag.good { "solved" } } }
                }
            }
            @if next.is_none() { (onward(game)) }
        }
    };
    shell(&format!("Learn {}", about.title), "/learn", body)
}

/// What to do when the rules are known.
fn onward(game: GameName) -> Markup {
    html! {
        p { "You know the rules. " a href={ "/play" (query(&[("game", game.name()), ("bot", Algorithm::LEVELS[0].name())])) } { "Play a first game" } " against the weakest level." }
    }
}

/// A step of a tutorial as a page.
pub(super) struct Step<'a> {
    pub(super) number: usize,
    pub(super) lesson: &'a Lesson,
    pub(super) position: &'a AnyPosition,
    pub(super) picks: &'a [String],
    pub(super) progress: &'a Progress,
}

impl Step<'_> {
    fn game(&self) -> GameName {
        self.position.game()
    }

    fn address(&self, number: usize) -> String {
        format!("/learn/{}/{number}", self.game())
    }

    /// The whole page.
    pub(super) fn page(&self, said: &Said) -> Result<Html<String>, String> {
        let position = self.position;
        let about = self.game().about();
        let title = format!(
            "{}, step {}: {}",
            about.title, self.number, self.lesson.title
        );
        let mut scene = position.scene();
        let mut picked = Picked::default();
        let open = !matches!(said, Said::Solved(_));
        if let Said::Solved(mv) = said {
            scene = position.scene_after(mv).unwrap_or(scene);
        } else {
            picked = board::follow(position, &mut scene, self.picks)?;
            // Where one may go is to be found out, but a move once begun shows its ways.
            if self.picks.is_empty() && !picked.stepwise {
                scene.marks.legal.clear();
            }
        }
        let side = self.game().side_name(position.side_to_move());
        let body = html! {
            nav.lessons-nav aria-label="Steps" {
                @for number in 1..=about.lessons.len() {
                    @let done = self.progress.solved(self.game()).contains(&number);
                    a href=(self.address(number)) class=[done.then_some("done")] aria-current=[(number == self.number).then_some("step")]
                        aria-label={ "Step " (number) @if done { ", solved" } } data-plain { (number) @if done { "✓" } }
                }
            }
            div.columns #game data-events="" data-at=(usize::from(!open)) {
                div.stage {
                    @if open {
                        form.boardform method="post" action=(self.address(self.number)) {
                            input type="hidden" name="picks" value=(picked.picks.join(","));
                            (board::controls(&scene, &title))
                            (choices(position, &picked))
                        }
                    } @else { (board::still(&scene, &title)) }
                }
                div.panel {
                    p.quiet { a href={ "/learn/" (self.game()) } { "Learn " (about.title) } ", step " (self.number) " of " (about.lessons.len()) }
                    h1 { (self.lesson.title) }
                    p { (self.lesson.text) }
                    @for note in &scene.notes { p.quiet.note { (note) } }
                    (self.said(said, side))
                    @if open { (self.typed(picked.passing)) }
                    (self.actions(open))
                }
            }
        };
        Ok(shell(&title, "/learn", body))
    }

    /// What is said about the last move; read out when it changes.
    fn said(&self, said: &Said, side: &str) -> Markup {
        html! {
            p.status #status role="status" {
                @match said {
                    Said::Solved(mv) => { span.last { (mv) } " · " strong { "Solved" } },
                    _ => strong { (side) " to move" },
                }
            }
            div.said {
                @match said {
                    Said::Nothing => { @if !self.picks.is_empty() { p.quiet { (self.position.how(self.picks)) } } },
                    Said::Wrong(reason) => p.problem role="alert" { (reason) },
                    Said::Solved(_) => p.praise role="alert" { (self.lesson.right) },
                }
            }
        }
    }

    /// The box for typed moves.
    fn typed(&self, passing: bool) -> Markup {
        html! {
            form.typed method="post" action=(self.address(self.number)) {
                label { span { "Move" } input #typed name="move" autocomplete="off" autocapitalize="off" spellcheck="false" size="9"; }
                button { "Play" }
                @if passing { button.primary name="move" value="pass" formnovalidate { "Pass" } }
                @if !self.picks.is_empty() { a.button #let-go href=(self.address(self.number)) data-let-go { "Cancel" } }
            }
        }
    }

    fn actions(&self, open: bool) -> Markup {
        let last = self.number == self.game().about().lessons.len();
        html! {
            div.actions {
                @if !open && !last { a.button.primary href=(self.address(self.number + 1)) data-plain { "Next step" } }
                @if !open { a.button href=(self.address(self.number)) data-plain { "Once more" } }
                @if open && !last { a.button href=(self.address(self.number + 1)) data-plain { "Skip" } }
            }
            @if last && !open { (onward(self.game())) }
        }
    }
}
