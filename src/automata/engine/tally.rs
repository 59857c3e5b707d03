//! Which clocks matter and what they may be compared with, kept up from one state to the next.
//!
//! States that are looked at one after the other differ in few locations: only processes that are
//! elsewhere are looked at. For each clock the limits of all processes are kept, sorted, so that
//! the largest is known when others go.

use super::tables::{Limit, Tables};
use crate::dbm::{Bound, ClockLimits};
use crate::model::ClockId;
use std::collections::{BTreeMap, BTreeSet};

/// Locations that are compared at once.
const STRETCH: usize = 32;

#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Where all processes were in the state before.
    locations: Vec<i32>,
    /// For each clock.
    held: Vec<Held>,
    /// The clocks that some process has a limit for.
    active: BTreeSet<ClockId>,
}

/// How often each limit is there.
#[derive(Clone, Debug, Default)]
struct Held {
    lower: BTreeMap<i64, u32>,
    upper: BTreeMap<i64, u32>,
}

impl Tally {
    /// Fills in the active clocks, ascending, and their limits.
    pub fn find<B: Bound>(
        &mut self,
        tables: &Tables,
        cells: &[i32],
        clocks: &mut Vec<ClockId>,
        limits: &mut ClockLimits<B>,
    ) {
        let cells = &cells[..tables.sites.len()];
        if self.locations.is_empty() {
            self.start(tables, cells);
        } else {
            self.go_on(tables, cells);
        }
        clocks.clear();
        clocks.extend(&self.active);
        limits.clear();
        for &clock in clocks.iter() {
            let held = &self.held[clock];
            let last = |values: &BTreeMap<i64, u32>| {
                *values.last_key_value().expect("an active clock has limits").0
            };
            limits.push(last(&held.lower), last(&held.upper));
        }
    }

    fn start(&mut self, tables: &Tables, cells: &[i32]) {
        self.held = vec![Held::default(); tables.model.clocks.len()];
        self.locations = cells.to_vec();
        tables.watched.iter().for_each(|limit| self.add(limit));
        for (process, &location) in cells.iter().enumerate() {
            tables.prefilter.limits_at(process, location).iter().for_each(|limit| self.add(limit));
        }
    }

    fn go_on(&mut self, tables: &Tables, cells: &[i32]) {
        for first in (0..cells.len()).step_by(STRETCH) {
            let until = (first + STRETCH).min(cells.len());
            if self.locations[first..until] == cells[first..until] {
                continue;
            }
            for (process, &location) in (first..until).zip(&cells[first..until]) {
                let old = std::mem::replace(&mut self.locations[process], location);
                if old != location {
                    let limits = |location| tables.prefilter.limits_at(process, location);
                    limits(old).iter().for_each(|limit| self.remove(limit));
                    limits(location).iter().for_each(|limit| self.add(limit));
                }
            }
        }
    }

    fn add(&mut self, limit: &Limit) {
        let held = &mut self.held[limit.clock];
        if held.lower.is_empty() {
            self.active.insert(limit.clock);
        }
        *held.lower.entry(limit.lower).or_default() += 1;
        *held.upper.entry(limit.upper).or_default() += 1;
    }

    fn remove(&mut self, limit: &Limit) {
        let held = &mut self.held[limit.clock];
        for (values, value) in [(&mut held.lower, limit.lower), (&mut held.upper, limit.upper)] {
            let count = values.get_mut(&value).expect("what was added is there");
            *count -= 1;
            if *count == 0 {
                values.remove(&value);
            }
        }
        if held.lower.is_empty() {
            self.active.remove(&limit.clock);
        }
    }
}
