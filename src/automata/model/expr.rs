//! Resolved expressions and statements: no names, only addresses.
//!
//! Values are `i64`; booleans are 0 and 1 (any other number counts as true). Binary operators here
//! never include the short-circuit ones, which have variants of their own and give 0 or 1.
//!
//! # Order of evaluation
//! From left to right, so that side effects and faults come in one order only: a place (its
//! indices, each checked at once) before the value written to it, the target of an `Update` read
//! after its value, all arguments of a call before the first parameter is written, aggregates
//! copied from the first cell on. A place that holds a reference reads it first.

use super::{Addr, ClockId, FunctionId};
use crate::network::{BinaryOp, QuantifierKind, UnaryOp};
use takt_diagnostic::Span;

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Const(i64),
    /// The value of a single cell.
    Load(Place),
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic, bit and comparison operators.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, Span),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall`, `exists`, `sum` with the bound variable running from `lo` to `hi`.
    Quantifier {
        kind: QuantifierKind,
        binder: Addr,
        lo: i64,
        hi: i64,
        body: Box<Expr>,
    },
    /// The value of a function (0 for `void`). An aggregate result is then read from
    /// [`Function::result`].
    Call(FunctionId, Vec<Argument>, Span),
    /// Writes one cell; the value is what was written.
    Assign(Place, Box<Expr>),
    /// `target = target op value`; the place is evaluated once; the value is what was written.
    Update(Place, BinaryOp, Box<Expr>, Span),
    /// `i++`, `i--`: adds `delta`; the value is the one before.
    PostIncrement(Place, i64),
    /// Copies an aggregate of `len` cells, each checked against the range of the cell it goes
    /// to; the value is 0.
    Copy {
        to: Place,
        from: Box<Place>,
        len: u32,
    },
    /// Equality of two aggregates of `len` cells.
    Same {
        left: Place,
        right: Box<Place>,
        len: u32,
    },
    /// Sets a clock; the value is 0.
    Reset(ClockPlace, Box<Expr>),
    /// `cost += e`; the value is 0.
    AddCost(Box<Expr>),
    /// Evaluates all in order; the value is the last one's (0 if there is none).
    Sequence(Vec<Expr>),
}

impl Expr {
    /// Whether it can only be 0 or 1, by its form.
    pub fn is_truth(&self) -> bool {
        match self {
            Expr::Const(value) => matches!(value, 0 | 1),
            Expr::Unary(op, _) => *op == UnaryOp::Not,
            Expr::Binary(op, ..) => op.is_comparison(),
            Expr::And(..) | Expr::Or(..) | Expr::Same { .. } => true,
            Expr::Quantifier { kind, .. } => *kind != QuantifierKind::Sum,
            _ => false,
        }
    }
}

/// A cell or the first of several, found by indexing.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub base: PlaceBase,
    /// Each step adds `(index - first) * stride` after checking `0 <= index - first < length`.
    pub steps: Vec<IndexStep>,
    /// A static offset added at the end (fields of structs).
    pub offset: u32,
    pub span: Span,
}

impl Place {
    /// The cell itself, or the first of several.
    pub fn fixed(addr: Addr, span: Span) -> Place {
        Place { base: PlaceBase::Fixed(addr), steps: Vec::new(), offset: 0, span }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceBase {
    Fixed(Addr),
    /// A reference parameter: this cell holds the address.
    Reference(Addr),
}

#[derive(Clone, Debug, PartialEq)]
pub struct IndexStep {
    pub index: Expr,
    /// The smallest index (0 but for arrays over `int[lo, hi]` with another `lo`).
    pub first: i64,
    pub length: u32,
    pub stride: u32,
    pub span: Span,
}

/// A clock, found by indexing like a [`Place`].
#[derive(Clone, Debug, PartialEq)]
pub struct ClockPlace {
    pub base: ClockBase,
    pub steps: Vec<IndexStep>,
    pub offset: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockBase {
    Fixed(ClockId),
    /// A reference parameter: this cell holds the clock's number.
    Reference(Addr),
}

impl ClockPlace {
    pub fn fixed(clock: ClockId) -> ClockPlace {
        ClockPlace { base: ClockBase::Fixed(clock), steps: Vec::new(), offset: 0 }
    }

    /// The clock's number if no index has to be evaluated.
    pub fn constant(&self) -> Option<ClockId> {
        match self.base {
            ClockBase::Fixed(clock) if self.steps.is_empty() => Some(clock.offset(self.offset)),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    Value(Expr),
    /// An aggregate by value: `len` cells are copied.
    Aggregate(Place, u32),
    /// By reference: the address is passed.
    Reference(Place),
    Clock(ClockPlace),
}

/// A function; its locals have fixed addresses, as functions do not recurse.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<Param>,
    /// Where the result is put: first cell and number of cells (`None` for `void`).
    pub result: Option<(Addr, u32)>,
    pub body: Vec<Statement>,
    pub span: Span,
}

/// Where an argument is put: `len` cells from `addr` (1 for references: the address).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    pub addr: Addr,
    pub len: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    Expr(Expr),
    Block(Vec<Statement>),
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    While(Expr, Box<Statement>, Span),
    DoWhile(Box<Statement>, Expr, Span),
    /// `for (initial; condition; step) body`
    For {
        initial: Expr,
        condition: Expr,
        step: Expr,
        body: Box<Statement>,
        span: Span,
    },
    /// `for (i : T) body`: the binder runs from `lo` to `hi`.
    ForEach {
        binder: Addr,
        lo: i64,
        hi: i64,
        body: Box<Statement>,
    },
    /// Puts the value into [`Function::result`] and leaves.
    Return(Option<Expr>),
    /// Copies an aggregate into [`Function::result`] and leaves.
    ReturnAggregate(Place),
}
