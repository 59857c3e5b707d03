//! The rules of a scanner once more, read from the description alone: who may do what when. Checks
//! schedules, shares nothing with the searches.

use crate::layout::{Infinite, Op, OpKind, Scanner};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wafer {
    No,
    Raw,
    Measured,
    Exposed,
}

/// Checks start-up and four cycles; gives the ends of the unloads.
pub fn check(scanner: &Scanner, schedule: &Infinite) -> Vec<i64> {
    let length = schedule.cycle.end - schedule.cycle.start;
    assert!(length > 0 && schedule.cycle.start >= 0 && schedule.cycle.wafers > 0);
    let mut ops = schedule.unrolled(4);
    ops.sort_by_key(|op| op.start);
    let mut floor = Floor::new(scanner);
    let mut ends = Vec::new();
    for op in &ops {
        assert_eq!(op.end, op.start + scanner.duration(op.kind));
        floor.run(op);
        if matches!(op.kind, OpKind::Unload { .. }) {
            ends.push(op.end);
        }
    }
    let cycle = |from: i64| {
        let starts = ops.iter().filter(|op| matches!(op.kind, OpKind::Unload { .. }));
        starts.filter(|op| op.start >= from && op.start < from + length).count() as i64
    };
    assert_eq!(cycle(schedule.cycle.start), schedule.cycle.wafers);
    ends
}

struct Floor<'a> {
    scanner: &'a Scanner,
    track_free: i64,
    recovering: bool,
    to_unload: bool,
    lock: Vec<(Wafer, bool, i64)>,
    arm: Vec<Vec<(Wafer, bool, i64)>>,
    chuck: Vec<(Wafer, bool, i64)>,
}

impl<'a> Floor<'a> {
    fn new(scanner: &'a Scanner) -> Floor<'a> {
        Floor {
            scanner,
            track_free: 0,
            recovering: false,
            to_unload: false,
            lock: vec![(Wafer::No, false, 0); scanner.locks.len()],
            arm: scanner
                .robots
                .iter()
                .map(|robot| (0..robot.arms).map(|arm| (Wafer::No, arm == 0, 0)).collect())
                .collect(),
            chuck: (0..scanner.chucks.len()).map(|chuck| (Wafer::No, chuck == 0, 0)).collect(),
        }
    }

    fn run(&mut self, op: &Op) {
        let (start, end) = (op.start, op.end);
        match op.kind {
            OpKind::Load { lock } => {
                self.track(op, false);
                assert!(self.scanner.locks[lock].takes_in && !self.recovering, "{op:?}");
                let cell = &mut self.lock[lock];
                assert_eq!((cell.0, cell.1), (Wafer::No, false), "{op:?}");
                take(&mut cell.2, start, end);
                cell.0 = Wafer::Raw;
            }
            OpKind::Unload { lock } => {
                self.track(op, true);
                assert!(!self.recovering, "{op:?}");
                self.recovering = true;
                let cell = &mut self.lock[lock];
                assert_eq!((cell.0, cell.1), (Wafer::Exposed, false), "{op:?}");
                take(&mut cell.2, start, end);
                cell.0 = Wafer::No;
            }
            OpKind::Switch => panic!("never useful"),
            OpKind::Recover => {
                assert!(self.recovering && self.track_free == start);
                self.track_free = end;
                self.recovering = false;
                self.to_unload = false;
            }
            OpKind::Depressurize { lock } => self.pressure(lock, op, true),
            OpKind::Pressurize { lock } => self.pressure(lock, op, false),
            OpKind::FromLock { robot, arm, lock } => {
                self.reach(robot, arm, lock, op);
                let cell = &mut self.lock[lock];
                assert_eq!((cell.0, self.arm[robot][arm].0), (Wafer::Raw, Wafer::No), "{op:?}");
                cell.0 = Wafer::No;
                self.arm[robot][arm].0 = Wafer::Raw;
            }
            OpKind::ToLock { robot, arm, lock } => {
                self.reach(robot, arm, lock, op);
                assert!(self.scanner.locks[lock].lets_out, "{op:?}");
                let cell = &mut self.lock[lock];
                assert_eq!((cell.0, self.arm[robot][arm].0), (Wafer::No, Wafer::Exposed), "{op:?}");
                cell.0 = Wafer::Exposed;
                self.arm[robot][arm].0 = Wafer::No;
            }
            OpKind::Turn { robot } => {
                for arm in &mut self.arm[robot] {
                    take(&mut arm.2, start, end);
                    arm.1 = !arm.1;
                }
            }
            OpKind::ToChuck { robot, arm, chuck } => {
                let (hand, cell) = self.meet(robot, arm, chuck, op);
                assert_eq!((hand, cell), (Wafer::Raw, Wafer::No), "{op:?}");
                self.arm[robot][arm].0 = Wafer::No;
                self.chuck[chuck].0 = Wafer::Raw;
            }
            OpKind::FromChuck { robot, arm, chuck } => {
                let (hand, cell) = self.meet(robot, arm, chuck, op);
                assert_eq!((hand, cell), (Wafer::No, Wafer::Exposed), "{op:?}");
                self.arm[robot][arm].0 = Wafer::Exposed;
                self.chuck[chuck].0 = Wafer::No;
            }
            OpKind::Measure { chuck } => {
                let cell = &mut self.chuck[chuck];
                assert_eq!((cell.0, cell.1), (Wafer::Raw, true), "{op:?}");
                take(&mut cell.2, start, end);
                cell.0 = Wafer::Measured;
            }
            OpKind::Expose { chuck } => {
                let cell = &mut self.chuck[chuck];
                assert_eq!((cell.0, cell.1), (Wafer::Measured, false), "{op:?}");
                take(&mut cell.2, start, end);
                cell.0 = Wafer::Exposed;
            }
            OpKind::Swap => {
                for chuck in &mut self.chuck {
                    take(&mut chuck.2, start, end);
                    chuck.1 = !chuck.1;
                }
            }
        }
    }

    /// The track is ready to load, and gets ready to unload in no time.
    fn track(&mut self, op: &Op, unload: bool) {
        assert!(unload || !self.to_unload, "{op:?}");
        take(&mut self.track_free, op.start, op.end);
        self.to_unload = unload;
    }

    fn pressure(&mut self, lock: usize, op: &Op, down: bool) {
        let cell = &mut self.lock[lock];
        assert_eq!(cell.1, !down, "{op:?}");
        take(&mut cell.2, op.start, op.end);
        cell.1 = down;
    }

    fn reach(&mut self, robot: usize, arm: usize, lock: usize, op: &Op) {
        assert!(self.scanner.robots[robot].locks.contains(&lock), "{op:?}");
        assert!(self.arm[robot][arm].1 && self.lock[lock].1, "{op:?}");
        take(&mut self.arm[robot][arm].2, op.start, op.end);
        take(&mut self.lock[lock].2, op.start, op.end);
    }

    fn meet(&mut self, robot: usize, arm: usize, chuck: usize, op: &Op) -> (Wafer, Wafer) {
        assert!(!self.arm[robot][arm].1 && self.chuck[chuck].1, "{op:?}");
        take(&mut self.arm[robot][arm].2, op.start, op.end);
        take(&mut self.chuck[chuck].2, op.start, op.end);
        (self.arm[robot][arm].0, self.chuck[chuck].0)
    }
}

fn take(free: &mut i64, start: i64, end: i64) {
    assert!(*free <= start, "taken until {free}, again at {start}");
    *free = end;
}
