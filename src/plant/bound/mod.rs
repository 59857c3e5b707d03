//! Lower bounds on the makespan that are still possible from a state of the compiled network.
//!
//! Takes a plan and what its network stands for; gives an [`Estimate`], all that the engine
//! sees. From where the orders are, and from the earliest instants at which their steps can have
//! started, follow heads (a step cannot start before) and tails (so much comes after it). The
//! bound is the largest of every order's own rest and of Jackson's preemptive schedule on every
//! machine (Carlier 1982), which relaxes all but that machine.

mod destructive;
mod floor;
mod jackson;
mod lagrangian;
mod overload;
mod setups;

pub use floor::{floor, floor_until, quick_floor};
pub use overload::{Overload, overload};

use crate::lower::{Lowered, Place, Shop};
use crate::plan::{Id, IdVec, OrderId, Plan, PoolId, Step, StepId, tails};
use jackson::{Jackson, OneMachineJob};
use takt_automata::engine::Estimate;
use takt_automata::model::{ClockId, Model};

/// The estimate for a plan's network; there is one for job shops only.
pub fn estimate(plan: &Plan, lowered: &Lowered, model: &Model) -> Option<impl Estimate + use<>> {
    let shop = lowered.shop.as_ref()?;
    let orders = lowered
        .processes
        .entries()
        .map(|(order, name)| RestOfOrder::of(plan, shop, model, order, name));
    Some(Remaining {
        orders: orders.collect(),
        free: plan.pools.filled(0),
        tasks: plan.pools.filled(Vec::new()),
        jackson: Jackson::default(),
        tie: 0,
    })
}

struct Remaining {
    orders: Vec<RestOfOrder>,
    /// When each machine is free again, at the earliest.
    free: IdVec<PoolId, i64>,
    /// What each machine still has to do.
    tasks: IdVec<PoolId, Vec<OneMachineJob>>,
    jackson: Jackson,
    /// The sum over all machines: where the worst of them are alike, the others decide.
    tie: i64,
}

/// An order as the estimate needs it.
struct RestOfOrder {
    /// The cell of its location.
    cell: usize,
    /// The clock that is reset when a step starts.
    clock: Option<ClockId>,
    places: Vec<Place>,
    steps: IdVec<StepId, Operation>,
}

#[derive(Clone, Copy)]
struct Operation {
    machine: Option<PoolId>,
    duration: i64,
    /// How long the order's steps after this one last.
    tail: i64,
}

impl RestOfOrder {
    fn of(plan: &Plan, shop: &Shop, model: &Model, order: OrderId, name: &str) -> RestOfOrder {
        let cell = model.processes.iter().position(|process| process.name == name);
        let clock_name = format!("{name}.x");
        let clock = model.clocks.iter().position(|clock| clock.name == clock_name);
        let steps = plan.steps(order);
        let operation = |(step, tail): (&Step, &i64)| {
            let duration = step.shortest();
            Operation { machine: step.machine(), duration, tail: tail - duration }
        };
        RestOfOrder {
            cell: cell.expect("every order has a process"),
            // Without the clock nothing is known about the step that is running.
            clock: clock.map(ClockId::at),
            places: shop.places[plan.orders[order].recipe].clone(),
            steps: steps.iter().zip(&tails(steps)).map(operation).collect(),
        }
    }

    /// The next step to start and when it can start at the earliest. `None` for a location
    /// that says nothing.
    fn next(
        &self,
        state: &[i32],
        now: i64,
        since: &dyn Fn(ClockId) -> i64,
    ) -> Option<(StepId, i64)> {
        match self.places.get(state[self.cell] as usize)? {
            Place::Waiting => Some((StepId(0), now)),
            Place::On(step) => Some((step.next(), self.end(*step, since).max(now))),
            Place::After(step) => Some((step.next(), now)),
            Place::Finished | Place::Between => None,
        }
    }

    fn end(&self, step: StepId, since: &dyn Fn(ClockId) -> i64) -> i64 {
        let start = self.clock.map_or(0, since);
        start + self.steps[step].duration
    }
}

impl Estimate for Remaining {
    fn at_goal(&mut self, state: &[i32], now: i64, since: &dyn Fn(ClockId) -> i64) -> Option<i64> {
        self.free.fill(now);
        self.tasks.iter_mut().for_each(Vec::clear);
        let mut bound = now;
        for order in &self.orders {
            if let Some(Place::On(step)) = order.places.get(state[order.cell] as usize) {
                let end = order.end(*step, since);
                bound = bound.max(end + order.steps[*step].tail);
                if let Some(machine) = order.steps[*step].machine {
                    self.free[machine] = self.free[machine].max(end);
                }
            }
        }
        for order in &self.orders {
            let Some((next, ready)) = order.next(state, now, since) else { continue };
            let mut head = ready;
            for step in order.steps.iter().skip(next.index()) {
                if let Some(machine) = step.machine {
                    head = head.max(self.free[machine]);
                    let Operation { duration, tail, .. } = *step;
                    self.tasks[machine].push(OneMachineJob { head, duration, tail });
                }
                head += step.duration;
            }
            bound = bound.max(head);
        }
        self.tie = 0;
        for tasks in &mut self.tasks {
            let makespan = self.jackson.makespan(tasks);
            bound = bound.max(makespan);
            self.tie += makespan;
        }
        Some(bound)
    }

    fn tie(&self) -> i64 {
        self.tie
    }
}

#[cfg(test)]
mod tests;
