//! What a move does to a state.

use super::cells::{ChuckState, LockState};
use super::tool::{ALWAYS, Move, Spot, Tool};
use crate::layout::{Content, Robot};

impl Tool {
    /// Makes the move as early as it can be made, but not before `floor`, and gives its start. From
    /// now on no move starts earlier: moves are made in the order of their starts.
    pub fn apply(&self, spot: &mut Spot, step: Move, floor: i64) -> i64 {
        let start = match step {
            Move::Start { .. } => return 0,
            Move::Load { lock } => self.load(spot, lock, floor),
            Move::Unload { lock, down } => self.unload(spot, lock, down, floor),
            Move::From { robot, lock, up } => self.fetch(spot, robot, lock, up, floor),
            Move::To { robot, lock } => self.bring(spot, robot, lock, floor),
            Move::Turn { robot } => self.turn(spot, robot.into(), floor),
            Move::Put { robot, measure } => self.put(spot, robot, measure, floor),
            Move::Take { robot } => self.take(spot, robot, floor),
            Move::Swap { measure, expose } => self.swap(spot, measure, expose, floor),
        };
        for &part in &self.live {
            spot.free[part] = spot.free[part].max(start);
        }
        self.raise(spot);
        start
    }

    fn load(&self, spot: &mut Spot, lock: u8, floor: i64) -> i64 {
        let (start, time) =
            (earliest(spot, [Some(0), part(Some(lock))], floor), self.scanner.track.load);
        self.take_until(spot, Some(0), start + time);
        self.take_until(spot, part(Some(lock)), start + time + self.scanner.depressurize);
        spot.cells.set_lock(lock.into(), LockState::Raw);
        start
    }

    fn unload(&self, spot: &mut Spot, lock: u8, down: bool, floor: i64) -> i64 {
        let start = earliest(spot, [Some(0), part(Some(lock))], floor);
        let end = start + self.scanner.track.unload;
        self.take_until(spot, Some(0), end + self.scanner.track.recover);
        let more = if down { self.scanner.depressurize } else { 0 };
        self.take_until(spot, part(Some(lock)), end + more);
        spot.cells.set_lock(lock.into(), if down { LockState::Void } else { LockState::Open });
        start
    }

    fn fetch(&self, spot: &mut Spot, robot: u8, lock: Option<u8>, up: bool, floor: i64) -> i64 {
        let arm = self.outer(robot.into(), &spot.cells);
        let start = earliest(spot, [arm.map(|arm| arm.1), part(lock)], floor);
        let end = start + self.scanner.robots[usize::from(robot)].from_lock;
        self.take_until(spot, arm.map(|arm| arm.1), end);
        self.take_until(spot, part(lock), end + if up { self.scanner.pressurize } else { 0 });
        hold(spot, arm, Content::Raw);
        set(spot, lock, if up { LockState::Open } else { LockState::Void });
        start
    }

    fn bring(&self, spot: &mut Spot, robot: u8, lock: Option<u8>, floor: i64) -> i64 {
        let arm = self.outer(robot.into(), &spot.cells);
        let start = earliest(spot, [arm.map(|arm| arm.1), part(lock)], floor);
        let end = start + self.scanner.robots[usize::from(robot)].to_lock;
        self.take_until(spot, arm.map(|arm| arm.1), end);
        self.take_until(spot, part(lock), end + self.scanner.pressurize);
        hold(spot, arm, Content::Empty);
        set(spot, lock, LockState::Done);
        start
    }

    fn turn(&self, spot: &mut Spot, robot: usize, floor: i64) -> i64 {
        let (cell, first) = (self.arm_cell(robot), self.arm_part(robot));
        let second = self.has_two_arms(robot).then_some(first + 1);
        let start = earliest(spot, [Some(first), second], floor);
        let end = start + self.scanner.robots[robot].turn;
        self.take_until(spot, Some(first), end);
        self.take_until(spot, second, end);
        if second.is_some() {
            spot.cells.swap(cell, cell + 1);
        } else {
            spot.cells.go_over(cell + 1);
        }
        start
    }

    fn put(&self, spot: &mut Spot, robot: Option<u8>, measure: bool, floor: i64) -> i64 {
        let (arm, chuck) = (self.inner_of(robot, spot), self.front(&spot.cells));
        let start = earliest(spot, [arm.map(|arm| arm.1), chuck.map(|chuck| chuck.1)], floor);
        let end = start + self.time(robot, |robot| robot.to_chuck);
        self.take_until(spot, arm.map(|arm| arm.1), end);
        let more = if measure { self.scanner.measure } else { 0 };
        self.take_until(spot, chuck.map(|chuck| chuck.1), end + more);
        hold(spot, arm, Content::Empty);
        let state = if measure { ChuckState::Measured } else { ChuckState::Fresh };
        carry(spot, chuck, state);
        start
    }

    fn take(&self, spot: &mut Spot, robot: Option<u8>, floor: i64) -> i64 {
        let (arm, chuck) = (self.inner_of(robot, spot), self.front(&spot.cells));
        let start = earliest(spot, [arm.map(|arm| arm.1), chuck.map(|chuck| chuck.1)], floor);
        let end = start + self.time(robot, |robot| robot.from_chuck);
        self.take_until(spot, arm.map(|arm| arm.1), end);
        self.take_until(spot, chuck.map(|chuck| chuck.1), end);
        hold(spot, arm, Content::Exposed);
        carry(spot, chuck, ChuckState::Bare);
        start
    }

    fn swap(&self, spot: &mut Spot, measure: bool, expose: bool, floor: i64) -> i64 {
        let (cell, part) = (self.chuck_cell(), self.chuck_part());
        let second = self.has_two_chucks().then_some(part + 1);
        let start = earliest(spot, [Some(part), second], floor);
        let end = start + self.scanner.swap;
        let measured = end + if measure { self.scanner.measure } else { 0 };
        let exposed = end + if expose { self.scanner.expose } else { 0 };
        if second.is_some() {
            spot.cells.swap(cell, cell + 1);
            self.take_until(spot, Some(part), measured);
            self.take_until(spot, second, exposed);
        } else {
            spot.cells.go_over(cell + 1);
            self.take_until(spot, Some(part), measured.max(exposed));
        }
        if measure {
            spot.cells.set_chuck(cell, ChuckState::Measured);
        }
        if expose {
            let at = if second.is_some() { cell + 1 } else { cell };
            spot.cells.set_chuck(at, ChuckState::Ready);
        }
        start
    }

    fn inner_of(&self, robot: Option<u8>, spot: &Spot) -> Option<(usize, usize)> {
        self.inner(robot?.into(), &spot.cells)
    }

    /// A time of the robot, or the least of those that were dropped.
    fn time(&self, robot: Option<u8>, time: impl Fn(&Robot) -> i64) -> i64 {
        let robots = &self.scanner.robots;
        if let Some(robot) = robot {
            return time(&robots[usize::from(robot)]);
        }
        let dropped = (0..robots.len()).filter(|robot| !self.parts.robots[*robot]);
        dropped.map(|robot| time(&robots[robot])).min().unwrap_or(0)
    }

    fn take_until(&self, spot: &mut Spot, part: Option<usize>, time: i64) {
        if let Some(part) = part
            && spot.free[part] != ALWAYS
        {
            spot.free[part] = time;
        }
    }
}

fn part(lock: Option<u8>) -> Option<usize> {
    lock.map(|lock| 1 + usize::from(lock))
}

fn set(spot: &mut Spot, lock: Option<u8>, state: LockState) {
    if let Some(lock) = lock {
        spot.cells.set_lock(lock.into(), state);
    }
}

fn hold(spot: &mut Spot, arm: Option<(usize, usize)>, content: Content) {
    if let Some((cell, _)) = arm {
        spot.cells.set_arm(cell, content);
    }
}

fn carry(spot: &mut Spot, chuck: Option<(usize, usize)>, state: ChuckState) {
    if let Some((cell, _)) = chuck {
        spot.cells.set_chuck(cell, state);
    }
}

fn earliest(spot: &Spot, parts: [Option<usize>; 2], floor: i64) -> i64 {
    parts.iter().flatten().map(|part| spot.free[*part]).fold(floor, i64::max)
}
