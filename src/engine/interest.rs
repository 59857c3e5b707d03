//! What queries want to know about clocks, collected before the search starts.

use super::satisfy::clock_tests;
use super::tables::{Interest, Limit};
use crate::model::analysis::{Diagonal, Ranges};
use crate::model::{Formula, Model};

/// The clock comparisons of all these formulas. Clocks of the model are set to at most
/// `largest_reset`.
pub fn interest<'f>(
    model: &Model,
    largest_reset: i64,
    formulas: impl IntoIterator<Item = &'f Formula>,
) -> Interest {
    let mut tests = Vec::new();
    formulas.into_iter().for_each(|formula| clock_tests(formula, &mut tests));
    let mut interest = Interest::default();
    let ranges = Ranges::declared(model);
    for test in tests {
        let (lo, hi) = ranges.of(&test.bound.tree);
        let left = test.left.as_ref().map_or(Vec::new(), |c| ranges.clocks(c));
        let right = test.right.as_ref().map_or(Vec::new(), |c| ranges.clocks(c));
        // The formula may be asked for or its negation: both directions count.
        let mut largest = lo.saturating_abs().max(hi.saturating_abs());
        if !left.is_empty() && !right.is_empty() {
            // Once one clock is set to `r`, the comparison is one of the other with `c + r`.
            largest = largest.saturating_add(largest_reset);
        }
        interest.largest = interest.largest.max(largest);
        let compared = left.iter().chain(&right);
        interest.compared.extend(compared.map(|&clock| Limit {
            clock,
            lower: largest,
            upper: largest,
        }));
        for &x in &left {
            for &y in right.iter().filter(|&&y| y != x) {
                let (left, right, is_strict) = (x, y, test.is_strict);
                interest.diagonals.push(Diagonal { left, right, is_strict, lo, hi });
            }
        }
    }
    interest
}
