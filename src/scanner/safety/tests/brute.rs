//! The same answers by walking from state to state and trying every pattern; for small machines.
//! Shares nothing with the rest of the room but the types of its answers.

use super::super::{Count, Hold, Pattern};
use crate::layout::Scanner;
use std::collections::{BTreeMap, BTreeSet};

/// 0 empty, 1 raw, 2 exposed; locks, then arms, then chucks.
pub type State = Vec<u8>;

pub struct Answer {
    pub reachable: usize,
    pub safe: usize,
    pub deadlocked: usize,
    pub circular: usize,
    /// States that are jammed or wait in a circle, but not both.
    pub differing: BTreeSet<State>,
    pub classes: BTreeSet<BTreeSet<Pattern>>,
}

pub fn solve(scanner: &Scanner) -> Answer {
    let all = reachable(scanner);
    let back = reversed(scanner, &all);
    let empty = vec![0; positions(scanner)];
    let safe = closure(&back, [empty].into());
    let mut jammed = BTreeSet::new();
    for position in 0..positions(scanner) {
        let free = all.iter().filter(|state| state[position] == 0).cloned().collect();
        let freed = closure(&back, free);
        jammed.extend(all.difference(&freed).cloned());
    }
    let circular: BTreeSet<State> =
        all.iter().filter(|state| waits_in_circle(scanner, state)).cloned().collect();
    let patterns = most_general(&all, &safe, positions(scanner));
    Answer {
        reachable: all.len(),
        safe: safe.len(),
        deadlocked: jammed.len(),
        circular: circular.len(),
        differing: jammed.symmetric_difference(&circular).cloned().collect(),
        classes: orbits(scanner, patterns),
    }
}

fn arms(scanner: &Scanner) -> Vec<usize> {
    let robots = scanner.robots.iter().enumerate();
    robots.flat_map(|(robot, about)| vec![robot; about.arms]).collect()
}

pub fn positions(scanner: &Scanner) -> usize {
    scanner.locks.len() + arms(scanner).len() + scanner.chucks.len()
}

pub fn successors(scanner: &Scanner, state: &State) -> Vec<State> {
    let (locks, arms) = (scanner.locks.len(), arms(scanner));
    let mut found = Vec::new();
    let mut change = |changes: &[(usize, u8, u8)]| {
        if changes.iter().all(|(at, from, _)| state[*at] == *from) {
            let mut next = state.clone();
            changes.iter().for_each(|(at, _, to)| next[*at] = *to);
            found.push(next);
        }
    };
    for (at, lock) in scanner.locks.iter().enumerate() {
        if lock.takes_in {
            change(&[(at, 0, 1)]);
        }
        change(&[(at, 2, 0)]);
    }
    for (arm, robot) in arms.iter().enumerate() {
        let arm = locks + arm;
        for &lock in &scanner.robots[*robot].locks {
            change(&[(lock, 1, 0), (arm, 0, 1)]);
            if scanner.locks[lock].lets_out {
                change(&[(arm, 2, 0), (lock, 0, 2)]);
            }
        }
        for chuck in locks + arms.len()..state.len() {
            change(&[(arm, 1, 0), (chuck, 0, 1)]);
            change(&[(chuck, 2, 0), (arm, 0, 2)]);
        }
    }
    for chuck in locks + arms.len()..state.len() {
        change(&[(chuck, 1, 2)]);
    }
    found
}

pub fn reachable(scanner: &Scanner) -> BTreeSet<State> {
    let mut all = BTreeSet::from([vec![0; positions(scanner)]]);
    let mut waiting: Vec<State> = all.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        for next in successors(scanner, &state) {
            if all.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    all
}

type Back = BTreeMap<State, Vec<State>>;

pub fn reversed(scanner: &Scanner, all: &BTreeSet<State>) -> Back {
    let mut back = Back::new();
    for state in all {
        for next in successors(scanner, state) {
            back.entry(next).or_default().push(state.clone());
        }
    }
    back
}

pub fn closure(back: &Back, mut set: BTreeSet<State>) -> BTreeSet<State> {
    let mut waiting: Vec<State> = set.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        for before in back.get(&state).into_iter().flatten() {
            if set.insert(before.clone()) {
                waiting.push(before.clone());
            }
        }
    }
    set
}

/// Takes out of all occupied positions those that may move on, until none is left or all wait.
fn waits_in_circle(scanner: &Scanner, state: &State) -> bool {
    let (locks, arms) = (scanner.locks.len(), arms(scanner));
    let chucks: Vec<usize> = (locks + arms.len()..state.len()).collect();
    let needs = |at: usize| -> Vec<usize> {
        if chucks.contains(&at) {
            return (locks..locks + arms.len()).collect();
        }
        if at < locks {
            let serves = |arm: &usize| scanner.robots[arms[*arm]].locks.contains(&at);
            let own = (0..arms.len()).filter(serves).map(|arm| locks + arm);
            return if state[at] == 1 { own.collect() } else { Vec::new() };
        }
        let reach = scanner.robots[arms[at - locks]].locks.iter().copied();
        let out = reach.filter(|lock| scanner.locks[*lock].lets_out);
        if state[at] == 1 { chucks.clone() } else { out.collect() }
    };
    let mut stuck: BTreeSet<usize> = (0..state.len()).filter(|at| state[*at] != 0).collect();
    loop {
        let still: BTreeSet<usize> = (stuck.iter().copied())
            .filter(|at| {
                let needs = needs(*at);
                !needs.is_empty() && needs.iter().all(|need| stuck.contains(need))
            })
            .collect();
        if still == stuck {
            return !stuck.is_empty();
        }
        stuck = still;
    }
}

pub fn fits(pattern: &[Hold], state: &State) -> bool {
    pattern.iter().zip(state).all(|(hold, value)| match hold {
        Hold::Free => true,
        Hold::Any => *value != 0,
        Hold::Raw => *value == 1,
        Hold::Exposed => *value == 2,
    })
}

fn most_general(all: &BTreeSet<State>, safe: &BTreeSet<State>, length: usize) -> Vec<Pattern> {
    const HOLDS: [Hold; 4] = [Hold::Free, Hold::Any, Hold::Raw, Hold::Exposed];
    let decoded = |number: usize| -> Vec<Hold> {
        (0..length as u32).map(|at| HOLDS[number / 4usize.pow(at) % 4]).collect()
    };
    let is_good: Vec<bool> = (0..4usize.pow(length as u32))
        .map(|number| {
            let pattern = decoded(number);
            safe.iter().any(|state| fits(&pattern, state))
        })
        .collect();
    let is_prime = |number: &usize| {
        let weaker = (0..length as u32).filter_map(|at| {
            let unit = 4usize.pow(at);
            match number / unit % 4 {
                0 => None,
                1 => Some(number - unit),
                letter => Some(number - (letter - 1) * unit),
            }
        });
        let pattern = decoded(*number);
        !is_good[*number]
            && weaker.into_iter().all(|weaker| is_good[weaker])
            && all.iter().any(|state| fits(&pattern, state))
    };
    let primes = (0..is_good.len()).filter(is_prime);
    primes.map(|number| Pattern(decoded(number).into())).collect()
}

/// Groups patterns by trying every permutation of locks, robots, arms and chucks.
fn orbits(scanner: &Scanner, patterns: Vec<Pattern>) -> BTreeSet<BTreeSet<Pattern>> {
    let renamings = renamings(scanner);
    let mut classes: BTreeMap<Pattern, BTreeSet<Pattern>> = BTreeMap::new();
    for pattern in patterns {
        let images = renamings.iter().map(|images| {
            let mut holds = pattern.0.clone();
            images.iter().enumerate().for_each(|(at, image)| holds[*image] = pattern.0[at]);
            Pattern(holds)
        });
        let first = images.min().expect("nothing renamed is a renaming");
        classes.entry(first).or_default().insert(pattern);
    }
    classes.into_values().collect()
}

fn renamings(scanner: &Scanner) -> Vec<Vec<usize>> {
    let (locks, arms) = (scanner.locks.len(), arms(scanner));
    let chucks = locks + arms.len();
    let all = positions(scanner);
    let mut found = Vec::new();
    for lock_images in permutations(locks) {
        for arm_images in permutations(arms.len()) {
            for chuck_images in permutations(all - chucks) {
                let arm_images = arm_images.iter().map(|arm| locks + arm);
                let chuck_images = chuck_images.iter().map(|chuck| chucks + chuck);
                let images: Vec<usize> =
                    lock_images.iter().copied().chain(arm_images).chain(chuck_images).collect();
                if keeps(scanner, &arms, &images) {
                    found.push(images);
                }
            }
        }
    }
    found
}

/// Arms of one robot stay arms of one robot, and reach the images of the locks that they reached.
fn keeps(scanner: &Scanner, arms: &[usize], images: &[usize]) -> bool {
    let locks = scanner.locks.len();
    let robot = |arm: usize| arms[images[locks + arm] - locks];
    let image_of = |lock: usize| &scanner.locks[images[lock]];
    let same_robots = (0..arms.len()).all(|one| {
        (0..arms.len()).all(|other| (arms[one] == arms[other]) == (robot(one) == robot(other)))
    });
    let same_directions = scanner.locks.iter().enumerate().all(|(at, lock)| {
        (lock.takes_in, lock.lets_out) == (image_of(at).takes_in, image_of(at).lets_out)
    });
    let same_reach = (0..arms.len()).all(|arm| {
        let reach = &scanner.robots[arms[arm]].locks;
        let image = &scanner.robots[robot(arm)].locks;
        reach.len() == image.len() && reach.iter().all(|lock| image.contains(&images[*lock]))
    });
    same_robots && same_directions && same_reach
}

fn permutations(length: usize) -> Vec<Vec<usize>> {
    if length == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for shorter in permutations(length - 1) {
        for at in 0..length {
            let mut longer = shorter.clone();
            longer.insert(at, length - 1);
            found.push(longer);
        }
    }
    found
}

pub fn count(number: usize) -> Count {
    Count::from(u32::try_from(number).expect("small machines have few states"))
}
