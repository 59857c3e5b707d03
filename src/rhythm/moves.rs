//! Which moves a configuration allows.

use super::machine::{
    ANY, BARE, DONE, EMPTY, EXPOSED, FRESH, HELD, MEASURED, Machine, Move, OPEN, RAW, READY, SIZE,
    VOID,
};

impl Machine {
    pub fn moves(&self, cells: &[u8; SIZE], out: &mut Vec<Move>) {
        out.clear();
        self.track_moves(cells, out);
        for robot in (0..self.parts.robots.len()).filter(|r| self.parts.robots[*r]) {
            self.outer_moves(robot, cells, out);
            out.push(Move::Turn { robot: robot as u8 });
            self.inner_moves(robot, cells, out);
        }
        if self.parts.chucks {
            self.swaps(cells, out);
            self.moves_of_any_robot(cells, out);
        }
        if self.rules.locks {
            out.retain(|step| self.is_within_rules(*step, cells));
        }
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
        let (can_measure, can_expose) = if self.has_two_chucks() {
            (second == FRESH, first == MEASURED)
        } else {
            (second == 1 && first == FRESH, second == 0 && first == MEASURED)
        };
        for measure in [true, false] {
            for expose in [true, false] {
                if (can_measure || !measure) && (can_expose || !expose) {
                    out.push(Move::Swap { measure, expose });
                }
            }
        }
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
