//! Which moves a configuration allows.

use super::machine::{
    ANY, BARE, DONE, EMPTY, EXPOSED, FRESH, HELD, Idle, MEASURED, Machine, Move, OPEN, RAW, READY,
    SIZE, VOID,
};

impl Machine {
    pub fn moves(&self, cells: &[u8; SIZE], out: &mut Vec<Move>) {
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
        let lock = |lock: u8| lock != ANY && self.idle.lock(lock as usize);
        let robot = |robot: u8| robot != ANY && self.idle.robot(robot as usize);
        match step {
            Move::Load { lock: at } | Move::Unload { lock: at, .. } => lock(at),
            Move::From { robot: by, lock: at, .. } | Move::To { robot: by, lock: at } => {
                robot(by) || lock(at)
            }
            Move::Turn { robot: by } | Move::Put { robot: by, .. } | Move::Take { robot: by } => {
                robot(by)
            }
            Move::Start { .. } | Move::Swap { .. } => false,
        }
    }

    /// Arms that are both empty change places for nothing; and after a turn that takes an exposed
    /// wafer from the locks and leaves no arm that could do anything, the only way is back.
    fn is_turn_useful(&self, robot: usize, cells: &[u8; SIZE]) -> bool {
        let cell = self.arm_cell(robot);
        let (outer, inner) = (cells[cell], cells[cell + 1]);
        if self.has_two_arms(robot) {
            return (outer, inner) != (EMPTY, EMPTY) && (outer, inner) != (EXPOSED, HELD);
        }
        let (held, is_inside) = (outer, inner == 1);
        held != if is_inside { HELD } else { EXPOSED }
    }

    fn track_moves(&self, cells: &[u8; SIZE], out: &mut Vec<Move>) {
        for lock in (0..self.parts.locks.len()).filter(|l| self.parts.locks[*l]) {
            let kind = &self.scanner.locks[lock];
            let lock = lock as u8;
            match cells[lock as usize] {
                OPEN if kind.takes_in => out.push(Move::Load { lock }),
                DONE => {
                    if kind.takes_in {
                        out.push(Move::Unload { lock, down: false });
                    }
                    out.push(Move::Unload { lock, down: true });
                }
                _ => {}
            }
        }
    }

    fn outer_moves(&self, robot: usize, cells: &[u8; SIZE], out: &mut Vec<Move>) {
        let Some((cell, _)) = self.outer(robot, cells) else { return };
        let (held, robot) = (cells[cell], robot as u8);
        let (mut from_any, mut to_any) = (false, false);
        for &lock in &self.scanner.robots[robot as usize].locks {
            let kind = &self.scanner.locks[lock];
            if !self.parts.locks[lock] {
                from_any |= held == EMPTY && kind.takes_in;
                to_any |= held == EXPOSED && kind.lets_out;
                continue;
            }
            let content = cells[lock];
            let lock = lock as u8;
            if held == EMPTY && content == RAW {
                if kind.lets_out {
                    out.push(Move::From { robot, lock, up: false });
                }
                out.push(Move::From { robot, lock, up: true });
            }
            if held == EXPOSED && content == VOID {
                out.push(Move::To { robot, lock });
            }
        }
        if from_any {
            out.push(Move::From { robot, lock: ANY, up: false });
        }
        if to_any {
            out.push(Move::To { robot, lock: ANY });
        }
    }

    fn inner_moves(&self, robot: usize, cells: &[u8; SIZE], out: &mut Vec<Move>) {
        let Some((cell, _)) = self.inner(robot, cells) else { return };
        let robot = robot as u8;
        let front = self.front(cells).map(|(chuck, _)| cells[chuck]);
        let given = !self.parts.chucks;
        if cells[cell] == HELD && (given || front == Some(BARE)) {
            out.push(Move::Put { robot, measure: true });
            if !given {
                out.push(Move::Put { robot, measure: false });
            }
        }
        if cells[cell] == EMPTY && (given || front == Some(READY)) {
            out.push(Move::Take { robot });
        }
    }

    fn swaps(&self, cells: &[u8; SIZE], out: &mut Vec<Move>) {
        let (first, second) = (cells[self.chuck_cell()], cells[self.chuck_cell() + 1]);
        if (first, second) == (BARE, 0) {
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
    pub(super) fn after_swap(&self, cells: &[u8; SIZE]) -> (bool, bool) {
        let (first, second) = (cells[self.chuck_cell()], cells[self.chuck_cell() + 1]);
        if self.has_two_chucks() {
            return (second == FRESH, first == MEASURED);
        }
        (second == 1 && first == FRESH, second == 0 && first == MEASURED)
    }

    /// What robots that were dropped do with the chucks.
    fn moves_of_any_robot(&self, cells: &[u8; SIZE], out: &mut Vec<Move>) {
        if self.parts.robots.iter().all(|there| *there) {
            return;
        }
        match self.front(cells).map(|(chuck, _)| cells[chuck]) {
            Some(BARE) => {
                out.push(Move::Put { robot: ANY, measure: true });
                out.push(Move::Put { robot: ANY, measure: false });
            }
            Some(READY) => out.push(Move::Take { robot: ANY }),
            _ => {}
        }
    }
}
