//! Large plants are changed one window of time after the other.
//!
//! Nobody who starts before the window is moved. What starts after it is not computed anew with every change; what its
//! delay would cost is guessed instead: as if its own order and those that follow on its units without a pause were late
//! already. When the window is done, everything is computed, and if that is not better after all, the window
//! is as it was.

use super::Annealing;
use super::lines::Lines;
use super::times::{Scope, Times};
use crate::plan::{Objective, OrderId};
use crate::random::Random;

/// How much is changed at a time.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Steps of plants that are changed as a whole.
    pub whole: usize,
    /// Steps in a window, and changes of it.
    pub window: usize,
    pub changes: u64,
}

pub const SIZES: Sizes = Sizes { whole: 2000, window: 300, changes: 12_000 };

/// How many followers on a unit a delay is counted for.
const FOLLOWERS: usize = 100;

/// How many times as often nodes are looked at when everything is computed.
pub const PATIENCE: usize = 10;

pub struct Window {
    pub nodes: Vec<usize>,
    pub orders: Vec<OrderId>,
    /// Those of them that pay, as of some rounds ago.
    pub costly: Vec<OrderId>,
    /// What there was before; none where all is inside.
    before: Option<(Lines, Times, f64)>,
}

impl Window {
    /// All there is.
    pub fn whole(nodes: usize, orders: usize) -> Window {
        Window {
            nodes: (0..nodes).collect(),
            orders: (0..orders).map(OrderId).collect(),
            costly: Vec::new(),
            before: None,
        }
    }
}

impl Annealing<'_> {
    /// It is too large to be changed as a whole.
    pub fn has_windows(&self) -> bool {
        self.graph.of.len() > self.sizes.whole
            && !self.graph.is_cyclic
            && self.graph.plan.objective == Objective::Cost
    }

    /// A window around a step of an order that pays.
    pub(super) fn open_window(&mut self, random: &mut Random) {
        let paid = |order: OrderId| self.times.paid[order.0];
        let orders = self.times.paid.len();
        let drawn = [0; 4].map(|_| OrderId(random.below(orders)));
        let order = drawn.into_iter().max_by_key(|&order| paid(order)).unwrap_or_default();
        let own = self.graph.nodes[order].clone();
        let middle = own.start + random.below(own.len());
        let mut starts = self.times.start.clone();
        starts.sort_unstable();
        let at = starts.partition_point(|&start| start < self.times.start[middle]);
        let first = at.saturating_sub(random.below(self.sizes.window));
        let from = starts[first];
        // Where many start at once, all of them are inside.
        let same = starts.partition_point(|&start| start <= from);
        let until = starts.get(same.max(first + self.sizes.window)).copied().unwrap_or(i64::MAX);
        self.window.before = Some((self.lines.clone(), self.times.clone(), self.energy));
        self.window.nodes.clear();
        for (node, &start) in self.times.start.iter().enumerate() {
            self.times.scope[node] = match start {
                early if early < from => Scope::Past,
                late if late >= until => Scope::Later,
                _ => Scope::Inside,
            };
            if self.times.scope[node] == Scope::Inside {
                self.window.nodes.push(node);
            }
        }
        let orders = self.window.nodes.iter().map(|&node| self.graph.of[node].0);
        self.window.orders = orders.collect();
        self.window.orders.sort_unstable();
        self.window.orders.dedup();
        self.times.limit_looks(self.window.nodes.len());
        self.guess_followers();
    }

    /// What a delay of the first nodes after the window costs those that follow on their units.
    fn guess_followers(&mut self) {
        let (graph, lines) = (&self.graph, &self.lines);
        self.times.owed.fill(0);
        self.times.follow.fill(0);
        for (node, delay) in self.times.delay.iter_mut().enumerate() {
            let anchor = graph.anchors[node].filter(|anchor| anchor.at <= self.times.start[node]);
            let moved = anchor.map_or(0, |anchor| anchor.rate);
            *delay = graph.plan.orders[graph.of[node].0].costs.delay.saturating_add(moved);
        }
        for line in 0..graph.pool.len() {
            let mut next = lines.first(line);
            let from = |seat: usize| graph.claims[graph.owner[seat]].from;
            while let Some(seat) = next.filter(|&seat| self.times.scope[from(seat)] != Scope::Later)
            {
                next = lines.next(seat);
            }
            let Some(first) = next else { continue };
            let (mut price, mut all, mut count) = (0_i64, self.times.delay[from(first)], 0);
            next = lines.next(first);
            while let Some(seat) = next.filter(|_| count < FOLLOWERS) {
                let node = from(seat);
                if self.times.start[node] > self.times.free(graph, lines, seat) {
                    break;
                }
                let order = graph.of[node].0;
                all = all.saturating_add(graph.plan.orders[order].costs.delay);
                if self.times.paid[order.0] > 0 {
                    price = price.saturating_add(graph.plan.orders[order].costs.delay);
                }
                count += 1;
                next = lines.next(seat);
            }
            self.times.follow[from(first)] = price;
            self.times.delay[from(first)] = all;
        }
    }

    /// Everything is computed; what is no better is as it was.
    pub(super) fn close_window(&mut self) {
        let Some((lines, times, energy)) = self.window.before.take() else { return };
        let later: Vec<usize> = (0..self.graph.of.len())
            .filter(|&node| self.times.scope[node] == Scope::Later)
            .collect();
        self.times.scope.fill(Scope::Inside);
        self.times.sum -= self.times.owed.iter().sum::<i64>();
        self.times.owed.fill(0);
        self.lines.dirty = later;
        self.times.limit_looks(PATIENCE * self.graph.of.len());
        let is_whole = self.times.update(&self.graph, &mut self.lines);
        self.times.keep();
        self.lines.keep();
        let now = self.energy_now();
        if is_whole && now <= energy {
            self.energy = now;
            self.note();
        } else {
            let looks = self.times.looks;
            (self.lines, self.times, self.energy) = (lines, times, energy);
            self.times.looks = looks;
        }
    }
}
