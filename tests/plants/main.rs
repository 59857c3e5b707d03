//! Plants from spec to schedule: the search finds what trying everything finds, with and without
//! its estimate, and every schedule is replayed by the automata and accepted by the validator.

mod improve;
mod learn;
mod reasons;
mod rhythms;
mod safe;

use std::ops::ControlFlow;
use takt_automata::compose::Templates;
use takt_automata::engine::{
    self, Answer, Control, Estimate, Extremum, Options, Order, Progress, Stop,
};
use takt_automata::interpret;
use takt_automata::model::{self, ClockId, Formula, Model, Objective, Query};
use takt_automata::network::Network;
use takt_automata::trace;
use takt_automata::xta;
use takt_diagnostic::FileId;
use takt_plant::{IdVec, Lowered, OrderId, Plan, PoolId, TEMPLATE_FILES, lower};
use takt_spec as spec;
use takt_spec::Spec;
use takt_spec::schedule::{Kind, Schedule};
use takt_testing::Random;
use takt_testing::plants::{self as brute, Features};
use takt_validate as validate;

struct Patient;

impl Control for Patient {
    fn poll(&self, _: &Progress) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

struct Plant {
    spec: Spec,
    plan: Plan,
    lowered: Lowered,
    model: Model,
    goal: Formula,
    now: ClockId,
}

impl Plant {
    fn read(text: &str) -> Plant {
        let spec = spec::read(text, FileId(0)).unwrap().0;
        let plan = takt_plant::plan(&spec).unwrap();
        let lowered = lower(&plan, &Templates::embedded(&TEMPLATE_FILES));
        let (model, goal, now) = question(&lowered.network);
        Plant { spec, plan, lowered, model, goal, now }
    }

    /// The same plant with its network written out and read again, as by `compile` and `check`.
    fn reread(self) -> Plant {
        let text = xta::print(&self.lowered.network);
        let network = xta::parse(&text, FileId(2)).unwrap();
        let (model, goal, now) = question(&network);
        Plant { model, goal, now, ..self }
    }

    fn search<'a>(&'a self, estimate: Option<&'a mut dyn Estimate>) -> Answer {
        let options = Options { order: Some(Order::Best), ..Options::default() };
        engine::earliest(&self.model, &self.goal, self.now, estimate, &options, &Patient).unwrap()
    }

    fn estimated(&self) -> Answer {
        let mut estimate = takt_plant::estimate(&self.plan, &self.lowered, &self.model).unwrap();
        self.search(Some(&mut estimate))
    }

    /// The schedule of an answer; it must be replayed, valid, and of the answer's value.
    fn schedule(&self, answer: &Answer) -> Schedule {
        let value = value(answer);
        let run = trace::concretise(&self.model, answer.trace.as_ref().unwrap()).unwrap();
        let jobs = takt_plant::lift(&self.plan, &self.lowered, &self.model, &run).unwrap();
        let schedule = takt_plant::schedule(&self.plan, &jobs);
        let report = validate::validate(&self.spec, &schedule);
        assert_eq!((report.errors.as_slice(), report.value), (&[][..], Some(exact(value, 1))));
        let run = takt_plant::to_run(&self.plan, &self.lowered, &self.model, &jobs).unwrap();
        let replay = interpret::replay(&self.model, &run).unwrap();
        assert_eq!(run.end, trace::Time::from_integer(value));
        let holds = interpret::Interpreter::new(&self.model).holds(&replay.end, &self.goal, false);
        assert_eq!(holds, Ok(true), "the replayed run ends in `done`");
        schedule
    }
}

/// The model of a network, what `done` means in it, and the number of its clock `now`.
fn question(network: &Network) -> (Model, Formula, ClockId) {
    let mut model = model::build(network).unwrap().0;
    let query = xta::parse_query("inf{done}: now", FileId(1)).unwrap();
    match model.resolve_query(&query).unwrap() {
        Query::Infimum { within, of: Objective::Clock(now, _) } => (model, within, now),
        other => panic!("the query is about a clock, not {other:?}"),
    }
}

/// The spec of a plant, with its earlier plan in a file beside it.
fn read(plant: &brute::Plant) -> Spec {
    struct Beside(String);
    impl spec::Files for Beside {
        fn read(&mut self, _: &str) -> Result<(FileId, String), spec::Unread> {
            Ok((FileId(9), self.0.clone()))
        }
    }
    let (text, mut beside) = (plant.yaml(), Beside(plant.earlier_rows()));
    let read = spec::read_with(&text, FileId(0), &mut beside);
    read.unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}")).0
}

fn exact(value: i64, scale: i64) -> spec::Exact {
    spec::Exact::new(i128::from(value), i128::from(scale))
}

fn value(answer: &Answer) -> i64 {
    match answer.value {
        Some(Extremum::Finite { value, attained: true }) => value,
        other => panic!("a plain plant has a shortest schedule, not {other:?}"),
    }
}

/// Starts steps one after the other, each as early as possible, in every sequence.
fn shortest(
    plan: &Plan,
    started: &mut IdVec<OrderId, (usize, i64)>,
    free: &mut IdVec<PoolId, i64>,
    end: i64,
) -> i64 {
    let mut best = i64::MAX;
    for order in plan.orders.ids() {
        let (next, ready) = started[order];
        let Some(step) = plan.steps(order).get(next) else { continue };
        let machine = step.machine();
        let start = ready.max(machine.map_or(0, |machine| free[machine]));
        let until = start + step.shortest();
        started[order] = (next + 1, until);
        let kept = machine.map(|machine| std::mem::replace(&mut free[machine], until));
        best = best.min(shortest(plan, started, free, end.max(until)));
        started[order] = (next, ready);
        if let (Some(machine), Some(kept)) = (machine, kept) {
            free[machine] = kept;
        }
    }
    if best == i64::MAX { end } else { best }
}

/// Compiles, prints, reads and searches as `compile` and `check` do, then lifts, replays and
/// validates what was found. Gives the value times two; `None` for infeasible.
fn checked(plant: &brute::Plant) -> Option<i64> {
    let (text, spec) = (plant.yaml(), read(plant));
    let plan = takt_plant::plan(&spec).unwrap();
    let lowered = lower(&plan, &Templates::embedded(&TEMPLATE_FILES));
    let printed = xta::print(&lowered.network);
    let model = model::build(&xta::parse(&printed, FileId(2)).unwrap());
    let mut model = model.unwrap_or_else(|e| panic!("{e:?}\n{printed}")).0;
    let query = match plant.objective {
        brute::Objective::Feasible => "E<> done",
        brute::Objective::Makespan => "inf{done}: now",
        brute::Objective::Cost => "inf{done}: cost",
    };
    let query = xta::parse_query(query, FileId(1)).unwrap();
    let query = model.resolve_query(&query).unwrap();
    let answers = engine::check(&model, &[query], &Options::default(), &Patient);
    let answer = answers.unwrap_or_else(|e| panic!("{:?}\n{text}\n{printed}", e.fault)).remove(0);
    if answer.verdict == engine::Verdict::Violated {
        return None;
    }
    assert!(plan.conflict.is_none(), "{:?}\n{text}", plan.conflict);
    // Origins are not part of the text.
    let own = model::build(&lowered.network).unwrap().0;
    let trace = answer.trace.as_ref().unwrap();
    let run = match plant.objective {
        brute::Objective::Cost => trace::cheapest(&own, trace),
        _ => trace::concretise(&own, trace),
    };
    let run = run.unwrap();
    let jobs = takt_plant::lift(&plan, &lowered, &own, &run).unwrap();
    let schedule = takt_plant::schedule(&plan, &jobs);
    let report = validate::validate(&spec, &schedule);
    assert!(report.valid, "{:?}\n{text}\n{schedule:?}", report.errors);
    if plant.objective != brute::Objective::Feasible {
        assert_eq!(report.value, Some(exact(value(&answer), plan.cost_scale)), "{text}");
    }
    let placed = placed(plant, &schedule);
    let judged = plant.judge(&placed);
    assert!(judged.is_some(), "{text}\n{placed:?}");
    assert_eq!(plant.could_be_earlier(&placed), None, "{text}\n{placed:?}");
    let run = takt_plant::to_run(&plan, &lowered, &own, &jobs);
    let run = run.unwrap_or_else(|why| panic!("{why}\n{text}\n{schedule:?}"));
    let replay = interpret::replay(&own, &run).unwrap();
    match plant.objective {
        brute::Objective::Feasible => Some(0),
        brute::Objective::Makespan => {
            assert_eq!(run.end, trace::Time::from_integer(value(&answer)), "{text}");
            Some(value(&answer))
        }
        brute::Objective::Cost => {
            assert_eq!(replay.end.cost, trace::Time::from_integer(value(&answer)), "{text}");
            Some(value(&answer) * 2 / plan.cost_scale)
        }
    }
}

/// A schedule in the terms of the tests.
fn placed(plant: &brute::Plant, schedule: &Schedule) -> brute::Schedule {
    let step = |order: usize, step: usize| {
        let (id, name) = (format!("o{order}"), format!("s{step}"));
        let rows: Vec<_> =
            schedule.steps().filter(|row| row.order == id && row.step == name).collect();
        let on =
            |resource: usize| rows.iter().filter(move |r| r.resource == format!("m{resource}"));
        let ways = &plant.recipes[plant.orders[order].recipe].steps[step].alternatives;
        let fits = |way: &brute::Alternative| {
            let taken: i64 = way.needs.iter().map(|need| need.1).sum();
            let is_like = |need: &(usize, i64)| on(need.0).count() as i64 == need.1;
            way.needs.iter().all(is_like) && (taken == rows.len() as i64 || taken == 0)
        };
        let alternative = ways.iter().position(fits).unwrap();
        let named = ways[alternative].needs.iter().filter(|need| plant.resources[need.0].is_named);
        let units = named.map(|need| {
            let name = &on(need.0).next().unwrap().unit;
            plant.resources[need.0].unit_number(name).unwrap()
        });
        let (start, end) = (rows[0].start, rows[0].end);
        brute::Placed { start, end, alternative, units: units.collect() }
    };
    let steps = |order: usize| plant.recipes[plant.orders[order].recipe].steps.len();
    (0..plant.orders.len())
        .map(|order| (0..steps(order)).map(|k| step(order, k)).collect())
        .collect()
}

fn agree(seeds: std::ops::Range<u64>, features: Features) {
    let mut feasible = 0;
    let total = seeds.end - seeds.start;
    let mut wrong = Vec::new();
    for seed in seeds {
        let plant = brute::plant(seed, features);
        let best = plant.solve();
        feasible += u64::from(best.is_some());
        let found = std::panic::catch_unwind(|| checked(&plant)).unwrap_or(Some(-1));
        if found != best {
            wrong.push((seed, found, best, plant.yaml()));
        }
    }
    let first = wrong.first().map_or("", |wrong| wrong.3.as_str());
    let short: Vec<_> = wrong.iter().map(|w| (w.0, w.1, w.2)).collect();
    assert!(wrong.is_empty(), "seed, found, best: {short:?}\n{first}");
    assert!(feasible * 3 >= total, "only {feasible} of {total} can be met");
}

#[test]
fn capacities() {
    agree(0..60, Features { capacity: true, ..Features::default() });
}

#[test]
fn graphs_and_releases() {
    agree(0..60, Features { graphs: true, releases: true, ..Features::default() });
}

#[test]
fn costs() {
    agree(0..60, Features { costs: true, releases: true, ..Features::default() });
}

#[test]
fn late_costs() {
    let none = Features { costs: true, late: true, ..Features::default() };
    agree(0..60, Features { releases: true, graphs: true, ..none });
    agree(60..90, Features { calendars: true, pauses: true, ..none });
    agree(90..120, Features { late: true, costs: true, facts: true, ..Features::all() });
    let rules = Features { releases: true, capacity: true, ..none };
    for rule in [0b00001, 0b00010, 0b00100, 0b01000] {
        agree(120..135, Features { rules: rule, ..rules });
    }
}

#[test]
fn sequels() {
    let none = Features { sequels: true, ..Features::default() };
    agree(0..60, Features { releases: true, graphs: true, ..none });
    agree(60..100, Features { costs: true, late: true, setups: true, ..none });
    agree(100..140, Features { calendars: true, pauses: true, max_lags: true, ..none });
    agree(140..180, Features { facts: true, graphs: true, costs: true, ..none });
    agree(180..210, Features { sequels: true, costs: true, ..Features::all() });
    let rules = Features { releases: true, capacity: true, graphs: true, ..none };
    for rule in [0b00001, 0b00010, 0b00100, 0b01000] {
        agree(210..230, Features { rules: rule, ..rules });
    }
}

#[test]
fn alternatives_and_units() {
    let has = Features { alternatives: true, units: true, capacity: true, ..Features::default() };
    agree(0..40, has);
}

#[test]
fn setups() {
    agree(0..30, Features { setups: true, ..Features::default() });
    agree(30..60, Features { setups: true, costs: true, ..Features::default() });
}

#[test]
fn setups_of_several_parts() {
    let has = Features { setups: true, parts: true, ..Features::default() };
    agree(0..30, has);
    agree(30..60, Features { costs: true, ..has });
    agree(60..80, Features { costs: true, facts: true, ..has });
}

#[test]
fn setups_by_crews() {
    let has = Features { setups: true, crews: true, ..Features::default() };
    agree(0..30, has);
    agree(30..60, Features { costs: true, parts: true, ..has });
    agree(60..90, Features { calendars: true, units: true, parts: true, ..has });
    agree(90..110, Features { capacity: true, holds: true, releases: true, ..has });
    agree(110..140, Features { facts: true, costs: true, calendars: true, ..has });
}

#[test]
fn calendars() {
    agree(0..40, Features { calendars: true, ..Features::default() });
    agree(40..70, Features { calendars: true, pauses: true, ..Features::default() });
    agree(70..90, Features { calendars: true, units: true, ..Features::default() });
}

#[test]
fn limited_lags() {
    let has = Features { graphs: true, max_lags: true, releases: true, ..Features::default() };
    agree(0..60, has);
}

#[test]
fn holds() {
    let has = Features { holds: true, capacity: true, graphs: true, ..Features::default() };
    agree(0..40, has);
    agree(40..80, Features { capacity: false, releases: true, ..has });
    agree(80..100, Features { costs: true, ..has });
}

/// What is held for no time at all takes nothing, whether that is known beforehand or not.
#[test]
fn a_hold_without_length_is_in_nobodys_way() {
    for steps in [
        "{name: a, duration: 0}",
        "{name: z, duration: 0}, {name: a, duration: 0}",
        "{name: z, duration: 2}, {name: a, duration: 0, after: {z: {from: start}}}",
    ] {
        let from = if steps.contains("z,") { "z" } else { "a" };
        let plant = Plant::read(&format!(
            "takt: 1
resources: {{t: {{}}}}
recipes:
  z: {{steps: [{steps}], holds: [{{resource: t, from: {from}, until: a}}]}}
  b: {{steps: [{{name: x, on: t, duration: 9}}]}}
orders: [{{id: Z, recipe: z, release: 3, deadline: 5}}, {{id: B, recipe: b, deadline: 9}}]
"
        ));
        let answer = plant.search(None);
        assert_eq!(value(&answer), 9, "{steps}");
        let mut rows = plant.schedule(&answer).rows.into_iter();
        assert!(rows.all(|row| row.kind != Kind::Hold || row.start < row.end), "{steps}");
    }
}

#[test]
fn units_that_differ() {
    let none = Features { terms: true, ..Features::default() };
    agree(0..30, Features { units: true, capacity: true, ..none });
    agree(30..60, Features { costs: true, alternatives: true, ..none });
    agree(60..90, Features { calendars: true, pauses: true, units: true, costs: true, ..none });
    agree(90..110, Features { setups: true, costs: true, facts: true, pins: true, ..none });
    agree(110..130, Features { costs: true, terms: true, ..Features::all() });
}

#[test]
fn the_same_units_again() {
    let none = Features { same: true, ..Features::default() };
    agree(0..40, Features { capacity: true, alternatives: true, ..none });
    agree(40..70, Features { graphs: true, units: true, terms: true, costs: true, ..none });
    agree(70..90, Features { calendars: true, pauses: true, units: true, ..none });
    agree(90..120, Features { setups: true, costs: true, facts: true, pins: true, ..none });
    agree(120..140, Features { costs: true, same: true, ..Features::all() });
}

#[test]
fn facts() {
    let none = Features { facts: true, ..Features::default() };
    agree(0..60, Features { graphs: true, releases: true, ..none });
    agree(60..120, Features { setups: true, costs: true, ..none });
    agree(120..160, Features { capacity: true, holds: true, graphs: true, ..none });
    agree(
        160..200,
        Features { calendars: true, pauses: true, units: true, max_lags: true, ..none },
    );
    agree(200..240, Features { costs: true, facts: true, ..Features::all() });
}

#[test]
fn earlier_plans() {
    let none = Features { earlier: true, costs: true, ..Features::default() };
    agree(0..50, Features { graphs: true, releases: true, ..none });
    agree(50..90, Features { units: true, capacity: true, alternatives: true, ..none });
    agree(90..120, Features { calendars: true, pauses: true, units: true, ..none });
    agree(120..150, Features { setups: true, facts: true, pins: true, ..none });
    agree(164..204, Features { costs: true, facts: true, earlier: true, ..Features::all() });
}

#[test]
fn pins() {
    let none = Features { pins: true, ..Features::default() };
    agree(0..40, Features { graphs: true, releases: true, units: true, ..none });
    agree(40..80, Features { calendars: true, pauses: true, costs: true, ..none });
    agree(80..120, Features { facts: true, pins: true, costs: true, ..Features::all() });
}

#[test]
fn all_together() {
    let has = Features::all();
    agree(0..30, has);
    agree(30..60, Features { costs: true, ..has });
}

#[test]
fn sequences_and_limits() {
    let has = Features { capacity: true, releases: true, ..Features::default() };
    for rule in [0b00100, 0b01000, 0b10000, 0b11100] {
        agree(0..25, Features { rules: rule, ..has });
        agree(25..45, Features { rules: rule, costs: true, setups: true, ..has });
    }
}

#[test]
fn greedy_schedules() {
    judged(0b00001);
}

#[test]
fn non_lazy_schedules() {
    judged(0b00010);
}

#[test]
fn all_rules_together() {
    judged(0b11110);
    judged(0b11101);
}

/// The last instant at which a step fits did not count, so that `greedy` let it wait for the next
/// window: whoever can start now and not later starts now.
#[test]
fn greedy_takes_the_last_chance() {
    let text = |window: i64| {
        format!(
            "takt: 1
calendars: {{c: {{windows: [[0, {window}], [10, 20]]}}}}
resources: {{m: {{calendar: c}}}}
recipes: {{r: {{steps: [{{name: s, on: m, duration: 3}}]}}}}
orders: [{{id: A, recipe: r, due: 13, storage-cost: 1}}]
objective: cost
heuristics: [greedy]
"
        )
    };
    for (window, expected) in [(2, 0), (3, 10), (4, 10)] {
        let plant = Plant::read(&text(window));
        let mut model = model::build(&plant.lowered.network).unwrap().0;
        let query = xta::parse_query("inf{done}: cost", FileId(1)).unwrap();
        let query = model.resolve_query(&query).unwrap();
        let answer =
            engine::check(&model, &[query], &Options::default(), &Patient).unwrap().remove(0);
        assert_eq!(value(&answer), expected, "window of {window}");
    }
}

fn judged(rules: u8) {
    let has = Features { rules, ..Features::default() };
    agree(0..5, Features { capacity: true, releases: true, ..has });
    agree(20..25, Features { graphs: true, max_lags: true, releases: true, ..has });
    agree(40..44, Features { setups: true, costs: true, ..has });
    agree(55..59, Features { calendars: true, pauses: true, ..has });
    agree(75..79, Features { calendars: true, units: true, alternatives: true, ..has });
    agree(90..94, Features { holds: true, capacity: true, costs: true, ..has });
    agree(110..115, Features { holds: true, graphs: true, ..has });
    agree(130..135, Features { setups: true, releases: true, ..has });
}

/// Any features together, as many plants as `TAKT_PLANTS` says.
#[test]
fn whatever_features_they_have() {
    let count = std::env::var("TAKT_PLANTS").map_or(60, |text| text.parse().expect("a number"));
    for seed in 1000..1000 + count {
        let r = &mut Random::new(seed);
        let mut has =
            Features { releases: r.percent(50), costs: r.percent(40), ..Features::default() };
        for _ in 0..1 + r.amount(3) {
            match r.amount(12) {
                9 => has.terms = true,
                10 => has.same = true,
                0 => has.capacity = true,
                1 => has.graphs = true,
                2 => has.max_lags = true,
                3 => has.holds = true,
                4 => has.alternatives = true,
                5 => has.units = true,
                6 => has.setups = true,
                7 => (has.calendars, has.pauses) = (true, true),
                8 => has.calendars = true,
                _ => has.rules |= 1 << r.amount(5),
            }
        }
        let plant = brute::plant(seed, has);
        let best = plant.solve();
        let found = std::panic::catch_unwind(|| checked(&plant)).unwrap_or(Some(-1));
        // What was found has been judged; it may lie beyond all that the brute solver tries.
        let is_beyond = best.is_none() && found.is_some_and(|value| value >= 0);
        assert!(found == best || is_beyond, "seed {seed}: {found:?}, {best:?}\n{}", plant.yaml());
    }
}

/// A small job shop; some steps need no machine, some come back to the same one.
fn random_spec(seed: u64) -> String {
    let mut r = Random::new(seed);
    let mut random = |below| r.below(below);
    let jobs = 1 + random(3);
    let mut text = String::from("takt: 1\nresources: {m0: {}, m1: {}}\nrecipes:\n");
    for job in 0..jobs {
        let steps: Vec<String> = (0..1 + random(3))
            .map(|k| match random(6) {
                0 => format!("{{name: s{k}, duration: {}}}", random(5)),
                _ => format!("{{name: s{k}, on: m{}, duration: {}}}", random(2), 1 + random(6)),
            })
            .collect();
        text.push_str(&format!("  r{job}: {{steps: [{}]}}\n", steps.join(", ")));
    }
    let orders = (0..jobs + random(2)).map(|i| format!("{{id: o{i}, recipe: r{}}}", i % jobs));
    text.push_str(&format!("orders: [{}]\n", orders.collect::<Vec<_>>().join(", ")));
    text
}

#[test]
fn random_plants_are_solved_as_by_trying_everything() {
    for seed in 0..120 {
        let text = random_spec(seed);
        let plant = Plant::read(&text);
        let mut started = plant.plan.orders.filled((0, 0));
        let best = shortest(&plant.plan, &mut started, &mut plant.plan.pools.filled(0), 0);
        let answer = plant.estimated();
        assert_eq!(value(&answer), best, "seed {seed}\n{text}");
        plant.schedule(&answer);
        let answer = plant.reread().search(None);
        assert_eq!(value(&answer), best, "seed {seed} without estimate\n{text}");
    }
}

#[test]
fn the_bakery_is_done_in_time() {
    let plant = Plant::read(include_str!("../../specs/bakery.yaml"));
    let answer = plant.estimated();
    plant.schedule(&answer);
    // The oven is free of croissants when the first bread comes, and then never idle.
    assert_eq!(value(&answer), 143);
}

#[test]
fn ft06_takes_55() {
    let plant = Plant::read(include_str!("../../specs/ft06.yaml"));
    let answer = plant.estimated();
    plant.schedule(&answer);
    assert_eq!(value(&answer), 55);
}

#[test]
fn without_orders_everything_is_done() {
    let plant = Plant::read("takt: 1\nrecipes: {}\norders: []\n");
    let answer = plant.estimated();
    assert_eq!(value(&answer), 0);
    assert!(plant.schedule(&answer).rows.is_empty());
}
