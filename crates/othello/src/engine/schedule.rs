//! The iterations of iterative deepening: depth, selectivity and goal of each.

use search::Limits;

use crate::Level;

/// Searches that leave at most this many squares empty are followed by one to the end.
const GAP: u32 = 10;

/// A player with a depth limit solves win, loss or draw with this many empty squares more
/// than the limit: that costs about as much as all other moves together.
const WIN_LOSS_DRAW: u32 = 8;

/// With this many more, the exact margin too.
const MARGIN: u32 = 5;

/// The fewest empty squares with which the step between the first one to the end and the exact
/// one saves more time than it takes.
const SECOND_STEP: u32 = 26;

/// The depth from which on the steps of a player with a limit of time or positions are two plies
/// deeper each.
const IN_TWOS: u32 = 10;

/// What a search is to find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// The value of the position.
    Value,
    /// Only win, loss or draw: a fifth of the work.
    WinLossDraw,
}

/// One search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// The depth in plies.
    pub(crate) depth: u32,
    /// The selectivity.
    pub(crate) level: Level,
    /// What the search is to find out.
    pub(crate) goal: Goal,
}

/// The steps to the value of a position, `most` plies deep at most.
pub(crate) fn steps(empties: u32, most: Option<u32>) -> Vec<Step> {
    let most = most.unwrap_or(empties).clamp(1, empties.max(1));
    if most < empties {
        return midgame(most).collect();
    }
    let end: &[Level] = if empties <= GAP {
        &[Level::EXACT]
    } else if empties < SECOND_STEP {
        &[Level::FIRST, Level::EXACT]
    } else {
        &[Level::FIRST, Level::SECOND, Level::EXACT]
    };
    let end = end.iter().map(|&level| value(empties, level));
    midgame(empties.saturating_sub(GAP)).chain(end).collect()
}

/// The steps of a player with limits. Winning comes first: towards the end, win, loss or draw is
/// looked for with more and more certainty, and solved before the exact margin. As usual among
/// Othello programs, a depth limit is meant for the midgame, and the end is solved earlier.
pub(crate) fn play(empties: u32, limits: &Limits) -> Vec<Step> {
    if limits.is_endless() {
        return steps(empties, None);
    }
    let most = limits.depth.unwrap_or(empties).max(1);
    let beyond = empties.saturating_sub(most);
    if beyond > WIN_LOSS_DRAW {
        return midgame(most).collect();
    }
    let last = most.min(empties.saturating_sub(GAP));
    // A step that is one ply deeper takes little more time. All are odd or even like the last one,
    // since values of odd and even depths differ.
    let counts = |step: &Step| {
        limits.depth.is_some() || step.depth < IN_TWOS || (last - step.depth).is_multiple_of(2)
    };
    let mut steps: Vec<Step> = midgame(last).filter(counts).collect();
    if empties > GAP {
        steps.extend([
            winner(empties, Level::FIRST),
            winner(empties, Level::SECOND),
            winner(empties, Level::NEARLY_EXACT),
            value(empties, Level::FIRST),
            winner(empties, Level::EXACT),
        ]);
    }
    if beyond <= MARGIN {
        steps.push(value(empties, Level::EXACT));
    }
    steps
}

fn midgame(last: u32) -> impl Iterator<Item = Step> {
    (1..=last).map(|depth| value(depth, Level::MIDGAME))
}

/// A search to the end for who wins.
fn winner(empties: u32, level: Level) -> Step {
    Step {
        goal: Goal::WinLossDraw,
        ..value(empties, level)
    }
}

fn value(depth: u32, level: Level) -> Step {
    Step {
        depth,
        level,
        goal: Goal::Value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_step_is_what_was_asked_for() {
        for empties in 1..=60 {
            let exact = value(empties, Level::EXACT);
            assert_eq!(steps(empties, None).last(), Some(&exact));
            let limits = Limits::default().with_nodes(1);
            assert_eq!(play(empties, &limits).last(), Some(&exact));
            for most in 1..empties {
                let asked = steps(empties, Some(most));
                let last = asked.last();
                assert_eq!(last, Some(&value(most, Level::MIDGAME)));
            }
        }
    }

    #[test]
    fn a_player_with_a_clock_goes_two_plies_at_a_time() {
        let depths = |limits: &Limits| -> Vec<u32> {
            let midgame = play(30, limits);
            let midgame = midgame.iter().filter(|step| step.depth < 30);
            midgame.map(|step| step.depth).collect()
        };
        let timed = depths(&Limits::default().with_nodes(1));
        let (slow, fast): (Vec<u32>, Vec<u32>) =
            timed.into_iter().partition(|&depth| depth < IN_TWOS);
        assert_eq!(slow, (1..IN_TWOS).collect::<Vec<u32>>());
        assert_eq!(fast, [10, 12, 14, 16, 18, 20]);
        let asked = depths(&Limits::default().with_depth(20));
        assert_eq!(asked, (1..=20).collect::<Vec<u32>>());
    }

    #[test]
    fn a_player_solves_the_end_earlier() {
        let limits = Limits::default().with_depth(12);
        let last = |empties| *play(empties, &limits).last().expect("a step");
        assert_eq!(last(21), value(12, Level::MIDGAME));
        for empties in 18..=20 {
            assert_eq!(last(empties), winner(empties, Level::EXACT));
        }
        assert_eq!(last(17), value(17, Level::EXACT));
    }
}
