//! Variables, and what can be said of one: a literal bounds it from above or from below.

use std::ops::Not;

/// A whole number that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

/// A variable `x`, or its negative `-x`. All bounds are upper bounds of sides: the lower bound of `x` is
/// the upper bound of `-x`, negated. So every rule is written once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(u32);

/// `side <= bound`
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit {
    /// What is bounded.
    pub side: Side,
    /// By how much.
    pub bound: i64,
}

impl Var {
    pub(crate) fn new(number: usize) -> Var {
        Var(u32::try_from(number).expect("fewer than 2^31 variables"))
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable itself, for its upper bound.
    pub fn upper(self) -> Side {
        Side(self.0 * 2)
    }

    /// Its negative, for its lower bound.
    pub fn lower(self) -> Side {
        Side(self.0 * 2 + 1)
    }

    /// `x <= bound`
    pub fn at_most(self, bound: i64) -> Lit {
        Lit { side: self.upper(), bound }
    }

    /// `x >= bound`
    pub fn at_least(self, bound: i64) -> Lit {
        Lit { side: self.lower(), bound: -bound }
    }
}

impl Side {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable of which this is a side.
    pub fn var(self) -> Var {
        Var(self.0 / 2)
    }

    /// `-x` for `x`, and the other way round.
    pub fn mirror(self) -> Side {
        Side(self.0 ^ 1)
    }

    /// `side <= bound`
    pub fn at_most(self, bound: i64) -> Lit {
        Lit { side: self, bound }
    }
}

impl Not for Lit {
    type Output = Lit;

    /// `x <= b` is false just if `-x <= -b - 1`.
    fn not(self) -> Lit {
        Lit { side: self.side.mirror(), bound: -self.bound - 1 }
    }
}

/// A variable and so much more: the end of a task that lasts `offset` and starts at `var`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// From here.
    pub var: Var,
    /// So much further.
    pub offset: i64,
}

impl From<Var> for Point {
    fn from(var: Var) -> Point {
        Point { var, offset: 0 }
    }
}

impl Point {
    /// The point is at `instant` or before it.
    pub fn at_most(self, instant: i64) -> Lit {
        self.var.at_most(instant - self.offset)
    }

    /// The point is at `instant` or after it.
    pub fn at_least(self, instant: i64) -> Lit {
        self.var.at_least(instant - self.offset)
    }

    /// So much further.
    pub fn plus(self, more: i64) -> Point {
        Point { var: self.var, offset: self.offset + more }
    }
}
