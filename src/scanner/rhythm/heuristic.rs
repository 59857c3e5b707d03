//! What heuristics forbid. The safe ones are always kept: they are part of how states are made.

use super::Heuristic;
use super::cells::{Cells, ChuckState, LockState};
use super::safe::Safe;
use super::tool::{Move, Spot, Tool};
use crate::layout::Content;

/// Those that cut something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    pub locks: bool,
    pub greedy: bool,
}

impl Rules {
    pub fn new(heuristics: &[Heuristic]) -> Rules {
        Rules {
            locks: heuristics.contains(&Heuristic::Locks),
            greedy: heuristics.contains(&Heuristic::Greedy),
        }
    }
}

impl Tool {
    /// Whether the heuristics let the move be made; when it is made is another question.
    pub(super) fn is_within_rules(&self, step: Move, cells: &Cells) -> bool {
        match step {
            Move::From { lock: Some(lock), up: true, .. } => self.may_take_up(lock, cells),
            Move::Put { measure, .. } => measure || !self.rules.greedy || !self.parts.chucks,
            Move::Swap { measure, expose } => {
                !self.rules.greedy || (measure, expose) == self.after_swap(cells)
            }
            _ => true,
        }
    }

    fn may_take_up(&self, lock: u8, cells: &Cells) -> bool {
        if !self.rules.locks || !self.scanner.locks[usize::from(lock)].lets_out {
            return true;
        }
        let locks = self.parts.locks.len();
        let robots = self.scanner.robots.iter().enumerate();
        let arms = robots.flat_map(|(robot, kind)| (0..kind.arms).map(move |arm| (robot, arm)));
        let places: Vec<usize> = arms.map(|(robot, arm)| self.arm_cell(robot) + arm).collect();
        let chucks = (0..self.scanner.chucks.len()).map(|chuck| self.chuck_cell() + chuck);
        let on_arms = places.iter().filter(|cell| cells.arm(**cell) != Content::Empty).count();
        let on_chucks = chucks.filter(|cell| cells.chuck(*cell) != ChuckState::Bare).count();
        let is_full = |lock: &usize| matches!(cells.lock(*lock), LockState::Raw | LockState::Done);
        let held = on_arms + on_chucks + (0..locks).filter(is_full).count();
        2 * held < locks + places.len() + self.scanner.chucks.len()
    }

    /// When a wafer must be loaded at the latest, if the heuristic says so.
    pub(super) fn hurry(&self, spot: &Spot, safe: &mut Safe) -> i64 {
        if !self.rules.greedy {
            return i64::MAX;
        }
        let loads = (0..self.parts.locks.len()).filter_map(|lock| {
            let step = Move::Load { lock: lock as u8 };
            if spot.cells.lock(lock) != LockState::Open || !self.scanner.locks[lock].takes_in {
                return None;
            }
            let mut after = *spot;
            let start = self.apply(&mut after, step, i64::MIN);
            safe.is_safe_after(step, &after.cells).then_some(start)
        });
        loads.min().unwrap_or(i64::MAX)
    }
}
