//! What each location and each edge by itself compares clocks with.

use super::ranges::Ranges;
use super::{ClockBound, ClockBounds, Diagonal, walk};
use crate::model::{ClockId, ClockTest, Conjunct, Expr, Process};
use std::collections::BTreeSet;

/// The bounds that the tests of one process ask for, as they stand there; a clock may occur
/// more than once.
pub(super) struct Tests {
    pub locations: Vec<Vec<ClockBound>>,
    pub edges: Vec<Vec<ClockBound>>,
}

/// Collects tests, and what they have in common.
pub(super) struct Local<'a> {
    ranges: &'a Ranges<'a>,
    diagonals: BTreeSet<Diagonal>,
    largest: i64,
    largest_reset: i64,
}

impl<'a> Local<'a> {
    pub fn new(ranges: &'a Ranges<'a>) -> Local<'a> {
        let mut largest_reset = 0;
        walk::model(ranges.model, &mut |expr| {
            if let Expr::Reset(_, value) = expr {
                largest_reset = largest_reset.max(ranges.of(value).1);
            }
        });
        Local { ranges, diagonals: BTreeSet::new(), largest: largest_reset, largest_reset }
    }

    pub fn tests(&mut self, process: &Process) -> Tests {
        let invariants = process.locations.iter().map(|location| &location.invariant);
        let locations = invariants.map(|conjuncts| self.bounds(conjuncts)).collect();
        let edges = process.edges.iter().map(|edge| self.bounds(&edge.guard)).collect();
        Tests { locations, edges }
    }

    pub fn finish(self, bounds: Vec<Vec<Vec<ClockBound>>>) -> ClockBounds {
        ClockBounds {
            bounds,
            has_diagonals: !self.diagonals.is_empty(),
            diagonals: self.diagonals.into_iter().collect(),
            largest: self.largest,
            largest_reset: self.largest_reset,
        }
    }

    fn bounds(&mut self, conjuncts: &[Conjunct]) -> Vec<ClockBound> {
        let mut found = Vec::new();
        conjuncts.iter().filter_map(Conjunct::test).for_each(|test| self.test(test, &mut found));
        found
    }

    /// A bound below zero decides the test whatever the clock; it still counts as 0, so that
    /// whoever meets the test has the clock at hand.
    fn test(&mut self, test: &ClockTest, found: &mut Vec<ClockBound>) {
        let (lo, hi) = self.ranges.of(&test.bound.tree);
        self.largest = self.largest.max(magnitude(lo)).max(magnitude(hi));
        let clocks = |clock: &Option<_>| clock.as_ref().map(|clock| self.ranges.clocks(clock));
        match (clocks(&test.left), clocks(&test.right)) {
            (Some(left), Some(right)) => self.diagonal(test, (lo, hi), &left, &right, found),
            (Some(left), None) => {
                let upper = Some(hi.max(0));
                found.extend(left.iter().map(|&clock| ClockBound { clock, lower: None, upper }));
            }
            (None, Some(right)) => {
                let lower = Some(lo.saturating_neg().max(0));
                found.extend(right.iter().map(|&clock| ClockBound { clock, lower, upper: None }));
            }
            (None, None) => {}
        }
    }

    /// A reset of one clock to `d` makes `x - y < c` a test of the other against `c - d` or
    /// `c + d`, so both need bounds that large (Bengtsson, Yi: On clock difference constraints
    /// and termination in reachability analysis of timed automata).
    fn diagonal(
        &mut self,
        test: &ClockTest,
        (lo, hi): (i64, i64),
        left: &[ClockId],
        right: &[ClockId],
        found: &mut Vec<ClockBound>,
    ) {
        let bound = magnitude(lo).max(magnitude(hi)).saturating_add(self.largest_reset);
        self.largest = self.largest.max(bound);
        for &left in left {
            for &right in right.iter().filter(|&&right| right != left) {
                let is_strict = test.is_strict;
                self.diagonals.insert(Diagonal { left, right, is_strict, lo, hi });
            }
        }
        let both = |&clock: &ClockId| ClockBound { clock, lower: Some(bound), upper: Some(bound) };
        found.extend(left.iter().chain(right).map(both));
    }
}

fn magnitude(value: i64) -> i64 {
    value.saturating_abs()
}
