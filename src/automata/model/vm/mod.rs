//! Runs code on a state. Allocates nothing while it runs, but for its stack to grow once.

mod memory;
mod run;
#[cfg(test)]
pub(crate) mod tests;

use super::code::Op;
use super::{Addr, ClockId, ClockRef, CodeRange, Fault, Model};
use memory::{ReadOnly, Writable};

/// What an update does besides writing cells, in the order it happens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// (clock, value); a later entry for the same clock wins.
    pub resets: Vec<(ClockId, i64)>,
    /// The sum of all increments of `cost`.
    pub cost: i64,
}

impl Effects {
    pub fn clear(&mut self) {
        self.resets.clear();
        self.cost = 0;
    }
}

/// A stack and scratch memory for running a model's code. The model may still grow (terms of
/// queries are compiled later) until the machine is made, but not after.
#[derive(Clone, Debug)]
pub struct Vm {
    stack: Vec<i64>,
    /// Indexed by address like the cells, so that the state's part lies idle.
    scratch: Vec<i64>,
}

impl Vm {
    pub fn new(model: &Model) -> Vm {
        let scratch = model.cells.iter().map(|cell| cell.initial).collect();
        Vm { stack: Vec::with_capacity(32), scratch }
    }

    /// The value of a term without side effects on the state, which has exactly
    /// [`Model::state_len`] cells.
    #[inline]
    pub fn eval(&mut self, model: &Model, code: CodeRange, state: &[i32]) -> Result<i64, Fault> {
        debug_assert_eq!(state.len(), model.state_len as usize);
        let first = model.code.ops[code.start as usize];
        if code.end - code.start == 1
            && let Some(value) = single(first, state)
        {
            return Ok(value);
        }
        self.execute(&model.code, code.start, &mut ReadOnly(state))
    }

    /// Runs an update: writes cells of the state, collects resets and cost (appended to what
    /// `effects` holds already). After a fault, state and effects are half done.
    pub fn run(
        &mut self,
        model: &Model,
        code: CodeRange,
        state: &mut [i32],
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        debug_assert_eq!(state.len(), model.state_len as usize);
        self.execute(&model.code, code.start, &mut Writable { state, effects }).map(|_| ())
    }

    /// The scratch memory alone.
    #[cfg(test)]
    pub(crate) fn scratch(&self, model: &Model) -> &[i64] {
        &self.scratch[model.state_len as usize..]
    }

    /// The number of the clock that a test speaks of.
    #[inline]
    pub fn clock(
        &mut self,
        model: &Model,
        clock: &ClockRef,
        state: &[i32],
    ) -> Result<ClockId, Fault> {
        match clock {
            ClockRef::Fixed(clock) => Ok(*clock),
            ClockRef::Indexed { code, .. } => Ok(ClockId(self.eval(model, *code, state)? as u32)),
        }
    }
}

/// The value of the commonest terms, which are one instruction long.
#[inline]
fn single(op: Op, state: &[i32]) -> Option<i64> {
    let load = |cell: Addr| state[cell];
    Some(match op {
        Op::Const(value) => i64::from(value),
        Op::LoadState(cell) => i64::from(load(cell)),
        Op::StateEqual { value, cell } => i64::from(load(cell) == i32::from(value)),
        Op::StateDiffers { value, cell } => i64::from(load(cell) != i32::from(value)),
        Op::StateAtMost { value, cell } => i64::from(load(cell) <= i32::from(value)),
        Op::StateAtLeast { value, cell } => i64::from(load(cell) >= i32::from(value)),
        _ => return None,
    })
}
