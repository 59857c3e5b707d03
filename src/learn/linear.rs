//! `sum of weight * side <= limit`, with positive weights.

use crate::domains::Conflict;
use crate::literal::{Lit, Side};
use crate::propagator::{Propagator, View};

#[derive(Debug)]
pub(crate) struct Linear {
    /// Weight and side.
    pub(crate) terms: Vec<(i64, Side)>,
    pub(crate) limit: i64,
}

impl Propagator for Linear {
    fn sides(&self) -> Vec<Side> {
        self.terms.iter().map(|term| term.1.mirror()).collect()
    }

    fn effort(&self) -> u64 {
        (self.terms.len() / 8) as u64
    }

    fn propagate(&mut self, view: &mut View) -> Result<(), Conflict> {
        // The least that each side can be is what its mirror says.
        let least = |view: &View, side: Side| -view.bound(side.mirror());
        let sum: i128 = self
            .terms
            .iter()
            .map(|&(weight, side)| i128::from(weight) * i128::from(least(view, side)))
            .sum();
        let slack = i128::from(self.limit) - sum;
        if slack < 0 {
            return Err(Conflict::All(self.reason(view, None, -1 - slack)));
        }
        for k in 0..self.terms.len() {
            let (weight, side) = self.terms[k];
            let room = slack / i128::from(weight);
            let most = i128::from(least(view, side)) + room;
            if most < i128::from(view.bound(side)) {
                // One more than `most` would be too much by so much.
                let over = i128::from(weight) * (room + 1) - slack - 1;
                let reason = self.reason(view, Some(k), over);
                view.set(side.at_most(most as i64), &reason)?;
            }
        }
        Ok(())
    }
}

impl Linear {
    /// The lower bounds of all other terms, weakened by as much as the sum may be less.
    fn reason(&self, view: &View, without: Option<usize>, mut spare: i128) -> Vec<Lit> {
        let mut reason = Vec::with_capacity(self.terms.len());
        for (k, &(weight, side)) in self.terms.iter().enumerate() {
            if Some(k) == without {
                continue;
            }
            let mirror = side.mirror();
            let weaker = weaken(view, mirror, spare / i128::from(weight));
            spare -= i128::from(weight) * i128::from(weaker - view.bound(mirror));
            reason.push(mirror.at_most(weaker));
        }
        reason
    }
}

/// A bound that is higher by at most `room`. What is true from the beginning needs no reason: if that much
/// room is there, all of it is used, otherwise as much as leads to a former bound or nothing.
fn weaken(view: &View, side: Side, room: i128) -> i64 {
    let now = view.bound(side);
    if room <= 0 {
        return now;
    }
    let root = view.domains.bound_at_root(side);
    if i128::from(root) - i128::from(now) <= room { root } else { now }
}
