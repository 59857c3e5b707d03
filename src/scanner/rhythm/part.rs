//! Schedules of a part of the machine, while the rest of it does nothing: they are schedules of the
//! whole. Where a machine has many equal parts, or bad ones, a few do as well and are sooner found.

use super::solve::{Found, QUICK, Search, barrier};
use super::tool::{Idle, Tool};
use crate::layout::Scanner;
use num_rational::Ratio;
use std::rc::Rc;

/// How many parts are tried.
const PARTS: usize = 24;
/// The cells of a machine that is large.
const LARGE: usize = 14;

impl Search<'_, '_> {
    /// As fast as the bound, if a part of the machine is.
    pub(super) fn in_parts(&mut self, effort: u64) -> Option<Found> {
        for idle in parts(&self.tool) {
            if self.stop.is_told() {
                break;
            }
            let part = Rc::new(self.tool.resting(idle));
            if let Ok(Some(found)) = self.steady(&part, self.bound.interval, effort) {
                return Some(found);
            }
        }
        None
    }

    /// A schedule that is not much slower than the bound, of the whole or of a part of it.
    pub(super) fn not_far(&mut self) -> Option<Found> {
        let whole = self.tool.clone();
        let parts = parts(&whole).into_iter().map(|idle| Rc::new(whole.resting(idle)));
        let all: Vec<Rc<Tool>> = [whole.clone()].into_iter().chain(parts).collect();
        for quarters in [5, 6, 8, 12, 20, 36] {
            let pace = (self.bound.interval * Ratio::new(quarters, 4)).ceil();
            for part in &all {
                if self.stop.is_told() {
                    break;
                }
                if let Ok(Some(found)) = self.steady(part, pace, QUICK / 16) {
                    return Some(self.better(found, QUICK / 16));
                }
            }
        }
        None
    }
}

impl Tool {
    /// Whether a part is sooner looked at than the whole.
    pub(super) fn is_large(&self) -> bool {
        self.cells > LARGE
    }
}

/// What may rest. At work are pairs of robots, then all but one, then single ones; each with all its
/// locks, or with two.
fn parts(tool: &Tool) -> Vec<Idle> {
    let scanner = &tool.scanner;
    let robots = scanner.robots.len();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for a in 0..robots {
        sets.extend((a + 1..robots).map(|b| vec![a, b]));
    }
    sets.extend((0..robots).map(|left| (0..robots).filter(|other| *other != left).collect()));
    sets.extend((0..robots).map(|only| vec![only]));
    let mut parts = Vec::new();
    let mut seen = Vec::new();
    for set in sets {
        for most in [usize::MAX, 2] {
            let idle = resting(scanner, &set, most);
            let alike = likeness(tool, idle);
            let is_whole = (idle.locks, idle.robots) == (0, 0);
            if !is_whole && !seen.contains(&alike) && barrier(&active(scanner, idle)).is_none() {
                seen.push(alike);
                parts.push(idle);
            }
        }
    }
    parts.truncate(PARTS);
    parts
}

/// All robots but these, and all locks but so many of each of them.
fn resting(scanner: &Scanner, robots: &[usize], most: usize) -> Idle {
    let mut idle = Idle { locks: all(scanner.locks.len()), robots: all(scanner.robots.len()) };
    for &robot in robots {
        idle.robots &= !(1 << robot);
        scanner.robots[robot].locks.iter().take(most).for_each(|lock| idle.locks &= !(1 << lock));
    }
    idle
}

fn all(number: usize) -> u64 {
    (1 << number) - 1
}

/// Parts of as many robots and locks of each class are alike.
fn likeness(tool: &Tool, idle: Idle) -> (Vec<usize>, Vec<usize>) {
    let of = |classes: &[Vec<usize>], is_idle: &dyn Fn(usize) -> bool| {
        classes.iter().map(|class| class.iter().filter(|one| !is_idle(**one)).count()).collect()
    };
    let robots: Vec<usize> = of(&tool.equal_robots, &|robot| idle.robot(robot));
    let mut locks: Vec<usize> = of(&tool.equal_locks, &|lock| idle.lock(lock));
    // Locks of equal robots are exchanged with them.
    if tool.equal_robots.iter().any(|class| class.len() > 1) {
        locks.sort_unstable();
    }
    (robots, locks)
}

/// The scanner without what rests.
fn active(scanner: &Scanner, idle: Idle) -> Scanner {
    let mut active = scanner.clone();
    for (number, lock) in active.locks.iter_mut().enumerate() {
        lock.robots.retain(|robot| !idle.robot(*robot) && !idle.lock(number));
    }
    active
}
