//! Traces: what a search found (symbolic), and exact times for it (concrete).

mod concretise;
mod groups;

pub use concretise::{cheapest, concretise};

use num_rational::Ratio;

/// An exact point in time or length of time.
pub type Time = Ratio<i64>;

/// An edge of a process, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeRef {
    pub process: u32,
    pub edge: u32,
}

/// One transition: every edge that takes part, the sender first, receivers in the order of
/// processes. Without edges it is a mere delay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Move {
    pub edges: Vec<EdgeRef>,
}

/// `left - right < bound` (or `<=`) over clock numbers; `None` is the constant 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    pub left: Option<u32>,
    pub right: Option<u32>,
    pub is_strict: bool,
    pub bound: i64,
}

/// A symbolic state of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Locations, then variables (see `model`).
    pub state: Vec<i32>,
    /// The zone, as the search had it; for display.
    pub zone: Vec<Constraint>,
    /// What must hold of the clocks all the time that the run stays here, besides the
    /// invariants: the part of the query that this node stands for.
    pub stay: Vec<Constraint>,
    /// No time passes here, because an urgent synchronisation is complete.
    pub is_urgent: bool,
    /// What must hold of the clocks at the instant the run leaves by the next move, besides
    /// the guards of its edges: that processes which do not take part in a broadcast cannot, and
    /// that nothing of higher priority is enabled.
    pub leave: Vec<Constraint>,
}

/// A symbolic trace from the initial state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    pub initial: Node,
    pub steps: Vec<(Move, Node)>,
    /// What must hold of the clocks at the very end (the query's clock constraints).
    pub finally: Vec<Constraint>,
    /// For an infinite run: after the last step the run goes on as from this node (0 is the
    /// initial one).
    pub returns_to: Option<usize>,
}

/// A move at an exact time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedMove {
    pub time: Time,
    pub action: Move,
}

/// A concrete run from the initial state: moves at absolute times, and when it ends (at or
/// after the last move).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub moves: Vec<TimedMove>,
    pub end: Time,
}
