//! A step-by-step interpreter of the semantics on plain clock values: no zones, no code.
//!
//! Takes a model and exact clock values, gives the moves that are possible, what they lead to,
//! and how long time may pass. It walks the trees of the model's terms, never their compiled
//! code, and shares nothing with the engine, so that it can judge what the engine found
//! ([`replay`]). It does not search.
//!
//! # Semantics
//! - A transition exists where its guards hold and the target's invariants hold after its updates:
//!   the model's `before_update`, the sender's, the receivers' in the order of processes,
//!   `after_update`.
//! - Where some process is committed, one of the edges must leave a committed location.
//! - A transition is blocked by an existing one of higher priority. Channels are compared
//!   first, then the highest priority of the processes that take part.
//! - A broadcast takes along every process that can receive.
//! - A fault in a guard counts whatever the clocks say, since its time may yet come, and whether or not
//!   anybody synchronises. In a [`Course`] it counts only where the run gets to it.
//! - No time passes in urgent and committed locations, nor where an urgent synchronisation is
//!   complete with true guards, whether or not its target's invariants let it exist.

#[cfg(test)]
mod against_code;
mod course;
mod delay;
mod dependencies;
mod eval;
mod formula;
mod memory;
mod moves;
mod replay;
mod statement;

pub use course::Course;
pub use delay::Limit;
pub use replay::{Mismatch, MismatchKind, Replay, replay, replay_to_end};

use crate::model::{Addr, Fault, FaultKind, Model};
use crate::trace::{Move, Time};
use memory::Memory;

/// A state with exact clock values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Concrete {
    /// Locations, then variables (see `model`).
    pub state: Vec<i32>,
    /// One value per clock of the model.
    pub clocks: Vec<Time>,
    /// The cost so far.
    pub cost: Time,
}

/// Runs a model step by step.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter<'m> {
    model: &'m Model,
}

impl<'m> Interpreter<'m> {
    pub fn new(model: &'m Model) -> Interpreter<'m> {
        Interpreter { model }
    }

    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The initial state. Its invariants may be violated: see [`Interpreter::is_valid`].
    pub fn initial(&self) -> Concrete {
        let cells = self.model.state_cells().iter();
        let mut state: Vec<i32> = cells.map(|cell| cell.initial as i32).collect();
        for (at, process) in self.model.processes.iter().enumerate() {
            state[at] = process.initial.0 as i32;
        }
        let zero = Time::from_integer(0);
        Concrete { state, clocks: vec![zero; self.model.clocks.len()], cost: zero }
    }

    /// Whether the invariants of all locations hold.
    pub fn is_valid(&self, at: &Concrete) -> Result<bool, Fault> {
        let mut memory = Memory::new(self.model, at)?;
        self.invariants_hold(&mut memory)
    }

    /// All transitions that exist here, each with what it leads to, in the order of processes
    /// and edges.
    pub fn successors(&self, at: &Concrete) -> Result<Vec<(Move, Concrete)>, Fault> {
        moves::successors(self, at, moves::ready_at_last)
    }

    /// All transitions that exist here.
    pub fn moves(&self, at: &Concrete) -> Result<Vec<Move>, Fault> {
        Ok(self.successors(at)?.into_iter().map(|(action, _)| action).collect())
    }

    /// What a move leads to; `None` if it does not exist here.
    pub fn take(&self, at: &Concrete, action: &Move) -> Result<Option<Concrete>, Fault> {
        moves::take(self, at, action)
    }

    /// Runs the updates of a move. Checks neither guards nor invariants.
    pub fn fire(&self, at: &Concrete, action: &Move) -> Result<Concrete, Fault> {
        let mut memory = Memory::new(self.model, at)?;
        moves::fire(&mut memory, action)?;
        memory.concrete()
    }

    /// How long time may pass from here, at most.
    pub fn limit(&self, at: &Concrete) -> Result<Limit, Fault> {
        delay::limit(self, at)
    }

    /// Whether any time at all may pass.
    pub fn can_delay(&self, at: &Concrete) -> Result<bool, Fault> {
        Ok(self.limit(at)?.allows_some())
    }

    /// Lets time pass; `None` if it may not pass for so long (or is negative).
    pub fn delay(&self, at: &Concrete, time: Time) -> Result<Option<Concrete>, Fault> {
        delay::delay(self, at, time)
    }

    /// The rate of the cost: the sum over all processes.
    pub fn rate(&self, at: &Concrete) -> Result<i64, Fault> {
        let mut memory = Memory::new(self.model, at)?;
        let mut total: i64 = 0;
        for process in 0..self.model.processes.len() {
            total = total.checked_add(rate(&mut memory, process)?).ok_or_else(memory::overflow)?;
        }
        Ok(total)
    }

    fn invariants_hold(&self, memory: &mut Memory) -> Result<bool, Fault> {
        for (at, process) in self.model.processes.iter().enumerate() {
            let location = memory.state[at] as usize;
            if !memory.all_hold(&process.locations[location].invariant)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The value of a cell of the state.
    pub fn cell(&self, at: &Concrete, addr: Addr) -> i64 {
        i64::from(at.state[addr])
    }
}

/// The rate of the cost of one process.
fn rate(memory: &mut Memory, number: usize) -> Result<i64, Fault> {
    let process = &memory.model.processes[number];
    let location = process.location(memory.state[number]);
    let Some(term) = &location.rate else { return Ok(0) };
    let rate = memory.value(term)?;
    if rate < 0 {
        return Err(Fault { kind: FaultKind::NegativePrice(rate), span: term.span });
    }
    Ok(rate)
}

#[cfg(test)]
mod tests;
