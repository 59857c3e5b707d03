//! Which resource of a schedule is the busiest, by the share of the cycle that its components are
//! taken on average.

use crate::layout::{Infinite, OpKind, Scanner};

/// Named as bounds name their resources: an only robot by its own name.
pub fn busiest(scanner: &Scanner, schedule: &Infinite) -> String {
    let cycle = schedule.cycle;
    let mut busy = [0i128; 4];
    for op in schedule.ops.iter().filter(|op| op.start >= cycle.start && op.start < cycle.end) {
        let time = i128::from(op.end - op.start);
        for (resource, components) in taken(scanner, op.kind) {
            busy[resource] += time * components;
        }
    }
    let arms = scanner.robots.iter().map(|robot| robot.arms).sum();
    let sizes = [1, scanner.locks.len(), arms, scanner.chucks.len()].map(|size| size as i128);
    let robots = match &scanner.robots[..] {
        [only] => only.name.as_str(),
        _ => "robots",
    };
    let names = ["track", "locks", robots, "chucks"];
    // The later one on the way of a wafer where two are as busy.
    let is_busier = |a: &usize, b: &usize| (busy[*a] * sizes[*b]).cmp(&(busy[*b] * sizes[*a]));
    (0..4).max_by(is_busier).map_or("", |best| names[best]).to_owned()
}

/// Track, locks, arms, chucks: which of them an operation takes, and how many.
fn taken(scanner: &Scanner, kind: OpKind) -> Vec<(usize, i128)> {
    const TRACK: usize = 0;
    const LOCKS: usize = 1;
    const ARMS: usize = 2;
    const CHUCKS: usize = 3;
    match kind {
        OpKind::Load { .. } | OpKind::Unload { .. } => vec![(TRACK, 1), (LOCKS, 1)],
        OpKind::Switch | OpKind::Recover => vec![(TRACK, 1)],
        OpKind::Depressurize { .. } | OpKind::Pressurize { .. } => vec![(LOCKS, 1)],
        OpKind::FromLock { .. } | OpKind::ToLock { .. } => vec![(LOCKS, 1), (ARMS, 1)],
        OpKind::Turn { robot } => vec![(ARMS, scanner.robots[robot].arms as i128)],
        OpKind::ToChuck { .. } | OpKind::FromChuck { .. } => vec![(ARMS, 1), (CHUCKS, 1)],
        OpKind::Measure { .. } | OpKind::Expose { .. } => vec![(CHUCKS, 1)],
        OpKind::Swap => vec![(CHUCKS, scanner.chucks.len() as i128)],
    }
}
