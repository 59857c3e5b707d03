//! From a named network to a checked, flat, compiled model.
//!
//! [`build`] resolves names, checks types, instantiates templates, expands selections and
//! compiles every expression. What comes out knows numbers only: addresses of integers,
//! indices of clocks, channels, processes, locations and edges. Each expression is there twice,
//! as a tree (walked by the interpreter, which must not trust the compiler) and as code (run
//! by the engine). Nothing here searches.
//!
//! # Memory
//! A state's integers form one vector of `i32`: first the location of each process, then the
//! variables, flattened. An [`Addr`] below [`Model::state_len`] is a cell of that vector; from there
//! on it is a cell of the scratch memory that holds locals, parameters, bound variables and
//! constant arrays. Scratch cells are 64 bits wide and start with [`Cell::initial`] (that is how
//! constant arrays get their values); they keep nothing from one term to the next that is read
//! before it is written. Functions do not recurse, so every local has a fixed address.

pub(crate) mod accelerate;
pub(crate) mod analysis;
mod arithmetic;
pub mod code;
mod expr;
mod formula;
pub(crate) mod ids;
pub(crate) mod layout;
mod resolve;
pub mod symmetry;
mod vm;

pub use expr::{
    Argument, ClockBase, ClockPlace, Expr, Function, IndexStep, Param, Place, PlaceBase, Statement,
};
pub use formula::{Formula, Objective, Query};
pub use ids::{Addr, ChannelId, ClockId, EdgeId, FunctionId, LocationId, ProcessId};
pub use resolve::build;
pub use resolve::scope::Names;
#[cfg(test)]
pub(crate) use vm::tests::grow;
pub use vm::{Effects, Vm};

use crate::network::{Direction, Origin, Urgency};
use takt_diagnostic::Span;

/// A whole model, ready to run.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub processes: Vec<Process>,
    /// One per clock that the model declares; index = clock number. `cost` is not among them
    /// unless the model declares it as a clock itself.
    pub clocks: Vec<Clock>,
    pub channels: Vec<Channel>,
    /// Ranges, names and initial values of all cells: the state's, then the scratch memory's.
    pub cells: Vec<Cell>,
    /// How many of the cells make up the state: `processes.len()` locations, then variables.
    pub state_len: u32,
    pub functions: Vec<Function>,
    /// The instructions of all terms and functions; see [`CodeRange`].
    pub code: code::Code,
    /// Runs before and after the updates of every transition (UPPAAL CORA).
    pub before_update: Option<Term>,
    pub after_update: Option<Term>,
    /// The cell of `meta int remaining`, the model's own lower bound on the cost to come.
    pub remaining: Option<Addr>,
    /// True if some location has a rate or some edge an increment of `cost`.
    pub is_priced: bool,
    /// True if some channel or process has a priority other than the default.
    pub has_priorities: bool,
    /// Scalar sets, for symmetry reduction: size of each set declared.
    pub scalar_sets: Vec<u32>,
    /// What belongs to which element of them.
    pub layout: layout::Layout,
    /// What the names of the network stand for; see [`Model::resolve_query`].
    pub names: Names,
}

/// A clock variable of the model.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    pub name: String,
    pub span: Span,
}

/// An integer cell: a location, a variable or a part of one, a local.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    pub name: String,
    pub lo: i64,
    pub hi: i64,
    pub initial: i64,
    /// Not part of the state's identity (`meta`).
    pub is_meta: bool,
    /// The scalar set that its values belong to.
    pub scalar_set: Option<u32>,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Channel {
    pub name: String,
    pub is_urgent: bool,
    pub is_broadcast: bool,
    /// Higher goes first; 0 for all if the model gives none.
    pub priority: i32,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Process {
    pub name: String,
    pub template: String,
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
    pub initial: LocationId,
    /// Higher goes first.
    pub priority: i32,
    /// Priority of transitions without synchronisation (the `default` of channel priorities).
    pub default_priority: i32,
}

#[derive(Clone, Debug, Default)]
pub struct Location {
    pub name: String,
    pub urgency: Urgency,
    pub invariant: Vec<Conjunct>,
    /// The rate of `cost` here, if the invariant gives one.
    pub rate: Option<Term>,
    /// Edges that leave this location, as indices into [`Process::edges`], ascending.
    pub outgoing: Vec<EdgeId>,
    pub span: Span,
}

/// An edge with its selection expanded: one per choice of values.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    pub source: LocationId,
    pub target: LocationId,
    /// In the order written. A conjunct is looked at only where the clock-free ones before it
    /// hold: `i < 3 && a[i] == 0` never leaves the array.
    pub guard: Vec<Conjunct>,
    pub sync: Option<Sync>,
    /// Runs in order; resets clocks, adds cost, writes cells. `None` if it does nothing.
    pub update: Option<Term>,
    /// Values chosen by `select`, for traces: (name, value).
    pub choice: Vec<(String, i64)>,
    /// For each of them the scalar set that it is chosen from.
    pub scalars: Vec<Option<u32>>,
    pub origin: Option<Origin>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Sync {
    /// The channel's index is `base` plus the value of `offset` (absent: 0).
    pub base: ChannelId,
    pub offset: Option<Term>,
    pub direction: Direction,
}

/// One conjunct of a guard or an invariant.
#[derive(Clone, Debug)]
pub enum Conjunct {
    /// A clock-free condition; true if not 0.
    Data(Term),
    Clock(ClockTest),
}

/// `unless || left - right < bound` (or `<=`). Other comparisons are brought into this form:
/// `x >= 3` is `0 - x <= -3`, `x == 3` is two tests.
#[derive(Clone, Debug)]
pub struct ClockTest {
    /// Where this clock-free condition is true, the test says nothing.
    pub unless: Option<Box<Term>>,
    /// `None` is the constant 0.
    pub left: Option<ClockRef>,
    pub right: Option<ClockRef>,
    pub is_strict: bool,
    pub bound: Term,
    pub span: Span,
}

/// A clock in a test.
#[derive(Clone, Debug)]
pub enum ClockRef {
    Fixed(ClockId),
    /// An element of an array of clocks; the code computes the clock's number.
    Indexed {
        place: Box<ClockPlace>,
        code: CodeRange,
    },
}

impl ClockRef {
    /// The clock, if it is known whatever the state.
    pub fn fixed(&self) -> Option<ClockId> {
        match self {
            ClockRef::Fixed(clock) => Some(*clock),
            ClockRef::Indexed { .. } => None,
        }
    }
}

/// An expression, as a tree and as code.
#[derive(Clone, Debug)]
pub struct Term {
    pub tree: Expr,
    /// Filled in by the code generator, the last pass of [`build`].
    pub code: CodeRange,
    pub span: Span,
}

impl Model {
    /// The position in the scratch memory; `None` for a cell of the state.
    #[inline]
    pub fn local(&self, addr: Addr) -> Option<usize> {
        addr.0.checked_sub(self.state_len).map(|local| local as usize)
    }

    /// The cells that make up the state.
    pub fn state_cells(&self) -> &[Cell] {
        &self.cells[..self.state_len as usize]
    }
}

impl Process {
    /// The location that the process is in if its cell holds this.
    #[inline]
    pub fn location(&self, cell: i32) -> &Location {
        &self.locations[cell as usize]
    }
}

impl Sync {
    /// The channel, given the value of the offset.
    #[inline]
    pub fn channel(&self, offset: i64) -> ChannelId {
        self.base.offset(offset as u32)
    }
}

impl Conjunct {
    /// The test of clocks, if it is one.
    pub fn test(&self) -> Option<&ClockTest> {
        match self {
            Conjunct::Clock(test) => Some(test),
            Conjunct::Data(_) => None,
        }
    }

    /// Its value, if it is known whatever the state.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Conjunct::Data(term) => term.constant(),
            Conjunct::Clock(_) => None,
        }
    }
}

impl ClockTest {
    /// A test of these clocks, whatever the integers.
    pub fn fixed(
        left: Option<ClockId>,
        right: Option<ClockId>,
        is_strict: bool,
        bound: Expr,
        span: Span,
    ) -> ClockTest {
        let (left, right) = (left.map(ClockRef::Fixed), right.map(ClockRef::Fixed));
        ClockTest { unless: None, left, right, is_strict, bound: Term::new(bound, span), span }
    }

    /// The clocks that it speaks of.
    pub fn clocks(&self) -> impl Iterator<Item = &ClockRef> {
        self.left.iter().chain(&self.right)
    }
}

impl Term {
    pub fn new(tree: Expr, span: Span) -> Term {
        Term { tree, code: CodeRange::default(), span }
    }

    /// The value, if the tree is a constant.
    pub fn constant(&self) -> Option<i64> {
        match self.tree {
            Expr::Const(value) => Some(value),
            _ => None,
        }
    }
}

/// Where a term's instructions stand in the model's code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeRange {
    pub start: u32,
    pub end: u32,
}

/// What an expression may do wrong when it runs: an error of the model, reported with the
/// trace that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A cell was to get a value outside its range.
    OutOfRange {
        cell: Addr,
        value: i64,
    },
    IndexOutOfRange {
        index: i64,
        length: u32,
    },
    DivisionByZero,
    /// A shift by a negative number or by 64 or more.
    BadShift(i64),
    /// A result that does not fit 64 bits.
    Overflow,
    /// A loop that did not end within the budget of instructions.
    Endless,
    /// A clock was to be set to a negative value.
    NegativeClock(i64),
    /// A clock bound or clock value beyond what zones can hold.
    ClockTooLarge(i64),
    /// A function ended without `return`.
    NoReturn,
    /// The model begins outside an invariant.
    InitialInvariant,
    /// A negative price.
    NegativePrice(i64),
    /// `remaining` promised a total of at least `claimed`; the goal was reached at `value`.
    RemainingTooLarge {
        claimed: i64,
        value: i64,
    },
}
