//! Times of components that could be later without changing anything.
//!
//! A component that can only be taken together with another one is not taken before that one is
//! free; so its own time may be raised to that one's. States that differ in nothing else become
//! equal. Raising is monotone: a state that was better stays at least as good.

use super::cells::{ChuckState, LockState};
use super::tool::{ALWAYS, Spot, Tool};
use crate::layout::Content;

impl Tool {
    pub(super) fn raise(&self, spot: &mut Spot) {
        for _ in 0..2 {
            self.raise_locks(spot);
            self.raise_arms(spot);
            self.raise_chucks(spot);
            self.raise_track(spot);
        }
    }

    /// A lock at atmospheric pressure waits for the track, one in the vacuum for an arm.
    fn raise_locks(&self, spot: &mut Spot) {
        for lock in (0..self.parts.locks.len()).filter(|l| self.parts.locks[*l]) {
            let least = match spot.cells.lock(lock) {
                LockState::Open | LockState::Done => spot.free[0],
                _ => {
                    let robots = self.scanner.locks[lock].robots.iter();
                    robots.map(|robot| spot.free[self.arm_part(*robot)]).min().unwrap_or(ALWAYS)
                }
            };
            spot.free[1 + lock] = spot.free[1 + lock].max(least);
        }
    }

    /// An arm at the locks with an unexposed wafer, or at the chucks with an exposed one, waits for
    /// a turn; any other one for a turn, or a lock or the chuck.
    fn raise_arms(&self, spot: &mut Spot) {
        for robot in 0..self.parts.robots.len() {
            if !self.parts.robots[robot] || !self.has_two_arms(robot) {
                continue;
            }
            let (cell, part) = (self.arm_cell(robot), self.arm_part(robot));
            let both = spot.free[part].max(spot.free[part + 1]);
            let locks = self.scanner.robots[robot].locks.iter();
            let lock = locks.map(|lock| spot.free[1 + lock]).min().unwrap_or(both);
            let outer = if spot.cells.arm(cell) == Content::Raw { both } else { lock.min(both) };
            let chuck = spot.free[self.chuck_part()];
            let waits = spot.cells.arm(cell + 1) == Content::Exposed;
            let inner = if waits { both } else { chuck.min(both) };
            spot.free[part] = spot.free[part].max(outer);
            spot.free[part + 1] = spot.free[part + 1].max(inner);
        }
    }

    /// The chuck at the expose position waits for a swap, the other one for it or for an arm.
    fn raise_chucks(&self, spot: &mut Spot) {
        if !self.parts.chucks || !self.has_two_chucks() {
            return;
        }
        let (cell, part) = (self.chuck_cell(), self.chuck_part());
        let both = spot.free[part].max(spot.free[part + 1]);
        let arm = |robot: usize| {
            let first = self.arm_part(robot);
            spot.free[if self.has_two_arms(robot) { first + 1 } else { first }]
        };
        let arms = (0..self.parts.robots.len()).map(arm).min().unwrap_or(both);
        let waits = matches!(spot.cells.chuck(cell), ChuckState::Fresh | ChuckState::Measured);
        let front = if waits { both } else { arms.min(both) };
        spot.free[part] = spot.free[part].max(front);
        spot.free[part + 1] = spot.free[part + 1].max(spot.free[part]);
    }

    fn raise_track(&self, spot: &mut Spot) {
        if self.parts.track {
            let locks = (0..self.parts.locks.len()).map(|lock| spot.free[1 + lock]);
            spot.free[0] = spot.free[0].max(locks.min().unwrap_or(ALWAYS));
        }
    }
}
