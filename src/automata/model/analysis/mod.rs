//! What can be said of a model without running it: values that expressions may have, and which
//! clock bounds matter where.

mod alone;
mod harmless;
mod infer;
mod interval;
mod local;
mod progress;
mod propagate;
mod ranges;
mod resets;
mod spread;
#[cfg(test)]
mod tests;
pub(super) mod walk;

pub use alone::{Affine, Alone, Measure, ProcessBound, steady_rate};
pub use harmless::Harmless;
pub use interval::Interval;
pub use progress::time_goes_on;
pub use ranges::Ranges;
pub use spread::Spread;

use super::{ClockId, Expr, Model};
use local::Local;
use resets::DefiniteResets;

/// For each process, location and clock: the largest constant the clock may still be compared
/// with from below (`L`: in tests `x > c`, `x >= c`) and from above (`U`: `x < c`, `x <= c`)
/// before it is reset, as far as this process's own edges tell.
/// (Behrmann, Bouyer, Fleury, Larsen: Static guard analysis in timed automata verification.)
///
/// For a location vector, the bound of a clock is the maximum over the processes. A clock
/// without any bound in a location vector is inactive there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClockBounds {
    /// `[process][location]`: one entry per clock that has a bound there, ascending by clock.
    pub bounds: Vec<Vec<Vec<ClockBound>>>,
    /// True if some guard or invariant compares two clocks (`x - y < c`).
    pub has_diagonals: bool,
    /// All comparisons of two clocks, each once, ascending.
    pub diagonals: Vec<Diagonal>,
    /// The largest absolute value a bound or a reset may have.
    pub largest: i64,
    /// The largest value that a clock may be set to. A query that compares two clocks with a
    /// constant `c` asks for bounds of at least `|c|` plus this for both.
    pub largest_reset: i64,
}

/// The bounds of one clock in one location; at least one of them is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockBound {
    pub clock: ClockId,
    /// `L`; `None`: no test from below.
    pub lower: Option<i64>,
    /// `U`; `None`: no test from above.
    pub upper: Option<i64>,
}

/// `left - right < c` (or `<=`) for some whole `c` from `lo` to `hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagonal {
    pub left: ClockId,
    pub right: ClockId,
    pub is_strict: bool,
    pub lo: i64,
    pub hi: i64,
}

/// Solves the bounds of all locations by propagation against the edges.
pub fn clock_bounds(model: &Model) -> ClockBounds {
    let ranges = Ranges::inferred(model);
    let resets = DefiniteResets::new(model);
    let mut local = Local::new(&ranges);
    let bounds = model
        .processes
        .iter()
        .map(|process| propagate::bounds(process, &local.tests(process), &resets))
        .collect();
    local.finish(bounds)
}

/// Whether some update sets the clock, or may set it.
pub fn is_reset(model: &Model, clock: ClockId) -> bool {
    let mut found = false;
    walk::model(model, &mut |expr| {
        if let Expr::Reset(place, _) = expr {
            found |= place.constant().is_none_or(|set| set == clock);
        }
    });
    found
}
