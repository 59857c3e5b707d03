//! What queries want to know about clocks, collected before the search starts.

use super::satisfy::clock_tests;
use super::tables::{Interest, Limit};
use crate::model::analysis::Ranges;
use crate::model::{Formula, Model};
use crate::trace::Constraint;

/// The clock comparisons of all these formulas.
pub fn interest<'f>(model: &Model, formulas: impl IntoIterator<Item = &'f Formula>) -> Interest {
    let mut tests = Vec::new();
    formulas.into_iter().for_each(|formula| clock_tests(formula, &mut tests));
    let mut interest = Interest::default();
    let ranges = Ranges::declared(model);
    for test in tests {
        let (lo, hi) = ranges.of(&test.bound.tree);
        interest.largest = interest.largest.max(lo.saturating_abs()).max(hi.saturating_abs());
        let left = test.left.as_ref().map_or(Vec::new(), |c| ranges.clocks(c));
        let right = test.right.as_ref().map_or(Vec::new(), |c| ranges.clocks(c));
        // The formula may be asked for or its negation: both directions count.
        let largest = lo.saturating_abs().max(hi.saturating_abs());
        let compared = left.iter().chain(&right);
        interest.compared.extend(compared.map(|&clock| Limit {
            clock,
            lower: largest,
            upper: largest,
        }));
        for &x in &left {
            for &y in right.iter().filter(|&&y| y != x) {
                interest.diagonals.extend((lo..=hi).take(64).map(|bound| Constraint {
                    left: Some(x),
                    right: Some(y),
                    is_strict: test.is_strict,
                    bound,
                }));
            }
        }
    }
    interest
}
