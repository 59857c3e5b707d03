//! Orders of one recipe start each step in their sequence.

use super::weave_starts;
use crate::lower::assembly::{Assembly, number};
use crate::plan::{Id, OrderId, sequences};
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
        // What facts claim has no turn.
        let written =
            |&order: &OrderId| plan.steps(order).iter().filter(|s| s.is_written()).count();
        phases += sequence.first().map_or(0, written);
    }
    let template = assembly.fragment("nonovertaking.xta", "Turn");
    assembly.set("phases", phases.max(1) as i64);
    weave_starts(assembly, template, |recipe, step| {
        plan.recipes[recipe].steps[step].is_written().then_some(())?;
        let phase = first_phase.get(&plan.recipes[recipe].source)? + step.index();
        Some(vec![("phase", number(phase)), ("rank", woven("rank"))])
    });
}
