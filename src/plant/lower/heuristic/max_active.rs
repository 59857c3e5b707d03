//! At most so many orders are in work. One that is over as soon as it begins never is.

use super::weave_starts;
use crate::lower::Event;
use crate::lower::assembly::Assembly;
use crate::plan::{IdVec, RecipeId, StepId};
use takt_automata::compose::{Stamp, woven};
use takt_automata::network::{Expr, Template};

pub fn apply(assembly: &mut Assembly, most: i64) {
    let plan = assembly.plan;
    assembly.set("most_active", most.min(plan.orders.len().max(1) as i64));
    let at_once = assembly.fragment("maxactive.xta", "ActiveAtOnce");
    weave_starts(assembly, at_once, |recipe, step| {
        let recipe = &plan.recipes[recipe];
        let is_first = recipe.has_one_first_step() && recipe.steps[step].after.is_empty();
        (is_first && !recipe.is_instant()).then(Vec::new)
    });
    let active = assembly.fragment("maxactive.xta", "Active");
    weave_starts(assembly, active, |recipe, _| {
        let arguments = || vec![("order", woven("order"))];
        (!plan.recipes[recipe].has_one_first_step()).then(arguments)
    });
    ends(assembly);
}

/// Only the end of a chain's last step can be the end of its order.
fn ends(assembly: &mut Assembly) {
    let plan = assembly.plan;
    let last: IdVec<RecipeId, Vec<StepId>> = (assembly.chains.iter())
        .map(|chains| chains.chains.iter().filter_map(|chain| chain.last().copied()).collect())
        .collect();
    let is_tallied: IdVec<RecipeId, bool> =
        plan.recipes.ids().map(|recipe| assembly.is_tallied(recipe)).collect();
    let alone = updates(assembly.fragment("maxactive.xta", "InactiveAtOnce"));
    let tallied = updates(assembly.fragment("maxactive.xta", "Inactive"));
    for (edge, event) in assembly.marked() {
        if let Event::End { recipe, step } = event
            && last[*recipe].contains(step)
            && !plan.recipes[*recipe].is_instant()
        {
            let after = if is_tallied[*recipe] { &tallied } else { &alone };
            edge.update.extend_from_slice(after);
        }
    }
}

fn updates(template: &Template) -> Vec<Expr> {
    let arguments = [("tally", woven("tally"))];
    let stamp = Stamp { arguments: &arguments, locations: &[], origin: None };
    template.edges.iter().flat_map(|edge| stamp.edge(edge).update).collect()
}
