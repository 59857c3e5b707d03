//! A value that no schedule of a plan is below, seen without any search. Heuristics play no part:
//! they only take schedules away.
//!
//! Heads and tails are those of an order alone (`plan/alone.rs`).
//!
//! *Makespan.* Every head with its tail is a bound. A resource, or several that are alternatives of
//! each other, with `c` units all told: each step that takes `a` of them in whatever way it is done,
//! and each hold, needs a known amount of work (units times time) after its head, and leaves a known
//! tail after it. In any schedule of makespan C that work lies between head and C minus tail, and no
//! more than `c` of it is done in a unit of time. So it could also be done preemptively by one
//! machine of speed `c`, and then Jackson's rule does it in time (Carlier 1982). With a calendar that
//! all these units share, steps work in open time only, and so does the machine: time is counted in
//! open time, and the smallest C for which Jackson's rule is in time is the bound. What steps that
//! cannot be interrupted add to that is in `destructive.rs`.
//!
//! *Cost.* What every order pays if it is alone: it finishes no earlier than its earliest end and no
//! later than its deadline, and between them the rates of delay and storage are cheapest at the due
//! instant or nearest to it; it is held for its longest path; every step is done in its cheapest
//! way, and starts no nearer to its former start than its head and the deadline less its tail let it. Where orders meet at a bottleneck, lateness and storage come to more (`lagrangian.rs`). To this
//! come the setups that no sequence avoids (`setups.rs`), which are paid apart from all that.

use super::jackson::{Jackson, OneMachineJob};
use super::{destructive, lagrangian, setups};
use crate::plan::{
    Alone, Calendar, CalendarId, IdVec, LagFrom, Link, Mode, Need, Objective, OrderId, Plan,
    PoolId, ResourceId, StepId, Steps, Times, span,
};
use std::collections::BTreeSet;

/// `None` where the objective has no value, or nothing fits its windows.
pub fn floor(plan: &Plan) -> Option<i64> {
    floor_until(plan, &mut || false)
}

/// The same, without what takes longer to find out.
pub fn quick_floor(plan: &Plan) -> Option<i64> {
    floor_until(plan, &mut || true)
}

/// The same, as far as one gets before it is over.
pub fn floor_until(plan: &Plan, is_over: &mut dyn FnMut() -> bool) -> Option<i64> {
    if plan.objective == Objective::Feasible {
        return None;
    }
    let orders = plan.orders.ids().map(|order| Alone::of(plan, order));
    let orders: Alones = orders.collect::<Result<_, _>>().ok()?;
    match plan.objective {
        Objective::Cost => Some(cost(plan, &orders, is_over)),
        _ => {
            let alone = orders.iter().map(Alone::makespan).max().unwrap_or(0);
            let groups = groups(plan);
            let loads = |floor: i64, group| floor.max(load(plan, &orders, group, floor));
            let floor = groups.iter().fold(alone, loads);
            Some(destructive::makespan(plan, &orders, &groups, floor, is_over))
        }
    }
}

fn cost(plan: &Plan, orders: &Alones, is_over: &mut dyn FnMut() -> bool) -> i64 {
    let all = || orders.entries();
    let apart = all().map(|(order, alone)| timely(plan, order, alone)).fold(0, i64::saturating_add);
    let groups = groups(plan).into_iter();
    let timely =
        groups.filter_map(|group| lagrangian::bottleneck(plan, orders, &group, is_over)).max();
    let others = all().map(|(order, alone)| untimely(plan, order, alone));
    let others = others.fold(setups::floor(plan), i64::saturating_add);
    others.saturating_add(timely.map_or(apart, |timely| timely.max(apart)))
}

/// What an order pays at the least for being late or early.
pub(super) fn timely(plan: &Plan, order: OrderId, alone: &Alone) -> i64 {
    let of = &plan.orders[order];
    let earliest = alone.makespan();
    of.due.map_or(0, |due| {
        // An order that cannot meet its deadline has no schedule at all.
        let latest = of.deadline.unwrap_or(i64::MAX).max(earliest);
        of.finish_cost(due.clamp(earliest, latest))
    })
}

/// What a step pays at the least for not starting where it did before.
pub(super) fn away(plan: &Plan, order: OrderId, alone: &Alone, step: StepId) -> i64 {
    let Some(anchor) = plan.steps(order)[step].anchor else { return 0 };
    let deadline = plan.orders[order].deadline.unwrap_or(i64::MAX);
    let (first, last) = (alone.heads[step], deadline.saturating_sub(alone.tails[step]));
    // A step that cannot be in time has no schedule at all.
    anchor.cost(anchor.at.clamp(first, last.max(first)))
}

/// What it pays at the least for being held, for its work and for being moved.
fn untimely(plan: &Plan, order: OrderId, alone: &Alone) -> i64 {
    let moved = plan.steps(order).ids().map(|step| away(plan, order, alone, step));
    let span = alone.tails.iter().copied().max().unwrap_or(0);
    let runs = plan.steps(order).iter().map(|step| step.modes.iter().map(|mode| mode.cost).min());
    let held = plan.orders[order].costs.holding.saturating_mul(span);
    runs.map(|run| run.unwrap_or(0)).chain(moved).fold(held, i64::saturating_add)
}

/// Sets of pools: each resource, and all resources that alternatives tie together.
pub(super) fn groups(plan: &Plan) -> Vec<Group> {
    let mut tied: IdVec<ResourceId, ResourceId> = plan.resources.ids().collect();
    for step in plan.recipes.iter().flat_map(|recipe| &recipe.steps) {
        let mut used = step.modes.iter().flat_map(|mode| &mode.needs);
        let Some(first) = used.next().map(|need| tied[plan.pools[need.pool].resource]) else {
            continue;
        };
        if step.modes.len() > 1 {
            for need in used {
                let old = tied[plan.pools[need.pool].resource];
                for resource in plan.resources.ids().filter(|_| old != first) {
                    if tied[resource] == old {
                        tied[resource] = first;
                    }
                }
            }
        }
    }
    let pools = |is_in: &dyn Fn(ResourceId) -> bool| -> Group {
        let resources = plan.resources.entries().filter(|(k, _)| is_in(*k));
        resources.flat_map(|(_, resource)| resource.pools.iter().copied()).collect()
    };
    let mut groups: BTreeSet<Group> = BTreeSet::new();
    for resource in plan.resources.ids() {
        groups.insert(pools(&|other| other == resource));
        groups.insert(pools(&|other| tied[other] == resource));
    }
    groups.retain(|group| !group.is_empty());
    groups.into_iter().collect()
}

/// The bound of a group of pools, or the one that is known already.
fn load(plan: &Plan, orders: &Alones, group: &Group, known: i64) -> i64 {
    let capacity = capacity(plan, group);
    let calendars: BTreeSet<Option<CalendarId>> =
        group.iter().map(|&pool| plan.pools[pool].calendar).collect();
    let mut works: Vec<Work> = Vec::new();
    for (order, alone) in orders.entries() {
        works.extend(steps_on(plan, order, alone, group));
    }
    let calendar = match (calendars.len(), calendars.first()) {
        (1, Some(Some(calendar))) => Some(&plan.calendars[*calendar]),
        _ => None,
    };
    if let Some(calendar) = calendar {
        // Holds ignore calendars; they are counted in the other way below.
        let bound = in_open_time(calendar, capacity, &works, known, plan.horizon);
        return bound.max(busy(capacity, holds(plan, orders, group)));
    }
    works.extend(holds(plan, orders, group));
    known.max(busy(capacity, works))
}

/// Pools that alternatives tie together.
pub(super) type Group = BTreeSet<PoolId>;

/// The orders of a plan, each as if it were alone.
pub(super) type Alones = IdVec<OrderId, Alone>;

/// Units times time, after a head and before a tail.
#[derive(Clone, Copy)]
pub(super) struct Work {
    pub head: i64,
    pub amount: i64,
    pub tail: i64,
}

/// What is taken of the units of a group.
pub(super) fn taken(needs: &[Need], group: &Group) -> i64 {
    needs.iter().filter(|need| group.contains(&need.pool)).map(|need| need.amount).sum()
}

/// How many units it has.
pub(super) fn capacity(plan: &Plan, group: &Group) -> i64 {
    group.iter().map(|&pool| plan.pools[pool].capacity()).sum()
}

fn busy(capacity: i64, works: Vec<Work>) -> i64 {
    let scaled = |work: &Work| OneMachineJob {
        head: work.head * capacity,
        duration: work.amount,
        tail: work.tail * capacity,
    };
    let mut tasks: Vec<OneMachineJob> = works.iter().map(scaled).collect();
    let makespan = Jackson::default().makespan(&mut tasks);
    (makespan + capacity - 1) / capacity
}

pub(super) fn steps_on(plan: &Plan, order: OrderId, alone: &Alone, group: &Group) -> Vec<Work> {
    let steps = plan.steps(order);
    let mut found = Vec::new();
    // What facts take, they may take in closed time.
    let is_closing = group.iter().any(|&pool| plan.pools[pool].calendar.is_some());
    for (k, step) in steps.entries().filter(|(_, step)| !is_closing || step.is_written()) {
        let of_mode = |mode: &Mode| taken(&mode.needs, group) * mode.duration;
        let amount = step.modes.iter().map(of_mode).min().unwrap_or(0);
        if amount == 0 {
            continue;
        }
        let tail = tail_after(steps, &alone.tails, k);
        found.push(Work { head: alone.heads[k], amount, tail });
    }
    found
}

/// From a step's end to the end of all that follows it, at the least.
fn tail_after(steps: &Steps, tails: &Times, k: StepId) -> i64 {
    let step = &steps[k];
    if step.shortest() == step.longest() && step.pause.is_none() {
        // It lasts that long whatever happens, so what counts from its start counts here.
        return tails[k] - step.shortest();
    }
    let links = steps.iter().zip(tails).flat_map(|(later, tail)| {
        let from_end = |link: &&Link| link.before == k && link.from == LagFrom::End;
        later.after.iter().filter(from_end).map(move |link| link.min + tail)
    });
    links.max().unwrap_or(0)
}

fn holds(plan: &Plan, orders: &Alones, group: &Group) -> Vec<Work> {
    let all = orders.entries();
    all.flat_map(|(order, alone)| holds_of(plan, order, alone, group)).collect()
}

/// A hold begins with a step and lasts at least until the last one could be over.
pub(super) fn holds_of(plan: &Plan, order: OrderId, alone: &Alone, group: &Group) -> Vec<Work> {
    let mut found = Vec::new();
    let recipe = plan.recipe(order);
    for hold in &recipe.holds {
        let units = hold.choices.iter().map(|choice| taken(choice, group)).min().unwrap_or(0);
        // The path to its last step is one of those that the tail is the longest of.
        let lasts = span(&recipe.steps, hold.from, hold.until);
        let tail = alone.tails[hold.from] - lasts;
        if units > 0 && lasts > 0 {
            found.push(Work { head: alone.heads[hold.from], amount: units * lasts, tail });
        }
    }
    found
}

/// The smallest makespan, not below `known`, for which the work can be done in open time.
fn in_open_time(
    calendar: &Calendar,
    capacity: i64,
    works: &[Work],
    known: i64,
    horizon: i64,
) -> i64 {
    let open = OpenTime::of(calendar);
    let fits = |makespan: i64| {
        // Deadlines become tails, seen from an instant after all of them.
        let end = open.until(makespan);
        let task = |work: &Work| OneMachineJob {
            head: open.until(work.head) * capacity,
            duration: work.amount,
            tail: (end - open.until(makespan - work.tail)) * capacity,
        };
        let mut tasks: Vec<OneMachineJob> = works.iter().map(task).collect();
        Jackson::default().makespan(&mut tasks) <= end * capacity
    };
    let (mut low, mut high) = (known, horizon.max(known) + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if fits(middle) { high = middle } else { low = middle + 1 }
    }
    // Beyond the horizon the windows are not known.
    if low > horizon { known } else { low }
}

/// How much open time lies before an instant.
pub(super) struct OpenTime<'a> {
    calendar: &'a Calendar,
    /// Before each window opens.
    before: Vec<i64>,
}

impl OpenTime<'_> {
    pub(super) fn of(calendar: &Calendar) -> OpenTime<'_> {
        let mut sum = 0;
        let mut before = Vec::new();
        for window in &calendar.windows {
            before.push(sum);
            sum += window.close - window.open;
        }
        OpenTime { calendar, before }
    }

    pub(super) fn until(&self, instant: i64) -> i64 {
        let windows = &self.calendar.windows;
        let next = windows.partition_point(|window| window.open < instant);
        next.checked_sub(1)
            .map_or(0, |k| self.before[k] + instant.min(windows[k].close) - windows[k].open)
    }
}
