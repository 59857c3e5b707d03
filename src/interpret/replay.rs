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
    let mut after = Vec::with_capacity(run.moves.len());
    let (initial, end) = walk(model, run, &mut |at| after.push(at.clone()))?;
    Ok(Replay { initial, after, end })
}

/// Replays a run and keeps only where it ends: a long run of a large model needs no more memory
/// than a short one.
pub fn replay_to_end(model: &Model, run: &Run) -> Result<Concrete, Mismatch> {
    walk(model, run, &mut |_| {}).map(|(_, end)| end)
}

/// The first and the last state of a run; `visit` sees the state after each move.
fn walk(
    model: &Model,
    run: &Run,
    visit: &mut dyn FnMut(&Concrete),
) -> Result<(Concrete, Concrete), Mismatch> {
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
    for (step, timed) in run.moves.iter().enumerate() {
        at = wait(&interpreter, &at, now, timed.time).map_err(|kind| fail(step, kind))?;
        now = timed.time;
        if !timed.action.edges.is_empty() {
            at = take(&interpreter, &at, &timed.action).map_err(|kind| fail(step, kind))?;
        }
        visit(&at);
    }
    let end = wait(&interpreter, &at, now, run.end).map_err(|kind| fail(run.moves.len(), kind))?;
    Ok((initial, end))
}

fn take(interpreter: &Interpreter, at: &Concrete, action: &Move) -> Result<Concrete, MismatchKind> {
    let taken = interpreter.take(at, action).map_err(MismatchKind::Fault)?;
    taken.ok_or(MismatchKind::NotEnabled)
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
