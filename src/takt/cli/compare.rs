//! `takt compare`: solves alternatives one after the other and shows them side by side.

use super::args::{Compare, CompareView, EngineName, Limits};
use super::console::{self, Console};
use super::error::{Error, Wrong};
use super::guard::Guard;
use super::inputs::Inputs;
use super::limits::Period;
use super::output::Folder;
use super::spec::{self, Loaded};
use super::watchdog::{self, Watchdog};
use super::{Exit, answer, input, interrupt};
use crate::pipeline::{self, Problem, Request, Shelf, Solution};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use takt_automata::engine::{Progress, Stop};
use takt_report::{Alternative, Artifact, COMPARISON, Comparison, Headline, View};
use takt_scanner::safety;
use takt_spec::Spec;

/// Comes last, so that whoever sees it sees all files.
const SUMMARY: (&str, &str) = ("summary", "summary.json");

/// An alternative that was solved.
struct Member {
    problem: Arc<Problem>,
    solution: Solution,
    headline: Headline,
    /// Of a layout: classes of unsafe patterns.
    policy: Option<usize>,
    summary: Value,
    seconds: f64,
}

/// Where the comparison goes, and how it is told.
#[derive(Clone)]
struct Ending {
    view: View,
    folder: Folder,
    console: Console,
    started: Instant,
}

/// What is known so far, for whoever has to end the run.
struct Desk {
    problems: Vec<Arc<Problem>>,
    members: Mutex<Vec<Member>>,
    /// What is finished of each problem.
    shelves: Vec<Shelf>,
}

pub fn run(args: &Compare, console: &Console, started: Instant) -> Result<Exit, Error> {
    let whole = Arc::new(Watchdog::new(started, &args.limits, false));
    let guard = Guard::start(&whole, &args.limits, unread(args, console, started));
    let specs = read(args, console)?;
    let templates =
        pipeline::templates(&[]).map_err(|wrong| Error::input(specs[0].sources.clone(), wrong))?;
    let requests = requests(args, &specs)?;
    interrupt::install();
    let names: Vec<&str> = COMPARISON.iter().map(|one| one.file).chain([SUMMARY.1]).collect();
    let inputs = Inputs::of_all(specs.iter().map(|loaded| &loaded.inputs));
    let folder = Folder::usable(&args.out, &names, &inputs, 0)?;
    let desk = Arc::new(Desk {
        problems: specs.iter().map(|loaded| Arc::new(loaded.problem.clone())).collect(),
        members: Mutex::default(),
        shelves: specs.iter().map(|_| Shelf::default()).collect(),
    });
    if !is_layout(&specs[0]) {
        whole.has_shelf();
    }
    let view = match args.view {
        CompareView::Resources => View::Resources,
        CompareView::Orders => View::Orders,
    };
    let ending = Ending { view, folder, console: *console, started };
    guard.instead(last_words(desk.clone(), ending.clone()));
    let mut drawing = Duration::ZERO;
    for (k, (loaded, request)) in specs.iter().zip(&requests).enumerate() {
        let begun = Instant::now();
        let (count, end) = (specs.len(), drawing * specs.len() as u32 / k.max(1) as u32);
        let limits = share(&args.limits, started.elapsed(), end, count - k);
        let (problem, shelf) = (&desk.problems[k], &desk.shelves[k]);
        let watch = Watchdog::new(started, &limits, !console.quiet);
        let watch = watch.of_plans().named(&problem.name).part_of(&whole);
        let solved = pipeline::solve(problem, &templates, request, &watch, shelf);
        watch.clear();
        let solution = solved.map_err(|failed| Error::failed(failed, &loaded.sources))?;
        let taken = begun.elapsed();
        let mut member = Member::new(problem, solution, taken);
        member.judge();
        let begun = Instant::now();
        if args.limits.time.is_some() {
            std::hint::black_box(ending.artifacts(std::slice::from_ref(&member)));
        }
        drawing += begun.elapsed();
        desk.members().push(member);
    }
    guard.dismiss();
    let members = std::mem::take(&mut *desk.members());
    ending.conclude(&members)
}

fn is_layout(loaded: &Loaded) -> bool {
    loaded.problem.scanner().is_some()
}

/// What is asked of each. Plants and layouts have nothing in common that could be compared.
fn requests(args: &Compare, specs: &[Loaded]) -> Result<Vec<Request>, Error> {
    let name = args.specs[0].display().to_string();
    let wrong = |message: &str| Err(Error::about(&name, "usage", message));
    let layouts = specs.iter().filter(|loaded| is_layout(loaded)).count();
    if layouts > 0 && layouts < specs.len() {
        return wrong("layouts cannot be compared with plants that have orders");
    }
    let is_for_plants = args.engine == EngineName::Zones || args.view != CompareView::Resources;
    if layouts > 0 && is_for_plants {
        return wrong("`--engine` and `--view` are for plants with orders; these are layouts");
    }
    let request = |(path, loaded): (&_, &Loaded)| {
        Ok(Request {
            selection: args.engine.into(),
            seed: args.limits.seed,
            threads: args.limits.threads(),
            pace: spec::pace(&args.pace, path, &loaded.problem)?,
            // All stand in one chart, which is drawn at the end.
            ..Request::default()
        })
    };
    args.specs.iter().map(std::path::PathBuf::as_path).zip(specs).map(request).collect()
}

impl Desk {
    fn members(&self) -> MutexGuard<'_, Vec<Member>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All specs, each under a name of its own.
fn read(args: &Compare, console: &Console) -> Result<Vec<Loaded>, Error> {
    if args.specs.iter().filter(|path| input::is_standard(path)).count() > 1 {
        let message = "only one spec can come from standard input";
        return Err(Error::about("<stdin>", "usage", message));
    }
    let mut names = BTreeSet::new();
    let mut specs = Vec::new();
    let mut wrong: Option<Box<Wrong>> = None;
    for path in &args.specs {
        let mut loaded = match spec::read(path, console) {
            Ok(loaded) => loaded,
            Err(Error::Input(found)) => {
                match &mut wrong {
                    Some(wrong) => wrong.absorb(*found),
                    None => wrong = Some(found),
                }
                continue;
            }
            Err(bug) => return Err(bug),
        };
        let own = loaded.problem.name.clone();
        let numbered = (2..).map(|number| format!("{own} ({number})"));
        let mut candidates = std::iter::once(own.clone()).chain(numbered);
        loaded.problem.name = candidates.find(|name| !names.contains(name)).unwrap_or(own);
        names.insert(loaded.problem.name.clone());
        specs.push(loaded);
    }
    match wrong {
        Some(wrong) => Err(Error::Input(wrong)),
        None => Ok(specs),
    }
}

/// What is left of the time, but for the end, is shared among those that are left, counted from the
/// start of the run.
fn share(limits: &Limits, elapsed: Duration, end: Duration, left: usize) -> Limits {
    let until = |total: Period| {
        let rest = total.0.saturating_sub(elapsed).saturating_sub(end);
        Period(elapsed + rest / left.max(1) as u32)
    };
    Limits { time: limits.time.map(until), ..limits.clone() }
}

impl Member {
    fn new(problem: &Arc<Problem>, solution: Solution, taken: Duration) -> Member {
        let (seconds, headline) = (taken.as_secs_f64(), solution.headline(problem));
        let summary = pipeline::summary(problem, &solution, seconds, watchdog::peak(), &[]);
        Member { problem: problem.clone(), solution, headline, policy: None, summary, seconds }
    }

    /// Finds how much of a layout's states is unsafe.
    fn judge(&mut self) {
        let Some(scanner) = self.problem.scanner() else { return };
        let classes = safety::analyse(scanner).ok().and_then(|safety| safety.policy.classes);
        self.policy = classes.map(|classes| classes.len());
        self.summary["policy"] = json!(self.policy);
    }

    fn alternative(&self) -> Alternative<'_> {
        let figures = self.solution.layout.as_ref();
        let bound = figures.and_then(|figures| figures.bound.as_ref());
        Alternative {
            headline: &self.headline,
            sheet: self.solution.found.as_ref().map(|found| found.sheet(&self.problem)),
            seconds: self.seconds,
            critical: bound.map(|(_, critical)| critical.as_str()),
            policy: self.policy,
        }
    }
}

impl Ending {
    fn comparison<'m>(&self, members: &'m [Member]) -> Comparison<'m> {
        Comparison {
            all: members.iter().map(Member::alternative).collect(),
            view: self.view,
            is_of_layouts: members.iter().any(|member| member.problem.scanner().is_some()),
        }
    }

    /// Nothing is written if none has a schedule.
    fn artifacts(&self, members: &[Member]) -> Vec<Artifact> {
        let comparison = self.comparison(members);
        if comparison.all.iter().all(|one| one.sheet.is_none()) {
            return Vec::new();
        }
        COMPARISON.iter().map(|one| one.artifact(&comparison)).collect()
    }

    /// Writes the results, if there is a schedule at all, and says what came out.
    fn conclude(&self, members: &[Member]) -> Result<Exit, Error> {
        let Ending { folder, console, .. } = self;
        let comparison = self.comparison(members);
        let mut report = json!({"takt": 1, "specs": summaries(members, &comparison)});
        let mut artifacts = self.artifacts(members);
        let is_written = !artifacts.is_empty();
        if is_written {
            let files = artifacts.iter().map(|one| (one.key, one.file)).chain([SUMMARY]);
            let files = files.map(|(key, name)| (key.to_owned(), folder.place(name).into()));
            report["files"] = Value::Object(files.collect());
            artifacts.push(Artifact::new(SUMMARY.0, SUMMARY.1, format!("{report:#}\n")));
            folder.write(&artifacts, &[])?;
        }
        let mut words = words(members, &comparison);
        if is_written {
            let chart = folder.place("compare.svg");
            words.push_str(&format!("replayed and validated; the chart is {chart}\n"));
        }
        console.answer(&words, &format!("{report}\n"), is_written);
        Ok(worst(members.iter().map(|member| member.solution.status.into())))
    }
}

/// The summary of each, and how it differs from the first.
fn summaries(members: &[Member], comparison: &Comparison) -> Vec<Value> {
    let mut summaries: Vec<Value> = members.iter().map(|one| one.summary.clone()).collect();
    if comparison.is_of_layouts {
        for (summary, loss) in summaries.iter_mut().zip(comparison.losses()) {
            summary["loss"] = json!(loss);
        }
        return summaries;
    }
    for (summary, changes) in summaries.iter_mut().zip(comparison.changes()) {
        if let Some(changes) = changes {
            summary["changes"] = json!({"moved": changes.moved, "newly_late": changes.late});
        }
    }
    summaries
}

fn words(members: &[Member], comparison: &Comparison) -> String {
    let mut out = comparison.text();
    for Member { problem, solution, .. } in members {
        let bound = solution.layout.as_ref().and_then(|figures| figures.bound.as_ref());
        let method = bound.map(|(method, _)| method.clone());
        let credits = Some(solution.credits()).filter(|credits| !credits.is_empty());
        let stopped = solution.stopped.map(|stop| answer::reason(stop).to_owned());
        let reason = solution.reason.as_ref().map(|reason| reason.message.clone());
        for line in [method, credits, stopped, reason].into_iter().flatten() {
            out.push_str(&format!("{}: {line}\n", problem.name));
        }
    }
    out
}

/// What is unknown is worse than what is proved impossible.
fn worst(all: impl Iterator<Item = Exit>) -> Exit {
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
        for k in members.len()..desk.problems.len() {
            let problem = &desk.problems[k];
            let finished = desk.shelves[k].look();
            let finished = finished.map(|kept| kept.ended_by(problem, stop, progress));
            let solution = finished.unwrap_or_else(|| Solution::unknown(problem, stop, progress));
            members.push(Member::new(problem, solution, ending.started.elapsed()));
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
    let (console, names) = (*console, args.specs.iter().map(|path| spec::stem(path)));
    let names: Vec<String> = names.collect();
    move |stop, progress| {
        let unknown = |name: String| {
            let problem = Arc::new(Problem::new(name, Spec::default()));
            let solution = Solution::unknown(&problem, stop, progress);
            let mut summary = Member::new(&problem, solution, started.elapsed()).summary;
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
