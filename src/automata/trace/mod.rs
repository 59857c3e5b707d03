//! Traces: what a search found (symbolic), and exact times for it (concrete).

mod concretise;
mod groups;

pub use concretise::{cheapest, concretise};

use crate::model::{ClockId, Edge, EdgeId, Model, ProcessId};
use num_rational::Ratio;

/// An exact point in time or length of time.
pub type Time = Ratio<i64>;

/// An edge of a process, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeRef {
    pub process: ProcessId,
    pub edge: EdgeId,
}

impl EdgeRef {
    /// The edge itself.
    #[inline]
    pub fn of(self, model: &Model) -> &Edge {
        &model.processes[self.process].edges[self.edge]
    }
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
    pub left: Option<ClockId>,
    pub right: Option<ClockId>,
    pub is_strict: bool,
    pub bound: i64,
}

/// A symbolic state of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The cells of the state (locations, then variables; see `model`) that differ from those of
    /// the node before; all of them in the initial one.
    pub changed: Vec<(u32, i32)>,
    /// The zone.
    pub zone: Vec<Constraint>,
    /// All the time that the run stays here it is in the zone. Where this is false, guards,
    /// invariants and `leave` see to that by themselves; it is true for parts of states, in
    /// which the query's formulas do not change.
    pub is_part: bool,
    /// No time passes here, because an urgent synchronisation is complete.
    pub is_urgent: bool,
    /// What must hold of the clocks at the instant the run leaves by the next move, besides
    /// the guards of its edges: that processes which do not take part in a broadcast cannot, and
    /// that nothing of higher priority is enabled.
    pub leave: Vec<Constraint>,
}

impl Node {
    /// From the state of the node before to that of this one.
    pub fn apply(&self, state: &mut Vec<i32>) {
        for &(cell, value) in &self.changed {
            if cell as usize >= state.len() {
                state.resize(cell as usize + 1, 0);
            }
            state[cell as usize] = value;
        }
    }
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

impl Trace {
    /// All nodes, each with the move that leads there.
    pub fn nodes(&self) -> impl Iterator<Item = (Option<&Move>, &Node)> {
        let rest = self.steps.iter().map(|(action, node)| (Some(action), node));
        std::iter::once((None, &self.initial)).chain(rest)
    }
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
