//! Which heuristics keep an optimal schedule of a plan, and the sequence in which orders of one
//! recipe must not overtake each other.

use super::{Heuristic, LagFrom, Objective, Order, Plan, Recipe, Rule, Step};
use std::collections::BTreeSet;

/// The requested rules, each with its verdict for this plan.
pub fn judge(plan: &Plan, rules: &[Rule], has_own_calendars: bool) -> Vec<Heuristic> {
    let is_safe_alone = |rule| match rule {
        Rule::Greedy => false,
        Rule::NonLazy => !has_own_calendars && may_hurry(plan),
        Rule::NonOvertaking => may_not_overtake(plan),
        // These two keep an optimum where they cut nothing at all.
        Rule::MaxActive(most) => plan.orders.len() as i64 <= most,
        Rule::StartWithin(time) => {
            let is_late = |order: &Order| order.due.is_none_or(|due| due - time <= order.release);
            plan.orders.iter().all(is_late)
        }
    };
    let are_all_safe = rules.iter().all(|&rule| is_safe_alone(rule));
    let is_safe = |rule| match rule {
        Rule::NonLazy => are_all_safe,
        _ => is_safe_alone(rule),
    };
    rules.iter().map(|&rule| Heuristic { rule, is_safe: is_safe(rule) }).collect()
}

/// Starting a step that would otherwise wait for its whole duration is never worse: it is over
/// before anybody else could have taken what it needs. That fails where being early costs, where
/// a start binds later ones (lags, holds, setups), or where waiting lets another way be chosen.
fn may_hurry(plan: &Plan) -> bool {
    let is_free_of_earliness = plan.objective != Objective::Cost
        || plan.orders.iter().all(|order| order.storage == 0 && order.holding == 0);
    let is_simple = |recipe: &Recipe| {
        recipe.holds.is_empty()
            && recipe.steps.iter().all(|step| {
                step.modes.iter().all(|mode| mode.alternative == 0)
                    && step.after.iter().all(|link| link.max.is_none())
            })
    };
    is_free_of_earliness
        && plan.pools.iter().all(|pool| pool.setup.is_none())
        && plan.recipes.iter().all(is_simple)
}

/// Orders that are alike may change places step by step, so one of the best schedules keeps their
/// sequence: sorting the starts of each step keeps all lags, as the ends are then sorted too.
fn may_not_overtake(plan: &Plan) -> bool {
    sequences(plan).iter().all(|sequence| {
        let orders: Vec<&Order> = sequence.iter().map(|&order| &plan.orders[order]).collect();
        let Some(first) = orders.first() else { return true };
        let recipe = &plan.recipes[first.recipe];
        let rates = |order: &Order| (order.recipe, order.delay, order.storage, order.holding);
        let has_one_duration = recipe.steps.iter().all(|step| step.shortest() == step.longest());
        let is_sorted = orders.windows(2).all(|pair| {
            last_if_missing(pair[0].due) <= last_if_missing(pair[1].due)
                && last_if_missing(pair[0].deadline) <= last_if_missing(pair[1].deadline)
        });
        has_one_duration
            && ends_as_begun(recipe)
            && orders.iter().all(|order| rates(order) == rates(first))
            && is_sorted
            && (first.storage == 0 || recipe.is_chain())
    })
}

/// Whoever starts a step first ends it first, and whoever takes what is held first may be the one
/// that gives it back first. Work that pauses breaks that where the ways to do it have calendars of
/// their own, and so does a hold that may take one of several kinds of units.
fn ends_as_begun(recipe: &Recipe) -> bool {
    let has_one_calendar = |step: &Step| {
        step.pause.is_none() || step.modes.windows(2).all(|two| two[0].calendar == two[1].calendar)
    };
    recipe.steps.iter().all(has_one_calendar)
        && recipe.holds.iter().all(|hold| hold.choices.len() <= 1)
}

/// The orders of each recipe of the spec that has any: by release, then due, then as written.
pub fn sequences(plan: &Plan) -> Vec<Vec<usize>> {
    let source = |order: usize| plan.recipes[plan.orders[order].recipe].source;
    let sources: BTreeSet<usize> = (0..plan.orders.len()).map(source).collect();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for wanted in sources {
        let mut orders: Vec<usize> =
            (0..plan.orders.len()).filter(|&order| source(order) == wanted).collect();
        orders.sort_by_key(|&order| {
            let order = &plan.orders[order];
            (order.release, last_if_missing(order.due))
        });
        found.push(orders);
    }
    found
}

fn last_if_missing(instant: Option<i64>) -> (bool, i64) {
    (instant.is_none(), instant.unwrap_or(0))
}

impl Recipe {
    /// Each step follows the one before it, from end to start.
    pub fn is_chain(&self) -> bool {
        self.steps.iter().enumerate().all(|(k, step)| match (k, step.after.as_slice()) {
            (0, []) => true,
            (_, [link]) => k > 0 && link.before == k - 1 && link.from == LagFrom::End,
            _ => false,
        })
    }
}
