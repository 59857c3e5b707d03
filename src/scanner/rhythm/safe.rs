//! Whether a machine can still be emptied, by its contents alone.
//!
//! Nothing is lost by keeping to states from which it can. In any schedule leave out all that is
//! done with wafers which never leave: every other operation is still possible, because an empty
//! place only ever helps. What is left holds, at any time, only wafers that can be brought out, by
//! doing what the schedule does and loading no more.

use super::cells::{Cells, ChuckState, LockState, SIZE};
use super::tool::{Move, Tool};
use crate::layout::Content;
use hashbrown::HashMap;

/// By cell.
type Contents = [Content; SIZE];

pub struct Safe<'a> {
    tool: &'a Tool,
    known: HashMap<u128, bool>,
}

impl<'a> Safe<'a> {
    pub fn new(tool: &'a Tool) -> Safe<'a> {
        Safe { tool, known: HashMap::new() }
    }

    /// Whether the machine can be emptied after this move, which was made in a safe state.
    pub fn is_safe_after(&mut self, step: Move, cells: &Cells) -> bool {
        let moves = matches!(
            step,
            Move::Load { .. } | Move::From { .. } | Move::Put { .. } | Move::Take { .. }
        );
        !moves || self.can_empty(self.contents(cells))
    }

    /// Sides and positions are forgotten.
    fn contents(&self, cells: &Cells) -> Contents {
        let mut plain = [Content::Empty; SIZE];
        for (lock, content) in plain.iter_mut().enumerate().take(self.tool.parts.locks.len()) {
            *content = match cells.lock(lock) {
                LockState::Raw => Content::Raw,
                LockState::Done => Content::Exposed,
                LockState::Open | LockState::Void => Content::Empty,
            };
        }
        for robot in 0..self.tool.parts.robots.len() {
            let cell = self.tool.arm_cell(robot);
            let arms = cell..cell + self.tool.scanner.robots[robot].arms;
            arms.clone().for_each(|arm| plain[arm] = cells.arm(arm));
            plain[arms].sort_unstable();
        }
        let (cell, chucks) = (self.tool.chuck_cell(), self.tool.scanner.chucks.len());
        for (chuck, content) in plain.iter_mut().enumerate().skip(cell).take(chucks) {
            *content = match cells.chuck(chuck) {
                ChuckState::Fresh | ChuckState::Measured => Content::Raw,
                ChuckState::Ready => Content::Exposed,
                ChuckState::Bare => Content::Empty,
            };
        }
        plain[cell..cell + chucks].sort_unstable();
        plain
    }

    /// Every step brings a wafer closer to its way out, so this ends.
    fn can_empty(&mut self, mut plain: Contents) -> bool {
        let locks = self.tool.parts.locks.len();
        let exposed = plain[..locks].iter_mut().filter(|lock| **lock == Content::Exposed);
        exposed.for_each(|lock| *lock = Content::Empty);
        let cells = &plain[..self.tool.cells];
        if cells.iter().all(|cell| *cell == Content::Empty) {
            return true;
        }
        let key = cells.iter().fold(0u128, |key, cell| key << 2 | *cell as u128);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let can = self.steps(&plain).into_iter().any(|next| self.can_empty(next));
        self.known.insert(key, can);
        can
    }

    fn steps(&self, plain: &Contents) -> Vec<Contents> {
        use Content::{Empty, Exposed, Raw};
        let scanner = &self.tool.scanner;
        let mut steps = Vec::new();
        let first = self.tool.chuck_cell();
        let idle = self.tool.idle;
        for (robot, kind) in scanner.robots.iter().enumerate().filter(|(r, _)| !idle.robot(*r)) {
            for arm in self.tool.arm_cell(robot)..self.tool.arm_cell(robot) + kind.arms {
                let mut step = |place: usize, left: Content, held: Content| {
                    let mut next = *plain;
                    next[place] = left;
                    next[arm] = held;
                    steps.push(next);
                };
                for &lock in kind.locks.iter().filter(|lock| !idle.lock(**lock)) {
                    match (plain[arm], plain[lock]) {
                        (Empty, Raw) => step(lock, Empty, Raw),
                        (Exposed, Empty) if scanner.locks[lock].lets_out => {
                            step(lock, Exposed, Empty)
                        }
                        _ => {}
                    }
                }
                for chuck in first..first + scanner.chucks.len() {
                    match (plain[arm], plain[chuck]) {
                        (Empty, Raw | Exposed) => step(chuck, Empty, Exposed),
                        (Raw, Empty) => step(chuck, Raw, Empty),
                        _ => {}
                    }
                }
            }
        }
        steps
    }
}
