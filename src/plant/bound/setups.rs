//! What setups must cost at the least, whatever the sequence.
//!
//! Steps of a family that can be done on units of one resource only, all of them with setups, bring
//! that family to some unit of it. The first step on a unit without an initial family is free, and so
//! is one of the family that the unit has already. Every other family is entered at least once from
//! another one, and pays what entering it costs at the least; of all families, those that are
//! dearest to enter may be the free ones.

use crate::plan::{FamilyId, Mode, Plan, RecipeId, Resource, Setup};
use std::collections::BTreeSet;

/// Over all resources: their units are not shared, so the sums add up.
pub fn floor(plan: &Plan) -> i64 {
    plan.resources.iter().map(|resource| of(plan, resource)).fold(0, i64::saturating_add)
}

fn of(plan: &Plan, resource: &Resource) -> i64 {
    let setups = resource.pools.iter().map(|&pool| plan.pools[pool].setup.as_ref());
    let Some(setups) = setups.collect::<Option<Vec<&Setup>>>() else { return 0 };
    let is_here = |mode: &Mode| mode.needs.iter().any(|need| resource.pools.contains(&need.pool));
    let used: BTreeSet<RecipeId> = plan.orders.iter().map(|order| order.recipe).collect();
    let steps = || used.iter().flat_map(|&recipe| &plan.recipes[recipe].steps);
    let bound = steps().filter(|step| step.modes.iter().all(is_here));
    let families: BTreeSet<FamilyId> = bound.map(|step| step.family).collect();
    // Whoever may come to a unit may stand between two others.
    let may_come = steps().filter(|step| step.modes.iter().any(is_here)).map(|step| step.family);
    let others: BTreeSet<FamilyId> =
        may_come.chain(setups.iter().filter_map(|setup| setup.initial)).collect();
    let initial: BTreeSet<FamilyId> = setups.iter().filter_map(|setup| setup.initial).collect();
    let free = setups.iter().filter(|setup| setup.initial.is_none()).count();
    let entering = |family: FamilyId| {
        let from = others.iter().copied().filter(|&other| other != family);
        let costs = from.flat_map(|other| setups.iter().map(move |s| s.cost[other][family]));
        costs.min().unwrap_or(0)
    };
    let mut costs: Vec<i64> =
        families.iter().filter(|family| !initial.contains(family)).map(|&f| entering(f)).collect();
    costs.sort_unstable();
    let paid = costs.len().saturating_sub(free);
    costs.into_iter().take(paid).fold(0, i64::saturating_add)
}
