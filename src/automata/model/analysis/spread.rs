//! Where the value of a clock matters because of one test: at its location, and wherever the
//! process may come from without resetting the clock.

use super::resets::DefiniteResets;
use crate::model::{ClockId, LocationId, Model, Process, ProcessId};
use std::collections::BTreeMap;

pub struct Spread<'m> {
    model: &'m Model,
    resets: DefiniteResets<'m>,
    /// By process and location: where one comes from, and the clocks that are reset on the way.
    ways: BTreeMap<ProcessId, Vec<Vec<Way>>>,
}

struct Way {
    source: LocationId,
    resets: Vec<ClockId>,
}

impl<'m> Spread<'m> {
    pub fn new(model: &'m Model) -> Spread<'m> {
        Spread { model, resets: DefiniteResets::new(model), ways: BTreeMap::new() }
    }

    /// The locations of the process in which a test of the clock at `location` is still to come.
    pub fn of(
        &mut self,
        process: ProcessId,
        location: LocationId,
        clock: ClockId,
    ) -> Vec<LocationId> {
        let Spread { model, resets, ways } = self;
        let of = &model.processes[process];
        let ways = ways.entry(process).or_insert_with(|| ways_into(of, resets));
        let mut is_found = vec![false; of.locations.len()];
        is_found[location] = true;
        let mut found = vec![location];
        let mut at = 0;
        while let Some(&target) = found.get(at) {
            at += 1;
            for Way { source, resets } in &ways[target] {
                let is_new = !is_found[*source] && resets.binary_search(&clock).is_err();
                if is_new {
                    is_found[*source] = true;
                    found.push(*source);
                }
            }
        }
        found
    }
}

fn ways_into(process: &Process, resets: &DefiniteResets) -> Vec<Vec<Way>> {
    let mut ways: Vec<Vec<Way>> = process.locations.iter().map(|_| Vec::new()).collect();
    for edge in &process.edges {
        let resets = edge.update.as_ref().map_or(Vec::new(), |update| resets.of(&update.tree));
        ways[edge.target].push(Way { source: edge.source, resets });
    }
    ways
}
