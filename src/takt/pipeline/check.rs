//! Verifies queries: network to model to answers, with traces that were replayed.

use super::describe;
use takt_automata::engine::{Answer, Extremum, Failure};
use takt_automata::interpret::{self, Concrete, Interpreter, Limit, Mismatch, MismatchKind};
use takt_automata::model::{self, Formula, Model, Objective, Query, symmetry::Symmetry};
use takt_automata::network::{self, Network};
use takt_automata::trace::{self, Run, Time, Trace};
use takt_diagnostic::{Diagnostic, Diagnostics, Span};

/// One step of a run, in words: what happens at which absolute time, and the cost so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    /// Since the start.
    pub time: Time,
    /// Empty for a final wait.
    pub action: String,
    /// So far.
    pub cost: Time,
}

/// How a run goes on after its last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// That does not matter: the query is answered.
    Answered,
    /// It goes on as after so many moves.
    Loop(usize),
    /// Nothing happens any more while time passes.
    Waits,
    /// Neither a move nor a delay is possible.
    Stuck,
    /// Time comes ever nearer to a strict invariant, and no move is possible any more.
    Fades,
}

/// A model with its queries, ready to be searched.
#[derive(Clone, Debug)]
pub struct Ready {
    /// Checked and compiled.
    pub model: Model,
    /// Their names resolved.
    pub queries: Vec<Query>,
    /// What is odd about either.
    pub warnings: Diagnostics,
}

/// A network and its queries, checked and compiled.
pub fn build(network: &Network, queries: &[network::Query]) -> Result<Ready, Diagnostics> {
    let (mut model, warnings) = model::build(network)?;
    let mut resolved = Vec::new();
    let mut wrong = Diagnostics::default();
    for query in queries {
        match model.resolve_query(query) {
            Ok(Query::Supremum { of: Objective::Cost(span), .. }) => wrong.push(largest_cost(span)),
            Ok(query) => resolved.push(query),
            Err(found) => wrong.extend(found),
        }
    }
    if wrong.has_errors() {
        return Err(wrong.sorted());
    }
    Ok(Ready { model, queries: resolved, warnings })
}

/// Scalar sets whose elements the model tells apart, so that all states of an orbit count.
pub fn asymmetries(model: &Model) -> Diagnostics {
    let mut found = Diagnostics::default();
    for refusal in Symmetry::of(model).refusals {
        let size = model.scalar_sets[refusal.set as usize];
        let message = format!("no symmetry reduction over a scalar set of {size} elements");
        let warning = Diagnostic::warning("asymmetric-set", refusal.span, message);
        found.push(warning.label(refusal.reason));
    }
    found.sorted()
}

fn largest_cost(span: Span) -> Diagnostic {
    Diagnostic::error("unsupported", span, "the largest cost of a run cannot be asked for")
        .label("`cost` under `sup`")
        .hint("`inf{goal}: cost` asks for the cheapest way to a goal")
}

/// Why a trace cannot be shown.
#[derive(Clone, Debug)]
pub enum Rejected {
    /// What the engine found is not what the semantics says: a bug of ours.
    Bug(String),
    /// The run passes an error of the model that the search did not meet before it had its
    /// answer.
    Model(Box<Failure>),
}

impl From<&str> for Rejected {
    fn from(why: &str) -> Rejected {
        Rejected::Bug(why.to_owned())
    }
}

/// Exact times for the trace of an answer, replayed step by step.
pub fn concrete(
    model: &Model,
    query: &Query,
    answer: &Answer,
) -> Result<(Vec<Timed>, Ending), Rejected> {
    let Some(trace) = &answer.trace else { return Ok((Vec::new(), Ending::Answered)) };
    let run = timed(model, query, trace).ok_or("a trace has no times that fit it")?;
    let replay = interpret::replay(model, &run).map_err(|mismatch| rejected(trace, mismatch))?;
    if !ends_as_claimed(model, query, answer, &replay.end) {
        return Err("a trace does not end in a state that the query speaks of".into());
    }
    let mut steps: Vec<Timed> = run
        .moves
        .iter()
        .zip(&replay.after)
        .map(|(timed, after)| Timed {
            time: timed.time,
            action: describe::action(model, &timed.action),
            cost: after.cost,
        })
        .collect();
    let last = steps.last().map_or(Time::from_integer(0), |step| step.time);
    if run.end > last {
        steps.push(Timed { time: run.end, action: String::new(), cost: replay.end.cost });
    }
    Ok((steps, ending(model, query, trace.returns_to, &replay.end)))
}

/// Exact times for a trace: the cheapest where the query asks for the cost, else the earliest.
pub fn timed(model: &Model, query: &Query, trace: &Trace) -> Option<Run> {
    match query {
        Query::Infimum { of: Objective::Cost(_), .. } => trace::cheapest(model, trace),
        _ => trace::concretise(model, trace),
    }
}

fn rejected(trace: &Trace, mismatch: Mismatch) -> Rejected {
    match mismatch.kind {
        MismatchKind::Fault(fault) => {
            Rejected::Model(Box::new(Failure { fault, trace: trace.clone(), action: None }))
        }
        other => {
            let step = mismatch.step + 1;
            Rejected::Bug(format!("step {step} of a trace does not replay ({other:?})"))
        }
    }
}

/// Only liveness says something about what follows the last step.
fn ending(model: &Model, query: &Query, returns_to: Option<usize>, end: &Concrete) -> Ending {
    if let Some(moves) = returns_to {
        return Ending::Loop(moves);
    }
    match query {
        Query::PotentiallyAlways(_) | Query::Eventually(_) | Query::LeadsTo(..) => {
            match Interpreter::new(model).limit(end) {
                Ok(Limit::Never) => Ending::Waits,
                Ok(limit) if limit.allows_some() => Ending::Fades,
                _ => Ending::Stuck,
            }
        }
        _ => Ending::Answered,
    }
}

/// Whether the end of a run is what the query asked for. Liveness and deadlocks say something
/// about all that may follow, which the end alone does not show: those are taken as they are.
fn ends_as_claimed(model: &Model, query: &Query, answer: &Answer, end: &Concrete) -> bool {
    let interpreter = Interpreter::new(model);
    let holds = |formula: &Formula| {
        formula.has_deadlock() || interpreter.holds(end, formula, false) == Ok(true)
    };
    match query {
        Query::Possibly(formula) => holds(formula),
        Query::Invariantly(formula) => formula.has_deadlock() || !holds(formula),
        Query::Infimum { within, of } | Query::Supremum { within, of } => {
            holds(within) && has_value(&interpreter, of, answer.value, end)
        }
        Query::PotentiallyAlways(_) | Query::Eventually(_) | Query::LeadsTo(..) => true,
    }
}

fn has_value(
    interpreter: &Interpreter,
    of: &Objective,
    value: Option<Extremum>,
    end: &Concrete,
) -> bool {
    let Some(Extremum::Finite { value, attained: true }) = value else { return true };
    let found = match of {
        Objective::Clock(clock, _) => end.clocks[clock.index()],
        Objective::Cost(_) => end.cost,
        Objective::Data(term) => match interpreter.value(end, term) {
            Ok(found) => Time::from_integer(found),
            Err(_) => return false,
        },
    };
    found == Time::from_integer(value)
}
