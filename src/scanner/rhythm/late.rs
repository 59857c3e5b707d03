//! How late a machine will be at least, whatever it does.
//!
//! Each wafer needs its own way out; exposures follow one another; a lock needs its time between
//! two loads and between two unloads. Contention for anything else is left out, so no way out is
//! shorter than said here.

use super::cells::{ChuckState, LockState};
use super::due::Due;
use super::tool::{Spot, Tool};
use crate::layout::{Content, Robot};

pub struct Outlook<'a> {
    tool: &'a Tool,
    /// From the beginning of each to the end of the unload.
    from_arm: i64,
    from_chuck: i64,
    /// From the beginning of each to the earliest expose.
    put: i64,
    from_lock: i64,
    load: i64,
    /// Between the beginnings of two exposures.
    pitch: i64,
    in_cycle: i64,
    to_up: i64,
    turn: i64,
    room: Room,
}

/// Room for what is looked at, kept from one state to the next.
#[derive(Default)]
struct Room {
    ends: Vec<i64>,
    exposures: Vec<i64>,
    /// When locks can serve for the first time, and each time.
    firsts: Vec<i64>,
    turns: Vec<i64>,
}

impl Outlook<'_> {
    pub fn new(tool: &Tool) -> Outlook<'_> {
        let scanner = &tool.scanner;
        let least = |time: &dyn Fn(&Robot) -> i64| {
            let robots = scanner.robots.iter().enumerate();
            let robots = robots.filter(|(robot, _)| !tool.idle.robot(*robot));
            robots.map(|(_, robot)| time(robot)).min().unwrap_or(0)
        };
        let (turn, take) = (least(&|robot| robot.turn), least(&|robot| robot.from_chuck));
        let (from, to) = (least(&|robot| robot.from_lock), least(&|robot| robot.to_lock));
        let to_chuck = least(&|robot| robot.to_chuck);
        let from_arm = to + scanner.pressurize + scanner.track.unload;
        let put = to_chuck + scanner.measure + scanner.swap;
        let alone = scanner.swap + scanner.expose;
        Outlook {
            tool,
            from_arm,
            from_chuck: take + turn + from_arm,
            put,
            from_lock: from + turn + put,
            load: scanner.track.load + scanner.depressurize + from + turn + put,
            pitch: if tool.has_two_chucks() { alone } else { alone + take + put },
            in_cycle: scanner.track.load + scanner.depressurize + from + scanner.pressurize,
            to_up: from + scanner.pressurize,
            turn,
            room: Room::default(),
        }
    }

    /// By how much some wafer is late at least; not above 0 if none need be. Times count from when
    /// the next wafer is due.
    pub fn lateness(&mut self, spot: &Spot, due: &Due, phase: i64) -> i64 {
        let mut room = std::mem::take(&mut self.room);
        let late = self.look(spot, due, phase, &mut room);
        self.room = room;
        late
    }

    fn look(&self, spot: &Spot, due: &Due, phase: i64, room: &mut Room) -> i64 {
        room.ends.clear();
        room.exposures.clear();
        self.look_at_locks(spot, room);
        let Room { ends, exposures, .. } = room;
        self.look_at_arms(spot, ends, exposures);
        let ready = self.look_at_chucks(spot, ends, exposures);
        exposures.sort_unstable();
        let mut start = ready - self.pitch;
        for earliest in exposures.drain(..) {
            start = earliest.max(start + self.pitch);
            let scanner = &self.tool.scanner;
            ends.push(start + scanner.expose + scanner.swap + self.from_chuck);
        }
        let late = lateness(ends, due, phase);
        self.look_at_unloads(spot, room);
        late.max(lateness(&mut room.turns, due, phase))
    }

    fn look_at_locks(&self, spot: &Spot, room: &mut Room) {
        let Room { ends, exposures, firsts: loads, turns } = room;
        let scanner = &self.tool.scanner;
        let track = spot.free[0];
        loads.clear();
        let locks = scanner.locks.iter().enumerate();
        for (lock, kind) in locks.filter(|(lock, _)| !self.tool.idle.lock(*lock)) {
            let free = spot.free[1 + lock];
            match spot.cells.lock(lock) {
                LockState::Done => ends.push(free.max(track) + scanner.track.unload),
                LockState::Raw => exposures.push(free + self.from_lock),
                _ => {}
            }
            let next = match spot.cells.lock(lock) {
                LockState::Open => free.max(track),
                LockState::Raw => free + self.to_up,
                LockState::Void => free + self.from_arm + scanner.track.recover,
                LockState::Done => free + scanner.track.unload + scanner.track.recover,
            };
            if kind.takes_in {
                loads.push(next);
            }
        }
        let mut free = track;
        in_turn(loads, self.in_cycle, turns);
        for next in turns {
            free = free.max(*next) + scanner.track.load;
            exposures.push(free - scanner.track.load + self.load);
        }
    }

    fn look_at_arms(&self, spot: &Spot, ends: &mut Vec<i64>, exposures: &mut Vec<i64>) {
        for robot in 0..self.tool.parts.robots.len() {
            let outer = self.tool.outer(robot, &spot.cells);
            let inner = self.tool.inner(robot, &spot.cells);
            for (arm, to_locks, to_chucks) in [(outer, 0, self.turn), (inner, self.turn, 0)] {
                let Some((cell, part)) = arm else { continue };
                match spot.cells.arm(cell) {
                    Content::Raw => exposures.push(spot.free[part] + to_chucks + self.put),
                    Content::Exposed => ends.push(spot.free[part] + to_locks + self.from_arm),
                    Content::Empty => {}
                }
            }
        }
    }

    /// Gives the time before which no expose begins.
    fn look_at_chucks(&self, spot: &Spot, ends: &mut Vec<i64>, exposures: &mut Vec<i64>) -> i64 {
        let (cell, part) = (self.tool.chuck_cell(), self.tool.chuck_part());
        let swap = self.tool.scanner.swap;
        let front = spot.free[part];
        if !self.tool.has_two_chucks() {
            let back = if spot.cells.is_away(cell + 1) { swap } else { 0 };
            match spot.cells.chuck(cell) {
                ChuckState::Ready => ends.push(front + back + self.from_chuck),
                ChuckState::Measured | ChuckState::Fresh => exposures.push(front + swap),
                _ => {}
            }
            return front + swap;
        }
        let both = front.max(spot.free[part + 1]);
        let measure = self.tool.scanner.measure;
        match spot.cells.chuck(cell) {
            ChuckState::Ready => ends.push(front + self.from_chuck),
            ChuckState::Measured => exposures.push(both + swap),
            ChuckState::Fresh => exposures.push(both + 3 * swap + measure),
            _ => {}
        }
        match spot.cells.chuck(cell + 1) {
            ChuckState::Ready => ends.push(both + swap + self.from_chuck),
            ChuckState::Measured => exposures.push(both + 2 * swap),
            ChuckState::Fresh => exposures.push(both + 2 * swap + measure),
            _ => {}
        }
        both + swap
    }

    /// The earliest ends of the next unloads, by what the locks allow.
    fn look_at_unloads(&self, spot: &Spot, room: &mut Room) {
        let scanner = &self.tool.scanner;
        let cycle = scanner.depressurize + self.from_arm;
        let from = self.to_up - scanner.pressurize;
        room.firsts.clear();
        let locks = scanner.locks.iter().enumerate().filter(|(_, kind)| kind.lets_out);
        for (lock, _) in locks.filter(|(lock, _)| !self.tool.idle.lock(*lock)) {
            let free = spot.free[1 + lock];
            let load = scanner.track.load + scanner.depressurize;
            let first = match spot.cells.lock(lock) {
                LockState::Open => free + load + from + self.from_arm,
                LockState::Raw => free + from + self.from_arm,
                LockState::Void => free + self.from_arm,
                LockState::Done => free + scanner.track.unload,
            };
            room.firsts.push(first);
        }
        in_turn(&room.firsts, cycle, &mut room.turns);
    }
}

/// When locks can serve, each again after a cycle: as many times as are the earliest for certain.
fn in_turn(firsts: &[i64], cycle: i64, turns: &mut Vec<i64>) {
    turns.clear();
    let Some(least) = firsts.iter().min() else { return };
    // A lock that can serve a fourth time does so before a later one serves at all.
    let last = least + 3 * cycle;
    let times = firsts.iter().flat_map(|first| (0..3).map(move |more| first + more * cycle));
    turns.extend(times.filter(|time| *time <= last));
    turns.sort_unstable();
    turns.truncate(2 * firsts.len());
}

fn lateness(ends: &mut [i64], due: &Due, phase: i64) -> i64 {
    ends.sort_unstable();
    let now = due.at(phase);
    let late = ends.iter().zip(phase..).map(|(end, wafer)| end + now - due.at(wafer));
    late.max().unwrap_or(0)
}
