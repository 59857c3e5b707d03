//! Widening in the presence of comparisons between two clocks.
//!
//! The usual abstractions are not exact for guards `x - y < c`. After Bengtsson and Yi (On clock
//! difference constraints and termination in reachability analysis of timed automata, 2003) a
//! zone is first split so that each part is all inside or all outside of every such guard; a
//! part is widened with one limit per clock and cut back to its side of each guard. What
//! is added that way is bisimilar to something that was there.

use super::state::State;
use super::tables::Tables;
use super::zone::Zone;
use crate::dbm::{Bound, ClockLimits, Dbm};

/// The widened parts of the state's zone. Costs forbid widening: there the zone stays as it is.
pub fn widen<Z: Zone>(tables: &Tables, state: &State<Z>, limits: &ClockLimits<Z::Bound>) -> Vec<Z> {
    if Z::IS_PRICED {
        return vec![state.zone.clone()];
    }
    let cuts: Vec<Cut<Z::Bound>> = tables
        .diagonals
        .iter()
        .filter_map(|d| {
            let i = state.position(d.left?)?;
            let j = state.position(d.right?)?;
            Some((i, j, Z::Bound::new(d.bound, d.is_strict)))
        })
        .collect();
    let mut parts = vec![(state.zone.dbm().clone(), Vec::new())];
    for &cut in &cuts {
        parts = parts.into_iter().flat_map(|(part, sides)| split(&part, &sides, cut)).collect();
    }
    parts
        .into_iter()
        .map(|(mut part, sides)| {
            part.extrapolate(limits);
            for (i, j, bound) in sides {
                let is_left = part.constrain(i, j, bound);
                assert!(is_left, "a widened part still meets its side of each cut");
            }
            let mut zone = state.zone.clone();
            zone.set_dbm(part);
            zone
        })
        .collect()
}

type Cut<B> = (usize, usize, B);

/// Both sides of the cut, each with the list of sides it is on.
fn split<B: Bound>(
    part: &Dbm<B>,
    sides: &[Cut<B>],
    (i, j, bound): Cut<B>,
) -> Vec<(Dbm<B>, Vec<Cut<B>>)> {
    [(i, j, bound), (j, i, bound.negated())]
        .into_iter()
        .filter_map(|side| {
            let mut half = part.clone();
            half.constrain(side.0, side.1, side.2).then(|| (half, [sides, &[side]].concat()))
        })
        .collect()
}
