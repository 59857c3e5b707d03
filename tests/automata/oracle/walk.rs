//! The oracle's own check: random runs with arbitrary delays never leave its region graph, and
//! find there the moves that they have themselves; replayed, they pass through the same states.

use super::compare::{compile, scale};
use super::graph::Graph;
use takt_automata::interpret::{Interpreter, replay};
use takt_automata::model::{EdgeId, ProcessId};
use takt_automata::trace::{EdgeRef, Move, Run, Time, TimedMove};
use takt_testing::{Random, networks::generate};

#[test]
fn random_runs_stay_in_the_region_graph() {
    let mut visited = 0;
    for seed in 0..60 {
        let sample = generate(seed);
        let Ok((model, query)) = compile(&sample.to_string(), &sample.query) else { continue };
        let scale = scale(&sample, &model, &query);
        let Ok(graph) = Graph::explore(&model, scale, 2000) else { continue };
        let interpreter = Interpreter::new(&model);
        for run in 0..10 {
            visited += walk(&interpreter, &graph, &mut Random::new(1000 * seed + run));
        }
    }
    assert!(visited > 2000, "only {visited} states visited");
}

/// A run of some steps; gives how many states it visited.
fn walk(interpreter: &Interpreter, graph: &Graph, r: &mut Random) -> usize {
    let mut at = interpreter.initial();
    let mut run = Run::default();
    let mut states = Vec::new();
    for _ in 0..15 {
        let delay = Time::new(r.within(0, 20), r.within(1, 7));
        if let Some(later) = interpreter.delay(&at, delay).unwrap() {
            (at, run.end) = (later, run.end + delay);
        }
        let node = graph.find(&at).unwrap_or_else(|| panic!("{at:?} is no region"));
        let successors = interpreter.successors(&at).unwrap();
        assert_eq!(successors.len(), node.actions.len(), "at {at:?}");
        assert_eq!(interpreter.can_delay(&at), Ok(node.can_delay), "at {at:?}");
        match successors.len() {
            0 => break,
            count => {
                let (action, next) = successors[r.below(count)].clone();
                run.moves.push(TimedMove { time: run.end, action });
                at = next;
                states.push(at.clone());
            }
        }
    }
    let replayed = replay(interpreter.model(), &run).unwrap();
    assert_eq!((replayed.after, replayed.end), (states, at));
    1 + run.moves.len()
}

/// What a single look at a state says of delays and moves, the replay of a run says too.
#[test]
fn replays_refuse_what_does_not_exist() {
    let mut refused = 0;
    for seed in 0..200 {
        let sample = generate(seed);
        let Ok((model, _)) = compile(&sample.to_string(), &sample.query) else { continue };
        let interpreter = Interpreter::new(&model);
        if interpreter.is_valid(&interpreter.initial()) == Ok(true) {
            refused += stray(&interpreter, &mut Random::new(seed));
        }
    }
    assert!(refused > 200, "only {refused} runs refused");
}

/// Walks; at each state some delay and some move are tried, whether they exist or not.
fn stray(interpreter: &Interpreter, r: &mut Random) -> usize {
    let model = interpreter.model();
    let (mut at, mut run, mut refused) = (interpreter.initial(), Run::default(), 0);
    for _ in 0..12 {
        let delay = Time::new(r.within(0, 20), r.within(1, 7));
        let Ok(later) = interpreter.delay(&at, delay) else { break };
        let waiting = Run { end: run.end + delay, ..run.clone() };
        assert_eq!(replay(model, &waiting).is_ok(), later.is_some(), "{waiting:?}");
        refused += usize::from(later.is_none());
        if let Some(later) = later {
            (at, run) = (later, waiting);
        }
        let Ok(existing) = interpreter.successors(&at) else { break };
        for (number, of) in model.processes.iter().enumerate() {
            let process = ProcessId::at(number);
            for edge in EdgeId::all(of.edges.len()).map(|edge| EdgeRef { process, edge }) {
                let mut moved = run.clone();
                let action = Move { edges: vec![edge] };
                let exists = existing.iter().any(|(known, _)| *known == action);
                moved.moves.push(TimedMove { time: run.end, action });
                assert_eq!(replay(model, &moved).is_ok(), exists, "{moved:?}");
                refused += usize::from(!exists);
            }
        }
        let Some((action, next)) = existing.get(r.below(existing.len().max(1))).cloned() else {
            break;
        };
        run.moves.push(TimedMove { time: run.end, action });
        at = next;
    }
    refused
}
