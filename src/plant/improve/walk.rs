//! Schedules in which no time passes while a step could start, as `greedy` asks for and as dispatching rules make
//! them: time goes forward, and whoever can start does, the most urgent first.
//!
//! Nothing is ever taken ahead of time, so what is free now stays free until someone takes it. Steps wait at the pools
//! they may take first; a pool at which nobody can start is left alone until something changes there.

use super::plant::Plant;
use crate::plan::{FamilyId, GroupId, Id, IdVec, Mode, Need, OrderId, PoolId, Step, StepId, Times};
use crate::timetable::{Job, Jobs};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// For each order and step: what starts first has the smallest.
pub type Keys = IdVec<OrderId, Times>;

/// How urgent a step is, asked whenever it may start: what starts first has the smallest.
pub trait Urgency {
    fn of(&self, at: &Instant, order: OrderId, step: StepId) -> i64;
}

impl Urgency for Keys {
    fn of(&self, _: &Instant, order: OrderId, step: StepId) -> i64 {
        self[order][step]
    }
}

/// What urgencies may depend on.
pub struct Instant<'a> {
    pub now: i64,
    /// For each pool: the end and family of its last step.
    pub last: &'a IdVec<PoolId, Option<(i64, FamilyId)>>,
}

/// A mode, and for each hold that begins with it the choice.
type Choice = (usize, Vec<(usize, usize)>);

struct Walk<'a> {
    plant: &'a Plant<'a>,
    urgency: &'a dyn Urgency,
    jobs: IdVec<OrderId, IdVec<StepId, Option<Job>>>,
    now: i64,
    free: IdVec<PoolId, i64>,
    /// For each pool: the end and family of its last step.
    last: IdVec<PoolId, Option<(i64, FamilyId)>>,
    /// What is given back: when, and how many units of which pool; of none where an order is over.
    returns: BTreeSet<(i64, Option<PoolId>, i64, usize)>,
    /// Instants at which something may have become possible.
    instants: BTreeSet<i64>,
    /// For each pool, and for none: steps whose predecessors have all started and that may take it first.
    waiting: Vec<Vec<(OrderId, StepId)>>,
    /// For each of these: nobody can start there before this instant.
    asleep: Vec<i64>,
    /// For each step: how many of its predecessors have not started.
    blocked: IdVec<OrderId, IdVec<StepId, usize>>,
    /// For each group that is waited for, how many of its orders have not started all their steps; and for each order,
    /// of how many of its groups that is true.
    ahead: IdVec<GroupId, usize>,
    waits: IdVec<OrderId, usize>,
    /// Orders that have not begun, by when they may.
    coming: BTreeSet<(i64, OrderId)>,
    left: IdVec<OrderId, usize>,
    active: i64,
    count: usize,
}

/// Its urgency, the smallest first, and the step.
type Candidate = Reverse<(i64, OrderId, StepId)>;

/// Why a step does not start.
enum Wait {
    /// Before this instant it cannot.
    Until(i64),
    /// Something is taken, or nobody knows.
    Open,
}

/// `None` if a limited lag, a deadline or the horizon is broken on the way.
pub fn walk(plant: &Plant, urgency: &dyn Urgency) -> Option<Jobs> {
    let plan = plant.plan;
    // Who looks at nothing but now begins no setup in time.
    if plan.has_crews() {
        return None;
    }
    let initial = |setup: &crate::plan::Setup| setup.initial.map(|family| (0, family));
    let places = plan.pools.len() + 1;
    let walk = Walk {
        plant,
        urgency,
        jobs: plan.orders.ids().map(|order| plan.steps(order).filled(None)).collect(),
        now: 0,
        free: plan.pools.iter().map(|pool| pool.capacity()).collect(),
        last: plan.pools.iter().map(|pool| pool.setup.as_ref().and_then(initial)).collect(),
        returns: BTreeSet::new(),
        instants: plant.asked.least.iter().copied().map(|least| least.max(0)).collect(),
        waiting: vec![Vec::new(); places],
        asleep: vec![i64::MIN; places],
        blocked: (plan.orders.ids())
            .map(|order| plan.steps(order).iter().map(|step| step.after.len()).collect())
            .collect(),
        ahead: plan.groups.iter().map(|group| group.orders.len()).collect(),
        waits: plan.orders.iter().map(|order| order.after.len()).collect(),
        coming: plant.asked.least.entries().map(|(o, &least)| (least, o)).collect(),
        left: plan.orders.ids().map(|order| plan.steps(order).len()).collect(),
        active: 0,
        count: 0,
    };
    walk.run()
}

impl Walk<'_> {
    fn run(mut self) -> Option<Jobs> {
        while let Some(now) = self.instants.pop_first() {
            self.now = now;
            if now > self.plant.plan.horizon {
                return None;
            }
            self.give_back();
            while let Some(&(least, order)) = self.coming.first().filter(|next| next.0 <= now) {
                self.coming.remove(&(least, order));
                self.arrive(order);
            }
            while self.start_someone()? {}
            self.count += 1;
        }
        self.jobs.into_iter().map(|own| own.into_iter().collect()).collect()
    }

    /// Its first steps wait at their places, unless others have to be done first.
    fn arrive(&mut self, order: OrderId) {
        if self.waits[order] > 0 || self.plant.asked.least[order] > self.now {
            return;
        }
        let free = self.blocked[order].entries().filter(|blocked| *blocked.1 == 0);
        let free: Vec<StepId> = free.map(|(step, _)| step).collect();
        free.into_iter().for_each(|step| self.let_wait(order, step));
    }

    /// Whoever waited for this order, and for no other, arrives.
    fn let_sequels_come(&mut self, order: OrderId) {
        let plan = self.plant.plan;
        for &group in &plan.orders[order].groups {
            self.ahead[group] -= 1;
            if self.ahead[group] > 0 {
                continue;
            }
            for &follower in &plan.groups[group].followers {
                self.waits[follower] -= 1;
                if self.waits[follower] == 0 {
                    self.arrive(follower);
                }
            }
        }
    }

    /// From when until when the orders before it let an order begin.
    fn begins(&self, order: OrderId) -> (i64, i64) {
        let plan = self.plant.plan;
        let (mut first, mut last) = (i64::MIN, i64::MAX);
        for link in &plan.orders[order].after {
            let members = plan.groups[link.group].orders.iter();
            let ends = members.flat_map(|&order| self.jobs[order].iter().flatten());
            let Some(finish) = ends.map(|job| job.end).max() else { continue };
            first = first.max(finish + link.min);
            last = last.min(link.max.map_or(i64::MAX, |max| finish.saturating_add(max)));
        }
        (first, last)
    }

    /// The places at which a step waits: the pools that its modes name first.
    fn places(&self, order: OrderId, step: StepId) -> Vec<usize> {
        let modes = self.plant.plan.steps(order)[step].modes.iter();
        let place = |mode: &Mode| mode.needs.first().map_or(self.free.len(), |n| n.pool.index());
        let mut places: Vec<usize> = modes.map(place).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    fn let_wait(&mut self, order: OrderId, step: StepId) {
        for place in self.places(order, step) {
            self.waiting[place].push((order, step));
            self.asleep[place] = i64::MIN;
        }
    }

    fn give_back(&mut self) {
        while let Some(&entry) = self.returns.first().filter(|entry| entry.0 <= self.now) {
            self.returns.remove(&entry);
            match entry.1 {
                Some(pool) => {
                    self.free[pool] += entry.2;
                    self.asleep[pool.index()] = i64::MIN;
                }
                None => {
                    self.active -= 1;
                    self.asleep.fill(i64::MIN);
                }
            }
        }
    }

    /// Steps at places where somebody may start, the most urgent ones first. Few of many are asked for.
    fn candidates(&mut self) -> BinaryHeap<Candidate> {
        let Walk { urgency, jobs, now, free, last, waiting, asleep, .. } = self;
        let at = Instant { now: *now, last };
        let mut found = Vec::new();
        for (place, waiting) in waiting.iter_mut().enumerate() {
            let is_free = place == free.len() || free[PoolId(place)] > 0;
            if asleep[place] > *now || !is_free {
                continue;
            }
            waiting.retain(|&(order, step)| jobs[order][step].is_none());
            found.extend(waiting.iter().map(|&(o, s)| Reverse((urgency.of(&at, o, s), o, s))));
        }
        found.into()
    }

    /// Whether somebody may still start at a place where somebody could.
    fn is_open(&self) -> bool {
        let places = self.waiting.iter().zip(&self.asleep).enumerate();
        let mut awake = places.filter(|(_, (all, asleep))| **asleep <= self.now && !all.is_empty());
        awake.any(|(place, _)| place == self.free.len() || self.free[PoolId(place)] > 0)
    }

    /// Whether there is nothing left of what its modes name first.
    fn is_taken(&self, order: OrderId, step: StepId) -> bool {
        let lacks = |need: &Need| self.free[need.pool] < need.amount;
        let modes = self.plant.plan.steps(order)[step].modes.iter();
        modes.map(|mode| mode.needs.first()).all(|first| first.is_some_and(lacks))
    }

    /// Starts all that can start now, by urgency; `None` where a limit has been passed.
    fn start_someone(&mut self) -> Option<bool> {
        let mut has_started = false;
        // For each place, when somebody may start there who cannot now.
        let mut next: BTreeMap<usize, i64> = BTreeMap::new();
        let mut candidates = self.candidates();
        let mut last = None;
        while let Some(Reverse((_, order, step))) = candidates.pop() {
            // Whoever waits at several places comes as often.
            if last.replace((order, step)) == Some((order, step)) {
                continue;
            }
            let wait = match self.is_taken(order, step) {
                true => Some(Wait::Open),
                false => self.try_start(order, step)?,
            };
            if wait.is_none() {
                has_started = true;
                if !self.is_open() {
                    break;
                }
            }
            if has_started {
                continue;
            }
            let until = match wait {
                Some(Wait::Until(instant)) => instant,
                Some(Wait::Open) | None => i64::MIN,
            };
            for place in self.places(order, step) {
                let next = next.entry(place).or_insert(i64::MAX);
                *next = until.min(*next);
            }
        }
        // Whoever starts may let others start elsewhere.
        if !has_started {
            next.into_iter().for_each(|(place, instant)| self.asleep[place] = instant);
        }
        Some(has_started)
    }

    /// Starts the step if it can start now, or says why not.
    fn try_start(&mut self, order: OrderId, step: StepId) -> Option<Option<Wait>> {
        let Some(ready) = self.ready(order, step) else { return Some(Some(Wait::Open)) };
        let (first, last) = self.begins(order);
        let is_first = self.left[order] == self.jobs[order].len();
        if is_first && self.now > last {
            return None;
        }
        let ready = ready.max(first);
        if ready > self.now {
            self.instants.insert(ready);
            return Some(Some(Wait::Until(ready)));
        }
        if self.is_too_late(order, step) {
            return None;
        }
        let (way, next) = self.way(order, step);
        let Some((mode, holds)) = way else {
            return Some(Some(next.map_or(Wait::Open, Wait::Until)));
        };
        self.begin(order, step, mode, holds)?;
        self.let_follow(order, step);
        Some(None)
    }

    fn let_follow(&mut self, order: OrderId, step: StepId) {
        for (k, later) in self.plant.plan.steps(order).entries() {
            let links = later.after.iter().filter(|link| link.before == step).count();
            if links > 0 {
                self.blocked[order][k] -= links;
                if self.blocked[order][k] == 0 {
                    self.let_wait(order, k);
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
        if let Some(other) = self.plant.before(order, step) {
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

    /// A way to start the step now, and the choices of its holds: the one that ends first. If there is none and
    /// only calendars are to blame: when there may be one.
    fn way(&mut self, order: OrderId, step: StepId) -> (Option<Choice>, Option<i64>) {
        let plant = self.plant;
        let part = &plant.plan.steps(order)[step];
        let mut best: Option<(i64, Choice)> = None;
        let mut next = Some(i64::MAX);
        let taken = |other: StepId| self.jobs[order][other].as_ref().map(|job| job.mode);
        let follows = |(_, mode): &(usize, &Mode)| mode.follows(taken);
        let modes: Vec<(usize, &Mode)> = part.modes.iter().enumerate().filter(follows).collect();
        for (number, mode) in modes {
            let Some(end) = plant.plan.end(part, mode, self.now) else {
                let opens = plant.plan.next_start(part, mode, self.now).unwrap_or(i64::MAX);
                if opens > self.now && opens < i64::MAX {
                    self.instants.insert(opens);
                }
                next = next.map(|next| next.min(opens));
                continue;
            };
            if best.as_ref().is_some_and(|best| best.0 <= end) {
                continue;
            }
            let holds = match self.is_set_up(part, mode) {
                true => self.choices(order, step, mode),
                false => None,
            };
            match holds {
                Some(holds) => best = Some((end, (number, holds))),
                None => next = None,
            }
        }
        (best.map(|best| best.1), next)
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
            self.let_sequels_come(order);
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
