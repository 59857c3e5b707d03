//! When a task may start, and when it then ends: calendars and pauses, as a growing function with gaps.

use crate::domains::Conflict;
use crate::literal::{Lit, Point, Side, Var};
use crate::propagator::{Propagator, View};
use std::sync::Arc;

/// Starts from `first` to `last` end `length` later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The first start of the segment.
    pub first: i64,
    /// The last.
    pub last: i64,
    /// From start to end.
    pub length: i64,
}

/// The task starts inside a segment and ends as it says.
#[derive(Clone, Debug)]
pub struct Timing {
    /// When it starts.
    pub start: Var,
    /// When it ends.
    pub end: Point,
    /// It counts only where this holds.
    pub condition: Option<Lit>,
    /// By start, apart from each other; a later start never ends earlier.
    pub segments: Arc<[Segment]>,
}

impl Timing {
    /// Whether the end is the start and a fixed length: then it needs no propagation of its own.
    fn is_rigid(&self) -> bool {
        self.end.var == self.start
    }

    /// The first segment that does not end before the start.
    fn from(&self, start: i64) -> usize {
        self.segments.partition_point(|segment| segment.last < start)
    }

    /// The first segment that ends at this instant or later for some start.
    fn ending_from(&self, end: i64) -> usize {
        self.segments.partition_point(|segment| segment.last + segment.length < end)
    }

    /// Something cannot be where the condition holds: sets that, or where the condition is open and the
    /// literal is false, that the condition does not hold.
    fn imply(&self, view: &mut View, lit: Lit, because: Lit) -> Result<(), Conflict> {
        match self.condition {
            None => view.set(lit, &[because])?,
            Some(condition) if view.is_true(condition) => view.set(lit, &[because, condition])?,
            Some(condition) if view.is_false(lit) => view.set(!condition, &[because, !lit])?,
            Some(_) => false,
        };
        Ok(())
    }

    /// No start in a gap.
    fn leave_gaps(&self, view: &mut View) -> Result<(), Conflict> {
        let start = self.start;
        let earliest = view.min(start.into());
        let k = self.from(earliest);
        let past = k.checked_sub(1).map_or(i64::MIN / 4, |k| self.segments[k].last + 1);
        match self.segments.get(k) {
            None => return self.forbid(view, start.at_least(past)),
            Some(segment) if segment.first > earliest => {
                self.imply(view, start.at_least(segment.first), start.at_least(past))?;
            }
            Some(_) => {}
        }
        let latest = view.max(start.into());
        let after = self.segments.partition_point(|segment| segment.first <= latest);
        let next = self.segments.get(after).map_or(i64::MAX / 4, |segment| segment.first - 1);
        match after.checked_sub(1).map(|k| self.segments[k]) {
            None => self.forbid(view, start.at_most(next)),
            Some(segment) if segment.last < latest => {
                self.imply(view, start.at_most(segment.last), start.at_most(next))
            }
            Some(_) => Ok(()),
        }
    }

    /// No start is left.
    fn forbid(&self, view: &mut View, because: Lit) -> Result<(), Conflict> {
        match self.condition {
            // Both literals are true: no start is left on this side of `because`.
            Some(condition) => view.set(!condition, &[because]).map(drop),
            None => Err(Conflict::All(vec![because])),
        }
    }

    /// The end follows from the start.
    fn move_end(&self, view: &mut View) -> Result<(), Conflict> {
        let earliest = view.min(self.start.into());
        if let Some(segment) = self.segments.get(self.from(earliest)) {
            let from = earliest.max(segment.first);
            let end = self.end.at_least(from + segment.length);
            self.imply(view, end, self.start.at_least(earliest))?;
        }
        let latest = view.max(self.start.into());
        let after = self.segments.partition_point(|segment| segment.first <= latest);
        if let Some(segment) = after.checked_sub(1).map(|k| self.segments[k]) {
            let end = self.end.at_most(latest.min(segment.last) + segment.length);
            self.imply(view, end, self.start.at_most(latest))?;
        }
        Ok(())
    }

    /// The start follows from the end.
    fn move_start(&self, view: &mut View) -> Result<(), Conflict> {
        let earliest = view.min(self.end);
        match self.segments.get(self.ending_from(earliest)) {
            Some(segment) => {
                let start = segment.first.max(earliest - segment.length);
                self.imply(view, self.start.at_least(start), self.end.at_least(earliest))?;
            }
            None => self.forbid(view, self.end.at_least(earliest))?,
        }
        let latest = view.max(self.end);
        let fits = |segment: &Segment| segment.first + segment.length <= latest;
        match self.segments.partition_point(fits).checked_sub(1).map(|k| self.segments[k]) {
            Some(segment) => {
                let start = segment.last.min(latest - segment.length);
                self.imply(view, self.start.at_most(start), self.end.at_most(latest))
            }
            None => self.forbid(view, self.end.at_most(latest)),
        }
    }
}

impl Propagator for Timing {
    fn sides(&self) -> Vec<Side> {
        let mut sides = vec![self.start.upper(), self.start.lower()];
        if !self.is_rigid() {
            sides.extend([self.end.var.upper(), self.end.var.lower()]);
        }
        sides.extend(self.condition.map(|lit| lit.side));
        sides
    }

    fn effort(&self) -> u64 {
        1
    }

    fn propagate(&mut self, view: &mut View) -> Result<(), Conflict> {
        if self.condition.is_some_and(|condition| view.is_false(condition)) {
            return Ok(());
        }
        self.leave_gaps(view)?;
        if !self.is_rigid() {
            self.move_end(view)?;
            self.move_start(view)?;
        }
        Ok(())
    }
}
