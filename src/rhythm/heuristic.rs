//! Heuristics by name, as in the literature on scanners. Each says whether it keeps a schedule of
//! the least interval. The safe ones are always kept: they are part of how states are made.

use super::machine::{EMPTY, Machine, Move, OPEN, SIZE, Spot};
use super::safe::Safe;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// No state is entered from which the machine cannot be emptied.
    Policy,
    /// No pressure is changed without use, and nothing is done late that could be done at once.
    Useful,
    /// An empty lock is taken up only while fewer than half of all positions hold a wafer.
    Locks,
    /// A wafer is loaded as soon as it can be, if the machine can still be emptied then.
    Greedy,
}

impl Heuristic {
    pub const ALL: [Heuristic; 4] =
        [Heuristic::Policy, Heuristic::Useful, Heuristic::Locks, Heuristic::Greedy];

    pub fn name(self) -> &'static str {
        match self {
            Heuristic::Policy => "policy",
            Heuristic::Useful => "useful",
            Heuristic::Locks => "locks",
            Heuristic::Greedy => "greedy",
        }
    }

    pub fn named(name: &str) -> Option<Heuristic> {
        Heuristic::ALL.into_iter().find(|heuristic| heuristic.name() == name)
    }

    /// Whether some schedule of the least interval keeps it, whatever the layout.
    pub fn is_safe(self) -> bool {
        matches!(self, Heuristic::Policy | Heuristic::Useful)
    }
}

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

impl Machine {
    /// Whether the heuristic of locks lets the move be made.
    pub(super) fn is_within_rules(&self, step: Move, cells: &[u8; SIZE]) -> bool {
        let Move::From { lock, up: true, .. } = step else { return true };
        if !self.rules.locks || !self.scanner.locks[lock as usize].lets_out {
            return true;
        }
        let locks = self.parts.locks.len();
        let robots = self.scanner.robots.iter().enumerate();
        let arms = robots.flat_map(|(robot, kind)| (0..kind.arms).map(move |arm| (robot, arm)));
        let places: Vec<usize> = arms.map(|(robot, arm)| self.arm_cell(robot) + arm).collect();
        let chucks = (0..self.scanner.chucks.len()).map(|chuck| self.chuck_cell() + chuck);
        let inside = places.iter().copied().chain(chucks).filter(|cell| cells[*cell] != EMPTY);
        // an odd cell of a lock holds a wafer
        let held = inside.count() + (0..locks).filter(|lock| cells[*lock] % 2 == 1).count();
        2 * held < locks + places.len() + self.scanner.chucks.len()
    }

    /// When a wafer must be loaded at the latest, if the heuristic says so.
    pub(super) fn hurry(&self, spot: &Spot, safe: &mut Safe) -> i64 {
        if !self.rules.greedy {
            return i64::MAX;
        }
        let loads = (0..self.parts.locks.len()).filter_map(|lock| {
            let step = Move::Load { lock: lock as u8 };
            if spot.cells[lock] != OPEN || !self.scanner.locks[lock].takes_in {
                return None;
            }
            let mut after = *spot;
            let start = self.apply(&mut after, step, i64::MIN);
            safe.is_safe_after(step, &after.cells).then_some(start)
        });
        loads.min().unwrap_or(i64::MAX)
    }
}
