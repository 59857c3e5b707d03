//! Searches side by side, on specs whose best schedules are known.

use super::context::SearchContext;
use super::plant::Compiled;
use super::portfolio::Floor;
use super::{Problem, Request, Selection, Shelf, Solution, Status};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use takt_automata::engine::{Control, Progress, Stop, Verdict};
use takt_report as render;
use takt_spec::Exact;

const FT06: &str = include_str!("../../../specs/ft06.yaml");

fn problem(text: &str) -> Problem {
    Problem::parse("test", text).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// Says stop after as many polls; may know a value from some poll on.
struct After {
    polls: AtomicU64,
    most: u64,
    known: Option<(u64, i64)>,
}

impl After {
    fn new(most: u64) -> After {
        After { polls: AtomicU64::new(0), most, known: None }
    }
}

impl Control for After {
    fn poll(&self, _: &Progress) -> ControlFlow<Stop> {
        match self.polls.fetch_add(1, Ordering::Relaxed) >= self.most {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        }
    }

    fn known(&self) -> Option<i64> {
        let polls = self.polls.load(Ordering::Relaxed);
        self.known.filter(|(from, _)| polls >= *from).map(|(_, value)| value)
    }
}

fn solve(text: &str, request: &Request, control: &After) -> Solution {
    let templates = super::templates(&[]).unwrap();
    super::solve(&problem(text), &templates, request, control, &Shelf::default()).unwrap()
}

fn with_threads(threads: usize) -> Request {
    Request { threads, formats: render::formats(&[]), ..Request::default() }
}

fn whole(value: i128) -> Option<Exact> {
    Some(Exact::from(value))
}

/// What was written of a schedule, by its key.
fn written(solution: &Solution, key: &str) -> String {
    let artifacts = &solution.found.as_ref().unwrap().artifacts;
    let one = artifacts.iter().find(|one| one.key == key).unwrap();
    String::from_utf8(one.bytes.to_vec()).unwrap()
}

fn patiently(text: &str, threads: usize) -> Solution {
    solve(text, &with_threads(threads), &After::new(u64::MAX))
}

#[test]
fn one_thread_finds_the_same_every_time_and_several_the_same_value() {
    let [one, again, several] = [1, 1, 3].map(|threads| patiently(FT06, threads));
    assert_eq!((one.status, one.value, one.bound), (Status::Optimal, whole(55), whole(55)));
    assert_eq!(written(&one, "csv"), written(&again, "csv"));
    assert_eq!(one.states, again.states);
    assert_eq!((several.status, several.value), (Status::Optimal, whole(55)));
}

/// The value comes from outside while the search is under way.
#[test]
fn a_search_learns_what_others_have_found() {
    let (problem, templates) = (problem(FT06), super::templates(&[]).unwrap());
    let compiled = Compiled::new(takt_plant::plan(&problem.spec).unwrap(), &templates);
    let ask = |known| {
        let control = After { known, ..After::new(u64::MAX) };
        let (request, floor) = (&Request::default(), &Floor::new(&compiled.plan));
        let (problem, templates, compiled) = (&problem, &templates, &compiled);
        let control = &control;
        SearchContext {
            problem,
            templates,
            compiled,
            request,
            control,
            floor,
            shelf: None,
            is_any: false,
        }
        .ask(control)
        .unwrap()
    };
    // From the beginning, or from the first poll on.
    for from in [0, 1] {
        let answer = ask(Some((from, 55)));
        assert_eq!((answer.verdict, answer.bound), (Verdict::Violated, Some(55)), "{from}");
        let answer = ask(Some((from, 56)));
        assert_eq!((answer.verdict, answer.bound), (Verdict::Satisfied, Some(55)), "{from}");
    }
}

/// Ten orders on three machines that pay for being early, late and in work.
fn costly() -> String {
    let mut text = String::from(
        "takt: 1\nresources: {a: {capacity: 2}, b: {}, c: {}}\nobjective: cost\nrecipes:\n  \
         r: {steps: [{name: s, on: a, duration: 5}, {name: t, on: b, duration: 4}, {name: u, on: c, duration: 3}]}\n  \
         q: {steps: [{name: s, on: c, duration: 4}, {name: t, on: b, duration: 2}, {name: u, on: a, duration: 6}]}\n\
         orders:\n",
    );
    for k in 0..10 {
        let recipe = if k % 3 == 0 { "q" } else { "r" };
        let due = 18 + 3 * (k * 7 % 10);
        text.push_str(&format!(
            "  - {{id: o{k}, recipe: {recipe}, due: {due}, delay-cost: {}, storage-cost: 1, holding-cost: 0.5}}\n",
            5 + k % 4
        ));
    }
    text
}

#[test]
fn improvement_goes_on_until_the_limit() {
    let text = costly();
    let request = with_threads(1);
    let values = [300, 20_000].map(|polls| {
        let solution = solve(&text, &request, &After::new(polls));
        assert_eq!(solution.status, Status::Feasible);
        assert_eq!(solution.stopped, Some(Stop::Time));
        assert!(solution.bound <= solution.value && solution.found.is_some());
        solution.value.unwrap()
    });
    assert!(values[1] < values[0], "{values:?}");
    let solution = solve(&text, &with_threads(2), &After::new(20_000));
    assert_eq!(solution.status, Status::Feasible);
    assert!(solution.bound <= solution.value && solution.found.is_some());
}

/// Whoever starts what is there first finds the machine taken when the urgent order comes.
fn urgent(heuristics: &str) -> String {
    format!(
        "takt: 1\nresources: {{m: {{}}}}\nheuristics: {heuristics}\nrecipes:\n  \
         long: {{steps: [{{name: s, on: m, duration: 10}}]}}\n  \
         short: {{steps: [{{name: s, on: m, duration: 2}}]}}\n\
         orders: [{{id: x, recipe: long, due: 12}}, {{id: y, recipe: short, release: 1, deadline: 4}}]\n"
    )
}

#[test]
fn heuristics_that_keep_nothing_are_named() {
    for selection in [Selection::Auto, Selection::Zones] {
        let request = Request { selection, ..with_threads(1) };
        let reason = |heuristics: &str| {
            let solution = solve(&urgent(heuristics), &request, &After::new(u64::MAX));
            assert_eq!((solution.status, solution.value), (Status::Unknown, None));
            assert!(solution.found.is_none() && solution.stopped.is_none());
            solution.reason.unwrap().message
        };
        assert_eq!(reason("[greedy]"), "`greedy` keeps no schedule; without it there is one");
        assert_eq!(
            reason("[{start-within: 20}, greedy]"),
            "`greedy` keeps no schedule; without it there is one"
        );
    }
}

#[test]
fn heuristics_that_keep_nothing_together_are_named_together() {
    // One order at a time is possible, and so is a late start of x, but not both.
    let text = "takt: 1\nresources: {m: {}, n: {}}\nheuristics: [{max-active: 1}, {start-within: 3}]\n\
        recipes: {r: {steps: [{name: s, on: m, duration: 3}]}, q: {steps: [{name: s, on: n, duration: 3}]}}\n\
        orders: [{id: x, recipe: r, due: 9, deadline: 9}, {id: y, recipe: q, due: 9, deadline: 10}]\n";
    let reason = patiently(text, 1).reason.unwrap().message;
    let expected =
        "`max-active`, `start-within` together keep no schedule; without them there is one";
    assert_eq!(reason, expected);
}

#[test]
fn what_no_heuristic_is_to_blame_for_is_infeasible() {
    let text = urgent("[greedy]").replace("deadline: 4", "deadline: 4, due: 1");
    let text = text.replace("due: 12", "due: 12, deadline: 11");
    assert_eq!(patiently(&text, 1).status, Status::Infeasible);
}

/// Rehearses the end with every schedule.
struct Rehearsing(After);

impl Control for Rehearsing {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        self.0.poll(progress)
    }

    fn rehearse(&self, finish: &mut dyn FnMut()) {
        finish();
    }

    fn wants_rehearsal(&self) -> bool {
        true
    }
}

/// The end was rehearsed, thrown away and done again; where that took longer than the limit, a schedule
/// that had been replayed and validated was lost.
#[test]
fn what_is_rehearsed_is_kept_finished() {
    let (shelf, control) = (Shelf::default(), Rehearsing(After::new(300)));
    let templates = super::templates(&[]).unwrap();
    let problem = problem(&costly());
    let solution = super::solve(&problem, &templates, &with_threads(1), &control, &shelf).unwrap();
    let kept = shelf.look().expect("a finished schedule");
    assert_eq!((kept.status, kept.value), (Status::Feasible, solution.value));
    assert!(kept.bound <= solution.bound);
    for key in ["csv", "orders", "model"] {
        assert_eq!(written(&kept, key), written(&solution, key));
    }
    assert!(written(&kept, "svg").starts_with("<svg"));
    let found = kept.found.as_ref().unwrap();
    assert!(render::text(&found.sheet(&problem)).contains("feasible"));
}

/// What is found without the heuristics shows that there is something, and is no answer.
#[test]
fn what_heuristics_do_not_keep_is_not_kept() {
    let request = with_threads(1);
    let (shelf, control) = (Shelf::default(), Rehearsing(After::new(u64::MAX)));
    let (problem, templates) = (problem(&urgent("[greedy]")), super::templates(&[]).unwrap());
    let solution = super::solve(&problem, &templates, &request, &control, &shelf).unwrap();
    assert_eq!(solution.status, Status::Unknown);
    assert!(shelf.look().is_none());
}
