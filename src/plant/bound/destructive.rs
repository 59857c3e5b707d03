//! A destructive bound on the makespan (Klein, Scholl 1999): makespans are refuted one after the other by
//! propagating what they imply, and the first that is not refuted is the bound.
//!
//! Takes a plan, and when its orders' steps can start if each order is alone; gives a makespan that no
//! schedule is below. With `end` as makespan, every step has a window for its start. From its start on,
//! for its shortest length, a step takes of each group of pools what it takes in every mode. Three
//! arguments narrow windows; none cuts off a schedule that is over by `end`. A window without a start
//! refutes it.
//!
//! *Precedence.* A step starts after those that it needs, a lag later.
//!
//! *Compulsory parts* (Lahrichi 1982). Between its latest start and its earliest end a step runs in any
//! case. No other step can start where there is not enough left for it.
//!
//! *Energetic reasoning* (Baptiste, Le Pape, Nuijten 1999). In an interval a step does at least as much as
//! the smaller of what it does there pushed to the left and pushed to the right. The others leave it so
//! much and no more. If it would do more when started as early as it can, it must start later: a step
//! that moves to the right covers no less of the interval until it ends after it. So it starts when no
//! more than that is left of the interval. The same holds from the right.

use super::floor::{Alones, Group, capacity, taken};
use crate::plan::{Id, Plan};
use std::collections::BTreeSet;

/// More steps than this take too long.
const MOST_STEPS: usize = 200;

/// A step in one group of pools.
#[derive(Clone, Copy)]
struct Taken {
    task: usize,
    amount: i64,
}

struct Activity {
    length: i64,
    /// Others that it follows: their starts, and how much later it starts.
    after: Vec<(usize, i64)>,
    /// From its start to the end of all that follows.
    tail: i64,
}

/// Of the start of each task: from when on, and until when.
#[derive(Clone)]
struct Windows {
    first: Vec<i64>,
    last: Vec<i64>,
}

/// The steps as tasks, and the groups of pools they compete for.
struct Refuter {
    tasks: Vec<Activity>,
    heads: Vec<i64>,
    groups: Vec<Contest>,
}

/// Pools with so many units, and who takes how much of them.
struct Contest {
    capacity: i64,
    takers: Vec<Taken>,
}

/// No window is left, or time is up.
enum Out {
    Refuted,
    Over,
}

/// The makespan is at least this, and at least `known`.
pub fn makespan(
    plan: &Plan,
    orders: &Alones,
    groups: &[Group],
    known: i64,
    is_over: &mut dyn FnMut() -> bool,
) -> i64 {
    if plan.step_count() > MOST_STEPS || is_over() {
        return known;
    }
    let refuter = Refuter::of(plan, orders, groups);
    // By growing strides, then by halves between the last that was refuted and the first that was not.
    let (mut refuted, mut stride) = (known - 1, 1);
    let mut possible = loop {
        let end = refuted.saturating_add(stride);
        match refuter.refutes(end, is_over) {
            true => (refuted, stride) = (end, stride * 2),
            false => break end,
        }
    };
    while refuted + 1 < possible {
        let middle = refuted + (possible - refuted) / 2;
        if refuter.refutes(middle, is_over) { refuted = middle } else { possible = middle }
    }
    refuted + 1
}

impl Refuter {
    fn of(plan: &Plan, orders: &Alones, groups: &[Group]) -> Refuter {
        let (mut tasks, mut heads) = (Vec::new(), Vec::new());
        let mut takers: Vec<Vec<Taken>> = vec![Vec::new(); groups.len()];
        for (order, alone) in orders.entries() {
            let (steps, first) = (plan.steps(order), tasks.len());
            for (k, step) in steps.entries() {
                let after = step.after.iter();
                let after = after.map(|link| (first + link.before.index(), link.lead(steps)));
                for (group, all) in groups.iter().zip(&mut takers) {
                    let amounts = step.modes.iter().map(|mode| taken(&mode.needs, group));
                    let amount = amounts.min().unwrap_or(0);
                    if amount > 0 && step.shortest() > 0 {
                        all.push(Taken { task: first + k.index(), amount });
                    }
                }
                heads.push(alone.heads[k]);
                let (length, tail) = (step.shortest(), alone.tails[k]);
                tasks.push(Activity { length, after: after.collect(), tail });
            }
        }
        let capacities = groups.iter().map(|group| capacity(plan, group));
        let groups = capacities.zip(takers).map(|(capacity, takers)| Contest { capacity, takers });
        let groups = groups.filter(|group| group.takers.len() > 1);
        Refuter { tasks, heads, groups: groups.collect() }
    }

    /// Whether no schedule is over by `end`.
    fn refutes(&self, end: i64, is_over: &mut dyn FnMut() -> bool) -> bool {
        let last = self.tasks.iter().map(|task| end - task.tail).collect();
        let mut windows = Windows { first: self.heads.clone(), last };
        loop {
            match self.narrow(&mut windows, is_over) {
                Ok(true) => {}
                Ok(false) | Err(Out::Over) => return false,
                Err(Out::Refuted) => return true,
            }
        }
    }

    /// Whether anything became narrower. Energetic reasoning takes long and comes last.
    fn narrow(
        &self,
        windows: &mut Windows,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Out> {
        if is_over() {
            return Err(Out::Over);
        }
        let mut has_changed = self.precedence(windows)?;
        for group in &self.groups {
            has_changed |= self.compulsory_parts(group, windows)?;
        }
        for group in &self.groups {
            if !has_changed {
                has_changed |= self.energetic_reasoning(group, windows, is_over)?;
            }
        }
        Ok(has_changed)
    }

    fn precedence(&self, windows: &mut Windows) -> Result<bool, Out> {
        let mut has_changed = false;
        for (task, of) in self.tasks.iter().enumerate() {
            for &(before, lead) in &of.after {
                has_changed |= windows.from(task, windows.first[before] + lead)?;
                has_changed |= windows.until(before, windows.last[task] - lead)?;
            }
        }
        Ok(has_changed)
    }

    fn compulsory_parts(
        &self,
        Contest { capacity, takers }: &Contest,
        windows: &mut Windows,
    ) -> Result<bool, Out> {
        let part = |taken: &Taken, windows: &Windows| {
            let (from, until) = (windows.last[taken.task], windows.first[taken.task]);
            (from, until + self.tasks[taken.task].length)
        };
        let mut changes: Vec<(i64, i64)> = Vec::new();
        for taken in takers {
            let (from, until) = part(taken, windows);
            if from < until {
                changes.extend([(from, taken.amount), (until, -taken.amount)]);
            }
        }
        changes.sort_unstable();
        // Pieces of time in which something runs in any case.
        let mut pieces: Vec<(i64, i64, i64)> = Vec::new();
        let mut level = 0;
        for pair in changes.windows(2) {
            level += pair[0].1;
            if pair[0].0 < pair[1].0 && level > 0 {
                pieces.push((pair[0].0, pair[1].0, level));
            }
        }
        if pieces.iter().any(|piece| piece.2 > *capacity) {
            return Err(Out::Refuted);
        }
        let mut has_changed = false;
        for taken in takers {
            let length = self.tasks[taken.task].length;
            let (from, until) = part(taken, windows);
            let others = |&(start, end, level): &(i64, i64, i64)| {
                let own = if from <= start && end <= until { taken.amount } else { 0 };
                level - own + taken.amount > *capacity
            };
            let full = || pieces.iter().filter(|piece| others(piece));
            let mut first = windows.first[taken.task];
            for &(start, end, _) in full() {
                if start < first + length && first < end {
                    first = end;
                }
            }
            let mut last = windows.last[taken.task];
            for &(start, end, _) in full().rev() {
                if start < last + length && last < end {
                    last = start - length;
                }
            }
            has_changed |= windows.from(taken.task, first)?;
            has_changed |= windows.until(taken.task, last)?;
        }
        Ok(has_changed)
    }

    fn energetic_reasoning(
        &self,
        group: &Contest,
        windows: &mut Windows,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Out> {
        let (mut starts, mut ends) = (BTreeSet::new(), BTreeSet::new());
        for &Taken { task, .. } in &group.takers {
            let extremes = [windows.first[task], windows.last[task]];
            starts.extend(extremes);
            ends.extend(extremes.map(|start| start + self.tasks[task].length));
        }
        let mut has_changed = false;
        for &start in &starts {
            if is_over() {
                return Err(Out::Over);
            }
            for &end in ends.range(start + 1..) {
                has_changed |= self.within(group, (start, end), windows)?;
            }
        }
        Ok(has_changed)
    }

    /// What must be done in an interval, and what follows from it.
    fn within(
        &self,
        Contest { capacity, takers }: &Contest,
        (start, end): (i64, i64),
        windows: &mut Windows,
    ) -> Result<bool, Out> {
        // In the interval, pushed to the left and to the right.
        let pushed = |task: usize, windows: &Windows| {
            let most = self.tasks[task].length.min(end - start);
            let left = windows.first[task] + self.tasks[task].length - start;
            let right = end - windows.last[task];
            (left.clamp(0, most), right.clamp(0, most))
        };
        let mut free = capacity * (end - start);
        for taken in takers {
            let (left, right) = pushed(taken.task, windows);
            free -= left.min(right) * taken.amount;
        }
        if free < 0 {
            return Err(Out::Refuted);
        }
        let mut has_changed = false;
        for taken in takers {
            let (left, right) = pushed(taken.task, windows);
            let most = (free + left.min(right) * taken.amount) / taken.amount;
            if left > most {
                has_changed |= windows.from(taken.task, end - most)?;
            }
            if right > most {
                has_changed |=
                    windows.until(taken.task, start + most - self.tasks[taken.task].length)?;
            }
        }
        Ok(has_changed)
    }
}

impl Windows {
    fn from(&mut self, task: usize, instant: i64) -> Result<bool, Out> {
        let has_changed = instant > self.first[task];
        self.first[task] = self.first[task].max(instant);
        self.check(task, has_changed)
    }

    fn until(&mut self, task: usize, instant: i64) -> Result<bool, Out> {
        let has_changed = instant < self.last[task];
        self.last[task] = self.last[task].min(instant);
        self.check(task, has_changed)
    }

    fn check(&self, task: usize, has_changed: bool) -> Result<bool, Out> {
        if self.first[task] > self.last[task] { Err(Out::Refuted) } else { Ok(has_changed) }
    }
}
