//! Traces as lines for people and as JSON.

use crate::pipeline::check::{Ending, Timed};
use crate::pipeline::describe;
use serde_json::{Map, Value, json};
use takt_automata::model::Model;
use takt_automata::trace::{Time, Trace};

/// A symbolic trace: each state with its locations, the variables that changed, its zone.
pub fn symbolic_text(model: &Model, trace: &Trace) -> String {
    let mut out = String::new();
    let mut state = Vec::new();
    for (number, (action, node)) in trace.nodes().enumerate() {
        let before = state.clone();
        node.apply(&mut state);
        if let Some(action) = action {
            let choices = describe::choices(model, action);
            let chosen = if choices.is_empty() {
                String::new()
            } else {
                format!("  ({})", choices.join(", "))
            };
            out.push_str(&format!("       {}{chosen}\n", describe::action(model, action)));
        }
        let places = describe::locations(model, &state).map(|(p, l)| format!("{p}.{l}"));
        let mut parts = vec![places.collect::<Vec<_>>().join(", ")];
        parts.push(changes(model, &before, &state).join(", "));
        parts.push(describe::zone(model, &node.zone).join(", "));
        parts.retain(|part| !part.is_empty());
        out.push_str(&format!("  {number:>4} {}\n", parts.join(" | ")));
    }
    if let Some(number) = trace.returns_to {
        out.push_str(&format!("       and on for ever as from state {number}\n"));
    }
    out
}

/// A symbolic trace as a list of states, each with the move that led there.
pub fn symbolic_json(model: &Model, trace: &Trace) -> Value {
    let mut state = Vec::new();
    let states = trace.nodes().map(|(action, node)| {
        node.apply(&mut state);
        let places = describe::locations(model, &state);
        let values = describe::variables(model, &state);
        json!({
            "move": action.map_or(String::new(), |action| describe::action(model, action)),
            "locations": places.map(|(p, l)| (p.to_owned(), json!(l))).collect::<Map<_, _>>(),
            "variables": values.map(|(n, v)| (n.to_owned(), json!(v))).collect::<Map<_, _>>(),
            "zone": describe::zone(model, &node.zone),
        })
    });
    states.collect()
}

/// A concrete trace: absolute time, the cost so far where something costs, and move; and how it
/// goes on.
pub fn concrete_text(steps: &[Timed], ending: Ending) -> String {
    let has_cost = steps.iter().any(|step| step.cost != Time::default());
    let mut rows: Vec<[String; 3]> = Vec::new();
    if has_cost {
        rows.push(["time", "cost", "move"].map(str::to_owned));
    }
    rows.extend(steps.iter().map(|step| {
        let what = if step.action.is_empty() { "(wait)" } else { &step.action };
        [step.time.to_string(), step.cost.to_string(), what.to_owned()]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let (width, cost_width) = (width(0), width(1));
    let lines = rows.iter().map(|[time, cost, what]| match has_cost {
        true => format!("  {time:>width$}  {cost:>cost_width$}  {what}\n"),
        false => format!("  {time:>width$}  {what}\n"),
    });
    let mut out: String = lines.collect();
    if steps.is_empty() {
        out.push_str("  (the initial state)\n");
    }
    match ending {
        Ending::Answered => {}
        Ending::Loop(0) => out.push_str("  and on for ever as from the start\n"),
        Ending::Loop(moves) => out.push_str(&format!("  and on for ever as after move {moves}\n")),
        Ending::Waits => out.push_str("  and waits there for ever\n"),
        Ending::Stuck => out.push_str("  and there neither a move nor a delay is possible\n"),
        Ending::Fades => out.push_str(
            "  and there no move is possible any more, while time comes ever nearer to a strict bound\n",
        ),
    }
    out
}

/// `[{"time": "7/2", "move": "P.a -> P.b", "cost": 0}, ...]`
pub fn concrete_json(steps: &[Timed]) -> Value {
    let entries = steps.iter().map(
        |step| json!({"time": step.time.to_string(), "move": step.action, "cost": number(step)}),
    );
    entries.collect()
}

/// Whole costs as numbers, others as text such as `7/2`.
fn number(step: &Timed) -> Value {
    if step.cost.is_integer() {
        json!(step.cost.to_integer())
    } else {
        json!(step.cost.to_string())
    }
}

/// The variables that differ from the state before; all of them in the initial state.
fn changes(model: &Model, before: &[i32], state: &[i32]) -> Vec<String> {
    let first = model.processes.len();
    let values = describe::variables(model, state).enumerate();
    values
        .filter(|&(at, (_, value))| {
            before.get(first + at).is_none_or(|&old| i64::from(old) != i64::from(value))
        })
        .map(|(_, (name, value))| format!("{name} = {value}"))
        .collect()
}
