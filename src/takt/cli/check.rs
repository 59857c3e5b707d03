//! `takt check`: verifies queries on a model of timed automata.

use super::answer::{self, Outcome};
use super::args::{Check, Switch, TraceKind};
use super::console::{self, Console};
use super::error::{Error, Wrong};
use super::guard::Guard;
use super::watchdog::{Cost, Watchdog};
use super::{Exit, input, interrupt, trace};
use crate::pipeline::check::{self as pipeline, Rejected};
use crate::pipeline::{describe, fault};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use takt_automata::engine::{self, Answer, Failure, Options, Progress, Stop, Verdict};
use takt_automata::model::{self, Model};
use takt_automata::network::{Network, Query};
use takt_automata::xta;
use takt_diagnostic::{Diagnostics, Sources};

pub fn run(args: &Check, console: &Console, started: Instant) -> Result<Exit, Error> {
    let mut sources = Sources::default();
    let watch = Arc::new(Watchdog::new(started, &args.limits, !console.quiet));
    let asked = args.queries.clone();
    let guard = Guard::start(&watch, &args.limits, last_words(args, console, asked, started));
    let network = read_model(&args.model, &mut sources)?;
    let queries = read_queries(args, &network, &mut sources)?;
    interrupt::install();
    let texts = queries.iter().map(|query| query.text.clone()).collect();
    guard.instead(last_words(args, console, texts, started));
    let built = pipeline::build(&network, &queries);
    let ready = built.map_err(|wrong| Error::input(sources.clone(), wrong))?;
    let (model, resolved) = (ready.model, ready.queries);
    console.warn(&sources, &ready.warnings);

    let options = Options {
        order: args.order.map(Into::into),
        abstraction: args.abstraction.map(Into::into),
        seed: args.limits.seed,
        approximation: args.approximation(),
        keep: args.store.into(),
        threads: args.limits.threads(),
        alone: None,
        without_symmetry: args.symmetry == Switch::Off,
        without_acceleration: args.accelerate == Switch::Off,
    };
    if args.symmetry == Switch::On {
        console.warn(&sources, &pipeline::asymmetries(&model));
    }
    let answers = engine::check(&model, &resolved, &options, &*watch);
    watch.clear();
    guard.dismiss();
    let answers = answers.map_err(|failure| model_error(&model, &failure, sources.clone()))?;

    let mut outcomes = Vec::new();
    for (position, answer) in answers.into_iter().enumerate() {
        let trace = render_trace(&model, &resolved[position], &answer, args.trace);
        let trace = trace.map_err(|rejected| match rejected {
            Rejected::Bug(why) => Error::Bug(why),
            Rejected::Model(failure) => model_error(&model, &failure, sources.clone()),
        })?;
        let (query, cost) = (queries[position].text.clone(), watch.cost(position));
        let cycles = answer.accelerated.iter().map(|round| describe::round(&model, round));
        let cycles = cycles.collect();
        let is_left_out = args.trace.is_some() && is_too_long(&resolved[position], &answer);
        let untold = is_left_out.then_some("with all rounds of cycles it would be too long");
        outcomes.push(Outcome { query, answer, trace, untold, cycles, cost });
    }
    show(&args.model, console, &outcomes);
    Ok(exit(&outcomes))
}

fn show(model: &Path, console: &Console, outcomes: &[Outcome]) {
    if console.json {
        console::print(&answer::json(&model.display().to_string(), outcomes));
    } else {
        console.say(&answer::text(outcomes, console.color_out));
    }
}

/// What is said if the run has to be ended from outside: no answer to anything.
fn last_words(
    args: &Check,
    console: &Console,
    queries: Vec<String>,
    started: Instant,
) -> impl FnOnce(Stop, Progress) -> Exit + Send + 'static {
    let (model, console) = (args.model.clone(), *console);
    move |stop, progress| {
        let cost = Cost::since(started);
        let unknown = |query| Outcome::unknown(query, stop, progress, cost);
        let outcomes: Vec<Outcome> = queries.into_iter().map(unknown).collect();
        show(&model, &console, &outcomes);
        Exit::Unknown
    }
}

/// A violated query weighs more than an unknown one.
fn exit(outcomes: &[Outcome]) -> Exit {
    let any = |verdict| outcomes.iter().any(|outcome| outcome.answer.verdict == verdict);
    if any(Verdict::Violated) {
        Exit::Negative
    } else if any(Verdict::Unknown) {
        Exit::Unknown
    } else {
        Exit::Positive
    }
}

/// Whether there is a run that shows the answer, but it goes through too many rounds of a cycle.
fn is_too_long(query: &model::Query, answer: &Answer) -> bool {
    let shows = match query {
        model::Query::Possibly(_) => answer.verdict == Verdict::Satisfied,
        model::Query::Invariantly(_) => answer.verdict == Verdict::Violated,
        _ => answer.value.is_some(),
    };
    shows && answer.trace.is_none() && !answer.accelerated.is_empty()
}

/// The trace as asked for, as lines and as JSON. A concrete one is replayed first.
fn render_trace(
    model: &Model,
    query: &model::Query,
    answer: &Answer,
    kind: Option<TraceKind>,
) -> Result<Option<(String, Value)>, Rejected> {
    // Without a verdict a trace shows the best value so far, or nothing.
    let (Some(kind), Some(found)) = (kind, &answer.trace) else { return Ok(None) };
    if answer.verdict == Verdict::Unknown && answer.value.is_none() {
        return Ok(None);
    }
    Ok(Some(match kind {
        TraceKind::Symbolic => {
            (trace::symbolic_text(model, found), trace::symbolic_json(model, found))
        }
        TraceKind::Concrete => {
            let (steps, ending) = pipeline::concrete(model, query, answer)?;
            (trace::concrete_text(&steps, ending), trace::concrete_json(&steps))
        }
    }))
}

/// An error that shows only when the model runs, with the way to it.
fn model_error(model: &Model, failure: &Failure, sources: Sources) -> Error {
    let diagnostics = fault::diagnose(model, failure).into();
    // An error on the way to the initial state has no trace.
    let trace = (!failure.trace.initial.changed.is_empty()).then(|| {
        let lines = trace::symbolic_text(model, &failure.trace);
        let json = trace::symbolic_json(model, &failure.trace);
        (format!("trace to the error:\n{lines}"), json)
    });
    Error::Input(Box::new(Wrong { sources, diagnostics, trace }))
}

/// The format follows from the file's extension, or else from its content.
fn read_model(path: &Path, sources: &mut Sources) -> Result<Network, Error> {
    let file = input::read(path)?;
    let id = sources.add(file.name, file.text.as_str());
    let parse = match path.extension().and_then(|extension| extension.to_str()) {
        Some("xml") => xta::parse_xml,
        Some("xta" | "ta") => xta::parse,
        _ => xta::parse_any,
    };
    parse(&file.text, id).map_err(|wrong| Error::input(sources.clone(), wrong))
}

/// The queries asked for, or else those that came with the model.
fn read_queries(
    args: &Check,
    network: &Network,
    sources: &mut Sources,
) -> Result<Vec<Query>, Error> {
    let mut queries = Vec::new();
    let mut wrong = Diagnostics::default();
    for (number, text) in args.queries.iter().enumerate() {
        let id = sources.add(format!("query {}", number + 1), text.as_str());
        match xta::parse_query(text, id) {
            Ok(query) => queries.push(query),
            Err(found) => wrong.extend(found),
        }
    }
    for path in &args.query_file {
        if input::is_standard(path) && input::is_standard(&args.model) {
            let message = "the model and the queries cannot both come from standard input";
            return Err(Error::about("<stdin>", "usage", message));
        }
        let file = input::read(path)?;
        let id = sources.add(file.name, file.text.as_str());
        match xta::parse_queries(&file.text, id) {
            Ok(read) => queries.extend(read),
            Err(found) => wrong.extend(found),
        }
    }
    if args.queries.is_empty() && args.query_file.is_empty() {
        queries.clone_from(&network.queries);
        network.unread.iter().cloned().for_each(|unread| wrong.push(unread));
    }
    if wrong.has_errors() {
        return Err(Error::input(std::mem::take(sources), wrong.sorted()));
    }
    if queries.is_empty() {
        let name = args.model.display().to_string();
        let hint = Some("ask one with -q, such as -q 'A[] not deadlock', or give a --query-file");
        return Err(Error::explained(&name, "no-query", "there is no query to check", hint));
    }
    Ok(queries)
}
