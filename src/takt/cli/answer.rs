//! The answers of `takt check`, as text for people and as the promised JSON.

use super::console::paint;
use super::watchdog::Cost;
use crate::pipeline::unanswered;
use serde_json::{Value, json};
use takt_automata::engine::{Answer, Extremum, Progress, Stop, Verdict};

/// One query with its answer, ready to be shown.
#[derive(Debug)]
pub struct Outcome {
    pub query: String,
    pub answer: Answer,
    /// As lines and as JSON, if asked for.
    pub trace: Option<(String, Value)>,
    /// Why there is none although it was asked for.
    pub untold: Option<&'static str>,
    /// The cycles that were accelerated, in words.
    pub cycles: Vec<String>,
    pub cost: Cost,
}

impl Outcome {
    /// No answer, because a limit came first.
    pub fn unknown(query: String, stop: Stop, progress: Progress, cost: Cost) -> Outcome {
        let Progress { best, bound, explored, stored, .. } = progress;
        let value = best.map(|value| Extremum::Finite { value, attained: true });
        let answer = Answer { value, bound, explored, stored, ..unanswered(stop) };
        Outcome { query, answer, trace: None, untold: None, cycles: Vec::new(), cost }
    }
}

/// For each query its verdict and value, what it took, and its trace.
pub fn text(outcomes: &[Outcome], color: bool) -> String {
    let mut out = String::new();
    let mut told: &[String] = &[];
    for Outcome { query, answer, trace, untold, cycles, cost } in outcomes {
        let (word, code) = match answer.verdict {
            Verdict::Satisfied => ("satisfied", "32"),
            Verdict::Violated => ("violated ", "31"),
            Verdict::Unknown => ("unknown  ", "33"),
        };
        let value = answer.value.filter(|_| answer.verdict == Verdict::Satisfied);
        let value = value.map(value_text).unwrap_or_default();
        out.push_str(&format!("{}  {query}{value}\n", paint(word, code, color)));
        if answer.assumes_remaining {
            out.push_str("           as far as the model's `remaining` is right\n");
        }
        if let Some(stop) = answer.stopped {
            out.push_str(&format!("           {}{}\n", why(stop, answer), so_far(answer)));
        }
        if !answer.reduced.is_empty() {
            out.push_str("           one state for each orbit of a symmetry\n");
        }
        if cycles.len() > 1 && cycles == told {
            out.push_str("           accelerated: the same cycles\n");
        } else {
            for cycle in cycles {
                out.push_str(&format!("           accelerated: {cycle}\n"));
            }
        }
        told = cycles;
        if let Some(untold) = untold {
            out.push_str(&format!("           no trace: {untold}\n"));
        }
        out.push_str(&format!("           {}", effort((answer.explored, answer.stored), *cost)));
        if let Some((lines, _)) = trace {
            out.push_str(lines);
        }
    }
    out
}

/// `{"model": ..., "queries": [...]}` and a newline.
pub fn json(model: &str, outcomes: &[Outcome]) -> String {
    let queries: Vec<Value> = outcomes.iter().map(outcome_json).collect();
    format!("{}\n", json!({"model": model, "queries": queries}))
}

fn outcome_json(outcome: &Outcome) -> Value {
    let Outcome { query, answer, trace, untold, cycles, cost } = outcome;
    let verdict = match answer.verdict {
        Verdict::Satisfied => "satisfied",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    };
    let mut object = json!({"query": query, "verdict": verdict, "value": null});
    match (answer.value, answer.verdict) {
        (Some(best), Verdict::Unknown) => object["best"] = number(best),
        (Some(value), _) => {
            object["value"] = number(value);
            object["attained"] = json!(matches!(value, Extremum::Finite { attained: true, .. }));
        }
        (None, _) => {}
    }
    if let (Verdict::Unknown, Some(bound)) = (answer.verdict, answer.bound) {
        object["bound"] = json!(bound);
    }
    if answer.assumes_remaining {
        object["assumes"] = json!(["remaining"]);
    }
    if !answer.reduced.is_empty() {
        object["symmetry"] = json!(true);
    }
    if !cycles.is_empty() {
        object["accelerated"] = json!(cycles.len());
        object["cycles"] = json!(cycles);
    }
    if let Some(untold) = untold {
        object["no_trace"] = json!(untold);
    }
    object["explored"] = json!(answer.explored);
    object["stored"] = json!(answer.stored);
    object["seconds"] = json!((cost.seconds * 1e4).round() / 1e4);
    object["memory_mb"] = json!(cost.memory >> 20);
    if let Some((_, trace)) = trace {
        object["trace"] = trace.clone();
        if let Some(node) = answer.trace.as_ref().and_then(|trace| trace.returns_to) {
            object["loop"] = json!(node);
        }
    }
    if let Some(stop) = answer.stopped {
        object["reason"] = json!(why(stop, answer));
    }
    object
}

fn number(value: Extremum) -> Value {
    match value {
        Extremum::Finite { value, .. } => json!(value),
        Extremum::Unbounded => json!("inf"),
    }
}

/// What an unfinished search for an extreme value knows.
fn so_far(answer: &Answer) -> String {
    let mut known = Vec::new();
    if let (Verdict::Unknown, Some(Extremum::Finite { value, .. })) = (answer.verdict, answer.value)
    {
        known.push(format!("best so far {value}"));
    }
    known.extend(answer.bound.map(|bound| format!("no less than {bound}")));
    if known.is_empty() { String::new() } else { format!("; {}", known.join(", ")) }
}

fn value_text(value: Extremum) -> String {
    match value {
        Extremum::Finite { value, attained: true } => format!(" = {value}"),
        Extremum::Finite { value, attained: false } => {
            format!(" = {value} (a limit that no state attains)")
        }
        Extremum::Unbounded => " = inf (without bound)".to_owned(),
    }
}

/// What a search took, as a line.
pub fn effort((explored, stored): (u64, u64), cost: Cost) -> String {
    let states = if explored == 1 { "state" } else { "states" };
    let (seconds, memory) = (cost.seconds, cost.memory >> 20);
    format!("{explored} {states} explored, {stored} stored, {seconds:.2} s, {memory} MB\n")
}

/// Why there is no answer.
fn why(stop: Stop, answer: &Answer) -> &'static str {
    match stop {
        Stop::Time if answer.explored == 0 => {
            "the time limit came before it was begun (--time is for all queries together)"
        }
        stop => reason(stop),
    }
}

/// Why a search ended early.
pub fn reason(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "the time limit came first (--time)",
        Stop::Memory => "the memory limit came first (--memory)",
        Stop::Interrupt => "interrupted",
        Stop::Size => "the plan is too large for this search (--engine)",
        Stop::Approximation => "the approximation proves nothing here",
        Stop::Table => "there is no room for so large a table (--bitstate)",
        Stop::Contradiction => "a state that was found cannot be reached: this is a bug in takt",
    }
}
