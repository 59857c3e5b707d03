//! The estimate never exceeds the best that can still be reached, checked on every state of
//! small random plants against all ways to go on.

use super::*;
use crate::lower::{FILES, lower};
use crate::plan::planned;
use takt_automata::compose::Templates;
use takt_automata::model::{Clock, ClockId, Process};
use takt_testing::Random;

/// An order's progress and the machine's, in a chronological sequence of starts.
#[derive(Clone)]
struct Progress {
    /// How many steps of each order have started, and when the latest did.
    started: IdVec<OrderId, (usize, i64)>,
    /// Who took each machine last.
    last: IdVec<PoolId, Option<OrderId>>,
    now: i64,
}

struct Check {
    plan: Plan,
    lowered: Lowered,
    states: usize,
}

impl Check {
    fn end(&self, progress: &Progress, order: OrderId) -> i64 {
        let (count, start) = progress.started[order];
        match StepId(count).before() {
            None => 0,
            Some(step) => start + self.plan.steps(order)[step].shortest(),
        }
    }

    /// The cells that the network would have, as far as the estimate reads them.
    fn cells(&self, progress: &Progress) -> Vec<i32> {
        let place = |order: OrderId| {
            let Some(step) = StepId(progress.started[order].0).before() else {
                return Place::Waiting;
            };
            match self.plan.steps(order)[step].machine() {
                Some(machine) if progress.last[machine] != Some(order) => Place::After(step),
                _ => Place::On(step),
            }
        };
        let index = |order: OrderId| {
            let places =
                &self.lowered.shop.as_ref().unwrap().places[self.plan.orders[order].recipe];
            places.iter().position(|known| *known == place(order)).unwrap() as i32
        };
        self.plan.orders.ids().map(index).collect()
    }

    /// The smallest makespan from here on; compares every estimate on the way with it.
    fn best(&mut self, progress: &Progress, estimate: &mut dyn Estimate) -> i64 {
        self.states += 1;
        let orders = self.plan.orders.ids();
        let mut best = i64::MAX;
        for order in orders.clone() {
            let Some(step) = self.plan.steps(order).get(progress.started[order].0) else {
                continue;
            };
            let free = step.machine().and_then(|machine| progress.last[machine]);
            let free = free.map_or(0, |holder| self.end(progress, holder));
            // Whoever took the machine last may be at a later step: then it is free anyway.
            let mut next = progress.clone();
            next.now = progress.now.max(self.end(progress, order)).max(free);
            next.started[order] = (progress.started[order].0 + 1, next.now);
            next.last.iter_mut().filter(|l| **l == Some(order)).for_each(|l| *l = None);
            if let Some(machine) = step.machine() {
                next.last[machine] = Some(order);
            }
            best = best.min(self.best(&next, estimate));
        }
        if best == i64::MAX {
            best = orders.map(|order| self.end(progress, order)).max().unwrap_or(0);
        }
        let since = |clock: ClockId| progress.started[OrderId(clock.index())].1;
        let bound = estimate.at_goal(&self.cells(progress), progress.now, &since).unwrap();
        assert!(bound <= best, "{bound} > {best}");
        let unknown = estimate.at_goal(&self.cells(progress), progress.now, &|_| 0).unwrap();
        assert!(unknown <= bound);
        best
    }
}

/// A job shop with two or three steps per job, some without a machine.
fn spec(seed: u64) -> String {
    let mut r = Random::new(seed);
    let mut random = |below: i64| r.amount(below);
    let mut text = String::from("takt: 1\nresources: {m0: {}, m1: {}}\nrecipes:\n");
    for job in 0..3 {
        let steps: Vec<String> = (0..2 + random(2))
            .map(|k| match random(5) {
                0 => format!("{{name: s{k}, duration: {}}}", random(5)),
                _ => format!("{{name: s{k}, on: m{}, duration: {}}}", random(2), 1 + random(6)),
            })
            .collect();
        text.push_str(&format!("  r{job}: {{steps: [{}]}}\n", steps.join(", ")));
    }
    text.push_str("orders: [{id: A, recipe: r0}, {id: B, recipe: r1}, {id: C, recipe: r2}]\n");
    text
}

#[test]
fn never_above_the_best_still_possible() {
    for seed in 0..40 {
        let plan = planned(&spec(seed));
        let lowered = lower(&plan, &Templates::embedded(&FILES));
        // The estimate reads nothing of a model but names.
        let mut model = Model::default();
        for name in &lowered.processes {
            model.processes.push(Process { name: name.clone(), ..Process::default() });
            model.clocks.push(Clock { name: format!("{name}.x"), ..Clock::default() });
        }
        let mut estimate = estimate(&plan, &lowered, &model).unwrap();
        let start =
            Progress { started: plan.orders.filled((0, 0)), last: plan.pools.filled(None), now: 0 };
        let mut check = Check { plan, lowered, states: 0 };
        check.best(&start, &mut estimate);
        assert!(check.states > 20, "seed {seed}");
    }
}

/// What does not fit between two instants, with as few orders as are too many.
#[test]
fn too_much_work_between_two_instants() {
    let names = |plan: &Plan, found: &Overload| -> String {
        found.orders.iter().map(|&order| plan.orders[order].id.as_str()).collect()
    };
    let found = |resource: &str, orders: &str| {
        let text = format!(
            "takt: 1
calendars: {{early: {{windows: [[0, 3], [10, 20]]}}}}
resources: {{press: {{{resource}}}}}
recipes: {{r: {{steps: [{{name: a, on: press, duration: 3}}, {{name: b, duration: 2}}]}}}}
orders: [{orders}]
"
        );
        let plan = planned(&text);
        assert_eq!(plan.conflict, None, "{text}");
        overload(&plan).map(|found| {
            (names(&plan, &found), found.from, found.until, found.needed, found.available)
        })
    };
    let order = |id: &str, rest: &str| format!("{{id: {id}, recipe: r{rest}}}");
    let due = |id: &str| order(id, ", deadline: 7");
    let all = |orders: &[String]| orders.join(", ");
    let two = all(&[due("A"), due("B")]);
    assert_eq!(found("", &two), Some(("AB".to_owned(), 0, 5, 6, 5)));
    assert_eq!(found("capacity: 2", &two), None);
    assert_eq!(found("", &all(&[due("A"), order("B", "")])), None);
    // Any two of them can be done.
    let three =
        all(&[due("A"), order("B", ", deadline: 9"), order("C", ", release: 2, deadline: 8")]);
    assert_eq!(found("", &three), Some(("ABC".to_owned(), 0, 7, 9, 7)));
    // With a calendar only open time counts.
    let later = all(&[order("A", ", deadline: 17"), order("B", ", deadline: 14")]);
    assert_eq!(found("", &later), None);
    let closed = all(&[order("A", ", deadline: 14"), order("B", ", deadline: 14")]);
    assert_eq!(found("calendar: early", &closed), Some(("AB".to_owned(), 0, 12, 6, 5)));
}

/// Two steps that cannot run side by side: no preemptive bound sees that.
#[test]
fn steps_that_cannot_be_interrupted_take_longer() {
    let text = "takt: 1\nresources: {m: {capacity: 3}}\nrecipes:\n  r:\n    steps:\n      \
        - {name: a, on: {m: 2}, duration: 4}\n      - {name: b, on: {m: 2}, duration: 4, after: []}\n\
        orders: [{id: x, recipe: r}]\n";
    let plan = planned(text);
    assert_eq!(quick_floor(&plan), Some(6), "16 units of work by 3");
    assert_eq!(floor(&plan), Some(8), "by 7, each has a certain part in the middle");
}
