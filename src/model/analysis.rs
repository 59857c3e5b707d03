//! What can be said of a model without running it: which clock bounds matter where.

use super::Model;

/// For each process, location and clock: the largest constant the clock may still be compared
/// with from below (`L`: in tests `x > c`, `x >= c`) and from above (`U`: `x < c`, `x <= c`)
/// before it is reset, as far as this process's own edges tell. `None`: no such test.
/// (Behrmann, Bouyer, Fleury, Larsen: Static guard analysis in timed automata verification.)
///
/// For a location vector, the bound of a clock is the maximum over the processes. A clock
/// without any bound in a location vector is inactive there.
#[derive(Clone, Debug, Default)]
pub struct ClockBounds {
    /// `[process][location][clock]`
    pub lower: Vec<Vec<Vec<Option<i64>>>>,
    pub upper: Vec<Vec<Vec<Option<i64>>>>,
    /// True if some guard or invariant compares two clocks (`x - y < c`).
    pub has_diagonals: bool,
    /// The largest absolute value a bound or a reset may have.
    pub largest: i64,
}

/// Solves the bounds of all locations by propagation against the edges.
pub fn clock_bounds(_model: &Model) -> ClockBounds {
    todo!()
}
