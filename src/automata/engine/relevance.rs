//! Whether a formula holds somewhere in a state, with a look at locations first: of the thousands of
//! cases that "no two processes" stands for, hardly any is ever at hand.

use super::facts::{Fact, ways_of};
use super::satisfy::{Claim, meets};
use super::state::State;
use super::successor::{Broken, Successors};
use super::zone::Zone;
use crate::model::analysis::Harmless;
use crate::model::{Formula, Model};

/// A formula as a choice of parts.
#[derive(Clone, Debug)]
pub struct Relevance<'f> {
    parts: Vec<Clause<'f>>,
}

#[derive(Clone, Debug)]
struct Clause<'f> {
    claim: Claim<'f>,
    /// It does not hold unless all facts of one of these do.
    ways: Vec<Vec<Fact>>,
}

impl<'f> Relevance<'f> {
    pub fn new(model: &Model, claim: Claim<'f>) -> Relevance<'f> {
        let harmless = Harmless::new(model);
        let mut parts = Vec::new();
        split(claim, &mut |claim| {
            // What may fail is evaluated wherever it is asked for.
            let ways = match harmless.formula(claim.formula) {
                true => ways_of(model, claim.formula, claim.is_true),
                false => vec![Vec::new()],
            };
            parts.push(Clause { claim, ways });
        });
        Relevance { parts }
    }

    pub fn meets<Z: Zone>(
        &self,
        successors: &mut Successors<Z>,
        state: &State<Z>,
    ) -> Result<bool, Broken> {
        for part in self.parts.iter().filter(|part| part.may_hold(&state.cells)) {
            if meets(successors, state, part.claim)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Clause<'_> {
    fn may_hold(&self, cells: &[i32]) -> bool {
        let is_so = |&(process, location): &Fact| cells[process] == location.0 as i32;
        self.ways.iter().any(|facts| facts.iter().all(is_so))
    }
}

/// The parts of which one has to hold.
fn split<'f>(claim: Claim<'f>, found: &mut dyn FnMut(Claim<'f>)) {
    let is_true = claim.is_true;
    match (claim.formula, is_true) {
        (Formula::Not(formula), _) => split(Claim { formula, is_true: !is_true }, found),
        (Formula::Or(parts), true) | (Formula::And(parts), false) => {
            parts.iter().for_each(|formula| split(Claim { formula, is_true }, found));
        }
        _ => found(claim),
    }
}
