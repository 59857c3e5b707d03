//! A symbolic state: integers, and a zone over the clocks that matter there.

use super::tables::{Limit, Tables};
use super::tally::Tally;
use super::zone::Zone;
use crate::dbm::{Bound, ClockLimits, NO_LIMIT};
use crate::model::ClockId;
use crate::trace::Constraint;

/// Locations and variables, the active clocks, and their valuations.
#[derive(Clone, Debug, Default)]
pub struct State<Z> {
    /// Locations, then variables (see `model`).
    pub cells: Vec<i32>,
    /// The clocks that matter here, ascending; clock `clocks[i]` is clock `i + 1` of the zone.
    pub clocks: Vec<ClockId>,
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
    pub fn position(&self, clock: ClockId) -> Option<usize> {
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
    /// Limits by clock, of the active ones.
    limits: Vec<(i64, i64)>,
    /// A bit for each clock; all 0 between two states.
    active: Vec<u64>,
    /// By clock: where it was among the clocks of a state when it was there last.
    place: Vec<u16>,
    tally: Tally,
}

/// From so many processes on it pays to look only at those that have moved.
const MANY: usize = 100;

impl Activity {
    pub fn new(clock_count: usize) -> Activity {
        Activity {
            limits: vec![(NO_LIMIT, NO_LIMIT); clock_count],
            active: vec![0; clock_count.div_ceil(64)],
            place: vec![0; clock_count],
            tally: Tally::default(),
        }
    }

    /// Fills in the active clocks, ascending, and their limits.
    pub fn find<B: Bound>(
        &mut self,
        tables: &Tables,
        cells: &[i32],
        clocks: &mut Vec<ClockId>,
        limits: &mut ClockLimits<B>,
    ) {
        if tables.sites.len() >= MANY {
            self.tally.find(tables, cells, clocks, limits);
        } else {
            self.join_all(tables, cells);
            self.collect(clocks, limits);
        }
        for (i, &clock) in clocks.iter().enumerate() {
            self.place[clock] = i as u16;
        }
    }

    /// The number of a clock in the zone over these clocks; 0 if it is not one of them. Known
    /// without a search for the last state that was looked at.
    #[inline]
    pub fn position(&self, clocks: &[ClockId], clock: ClockId) -> usize {
        let place = usize::from(self.place[clock]);
        if clocks.get(place) == Some(&clock) {
            return place + 1;
        }
        clocks.binary_search(&clock).map_or(0, |place| place + 1)
    }

    fn join_all(&mut self, tables: &Tables, cells: &[i32]) {
        for process in 0..tables.sites.len() {
            for limit in tables.prefilter.limits(process, cells) {
                self.join(limit);
            }
        }
        for limit in &tables.watched {
            self.join(limit);
        }
    }

    #[inline]
    fn join(&mut self, limit: &Limit) {
        let of = limit.clock.index();
        let (word, bit) = (&mut self.active[of / 64], 1 << (of % 64));
        let known = &mut self.limits[of];
        if *word & bit == 0 {
            *word |= bit;
            *known = (limit.lower, limit.upper);
        } else {
            *known = (known.0.max(limit.lower), known.1.max(limit.upper));
        }
    }

    fn collect<B: Bound>(&mut self, clocks: &mut Vec<ClockId>, limits: &mut ClockLimits<B>) {
        clocks.clear();
        limits.clear();
        for (at, word) in self.active.iter_mut().enumerate() {
            let mut bits = std::mem::take(word);
            while bits != 0 {
                let clock = at * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (lower, upper) = self.limits[clock];
                clocks.push(ClockId::at(clock));
                limits.push(lower, upper);
            }
        }
    }
}
