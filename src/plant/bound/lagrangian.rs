//! A Lagrangian bound on what lateness and storage cost where all orders visit one bottleneck.
//!
//! The capacity of the bottleneck is relaxed: whoever takes a unit pays a price, a Lagrangian multiplier,
//! for every instant. No more units are taken at once than there are, so all orders together pay no more
//! than all units at all instants are worth. An order by itself pays, for its lateness or storage and
//! for its visit, no less than with its best start. So in every schedule the cost of all orders is at
//! least the sum of these minima less the worth of all units, whatever the prices. Good prices are found
//! by subgradient steps: up where too much is taken, down where too little is (Held, Wolfe, Crowder
//! 1974).
//!
//! To what an order pays for a start comes what the step pays for not starting where it did before, as far as that is
//! more than the least it pays for that in any case.
//!
//! *One visit* of an order counts: the last step that takes the bottleneck in whatever way it is done.
//! It keeps its units through its pauses, and starts no earlier than its head. If all other steps
//! must have ended before it starts, the order finishes with it. Otherwise it finishes no earlier
//! than if all that follows had the plant to itself, which never falls with a later start; then only
//! lateness counts, and a start after which a follower comes too late for its `max` lag does not.
//! Beyond some start after the due instant, and after the former start, the price of the visit is left out, so that what it costs
//! only rises and need not be looked at further.

use super::floor::{Alones, Group, away, capacity, taken, timely};
use crate::plan::{Alone, CalendarId, LagFrom, Mode, OrderId, Plan, Step, StepId, Steps};
use std::collections::BTreeSet;

/// Prices are whole multiples of one part in so many.
const FINE: i64 = 64;

/// How many starts are weighed at most, over all rounds.
const EFFORT: usize = 20_000_000;

const ROUNDS: usize = 120;

/// No more is remembered.
const MOST_STARTS: usize = 700_000;

/// One way to start a visit.
#[derive(Clone, Copy)]
struct Start {
    from: i64,
    until: i64,
    amount: i64,
    /// What the order pays for its finish, at the least.
    cost: i64,
}

/// The least that lateness and storage of all orders cost, as far as this group of pools tells.
pub(super) fn bottleneck(
    plan: &Plan,
    orders: &Alones,
    group: &Group,
    is_over: &mut dyn FnMut() -> bool,
) -> Option<i64> {
    let mut without = 0_i64;
    let mut visits: Vec<Vec<Start>> = Vec::new();
    let mut count = 0;
    for (order, alone) in orders.entries() {
        if is_over() {
            return None;
        }
        match visit(plan, order, alone, group, MOST_STARTS - count) {
            Some(starts) if starts.is_empty() => return None,
            Some(starts) => {
                count += starts.len();
                visits.push(starts);
            }
            None => without = without.checked_add(timely(plan, order, alone))?,
        }
    }
    if visits.is_empty() || !are_small(&visits) {
        return None;
    }
    let capacity = capacity(plan, group);
    let rounds = (EFFORT / count.max(1)).min(ROUNDS);
    let best = Relaxation::new(&visits, capacity).climb(rounds, is_over);
    // Any part of a whole cost is a whole one.
    without.checked_add(best.div_euclid(FINE) + i64::from(best.rem_euclid(FINE) > 0))
}

/// Everything that is summed up below fits 64 bits.
fn are_small(visits: &[Vec<Start>]) -> bool {
    let all = || visits.iter().flatten();
    let cost = i128::from(all().map(|start| start.cost).max().unwrap_or(0));
    let until = i128::from(all().map(|start| start.until).max().unwrap_or(0));
    let amount = i128::from(all().map(|start| start.amount).max().unwrap_or(0));
    let sum = cost * i128::from(FINE) * visits.len() as i128;
    // No price is above the dearest cost; see `Relaxation::step`.
    let paid = cost * i128::from(FINE) * until * amount.max(1) * visits.len() as i128;
    sum + paid < i128::from(i64::MAX / 4)
}

/// All starts of the order's visit to the group that count; `None` if it has none for sure, or
/// too many to remember.
fn visit(
    plan: &Plan,
    order: OrderId,
    alone: &Alone,
    group: &Group,
    most: usize,
) -> Option<Vec<Start>> {
    let (of, steps) = (&plan.orders[order], plan.steps(order));
    let taken = |mode: &Mode| taken(&mode.needs, group);
    let takes = |step: &Step| step.modes.iter().all(|mode| taken(mode) > 0);
    let visits = steps.ids().filter(|&k| takes(&steps[k]));
    let step = visits.max_by_key(|&k| (is_last(steps, k), alone.heads[k], k))?;
    let visit = Visit { plan, order, alone, step, due: of.due?, is_last: is_last(steps, step) };
    let mut found = Vec::new();
    let mut ways: BTreeSet<(i64, Option<CalendarId>, i64)> = BTreeSet::new();
    for mode in &steps[step].modes {
        if ways.insert((mode.duration, mode.calendar, taken(mode))) {
            visit.starts(mode, taken(mode), most, &mut found);
        }
    }
    (found.len() <= most).then_some(found)
}

/// The step of an order that takes the bottleneck.
struct Visit<'a> {
    plan: &'a Plan,
    order: OrderId,
    alone: &'a Alone,
    step: StepId,
    due: i64,
    is_last: bool,
}

/// For how many instants the finish after a step is taken to be the same: too early, if anything.
const GRID: i64 = 16;

impl Visit<'_> {
    fn starts(&self, mode: &Mode, amount: i64, most: usize, found: &mut Vec<Start>) {
        let (plan, part) = (self.plan, &self.plan.steps(self.order)[self.step]);
        let latest = plan.orders[self.order].deadline.unwrap_or(i64::MAX);
        let former = part.anchor.map_or(self.due, |anchor| anchor.at);
        let cap = self.due.max(former).max(self.alone.heads[self.step]) + 4 * mode.duration;
        let mut known: Option<(i64, i64)> = None;
        let mut from = self.alone.heads[self.step];
        while let Some(start) = plan.next_start(part, mode, from) {
            from = start + 1;
            let Some(end) = plan.end(part, mode, start) else { break };
            if found.len() > most {
                break;
            }
            let finish = match known.filter(|known| start < known.0 + GRID) {
                _ if self.is_last => end,
                Some((_, finish)) => finish,
                None => {
                    let Some(finish) = self.finish(start, end) else { break };
                    known = Some((start, finish));
                    finish
                }
            };
            if finish > latest {
                break;
            }
            // Whoever comes last is seen without its price, which may be too little but not too much.
            let is_beyond = start > cap;
            if is_beyond || self.can_follow(start, end) {
                let until = if is_beyond { start } else { end };
                found.push(Start { from: start, until, amount, cost: self.cost(start, finish) });
            }
            if is_beyond {
                break;
            }
        }
    }

    fn cost(&self, start: i64, finish: i64) -> i64 {
        let step = &self.plan.steps(self.order)[self.step];
        let moved = step.move_cost(start) - away(self.plan, self.order, self.alone, self.step);
        // Unless the order finishes with it, only lateness counts.
        let finish = if self.is_last { finish } else { finish.max(self.due) };
        self.plan.orders[self.order].finish_cost(finish).saturating_add(moved.max(0))
    }

    /// Whether all that must follow soon can do so.
    fn can_follow(&self, start: i64, end: i64) -> bool {
        self.plan.steps(self.order).iter().zip(&self.alone.heads).all(|(later, &head)| {
            let links = later.after.iter().filter(|link| link.before == self.step);
            let mut limits = links.filter_map(|link| {
                let from = link.from.of(start, end);
                Some((from + link.min, from + link.max?))
            });
            limits.all(|(min, max)| {
                self.plan.earliest(later, head.max(min)).is_some_and(|(first, _)| first <= max)
            })
        })
    }

    /// When the order is over at the earliest; `None` if something finds no window.
    fn finish(&self, start: i64, end: i64) -> Option<i64> {
        let steps = self.plan.steps(self.order);
        let (mut heads, mut ends) = (self.alone.heads.clone(), self.alone.ends.clone());
        (heads[self.step], ends[self.step]) = (start, end);
        for _ in 0..=steps.len() {
            let mut has_changed = false;
            for (k, step) in steps.entries().filter(|(k, _)| *k != self.step) {
                let from = step.ready(&heads, &ends);
                if from > heads[k] {
                    let (start, end) = self.plan.earliest(step, from)?;
                    has_changed = true;
                    (heads[k], ends[k]) = (start, end.max(ends[k]));
                }
            }
            if !has_changed {
                break;
            }
        }
        ends.into_iter().max()
    }
}

/// Whether every other step must have ended before this one starts.
fn is_last(steps: &Steps, step: StepId) -> bool {
    let mut before = steps.filled(false);
    let mut waiting = vec![step];
    while let Some(next) = waiting.pop() {
        if !std::mem::replace(&mut before[next], true) {
            let links = steps[next].after.iter().filter(|link| link.from == LagFrom::End);
            waiting.extend(links.map(|link| link.before));
        }
    }
    before.into_iter().all(|is_before| is_before)
}

/// The bottleneck with a price over time, one for each stretch of `1 << shift` instants.
struct Relaxation<'v> {
    visits: &'v [Vec<Start>],
    capacity: i64,
    shift: u32,
    prices: Vec<i64>,
    /// What a unit costs from the beginning until each stretch.
    sums: Vec<i64>,
    /// What is taken in each stretch, less what there is.
    excess: Vec<i64>,
    dearest: i64,
}

impl<'v> Relaxation<'v> {
    fn new(visits: &'v [Vec<Start>], capacity: i64) -> Relaxation<'v> {
        let all = || visits.iter().flatten();
        let end = all().map(|start| start.until).max().unwrap_or(0).max(1);
        let shortest = all().map(|start| start.until - start.from).filter(|t| *t > 0).min();
        let wanted = (shortest.unwrap_or(1) / 8).max(end / 4000).max(1);
        let shift = wanted.ilog2();
        let count = (end >> shift) as usize + 2;
        let dearest = all().map(|start| start.cost).max().unwrap_or(0).saturating_mul(FINE);
        Relaxation {
            visits,
            capacity,
            shift,
            prices: vec![0; count],
            sums: vec![0; count + 1],
            excess: vec![0; count],
            dearest,
        }
    }

    /// The best bound after so many subgradient steps, times [`FINE`].
    fn climb(mut self, rounds: usize, is_over: &mut dyn FnMut() -> bool) -> i64 {
        let mut best = self.bound();
        let mut prices = self.prices.clone();
        let mut ambition = self.ambition().max(best / 4) as f64;
        let mut fails = 0;
        let mut bound = best;
        for _ in 0..rounds {
            if is_over() || !self.step(best as f64 + ambition - bound as f64) {
                break;
            }
            bound = self.bound();
            if bound > best {
                best = bound;
                prices.clone_from(&self.prices);
                fails = 0;
            } else {
                fails += 1;
                if fails == 6 {
                    (ambition, fails) = (ambition / 2.0, 0);
                    self.prices.clone_from(&prices);
                    bound = self.bound();
                }
            }
        }
        best
    }

    /// How much better the bound may get: as if one visit had to wait for another.
    fn ambition(&self) -> i64 {
        let most = |starts: &Vec<Start>| {
            let least = starts.iter().map(|start| start.cost).min().unwrap_or(0);
            let costs = starts.iter().map(|start| start.cost - least);
            costs.max().unwrap_or(0) / 8
        };
        self.visits.iter().map(most).sum::<i64>().saturating_mul(FINE / 8).max(FINE)
    }

    /// What these prices prove, times [`FINE`]; also finds out what is taken.
    fn bound(&mut self) -> i64 {
        let width = 1_i64 << self.shift;
        for k in 0..self.prices.len() {
            self.sums[k + 1] = self.sums[k] + self.prices[k] * width;
        }
        self.excess.fill(-self.capacity * width);
        let mut bound = -self.capacity * self.sums[self.prices.len()];
        for starts in self.visits {
            let worth =
                |s: &Start| s.cost * FINE + s.amount * (self.paid(s.until) - self.paid(s.from));
            let best = starts.iter().map(|start| (worth(start), start)).min_by_key(|best| best.0);
            let Some((worth, &start)) = best else { continue };
            bound += worth;
            self.take(start);
        }
        bound
    }

    /// What a unit costs from the beginning to an instant.
    fn paid(&self, at: i64) -> i64 {
        let k = (at >> self.shift) as usize;
        self.sums[k] + self.prices[k] * (at & ((1 << self.shift) - 1))
    }

    fn take(&mut self, start: Start) {
        let mut at = start.from;
        while at < start.until {
            let k = at >> self.shift;
            let next = ((k + 1) << self.shift).min(start.until);
            self.excess[k as usize] += start.amount * (next - at);
            at = next;
        }
    }

    /// A subgradient step towards a bound that is better by this; false where the gradient is zero.
    fn step(&mut self, missing: f64) -> bool {
        let counts = |(price, excess): (&i64, &i64)| *excess > 0 || *price > 0;
        let pairs = || self.prices.iter().zip(&self.excess).filter(|&pair| counts(pair));
        let norm: f64 = pairs().map(|(_, &excess)| (excess as f64).powi(2)).sum();
        if norm == 0.0 {
            return false;
        }
        let length = missing.max(1.0) / norm;
        for (price, excess) in self.prices.iter_mut().zip(&self.excess) {
            let by = (length * *excess as f64).clamp(-1e15, 1e15).round() as i64;
            *price = (*price + by).clamp(0, self.dearest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use takt_testing::Random;

    fn visit(due: i64, duration: i64, rates: (i64, i64)) -> Vec<Start> {
        let start = |from: i64| {
            let late = from + duration - due;
            let cost = rates.0 * late.max(0) + rates.1 * (-late).max(0);
            Start { from, until: from + duration, amount: 1, cost }
        };
        (0..60).map(start).collect()
    }

    /// The cheapest of all sequences and starts on one unit.
    fn cheapest(visits: &[Vec<Start>], taken: &mut Vec<(i64, i64)>) -> i64 {
        let Some((first, rest)) = visits.split_first() else { return 0 };
        let mut best = i64::MAX;
        for start in first {
            if taken.iter().all(|&(from, until)| start.until <= from || until <= start.from) {
                taken.push((start.from, start.until));
                let others = cheapest(rest, taken);
                taken.pop();
                best = best.min(others.saturating_add(start.cost));
            }
        }
        best
    }

    #[test]
    fn two_that_are_due_together_cannot_both_be_in_time() {
        let visits = [visit(20, 8, (50, 1)), visit(20, 8, (50, 1))];
        let bound = Relaxation::new(&visits, 1).climb(200, &mut || false);
        assert!(bound <= 8 * FINE, "one is stored for as long as the other takes");
        assert!(bound >= 6 * FINE, "{bound}");
        assert_eq!(
            Relaxation::new(&visits, 2).climb(200, &mut || false),
            0,
            "with two units both can"
        );
    }

    #[test]
    fn no_prices_prove_more_than_is_true() {
        let mut r = Random::new(5);
        let mut random = |below: i64| r.amount(below);
        let mut gained = 0;
        for _ in 0..40 {
            let mut visits: Vec<Vec<Start>> = Vec::new();
            for _ in 0..3 {
                let due = 8 + random(14);
                let starts = visit(due, 2 + random(7), (1 + random(9), random(4)));
                visits.push(starts.into_iter().filter(|start| start.from < 32).collect());
            }
            let best = cheapest(&visits, &mut Vec::new());
            let bound = Relaxation::new(&visits, 1).climb(60, &mut || false);
            assert!(bound <= best * FINE, "{bound} {best}");
            gained += i32::from(bound * 2 > best * FINE && best > 0);
        }
        assert!(gained > 10, "{gained}");
    }
}
