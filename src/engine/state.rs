//! A symbolic state: integers, and a zone over the clocks that matter there.

use super::tables::{Limit, Tables};
use super::tally::Tally;
use super::zone::Zone;
use crate::dbm::{Bound, ClockLimits, NO_LIMIT};
use crate::trace::Constraint;

/// Locations and variables, the active clocks, and their valuations.
#[derive(Clone, Debug, Default)]
pub struct State<Z> {
    /// Locations, then variables (see `model`).
    pub cells: Vec<i32>,
    /// The clocks that matter here, ascending; clock `clocks[i]` is clock `i + 1` of the zone.
    pub clocks: Vec<u32>,
    pub zone: Z,
    /// Which of the observed formulas hold, all over the zone; bit by bit.
    pub marks: u32,
    /// The least cost at which it is entered, before any wait; known if someone asks for it.
    pub entered: i64,
}

impl<Z: Zone> State<Z> {
    pub fn copy_from(&mut self, other: &State<Z>) {
        self.cells.clone_from(&other.cells);
        self.clocks.clone_from(&other.clocks);
        self.zone.clone_from(&other.zone);
        self.marks = other.marks;
        self.entered = other.entered;
    }

    /// The zone's number of this clock; `None` if it does not matter here.
    pub fn position(&self, clock: u32) -> Option<usize> {
        self.clocks.binary_search(&clock).ok().map(|i| i + 1)
    }

    /// The zone as constraints on clocks of the model, without those that follow from
    /// non-negativity.
    pub fn constraints(&self) -> Vec<Constraint> {
        let dbm = self.zone.dbm();
        let clock = |i: usize| i.checked_sub(1).map(|i| self.clocks[i]);
        let mut found = Vec::new();
        for i in 0..dbm.dim() {
            for j in 0..dbm.dim() {
                let bound = dbm.get(i, j);
                let is_trivial = bound == Bound::INFINITY || i == 0 && bound == Bound::ZERO;
                if i != j && !is_trivial {
                    found.push(Constraint {
                        left: clock(i),
                        right: clock(j),
                        is_strict: bound.is_strict(),
                        bound: bound.value(),
                    });
                }
            }
        }
        found
    }
}

/// Works out which clocks matter in a state and what they may be compared with.
#[derive(Clone, Debug)]
pub struct Activity {
    /// Limits by clock; entries of inactive clocks are absent.
    limits: Vec<Limit>,
    is_active: Vec<bool>,
    tally: Tally,
}

/// From so many processes on it pays to look only at those that have moved.
const MANY: usize = 100;

impl Activity {
    pub fn new(clock_count: usize) -> Activity {
        let limits = (0..clock_count as u32)
            .map(|clock| Limit { clock, lower: NO_LIMIT, upper: NO_LIMIT })
            .collect();
        Activity { limits, is_active: vec![false; clock_count], tally: Tally::default() }
    }

    /// Fills in the active clocks, ascending, and their limits.
    pub fn find<B: Bound>(
        &mut self,
        tables: &Tables,
        cells: &[i32],
        clocks: &mut Vec<u32>,
        limits: &mut ClockLimits<B>,
    ) {
        if tables.sites.len() >= MANY {
            self.tally.find(tables, cells, clocks, limits);
            return;
        }
        clocks.clear();
        for process in 0..tables.sites.len() {
            for limit in tables.quick.limits(process, cells) {
                self.join(limit, clocks);
            }
        }
        for limit in &tables.watched {
            self.join(limit, clocks);
        }
        clocks.sort_unstable();
        limits.clear();
        for &clock in clocks.iter() {
            let limit = &mut self.limits[clock as usize];
            limits.push(limit.lower, limit.upper);
            (limit.lower, limit.upper) = (NO_LIMIT, NO_LIMIT);
            self.is_active[clock as usize] = false;
        }
    }

    fn join(&mut self, limit: &Limit, clocks: &mut Vec<u32>) {
        let of = limit.clock as usize;
        if !self.is_active[of] {
            self.is_active[of] = true;
            clocks.push(limit.clock);
        }
        self.limits[of].lower = self.limits[of].lower.max(limit.lower);
        self.limits[of].upper = self.limits[of].upper.max(limit.upper);
    }
}
