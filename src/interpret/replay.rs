//! Runs a concrete run through the semantics and checks every step of it.

use super::{Concrete, Interpreter};
use crate::model::{Fault, Model};
use crate::trace::{Move, Run, Time};

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
    let interpreter = Interpreter::new(model);
    let initial = interpreter.initial();
    let fail = |step: usize, kind| Mismatch { step, kind };
    match interpreter.is_valid(&initial) {
        Ok(true) => {}
        Ok(false) => return Err(fail(0, MismatchKind::NoInitialState)),
        Err(fault) => return Err(fail(0, MismatchKind::Fault(fault))),
    }
    let mut now = Time::from_integer(0);
    let mut at = initial.clone();
    let mut after = Vec::with_capacity(run.moves.len());
    for (step, timed) in run.moves.iter().enumerate() {
        at = wait(&interpreter, &at, now, timed.time).map_err(|kind| fail(step, kind))?;
        now = timed.time;
        if !timed.action.edges.is_empty() {
            at = take(&interpreter, &at, &timed.action).map_err(|kind| fail(step, kind))?;
        }
        after.push(at.clone());
    }
    let end = wait(&interpreter, &at, now, run.end).map_err(|kind| fail(run.moves.len(), kind))?;
    Ok(Replay { initial, after, end })
}

fn take(interpreter: &Interpreter, at: &Concrete, action: &Move) -> Result<Concrete, MismatchKind> {
    let existing = interpreter.successors(at).map_err(MismatchKind::Fault)?;
    let taken = existing.into_iter().find(|(existing, _)| existing == action);
    taken.map(|(_, next)| next).ok_or(MismatchKind::NotEnabled)
}

fn wait(
    interpreter: &Interpreter,
    at: &Concrete,
    from: Time,
    to: Time,
) -> Result<Concrete, MismatchKind> {
    let passed = interpreter.delay(at, to - from).map_err(MismatchKind::Fault)?;
    passed.ok_or(MismatchKind::Delay { from, to })
}
