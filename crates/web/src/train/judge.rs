//! Whether a move keeps the value of a position, and what the strongest player answers.

use std::sync::Arc;
use std::time::Duration;

use bots::{BotSpec, Budget};
use games::{Algorithm, AnyPosition, Proof, Room, Value};
use review::{Case, Knowledge};
use search::Limits;

use super::course::{ENOUGH, Progress, State, positions, wanted};
use crate::Site;
use crate::fault::Fault;
use crate::play::open_games::choose;
use crate::pool::Interest;

/// Time for the proof of a position that is not known yet, and for a reply.
const PROOF: Duration = Duration::from_millis(1500);
const REPLY: Duration = Duration::from_millis(500);

/// Bytes of the prover.
const MEMORY: usize = 64 << 20;

/// Plays an own move, and the reply. Says why not if the move is not legal.
pub(super) async fn play(
    site: &Arc<Site>,
    case: &Case,
    progress: &mut Progress,
    mv: &str,
) -> Result<(), Fault> {
    let before = positions(case, &progress.line)?;
    let first = progress.line.is_empty();
    let mut position = before[before.len() - 1].clone();
    let own = position.side_to_move();
    let mv = position.play(mv).map_err(Fault::refused)?;
    progress.line.push(mv.clone());
    let target = wanted(case);
    let verdict = match first {
        // What was proven of all moves is known.
        true if case.keeps.contains(&mv) => None,
        true if !case.open.contains(&mv) => {
            let proof = proven(site, &position).await?.map(Proof::before);
            Some(proof.map_or_else(|| "less".into(), |proof| proof.to_string()))
        }
        _ => {
            let proof = proven(site, &position).await?.map(Proof::before);
            let lost = proof.filter(|proof| proof.value < target);
            lost.map(|proof| proof.to_string())
        }
    };
    if let Some(worth) = verdict {
        // The reply shows why.
        reply(site, &mut position, progress).await?;
        progress.end(State::Failed(worth));
        return Ok(());
    }
    // The opponent answers, more than once where there is nothing to choose.
    loop {
        if let Some(state) = over(&position, own, target) {
            progress.end(state);
            return Ok(());
        }
        if position.side_to_move() != own {
            reply(site, &mut position, progress).await?;
        } else if let Some(pass) = position.only_pass() {
            position.play(&pass).map_err(Fault::ours)?;
            progress.line.push(pass);
        } else {
            break;
        }
    }
    let line = positions(case, &progress.line)?;
    let made = line.iter().zip(&progress.line);
    let made = made.filter(|(before, _)| before.side_to_move() == own);
    if made.count() >= ENOUGH {
        progress.end(State::Solved);
    }
    Ok(())
}

/// How a try ends with the game, if that is over.
fn over(position: &AnyPosition, own: rules::Side, target: Value) -> Option<State> {
    let outcome = position.outcome()?;
    let value = Value::of(outcome.sign_for(own));
    Some(match value >= target {
        true => State::Solved,
        false => State::Failed(value.to_string()),
    })
}

/// What is proven of a position: in the store, or found now and kept there.
async fn proven(site: &Arc<Site>, position: &AnyPosition) -> Result<Option<Proof>, Fault> {
    if let Some(score) = position.final_score() {
        return Ok(Proof::of(score));
    }
    let (game, key) = (position.game(), Knowledge::key(position));
    let kept = site.store.proofs(game, vec![key.clone()]).await;
    if let Some((_, proof)) = kept.map_err(Fault::ours)?.pop() {
        return Ok(Some(proof));
    }
    let interest = Interest::default();
    let limits = Limits::default()
        .with_wall(PROOF)
        .with_stop(interest.flag());
    let (here, position) = (site.clone(), position.clone());
    let work = move || {
        let room = Room {
            threads: 1,
            memory: MEMORY,
        };
        let mut provers = game.provers(here.resources(game), room);
        provers.first_mut()?.prove(&position, &limits)
    };
    let proof = site.pool.run(&interest.flag(), work).await.flatten();
    if let Some(proof) = proof {
        let kept = site.store.add_proofs(game, vec![(key, proof)]).await;
        kept.map_err(Fault::ours)?;
    }
    Ok(proof)
}

/// The strongest player's move, if the game goes on.
async fn reply(
    site: &Arc<Site>,
    position: &mut AnyPosition,
    progress: &mut Progress,
) -> Result<(), Fault> {
    if position.outcome().is_some() {
        return Ok(());
    }
    let spec = BotSpec::new(Algorithm::Best, Budget::Time(REPLY));
    let interest = Interest::default();
    let seed = progress.line.len() as u64;
    let found = choose(site, &interest.flag(), position.clone(), spec, seed).await;
    let mv = found.and_then(|report| report.best);
    let mv = mv.ok_or_else(|| Fault::ours("the opponent found no move"))?;
    let mv = position.play(&mv).map_err(Fault::ours)?;
    progress.line.push(mv);
    Ok(())
}
