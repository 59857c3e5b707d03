//! `takt compare` on layouts: rhythms side by side, and what is lost against the first.

use super::args::{Compare, CompareView, EngineName};
use super::console::{self, Console};
use super::error::Error;
use super::guard::Guard;
use super::output::Folder;
use super::plant::{self, Plant};
use super::watch::Watch;
use super::{Exit, answer, compare, interrupt, layout};
use crate::pipeline::layout::{self as pipeline, Request, Solution};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use takt_automata::compose::Templates;
use takt_automata::engine::{Progress, Stop};
use takt_report::render::{self, Machine};
use takt_scanner::layout::{self as scanner, Scanner};
use takt_scanner::safety;

/// The summary last, so that whoever sees it sees all of them.
const FILES: [&str; 3] = ["compare.csv", "compare.svg", "summary.json"];

/// A layout that was solved.
struct Member {
    plant: Plant,
    solution: Solution,
    seconds: f64,
    /// Classes of unsafe patterns.
    policy: Option<usize>,
}

/// Takes specs all of which are layouts.
pub fn run(
    args: &Compare,
    plants: Vec<Plant>,
    templates: &Templates,
    console: &Console,
    started: Instant,
) -> Result<Exit, Error> {
    refuse(args)?;
    let requests = args.specs.iter().zip(&plants);
    let requests = requests.map(|(path, plant)| plant::request(&args.pace, path, &plant.project));
    let requests: Vec<Request> = requests.collect::<Result<_, _>>()?;
    interrupt::install();
    let folder = Folder::usable(&args.out, &FILES, &plant::inputs(&plants), 0)?;
    let told = Arc::new(Mutex::new(Vec::new()));
    let whole = Arc::new(Watch::new(started, &args.limits, false));
    let guard = Guard::start(&whole, &args.limits, last_words(&plants, &told, *console, started));
    let (mut members, count) = (Vec::new(), plants.len());
    for (k, (plant, request)) in plants.into_iter().zip(&requests).enumerate() {
        let begun = Instant::now();
        let limits = compare::share(&args.limits, started.elapsed(), Duration::ZERO, count - k);
        let watch = Watch::new(started, &limits, !console.quiet).part_of(&whole);
        let Some(machine) = scanner::describe(&plant.project.spec) else { continue };
        let solved = pipeline::run(&plant.project, &machine, templates, request, &watch);
        watch.clear();
        let solution = match solved {
            Ok(solution) => solution,
            Err(failed) => return Err(Error::failed(failed, &plant.sources)),
        };
        let seconds = begun.elapsed().as_secs_f64();
        let member = Member { policy: policy(&machine), plant, solution, seconds };
        told.lock().unwrap_or_else(PoisonError::into_inner).push(summary(&member));
        members.push(member);
    }
    guard.dismiss();
    conclude(&members, &folder, console)
}

fn refuse(args: &Compare) -> Result<(), Error> {
    if args.engine == EngineName::Zones || args.view != CompareView::Resources {
        let message = "`--engine` and `--view` are for plants with orders; these are layouts";
        return Err(Error::about(&args.specs[0].display().to_string(), "usage", message));
    }
    Ok(())
}

fn policy(machine: &Scanner) -> Option<usize> {
    safety::analyse(machine).ok()?.policy.classes.map(|classes| classes.len())
}

fn summary(member: &Member) -> Value {
    let mut summary =
        layout::summary(&member.plant.project, &member.solution, member.seconds, None);
    summary["policy"] = json!(member.policy);
    summary
}

impl Member {
    fn row(&self, first: Option<&Member>) -> Machine<'_> {
        let found = self.solution.found.as_ref();
        let bound = self.solution.bound.as_ref();
        let base = first.and_then(|first| Some(first.solution.found.as_ref()?.interval));
        let loss = found.zip(base).map(|(found, base)| {
            let share = found.interval / base;
            *share.numer() as f64 / *share.denom() as f64 - 1.0
        });
        Machine {
            name: &self.plant.project.name,
            status: self.solution.status.name(),
            interval: found.map(|found| pipeline::ratio(found.interval)),
            throughput: found.map(layout::throughput),
            bound: bound.map(|bound| pipeline::ratio(bound.interval)),
            critical: bound.map(|bound| bound.critical.as_str()),
            max_gap: found.map(|found| found.max_gap),
            first: found.map(|found| found.first),
            policy: self.policy,
            loss,
            seconds: self.seconds,
            account: found.map(|found| &found.account),
        }
    }
}

fn conclude(members: &[Member], folder: &Folder, console: &Console) -> Result<Exit, Error> {
    let rows: Vec<Machine> = members.iter().map(|member| member.row(members.first())).collect();
    let mut summaries: Vec<Value> = members.iter().map(summary).collect();
    for (summary, row) in summaries.iter_mut().zip(&rows) {
        summary["loss"] = json!(row.loss);
    }
    let mut report = json!({"takt": 1, "specs": summaries});
    let charts: Vec<_> = (members.iter())
        .filter_map(|m| Some(m.solution.found.as_ref()?.rhythm(&m.plant.project, &m.solution)))
        .collect();
    if !charts.is_empty() {
        let path = |name: &str| folder.path().join(name).display().to_string();
        report["files"] = json!({
            "csv": path(FILES[0]), "svg": path(FILES[1]), "summary": path(FILES[2]),
        });
        let (csv, svg) = (render::machines_csv(&rows), render::machines(&charts));
        let summary = format!("{report:#}\n");
        folder.write(&[(FILES[0], &csv), (FILES[1], &svg), (FILES[2], &summary)], &[])?;
    }
    let is_written = !charts.is_empty();
    let words = words(members, &rows, folder, is_written);
    console.answer(&words, &format!("{report}\n"), is_written);
    Ok(compare::worst(members.iter().map(|member| member.solution.status.into())))
}

fn words(members: &[Member], rows: &[Machine], folder: &Folder, is_written: bool) -> String {
    let mut out = render::machines_text(rows);
    for Member { plant, solution, .. } in members {
        let name = &plant.project.name;
        if let Some(bound) = &solution.bound {
            out.push_str(&format!("{name}: {}\n", bound.method));
        }
        if let Some(reason) = &solution.reason {
            out.push_str(&format!("{name}: {reason}\n"));
        }
        if let Some(stop) = solution.stopped {
            out.push_str(&format!("{name}: {}\n", answer::reason(stop)));
        }
    }
    if is_written {
        let chart = folder.path().join(FILES[1]).display().to_string();
        out.push_str(&format!("replayed and validated; the chart is {chart}\n"));
    }
    out
}

/// What is said if the run has to be ended from outside: what is known of those before.
fn last_words(
    plants: &[Plant],
    told: &Arc<Mutex<Vec<Value>>>,
    console: Console,
    started: Instant,
) -> impl FnOnce(Stop, Progress) -> Exit + Send + 'static {
    let told = told.clone();
    let projects: Vec<_> = plants.iter().map(|plant| plant.project.clone()).collect();
    move |stop, progress| {
        let mut specs = told.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for project in projects.iter().skip(specs.len()) {
            let solution = Solution::unknown(stop, progress);
            let seconds = started.elapsed().as_secs_f64();
            specs.push(layout::summary(project, &solution, seconds, None));
        }
        if console.json {
            console::print(&format!("{}\n", json!({"takt": 1, "specs": specs})));
        } else {
            console.say(&format!("nothing was written: {}\n", answer::reason(stop)));
        }
        Exit::Unknown
    }
}
