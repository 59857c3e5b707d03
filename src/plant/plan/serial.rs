//! A schedule without any skill: orders one after the other, each as early as its own rules allow.
//!
//! Only when it ends is wanted: no shortest schedule ends later. Orders with deadlines come first, as
//! they stand in whatever schedule there is; without the others they keep all rules, unless a
//! setup between neighbours becomes longer. The others follow after the last deadline.
//!
//! Within an order the earliest starts are raised until all lags hold: what is too late for a `max`
//! lag makes the step that it counts from start later. All conditions only ever raise starts, so the
//! first place where they all hold is the earliest. Steps that may not fit beside each other
//! are kept in sequence.

use super::horizon::setups;
use super::{Calendars, IdVec, Mode, Plan, PoolId, Recipe, Step, StepId, Steps, Times};

/// Raises of one order; calendars that meet rarely need many.
const MAX_ROUNDS: usize = 50_000;

/// When everything is over; `None` where the windows do not show it.
pub fn one_after_the_other(plan: &Plan, calendars: &Calendars, base: i64) -> Option<i64> {
    let deadlines = plan.orders.iter().filter_map(|order| order.deadline);
    let last = deadlines.max();
    if last.is_some() && plan.pools.iter().any(|pool| pool.setup.is_some()) {
        return None;
    }
    // Those that wait for each other might stand on both sides, or too far from each other.
    if !plan.groups.is_empty() && last.is_some() || plan.groups.iter().any(|g| g.is_limited) {
        return None;
    }
    let mut end = last.map_or(base, |last| base.max(last));
    let sequence = plan.sequence().into_iter().map(|order| &plan.orders[order]);
    for order in sequence.filter(|order| order.deadline.is_none()) {
        end += order.after.iter().map(|link| link.min).max().unwrap_or(0);
        let recipe = &plan.recipes[order.recipe];
        let setup: i64 = recipe.steps.iter().map(|step| setups(plan, step)).sum();
        end = Single::new(plan, calendars, recipe)?.end(end + setup)?;
    }
    Some(end)
}

/// An order without any other.
struct Single<'a> {
    plan: &'a Plan,
    calendars: &'a Calendars,
    steps: &'a Steps,
    /// Predecessors come before their followers.
    sequence: Vec<StepId>,
    /// Pairs of steps that must not run at the same time.
    apart: Vec<(StepId, StepId)>,
    /// The modes that each may take, whichever the others take.
    ways: IdVec<StepId, Vec<&'a Mode>>,
}

impl<'a> Single<'a> {
    /// `None` where the order is in its own way.
    fn new(plan: &'a Plan, calendars: &'a Calendars, recipe: &'a Recipe) -> Option<Single<'a>> {
        let steps = &recipe.steps;
        let mut sequence: Vec<StepId> = Vec::new();
        while sequence.len() < steps.len() {
            let is_next = |k: &StepId| {
                !sequence.contains(k)
                    && steps[*k].after.iter().all(|link| sequence.contains(&link.before))
            };
            sequence.push(steps.ids().find(is_next)?);
        }
        let mut apart = Vec::new();
        for (pool, of) in plan.pools.entries() {
            let needs = |step: &Step| step.modes.iter().map(|m| taken(m, pool)).max().unwrap_or(0);
            let held = |hold: &super::Hold| {
                let needs = hold.choices.iter().flatten().filter(|need| need.pool == pool);
                needs.map(|need| need.amount).max().unwrap_or(0)
            };
            let amounts: Times = steps.iter().map(needs).collect();
            let held: i64 = recipe.holds.iter().map(held).sum();
            if amounts.iter().sum::<i64>() + held <= of.capacity() {
                continue;
            }
            if amounts.iter().copied().max().unwrap_or(0) + held > of.capacity() {
                return None;
            }
            let mut on_it = sequence.iter().filter(|k| amounts[**k] > 0);
            while let Some(&first) = on_it.next() {
                apart.extend(on_it.clone().map(|&second| (first, second)));
            }
        }
        let ways = Single::ways(steps, &sequence);
        Some(Single { plan, calendars, steps, sequence, apart, ways })
    }

    /// All modes, and a single one where another step must take the same.
    fn ways(steps: &'a Steps, sequence: &[StepId]) -> IdVec<StepId, Vec<&'a Mode>> {
        let mut chosen: IdVec<StepId, Option<usize>> = steps.filled(None);
        let asked = |step: StepId| {
            let all = steps.iter().flat_map(|later| &later.modes).flat_map(|mode| &mode.same);
            all.into_iter().any(|&(other, _)| other == step)
        };
        for &step in sequence {
            let modes = &steps[step].modes;
            if asked(step) || modes.iter().any(|mode| !mode.same.is_empty()) {
                chosen[step] = modes.iter().position(|mode| mode.follows(|other| chosen[other]));
            }
        }
        let ways = |(step, of): (StepId, &'a Step)| match chosen[step] {
            Some(mode) => vec![&of.modes[mode]],
            None => of.modes.iter().filter(|mode| mode.same.is_empty()).collect(),
        };
        steps.entries().map(ways).collect()
    }

    /// The end of the order if it begins no earlier than this.
    fn end(&self, from: i64) -> Option<i64> {
        let mut least = self.steps.filled(from);
        for _ in 0..MAX_ROUNDS {
            let mut placed = self.steps.filled((0, 0));
            for &k in &self.sequence {
                placed[k] = self.place(k, least[k])?;
            }
            let before = least.clone();
            self.raise(&placed, &mut least);
            if least == before {
                return placed.iter().map(|place| place.1).max();
            }
        }
        None
    }

    /// Start and end of a step in the way that is over first.
    fn place(&self, step: StepId, from: i64) -> Option<(i64, i64)> {
        let of = &self.steps[step];
        let ways = self.ways[step].iter().filter_map(|mode| match mode.calendar {
            None => Some((from, from + mode.duration)),
            Some(calendar) => {
                let calendar = &self.calendars[calendar];
                let start = calendar.next_start(from, mode.duration, of.pause)?;
                Some((start, calendar.end(start, mode.duration, of.pause)?))
            }
        });
        ways.min_by_key(|&(start, end)| (end, start))
    }

    /// What the rules between steps ask for, given these places.
    fn raise(&self, placed: &IdVec<StepId, (i64, i64)>, least: &mut Times) {
        for (k, step) in self.steps.entries() {
            for link in &step.after {
                let (start, end) = placed[link.before];
                let from = link.from.of(start, end);
                least[k] = least[k].max(from + link.min);
                let late = link.max.map_or(0, |max| placed[k].0 - from - max);
                if late > 0 {
                    // Work that pauses may end much later if it starts a little later.
                    let by = if self.steps[link.before].pause.is_some() { 1 } else { late };
                    least[link.before] = least[link.before].max(start + by);
                }
            }
        }
        for &(first, second) in &self.apart {
            let setup = setups(self.plan, &self.steps[second]);
            least[second] = least[second].max(placed[first].1 + setup);
        }
    }
}

fn taken(mode: &Mode, pool: PoolId) -> i64 {
    mode.needs.iter().filter(|need| need.pool == pool).map(|need| need.amount).sum()
}
