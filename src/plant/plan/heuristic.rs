//! The heuristics of plants in one place: when each keeps an optimal schedule and why, and what each
//! asks of those who make timetables. How they are written stands in `spec/heuristic.rs`, what they
//! add to the automata in `lower/heuristic`.

use super::ids::{Id, IdVec, OrderId};
use super::{Heuristic, LagFrom, Objective, Order, Plan, Recipe, Rule, Step};
use std::collections::BTreeSet;

/// The requested rules, each with its verdict for this plan.
pub fn judge(plan: &Plan, rules: &[Rule], has_own_units: bool) -> Vec<Heuristic> {
    let is_safe_alone = |rule| match rule {
        Rule::Greedy => false,
        Rule::NonLazy => !has_own_units && may_hurry(plan),
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

/// What heuristics ask of a timetable, in terms of placing steps. Whoever places or moves steps keeps
/// this much; the rest is for the automata to judge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discipline {
    /// Some heuristic looks at which steps are eligible: only the automata can tell who keeps it.
    pub is_judged: bool,
    /// Time does not pass while a step is eligible.
    pub is_greedy: bool,
    /// For each order: no step starts before.
    pub least: IdVec<OrderId, i64>,
    /// For each order: none of its steps starts before the same step of this one.
    pub before: IdVec<OrderId, Option<OrderId>>,
    /// So many orders may be active at once.
    pub most_active: Option<i64>,
    /// Orders that are done one after the other, each as early as can be, keep it.
    pub allows_serial: bool,
}

impl Discipline {
    pub fn new(plan: &Plan, rules: impl IntoIterator<Item = Rule>) -> Discipline {
        let mut asked = Discipline {
            least: plan.orders.iter().map(|order| order.release).collect(),
            before: plan.orders.filled(None),
            allows_serial: true,
            ..Discipline::default()
        };
        rules.into_iter().for_each(|rule| asked.add(plan, rule));
        asked
    }

    fn add(&mut self, plan: &Plan, rule: Rule) {
        match rule {
            Rule::Greedy => self.is_greedy = true,
            Rule::NonLazy => {}
            Rule::NonOvertaking => {
                for sequence in sequences(plan) {
                    sequence.windows(2).for_each(|pair| self.before[pair[1]] = Some(pair[0]));
                }
            }
            Rule::MaxActive(most) => self.most_active = Some(most),
            Rule::StartWithin(time) => {
                for (least, order) in self.least.iter_mut().zip(&plan.orders) {
                    *least = order.due.map_or(*least, |due| (due - time).max(*least));
                }
            }
        }
        self.is_judged |= is_judging(&rule);
        self.allows_serial &= matches!(rule, Rule::MaxActive(_) | Rule::StartWithin(_));
    }
}

/// Whether a rule looks at which steps are eligible.
pub fn is_judging<T>(rule: &takt_spec::Heuristic<T>) -> bool {
    use takt_spec::Heuristic::{Greedy, NonLazy};
    matches!(rule, Greedy | NonLazy)
}

impl Plan {
    /// Some heuristic looks at which steps are eligible.
    pub fn is_judged(&self) -> bool {
        self.heuristics.iter().any(|heuristic| is_judging(&heuristic.rule))
    }

    /// What the heuristics of the plan ask.
    pub fn discipline(&self) -> Discipline {
        Discipline::new(self, self.heuristics.iter().map(|heuristic| heuristic.rule))
    }
}

/// Starting a step that would otherwise wait for its whole duration is never worse: it is over
/// before anybody else could have taken what it needs. That fails where being early costs, where
/// a start binds later ones (lags, holds, setups), or where waiting lets another way be chosen.
fn may_hurry(plan: &Plan) -> bool {
    let is_free_of_earliness = plan.objective != Objective::Cost
        || plan.orders.ids().all(|order| !plan.is_early_costly(order));
    let is_simple = |recipe: &Recipe| {
        recipe.holds.is_empty()
            && recipe.steps.iter().all(|step| {
                step.modes.iter().all(|mode| mode.alternative == 0)
                    && step.after.iter().all(|link| link.max.is_none())
            })
    };
    is_free_of_earliness
        && plan.groups.iter().all(|group| !group.is_limited)
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
        let rates = |order: &Order| (order.recipe, order.costs);
        let waits = |order: &Order| (order.after.clone(), order.groups.clone());
        let is_limited = first.after.iter().any(|link| link.max.is_some());
        let has_one_duration = recipe.steps.iter().all(|step| step.shortest() == step.longest());
        let is_sorted = orders.windows(2).all(|pair| {
            last_if_missing(pair[0].due) <= last_if_missing(pair[1].due)
                && last_if_missing(pair[0].deadline) <= last_if_missing(pair[1].deadline)
        });
        has_one_duration
            && ends_as_begun(recipe)
            && orders.iter().all(|order| rates(order) == rates(first))
            && orders.iter().all(|order| waits(order) == waits(first))
            && (!is_limited || recipe.has_one_first_step())
            && is_sorted
            && (first.costs.storage == 0 || recipe.is_chain())
            // Who is late counts, not by how much: it may be best to give up the first one.
            && (first.costs.late == 0 || orders.iter().all(|order| order.due == first.due))
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
pub fn sequences(plan: &Plan) -> Vec<Vec<OrderId>> {
    let source = |order: OrderId| plan.recipe(order).source;
    let sources: BTreeSet<usize> = plan.orders.ids().map(source).collect();
    let mut found: Vec<Vec<OrderId>> = Vec::new();
    for wanted in sources {
        let mut orders: Vec<OrderId> =
            plan.orders.ids().filter(|&order| source(order) == wanted).collect();
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
        self.steps.entries().all(|(k, step)| match (k.before(), step.after.as_slice()) {
            (None, []) => true,
            (Some(before), [link]) => link.before == before && link.from == LagFrom::End,
            _ => false,
        })
    }
}
