//! What is computed by and by is what follows at once, and every schedule is one.

use super::*;
use crate::improve::first_schedule;
use crate::plan::{Plan, planned};
use crate::timetable::{check, value};

/// A shop of all that sequences know of, drawn with a seed.
fn shop(seed: u64, orders: usize, may_be_equal: bool) -> String {
    let mut random = Random::new(seed);
    let mut text =
        String::from("takt: 1\ncalendars: {c: {windows: [[0, 14]], repeat: 20}}\nresources:\n");
    let mut has = |n: usize| random.one_in(n);
    let calendar = if has(2) { ", calendar: c" } else { "" };
    let setup = if has(2) {
        ", setup: {matrix: {f: {g: {time: 2, cost: 3}}, g: {f: {time: 1, cost: 1}}}}"
    } else {
        ""
    };
    text += &format!(
        "  a: {{capacity: 2{calendar}}}\n  b: {{units: [x, y]{setup}}}\n  t: {{capacity: 3}}\n"
    );
    let (lag, pause) =
        (if has(2) { ", max: 30" } else { "" }, if has(2) { ", interruptible: true" } else { "" });
    let hold = if has(2) { "    holds: [{resource: t, from: p, until: q}]\n" } else { "" };
    text += &format!(
        "recipes:\n  r:\n    steps:\n      - {{name: p, on: a, duration: size{pause}}}\n      \
         - {{name: q, on: b, duration: 3, after: {{p: {{min: 1{lag}}}}}}}\n{hold}  \
         s:\n    steps:\n      - {{name: p, on: a, duration: 2}}\n      - {{name: q, on: {{t: 2}}, duration: size}}\n"
    );
    text += "  u: {steps: [{name: p, duration: size}]}\norders:\n";
    let early = if random.one_in(2) { ", storage-cost: 1" } else { "" };
    // One in four shops has orders that are all alike, many of which start at once.
    let (is_equal, is_alone) = (may_be_equal && random.one_in(4), random.one_in(2));
    for k in 0..orders {
        let drawn = if is_equal { usize::from(is_alone) * 2 } else { random.below(3) };
        let (recipe, size) =
            (["r", "s", "u"][drawn], if is_equal { 2 } else { 1 + random.below(6) });
        let release = if is_equal { 0 } else { random.below(orders * 2) };
        let family = ["f", "g"][if is_equal { 0 } else { random.below(2) }];
        let due = release + if is_equal { 1 } else { 5 + random.below(15) };
        text += &format!(
            "  - {{id: o{k}, recipe: {recipe}, size: {size}, family: {family}, release: {release}, due: {due}, \
             delay-cost: {}{early}}}\n",
            random.below(4)
        );
    }
    text + if random.one_in(4) { "objective: makespan\n" } else { "objective: cost\n" }
}

/// Starts and ends, and what is paid, all computed from the beginning.
fn is_as_from_the_beginning(annealing: &Annealing) {
    let (mut lines, mut times) = (annealing.lines.clone(), annealing.times.clone());
    assert!(times.sweep(&annealing.graph, &mut lines));
    assert_eq!((&times.start, &times.end), (&annealing.times.start, &annealing.times.end));
    times.pay_all(&annealing.graph);
    assert_eq!((&times.paid, times.sum), (&annealing.times.paid, annealing.times.sum));
}

fn anneal(plan: &Plan, sizes: Sizes, seed: u64) -> (i64, i64) {
    let plant = Plant::new(plan);
    let (first, jobs) = first_schedule(plan).expect("a schedule");
    let mut annealing = Annealing::with_sizes(&plant, &jobs, sizes).expect("sequences say it all");
    let mut random = Random::new(seed);
    for _ in 0..20 {
        assert!((0..100).all(|_| annealing.round(&mut random)));
        if annealing.has_windows() {
            annealing.close_window();
            annealing.cycle.at = annealing.cycle.length;
        }
        is_as_from_the_beginning(&annealing);
        let jobs = annealing.jobs();
        assert_eq!(check(plan, &jobs), Ok(()));
        assert_eq!(value(plan, &jobs), annealing.value());
    }
    assert!(annealing.value() <= first);
    (first, annealing.value())
}

#[test]
fn what_is_touched_is_all_that_changes() {
    for seed in 0..80 {
        let plan = planned(&shop(seed, [1, 2, 12][seed as usize % 3], true));
        anneal(&plan, SIZES, seed);
        anneal(&plan, Sizes { whole: 4, window: 8, changes: 100 }, seed);
    }
}

#[test]
fn windows_make_large_plants_better() {
    let sizes = Sizes { whole: 20, window: 40, changes: 400 };
    let all = (0..20).map(|seed| anneal(&planned(&shop(seed, 60, false)), sizes, seed));
    let better = all.filter(|(first, last)| last < first).count();
    assert!(better > 10, "{better} of 20");
}
