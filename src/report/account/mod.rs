//! What a schedule comes to: when each order is done and what that costs, how busy each unit is,
//! when it could have worked. Takes a spec, its plan and a schedule, and gives plain figures.
//!
//! Money is counted whatever the objective is: a planner who asks for the shortest schedule still
//! wants to know what it costs.

mod cost;
mod leeway;
mod load;
mod machine;
mod moves;
mod share;

pub use leeway::Leeway;
pub use load::{Unit, Use};
pub use machine::machine;
pub use moves::Moves;
pub use share::shares;

use std::collections::{BTreeMap, BTreeSet};
use takt_plant::Plan;
use takt_spec::schedule::{Decimal, Kind, Schedule};
use takt_spec::{self as spec, Spec, Time};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    pub time: Time,
    /// In the spec's sequence.
    pub orders: Vec<OrderFigures>,
    /// In the spec's sequence.
    pub resources: Vec<Use>,
    /// Some order may pay for being late once.
    pub has_late_costs: bool,
    pub setup_cost: Decimal,
    pub run_cost: Decimal,
    pub setup_time: i64,
    /// Where the spec knows an earlier plan.
    pub moves: Option<Moves>,
    /// The stretches in which interrupted steps work, by order and step.
    pub stretches: BTreeMap<(String, String), Vec<(i64, i64)>>,
    /// The latest end of a step.
    pub end: i64,
    /// No step that is open starts earlier.
    pub now: i64,
    /// How far steps could move; of plants alone.
    pub leeway: Leeway,
}

/// What an order pays for its times.
pub const ORDER_COSTS: [&str; 4] = ["delay", "storage", "holding", "late"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderFigures {
    pub id: String,
    pub recipe: String,
    pub family: String,
    pub release: i64,
    /// Of the first step; `None` if the schedule has none of its steps.
    pub start: Option<i64>,
    pub finish: Option<i64>,
    pub due: Option<i64>,
    pub deadline: Option<i64>,
    /// As `ORDER_COSTS` names them.
    pub costs: [Decimal; ORDER_COSTS.len()],
}

impl OrderFigures {
    /// Negative where it is early.
    pub fn lateness(&self) -> Option<i64> {
        Some(self.finish? - self.due?)
    }

    /// Whether it is left out: a schedule has all steps of an order or none.
    pub fn is_rejected(&self) -> bool {
        self.start.is_none()
    }

    pub fn tardiness(&self) -> i64 {
        self.lateness().unwrap_or(0).max(0)
    }
}

/// The figures of a schedule that passed every check.
pub fn account(spec: &Spec, plan: &Plan, schedule: &Schedule) -> Account {
    let (setup_cost, run_cost) = (cost::setups(spec, schedule), cost::runs(spec, schedule));
    let setups = schedule.rows.iter().filter(|row| row.kind == Kind::Setup);
    // Rows of crews tell the same time once more.
    let units: BTreeSet<&str> = (spec.resources.iter())
        .filter(|resource| resource.setup.is_some())
        .map(|resource| resource.name.value.as_str())
        .collect();
    let setups = setups.filter(|row| units.contains(row.resource.as_str()));
    let (resources, orders) = (load::uses(plan, schedule), orders(spec, plan, schedule));
    Account {
        time: spec.time.clone(),
        moves: moves::moves(spec, plan, schedule, &orders),
        orders,
        stretches: load::stretches(&resources, schedule),
        leeway: leeway::leeway(spec, plan, &resources, schedule),
        now: plan.now,
        resources,
        has_late_costs: spec.orders.iter().any(|order| order.late_cost.is_some()),
        setup_cost,
        run_cost,
        setup_time: setups.map(|row| row.end - row.start).sum(),
        end: schedule.end(),
    }
}

impl Account {
    /// Civil time for files; empty where it is not known.
    pub fn written(&self, instant: i64) -> String {
        self.time.written(instant).unwrap_or_default()
    }

    /// The share of orders that finish by their due instant; those without one are on time.
    pub fn on_time(&self) -> f64 {
        let late = self.orders.iter().filter(|order| order.tardiness() > 0).count();
        1.0 - late as f64 / self.orders.len().max(1) as f64
    }

    pub fn total_tardiness(&self) -> i64 {
        self.orders.iter().map(OrderFigures::tardiness).sum()
    }

    pub fn max_tardiness(&self) -> i64 {
        self.orders.iter().map(OrderFigures::tardiness).max().unwrap_or(0)
    }

    /// What is paid, kind by kind; for being late once only where somebody may have to.
    pub fn costs(&self) -> impl Iterator<Item = (&'static str, Decimal)> {
        let sum = |k: usize| self.orders.iter().map(|order| order.costs[k]).sum();
        let of_orders = ORDER_COSTS.into_iter().enumerate().map(move |(k, name)| (name, sum(k)));
        let moves = self.moves.as_ref().map(|moves| ("moves", moves.cost));
        of_orders
            .filter(|(name, _)| *name != "late" || self.has_late_costs)
            .chain([("setup", self.setup_cost), ("run", self.run_cost)])
            .chain(moves)
    }
}

fn orders(spec: &Spec, plan: &Plan, schedule: &Schedule) -> Vec<OrderFigures> {
    let mut spans: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for row in schedule.steps() {
        let span = spans.entry(&row.order).or_insert((row.start, row.end));
        *span = (span.0.min(row.start), span.1.max(row.end));
    }
    let order = |(own, planned): (&spec::Order, &takt_plant::Order)| {
        let span = spans.get(own.id.value.as_str()).copied();
        let mut order = OrderFigures {
            id: own.id.value.clone(),
            recipe: own.recipe.value.clone(),
            family: own.family().to_owned(),
            release: planned.release,
            start: span.map(|span| span.0),
            finish: span.map(|span| span.1),
            due: planned.due,
            deadline: planned.deadline,
            ..OrderFigures::default()
        };
        let rate = |rate| cost::rate(rate, spec.scope(own));
        let late = order.lateness().unwrap_or(0);
        let once = own.late_cost.as_ref().filter(|_| late > 0);
        let stay = span.map_or(0, |(start, finish)| finish - start);
        order.costs = [
            rate(own.delay_cost.as_ref()) * late.max(0),
            rate(own.storage_cost.as_ref()) * (-late).max(0),
            rate(own.holding_cost.as_ref()) * stay,
            cost::once(once, spec.scope(own)),
        ];
        order
    };
    spec.orders.iter().zip(&plan.orders).map(order).collect()
}

#[cfg(test)]
mod tests;
