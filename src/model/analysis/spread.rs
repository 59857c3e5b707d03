//! Where the value of a clock matters because of one test: at its location, and wherever the
//! process may come from without resetting the clock.

use super::resets::DefiniteResets;
use crate::model::Model;
use std::collections::BTreeMap;

pub struct Spread<'m> {
    model: &'m Model,
    resets: DefiniteResets<'m>,
    /// By process: the clocks that each edge resets.
    edges: BTreeMap<u32, Vec<Vec<u32>>>,
}

impl<'m> Spread<'m> {
    pub fn new(model: &'m Model) -> Spread<'m> {
        Spread { model, resets: DefiniteResets::new(model), edges: BTreeMap::new() }
    }

    /// The locations of the process in which a test of the clock at `location` is still to come.
    pub fn of(&mut self, process: u32, location: u32, clock: u32) -> Vec<u32> {
        let Spread { model, resets, edges } = self;
        let of = &model.processes[process as usize];
        let reset = edges.entry(process).or_insert_with(|| {
            let update =
                |edge: &crate::model::Edge| edge.update.as_ref().map(|u| resets.of(&u.tree));
            of.edges.iter().map(|edge| update(edge).unwrap_or_default()).collect()
        });
        let mut found = vec![location];
        let mut at = 0;
        while let Some(&target) = found.get(at) {
            at += 1;
            for (edge, reset) in of.edges.iter().zip(reset.iter()) {
                let comes_from = edge.target == target && reset.binary_search(&clock).is_err();
                if comes_from && !found.contains(&edge.source) {
                    found.push(edge.source);
                }
            }
        }
        found
    }
}
