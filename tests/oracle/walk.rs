//! The oracle's own check: random runs with arbitrary delays never leave its region graph, and
//! find there the moves that they have themselves.

use crate::compare::{compile, scale};
use crate::generate::generate;
use crate::graph::Graph;
use crate::random::Random;
use takt::interpret::Interpreter;
use takt::trace::Time;

#[test]
fn random_runs_stay_in_the_region_graph() {
    let mut visited = 0;
    for seed in 0..60 {
        let sample = generate(seed);
        let Ok((model, query)) = compile(&sample.to_string(), &sample.query) else { continue };
        let scale = scale(&sample, &model, &query);
        let Ok(graph) = Graph::explore(&model, scale, 2000) else { continue };
        let interpreter = Interpreter::new(&model);
        if interpreter.is_valid(&interpreter.initial()) != Ok(true) {
            assert!(graph.nodes.is_empty());
            continue;
        }
        for run in 0..10 {
            visited += walk(&interpreter, &graph, &mut Random::new(1000 * seed + run));
        }
    }
    assert!(visited > 2000, "only {visited} states visited");
}

/// A run of some steps; gives how many states it visited.
fn walk(interpreter: &Interpreter, graph: &Graph, r: &mut Random) -> usize {
    let mut at = interpreter.initial();
    let mut visited = 0;
    for _ in 0..15 {
        visited += 1;
        let delay = Time::new(r.within(0, 20), r.within(1, 7));
        at = interpreter.delay(&at, delay).unwrap().unwrap_or(at);
        let node = graph.find(&at).unwrap_or_else(|| panic!("{at:?} is no region"));
        let successors = interpreter.successors(&at).unwrap();
        assert_eq!(successors.len(), node.actions.len(), "at {at:?}");
        assert_eq!(interpreter.can_delay(&at), Ok(node.can_delay), "at {at:?}");
        match successors.len() {
            0 => return visited,
            count => at = successors[r.below(count)].1.clone(),
        }
    }
    visited
}
