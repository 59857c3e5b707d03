//! Takes a schedule and leaves out what nobody needs: arms that turn and turn back, chucks that
//! change places and change back, with nothing done in between. What is left starts as early as the
//! sequence on each component allows; only wafers leave when they did before.
//!
//! Whether an operation is possible depends on the components that it takes and on nothing else: so
//! a sequence on each component can be timed anew, and operations that together change nothing
//! can be left out of it.

use super::expand::close;
use crate::layout::{Infinite, Op, OpKind, Scanner};

/// How many cycles are looked at, before more are, and at most.
const CYCLES: i64 = 8;
const MOST_CYCLES: i64 = 64;

/// `is_timed`: operations have to stay where they are.
pub fn tidy(scanner: &Scanner, schedule: Infinite, is_timed: bool) -> Infinite {
    let length = schedule.cycle.end - schedule.cycle.start;
    let mut cycles = CYCLES;
    while cycles <= MOST_CYCLES {
        let mut ops = needed(scanner, scanner.unroll(&schedule, cycles));
        let mut known = schedule.cycle.start + (cycles - 1) * length;
        if !is_timed {
            known -= hasten(scanner, &mut ops, true);
        }
        let tidied = close(ops, length, schedule.cycle.wafers, known);
        // While nothing happens for long, nothing seems to repeat.
        if tidied.cycle.end + length <= known && finished(&tidied) == tidied.cycle.wafers {
            return tidied;
        }
        cycles *= 2;
    }
    schedule
}

/// How many wafers a cycle finishes.
fn finished(schedule: &Infinite) -> i64 {
    let unloads = schedule.ops.iter().filter(|op| matches!(op.kind, OpKind::Unload { .. }));
    unloads.filter(|op| op.start >= schedule.cycle.start).count() as i64
}

/// Without turns and swaps that undo each other. Of an odd number in a row the first one is left.
fn needed(scanner: &Scanner, mut ops: Vec<Op>) -> Vec<Op> {
    ops.sort_by_key(|op| (op.start, op.end, op.kind));
    let mut is_left = vec![true; ops.len()];
    let turns = (0..scanner.robots.len()).map(|robot| OpKind::Turn { robot });
    for repeated in turns.chain([OpKind::Swap]) {
        let of_same = |op: &Op| match (repeated, op.kind) {
            (OpKind::Turn { robot }, other) => arm_of(other).is_some_and(|of| of == robot),
            (_, other) => is_at_chucks(other),
        };
        let mut before: Option<usize> = None;
        for (at, op) in ops.iter().enumerate() {
            match before {
                _ if op.kind != repeated => before = before.filter(|_| !of_same(op)),
                Some(first) => {
                    (is_left[first], is_left[at]) = (false, false);
                    before = None;
                }
                None => before = Some(at),
            }
        }
    }
    let mut is_left = is_left.into_iter();
    ops.retain(|_| is_left.next().unwrap_or(true));
    ops
}

/// The robot that does it with an arm.
fn arm_of(kind: OpKind) -> Option<usize> {
    match kind {
        OpKind::FromLock { robot, .. }
        | OpKind::ToLock { robot, .. }
        | OpKind::ToChuck { robot, .. }
        | OpKind::FromChuck { robot, .. } => Some(robot),
        _ => None,
    }
}

fn is_at_chucks(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::ToChuck { .. }
            | OpKind::FromChuck { .. }
            | OpKind::Measure { .. }
            | OpKind::Expose { .. }
    )
}

/// Starts every operation, in the order of starts, as soon as its components are free; unloads, if
/// they are to keep the rhythm, not before they did. Gives the longest time that one is earlier.
pub(super) fn hasten(scanner: &Scanner, ops: &mut [Op], keeps_rhythm: bool) -> i64 {
    let arms = 1 + scanner.locks.len();
    let chucks = arms + 2 * scanner.robots.len();
    let mut free = vec![0; chucks + scanner.chucks.len()];
    let mut most = 0;
    for op in ops {
        let taken = match op.kind {
            OpKind::Load { lock } | OpKind::Unload { lock } => vec![0, 1 + lock],
            OpKind::Switch | OpKind::Recover => vec![0],
            OpKind::Depressurize { lock } | OpKind::Pressurize { lock } => vec![1 + lock],
            OpKind::FromLock { robot, arm, lock } | OpKind::ToLock { robot, arm, lock } => {
                vec![1 + lock, arms + 2 * robot + arm]
            }
            OpKind::ToChuck { robot, arm, chuck } | OpKind::FromChuck { robot, arm, chuck } => {
                vec![arms + 2 * robot + arm, chucks + chuck]
            }
            OpKind::Turn { robot } => vec![arms + 2 * robot, arms + 2 * robot + 1],
            OpKind::Measure { chuck } | OpKind::Expose { chuck } => vec![chucks + chuck],
            OpKind::Swap => (chucks..free.len()).collect(),
        };
        let mut start = taken.iter().map(|part| free[*part]).max().unwrap_or(0);
        if keeps_rhythm && matches!(op.kind, OpKind::Unload { .. }) {
            start = start.max(op.start);
        }
        most = most.max(op.start - start);
        *op = scanner.op(op.kind, start);
        taken.into_iter().for_each(|part| free[part] = op.end);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout as scanner;
    use crate::rhythm::{Options, Outcome, solve};

    /// The smallest gaps are far from the fastest rhythm here, and the schedule starts late.
    #[test]
    fn a_schedule_that_waits_long_is_tidied() {
        let text = "takt: 1\nlayout:\n  track: {load: 1, unload: 2, switch: 1, recover: 2}\n  \
            locks: {ids: [A], depressurize: 2, pressurize: 1}\n  \
            robots: {R: {arms: 1, locks: [A], turn: 1, from-lock: 1, to-lock: 2, to-chuck: 1, \
            from-chuck: 1}}\n  chucks: {ids: [C, D], swap: 1, measure: 1, expose: 2}\n";
        let (spec, _) = takt_spec::read(text, Default::default()).expect("a good spec");
        let scanner = scanner::describe(&spec).expect("a layout");
        for gap in 16..24 {
            let options = Options { max_gap: Some(gap), ..Options::default() };
            let Outcome::Found(found) = solve(&scanner, &options, &mut || false).outcome else {
                panic!("no rhythm of gaps {gap}")
            };
            assert_eq!(finished(&found.schedule), found.schedule.cycle.wafers, "{gap}");
            assert!(found.first > 0 && found.max_gap <= gap, "{gap}: {found:?}");
            let ops = scanner.unroll(&found.schedule, 3);
            let (mut hastened, kept) = (ops.clone(), needed(&scanner, ops.clone()));
            assert_eq!(kept.len(), ops.len(), "{gap}: something is idle");
            assert_eq!(hasten(&scanner, &mut hastened, true), 0, "{gap}: something is late");
        }
    }
}
