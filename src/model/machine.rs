//! Runs code on a state. Allocates nothing while it runs.

use super::{CodeRange, Fault, Model};

/// What an update does besides writing cells, in the order it happens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// (clock, value); a later entry for the same clock wins.
    pub resets: Vec<(u32, i64)>,
    /// The sum of all increments of `cost`.
    pub cost: i64,
}

/// A stack and scratch memory for running a model's code.
#[derive(Clone, Debug)]
pub struct Machine {
    stack: Vec<i64>,
    scratch: Vec<i64>,
}

impl Machine {
    pub fn new(model: &Model) -> Machine {
        let scratch = vec![0; model.cells.len() - model.state_len as usize];
        Machine { stack: Vec::new(), scratch }
    }

    /// The value of a term without side effects on the state.
    pub fn eval(&mut self, model: &Model, code: CodeRange, state: &[i32]) -> Result<i64, Fault> {
        let _ = (model, code, state, &mut self.stack, &mut self.scratch);
        todo!()
    }

    /// Runs an update: writes cells of the state, collects resets and cost (appended to what
    /// `effects` holds already).
    pub fn run(
        &mut self,
        model: &Model,
        code: CodeRange,
        state: &mut [i32],
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        let _ = (model, code, state, effects);
        todo!()
    }
}
