//! The three layouts of the literature, variants of them, and random machines against brute force.

mod brute;
mod patience;
mod rules;

use super::{Answer, Heuristic, Options, Outcome, Rhythm, solve};
use crate::layout::{Lock, Robot, Scanner, Track};
use brute::Graph;
use num_rational::Ratio;
use takt_testing::Random;

/// Robots by their arms and locks; a letter for each lock: `i` in, `o` out, `b` both.
fn layout(ways: &str, robots: &[(usize, &[usize])], chucks: usize) -> Scanner {
    let lock = |(lock, way): (usize, char)| Lock {
        name: format!("L{lock}"),
        takes_in: way != 'o',
        lets_out: way != 'i',
        robots: (0..robots.len()).filter(|robot| robots[*robot].1.contains(&lock)).collect(),
    };
    let robot = |(robot, (arms, locks)): (usize, &(usize, &[usize]))| Robot {
        name: format!("R{robot}"),
        arms: *arms,
        locks: locks.to_vec(),
        turn: 10,
        from_lock: 23,
        to_lock: 23,
        to_chuck: 40,
        from_chuck: 54,
    };
    Scanner {
        track: Track { load: 25, unload: 25, switch: 50, recover: 50 },
        locks: ways.chars().enumerate().map(lock).collect(),
        depressurize: 670,
        pressurize: 120,
        robots: robots.iter().enumerate().map(robot).collect(),
        chucks: (0..chucks).map(|chuck| format!("C{chuck}")).collect(),
        swap: 10,
        measure: 140,
        expose: 250,
    }
}

fn solved(scanner: &Scanner) -> (Answer, Rhythm) {
    let answer = solve(scanner, &Options::default(), &mut || false);
    let Outcome::Found(rhythm) = answer.outcome.clone() else { panic!("{answer:?}") };
    let ends = rules::check(scanner, &rhythm.schedule);
    assert_eq!(ends[0], rhythm.first);
    assert_eq!(ends.windows(2).map(|pair| pair[1] - pair[0]).max(), Some(rhythm.max_gap));
    let cycle = rhythm.schedule.cycle;
    assert_eq!(Ratio::new(cycle.end - cycle.start, cycle.wafers), rhythm.interval);
    (answer, rhythm)
}

/// Interval, largest gap and first wafer, all proved to be the least, and the critical resource.
fn best(scanner: &Scanner) -> (i64, i64, i64, String) {
    let (answer, rhythm) = solved(scanner);
    assert!(answer.is_optimal());
    assert_eq!((rhythm.max_gap, rhythm.first), (rhythm.least_gap.value, rhythm.least_first.value));
    assert!(rhythm.interval.is_integer());
    (rhythm.interval.to_integer(), rhythm.max_gap, rhythm.first, answer.bound.critical)
}

#[test]
fn four_locks_and_two_robots_are_as_fast_as_the_chucks() {
    let base = layout("bbbb", &[(2, &[0, 1]), (2, &[2, 3])], 2);
    assert_eq!(best(&base), (260, 260, 1410, "chucks".to_owned()));
}

#[test]
fn locks_in_and_out_are_critical() {
    let in_out = layout("iioo", &[(2, &[0, 1]), (2, &[2, 3])], 2);
    assert_eq!(best(&in_out), (419, 419, 1410, "locks".to_owned()));
}

#[test]
fn two_locks_and_one_robot() {
    let small = layout("bb", &[(2, &[0, 1])], 2);
    assert_eq!(best(&small), (473, 473, 1734, "locks".to_owned()));
}

#[test]
fn variants() {
    let one_chuck = layout("bbbb", &[(2, &[0, 1]), (2, &[2, 3])], 1);
    assert_eq!(best(&one_chuck), (504, 504, 1410, "chucks".to_owned()));
    let five_locks = layout("bbbbb", &[(2, &[0, 1]), (2, &[2, 3, 4])], 2);
    assert_eq!(best(&five_locks), (260, 260, 1410, "chucks".to_owned()));
    let one_armed = layout("bb", &[(1, &[0, 1])], 2);
    assert_eq!(best(&one_armed), (530, 530, 1410, "locks".to_owned()));
    let one_lock = layout("b", &[(2, &[0])], 2);
    assert_eq!(best(&one_lock), (946, 946, 1734, "locks".to_owned()));
}

#[test]
fn no_way_in_or_out() {
    for ways in ["ii", "oo"] {
        let answer = solve(&layout(ways, &[(2, &[0, 1])], 2), &Options::default(), &mut || false);
        let Outcome::None(why) = answer.outcome else { panic!("{answer:?}") };
        let never = if ways == "ii" { "can never leave" } else { "can ever be loaded" };
        assert!(why.contains(never), "{why}");
    }
}

fn limited(max_gap: Option<i64>, first: Option<i64>) -> Outcome {
    let small = layout("bb", &[(2, &[0, 1])], 2);
    let options = Options { max_gap, first, ..Options::default() };
    let outcome = solve(&small, &options, &mut || false).outcome;
    if let Outcome::Found(rhythm) = &outcome {
        let ends = rules::check(&small, &rhythm.schedule);
        assert!(first.is_none_or(|first| ends[0] <= first), "{rhythm:?}");
        let gaps = ends.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(max_gap.is_none_or(|most| gaps.max() <= Some(most)), "{rhythm:?}");
    }
    outcome
}

#[test]
fn limits_are_kept_or_proved_to_be_too_narrow() {
    for (max_gap, first) in [(473, 1733), (500, 1410), (472, 9999)] {
        let outcome = limited(Some(max_gap), Some(first));
        assert!(matches!(outcome, Outcome::None(_)), "{outcome:?}");
    }
    assert!(matches!(limited(None, Some(1409)), Outcome::None(_)));
    assert!(matches!(limited(Some(472), None), Outcome::None(_)));
    for (max_gap, first) in [(Some(473), Some(1734)), (Some(600), Some(1410)), (Some(500), None)] {
        let outcome = limited(max_gap, first);
        assert!(matches!(outcome, Outcome::Found(_)), "{outcome:?}");
    }
    let Outcome::Found(rhythm) = limited(None, Some(1410)) else { panic!("there is one") };
    assert_eq!((rhythm.interval, rhythm.first), (473.into(), 1410));
}

#[test]
fn heuristics_cut_schedules_and_never_bounds() {
    let small = layout("bb", &[(2, &[0, 1])], 2);
    let (plain, best) = solved(&small);
    for heuristic in Heuristic::ALL {
        assert_eq!(Heuristic::named(heuristic.name()), Some(heuristic));
        let options = Options { heuristics: vec![heuristic], ..Options::default() };
        let answer = solve(&small, &options, &mut || false);
        assert_eq!(answer.bound, plain.bound);
        let Outcome::Found(rhythm) = answer.outcome else { panic!("{heuristic:?}") };
        rules::check(&small, &rhythm.schedule);
        assert!(rhythm.interval >= best.interval && rhythm.least_first.value <= best.first);
        if heuristic.is_safe() {
            assert_eq!(rhythm, best);
        }
    }
}

#[test]
fn a_search_can_be_ended() {
    let small = layout("bb", &[(1, &[0, 1])], 2);
    let answer = solve(&small, &Options::default(), &mut || true);
    assert!(matches!(answer.outcome, Outcome::Unknown(_)), "{answer:?}");
}

#[test]
fn a_cycle_is_short_if_it_can_be() {
    let (_, rhythm) = solved(&layout("bb", &[(2, &[0, 1])], 2));
    assert_eq!(rhythm.schedule.cycle.wafers, 2);
}

#[test]
fn same_machine_same_schedule() {
    let small = layout("bb", &[(2, &[0, 1])], 2);
    assert_eq!(solved(&small), solved(&small));
}

/// Most have one lock, one arm and one chuck: their walks are few enough to look at all.
fn random(dice: &mut Random) -> Scanner {
    let (ways, arms, chucks, most) = match dice.below(20) {
        0..15 => ("b", 1, 1, 3),
        15 | 16 => ("b", 1, 2, 2),
        17 | 18 => ("b", 2, 1, 2),
        _ => (["bb", "io", "ib", "bo"][dice.below(4)], 1, 1, 1),
    };
    let mut scanner = layout(ways, &[(arms, &[0, 1][..ways.len()])], chucks);
    times(&mut scanner, dice, most);
    scanner
}

fn times(scanner: &mut Scanner, dice: &mut Random, most: i64) {
    let (load, unload) = (dice.within(1, most), dice.within(1, most));
    scanner.track =
        Track { load, unload, switch: dice.within(1, most), recover: dice.within(1, most) };
    (scanner.depressurize, scanner.pressurize) = (dice.within(1, most), dice.within(1, most));
    (scanner.swap, scanner.measure) = (dice.within(1, most), dice.within(1, most));
    scanner.expose = dice.within(1, most);
    for robot in &mut scanner.robots {
        (robot.turn, robot.from_lock, robot.to_lock) =
            (dice.within(1, most), dice.within(1, most), dice.within(1, most));
        (robot.to_chuck, robot.from_chuck) = (dice.within(1, most), dice.within(1, most));
    }
}

#[test]
fn no_walk_through_a_small_machine_is_faster() {
    for seed in 0..100 {
        let scanner = random(&mut Random::new(seed));
        let (answer, rhythm) = solved(&scanner);
        assert!(answer.is_optimal(), "seed {seed}: {scanner:?}");
        let graph = Graph::new(&scanner);
        assert!(!graph.beats(rhythm.interval), "seed {seed}: {rhythm:?} {scanner:?}");
    }
}

/// Nothing that is said of other schedules is wrong of some walk.
fn check_proofs(graph: &Graph, rhythm: &Rhythm, longest: i64) {
    for (least, what) in [(rhythm.least_gap, "gap"), (rhythm.least_first, "first")] {
        let (mut gap, mut first) =
            (least.max_gap.unwrap_or(longest), least.first.unwrap_or(longest));
        *if what == "gap" { &mut gap } else { &mut first } = least.value - 1;
        if gap < 0 || first < 0 {
            continue;
        }
        let is_wrong = match least.interval {
            Some(interval) => graph.within(first, gap).beats(interval + Ratio::new(1, 100)),
            None => graph.keeps(first, gap),
        };
        assert!(!is_wrong, "{what}: {rhythm:?}");
    }
}

/// The best one within the limits; no walk keeps them better, nor refutes what is said of it.
fn check_limits(
    graph: &Graph,
    scanner: &Scanner,
    best: &Rhythm,
    limits: (Option<i64>, Option<i64>),
) {
    let (max_gap, first) = limits;
    let options = Options { max_gap, first, ..Options::default() };
    let answer = solve(scanner, &options, &mut || false);
    let longest = best.first + best.max_gap;
    let (most, latest) = (max_gap.unwrap_or(longest), first.unwrap_or(longest));
    let rhythm = match &answer.outcome {
        Outcome::Found(rhythm) => rhythm,
        Outcome::None(why) => {
            assert!(!graph.keeps(latest, most), "{limits:?} {why} {scanner:?}");
            return;
        }
        Outcome::Unknown(why) => panic!("{limits:?} {why} {scanner:?}"),
    };
    let ends = rules::check(scanner, &rhythm.schedule);
    assert!(ends[0] <= latest && rhythm.max_gap <= most, "{limits:?} {rhythm:?}");
    assert!(answer.is_optimal(), "{limits:?} {answer:?} {scanner:?}");
    match max_gap {
        None => assert_eq!(rhythm.interval, best.interval, "{limits:?} {scanner:?}"),
        Some(_) => assert!(!graph.within(latest, most).beats(rhythm.interval), "{rhythm:?}"),
    }
    assert_eq!(rhythm.max_gap, rhythm.least_gap.value, "{limits:?} {scanner:?}");
    assert_eq!(rhythm.first, rhythm.least_first.value, "{limits:?} {scanner:?}");
    check_proofs(graph, rhythm, longest);
}

#[test]
fn no_walk_keeps_limits_better() {
    for seed in 2000..2012 {
        let mut dice = Random::new(seed);
        let mut scanner = layout("b", &[(1 + usize::from(seed % 4 == 0), &[0])], 1);
        times(&mut scanner, &mut dice, 2);
        let graph = Graph::new(&scanner);
        let (_, best) = solved(&scanner);
        check_proofs(&graph, &best, best.first + best.max_gap);
        let first = best.first - dice.amount(4);
        let gap = best.max_gap + dice.amount(5) - 1;
        for limits in [(Some(gap), Some(first)), (None, Some(first)), (Some(gap), None)] {
            check_limits(&graph, &scanner, &best, limits);
        }
    }
}

/// A machine whose fastest rhythm needs gaps far above its interval.
fn uneven() -> Scanner {
    let mut uneven = layout("b", &[(1, &[0])], 2);
    uneven.track = Track { load: 2, unload: 1, switch: 1, recover: 2 };
    (uneven.depressurize, uneven.pressurize) = (1, 2);
    (uneven.swap, uneven.measure, uneven.expose) = (1, 1, 2);
    let robot = &mut uneven.robots[0];
    (robot.turn, robot.from_lock, robot.to_lock, robot.to_chuck, robot.from_chuck) =
        (1, 1, 1, 1, 1);
    uneven
}

#[test]
fn limits_cost_no_more_than_they_must() {
    let uneven = uneven();
    for (max_gap, first) in [(None, None), (None, Some(17)), (Some(22), Some(17)), (Some(30), None)]
    {
        let options = Options { max_gap, first, ..Options::default() };
        let answer = solve(&uneven, &options, &mut || false);
        assert!(answer.is_optimal(), "{answer:?}");
        let Outcome::Found(rhythm) = answer.outcome else { panic!("{max_gap:?} {first:?}") };
        let figures = (rhythm.interval, rhythm.max_gap, rhythm.first);
        assert_eq!(figures, (Ratio::new(27, 2), 22, 17));
        assert_eq!((rhythm.least_gap.value, rhythm.least_first.value), (22, 17));
    }
    // Narrower gaps are possible, at a price.
    let options = Options { max_gap: Some(21), ..Options::default() };
    let answer = solve(&uneven, &options, &mut || false);
    assert!(answer.is_optimal(), "{answer:?}");
    let Outcome::Found(rhythm) = answer.outcome else { panic!("there is one") };
    assert!(rhythm.interval > Ratio::new(27, 2) && rhythm.max_gap <= 21, "{rhythm:?}");
}

/// What two robots with their locks can do, more of them can as well.
#[test]
fn many_parts_are_as_good_as_few() {
    let robots: Vec<(usize, [usize; 2])> =
        (0..6).map(|robot| (2, [2 * robot, 2 * robot + 1])).collect();
    let robots: Vec<(usize, &[usize])> =
        robots.iter().map(|(arms, locks)| (*arms, &locks[..])).collect();
    let (answer, rhythm) = solved(&layout("bbbbbbbbbbbb", &robots, 2));
    assert!(answer.is_optimal());
    assert_eq!((rhythm.interval, rhythm.first), (260.into(), 1410));
}

#[test]
fn no_walk_through_a_small_machine_begins_earlier() {
    let mut proved = 0;
    for seed in 1000..1040 {
        let mut scanner = layout("b", &[(1, &[0])], 1);
        times(&mut scanner, &mut Random::new(seed), 1 + (seed % 3) as i64);
        let graph = Graph::new(&scanner);
        let (_, rhythm) = solved(&scanner);
        assert!(graph.keeps(rhythm.first, rhythm.max_gap), "seed {seed}");
        assert!(
            !graph.keeps(rhythm.least_first.value - 1, rhythm.max_gap),
            "seed {seed}: {rhythm:?}"
        );
        proved += usize::from(rhythm.first == rhythm.least_first.value);
    }
    assert!(proved > 20, "{proved}");
}
