//! How a game looks.

use axum::response::Html;
use draw::{Scene, Stroke, Value};
use games::AnyPosition;
use maud::{Markup, html};
use rules::Side;

use super::create::LONGEST_NAME;
use super::game::{Cut, Match, Seat};
use super::keep::USUAL;
use crate::board::{self, Picked, Steps};
use crate::howto;
use crate::page::shell;
use crate::query::{joined, query};
use crate::settings::turn_button;

/// More stones beside a board are not drawn one by one.
const MOST_STONES: u32 = 24;

/// Everything that a page of a game shows.
pub(super) struct View<'a> {
    pub(super) game: &'a Match,
    pub(super) positions: &'a [AnyPosition],
    /// For which sides the visitor may move.
    pub(super) mine: [bool; 2],
    /// Whether the visitor may delete the game.
    pub(super) may_delete: bool,
    /// Whether the visitor may put the game into the library, where others find it.
    pub(super) may_keep: bool,
    /// Whether the visitor may take it out of there.
    pub(super) may_take_out: bool,
    /// How many moves have been made in the position shown.
    pub(super) at: usize,
    pub(super) picks: &'a [String],
    pub(super) ask: &'a str,
    pub(super) hint: Option<String>,
    pub(super) notice: Option<&'a str>,
    /// Where the site was found.
    pub(super) host: &'a str,
}

impl View<'_> {
    /// The position shown.
    fn position(&self) -> &AnyPosition {
        &self.positions[self.at]
    }

    /// Whether this is the last position, and the visitor may move in it.
    fn open(&self) -> bool {
        self.at == self.game.moves.len()
            && self.mine[self.position().side_to_move().index()]
            && !self.game.is_waiting()
            && self.game.ending(self.position()).is_none()
            && self.game.bot_to_move(self.position()).is_none()
    }

    /// The only side of the visitor, if there is one.
    fn my_side(&self) -> Option<Side> {
        match self.mine {
            [true, false] => Some(Side::First),
            [false, true] => Some(Side::Second),
            _ => None,
        }
    }

    /// The whole page.
    pub(super) fn page(&self) -> Result<Html<String>, String> {
        let game = self.game;
        let position = self.position();
        let mut scene = match self.at.checked_sub(1) {
            Some(before) => self.positions[before]
                .scene_after(&game.moves[before].mv)
                .unwrap_or_else(|_| position.scene()),
            None => position.scene(),
        };
        let mut picked = Picked::default();
        let question = position.how(self.picks);
        if self.open() {
            picked = board::follow(position, &mut scene, self.picks)?;
            if let Some(stroke) = self.hint.as_ref().and_then(|mv| position.stroke(mv).ok()) {
                scene.marks.strokes.push(Stroke {
                    value: Some(Value {
                        text: "hint".into(),
                        best: true,
                        ..Value::default()
                    }),
                    ..stroke
                });
            }
        }
        let title = format!("{} {}", game.game.about().title, game.id);
        let over = game.ending(&self.positions[game.moves.len()]).is_some();
        let body = html! {
            div.columns #game data-events={ "/play/" (game.id) "/events" } data-stamp=(game.stamp()) data-moves=(game.moves.len()) data-at=(self.at) data-over=[over.then_some("")] {
                div.stage {
                    @if self.open() {
                        form.boardform method="post" action={ "/play/" (game.id) "/move" } {
                            (board::fields(position, Some(&picked.picks), self.at))
                            (board::controls(&scene, &title))
                            (choices(position, &picked))
                        }
                    } @else {
                        (board::still(&scene, &title))
                    }
                    (self.steps())
                }
                div.panel {
                    h1 { (game.game.about().title) }
                    (self.seats(&scene))
                    (self.status(picked.passing, &question))
                    (self.people())
                    (self.actions(picked.passing))
                    (self.moves())
                    (self.library())
                    (self.more())
                    (howto::details(position.game()))
                }
            }
        };
        Ok(shell(&title, "/play", body))
    }

    /// Both players with their clocks, and what is beside the board.
    fn seats(&self, scene: &Scene) -> Markup {
        let position = self.position();
        let first = self.positions[0].side_to_move();
        let running = self.at == self.game.moves.len() && self.game.ending(position).is_none();
        let turn = running.then(|| position.side_to_move());
        html! {
            ul.seats {
                @for side in Side::BOTH {
                    li.seat aria-current=[(turn == Some(side)).then_some("true")] {
                        span class={ "chip " (self.game.game) " s" (side.index()) } aria-hidden="true" {}
                        span.who { strong { (position.game().side_name(side)) } " " span { (self.who(side)) } }
                        @if let Some(reserves) = scene.reserves { (self.reserve(side, reserves[side.index()])) }
                        @if let Some(limit) = self.game.clock_ms {
                            @let left = limit.saturating_sub(self.game.used(first, side, turn));
                            @let flagged = self.game.cut == Some((side.index(), Cut::Flagged));
                            @if flagged { span.flag { "⚑ out of time" } }
                            span.clock data-left=(left) data-running=[(turn == Some(side) && !self.game.is_waiting()).then_some("")] { (minutes(left)) }
                        }
                    }
                }
            }
            @for note in &scene.notes { p.quiet.note { (note) } }
        }
    }

    /// The pieces that a side has beside the board.
    fn reserve(&self, side: Side, count: u32) -> Markup {
        html! {
            span.stones role="img" aria-label={ (count) " in reserve" } {
                @for _ in 0..count.min(MOST_STONES) { span class={ "chip " (self.game.game) " s" (side.index()) } {} }
                @if count > MOST_STONES { "…" }
            }
        }
    }

    /// Who sits on a side, as the visitor sees it.
    fn who(&self, side: Side) -> String {
        let name = self.game.name(side);
        match self.my_side() == Some(side) && name != "you" {
            true if name == "a guest" => "you".into(),
            true => format!("{name} (you)"),
            false => name.into(),
        }
    }

    /// What is going on, in words; read out when it changes.
    fn status(&self, passing: bool, question: &str) -> Markup {
        let (game, position) = (self.game, self.position());
        let name = position.game().side_name(position.side_to_move());
        let last = self.at.checked_sub(1).map(|i| game.moves[i].mv.as_str());
        let forced = self.at.checked_sub(1).is_some_and(|i| game.moves[i].forced);
        let other = position.game().side_name(!position.side_to_move());
        let text = if self.at < game.moves.len() {
            format!("After move {} of {}", self.at, game.moves.len())
        } else if let Some(ending) = game.ending(position) {
            match self.my_side() {
                Some(side) => ending.told_to(side),
                None => ending.text,
            }
        } else if game.is_waiting() {
            "Waiting for the opponent".into()
        } else if game.bot_to_move(position).is_some() {
            format!("{name} is thinking…")
        } else if passing {
            format!("{name} has no move and must pass")
        } else if forced {
            format!("{other} had no move and passed; {name} to move")
        } else {
            format!("{name} to move")
        };
        html! {
            p.status #status role="status" {
                @if let Some(last) = last { span.last { (last) } " · " }
                strong { (text) }
            }
            // Room for one line, so that nothing below moves when something is said.
            div.said {
                @if let Some(notice) = self.notice { p.problem role="alert" { (notice) } }
                @else if let Some(hint) = &self.hint { p.hint { "A good move: " strong { (hint) } } }
                @else if self.open() && !passing { p.quiet { (question) } }
                @else if self.mine == [false; 2] && !game.is_waiting() && game.seats.contains(&Seat::Human) { p.quiet { "You are watching." } }
            }
            @if self.at == game.moves.len() && game.bot_to_move(position).is_some() {
                noscript { p { a href={ "/play/" (game.id) } { "Look again for the reply" } } }
            }
        }
    }

    /// The buttons.
    fn actions(&self, passing: bool) -> Markup {
        let (game, id) = (self.game, &self.game.id);
        let playing = self.mine != [false; 2];
        let question = match self.ask {
            "resign" if playing => Some(("resign", "Give this game up?", "Resign")),
            "delete" if self.may_delete => Some((
                "delete",
                "Delete this game? It cannot be brought back.",
                "Delete",
            )),
            _ => None,
        };
        let over = game.ending(&self.positions[game.moves.len()]).is_some();
        let alone = game.link.is_none();
        html! {
            @if let Some((what, text, button)) = question {
                form.ask.card method="post" action={ "/play/" (id) "/" (what) } {
                    p role="alert" { (text) }
                    input type="hidden" name="sure" value="yes";
                    div.actions { button.primary { (button) } a.button href={ "/play/" (id) } { "No" } }
                }
            }
            @if self.open() {
                form.typed method="post" action={ "/play/" (id) "/move" } {
                    (board::fields(self.position(), None, self.at))
                    label { span { "Move" } input #typed name="move" autocomplete="off" autocapitalize="off" spellcheck="false" size="9" placeholder=(if passing { "pass" } else { "" }); }
                    button { "Play" }
                    @if passing { button.primary name="move" value="pass" formnovalidate { "Pass" } }
                    @if let Some((_, before)) = self.picks.split_last() {
                        @if !before.is_empty() { a.button #back-step href={ "/play/" (id) (Steps::query(self.position(), before)) } { "Back a step" } }
                        a.button #let-go href={ "/play/" (id) } data-let-go { "Cancel" }
                    }
                }
            }
            div.actions {
                @if playing && alone {
                    form method="post" action={ "/play/" (id) "/undo" } { input type="hidden" name="after" value=(game.moves.len()); button disabled[game.undo_count(&self.positions[game.moves.len()]) == 0] { "Undo" } }
                    @if self.open() { a.button href={ "/play/" (id) "?hint=1" } { "Hint" } }
                }
                @if playing && !over { form method="post" action={ "/play/" (id) "/resign" } { button { "Resign" } } }
                @if over && alone { form method="post" action={ "/play/" (id) "/rematch" } { button.primary { @if playing { "Play again, sides exchanged" } @else { "Again, sides exchanged" } } } }
                @if over && !game.moves.is_empty() {
                    a.button href={ "/review/play/" (id) } { "Review the game" }
                    a.button href=(self.analysis()) { "Analyse the game" }
                }
                a.button href={ "/play" (query(&[("game", game.game.name())])) } data-plain { "New game" }
            }
        }
    }

    /// What two people at two devices have to say to each other.
    fn people(&self) -> Markup {
        let (game, id) = (self.game, &self.game.id);
        let Some(link) = &game.link else {
            return html! {};
        };
        let over = game.ending(&self.positions[game.moves.len()]).is_some();
        let side = self.my_side();
        let opponent = side.map(|side| (!side).index());
        let name = |side: Side| game.game.side_name(side);
        let free = Side::BOTH
            .into_iter()
            .find(|side| link.holders[side.index()].is_none());
        html! {
            @if let (Some(free), None) = (free, side) {
                form.card method="post" action={ "/play/" (id) "/join" } data-plain {
                    p { strong { (game.name(!free)) } " invites you to a game of " (game.game.about().title) ". You would play " strong { (name(free)) } @if free == Side::First { ", who moves first" } "." }
                    label { span { "Your name" } input name="name" maxlength=(LONGEST_NAME) autocomplete="nickname" spellcheck="false"; }
                    div.actions { button.primary { "Join the game" } }
                }
            } @else if free.is_some() {
                div.card {
                    label.invitation { span { "Send this link to your opponent:" } input #invitation readonly value={ (self.host) "/play/" (id) }; }
                    div.actions { button type="button" data-copy="invitation" hidden { "Copy the link" } }
                    p.quiet { "The game begins, and the clock starts, when somebody has joined. Whoever comes later can watch." }
                }
            } @else if over {
                @if let Some(next) = &link.next { p { a.button.primary href={ "/play/" (next) } { "To the next game" } } }
                @else if let Some(side) = side {
                    @if link.again[side.index()] { p { "You want to play again; waiting for the opponent." } }
                    @else {
                        form method="post" action={ "/play/" (id) "/rematch" } {
                            @if link.again[(!side).index()] { p { "Your opponent wants to play again." } }
                            button.primary { "Play again, sides exchanged" }
                        }
                    }
                }
            } @else if side.is_some() {
                @if link.offer.is_some() && link.offer == opponent {
                    div.card.ask {
                        p role="alert" { "Your opponent offers a draw." }
                        div.actions {
                            form method="post" action={ "/play/" (id) "/draw" } { button.primary { "Agree" } }
                            form method="post" action={ "/play/" (id) "/decline" } { button { "Decline" } }
                        }
                    }
                } @else if link.offer.is_some() { p { "You have offered a draw." } }
                @else { form method="post" action={ "/play/" (id) "/draw" } { button { "Offer a draw" } } }
            }
        }
    }

    /// What the library has of the game, under which tag, and how to change that.
    fn library(&self) -> Markup {
        let (game, id) = (self.game, &self.game.id);
        let over = game.ending(&self.positions[game.moves.len()]).is_some();
        let tag = game.tag.as_deref();
        html! {
            @if let Some(tag) = tag {
                div.actions {
                    span { "In the " a href={ "/library" (query(&[("game", game.game.name()), ("event", tag)])) } { "library" } ", under " strong { (tag) } @if game.guests { ", without names of guests" } "." }
                    @if self.may_take_out { form method="post" action={ "/play/" (id) "/library/remove" } { button { "Take it out" } } }
                }
            }
            @if over && self.may_keep && !game.moves.is_empty() {
                form.actions method="post" action={ "/play/" (id) "/library" } {
                    label { span { "Tag " } input name="tag" value=(tag.unwrap_or(USUAL)) maxlength=(LONGEST_NAME) autocomplete="off"; }
                    button { @if tag.is_some() { "Change the tag" } @else { "Keep in the library" } }
                }
            }
        }
    }

    /// The move list, to click through.
    fn moves(&self) -> Markup {
        let (game, id) = (self.game, &self.game.id);
        html! {
            section.moves aria-label="Moves" {
                ol {
                    @for (i, played) in game.moves.iter().enumerate() {
                        li {
                            a href={ "/play/" (id) "?at=" (i + 1) } aria-current=[(i + 1 == self.at).then_some("step")] {
                                span.n { (i + 1) } " " (played.mv) " " span.quiet { (seconds(played.ms)) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Steps through the game.
    fn steps(&self) -> Markup {
        let id = &self.game.id;
        let last = self.game.moves.len();
        let link = |at: usize, words: &str, sign: &str, key: &str| {
            html! { a.button href={ "/play/" (id) "?at=" (at) } aria-label=(words) data-key=[(!key.is_empty()).then_some(key)] { (sign) } }
        };
        html! {
            nav.steps aria-label="Through the game" {
                (link(0, "first position", "«", ""))
                (link(self.at.saturating_sub(1), "one move back", "‹", "ArrowLeft"))
                span.quiet { (self.at) " / " (last) }
                @if self.at + 1 < last { (link(self.at + 1, "one move on", "›", "ArrowRight")) }
                @else { a.button href={ "/play/" (id) } aria-label="one move on" data-key="ArrowRight" { "›" } }
                a.button href={ "/play/" (id) } aria-label="last position" { "»" }
                (turn_button())
            }
        }
    }

    /// The address of the analysis of the whole game.
    fn analysis(&self) -> String {
        let Match { game, start, .. } = self.game;
        let moves: Vec<&str> = self.game.moves.iter().map(|p| p.mv.as_str()).collect();
        let pairs = [
            ("game", game.name()),
            ("start", start),
            ("moves", &joined(&moves)),
        ];
        format!("/analyse/game{}", query(&pairs))
    }

    /// What else can be done with this position.
    fn more(&self) -> Markup {
        let text = self.position().to_string();
        let game = &self.game.game;
        let pair = [("game", game.name()), ("position", text.as_str())];
        html! {
            details.more {
                summary { "Position and links" }
                p { code.text { (text) } }
                p.links {
                    @if self.may_delete { a href={ "/play/" (self.game.id) "?ask=delete" } { "Delete this game" } " · " }
                    a href="/play/games" { "All games" } " · "
                    a href={ "/analyse/position" (query(&pair)) } { "Analyse this position" } " · "
                    a href=(self.analysis()) { "Analyse the game" } " · "
                    a href={ "/play" (query(&pair)) } { "New game from here" } " · "
                    a href={ "/edit" (query(&pair)) } { "Edit" } " · "
                    a href={ "/board.svg" (query(&pair)) } { "SVG" } " · "
                    a href={ "/board.png" (query(&pair)) } { "PNG" }
                }
            }
        }
    }
}

/// Buttons for what cannot be said by a place alone.
pub(crate) fn choices(position: &AnyPosition, picked: &Picked) -> Markup {
    html! {
        @if !picked.choices.is_empty() {
            fieldset.rows {
                legend { (position.how(&picked.picks)) }
                @for (number, choice) in picked.choices.iter().enumerate() {
                    button id={ "choice-" (number) } name="pick" value=(choice.label) data-row=[choice.row.map(|_| number)] { (choice.words) }
                }
            }
        }
    }
}

/// `4:07`
pub(crate) fn minutes(ms: u64) -> String {
    let seconds = ms.div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// `0.4 s`
pub(crate) fn seconds(ms: u64) -> String {
    format!("{:.1} s", ms as f64 / 1000.0)
}
