//! From a spec to whole numbers and indices: what `lower`, `bound` and `lift` share.
//!
//! Names have become positions in lists, all times are numbers of units, and a horizon is
//! known. The validator must not read plans: it decides by itself what a spec means.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::spec::{Expr, ExprKind, MAX_TIME, Objective, Spec};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub resources: Vec<Resource>,
    pub recipes: Vec<Recipe>,
    pub orders: Vec<Order>,
    pub objective: Objective,
    /// Some optimal schedule ends no later than this.
    pub horizon: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    pub name: String,
}

/// Steps that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    pub name: String,
    /// At least one.
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub name: String,
    /// A position in [`Plan::resources`].
    pub resource: Option<usize>,
    pub duration: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: String,
    /// A position in [`Plan::recipes`].
    pub recipe: usize,
}

impl Plan {
    /// The steps of an order, in their sequence.
    pub fn steps(&self, order: usize) -> &[Step] {
        &self.recipes[self.orders[order].recipe].steps
    }
}

/// Every order is an automaton with a clock; no search ends with more of them.
const MAX_ORDERS: usize = 5000;

/// Fails only where numbers become too large; names have been checked by `spec`.
pub fn plan(spec: &Spec) -> Result<Plan, Diagnostics> {
    if let Some(order) = spec.orders.get(MAX_ORDERS) {
        let message = format!("there are {} orders, more than takt can plan", spec.orders.len());
        let found = Diagnostic::error("too-large", order.id.span, message);
        return Err(found.label(format!("at most {MAX_ORDERS}")).into());
    }
    let resource_index = index(spec.resources.iter().map(|r| r.name.value.as_str()));
    let recipe_index = index(spec.recipes.iter().map(|r| r.name.value.as_str()));
    let resources =
        spec.resources.iter().map(|r| Resource { name: r.name.value.clone() }).collect();
    let step = |step: &crate::spec::Step| Step {
        name: step.name.value.clone(),
        resource: step.alternatives[0]
            .requirements
            .first()
            .map(|on| resource_index[on.resource.value.as_str()]),
        duration: whole(&step.alternatives[0].duration),
    };
    let recipes = spec.recipes.iter().map(|recipe| Recipe {
        name: recipe.name.value.clone(),
        steps: recipe.steps.iter().map(step).collect(),
    });
    let orders = spec.orders.iter().map(|order| Order {
        id: order.id.value.clone(),
        recipe: recipe_index[order.recipe.value.as_str()],
    });
    let mut plan = Plan {
        resources,
        recipes: recipes.collect(),
        orders: orders.collect(),
        objective: spec.objective,
        horizon: 0,
    };
    plan.horizon = horizon(&plan, spec)?;
    Ok(plan)
}

/// Durations are whole numbers until expressions are planned.
fn whole(duration: &Expr) -> i64 {
    match duration.kind {
        ExprKind::Number(amount) => i64::try_from(amount.to_integer()).unwrap_or(MAX_TIME),
        _ => MAX_TIME,
    }
}

fn index<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    names.enumerate().map(|(i, name)| (name, i)).collect()
}

/// All steps one after the other. In a schedule in which no step could start earlier with all
/// else unchanged, some step is running at every instant before the end, so it ends by then; and
/// among those schedules is an optimal one.
fn horizon(plan: &Plan, spec: &Spec) -> Result<i64, Diagnostics> {
    let mut sum = 0;
    for (order, source) in plan.orders.iter().zip(&spec.orders) {
        for step in &plan.recipes[order.recipe].steps {
            sum += step.duration;
            if sum > MAX_TIME {
                let message = format!("all durations together are more than {MAX_TIME}");
                let found = Diagnostic::error("too-large", source.id.span, message);
                return Err(found.hint("choose a larger unit of time").into());
            }
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::FileId;

    fn read(orders: &str, duration: i64) -> Result<Plan, Diagnostics> {
        let text = format!(
            "takt: 1\nresources: {{a: {{}}, b: {{}}}}\nrecipes:\n  r: {{steps: [{{name: s, on: b, \
             duration: {duration}}}, {{name: t, duration: 0}}]}}\norders: {orders}\n"
        );
        plan(&crate::spec::read(&text, FileId(0)).unwrap().0)
    }

    #[test]
    fn names_become_positions() {
        let plan = read("[{id: x, recipe: r}, {id: y, recipe: r}]", 4).unwrap();
        assert_eq!(plan.steps(1)[0].resource, Some(1));
        assert_eq!(plan.steps(1)[1].resource, None);
        assert_eq!(plan.horizon, 8);
    }

    #[test]
    fn too_many_orders_are_refused_at_the_first_one_too_many() {
        let list =
            |n: usize| (0..n).map(|i| format!("{{id: x{i}, recipe: r}}")).collect::<Vec<_>>();
        let orders = |n: usize| format!("[{}]", list(n).join(", "));
        assert!(read(&orders(MAX_ORDERS), 1).is_ok());
        let found = read(&orders(MAX_ORDERS + 1), 1).unwrap_err();
        let first = found.iter().next().unwrap();
        assert_eq!((first.code, first.label.as_str()), ("too-large", "at most 5000"));
    }

    #[test]
    fn times_beyond_the_clocks_are_refused() {
        let found = read("[{id: x, recipe: r}, {id: y, recipe: r}]", MAX_TIME).unwrap_err();
        assert_eq!(found.iter().next().unwrap().code, "too-large");
    }
}
