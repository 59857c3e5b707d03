//! Can a run go on for ever (or get stuck) inside a formula that lets a clock grow only so far?
//!
//! Where time goes on in every run that does not end, such a clock is reset again and again: a
//! [`Descent`] from reset to reset finds the run. Deadlocks are states like others here, so inclusion
//! means that zones contain each other: a state that can do more is not enough.

use super::live::{self, STAYS};
use super::state::State;
use super::successor::{Broken, Successors};
use super::zone::Zone;
use super::{Control, Progress, Stop};
use crate::dbm::Bound;
use crate::descent::{Counts, Descent, Inclusion, Next, Transitions};
use crate::model::{ClockId, ClockRef, Formula};
use crate::trace::Move;
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// A run: its moves, and how many of them lead to its cycle, if it has one.
pub type Run = (Vec<Move>, Option<usize>);

/// Why there is no answer.
pub enum Halt {
    Stopped(Stop),
    /// Whatever is wrong with the model is told by the other search.
    Broken,
    /// A state in which no clock of the formula has a limit: this search is not for it.
    Unlimited,
}

/// The observed states that stay in the formula.
struct Staying<'m, Z: Zone> {
    successors: Successors<'m, Z>,
    /// The clocks of the formula.
    clocks: Vec<ClockId>,
}

struct Labelled<Z: Zone> {
    state: State<Z>,
    label: Stored<Z>,
}

/// A zone as it is stored.
#[derive(Clone)]
struct Stored<Z: Zone> {
    dim: usize,
    words: Vec<Z::Word>,
}

/// How many states are expanded between two looks at the limits.
const POLL_EVERY: u64 = 64;

/// A maximal run in the formula of these clocks, and how many states were looked at.
pub fn find_run<Z: Zone>(
    successors: Successors<Z>,
    clocks: Vec<ClockId>,
    control: &dyn Control,
) -> (Result<Option<Run>, Halt>, Counts) {
    let mut descent = Descent::new(Staying { successors, clocks });
    let found = descend(&mut descent, control);
    (found, descent.counts())
}

fn descend<Z: Zone>(
    descent: &mut Descent<Staying<Z>>,
    control: &dyn Control,
) -> Result<Option<Run>, Halt> {
    let mut first = Vec::new();
    descent.transitions.successors.initial(&mut |state, _| {
        first.push(state.clone());
        ControlFlow::Continue(())
    })?;
    let mut poll = |counts: Counts| {
        let Counts { explored, stored, waiting } = counts;
        if explored.is_multiple_of(POLL_EVERY) {
            let progress = Progress { explored, stored, waiting, ..Progress::default() };
            if let ControlFlow::Break(stop) = control.turn(&progress) {
                return Err(Halt::Stopped(stop));
            }
        }
        Ok(())
    };
    for state in first.into_iter().filter(|state| state.marks & STAYS != 0) {
        if let Some(run) = descent.run(Labelled::new(state), &mut poll)? {
            let cycle = run.back.map(|back| run.blocks[back].moves);
            return Ok(Some((run.moves, cycle)));
        }
    }
    Ok(None)
}

impl<Z: Zone> Transitions for Staying<'_, Z> {
    type State = Labelled<Z>;
    type Key = Vec<i32>;
    type Label = Stored<Z>;
    type Move = Move;
    type Halt = Halt;

    const MARKS_EARLY: bool = true;

    fn key(state: &Labelled<Z>) -> &Vec<i32> {
        &state.state.cells
    }

    fn label(state: &Labelled<Z>) -> &Stored<Z> {
        &state.label
    }

    fn successors(&mut self, from: &Labelled<Z>) -> Result<Vec<Next<Self>>, Halt> {
        let clocks = &self.clocks;
        let mut next: Vec<Next<Self>> = Vec::new();
        let _ = self.successors.expand(&from.state, &mut |state, transition| {
            if state.marks & STAYS != 0 {
                let resets = transition.resets.iter().any(|(clock, _)| clocks.contains(clock));
                let state = Labelled::new(state.clone());
                next.push(Next { state, action: transition.action.clone(), resets });
            }
            ControlFlow::Continue(())
        })?;
        next.sort_by_key(|next| self.prospect(&next.state.state));
        Ok(next)
    }

    fn may_end(&mut self, state: &Labelled<Z>) -> Result<bool, Halt> {
        let state = &state.state;
        if !live::endings(&mut self.successors, state)?.is_empty() {
            return Ok(true);
        }
        let has_limit = |clock: &ClockId| {
            let at = state.position(*clock);
            at.is_some_and(|at| state.zone.dbm().get(at, 0) != Bound::INFINITY)
        };
        if self.clocks.iter().any(has_limit) { Ok(false) } else { Err(Halt::Unlimited) }
    }
}

impl<Z: Zone> Staying<'_, Z> {
    /// What is tried last: what comes late, and of what comes at the same time that which leaves
    /// less time.
    fn prospect(&self, state: &State<Z>) -> (Reverse<i64>, i64) {
        let zone = state.zone.dbm();
        let places = self.clocks.iter().filter_map(|clock| state.position(*clock));
        let (mut earliest, mut latest) = (0, i64::MAX);
        for at in places {
            earliest = earliest.max(-zone.get(0, at).value());
            if zone.get(at, 0) != Bound::INFINITY {
                latest = latest.min(zone.get(at, 0).value());
            }
        }
        (Reverse(earliest), latest)
    }
}

impl<Z: Zone> Labelled<Z> {
    fn new(state: State<Z>) -> Labelled<Z> {
        let words = state.zone.words(&mut Vec::new()).to_vec();
        Labelled { label: Stored { dim: state.clocks.len() + 1, words }, state }
    }
}

impl<Z: Zone> Inclusion for Stored<Z> {
    fn includes(&self, other: &Self) -> bool {
        Z::is_covered(self.dim, &other.words, &self.words, None)
    }
}

impl From<Broken> for Halt {
    fn from(_: Broken) -> Halt {
        Halt::Broken
    }
}

/// The clocks that the formula compares with something.
pub fn clocks_of(formula: &Formula) -> Vec<ClockId> {
    let mut clocks = Vec::new();
    formula.each_leaf(&mut |leaf| {
        if let Formula::Clock(test) = leaf {
            clocks.extend(test.clocks().filter_map(ClockRef::fixed));
        }
    });
    clocks.sort_unstable();
    clocks.dedup();
    clocks
}
