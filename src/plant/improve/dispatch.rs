//! Dispatching rules whose urgencies change while time goes on.
//!
//! *Apparent tardiness cost* (Vepsalainen, Morton 1987; with setups Lee, Bhaskaran, Pinedo 1997): weight by time of
//! work, less the more slack is left, and the longer the setup. *Critical ratio*: time left by work left.

use super::plant::Plant;
use super::walk::{Instant, Urgency};
use crate::plan::{IdVec, Objective, Order, OrderId, PoolId, Step, StepId};

/// A rule for whoever is to start next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dispatch {
    /// How many mean times of work ahead slack counts, and how many times its work a later step is expected to wait.
    Apparent {
        ahead: f64,
        wait: f64,
    },
    Ratio,
}

impl Dispatch {
    /// Those that are tried: due dates that are tight want to look less far ahead than loose ones.
    pub const ALL: [Dispatch; 5] = [
        Dispatch::Apparent { ahead: 2.0, wait: 1.0 },
        Dispatch::Apparent { ahead: 1.0, wait: 0.0 },
        Dispatch::Apparent { ahead: 4.0, wait: 2.0 },
        Dispatch::Apparent { ahead: 10.0, wait: 0.5 },
        Dispatch::Ratio,
    ];
}

/// Steps by a rule.
pub struct Dispatched<'a> {
    plant: &'a Plant<'a>,
    rule: Dispatch,
    /// For each step: what its order's weight by its work takes off its urgency.
    worth: IdVec<OrderId, IdVec<StepId, f64>>,
    mean_work: f64,
    mean_setup: f64,
}

impl<'a> Dispatched<'a> {
    /// `None` where no order has a due date: then no rule of these tells them apart.
    pub fn new(plant: &'a Plant<'a>, rule: Dispatch) -> Option<Dispatched<'a>> {
        let plan = plant.plan;
        plan.orders.iter().find(|order| order.due.is_some())?;
        let steps = plan.orders.ids().flat_map(|order| plan.steps(order).iter());
        let (sum, count) = steps
            .fold((0.0, 0.0), |(sum, count), step| (sum + step.shortest() as f64, count + 1.0));
        let delays: f64 = plan.orders.iter().map(|order| order.costs.delay as f64).sum();
        let mean = delays / plan.orders.len() as f64;
        let weight = |delay: i64| match plan.objective {
            Objective::Cost if mean > 0.0 => delay as f64 / mean,
            _ => 1.0,
        };
        let times = plan.pools.iter().filter_map(|pool| pool.setup.as_ref());
        let times: Vec<i64> =
            times.flat_map(|setup| setup.time.iter().flat_map(|row| row.iter().copied())).collect();
        let setups = times.iter().filter(|&&time| time > 0).count().max(1);
        let worth = |(order, terms): (OrderId, &Order)| {
            let weight = f64::max(weight(terms.costs.delay), 1e-3);
            plan.steps(order).iter().map(|step| (weight / work(step)).ln()).collect()
        };
        Some(Dispatched {
            plant,
            rule,
            worth: plan.orders.entries().map(worth).collect(),
            mean_work: f64::max(sum / f64::max(count, 1.0), 1.0),
            mean_setup: f64::max(times.iter().sum::<i64>() as f64 / setups as f64, 1.0),
        })
    }

    /// The least setup that the step would have to wait for now.
    fn setup(&self, at: &Instant, order: OrderId, step: StepId) -> i64 {
        let part = &self.plant.plan.steps(order)[step];
        let on = |pool: PoolId| {
            let setup = self.plant.plan.pools[pool].setup.as_ref()?;
            let (_, family) = at.last[pool]?;
            Some(setup.time[family][part.family])
        };
        let modes = part
            .modes
            .iter()
            .map(|mode| mode.needs.iter().filter_map(|need| on(need.pool)).max().unwrap_or(0));
        modes.min().unwrap_or(0)
    }
}

fn work(step: &Step) -> f64 {
    f64::max(step.shortest() as f64, 1.0)
}

/// Urgencies are whole numbers, so many parts of one.
const PARTS: f64 = 1e6;

impl Urgency for Dispatched<'_> {
    fn of(&self, at: &Instant, order: OrderId, step: StepId) -> i64 {
        let (plan, shape) = (self.plant.plan, self.plant.shape(order));
        let work = work(&plan.steps(order)[step]);
        let tail = f64::max(shape.tails[step] as f64, work);
        let due = plan.orders[order].due.or(plan.orders[order].deadline);
        let left = due.map_or(plan.horizon, |due| due - at.now) as f64;
        let urgency = match self.rule {
            Dispatch::Ratio => left / tail,
            Dispatch::Apparent { ahead, wait } => {
                let slack = f64::max(left - work - (tail - work) * (1.0 + wait), 0.0);
                let setup = self.setup(at, order, step) as f64;
                slack / (ahead * self.mean_work) + setup / self.mean_setup - self.worth[order][step]
            }
        };
        (urgency * PARTS) as i64
    }
}
