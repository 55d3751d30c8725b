//! One game from its start position to its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use games::{AnyPosition, Resources};
use rules::{Outcome, Side, beginning};

use crate::player::{Answer, Player, Turn, nothing, seat};
use crate::{
    Cost, Ending, GameRecord, IsolationMode, Limits, MoveRecord, Penalties, PlayerSpec,
    RefereeError, Score, Seconds, Span, Verdict, process,
};

/// All that decides how a game is played.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// Where it starts; says also which game it is.
    pub start: AnyPosition,
    /// The players, the first to move first. "First" is the game's first side (Black,
    /// White in GIPF, A), also when the start position has the other one to move.
    pub players: [PlayerSpec; 2],
    /// Limits of both; a player's own changes come on top.
    pub limits: Limits,
    /// What faults cost.
    pub penalties: Penalties,
    /// Where the random choices of built-in bots come from.
    pub seed: u64,
    /// Turns after which the game is a draw.
    pub longest: u32,
    /// How programs are kept apart.
    pub isolation: IsolationMode,
    /// What built-in bots may use beside their own code.
    pub resources: Resources,
}

impl GameSetup {
    /// A game with the limits and penalties of its course document.
    #[must_use]
    pub fn new(start: AnyPosition, players: [PlayerSpec; 2]) -> GameSetup {
        let game = start.game();
        GameSetup {
            start,
            players,
            limits: Limits::for_game(game),
            penalties: Penalties::for_game(game),
            seed: 0,
            longest: 400,
            isolation: IsolationMode::Auto,
            resources: Resources::default(),
        }
    }
}

/// Plays one game. `observe` sees every turn right after it; setting `stop` ends the
/// game soon, with [`Score::None`].
///
/// Errors are only about the setup; whatever a program does is in the record.
pub fn play_game(
    setup: &GameSetup,
    observe: &mut dyn FnMut(&MoveRecord),
    stop: &Arc<AtomicBool>,
) -> Result<GameRecord, RefereeError> {
    let game = setup.start.game();
    if setup.penalties.cost == Cost::Turn && setup.start.forfeit().is_none() {
        return Err(RefereeError::NoTurns(game));
    }
    setup.penalties.check().map_err(RefereeError::Nothing)?;
    for player in &setup.players {
        let limits = setup.limits.with(&player.limits);
        limits.check().map_err(RefereeError::Nothing)?;
    }
    let isolation = if setup.players.iter().any(|player| player.kind.is_program()) {
        Some(process::resolve(setup.isolation)?)
    } else {
        None
    };
    let mode = isolation.map_or(IsolationMode::None, |isolation| isolation.mode);
    let mut players = [seat(setup, 0, mode)?, seat(setup, 1, mode)?];
    let mut table = Table::new(setup);
    let (score, ending) = loop {
        if stop.load(Ordering::Relaxed) {
            break (Score::None, Ending::Stopped);
        }
        if let Some(end) = table.turn(&mut players, observe, stop) {
            break end;
        }
    };
    Ok(GameRecord {
        version: 1,
        game,
        start: setup.start.to_string(),
        players: setup.players.clone(),
        limits: table.limits,
        penalties: setup.penalties,
        seed: setup.seed,
        isolation: isolation.cloned(),
        programs: [0, 1].map(|index| setup.players[index].fingerprint()),
        machine: None,
        moves: table.moves,
        end: table.position.to_string(),
        score,
        ending,
    })
}

/// The state of a game between two turns.
struct Table<'a> {
    setup: &'a GameSetup,
    limits: [Limits; 2],
    position: AnyPosition,
    moves: Vec<MoveRecord>,
    /// All moves on the board, and lost turns as the game writes them.
    history: Vec<String>,
    ply: u32,
    /// Wall and processor time of each player so far.
    used: [(Seconds, Seconds); 2],
    /// Turns lost since the last move on the board.
    lost_in_a_row: u32,
    /// Who lost them.
    losers: [bool; 2],
}

impl Table<'_> {
    fn new(setup: &GameSetup) -> Table<'_> {
        let limits = [0, 1].map(|index| setup.limits.with(&setup.players[index].limits));
        Table {
            setup,
            limits,
            position: setup.start.clone(),
            moves: Vec::new(),
            history: Vec::new(),
            ply: 0,
            used: [(Seconds::ZERO, Seconds::ZERO); 2],
            lost_in_a_row: 0,
            losers: [false; 2],
        }
    }

    /// One turn; the result if the game is over.
    fn turn(
        &mut self,
        players: &mut [Box<dyn Player>; 2],
        observe: &mut dyn FnMut(&MoveRecord),
        stop: &Arc<AtomicBool>,
    ) -> Option<(Score, Ending)> {
        if let Some(outcome) = self.position.outcome() {
            return Some((outcome.into(), Ending::Rules));
        }
        if self.lost_in_a_row >= 2 * self.setup.penalties.lost_turns {
            let side = match self.losers {
                [true, false] => Some(Side::First.into()),
                [false, true] => Some(Side::Second.into()),
                _ => None,
            };
            let ending = Ending::LostTurns { side };
            return Some((self.position.adjudicate().into(), ending));
        }
        if self.ply >= self.setup.longest {
            let plies = self.setup.longest;
            return Some((Score::Draw, Ending::TooLong { plies }));
        }
        self.ply += 1;
        let side = self.position.side_to_move();
        if let Some(pass) = self.position.only_pass() {
            let record = self.record(side, 1, nothing(Ok(pass.clone())), Verdict::Passed);
            self.push(record, observe);
            self.play(&pass);
            return None;
        }
        let mut tries = 1..=self.setup.penalties.tries;
        let mut attempt = tries.next()?;
        let mut held_up = false;
        let fault = loop {
            let answer = players[side.index()].ask(&Turn {
                position: &self.position,
                start: &self.setup.start,
                history: &self.history,
                limits: self.left(side),
                again: None,
                stop,
            });
            if stop.load(Ordering::Relaxed) {
                return Some((Score::None, Ending::Stopped));
            }
            if let Err(verdict @ Verdict::NotStarted { .. }) = &answer.mv {
                let verdict = verdict.clone();
                let record = self.record(side, attempt, answer, verdict.clone());
                self.push(record, observe);
                let side = side.into();
                return Some((Score::None, Ending::Machine { side, verdict }));
            }
            if let Some(verdict) = self.held_up(side, &answer) {
                let record = self.record(side, attempt, answer, verdict.clone());
                self.push(record, observe);
                if let Some(verdict) = players[(!side).index()].restless() {
                    let ending = Ending::Fault {
                        side: (!side).into(),
                        verdict,
                    };
                    return Some((Outcome::Win(side).into(), ending));
                }
                if held_up {
                    let side = side.into();
                    return Some((Score::None, Ending::Machine { side, verdict }));
                }
                held_up = true;
                continue;
            }
            let verdict = self.judge(side, &answer);
            for player in players.iter_mut() {
                player.observe(side, &answer);
            }
            let record = self.record(side, attempt, answer, verdict.clone());
            let mv = record.mv.clone();
            self.push(record, observe);
            match (verdict, mv) {
                (Verdict::Legal, Some(mv)) => {
                    self.play(&mv);
                    self.lost_in_a_row = 0;
                    self.losers = [false; 2];
                    return None;
                }
                (Verdict::Resigned, _) => {
                    let ending = Ending::Resigned { side: side.into() };
                    return Some((Outcome::Win(!side).into(), ending));
                }
                (verdict, _) => match tries.next() {
                    Some(next) => attempt = next,
                    None => break verdict,
                },
            }
        };
        if self.setup.penalties.cost == Cost::Turn
            && let Some((next, lost)) = self.position.forfeit()
        {
            self.lost_in_a_row += 1;
            self.losers[side.index()] = true;
            self.position = next;
            self.history.push(lost);
            return None;
        }
        let ending = Ending::Fault {
            side: side.into(),
            verdict: fault,
        };
        Some((Outcome::Win(!side).into(), ending))
    }

    /// What is left to a player for this move.
    fn left(&self, side: Side) -> Limits {
        let limits = self.limits[side.index()];
        let (wall, cpu) = self.used[side.index()];
        let tighter = |per_move: Option<Seconds>, game: Option<Seconds>, used: Seconds| {
            let left = game.map(|game| Seconds(game.0.saturating_sub(used.0)));
            per_move.into_iter().chain(left).min()
        };
        Limits {
            wall: tighter(limits.wall, limits.game_wall, wall),
            cpu: tighter(limits.cpu, limits.game_cpu, cpu),
            ..limits
        }
    }

    /// Whether an answer came too late only because the machine was busy; such a turn is
    /// repeated and costs nothing.
    fn held_up(&self, side: Side, answer: &Answer) -> Option<Verdict> {
        if let Err(verdict @ Verdict::HeldUp { .. }) = &answer.mv {
            return Some(verdict.clone());
        }
        let limit = self.left(side).wall?;
        let late = answer.wall > limit && answer.was_held_up(limit);
        late.then_some(Verdict::HeldUp {
            used: answer.wall,
            cpu: answer.cpu,
            limit,
        })
    }

    /// What an answer is worth, also for the game as a whole.
    fn judge(&mut self, side: Side, answer: &Answer) -> Verdict {
        let limits = self.limits[side.index()];
        let (wall, cpu) = &mut self.used[side.index()];
        wall.0 += answer.wall.0;
        cpu.0 += answer.cpu.0;
        over_time(&limits, answer.wall, answer.cpu, Span::Move)
            .or_else(|| over_time(&limits, *wall, *cpu, Span::Game))
            .unwrap_or_else(|| judge_move(&self.position, answer))
    }

    fn record(&self, side: Side, attempt: u32, answer: Answer, verdict: Verdict) -> MoveRecord {
        // Whatever is no move on the board may be of any length.
        let shown = |mv: String| match verdict.is_ok() {
            true => mv,
            false => beginning(&mv),
        };
        MoveRecord {
            ply: self.ply,
            side: side.into(),
            attempt,
            position: self.position.to_string(),
            input: answer.input,
            answer: answer.raw,
            mv: answer.mv.ok().map(shown),
            wall: answer.wall,
            cpu: answer.cpu,
            memory: answer.memory,
            stderr: answer.stderr,
            verdict,
            value: answer.value,
        }
    }

    fn push(&mut self, record: MoveRecord, observe: &mut dyn FnMut(&MoveRecord)) {
        observe(&record);
        self.moves.push(record);
    }

    fn play(&mut self, mv: &str) {
        let played = self.position.play(mv);
        debug_assert!(played.is_ok(), "judged legal: {mv} in {}", self.position);
        self.history.extend(played);
    }
}

/// The limit of time that is passed. It comes before everything else: a program that was
/// stopped for it would otherwise be blamed for dying.
pub(crate) fn over_time(
    limits: &Limits,
    wall: Seconds,
    cpu: Seconds,
    span: Span,
) -> Option<Verdict> {
    let (wall_limit, cpu_limit) = match span {
        Span::Move => (limits.wall, limits.cpu),
        Span::Game => (limits.game_wall, limits.game_cpu),
    };
    if let Some(limit) = wall_limit.filter(|limit| wall > *limit) {
        let used = wall;
        return Some(Verdict::WallTime { used, limit, span });
    }
    let limit = cpu_limit.filter(|limit| cpu > *limit)?;
    let used = cpu;
    Some(Verdict::ProcessorTime { used, limit, span })
}

/// What the rules say to an answer.
fn judge_move(position: &AnyPosition, answer: &Answer) -> Verdict {
    match &answer.mv {
        Err(fault) => fault.clone(),
        Ok(mv) => match position.clone().play(mv) {
            Ok(_) => Verdict::Legal,
            Err(error) => error.into(),
        },
    }
}

/// What an answer is worth outside of a game.
pub(crate) fn judge_alone(position: &AnyPosition, limits: &Limits, answer: &Answer) -> Verdict {
    over_time(limits, answer.wall, answer.cpu, Span::Move)
        .unwrap_or_else(|| judge_move(position, answer))
}
