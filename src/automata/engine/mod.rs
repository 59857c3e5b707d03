//! The search: symbolic states, successors, stores, orders, abstractions; one loop.
//!
//! Takes a compiled model and resolved queries, gives answers with symbolic traces. Knows
//! nothing of YAML, orders or machines, and neither files nor clock nor terminal: whoever calls
//! it passes a [`Control`] that watches time and memory.

mod answer;
mod bits;
mod candidate;
mod control;
mod diagonal;
mod estimate;
mod facts;
mod grow;
mod incumbent;
mod interest;
mod iterability;
mod live;
mod loops;
mod observer;
mod optimum;
mod packing;
mod pool;
mod prefilter;
mod projection;
mod reach;
mod recurrence;
mod relevance;
mod room;
mod satisfy;
mod search;
mod slice;
mod state;
mod store;
mod successor;
mod symmetry;
mod tables;
mod tally;
mod trail;
mod urgency;
mod waiting;
mod workers;
mod zone;

pub use answer::{check, earliest};
pub use bits::{LARGEST as LARGEST_TABLE, SMALLEST as SMALLEST_TABLE};
pub use control::{Budget, Unlimited};
pub use estimate::Estimate;

use crate::model::{EdgeId, Fault, ProcessId};
use crate::trace::{Move, Trace};
use std::ops::ControlFlow;

/// Which waiting state comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    Bfs,
    Dfs,
    RandomDfs,
    /// Smallest value (or cost) first.
    Best,
    /// Depth first, the best successor first; with restarts from the best of all.
    BestDepthFirst,
    /// The same, with a choice by chance among equals.
    RandomBestDepthFirst,
    /// Best first with dives, so that there is soon a value to improve on.
    Diving,
}

impl Order {
    pub const ALL: [Order; 7] = [
        Order::Bfs,
        Order::Dfs,
        Order::RandomDfs,
        Order::Best,
        Order::BestDepthFirst,
        Order::RandomBestDepthFirst,
        Order::Diving,
    ];
}

/// How zones are widened; the coarser first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Abstraction {
    /// Lower and upper bounds apart: keeps reachability.
    Lu,
    /// One bound per clock and location: keeps bisimilarity.
    K,
    /// Plain zones: may not terminate.
    None,
}

/// What a search may give up to take less memory. What is said all the same is proved: by a run
/// that was followed with plain zones, or by there being none even among too many. Only
/// questions about single states are answered so; other searches stay exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approximation {
    #[default]
    Exact,
    /// Zones of equal integers become the smallest zone around them all: more seems to be
    /// reachable than is.
    Hull,
    /// States are told apart by two bits in a table of two to this power bits: some may be
    /// left out.
    Bitstate(u32),
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `None`: breadth first, but diving where a value is minimised.
    pub order: Option<Order>,
    /// `None`: the coarsest that is exact for the query.
    pub abstraction: Option<Abstraction>,
    pub seed: u64,
    pub approximation: Approximation,
    pub keep: Keep,
    /// How many threads share the states out among them, where that can be; 0 counts as 1.
    pub threads: usize,
    /// How many states one of them looks at before the others join; `None`: a few thousand.
    pub alone: Option<u64>,
    /// Looks at all states of an orbit, not at one.
    pub without_symmetry: bool,
    /// Goes through every round of fast cycles.
    pub without_acceleration: bool,
}

/// Which states are remembered once they are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    #[default]
    All,
    /// Those by whose move some process gets to where one of its loops begins: no run can avoid
    /// them for ever. Less memory, but other states may be looked at again and again.
    Loops,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    pub explored: u64,
    pub stored: u64,
    pub waiting: u64,
    /// The smallest value found so far, where one is looked for.
    pub best: Option<i64>,
    /// No value is smaller than this.
    pub bound: Option<i64>,
    /// Values are multiples of one part of so many; 0 counts as 1.
    pub scale: i64,
}

/// Why a search ended early, or in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Time,
    Memory,
    Interrupt,
    /// There is more of it than this search can write out.
    Size,
    /// What was found may be due to the approximation.
    Approximation,
    /// There is no room for a table of bits.
    Table,
    /// What was found is not so: a fault of this program.
    Contradiction,
}

/// Watches a search from outside. A slice of it is a few hundred states, fewer where they take long.
pub trait Control {
    /// Whether to go on; asked after every slice.
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop>;

    /// A slice is over. The search goes on when this returns: whoever shares its thread works here.
    fn pause(&self, _progress: &Progress) {}

    /// The end of a slice: lets others work, then asks whether to go on.
    fn turn(&self, progress: &Progress) -> ControlFlow<Stop> {
        self.pause(progress);
        self.poll(progress)
    }

    /// A better value was found; `progress` tells it and how much better it could get.
    fn improved(&self, _progress: &Progress) {}

    /// For `inf`: somebody has this value already, only smaller ones are looked for. The verdict
    /// then says whether there are any. Asked at the beginning and after every poll.
    fn known(&self) -> Option<i64> {
        None
    }

    /// For `inf`, after [`Control::improved`]: the trace can be had, which takes time.
    fn witnessed(&self, _trace: &mut dyn FnMut() -> Option<Trace>) {}

    /// The first result is there. `finish` does with it what is done at the end, so that whoever
    /// sets limits can learn how long that takes, and end the search that much earlier.
    fn rehearse(&self, _finish: &mut dyn FnMut()) {}

    /// Whether there is memory for so many bytes more; asked before large tables grow.
    fn has_room(&self, _bytes: u64) -> bool {
        true
    }

    /// Whether a later result should be rehearsed as well: what was finished last is old by now.
    fn wants_rehearsal(&self) -> bool {
        false
    }

    /// One search has answered these queries, by their positions.
    fn answered(&self, _queries: &[usize]) {}
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    Satisfied,
    Violated,
    #[default]
    Unknown,
}

/// The value of `inf` or `sup`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extremum {
    Finite {
        value: i64,
        attained: bool,
    },
    /// A `sup` without bound.
    Unbounded,
}

/// A fast cycle of a process: its edges, and how long a round takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    pub process: ProcessId,
    pub edges: Vec<EdgeId>,
    pub shortest: i64,
    pub longest: i64,
}

#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub verdict: Verdict,
    pub value: Option<Extremum>,
    /// For `inf`: a proved lower bound of the value, also where a limit came first.
    pub bound: Option<i64>,
    pub explored: u64,
    pub stored: u64,
    /// A witness (satisfied `E<>`, `E[]`, `inf`, `sup`) or a counterexample (violated `A[]`,
    /// `A<>`, `-->`).
    pub trace: Option<Trace>,
    /// Scalar sets, by number, of which only one state per orbit was looked at.
    pub reduced: Vec<u32>,
    /// Fast cycles whose rounds were taken in one step.
    pub accelerated: Vec<Round>,
    /// The value rests on the model's own `remaining`.
    pub assumes_remaining: bool,
    /// Why the verdict is unknown.
    pub stopped: Option<Stop>,
}

/// An error of the model met on the way: the trace to it, and the move that did it.
#[derive(Clone, Debug)]
pub struct Failure {
    pub fault: Fault,
    pub trace: Trace,
    pub action: Option<Move>,
}
