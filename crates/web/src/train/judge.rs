//! Whether a move keeps the value of a position, and what the strongest player answers.

use std::sync::Arc;
use std::time::Duration;

use bots::{BotSpec, Budget};
use games::{Algorithm, AnyPosition, Proof, Room};
use review::{Case, Kind, Knowledge};
use search::Limits;

use super::course::{ENOUGH, Progress, State, positions};
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
    let verdict = match first {
        // What was proven of all moves is known.
        true if case.keeps.contains(&mv) => None,
        true if !case.open.contains(&mv) => {
            let proof = proven(site, &position, case).await?.map(Proof::before);
            Some(proof.map_or_else(|| "less".into(), |proof| proof.to_string()))
        }
        _ => {
            let proof = proven(site, &position, case).await?.map(Proof::before);
            let lost = proof.filter(|&proof| is_less(proof, case));
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
        if let Some(state) = over(&position, own, case) {
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
    if made.count() < ENOUGH {
        return Ok(());
    }
    // Results hold after so many moves; a margin is kept when that is proven, or at the end.
    let margin = |proof: &Proof| proof.margin.is_some();
    if case.worth.margin.is_none() {
        progress.end(State::Solved);
    } else if let Some(proof) = proven(site, &position, case).await?.filter(margin) {
        progress.end(judged(proof, case));
    }
    Ok(())
}

/// Whether what is proven is less than what is to be kept: in result, or in the margin where that
/// is at stake.
fn is_less(proof: Proof, case: &Case) -> bool {
    let kind = Kind::between(case.worth, proof);
    kind.is_some_and(|kind| !matches!(kind, Kind::Slower(_)))
}

/// How a try ends that comes to this.
fn judged(proof: Proof, case: &Case) -> State {
    match is_less(proof, case) {
        true => State::Failed(proof.to_string()),
        false => State::Solved,
    }
}

/// How a try ends with the game, if that is over.
fn over(position: &AnyPosition, own: rules::Side, case: &Case) -> Option<State> {
    let proof = Proof::of(position.final_score()?)?;
    let proof = match position.side_to_move() == own {
        true => proof,
        false => proof.before(),
    };
    let proof = Proof {
        distance: None,
        ..proof
    };
    Some(judged(proof, case))
}

/// What is proven of a position: in the store, or found now and kept there. Where a margin is to be
/// kept a result alone is looked into further.
async fn proven(
    site: &Arc<Site>,
    position: &AnyPosition,
    case: &Case,
) -> Result<Option<Proof>, Fault> {
    if let Some(score) = position.final_score() {
        return Ok(Proof::of(score));
    }
    let (game, key) = (position.game(), Knowledge::key(position));
    let kept = site.store.proofs(game, vec![key.clone()]).await;
    let kept = kept.map_err(Fault::ours)?.pop().map(|(_, proof)| proof);
    let enough = |proof: &Proof| proof.margin.is_some() || case.worth.margin.is_none();
    if kept.as_ref().is_some_and(enough) {
        return Ok(kept);
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
    Ok(proof.or(kept))
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
