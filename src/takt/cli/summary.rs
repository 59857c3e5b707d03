//! `summary.json`, which `takt solve --json` prints as well.

use crate::pipeline::project::Project;
use crate::pipeline::solve::{Engine, Solution};
use serde_json::{Map, Number, Value, json};
use std::path::Path;
use takt_report::account::Account;
use takt_spec::schedule::Decimal;

/// The summary of a run, with the files it wrote.
pub fn summary(
    project: &Project,
    solution: &Solution,
    seconds: f64,
    memory: u64,
    files: Option<&Path>,
) -> Value {
    let found = solution.found.as_ref();
    let files = files.map_or(Map::new(), |folder| {
        let path = |name: &str| json!(folder.join(name).display().to_string());
        let names = [("csv", "schedule.csv"), ("svg", "schedule.svg"), ("orders", "orders.csv")];
        let names = names.into_iter().chain([("summary", "summary.json"), ("model", "model.xta")]);
        names.map(|(key, name)| (key.to_owned(), path(name))).collect()
    });
    json!({
        "takt": 1,
        "spec": project.name,
        "objective": project.spec.objective.name(),
        "status": solution.status.name(),
        "value": solution.value.map(|value| decimal(solution.amount(value))),
        "bound": solution.bound.map(|bound| decimal(solution.amount(bound))),
        "gap": gap(solution),
        "found_by": solution.found_by.map(Engine::name),
        "proved_by": solution.proved_by.map(Engine::name),
        "seconds": round(seconds),
        "heuristics": solution.heuristics.iter().map(|h| h.rule.name()).collect::<Vec<_>>(),
        "safe": solution
            .heuristics
            .iter()
            .map(|h| (h.rule.name().to_owned(), json!(h.is_safe)))
            .collect::<Map<_, _>>(),
        "reason": solution.reason.as_ref().map(|reason| &reason.message),
        "conflict": solution.reason.as_ref().map(|reason| conflict(&reason.conflict)),
        "replayed": found.is_some(),
        "valid": found.is_some(),
        "states": {"explored": solution.explored, "stored": solution.stored},
        "memory_mb": memory >> 20,
        "kpis": found.map(|found| kpis(&found.account)),
        "files": files,
    })
}

/// `[{"kind": "deadline", "name": "A1"}, ...]`
fn conflict(demands: &[(&'static str, String)]) -> Value {
    demands.iter().map(|(kind, name)| json!({"kind": kind, "name": name})).collect()
}

/// (value - bound) / max(1, |value|)
fn gap(solution: &Solution) -> Option<f64> {
    let (value, bound) = (solution.amount(solution.value?), solution.amount(solution.bound?));
    // Not rounded: what is not quite proved must not look so.
    Some((value - bound).approximate() / value.approximate().abs().max(1.0))
}

pub fn kpis(account: &Account) -> Value {
    let shares = account.resources.iter();
    let shares = shares.map(|resource| (resource.name.clone(), json!(round(resource.utilisation))));
    let costs = account.costs().into_iter().map(|(kind, cost)| (kind.to_owned(), decimal(cost)));
    json!({
        "on_time": round(account.on_time()),
        "total_tardiness": account.total_tardiness(),
        "max_tardiness": account.max_tardiness(),
        "setup_time": account.setup_time,
        "utilisation": shares.collect::<Map<_, _>>(),
        "costs": costs.collect::<Map<_, _>>(),
    })
}

/// A JSON number with exactly these digits.
pub fn decimal(amount: Decimal) -> Value {
    amount.to_string().parse::<Number>().map_or(Value::Null, Value::Number)
}

/// Shares and seconds need no more than four places.
pub fn round(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
