//! States and moves of a model in the names of its text.

use takt_automata::engine::Round;
use takt_automata::model::{ClockId, LocationId, Model};
use takt_automata::trace::{Constraint, Move};

/// `P.a -> P.b, Q.c -> Q.c`: every edge that takes part, the sender first.
pub fn action(model: &Model, action: &Move) -> String {
    let edges = action.edges.iter().map(|edge| {
        let process = &model.processes[edge.process.index()];
        let data = edge.of(model);
        let place =
            |at: LocationId| format!("{}.{}", process.name, process.locations[at.index()].name);
        format!("{} -> {}", place(data.source), place(data.target))
    });
    edges.collect::<Vec<_>>().join(", ")
}

/// `P.a -> P.b -> P.a, a round takes 2 to 3`
pub fn round(model: &Model, round: &Round) -> String {
    let process = &model.processes[round.process.index()];
    let name = |at: LocationId| format!("{}.{}", process.name, process.locations[at.index()].name);
    let sources = round.edges.iter().map(|&edge| name(process.edges[edge.index()].source));
    let back = round.edges.first().map(|&edge| name(process.edges[edge.index()].source));
    let places: Vec<String> = sources.chain(back).collect();
    let time = match (round.shortest, round.longest) {
        (shortest, longest) if shortest == longest => longest.to_string(),
        (shortest, longest) => format!("{shortest} to {longest}"),
    };
    format!("{}, a round takes {time}", places.join(" -> "))
}

/// The values that `select` chose for a move: `i = 1`.
pub fn choices(model: &Model, action: &Move) -> Vec<String> {
    let edges = action.edges.iter();
    edges
        .flat_map(|e| &e.of(model).choice)
        .map(|(name, value)| format!("{name} = {value}"))
        .collect()
}

/// Each process with the name of its location.
pub fn locations<'m>(model: &'m Model, state: &[i32]) -> impl Iterator<Item = (&'m str, &'m str)> {
    model
        .processes
        .iter()
        .zip(state)
        .map(|(process, &at)| (process.name.as_str(), process.locations[at as usize].name.as_str()))
}

/// Each variable with its value.
pub fn variables<'m>(model: &'m Model, state: &[i32]) -> impl Iterator<Item = (&'m str, i32)> {
    let values = state.iter().copied().enumerate().skip(model.processes.len());
    values.map(|(at, value)| (model.cells[at].name.as_str(), value))
}

/// A zone as conditions on clocks; `x >= 3` and `x <= 3` become `x = 3`. A search may add clocks of
/// its own, which the model does not know: nothing is said about those.
pub fn zone(model: &Model, constraints: &[Constraint]) -> Vec<String> {
    let is_known = |clock: &Option<ClockId>| clock.is_none_or(|x| x.index() < model.clocks.len());
    let of_model = |c: &&Constraint| is_known(&c.left) && is_known(&c.right);
    let constraints: Vec<&Constraint> = constraints.iter().filter(of_model).collect();
    let mut seen = Vec::new();
    let mut out = Vec::new();
    for (at, constraint) in constraints.iter().enumerate() {
        if seen.contains(&at) {
            continue;
        }
        let opposite = constraints.iter().skip(at + 1).position(|other| {
            (other.left, other.right) == (constraint.right, constraint.left)
                && other.bound.checked_neg() == Some(constraint.bound)
                && !other.is_strict
                && !constraint.is_strict
        });
        seen.extend(opposite.map(|offset| at + 1 + offset));
        out.push(condition(model, constraint, opposite.is_some()));
    }
    out
}

fn condition(model: &Model, constraint: &Constraint, is_equality: bool) -> String {
    let name = |clock: ClockId| model.clocks[clock.index()].name.as_str();
    let strict = if constraint.is_strict { "" } else { "=" };
    let bound = constraint.bound;
    let upper = if is_equality { "=".to_owned() } else { format!("<{strict}") };
    let lower = if is_equality { "=".to_owned() } else { format!(">{strict}") };
    match (constraint.left, constraint.right) {
        (Some(x), Some(y)) => format!("{} - {} {upper} {bound}", name(x), name(y)),
        (Some(x), None) => format!("{} {upper} {bound}", name(x)),
        (None, Some(y)) => format!("{} {lower} {}", name(y), -i128::from(bound)),
        (None, None) => format!("0 {upper} {bound}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use takt_automata::model::{Clock, Edge, EdgeId, Location, Process, ProcessId};
    use takt_automata::trace::EdgeRef;

    fn model() -> Model {
        let location = |name: &str| Location { name: name.into(), ..Location::default() };
        let edge = |source, target| Edge {
            source: LocationId(source),
            target: LocationId(target),
            guard: Vec::new(),
            sync: None,
            update: None,
            choice: vec![("i".into(), 7)],
            scalars: Vec::new(),
            origin: None,
            span: Default::default(),
        };
        let process = |name: &str| Process {
            name: name.into(),
            locations: vec![location("a"), location("b")],
            edges: vec![edge(0, 1), edge(1, 1)],
            ..Process::default()
        };
        let clock = |name: &str| Clock { name: name.into(), ..Clock::default() };
        Model {
            processes: vec![process("P"), process("Q")],
            clocks: vec![clock("x"), clock("y")],
            ..Model::default()
        }
    }

    #[test]
    fn moves_name_every_edge_and_self_loops() {
        let both = Move {
            edges: vec![
                EdgeRef { process: ProcessId(1), edge: EdgeId(0) },
                EdgeRef { process: ProcessId(0), edge: EdgeId(1) },
            ],
        };
        assert_eq!(action(&model(), &both), "Q.a -> Q.b, P.b -> P.b");
        assert_eq!(choices(&model(), &both), ["i = 7", "i = 7"]);
        assert_eq!(action(&model(), &Move::default()), "");
    }

    #[test]
    fn zones_read_like_guards() {
        let c = |left: Option<u32>, right: Option<u32>, is_strict, bound| {
            let (left, right) = (left.map(ClockId), right.map(ClockId));
            Constraint { left, right, is_strict, bound }
        };
        let zone = zone(
            &model(),
            &[
                c(Some(0), None, false, 3),
                c(None, Some(0), false, -3),
                c(Some(1), None, true, 8),
                c(None, Some(1), true, -2),
                c(Some(0), Some(1), false, -1),
            ],
        );
        assert_eq!(zone, ["x = 3", "y < 8", "y > 2", "x - y <= -1"]);
    }
}
