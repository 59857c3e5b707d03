//! Queries on the text of a model, asked with patience for so many states; and whether the run
//! that an answer or an error comes with proves it.

use std::ops::ControlFlow;
use takt_automata::engine::{Answer, Control, Extremum, Failure, Progress, Stop, Verdict};
use takt_automata::interpret::{Concrete, Interpreter, replay};
use takt_automata::model::{Formula, Model, Objective, Query, build};
use takt_automata::trace::{Time, concretise};
use takt_automata::xta;
use takt_diagnostic::FileId;

/// Stops a search after so many states.
pub struct Patience(pub u64);

impl Control for Patience {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        match progress.explored > self.0 {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        }
    }
}

pub fn compile(text: &str, queries: &[String]) -> (Model, Vec<Query>) {
    let network = xta::parse(text, FileId(0)).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let (mut model, _) = build(&network).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let resolve = |query: &String| {
        let parsed = xta::parse_query(query, FileId(1)).unwrap();
        model.resolve_query(&parsed).unwrap_or_else(|e| panic!("{query}: {e:?}\n{text}"))
    };
    let queries = queries.iter().map(resolve).collect();
    (model, queries)
}

/// The trace, if there is one, is a run of the model, and leads where the answer says.
pub fn proves(model: &Model, query: &Query, answer: &Answer) -> Result<(), String> {
    let Some(trace) = &answer.trace else { return Ok(()) };
    let run = concretise(model, trace).ok_or("no times")?;
    let end = replay(model, &run).map_err(|wrong| format!("{wrong:?}"))?.end;
    let holds = |formula: &Formula, wanted: bool| is(model, &end, formula, wanted);
    match (query, answer.verdict) {
        (Query::Possibly(p), Verdict::Satisfied) => holds(p, true),
        (Query::Invariantly(p), Verdict::Violated) => holds(p, false),
        (Query::PotentiallyAlways(p), Verdict::Satisfied) => holds(p, true),
        (Query::Eventually(p), Verdict::Violated) => holds(p, false),
        (Query::LeadsTo(_, q), Verdict::Violated) => holds(q, false),
        (Query::Infimum { within, of } | Query::Supremum { within, of }, Verdict::Satisfied) => {
            holds(within, true)?;
            has_value(model, &end, of, answer.value)
        }
        _ => Err("a trace that proves nothing".into()),
    }
}

/// Whether nothing can happen any more is not seen at one moment.
fn is(model: &Model, at: &Concrete, formula: &Formula, wanted: bool) -> Result<(), String> {
    match Interpreter::new(model).holds(at, formula, false) {
        Ok(found) if found == wanted || formula.has_deadlock() => Ok(()),
        other => Err(format!("the trace does not prove it: {other:?} at {at:?}")),
    }
}

fn has_value(
    model: &Model,
    at: &Concrete,
    of: &Objective,
    value: Option<Extremum>,
) -> Result<(), String> {
    let Some(Extremum::Finite { value, attained: true }) = value else { return Ok(()) };
    let reached = match of {
        Objective::Clock(clock, _) => at.clocks[clock.index()],
        Objective::Data(term) => {
            let value = Interpreter::new(model).value(at, term);
            Time::from_integer(value.map_err(|fault| format!("{fault:?}"))?)
        }
        Objective::Cost(_) => at.cost,
    };
    match reached == Time::from_integer(value) {
        true => Ok(()),
        false => Err(format!("the trace ends with {reached}, not {value}")),
    }
}

/// The run that comes with an error makes it.
pub fn makes(model: &Model, failure: &Failure) -> Result<(), String> {
    let run = concretise(model, &failure.trace).ok_or("no times for an error")?;
    let end = replay(model, &run).map_err(|wrong| format!("{wrong:?}, {failure:?}"))?.end;
    let interpreter = Interpreter::new(model);
    // The move makes it, or one that is looked at before or after it.
    let fails = |at: &Concrete| interpreter.moves(at).is_err();
    let fails_after = |action| interpreter.fire(&end, action).map_or(true, |next| fails(&next));
    let is_made = failure.action.as_ref().is_some_and(fails_after) || fails(&end);
    if is_made { Ok(()) } else { Err(format!("no error there: {failure:?}")) }
}
