//! What an answer is worth where a heuristic may have cut schedules.
//!
//! The proof of a search covers only what the heuristics keep. Where they keep nothing, it is looked
//! whether there is anything without them, and which of them are to blame.

use super::context::{Outcome, SearchContext};
use super::portfolio;
use super::reason::Reason;
use super::solution::{Engine, Failure, Status};
use std::ops::ControlFlow;
use takt_automata::engine::{Control, Progress, Stop, Verdict};
use takt_plant::Heuristic;

/// How many states may be looked at to put the blame on fewer heuristics.
const BLAME: u64 = 20_000;

/// Turns the answer for what the heuristics keep into one for the spec.
pub(super) fn admit(context: &SearchContext, outcome: &mut Outcome) -> Result<(), Failure> {
    outcome.bound = context.floor.known();
    let whole = outcome.proved_by.filter(|_| outcome.status == Status::Infeasible);
    outcome.proved_by = outcome.bound.map(|_| Engine::Floor).or(whole);
    let is_met = outcome.value.is_some() && outcome.value <= outcome.bound;
    match outcome.status {
        Status::Optimal if outcome.value.is_some() && !is_met => {
            outcome.status = Status::Restricted;
            Ok(())
        }
        Status::Infeasible => look_without(context, outcome),
        _ => Ok(()),
    }
}

/// Any schedule that no heuristic has a say in.
fn look_without(context: &SearchContext, outcome: &mut Outcome) -> Result<(), Failure> {
    let free = context.compiled.with_heuristics(Vec::new());
    let (found, best) = portfolio::search(&SearchContext {
        compiled: &free,
        shelf: None,
        is_any: true,
        ..*context
    })?;
    outcome.states.explored += found.states.explored;
    outcome.states.stored = outcome.states.stored.max(found.states.stored);
    if found.status == Status::Infeasible {
        return Ok(());
    }
    outcome.status = Status::Unknown;
    outcome.proved_by = outcome.bound.map(|_| Engine::Floor);
    let is_there = best.is_some();
    outcome.stopped = found.stopped.filter(|_| !is_there);
    let rest = if is_there { "there is one" } else { "there may be one" };
    let names = blamed(context)?;
    let message = match names.as_slice() {
        [name] => format!("`{name}` keeps no schedule; without it {rest}"),
        names => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("{} together keep no schedule; without them {rest}", names.join(", "))
        }
    };
    outcome.reason = Some(Reason::new(message));
    Ok(())
}

/// As few of the heuristics as can be shown quickly to keep nothing.
fn blamed(context: &SearchContext) -> Result<Vec<&'static str>, Failure> {
    let heuristics = &context.compiled.plan.heuristics;
    let doubtful: Vec<Heuristic> = heuristics.iter().copied().filter(|h| !h.is_safe).collect();
    let mut parts: Vec<u32> = (1..(1 << doubtful.len()) - 1).collect();
    parts.sort_by_key(|part| part.count_ones());
    for part in parts {
        let chosen = doubtful.iter().enumerate().filter(|(k, _)| part >> k & 1 == 1);
        let chosen: Vec<Heuristic> = chosen.map(|(_, heuristic)| *heuristic).collect();
        if context.control.poll(&Progress::default()).is_break() {
            break;
        }
        let compiled = context.compiled.with_heuristics(chosen.clone());
        let answer =
            SearchContext { compiled: &compiled, ..*context }.ask(&Brief(context.control))?;
        if answer.verdict == Verdict::Violated {
            return Ok(chosen.iter().map(|heuristic| heuristic.rule.name()).collect());
        }
    }
    Ok(doubtful.iter().map(|heuristic| heuristic.rule.name()).collect())
}

/// Ends a search early, and as soon as there is a schedule.
struct Brief<'c>(&'c (dyn Control + Sync));

impl Control for Brief<'_> {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        if progress.explored >= BLAME || progress.best.is_some() {
            return ControlFlow::Break(Stop::Interrupt);
        }
        self.0.poll(progress)
    }
}
