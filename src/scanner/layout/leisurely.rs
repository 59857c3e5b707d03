//! The simplest schedule: one wafer at a time, one operation after the other, and then everything is
//! where it was. It shows that a machine can work at all, and how slowly it may.

use super::{Cycle, Infinite, OpKind, Scanner};

impl Scanner {
    /// `None` if no wafer can come in, or none that is exposed can get out.
    pub fn leisurely(&self) -> Option<Infinite> {
        let mut ops = Vec::new();
        let mut now = 0;
        for kind in self.round()? {
            let op = self.op(kind, now);
            now = op.end;
            ops.push(op);
        }
        Some(Infinite { ops, cycle: Cycle { start: 0, end: now, wafers: 1 } })
    }

    /// What a wafer needs from the beginning to the end, and what brings the machine back.
    fn round(&self) -> Option<Vec<OpKind>> {
        let (came, brings, left, fetches) = self.way()?;
        let chuck = 0;
        let mut round = vec![
            OpKind::Load { lock: came },
            OpKind::Depressurize { lock: came },
            OpKind::FromLock { robot: brings, arm: 0, lock: came },
            OpKind::Turn { robot: brings },
            OpKind::ToChuck { robot: brings, arm: 0, chuck },
            OpKind::Measure { chuck },
            OpKind::Swap,
            OpKind::Expose { chuck },
            OpKind::Swap,
        ];
        if brings != fetches {
            round.push(OpKind::Turn { robot: brings });
        }
        if left != came {
            round.extend([OpKind::Pressurize { lock: came }, OpKind::Depressurize { lock: left }]);
        }
        // The second arm of a robot is at the chucks while the first one is at the locks.
        let is_there = brings == fetches || self.robots[fetches].arms > 1;
        let arm = if brings == fetches || self.robots[fetches].arms == 1 { 0 } else { 1 };
        if !is_there {
            round.push(OpKind::Turn { robot: fetches });
        }
        round.extend([
            OpKind::FromChuck { robot: fetches, arm, chuck },
            OpKind::Turn { robot: fetches },
            OpKind::ToLock { robot: fetches, arm, lock: left },
            OpKind::Pressurize { lock: left },
            OpKind::Unload { lock: left },
            OpKind::Recover,
        ]);
        if arm == 1 {
            round.push(OpKind::Turn { robot: fetches });
        }
        Some(round)
    }

    /// A lock and a robot for each way: the same ones where that is possible.
    fn way(&self) -> Option<(usize, usize, usize, usize)> {
        let pairs = |is_in: bool| {
            let locks = self.locks.iter().enumerate();
            let locks = locks.filter(move |(_, l)| if is_in { l.takes_in } else { l.lets_out });
            locks.flat_map(|(lock, told)| told.robots.iter().map(move |robot| (lock, *robot)))
        };
        let ways = pairs(true).flat_map(|came| pairs(false).map(move |left| (came, left)));
        let best = ways.min_by_key(|((a, r), (b, q))| (a != b, r != q))?;
        let ((came, brings), (left, fetches)) = best;
        Some((came, brings, left, fetches))
    }
}
