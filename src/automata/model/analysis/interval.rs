//! Arithmetic on intervals: all values an operator may give, faults left out.
//!
//! Computed with 128 bits and cut to 64, as a result beyond is a fault.

use crate::network::{BinaryOp, UnaryOp};

/// All whole numbers from the first to the second.
pub type Interval = (i64, i64);

pub const ANYTHING: Interval = (i64::MIN, i64::MAX);
const EITHER: Interval = (0, 1);

pub fn join(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// `None` if there is no common number.
pub fn meet(a: Interval, b: Interval) -> Option<Interval> {
    let both = (a.0.max(b.0), a.1.min(b.1));
    (both.0 <= both.1).then_some(both)
}

/// Whether the numbers count as true, if they all agree.
pub fn truth((lo, hi): Interval) -> Option<bool> {
    match (lo, hi) {
        (0, 0) => Some(false),
        (lo, hi) if lo > 0 || hi < 0 => Some(true),
        _ => None,
    }
}

pub fn boolean(truth: Option<bool>) -> Interval {
    truth.map_or(EITHER, |truth| (i64::from(truth), i64::from(truth)))
}

pub fn unary(op: UnaryOp, of: Interval) -> Interval {
    match op {
        UnaryOp::Plus => of,
        UnaryOp::Minus => cut([-i128::from(of.0), -i128::from(of.1)]),
        UnaryOp::Not => boolean(truth(of).map(|truth| !truth)),
    }
}

pub fn binary(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    use BinaryOp::*;
    match op {
        Add => cut([wide(a.0) + wide(b.0), wide(a.1) + wide(b.1)]),
        Sub => cut([wide(a.0) - wide(b.1), wide(a.1) - wide(b.0)]),
        Mul => corners(a, &[b.0, b.1], |x, y| x * y),
        Div => divide(a, b),
        Mod => modulo(a, b),
        BitAnd if a.0 >= 0 || b.0 >= 0 => (0, nonnegative_min(a, b)),
        BitAnd | BitOr | BitXor => bits(a, b),
        ShiftLeft => meet(b, (0, 63)).map_or(ANYTHING, |b| corners(a, &[b.0, b.1], |x, y| x << y)),
        ShiftRight => meet(b, (0, 63)).map_or(ANYTHING, |b| corners(a, &[b.0, b.1], |x, y| x >> y)),
        Min => (a.0.min(b.0), a.1.min(b.1)),
        Max => (a.0.max(b.0), a.1.max(b.1)),
        Less => boolean(if a.1 < b.0 { Some(true) } else { (a.0 >= b.1).then_some(false) }),
        LessEqual => boolean(if a.1 <= b.0 { Some(true) } else { (a.0 > b.1).then_some(false) }),
        Greater => binary(Less, b, a),
        GreaterEqual => binary(LessEqual, b, a),
        Equal => boolean(equal(a, b)),
        NotEqual => boolean(equal(a, b).map(|truth| !truth)),
        And => boolean(both(truth(a), truth(b))),
        Or => unary(UnaryOp::Not, binary(And, unary(UnaryOp::Not, a), unary(UnaryOp::Not, b))),
        Imply => binary(Or, unary(UnaryOp::Not, a), b),
    }
}

/// The sum of `count` numbers of the interval.
pub fn times(count: i128, of: Interval) -> Interval {
    let product = |x| count.saturating_mul(wide(x));
    cut([product(of.0), product(of.1)])
}

fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn equal(a: Interval, b: Interval) -> Option<bool> {
    match meet(a, b) {
        None => Some(false),
        Some(_) if a.0 == a.1 && b.0 == b.1 => Some(true),
        Some(_) => None,
    }
}

fn wide(value: i64) -> i128 {
    i128::from(value)
}

/// The hull of the candidates, without what does not fit 64 bits.
fn cut<const N: usize>(candidates: [i128; N]) -> Interval {
    let clamp = |value: i128| value.clamp(wide(i64::MIN), wide(i64::MAX)) as i64;
    let lo = candidates.iter().copied().min().unwrap_or(0);
    let hi = candidates.iter().copied().max().unwrap_or(0);
    (clamp(lo), clamp(hi))
}

/// For operators that take their extremes at the ends of `a` and at one of `of_b`.
fn corners(a: Interval, of_b: &[i64], op: impl Fn(i128, i128) -> i128) -> Interval {
    of_b.iter()
        .map(|&y| cut([op(wide(a.0), wide(y)), op(wide(a.1), wide(y))]))
        .reduce(join)
        .unwrap_or(ANYTHING)
}

/// The quotient is extreme at the ends of the divisors below and above zero.
fn divide(a: Interval, b: Interval) -> Interval {
    let mut ends = Vec::with_capacity(4);
    for part in [(b.0, b.1.min(-1)), (b.0.max(1), b.1)] {
        if part.0 <= part.1 {
            ends.extend([part.0, part.1]);
        }
    }
    corners(a, &ends, |x, y| x / y)
}

/// The remainder is smaller than the divisor, not larger than the dividend, and has its sign.
fn modulo(a: Interval, b: Interval) -> Interval {
    let divisor = wide(b.0).abs().max(wide(b.1).abs());
    let most = (divisor - 1).max(0);
    cut([wide(a.0).clamp(-most, 0), wide(a.1).clamp(0, most)])
}

/// The largest value of `x & y` where one of them is never negative.
fn nonnegative_min(a: Interval, b: Interval) -> i64 {
    match (a.0 >= 0, b.0 >= 0) {
        (true, true) => a.1.min(b.1),
        (true, false) => a.1,
        _ => b.1,
    }
}

/// Results of bit operators fit as many bits as their operands.
fn bits(a: Interval, b: Interval) -> Interval {
    let reach = |value: i64| if value < 0 { !value } else { value };
    let largest = [a.0, a.1, b.0, b.1].into_iter().map(reach).max().unwrap_or(0);
    let mask = i64::MAX.checked_shr(largest.leading_zeros() - 1).unwrap_or(0);
    let is_nonnegative = a.0 >= 0 && b.0 >= 0;
    (if is_nonnegative { 0 } else { !mask }, mask)
}
