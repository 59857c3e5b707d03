//! Numbers of a spec as they count: durations in whole units, prices in millionths.

use num_traits::{CheckedDiv, CheckedMul, ToPrimitive};
use takt_spec::{Exact, Expr, Rate, Scope};

/// Costs have at most six decimal places, so all of them are whole numbers of millionths.
pub const MILLION: i128 = 1_000_000;

/// A duration, rounded up once to whole units. `None` where it cannot be computed, which a spec
/// that was read without error does not contain.
pub fn whole(expr: &Expr, scope: Scope) -> Option<i64> {
    expr.duration(scope).ok()?.ceil().to_integer().to_i64()
}

/// What is missing is 0.
pub fn whole_or_zero(expr: Option<&Expr>, scope: Scope) -> Option<i64> {
    expr.map_or(Some(0), |expr| whole(expr, scope))
}

/// How long a whole duration takes at this share of full speed.
pub fn stretched(duration: i64, share: &Exact) -> Option<i64> {
    Exact::from(i128::from(duration)).checked_div(share)?.ceil().to_integer().to_i64()
}

/// A price that is paid once, in millionths, rounded up.
pub fn price(expr: Option<&Expr>, scope: Scope) -> Option<i128> {
    expr.map_or(Some(0), |expr| millionths(expr.number(scope).ok()?))
}

/// A price per unit of time, in millionths, rounded up.
pub fn rate(rate: Option<&Rate>, scope: Scope) -> Option<i128> {
    let Some(rate) = rate else { return Some(0) };
    let amount = rate.amount.number(scope).ok()?;
    let Some(per) = &rate.per else { return millionths(amount) };
    let unit = i128::from(scope.unit.seconds()?);
    millionths(amount.checked_mul(&Exact::new(unit, i128::from(per.value.seconds())))?)
}

fn millionths(exact: Exact) -> Option<i128> {
    Some(exact.checked_mul(&Exact::from(MILLION))?.ceil().to_integer())
}

/// A number with at most six decimal places, written exactly and without an exponent.
pub fn decimal(exact: &Exact) -> String {
    let millionths = (exact * Exact::from(MILLION)).to_integer();
    let (sign, size) = (if millionths < 0 { "-" } else { "" }, millionths.unsigned_abs());
    let million = MILLION.unsigned_abs();
    let fraction = format!("{:06}", size % million);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", size / million)
}

/// Any number: as a decimal where that is exact, else as `a/b`.
pub fn exact(exact: &Exact) -> String {
    let millionths = exact.checked_mul(&Exact::from(MILLION));
    match millionths.is_some_and(|millionths| millionths.is_integer()) {
        true => decimal(exact),
        false => exact.to_string(),
    }
}
