//! The base layout against the thesis, small layouts against brute force, large ones at all.

mod brute;

use super::policy::Most;
use super::*;
use crate::layout::{Lock, Robot, Track};
use std::collections::BTreeSet;
use takt_testing::Random;

const BOTH: (bool, bool) = (true, true);
const IN: (bool, bool) = (true, false);
const OUT: (bool, bool) = (false, true);

/// Locks by what they take in and let out, robots by arms and locks.
fn scanner(locks: &[(bool, bool)], robots: &[(usize, Vec<usize>)], chucks: usize) -> Scanner {
    let reach = |lock| (0..robots.len()).filter(move |robot| robots[*robot].1.contains(&lock));
    let locks = locks.iter().enumerate().map(|(lock, &(takes_in, lets_out))| {
        let robots = reach(lock).collect();
        Lock { name: format!("L{lock}"), takes_in, lets_out, robots }
    });
    let robot = |(number, (arms, locks)): (usize, &(usize, Vec<usize>))| Robot {
        name: format!("R{number}"),
        arms: *arms,
        locks: locks.clone(),
        turn: 1,
        from_lock: 1,
        to_lock: 1,
        to_chuck: 1,
        from_chuck: 1,
    };
    Scanner {
        track: Track { load: 1, unload: 1, switch: 1, recover: 1 },
        locks: locks.collect(),
        depressurize: 1,
        pressurize: 1,
        robots: robots.iter().enumerate().map(robot).collect(),
        chucks: (0..chucks).map(|chuck| format!("C{chuck}")).collect(),
        swap: 1,
        measure: 1,
        expose: 1,
    }
}

fn base() -> Scanner {
    scanner(&[BOTH; 4], &[(2, vec![0, 1]), (2, vec![2, 3])], 2)
}

fn shown(safety: &Safety, pattern: &Pattern) -> String {
    let words = pattern.entries().map(|(position, hold)| {
        let hold = match hold {
            Hold::Raw => "r",
            Hold::Exposed => "g",
            Hold::Any => "*",
            Hold::Free => unreachable!("not an entry"),
        };
        format!("{}={hold}", safety.positions[position].name)
    });
    words.collect::<Vec<_>>().join(" ")
}

fn firsts(safety: &Safety) -> Vec<String> {
    let classes = safety.policy.classes.as_ref().expect("few classes");
    classes
        .iter()
        .map(|class| format!("{} x {}", class.number, shown(safety, &class.first)))
        .collect()
}

#[test]
fn the_base_layout_is_that_of_the_thesis() {
    let safety = analyse(&base()).expect("a small machine");
    assert_eq!(safety.states.to_string(), "59049");
    assert_eq!(safety.reachable.to_string(), "57116");
    assert_eq!(safety.safe.plus(&safety.unsafe_), safety.reachable);
    // In this machine a state is unsafe exactly if it is deadlocked (footnote 2).
    assert_eq!(safety.deadlocked, safety.unsafe_);
    assert_eq!(safety.circular_wait, CircularWait::EqualsJam);
    assert!(safety.is_exact);
    assert_eq!(safety.verdict(), Verdict::Works);
    assert_eq!(
        firsts(&safety),
        [
            "2 x L0=r L1=r R0.0=g R0.1=g",
            "1 x R0.0=r R0.1=r R1.0=r R1.1=r C0=* C1=*",
            "2 x L0=r L1=r R0.0=* R0.1=* R1.0=r R1.1=r C0=* C1=*",
            "1 x L0=r L1=r L2=r L3=r R0.0=* R0.1=* R1.0=* R1.1=* C0=* C1=*",
        ]
    );
}

/// Figure 5.4, word by word.
fn is_figure_5_4(state: &[u8]) -> bool {
    const R: u8 = 1;
    const G: u8 = 2;
    let (l, rb, c) = (&state[..4], [&state[4..6], &state[6..8]], &state[8..]);
    let chucks = c[0] != 0 && c[1] != 0;
    let is_raw = |robot: usize| rb[robot][0] == R && rb[robot][1] == R;
    let is_mixed = |robot: usize| {
        (rb[robot][0] == R && rb[robot][1] == G) || (rb[robot][0] == G && rb[robot][1] == R)
    };
    let d1a = l[0] == R && l[1] == R && rb[0][0] == G && rb[0][1] == G;
    let d1b = l[2] == R && l[3] == R && rb[1][0] == G && rb[1][1] == G;
    let d2 = chucks && is_raw(0) && is_raw(1);
    let d3a = chucks && is_raw(0) && is_mixed(1) && l[2] == R && l[3] == R;
    let d3b = chucks && is_raw(1) && is_mixed(0) && l[0] == R && l[1] == R;
    let d4 = chucks && l.iter().all(|lock| *lock == R) && is_mixed(0) && is_mixed(1);
    d1a || d1b || d2 || d3a || d3b || d4
}

#[test]
fn every_state_of_the_base_layout_is_safe_unless_figure_5_4_says_otherwise() {
    let scanner = base();
    let all = brute::reachable(&scanner);
    let safe = brute::closure(&brute::reversed(&scanner, &all), [vec![0; 10]].into());
    let safety = analyse(&scanner).expect("a small machine");
    let classes = safety.policy.classes.expect("few classes");
    let patterns: Vec<&Pattern> =
        classes.iter().flat_map(|c| c.patterns.iter().flatten()).collect();
    assert_eq!(all.len(), 57116);
    for state in &all {
        assert_eq!(safe.contains(state), !is_figure_5_4(state), "{state:?}");
        let is_matched = patterns.iter().any(|pattern| brute::fits(&pattern.0, state));
        assert_eq!(is_matched, is_figure_5_4(state), "{state:?}");
    }
}

/// Everything that brute force says as well.
fn compare(scanner: &Scanner) {
    let safety = analyse(scanner).expect("a small machine");
    let brute = brute::solve(scanner);
    let counts = [&safety.reachable, &safety.safe, &safety.deadlocked];
    let expected = [brute.reachable, brute.safe, brute.deadlocked].map(brute::count);
    assert_eq!(counts, expected.each_ref());
    assert_eq!(safety.unsafe_, brute::count(brute.reachable - brute.safe));
    assert!(safety.is_exact);
    let classes: Vec<Class> = safety.policy.classes.expect("few classes");
    for class in &classes {
        let patterns = class.patterns.as_ref().expect("few patterns");
        assert_eq!(class.number, brute::count(patterns.len()));
        assert_eq!(patterns.first(), Some(&class.first));
    }
    covered(scanner, &classes, brute.reachable - brute.safe);
    let classes: BTreeSet<BTreeSet<Pattern>> =
        classes.into_iter().map(|c| c.patterns.into_iter().flatten().collect()).collect();
    assert_eq!(classes, brute.classes);
    match safety.circular_wait {
        CircularWait::EqualsJam => assert!(brute.differing.is_empty()),
        CircularWait::JamWithout(state) | CircularWait::WithoutJam(state) => {
            let state: Vec<u8> = state.iter().map(|content| *content as u8).collect();
            assert!(brute.differing.contains(&state), "{state:?}");
        }
    }
    assert!(brute.circular <= brute.reachable);
}

/// The classes that are not marked match all unsafe states, and each one some that no other does.
fn covered(scanner: &Scanner, classes: &[Class], number: usize) {
    let kept: Vec<&Class> = classes.iter().filter(|class| !class.is_covered).collect();
    let fits = |class: &Class, state: &Vec<u8>| {
        class.patterns.iter().flatten().any(|pattern| brute::fits(&pattern.0, state))
    };
    let mut is_needed = vec![false; kept.len()];
    let mut matched = 0;
    for state in brute::reachable(scanner) {
        let by: Vec<usize> = (0..kept.len()).filter(|class| fits(kept[*class], &state)).collect();
        matched += usize::from(!by.is_empty());
        if let [only] = by[..] {
            is_needed[only] = true;
        }
    }
    assert_eq!(matched, number);
    assert!(is_needed.iter().all(|is_needed| *is_needed), "{classes:?}");
}

#[test]
fn a_class_that_says_nothing_new_is_marked() {
    let five = scanner(&[BOTH; 5], &[(2, vec![0, 1, 4]), (2, vec![2, 3, 4])], 2);
    let marked = |scanner: &Scanner| -> Vec<bool> {
        let classes = analyse(scanner).expect("a small machine").policy.classes;
        classes.expect("few classes").iter().map(|class| class.is_covered).collect()
    };
    assert_eq!(marked(&base()), [false; 4]);
    assert_eq!(marked(&five).iter().filter(|is_marked| **is_marked).count(), 1);
}

fn random(seed: u64, most: usize) -> Scanner {
    let mut dice = Random::new(seed);
    loop {
        let locks: Vec<(bool, bool)> =
            (0..1 + dice.below(3)).map(|_| [BOTH, BOTH, IN, OUT][dice.below(4)]).collect();
        let robots: Vec<(usize, Vec<usize>)> = (0..1 + dice.below(2))
            .map(|_| {
                let reach = (0..locks.len()).filter(|_| dice.below(3) > 0).collect();
                (1 + dice.below(2), reach)
            })
            .collect();
        let found = scanner(&locks, &robots, 1 + dice.below(2));
        let is_served = found.locks.iter().all(|lock| !lock.robots.is_empty());
        let has_locks = found.robots.iter().all(|robot| !robot.locks.is_empty());
        if is_served && has_locks && brute::positions(&found) <= most {
            return found;
        }
    }
}

#[test]
fn small_layouts_agree_with_brute_force() {
    for seed in 0..100 {
        let scanner = random(seed, if seed % 20 == 0 { 7 } else { 6 });
        let about: Vec<_> = scanner.robots.iter().map(|r| (r.arms, &r.locks)).collect();
        let locks: Vec<_> = scanner.locks.iter().map(|l| (l.takes_in, l.lets_out)).collect();
        println!("seed {seed}: locks {locks:?}, robots {about:?}, {} chucks", scanner.chucks.len());
        compare(&scanner);
    }
}

#[test]
fn a_robot_that_cannot_let_out_jams_without_a_circle() {
    let scanner = scanner(&[IN, IN, OUT, OUT], &[(2, vec![0, 1]), (2, vec![2, 3])], 2);
    let safety = analyse(&scanner).expect("a small machine");
    let CircularWait::JamWithout(state) = &safety.circular_wait else {
        panic!("{:?}", safety.circular_wait)
    };
    let stuck = safety.positions.iter().zip(state);
    let stuck: Vec<_> = stuck.filter(|(_, content)| **content != Content::Empty).collect();
    assert!(stuck.iter().any(|(p, c)| p.name.starts_with("R0") && **c == Content::Exposed));
    assert_eq!(firsts(&safety), ["2 x R0.0=g"]);
}

#[test]
fn machines_that_cannot_work_are_told() {
    let shut = analyse(&scanner(&[IN; 2], &[(1, vec![0, 1])], 1)).expect("a small machine");
    assert_eq!(shut.verdict(), Verdict::NeverEmptyAgain);
    assert_eq!(firsts(&shut), ["2 x L0=*", "1 x R0.0=*", "1 x C0=*"]);
    let idle = analyse(&scanner(&[OUT; 2], &[(1, vec![0, 1])], 1)).expect("a small machine");
    assert_eq!(idle.verdict(), Verdict::TakesNothing);
    assert!(idle.policy.number.is_zero());
}

/// Robots in a row, each with so many locks, of which it shares some with the next one.
fn row(robots: usize, arms: usize, each: usize, shared: usize, locks: usize) -> Scanner {
    let robot = |number: usize| {
        let mut own: Vec<usize> =
            (0..each).map(|at| (number * (each - shared) + at) % locks).collect();
        own.sort_unstable();
        (arms, own)
    };
    scanner(&vec![BOTH; locks], &(0..robots).map(robot).collect::<Vec<_>>(), 2)
}

#[test]
fn machines_of_forty_positions_are_no_trouble() {
    let safety = analyse(&row(8, 2, 3, 0, 22)).expect("forty positions");
    assert_eq!(safety.positions.len(), 40);
    assert_eq!(safety.states.to_string(), "12157665459056928801");
    assert_eq!(safety.reachable.to_string(), "11858739672558520372");
    assert_eq!(safety.circular_wait, CircularWait::EqualsJam);
    assert!(safety.is_exact);
    let apart = analyse(&row(6, 2, 2, 0, 12)).expect("26 positions");
    // One robot with both arms exposed, or chucks full and each robot blocked in one of two ways.
    assert_eq!(firsts(&apart).len(), 1 + 7);
    assert_eq!(apart.policy.number, Count::from(6 + 64));
    let together = analyse(&row(3, 2, 16, 16, 16)).expect("24 positions, all locks shared");
    assert_eq!(together.policy.number, Count::from(3));
    // Pairs of robots that share all they have, and others: not every robot can become every other.
    let pairs = analyse(&row(11, 2, 2, 0, 16)).expect("40 positions, six locks shared");
    assert_eq!(pairs.policy.number, Count::from(264));
    let ring = analyse(&row(6, 2, 3, 1, 12)).expect("26 positions, six locks shared");
    assert!(ring.is_exact && ring.circular_wait == CircularWait::EqualsJam);
}

#[test]
fn what_is_too_much_is_told_and_never_wrong() {
    let scanner = row(4, 2, 2, 0, 8);
    let full = analyse(&scanner).expect("a small machine");
    let classes = full.policy.classes.as_ref().expect("few classes");
    let most = Most { patterns: 3, sorted: 1000 };
    let short = analyse_within(&scanner, &LIMITS, most).expect("a small machine");
    let listed = short.policy.classes.as_ref().expect("few classes");
    assert_eq!(short.policy.number, full.policy.number);
    assert!(listed.iter().all(|class| class.patterns.is_none()));
    let told = |class: &Class| (class.first.clone(), class.number.clone());
    assert_eq!(
        listed.iter().map(told).collect::<Vec<_>>(),
        classes.iter().map(told).collect::<Vec<_>>()
    );
    let most = Most { patterns: 3, sorted: 3 };
    let shortest = analyse_within(&scanner, &LIMITS, most).expect("a small machine");
    assert_eq!((shortest.policy.number, shortest.policy.classes), (full.policy.number, None));
    assert_eq!(analyse_within(&scanner, &[100], most), Err(TooLarge));
    assert_eq!(analyse(&row(200, 2, 1, 0, 200)), Err(TooLarge));
}
