//! What code may do to the world outside of the machine: nothing, or write and reset.

use super::Effects;
use crate::model::{Addr, ClockId, FaultKind};

/// The state's cells and what else an instruction may reach.
pub(super) trait Memory {
    fn state(&self) -> &[i32];
    /// Writes a value that is known to be in the cell's range.
    fn write(&mut self, cell: Addr, value: i64);
    fn reset(&mut self, clock: ClockId, value: i64);
    fn add_cost(&mut self, value: i64) -> Result<(), FaultKind>;
}

/// For terms that only have a value.
pub(super) struct ReadOnly<'a>(pub &'a [i32]);

/// For updates.
pub(super) struct Writable<'a> {
    pub state: &'a mut [i32],
    pub effects: &'a mut Effects,
}

/// The checks of the model keep effects out of guards, invariants and the like.
#[cold]
fn forbidden() -> ! {
    panic!("a term that is evaluated for its value must not have effects")
}

impl Memory for ReadOnly<'_> {
    #[inline]
    fn state(&self) -> &[i32] {
        self.0
    }

    fn write(&mut self, _: Addr, _: i64) {
        forbidden()
    }

    fn reset(&mut self, _: ClockId, _: i64) {
        forbidden()
    }

    fn add_cost(&mut self, _: i64) -> Result<(), FaultKind> {
        forbidden()
    }
}

impl Memory for Writable<'_> {
    #[inline]
    fn state(&self) -> &[i32] {
        self.state
    }

    #[inline]
    fn write(&mut self, cell: Addr, value: i64) {
        self.state[cell] = value as i32;
    }

    #[inline]
    fn reset(&mut self, clock: ClockId, value: i64) {
        self.effects.resets.push((clock, value));
    }

    fn add_cost(&mut self, value: i64) -> Result<(), FaultKind> {
        if value < 0 {
            return Err(FaultKind::NegativePrice(value));
        }
        let sum = self.effects.cost.checked_add(value).ok_or(FaultKind::Overflow)?;
        self.effects.cost = sum;
        Ok(())
    }
}
