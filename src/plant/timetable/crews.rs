//! Setups that are work: when each of them runs, and who does it.
//!
//! A timetable says when steps are. Where a setup has a crew it lies somewhere between the step before it on its unit
//! and its own step, inside one window, and no pool is taken beyond its capacity; where exactly changes nobody's value. So
//! timetables do not say it, and [`setups`] looks for places. It tries sequences by due instants first, whoever finds
//! no place going first the next time; then all sequences in which nobody could start before the next one is over
//! (active schedules: Giffler, Thompson 1960), for each stretch of time by itself. The second is complete but for its
//! patience.

use super::{Claim, Jobs, Profile, users};
use crate::plan::{CrewWay, FamilyId, OrderId, Plan, PoolId, Role, StepId};
use std::collections::BTreeMap;

/// A setup in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetUp<'p> {
    /// The unit that is set up.
    pub pool: PoolId,
    /// What for.
    pub order: OrderId,
    pub step: StepId,
    pub start: i64,
    pub end: i64,
    /// A position among the ways to do it, and the way.
    pub number: usize,
    pub way: &'p CrewWay,
}

/// How long places are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Sequences by due instants.
    pub sequences: usize,
    /// Setups that are placed in the course of trying all sequences.
    pub trials: usize,
}

/// Long enough for whatever a plant asks.
const LONG: Patience = Patience { sequences: 100, trials: 50_000 };

/// For a guess that may fail.
pub const SHORT: Patience = Patience { sequences: 4, trials: 200 };

/// Stretches of more setups are not searched through: nobody would see the end of it.
const MOST_TOGETHER: usize = 300;

/// A setup that is to be placed.
struct Demand<'p> {
    pool: PoolId,
    order: OrderId,
    step: StepId,
    /// It starts no earlier, and is over by then.
    ready: i64,
    due: i64,
    length: i64,
    ways: &'p [CrewWay],
}

/// All setups that are work, by unit and time; `None` if they find no places.
pub fn setups<'p>(plan: &'p Plan, jobs: &Jobs) -> Option<Vec<SetUp<'p>>> {
    setups_within(plan, jobs, LONG)
}

pub fn setups_within<'p>(
    plan: &'p Plan,
    jobs: &Jobs,
    patience: Patience,
) -> Option<Vec<SetUp<'p>>> {
    if !plan.has_crews() {
        return Some(Vec::new());
    }
    let demands = demands(plan, jobs);
    if demands.iter().any(|demand| demand.due - demand.ready < demand.length) {
        return None;
    }
    let mut search = Search {
        plan,
        profiles: profiles(plan, jobs),
        placed: vec![None; demands.len()],
        demands,
        left: patience.trials,
    };
    (search.in_sequence(patience.sequences) || search.in_any_sequence()).then(|| search.found())
}

fn demands<'p>(plan: &'p Plan, jobs: &Jobs) -> Vec<Demand<'p>> {
    let mut found = Vec::new();
    for (pool, of) in plan.pools.entries() {
        let Some(setup) = of.setup.as_ref().filter(|setup| setup.crew.is_some()) else { continue };
        let mut last = setup.initial.map(|family| (0, family));
        for (order, step) in users(plan, jobs, pool) {
            let (part, job) = (&plan.steps(order)[step], &jobs[order][step]);
            if let Some((end, before)) = last
                && let Some((length, ways)) = setup.work(before, part.family)
            {
                let (ready, due) = (end.max(setup.since), job.start);
                found.push(Demand { pool, order, step, ready, due, length, ways });
            }
            last = Some((job.end, part.family));
        }
    }
    found
}

/// What steps and holds take of the pools that crews come from.
fn profiles<'p>(plan: &'p Plan, jobs: &Jobs) -> BTreeMap<PoolId, Profile<'p>> {
    let mut found: BTreeMap<PoolId, Profile> =
        plan.crew_pools().into_iter().map(|pool| (pool, Profile::of(&plan.pools[pool]))).collect();
    for (order, own) in jobs.entries() {
        let recipe = plan.recipe(order);
        for (step, job) in own.entries() {
            let taken = recipe.steps[step].modes[job.mode].needs.iter().map(|n| (n, job.end));
            let held = job.holds.iter().flat_map(|&(hold, choice)| {
                let rule = &recipe.holds[hold];
                rule.choices[choice].iter().map(|need| (need, own[rule.until].end))
            });
            for (need, end) in taken.chain(held) {
                if let Some(profile) = found.get_mut(&need.pool) {
                    let (start, amount) = (job.start, need.amount);
                    profile.take(&Claim { start, end, amount, family: FamilyId(0) });
                }
            }
        }
    }
    found
}

impl CrewWay {
    /// The first start from an instant on at which a setup of this length fits its calendar and what others leave of
    /// the crew; `None` if it is not over by the due instant.
    pub fn earliest<'a, 'p: 'a>(
        &self,
        plan: &Plan,
        profile: impl Fn(PoolId) -> &'a Profile<'p>,
        (ready, due, length): (i64, i64, i64),
    ) -> Option<i64> {
        let mut from = ready;
        loop {
            let start = match self.calendar {
                None => from,
                Some(calendar) => plan.calendars[calendar].next_start(from, length, None)?,
            };
            let end = start.checked_add(length).filter(|&end| end <= due)?;
            let clash = self.needs.iter().filter_map(|need| {
                let (amount, family) = (need.amount, FamilyId(0));
                profile(need.pool).clash(&Claim { start, end, amount, family })
            });
            match clash.max() {
                None => return Some(start),
                Some(next) => from = next,
            }
        }
    }
}

struct Search<'p> {
    plan: &'p Plan,
    demands: Vec<Demand<'p>>,
    /// Of the pools that crews come from.
    profiles: BTreeMap<PoolId, Profile<'p>>,
    /// Start and way.
    placed: Vec<Option<(i64, usize)>>,
    left: usize,
}

impl<'p> Search<'p> {
    fn found(self) -> Vec<SetUp<'p>> {
        let one = |(demand, placed): (&Demand<'p>, &Option<(i64, usize)>)| {
            let &Demand { pool, order, step, length, ways, .. } = demand;
            placed.map(|(start, number)| {
                let (end, way) = (start + length, &ways[number]);
                SetUp { pool, order, step, start, end, number, way }
            })
        };
        self.demands.iter().zip(&self.placed).filter_map(one).collect()
    }

    /// Where a setup would be over first: end, start, way.
    fn best(&self, number: usize) -> Option<(i64, i64, usize)> {
        let ways = 0..self.demands[number].ways.len();
        ways.filter_map(|way| self.earliest(number, way).map(|(end, start)| (end, start, way)))
            .min()
    }

    fn earliest(&self, number: usize, way: usize) -> Option<(i64, i64)> {
        let Demand { ready, due, length, ways, .. } = &self.demands[number];
        let profile = |pool: PoolId| &self.profiles[&pool];
        let start = ways[way].earliest(self.plan, profile, (*ready, *due, *length))?;
        Some((start + length, start))
    }

    fn put(&mut self, number: usize, start: i64, way: usize) {
        let demand = &self.demands[number];
        for need in &demand.ways[way].needs {
            let (end, amount, family) = (start + demand.length, need.amount, FamilyId(0));
            if let Some(profile) = self.profiles.get_mut(&need.pool) {
                profile.take(&Claim { start, end, amount, family });
            }
        }
        self.placed[number] = Some((start, way));
    }

    fn take_back(&mut self, number: usize) {
        let Some((start, way)) = self.placed[number].take() else { return };
        let demand = &self.demands[number];
        for need in &demand.ways[way].needs {
            let (end, amount, family) = (start + demand.length, need.amount, FamilyId(0));
            if let Some(profile) = self.profiles.get_mut(&need.pool) {
                profile.free(&Claim { start, end, amount, family });
            }
        }
    }

    /// By due instants; whoever finds no place goes first the next time.
    fn in_sequence(&mut self, tries: usize) -> bool {
        let mut sequence: Vec<usize> = (0..self.demands.len()).collect();
        sequence.sort_by_key(|&k| (self.demands[k].due, self.demands[k].ready, k));
        for _ in 0..tries {
            let failed = sequence.iter().position(|&number| match self.best(number) {
                Some((_, start, way)) => {
                    self.put(number, start, way);
                    false
                }
                None => true,
            });
            let Some(failed) = failed else { return true };
            (0..self.demands.len()).for_each(|number| self.take_back(number));
            if failed == 0 {
                return false;
            }
            let first = sequence.remove(failed);
            sequence.insert(0, first);
        }
        false
    }

    /// Stretches of time by themselves: no setup of one can meet those of another.
    fn in_any_sequence(&mut self) -> bool {
        let mut numbers: Vec<usize> = (0..self.demands.len()).collect();
        numbers.sort_by_key(|&k| self.demands[k].ready);
        let mut rest = numbers.as_slice();
        while let Some(&first) = rest.first() {
            let mut until = self.demands[first].due;
            let meets = |&&number: &&usize| {
                let is_near = self.demands[number].ready < until;
                until = until.max(self.demands[number].due);
                is_near
            };
            let count = rest.iter().take_while(meets).count().max(1);
            let (now, later) = rest.split_at(count);
            if count > MOST_TOGETHER || !self.complete(now) {
                return false;
            }
            rest = later;
        }
        true
    }

    /// Places whoever may be next: some setup that starts before any could be over. If the next one started
    /// later, that one would fit before it.
    fn complete(&mut self, numbers: &[usize]) -> bool {
        let open: Vec<usize> =
            numbers.iter().copied().filter(|&k| self.placed[k].is_none()).collect();
        if open.is_empty() {
            return true;
        }
        let mut next: Vec<(i64, i64, usize, usize)> = Vec::new();
        let mut first = i64::MAX;
        for &number in &open {
            let ways = 0..self.demands[number].ways.len();
            let before = next.len();
            for way in ways {
                if let Some((end, start)) = self.earliest(number, way) {
                    next.push((self.demands[number].due, start, number, way));
                    first = first.min(end);
                }
            }
            if next.len() == before {
                return false;
            }
        }
        next.retain(|&(_, start, ..)| start < first);
        next.sort_unstable();
        for (_, start, number, way) in next {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            self.put(number, start, way);
            if self.complete(numbers) {
                return true;
            }
            self.take_back(number);
        }
        false
    }
}

/// The rows of a setup carry the step that it is for; where a fact is set up for, the fact.
pub fn named(plan: &Plan, order: OrderId, step: StepId) -> StepId {
    match plan.steps(order)[step].role {
        Role::Claim(of, _) => of,
        _ => step,
    }
}
