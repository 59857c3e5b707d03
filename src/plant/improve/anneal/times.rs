//! When everything starts, given who follows whom: as early as can be.

use super::graph::{Claim, Graph, Lag};
use super::lines::Lines;
use crate::plan::{Anchor, Objective, OrderId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How often each node is looked at before sequences are taken to contradict each other, while changes are tried.
const LOOKS_EACH: usize = 2;

/// What is guessed for a node at most, so that sums of guesses stay within bounds.
const MOST_OWED: i64 = i64::MAX >> 24;

/// Rounds until limited lags are met, or taken not to be.
const MOST_ROUNDS: usize = 30;

/// Where a node is, seen from the window of time in which changes are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Nobody is moved there.
    Past,
    Inside,
    /// What its delay would cost is guessed.
    Later,
}

#[derive(Clone, Debug)]
pub struct Times {
    pub scope: Vec<Scope>,
    /// For nodes after the window, for each unit of time: what a delay may cost, and what it is worth to those that follow
    /// if it comes earlier.
    pub delay: Vec<i64>,
    pub follow: Vec<i64>,
    /// What is guessed for them.
    pub owed: Vec<i64>,
    reowed: Vec<(usize, i64)>,
    touched: Vec<usize>,
    most_looks: usize,
    /// How often a node was looked at so far.
    pub looks: u64,
    pub start: Vec<i64>,
    pub end: Vec<i64>,
    /// What each order pays; where the makespan counts, when it is over.
    pub paid: Vec<i64>,
    pub sum: i64,
    /// Nodes whose times have changed since the last time, with what they were.
    changed: Vec<(usize, i64, i64)>,
    repaid: Vec<(OrderId, i64)>,
    old_sum: i64,
    queue: BinaryHeap<Reverse<(i64, usize)>>,
    is_queued: Vec<bool>,
    sequence: Vec<usize>,
}

impl Times {
    pub fn new(graph: &Graph) -> Times {
        let count = graph.of.len();
        Times {
            scope: vec![Scope::Inside; count],
            follow: vec![0; count],
            owed: vec![0; count],
            delay: vec![0; count],
            reowed: Vec::new(),
            touched: Vec::new(),
            most_looks: usize::MAX,
            looks: 0,
            start: vec![0; count],
            end: vec![0; count],
            paid: vec![0; graph.plan.orders.len()],
            sum: 0,
            changed: Vec::new(),
            repaid: Vec::new(),
            old_sum: 0,
            queue: BinaryHeap::new(),
            is_queued: vec![false; count],
            sequence: (0..count).collect(),
        }
    }

    /// So many nodes are inside.
    pub fn limit_looks(&mut self, nodes: usize) {
        self.most_looks = nodes.saturating_mul(LOOKS_EACH);
    }

    fn instant(&self, lag: &Lag) -> i64 {
        lag.from.of(self.start[lag.node], self.end[lag.node])
    }

    /// The earliest start that all others allow, and the end; `None` if there is none in time.
    fn earliest(&self, graph: &Graph, lines: &Lines, node: usize) -> Option<(i64, i64)> {
        let mut from = graph.least[node].max(lines.waits_until(node));
        for lag in &graph.before[node] {
            from = from.max(self.instant(lag) + lag.time);
        }
        for &claim in &graph.begun[node] {
            for seat in graph.claims[claim].seats.clone() {
                if lines.line(seat).is_some() {
                    from = from.max(self.free(graph, lines, seat));
                }
            }
        }
        let claim = graph.begun[node][0];
        let (step, mode) = (graph.step(node), graph.mode(node, lines.choice(claim)));
        let place = |from| graph.plan.place(step, mode, from, &mut 0);
        let (mut start, mut end) = place(from)?;
        for lag in &graph.limited[node] {
            // Whoever follows must not wait longer than that.
            let least = self.start[lag.node].saturating_sub(lag.time);
            while lag.from.of(start, end) < least {
                (start, end) = place(start + (least - lag.from.of(start, end)))?;
            }
        }
        (end <= graph.last[node]).then_some((start, end))
    }

    /// When the unit is free for the seat.
    pub fn free(&self, graph: &Graph, lines: &Lines, seat: usize) -> i64 {
        let prev = lines.prev(seat);
        let end = prev.map_or(0, |prev| self.end[graph.claims[graph.owner[prev]].until]);
        end + lines.gap(graph, seat)
    }

    /// Whether something that comes before `first` in its order starts only when `second` is over: then to put the
    /// one before the other makes a circle, or brings nothing.
    pub fn contradicts(&self, graph: &Graph, first: &Claim, second: &Claim) -> bool {
        let over = self.end[second.from];
        graph.before[first.from].iter().any(|lag| self.start[lag.node] >= over)
            || graph.after[second.until]
                .iter()
                .any(|&node| self.end[node] <= self.start[first.until])
    }

    /// What follows from the changes of the lines; false if there is no schedule like that.
    pub fn update(&mut self, graph: &Graph, lines: &mut Lines) -> bool {
        self.old_sum = self.sum;
        let is_whole = match graph.is_cyclic {
            true => self.sweep(graph, lines),
            false => self.propagate(graph, lines),
        };
        if is_whole {
            self.pay(graph);
        }
        is_whole && self.owe(graph, lines)
    }

    fn push(&mut self, node: usize) {
        if self.scope[node] == Scope::Later {
            self.touched.push(node);
        } else if !std::mem::replace(&mut self.is_queued[node], true) {
            self.queue.push(Reverse((self.start[node], node)));
        }
    }

    /// Only whoever is touched, the earliest ones first.
    fn propagate(&mut self, graph: &Graph, lines: &mut Lines) -> bool {
        while let Some(node) = lines.dirty.pop() {
            self.push(node);
        }
        let mut left = self.most_looks;
        while let Some(Reverse((_, node))) = self.queue.pop() {
            self.is_queued[node] = false;
            let found = self.earliest(graph, lines, node).filter(|_| left > 0);
            let Some((start, end)) = found else {
                self.queue.drain().for_each(|Reverse((_, node))| self.is_queued[node] = false);
                return false;
            };
            left -= 1;
            self.looks += 1;
            if (start, end) == (self.start[node], self.end[node]) {
                continue;
            }
            self.changed.push((node, self.start[node], self.end[node]));
            (self.start[node], self.end[node]) = (start, end);
            graph.after[node].iter().for_each(|&after| self.push(after));
            for &claim in &graph.ended[node] {
                for seat in graph.claims[claim].seats.clone() {
                    if let Some(next) = lines.next(seat) {
                        self.push(graph.claims[graph.owner[next]].from);
                    }
                }
            }
        }
        true
    }

    /// All from the beginning: where lags are limited, what was late may keep itself late.
    pub fn sweep(&mut self, graph: &Graph, lines: &mut Lines) -> bool {
        lines.dirty.clear();
        let Times { sequence, start, end, changed, .. } = self;
        sequence.sort_by_key(|&node| start[node]);
        for &node in sequence.iter() {
            changed.push((node, start[node], end[node]));
            (start[node], end[node]) = (i64::MIN / 4, i64::MIN / 4);
        }
        let sequence = std::mem::take(&mut self.sequence);
        let is_whole = self.rise(graph, lines, &sequence);
        self.sequence = sequence;
        is_whole
    }

    fn rise(&mut self, graph: &Graph, lines: &Lines, sequence: &[usize]) -> bool {
        for _ in 0..MOST_ROUNDS {
            let mut is_same = true;
            self.looks += sequence.len() as u64;
            for &node in sequence {
                let Some(found) = self.earliest(graph, lines, node) else { return false };
                if found != (self.start[node], self.end[node]) {
                    (self.start[node], self.end[node]) = found;
                    is_same = false;
                }
            }
            if is_same {
                return true;
            }
        }
        false
    }

    /// What is owed for nodes after the window that would start later, or could start earlier.
    fn owe(&mut self, graph: &Graph, lines: &Lines) -> bool {
        while let Some(node) = self.touched.pop() {
            let Some((start, _)) = self.earliest(graph, lines, node) else { return false };
            let later = start - self.start[node];
            let sum = match later {
                0 => 0,
                1.. => self.delay[node].saturating_mul(later),
                // Not all that comes earlier is of use.
                _ => {
                    let followers = self.follow[node].saturating_mul(later);
                    self.later(graph, node, later).saturating_add(followers) / 2
                }
            };
            let sum = sum.clamp(-MOST_OWED, MOST_OWED);
            if sum != self.owed[node] {
                self.reowed.push((node, self.owed[node]));
                self.sum += sum - self.owed[node];
                self.owed[node] = sum;
            }
        }
        true
    }

    /// What it would cost if the order of a node were over so much later.
    fn later(&self, graph: &Graph, node: usize, later: i64) -> i64 {
        let order = graph.of[node].0;
        let nodes = graph.nodes[order].clone();
        let finish = nodes.map(|node| self.end[node]).max().unwrap_or(0);
        let (of, start) = (&graph.plan.orders[order], self.start[node]);
        let moved = |anchor: Anchor| anchor.cost(start + later) - anchor.cost(start);
        let moved = graph.anchors[node].map_or(0, moved);
        of.finish_cost(finish + later) - of.finish_cost(finish) + moved
    }

    /// What the orders pay that have changed.
    fn pay(&mut self, graph: &Graph) {
        for k in 0..self.changed.len() {
            let order = graph.of[self.changed[k].0].0;
            let (old, new) = (self.paid[order.0], self.price(graph, order));
            if new != old {
                self.repaid.push((order, old));
                self.paid[order.0] = new;
                self.sum += new - old;
            }
        }
    }

    /// What all orders pay.
    pub fn pay_all(&mut self, graph: &Graph) {
        for order in graph.nodes.ids() {
            self.paid[order.0] = self.price(graph, order);
        }
        self.sum = self.paid.iter().sum();
    }

    /// What an order pays for its times; where the makespan counts, when it is over.
    fn price(&self, graph: &Graph, order: OrderId) -> i64 {
        let (mut start, mut finish, mut moved) = (i64::MAX, i64::MIN, 0);
        for node in graph.nodes[order].clone() {
            start = start.min(self.start[node]);
            finish = finish.max(self.end[node]);
            moved += graph.anchors[node].map_or(0, |anchor| anchor.cost(self.start[node]));
        }
        match graph.plan.objective {
            Objective::Cost => graph.plan.orders[order].time_cost(start, finish) + moved,
            _ => finish,
        }
    }

    /// The makespan, or all costs but those of the lines.
    pub fn value(&self, graph: &Graph) -> i64 {
        match graph.plan.objective {
            Objective::Cost => self.sum,
            _ => self.paid.iter().copied().max().unwrap_or(0),
        }
    }

    pub fn keep(&mut self) {
        self.reowed.clear();
        self.changed.clear();
        self.repaid.clear();
    }

    pub fn take_back(&mut self) {
        while let Some((node, start, end)) = self.changed.pop() {
            (self.start[node], self.end[node]) = (start, end);
        }
        while let Some((order, paid)) = self.repaid.pop() {
            self.paid[order.0] = paid;
        }
        while let Some((node, owed)) = self.reowed.pop() {
            self.owed[node] = owed;
        }
        self.touched.clear();
        self.sum = self.old_sum;
    }

    /// The one that lets the node start no earlier: itself, a predecessor, or who has its unit before it.
    pub fn cause(&self, graph: &Graph, lines: &Lines, node: usize) -> Cause {
        let (mut latest, mut cause) = (graph.least[node], Cause::Release);
        if lines.waits_until(node) > latest {
            (latest, cause) = (lines.waits_until(node), Cause::Waits);
        }
        for lag in &graph.before[node] {
            if self.instant(lag) + lag.time > latest {
                (latest, cause) = (self.instant(lag) + lag.time, Cause::Order(lag.node));
            }
        }
        for &claim in &graph.begun[node] {
            for seat in graph.claims[claim].seats.clone() {
                if lines.line(seat).is_some() && self.free(graph, lines, seat) > latest {
                    (latest, cause) = (self.free(graph, lines, seat), Cause::Unit(seat));
                }
            }
        }
        for lag in &graph.limited[node] {
            let own = self.start[node] - lag.from.of(self.start[node], self.end[node]);
            let least = self.start[lag.node].saturating_sub(lag.time).saturating_add(own);
            if least > latest {
                (latest, cause) = (least, Cause::Order(lag.node));
            }
        }
        cause
    }
}

/// Why a node does not start earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Release,
    Waits,
    Order(usize),
    /// Whoever stands before this seat.
    Unit(usize),
}
