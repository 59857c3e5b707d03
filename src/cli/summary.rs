//! `summary.json`, which `takt solve --json` prints as well.

use crate::pipeline::kpi::Kpis;
use crate::pipeline::project::Project;
use crate::pipeline::solve::Solution;
use serde_json::{Map, Value, json};
use std::path::Path;

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
        "value": solution.value,
        "bound": solution.bound,
        "gap": gap(solution),
        "seconds": round(seconds),
        "heuristics": solution.heuristics.iter().map(|h| h.rule.name()).collect::<Vec<_>>(),
        "safe": solution
            .heuristics
            .iter()
            .map(|h| (h.rule.name().to_owned(), json!(h.is_safe)))
            .collect::<Map<_, _>>(),
        "reason": solution.reason.as_ref().map(|reason| &reason.message),
        "replayed": found.is_some(),
        "valid": found.is_some(),
        "states": {"explored": solution.explored, "stored": solution.stored},
        "memory_mb": memory >> 20,
        "kpis": found.map(|found| kpis(&found.kpis)),
        "files": files,
    })
}

/// (value - bound) / max(1, |value|)
fn gap(solution: &Solution) -> Option<f64> {
    let (value, bound) = (solution.value? as f64, solution.bound? as f64);
    Some(round((value - bound) / value.abs().max(1.0)))
}

fn kpis(kpis: &Kpis) -> Value {
    let shares = kpis.utilisation.iter().map(|(name, share)| (name.clone(), json!(round(*share))));
    json!({
        "on_time": round(kpis.on_time),
        "total_tardiness": kpis.total_tardiness,
        "max_tardiness": kpis.max_tardiness,
        "setup_time": kpis.setup_time,
        "utilisation": shares.collect::<Map<_, _>>(),
        "costs": {"delay": kpis.delay_cost, "storage": kpis.storage_cost},
    })
}

/// Shares and seconds need no more than four places.
fn round(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
