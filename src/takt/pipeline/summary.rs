//! `summary.json`, which `solve --json` and `compare --json` print as well.

use super::problem::{Kind, Problem};
use super::solution::{Engine, Solution};
use serde_json::{Map, Number, Value, json};
use takt_report::{Account, Moves};
use takt_spec::Exact;
use takt_spec::schedule::Decimal;
use takt_validate as validate;

/// The summary of a run that took so long and at most so many bytes, and wrote these files: their
/// keys and places.
pub fn summary(
    problem: &Problem,
    solution: &Solution,
    seconds: f64,
    memory: u64,
    files: &[(&str, String)],
) -> Value {
    let found = solution.found.as_ref();
    let safe = solution.heuristics.iter().map(|h| (h.name.to_owned(), json!(h.is_safe)));
    let files = files.iter().map(|(key, path)| ((*key).to_owned(), json!(path)));
    let mut summary = Map::new();
    let mut add = |keys: Value| summary.extend(keys.as_object().cloned().unwrap_or_default());
    add(json!({
        "takt": 1,
        "spec": problem.name,
        "objective": problem.spec.objective.name(),
        "status": solution.status.name(),
        "value": solution.value.as_ref().map(exact),
        "bound": solution.bound.as_ref().map(exact),
        "gap": gap(solution),
        "found_by": solution.found_by.map(Engine::name),
        "proved_by": solution.proved_by.map(Engine::name),
    }));
    if let Kind::Layout(_) = problem.kind {
        add(rhythm(solution));
    }
    add(json!({
        "seconds": round(seconds),
        "heuristics": solution.heuristics.iter().map(|h| h.name).collect::<Vec<_>>(),
        "safe": safe.collect::<Map<_, _>>(),
        "reason": solution.reason.as_ref().map(|reason| &reason.message),
    }));
    if let Kind::Plant = problem.kind {
        add(json!({"rule": solution.rule.as_ref().map(exact)}));
        add(json!({"conflict": solution.reason.as_ref().map(|why| conflict(&why.conflict))}));
    }
    if let Some(moves) = found.and_then(|found| found.account.moves.as_ref()) {
        add(json!({"moves": departures(moves)}));
    }
    add(json!({
        "replayed": found.is_some(),
        "valid": found.is_some(),
        "states": {"explored": solution.states.explored, "stored": solution.states.stored},
        "memory_mb": memory >> 20,
        "kpis": found.map(|found| kpis(&found.account)),
        "files": files.collect::<Map<_, _>>(),
    }));
    Value::Object(summary)
}

/// What only layouts have.
fn rhythm(solution: &Solution) -> Value {
    let rhythm = solution.found.as_ref().and_then(|found| found.rhythm);
    let figures = solution.layout.as_ref();
    let bound = figures.and_then(|figures| figures.bound.as_ref());
    let cycle = rhythm.map(|rhythm| rhythm.cycle);
    json!({
        "interval": solution.value.as_ref().map(exact),
        "throughput": rhythm.map(|rhythm| rhythm.throughput()),
        "max_gap": rhythm.map(|rhythm| rhythm.max_gap),
        "first": rhythm.map(|rhythm| rhythm.first),
        "cycle": cycle.map(|cycle| json!({
            "start": cycle.start, "end": cycle.end, "wafers": cycle.wafers,
        })),
        "critical": bound.map(|(_, critical)| critical),
        "method": bound.map(|(method, _)| method),
        "proofs": figures.filter(|_| rhythm.is_some()).map(|figures| &figures.proofs),
        "labels": figures.map_or(0, |figures| figures.labels),
    })
}

/// `[{"kind": "deadline", "name": "A1"}, ...]`
fn conflict(demands: &[(&'static str, String)]) -> Value {
    demands.iter().map(|(kind, name)| json!({"kind": kind, "name": name})).collect()
}

/// (value - bound) / max(1, |value|), not rounded: what is not quite proved must not look so.
fn gap(solution: &Solution) -> Option<f64> {
    let float = |number: Exact| *number.numer() as f64 / *number.denom() as f64;
    let (value, bound) = (solution.value?, solution.bound?);
    Some(float(value - bound) / float(value).abs().max(1.0))
}

fn kpis(account: &Account) -> Value {
    let shares = account.resources.iter();
    let shares = shares.map(|resource| (resource.name.clone(), json!(round(resource.utilisation))));
    let costs = account.costs().map(|(kind, cost)| (kind.to_owned(), decimal(cost)));
    json!({
        "on_time": round(account.on_time()),
        "total_tardiness": account.total_tardiness(),
        "max_tardiness": account.max_tardiness(),
        "setup_time": account.setup_time,
        "utilisation": shares.collect::<Map<_, _>>(),
        "costs": costs.collect::<Map<_, _>>(),
    })
}

/// What has moved against an earlier plan.
fn departures(moves: &Moves) -> Value {
    json!({
        "steps": moves.steps,
        "starts": moves.starts,
        "units": moves.units,
        "furthest": moves.furthest,
        "orders": moves.orders,
        "newly_late": moves.newly_late,
        "new_orders": moves.new_orders,
    })
}

/// A JSON number with exactly these digits.
fn decimal(amount: Decimal) -> Value {
    amount.to_string().parse::<Number>().map_or(Value::Null, Value::Number)
}

/// A number where a decimal is exact, else text.
pub fn exact(number: &Exact) -> Value {
    let text = validate::exact(number);
    text.parse::<Number>().map_or(Value::String(text), Value::Number)
}

/// Shares and seconds need no more than four places.
pub fn round(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
