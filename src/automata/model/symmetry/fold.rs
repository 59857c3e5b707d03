//! Ways to gather values one by one that come to the same in every order: sums, the largest, the
//! smallest, "and" and "or".
//!
//! Two things count: the last value, and whether a value on the way leaves the range of the cell. Sums
//! of numbers that are not negative only rise: if one is too large, the last one is. The largest and
//! the smallest are values that were given, and one that is out of range is met in every order. For
//! the others the cell has room for all that may come of it.
//!
//! In `all = all && e`, nobody looks at `e` once the cell is false: so `e` must be harmless. What is
//! looked at more than once must change nothing.

use super::access::{AccessReader, How, Known};
use super::key::Keys;
use crate::model::analysis::Interval;
use crate::model::{Expr, Place, PlaceBase, Statement};
use crate::network::BinaryOp;

/// How a value is joined to a cell. Two of one kind may change places, two of different kinds not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gather {
    /// Adds something that is not negative.
    Add,
    /// Subtracts something that is not negative.
    Subtract,
    /// Multiplies by something above 0 what is not negative.
    Multiply,
    /// Multiplies by 0 or 1.
    Keep,
    Max,
    Min,
    And,
    Or,
    BitAnd,
    BitOr,
    BitXor,
}

/// `place` and the value are joined where the test holds.
#[derive(Clone, Copy, Debug)]
pub struct Fold<'e> {
    pub gather: Gather,
    pub place: &'e Place,
    /// `None` if it is a constant.
    pub value: Option<&'e Expr>,
    /// Says nothing of the place.
    pub test: Option<&'e Expr>,
}

/// Finds them in a model.
#[derive(Clone, Copy)]
pub struct Folds<'m> {
    /// Of the elements under their own names.
    pub keys: Keys<'m>,
    pub known: &'m Known,
}

impl<'m> Folds<'m> {
    /// What the expression gathers, if nobody looks at its value.
    pub fn of_expr<'e>(&self, expr: &'e Expr) -> Option<Fold<'e>> {
        match expr {
            Expr::PostIncrement(place, delta) => {
                let gather = if *delta >= 0 { Gather::Add } else { Gather::Subtract };
                Some(Fold { gather, place, value: None, test: None })
            }
            Expr::Update(place, op, value, _) => {
                Some(fold(self.gather(*op, place, value)?, place, value))
            }
            Expr::Assign(place, value) => {
                let found = self.of_assignment(place, value)?;
                self.are_repeatable(place, found.value).then_some(found)
            }
            _ => None,
        }
    }

    /// `place = value`, where the value begins or ends with the place.
    fn of_assignment<'e>(&self, place: &'e Place, value: &'e Expr) -> Option<Fold<'e>> {
        match value {
            Expr::Binary(op, left, right, _) => {
                let other = match (self.is_at(left, place), self.is_at(right, place)) {
                    (true, false) => right,
                    (false, true) if *op != BinaryOp::Sub => left,
                    _ => return None,
                };
                Some(fold(self.gather(*op, place, other)?, place, other))
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                let is_and = matches!(value, Expr::And(..));
                let gather = if is_and { Gather::And } else { Gather::Or };
                let (lo, hi) = self.range(place)?;
                let other = match (self.is_at(left, place), self.is_at(right, place)) {
                    (true, false) if self.keys.harmless.expr(right) => right,
                    (false, true) => left,
                    _ => return None,
                };
                (lo <= 0 && 1 <= hi).then(|| fold(gather, place, other))
            }
            Expr::Conditional(test, yes, no) => {
                let (other, keeps) = match (self.is_at(yes, place), self.is_at(no, place)) {
                    (false, true) => (yes, false),
                    (true, false) => (no, true),
                    _ => return None,
                };
                let gather = self.extreme(test, place, other, keeps)?;
                Some(fold(gather, place, other))
            }
            _ => None,
        }
    }

    /// `if (value > place) place = value`, perhaps with other conditions before the comparison.
    pub fn of_choice<'e>(&self, test: &'e Expr, then: &'e Statement) -> Option<Fold<'e>> {
        let Expr::Assign(place, value) = only(then)? else { return None };
        let (before, comparison) = match test {
            Expr::And(before, last) => (Some(&**before), &**last),
            other => (None, other),
        };
        let gather = self.extreme(comparison, place, value, false)?;
        let found = Fold { gather, place, value: Some(value), test: before };
        self.are_repeatable(place, Some(value)).then_some(found)
    }

    /// Whether a comparison of the value with the place chooses the larger or the smaller one,
    /// if the value is taken where it holds, or where it does not (`is_negated`).
    fn extreme(
        &self,
        test: &Expr,
        place: &Place,
        value: &Expr,
        is_negated: bool,
    ) -> Option<Gather> {
        let Expr::Binary(op, left, right, _) = test else { return None };
        let is_larger = match op {
            BinaryOp::Greater | BinaryOp::GreaterEqual => true,
            BinaryOp::Less | BinaryOp::LessEqual => false,
            _ => return None,
        };
        let is_turned = self.is_at(left, place) && self.is_same(right, value);
        let is_straight = self.is_at(right, place) && self.is_same(left, value);
        if !is_turned && !is_straight {
            return None;
        }
        let takes_larger = is_larger ^ is_turned ^ is_negated;
        Some(if takes_larger { Gather::Max } else { Gather::Min })
    }

    fn gather(&self, op: BinaryOp, place: &Place, value: &Expr) -> Option<Gather> {
        let values = self.keys.harmless.values(value);
        let is_natural = values.0 >= 0;
        let is_target_natural = || self.range(place).is_some_and(|(lo, _)| lo >= 0);
        let has_zero = || self.range(place).is_some_and(|(lo, hi)| lo <= 0 && 0 <= hi);
        let is_closed = || self.range(place).is_some_and(|range| is_closed(range, values));
        let (gather, is_fine) = match op {
            BinaryOp::Add => (Gather::Add, is_natural),
            BinaryOp::Sub => (Gather::Subtract, is_natural),
            BinaryOp::Mul if is_natural && values.1 <= 1 => (Gather::Keep, has_zero()),
            BinaryOp::Mul => (Gather::Multiply, values.0 > 0 && is_target_natural()),
            BinaryOp::Max => (Gather::Max, true),
            BinaryOp::Min => (Gather::Min, true),
            BinaryOp::BitAnd => (Gather::BitAnd, is_closed()),
            BinaryOp::BitOr => (Gather::BitOr, is_closed()),
            BinaryOp::BitXor => (Gather::BitXor, is_closed()),
            _ => return None,
        };
        is_fine.then_some(gather)
    }

    /// What the cell may hold; all elements of an array may hold the same.
    fn range(&self, place: &Place) -> Option<Interval> {
        let PlaceBase::Fixed(base) = place.base else { return None };
        let cell = self.keys.model.cells.get((base.0 + place.offset) as usize)?;
        Some((cell.lo, cell.hi))
    }

    fn is_at(&self, expr: &Expr, place: &Place) -> bool {
        matches!(expr, Expr::Load(loaded) if self.keys.is_same_place(loaded, place))
    }

    fn is_same(&self, left: &Expr, right: &Expr) -> bool {
        self.keys.is_same(left, right)
    }

    /// Whether it changes nothing to look at the value, and at the indices of the place, once more.
    fn are_repeatable(&self, place: &Place, value: Option<&Expr>) -> bool {
        let mut reader = AccessReader::new(*self, None);
        value.into_iter().for_each(|value| reader.expr(value));
        place.steps.iter().for_each(|step| reader.expr(&step.index));
        reader.found.iter().all(|access| access.how == How::Read)
    }
}

fn fold<'e>(gather: Gather, place: &'e Place, value: &'e Expr) -> Fold<'e> {
    Fold { gather, place, value: Some(value), test: None }
}

/// The one expression that a statement is made of.
fn only(statement: &Statement) -> Option<&Expr> {
    match statement {
        Statement::Expr(expr) => Some(expr),
        Statement::Block(parts) => match &parts[..] {
            [part] => only(part),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the range is that of all numbers of so many bits, with a sign or without, and the other one
/// is within it: then so is whatever is made of their bits.
fn is_closed((lo, hi): Interval, inner: Interval) -> bool {
    let Some(count) = hi.checked_add(1) else { return false };
    count > 0
        && (count as u64).is_power_of_two()
        && (lo == 0 || lo == -count)
        && lo <= inner.0
        && inner.1 <= hi
}
