//! A schedule that is being made: who takes what and when, and how steps are placed as early as
//! what is there already lets them.
//!
//! A block of steps is placed in one go. Where a limited lag or a hold breaks, the step it counts
//! from is moved to the right, and the block is placed again; these limits only rise, so the
//! earliest place for the chosen ways is found, or the effort runs out.

use super::crews::Crews;
use super::plant::Plant;
use crate::plan::{
    FamilyId, IdVec, LagFrom, Mode, Need, Objective, OrderId, OrderLink, Plan, PoolId, Step,
    StepId, Times,
};
use crate::timetable::{Claim, Job, Jobs, Profile, SetUp, Setups, order_cost, setups};

/// How often a block is tried before it is given up.
const MAX_TRIES: usize = 2000;

/// What is preferred where a step can be done in several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taste {
    Early,
    Cheap,
    /// The way whose number is this, modulo the number of ways.
    Fixed(usize),
    /// As in an earlier plan: not before, and on the same units if possible.
    Former,
}

#[derive(Clone)]
pub struct Table<'a> {
    plant: &'a Plant<'a>,
    /// For each pool.
    profiles: IdVec<PoolId, Profile<'a>>,
    /// Counts active orders.
    counter: Profile<'a>,
    /// `[order][step]`
    pub jobs: IdVec<OrderId, IdVec<StepId, Option<Job>>>,
    /// For each order that counts as active: from when until when.
    active: IdVec<OrderId, Option<Claim>>,
    /// Between all neighbours.
    pub setups: Setups,
    /// Where setups are work.
    crews: Option<Crews<'a>>,
}

/// Why a block cannot stay where it is: these steps must not start before these instants.
type Limits = Vec<(StepId, i64)>;

impl<'a> Table<'a> {
    pub fn new(plant: &'a Plant<'a>) -> Table<'a> {
        let plan = plant.plan;
        Table {
            plant,
            profiles: plan.pools.iter().map(Profile::of).collect(),
            counter: Profile::many(plant.asked.most_active.unwrap_or(i64::MAX / 2)),
            jobs: plan.orders.ids().map(|o| plan.steps(o).filled(None)).collect(),
            active: plan.orders.filled(None),
            setups: Setups::default(),
            crews: Crews::of(plan),
        }
    }

    /// The timetable of a schedule.
    pub fn of(plant: &'a Plant<'a>, jobs: &Jobs) -> Table<'a> {
        let mut table = Table { crews: None, ..Table::new(plant) };
        for (order, own) in jobs.entries() {
            table.put_back(order, own.iter().cloned().map(Some).collect());
        }
        let setups = setups(plant.plan, jobs).unwrap_or_default();
        let start = |setup: &SetUp| jobs[setup.order][setup.step].start;
        let setups: Vec<_> = setups.into_iter().map(|setup| (setup, start(&setup))).collect();
        table.crews = Crews::with(plant.plan, &setups, &mut table.profiles);
        table
    }

    /// Whether there is time for all setups.
    pub fn is_set_up(&mut self) -> bool {
        let profiles = &mut self.profiles;
        self.setups.short == 0 && self.crews.as_mut().is_none_or(|c| c.are_placed(profiles))
    }

    /// A copy to go back to, where setups of others may move.
    pub fn kept(&self) -> Option<Table<'a>> {
        self.crews.is_some().then(|| self.clone())
    }

    /// All jobs, if every step has been placed.
    pub fn whole(&self) -> Option<Jobs> {
        if self.crews.as_ref().is_some_and(Crews::is_missing) {
            return None;
        }
        self.jobs.iter().map(|own| own.iter().cloned().collect()).collect()
    }

    /// What this order costs where it stands, its setups not counted.
    pub fn cost(&self, plan: &Plan, order: OrderId) -> i64 {
        order_cost(plan, order, self.jobs[order].iter().flatten())
    }

    /// The value of all that has been placed.
    pub fn value(&self, plan: &Plan) -> i64 {
        match plan.objective {
            Objective::Feasible => 0,
            Objective::Makespan => {
                self.jobs.iter().flatten().flatten().map(|job| job.end).max().unwrap_or(0)
            }
            Objective::Cost => {
                let orders = self.jobs.ids().filter(|&o| self.jobs[o].iter().any(Option::is_some));
                orders.fold(self.setups.cost, |sum, o| sum.saturating_add(self.cost(plan, o)))
            }
        }
    }

    /// Places all steps of an order, none before `from`.
    pub fn place_order(&mut self, order: OrderId, from: i64, taste: Taste) -> bool {
        let blocks = self.plant.shape(order).blocks.len();
        let is_placed = (0..blocks).all(|block| self.place(order, block, from, taste));
        if !is_placed {
            self.remove_order(order);
        }
        is_placed
    }

    /// Places a block of steps as early as it goes; the blocks before it must have been placed.
    pub fn place(&mut self, order: OrderId, block: usize, from: i64, taste: Taste) -> bool {
        let plant = self.plant;
        let steps = &plant.shape(order).blocks[block];
        let least = from.max(plant.asked.least[order]);
        let mut limits = self.jobs[order].filled(least);
        for &step in steps.iter().filter(|_| taste == Taste::Former) {
            let former = plant.plan.former.get(&(order, step));
            limits[step] = former.map_or(least, |former| former.start.max(least));
        }
        for _ in 0..MAX_TRIES {
            match self.try_block(order, steps, &limits, taste) {
                Ok(()) => return true,
                Err(None) => break,
                Err(Some(raised)) => {
                    self.remove_steps(order, steps);
                    raised.into_iter().for_each(|(step, at)| limits[step] = limits[step].max(at));
                }
            }
        }
        self.remove_steps(order, steps);
        false
    }

    /// What is placed stays placed, also where the block as a whole is not.
    fn try_block(
        &mut self,
        order: OrderId,
        steps: &[StepId],
        limits: &Times,
        taste: Taste,
    ) -> Result<(), Option<Limits>> {
        let ready = self.ready_after(order).ok_or(None)?;
        for &step in steps {
            let from = limits[step].max(ready).max(self.ready(order, step));
            let job = self.choose(order, step, from, taste).ok_or(None)?;
            self.keep_lags(order, step, job.start)?;
            if let Some(next) =
                self.plant.after(order, step).and_then(|o| self.jobs[o][step].as_ref())
                && next.start < job.start
            {
                return Err(None);
            }
            self.put(order, step, job);
            for &hold in &self.plant.shape(order).ended[step] {
                self.begin_hold(order, hold)?;
            }
        }
        if !self.keeps_distance(order) {
            return Err(None);
        }
        if self.plant.asked.most_active.is_some() { self.activate(order, steps) } else { Ok(()) }
    }

    /// From when on the orders that it waits for let it start; `None` while one of them is not placed.
    fn ready_after(&self, order: OrderId) -> Option<i64> {
        let plan = self.plant.plan;
        let mut ready = 0;
        for link in &plan.orders[order].after {
            let finish = plan.group_finish(link.group, |order| self.finish(order))?;
            ready = ready.max(finish + link.min);
        }
        Some(ready)
    }

    /// When an order is over; `None` where not all of it is placed.
    fn finish(&self, order: OrderId) -> Option<i64> {
        let mut finish = None;
        for job in &self.jobs[order] {
            finish = finish.max(Some(job.as_ref()?.end));
        }
        finish
    }

    /// Whether orders that wait for each other, as far as they are placed, are far enough apart and not too far.
    fn keeps_distance(&self, order: OrderId) -> bool {
        let plan = self.plant.plan;
        let keeps = |follower: OrderId, link: &OrderLink| {
            let Some((start, _)) = self.span(follower) else { return true };
            // What is placed of the group gives its finish at the least.
            let members = plan.groups[link.group].orders.iter();
            let latest = members.filter_map(|&order| self.span(order)).map(|span| span.1).max();
            let finish = plan.group_finish(link.group, |order| self.finish(order));
            let is_soon = |max: i64| finish.is_none_or(|finish| start - finish <= max);
            latest.is_none_or(|latest| start - latest >= link.min) && link.max.is_none_or(is_soon)
        };
        let own = &plan.orders[order];
        let follows = |&follower: &OrderId| {
            let links = plan.orders[follower].after.iter();
            let mut links = links.filter(|link| own.groups.contains(&link.group));
            links.all(|link| keeps(follower, link))
        };
        let followers = own.groups.iter().flat_map(|&group| &plan.groups[group].followers);
        own.after.iter().all(|link| keeps(order, link)) && { followers }.all(follows)
    }

    /// Predecessors and whoever must not be overtaken.
    fn ready(&self, order: OrderId, step: StepId) -> i64 {
        let mut ready = 0;
        for link in &self.plant.plan.steps(order)[step].after {
            if let Some(before) = &self.jobs[order][link.before] {
                ready = ready.max(link.from.of(before.start, before.end) + link.min);
            }
        }
        let other = self.plant.before(order, step);
        let other = other.and_then(|other| self.jobs[other][step].as_ref());
        other.map_or(ready, |other| ready.max(other.start))
    }

    fn choose(&self, order: OrderId, step: StepId, from: i64, taste: Taste) -> Option<Job> {
        let part = &self.plant.plan.steps(order)[step];
        let count = part.modes.len();
        let taken = |other: StepId| self.jobs[order][other].as_ref().map(|job| job.mode);
        let follows = |mode: &usize| part.modes[*mode].follows(taken);
        let fixed = match taste {
            Taste::Fixed(number) if follows(&(number % count)) => self
                .earliest(order, step, number % count, from)
                .map(|found| (found, number % count)),
            _ => None,
        };
        let former = self.plant.plan.former.get(&(order, step));
        let former = former.filter(|_| taste == Taste::Former);
        let all = || {
            let fits = |mode| self.earliest(order, step, mode, from).map(|found| (found, mode));
            let key = |&((start, end), mode): &((i64, i64), usize)| {
                let price = self.price(part, &part.modes[mode], start, end);
                let new = former.map(|one| one.new_units(self.plant.plan, &part.modes[mode]));
                let (first, second) =
                    if taste == Taste::Cheap { (price, end) } else { (end, price) };
                (new, first, second, mode)
            };
            (0..count).filter(follows).filter_map(fits).min_by_key(key)
        };
        let ((start, end), mode) = fixed.or_else(all)?;
        Some(Job { start, end, mode, holds: Vec::new() })
    }

    fn price(&self, part: &Step, mode: &Mode, start: i64, end: i64) -> i64 {
        let claims = mode.needs.iter().map(|need| (need.pool, claim(start, end, need, part)));
        mode.cost + claims.map(|(pool, claim)| self.profiles[pool].price(&claim)).sum::<i64>()
    }

    /// Start and end, as early as calendar, units and the beginning of holds allow.
    fn earliest(&self, order: OrderId, step: StepId, mode: usize, from: i64) -> Option<(i64, i64)> {
        let plan = self.plant.plan;
        let part = &plan.steps(order)[step];
        let mode = &part.modes[mode];
        let latest = plan.orders[order].deadline.unwrap_or(i64::MAX).min(plan.horizon);
        let (mut from, mut near) = (from, 0);
        loop {
            let place = plan.place(part, mode, from, &mut near);
            let (start, end) = place.filter(|&(_, end)| end <= latest)?;
            let clash =
                |need: &Need| self.profiles[need.pool].clash(&claim(start, end, need, part));
            let on_units = mode.needs.iter().filter_map(clash).max();
            let on_units = on_units.or_else(|| {
                let crews = self.crews.as_ref()?;
                let claims = mode.needs.iter().map(|n| (n.pool, claim(start, end, n, part)));
                crews.clash(&self.profiles, &claims.collect::<Vec<_>>())
            });
            match on_units.max(self.held_until(order, step, start, end)) {
                None => return Some((start, end)),
                Some(next) if next >= latest => return None,
                Some(next) => from = next,
            }
        }
    }

    /// For holds that begin with the step: an instant before which some hold finds no units, even
    /// if it lasts as short as it can.
    fn held_until(&self, order: OrderId, step: StepId, start: i64, end: i64) -> Option<i64> {
        let shape = self.plant.shape(order);
        let begun = shape.begun[step].iter();
        begun
            .filter_map(|&hold| {
                let until = end.max(start + shape.spans[hold]);
                self.hold_choice(order, hold, start, until).err()
            })
            .max()
    }

    /// The first choice that fits, or when one may.
    fn hold_choice(&self, order: OrderId, hold: usize, start: i64, end: i64) -> Result<usize, i64> {
        let plan = self.plant.plan;
        let recipe = plan.recipe(order);
        let mut next = i64::MAX;
        for (number, choice) in recipe.holds[hold].choices.iter().enumerate() {
            let clash = |need: &Need| self.profiles[need.pool].clash(&held(start, end, need));
            match choice.iter().filter_map(clash).max() {
                None => return Ok(number),
                Some(at) => next = next.min(at),
            }
        }
        Err(next)
    }

    fn keep_lags(&self, order: OrderId, step: StepId, start: i64) -> Result<(), Option<Limits>> {
        let plan = self.plant.plan;
        let mut raised = Limits::new();
        for link in &plan.steps(order)[step].after {
            let (Some(max), Some(before)) = (link.max, &self.jobs[order][link.before]) else {
                continue;
            };
            let part = &plan.steps(order)[link.before];
            match link.from {
                LagFrom::Start if start - before.start > max => {
                    raised.push((link.before, start - max));
                }
                LagFrom::End if start - before.end > max => {
                    let mode = &part.modes[before.mode];
                    let from = plan.ending_at(part, mode, before.start + 1, start - max);
                    let at = plan.next_start(part, mode, from);
                    raised.push((link.before, at.ok_or(None)?));
                }
                _ => {}
            }
        }
        if raised.is_empty() { Ok(()) } else { Err(Some(raised)) }
    }

    /// Takes the units of a hold whose last step has been placed.
    fn begin_hold(&mut self, order: OrderId, hold: usize) -> Result<(), Option<Limits>> {
        let plan = self.plant.plan;
        let rule = &plan.recipe(order).holds[hold];
        let ends = [rule.from, rule.until].map(|step| self.jobs[order][step].as_ref());
        let [Some(from), Some(until)] = ends else { return Err(None) };
        let (start, end) = (from.start, until.end);
        let choice = self
            .hold_choice(order, hold, start, end)
            .map_err(|next| (next < plan.horizon).then(|| vec![(rule.from, next)]))?;
        for need in &rule.choices[choice] {
            self.profiles[need.pool].take(&held(start, end, need));
        }
        if let Some(job) = &mut self.jobs[order][rule.from] {
            job.holds.push((hold, choice));
            job.holds.sort_unstable();
        }
        Ok(())
    }

    fn activate(&mut self, order: OrderId, steps: &[StepId]) -> Result<(), Option<Limits>> {
        let claim = self.activity(order).ok_or(None)?;
        match self.counter.clash(&claim) {
            None => {
                self.count(order, claim);
                Ok(())
            }
            Some(next) if next > self.plant.plan.horizon => Err(None),
            Some(next) => Err(Some(steps.iter().map(|&step| (step, next)).collect())),
        }
    }

    /// What an order takes of those that may be active.
    fn activity(&self, order: OrderId) -> Option<Claim> {
        let (start, end) = self.span(order)?;
        Some(Claim { start, end, amount: 1, family: FamilyId(0) })
    }

    fn count(&mut self, order: OrderId, claim: Claim) {
        self.counter.take(&claim);
        self.active[order] = Some(claim);
    }

    /// From the first start of an order to its finish.
    pub fn span(&self, order: OrderId) -> Option<(i64, i64)> {
        let jobs = || self.jobs[order].iter().flatten();
        Some((jobs().map(|job| job.start).min()?, jobs().map(|job| job.end).max()?))
    }

    fn put(&mut self, order: OrderId, step: StepId, job: Job) {
        let part = &self.plant.plan.steps(order)[step];
        for need in &part.modes[job.mode].needs {
            self.setups += self.profiles[need.pool].take(&claim(job.start, job.end, need, part));
        }
        if let Some(crews) = &mut self.crews {
            for need in &part.modes[job.mode].needs {
                let claim = claim(job.start, job.end, need, part);
                crews.enter(&mut self.profiles, need.pool, &claim);
            }
        }
        self.jobs[order][step] = Some(job);
    }

    /// Puts an order back to where it was before it was removed.
    pub fn put_back(&mut self, order: OrderId, jobs: IdVec<StepId, Option<Job>>) {
        let plan = self.plant.plan;
        let holds = &plan.recipe(order).holds;
        for (step, job) in jobs.entries() {
            let Some(job) = job else { continue };
            self.put(order, step, job.clone());
            for &(hold, choice) in &job.holds {
                let end = jobs[holds[hold].until].as_ref().map_or(job.start, |job| job.end);
                for need in &holds[hold].choices[choice] {
                    self.profiles[need.pool].take(&held(job.start, end, need));
                }
            }
        }
        if self.plant.asked.most_active.is_some()
            && let Some(claim) = self.activity(order)
        {
            self.count(order, claim);
        }
    }

    /// Gives back what an order takes.
    pub fn remove_order(&mut self, order: OrderId) {
        for block in &self.plant.shape(order).blocks {
            self.remove_steps(order, block);
        }
    }

    fn remove_steps(&mut self, order: OrderId, steps: &[StepId]) {
        let plan = self.plant.plan;
        if let Some(claim) = self.active[order].take() {
            self.counter.free(&claim);
        }
        let recipe = plan.recipe(order);
        for &step in steps {
            let Some(job) = &self.jobs[order][step] else { continue };
            for &(hold, choice) in &job.holds {
                let end = self.jobs[order][recipe.holds[hold].until].as_ref().map(|job| job.end);
                for need in &recipe.holds[hold].choices[choice] {
                    self.profiles[need.pool].free(&held(job.start, end.unwrap_or(job.start), need));
                }
            }
        }
        for &step in steps {
            let Some(job) = self.jobs[order][step].take() else { continue };
            let part = &recipe.steps[step];
            for need in &part.modes[job.mode].needs {
                let claim = claim(job.start, job.end, need, part);
                self.setups -= self.profiles[need.pool].free(&claim);
                if let Some(crews) = &mut self.crews {
                    crews.leave(&mut self.profiles, need.pool, &claim);
                }
            }
        }
    }
}

fn claim(start: i64, end: i64, need: &Need, part: &Step) -> Claim {
    Claim { start, end, amount: need.amount, family: part.family }
}

fn held(start: i64, end: i64, need: &Need) -> Claim {
    Claim { start, end, amount: need.amount, family: FamilyId(0) }
}
