//! Orders of one recipe start each step in their sequence.

use super::weave_starts;
use crate::lower::assembly::{Assembly, number};
use crate::plan::{Id, sequences};
use std::collections::BTreeMap;
use takt_automata::compose::woven;

pub fn apply(assembly: &mut Assembly) {
    let plan = assembly.plan;
    let mut first_phase: BTreeMap<usize, usize> = BTreeMap::new();
    let mut phases = 0;
    for sequence in sequences(plan) {
        for (rank, &order) in sequence.iter().enumerate() {
            assembly.arguments[order].insert("rank", number(rank));
            first_phase.entry(plan.recipe(order).source).or_insert(phases);
        }
        phases += sequence.first().map_or(0, |&order| plan.steps(order).len());
    }
    let template = assembly.fragment("nonovertaking.xta", "Turn");
    assembly.set("phases", phases.max(1) as i64);
    weave_starts(assembly, template, |recipe, step| {
        let phase = first_phase.get(&plan.recipes[recipe].source)? + step.index();
        Some(vec![("phase", number(phase)), ("rank", woven("rank"))])
    });
}
