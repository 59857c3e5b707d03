//! Arithmetic as it was written: durations, lags and costs, over an order's size and attributes.
//!
//! The tree holds exact numbers and nothing computed. [`Expr::evaluate`] computes exactly; rounding
//! and factors are the business of those who ask.

use super::{At, Order, Unit};
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Signed, Zero};
use takt_diagnostic::Span;

/// An exact number.
pub type Exact = Ratio<i128>;

/// A part of an expression and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A bare number; as a duration it counts units.
    Number(Exact),
    /// `2h30m`, `0.2min`: so many seconds.
    Quantity(Exact),
    /// `size`, or the name of an attribute.
    Name(String),
    Negate(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
}

/// A price per time.
///
/// If `amount` is a literal, amount / per must be a decimal with at most six places; otherwise
/// it is rounded up to six places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    /// A number, never a duration.
    pub amount: Expr,
    /// The time that it is paid for; without one it is one unit of model time.
    pub per: Option<At<Suffix>>,
    pub span: Span,
}

/// What may follow a number to make it a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suffix {
    Second,
    Minute,
    Hour,
    Day,
    Week,
}

impl Suffix {
    pub const NAMES: [(&'static str, Suffix); 6] = [
        ("s", Suffix::Second),
        ("m", Suffix::Minute),
        ("min", Suffix::Minute),
        ("h", Suffix::Hour),
        ("d", Suffix::Day),
        ("w", Suffix::Week),
    ];

    pub fn seconds(self) -> i64 {
        match self {
            Suffix::Second => 1,
            Suffix::Minute => 60,
            Suffix::Hour => 3600,
            Suffix::Day => 86_400,
            Suffix::Week => 604_800,
        }
    }

    pub fn name(self) -> &'static str {
        Suffix::NAMES.iter().rfind(|(_, suffix)| *suffix == self).map_or("", |(name, _)| name)
    }

    pub fn of(name: &str) -> Option<Suffix> {
        Suffix::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, suffix)| suffix)
    }
}

/// What an expression comes out as: a bare number, or a time in units of model time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub amount: Exact,
    pub is_time: bool,
}

/// What names stand for, and what a bare number counts.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    pub unit: Unit,
    /// Without an order, as for a setup, there are no names.
    pub order: Option<&'a Order>,
}

/// Why an expression has no value. None of these is left in a spec that was read without error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The order has no such attribute, or no size.
    AbsentName(String, Span),
    /// The attribute is text.
    TextualName(String, Span),
    TimeTimesTime(Span),
    NumberByTime(Span),
    DivisionByZero(Span),
    /// `2h` where the unit is a tick.
    QuantityInTicks(Span),
    /// A time where a number is wanted.
    NotANumber(Span),
    TooLarge(Span),
}

impl Expr {
    /// A single number or quantity, which must then come out whole by itself.
    pub fn is_literal(&self) -> bool {
        matches!(self.kind, ExprKind::Number(_) | ExprKind::Quantity(_))
    }

    /// A duration in units, exactly; not rounded.
    pub fn duration(&self, scope: Scope) -> Result<Exact, Fault> {
        self.evaluate(scope).map(|value| value.amount)
    }

    /// A number without dimension, exactly.
    pub fn number(&self, scope: Scope) -> Result<Exact, Fault> {
        let value = self.evaluate(scope)?;
        if value.is_time { Err(Fault::NotANumber(self.span)) } else { Ok(value.amount) }
    }

    /// Depth is bounded by the reader, which refuses long expressions.
    pub fn evaluate(&self, scope: Scope) -> Result<Value, Fault> {
        match &self.kind {
            ExprKind::Number(amount) => Ok(Value::number(*amount)),
            ExprKind::Quantity(seconds) => {
                let unit = scope.unit.seconds().ok_or(Fault::QuantityInTicks(self.span))?;
                Ok(Value::time(seconds / Exact::from(i128::from(unit))))
            }
            ExprKind::Name(name) => self.name(name, scope),
            ExprKind::Negate(inner) => {
                let value = inner.evaluate(scope)?;
                Ok(Value { amount: -value.amount, ..value })
            }
            ExprKind::Binary(op, left, right) => {
                self.binary(*op, left.evaluate(scope)?, right.evaluate(scope)?)
            }
        }
    }

    fn name(&self, name: &str, scope: Scope) -> Result<Value, Fault> {
        let absent = || Fault::AbsentName(name.to_owned(), self.span);
        let order = scope.order.ok_or_else(absent)?;
        if name == "size" {
            let size = order.size.as_ref().ok_or_else(absent)?;
            return Ok(Value::number(size.value));
        }
        let attribute = order.attribute(name).ok_or_else(absent)?;
        match attribute.value.value {
            super::Attribute::Number(amount) => Ok(Value::number(amount)),
            super::Attribute::Quantity(seconds) => {
                let unit = scope.unit.seconds().ok_or(Fault::QuantityInTicks(self.span))?;
                Ok(Value::time(seconds / Exact::from(i128::from(unit))))
            }
            super::Attribute::Text(_) => Err(Fault::TextualName(name.to_owned(), self.span)),
        }
    }

    fn binary(&self, op: Operator, left: Value, right: Value) -> Result<Value, Fault> {
        let (a, b) = (left.amount, right.amount);
        // A bare number beside a time counts units, so amounts simply add up.
        let (amount, is_time) = match op {
            Operator::Add => (a.checked_add(&b), left.is_time || right.is_time),
            Operator::Sub => (a.checked_sub(&b), left.is_time || right.is_time),
            Operator::Mul if left.is_time && right.is_time => {
                return Err(Fault::TimeTimesTime(self.span));
            }
            Operator::Mul => (a.checked_mul(&b), left.is_time || right.is_time),
            Operator::Div if right.is_time && !left.is_time => {
                return Err(Fault::NumberByTime(self.span));
            }
            Operator::Div if b.is_zero() => return Err(Fault::DivisionByZero(self.span)),
            Operator::Div => (a.checked_div(&b), left.is_time && !right.is_time),
        };
        let amount = amount.filter(is_small).ok_or(Fault::TooLarge(self.span))?;
        Ok(Value { amount, is_time })
    }
}

/// Numbers and denominators stay far from the end of 128 bits, so that those who compute on with a
/// value need not fear the next multiplication.
fn is_small(amount: &Exact) -> bool {
    const LARGEST: i128 = 1 << 80;
    amount.numer().abs() < LARGEST && *amount.denom() < LARGEST
}

impl Value {
    fn number(amount: Exact) -> Value {
        Value { amount, is_time: false }
    }

    fn time(amount: Exact) -> Value {
        Value { amount, is_time: true }
    }
}
