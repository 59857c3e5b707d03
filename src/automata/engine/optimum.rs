//! How small or large a clock can get.
//!
//! For the smallest value, the clock counts as one that may be compared with any constant
//! from above: of two zones that otherwise agree, the one that is earlier covers the other. Values
//! are bounded below, so the search ends. A known lower bound on the goal's value (an
//! [`Estimate`]) orders the waiting states and drops those that cannot improve.

use super::Estimate;
use super::incumbent::{Best, Incumbent};
use super::projection::Projection;
use super::satisfy::satisfying;
use super::search::{Goal, Seen};
use super::state::State;
use super::store::NodeId;
use super::successor::{Broken, Flow, Successors};
use super::zone::Zone;
use crate::dbm::{Bound, Dbm, NoMinimum};
use crate::model::{Addr, ClockId, Fault, FaultKind, Formula};
use std::ops::ControlFlow;
use takt_diagnostic::Span;

/// The smallest value of a clock where the formula holds.
pub struct Earliest<'q> {
    pub within: &'q Formula,
    pub clock: ClockId,
    /// The clock may be set again: what follows a state may have a smaller value than it.
    pub is_reset: bool,
    pub estimate: Option<&'q mut dyn Estimate>,
    /// What the processes alone tell; `None` for a clock that is reset.
    pub projection: Option<Projection>,
    pub incumbent: Incumbent,
}

impl Earliest<'_> {
    /// The clock's smallest value in the zone.
    fn smallest<B: Bound>(zone: &Dbm<B>, position: usize) -> (i64, bool) {
        let bound = zone.get(0, position);
        (-bound.value(), !bound.is_strict())
    }
}

impl<Z: Zone> Goal<Z> for Earliest<'_> {
    fn rank(&mut self, state: &State<Z>) -> Option<i64> {
        let dbm = state.zone.dbm();
        let position = state.position(self.clock).expect("the measured clock is watched");
        let (now, _) = Self::smallest(dbm, position);
        let rank = match &mut self.estimate {
            None if self.is_reset => 0,
            None => now,
            Some(estimate) => {
                let since = |clock: ClockId| match state.position(clock) {
                    None => 0,
                    Some(other) => match dbm.get(other, position) {
                        bound if bound == Z::Bound::INFINITY => 0,
                        bound => -bound.value(),
                    },
                };
                estimate.at_goal(&state.cells, now, &since)?
            }
        };
        let rank = match &self.projection {
            Some(projection) => rank.max(projection.time(state, position)?),
            None => rank,
        };
        self.incumbent.can_improve(rank).then_some(rank)
    }

    fn tie(&self) -> i64 {
        self.estimate.as_ref().map_or(0, |estimate| estimate.tie())
    }

    fn look(&mut self, successors: &mut Successors<Z>, seen: Seen<Z>) -> Flow {
        let Seen { state, node, .. } = seen;
        let position = state.position(self.clock).expect("the measured clock is watched");
        for zone in satisfying(successors, state, self.within, true)? {
            let (value, is_attained) = Self::smallest(&zone, position);
            self.incumbent.offer(Best { node, value, is_attained });
        }
        Ok(ControlFlow::Continue(()))
    }

    fn incumbent(&mut self) -> Option<&mut Incumbent> {
        Some(&mut self.incumbent)
    }
}

/// The cheapest way to where the formula holds.
pub struct Cheapest<'q> {
    pub within: &'q Formula,
    pub projection: Projection,
    /// The cell with the model's own lower bound on the cost to come.
    pub remaining: Option<Addr>,
    pub incumbent: Incumbent,
    /// Some cost did not fit 64 bits.
    pub has_overflown: bool,
}

impl<Z: Zone> Goal<Z> for Cheapest<'_> {
    fn rank(&mut self, state: &State<Z>) -> Option<i64> {
        let Ok(rank) = self.least_total(state)? else {
            self.has_overflown = true;
            return Some(i64::MAX);
        };
        self.incumbent.can_improve(rank).then_some(rank)
    }

    fn look(&mut self, successors: &mut Successors<Z>, seen: Seen<Z>) -> Flow {
        let Seen { state, node, rank } = seen;
        for zone in satisfying(successors, state, self.within, true)? {
            let Ok((value, is_attained)) = state.zone.least_cost(&zone) else {
                self.has_overflown = true;
                continue;
            };
            // Everything else that ranks are made of is proved.
            if value < rank && self.remaining.is_some() {
                return Err(too_large(successors, self.remaining, rank, value));
            }
            self.incumbent.offer(Best { node, value, is_attained });
        }
        Ok(match self.has_overflown {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    fn incumbent(&mut self) -> Option<&mut Incumbent> {
        Some(&mut self.incumbent)
    }
}

impl Cheapest<'_> {
    /// The least that the goal can cost through the state; `None` if it cannot be reached.
    fn least_total<Z: Zone>(&mut self, state: &State<Z>) -> Option<Result<i64, NoMinimum>> {
        let projection = match self.projection.cost(state)? {
            Ok(projection) => projection,
            overflow => return Some(overflow),
        };
        let Some(remaining) = self.remaining else { return Some(Ok(projection)) };
        // The model speaks of the moment after a transition, not of a wait that follows.
        let claimed = i64::from(state.cells[remaining]);
        let total = state.entered.checked_add(claimed).ok_or(NoMinimum::Overflow);
        Some(total.map(|total| total.max(projection)))
    }
}

/// The model's own bound was wrong on the way to a goal.
fn too_large<Z: Zone>(
    successors: &Successors<Z>,
    remaining: Option<Addr>,
    claimed: i64,
    value: i64,
) -> Broken {
    let model = successors.tables.model;
    let span = remaining.map_or_else(Span::default, |cell| model.cells[cell].span);
    let kind = FaultKind::RemainingTooLarge { claimed, value };
    Broken { fault: Fault { kind, span }, action: None }
}

/// The largest value of a clock where the formula holds.
pub struct Latest<'q> {
    pub within: &'q Formula,
    pub clock: ClockId,
    pub best: Option<Best>,
    /// Some state lets the clock grow without bound, as far as the abstraction can tell.
    pub is_unbounded: Option<NodeId>,
}

impl<Z: Zone> Goal<Z> for Latest<'_> {
    fn look(&mut self, successors: &mut Successors<Z>, seen: Seen<Z>) -> Flow {
        let Seen { state, node, .. } = seen;
        let position = state.position(self.clock).expect("the measured clock is watched");
        for zone in satisfying(successors, state, self.within, true)? {
            let bound = zone.get(position, 0);
            if bound == Z::Bound::INFINITY {
                self.is_unbounded = Some(node);
                return Ok(ControlFlow::Break(()));
            }
            let (value, is_attained) = (bound.value(), !bound.is_strict());
            let is_better = self.best.is_none_or(|best| {
                value > best.value || value == best.value && is_attained && !best.is_attained
            });
            if is_better {
                self.best = Some(Best { node, value, is_attained });
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
