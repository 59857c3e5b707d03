//! Is a state reachable, and how small or large can an integer get: one sweep for several
//! questions.

use super::satisfy::meets;
use super::search::Goal;
use super::state::State;
use super::store::NodeId;
use super::successor::{Broken, Successors};
use super::zone::Zone;
use crate::model::{Formula, Term};
use std::ops::ControlFlow;

/// One question of a sweep.
#[derive(Clone, Debug)]
pub enum Question {
    /// Is there a state in which the formula holds?
    Exists(Formula),
    /// The smallest (or largest) value of the term where the formula holds.
    Extreme { within: Formula, of: Term, is_largest: bool },
}

/// What a sweep found for one question so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub node: NodeId,
    /// The extreme value; 0 for mere existence.
    pub value: i64,
}

/// Looks for answers to all questions at once; ends when each mere existence is settled and
/// nothing else is asked.
pub struct Sweep {
    questions: Vec<Question>,
    pub found: Vec<Option<Found>>,
}

impl Sweep {
    pub fn new(questions: Vec<Question>) -> Sweep {
        let found = vec![None; questions.len()];
        Sweep { questions, found }
    }

    pub fn question(&self, index: usize) -> &Question {
        &self.questions[index]
    }

    fn is_settled(&self) -> bool {
        self.questions
            .iter()
            .zip(&self.found)
            .all(|(question, found)| matches!(question, Question::Exists(_)) && found.is_some())
    }
}

impl<Z: Zone> Goal<Z> for Sweep {
    fn look(
        &mut self,
        successors: &mut Successors<Z>,
        state: &State<Z>,
        node: NodeId,
        _: i64,
    ) -> Result<ControlFlow<()>, Broken> {
        for (question, found) in self.questions.iter().zip(&mut self.found) {
            match question {
                Question::Exists(formula) => {
                    if found.is_none() && meets(successors, state, formula)? {
                        *found = Some(Found { node, value: 0 });
                    }
                }
                Question::Extreme { within, of, is_largest } => {
                    if !meets(successors, state, within)? {
                        continue;
                    }
                    let model = successors.tables.model;
                    let value = successors
                        .machine()
                        .eval(model, of.code, &state.cells)
                        .map_err(|fault| Broken { fault, action: None })?;
                    let is_better = found.is_none_or(|best| match is_largest {
                        true => value > best.value,
                        false => value < best.value,
                    });
                    if is_better {
                        *found = Some(Found { node, value });
                    }
                }
            }
        }
        Ok(if self.is_settled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}
