//! The whole solver against all values: answers, minima, cores, learned clauses; the same twice.

use super::each_seed;
use super::script::Script;
use crate::{Choice, Outcome, Solver};
use takt_testing::Random;

#[test]
fn answers_are_what_all_values_say() {
    each_seed(500, |_, r| {
        Script::new(r).play(r);
    });
}

#[test]
fn the_same_input_gives_the_same_counts() {
    each_seed(100, |seed, _| {
        let run = || {
            let r = &mut Random::new(seed);
            let mut script = Script::new(r);
            let counts = script.play(r);
            (format!("{counts:?}"), script.log)
        };
        assert_eq!(run(), run());
    });
}

/// So that the tests above are no idle ones: among their problems are some that take restarts
/// and more than one budget.
#[test]
fn problems_are_hard_enough() {
    let (mut restarts, mut spent, mut refuted, mut solved) = (0, 0, 0, 0);
    for seed in 0..200 {
        let r = &mut Random::new(seed);
        let mut script = Script::new(r);
        restarts += script.play(r).restarts;
        for (outcome, _) in &script.log {
            match outcome {
                Outcome::Spent => spent += 1,
                Outcome::Refuted(_) => refuted += 1,
                Outcome::Solution => solved += 1,
                Outcome::Infeasible => {}
            }
        }
    }
    let all = [restarts, spent, refuted, solved];
    assert!(all.iter().all(|&count| count > 50), "{all:?}");
}

/// All variables had their values without any choice, so that the search had gone through all of them. A new
/// one of a lower rank took the place of one that was done, and was never decided: the search called a
/// solution what left it open.
#[test]
fn a_variable_that_comes_later_is_decided_too() {
    let mut solver = Solver::new();
    solver.variable(3, 3, Choice::Least(1));
    assert_eq!(solver.search(&[], 10, &mut || false), Outcome::Solution);
    let late = solver.variable(0, 5, Choice::Least(0));
    assert_eq!(solver.search(&[], 10, &mut || false), Outcome::Solution);
    assert_eq!((solver.min(late), solver.max(late)), (0, 0));
}

/// A search that is asked the same again goes on where it was. It did so too where a variable without any
/// value had come meanwhile, and called what it had a solution.
#[test]
fn a_variable_without_values_ends_a_search_that_goes_on() {
    let mut solver = Solver::new();
    solver.boolean();
    assert_eq!(solver.search(&[], 10, &mut || false), Outcome::Solution);
    solver.variable(1, 0, Choice::Active);
    assert_eq!(solver.search(&[], 10, &mut || false), Outcome::Infeasible);
}
