//! What someone who knows the meaning of a model may tell the search about it.

use crate::model::ClockId;

/// A lower bound on where a clock that is never reset can stand at the goal, used by
/// `inf{goal}: clock` to order the waiting states and to drop those that cannot improve.
///
/// The bound must hold for every valuation of the zone; the search trusts it.
pub trait Estimate {
    /// `state` holds locations, then variables (see `model`). `now` is the smallest value of
    /// the measured clock in the zone. `since(c)` is a lower bound of `measured clock - c`
    /// over the zone, the earliest instant at which clock `c` can have been reset last; 0
    /// where the zone says nothing about `c`, as for an inactive clock.
    ///
    /// Gives a lower bound on the measured clock at the goal, at least `now`; `None` if the
    /// goal cannot be reached from here.
    fn at_goal(&mut self, state: &[i32], now: i64, since: &dyn Fn(ClockId) -> i64) -> Option<i64>;

    /// Of the state that was asked about last: the smaller, the sooner it is followed among those
    /// with equal bounds. Proves nothing.
    fn tie(&self) -> i64 {
        0
    }
}
