//! How an analysis looks.

use draw::{Tone, Value};
use games::{AnyPosition, Mistake, Scale, Weight};
use maud::{Markup, PreEscaped, html};
use rules::Side;
use search::{Distance, Report, Score};

use super::subject::Subject;
use super::values::{Graph, Persistence, Values};
use crate::board;
use crate::query::{joined, query};
use crate::settings::turn_button;

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
    /// How long the position is looked at.
    pub(super) persistence: Persistence,
}

impl View<'_> {
    /// How this game writes and compares values.
    fn scale(&self) -> &'static Scale {
        &self.subject.game.about().scale
    }

    /// The address of another view of this analysis.
    pub(super) fn link(&self, at: usize, line: &[String]) -> String {
        let sign = if self.base.contains('?') { '&' } else { '?' };
        let rest = query(&[("at", &at.to_string()), ("line", &joined(line))]);
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
        let best = values.moves.first().map(|best| best.score);
        let best = best.unwrap_or(Score::Estimate(0));
        let value = |known: &Report<String>| Value {
            text: scale.words(known.score),
            tone: tone(scale, best, known.score),
            best: known.score.value() == best.value(),
            exact: known.score.is_proven(),
        };
        let values = values.moves.iter();
        let values = values.filter_map(|known| Some((known.best.clone()?, value(known))));
        let address = |mv: &str| self.link_move(mv);
        board::walk(scene, "the board", self.shown, values.collect(), address)
    }

    /// The table of moves with their values.
    pub(super) fn table(&self, values: &Values) -> Markup {
        let scale = self.scale();
        html! {
            @if self.shown.outcome().is_none() {
                div.scroll.values tabindex="0" role="region" aria-label="Moves with their values" {
                    table {
                        thead { tr { th { "Move" } th.num { "Value" } th.num { "Depth" } th { "Goes on" } } }
                        tbody {
                            @for known in &values.moves {
                                @let mv = known.best.as_deref().unwrap_or_default();
                                tr {
                                    td { a href=(self.link_move(mv)) { (mv) } }
                                    td.num { strong { (scale.words(known.score)) } @if known.score.is_proven() { " " span.tag.good { "exact" } } }
                                    td.num { (known.depth) }
                                    td { a.quiet href=(self.link_line(&known.line)) { (known.line.iter().skip(1).take(6).cloned().collect::<Vec<_>>().join(" ")) } }
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
                    @if values.done && self.persistence == Persistence::Usual && values.moves.iter().any(|known| !known.score.is_exact()) {
                        a.button href={ (self.link_step(self.line, self.step)) "&deep=1" } { "Think on" }
                    }
                    span.quiet {
                        @if values.done { "Finished." }
                        @else if self.persistence == Persistence::Endless { "Thinking for as long as this page is open." }
                        @else { "Thinking: values get better while this page is open." }
                    }
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
        let y = |score: Score| {
            HEIGHT / 2.0 - (f64::from(score.value()) / far).tanh() * (HEIGHT / 2.0 - 18.0)
        };
        let of_first = |i: usize| {
            let score = graph.points.get(i)?.as_ref()?.report.score;
            Some(match self.positions[i].side_to_move() {
                Side::First => score,
                Side::Second => -score,
            })
        };
        let mut path = String::new();
        for i in 0..count {
            if let Some(score) = of_first(i) {
                let letter = if path.is_empty() { 'M' } else { 'L' };
                path.push_str(&format!("{letter}{:.1} {:.1}", x(i), y(score)));
            }
        }
        let names = Side::BOTH.map(|side| self.shown.game().side_name(side));
        html! {
            svg.graph viewBox={ "0 0 " (WIDTH) " " (HEIGHT + 8.0) } role="group" aria-label="value over the game" {
                line.axis x1="34" x2="34" y1="8" y2=(HEIGHT - 8.0) {}
                line.zero x1="34" x2=(WIDTH - 16.0) y1=(HEIGHT / 2.0) y2=(HEIGHT / 2.0) {}
                @for score in self.ticks() {
                    line.tick x1="30" x2=(WIDTH - 16.0) y1=(format!("{:.1}", y(score))) y2=(format!("{:.1}", y(score))) {}
                    text.tick x="28" y=(format!("{:.1}", y(score) + 4.0)) text-anchor="end" { (self.scale().words(score)) }
                }
                @for i in (0..count).step_by(10) {
                    text.tick x=(format!("{:.1}", x(i))) y=(HEIGHT + 4.0) text-anchor="middle" { (i) }
                }
                text x="40" y="18" { (names[0]) " better" }
                text x="40" y=(HEIGHT - 12.0) { (names[1]) " better" }
                line.cursor x1=(x(self.at)) x2=(x(self.at)) y1="6" y2=(HEIGHT - 6.0) {}
                path.value d=(path) {}
                @for i in 0..count {
                    @if let Some(score) = of_first(i) {
                        a href=(self.link(i, &[])) aria-label={ "move " (i) ": " (self.scale().words(score)) } {
                            circle class=(if score.is_proven() { "dot" } else { "dot unsure" }) cx=(format!("{:.1}", x(i))) cy=(format!("{:.1}", y(score))) r="4" {}
                            @if self.mistake(graph, i).is_some() {
                                path.mistake d=(format!("M{:.1} {:.1}l6 11h-12Z", x(i), y(score) + 8.0)) {}
                            }
                        }
                    }
                }
            }
        }
    }

    /// Values that are marked beside the graph.
    fn ticks(&self) -> Vec<Score> {
        let far = self.scale().far as i32;
        let points = [far, far / 4, 0, -far / 4, -far].map(Score::Estimate);
        let ends = [
            Score::Win(Distance::Unknown),
            Score::Loss(Distance::Unknown),
        ];
        // Margins have no end but the board.
        let ends = ends.into_iter().filter(|_| self.scale().unit == 1);
        points.into_iter().chain(ends).collect()
    }

    /// What the move that led to position `i` gave away.
    fn mistake(&self, graph: &Graph, i: usize) -> Option<Mistake> {
        let point = graph.points.get(i.checked_sub(1)?)?.as_ref()?;
        self.scale().mistake(point.report.score, point.played?)
    }

    /// The move list with mistakes marked.
    pub(super) fn moves(&self, graph: &Graph) -> Markup {
        let wrong = |at: &usize| self.mistake(graph, *at).is_some();
        let last = self.subject.moves.len();
        let earlier = (1..self.at).rev().find(wrong);
        let later = (self.at + 1..=last).find(wrong);
        html! {
            @if earlier.is_some() || later.is_some() {
                p.mistakes {
                    @if let Some(at) = earlier { a href=(self.link(at, &[])) data-key="p" { "‹ previous mistake" } }
                    @if let Some(at) = later { a href=(self.link(at, &[])) data-key="n" { "next mistake ›" } }
                }
            }
            ol {
                @for (i, mv) in self.subject.moves.iter().enumerate() {
                    li {
                        a href=(self.link(i + 1, &[])) aria-current=[(i + 1 == self.at && self.line.is_empty()).then_some("step")] {
                            span.n { (i + 1) } " " (mv) " "
                            @if let Some(mistake) = self.mistake(graph, i + 1) {
                                @let class = if mistake.weight == Weight::Blunder { "tag bad" } else { "tag mid" };
                                @let sure = if mistake.proven { "proven " } else { "" };
                                span class=(class) title={ (sure) (mistake.weight.name()) } { (mistake.text()) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The whole page's body.
    pub(super) fn body(
        &self,
        values: &Values,
        graph: &Graph,
        live: &str,
        reached: &Markup,
    ) -> Markup {
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
                        (turn_button())
                    }
                    div #part-graph { (self.graph(graph)) }
                }
                div.panel {
                    h1 { (title) }
                    p.status #status role="status" {
                        strong { (self.state()) }
                        @if self.at > 0 && self.line.is_empty() { ", after move " (self.at) " " (self.subject.moves[self.at - 1]) }
                    }
                    @for note in &self.shown.scene().notes { p.quiet { (note) } }
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
                    (reached)
                    @if last > 0 { (self.review()) }
                    @if last > 0 { section.moves #part-moves aria-label="Moves" tabindex="0" { (self.moves(graph)) } }
                    details.more open {
                        summary { "Position, links and files" }
                        p { code.text { (text) } }
                        p.links {
                            a href={ "/play" (query(&pair)) } { "Play from here" } " · "
                            a href={ "/edit" (query(&pair)) } { "Edit" } " · "
                            a href={ "/board.svg" (query(&pair)) } { "SVG" } " · "
                            a href={ "/board.png" (query(&pair)) } { "PNG" } " · "
                            a href=(self.export("text")) { "Text" } " · "
                            @if self.subject.game.about().short_form { a href=(self.export("short")) { "Short text" } " · " }
                            a href=(self.export("json")) { "JSON" }
                        }
                    }
                }
            }
        }
    }

    /// The way to the review of the game; one that is only an address is kept first.
    fn review(&self) -> Markup {
        let Subject {
            game,
            start,
            moves,
            title,
        } = self.subject;
        html! {
            div.actions {
                @if let Some(id) = self.base.strip_prefix("/analyse/").filter(|id| !id.contains('?')) {
                    a.button href={ "/review/analysis/" (id) } { "Review the game" }
                } @else {
                    form method="post" action="/review" {
                        @for (name, value) in [("game", game.name()), ("start", start), ("moves", &joined(moves)), ("title", title)] {
                            input type="hidden" name=(name) value=(value);
                        }
                        button { "Review the game" }
                    }
                }
            }
        }
    }

    /// Who has won and why, or who is to move.
    fn state(&self) -> String {
        match self.shown.outcome() {
            Some(outcome) => self.shown.announce(outcome),
            None => {
                let name = self.shown.game().side_name(self.shown.side_to_move());
                format!("{name} to move")
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

    /// The address of this game, with its values, as a file.
    fn export(&self, form: &str) -> String {
        match self.base.split_once('?') {
            Some((_, given)) => format!("/analyse/export?{given}&form={form}"),
            None => format!("{}/export?form={form}", self.base),
        }
    }
}

/// How a move's score compares with the best one.
fn tone(scale: &Scale, best: Score, score: Score) -> Tone {
    match scale.mistake(best, score) {
        Some(mistake) if mistake.weight == Weight::Blunder => Tone::Bad,
        Some(_) => Tone::Worse,
        // A proven win is better than a move of which nothing is known.
        None if best.sign() == Some(1) && !score.is_proven() => Tone::Worse,
        None => Tone::Plain,
    }
}

/// Markup for a live part, as text.
pub(super) fn text(markup: Markup) -> String {
    let PreEscaped(text) = markup;
    text
}
