//! What queries want to know about clocks, collected before the search starts.
//!
//! A test in a formula matters only where the rest of the formula does not decide its value already:
//! in `P.b && x > 5` the value of `x` is of interest only while P is in b, and before that for as
//! long as P gets there without resetting it. So the test counts like a guard of P in b, and zones
//! are as wide elsewhere as without the query. A formula asks for states in which it holds: a test
//! from below is one from above only where it is negated.

use super::facts::{Fact, facts_of};
use super::satisfy::Claim;
use super::tables::{Interest, Limit};
use crate::dbm::NO_LIMIT;
use crate::model::analysis::{Diagonal, Ranges, Spread};
use crate::model::{ClockTest, Formula, LocationId, Model, ProcessId};

/// A test, and what is true wherever it decides the formula's value.
struct Asked<'f> {
    test: &'f ClockTest,
    /// False if its negation is asked for.
    wanted: bool,
    facts: Vec<Fact>,
}

/// The clock comparisons of all these claims. Clocks of the model are set to at most
/// `largest_reset`.
pub fn interest<'f>(
    model: &Model,
    largest_reset: i64,
    claims: impl IntoIterator<Item = Claim<'f>>,
) -> Interest {
    let mut asked = Vec::new();
    for Claim { formula, is_true } in claims {
        collect(model, formula, is_true, &mut Vec::new(), &mut asked);
    }
    let mut interest = Interest::default();
    if asked.is_empty() {
        return interest;
    }
    let mut spread = Spread::new(model);
    let ranges = Ranges::declared(model);
    for Asked { test, wanted, facts } in asked {
        let (lo, hi) = ranges.of(&test.bound.tree);
        let left = test.left.as_ref().map_or(Vec::new(), |c| ranges.clocks(c));
        let right = test.right.as_ref().map_or(Vec::new(), |c| ranges.clocks(c));
        let mut largest = lo.saturating_abs().max(hi.saturating_abs());
        let is_diagonal = !left.is_empty() && !right.is_empty();
        if is_diagonal {
            // Once one clock is set to `r`, the comparison is one of the other with `c + r`.
            largest = largest.saturating_add(largest_reset);
        }
        interest.largest = interest.largest.max(largest);
        for (clocks, is_left) in [(&left, true), (&right, false)] {
            // What stands on the left is to be small.
            let (lower, upper) = match is_left == wanted {
                _ if is_diagonal => (largest, largest),
                true => (NO_LIMIT, largest),
                false => (largest, NO_LIMIT),
            };
            let limits = clocks.iter().map(|&clock| Limit { clock, lower, upper });
            match &facts[..] {
                facts if facts.is_empty() || is_diagonal => interest.compared.extend(limits),
                facts => limits.for_each(|limit| site(&mut spread, facts, limit, &mut interest)),
            }
        }
        for &x in &left {
            for &y in right.iter().filter(|&&y| y != x) {
                let (left, right, is_strict) = (x, y, test.is_strict);
                interest.diagonals.push(Diagonal { left, right, is_strict, lo, hi });
            }
        }
    }
    interest.sited.sort_by_key(|&(p, l, limit)| (p, l, limit.clock, limit.lower, limit.upper));
    interest.sited.dedup();
    interest
}

/// Puts a limit where one of the facts says; whichever leaves the clock alone in most locations.
/// Where several do, all of them are taken: a choice between them could depend on names.
fn site(spread: &mut Spread, facts: &[Fact], limit: Limit, interest: &mut Interest) {
    let ways: Vec<(ProcessId, Vec<LocationId>)> = facts
        .iter()
        .map(|&(process, location)| (process, spread.of(process, location, limit.clock)))
        .collect();
    let least = ways.iter().map(|(_, locations)| locations.len()).min();
    for (process, locations) in ways.iter().filter(|(_, found)| Some(found.len()) == least) {
        interest.sited.extend(locations.iter().map(|&location| (*process, location, limit)));
    }
}

/// All clock tests of a formula. A part of a conjunction decides only where all others are true, one
/// of a disjunction where all others are false.
fn collect<'f>(
    model: &Model,
    formula: &'f Formula,
    wanted: bool,
    facts: &mut Vec<Fact>,
    found: &mut Vec<Asked<'f>>,
) {
    match formula {
        Formula::Clock(test) => found.push(Asked { test, wanted, facts: facts.clone() }),
        Formula::Data(_) | Formula::Deadlock => {}
        Formula::Not(inner) => collect(model, inner, !wanted, facts, found),
        Formula::And(parts) | Formula::Or(parts) => {
            let others_are = matches!(formula, Formula::And(_));
            let known: Vec<Vec<Fact>> =
                parts.iter().map(|part| facts_of(model, part, others_are)).collect();
            for (k, part) in parts.iter().enumerate() {
                let before = facts.len();
                let others = known.iter().enumerate().filter(|(other, _)| *other != k);
                facts.extend(others.flat_map(|(_, known)| known));
                collect(model, part, wanted, facts, found);
                facts.truncate(before);
            }
        }
    }
}
