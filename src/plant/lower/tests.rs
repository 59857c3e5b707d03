//! What the compiler makes of small plants, and what it says about templates it cannot use.

use super::*;
use takt_automata::network::Item;
use takt_automata::xta;
use takt_diagnostic::FileId;

const SPEC: &str = "takt: 1
resources: {saw: {}, drill: {}}
recipes:
  box: {steps: [{name: cut, on: saw, duration: 3}, {name: dry, duration: 2}, {name: cut again, on: saw, duration: 1}]}
  lid: {steps: [{name: bore, on: drill, duration: 4}]}
orders: [{id: A, recipe: box}, {id: B, recipe: lid}, {id: A., recipe: box}]
";

fn lowered(text: &str) -> Lowered {
    lower(&crate::plan::planned(text), &Templates::embedded(&FILES))
}

#[test]
fn orders_are_processes_of_their_recipes() {
    let lowered = lowered(SPEC);
    assert_eq!(lowered.processes.to_vec(), ["order_A", "order_B", "order_A_"]);
    let text = xta::print(&lowered.network);
    for line in [
        "const int horizon = 16;",
        "const int orders = 3;",
        // Two real machines, and one each for the orders that dry.
        "const int machines = 4;",
        "system order_A, order_B, order_A_;",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[test]
fn every_start_has_its_origin() {
    let lowered = lowered(SPEC);
    let start =
        |step| Event::Start { recipe: RecipeId(0), step: StepId(step), mode: 0, holds: Vec::new() };
    assert_eq!(lowered.events[..3], [0, 1, 2].map(start));
    let edges = lowered.network.items.iter().filter_map(|item| match item {
        Item::Template(template) => Some(&template.edges),
        _ => None,
    });
    // The first step is entered in two ways, every other one in four.
    let marks: Vec<usize> =
        edges.map(|e| e.iter().filter(|e| e.origin.is_some()).count()).collect();
    assert_eq!(marks, [10, 2]);
}

#[test]
fn places_follow_the_locations() {
    use Place::{After, Finished, On, Waiting};
    let lowered = lowered(SPEC);
    let steps = (0..3).map(StepId).flat_map(|step| [On(step), After(step)]);
    let wanted: Vec<Place> = [Waiting].into_iter().chain(steps).chain([Finished]).collect();
    assert_eq!(lowered.shop.unwrap().places[RecipeId(0)], wanted);
}

#[test]
fn templates_that_lack_something_are_refused() {
    let texts = [(
        "shop.xta".to_owned(),
        "const int machines = 1; int counted, held; chan take; process First(const int machine) { state a; init a; }".into(),
        FileId(3),
    )];
    let found = Templates::from_texts(&FILES, &texts).unwrap_err();
    let messages: Vec<_> = found.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "the template `Next` is missing",
            "the template `Finish` is missing",
            "the parameters of `First` are machine, last",
            "the location `waiting` of `First` is missing",
            "the location `running` of `First` is missing",
        ]
    );
}

/// A plant with something of everything, so many weeks of windows and so many orders.
fn rich(orders: usize, heuristics: &str) -> String {
    format!(
        "takt: 1
calendars: {{c: {{windows: [[0, 8], [10, 14]], repeat: 24}}}}
resources:
  mill: {{capacity: 2, calendar: c, run-cost: 0.5}}
  press: {{units: [p, q], setup: {{time: 2, cost: 3}}, initial: red}}
  tank: {{capacity: 3}}
recipes:
  r:
    steps:
      - {{name: grind, on: {{any: [mill, press]}}, duration: {{mill: 3, press: 5}}, interruptible: true}}
      - {{name: fetch, after: {{grind: {{from: start, min: 1, max: 2}}}}, duration: 0}}
      - {{name: press, on: press, duration: 2, after: {{grind: {{min: 1, max: 9}}, fetch: {{}}}}}}
    holds: [{{resource: tank, from: fetch, until: press}}]
orders: [{{id: a, recipe: r, count: {orders}, every: 4, due: 20, delay-cost: 1, holding-cost: 2}}]
objective: cost
heuristics: {heuristics}
"
    )
}

#[test]
fn any_network_reads_back_as_itself_and_is_a_model() {
    let rules = "[greedy, non-lazy, non-overtaking, {max-active: 2}, {start-within: 12}]";
    for spec in [SPEC.to_owned(), rich(3, "[]"), rich(3, rules)] {
        let mut network = lowered(&spec).network;
        let text = xta::print(&network);
        let read = xta::parse(&text, FileId(0)).unwrap();
        // Origins are not part of the text.
        for item in &mut network.items {
            if let Item::Template(template) = item {
                template.edges.iter_mut().for_each(|edge| edge.origin = None);
            }
        }
        assert_eq!(read, network, "{text}");
        assert!(takt_automata::model::build(&network).is_ok(), "{text}");
    }
}

/// Setups that nobody pays for need their tables all the same where eligibility is judged.
#[test]
fn setups_without_prices_can_be_judged() {
    for rule in ["greedy", "non-lazy"] {
        for objective in ["makespan", "feasible"] {
            let text = format!(
                "takt: 1
resources: {{m: {{setup: {{time: 1}}}}, spare: {{setup: {{time: 2}}}}}}
recipes: {{r: {{steps: [{{name: s, on: m, duration: 2}}]}}}}
orders: [{{id: A, recipe: r, family: a}}, {{id: B, recipe: r, family: b}}]
objective: {objective}
heuristics: [{rule}]
"
            );
            let network = lowered(&text).network;
            assert!(takt_automata::model::build(&network).is_ok(), "{}", xta::print(&network));
        }
    }
}

#[test]
fn automata_do_not_grow_with_orders_or_windows() {
    let size = |orders: usize| {
        let lowered = lowered(&rich(orders, "[greedy, non-overtaking]"));
        let templates = lowered.network.items.iter().filter_map(|item| match item {
            Item::Template(template) => Some((template.locations.len(), template.edges.len())),
            _ => None,
        });
        (templates.collect::<Vec<_>>(), lowered.network.system.levels[0].len())
    };
    let ((few, small), (many, large)) = (size(4), size(40));
    // Many orders mean many weeks; one recipe serves them all.
    assert_eq!(few, many);
    assert!(large <= 10 * small, "{large} processes instead of {small}");
}
