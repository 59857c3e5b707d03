//! Small plants whose best schedules are known.

use super::*;
use crate::plan::planned;
use crate::random::Random;
use crate::timetable::value;

/// Keeps all schedules.
struct All(Vec<(i64, Jobs)>);

impl IncumbentCallback for All {
    fn is_over(&mut self) -> bool {
        false
    }

    fn found(&mut self, value: i64, jobs: &Jobs, _: FoundBy) -> bool {
        self.0.push((value, jobs.clone()));
        true
    }
}

fn found(text: &str, rounds: u64) -> Vec<(i64, Jobs)> {
    let plan = planned(text);
    let mut all = All(Vec::new());
    improve(&plan, &ImproveOptions { seed: 1, floor: None, effort: 20 * rounds }, &mut all);
    for (known, jobs) in &all.0 {
        assert_eq!(check(&plan, jobs), Ok(()));
        assert_eq!(value(&plan, jobs), *known);
    }
    assert!(all.0.windows(2).all(|pair| pair[1].0 < pair[0].0), "each is better than the last");
    all.0
}

fn best(text: &str, rounds: u64) -> Option<i64> {
    found(text, rounds).last().map(|last| last.0)
}

#[test]
fn ft06_is_solved() {
    assert_eq!(best(include_str!("../../../specs/ft06.yaml"), 3000), Some(55));
}

#[test]
fn the_same_seed_finds_the_same() {
    let text = include_str!("../../../specs/ft06.yaml");
    assert_eq!(found(text, 200), found(text, 200));
}

#[test]
fn whoever_is_early_waits_for_its_due_instant() {
    let text = "takt: 1\nresources: {m: {}}\nrecipes:\n  r: {steps: [{name: s, on: m, duration: 3}]}\n\
        orders:\n  - {id: a, recipe: r, due: 10, storage-cost: 2, delay-cost: 5}\n  \
        - {id: b, recipe: r, due: 10, storage-cost: 1, delay-cost: 5}\nobjective: cost\n";
    assert_eq!(best(text, 50), Some(3), "one at its due instant, the cheaper one before it");
}

#[test]
fn a_limited_lag_moves_the_first_step() {
    let text = "takt: 1\nresources: {m: {}, n: {}}\nrecipes:\n  r:\n    steps:\n      \
        - {name: a, on: m, duration: 2}\n      - {name: b, on: n, duration: 5, after: {a: {max: 1}}}\n\
        orders: [{id: x, recipe: r, count: 4}]\n";
    assert_eq!(best(text, 20), Some(22));
}

#[test]
fn a_hold_keeps_others_out() {
    let text = "takt: 1\nresources: {m: {}, n: {}, tank: {}}\nrecipes:\n  r:\n    steps:\n      \
        - {name: a, on: m, duration: 2}\n      - {name: b, on: n, duration: 5}\n    \
        holds: [{resource: tank, from: a, until: b}]\norders: [{id: x, recipe: r, count: 3}]\n";
    assert_eq!(best(text, 20), Some(21));
}

#[test]
fn work_pauses_while_closed() {
    let text = "takt: 1\ncalendars: {c: {windows: [[0, 4]], repeat: 10}}\n\
        resources: {m: {calendar: c}}\nrecipes:\n  r:\n    steps:\n      \
        - {name: a, on: m, duration: 3, interruptible: true}\norders: [{id: x, recipe: r, count: 3}]\n";
    assert_eq!(best(text, 20), Some(21));
    let text = text.replace(", interruptible: true", "");
    assert_eq!(best(&text, 20), Some(23));
}

#[test]
fn nothing_to_do_is_done_at_once() {
    assert_eq!(best("takt: 1\nrecipes: {}\norders: []\n", 5), Some(0));
}

#[test]
fn deadlines_are_met_by_going_first() {
    let text = "takt: 1\nresources: {m: {}}\nrecipes:\n  r: {steps: [{name: s, on: m, duration: 3}]}\n\
        orders:\n  - {id: a, recipe: r, due: 1}\n  - {id: b, recipe: r, deadline: 3}\n";
    assert_eq!(best(text, 5), Some(6));
}

#[test]
fn steps_of_one_order_need_not_start_as_they_are_written() {
    let text = "takt: 1\nresources: {m: {}}\nrecipes:\n  r:\n    steps:\n      \
        - {name: a, on: m, duration: 5}\n      - {name: b, on: m, duration: 1, after: []}\n      \
        - {name: c, duration: 10, after: [b]}\norders: [{id: x, recipe: r}]\n";
    assert_eq!(best(text, 20), Some(11), "b first, then a beside c");
}

/// Whatever is pushed to the right and placed again ends no later.
#[test]
fn pushing_to_the_right_and_back_never_loses() {
    let mut random = Random::new(7);
    let mut gains = 0;
    for _ in 0..300 {
        let mut steps = String::new();
        for k in 0..8 {
            let (on, long) = (["m", "n"][random.below(2)], 1 + random.below(6));
            let before: Vec<String> =
                (0..k).filter(|_| random.one_in(4)).map(|b| format!("s{b}")).collect();
            let (amount, after) = (1 + random.below(2), before.join(", "));
            steps += &format!(
                "      - {{name: s{k}, on: {{{on}: {amount}}}, duration: {long}, after: [{after}]}}\n"
            );
        }
        let text = format!(
            "takt: 1\nresources: {{m: {{capacity: 2}}, n: {{capacity: 3}}}}\nrecipes:\n  r:\n    \
             steps:\n{steps}orders: [{{id: x, recipe: r, count: 2}}]\n"
        );
        let plan = planned(&text);
        let plant = Plant::new(&plan);
        assert!(justify::is_reversible(&plan));
        let by_chance = list::by_chance(&plant, list::Priority::Spec, &mut random);
        let early = |list: &[list::Item]| {
            let placed = list::place_all(&plant, list, |_| (0, table::Taste::Early));
            placed.ok().and_then(|table| table.whole()).unwrap()
        };
        let jobs = early(&by_chance);
        let again = early(&list::by_keys(&plant, &justify::pushed_right(&plant, &jobs)));
        assert_eq!(check(&plan, &again), Ok(()));
        assert!(value(&plan, &again) <= value(&plan, &jobs), "{text}");
        gains += i32::from(value(&plan, &again) < value(&plan, &jobs));
    }
    assert!(gains > 20, "{gains}");
}
