//! Shops in which every step has one way and every machine one unit: a tabu search that swaps steps
//! along a critical path.
//!
//! A schedule is a sequence of steps on each machine, and each step starts as early as its
//! predecessors, in its order and on its machine, allow. The makespan is a longest path; to shorten
//! it, a step must leave its place within a block, the neighbours on one machine along the path, and
//! go to the block's beginning or end (Balas, Vazacopoulos 1998). Moves are judged by the longest
//! path through the steps that they displace (Taillard 1994).

use super::Teller;
use super::random::Random;
use super::tabu::Tabu;
use crate::plan::{LagFrom, Objective, Plan};
use crate::timetable::{Job, Jobs};

pub struct Shop {
    /// For each node: its order and step.
    pub of: Vec<(usize, usize)>,
    pub duration: Vec<i64>,
    pub release: Vec<i64>,
    pub machine: Vec<Option<usize>>,
    /// Neighbours in the order, with the time from start to start at the least.
    pub before: Vec<Vec<(usize, i64)>>,
    pub after: Vec<Vec<(usize, i64)>>,
    pub machines: usize,
}

impl Shop {
    /// `None` for a plan that has more to it than sequences of steps on machines.
    pub fn of(plan: &Plan) -> Option<Shop> {
        let is_single = plan
            .pools
            .iter()
            .all(|pool| pool.units.len() == 1 && pool.calendar.is_none() && pool.setup.is_none());
        let is_simple = plan.recipes.iter().all(|recipe| {
            recipe.holds.is_empty()
                && recipe.steps.iter().all(|step| {
                    step.modes.len() == 1
                        && step.modes[0].needs.len() <= 1
                        && step.after.iter().all(|link| link.max.is_none())
                })
        });
        let is_free = plan.heuristics.is_empty()
            && plan.orders.iter().all(|order| order.deadline.is_none())
            && plan.objective == Objective::Makespan;
        (is_single && is_simple && is_free).then(|| Shop::new(plan))
    }

    fn new(plan: &Plan) -> Shop {
        let mut shop = Shop {
            of: Vec::new(),
            duration: Vec::new(),
            release: Vec::new(),
            machine: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            machines: plan.pools.len(),
        };
        for (order, of) in plan.orders.iter().enumerate() {
            let first = shop.of.len();
            for (number, step) in plan.steps(order).iter().enumerate() {
                let lead = |before: usize, from: LagFrom| match from {
                    LagFrom::Start => 0,
                    LagFrom::End => plan.steps(order)[before].shortest(),
                };
                let links = step.after.iter();
                let links =
                    links.map(|l| (first + l.before, lead(l.before, l.from) + l.min)).collect();
                shop.of.push((order, number));
                shop.duration.push(step.shortest());
                shop.release.push(of.release);
                shop.machine.push(step.machine());
                shop.before.push(links);
            }
        }
        shop.after = vec![Vec::new(); shop.of.len()];
        for (node, links) in shop.before.iter().enumerate() {
            for &(before, lead) in links {
                shop.after[before].push((node, lead));
            }
        }
        shop
    }
}

/// A search under way.
pub struct Run {
    shop: Shop,
    line: Lines,
    best: Lines,
    tabu: Tabu,
    /// Moves since the best was found or taken up again, and how often it was.
    idle: u64,
    setbacks: u64,
    is_told: bool,
}

impl Run {
    /// `None` if the sequences of these jobs contradict each other.
    pub fn new(shop: Shop, jobs: &Jobs) -> Option<Run> {
        let mut line = Lines::of(&shop, jobs);
        if !line.evaluate(&shop) {
            return None;
        }
        let (best, tabu) = (line.clone(), Tabu::default());
        Some(Run { shop, line, best, tabu, idle: 0, setbacks: 0, is_told: false })
    }

    /// Makes one move; tells of every better schedule.
    pub fn round(&mut self, random: &mut Random, teller: &mut Teller) {
        if !self.is_told {
            teller.tell(self.best.makespan, &self.best.jobs(&self.shop));
            self.is_told = true;
        }
        let has_moved = self.tabu.step(&self.shop, &mut self.line, self.best.makespan, random);
        self.idle += 1;
        if self.line.makespan < self.best.makespan {
            self.best = self.line.clone();
            teller.tell(self.best.makespan, &self.best.jobs(&self.shop));
            (self.idle, self.setbacks) = (0, 0);
        }
        if !has_moved || self.idle > 1000 + 500 * (self.setbacks % 4) {
            self.set_back(random);
        }
    }

    /// Back to the best, and a few moves at random.
    fn set_back(&mut self, random: &mut Random) {
        self.line = self.best.clone();
        self.setbacks += 1;
        self.tabu = Tabu::default();
        for _ in 0..3 + random.below(5 + 3 * self.setbacks.min(10) as usize) {
            self.tabu.shake(&self.shop, &mut self.line, random);
        }
        self.idle = 0;
    }
}

/// A schedule: for each machine its steps in sequence, and what follows from that.
#[derive(Clone, Debug)]
pub struct Lines {
    pub lines: Vec<Vec<usize>>,
    /// Where each node stands in its line.
    pub at: Vec<usize>,
    /// The earliest start of each node.
    pub head: Vec<i64>,
    /// From each node's start to the end of all that follows it.
    pub tail: Vec<i64>,
    pub makespan: i64,
    sequence: Vec<usize>,
    waits: Vec<usize>,
}

impl Lines {
    fn of(shop: &Shop, jobs: &Jobs) -> Lines {
        let count = shop.of.len();
        let start = |node: usize| {
            let job = &jobs[shop.of[node].0][shop.of[node].1];
            (job.start, job.end, node)
        };
        let mut lines = vec![Vec::new(); shop.machines];
        for node in 0..count {
            if let Some(machine) = shop.machine[node] {
                lines[machine].push(node);
            }
        }
        lines.iter_mut().for_each(|line| line.sort_unstable_by_key(|&node| start(node)));
        let mut found = Lines {
            lines,
            at: vec![0; count],
            head: vec![0; count],
            tail: vec![0; count],
            makespan: 0,
            sequence: Vec::with_capacity(count),
            waits: vec![0; count],
        };
        (0..shop.machines).for_each(|machine| found.number(machine));
        found
    }

    fn number(&mut self, machine: usize) {
        for (k, &node) in self.lines[machine].iter().enumerate() {
            self.at[node] = k;
        }
    }

    pub fn before(&self, shop: &Shop, node: usize) -> Option<usize> {
        let line = &self.lines[shop.machine[node]?];
        self.at[node].checked_sub(1).map(|k| line[k])
    }

    pub fn after(&self, shop: &Shop, node: usize) -> Option<usize> {
        self.lines[shop.machine[node]?].get(self.at[node] + 1).copied()
    }

    /// Moves a node to another place in its line.
    pub fn shift(&mut self, shop: &Shop, node: usize, to: usize) {
        let Some(machine) = shop.machine[node] else { return };
        let from = self.at[node];
        if from < to {
            self.lines[machine][from..=to].rotate_left(1);
        } else {
            self.lines[machine][to..=from].rotate_right(1);
        }
        for k in from.min(to)..=from.max(to) {
            self.at[self.lines[machine][k]] = k;
        }
    }

    /// Heads, tails and makespan; false if the sequences contradict each other.
    pub fn evaluate(&mut self, shop: &Shop) -> bool {
        self.sequence.clear();
        for node in 0..shop.of.len() {
            self.waits[node] = shop.before[node].len()
                + usize::from(shop.machine[node].is_some() && self.at[node] > 0);
            if self.waits[node] == 0 {
                self.sequence.push(node);
            }
        }
        let mut next = 0;
        while next < self.sequence.len() {
            let node = self.sequence[next];
            next += 1;
            self.head[node] = self.head_in(shop, node, self.before(shop, node));
            for &(after, _) in &shop.after[node] {
                self.arrive(after);
            }
            if let Some(after) = self.after(shop, node) {
                self.arrive(after);
            }
        }
        if self.sequence.len() < shop.of.len() {
            return false;
        }
        self.makespan = 0;
        for k in (0..self.sequence.len()).rev() {
            let node = self.sequence[k];
            let after = self.after(shop, node).map(|after| self.tail[after]);
            self.tail[node] = self.tail_in(shop, node, after);
            self.makespan = self.makespan.max(self.head[node] + self.tail[node]);
        }
        true
    }

    fn arrive(&mut self, node: usize) {
        self.waits[node] -= 1;
        if self.waits[node] == 0 {
            self.sequence.push(node);
        }
    }

    fn head_in(&self, shop: &Shop, node: usize, before: Option<usize>) -> i64 {
        let free = before.map_or(0, |before| self.head[before] + shop.duration[before]);
        self.ready(shop, node).max(free)
    }

    /// When a node's order lets it start.
    pub fn ready(&self, shop: &Shop, node: usize) -> i64 {
        let links = shop.before[node].iter();
        links.fold(shop.release[node], |ready, &(before, lead)| ready.max(self.head[before] + lead))
    }

    /// The tail, given that of the next on the machine.
    pub fn tail_in(&self, shop: &Shop, node: usize, after: Option<i64>) -> i64 {
        let own = shop.duration[node] + after.unwrap_or(0);
        let links = shop.after[node].iter();
        links.fold(own, |tail, &(after, lead)| tail.max(lead + self.tail[after]))
    }

    fn jobs(&self, shop: &Shop) -> Jobs {
        let mut jobs: Jobs = Vec::new();
        for (node, &(order, _)) in shop.of.iter().enumerate() {
            if jobs.len() <= order {
                jobs.resize_with(order + 1, Vec::new);
            }
            let start = self.head[node];
            let end = start + shop.duration[node];
            jobs[order].push(Job { start, end, mode: 0, holds: Vec::new() });
        }
        jobs
    }
}
