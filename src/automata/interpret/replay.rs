//! Runs a concrete run through the semantics and checks every step of it.

use super::memory::ticks_per_unit;
use super::{Concrete, Course};
use crate::model::{Fault, Model};
use crate::trace::{Run, Time};

/// A run that the semantics accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    pub initial: Concrete,
    /// The state right after each move of the run.
    pub after: Vec<Concrete>,
    /// The state when the run ends.
    pub end: Concrete,
}

/// Where the semantics and a run part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The move's place in the run; the number of moves stands for the final wait.
    pub step: usize,
    pub kind: MismatchKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MismatchKind {
    /// The initial state violates an invariant.
    NoInitialState,
    /// Time may not pass from one instant to the other.
    Delay { from: Time, to: Time },
    /// Edges that do not make up a transition that exists there.
    NotEnabled,
    /// An error of the model.
    Fault(Fault),
}

/// Replays a run from the initial state.
pub fn replay(model: &Model, run: &Run) -> Result<Replay, Mismatch> {
    let mut states = Vec::with_capacity(run.moves.len() + 1);
    let end = walk(model, run, &mut |at| {
        states.push(at.concrete()?);
        Ok(())
    })?;
    let initial = states.remove(0);
    Ok(Replay { initial, after: states, end })
}

/// Replays a run and keeps only where it ends: a long run of a large model needs no more memory
/// than a short one.
pub fn replay_to_end(model: &Model, run: &Run) -> Result<Concrete, Mismatch> {
    walk(model, run, &mut |_| Ok(()))
}

/// The last state of a run; `visit` sees the initial state and those after each move.
fn walk(
    model: &Model,
    run: &Run,
    visit: &mut dyn FnMut(&Course) -> Result<(), Fault>,
) -> Result<Concrete, Mismatch> {
    let mut course = start(model, run).map_err(|kind| Mismatch { step: 0, kind })?;
    visit(&course).map_err(|fault| Mismatch { step: 0, kind: MismatchKind::Fault(fault) })?;
    let mut now = Time::from_integer(0);
    for (step, timed) in run.moves.iter().enumerate() {
        let fail = |kind| Mismatch { step, kind };
        let fault = |fault| fail(MismatchKind::Fault(fault));
        wait(&mut course, now, timed.time).map_err(fail)?;
        now = timed.time;
        if !timed.action.edges.is_empty() && !course.take(&timed.action).map_err(fault)? {
            return Err(fail(MismatchKind::NotEnabled));
        }
        visit(&course).map_err(fault)?;
    }
    let last = |kind| Mismatch { step: run.moves.len(), kind };
    wait(&mut course, now, run.end).map_err(last)?;
    course.concrete().map_err(|fault| last(MismatchKind::Fault(fault)))
}

fn start<'m>(model: &'m Model, run: &Run) -> Result<Course<'m>, MismatchKind> {
    let times = run.moves.iter().map(|timed| &timed.time).chain([&run.end]);
    let ticks = ticks_per_unit(times).map_err(MismatchKind::Fault)?;
    let course = Course::with_ticks(model, ticks).map_err(MismatchKind::Fault)?;
    course.ok_or(MismatchKind::NoInitialState)
}

fn wait(course: &mut Course, from: Time, to: Time) -> Result<(), MismatchKind> {
    match course.wait_until(to) {
        Ok(true) => Ok(()),
        Ok(false) => Err(MismatchKind::Delay { from, to }),
        Err(fault) => Err(MismatchKind::Fault(fault)),
    }
}
