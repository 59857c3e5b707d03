//! `takt compare`: solves alternatives one after the other and shows them side by side.

use super::args::{Compare, CompareView, Limits};
use super::console::{self, Console};
use super::error::{Trouble, Wrong};
use super::guard::Guard;
use super::limits::Period;
use super::output::Folder;
use super::plant::{self, Plant};
use super::summary::summary;
use super::watch::{self, Watch};
use super::{Exit, answer, input, interrupt, layouts};
use crate::engine::{Progress, Stop};
use crate::lower::Templates;
use crate::pipeline::solve::{self as pipeline, Settings, Solution};
use crate::render::{self, Alternative, Headline, Sheet, View};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The summary last, so that whoever sees it sees all of them.
const FILES: [&str; 3] = ["compare.csv", "compare.svg", "summary.json"];

/// An alternative that was solved.
struct Member {
    plant: Plant,
    solution: Solution,
    headline: Headline,
    seconds: f64,
}

pub fn run(args: &Compare, console: &Console, started: Instant) -> Result<Exit, Trouble> {
    let plants = read(args, console)?;
    let templates = Templates::from_texts(&[])
        .map_err(|wrong| Trouble::input(plants[0].sources.clone(), wrong))?;
    match plants.iter().filter(|plant| plant.project.spec.layout.is_some()).count() {
        0 => plant::refuse_pace(&args.specs[0], args.pace.is_given())?,
        all if all == plants.len() => {
            return layouts::run(args, plants, &templates, console, started);
        }
        _ => {
            let message = "layouts cannot be compared with plants that have orders";
            let name = args.specs[0].display().to_string();
            return Err(Trouble::about(&name, "usage", message));
        }
    }
    interrupt::install();
    let folder = Folder::usable(&args.out, &FILES, &plant::inputs(&plants), 0)?;
    let told = Arc::new(Mutex::new(Vec::new()));
    let whole = Arc::new(Watch::new(started, &args.limits, false));
    let projects = plants.iter().map(|plant| plant.project.clone()).collect();
    let words = last_words(projects, told.clone(), *console, started);
    let guard = Guard::start(&whole, &args.limits, words);
    let settings = Settings {
        engine: args.engine.into(),
        seed: args.limits.seed,
        threads: args.limits.threads(),
    };
    let mut members = Vec::new();
    let count = plants.len();
    for (k, plant) in plants.into_iter().enumerate() {
        let begun = Instant::now();
        let limits = share(&args.limits, started.elapsed(), count - k);
        let watch = Watch::new(started, &limits, !console.quiet);
        let watch = watch.named(&plant.project.name).part_of(&whole);
        let solved = pipeline::run(&plant.project, &templates, settings, &watch);
        watch.clear();
        let solution = match solved {
            Ok(solution) => solution,
            Err(failed) => {
                guard.dismiss();
                return Err(Trouble::failed(failed, &plant.sources));
            }
        };
        let seconds = begun.elapsed().as_secs_f64();
        let summary = summary(&plant.project, &solution, seconds, watch::peak(), None);
        told.lock().unwrap_or_else(PoisonError::into_inner).push(summary);
        let headline = headline(&plant, &solution);
        members.push(Member { plant, solution, headline, seconds });
    }
    guard.dismiss();
    let summaries = told.lock().unwrap_or_else(PoisonError::into_inner).clone();
    conclude(args, &members, summaries, &folder, console)
}

/// All specs, each under a name of its own.
fn read(args: &Compare, console: &Console) -> Result<Vec<Plant>, Trouble> {
    if args.specs.iter().filter(|path| input::is_standard(path)).count() > 1 {
        let message = "only one spec can come from standard input";
        return Err(Trouble::about("<stdin>", "usage", message));
    }
    let mut names = BTreeSet::new();
    let mut plants = Vec::new();
    let mut wrong: Option<Box<Wrong>> = None;
    for path in &args.specs {
        let mut plant = match plant::read(path, console) {
            Ok(plant) => plant,
            Err(Trouble::Input(found)) => {
                match &mut wrong {
                    Some(wrong) => wrong.absorb(*found),
                    None => wrong = Some(found),
                }
                continue;
            }
            Err(bug) => return Err(bug),
        };
        let own = plant.project.name.clone();
        let numbered = (2..).map(|number| format!("{own} ({number})"));
        let mut candidates = std::iter::once(own.clone()).chain(numbered);
        plant.project.name = candidates.find(|name| !names.contains(name)).unwrap_or(own);
        names.insert(plant.project.name.clone());
        plants.push(plant);
    }
    match wrong {
        Some(wrong) => Err(Trouble::Input(wrong)),
        None => Ok(plants),
    }
}

/// What is left of the time is shared among those that are left, counted from the start of the run.
pub fn share(limits: &Limits, elapsed: Duration, left: usize) -> Limits {
    let until = |total: Period| {
        let rest = total.0.saturating_sub(elapsed);
        Period(elapsed + rest / left.max(1) as u32)
    };
    Limits { time: limits.time.map(until), ..limits.clone() }
}

fn headline(plant: &Plant, solution: &Solution) -> Headline {
    Headline {
        name: plant.project.name.clone(),
        objective: plant.project.spec.objective.name().to_owned(),
        status: solution.status.name().to_owned(),
        value: solution.value.map(|value| solution.amount(value)),
        bound: solution.bound.map(|bound| solution.amount(bound)),
    }
}

impl Member {
    fn alternative(&self) -> Alternative<'_> {
        let found = self.solution.found.as_ref();
        let sheet = found.map(|found| Sheet {
            spec: &self.plant.project.spec,
            schedule: &found.schedule,
            account: &found.account,
        });
        Alternative { headline: &self.headline, sheet, seconds: self.seconds }
    }
}

/// Writes the results, if there is a schedule at all, and says what came out.
fn conclude(
    args: &Compare,
    members: &[Member],
    mut summaries: Vec<Value>,
    folder: &Folder,
    console: &Console,
) -> Result<Exit, Trouble> {
    let all: Vec<Alternative> = members.iter().map(Member::alternative).collect();
    for (summary, changes) in summaries.iter_mut().zip(render::changes(&all)) {
        if let Some(changes) = changes {
            summary["changes"] = json!({"moved": changes.moved, "newly_late": changes.late});
        }
    }
    let mut report = json!({"takt": 1, "specs": summaries});
    let sheets: Vec<(Sheet, &Headline)> =
        all.iter().filter_map(|one| Some((one.sheet?, one.headline))).collect();
    if !sheets.is_empty() {
        let path = |name: &str| folder.path().join(name).display().to_string();
        report["files"] = json!({
            "csv": path(FILES[0]), "svg": path(FILES[1]), "summary": path(FILES[2]),
        });
        let view = match args.view {
            CompareView::Resources => View::Resources,
            CompareView::Orders => View::Orders,
        };
        let (csv, svg) = (render::compare_csv(&all), render::charts(&sheets, view));
        let summary = format!("{report:#}\n");
        folder.write(&[(FILES[0], &csv), (FILES[1], &svg), (FILES[2], &summary)], &[])?;
    }
    let is_written = !sheets.is_empty();
    let words = words(members, &all, folder, is_written);
    console.answer(&words, &format!("{report}\n"), is_written);
    Ok(worst(members.iter().map(|member| member.solution.status.into())))
}

fn words(members: &[Member], all: &[Alternative], folder: &Folder, is_written: bool) -> String {
    let mut out = render::compare_text(all);
    for member in members {
        let name = &member.headline.name;
        if let Some(stop) = member.solution.stopped {
            out.push_str(&format!("{name}: {}\n", answer::reason(stop)));
        }
        if let Some(reason) = &member.solution.reason {
            out.push_str(&format!("{name}: {}\n", reason.message));
        }
    }
    if is_written {
        let chart = folder.path().join(FILES[1]).display().to_string();
        out.push_str(&format!("replayed and validated; the chart is {chart}\n"));
    }
    out
}

/// What is unknown is worse than what is proved impossible.
pub fn worst(all: impl Iterator<Item = Exit>) -> Exit {
    let rank = |exit: &Exit| match exit {
        Exit::Positive => 0,
        Exit::Negative => 1,
        Exit::Unknown => 2,
        Exit::Wrong | Exit::Bug => 3,
    };
    all.max_by_key(rank).unwrap_or(Exit::Positive)
}

/// What is said if the run has to be ended from outside: what is known of those before.
fn last_words(
    projects: Vec<crate::pipeline::project::Project>,
    told: Arc<Mutex<Vec<Value>>>,
    console: Console,
    started: Instant,
) -> impl FnOnce(Stop, Progress) + Send + 'static {
    move |stop, progress| {
        let mut specs = told.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for project in projects.iter().skip(specs.len()) {
            let solution = Solution::unknown(stop, progress);
            let seconds = started.elapsed().as_secs_f64();
            specs.push(summary(project, &solution, seconds, watch::peak(), None));
        }
        if console.json {
            console::print(&format!("{}\n", json!({"takt": 1, "specs": specs})));
        } else {
            console.say(&format!("nothing was written: {}\n", answer::reason(stop)));
        }
    }
}
