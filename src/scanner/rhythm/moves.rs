//! Which moves a configuration allows.

use super::cells::{Cells, ChuckState, LockState};
use super::tool::{Idle, Move, Tool};
use crate::layout::Content;

impl Tool {
    pub fn moves(&self, cells: &Cells, out: &mut Vec<Move>) {
        out.clear();
        self.track_moves(cells, out);
        for robot in (0..self.parts.robots.len()).filter(|r| self.parts.robots[*r]) {
            self.outer_moves(robot, cells, out);
            if self.is_turn_useful(robot, cells) {
                out.push(Move::Turn { robot: robot as u8 });
            }
            self.inner_moves(robot, cells, out);
        }
        if self.parts.chucks {
            self.swaps(cells, out);
            self.moves_of_any_robot(cells, out);
        }
        if self.idle != Idle::default() {
            out.retain(|step| !self.rests(*step));
        }
        if self.rules.locks || self.rules.greedy {
            out.retain(|step| self.is_within_rules(*step, cells));
        }
    }

    /// Whether the move needs something that does nothing.
    fn rests(&self, step: Move) -> bool {
        let lock = |lock: u8| self.idle.lock(lock.into());
        let robot = |robot: u8| self.idle.robot(robot.into());
        match step {
            Move::Load { lock: at } | Move::Unload { lock: at, .. } => lock(at),
            Move::From { robot: by, lock: at, .. } | Move::To { robot: by, lock: at } => {
                robot(by) || at.is_some_and(lock)
            }
            Move::Turn { robot: by } => robot(by),
            Move::Put { robot: by, .. } | Move::Take { robot: by } => by.is_some_and(robot),
            Move::Start { .. } | Move::Swap { .. } => false,
        }
    }

    /// Arms that are both empty change places for nothing; and after a turn that takes an exposed
    /// wafer from the locks and leaves no arm that could do anything, the only way is back.
    fn is_turn_useful(&self, robot: usize, cells: &Cells) -> bool {
        let cell = self.arm_cell(robot);
        let outer = cells.arm(cell);
        if self.has_two_arms(robot) {
            let both = (outer, cells.arm(cell + 1));
            return both != (Content::Empty, Content::Empty)
                && both != (Content::Exposed, Content::Raw);
        }
        outer != if cells.is_away(cell + 1) { Content::Raw } else { Content::Exposed }
    }

    fn track_moves(&self, cells: &Cells, out: &mut Vec<Move>) {
        for lock in (0..self.parts.locks.len()).filter(|l| self.parts.locks[*l]) {
            let kind = &self.scanner.locks[lock];
            let lock = lock as u8;
            match cells.lock(lock.into()) {
                LockState::Open if kind.takes_in => out.push(Move::Load { lock }),
                LockState::Done => {
                    if kind.takes_in {
                        out.push(Move::Unload { lock, down: false });
                    }
                    out.push(Move::Unload { lock, down: true });
                }
                _ => {}
            }
        }
    }

    fn outer_moves(&self, robot: usize, cells: &Cells, out: &mut Vec<Move>) {
        let Some((cell, _)) = self.outer(robot, cells) else { return };
        let (held, own) = (cells.arm(cell), robot as u8);
        let (mut from_any, mut to_any) = (false, false);
        for &lock in &self.scanner.robots[robot].locks {
            let kind = &self.scanner.locks[lock];
            if !self.parts.locks[lock] {
                from_any |= held == Content::Empty && kind.takes_in;
                to_any |= held == Content::Exposed && kind.lets_out;
                continue;
            }
            let state = cells.lock(lock);
            let lock = Some(lock as u8);
            if held == Content::Empty && state == LockState::Raw {
                if kind.lets_out {
                    out.push(Move::From { robot: own, lock, up: false });
                }
                out.push(Move::From { robot: own, lock, up: true });
            }
            if held == Content::Exposed && state == LockState::Void {
                out.push(Move::To { robot: own, lock });
            }
        }
        if from_any {
            out.push(Move::From { robot: own, lock: None, up: false });
        }
        if to_any {
            out.push(Move::To { robot: own, lock: None });
        }
    }

    fn inner_moves(&self, robot: usize, cells: &Cells, out: &mut Vec<Move>) {
        let Some((cell, _)) = self.inner(robot, cells) else { return };
        let (held, robot) = (cells.arm(cell), Some(robot as u8));
        let front = self.front(cells).map(|(chuck, _)| cells.chuck(chuck));
        let given = !self.parts.chucks;
        if held == Content::Raw && (given || front == Some(ChuckState::Bare)) {
            out.push(Move::Put { robot, measure: true });
            if !given {
                out.push(Move::Put { robot, measure: false });
            }
        }
        if held == Content::Empty && (given || front == Some(ChuckState::Ready)) {
            out.push(Move::Take { robot });
        }
    }

    fn swaps(&self, cells: &Cells, out: &mut Vec<Move>) {
        let cell = self.chuck_cell();
        let is_other_idle = match self.has_two_chucks() {
            true => cells.chuck(cell + 1) == ChuckState::Bare,
            false => !cells.is_away(cell + 1),
        };
        if cells.chuck(cell) == ChuckState::Bare && is_other_idle {
            return; // without a wafer, they change places for nothing
        }
        let (can_measure, can_expose) = self.after_swap(cells);
        for measure in [true, false] {
            for expose in [true, false] {
                if (can_measure || !measure) && (can_expose || !expose) {
                    out.push(Move::Swap { measure, expose });
                }
            }
        }
    }

    /// Whether a wafer can be measured, and one exposed, as soon as the chucks have changed places.
    pub(super) fn after_swap(&self, cells: &Cells) -> (bool, bool) {
        let cell = self.chuck_cell();
        let first = cells.chuck(cell);
        let is_measured = first == ChuckState::Measured;
        if self.has_two_chucks() {
            return (cells.chuck(cell + 1) == ChuckState::Fresh, is_measured);
        }
        match cells.is_away(cell + 1) {
            true => (first == ChuckState::Fresh, false),
            false => (false, is_measured),
        }
    }

    /// What robots that were dropped do with the chucks.
    fn moves_of_any_robot(&self, cells: &Cells, out: &mut Vec<Move>) {
        if self.parts.robots.iter().all(|there| *there) {
            return;
        }
        match self.front(cells).map(|(chuck, _)| cells.chuck(chuck)) {
            Some(ChuckState::Bare) => {
                out.push(Move::Put { robot: None, measure: true });
                out.push(Move::Put { robot: None, measure: false });
            }
            Some(ChuckState::Ready) => out.push(Move::Take { robot: None }),
            _ => {}
        }
    }
}
