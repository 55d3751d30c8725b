//! One piece of work, from its message to its result.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};
use referee::check::{Candidate, CheckOptions, WholeReport};
use referee::{GameRecord, GameSetup, PlayerSpec};
use tokio::sync::oneshot;

use super::{Measured, Shared, lock, now};
use crate::bundle::placed;
use crate::error::{ClusterError, Result};
use crate::protocol::{
    Answer, MOST_TRIES, Outcome, PlayedGame, Quarantined, Question, Seat, Timing, Try, Work,
    streams, subjects,
};
use crate::slot::{Ended, Grade, Play, Slot, Task};
use crate::wire;

/// How long work that is given back waits.
const BACK: Duration = Duration::from_secs(2);

/// What to do with a piece of work after a try.
enum Attempt {
    /// There is a result: send it, then acknowledge the work.
    Result,
    /// Nobody needs a result any more.
    Settled,
    /// Somebody else should try, after a while.
    Back(Duration),
}

impl Shared {
    /// Does one piece of work.
    pub(super) async fn handle(self: &Arc<Shared>, number: usize, slot: &Slot, message: Message) {
        let delivered = message.info().map_or(1, |info| info.delivered);
        let work: Work = match wire::unpack("work", &message.payload) {
            Ok(work) => work,
            Err(error) => {
                (self.options.say)(&error.to_string());
                let _ = message.ack_with(AckKind::Term).await;
                return;
            }
        };
        let key = (work.tournament.clone(), work.unit.clone());
        let stop = Arc::new(AtomicBool::new(false));
        {
            let mut playing = lock(&self.playing);
            if playing.contains_key(&key) {
                // It was given out again while it is being played here.
                return;
            }
            playing.insert(key.clone(), stop.clone());
        }
        let ack_wait = Duration::from_millis(work.ack_wait);
        let pause = (ack_wait / 3).max(Duration::from_millis(20));
        let progress = tokio::spawn(keep_alive(message.clone(), pause));
        let begun = Instant::now();
        let result = self.attempt(number, slot, &work, delivered, &stop).await;
        progress.abort();
        // Somebody else may have been given the work.
        let late = delivered > 1 || begun.elapsed() >= ack_wait;
        match result {
            Attempt::Result => {
                if late && self.link.is_over(&work.tournament).await {
                    self.spool.forget(&key);
                    let _ = message.double_ack().await;
                } else if self.send(&key).await.is_ok() {
                    let _ = message.double_ack().await;
                } else {
                    lock(&self.unacknowledged).insert(key.clone(), message);
                }
            }
            Attempt::Settled => drop(message.double_ack().await),
            Attempt::Back(delay) => drop(message.ack_with(AckKind::Nak(Some(delay))).await),
        }
        lock(&self.playing).remove(&key);
    }

    /// Tries to do a piece of work.
    async fn attempt(
        self: &Arc<Shared>,
        number: usize,
        slot: &Slot,
        work: &Work,
        delivered: i64,
        stop: &Arc<AtomicBool>,
    ) -> Attempt {
        let key = (work.tournament.clone(), work.unit.clone());
        if self.spool.get(&key).is_some() {
            return Attempt::Result;
        }
        let mut tries = Vec::new();
        if delivered > 1 {
            if !self.is_wanted(work).await {
                return Attempt::Settled;
            }
            tries = match self.tries(work).await {
                Ok(tries) => tries,
                Err(_) => return Attempt::Back(BACK),
            };
            if tries.len() >= MOST_TRIES {
                return match self.quarantine(work, tries).await {
                    Ok(()) => Attempt::Settled,
                    Err(_) => Attempt::Back(BACK),
                };
            }
        }
        tries.push(Try {
            worker: self.name.clone(),
            at: now(),
            trouble: None,
        });
        let subject = subjects::tries(&work.tournament, &work.unit);
        let noted = self
            .link
            .jetstream
            .publish(subject, wire::pack(&tries).into());
        // It is on its way; whether it arrives decides nothing but what is known later.
        let _ = noted.await;
        let known = lock(&self.measured)[number];
        let ended = self.play(slot, work, known.seconds, stop).await;
        if work.class.timing != Timing::Free {
            let seconds = slot.calibrate().await;
            lock(&self.measured)[number] = Measured::new(seconds, known.has_core);
        }
        let trouble = match ended {
            Ok(Ended::Played(records)) => return self.keep(work, records, None),
            Ok(Ended::Graded(report)) => return self.keep(work, Vec::new(), Some(*report)),
            Ok(Ended::Stopped) => {
                tries.pop();
                self.note_tries(work, &tries).await;
                return Attempt::Back(Duration::ZERO);
            }
            // The fault of this machine, not of the games.
            Ok(Ended::Refused(why)) => {
                (self.options.say)(&why);
                tries.pop();
                self.note_tries(work, &tries).await;
                return Attempt::Back(BACK);
            }
            Err(error @ ClusterError::File { .. }) => {
                // Until something can be written again, programs are left to others.
                *lock(&self.unwritable) = Some(error.to_string());
                tries.pop();
                self.note_tries(work, &tries).await;
                return Attempt::Back(Duration::ZERO);
            }
            Ok(Ended::Failed(why)) => why,
            Err(error) => error.to_string(),
        };
        (self.options.say)(&format!("{}.{}: {trouble}", work.tournament, work.unit));
        if let Some(last) = tries.last_mut() {
            last.trouble = Some(trouble);
        }
        self.note_tries(work, &tries).await;
        Attempt::Back(Duration::from_millis((work.ack_wait / 10).min(2000)))
    }

    /// Keeps what came of a piece of work until it is sent.
    fn keep(&self, work: &Work, records: Vec<GameRecord>, report: Option<WholeReport>) -> Attempt {
        let games = work.games.iter().zip(records);
        let outcome = Outcome {
            tournament: work.tournament.clone(),
            unit: work.unit.clone(),
            games: games
                .map(|(game, record)| PlayedGame {
                    id: game.id.clone(),
                    numbers: game.numbers,
                    bundles: game.bundles(),
                    record,
                })
                .collect(),
            report,
        };
        let key = (work.tournament.clone(), work.unit.clone());
        let trouble = self.spool.add(&key, wire::pack(&outcome));
        self.trouble("spool", 0, trouble);
        self.finished.fetch_add(1, Ordering::Relaxed);
        Attempt::Result
    }

    /// A player whose program is on this machine.
    async fn place(&self, seat: &Seat) -> Result<PlayerSpec> {
        let player = match &seat.bundle {
            Some(name) => placed(&seat.spec, &self.cache.get(&self.link, name).await?),
            None => seat.spec.clone(),
        };
        let checked = player.check_files();
        checked.map_err(|error| ClusterError::Other(error.to_string()))?;
        Ok(player)
    }

    /// Fetches the programs and plays, or grades.
    async fn play(
        &self,
        slot: &Slot,
        work: &Work,
        seconds: f64,
        stop: &Arc<AtomicBool>,
    ) -> Result<Ended> {
        let (done, mut result) = oneshot::channel();
        let task = match &work.check {
            Some(check) => {
                let player = self.place(&check.player).await?;
                Task::Grade(Box::new(Grade {
                    id: format!("{}.{}", work.tournament, work.unit),
                    subject: check.subject,
                    options: CheckOptions {
                        seed: check.seed,
                        generated: check.generated,
                        limits: check.limits,
                        ..CheckOptions::default()
                    },
                    candidate: Candidate {
                        command: player.command.0,
                        folder: player.folder,
                        read: player.read,
                    },
                    reference: work.reference,
                    stop: stop.clone(),
                    news: self.news.clone(),
                    done,
                }))
            }
            None => Task::Play(Box::new(Play {
                games: self.games(work).await?,
                timing: work.class.timing,
                reference: work.reference,
                seconds,
                worker: self.name.clone(),
                stop: stop.clone(),
                news: self.news.clone(),
                done,
            })),
        };
        slot.start_task(task);
        loop {
            tokio::select! {
                ended = &mut result => {
                    return Ok(ended.unwrap_or(Ended::Failed("the worker is broken".into())));
                }
                () = tokio::time::sleep(Duration::from_millis(50)) => {
                    if self.is_stopped() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// The games of a piece of work, with programs on this machine.
    async fn games(&self, work: &Work) -> Result<Vec<(String, GameSetup)>> {
        let mut games = Vec::new();
        for game in &work.games {
            let players = [
                self.place(&game.players[0]).await?,
                self.place(&game.players[1]).await?,
            ];
            let setup = game.setup(players, self.options.resources.clone());
            let setup = setup.map_err(ClusterError::Other)?;
            games.push((game.id.clone(), setup));
        }
        Ok(games)
    }

    /// Whether a coordinator still wants a result; without one, it does.
    async fn is_wanted(&self, work: &Work) -> bool {
        let question = wire::pack(&Question::Wanted(work.unit.clone()));
        let request = async_nats::Request::new()
            .payload(question.into())
            .timeout(Some(Duration::from_secs(1)));
        let subject = subjects::ask(&work.tournament);
        let answer = self.link.client.send_request(subject, request).await;
        let answer = answer
            .ok()
            .and_then(|message| wire::unpack::<Answer>("an answer", &message.payload).ok());
        answer != Some(Answer::Wanted(false))
    }

    /// What was tried before.
    async fn tries(&self, work: &Work) -> Result<Vec<Try>> {
        let subject = subjects::tries(&work.tournament, &work.unit);
        let last = self.link.last(streams::TRIES, &subject).await?;
        last.map_or(Ok(Vec::new()), |bytes| wire::unpack("tries", &bytes))
    }

    async fn note_tries(&self, work: &Work, tries: &[Try]) {
        let subject = subjects::tries(&work.tournament, &work.unit);
        let _ = self.link.publish(subject, wire::pack(&tries)).await;
    }

    /// Puts work aside of which nothing ever came.
    async fn quarantine(&self, work: &Work, tries: Vec<Try>) -> Result<()> {
        let subject = subjects::quarantine(&work.tournament, &work.unit);
        let aside = Quarantined {
            work: work.clone(),
            tries,
        };
        (self.options.say)(&format!(
            "{}.{} is put aside: {}",
            work.tournament,
            work.unit,
            aside.known()
        ));
        self.link.publish(subject, wire::pack(&aside)).await
    }
}

/// Says that work is being done until it is aborted.
async fn keep_alive(message: Message, pause: Duration) {
    loop {
        tokio::time::sleep(pause).await;
        let _ = message.ack_with(AckKind::Progress).await;
    }
}
