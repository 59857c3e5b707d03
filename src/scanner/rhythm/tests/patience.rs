//! Searches that are ended early keep what they have found; and no heuristic finds what the search
//! without any does not find with as much effort for each.

use super::super::Listener;
use super::*;
use crate::layout::Infinite;

/// Has enough after so many questions, and remembers the best that it was told of.
struct Patience {
    left: u64,
    asked_too_often: u64,
    best: Option<Ratio<i64>>,
}

impl Listener for Patience {
    fn is_over(&mut self, _looked_at: u64) -> bool {
        self.asked_too_often += u64::from(self.left == 0);
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }

    fn found(&mut self, schedule: &Infinite) {
        let cycle = schedule.cycle;
        let interval = Ratio::new(cycle.end - cycle.start, cycle.wafers);
        self.best = Some(self.best.map_or(interval, |best| best.min(interval)));
    }
}

/// Whether a schedule is found, which is at least as good as all that were told of.
fn finds_one(scanner: &Scanner, options: &Options, questions: u64) -> bool {
    let mut patience = Patience { left: questions, asked_too_often: 0, best: None };
    let answer = solve(scanner, options, &mut patience);
    assert_eq!(patience.asked_too_often, 0, "{questions}: it goes on when it should end");
    let Some(best) = patience.best else { return false };
    let Outcome::Found(rhythm) = answer.outcome else { panic!("{questions}: {answer:?}") };
    rules::check(scanner, &rhythm.schedule);
    assert!(rhythm.interval <= best, "{questions}: {rhythm:?}");
    assert!(answer.bound.interval <= rhythm.interval, "{questions}: {rhythm:?}");
    true
}

#[test]
fn whenever_a_search_ends_the_best_schedule_is_kept() {
    let (uneven, options) = (uneven(), Options::default());
    let mut questions = 1;
    let mut found = 0;
    while questions < 4000 {
        found += u64::from(finds_one(&uneven, &options, questions));
        questions += 1 + questions / 6;
    }
    assert!(found > 10, "{found}");
}

/// A lock that only takes in, and one for both: the fastest rhythm has a cycle of 29 wafers, and
/// gaps of many lengths.
#[test]
fn long_cycles_are_kept_as_well() {
    let mut mixed = layout("ib", &[(2, &[0, 1])], 2);
    mixed.track = Track { load: 36, unload: 33, switch: 39, recover: 64 };
    (mixed.depressurize, mixed.pressurize) = (451, 30);
    (mixed.swap, mixed.measure, mixed.expose) = (13, 108, 244);
    let robot = &mut mixed.robots[0];
    (robot.turn, robot.from_lock, robot.to_lock) = (4, 39, 22);
    (robot.to_chuck, robot.from_chuck) = (44, 47);
    for questions in [1500, 5000, 12_000] {
        assert!(finds_one(&mixed, &Options::default(), questions), "{questions}");
    }
}

#[test]
fn heuristics_find_nothing_that_is_not_found_without() {
    let robots: [(usize, &[usize]); 2] = [(2, &[0, 1]), (1, &[2, 3])];
    let mixed = layout("bbbb", &robots, 2);
    let found = |heuristics: &[Heuristic]| {
        let options =
            Options { effort: 20_000, heuristics: heuristics.to_vec(), ..Options::default() };
        let Outcome::Found(rhythm) = solve(&mixed, &options, &mut || false).outcome else {
            panic!("{heuristics:?}")
        };
        rules::check(&mixed, &rhythm.schedule);
        (rhythm.interval, rhythm.max_gap)
    };
    let without = found(&[]);
    for heuristics in [&[Heuristic::Locks][..], &[Heuristic::Greedy], &Heuristic::ALL] {
        assert!(without <= found(heuristics), "{heuristics:?}: {without:?}");
    }
}
