//! What moves are worth: searches that go deeper while somebody looks.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use games::AnyPosition;
use review::Knowledge;
use search::{Limits, Report, Score};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::idle_engines::IdleEngines;
use crate::Site;
use crate::pool::{Interest, WeakInterest};

/// How far moves are looked into, one time after the other: the depth, and how many
/// milliseconds one move may hold its place in the pool. Short ones come first, so that
/// every move soon bears some value.
const MOVES: [(u32, u64); 13] = [
    (1, 40),
    (2, 60),
    (3, 80),
    (4, 120),
    (5, 200),
    (6, 300),
    (8, 500),
    (10, 800),
    (12, 1200),
    (14, 1500),
    (16, 1500),
    (20, 1500),
    (24, 1500),
];

/// The same for the positions of a game.
const GAME: [(u32, u64); 4] = [(1, 40), (4, 150), (8, 500), (12, 1500)];

/// Under which kind graphs are kept.
pub(crate) const GRAPH: &str = "points";

/// How long a position is looked at in all, not counting the time in the queue, unless somebody
/// asks to go on.
const LONGEST: Duration = Duration::from_secs(20);

/// Deeper than any game here can be searched.
const DEEPEST: u32 = 60;

/// The longest that one move holds its place in the pool.
const LONGEST_SLICE: u64 = 10_000;

/// In so many of four rounds beyond the usual ones only the best moves are looked at.
const BEST_ROUNDS: usize = 3;

/// Less than this is no time for a round.
const AT_ONCE: Duration = Duration::from_millis(50);

/// So many are the best ones.
const BEST: usize = 3;

/// How long a position is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Persistence {
    /// For a while.
    Usual,
    /// As long as somebody looks, or until everything is proven.
    Endless,
}

impl Persistence {
    /// The depth and the milliseconds of a round; `None` if there is no such round.
    fn effort(self, round: usize) -> Option<(u32, u64)> {
        let beyond = match MOVES.get(round) {
            Some(&effort) => return Some(effort),
            None => round - MOVES.len(),
        };
        let ms = 2000 << beyond.min(8);
        (self == Persistence::Endless).then_some((DEEPEST, LONGEST_SLICE.min(ms)))
    }

    /// Whether a round looks at all moves.
    fn is_whole(round: usize) -> bool {
        round < MOVES.len() || (round - MOVES.len()) % (BEST_ROUNDS + 1) == BEST_ROUNDS
    }
}

/// What is known about a position's moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Values {
    /// A report of each move looked at, the best first.
    pub(crate) moves: Vec<Report<String>>,
    /// Nothing more will come.
    pub(crate) done: bool,
}

/// What is known about each position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Graph {
    pub(crate) points: Vec<Option<Point>>,
    /// Nothing more will come.
    pub(crate) done: bool,
}

/// A position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Point {
    /// What the position is worth.
    pub(crate) report: Report<String>,
    /// What the move is worth that was played there, by a search as deep as the one that found
    /// the best move; `None` where there is no such search.
    pub(crate) played: Option<Score>,
}

impl Graph {
    /// The same graph with everything in it that is proven by now of the positions and moves.
    pub(crate) fn with_proofs(
        mut self,
        analyst: &Analyst,
        positions: &[AnyPosition],
        moves: &[String],
    ) -> Graph {
        for (point, position) in self.points.iter_mut().zip(positions) {
            if let Some(point) = point
                && !point.report.score.is_proven()
                && let Some(report) = analyst.recall(position)
            {
                point.report = report;
            }
        }
        self.link(moves);
        self
    }

    /// Takes over from each position what is proven of the move that led to it.
    fn link(&mut self, moves: &[String]) {
        for (i, mv) in moves.iter().enumerate().rev() {
            if let Some([Some(before), Some(after)]) = self.points.get_mut(i..=i + 1)
                && after.report.score.is_proven()
            {
                before.add(mv, &after.report);
            }
        }
    }
}

impl Point {
    /// Adds what is proven of the move that was played: a move that wins proves its position, and
    /// is the best one there.
    fn add(&mut self, mv: &str, after: &Report<String>) {
        let played = after.score.before_move();
        self.played = Some(played);
        if !self.report.score.is_proven()
            && let Some(score) = Score::of_moves([Some(played), None])
        {
            self.report.score = score;
            self.report.best = Some(mv.into());
            self.report.line = std::iter::once(mv.into())
                .chain(after.line.clone())
                .collect();
        }
    }

    /// Adds what a search says of the move that was played: one that turns out to be better than
    /// the best one found is the best one.
    fn judge(&mut self, mv: &str, played: Option<Score>) {
        self.played = played;
        if let Some(Score::Estimate(points)) = played
            && matches!(self.report.score, Score::Estimate(found) if found < points)
        {
            self.report.score = Score::Estimate(points);
            self.report.best = Some(mv.into());
            self.report.line = vec![mv.into()];
        }
    }
}

/// Searches that go on, so that all who look at the same thing share one.
#[derive(Debug, Default)]
pub(crate) struct Analyst {
    positions: Running<Values>,
    games: Running<Graph>,
    engines: IdleEngines,
    /// Reports of positions that are proven, by game and position.
    proven: Mutex<HashMap<String, Report<String>>>,
}

/// So many proven positions are remembered.
const REMEMBERED: usize = 20_000;

fn key(position: &AnyPosition) -> String {
    format!("{} {position}", position.game())
}

type Running<T> = Mutex<HashMap<String, (WeakInterest, watch::Receiver<T>)>>;

/// A search to listen to; dropping it may stop the search.
#[derive(Debug)]
pub(crate) struct Listening<T> {
    pub(crate) latest: watch::Receiver<T>,
    _interest: Interest,
}

impl Analyst {
    /// Listens to the search of a position's moves; begins it if need be.
    pub(crate) fn position(
        &self,
        site: &Arc<Site>,
        position: &AnyPosition,
        persistence: Persistence,
    ) -> Listening<Values> {
        let key = format!("{persistence:?} {}", key(position));
        join(&self.positions, key, Values::default(), |sender, stop| {
            let (site, position) = (site.clone(), position.clone());
            tokio::spawn(search_moves(site, position, persistence, sender, stop));
        })
    }

    /// Listens to the search of all positions of a game, which starts from what is known.
    pub(crate) fn game(
        &self,
        site: &Arc<Site>,
        key: String,
        (positions, moves): (&[AnyPosition], &[String]),
        known: Graph,
        keep: Option<String>,
    ) -> Listening<Graph> {
        join(&self.games, key, known.clone(), |sender, stop| {
            tokio::spawn(search_game(
                site.clone(),
                (positions.to_vec(), moves.to_vec()),
                known,
                sender,
                stop,
                keep,
            ));
        })
    }
}

impl Analyst {
    /// What is proven of a position, as far as it is remembered.
    pub(crate) fn recall(&self, position: &AnyPosition) -> Option<Report<String>> {
        let proven = self.proven.lock().unwrap_or_else(PoisonError::into_inner);
        proven.get(&key(position)).cloned()
    }

    /// Remembers a report if it is proven.
    fn remember(&self, position: &AnyPosition, report: &Report<String>) {
        if !report.score.is_proven() {
            return;
        }
        let mut proven = self.proven.lock().unwrap_or_else(PoisonError::into_inner);
        if proven.len() >= REMEMBERED {
            proven.clear();
        }
        proven.insert(key(position), report.clone());
    }
}

/// Joins a running search, or begins one.
fn join<T: Clone>(
    running: &Running<T>,
    key: String,
    empty: T,
    begin: impl FnOnce(watch::Sender<T>, Arc<AtomicBool>),
) -> Listening<T> {
    let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((weak, latest)) = running.get(&key)
        && let Some(interest) = weak.upgrade()
    {
        return Listening {
            latest: latest.clone(),
            _interest: interest,
        };
    }
    running.retain(|_, (weak, _)| weak.upgrade().is_some());
    let interest = Interest::default();
    let (sender, latest) = watch::channel(empty);
    running.insert(key, (interest.downgrade(), latest.clone()));
    begin(sender, interest.flag());
    Listening {
        latest,
        _interest: interest,
    }
}

/// What a position is worth to the player to move, and how long it took to find.
async fn ask(
    site: &Arc<Site>,
    stop: &Arc<AtomicBool>,
    position: AnyPosition,
    (depth, ms): (u32, u64),
) -> Option<(Report<String>, Duration)> {
    if let Some(score) = position.final_score() {
        return Some((Report::over(score), Duration::ZERO));
    }
    if let Some(report) = site.analyst.recall(&position)
        && report.score.is_exact()
    {
        return Some((report, Duration::ZERO));
    }
    let kept = stored(site, &position).await;
    if let Some(report) = &kept {
        site.analyst.remember(&position, report);
        if report.score.is_exact() && report.best.is_some() {
            return Some((report.clone(), Duration::ZERO));
        }
    }
    let limits = Limits::default()
        .with_depth(depth)
        .with_wall(Duration::from_millis(ms))
        .with_stop(stop.clone());
    let here = site.clone();
    let work = move || {
        let started = Instant::now();
        let resources = here.resources(position.game());
        let found = here.analyst.engines.think(&position, resources, &limits);
        let report = match kept {
            Some(kept) if !found.score.is_proven() => Report {
                depth: found.depth,
                ..kept
            },
            _ => found,
        };
        here.analyst.remember(&position, &report);
        (report, started.elapsed())
    };
    let answer = site.pool.run(stop, work).await;
    answer.filter(|_| !stop.load(Ordering::Relaxed))
}

/// The most plies of best play that are read from the store.
const LONGEST_LINE: usize = 8;

/// What reviews have proven of a position, with best play as far as it is proven too.
async fn stored(site: &Arc<Site>, position: &AnyPosition) -> Option<Report<String>> {
    let game = position.game();
    let kept = |keys: Vec<String>| site.store.proofs(game, keys);
    let own = kept(vec![Knowledge::key(position)]).await.ok()?;
    let knowledge = Knowledge::new(own);
    let proof = knowledge.of(position)?;
    let mut line: Vec<String> = Vec::new();
    while line.len() < LONGEST_LINE {
        let mut at = position.clone();
        for mv in &line {
            at.play(mv).ok()?;
        }
        let moves = at.moves().into_iter();
        let after = moves.filter_map(|mv| {
            let mut next = at.clone();
            next.play(&mv).ok()?;
            Some(Knowledge::key(&next))
        });
        knowledge.extend(kept(after.collect()).await.ok()?);
        let longer = knowledge.line(position);
        if longer.len() <= line.len() {
            break;
        }
        line = longer;
    }
    Some(Report {
        best: line.first().cloned(),
        line,
        ..Report::over(proof.score())
    })
}

/// Looks at every move of a position, deeper and deeper; of moves of the same worth at one.
async fn search_moves(
    site: Arc<Site>,
    position: AnyPosition,
    persistence: Persistence,
    sender: watch::Sender<Values>,
    stop: Arc<AtomicBool>,
) {
    let mut spent = Duration::ZERO;
    let classes = position.classes();
    // Reports of the moves of each class.
    let mut values: Vec<Vec<Report<String>>> = vec![Vec::new(); classes.len()];
    let score = |known: &Vec<Report<String>>| known.first().map(|known| known.score);
    let efforts = (0..).map_while(|round| Some((round, persistence.effort(round)?)));
    'deeper: for (round, effort) in efforts {
        let is_exact = |class: &usize| score(&values[*class]).is_some_and(|score| score.is_exact());
        let mut looked_at: Vec<usize> = (0..classes.len()).filter(|c| !is_exact(c)).collect();
        if !Persistence::is_whole(round) {
            looked_at.sort_by_key(|&class| {
                std::cmp::Reverse(score(&values[class]).map(|score| score.value()))
            });
            looked_at.truncate(BEST);
        }
        let before = spent;
        for class in looked_at {
            if spent > LONGEST && persistence == Persistence::Usual {
                break 'deeper;
            }
            let mv = &classes[class][0];
            let mut next = position.clone();
            if next.play(mv).is_err() {
                continue;
            }
            let Some((reply, time)) = ask(&site, &stop, next, effort).await else {
                return;
            };
            spent += time;
            let report = Report {
                best: Some(mv.clone()),
                score: reply.score.before_move(),
                depth: reply.depth + 1,
                line: std::iter::once(mv.clone()).chain(reply.line).collect(),
                ..reply
            };
            // What is proven stays so, though another search may not find it.
            let proven = score(&values[class]).is_some_and(|score| score.is_proven());
            if !proven || report.score.is_exact() {
                let moves = classes[class].iter();
                values[class] = moves.map(|mv| position.same_report(&report, mv)).collect();
            }
            let mut sorted = values.concat();
            sorted.sort_by_key(|known| std::cmp::Reverse(known.score.value()));
            if let Some(score) = Score::of_moves(values.iter().map(score))
                && let Some(best) = sorted.first()
            {
                let report = Report {
                    score,
                    ..best.clone()
                };
                site.analyst.remember(&position, &report);
            }
            sender.send_replace(Values {
                moves: sorted,
                done: false,
            });
        }
        // Engines that answer at once have nothing more to find.
        let idle = spent - before < AT_ONCE && round >= MOVES.len() && Persistence::is_whole(round);
        let is_exact = |known| score(known).is_some_and(|score| score.is_exact());
        if idle || values.iter().all(is_exact) {
            break;
        }
    }
    sender.send_modify(|values| values.done = true);
}

/// Looks at every position of a game, the last one first, and then deeper.
async fn search_game(
    site: Arc<Site>,
    (positions, moves): (Vec<AnyPosition>, Vec<String>),
    mut graph: Graph,
    sender: watch::Sender<Graph>,
    stop: Arc<AtomicBool>,
    keep: Option<String>,
) {
    graph.points.resize(positions.len(), None);
    for (round, effort) in GAME.into_iter().enumerate() {
        for i in (0..positions.len()).rev() {
            let known = graph.points[i].as_ref().map(|point| &point.report);
            // A short look is always taken: there may be tables now that there were not before.
            let enough = |known: &Report<String>| {
                known.score.is_proven() || round > 0 && known.depth >= effort.0
            };
            if known.is_none_or(|known| !enough(known)) {
                let Some((report, _)) = ask(&site, &stop, positions[i].clone(), effort).await
                else {
                    return;
                };
                let known = graph.points[i]
                    .as_ref()
                    .map_or(0, |point| point.report.depth);
                if report.score.is_proven() || report.depth >= known {
                    let played = None;
                    graph.points[i] = Some(Point { report, played });
                }
            }
            graph.link(&moves);
            if let (
                Some(mv),
                Some(Point {
                    report,
                    played: None,
                }),
            ) = (moves.get(i), graph.points[i].clone())
            {
                let Some(played) =
                    judge(&site, &stop, &report, &positions[i..=i + 1], mv, effort).await
                else {
                    return;
                };
                let mut point = Point {
                    report,
                    played: None,
                };
                point.judge(mv, played);
                graph.points[i] = Some(point);
            }
            sender.send_replace(graph.clone());
        }
        if let Some(id) = &keep {
            // What is lost by a failing store is looked for again.
            let _ = site.documents.put(GRAPH, id, &graph).await;
        }
    }
    graph.done = true;
    if let Some(id) = &keep {
        let _ = site.documents.put(GRAPH, id, &graph).await;
    }
    sender.send_replace(graph);
}

/// What the move is worth that was played in a position of which there is a report: by the same
/// search if it is the best one, otherwise by one that looks as far ahead. Nothing if that takes
/// too long; `None` if the search was stopped.
async fn judge(
    site: &Arc<Site>,
    stop: &Arc<AtomicBool>,
    best: &Report<String>,
    positions: &[AnyPosition],
    mv: &str,
    (_, ms): (u32, u64),
) -> Option<Option<Score>> {
    let [before, next] = positions else {
        return Some(None);
    };
    // Also the best one seen in a mirror: two searches of it could give two values.
    if best
        .best
        .as_ref()
        .is_some_and(|best| before.same_worth(best, mv))
    {
        return Some(Some(best.score));
    }
    let Some(depth @ 1..) = best.depth.checked_sub(1) else {
        return Some(None);
    };
    let (reply, _) = ask(site, stop, next.clone(), (depth, ms)).await?;
    let as_far = reply.score.is_proven() || reply.depth >= depth;
    Some(as_far.then(|| reply.score.before_move()))
}

#[cfg(test)]
mod tests {
    use search::Distance;

    use super::*;
    use crate::Config;

    /// A time that only a hang can miss, however busy the machine is.
    const HANG: Duration = Duration::from_secs(300);

    /// How many threads this process has; 0 where nobody says.
    fn threads() -> usize {
        std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
    }

    #[test]
    fn whoever_asks_to_go_on_gets_ever_longer_looks() {
        let usual: Vec<_> = (0..).map_while(|n| Persistence::Usual.effort(n)).collect();
        assert_eq!(usual, MOVES);
        let effort = |round| Persistence::Endless.effort(MOVES.len() + round);
        assert_eq!(effort(0), Some((DEEPEST, 2000)));
        assert_eq!(effort(1), Some((DEEPEST, 4000)));
        assert_eq!(effort(1_000_000), Some((DEEPEST, LONGEST_SLICE)));
        // All moves get their turn again and again.
        let whole = |round| Persistence::is_whole(MOVES.len() + round);
        assert_eq!(
            [0, 1, 2, 3, 4].map(whole),
            [false, false, false, true, false]
        );
    }

    #[test]
    fn the_best_move_of_a_position_is_the_one_that_its_value_is_of() {
        let estimate = |points, best: &str| Report {
            best: Some(best.into()),
            line: vec![best.into()],
            ..Report::over(Score::Estimate(points))
        };
        let point = |report| {
            Some(Point {
                report,
                played: None,
            })
        };
        let lost = Report {
            line: vec!["reply".into()],
            ..Report::over(Score::Loss(Distance::Exactly(4)))
        };
        let mut graph = Graph {
            points: vec![point(estimate(120, "other")), point(lost), None],
            done: false,
        };
        graph.link(&["played".into(), "next".into()]);
        let known = graph.points[0].as_ref().unwrap();
        assert_eq!(known.report.score, Score::Win(Distance::at_most(5)));
        assert_eq!(known.report.best.as_deref(), Some("played"));
        assert_eq!(known.report.line, ["played", "reply"]);
        // What is proven of a position is not replaced, and no worse move is the best one.
        graph.points[0] = point(Report::over(Score::Draw));
        graph.link(&["played".into(), "next".into()]);
        assert_eq!(graph.points[0].as_ref().unwrap().report.best, None);
        let judged = |played| {
            let mut point = Point {
                report: estimate(120, "other"),
                played: None,
            };
            point.judge("played", played);
            (point.report.score.value(), point.report.best.unwrap())
        };
        assert_eq!(judged(None), (120, "other".into()));
        assert_eq!(judged(Some(Score::Estimate(110))), (120, "other".into()));
        assert_eq!(judged(Some(Score::Estimate(130))), (130, "played".into()));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn two_hundred_readers_share_the_pool_and_stop_it_by_leaving() {
        let config = Config {
            searches: 2,
            ..Config::default()
        };
        let site = Arc::new(Site::open(config).await.unwrap());
        let game = games::REVERSI;
        let mut readers: Vec<_> = (0..200)
            .map(|seed| AnyPosition::random_start(game, seed))
            .map(|position| site.analyst.position(&site, &position, Persistence::Usual))
            .collect();
        // Each gets some value before long …
        for reader in &mut readers {
            let first = reader.latest.wait_for(|values| !values.moves.is_empty());
            let first = tokio::time::timeout(HANG, first).await;
            assert!(first.is_ok_and(|first| first.is_ok()));
        }
        // … though only two searches run: the other threads belong to tests and the store.
        assert!(threads() < readers.len(), "{} threads", threads());
        drop(readers);
        let free = async {
            while site.pool.free() < 2 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let free = tokio::time::timeout(HANG, free).await;
        assert!(free.is_ok(), "searches go on though nobody looks");
    }
}
