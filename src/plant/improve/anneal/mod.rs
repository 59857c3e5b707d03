//! Simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983) on sequences: who follows whom on every unit.
//!
//! A schedule is a sequence of claims on each unit, a way to do each step, and for some steps an instant before which
//! they wait; everything starts as early as that allows ([`times`]). One change moves a claim in its sequence, to
//! another unit or into another way, or lets a step wait ([`moves`]). Most changes are looked for on the chain of
//! reasons for which an order that pays ends no earlier. Only what a change touches is computed anew, so that plants
//! of many thousand steps are changed many thousand times a second. It is warm at first and cools down; then it begins
//! again from the best, for twice as long.

mod graph;
mod lines;
mod moves;
mod times;
mod window;

use super::Teller;
use super::plant::Plant;
use crate::plan::{IdVec, Objective};
use crate::random::Random;
use crate::timetable::{Job, Jobs};
use graph::Graph;
use lines::Lines;
use times::Times;
use window::{PATIENCE, SIZES, Sizes, Window};

/// Changes in the first cycle, for each step.
const FIRST_CYCLE: u64 = 60;

/// How warm it is at first, in parts of what a change for the worse costs on average, and how much colder at the end.
const WARMTH: f64 = 0.2;
const COOLING: f64 = 0.005;

/// Looks at a node in a microsecond, about.
const LOOKS_EACH_MICROSECOND: u64 = 10;

/// Changes by which that average is guessed.
const SAMPLES: u32 = 100;

/// Where the makespan counts: how much the mean of all finishes does.
const MEAN_FINISH: f64 = 0.02;

pub struct Annealing<'a> {
    graph: Graph<'a>,
    sizes: Sizes,
    lines: Lines,
    times: Times,
    energy: f64,
    best: Best,
    is_untold: bool,
    window: Window,
    cycle: Cycle,
    /// Changes tried.
    effort: u64,
    /// A better schedule of somebody else.
    other: Option<Jobs>,
}

struct Best {
    value: i64,
    energy: f64,
    start: Vec<i64>,
    end: Vec<i64>,
    choice: Vec<usize>,
}

/// From warm to cold.
struct Cycle {
    length: u64,
    at: u64,
    /// Changes for the worse that were looked at, and their sum, until the first temperature is known.
    samples: u32,
    worse: f64,
    first: f64,
}

impl<'a> Annealing<'a> {
    /// `None` where the plan has more to it than this knows of.
    pub fn new(plant: &Plant<'a>, jobs: &Jobs) -> Option<Annealing<'a>> {
        Annealing::with_sizes(plant, jobs, SIZES)
    }

    fn with_sizes(plant: &Plant<'a>, jobs: &Jobs, sizes: Sizes) -> Option<Annealing<'a>> {
        let graph = Graph::of(plant)?;
        let (lines, times) = (Lines::new(&graph), Times::new(&graph));
        let window = Window::whole(graph.of.len(), plant.plan.orders.len());
        let length = FIRST_CYCLE * graph.of.len() as u64 + 1000;
        let best = Best {
            value: i64::MAX,
            energy: f64::MAX,
            start: times.start.clone(),
            end: times.end.clone(),
            choice: Vec::new(),
        };
        let mut annealing = Annealing {
            graph,
            sizes,
            lines,
            times,
            energy: 0.0,
            best,
            is_untold: false,
            window,
            effort: 0,
            cycle: Cycle { length, at: 0, samples: 0, worse: 0.0, first: 0.0 },
            other: None,
        };
        if annealing.has_windows() {
            annealing.cycle.length = 0;
        }
        annealing.take_up(jobs).then_some(annealing)
    }

    /// Begins with this schedule.
    fn take_up(&mut self, jobs: &Jobs) -> bool {
        let graph = &self.graph;
        self.effort += self.times.looks / LOOKS_EACH_MICROSECOND;
        (self.lines, self.times) = (Lines::new(graph), Times::new(graph));
        self.times.limit_looks(PATIENCE * graph.of.len());
        for (node, &(order, step)) in graph.of.iter().enumerate() {
            let job = &jobs[order][step];
            (self.times.start[node], self.times.end[node]) = (job.start, job.end);
            if graph.plan.is_early_costly(order) {
                self.lines.wait(node, job.start);
            }
            for &claim in &graph.begun[node] {
                let hold = graph.claims[claim].hold;
                let of_hold = |hold| job.holds.iter().find(|other| other.0 == hold);
                let choice = hold.map_or(job.mode, |hold| of_hold(hold).map_or(0, |one| one.1));
                self.lines.choose(graph, claim, choice);
            }
        }
        self.lines.cost = graph
            .claims
            .iter()
            .enumerate()
            .filter(|(_, claim)| claim.hold.is_none())
            .map(|(k, claim)| graph.mode(claim.from, self.lines.choice(k)).cost)
            .sum();
        self.seat_all();
        self.lines.dirty = (0..self.graph.of.len()).collect();
        if !self.times.update(&self.graph, &mut self.lines) {
            return false;
        }
        self.times.pay_all(&self.graph);
        self.times.limit_looks(self.graph.of.len());
        self.lines.keep();
        self.times.keep();
        self.energy = self.energy_now();
        self.note();
        true
    }

    /// Deals out units in the sequence of starts.
    fn seat_all(&mut self) {
        let Annealing { graph, lines, times, .. } = self;
        let mut claims: Vec<usize> = (0..graph.claims.len()).collect();
        let span = |claim: usize| {
            let of = &graph.claims[claim];
            (times.start[of.from], times.end[of.until])
        };
        claims.sort_by_key(|&claim| span(claim));
        let mut last: Vec<Option<usize>> = vec![None; graph.pool.len()];
        for claim in claims {
            let mut seats = graph.claims[claim].seats.clone();
            let start = span(claim).0;
            for need in graph.needs(claim, lines.choice(claim)) {
                let end = |line: usize| {
                    last[line].map_or(i64::MIN, |seat: usize| span(graph.owner[seat]).1)
                };
                let mut own: Vec<usize> = graph.lines[need.pool].clone().collect();
                // The one that was free last, of those that are.
                own.sort_by_key(|&line| (end(line) > start, -end(line).max(-1)));
                for (line, _) in own.into_iter().zip(0..need.amount) {
                    let Some(seat) = seats.next() else { break };
                    lines.link(graph, seat, line, last[line]);
                    last[line] = Some(seat);
                }
            }
        }
    }

    fn energy_now(&self) -> f64 {
        let value = self.times.value(&self.graph) as f64;
        match self.graph.plan.objective {
            Objective::Cost => value + self.lines.cost as f64,
            _ => value + MEAN_FINISH * self.times.sum as f64 / self.times.paid.len() as f64,
        }
    }

    /// Makes one change, or takes it back; false if that is no longer possible.
    pub fn round(&mut self, random: &mut Random) -> bool {
        if self.cycle.at >= self.cycle.length && !self.begin_anew(random) {
            return false;
        }
        self.cycle.at += 1;
        self.effort += 1;
        if !self.change(random) {
            self.lines.take_back(&self.graph);
            return true;
        }
        if self.times.update(&self.graph, &mut self.lines) {
            let energy = self.energy_now();
            if self.accepts(energy - self.energy, random) {
                self.energy = energy;
                self.lines.keep();
                self.times.keep();
                if !self.has_windows() {
                    self.note();
                }
                return true;
            }
        }
        self.lines.take_back(&self.graph);
        self.times.take_back();
        true
    }

    fn accepts(&mut self, worse: f64, random: &mut Random) -> bool {
        if worse <= 0.0 {
            return true;
        }
        let cycle = &mut self.cycle;
        if cycle.samples < SAMPLES {
            cycle.samples += 1;
            cycle.worse += worse;
            cycle.first = WARMTH * cycle.worse / f64::from(cycle.samples);
            return false;
        }
        let part = cycle.at as f64 / cycle.length as f64;
        let temperature = cycle.first * COOLING.powf(part);
        let chance = random.below(1 << 30) as f64 / (1 << 30) as f64;
        chance < (-worse / temperature).exp()
    }

    /// Remembers the current schedule if it is the best.
    fn note(&mut self) {
        if self.energy >= self.best.energy {
            return;
        }
        let value = self.current_value();
        self.is_untold |= value < self.best.value;
        let Times { start, end, .. } = &self.times;
        self.best.start.clone_from(start);
        self.best.end.clone_from(end);
        self.lines.choices().clone_into(&mut self.best.choice);
        (self.best.value, self.best.energy) = (value, self.energy);
    }

    /// What the current schedule is worth.
    fn current_value(&self) -> i64 {
        let value = self.times.value(&self.graph);
        if self.graph.plan.objective == Objective::Cost { value + self.lines.cost } else { value }
    }

    /// The value of the best schedule.
    pub fn value(&self) -> i64 {
        self.best.value
    }

    /// What was done so far, as about so many microseconds.
    pub fn effort(&self) -> u64 {
        self.effort + self.times.looks / LOOKS_EACH_MICROSECOND
    }

    pub fn tell(&mut self, teller: &mut Teller) {
        if std::mem::take(&mut self.is_untold) {
            teller.tell(self.best.value, &self.jobs());
        }
    }

    /// Somebody has found a better schedule: it is gone on from there when it is cold.
    pub fn adopt(&mut self, value: i64, jobs: &Jobs) {
        if value < self.best.value {
            self.other = Some(jobs.clone());
        }
    }

    /// The next cycle or window; false if there is nowhere to begin.
    fn begin_anew(&mut self, random: &mut Random) -> bool {
        self.cycle.at = 0;
        if self.has_windows() {
            self.close_window();
            let is_whole = self.other.take().is_none_or(|jobs| self.restart(&jobs));
            self.cycle.length = self.sizes.changes;
            self.open_window(random);
            return is_whole;
        }
        self.cycle.length = self.cycle.length.saturating_mul(2);
        let jobs = self.other.take().unwrap_or_else(|| self.jobs());
        self.restart(&jobs)
    }

    /// From this schedule, or else from the best.
    fn restart(&mut self, jobs: &Jobs) -> bool {
        self.take_up(jobs) || self.take_up(&self.jobs())
    }

    /// The best schedule.
    pub fn jobs(&self) -> Jobs {
        let mut jobs = Jobs::default();
        for nodes in &self.graph.nodes {
            let mut own = IdVec::default();
            for node in nodes.clone() {
                let mut job = Job {
                    start: self.best.start[node],
                    end: self.best.end[node],
                    mode: 0,
                    holds: Vec::new(),
                };
                for &claim in &self.graph.begun[node] {
                    let choice = self.best.choice[claim];
                    match self.graph.claims[claim].hold {
                        None => job.mode = choice,
                        Some(hold) => job.holds.push((hold, choice)),
                    }
                }
                own.push(job);
            }
            jobs.push(own);
        }
        jobs
    }
}

#[cfg(test)]
mod tests;
