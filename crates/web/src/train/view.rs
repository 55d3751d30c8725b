//! How a training looks.

use games::{AnyPosition, Value};
use maud::{Markup, html};
use review::Case;

use super::course::{ENOUGH, Progress, State, Training};
use crate::board::{self, Picked};
use crate::play::view::choices;
use crate::query::query;

/// The list of positions with what has been made of them.
pub(super) fn overview(training: &Training, cases: &[Case]) -> Markup {
    let next = training.next(None);
    html! {
        div.narrow {
            p { a href="/train" { "← All trainings" } @if !training.back.is_empty() { " · " a href=(training.back) { "Where the positions come from" } } }
            h1 { (training.title) }
            p.status #status role="status" { strong { (training.solved()) " of " (cases.len()) " solved" } }
            div.actions { a.button.primary href={ "/train/" (training.id) "/" (next + 1) } { "Train" } }
            div.scroll tabindex="0" role="region" aria-label="Positions" { table {
                thead { tr { th.num { "#" } th { "Keep" } th { "From" } th.num { "Solved" } th.num { "Failed" } } }
                tbody { @for (number, (case, progress)) in (1..).zip(cases.iter().zip(&training.progress)) { tr {
                    td.num { a href={ "/train/" (training.id) "/" (number) } { (number) } }
                    td { (goal(case)) }
                    td.wrap { (case.source) }
                    td.num { (progress.solved) }
                    td.num { (progress.failed) }
                } } }
            } }
        }
    }
}

/// What is asked for. A lost position has nothing to keep but its margin.
fn goal(case: &Case) -> String {
    match (case.worth.value, case.worth.margin) {
        (Value::Win, None) => "the win".into(),
        (Value::Draw, _) => "the draw".into(),
        _ => format!("the margin ({})", case.worth),
    }
}

/// A position to solve.
pub(super) struct Puzzle<'a> {
    pub(super) training: &'a Training,
    pub(super) case: &'a Case,
    /// Its number, from 0.
    pub(super) number: usize,
    /// The positions of this try.
    pub(super) positions: &'a [AnyPosition],
    pub(super) picks: &'a [String],
    pub(super) notice: Option<&'a str>,
}

impl Puzzle<'_> {
    fn progress(&self) -> &Progress {
        &self.training.progress[self.number]
    }

    fn address(&self) -> String {
        format!("/train/{}/{}", self.training.id, self.number + 1)
    }

    fn shown(&self) -> &AnyPosition {
        &self.positions[self.positions.len() - 1]
    }

    /// The whole page's body; says which pick leads nowhere.
    pub(super) fn body(&self) -> Result<Markup, String> {
        let position = self.shown();
        let line = &self.progress().line;
        let mut scene = match line.last() {
            Some(mv) => self.positions[line.len() - 1]
                .scene_after(mv)
                .unwrap_or_else(|_| position.scene()),
            None => position.scene(),
        };
        let open = self.progress().state == State::Open;
        let mut picked = Picked::default();
        if open {
            picked = board::follow(position, &mut scene, self.picks)?;
        }
        let title = format!("position {}", self.number + 1);
        let address = self.address();
        Ok(html! {
            div.columns {
                div.stage {
                    @if open {
                        form.boardform method="post" action={ (address) "/move" } {
                            (board::fields(position, Some(&picked.picks), line.len()))
                            (board::controls(&scene, &title))
                            (choices(position, &picked))
                        }
                    } @else { (board::picture(&scene, &title)) }
                }
                div.panel {
                    p { a href={ "/train/" (self.training.id) } { "← " (self.training.title) } }
                    h1 { "Position " (self.number + 1) " of " (self.training.progress.len()) }
                    (self.status())
                    @if open { (self.typed(picked.passing)) }
                    (self.actions(open))
                    @if !line.is_empty() { p { "Played: " span.mono { (line.join("; ")) } } }
                    @for note in &position.scene().notes { p.quiet { (note) } }
                    details.more {
                        summary { "Show the moves that keep it" }
                        p { (self.case.keeps.join("; ")) }
                        @if !self.case.open.is_empty() { p.quiet { "Not proven: " (self.case.open.join("; ")) } }
                    }
                    p.quiet { "From " (self.case.source) }
                }
            }
        })
    }

    fn status(&self) -> Markup {
        let side = self.case.position.side_to_move();
        let name = self.case.position.game().side_name(side);
        let progress = self.progress();
        html! {
            p.status #status role="status" {
                @match &progress.state {
                    State::Open if progress.line.is_empty() => { strong { (name) " to move: keep " (goal(self.case)) "." } }
                    State::Open => { strong { "Right so far. " (name) " to move." } }
                    State::Solved => { span.tag.good { "solved" } " " strong { "You have kept " (goal(self.case)) "." } }
                    State::Failed(worth) => { span.tag.bad { "not solved" } " " strong { "That is worth only this: " (worth) "." } }
                }
            }
            div.said {
                @if let Some(notice) = self.notice { p.problem role="alert" { (notice) } }
                @else if progress.state == State::Open {
                    p.quiet {
                        "The strongest player answers. It is solved when the game ends so, or "
                        @if self.case.worth.margin.is_some() { "is proven to do so after " } @else { "holds for " }
                        (ENOUGH) " moves."
                    }
                }
            }
        }
    }

    fn typed(&self, passing: bool) -> Markup {
        html! {
            form.typed method="post" action={ (self.address()) "/move" } {
                (board::fields(self.shown(), None, self.progress().line.len()))
                label { span { "Move" } input #typed name="move" autocomplete="off" autocapitalize="off" spellcheck="false" size="9"; }
                button { "Play" }
                @if passing { button.primary name="move" value="pass" formnovalidate { "Pass" } }
                @if !self.picks.is_empty() { a.button #let-go href=(self.address()) data-let-go { "Cancel" } }
            }
        }
    }

    fn actions(&self, open: bool) -> Markup {
        let next = self.training.next(Some(self.number));
        let text = self.shown().to_string();
        let pair = [
            ("game", self.shown().game().name()),
            ("position", text.as_str()),
        ];
        html! {
            div.actions {
                @if !self.progress().line.is_empty() {
                    form method="post" action={ (self.address()) "/again" } { button.primary[matches!(self.progress().state, State::Failed(_))] { "Try again" } }
                }
                @if next != self.number { a.button.primary[self.progress().state == State::Solved] href={ "/train/" (self.training.id) "/" (next + 1) } { "Next position" } }
                @if !open { a.button href={ "/analyse/position" (query(&pair)) } { "Analyse this position" } }
            }
        }
    }
}
