//! A scanner without time: positions that are empty or hold a wafer, raw or exposed, and the moves
//! of wafers between them (figure 5.2 of the thesis). Pressure, turning and the places of chucks do
//! not exist here: whatever they stop for a while, they do not stop for ever.

use crate::layout::{Content, Scanner};

/// Where a wafer can be, in the scanner's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Lock(usize),
    Arm { robot: usize, arm: usize },
    Chuck(usize),
}

/// All places, as a reader expects them: locks, arms, chucks. The numbers of positions that others
/// see count these.
pub fn places(scanner: &Scanner) -> Vec<Place> {
    let locks = (0..scanner.locks.len()).map(Place::Lock);
    let robots = scanner.robots.iter().enumerate();
    let arms = robots.flat_map(|(robot, r)| (0..r.arms).map(move |arm| Place::Arm { robot, arm }));
    locks.chain(arms).chain((0..scanner.chucks.len()).map(Place::Chuck)).collect()
}

/// The positions of a scanner in the sequence of levels, and what moves between them.
#[derive(Clone, Debug)]
pub struct Net {
    pub places: Vec<Place>,
    pub moves: Vec<Vec<Act>>,
    /// For each position: where a raw wafer in it goes next, and where an exposed one.
    pub needs: Vec<[Vec<usize>; 2]>,
}

/// This position holds `from`, and then `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Act {
    pub position: usize,
    pub from: Content,
    pub to: Content,
}

impl Net {
    pub fn of(scanner: &Scanner, sequence: Sequence) -> Net {
        let places = order(scanner, sequence);
        let mut net = Net { moves: Vec::new(), needs: Vec::new(), places };
        let chucks: Vec<usize> = (0..scanner.chucks.len()).map(|c| net.chuck(c)).collect();
        let mut arms = Vec::new();
        net.needs = vec![Default::default(); net.places.len()];
        for (robot, about) in scanner.robots.iter().enumerate() {
            for arm in 0..about.arms {
                let arm = net.at(Place::Arm { robot, arm });
                for &lock in &about.locks {
                    let at = net.at(Place::Lock(lock));
                    net.carries(Content::Raw, at, arm);
                    if scanner.locks[lock].lets_out {
                        net.carries(Content::Exposed, arm, at);
                    }
                }
                for &chuck in &chucks {
                    net.carries(Content::Raw, arm, chuck);
                    net.carries(Content::Exposed, chuck, arm);
                }
                arms.push(arm);
            }
        }
        for (number, lock) in scanner.locks.iter().enumerate() {
            let position = net.at(Place::Lock(number));
            if lock.takes_in {
                net.moves.push(vec![Act { position, from: Content::Empty, to: Content::Raw }]);
            }
            net.moves.push(vec![Act { position, from: Content::Exposed, to: Content::Empty }]);
        }
        for position in chucks {
            net.moves.push(vec![Act { position, from: Content::Raw, to: Content::Exposed }]);
            // Exposing is no move: a raw wafer needs what it will need afterwards.
            net.needs[position][0] = arms.clone();
        }
        net
    }

    fn carries(&mut self, what: Content, from: usize, to: usize) {
        self.moves.push(vec![
            Act { position: from, from: what, to: Content::Empty },
            Act { position: to, from: Content::Empty, to: what },
        ]);
        self.needs[from][usize::from(what == Content::Exposed)].push(to);
    }

    /// The position of a place that exists.
    pub fn at(&self, place: Place) -> usize {
        self.places.iter().position(|other| *other == place).expect("every place has a position")
    }

    fn chuck(&self, chuck: usize) -> usize {
        self.at(Place::Chuck(chuck))
    }
}

/// Which position is decided at which level. Both ways suit most machines, and each suits some a
/// hundred times better than the other; which one is not foreseen but tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// A lock stands below the arms that reach it.
    ArmsFirst,
    /// A lock stands above the arms that reach it.
    LocksFirst,
}

/// Robots beside those they share locks with, each with its locks, since what is said of one is
/// mostly said together with the other. Chucks are lowest: what moves over them is closed first.
fn order(scanner: &Scanner, sequence: Sequence) -> Vec<Place> {
    let mut places = Vec::new();
    let mut is_placed = vec![false; scanner.locks.len()];
    for robot in neighbours(scanner) {
        let about = &scanner.robots[robot];
        for &lock in &about.locks {
            if !std::mem::replace(&mut is_placed[lock], true) {
                places.push(Place::Lock(lock));
            }
        }
        places.extend((0..about.arms).map(|arm| Place::Arm { robot, arm }));
    }
    // A lock that nobody serves still is a position.
    let rest = (0..scanner.locks.len()).filter(|lock| !is_placed[*lock]);
    places.extend(rest.map(Place::Lock));
    if sequence == Sequence::ArmsFirst {
        places.reverse();
    }
    places.extend((0..scanner.chucks.len()).map(Place::Chuck));
    places
}

/// The robots, each time one that shares the most locks with those before it.
pub fn neighbours(scanner: &Scanner) -> Vec<usize> {
    let mut sequence: Vec<usize> = Vec::new();
    let mut rest: Vec<usize> = (0..scanner.robots.len()).collect();
    while !rest.is_empty() {
        let shared = |robot: usize| {
            let others = sequence.iter().flat_map(|other| &scanner.robots[*other].locks);
            others.filter(|lock| scanner.robots[robot].locks.contains(lock)).count()
        };
        // The first of the best.
        let best = (0..rest.len()).rev().max_by_key(|at| shared(rest[*at])).unwrap_or(0);
        sequence.push(rest.remove(best));
    }
    sequence
}
