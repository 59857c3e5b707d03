//! Schedules in which no time passes while a step could start, as `greedy` asks for: time goes
//! forward, and whoever can start does, the most urgent first.
//!
//! Nothing is ever taken ahead of time, so what is free now stays free until someone takes it.

use super::plant::Plant;
use crate::plan::{FamilyId, IdVec, Mode, Need, OrderId, PoolId, Step, StepId, Times};
use crate::timetable::{Job, Jobs};
use std::collections::BTreeSet;

/// For each order and step: what starts first has the smallest.
pub type Keys = IdVec<OrderId, Times>;

/// A mode, and for each hold that begins with it the choice.
type Choice = (usize, Vec<(usize, usize)>);

struct Walk<'a> {
    plant: &'a Plant<'a>,
    jobs: IdVec<OrderId, IdVec<StepId, Option<Job>>>,
    now: i64,
    free: IdVec<PoolId, i64>,
    /// For each pool: the end and family of its last step.
    last: IdVec<PoolId, Option<(i64, FamilyId)>>,
    /// What is given back: when, and how many units of which pool; of none where an order is over.
    returns: BTreeSet<(i64, Option<PoolId>, i64, usize)>,
    /// Instants at which something may have become possible.
    instants: BTreeSet<i64>,
    /// Steps whose predecessors have all started, by urgency.
    waiting: BTreeSet<(i64, OrderId, StepId)>,
    /// For each step: how many of its predecessors have not started.
    blocked: IdVec<OrderId, IdVec<StepId, usize>>,
    /// Orders that have not begun, by when they may.
    coming: BTreeSet<(i64, OrderId)>,
    left: IdVec<OrderId, usize>,
    active: i64,
    count: usize,
}

/// `None` if a limited lag, a deadline or the horizon is broken on the way.
pub fn walk(plant: &Plant, keys: &Keys) -> Option<Jobs> {
    let plan = plant.plan;
    let initial = |setup: &crate::plan::Setup| setup.initial.map(|family| (0, family));
    let walk = Walk {
        plant,
        jobs: keys.iter().map(|own| own.filled(None)).collect(),
        now: 0,
        free: plan.pools.iter().map(|pool| pool.capacity()).collect(),
        last: plan.pools.iter().map(|pool| pool.setup.as_ref().and_then(initial)).collect(),
        returns: BTreeSet::new(),
        instants: plant.asked.least.iter().copied().map(|least| least.max(0)).collect(),
        waiting: BTreeSet::new(),
        blocked: (keys.ids())
            .map(|order| plan.steps(order).iter().map(|step| step.after.len()).collect())
            .collect(),
        coming: plant.asked.least.entries().map(|(o, &least)| (least, o)).collect(),
        left: keys.iter().map(|own| own.len()).collect(),
        active: 0,
        count: 0,
    };
    walk.run(keys)
}

impl Walk<'_> {
    fn run(mut self, keys: &Keys) -> Option<Jobs> {
        while let Some(now) = self.instants.pop_first() {
            self.now = now;
            if now > self.plant.plan.horizon {
                return None;
            }
            self.give_back();
            while let Some(&(least, order)) = self.coming.first().filter(|next| next.0 <= now) {
                self.coming.remove(&(least, order));
                let all = keys[order].entries().map(|(k, key)| (*key, order, k));
                self.waiting.extend(all.filter(|&(_, order, k)| self.blocked[order][k] == 0));
            }
            while self.start_someone(keys)? {}
            self.count += 1;
        }
        self.jobs.into_iter().map(|own| own.into_iter().collect()).collect()
    }

    fn give_back(&mut self) {
        while let Some(&entry) = self.returns.first().filter(|entry| entry.0 <= self.now) {
            self.returns.remove(&entry);
            match entry.1 {
                Some(pool) => self.free[pool] += entry.2,
                None => self.active -= 1,
            }
        }
    }

    /// Starts all that can start now, by urgency; `None` where a limit has been passed.
    fn start_someone(&mut self, keys: &Keys) -> Option<bool> {
        let mut has_started = false;
        let waiting: Vec<(i64, OrderId, StepId)> = self.waiting.iter().copied().collect();
        for entry in waiting {
            let (_, order, step) = entry;
            let Some(ready) = self.ready(order, step) else { continue };
            if ready > self.now {
                self.instants.insert(ready);
                continue;
            }
            if self.is_too_late(order, step) {
                return None;
            }
            let Some((mode, holds)) = self.way(order, step) else { continue };
            self.waiting.remove(&entry);
            self.begin(order, step, mode, holds)?;
            self.let_follow(order, step, keys);
            has_started = true;
        }
        Some(has_started)
    }

    fn let_follow(&mut self, order: OrderId, step: StepId, keys: &Keys) {
        for (k, later) in self.plant.plan.steps(order).entries() {
            let links = later.after.iter().filter(|link| link.before == step).count();
            if links > 0 {
                self.blocked[order][k] -= links;
                if self.blocked[order][k] == 0 {
                    self.waiting.insert((keys[order][k], order, k));
                }
            }
        }
    }

    /// When predecessors let the step start; `None` while that is not known.
    fn ready(&self, order: OrderId, step: StepId) -> Option<i64> {
        let mut ready = self.plant.asked.least[order];
        for link in &self.plant.plan.steps(order)[step].after {
            let before = self.jobs[order][link.before].as_ref()?;
            ready = ready.max(link.from.of(before.start, before.end) + link.min);
        }
        if let Some(other) = self.plant.asked.before[order] {
            self.jobs[other][step].as_ref()?;
        }
        let is_first = self.left[order] == self.jobs[order].len();
        let may_begin = self.plant.asked.most_active.is_none_or(|most| self.active < most);
        (!is_first || may_begin).then_some(ready)
    }

    fn is_too_late(&self, order: OrderId, step: StepId) -> bool {
        self.plant.plan.steps(order)[step].after.iter().any(|link| {
            let before = self.jobs[order][link.before].as_ref();
            let from = before.map_or(self.now, |b| link.from.of(b.start, b.end));
            link.max.is_some_and(|max| self.now - from > max)
        })
    }

    /// A way to start the step now, and the choices of its holds: the one that ends first.
    fn way(&mut self, order: OrderId, step: StepId) -> Option<Choice> {
        let plant = self.plant;
        let part = &plant.plan.steps(order)[step];
        let mut best: Option<(i64, Choice)> = None;
        for (number, mode) in part.modes.iter().enumerate() {
            let Some(end) = plant.plan.end(part, mode, self.now) else {
                let next = plant.plan.next_start(part, mode, self.now);
                self.instants.extend(next.filter(|&next| next > self.now));
                continue;
            };
            if best.as_ref().is_some_and(|best| best.0 <= end) || !self.is_set_up(part, mode) {
                continue;
            }
            if let Some(holds) = self.choices(order, step, mode) {
                best = Some((end, (number, holds)));
            }
        }
        best.map(|best| best.1)
    }

    fn is_set_up(&mut self, part: &Step, mode: &Mode) -> bool {
        let mut is_ready = true;
        for need in &mode.needs {
            let setup = self.plant.plan.pools[need.pool].setup.as_ref();
            if let (Some(setup), Some((end, family))) = (setup, self.last[need.pool]) {
                let ready = end + setup.time[family][part.family];
                if ready > self.now {
                    self.instants.insert(ready);
                    is_ready = false;
                }
            }
        }
        is_ready
    }

    /// Whether step and holds find their units: the first choices that do.
    fn choices(&self, order: OrderId, step: StepId, mode: &Mode) -> Option<Vec<(usize, usize)>> {
        let plan = self.plant.plan;
        let recipe = plan.recipe(order);
        let mut taken: Vec<Need> = mode.needs.clone();
        let has = |taken: &[Need], more: &[Need]| {
            more.iter().all(|need| {
                let all = taken.iter().chain(more).filter(|other| other.pool == need.pool);
                all.map(|other| other.amount).sum::<i64>() <= self.free[need.pool]
            })
        };
        if !has(&[], &taken) {
            return None;
        }
        let mut found = Vec::new();
        for &hold in &self.plant.shape(order).begun[step] {
            let choices = &recipe.holds[hold].choices;
            let choice = choices.iter().position(|choice| has(&taken, choice))?;
            taken.extend(&choices[choice]);
            found.push((hold, choice));
        }
        Some(found)
    }

    fn begin(
        &mut self,
        order: OrderId,
        step: StepId,
        mode: usize,
        holds: Vec<(usize, usize)>,
    ) -> Option<()> {
        let plan = self.plant.plan;
        let recipe = plan.recipe(order);
        let part = &recipe.steps[step];
        let end = plan.end(part, &part.modes[mode], self.now)?;
        if plan.orders[order].deadline.is_some_and(|deadline| end > deadline) || end > plan.horizon
        {
            return None;
        }
        if self.left[order] == self.jobs[order].len() {
            self.active += 1;
        }
        for need in &part.modes[mode].needs {
            self.free[need.pool] -= need.amount;
            self.last[need.pool] = Some((end, part.family));
            self.hand_back(end, Some(need.pool), need.amount);
        }
        for &(hold, choice) in &holds {
            for need in &recipe.holds[hold].choices[choice] {
                self.free[need.pool] -= need.amount;
            }
        }
        self.jobs[order][step] = Some(Job { start: self.now, end, mode, holds });
        for &hold in &self.plant.shape(order).ended[step] {
            let from = self.jobs[order][recipe.holds[hold].from].as_ref()?;
            let &(_, choice) = from.holds.iter().find(|(known, _)| *known == hold)?;
            for need in &recipe.holds[hold].choices[choice] {
                self.hand_back(end, Some(need.pool), need.amount);
            }
        }
        self.left[order] -= 1;
        if self.left[order] == 0 {
            let finish = self.jobs[order].iter().flatten().map(|job| job.end).max()?;
            self.hand_back(finish, None, 1);
        }
        self.instants.insert(end);
        Some(())
    }

    fn hand_back(&mut self, at: i64, pool: Option<PoolId>, amount: i64) {
        self.count += 1;
        self.returns.insert((at, pool, amount, self.count));
        if at <= self.now {
            self.give_back();
        } else {
            self.instants.insert(at);
        }
    }
}
