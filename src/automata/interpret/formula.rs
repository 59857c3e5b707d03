//! State formulas on one exact state.

use super::memory::Memory;
use super::{Concrete, Interpreter};
use crate::model::{Fault, Formula, Term};

impl Interpreter<'_> {
    /// Whether a formula holds here. Whether the state is deadlocked takes more than a look at
    /// it (time may have to pass first), so the caller says.
    pub fn holds(
        &self,
        at: &Concrete,
        formula: &Formula,
        is_deadlocked: bool,
    ) -> Result<bool, Fault> {
        holds(&mut Memory::new(self.model, at)?, formula, is_deadlocked)
    }

    /// The value of a clock-free expression here.
    pub fn value(&self, at: &Concrete, term: &Term) -> Result<i64, Fault> {
        Memory::new(self.model, at)?.value(term)
    }
}

fn holds(memory: &mut Memory, formula: &Formula, is_deadlocked: bool) -> Result<bool, Fault> {
    match formula {
        Formula::Data(term) => Ok(memory.value(term)? != 0),
        Formula::Clock(test) => memory.test_holds(test),
        Formula::Deadlock => Ok(is_deadlocked),
        Formula::Not(inner) => Ok(!holds(memory, inner, is_deadlocked)?),
        Formula::And(parts) | Formula::Or(parts) => {
            // From left to right, the first part that is so decides.
            let decisive = matches!(formula, Formula::Or(_));
            for part in parts {
                if holds(memory, part, is_deadlocked)? == decisive {
                    return Ok(decisive);
                }
            }
            Ok(!decisive)
        }
    }
}
