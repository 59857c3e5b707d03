//! The machine of a layout as a cluster tool, or a part of it: its components, its states, how it
//! begins.
//!
//! Operations that need one component and leave it no choice are joined to the one before them: a
//! loaded lock is taken down at once, a filled one is taken up at once, a lock that has become
//! empty stays or changes its pressure at once, a chuck measures and exposes at once or not until
//! it is moved. This loses nothing: the operation could be moved to the left, nobody else needs the
//! component meanwhile. The track needs no state at all: it becomes ready to unload in no time.

use super::cells::{Cells, LockState, SIZE};
use super::heuristic::Rules;
use crate::layout::Scanner;
use hashbrown::HashSet;

/// When a component is free that was dropped.
pub const ALWAYS: i64 = i64::MIN / 4;

/// Locks and robots by their positions. `None` stands for any one that was dropped: it is taken to be
/// as the move needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The locks of the set are taken down at once.
    Start {
        down: u64,
    },
    /// The lock is taken down afterwards.
    Load {
        lock: u8,
    },
    /// With `down` the empty lock is taken down afterwards, else it is to be loaded.
    Unload {
        lock: u8,
        down: bool,
    },
    /// With `up` the empty lock is taken up afterwards, else it is to be filled.
    From {
        robot: u8,
        lock: Option<u8>,
        up: bool,
    },
    /// The lock is taken up afterwards.
    To {
        robot: u8,
        lock: Option<u8>,
    },
    Turn {
        robot: u8,
    },
    Put {
        robot: Option<u8>,
        measure: bool,
    },
    Take {
        robot: Option<u8>,
    },
    /// What the chucks do at their new places.
    Swap {
        measure: bool,
        expose: bool,
    },
}

impl Move {
    /// Whether a lock without a wafer is pumped afterwards.
    pub fn pumps_nothing(self) -> bool {
        matches!(self, Move::Unload { down: true, .. } | Move::From { up: true, .. })
    }
}

/// A configuration, and when each component is free. No later move starts before the earliest of
/// these times.
#[derive(Clone, Copy)]
pub struct Spot {
    pub cells: Cells,
    pub free: [i64; SIZE],
}

/// Which moves count how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub at: At,
    pub ins: i64,
    pub outs: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Loads and unloads of the locks that are there.
    Locks,
    /// What arms take from locks and bring to them.
    Arms,
    /// What is put onto chucks and taken from them.
    Chucks,
}

/// Which components are there.
#[derive(Clone, Debug)]
pub struct Parts {
    pub track: bool,
    pub locks: Vec<bool>,
    pub robots: Vec<bool>,
    pub chucks: bool,
}

/// Sets of locks and robots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Idle {
    pub locks: u64,
    pub robots: u64,
}

impl Idle {
    pub fn lock(self, lock: usize) -> bool {
        self.locks & 1 << lock != 0
    }

    pub fn robot(self, robot: usize) -> bool {
        self.robots & 1 << robot != 0
    }
}

/// A cluster tool: components that pass wafers on, each busy for the time of its operation.
#[derive(Clone, Debug)]
pub struct Tool {
    pub scanner: Scanner,
    pub parts: Parts,
    pub count: Count,
    pub rules: Rules,
    /// Locks and robots that are there and stay as they are.
    pub idle: Idle,
    pub cells: usize,
    /// The components that are there, by their positions in [`Spot::free`].
    pub live: Vec<usize>,
    pub(super) equal_locks: Vec<Vec<usize>>,
    pub(super) equal_robots: Vec<Vec<usize>>,
    /// The locks of each robot, those of equal directions together.
    pub(super) blocks: Vec<Vec<usize>>,
}

impl Tool {
    /// `None` if it has too many components for a key, or times beyond reckoning.
    pub fn whole(scanner: &Scanner) -> Option<Tool> {
        let parts = Parts {
            track: true,
            locks: vec![true; scanner.locks.len()],
            robots: vec![true; scanner.robots.len()],
            chucks: true,
        };
        let cells = scanner.locks.len() + 2 * scanner.robots.len() + 2;
        let fits = cells < SIZE && total(scanner).is_some_and(|total| total < 1 << 40);
        fits.then(|| Tool::new(scanner, parts, Count { at: At::Locks, ins: 0, outs: 1 }))
    }

    pub fn new(scanner: &Scanner, parts: Parts, count: Count) -> Tool {
        let cells = parts.locks.len() + 2 * parts.robots.len() + 2;
        let mut tool = Tool {
            scanner: scanner.clone(),
            parts,
            count,
            rules: Rules::default(),
            idle: Idle::default(),
            cells,
            live: Vec::new(),
            equal_locks: Vec::new(),
            equal_robots: Vec::new(),
            blocks: Vec::new(),
        };
        tool.live = tool.components();
        tool.find_equals();
        tool
    }

    /// The same machine, of which a part does nothing.
    pub fn resting(&self, idle: Idle) -> Tool {
        let mut tool = Tool { idle, ..self.clone() };
        tool.find_equals();
        tool
    }

    fn components(&self) -> Vec<usize> {
        let mut live = Vec::new();
        live.extend(self.parts.track.then_some(0));
        live.extend((0..self.parts.locks.len()).filter(|l| self.parts.locks[*l]).map(|l| 1 + l));
        for robot in (0..self.parts.robots.len()).filter(|r| self.parts.robots[*r]) {
            live.push(self.arm_part(robot));
            live.extend(self.has_two_arms(robot).then_some(self.arm_part(robot) + 1));
        }
        if self.parts.chucks {
            live.push(self.chuck_part());
            live.extend(self.has_two_chucks().then_some(self.chuck_part() + 1));
        }
        live
    }

    /// The cell of a robot's arm at the locks, the next one is that of the arm at the chucks. An
    /// only arm has the first, and the second says whether it is at the chucks.
    pub fn arm_cell(&self, robot: usize) -> usize {
        self.parts.locks.len() + 2 * robot
    }

    pub fn arm_part(&self, robot: usize) -> usize {
        1 + self.arm_cell(robot)
    }

    /// The cell of the chuck at the measure position, the next one is that of the other. An only
    /// chuck has the first, and the second says whether it is at the expose position.
    pub fn chuck_cell(&self) -> usize {
        self.parts.locks.len() + 2 * self.parts.robots.len()
    }

    pub fn chuck_part(&self) -> usize {
        1 + self.chuck_cell()
    }

    pub fn has_two_arms(&self, robot: usize) -> bool {
        self.scanner.robots[robot].arms == 2
    }

    pub fn has_two_chucks(&self) -> bool {
        self.scanner.chucks.len() == 2
    }

    /// Cell and component of the arm at the locks.
    pub fn outer(&self, robot: usize, cells: &Cells) -> Option<(usize, usize)> {
        let there = self.has_two_arms(robot) || !cells.is_away(self.arm_cell(robot) + 1);
        there.then(|| (self.arm_cell(robot), self.arm_part(robot)))
    }

    /// Cell and component of the arm at the chucks.
    pub fn inner(&self, robot: usize, cells: &Cells) -> Option<(usize, usize)> {
        let (cell, part) = (self.arm_cell(robot), self.arm_part(robot));
        if self.has_two_arms(robot) {
            return Some((cell + 1, part + 1));
        }
        cells.is_away(cell + 1).then_some((cell, part))
    }

    /// Cell and component of the chuck at the measure position.
    pub fn front(&self, cells: &Cells) -> Option<(usize, usize)> {
        let there = self.has_two_chucks() || !cells.is_away(self.chuck_cell() + 1);
        (self.parts.chucks && there).then(|| (self.chuck_cell(), self.chuck_part()))
    }

    /// How the machine may begin: empty. A lock that only lets out is taken down at once, one that
    /// only takes in is not, and one that does both may be either. Of equal locks, those that are
    /// taken down come last.
    pub fn starts(&self) -> Vec<(Move, Spot)> {
        let mut sets = vec![0u64];
        let locks = (0..self.parts.locks.len()).filter(|lock| self.parts.locks[*lock]);
        for lock in locks.filter(|lock| !self.idle.lock(*lock)) {
            let kind = &self.scanner.locks[lock];
            let taken: Vec<u64> = sets.iter().map(|set| set | 1 << lock).collect();
            match (kind.takes_in, kind.lets_out) {
                (true, true) => {
                    let before = self.equal_before(lock);
                    sets.retain(|set| before.is_none_or(|other| set & 1 << other == 0));
                    sets.extend(taken);
                }
                (false, true) => sets = taken,
                _ => {}
            }
            self.keep_different(&mut sets);
        }
        sets.into_iter().map(|down| (Move::Start { down }, self.begin(down))).collect()
    }

    /// Of many beginnings that differ only in the names of robots one is enough.
    fn keep_different(&self, sets: &mut Vec<u64>) {
        if sets.len() > 64 {
            let mut seen = HashSet::new();
            sets.retain(|down| {
                let mut spot = self.begin(*down);
                self.arrange(&mut spot, None);
                seen.insert(self.key(&spot))
            });
        }
    }

    fn equal_before(&self, lock: usize) -> Option<usize> {
        let class = self.equal_locks.iter().find(|class| class.contains(&lock))?;
        class.iter().copied().take_while(|other| *other != lock).last()
    }

    /// Empty, the locks of the set on their way into the vacuum.
    pub fn begin(&self, down: u64) -> Spot {
        let mut spot = Spot { cells: Cells::EMPTY, free: [ALWAYS; SIZE] };
        self.live.iter().for_each(|part| spot.free[*part] = 0);
        for lock in (0..self.parts.locks.len()).filter(|l| down & (1 << l) != 0) {
            spot.cells.set_lock(lock, LockState::Void);
            spot.free[1 + lock] = self.scanner.depressurize;
        }
        spot
    }

    pub fn key(&self, spot: &Spot) -> u128 {
        spot.cells.key(self.cells)
    }

    /// The times of the components that are there.
    pub fn times(&self, spot: &Spot) -> Vec<i64> {
        self.live.iter().map(|part| spot.free[*part]).collect()
    }

    pub fn spot(&self, key: u128, times: &[i64]) -> Spot {
        let cells = Cells::of_key(key, self.cells);
        let mut spot = Spot { cells, free: [ALWAYS; SIZE] };
        for (part, time) in self.live.iter().zip(times) {
            spot.free[*part] = *time;
        }
        spot
    }

    /// What a move counts.
    pub fn gain(&self, step: Move) -> i64 {
        match (self.count.at, step) {
            (At::Locks, Move::Load { .. }) => self.count.ins,
            (At::Locks, Move::Unload { .. }) => self.count.outs,
            (At::Arms, Move::From { .. }) | (At::Chucks, Move::Put { .. }) => self.count.ins,
            (At::Arms, Move::To { .. }) | (At::Chucks, Move::Take { .. }) => self.count.outs,
            _ => 0,
        }
    }
}

/// The sum of all times of a layout.
pub fn total(scanner: &Scanner) -> Option<i64> {
    let track = scanner.track;
    let mut times = vec![track.load, track.unload, track.switch, track.recover];
    times.extend([scanner.depressurize, scanner.pressurize]);
    times.extend([scanner.swap, scanner.measure, scanner.expose]);
    for robot in &scanner.robots {
        times.extend([robot.turn, robot.from_lock, robot.to_lock]);
        times.extend([robot.to_chuck, robot.from_chuck]);
    }
    times.iter().try_fold(0i64, |sum, time| sum.checked_add(*time))
}
