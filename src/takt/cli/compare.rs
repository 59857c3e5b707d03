//! `takt compare`: solves alternatives one after the other and shows them side by side.

use super::args::{Compare, CompareView, Limits};
use super::console::{self, Console};
use super::error::{Error, Wrong};
use super::guard::Guard;
use super::limits::Period;
use super::output::Folder;
use super::plant::{self, Plant};
use super::summary::summary;
use super::watch::{self, Watch};
use super::{Exit, answer, input, interrupt, layouts};
use crate::pipeline::project::Project;
use crate::pipeline::shelf::Shelf;
use crate::pipeline::solve::{self as pipeline, Settings, Solution};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use takt_automata::engine::{Progress, Stop};
use takt_report::render::{self, Alternative, Headline, Sheet, View};
use takt_spec::Spec;

/// The summary last, so that whoever sees it sees all of them.
const FILES: [&str; 3] = ["compare.csv", "compare.svg", "summary.json"];

/// An alternative that was solved.
struct Member {
    project: Project,
    solution: Solution,
    headline: Headline,
    summary: Value,
    seconds: f64,
}

/// Where the comparison goes, and how it is told.
#[derive(Clone)]
struct Ending {
    view: CompareView,
    folder: Folder,
    console: Console,
    started: Instant,
}

/// What is known so far, for whoever has to end the run.
struct Desk {
    projects: Vec<Project>,
    members: Mutex<Vec<Member>>,
    /// What is finished of each project.
    shelves: Vec<Shelf>,
}

pub fn run(args: &Compare, console: &Console, started: Instant) -> Result<Exit, Error> {
    let whole = Arc::new(Watch::new(started, &args.limits, false).with_shelf());
    let guard = Guard::start(&whole, &args.limits, unread(args, console, started));
    let plants = read(args, console)?;
    let templates = crate::pipeline::templates(&[])
        .map_err(|wrong| Error::input(plants[0].sources.clone(), wrong))?;
    match plants.iter().filter(|plant| plant.project.spec.layout.is_some()).count() {
        0 => plant::refuse_pace(&args.specs[0], args.pace.is_given())?,
        all if all == plants.len() => {
            guard.dismiss();
            return layouts::run(args, plants, &templates, console, started);
        }
        _ => {
            let message = "layouts cannot be compared with plants that have orders";
            let name = args.specs[0].display().to_string();
            return Err(Error::about(&name, "usage", message));
        }
    }
    interrupt::install();
    let folder = Folder::usable(&args.out, &FILES, &plant::inputs(&plants), 0)?;
    let desk = Arc::new(Desk {
        projects: plants.iter().map(|plant| plant.project.clone()).collect(),
        members: Mutex::default(),
        shelves: plants.iter().map(|_| Shelf::default()).collect(),
    });
    let ending = Ending { view: args.view, folder, console: *console, started };
    guard.instead(last_words(desk.clone(), ending.clone()));
    let settings = Settings {
        selection: args.engine.into(),
        seed: args.limits.seed,
        threads: args.limits.threads(),
        // All stand in one chart, which is drawn at the end.
        views: &[],
    };
    let mut drawing = Duration::ZERO;
    for (k, plant) in plants.iter().enumerate() {
        let begun = Instant::now();
        let (count, end) = (plants.len(), drawing * plants.len() as u32 / k.max(1) as u32);
        let limits = share(&args.limits, started.elapsed(), end, count - k);
        let watch = Watch::new(started, &limits, !console.quiet);
        let watch = watch.named(&plant.project.name).part_of(&whole);
        let (project, shelf) = (&desk.projects[k], &desk.shelves[k]);
        let solved = pipeline::run(project, &templates, settings, &watch, shelf);
        watch.clear();
        let solution = solved.map_err(|failed| Error::failed(failed, &plant.sources))?;
        let member = Member::new(project, solution, begun.elapsed());
        let begun = Instant::now();
        if args.limits.time.is_some() {
            std::hint::black_box(ending.chart(std::slice::from_ref(&member)));
        }
        drawing += begun.elapsed();
        desk.members().push(member);
    }
    guard.dismiss();
    let members = std::mem::take(&mut *desk.members());
    ending.conclude(&members)
}

impl Desk {
    fn members(&self) -> MutexGuard<'_, Vec<Member>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All specs, each under a name of its own.
fn read(args: &Compare, console: &Console) -> Result<Vec<Plant>, Error> {
    if args.specs.iter().filter(|path| input::is_standard(path)).count() > 1 {
        let message = "only one spec can come from standard input";
        return Err(Error::about("<stdin>", "usage", message));
    }
    let mut names = BTreeSet::new();
    let mut plants = Vec::new();
    let mut wrong: Option<Box<Wrong>> = None;
    for path in &args.specs {
        let mut plant = match plant::read(path, console) {
            Ok(plant) => plant,
            Err(Error::Input(found)) => {
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
        Some(wrong) => Err(Error::Input(wrong)),
        None => Ok(plants),
    }
}

/// What is left of the time, but for the end, is shared among those that are left, counted from the
/// start of the run.
pub fn share(limits: &Limits, elapsed: Duration, end: Duration, left: usize) -> Limits {
    let until = |total: Period| {
        let rest = total.0.saturating_sub(elapsed).saturating_sub(end);
        Period(elapsed + rest / left.max(1) as u32)
    };
    Limits { time: limits.time.map(until), ..limits.clone() }
}

impl Member {
    fn new(project: &Project, solution: Solution, taken: Duration) -> Member {
        let seconds = taken.as_secs_f64();
        let headline = Headline {
            name: project.name.clone(),
            objective: project.spec.objective.name().to_owned(),
            status: solution.status.name().to_owned(),
            value: solution.value.map(|value| solution.amount(value)),
            bound: solution.bound.map(|bound| solution.amount(bound)),
        };
        let summary = summary(project, &solution, seconds, watch::peak(), None);
        Member { project: project.clone(), solution, headline, summary, seconds }
    }

    fn alternative(&self) -> Alternative<'_> {
        let found = self.solution.found.as_ref();
        let sheet = found.map(|found| Sheet {
            spec: &self.project.spec,
            schedule: &found.schedule,
            account: &found.account,
        });
        Alternative { headline: &self.headline, sheet, seconds: self.seconds }
    }
}

impl Ending {
    /// One chart of all that have a schedule; `None` if none has.
    fn chart(&self, members: &[Member]) -> Option<String> {
        let all = members.iter().map(Member::alternative);
        let sheets: Vec<(Sheet, &Headline)> =
            all.filter_map(|one| Some((one.sheet?, one.headline))).collect();
        let view = match self.view {
            CompareView::Resources => View::Resources,
            CompareView::Orders => View::Orders,
        };
        (!sheets.is_empty()).then(|| render::charts(&sheets, view))
    }

    /// Writes the results, if there is a schedule at all, and says what came out.
    fn conclude(&self, members: &[Member]) -> Result<Exit, Error> {
        let Ending { folder, console, .. } = self;
        let all: Vec<Alternative> = members.iter().map(Member::alternative).collect();
        let mut summaries: Vec<Value> = members.iter().map(|one| one.summary.clone()).collect();
        for (summary, changes) in summaries.iter_mut().zip(render::changes(&all)) {
            if let Some(changes) = changes {
                summary["changes"] = json!({"moved": changes.moved, "newly_late": changes.late});
            }
        }
        let mut report = json!({"takt": 1, "specs": summaries});
        let chart = self.chart(members);
        if let Some(svg) = &chart {
            let path = |name: &str| folder.path().join(name).display().to_string();
            report["files"] = json!({
                "csv": path(FILES[0]), "svg": path(FILES[1]), "summary": path(FILES[2]),
            });
            let csv = render::compare_csv(&all);
            let summary = format!("{report:#}\n");
            folder.write(&[(FILES[0], &csv), (FILES[1], svg), (FILES[2], &summary)], &[])?;
        }
        let is_written = chart.is_some();
        let words = words(members, &all, folder, is_written);
        console.answer(&words, &format!("{report}\n"), is_written);
        Ok(worst(members.iter().map(|member| member.solution.status.into())))
    }
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

/// What is said if the run has to be ended from outside: what is known by then is compared.
fn last_words(
    desk: Arc<Desk>,
    ending: Ending,
) -> impl FnOnce(Stop, Progress) -> Exit + Send + 'static {
    move |stop, progress| {
        let mut members = std::mem::take(&mut *desk.members());
        for k in members.len()..desk.projects.len() {
            let finished = desk.shelves[k].look().map(|kept| kept.ended_by(stop, progress));
            let solution = finished.unwrap_or_else(|| Solution::unknown(stop, progress));
            members.push(Member::new(&desk.projects[k], solution, ending.started.elapsed()));
        }
        let end = ending.conclude(&members);
        end.unwrap_or_else(|error| super::conclude(&error, &ending.console))
    }
}

/// The same while the specs are still being read.
fn unread(
    args: &Compare,
    console: &Console,
    started: Instant,
) -> impl FnOnce(Stop, Progress) -> Exit + Send + 'static {
    let (console, names) = (*console, args.specs.iter().map(|path| plant::stem(path)));
    let names: Vec<String> = names.collect();
    move |stop, progress| {
        let unknown = |name: String| {
            let project = Project { name, spec: Spec::default() };
            let mut summary =
                Member::new(&project, Solution::unknown(stop, progress), started.elapsed()).summary;
            summary["objective"] = Value::Null;
            summary
        };
        if console.json {
            let specs: Vec<Value> = names.into_iter().map(unknown).collect();
            console::print(&format!("{}\n", json!({"takt": 1, "specs": specs})));
        } else {
            console.say(&format!("nothing was written: {}\n", answer::reason(stop)));
        }
        Exit::Unknown
    }
}
