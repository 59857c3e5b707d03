//! Tabu search from many schedules, and from what lies between two of them (path relinking: Peng, Lü, Cheng 2015).
//!
//! A few schedules that differ are kept. Two of them are drawn, and on the way from one to the other, about half way, the
//! next search begins; what it finds takes the place of the worst, unless there is one like it.

use super::Teller;
use super::disjunctive::{DisjunctiveGraph, Selection, Sequences};
use super::tabu::Tabu;
use crate::plan::PoolId;
use crate::random::Random;
use crate::timetable::Jobs;
use std::sync::Arc;

/// Schedules that are kept.
const KEPT: usize = 10;

/// After so many moves in vain a search is over: while there are few schedules, and later.
const FIRST_IDLE: u64 = 2500;
const IDLE: u64 = 10_000;

/// Nodes that are computed anew between two searches, about: nobody asks for the time meanwhile.
const MOST_COMPUTED: usize = 1_000_000;

/// One of the schedules that are kept.
struct Elite {
    makespan: i64,
    lines: Sequences,
}

/// A search under way.
pub struct Run {
    line: Selection,
    tabu: Tabu,
    /// The best of this search, and moves since it was found.
    top: Elite,
    idle: u64,
    /// The best of all.
    best: i64,
    elite: Vec<Elite>,
    /// A better one of somebody else.
    other: Option<Selection>,
    is_told: bool,
}

impl Run {
    /// `None` if the sequences of these jobs contradict each other.
    pub fn new(graph: DisjunctiveGraph, jobs: &Jobs) -> Option<Run> {
        let mut line = Selection::of(Arc::new(graph), jobs);
        if !line.evaluate() {
            return None;
        }
        let top = Elite { makespan: line.makespan, lines: line.selection.clone() };
        let (best, tabu) = (line.makespan, Tabu::new(&line));
        Some(Run { line, tabu, top, idle: 0, best, elite: Vec::new(), other: None, is_told: false })
    }

    /// Somebody has found a better schedule: the next search begins there.
    pub fn adopt(&mut self, jobs: &Jobs) {
        let mut other = Selection::of(Arc::clone(&self.line.graph), jobs);
        if other.evaluate() && other.makespan < self.best {
            self.best = other.makespan;
            self.other = Some(other);
        }
    }

    /// Makes one move; tells of every better schedule.
    pub fn round(&mut self, random: &mut Random, teller: &mut Teller) {
        if !self.is_told {
            teller.tell(self.line.makespan, &self.line.jobs());
            self.is_told = true;
        }
        let has_moved = self.tabu.step(&mut self.line, self.top.makespan, random);
        self.idle += 1;
        if self.line.makespan < self.top.makespan {
            self.top.makespan = self.line.makespan;
            self.top.lines.clone_from(&self.line.selection);
            self.idle = 0;
        }
        if self.line.makespan < self.best {
            self.best = self.line.makespan;
            teller.tell(self.best, &self.line.jobs());
        }
        let most = if self.elite.len() < KEPT { FIRST_IDLE } else { IDLE };
        if !has_moved || self.idle > most {
            self.keep();
            self.go_elsewhere(random);
        }
    }

    /// A search begins where the line is.
    fn begin(&mut self) {
        self.tabu.forget();
        self.top = Elite { makespan: self.line.makespan, lines: self.line.selection.clone() };
        self.idle = 0;
    }

    /// Keeps what the search has found, if it is good or different enough.
    fn keep(&mut self) {
        let makespan = self.top.makespan;
        let least = self.line.graph.of.len() / 10;
        let lines = &self.top.lines;
        let apart = |other: &Elite| disagreements(&self.line.graph, lines, &other.lines, least + 1);
        let twin = |other: &Elite| apart(other) <= least;
        if let Some(twin) = self.elite.iter().position(twin) {
            if makespan < self.elite[twin].makespan {
                self.elite[twin] = Elite { makespan, lines: lines.clone() };
            }
            return;
        }
        let found = Elite { makespan, lines: lines.clone() };
        if self.elite.len() < KEPT {
            self.elite.push(found);
        } else if let Some(worst) = self.elite.iter_mut().max_by_key(|elite| elite.makespan)
            && makespan < worst.makespan
        {
            *worst = found;
        }
    }

    /// The next search begins between two that are kept, or far from the last one.
    fn go_elsewhere(&mut self, random: &mut Random) {
        let nodes = self.line.graph.of.len();
        if let Some(other) = self.other.take() {
            self.line = other;
        } else if self.elite.len() < KEPT {
            self.go_to(0, random);
            for _ in 0..(nodes / 2 + random.below(nodes + 1)).min(self.most_moves()) {
                self.tabu.shake(&mut self.line, random);
            }
        } else {
            let (from, to) = (random.below(KEPT), random.below(KEPT - 1));
            let to = if to >= from { to + 1 } else { to };
            self.go_to(from, random);
            self.go_towards(to, random);
        }
        self.begin();
    }

    fn most_moves(&self) -> usize {
        10 + MOST_COMPUTED / (self.line.graph.of.len() + 1)
    }

    fn go_to(&mut self, elite: usize, random: &mut Random) {
        self.tabu.forget();
        if let Some(elite) = self.elite.get(elite) {
            self.line.take_up(&elite.lines);
            self.line.evaluate();
        } else {
            self.tabu.shake(&mut self.line, random);
        }
    }

    /// Neighbours that stand the other way round there change places, until about half of them do.
    fn go_towards(&mut self, to: usize, random: &mut Random) {
        let place = places(&self.line.graph, &self.elite[to].lines);
        let Selection { graph, selection, .. } = &self.line;
        let most = 3 * self.most_moves();
        let apart = disagreements(graph, selection, &self.elite[to].lines, most);
        let mut left = apart / 3 + random.below(apart / 3 + 1);
        let mut misses = 0;
        while left > 0 && misses < 50 {
            let machine = PoolId(random.below(self.line.graph.machines));
            let line = &self.line.selection[machine];
            let wrong: Vec<usize> =
                (1..line.len()).filter(|&k| place[line[k]] < place[line[k - 1]]).collect();
            if wrong.is_empty() {
                misses += 1;
                continue;
            }
            let at = wrong[random.below(wrong.len())];
            let node = line[at];
            if self.line.apply(node, at - 1) {
                left -= 1;
                misses = 0;
            } else {
                misses += 1;
            }
        }
    }
}

/// Where each node stands in its line.
fn places(graph: &DisjunctiveGraph, lines: &Sequences) -> Vec<usize> {
    let mut place = vec![0; graph.of.len()];
    for line in lines {
        line.iter().enumerate().for_each(|(k, &node)| place[node] = k);
    }
    place
}

/// How many pairs on a machine stand the other way round, counted as far as `most`.
fn disagreements(graph: &DisjunctiveGraph, a: &Sequences, b: &Sequences, most: usize) -> usize {
    let place = places(graph, b);
    let pairs = a.iter().flat_map(|line| {
        let rest = |k: usize| line[k + 1..].iter().copied();
        line.iter().enumerate().flat_map(move |(k, &one)| rest(k).map(move |other| (one, other)))
    });
    pairs.filter(|&(one, other)| place[other] < place[one]).take(most).count()
}
