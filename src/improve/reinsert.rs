//! Takes orders out of a schedule and puts each back where it is cheapest.

use super::plant::Plant;
use super::random::Random;
use super::table::{Table, Taste};
use crate::lift::Job;
use crate::spec::Objective;

/// Better is smaller: the value, then how early orders finish.
pub type Score = (i64, i64);

pub fn score(plant: &Plant, table: &Table) -> Score {
    let plan = plant.plan;
    let finishes = (0..plan.orders.len()).filter_map(|order| table.span(order));
    let sum = match plan.objective {
        Objective::Cost => 0,
        _ => finishes.map(|span| span.1).fold(0, i64::saturating_add),
    };
    (table.value(plan), sum)
}

/// Puts an order into the schedule in the best of a few ways.
pub fn insert(plant: &Plant, table: &mut Table, order: usize, random: &mut Random) -> bool {
    let plan = plant.plan;
    let has_choice = plan.steps(order).iter().any(|step| step.modes.len() > 1);
    let mut best: Option<(i64, Vec<Option<Job>>)> = None;
    let mut tastes = vec![Taste::Early];
    if has_choice {
        tastes.push(Taste::Fixed(random.below(64)));
        tastes.extend((plan.objective == Objective::Cost).then_some(Taste::Cheap));
    }
    for taste in tastes {
        let mut from = Some(0);
        let mut tries = if is_early_costly(plant, order) { 6 } else { 1 };
        while let Some(at) = from.filter(|_| tries > 0) {
            tries -= 1;
            let before = table.setups.cost;
            if !table.place_order(order, at, taste) {
                break;
            }
            let worth = worth(plant, table, order) + table.setups.cost - before;
            from = next_start(plant, table, order, at);
            if best.as_ref().is_none_or(|best| worth < best.0) {
                best = Some((worth, table.jobs[order].clone()));
            }
            table.remove_order(order);
        }
    }
    let Some((_, jobs)) = best else { return false };
    table.put_back(order, jobs);
    true
}

fn worth(plant: &Plant, table: &Table, order: usize) -> i64 {
    match plant.plan.objective {
        Objective::Cost => table.cost(plant.plan, order),
        _ => table.span(order).map_or(0, |span| span.1),
    }
}

/// Whether an order may pay for being early.
pub fn is_early_costly(plant: &Plant, order: usize) -> bool {
    let of = &plant.plan.orders[order];
    plant.plan.objective == Objective::Cost && (of.storage > 0 || of.holding > 0)
}

/// Where to try next after an order was placed from an instant on: such that it would end when it
/// is due, or such that it would end as now but without waiting.
fn next_start(plant: &Plant, table: &Table, order: usize, at: i64) -> Option<i64> {
    let of = &plant.plan.orders[order];
    let (start, finish) = table.span(order)?;
    let longest = plant.shape(order).tails.iter().copied().max().unwrap_or(0);
    let due = of.due.filter(|_| of.storage > 0);
    let next = match due {
        Some(due) if finish < due => start.max(at) + (due - finish),
        Some(due) if finish > due && at > 0 => at.saturating_sub(finish - due),
        _ if of.holding > 0 => (finish - longest).max(start + (finish - longest - start) / 2),
        _ => return None,
    };
    (next != at && next > 0).then_some(next)
}

/// Takes out these orders and puts them back, in this sequence. Gives whether that
/// makes a schedule, and where they were.
pub fn reinsert(
    plant: &Plant,
    table: &mut Table,
    orders: &[usize],
    random: &mut Random,
) -> (bool, Vec<Vec<Option<Job>>>) {
    let old: Vec<Vec<Option<Job>>> = orders.iter().map(|&o| table.jobs[o].clone()).collect();
    orders.iter().for_each(|&order| table.remove_order(order));
    let is_whole =
        orders.iter().all(|&order| insert(plant, table, order, random)) && table.setups.short == 0;
    (is_whole, old)
}

/// Puts all of them back to where they were.
pub fn restore(table: &mut Table, orders: &[usize], old: Vec<Vec<Option<Job>>>) {
    orders.iter().for_each(|&order| table.remove_order(order));
    for (&order, jobs) in orders.iter().zip(old) {
        table.put_back(order, jobs);
    }
}
