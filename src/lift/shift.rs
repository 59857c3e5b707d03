//! Moves the steps of any plant to the left until none could start earlier with everything else
//! unchanged, at no greater cost.
//!
//! A step can start earlier only at an instant at which something stops being in its way: its
//! predecessors and release, an end (and a setup) on what it takes, an opening window, the
//! limit of a lag to a later step. These are tried from the earliest on.

use super::jobs::Jobs;
use super::line::{Claim, Line};
use crate::plan::{LagFrom, Mode, Plan, Rule, Step, sequences};
use crate::spec::Objective;

/// Someone who takes an amount of a pool.
#[derive(Clone, Copy, Debug)]
struct Taker {
    order: usize,
    /// The step whose start and end these are; two for a hold.
    from: usize,
    until: usize,
    amount: i64,
}

struct Shift<'a> {
    plan: &'a Plan,
    jobs: &'a mut Jobs,
    /// For each pool.
    takers: Vec<Vec<Taker>>,
    /// For each pool, the same over time: most steps can be seen there to have no earlier place.
    lines: Vec<Line<'a>>,
    /// For each order: who must not start a step later than it does.
    before: Vec<Option<usize>>,
    is_kept: &'a dyn Fn(&Jobs) -> bool,
}

/// Only moves after which `is_kept` holds are made.
pub fn move_earlier(plan: &Plan, jobs: &mut Jobs, is_kept: &dyn Fn(&Jobs) -> bool) {
    // Whoever must not let time pass while a step is eligible starts it when it is; but for the
    // last instant of a window.
    if plan.rule(|rule| rule == Rule::Greedy) && plan.calendars.is_empty() {
        return;
    }
    let mut before = vec![None; plan.orders.len()];
    if plan.rule(|rule| rule == Rule::NonOvertaking) {
        for sequence in sequences(plan) {
            sequence.windows(2).for_each(|pair| before[pair[1]] = Some(pair[0]));
        }
    }
    let takers = takers(plan, jobs);
    let lines = plan.pools.iter().map(Line::of).collect();
    let mut shift = Shift { plan, jobs, takers, lines, before, is_kept };
    shift.draw();
    while shift.pass() {}
}

fn takers(plan: &Plan, jobs: &Jobs) -> Vec<Vec<Taker>> {
    let mut takers: Vec<Vec<Taker>> = vec![Vec::new(); plan.pools.len()];
    for (order, own) in jobs.iter().enumerate() {
        let recipe = &plan.recipes[plan.orders[order].recipe];
        for (step, job) in own.iter().enumerate() {
            for need in &recipe.steps[step].modes[job.mode].needs {
                let (from, until, amount) = (step, step, need.amount);
                takers[need.pool].push(Taker { order, from, until, amount });
            }
            for &(hold, choice) in &job.holds {
                let hold = &recipe.holds[hold];
                for need in &hold.choices[choice] {
                    let (from, until, amount) = (hold.from, hold.until, need.amount);
                    takers[need.pool].push(Taker { order, from, until, amount });
                }
            }
        }
    }
    takers
}

impl Shift<'_> {
    /// Each move starts a step earlier, at a whole instant not below 0; so passes come to an end.
    fn pass(&mut self) -> bool {
        let mut all: Vec<(i64, usize, usize)> = (self.jobs.iter().enumerate())
            .flat_map(|(order, own)| {
                own.iter().enumerate().map(move |(step, job)| (job.start, order, step))
            })
            .collect();
        all.sort_unstable();
        let mut has_moved = false;
        for (_, order, step) in all {
            has_moved |= self.try_step(order, step);
        }
        has_moved
    }

    /// All that is taken, on the lines.
    fn draw(&mut self) {
        for order in 0..self.jobs.len() {
            for step in 0..self.jobs[order].len() {
                let begun = self.claims(order, step);
                let begun = begun.into_iter().filter(|claim| claim.1 == step);
                begun.for_each(|(pool, _, claim)| {
                    self.lines[pool].take(&claim);
                });
            }
        }
    }

    /// What the place of the step has a say in: the pool, the step that begins it, the claim.
    fn claims(&self, order: usize, step: usize) -> Vec<(usize, usize, Claim)> {
        let recipe = &self.plan.recipes[self.plan.orders[order].recipe];
        let (part, job) = (&recipe.steps[step], &self.jobs[order][step]);
        let mut found = Vec::new();
        let mut add = |pool, from: usize, amount, start, end| {
            found.push((pool, from, Claim { start, end, amount, family: part.family }));
        };
        for need in &part.modes[job.mode].needs {
            add(need.pool, step, need.amount, job.start, job.end);
        }
        for (from, holder) in self.jobs[order].iter().enumerate() {
            for &(hold, choice) in &holder.holds {
                let until = recipe.holds[hold].until;
                if from == step || until == step {
                    for need in &recipe.holds[hold].choices[choice] {
                        let end = self.jobs[order][until].end;
                        add(need.pool, from, need.amount, holder.start, end);
                    }
                }
            }
        }
        found
    }

    fn try_step(&mut self, order: usize, step: usize) -> bool {
        let claims = self.claims(order, step);
        claims.iter().for_each(|(pool, _, claim)| {
            self.lines[*pool].free(claim);
        });
        let earliest = self.earliest(order, step, &claims);
        let has_moved = earliest.is_some_and(|earliest| self.try_from(order, step, earliest));
        for (pool, _, claim) in self.claims(order, step) {
            self.lines[pool].take(&claim);
        }
        has_moved
    }

    /// No start before this instant fits the calendar and what others take, each claim by itself;
    /// `None` where that leaves none before the present one.
    fn earliest(&self, order: usize, step: usize, claims: &[(usize, usize, Claim)]) -> Option<i64> {
        let (part, job) = (&self.plan.steps(order)[step], &self.jobs[order][step]);
        let mode = &part.modes[job.mode];
        let mut from = self.least(order, step);
        loop {
            let start = self.plan.next_start(part, mode, from).filter(|&s| s < job.start)?;
            let end = self.plan.end(part, mode, start)?;
            let own = claims.iter().filter(|claim| claim.1 == step);
            let clash = |(pool, _, claim): &(usize, usize, Claim)| {
                let end = if claim.end == job.end { end } else { claim.end };
                self.lines[*pool].clash(&Claim { start, end, ..*claim })
            };
            match own.filter_map(clash).max() {
                None => return Some(start),
                Some(next) => from = next,
            }
        }
    }

    fn try_from(&mut self, order: usize, step: usize, earliest: i64) -> bool {
        let old = self.jobs[order][step].clone();
        let part = &self.plan.steps(order)[step];
        let cost = self.cost(order, step);
        for start in self.candidates(order, step).into_iter().filter(|&start| start >= earliest) {
            let mode = &part.modes[old.mode];
            let Some(end) = self.plan.end(part, mode, start) else { continue };
            (self.jobs[order][step].start, self.jobs[order][step].end) = (start, end);
            if self.is_allowed(order, step)
                && self.cost(order, step) <= cost
                && (self.is_kept)(self.jobs)
            {
                return true;
            }
        }
        self.jobs[order][step] = old;
        false
    }

    /// Instants before its start at which the step may be let start, ascending.
    fn candidates(&self, order: usize, step: usize) -> Vec<i64> {
        let plan = self.plan;
        let part = &plan.steps(order)[step];
        let job = &self.jobs[order][step];
        let mode = &part.modes[job.mode];
        let least = self.least(order, step);
        let mut found = vec![least];
        for pool in self.pools_of(order, step) {
            for taker in &self.takers[pool] {
                let end = self.jobs[taker.order][taker.until].end;
                found.push(end);
                if let Some(setup) = &plan.pools[pool].setup {
                    let family = plan.steps(taker.order)[taker.from].family;
                    found.push(end + setup.time[family][part.family]);
                }
            }
            if let Some(setup) = &plan.pools[pool].setup
                && let Some(initial) = setup.initial
            {
                found.push(setup.time[initial][part.family]);
            }
        }
        for (k, later) in plan.steps(order).iter().enumerate() {
            found.push(self.jobs[order][k].start);
            for link in later.after.iter().filter(|link| link.before == step) {
                let latest = link.max.map(|max| self.jobs[order][k].start - max);
                found.extend(latest.map(|latest| match link.from {
                    LagFrom::Start => latest,
                    LagFrom::End => self.ending_at(part, mode, latest),
                }));
            }
        }
        // Before its due instant, an order may cost the more the earlier it is over.
        found.extend(plan.orders[order].due.map(|due| self.ending_at(part, mode, due)));
        let fits = |from: i64| plan.next_start(part, mode, from.max(least));
        let mut found: Vec<i64> = found.into_iter().filter_map(fits).collect();
        found.retain(|&start| start < job.start);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The first start after which the step ends at this instant or later. A later start never
    /// ends earlier.
    fn ending_at(&self, part: &Step, mode: &Mode, instant: i64) -> i64 {
        let (mut low, mut high) = (0, instant.max(0));
        while low < high {
            let middle = low + (high - low) / 2;
            let start = self.plan.next_start(part, mode, middle);
            let end = start.and_then(|start| self.plan.end(part, mode, start));
            if end.is_none_or(|end| end >= instant) { high = middle } else { low = middle + 1 }
        }
        low
    }

    /// No start before this instant.
    fn least(&self, order: usize, step: usize) -> i64 {
        let plan = self.plan;
        let of = &plan.orders[order];
        let mut least = of.release;
        for heuristic in &plan.heuristics {
            if let (Rule::StartWithin(time), Some(due)) = (heuristic.rule, of.due) {
                least = least.max(due - time);
            }
        }
        for link in &plan.steps(order)[step].after {
            let before = &self.jobs[order][link.before];
            let from = match link.from {
                LagFrom::Start => before.start,
                LagFrom::End => before.end,
            };
            least = least.max(from + link.min);
        }
        self.before[order].map_or(least, |other| least.max(self.jobs[other][step].start))
    }

    fn pools_of(&self, order: usize, step: usize) -> Vec<usize> {
        let recipe = &self.plan.recipes[self.plan.orders[order].recipe];
        let job = &self.jobs[order][step];
        let needs = recipe.steps[step].modes[job.mode].needs.iter();
        let held = job.holds.iter().flat_map(|&(hold, choice)| &recipe.holds[hold].choices[choice]);
        let mut pools: Vec<usize> = needs.chain(held).map(|need| need.pool).collect();
        pools.sort_unstable();
        pools.dedup();
        pools
    }

    /// Whether the step, where it is now, breaks nothing. Its lags from others are kept already.
    fn is_allowed(&self, order: usize, step: usize) -> bool {
        let plan = self.plan;
        let job = &self.jobs[order][step];
        let follows = plan.steps(order).iter().enumerate().all(|(k, later)| {
            later.after.iter().filter(|link| link.before == step).all(|link| {
                let from = match link.from {
                    LagFrom::Start => job.start,
                    LagFrom::End => job.end,
                };
                let lag = self.jobs[order][k].start - from;
                lag >= link.min && link.max.is_none_or(|max| lag <= max)
            })
        });
        let precedes = plan.steps(order)[step].after.iter().all(|link| {
            let before = &self.jobs[order][link.before];
            let from = match link.from {
                LagFrom::Start => before.start,
                LagFrom::End => before.end,
            };
            link.max.is_none_or(|max| job.start - from <= max)
        });
        follows
            && precedes
            && self.pools_of(order, step).into_iter().all(|pool| self.has_room(pool, order, step))
            && self.is_active_enough(order)
    }

    /// Whether the pool is never taken beyond its units while the step is on it, and its setups
    /// have their time.
    fn has_room(&self, pool: usize, order: usize, step: usize) -> bool {
        let span = |taker: &Taker| {
            (self.jobs[taker.order][taker.from].start, self.jobs[taker.order][taker.until].end)
        };
        let is_own = |taker: &&Taker| taker.order == order && taker.from == step;
        let own = self.takers[pool].iter().filter(is_own).map(span);
        let Some((from, until)) = own.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
            return true;
        };
        let mut changes: Vec<(i64, i64)> = Vec::new();
        for taker in &self.takers[pool] {
            let (start, end) = span(taker);
            if start < until && from < end && start < end {
                changes.extend([(start, taker.amount), (end, -taker.amount)]);
            }
        }
        // What is freed at an instant can be taken again at once.
        changes.sort_unstable();
        let mut taken = 0;
        let fits = changes.iter().all(|&(_, change)| {
            taken += change;
            taken <= self.plan.pools[pool].capacity()
        });
        fits && self.setup_costs(pool).is_some()
    }

    /// The steps of a pool with a setup, by start: what their setups cost; `None` where there is
    /// no time for one.
    fn setup_costs(&self, pool: usize) -> Option<i64> {
        let Some(setup) = &self.plan.pools[pool].setup else { return Some(0) };
        let mut line: Vec<(i64, i64, usize)> = (self.takers[pool].iter())
            .map(|taker| {
                let job = &self.jobs[taker.order][taker.from];
                (job.start, job.end, self.plan.steps(taker.order)[taker.from].family)
            })
            .collect();
        line.sort_unstable();
        let mut last = setup.initial.map(|family| (0, family));
        let mut cost = 0;
        for (start, end, family) in line {
            if let Some((until, before)) = last {
                if start < until + setup.time[before][family] {
                    return None;
                }
                cost += setup.cost[before][family];
            }
            last = Some((end, family));
        }
        Some(cost)
    }

    fn is_active_enough(&self, order: usize) -> bool {
        let most = self.plan.heuristics.iter().find_map(|heuristic| match heuristic.rule {
            Rule::MaxActive(most) => Some(most),
            _ => None,
        });
        let Some(most) = most else { return true };
        let spans: Vec<(i64, i64)> = (0..self.jobs.len()).map(|order| self.span(order)).collect();
        let (start, end) = spans[order];
        let instants = spans.iter().map(|span| span.0.max(start)).filter(|at| *at < end);
        instants.into_iter().all(|at| {
            spans.iter().filter(|span| span.0 <= at && at < span.1).count() as i64 <= most
        })
    }

    /// From the first start of an order to its finish.
    fn span(&self, order: usize) -> (i64, i64) {
        let start = self.jobs[order].iter().map(|job| job.start).min().unwrap_or(0);
        (start, self.jobs[order].iter().map(|job| job.end).max().unwrap_or(0))
    }

    /// All that the place of the step has a say in; infinite where setups are too short.
    fn cost(&self, order: usize, step: usize) -> i64 {
        if self.plan.objective != Objective::Cost {
            return 0;
        }
        let of = &self.plan.orders[order];
        let (start, finish) = self.span(order);
        let late = of.due.map_or(0, |due| finish - due);
        let setups = self.pools_of(order, step).into_iter().map(|pool| self.setup_costs(pool));
        let setups = setups.sum::<Option<i64>>().unwrap_or(i64::MAX / 4);
        of.delay * late.max(0)
            + of.storage * (-late).max(0)
            + of.holding * (finish - start)
            + setups
    }
}
