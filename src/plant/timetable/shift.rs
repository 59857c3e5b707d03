//! Moves the steps of any plant to the left until none could start earlier with everything else
//! unchanged, at no greater cost.
//!
//! A step can start earlier only at an instant at which something stops being in its way: its
//! predecessors and release, an end (and a setup) on what it takes, an opening window, the
//! limit of a lag to a later step. These are tried from the earliest on.

mod anchored;

use super::{Claim, Job, Jobs, Profile, Setups, group_finish};
use crate::plan::{
    Discipline, FamilyId, GroupId, IdVec, LagFrom, Need, Objective, OrderId, Plan, PoolId, StepId,
};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// So many instants before a step are all tried where crews have a say, in plants of so many steps.
const ALL_INSTANTS: i64 = 50;
const SMALL: usize = 150;

struct LeftShift<'a> {
    plan: &'a Plan,
    asked: Discipline,
    jobs: &'a mut Jobs,
    /// For each pool, what is taken of it over time.
    profiles: IdVec<PoolId, Profile<'a>>,
    /// For each pool, when those who take it end, and which families they leave it with.
    ends: IdVec<PoolId, BTreeMap<(i64, FamilyId), usize>>,
    /// The orders that are active, if not all may be.
    active: Option<Profile<'a>>,
    has_crews: bool,
    is_small: bool,
    /// What setups take.
    crew_pools: BTreeSet<PoolId>,
    is_kept: &'a dyn Fn(&Jobs) -> bool,
}

/// Whether a unit is set up for a step that takes no time: profiles do not show those.
fn has_instant_setups(plan: &Plan) -> bool {
    let modes = plan.recipes.iter().flat_map(|recipe| &recipe.steps).flat_map(|step| &step.modes);
    let mut instant = modes.filter(|mode| mode.duration == 0).flat_map(|mode| &mode.needs);
    instant.any(|need| plan.pools[need.pool].setup.is_some())
}

/// What the place of a step has a say in.
struct Part {
    pool: PoolId,
    /// The step that begins it.
    from: StepId,
    claim: Claim,
}

/// Only moves after which `is_kept` holds are made.
pub fn move_earlier(plan: &Plan, jobs: &mut Jobs, is_kept: &dyn Fn(&Jobs) -> bool) {
    // Whoever must not let time pass while a step is eligible starts it when it is.
    let asked = plan.discipline();
    if asked.is_greedy || has_instant_setups(plan) {
        return;
    }
    let profiles = plan.pools.iter().map(Profile::of).collect();
    let ends = plan.pools.filled(BTreeMap::new());
    let active = asked.most_active.map(Profile::many);
    let (has_crews, crew_pools) = (plan.has_crews(), plan.crew_pools());
    let is_small = plan.step_count() <= SMALL;
    let mut shift = LeftShift {
        plan,
        asked,
        jobs,
        profiles,
        ends,
        active,
        has_crews,
        is_small,
        crew_pools,
        is_kept,
    };
    shift.draw();
    while shift.pass() {}
}

impl LeftShift<'_> {
    /// Each move starts a step earlier, at a whole instant not below 0; so passes come to an end.
    fn pass(&mut self) -> bool {
        let mut all: Vec<(i64, OrderId, StepId)> = (self.jobs.entries())
            .flat_map(|(order, own)| own.entries().map(move |(step, job)| (job.start, order, step)))
            .collect();
        all.sort_unstable();
        let mut has_moved = false;
        for (_, order, step) in all {
            has_moved |= self.try_step(order, step);
        }
        has_moved
    }

    /// All that is taken, on the profiles.
    fn draw(&mut self) {
        for order in self.jobs.ids() {
            for step in self.jobs[order].ids() {
                let begun = self.parts(order, step).into_iter().filter(|part| part.from == step);
                self.put_in(&begun.collect::<Vec<Part>>());
            }
            let span = self.span(order);
            self.active.as_mut().map(|active| active.take(&span));
        }
    }

    fn parts(&self, order: OrderId, step: StepId) -> Vec<Part> {
        let recipe = self.plan.recipe(order);
        let job = &self.jobs[order][step];
        let mut found = Vec::new();
        let mut add = |need: &Need, from: StepId, start, end| {
            let family = recipe.steps[from].family;
            let claim = Claim { start, end, amount: need.amount, family };
            found.push(Part { pool: need.pool, from, claim });
        };
        for need in &recipe.steps[step].modes[job.mode].needs {
            add(need, step, job.start, job.end);
        }
        for (from, holder) in self.jobs[order].entries() {
            for &(hold, choice) in &holder.holds {
                let until = recipe.holds[hold].until;
                if from == step || until == step {
                    for need in &recipe.holds[hold].choices[choice] {
                        add(need, from, holder.start, self.jobs[order][until].end);
                    }
                }
            }
        }
        found
    }

    /// Gives what the setups are more than before.
    fn put_in(&mut self, parts: &[Part]) -> Setups {
        let mut setups = Setups::default();
        for Part { pool, claim, .. } in parts {
            setups += self.profiles[*pool].take(claim);
            *self.ends[*pool].entry((claim.end, claim.family)).or_default() += 1;
        }
        setups
    }

    /// Gives what the setups are less than before.
    fn take_out(&mut self, parts: &[Part]) -> Setups {
        let mut setups = Setups::default();
        for Part { pool, claim, .. } in parts.iter().rev() {
            setups += self.profiles[*pool].free(claim);
            if let Entry::Occupied(mut count) = self.ends[*pool].entry((claim.end, claim.family)) {
                *count.get_mut() -= 1;
                if *count.get() == 0 {
                    count.remove();
                }
            }
        }
        setups
    }

    fn try_step(&mut self, order: OrderId, step: StepId) -> bool {
        let (parts, span) = (self.parts(order, step), self.span(order));
        let setups = self.take_out(&parts);
        self.active.as_mut().map(|active| active.free(&span));
        let from = self.least(order, step).max(self.affordable(order, step, &parts));
        let earliest = self.earliest(order, step, &parts, from);
        let has_moved =
            earliest.is_some_and(|earliest| self.try_from(order, step, earliest, setups));
        let (parts, span) = (self.parts(order, step), self.span(order));
        self.put_in(&parts);
        self.active.as_mut().map(|active| active.take(&span));
        has_moved
    }

    /// A start before this instant makes the order dearer. A lower limit: later starts may do so too.
    ///
    /// Without a holding cost only the finish counts. What it costs falls until the due instant and
    /// rises from there; so the finishes that cost no more begin as far before the due instant as
    /// storage may last for that money. With one, the first start alone must not move. A step that was elsewhere before is
    /// as far from there as that money lets it.
    fn affordable(&self, order: OrderId, step: StepId, parts: &[Part]) -> i64 {
        let of = &self.plan.orders[order];
        let has_setup = parts.iter().any(|part| self.plan.pools[part.pool].setup.is_some());
        if self.plan.objective != Objective::Cost || has_setup {
            return i64::MIN;
        }
        let (part, job) = (&self.plan.steps(order)[step], &self.jobs[order][step]);
        let others = || self.jobs[order].entries().filter(|(k, _)| *k != step);
        let finish = others().map(|(_, other)| other.end).max().unwrap_or(i64::MIN);
        if let Some(anchor) = part.anchor {
            return anchor.at - self.cost(order) / anchor.rate;
        }
        if of.costs.holding > 0 {
            let start = others().map(|(_, other)| other.start).min().unwrap_or(i64::MIN);
            return if finish >= job.end && start >= job.start { i64::MAX } else { i64::MIN };
        }
        let Some(due) = of.due.filter(|_| of.costs.storage > 0) else { return i64::MIN };
        let first = due - self.time_cost(order) / of.costs.storage;
        match finish >= first {
            true => i64::MIN,
            false => self.plan.ending_at(part, &part.modes[job.mode], 0, first),
        }
    }

    /// No start before this instant fits the calendar and what others take, each claim by itself;
    /// `None` where that leaves none before the present one.
    fn earliest(&self, order: OrderId, step: StepId, parts: &[Part], from: i64) -> Option<i64> {
        let (part, job) = (&self.plan.steps(order)[step], &self.jobs[order][step]);
        let mode = &part.modes[job.mode];
        let (mut from, mut near) = (from, 0);
        loop {
            // Not even asked: the number may be the largest there is.
            let asked = Some(from).filter(|&from| from < job.start)?;
            let place = self.plan.place(part, mode, asked, &mut near);
            let (start, end) = place.filter(|&(start, _)| start < job.start)?;
            let clash = |Part { pool, claim, .. }: &Part| {
                let end = if claim.end == job.end { end } else { claim.end };
                self.profiles[*pool].clash(&Claim { start, end, ..*claim })
            };
            match parts.iter().filter(|part| part.from == step).filter_map(clash).max() {
                None => return Some(start),
                Some(next) => from = next,
            }
        }
    }

    /// Tries all starts from this one on; what the step takes is taken out, with its setups.
    fn try_from(&mut self, order: OrderId, step: StepId, earliest: i64, setups: Setups) -> bool {
        let most = Setups { cost: self.cost(order) + setups.cost, ..setups };
        if self.plan.steps(order)[step].anchor.is_some() {
            return self.try_anchored(order, step, earliest, most);
        }
        // The first one mostly fits, and the others are many.
        self.try_at(order, step, earliest, most)
            || self
                .candidates(order, step, earliest)
                .into_iter()
                .any(|start| start > earliest && self.try_at(order, step, start, most))
    }

    /// Moves the step to this start, if everything is kept and costs no more than this.
    fn try_at(&mut self, order: OrderId, step: StepId, start: i64, most: Setups) -> bool {
        let job = &self.jobs[order][step];
        let part = &self.plan.steps(order)[step];
        let Some(end) = self.plan.end(part, &part.modes[job.mode], start) else { return false };
        let old = (job.start, job.end);
        (self.jobs[order][step].start, self.jobs[order][step].end) = (start, end);
        let is_better = self.keeps_lags(order, step)
            && self.fits(order, step).is_some_and(|new| {
                new.short <= most.short && self.cost(order) + new.cost <= most.cost
            })
            && self.sets_up(order, step)
            && (self.is_kept)(self.jobs);
        if !is_better {
            (self.jobs[order][step].start, self.jobs[order][step].end) = old;
        }
        is_better
    }

    /// Whether setups that are work still find their places.
    fn sets_up(&self, order: OrderId, step: StepId) -> bool {
        !self.minds_crews(order, step)
            || super::setups_within(self.plan, &*self.jobs, super::SHORT).is_some()
    }

    /// Whether the step is set up for by a crew, or takes what crews need.
    fn minds_crews(&self, order: OrderId, step: StepId) -> bool {
        self.has_crews
            && self.parts(order, step).iter().any(|part| {
                let setup = self.plan.pools[part.pool].setup.as_ref();
                self.crew_pools.contains(&part.pool)
                    || setup.is_some_and(|setup| setup.crew.is_some())
            })
    }

    /// When crews could be done with a setup before the step, others staying where they are; where that is near, all
    /// instants, as others may move.
    fn set_up_by(&self, order: OrderId, step: StepId, earliest: i64) -> Vec<i64> {
        if !self.minds_crews(order, step) {
            return Vec::new();
        }
        let start = self.jobs[order][step].start;
        if self.is_small && start - earliest <= ALL_INSTANTS {
            return (earliest..start).collect();
        }
        let all = super::setups_within(self.plan, &*self.jobs, super::SHORT).unwrap_or_default();
        let mut found: Vec<i64> = all.iter().flat_map(|setup| [setup.start, setup.end]).collect();
        let own = all.iter().filter(|setup| (setup.order, setup.step) == (order, step));
        for own in own {
            let length = own.end - own.start;
            let windows = own.way.calendar.map(|calendar| &self.plan.calendars[calendar].windows);
            let opens = windows.into_iter().flatten().map(|window| window.open + length);
            found.extend(all.iter().map(|other| other.end + length));
            found.extend(opens.take_while(|&at| at < start));
        }
        found
    }

    /// Instants before its start and from `earliest` on at which the step may be let start,
    /// ascending.
    fn candidates(&self, order: OrderId, step: StepId, earliest: i64) -> Vec<i64> {
        let plan = self.plan;
        let part = &plan.steps(order)[step];
        let job = &self.jobs[order][step];
        let mode = &part.modes[job.mode];
        let mut found = vec![earliest];
        for pool in self.pools_of(order, step) {
            match &plan.pools[pool].setup {
                None => {
                    let ends =
                        self.ends[pool].range((earliest, FamilyId(0))..(job.start, FamilyId(0)));
                    found.extend(ends.map(|((end, _), _)| *end));
                }
                Some(setup) => {
                    for &(end, family) in self.ends[pool].keys() {
                        found.extend([end, end + setup.time[family][part.family]]);
                    }
                    found.extend(setup.initial.map(|initial| setup.time[initial][part.family]));
                }
            }
        }
        found.extend(self.set_up_by(order, step, earliest));
        let is_held = plan.orders[order].costs.holding > 0;
        for (k, later) in plan.steps(order).entries() {
            let Job { start, end, .. } = self.jobs[order][k];
            found.push(start);
            // From here on an earlier start makes the order begin sooner, and end no sooner.
            found.extend(is_held.then(|| plan.ending_at(part, mode, 0, end)));
            for link in later.after.iter().filter(|link| link.before == step) {
                let latest = link.max.map(|max| self.jobs[order][k].start - max);
                found.extend(latest.map(|latest| match link.from {
                    LagFrom::Start => latest,
                    LagFrom::End => plan.ending_at(part, mode, 0, latest),
                }));
            }
        }
        let groups = plan.orders[order].groups.iter();
        for latest in groups.flat_map(|&group| self.limits(group)) {
            found.push(plan.ending_at(part, mode, 0, latest));
        }
        // Before its due instant, an order may cost the more the earlier it is over.
        found.extend(plan.orders[order].due.map(|due| plan.ending_at(part, mode, 0, due)));
        let fits = |from: i64| plan.next_start(part, mode, from.max(earliest));
        let mut found: Vec<i64> = found.into_iter().filter_map(fits).collect();
        found.retain(|&start| start < job.start);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// No start before this instant.
    fn least(&self, order: OrderId, step: StepId) -> i64 {
        let plan = self.plan;
        let mut least = self.asked.least[order];
        for link in &plan.steps(order)[step].after {
            let before = &self.jobs[order][link.before];
            least = least.max(link.from.of(before.start, before.end) + link.min);
        }
        for link in &plan.orders[order].after {
            let finish = group_finish(plan, self.jobs, link.group);
            least = least.max(finish.map_or(0, |finish| finish + link.min));
        }
        let before = self.asked.before[order].filter(|_| plan.steps(order)[step].is_written());
        before.map_or(least, |other| least.max(self.jobs[other][step].start))
    }

    fn pools_of(&self, order: OrderId, step: StepId) -> Vec<PoolId> {
        let recipe = self.plan.recipe(order);
        let job = &self.jobs[order][step];
        let needs = recipe.steps[step].modes[job.mode].needs.iter();
        let held = job.holds.iter().flat_map(|&(hold, choice)| &recipe.holds[hold].choices[choice]);
        let mut pools: Vec<PoolId> = needs.chain(held).map(|need| need.pool).collect();
        pools.sort_unstable();
        pools.dedup();
        pools
    }

    /// Whether the lags to and from the step, where it is now, are kept.
    fn keeps_lags(&self, order: OrderId, step: StepId) -> bool {
        let plan = self.plan;
        let job = &self.jobs[order][step];
        let follows = plan.steps(order).entries().all(|(k, later)| {
            later.after.iter().filter(|link| link.before == step).all(|link| {
                let lag = self.jobs[order][k].start - link.from.of(job.start, job.end);
                lag >= link.min && link.max.is_none_or(|max| lag <= max)
            })
        });
        let precedes = plan.steps(order)[step].after.iter().all(|link| {
            let before = &self.jobs[order][link.before];
            let from = link.from.of(before.start, before.end);
            link.max.is_none_or(|max| job.start - from <= max)
        });
        follows && precedes && self.keeps_followers(order)
    }

    /// Whether those who must follow the order soon still do.
    fn keeps_followers(&self, order: OrderId) -> bool {
        let plan = self.plan;
        let limited =
            plan.orders[order].groups.iter().filter(|&&group| plan.groups[group].is_limited);
        limited.copied().all(|group| {
            let Some(finish) = group_finish(plan, self.jobs, group) else { return true };
            self.limits(group).all(|latest| finish >= latest)
        })
    }

    /// The instants before which a group must not be finished, as orders that follow it soon have started.
    fn limits(&self, group: GroupId) -> impl Iterator<Item = i64> {
        self.plan.groups[group].followers.iter().filter_map(move |&follower| {
            let links = self.plan.orders[follower].after.iter();
            let max = links.filter(|link| link.group == group).filter_map(|link| link.max).min()?;
            Some(self.jobs[follower].iter().map(|job| job.start).min()? - max)
        })
    }

    /// What the setups are more if the step, which is taken out, is put in where it is now; `None`
    /// if there is no room for it, or too many orders are active.
    fn fits(&mut self, order: OrderId, step: StepId) -> Option<Setups> {
        let parts = self.parts(order, step);
        let mut setups = Setups::default();
        let mut count = 0;
        // One by one: two may take the same pool.
        for part in &parts {
            if self.profiles[part.pool].clash(&part.claim).is_some() {
                break;
            }
            setups += self.put_in(std::slice::from_ref(part));
            count += 1;
        }
        self.take_out(&parts[..count]);
        let span = self.span(order);
        let is_active = self.active.as_ref().is_none_or(|active| active.clash(&span).is_none());
        (count == parts.len() && is_active).then_some(setups)
    }

    /// From the first start of an order to its finish.
    fn span(&self, order: OrderId) -> Claim {
        let start = self.jobs[order].iter().map(|job| job.start).min().unwrap_or(0);
        let end = self.jobs[order].iter().map(|job| job.end).max().unwrap_or(0);
        Claim { start, end, amount: 1, family: FamilyId(0) }
    }

    /// What the order costs by itself, in whatever ways its steps are done.
    fn cost(&self, order: OrderId) -> i64 {
        let steps = self.plan.steps(order).iter().zip(&self.jobs[order]);
        let moved = steps.map(|(step, job)| step.move_cost(job.start));
        moved.fold(self.time_cost(order), i64::saturating_add)
    }

    fn time_cost(&self, order: OrderId) -> i64 {
        if self.plan.objective != Objective::Cost {
            return 0;
        }
        let span = self.span(order);
        self.plan.orders[order].time_cost(span.start, span.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Id, Link, Mode, Order, Pool, Recipe, RecipeId, Step};
    use crate::timetable::Job;

    fn plan(jobs: &[&[(usize, i64)]]) -> Plan {
        let step = |(k, &(pool, duration)): (usize, &(usize, i64))| {
            let needs = vec![Need { pool: PoolId(pool), amount: 1 }];
            let modes = vec![Mode { needs, duration, ..Mode::default() }];
            let after = StepId(k).before().map(|before| Link { before, ..Link::default() });
            Step { modes, after: after.into_iter().collect(), ..Step::default() }
        };
        let recipe = |job: &&[(usize, i64)]| Recipe {
            steps: job.iter().enumerate().map(step).collect(),
            ..Recipe::default()
        };
        Plan {
            pools: [(); 2]
                .map(|_| Pool { units: vec![0], ..Pool::default() })
                .into_iter()
                .collect(),
            recipes: jobs.iter().map(recipe).collect(),
            orders: (0..jobs.len())
                .map(|k| Order { recipe: RecipeId(k), ..Order::default() })
                .collect(),
            ..Plan::default()
        }
    }

    fn moved(plan: &Plan, starts: &[&[i64]]) -> Vec<Vec<i64>> {
        let job = |(step, &start): (&Step, &i64)| Job {
            start,
            end: start + step.shortest(),
            mode: 0,
            holds: Vec::new(),
        };
        let own = |(order, own): (OrderId, &&[i64])| {
            plan.steps(order).iter().zip(*own).map(job).collect()
        };
        let mut jobs: Jobs = plan.orders.ids().zip(starts).map(own).collect();
        move_earlier(plan, &mut jobs, &|_| true);
        jobs.iter().map(|own| own.iter().map(|job| job.start).collect()).collect()
    }

    #[test]
    fn steps_jump_into_gaps() {
        // The second job fits before the first one on machine 1, though it comes after it.
        let plan = plan(&[&[(0, 5), (1, 2)], &[(1, 3)]]);
        assert_eq!(moved(&plan, &[&[1, 8], &[10]]), [vec![0, 5], vec![0]]);
    }

    #[test]
    fn gaps_that_are_too_small_are_left() {
        let plan = plan(&[&[(1, 2)], &[(0, 4), (1, 2)], &[(1, 3)]]);
        assert_eq!(moved(&plan, &[&[0], &[0, 4], &[9]]), [vec![0], vec![0, 4], vec![6]]);
    }
}
