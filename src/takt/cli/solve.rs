//! `takt solve`: finds the best schedule of a spec and writes the results.

use super::args::{EngineName, FileName, Solve, ViewName};
use super::console::Console;
use super::error::Error;
use super::guard::Guard;
use super::output::{self, Folder};
use super::spec::{self, Loaded};
use super::watchdog::{self, Watchdog};
use super::{Exit, answer, input, interrupt};
use crate::pipeline::{self, Kind, Problem, Reason, Request, Shelf, Solution, Status, layout};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use takt_automata::engine::{Progress, Stop};
use takt_diagnostic::Diagnostics;
use takt_report::{self as render, Artifact, SCHEDULE, View};
use takt_spec::schedule::{self, Row};
use takt_spec::{At, Spec, strange_rows};

/// Comes last, so that whoever sees it sees all files.
const SUMMARY: (&str, &str) = ("summary", "summary.json");

pub fn run(args: &Solve, console: &Console, started: Instant) -> Result<Exit, Error> {
    let watch = Arc::new(Watchdog::new(started, &args.limits, !console.quiet).of_plans());
    let guard = Guard::start(&watch, &args.limits, unread(&args.spec, console, started));
    let mut loaded = spec::read(&args.spec, console)?;
    let templates = spec::templates(args.templates.as_deref(), &mut loaded)?;
    let mut request = request(args, &loaded)?;
    if let Some(from) = &args.from {
        request.from = earlier(from, args, &mut loaded, console)?;
    }
    let problem = &loaded.problem;
    let path = args.out.clone().unwrap_or_else(|| output::default_folder(&problem.name));
    interrupt::install();
    let names: Vec<&str> = SCHEDULE.iter().map(|one| one.file).chain([SUMMARY.1]).collect();
    let folder = Folder::usable(&path, &names, &loaded.inputs, problem.spec.orders.len())?;
    let shelf = Arc::new(Shelf::default());
    if let Kind::Plant = problem.kind {
        watch.has_shelf();
    }
    let ending = Ending { folder, console: *console, started };
    guard.instead(last_words(problem, ending.clone(), shelf.clone()));
    let solved = pipeline::solve(problem, &templates, &request, &*watch, &shelf);
    watch.clear();
    guard.dismiss();
    let solution = solved.map_err(|failed| Error::failed(failed, &loaded.sources))?;
    if let Some(why) = solution.reason.as_ref().and_then(Reason::diagnostic) {
        console.warn(&loaded.sources, &why.into());
    }
    ending.conclude(problem, &solution)
}

/// What is asked for; refuses options that make no sense for the problem.
fn request(args: &Solve, loaded: &Loaded) -> Result<Request, Error> {
    let pace = spec::pace(&args.pace, &args.spec, &loaded.problem)?;
    if let Kind::Layout(_) = loaded.problem.kind {
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
    }
    if args.write.contains(&FileName::Ics) && loaded.problem.spec.time.start.is_none() {
        let message = "`--write ics` needs civil time: `time: {start: …}`";
        return Err(Error::about(&args.spec.display().to_string(), "usage", message));
    }
    let mut more: Vec<&str> = args.write.iter().map(|file| file.key()).collect();
    let view = match args.view {
        ViewName::Resources => View::Resources,
        ViewName::Orders => View::Orders,
        ViewName::Both => {
            more.push("svg_orders");
            View::Resources
        }
    };
    Ok(Request {
        selection: args.engine.into(),
        seed: args.limits.seed,
        threads: args.limits.threads(),
        from: Vec::new(),
        pace,
        view,
        formats: render::formats(&more),
    })
}

/// The steps of an earlier plan. Its results may be replaced, as those of any earlier run.
fn earlier(
    from: &Path,
    args: &Solve,
    loaded: &mut Loaded,
    console: &Console,
) -> Result<Vec<At<Row>>, Error> {
    if let Kind::Layout(_) = loaded.problem.kind {
        let message = "`--from` is for plants with orders: a layout has no plan to begin at";
        return Err(Error::about(&args.spec.display().to_string(), "usage", message));
    }
    if input::is_standard(&args.spec) && input::is_standard(from) {
        let message = "the spec and the plan cannot both come from standard input";
        return Err(Error::about("<stdin>", "usage", message));
    }
    let file = input::read(from)?;
    let id = loaded.sources.add(file.name, file.text.as_str());
    let rows = schedule::read_rows(&file.text, id, &loaded.problem.spec.time)
        .map_err(|wrong| Error::input(loaded.sources.clone(), wrong))?;
    let rows = rows.into_iter().filter(|(row, _)| row.kind == schedule::Kind::Step);
    let rows: Vec<At<Row>> = rows.map(|(row, span)| At::new(row, span)).collect();
    let mut found = Diagnostics::default();
    strange_rows(&loaded.problem.spec, &rows, &mut found);
    console.warn(&loaded.sources, &found);
    Ok(rows)
}

/// Where results go, and how they are told.
#[derive(Clone)]
struct Ending {
    folder: Folder,
    console: Console,
    started: Instant,
}

impl Ending {
    /// Writes the results and says what came out.
    fn conclude(&self, problem: &Problem, solution: &Solution) -> Result<Exit, Error> {
        let Ending { folder, console, .. } = self;
        let seconds = self.started.elapsed().as_secs_f64();
        let files = solution.found.as_ref().map_or_else(Vec::new, |found| {
            let names = found.artifacts.iter().map(|one| (one.key, one.file)).chain([SUMMARY]);
            names.map(|(key, name)| (key, folder.place(name))).collect()
        });
        let summary = pipeline::summary(problem, solution, seconds, watchdog::peak(), &files);
        if let Some(found) = &solution.found {
            let text = format!("{summary:#}\n");
            let mut artifacts = found.artifacts.clone();
            artifacts.push(Artifact::new(SUMMARY.0, SUMMARY.1, text));
            let is_old = |name: &&str| artifacts.iter().all(|one| one.file != *name);
            let away: Vec<&str> = SCHEDULE.iter().map(|one| one.file).filter(is_old).collect();
            folder.write(&artifacts, &away)?;
        }
        let mut words = words(problem, solution, seconds);
        if solution.found.is_some() {
            let chart = folder.place("schedule.svg");
            let _ = writeln!(words, "replayed and validated; the chart is {chart}");
        }
        console.answer(&words, &format!("{summary}\n"), solution.found.is_some());
        Ok(solution.status.into())
    }
}

/// What came out, who says so, and how long it took; what engines count is the summary's.
fn words(problem: &Problem, solution: &Solution, seconds: f64) -> String {
    let mut out = match problem.kind {
        Kind::Plant => of_plant(problem, solution),
        Kind::Layout(_) => of_layout(problem, solution),
    };
    if let Some(reason) = solution.reason.as_ref().filter(|reason| reason.places.is_empty()) {
        let _ = writeln!(out, "{}", reason.message);
    }
    let credits = solution.credits();
    if !credits.is_empty() {
        let _ = writeln!(out, "{credits}");
    }
    if let Some(stop) = solution.stopped {
        let _ = writeln!(out, "{}", answer::reason(stop));
    }
    let _ = writeln!(out, "{seconds:.2} s");
    out
}

fn of_plant(problem: &Problem, solution: &Solution) -> String {
    let name = &problem.name;
    match (&solution.found, solution.status) {
        (Some(found), _) => render::text(&found.sheet(problem)),
        (None, Status::Infeasible) => {
            format!("{name}: infeasible, there is no schedule (proved)\n")
        }
        (None, _) => {
            let bound = solution.headline(problem).bound;
            let measure = problem.measure();
            let bound = bound.map(|bound| format!("; no {measure} is below {bound}"));
            format!("{name}: unknown, no schedule was found{}\n", bound.unwrap_or_default())
        }
    }
}

fn of_layout(problem: &Problem, solution: &Solution) -> String {
    let headline = solution.headline(problem);
    let mut out = format!("{}\n", render::title(&headline));
    let rhythm = solution.found.as_ref().and_then(|found| found.rhythm);
    if let Some(rhythm) = rhythm {
        let _ = writeln!(out, "{}", rhythm.about());
    }
    let figures = solution.layout.as_ref();
    if let Some((method, critical)) = figures.and_then(|figures| figures.bound.as_ref()) {
        let at_least = headline.bound.unwrap_or_default();
        let _ = writeln!(out, "at least {at_least}: {method}; critical: {critical}");
    }
    for heuristic in &solution.heuristics {
        let _ = writeln!(out, "{}", layout::judged(heuristic.name, heuristic.is_safe));
    }
    if let Some(found) = &solution.found {
        for proof in figures.iter().flat_map(|figures| &figures.proofs) {
            let _ = writeln!(out, "{proof}");
        }
        out.push_str(&render::utilisation(&found.account));
    }
    out
}

/// What is said if the run has to be ended from outside: what is finished is written.
fn last_words(
    problem: &Problem,
    ending: Ending,
    shelf: Arc<Shelf>,
) -> impl FnOnce(Stop, Progress) -> Exit + Send + 'static {
    let problem = problem.clone();
    move |stop, progress| {
        let finished = shelf.look().map(|kept| kept.ended_by(&problem, stop, progress));
        let solution = finished.unwrap_or_else(|| Solution::unknown(&problem, stop, progress));
        let end = ending.conclude(&problem, &solution);
        end.unwrap_or_else(|error| super::conclude(&error, &ending.console))
    }
}

/// The same while the spec is still being read.
fn unread(
    path: &Path,
    console: &Console,
    started: Instant,
) -> impl FnOnce(Stop, Progress) -> Exit + Send + 'static {
    let (name, console) = (spec::stem(path), *console);
    move |stop, progress| {
        let problem = Problem::new(name, Spec::default());
        let solution = Solution::unknown(&problem, stop, progress);
        let seconds = started.elapsed().as_secs_f64();
        let mut summary = pipeline::summary(&problem, &solution, seconds, watchdog::peak(), &[]);
        summary["objective"] = Value::Null;
        console.answer(&words(&problem, &solution, seconds), &format!("{summary}\n"), false);
        Exit::Unknown
    }
}
