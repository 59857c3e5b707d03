//! What a scanner does, as plain data: operations with their times, and schedules that go on for
//! ever.

use super::Scanner;
use std::collections::BTreeSet;

/// Locks, robots and chucks are positions in the [`Scanner`]'s lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OpKind {
    Load {
        lock: usize,
    },
    Unload {
        lock: usize,
    },
    /// The track, from ready to unload to ready to load.
    Switch,
    /// The track, after an unload.
    Recover,
    Depressurize {
        lock: usize,
    },
    Pressurize {
        lock: usize,
    },
    FromLock {
        robot: usize,
        arm: usize,
        lock: usize,
    },
    ToLock {
        robot: usize,
        arm: usize,
        lock: usize,
    },
    Turn {
        robot: usize,
    },
    ToChuck {
        robot: usize,
        arm: usize,
        chuck: usize,
    },
    FromChuck {
        robot: usize,
        arm: usize,
        chuck: usize,
    },
    Measure {
        chuck: usize,
    },
    Expose {
        chuck: usize,
    },
    /// Two chucks change places, or the only one moves.
    Swap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub kind: OpKind,
    pub start: i64,
    pub end: i64,
}

/// The part of a schedule that repeats: what starts in [start, end), shifted by whole multiples of
/// end - start. What starts in it may end after it; what is under way at its start, and for how long
/// already, is just so at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    pub start: i64,
    pub end: i64,
    /// How many leave the machine in it.
    pub wafers: i64,
}

/// A schedule without an end: the start-up, then the cycle again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Infinite {
    /// The start-up and one cycle, sorted by start.
    pub ops: Vec<Op>,
    pub cycle: Cycle,
}

impl Scanner {
    pub fn duration(&self, kind: OpKind) -> i64 {
        match kind {
            OpKind::Load { .. } => self.track.load,
            OpKind::Unload { .. } => self.track.unload,
            OpKind::Switch => self.track.switch,
            OpKind::Recover => self.track.recover,
            OpKind::Depressurize { .. } => self.depressurize,
            OpKind::Pressurize { .. } => self.pressurize,
            OpKind::FromLock { robot, .. } => self.robots[robot].from_lock,
            OpKind::ToLock { robot, .. } => self.robots[robot].to_lock,
            OpKind::Turn { robot } => self.robots[robot].turn,
            OpKind::ToChuck { robot, .. } => self.robots[robot].to_chuck,
            OpKind::FromChuck { robot, .. } => self.robots[robot].from_chuck,
            OpKind::Measure { .. } => self.measure,
            OpKind::Expose { .. } => self.expose,
            OpKind::Swap => self.swap,
        }
    }

    /// The start-up and so many cycles, sorted by start; after each unload the track recovers, also
    /// after the last one.
    pub fn unroll(&self, infinite: &Infinite, cycles: i64) -> Vec<Op> {
        let mut ops = infinite.unrolled(cycles);
        let recovers: BTreeSet<i64> =
            ops.iter().filter(|op| op.kind == OpKind::Recover).map(|op| op.start).collect();
        let unloads = ops.iter().filter(|op| matches!(op.kind, OpKind::Unload { .. }));
        let missing = unloads.map(|op| op.end).filter(|end| !recovers.contains(end));
        let missing: Vec<Op> = missing.map(|end| self.op(OpKind::Recover, end)).collect();
        ops.extend(missing);
        ops.sort_by_key(|op| op.start);
        ops
    }

    /// The operation with its end, if it starts then.
    pub fn op(&self, kind: OpKind, start: i64) -> Op {
        Op { kind, start, end: start + self.duration(kind) }
    }
}

impl Infinite {
    /// The start-up and so many cycles, sorted by start.
    pub fn unrolled(&self, cycles: i64) -> Vec<Op> {
        let length = self.cycle.end - self.cycle.start;
        let repeats = |op: &Op| op.start >= self.cycle.start && op.start < self.cycle.end;
        let mut ops: Vec<Op> =
            self.ops.iter().filter(|op| op.start < self.cycle.start).copied().collect();
        for round in 0..cycles {
            let shift = round * length;
            let repeated = self.ops.iter().filter(|op| repeats(op));
            ops.extend(repeated.map(|op| Op {
                kind: op.kind,
                start: op.start + shift,
                end: op.end + shift,
            }));
        }
        ops
    }
}
