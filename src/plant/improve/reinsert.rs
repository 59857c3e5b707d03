//! Takes orders out of a schedule and puts each back where it is cheapest.

use super::plant::Plant;
use super::table::{Table, Taste};
use crate::plan::{IdVec, Objective, OrderId, StepId};
use crate::random::Random;
use crate::timetable::Job;

/// Better is smaller: the value, then how early orders finish.
pub type Score = (i64, i64);

pub fn score(plant: &Plant, table: &Table) -> Score {
    let plan = plant.plan;
    let finishes = plan.orders.ids().filter_map(|order| table.span(order));
    let sum = match plan.objective {
        Objective::Cost => 0,
        _ => finishes.map(|span| span.1).fold(0, i64::saturating_add),
    };
    (table.value(plan), sum)
}

/// Puts an order into the schedule in the best of a few ways.
pub fn insert(plant: &Plant, table: &mut Table, order: OrderId, random: &mut Random) -> bool {
    let has_choice = plant.plan.steps(order).iter().any(|step| step.modes.len() > 1);
    let mut trial = Trial { plant, table, order, best: None };
    trial.place(Taste::Early);
    if has_choice {
        let is_cheap = plant.plan.objective == Objective::Cost && random.one_in(2);
        trial.place(if is_cheap { Taste::Cheap } else { Taste::Fixed(random.below(64)) });
    }
    let Some((_, jobs)) = trial.best else { return false };
    table.put_back(order, jobs);
    true
}

/// How often an order is moved to find the last place in which it is in time.
const HALVINGS: usize = 5;

/// Looks for the best place of an order, with everything else fixed.
struct Trial<'t, 'a> {
    plant: &'t Plant<'t>,
    table: &'t mut Table<'a>,
    order: OrderId,
    best: Option<(i64, IdVec<StepId, Option<Job>>)>,
}

impl Trial<'_, '_> {
    /// As early as it goes, and where being early costs, also as late as is in time, and without
    /// waiting in between.
    fn place(&mut self, taste: Taste) {
        let of = &self.plant.plan.orders[self.order];
        if taste == Taste::Early && self.plant.plan.recipe(self.order).is_anchored() {
            self.attempt(0, Taste::Former);
        }
        let Some((start, finish)) = self.attempt(0, taste) else { return };
        if !is_early_costly(self.plant, self.order) {
            return;
        }
        let mut last = (start, finish);
        if let Some(due) = of.due.filter(|&due| of.costs.storage > 0 && finish < due) {
            last = self.delay(taste, last, due);
        }
        if of.costs.holding > 0 {
            self.compress(taste, last);
        }
    }

    /// From this instant on: start and finish.
    fn attempt(&mut self, from: i64, taste: Taste) -> Option<(i64, i64)> {
        let before = self.table.setups.cost;
        let kept = self.table.kept();
        if !self.table.place_order(self.order, from, taste) {
            kept.into_iter().for_each(|kept| *self.table = kept);
            return None;
        }
        let cost = worth(self.plant, self.table, self.order) + self.table.setups.cost - before;
        if self.best.as_ref().is_none_or(|best| cost < best.0) {
            self.best = Some((cost, self.table.jobs[self.order].clone()));
        }
        let span = self.table.span(self.order);
        match kept {
            Some(kept) => *self.table = kept,
            None => self.table.remove_order(self.order),
        }
        span
    }

    /// The last start after this one that is in time, by halves; what is free need not be monotone, so
    /// this is a guess.
    fn delay(&mut self, taste: Taste, first: (i64, i64), due: i64) -> (i64, i64) {
        let mut last = first;
        let mut high = first.0 + (due - first.1);
        let mut next = high;
        for _ in 0..HALVINGS {
            match self.attempt(next, taste) {
                Some(span) if span.1 <= due => {
                    last = span;
                    if next >= high {
                        high = span.0 + (due - span.1);
                        next = high;
                    } else {
                        next = span.0 + (high - span.0) / 2;
                    }
                }
                _ => {
                    high = next;
                    next = last.0 + (high - last.0) / 2;
                }
            }
            if next <= last.0 || next > high {
                break;
            }
        }
        last
    }

    /// The same finish with a later start.
    fn compress(&mut self, taste: Taste, mut last: (i64, i64)) {
        let longest = self.plant.shape(self.order).longest();
        let mut next = last.1 - longest;
        for _ in 0..3 {
            if next <= last.0 {
                return;
            }
            match self.attempt(next, taste) {
                Some(span) if span.1 <= last.1 => {
                    last = span;
                    next = last.1 - longest;
                }
                _ => next = last.0 + (next - last.0) / 2,
            }
        }
    }
}

fn worth(plant: &Plant, table: &Table, order: OrderId) -> i64 {
    match plant.plan.objective {
        Objective::Cost => table.cost(plant.plan, order),
        _ => table.span(order).map_or(0, |span| span.1),
    }
}

/// Whether an order may pay for being early.
pub fn is_early_costly(plant: &Plant, order: OrderId) -> bool {
    plant.plan.is_early_costly(order)
}

/// How orders stood.
pub struct Before<'a> {
    jobs: Vec<IdVec<StepId, Option<Job>>>,
    /// All of it, where putting them back would not be enough.
    table: Option<Table<'a>>,
}

/// Takes out these orders and puts them back, in this sequence. Gives whether that
/// makes a schedule, and where they were.
pub fn reinsert<'a>(
    plant: &Plant,
    table: &mut Table<'a>,
    orders: &[OrderId],
    random: &mut Random,
) -> (bool, Before<'a>) {
    let kept = table.kept();
    let old: Vec<IdVec<StepId, Option<Job>>> =
        orders.iter().map(|&o| table.jobs[o].clone()).collect();
    orders.iter().for_each(|&order| table.remove_order(order));
    let is_whole =
        orders.iter().all(|&order| insert(plant, table, order, random)) && table.is_set_up();
    (is_whole, Before { jobs: old, table: kept })
}

/// Puts all of them back to where they were.
pub fn restore<'a>(table: &mut Table<'a>, orders: &[OrderId], before: Before<'a>) {
    if let Some(kept) = before.table {
        *table = kept;
        return;
    }
    orders.iter().for_each(|&order| table.remove_order(order));
    for (&order, jobs) in orders.iter().zip(before.jobs) {
        table.put_back(order, jobs);
    }
}
