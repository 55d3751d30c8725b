//! How an analysis looks.

use draw::{Tone, Value};
use games::{AnyPosition, GameName, Scale};
use maud::{Markup, PreEscaped, html};
use rules::{Side, WIN};

use super::subject::Subject;
use super::values::{Graph, Values, Worth, words};
use crate::board;
use crate::query::query;

/// Everything that a page of an analysis shows.
pub(super) struct View<'a> {
    pub(super) subject: &'a Subject,
    pub(super) positions: &'a [AnyPosition],
    /// How many moves of the game have been made.
    pub(super) at: usize,
    /// Moves of a variation from there.
    pub(super) line: &'a [String],
    /// How many of them have been made.
    pub(super) step: usize,
    /// The position shown.
    pub(super) shown: &'a AnyPosition,
    /// The position before it, and the move that led from there.
    pub(super) before: Option<(&'a AnyPosition, &'a str)>,
    /// The address of this analysis.
    pub(super) base: &'a str,
}

impl View<'_> {
    /// How this game writes and compares values.
    fn scale(&self) -> &'static Scale {
        &self.subject.game.about().scale
    }

    /// The address of another view of this analysis.
    pub(super) fn link(&self, at: usize, line: &[String]) -> String {
        let sign = if self.base.contains('?') { '&' } else { '?' };
        let rest = query(&[("at", &at.to_string()), ("line", &line.join(","))]);
        format!("{}{sign}{}", self.base, &rest[1..])
    }

    /// The address of the variation after so many of its moves.
    fn link_step(&self, line: &[String], step: usize) -> String {
        format!("{}&step={step}", self.link(self.at, line))
    }

    /// The moves of the variation that have been made.
    fn made(&self) -> &[String] {
        &self.line[..self.step]
    }

    /// The address of the view with one more move.
    fn link_move(&self, mv: &str) -> String {
        let next = self.subject.moves.get(self.at);
        if self.step == 0 && next.is_some_and(|next| next == mv) {
            return self.link(self.at + 1, &[]);
        }
        if self.line.get(self.step).is_some_and(|next| next == mv) {
            return self.link_step(self.line, self.step + 1);
        }
        self.link(self.at, &self.with_line(&[mv.to_string()]))
    }

    /// The address of the first move of a line that can then be walked through.
    fn link_line(&self, line: &[String]) -> String {
        self.link_step(&self.with_line(line), self.step + 1)
    }

    /// The board with the values known so far.
    pub(super) fn board(&self, values: &Values) -> Markup {
        let scene = match self.before {
            Some((before, mv)) => before
                .scene_after(mv)
                .unwrap_or_else(|_| self.shown.scene()),
            None => self.shown.scene(),
        };
        let scale = self.scale();
        let best = values.moves.first().map_or(0, |worth| worth.value);
        let value = |worth: &Worth| Value {
            text: words(scale, worth.value),
            tone: tone(scale, best, worth.value),
            best: worth.value == best,
            exact: worth.exact,
        };
        let values = values.moves.iter();
        let values = values.map(|worth| (worth.mv.clone(), value(worth)));
        let address = |mv: &str| self.link_move(mv);
        board::walk(scene, "the board", self.shown, values.collect(), address)
    }

    /// The table of moves with their values.
    pub(super) fn table(&self, values: &Values) -> Markup {
        let scale = self.scale();
        html! {
            @if let Some(outcome) = self.shown.outcome() {
                p.status { strong { @match outcome.winner() {
                    Some(side) => { (self.shown.game().side_name(side)) " has won" }
                    None => "A draw"
                } } }
            } @else {
                div.scroll.values tabindex="0" role="region" aria-label="Moves with their values" {
                    table {
                        thead { tr { th { "Move" } th.num { "Value" } th.num { "Depth" } th { "Goes on" } } }
                        tbody {
                            @for worth in &values.moves {
                                tr {
                                    td { a href=(self.link_move(&worth.mv)) { (worth.mv) } }
                                    td.num { strong { (words(scale, worth.value)) } @if worth.exact { " " span.tag.good { "exact" } } }
                                    td.num { (worth.depth) }
                                    td { a.quiet href=(self.link_line(&worth.line)) { (worth.line.iter().skip(1).take(6).cloned().collect::<Vec<_>>().join(" ")) } }
                                }
                            }
                            @if values.moves.is_empty() { tr { td colspan="4" { "Waiting for a free engine…" noscript { " " a href={ (self.link_step(self.line, self.step)) "&wait=1" } { "Show what can be found in a moment" } } } } }
                        }
                    }
                }
                div.actions {
                    @if let Some(best) = values.moves.first().filter(|best| best.line.len() > 1) {
                        a.button href=(self.link_line(&best.line)) { "Play out the best line" }
                    }
                    span.quiet { @if values.done { "Finished." } @else { "Thinking: values get better while this page is open." } }
                }
            }
        }
    }

    fn with_line(&self, more: &[String]) -> Vec<String> {
        self.made().iter().chain(more).cloned().collect()
    }

    /// The value over the game, for the first side, with a cursor.
    pub(super) fn graph(&self, graph: &Graph) -> Markup {
        const WIDTH: f64 = 640.0;
        const HEIGHT: f64 = 190.0;
        let count = self.positions.len();
        if count < 2 {
            return html! {};
        }
        let far = self.scale().far;
        let x = |i: usize| 34.0 + (WIDTH - 50.0) * i as f64 / (count - 1) as f64;
        // Far values are drawn closer together, so that a win does not flatten the rest.
        let y = |value: i32| HEIGHT / 2.0 - (f64::from(value) / far).tanh() * (HEIGHT / 2.0 - 18.0);
        let of_first = |i: usize| {
            let worth = graph.points.get(i)?.as_ref()?;
            let sign = if self.positions[i].side_to_move() == Side::First {
                1
            } else {
                -1
            };
            Some((worth.value * sign, worth.exact))
        };
        let mut path = String::new();
        for i in 0..count {
            if let Some((value, _)) = of_first(i) {
                let letter = if path.is_empty() { 'M' } else { 'L' };
                path.push_str(&format!("{letter}{:.1} {:.1}", x(i), y(value)));
            }
        }
        let names = Side::BOTH.map(|side| self.shown.game().side_name(side));
        html! {
            svg.graph viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="group" aria-label="value over the game" {
                line.axis x1="34" x2="34" y1="8" y2=(HEIGHT - 8.0) {}
                line.zero x1="34" x2=(WIDTH - 16.0) y1=(HEIGHT / 2.0) y2=(HEIGHT / 2.0) {}
                text x="40" y="18" { (names[0]) " better" }
                text x="40" y=(HEIGHT - 8.0) { (names[1]) " better" }
                line.cursor x1=(x(self.at)) x2=(x(self.at)) y1="6" y2=(HEIGHT - 6.0) {}
                path.value d=(path) {}
                @for i in 0..count {
                    @if let Some((value, exact)) = of_first(i) {
                        a href=(self.link(i, &[])) aria-label={ "move " (i) ": " (words(self.scale(), value)) } {
                            circle class=(if exact { "dot" } else { "dot unsure" }) cx=(format!("{:.1}", x(i))) cy=(format!("{:.1}", y(value))) r="4" {}
                            @if self.cost(graph, i).is_some_and(|cost| cost >= self.scale().mistake) {
                                path.mistake d=(format!("M{:.1} {:.1}l6 11h-12Z", x(i), y(value) + 8.0)) {}
                            }
                        }
                    }
                }
            }
        }
    }

    /// What the move that led to position `i` cost the player who made it.
    fn cost(&self, graph: &Graph, i: usize) -> Option<i32> {
        let before = graph.points.get(i.checked_sub(1)?)?.as_ref()?;
        let after = graph.points.get(i)?.as_ref()?;
        Some((before.value + after.value).max(0))
    }

    /// The move list with mistakes marked.
    pub(super) fn moves(&self, graph: &Graph) -> Markup {
        let scale = self.scale();
        html! {
            ol {
                @for (i, mv) in self.subject.moves.iter().enumerate() {
                    li {
                        a href=(self.link(i + 1, &[])) aria-current=[(i + 1 == self.at && self.line.is_empty()).then_some("step")] {
                            span.n { (i + 1) } " " (mv) " "
                            @if let Some(cost) = self.cost(graph, i + 1) {
                                @if cost >= 3 * scale.mistake { span.tag.bad title="blunder" { "?? −" (price(scale, cost)) } }
                                @else if cost >= scale.mistake { span.tag.mid title="mistake" { "? −" (price(scale, cost)) } }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The whole page's body.
    pub(super) fn body(&self, values: &Values, graph: &Graph, live: &str) -> Markup {
        let text = self.shown.to_string();
        let game = self.subject.game;
        let pair = [("game", game.name()), ("position", text.as_str())];
        let title = if self.subject.title.is_empty() {
            game.about().title.into()
        } else {
            self.subject.title.clone()
        };
        let last = self.subject.moves.len();
        html! {
            div.columns data-events=(live) {
                div.stage {
                    div #part-board { (self.board(values)) }
                    nav.steps aria-label="Through the game" {
                        a.button href=(self.link(0, &[])) aria-label="first position" { "«" }
                        a.button href=(self.link_back()) aria-label="one move back" data-key="ArrowLeft" { "‹" }
                        span.quiet { (self.at) " / " (last) }
                        a.button href=(self.link_on()) aria-label="one move on" data-key="ArrowRight" { "›" }
                        a.button href=(self.link(last, &[])) aria-label="last position" { "»" }
                    }
                    div #part-graph { (self.graph(graph)) }
                }
                div.panel {
                    h1 { (title) }
                    p.status #status role="status" {
                        strong { (self.shown.game().side_name(self.shown.side_to_move())) " to move" }
                        @if self.at > 0 && self.line.is_empty() { ", after move " (self.at) " " (self.subject.moves[self.at - 1]) }
                    }
                    @if !self.line.is_empty() {
                        nav.line aria-label="Variation" {
                            span.quiet { "Variation:" }
                            @for (i, mv) in self.line.iter().enumerate() {
                                a href=(self.link_step(self.line, i + 1)) aria-current=[(i + 1 == self.step).then_some("step")] { (mv) }
                            }
                            a.button href=(self.link(self.at, &[])) data-let-go { "Back to the game" }
                        }
                    }
                    div #part-table aria-busy=(!values.done) { (self.table(values)) }
                    p.quiet { (self.scale().meaning) }
                    @if last > 0 { section.moves #part-moves aria-label="Moves" tabindex="0" { (self.moves(graph)) } }
                    details.more open {
                        summary { "Position, links and files" }
                        p { code.text { (text) } }
                        p.links {
                            a href={ "/play" (query(&pair)) } { "Play from here" } " · "
                            a href={ "/edit" (query(&pair)) } { "Edit" } " · "
                            a href={ "/board.svg" (query(&pair)) } { "SVG" } " · "
                            a href={ "/board.png" (query(&pair)) } { "PNG" } " · "
                            a href={ (self.export()) "&form=text" } { "Text" } " · "
                            a href={ (self.export()) "&form=json" } { "JSON" }
                        }
                    }
                }
            }
        }
    }

    fn link_back(&self) -> String {
        match self.step {
            0 => self.link(self.at.saturating_sub(1), &[]),
            step => self.link_step(self.line, step - 1),
        }
    }

    fn link_on(&self) -> String {
        if self.step < self.line.len() {
            return self.link_step(self.line, self.step + 1);
        }
        match self.line.len() {
            0 => self.link((self.at + 1).min(self.subject.moves.len()), &[]),
            step => self.link_step(self.line, step),
        }
    }

    /// The address of this game as a file.
    fn export(&self) -> String {
        self.subject
            .address()
            .replacen("/analyse/game", "/analyse/export", 1)
    }
}

/// A cost in words.
fn price(scale: &Scale, cost: i32) -> String {
    if cost > WIN / 2 {
        return "game".into();
    }
    scale.price(cost)
}

/// How a move's value compares with the best one.
fn tone(scale: &Scale, best: i32, value: i32) -> Tone {
    match best - value {
        drop if drop < scale.mistake => Tone::Plain,
        drop if drop < 3 * scale.mistake => Tone::Worse,
        _ => Tone::Bad,
    }
}

/// Markup for a live part, as text.
pub(super) fn text(markup: Markup) -> String {
    let PreEscaped(text) = markup;
    text
}

/// The value of a position from a graph point, for the export.
pub(super) fn point(game: GameName, worth: &Worth) -> serde_json::Value {
    serde_json::json!({
        "value": worth.value,
        "text": words(&game.about().scale, worth.value),
        "exact": worth.exact,
        "depth": worth.depth,
        "best": worth.mv,
        "line": worth.line,
    })
}
