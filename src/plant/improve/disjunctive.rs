//! Shops in which every step has one mode and every machine one unit, as disjunctive graphs.
//!
//! Steps are nodes, arcs lead to what comes later in the order. A schedule selects a direction for
//! every two steps on a machine, that is a sequence on each ([`Selection`]); each step starts as early as
//! its predecessors in the order and on the machine allow. The makespan is a longest path. To shorten
//! it, a step must leave its place within a block, the neighbours on one machine along the path, and
//! go to the block's beginning or end (Balas, Vazacopoulos 1998), or from there to its inside (`tabu.rs`). Moves are
//! judged by the longest path through the steps that they displace (Taillard 1994).

use crate::plan::{Id, IdVec, Link, Objective, OrderId, Plan, PoolId, StepId};
use crate::timetable::{Job, Jobs};
use std::mem::take;
use std::sync::Arc;

#[derive(Debug)]
pub struct DisjunctiveGraph {
    /// For each node: its order and step.
    pub of: Vec<(OrderId, StepId)>,
    pub duration: Vec<i64>,
    pub release: Vec<i64>,
    pub machine: Vec<Option<PoolId>>,
    /// Neighbours in the order, with the time from start to start at the least.
    before: Links,
    after: Links,
    pub machines: usize,
}

/// For each node some others, one list behind the other.
#[derive(Debug)]
struct Links {
    all: Vec<(usize, i64)>,
    /// Where the list of each node ends.
    ends: Vec<usize>,
}

impl Links {
    fn new(lists: &[Vec<(usize, i64)>]) -> Links {
        let ends = lists.iter().scan(0, |end, list| {
            *end += list.len();
            Some(*end)
        });
        Links { ends: ends.collect(), all: lists.concat() }
    }

    fn of(&self, node: usize) -> &[(usize, i64)] {
        let first = if node == 0 { 0 } else { self.ends[node - 1] };
        &self.all[first..self.ends[node]]
    }
}

impl DisjunctiveGraph {
    /// `None` for a plan that has more to it than sequences of steps on machines.
    pub fn of(plan: &Plan) -> Option<DisjunctiveGraph> {
        let is_single = plan.pools.iter().all(|pool| pool.units.len() == 1 && pool.setup.is_none());
        let is_simple = plan.recipes.iter().all(|recipe| {
            recipe.holds.is_empty()
                && recipe.steps.iter().all(|step| {
                    step.modes.len() == 1
                        && step.modes[0].needs.len() <= 1
                        && step.after.iter().all(|link| link.max.is_none())
                })
        });
        let is_free = plan.heuristics.is_empty()
            && plan.groups.is_empty()
            && plan.used_calendars().is_empty()
            && plan.orders.iter().all(|order| order.deadline.is_none())
            && plan.objective == Objective::Makespan;
        (is_single && is_simple && is_free).then(|| DisjunctiveGraph::new(plan))
    }

    fn new(plan: &Plan) -> DisjunctiveGraph {
        let nodes = || {
            plan.orders.ids().flat_map(|order| {
                plan.steps(order).entries().map(move |(number, step)| (order, number, step))
            })
        };
        let (mut before, mut first) = (Vec::new(), 0);
        for (order, number, step) in nodes() {
            if number.index() == 0 {
                first = before.len();
            }
            let lead = |link: &Link| (first + link.before.index(), link.lead(plan.steps(order)));
            before.push(step.after.iter().map(lead).collect::<Vec<_>>());
        }
        let mut after = vec![Vec::new(); before.len()];
        for (node, links) in before.iter().enumerate() {
            links.iter().for_each(|&(before, lead)| after[before].push((node, lead)));
        }
        DisjunctiveGraph {
            of: nodes().map(|(order, number, _)| (order, number)).collect(),
            duration: nodes().map(|(.., step)| step.shortest()).collect(),
            release: nodes().map(|(order, ..)| plan.orders[order].release).collect(),
            machine: nodes().map(|(.., step)| step.machine()).collect(),
            before: Links::new(&before),
            after: Links::new(&after),
            machines: plan.pools.len(),
        }
    }

    /// What comes before a node in its order.
    pub fn before(&self, node: usize) -> &[(usize, i64)] {
        self.before.of(node)
    }

    /// What comes after it.
    pub fn after(&self, node: usize) -> &[(usize, i64)] {
        self.after.of(node)
    }
}

/// For each machine its steps in sequence.
pub type Sequences = IdVec<PoolId, Vec<usize>>;

/// A schedule: for each machine its steps in sequence, and what follows from that.
#[derive(Clone, Debug)]
pub struct Selection {
    pub graph: Arc<DisjunctiveGraph>,
    pub selection: Sequences,
    /// Where each node stands in its line, and between whom.
    pub at: Vec<usize>,
    previous: Vec<Option<usize>>,
    next: Vec<Option<usize>>,
    /// The earliest start of each node.
    pub head: Vec<i64>,
    /// From each node's start to the end of all that follows it.
    pub tail: Vec<i64>,
    pub makespan: i64,
    /// All nodes, each behind those before it, and where each stands there.
    sequence: Vec<usize>,
    position: Vec<usize>,
    waits: Vec<usize>,
    /// What a move puts elsewhere among all nodes: those that go with it, and the others.
    is_bound: Vec<bool>,
    bound: Vec<usize>,
    free: Vec<usize>,
}

impl Selection {
    pub fn of(graph: Arc<DisjunctiveGraph>, jobs: &Jobs) -> Selection {
        let count = graph.of.len();
        let start = |node: usize| {
            let job = &jobs[graph.of[node].0][graph.of[node].1];
            (job.start, job.end, node)
        };
        let mut selection: IdVec<PoolId, Vec<usize>> =
            (0..graph.machines).map(|_| Vec::new()).collect();
        for node in 0..count {
            if let Some(machine) = graph.machine[node] {
                selection[machine].push(node);
            }
        }
        selection.iter_mut().for_each(|line| line.sort_unstable_by_key(|&node| start(node)));
        let mut found = Selection {
            graph,
            selection,
            at: vec![0; count],
            previous: vec![None; count],
            next: vec![None; count],
            head: vec![0; count],
            tail: vec![0; count],
            makespan: 0,
            sequence: Vec::with_capacity(count),
            position: vec![0; count],
            waits: vec![0; count],
            is_bound: vec![false; count],
            bound: Vec::new(),
            free: Vec::new(),
        };
        found.selection.ids().for_each(|machine| found.number(machine));
        found
    }

    /// Other sequences; what follows from them is for [`Selection::evaluate`] to say.
    pub fn take_up(&mut self, lines: &Sequences) {
        self.selection.clone_from(lines);
        self.selection.ids().for_each(|machine| self.number(machine));
    }

    fn number(&mut self, machine: PoolId) {
        self.number_between(machine, 0, self.selection[machine].len());
    }

    /// Tells the nodes from `first` on, before `end`, where they stand, and their neighbours, too.
    fn number_between(&mut self, machine: PoolId, first: usize, end: usize) {
        let line = &self.selection[machine];
        let mut previous = first.checked_sub(1).map(|k| line[k]);
        for (k, &node) in line.iter().enumerate().take(end).skip(first) {
            self.at[node] = k;
            self.previous[node] = previous;
            if let Some(previous) = previous {
                self.next[previous] = Some(node);
            }
            previous = Some(node);
        }
        let next = line.get(end).copied();
        if let Some(next) = next {
            self.previous[next] = previous;
        }
        if let Some(previous) = previous {
            self.next[previous] = next;
        }
    }

    pub fn before(&self, node: usize) -> Option<usize> {
        self.previous[node]
    }

    pub fn after(&self, node: usize) -> Option<usize> {
        self.next[node]
    }

    /// Moves a node to another place in its line.
    fn shift(&mut self, node: usize, to: usize) {
        let Some(machine) = self.graph.machine[node] else { return };
        let from = self.at[node];
        if from < to {
            self.selection[machine][from..=to].rotate_left(1);
        } else {
            self.selection[machine][to..=from].rotate_right(1);
        }
        self.number_between(machine, from.min(to), from.max(to) + 1);
    }

    /// Moves a node to another place in its line, and computes what follows from that; false, and nothing is changed, if
    /// the sequences would contradict each other.
    pub fn apply(&mut self, node: usize, to: usize) -> bool {
        let from = self.at[node];
        self.shift(node, to);
        let Some((first, last)) = self.reorder(node, from < to) else {
            self.shift(node, from);
            return false;
        };
        for k in first..self.sequence.len() {
            let node = self.sequence[k];
            self.head[node] = self.head_in(node, self.before(node));
        }
        for k in (0..=last).rev() {
            let node = self.sequence[k];
            self.tail[node] = self.tail_in(node, self.after(node).map(|after| self.tail[after]));
        }
        let ends =
            self.head.iter().zip(&self.graph.duration).map(|(head, duration)| head + duration);
        self.makespan = ends.max().unwrap_or(0);
        debug_assert!(self.is_as_evaluated());
        true
    }

    /// Puts the sequence of all nodes right after a node has moved in its line, between two places, which are given back.
    fn reorder(&mut self, node: usize, is_later: bool) -> Option<(usize, usize)> {
        // Who stands next to it now, on the side it came from, stood at the other end of what is out of sequence.
        let other = if is_later { self.before(node) } else { self.after(node) };
        let Some(other) = other else { return Some((0, self.sequence.len() - 1)) };
        let ends = (self.position[node], self.position[other]);
        let (first, last) = (ends.0.min(ends.1), ends.0.max(ends.1));
        self.is_bound[node] = true;
        let (mut bound, mut free) = (take(&mut self.bound), take(&mut self.free));
        bound.push(node);
        for k in first..=last {
            let next = self.sequence[if is_later { k } else { first + last - k }];
            if next == node {
                continue;
            }
            let (links, on_machine) = match is_later {
                true => (self.graph.before(next), self.before(next)),
                false => (self.graph.after(next), self.after(next)),
            };
            let is_bound = on_machine.is_some_and(|other| self.is_bound[other])
                || links.iter().any(|&(other, _)| self.is_bound[other]);
            self.is_bound[next] = is_bound;
            if is_bound { bound.push(next) } else { free.push(next) }
        }
        let is_circle = self.is_bound[other];
        bound.iter().for_each(|&node| self.is_bound[node] = false);
        if !is_circle {
            // Time goes to the right, whichever way the nodes were gone through.
            let goes_right = free.iter().chain(&bound).copied();
            for (k, node) in goes_right.enumerate() {
                let k = if is_later { first + k } else { last - k };
                self.sequence[k] = node;
                self.position[node] = k;
            }
        }
        bound.clear();
        free.clear();
        (self.bound, self.free) = (bound, free);
        if is_circle {
            return None;
        }
        Some((first, last))
    }

    fn is_as_evaluated(&self) -> bool {
        let mut other = self.clone();
        other.evaluate()
            && (&other.head, &other.tail, other.makespan) == (&self.head, &self.tail, self.makespan)
    }

    /// Heads, tails and makespan; false if the sequences contradict each other.
    pub fn evaluate(&mut self) -> bool {
        let graph = Arc::clone(&self.graph);
        self.sequence.clear();
        for node in 0..graph.of.len() {
            self.waits[node] = graph.before(node).len()
                + usize::from(graph.machine[node].is_some() && self.at[node] > 0);
            if self.waits[node] == 0 {
                self.sequence.push(node);
            }
        }
        let mut next = 0;
        while next < self.sequence.len() {
            let node = self.sequence[next];
            next += 1;
            self.head[node] = self.head_in(node, self.before(node));
            for &(after, _) in graph.after(node) {
                self.arrive(after);
            }
            if let Some(after) = self.after(node) {
                self.arrive(after);
            }
        }
        if self.sequence.len() < graph.of.len() {
            return false;
        }
        self.makespan = 0;
        for k in (0..self.sequence.len()).rev() {
            let node = self.sequence[k];
            let after = self.after(node).map(|after| self.tail[after]);
            self.tail[node] = self.tail_in(node, after);
            self.makespan = self.makespan.max(self.head[node] + self.tail[node]);
            self.position[node] = k;
        }
        true
    }

    fn arrive(&mut self, node: usize) {
        self.waits[node] -= 1;
        if self.waits[node] == 0 {
            self.sequence.push(node);
        }
    }

    fn head_in(&self, node: usize, before: Option<usize>) -> i64 {
        let free = before.map_or(0, |before| self.head[before] + self.graph.duration[before]);
        self.ready(node).max(free)
    }

    /// When a node's order lets it start.
    pub fn ready(&self, node: usize) -> i64 {
        let links = self.graph.before(node).iter();
        links.fold(self.graph.release[node], |ready, &(before, lead)| {
            ready.max(self.head[before] + lead)
        })
    }

    /// The tail, given that of the next on the machine.
    pub fn tail_in(&self, node: usize, after: Option<i64>) -> i64 {
        let own = self.graph.duration[node] + after.unwrap_or(0);
        let links = self.graph.after(node).iter();
        links.fold(own, |tail, &(after, lead)| tail.max(lead + self.tail[after]))
    }

    pub fn jobs(&self) -> Jobs {
        let mut jobs = Jobs::default();
        for (node, &(order, _)) in self.graph.of.iter().enumerate() {
            while jobs.next_id() <= order {
                jobs.push(IdVec::default());
            }
            let start = self.head[node];
            let end = start + self.graph.duration[node];
            jobs[order].push(Job { start, end, mode: 0, holds: Vec::new() });
        }
        jobs
    }
}
