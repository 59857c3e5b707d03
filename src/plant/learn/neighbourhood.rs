//! Large neighbourhoods (Shaw 1998): most of a schedule stays as it is, and the learning search looks for a better one in
//! the rest.
//!
//! Which steps are free is chosen by a window of time, by pools or by orders. All others keep their modes, their
//! sequences among each other, and where capacities are shared no later start. These are assumptions, so what is learned
//! on the way holds everywhere.

use super::encoding::Encoding;
use crate::plan::{IdVec, OrderId, Plan, PoolId, StepId};
use crate::random::Random;
use crate::timetable::{Job, Jobs, order_cost};
use std::collections::{BTreeMap, BTreeSet};
use takt_learn::{Lit, Point, Var};

/// Parts of a thousand of all steps that are free: at first, at the least and at the most.
const FIRST: usize = 200;
const LEAST: usize = 20;
const MOST: usize = 900;

#[derive(Debug)]
pub struct Neighbourhoods {
    random: Random,
    /// For each kind, how many steps are free, in parts of a thousand.
    sizes: [usize; 3],
    kind: usize,
    /// The steps whose sequence each literal of the encoding tells, and whether its contrary tells the other one:
    /// for steps that may be elsewhere both are said by literals of their own.
    owners: Vec<([Place; 2], bool)>,
}

type Place = (OrderId, StepId);

type Free = IdVec<OrderId, IdVec<StepId, bool>>;

impl Neighbourhoods {
    pub fn new(encoding: &Encoding) -> Neighbourhoods {
        let mut owner: BTreeMap<Var, (OrderId, StepId)> = BTreeMap::new();
        for (order, own) in encoding.steps.entries() {
            for (step, vars) in own.entries() {
                owner.insert(vars.start, (order, step));
                owner.insert(vars.end.var, (order, step));
            }
        }
        let of = |point: Point| owner.get(&point.var).copied().unwrap_or_default();
        let pairs: Vec<[Place; 2]> =
            encoding.orders.iter().map(|&(_, a, b)| [of(a), of(b)]).collect();
        let known: BTreeSet<[Place; 2]> = pairs.iter().copied().collect();
        let owners = pairs.iter().map(|&[a, b]| ([a, b], !known.contains(&[b, a]))).collect();
        Neighbourhoods { random: Random::new(0), sizes: [FIRST; 3], kind: 0, owners }
    }

    /// The last one was searched to its end: larger ones are worth trying.
    pub fn grow(&mut self) {
        let size = &mut self.sizes[self.kind];
        *size = (*size + *size / 8 + 1).min(MOST);
    }

    /// It was too large.
    pub fn shrink(&mut self) {
        let size = &mut self.sizes[self.kind];
        *size = (*size - *size / 8).max(LEAST);
    }

    /// What stays as it is in the next one.
    pub fn next(&mut self, plan: &Plan, encoding: &Encoding, jobs: &Jobs) -> Vec<Lit> {
        self.kind = self.random.below(self.sizes.len());
        let wanted = plan.step_count() * self.sizes[self.kind] / 1000 + 2;
        let free = match self.kind {
            0 => self.window(jobs, wanted),
            1 => self.pools(plan, jobs, wanted),
            _ => self.orders(plan, jobs, wanted),
        };
        self.fix(encoding, jobs, &free)
    }

    /// Steps that start one after the other.
    fn window(&mut self, jobs: &Jobs, wanted: usize) -> Free {
        let mut starts: Vec<i64> = jobs.iter().flatten().map(|job| job.start).collect();
        starts.sort_unstable();
        let first = self.random.below((starts.len() + 1).saturating_sub(wanted).max(1));
        let last = (first + wanted - 1).min(starts.len() - 1);
        let (from, until) = (starts[first], starts[last]);
        chosen(jobs, |_, _, job| (from..=until).contains(&job.start))
    }

    /// Steps on a few pools.
    fn pools(&mut self, plan: &Plan, jobs: &Jobs, wanted: usize) -> Free {
        let mut pools: Vec<PoolId> = plan.pools.ids().collect();
        self.random.shuffle(&mut pools);
        let takes = |order: OrderId, step: StepId, job: &Job, pool: PoolId| {
            let part = &plan.steps(order)[step];
            part.modes[job.mode].needs.iter().any(|need| need.pool == pool)
        };
        let mut free = chosen(jobs, |_, _, _| false);
        let mut count = 0;
        for pool in pools {
            for (order, own) in jobs.entries() {
                for (step, job) in own.entries() {
                    if !free[order][step] && takes(order, step, job, pool) {
                        free[order][step] = true;
                        count += 1;
                    }
                }
            }
            if count >= wanted {
                break;
            }
        }
        free
    }

    /// All steps of some orders, costly ones rather than others.
    fn orders(&mut self, plan: &Plan, jobs: &Jobs, wanted: usize) -> Free {
        let mut is_chosen = jobs.filled(false);
        let mut count = 0;
        for _ in 0..jobs.len() * 2 {
            let drawn: [OrderId; 2] = [0; 2].map(|_| OrderId(self.random.below(jobs.len())));
            let cost = |&order: &OrderId| order_cost(plan, order, jobs[order].iter());
            let order = drawn.into_iter().max_by_key(cost).unwrap_or_default();
            if !std::mem::replace(&mut is_chosen[order], true) {
                count += jobs[order].len();
            }
            if count >= wanted {
                break;
            }
        }
        chosen(jobs, |order, _, _| is_chosen[order])
    }

    fn fix(&self, encoding: &Encoding, jobs: &Jobs, free: &Free) -> Vec<Lit> {
        let mut fixed = Vec::new();
        for (order, own) in encoding.steps.entries() {
            for (step, vars) in own.entries() {
                if free[order][step] {
                    continue;
                }
                let job = &jobs[order][step];
                fixed.extend(vars.modes.get(job.mode).copied());
                for (hold, choices) in &vars.holds {
                    let taken = job.holds.iter().find(|(other, _)| other == hold);
                    fixed.extend(taken.and_then(|taken| choices.get(taken.1)).copied());
                }
                if vars.is_shared {
                    fixed.push(vars.start.at_most(job.start));
                }
            }
        }
        for (&(lit, ..), ([a, b], is_certain)) in encoding.orders.iter().zip(&self.owners) {
            if free[a.0][a.1] || free[b.0][b.1] {
                continue;
            }
            match jobs[a.0][a.1].end <= jobs[b.0][b.1].start {
                true if *is_certain => fixed.push(lit),
                // That the contrary does not hold is enough, and holds also where one is elsewhere.
                true => {}
                false => fixed.push(!lit),
            }
        }
        fixed
    }
}

fn chosen(jobs: &Jobs, is_free: impl Fn(OrderId, StepId, &Job) -> bool) -> Free {
    let own = |(order, own): (OrderId, &IdVec<StepId, Job>)| {
        own.entries().map(|(step, job)| is_free(order, step, job)).collect()
    };
    jobs.entries().map(own).collect()
}
