//! From a spec to whole numbers and indices: what `lower`, `bound`, `improve` and `lift` share.
//!
//! Names have become positions in lists, all times are numbers of units, costs are whole
//! multiples of one price, calendars are written out, and a horizon is known. The validator must
//! not read plans: it decides by itself what a spec means.

mod alone;
mod build;
mod calendar;
mod conflict;
mod cost;
mod crews;
mod facts;
mod families;
mod fit;
mod former;
mod heuristic;
mod horizon;
mod ids;
mod same;
mod sequel;
mod serial;
mod settled;
mod terms;
mod types;

pub use alone::Alone;
pub use conflict::conflicts;
pub use cost::{TimeCosts, exact_once, exact_rate};
pub use former::{Anchor, Former};
pub use heuristic::{Discipline, sequences};
pub use horizon::{gcd, span, tails};
pub use ids::{
    CalendarId, FamilyId, GroupId, Id, IdVec, OrderId, PoolId, RecipeId, ResourceId, StepId,
};
pub use types::{
    Calendar, Calendars, Conflict, Crew, CrewWay, Fact, FamilyTable, Group, Heuristic, Hold,
    LagFrom, Link, Mode, Need, Objective, Order, OrderLink, Plan, Pool, Recipe, Resource, Role,
    Rule, Setup, SetupTable, Step, Steps, Times, Unit, Window,
};

use build::{Builder, Found};
use takt_diagnostic::{Diagnostic, Diagnostics};
use takt_spec::{self as spec, MAX_TIME, Spec};

/// Every order is an automaton with a clock; more of them would not fit the memory of most machines.
const MAX_ORDERS: usize = 50_000;

/// Ways to do one step.
const MAX_MODES: usize = 256;

/// Fails only where numbers become too large; names have been checked by `spec`.
pub fn plan(spec: &Spec) -> Result<Plan, Diagnostics> {
    if let Some(order) = spec.orders.get(MAX_ORDERS) {
        let message = format!("there are {} orders, more than takt can plan", spec.orders.len());
        let found = Diagnostic::error("too-large", order.id.span, message);
        return Err(found.label(format!("at most {MAX_ORDERS}")).into());
    }
    try_plan(spec).map_err(|found| Diagnostics::from(*found))
}

/// The same plan with its calendars written out at least until then, for those who look further
/// than a search does. Left as it is where that would be too much.
pub fn look_until(plan: &mut Plan, spec: &Spec, until: i64) {
    let until = until.max(plan.horizon.saturating_add(1)).min(MAX_TIME);
    if let Ok((_, builder)) = Builder::build(spec)
        && let Ok(calendars) = builder.windows(plan, until)
    {
        plan.calendars = calendars;
    }
}

fn try_plan(spec: &Spec) -> Found<Plan> {
    let (mut plan, builder) = Builder::build(spec)?;
    let rules = builder.rules()?;
    // What is fixed needs its window, also where it takes no time.
    let last = builder.only.keys().map(|window| window.close).max().unwrap_or(0);
    plan.horizon = horizon::horizon(&plan, spec, &builder, &rules)?.max(last);
    check_prices(&plan)?;
    plan.calendars = builder.windows(&plan, plan.horizon.saturating_add(1).min(MAX_TIME))?;
    plan.heuristics = heuristic::judge(&plan, &rules, has_own_units(spec));
    plan.conflict = conflict::find(&plan, spec);
    if let Some(previous) = &spec.previous {
        plan.begin_at(previous.rows.iter().map(|row| &row.value));
    }
    Ok(plan)
}

/// Whatever a schedule costs fits 64 bits with room to spare.
fn check_prices(plan: &Plan) -> Found<()> {
    let mut sum: i128 = 0;
    for (k, order) in plan.orders.entries() {
        let time = i128::from(plan.horizon) + i128::from(order.due.unwrap_or(0).abs());
        sum += order.costs.most(time);
        for step in plan.steps(k) {
            sum += step.modes.iter().map(|mode| i128::from(mode.cost)).max().unwrap_or(0);
            sum += step.anchor.map_or(0, |anchor| {
                i128::from(anchor.rate) * i128::from(plan.horizon + anchor.at.abs())
            });
            let setups = plan.pools.iter().filter_map(|pool| pool.setup.as_ref());
            let most = setups.flat_map(|setup| setup.cost.iter().flatten()).max();
            sum += i128::from(most.copied().unwrap_or(0)) * plan.pools.len() as i128;
        }
        if sum > i128::from(i64::MAX / 16) {
            let message = "all costs together are too large to compute with";
            return Err(Box::new(Diagnostic::error("too-large", order.span, message)));
        }
    }
    Ok(())
}

fn has_own_units(spec: &Spec) -> bool {
    spec.resources.iter().flat_map(spec::Resource::named_units).any(spec::NamedUnit::has_own)
}

/// The plan of a spec that is right, for tests.
#[cfg(test)]
pub fn planned(text: &str) -> Plan {
    let spec = takt_spec::read(text, takt_diagnostic::FileId(0));
    plan(&spec.unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}")).0).unwrap()
}

#[cfg(test)]
mod tests;
