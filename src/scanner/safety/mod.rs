//! A scanner without time: which states can be reached, from which of them the machine can become
//! empty again, and the least restrictive policy that keeps it so.
//!
//! [`analyse`] takes a layout in whole numbers and gives exact counts and the policy: all most
//! general patterns of wafers that no safe state matches. Sets of states and of patterns are
//! decision diagrams, so machines of forty positions and more take seconds.

mod closure;
mod count;
mod covered;
mod diagram;
mod net;
mod pattern;
mod policy;
mod states;
mod symmetry;

#[cfg(test)]
mod tests;

pub use crate::layout::{Content, Hold};
pub use count::Count;
pub use net::Place;
pub use policy::{Class, Pattern, Policy};

use crate::layout::Scanner;
use net::{Net, Sequence, places};
use pattern::Patterns;
use policy::Most;
use states::States;
use symmetry::Symmetry;

/// How it was computed, in a few words.
pub const METHOD: &str = "symbolic: decision diagrams over positions, closed by saturation";

/// More positions than these are not tried.
const MOST_POSITIONS: usize = 400;
/// Sizes of diagrams with which both sequences of levels are tried, one after the other. A sequence
/// that suits the machine needs few nodes, so little is lost on one that does not.
const LIMITS: [usize; 3] = [1 << 17, 1 << 20, 1 << 23];
const MOST: Most = Most { patterns: 1_000_000, sorted: 1_000_000 };

/// The machine is too large for this method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Safety {
    /// Locks, arms, chucks; patterns and states speak of them in this sequence.
    pub positions: Vec<Position>,
    /// All states, reachable or not.
    pub states: Count,
    pub reachable: Count,
    /// Of the reachable ones: those from which the empty machine can be reached.
    pub safe: Count,
    pub unsafe_: Count,
    /// Of the reachable ones: those in which some position can never become empty again.
    pub deadlocked: Count,
    pub circular_wait: CircularWait,
    /// The patterns of the policy match all unsafe states and no other reachable one.
    pub is_exact: bool,
    pub policy: Policy,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub place: Place,
    /// A lock's or chuck's own name; `robot.arm` for arms.
    pub name: String,
}

/// Whether proposition 5.5 of the thesis holds for this machine: wafers wait for each other in a
/// circle exactly in the states in which some position can never become empty again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CircularWait {
    EqualsJam,
    /// A state in which some position is jammed, and no wafers wait in a circle: a wafer cannot
    /// leave for another reason.
    JamWithout(Vec<Content>),
    /// A state in which wafers wait in a circle, and every position can become empty.
    WithoutJam(Vec<Content>),
}

/// What can be said of the machine as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The policy keeps it at work for ever.
    Works,
    /// No wafer can ever be loaded.
    TakesNothing,
    /// Every state with a wafer is unsafe.
    NeverEmptyAgain,
}

impl Safety {
    pub fn verdict(&self) -> Verdict {
        let is_one = |count: &Count| *count == Count::from(1);
        match (is_one(&self.reachable), is_one(&self.safe)) {
            (true, _) => Verdict::TakesNothing,
            (_, true) => Verdict::NeverEmptyAgain,
            _ => Verdict::Works,
        }
    }
}

/// Everything about a scanner that needs no time.
pub fn analyse(scanner: &Scanner) -> Result<Safety, TooLarge> {
    analyse_within(scanner, &LIMITS, MOST)
}

fn analyse_within(scanner: &Scanner, limits: &[usize], most: Most) -> Result<Safety, TooLarge> {
    if places(scanner).len() > MOST_POSITIONS {
        return Err(TooLarge);
    }
    let symmetry = Symmetry::of(scanner)?;
    for &limit in limits {
        for sequence in [Sequence::ArmsFirst, Sequence::LocksFirst] {
            let net = Net::of(scanner, sequence);
            if let Ok(safety) = attempt(scanner, &net, &symmetry, limit, most) {
                return Ok(safety);
            }
        }
    }
    Err(TooLarge)
}

fn attempt(
    scanner: &Scanner,
    net: &Net,
    symmetry: &Symmetry,
    limit: usize,
    most: Most,
) -> Result<Safety, TooLarge> {
    let places = places(scanner);
    let levels: Vec<usize> = places.iter().map(|place| net.at(*place)).collect();
    let mut states = States::explore(net, limit)?;
    let mut patterns = Patterns::find(&mut states, limit)?;
    let mut policy = Policy::list(&mut patterns, symmetry, &levels, most)?;
    let position = |place: &Place| Position { place: *place, name: name(*place, scanner) };
    let circular_wait = circular_wait(&mut states, &levels)?;
    covered::mark(&mut policy, &mut states, &levels);
    let count = |set| states.forest.count(set);
    Ok(Safety {
        positions: places.iter().map(position).collect(),
        states: places.iter().fold(Count::from(1), |states, _| states.times(3)),
        reachable: count(states.reachable),
        safe: count(states.safe),
        unsafe_: count(states.unsafe_),
        deadlocked: count(states.jammed),
        circular_wait,
        is_exact: patterns.is_exact,
        policy,
    })
}

fn circular_wait(states: &mut States, levels: &[usize]) -> Result<CircularWait, TooLarge> {
    let jam_alone = states.forest.minus(states.jammed, states.waiting);
    let wait_alone = states.forest.minus(states.waiting, states.jammed);
    if states.forest.is_full() {
        return Err(TooLarge);
    }
    let state = |set| {
        let word = states.forest.first(set)?;
        Some(levels.iter().map(|level| states::CONTENTS[usize::from(word[*level])]).collect())
    };
    let jam = state(jam_alone).map(CircularWait::JamWithout);
    let wait = state(wait_alone).map(CircularWait::WithoutJam);
    Ok(jam.or(wait).unwrap_or(CircularWait::EqualsJam))
}

/// All positions by name, those together that renaming turns into each other. `None` if there are
/// too many ways to rename.
pub fn alike(scanner: &Scanner) -> Option<Vec<Vec<String>>> {
    let places = places(scanner);
    if places.len() > MOST_POSITIONS {
        return None;
    }
    let symmetry = Symmetry::of(scanner).ok()?;
    // The first position of a class stands for it.
    let mut class: Vec<usize> = (0..places.len()).collect();
    let mut join = |one: usize, other: usize| {
        let (first, second) = (class[one].min(class[other]), class[one].max(class[other]));
        class.iter_mut().filter(|of| **of == second).for_each(|of| *of = first);
    };
    for set in &symmetry.alike {
        set.windows(2).for_each(|pair| join(pair[0], pair[1]));
    }
    for renaming in &symmetry.renamings {
        renaming.iter().enumerate().for_each(|(one, other)| join(one, *other));
    }
    let names = |first: usize| {
        let own = (0..places.len()).filter(|place| class[*place] == first);
        own.map(|place| name(places[place], scanner)).collect::<Vec<String>>()
    };
    Some((0..places.len()).map(names).filter(|class| !class.is_empty()).collect())
}

fn name(place: Place, scanner: &Scanner) -> String {
    match place {
        Place::Lock(lock) => scanner.locks[lock].name.clone(),
        Place::Arm { robot, arm } => format!("{}.{arm}", scanner.robots[robot].name),
        Place::Chuck(chuck) => scanner.chucks[chuck].clone(),
    }
}
