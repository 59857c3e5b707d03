//! What the compiler makes of small plants, and what it says about templates it cannot use.

use super::*;
use crate::diagnostic::FileId;
use crate::network::Item;
use crate::xta;

const SPEC: &str = "takt: 1
resources: {saw: {}, drill: {}}
recipes:
  box: {steps: [{name: cut, on: saw, duration: 3}, {name: dry, duration: 2}, {name: cut again, on: saw, duration: 1}]}
  lid: {steps: [{name: bore, on: drill, duration: 4}]}
orders: [{id: A, recipe: box}, {id: B, recipe: lid}, {id: A., recipe: box}]
";

fn lowered(text: &str) -> Lowered {
    let spec = crate::spec::read(text, FileId(0)).unwrap().0;
    lower(&crate::plan::plan(&spec).unwrap(), &Templates::embedded())
}

#[test]
fn orders_are_processes_of_their_recipes() {
    let lowered = lowered(SPEC);
    assert_eq!(lowered.processes, ["order_A", "order_B", "order_A_"]);
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
    let starts: Vec<_> =
        (0..3).map(|step| Event::Start { recipe: 0, step, mode: 0, holds: Vec::new() }).collect();
    assert_eq!(lowered.events[..3], starts);
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
    let wanted = [Waiting, On(0), After(0), On(1), After(1), On(2), After(2), Finished];
    assert_eq!(lowered.places[0], wanted);
}

#[test]
fn the_network_reads_back_as_itself() {
    let mut network = lowered(SPEC).network;
    let text = xta::print(&network);
    let read = xta::parse(&text, FileId(0)).unwrap();
    // Origins are not part of the text.
    for item in &mut network.items {
        if let Item::Template(template) = item {
            template.edges.iter_mut().for_each(|edge| edge.origin = None);
        }
    }
    assert_eq!(read, network, "{text}");
}

#[test]
fn templates_that_lack_something_are_refused() {
    let texts = [(
        "shop.xta".to_owned(),
        "const int machines = 1; int counted, held; chan take; process First(const int machine) { state a; init a; }".into(),
        FileId(3),
    )];
    let found = Templates::from_texts(&texts).unwrap_err();
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
