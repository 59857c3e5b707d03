//! `takt solve` on a layout: the best rhythm of finished wafers, and its summary.

use super::args::{EngineName, Solve, ViewName};
use super::console::{self, Console};
use super::error::Error;
use super::guard::Guard;
use super::output::{self, Folder};
use super::plant::{self, Plant};
use super::summary::{kpis, round};
use super::watch::{self, Watch};
use super::{Exit, answer, interrupt};
use crate::pipeline::layout::{self as pipeline, Found, Solution};
use crate::pipeline::project::Project;
use crate::pipeline::solve::Engine;
use num_rational::Ratio;
use serde_json::{Map, Number, Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use takt_automata::compose::Templates;
use takt_automata::engine::{Progress, Stop};
use takt_report::render;
use takt_scanner::layout::Scanner;

/// In the order they appear: the summary last, so that whoever sees it sees all of them.
const FILES: [(&str, &str); 5] = [
    ("csv", "schedule.csv"),
    ("svg", "schedule.svg"),
    ("orders", "orders.csv"),
    ("model", "model.xta"),
    ("summary", "summary.json"),
];

/// What only plants with orders have, should one have been solved here before.
const OTHER: &str = "schedule-orders.svg";

pub fn run(
    args: &Solve,
    plant: Plant,
    scanner: &Scanner,
    templates: &Templates,
    console: &Console,
    started: Instant,
) -> Result<Exit, Error> {
    refuse(args)?;
    let project = &plant.project;
    let request = plant::request(&args.pace, &args.spec, project)?;
    let path = args.out.clone().unwrap_or_else(|| output::default_folder(&project.name));
    let names = FILES.map(|(_, name)| name);
    interrupt::install();
    let folder = Folder::usable(&path, &[&names[..], &[OTHER]].concat(), &plant.inputs, 0)?;
    let watch = Arc::new(Watch::new(started, &args.limits, !console.quiet));
    let guard = Guard::start(&watch, &args.limits, last_words(project, console, started));
    let solved = pipeline::run(project, scanner, templates, &request, &*watch);
    watch.clear();
    guard.dismiss();
    let solution = solved.map_err(|failed| Error::failed(failed, &plant.sources))?;
    conclude(project, &solution, &folder, console, started)
}

/// Options that make no sense here.
fn refuse(args: &Solve) -> Result<(), Error> {
    let name = args.spec.display().to_string();
    if args.engine == EngineName::Zones {
        let message =
            "`--engine zones` is for plants with orders: rhythms have no cost to search for";
        return Err(Error::about(&name, "usage", message));
    }
    if args.view != ViewName::Resources {
        let message =
            "the chart of a layout has components as rows; there is no `--view` of orders";
        return Err(Error::about(&name, "usage", message));
    }
    Ok(())
}

/// Writes the results and says what came out.
fn conclude(
    project: &Project,
    solution: &Solution,
    folder: &Folder,
    console: &Console,
    started: Instant,
) -> Result<Exit, Error> {
    let seconds = started.elapsed().as_secs_f64();
    let written = solution.found.as_ref().map(|_| folder.path());
    let summary = summary(project, solution, seconds, written);
    if let Some(found) = &solution.found {
        let chart = render::machines(&[found.rhythm(project, solution)]);
        let summary = format!("{summary:#}\n");
        let texts = [&found.csv, &chart, &found.orders, &found.model, &summary];
        let files = FILES.into_iter().zip(texts).map(|((_, name), text)| (name, text.as_str()));
        folder.write(&files.collect::<Vec<_>>(), &[OTHER])?;
    }
    let words = words(project, solution, written, seconds);
    console.answer(&words, &format!("{summary}\n"), written.is_some());
    Ok(solution.status.into())
}

fn words(project: &Project, solution: &Solution, written: Option<&Path>, seconds: f64) -> String {
    let mut out = pipeline::words(project, solution);
    let Solution { stopped, explored, .. } = *solution;
    out.push_str(&answer::ending(stopped, (explored, explored), seconds, written));
    out
}

/// What is said if the run has to be ended from outside.
fn last_words(
    project: &Project,
    console: &Console,
    started: Instant,
) -> impl FnOnce(Stop, Progress) -> Exit + Send + 'static {
    let (project, console) = (project.clone(), *console);
    move |stop, progress| {
        let solution = Solution::unknown(stop, progress);
        let seconds = started.elapsed().as_secs_f64();
        if console.json {
            console::print(&format!("{}\n", summary(&project, &solution, seconds, None)));
        } else {
            console.say(&words(&project, &solution, None, seconds));
        }
        Exit::Unknown
    }
}

/// `summary.json`, which `takt solve --json` prints as well.
pub fn summary(
    project: &Project,
    solution: &Solution,
    seconds: f64,
    written: Option<&Path>,
) -> Value {
    let found = solution.found.as_ref();
    let interval = found.map(|found| exact(found.interval));
    let bound = solution.bound.as_ref();
    let files = written.map_or(Map::new(), |folder| {
        let path = |name: &str| json!(folder.join(name).display().to_string());
        FILES.iter().map(|(key, name)| ((*key).to_owned(), path(name))).collect()
    });
    json!({
        "takt": 1,
        "spec": project.name,
        "objective": project.spec.objective.name(),
        "status": solution.status.name(),
        "value": interval,
        "bound": bound.map(|bound| exact(bound.interval)),
        "gap": gap(found, solution),
        // The search from state to state that proves rhythms finds them, too.
        "found_by": found.map(|_| Engine::Closure.name()),
        "proved_by": bound.map(|bound| bound.by.name()),
        "interval": interval,
        "throughput": found.map(throughput),
        "max_gap": found.map(|found| found.max_gap),
        "first": found.map(|found| found.first),
        "cycle": found.map(|found| json!({
            "start": found.cycle.start, "end": found.cycle.end, "wafers": found.cycle.wafers,
        })),
        "critical": bound.map(|bound| &bound.critical),
        "method": bound.map(|bound| &bound.method),
        "proofs": found.map(|found| &found.proofs),
        "seconds": round(seconds),
        "heuristics": solution.heuristics.iter().map(|h| h.name()).collect::<Vec<_>>(),
        "safe": solution
            .heuristics
            .iter()
            .map(|h| (h.name().to_owned(), json!(h.is_safe())))
            .collect::<Map<_, _>>(),
        "reason": solution.reason,
        "replayed": found.is_some(),
        "valid": found.is_some(),
        // The automata are not searched: they replay.
        "states": {"explored": 0, "stored": 0},
        "labels": solution.explored,
        "memory_mb": watch::peak() >> 20,
        "kpis": found.map(|found| kpis(&found.account)),
        "files": files,
    })
}

/// A number where a decimal is exact, else text.
pub fn exact(number: Ratio<i64>) -> Value {
    let text = pipeline::ratio(number);
    text.parse::<Number>().map_or(Value::String(text), Value::Number)
}

/// Finished wafers per unit of time, in the long run.
pub fn throughput(found: &Found) -> f64 {
    *found.interval.denom() as f64 / *found.interval.numer() as f64
}

/// (value - bound) / max(1, |value|)
fn gap(found: Option<&Found>, solution: &Solution) -> Option<f64> {
    let float = |number: Ratio<i64>| *number.numer() as f64 / *number.denom() as f64;
    let (value, bound) = (found?.interval, solution.bound.as_ref()?.interval);
    Some(float(value - bound) / float(value).abs().max(1.0))
}
