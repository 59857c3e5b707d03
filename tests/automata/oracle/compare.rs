//! Asks engine and oracle the same question and says where they differ.

use super::graph::{Failure, Graph};
use super::region::Scale;
use super::verdict::{Expected, Oracle, Value, not};
use crate::crossing::draw;
use std::ops::ControlFlow;
use takt_automata::engine::{
    Abstraction, Answer, Approximation, Control, Extremum, Keep, Options, Order, Progress, Stop,
    Verdict, check,
};
use takt_automata::interpret::{Concrete, Interpreter, Replay, replay};
use takt_automata::model::{FaultKind, Formula, Model, Objective, Query, build};
use takt_automata::trace::{Time, concretise};
use takt_automata::xta::{parse, parse_query};
use takt_diagnostic::{Diagnostics, FileId};
use takt_testing::{
    Random,
    networks::{LARGEST, LARGEST_RESET, Sample},
};

/// Models with more regions are left out.
const MOST_REGIONS: usize = 4000;
/// How far a clock is followed whose largest value is asked for.
const FAR: i64 = 40;
/// So many further ways to search are drawn for each.
const DRAWN: usize = 3;
/// A search without abstraction need not end.
const MOST_STATES: u64 = 2000;

/// What became of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Agreed,
    /// The language may refuse it, and did.
    Refused,
    TooLarge,
    /// The model makes an error of its own, which the engine reports too.
    Faulty,
}

/// Ends a search that need not end by itself.
pub struct Limited {
    pub most: u64,
}

impl Control for Limited {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        if progress.explored > self.most {
            ControlFlow::Break(Stop::Memory)
        } else {
            ControlFlow::Continue(())
        }
    }
}

pub fn compare(sample: &Sample) -> Result<Outcome, String> {
    let (model, query) = match compile(&sample.to_string(), &sample.query) {
        Ok(compiled) => compiled,
        Err(errors) if is_refusal(&errors) => return Ok(Outcome::Refused),
        Err(errors) => return Err(format!("refused: {errors:?}")),
    };
    let scale = scale(sample, &model, &query);
    let graph = match Graph::explore(&model, scale, MOST_REGIONS) {
        Ok(graph) => graph,
        Err(Failure::TooLarge) => return Ok(Outcome::TooLarge),
        Err(Failure::Outside) => return begins_outside(&model, &query),
        Err(Failure::Fault(fault)) => {
            return fails_too(&sample.to_string())
                .map_err(|message| format!("the interpreter met {fault:?}, {message}"));
        }
    };
    let mut oracle = Oracle::new(&model, graph);
    let mut expected =
        oracle.answer(&query).map_err(|fault| format!("the oracle met {fault:?}"))?;
    if let (Query::Supremum { of: Objective::Clock(clock, _), .. }, Some(Value::AtLeast(_))) =
        (&query, expected.value)
    {
        // Few finite values are as large as this.
        let mut scale = oracle.graph.scale.clone();
        scale.caps[clock.index()] = FAR;
        if let Ok(graph) = Graph::explore(&model, scale, 10 * MOST_REGIONS) {
            oracle = Oracle::new(&model, graph);
            expected = oracle.answer(&query).map_err(|fault| format!("met {fault:?}"))?;
        }
    }
    for options in all_options() {
        one(&oracle, &model, &query, &expected, &options)
            .map_err(|message| format!("{options:?}: {message}"))?;
    }
    let mut r = Random::new(sample.seed);
    for _ in 0..DRAWN {
        let options = draw::options(&mut r);
        let found = match options.approximation {
            Approximation::Exact => one(&oracle, &model, &query, &expected, &options),
            _ => ask(&oracle, &query, &expected, &options).map(|_| ()),
        };
        found.map_err(|message| format!("{options:?}: {message}"))?;
    }
    if !sample.further.is_empty() {
        together(sample, &oracle)?;
    }
    Ok(Outcome::Agreed)
}

/// Several queries in one call, which may share what is explored.
fn together(sample: &Sample, alone: &Oracle) -> Result<(), String> {
    let mut model = alone.interpreter.model().clone();
    let texts = std::iter::once(&sample.query).chain(&sample.further);
    let mut queries = Vec::new();
    for text in texts {
        let query = parse_query(text, FileId(1)).and_then(|query| model.resolve_query(&query));
        queries.push(query.map_err(|errors| format!("refused: {errors:?}"))?);
    }
    let limit = Limited { most: 100 * MOST_STATES };
    let answers = check(&model, &queries, &Options::default(), &limit)
        .map_err(|failure| format!("together: the engine met {:?}", failure.fault))?;
    for ((query, answer), text) in queries.iter().zip(&answers).zip(1..) {
        let Ok(graph) = Graph::explore(&model, scale(sample, &model, query), MOST_REGIONS) else {
            continue;
        };
        let oracle = Oracle::new(&model, graph);
        let expected = oracle.answer(query).map_err(|fault| format!("met {fault:?}"))?;
        judge(&oracle, &model, query, &expected, answer)
            .map_err(|message| format!("query {text} of several: {message}"))?;
    }
    Ok(())
}

/// What the language may refuse: urgent edges that test clocks.
fn is_refusal(errors: &Diagnostics) -> bool {
    errors.iter().all(|error| error.code == "urgent-clock-guard")
}

/// A model without an initial state is an error, whatever is asked.
fn begins_outside(model: &Model, query: &Query) -> Result<Outcome, String> {
    let limit = Limited { most: MOST_STATES };
    for options in all_options() {
        match check(model, std::slice::from_ref(query), &options, &limit) {
            Err(failure) if failure.fault.kind == FaultKind::InitialInvariant => {}
            other => return Err(format!("it begins outside its invariants: {other:?}")),
        }
    }
    Ok(Outcome::Faulty)
}

/// A search of everything must end with the error, and with a run that makes it.
fn fails_too(text: &str) -> Result<Outcome, String> {
    let (model, query) = compile(text, "sup: i + j").map_err(|errors| format!("{errors:?}"))?;
    for (order, threads) in [(Order::Bfs, 1), (Order::Dfs, 1), (Order::Bfs, 2)] {
        let order = Some(order);
        let options = Options { order, threads, alone: Some(0), ..Options::default() };
        let limit = Limited { most: 100 * MOST_STATES };
        let Err(failure) = check(&model, std::slice::from_ref(&query), &options, &limit) else {
            return Err(format!("the engine nothing, {order:?}"));
        };
        let run = concretise(&model, &failure.trace).ok_or("there are no times for its trace")?;
        let replayed = replay(&model, &run).map_err(|wrong| format!("{wrong:?} in {run:?}"))?;
        let action = failure.action.ok_or("the engine names no move")?;
        match Interpreter::new(&model).fire(&replayed.end, &action) {
            Err(fault) if fault.kind == failure.fault.kind => {}
            other => {
                return Err(format!("the engine {:?}, at its place {other:?}", failure.fault));
            }
        }
    }
    Ok(Outcome::Faulty)
}

pub fn compile(text: &str, query: &str) -> Result<(Model, Query), Diagnostics> {
    let (mut model, _) = build(&parse(text, FileId(0))?)?;
    let query = model.resolve_query(&parse_query(query, FileId(1))?)?;
    Ok((model, query))
}

pub fn scale(sample: &Sample, model: &Model, query: &Query) -> Scale {
    let cap = if sample.has_diagonals { LARGEST + LARGEST_RESET } else { LARGEST };
    let mut caps = vec![cap; model.clocks.len()];
    let of = match query {
        Query::Infimum { of, .. } | Query::Supremum { of, .. } => Some(of),
        _ => None,
    };
    if let Some(Objective::Clock(clock, _)) = of {
        // So that values which add up over several resets of other clocks are still told apart.
        caps[clock.index()] += 2 * LARGEST;
    }
    Scale { caps, differences: sample.has_diagonals.then_some(LARGEST) }
}

fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    for order in [Order::Bfs, Order::Dfs, Order::RandomDfs, Order::Best] {
        for abstraction in
            [None, Some(Abstraction::None), Some(Abstraction::K), Some(Abstraction::Lu)]
        {
            all.push(Options { order: Some(order), abstraction, seed: 1, ..Options::default() });
        }
    }
    // Every way to share, keep and leave out work, in the orders that differ most.
    for order in [Order::Bfs, Order::Dfs, Order::RandomDfs] {
        for (threads, keep) in [(2, Keep::All), (1, Keep::Loops), (2, Keep::Loops), (3, Keep::All)]
        {
            let (order, alone, seed) = (Some(order), Some(0), 1);
            all.push(Options { order, threads, keep, alone, seed, ..Options::default() });
        }
    }
    all
}

fn one(
    oracle: &Oracle,
    model: &Model,
    query: &Query,
    expected: &Expected,
    options: &Options,
) -> Result<(), String> {
    let is_endless = options.abstraction == Some(Abstraction::None);
    let limit = Limited { most: if is_endless { MOST_STATES } else { 100 * MOST_STATES } };
    let answers = check(model, std::slice::from_ref(query), options, &limit)
        .map_err(|failure| format!("the engine met {:?}", failure.fault))?;
    let [answer] = answers.as_slice() else {
        return Err(format!("{} answers to one query", answers.len()));
    };
    if is_endless && answer.verdict == Verdict::Unknown {
        return Ok(());
    }
    judge(oracle, model, query, expected, answer)
}

/// The verdict of a search that may know nothing; an error if it is a wrong one.
pub fn ask(
    oracle: &Oracle,
    query: &Query,
    expected: &Expected,
    options: &Options,
) -> Result<Verdict, String> {
    let model = oracle.interpreter.model();
    let limit = Limited { most: 100 * MOST_STATES };
    let answers = check(model, std::slice::from_ref(query), options, &limit)
        .map_err(|failure| format!("the engine met {:?}", failure.fault))?;
    match &answers[0] {
        answer if answer.verdict == Verdict::Unknown => match answer.stopped {
            Some(Stop::Approximation) => Ok(Verdict::Unknown),
            other => Err(format!("unknown, stopped by {other:?}")),
        },
        answer => {
            judge(oracle, model, query, expected, answer)?;
            Ok(answer.verdict)
        }
    }
}

fn judge(
    oracle: &Oracle,
    model: &Model,
    query: &Query,
    expected: &Expected,
    answer: &Answer,
) -> Result<(), String> {
    let found = match answer.verdict {
        Verdict::Satisfied => true,
        Verdict::Violated => false,
        Verdict::Unknown => return Err(format!("unknown, stopped by {:?}", answer.stopped)),
    };
    if found != expected.is_satisfied {
        return Err(format!("expected {expected:?}, found {:?}", answer.verdict));
    }
    if !agrees(expected.value, answer.value) {
        return Err(format!("expected {:?}, found {:?}", expected.value, answer.value));
    }
    check_trace(oracle, model, query, answer)
}

fn agrees(expected: Option<Value>, found: Option<Extremum>) -> bool {
    match (expected, found) {
        (None, None) => true,
        (Some(Value::Exactly(expected)), Some(found)) => expected == found,
        (Some(Value::AtLeast(least)), Some(Extremum::Finite { value, .. })) => value >= least,
        (Some(Value::AtLeast(_)), Some(Extremum::Unbounded)) => true,
        _ => false,
    }
}

/// A trace must be there where one can prove the verdict, and it must prove it.
fn check_trace(
    oracle: &Oracle,
    model: &Model,
    query: &Query,
    answer: &Answer,
) -> Result<(), String> {
    let is_satisfied = answer.verdict == Verdict::Satisfied;
    let needs_trace = match query {
        Query::Possibly(_) | Query::PotentiallyAlways(_) => is_satisfied,
        Query::Infimum { .. } | Query::Supremum { .. } => is_satisfied,
        Query::Invariantly(_) | Query::Eventually(_) | Query::LeadsTo(..) => !is_satisfied,
    };
    let Some(trace) = &answer.trace else {
        return if needs_trace { Err("no trace".into()) } else { Ok(()) };
    };
    if !needs_trace {
        return Ok(());
    }
    let run = concretise(model, trace).ok_or_else(|| format!("no times for {trace:?}"))?;
    let replayed =
        replay(model, &run).map_err(|wrong| format!("{wrong:?}\nin {run:?}\nof {trace:?}"))?;
    proves(oracle, query, answer, &replayed)
        .map_err(|message| format!("{message}\nin {run:?}\nof {trace:?}"))
}

fn proves(
    oracle: &Oracle,
    query: &Query,
    answer: &Answer,
    replayed: &Replay,
) -> Result<(), String> {
    let everywhere = || {
        let visited = std::iter::once(&replayed.initial).chain(&replayed.after);
        visited.chain(std::iter::once(&replayed.end))
    };
    match query {
        Query::Possibly(p) => must_hold(oracle, &replayed.end, p),
        Query::Invariantly(p) => must_hold(oracle, &replayed.end, &not(p)),
        Query::PotentiallyAlways(p) => everywhere().try_for_each(|at| must_hold(oracle, at, p)),
        Query::Eventually(p) => everywhere().try_for_each(|at| must_hold(oracle, at, &not(p))),
        Query::LeadsTo(_, q) => must_hold(oracle, &replayed.end, &not(q)),
        Query::Infimum { within, of } | Query::Supremum { within, of } => {
            must_hold(oracle, &replayed.end, within)?;
            has_value(oracle, &replayed.end, of, answer.value)
        }
    }
}

fn must_hold(oracle: &Oracle, at: &Concrete, formula: &Formula) -> Result<(), String> {
    let node = oracle.graph.find(at).ok_or("the trace visits what cannot be reached")?;
    match oracle.interpreter.holds(at, formula, node.is_deadlocked) {
        Ok(true) => Ok(()),
        other => Err(format!("the trace does not prove it: {other:?} at {at:?}")),
    }
}

fn has_value(
    oracle: &Oracle,
    at: &Concrete,
    of: &Objective,
    value: Option<Extremum>,
) -> Result<(), String> {
    let Some(Extremum::Finite { value, attained: true }) = value else { return Ok(()) };
    let reached = match of {
        Objective::Clock(clock, _) => at.clocks[clock.index()],
        Objective::Data(term) => {
            let value = oracle.interpreter.value(at, term);
            Time::from_integer(value.map_err(|fault| format!("{fault:?}"))?)
        }
        Objective::Cost(_) => at.cost,
    };
    if reached == Time::from_integer(value) {
        Ok(())
    } else {
        Err(format!("the trace ends with {reached}, not {value}"))
    }
}
