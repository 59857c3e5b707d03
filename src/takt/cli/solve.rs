//! `takt solve`: finds the best schedule of a spec and writes the results.

use super::args::{Solve, ViewName};
use super::console::{self, Console};
use super::error::Error;
use super::guard::Guard;
use super::output::{self, Folder};
use super::summary::summary;
use super::watch::{self, Watch};
use super::{Exit, answer, interrupt, layout, plant};
use crate::pipeline::project::Project;
use crate::pipeline::shelf::Shelf;
use crate::pipeline::solve::{self as pipeline, Reason, Settings, Solution, Status};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use takt_automata::engine::{Progress, Stop};
use takt_report::render::View;
use takt_scanner::layout as scanner;
use takt_spec::Spec;

/// In the order they appear: the summary last, so that whoever sees it sees all of them.
const FILES: [&str; 6] = [
    "schedule.csv",
    "schedule.svg",
    "schedule-orders.svg",
    "orders.csv",
    "model.xta",
    "summary.json",
];

pub fn run(args: &Solve, console: &Console, started: Instant) -> Result<Exit, Error> {
    let watch = Arc::new(Watch::new(started, &args.limits, !console.quiet).with_shelf());
    let guard = Guard::start(&watch, &args.limits, unread(&args.spec, console, started));
    let mut plant = plant::read(&args.spec, console)?;
    let templates = plant::templates(args.templates.as_deref(), &mut plant)?;
    if let Some(scanner) = scanner::describe(&plant.project.spec) {
        guard.dismiss();
        return layout::run(args, plant, &scanner, &templates, console, started);
    }
    plant::refuse_pace(&args.spec, args.pace.is_given())?;
    let path = args.out.clone().unwrap_or_else(|| output::default_folder(&plant.project.name));
    let orders = plant.project.spec.orders.len();
    interrupt::install();
    let folder = Folder::usable(&path, &FILES, &plant.inputs, orders)?;
    let shelf = Arc::new(Shelf::default());
    let ending = Ending { view: args.view, folder, console: *console, started };
    guard.instead(last_words(&plant.project, ending.clone(), shelf.clone()));
    let settings = Settings {
        selection: args.engine.into(),
        seed: args.limits.seed,
        threads: args.limits.threads(),
        views: views(args.view),
    };
    let solved = pipeline::run(&plant.project, &templates, settings, &*watch, &shelf);
    watch.clear();
    guard.dismiss();
    let solution = solved.map_err(|failed| Error::failed(failed, &plant.sources))?;
    if let Some(why) = solution.reason.as_ref().and_then(Reason::diagnostic) {
        console.warn(&plant.sources, &why.into());
    }
    ending.conclude(&plant.project, &solution)
}

/// Where results go, and how they are told.
#[derive(Clone)]
struct Ending {
    view: ViewName,
    folder: Folder,
    console: Console,
    started: Instant,
}

impl Ending {
    /// Writes the results and says what came out.
    fn conclude(&self, project: &Project, solution: &Solution) -> Result<Exit, Error> {
        let Ending { folder, console, .. } = self;
        let seconds = self.started.elapsed().as_secs_f64();
        let written = solution.found.as_ref().map(|_| folder.path());
        let mut summary = summary(project, solution, seconds, watch::peak(), written);
        if written.is_some() && self.view == ViewName::Both {
            let path = folder.path().join(FILES[2]).display().to_string();
            summary["files"]["svg_orders"] = path.into();
        }
        if let Some(found) = &solution.found {
            let summary = format!("{summary:#}\n");
            let texts = [
                Some(&found.csv),
                found.charts.first(),
                found.charts.get(1),
                Some(&found.orders),
                Some(&found.model),
                Some(&summary),
            ];
            let files = FILES.into_iter().zip(texts);
            let files = files.filter_map(|(name, text)| Some((name, text?.as_str())));
            let away: &[&str] = if found.charts.len() < 2 { &[FILES[2]] } else { &[] };
            folder.write(&files.collect::<Vec<_>>(), away)?;
        }
        let words = words(project, solution, written, seconds);
        console.answer(&words, &format!("{summary}\n"), written.is_some());
        Ok(solution.status.into())
    }
}

/// `schedule.svg`, and `schedule-orders.svg` where both views are asked for.
fn views(view: ViewName) -> &'static [View] {
    match view {
        ViewName::Resources => &[View::Resources],
        ViewName::Orders => &[View::Orders],
        ViewName::Both => &[View::Resources, View::Orders],
    }
}

/// What came out, what it took, and where it is.
fn words(project: &Project, solution: &Solution, written: Option<&Path>, seconds: f64) -> String {
    let mut out = match (&solution.found, solution.status) {
        (Some(found), _) => found.words.clone(),
        (None, Status::Infeasible) => {
            format!("{}: infeasible, there is no schedule (proved)\n", project.name)
        }
        (None, _) => {
            let bound = solution.bound.map(|bound| solution.amount(bound));
            let bound = bound.map(|bound| format!("; no {} is below {bound}", objective(project)));
            let bound = bound.unwrap_or_default();
            format!("{}: unknown, no schedule was found{bound}\n", project.name)
        }
    };
    if let Some(reason) = solution.reason.as_ref().filter(|reason| reason.places.is_empty()) {
        out.push_str(&format!("{}\n", reason.message));
    }
    let Solution { stopped, explored, stored, .. } = *solution;
    out.push_str(&answer::ending(stopped, (explored, stored), seconds, written));
    out
}

fn objective(project: &Project) -> &'static str {
    project.spec.objective.name()
}

/// What is said if the run has to be ended from outside: what is finished is written.
fn last_words(
    project: &Project,
    ending: Ending,
    shelf: Arc<Shelf>,
) -> impl FnOnce(Stop, Progress) -> Exit + Send + 'static {
    let project = project.clone();
    move |stop, progress| {
        let finished = shelf.look().map(|kept| kept.ended_by(stop, progress));
        let solution = finished.unwrap_or_else(|| Solution::unknown(stop, progress));
        let end = ending.conclude(&project, &solution);
        end.unwrap_or_else(|error| super::conclude(&error, &ending.console))
    }
}

/// The same while the spec is still being read.
fn unread(
    path: &Path,
    console: &Console,
    started: Instant,
) -> impl FnOnce(Stop, Progress) -> Exit + Send + 'static {
    let (name, console) = (plant::stem(path), *console);
    move |stop, progress| {
        let project = Project { name, spec: Spec::default() };
        let solution = Solution::unknown(stop, progress);
        let seconds = started.elapsed().as_secs_f64();
        if console.json {
            let mut summary = summary(&project, &solution, seconds, watch::peak(), None);
            summary["objective"] = Value::Null;
            console::print(&format!("{summary}\n"));
        } else {
            console.say(&words(&project, &solution, None, seconds));
        }
        Exit::Unknown
    }
}
