//! From a lasso of moves to a schedule of operations with names and times.
//!
//! States along a lasso are arranged: equal locks and robots may have changed their places when it
//! closes, and so may the arms of a robot and the chucks. Rounds are repeated until all stand as
//! they did; these rounds together are the cycle.

use super::arrange::Names;
use super::closure::Lasso;
use super::due::Due;
use super::settle::Settled;
use super::tool::{Move, Spot, Tool};
use crate::layout::{Cycle, Infinite, Op, OpKind};
use hashbrown::HashSet;

/// How the moves of a lasso are timed.
pub enum Timing<'a> {
    /// As early as possible.
    Early,
    /// As early as possible, but each wafer leaves when it is due; the first at the given time.
    Exact(&'a Due, i64),
    /// As early as possible, but not before the times that were found.
    Settled(&'a Settled),
}

#[derive(Clone, PartialEq, Eq)]
struct Places {
    names: Names,
    /// The arm at the locks, of each robot of the layout.
    outer: Vec<usize>,
    /// The chuck at the measure position.
    front: usize,
}

struct Player<'a> {
    tool: &'a Tool,
    spot: Spot,
    places: Places,
    wafers: i64,
    ops: Vec<Op>,
    shift: i64,
}

pub fn expand(tool: &Tool, lasso: &Lasso, timing: &Timing) -> Infinite {
    let mut player = Player::new(tool);
    player.play(&lasso.moves[..lasso.from], timing);
    if let Timing::Settled(settled) = timing {
        settled.raise(tool, &mut player.spot);
    }
    let (spot, places, wafers) = (player.spot, player.places.clone(), player.wafers);
    let settled = player.ops.iter().map(|op| op.start).max().unwrap_or(0);
    let mut rounds = 0;
    let mut length = None;
    loop {
        player.spot = spot;
        player.wafers = wafers;
        player.play(&lasso.moves[lasso.from..], timing);
        rounds += 1;
        player.shift = rounds * lasso.time;
        if length.is_none() && player.places == places {
            length = Some(rounds);
        }
        // two whole cycles after all that belongs to the start-up or to a first round
        if let Some(length) = length {
            let enough = settled + 2 * longest(tool) + lasso.time * (3 * length + 1);
            if player.shift > enough {
                break;
            }
        }
    }
    let length = length.unwrap_or(1);
    close(player.ops, lasso.time * length, lasso.gain * length, player.shift)
}

/// No operation that belongs to a move starts later than this after it.
fn longest(tool: &Tool) -> i64 {
    super::tool::total(&tool.scanner).unwrap_or(0)
}

impl<'a> Player<'a> {
    fn new(tool: &'a Tool) -> Player<'a> {
        let places =
            Places { names: Names::new(tool), outer: vec![0; tool.parts.robots.len()], front: 0 };
        let spot = tool.begin(0);
        Player { tool, spot, places, wafers: 0, ops: Vec::new(), shift: 0 }
    }

    fn play(&mut self, moves: &[Move], timing: &Timing) {
        for &step in moves {
            if let Move::Start { down } = step {
                self.begin(down);
                continue;
            }
            let mut floor = i64::MIN;
            if matches!(step, Move::Unload { .. }) {
                let end = match timing {
                    Timing::Early => None,
                    Timing::Exact(due, first) => Some(first + due.at(self.wafers)),
                    Timing::Settled(settled) => Some(settled.ends[self.wafers as usize]),
                };
                floor = end.map_or(floor, |end| end - self.tool.scanner.track.unload);
                self.wafers += 1;
            }
            let start = self.tool.apply(&mut self.spot, step, floor);
            self.tell(step, start + self.shift);
            self.tool.arrange(&mut self.spot, Some(&mut self.places.names));
        }
    }

    fn begin(&mut self, down: u64) {
        for lock in (0..self.tool.parts.locks.len()).filter(|lock| down & (1 << lock) != 0) {
            self.op(OpKind::Depressurize { lock }, 0);
        }
        self.spot = self.tool.begin(down);
        self.tool.arrange(&mut self.spot, Some(&mut self.places.names));
    }

    fn op(&mut self, kind: OpKind, start: i64) -> i64 {
        let op = self.tool.scanner.op(kind, start);
        self.ops.push(op);
        op.end
    }

    /// The operations that a move stands for.
    fn tell(&mut self, step: Move, start: i64) {
        let names = &self.places.names;
        let lock_of = |lock: u8| names.locks[usize::from(lock)];
        let robot_of = |robot: u8| names.robots[usize::from(robot)];
        // A schedule is of a whole machine: nothing was dropped.
        let the_lock = |lock: Option<u8>| lock_of(lock.expect("every lock is there"));
        let the_robot = |robot: Option<u8>| robot_of(robot.expect("every robot is there"));
        match step {
            Move::Start { .. } => {}
            Move::Load { lock } => {
                let lock = lock_of(lock);
                let end = self.op(OpKind::Load { lock }, start);
                self.op(OpKind::Depressurize { lock }, end);
            }
            Move::Unload { lock, down } => {
                let lock = lock_of(lock);
                let end = self.op(OpKind::Unload { lock }, start);
                self.op(OpKind::Recover, end);
                if down {
                    self.op(OpKind::Depressurize { lock }, end);
                }
            }
            Move::From { robot, lock, up } => {
                let (robot, lock) = (robot_of(robot), the_lock(lock));
                let arm = self.places.outer[robot];
                let end = self.op(OpKind::FromLock { robot, arm, lock }, start);
                if up {
                    self.op(OpKind::Pressurize { lock }, end);
                }
            }
            Move::To { robot, lock } => {
                let (robot, lock) = (robot_of(robot), the_lock(lock));
                let arm = self.places.outer[robot];
                let end = self.op(OpKind::ToLock { robot, arm, lock }, start);
                self.op(OpKind::Pressurize { lock }, end);
            }
            Move::Turn { robot } => {
                let robot = robot_of(robot);
                self.op(OpKind::Turn { robot }, start);
                if self.tool.has_two_arms(robot) {
                    self.places.outer[robot] ^= 1;
                }
            }
            Move::Put { robot, measure } => {
                let (robot, chuck) = (the_robot(robot), self.places.front);
                let arm = self.inner(robot);
                let end = self.op(OpKind::ToChuck { robot, arm, chuck }, start);
                if measure {
                    self.op(OpKind::Measure { chuck }, end);
                }
            }
            Move::Take { robot } => {
                let (robot, chuck) = (the_robot(robot), self.places.front);
                let arm = self.inner(robot);
                self.op(OpKind::FromChuck { robot, arm, chuck }, start);
            }
            Move::Swap { measure, expose } => self.swap(measure, expose, start),
        }
    }

    fn inner(&self, robot: usize) -> usize {
        if self.tool.has_two_arms(robot) { 1 - self.places.outer[robot] } else { 0 }
    }

    fn swap(&mut self, measure: bool, expose: bool, start: i64) {
        let end = self.op(OpKind::Swap, start);
        let mut back = 0;
        if self.tool.has_two_chucks() {
            back = self.places.front;
            self.places.front ^= 1;
        }
        if measure {
            self.op(OpKind::Measure { chuck: self.places.front }, end);
        }
        if expose {
            self.op(OpKind::Expose { chuck: back }, end);
        }
    }
}

/// Finds the earliest instant at which everything is as it is a cycle later, and what follows
/// repeats: what has no image a cycle later is over by then, and what has none a cycle earlier is
/// over a cycle later. So what is under way when the cycle begins is under way when it ends. The
/// operations are complete up to `end`.
pub fn close(mut ops: Vec<Op>, length: i64, wafers: i64, end: i64) -> Infinite {
    ops.sort_by_key(|op| (op.start, op.end, op.kind));
    let all: HashSet<(OpKind, i64)> = ops.iter().map(|op| (op.kind, op.start)).collect();
    let mut start = 0;
    for op in ops.iter().filter(|op| op.start + length < end) {
        if !all.contains(&(op.kind, op.start + length)) {
            start = start.max(op.end);
        }
    }
    for op in ops.iter().filter(|op| op.start < end) {
        if !all.contains(&(op.kind, op.start - length)) {
            start = start.max(op.end - length);
        }
    }
    let cycle = Cycle { start, end: start + length, wafers };
    ops.retain(|op| op.start < cycle.end);
    Infinite { ops, cycle }
}
