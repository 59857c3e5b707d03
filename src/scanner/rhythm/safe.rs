//! Whether a machine can still be emptied, by its contents alone.
//!
//! Nothing is lost by keeping to states from which it can. In any schedule leave out all that is
//! done with wafers which never leave: every other operation is still possible, because an empty
//! place only ever helps. What is left holds, at any time, only wafers that can be brought out, by
//! doing what the schedule does and loading no more.

use super::machine::{
    DONE, EMPTY, EXPOSED, FRESH, HELD, MEASURED, Machine, Move, RAW, READY, SIZE,
};
use hashbrown::HashMap;

pub struct Safe<'a> {
    machine: &'a Machine,
    known: HashMap<u128, bool>,
}

impl<'a> Safe<'a> {
    pub fn new(machine: &'a Machine) -> Safe<'a> {
        Safe { machine, known: HashMap::new() }
    }

    /// Whether the machine can be emptied after this move, which was made in a safe state.
    pub fn is_safe_after(&mut self, step: Move, cells: &[u8; SIZE]) -> bool {
        let moves = matches!(
            step,
            Move::Load { .. } | Move::From { .. } | Move::Put { .. } | Move::Take { .. }
        );
        !moves || self.can_empty(self.contents(cells))
    }

    /// Everywhere 0 empty, 1 unexposed, 2 exposed; sides and positions are forgotten.
    fn contents(&self, cells: &[u8; SIZE]) -> [u8; SIZE] {
        let mut plain = [EMPTY; SIZE];
        for lock in 0..self.machine.parts.locks.len() {
            plain[lock] = match cells[lock] {
                RAW => HELD,
                DONE => EXPOSED,
                _ => EMPTY,
            };
        }
        for robot in 0..self.machine.parts.robots.len() {
            let cell = self.machine.arm_cell(robot);
            let arms = self.machine.scanner.robots[robot].arms;
            plain[cell..cell + arms].copy_from_slice(&cells[cell..cell + arms]);
            plain[cell..cell + arms].sort_unstable();
        }
        let (cell, chucks) = (self.machine.chuck_cell(), self.machine.scanner.chucks.len());
        for chuck in cell..cell + chucks {
            plain[chuck] = match cells[chuck] {
                FRESH | MEASURED => HELD,
                READY => EXPOSED,
                _ => EMPTY,
            };
        }
        plain[cell..cell + chucks].sort_unstable();
        plain
    }

    /// Every step brings a wafer closer to its way out, so this ends.
    fn can_empty(&mut self, mut plain: [u8; SIZE]) -> bool {
        let locks = self.machine.parts.locks.len();
        plain[..locks].iter_mut().filter(|lock| **lock == EXPOSED).for_each(|lock| *lock = EMPTY);
        let cells = &plain[..self.machine.cells];
        if cells.iter().all(|cell| *cell == EMPTY) {
            return true;
        }
        let key = cells.iter().fold(0u128, |key, cell| key << 2 | u128::from(*cell));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let can = self.steps(&plain).into_iter().any(|next| self.can_empty(next));
        self.known.insert(key, can);
        can
    }

    fn steps(&self, plain: &[u8; SIZE]) -> Vec<[u8; SIZE]> {
        let scanner = &self.machine.scanner;
        let mut steps = Vec::new();
        let first = self.machine.chuck_cell();
        let idle = self.machine.idle;
        for (robot, kind) in scanner.robots.iter().enumerate().filter(|(r, _)| !idle.robot(*r)) {
            for arm in self.machine.arm_cell(robot)..self.machine.arm_cell(robot) + kind.arms {
                let mut step = |place: usize, left: u8, held: u8| {
                    let mut next = *plain;
                    next[place] = left;
                    next[arm] = held;
                    steps.push(next);
                };
                for &lock in kind.locks.iter().filter(|lock| !idle.lock(**lock)) {
                    match (plain[arm], plain[lock]) {
                        (EMPTY, HELD) => step(lock, EMPTY, HELD),
                        (EXPOSED, EMPTY) if scanner.locks[lock].lets_out => {
                            step(lock, EXPOSED, EMPTY)
                        }
                        _ => {}
                    }
                }
                for chuck in first..first + scanner.chucks.len() {
                    match (plain[arm], plain[chuck]) {
                        (EMPTY, HELD | EXPOSED) => step(chuck, EMPTY, EXPOSED),
                        (HELD, EMPTY) => step(chuck, HELD, EMPTY),
                        _ => {}
                    }
                }
            }
        }
        steps
    }
}
