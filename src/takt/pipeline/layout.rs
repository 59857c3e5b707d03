//! From a layout to a schedule without an end that was replayed and validated.

use super::project::Project;
use super::solve::{Engine, Failure, Status, disagreement};
pub use takt_scanner::rhythm::outlines;

use num_rational::Ratio;
use std::fmt::Write;
use takt_automata::compose::Templates;
use takt_automata::engine::{Control, Progress, Stop};
use takt_automata::interpret;
use takt_automata::model::{self, Model};
use takt_automata::xta;
use takt_report::account::{self, Account};
use takt_report::render::{self, Rhythm, Sheet};
use takt_scanner::layout::{Cycle, Heuristic, Infinite, Op, OpKind, Scanner};
use takt_scanner::lift::{self, ScannerRun};
use takt_scanner::lower::{self, Ban, LoweredScanner, Pace, Rules};
use takt_scanner::rhythm;
use takt_scanner::safety::{self, Place};
use takt_spec::schedule::Schedule;
use takt_validate as validate;

/// What is asked of the rhythm, besides being the best.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    pub max_gap: Option<i64>,
    pub first: Option<i64>,
    pub heuristics: Vec<Heuristic>,
}

impl Request {
    /// Adds the heuristics that the spec asks for.
    pub fn with_those_of(mut self, project: &Project) -> Request {
        for heuristic in project.spec.layout.iter().flat_map(|layout| &layout.heuristics) {
            if !self.heuristics.contains(&heuristic.value) {
                self.heuristics.push(heuristic.value);
            }
        }
        self.heuristics.sort_by_key(|heuristic| heuristic.name());
        self
    }

    /// The heuristics that may have cut the best schedule.
    fn doubtful(&self) -> impl Iterator<Item = &Heuristic> {
        self.heuristics.iter().filter(|heuristic| !heuristic.is_safe())
    }
}

/// What came out of a search.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Of the interval.
    pub status: Status,
    pub bound: Option<Bound>,
    pub explored: u64,
    /// Which limit ended the search.
    pub stopped: Option<Stop>,
    /// Why there is no schedule, or none was found.
    pub reason: Option<String>,
    pub found: Option<Found>,
    /// Those that were asked for, by the spec or the user.
    pub heuristics: Vec<Heuristic>,
}

/// No schedule has a smaller interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    pub interval: Ratio<i64>,
    /// Who proved it, and how.
    pub by: Engine,
    pub method: String,
    /// The resource that it rests on; if all of them together, the busiest one of the schedule.
    pub critical: String,
}

/// A schedule that was replayed and validated, and everything made from it.
#[derive(Clone, Debug)]
pub struct Found {
    pub schedule: Schedule,
    pub account: Account,
    pub cycle: Cycle,
    /// From one finished wafer to the next in the long run.
    pub interval: Ratio<i64>,
    pub max_gap: i64,
    pub first: i64,
    /// What is known about the largest gap and the first wafer.
    pub proofs: Vec<String>,
    pub csv: String,
    pub orders: String,
    /// The network that the schedule was replayed on.
    pub model: String,
}

impl Solution {
    /// Nothing is known, because a limit came first.
    pub fn unknown(stop: Stop, progress: Progress) -> Solution {
        let explored = progress.explored;
        Solution { explored, stopped: Some(stop), ..Solution::without(Status::Unknown, None) }
    }

    fn without(status: Status, reason: Option<String>) -> Solution {
        let (bound, stopped, found) = (None, None, None);
        Solution { status, bound, explored: 0, stopped, reason, found, heuristics: Vec::new() }
    }
}

/// The limits given, and what one wafer at a time can keep where none is.
pub fn pace(scanner: &Scanner, request: &Request) -> Pace {
    let easy = Pace::leisurely(scanner);
    let first = request.first.unwrap_or(easy.first);
    Pace { first, max_gap: request.max_gap.unwrap_or(easy.max_gap) }
}

/// The most patterns that are written into a network.
const MOST_BANS: usize = 2000;

/// The heuristics as rules for the network; `None` if the policy is too large for one.
pub fn rules(scanner: &Scanner, heuristics: &[Heuristic]) -> Option<Rules> {
    let has = |heuristic: Heuristic| heuristics.contains(&heuristic);
    let greedy = has(Heuristic::Greedy);
    let policy = match has(Heuristic::Policy) || greedy {
        true => Some(bans(scanner)?),
        false => None,
    };
    Some(Rules { policy, useful: has(Heuristic::Useful), locks: has(Heuristic::Locks), greedy })
}

fn bans(scanner: &Scanner) -> Option<Vec<Ban>> {
    let safety = safety::analyse(scanner).ok()?;
    let mut bans = Vec::new();
    for class in safety.policy.classes.as_ref()? {
        for pattern in class.patterns.as_ref()? {
            let mut ban = Ban::nothing(scanner);
            for (at, hold) in pattern.entries() {
                match safety.positions[at].place {
                    Place::Lock(lock) => ban.locks[lock] = hold,
                    Place::Arm { robot, arm } => ban.arms[robot][arm] = hold,
                    Place::Chuck(chuck) => ban.chucks[chuck] = hold,
                }
            }
            bans.push(ban);
        }
    }
    (bans.len() <= MOST_BANS).then_some(bans)
}

/// Searches, replays and validates. No schedule is given that did not pass.
pub fn run(
    project: &Project,
    scanner: &Scanner,
    templates: &Templates,
    request: &Request,
    control: &dyn Control,
) -> Result<Solution, Failure> {
    let mut watch = Watched {
        control,
        stopped: None,
        rehearsed: 0,
        finish: &mut |infinite| {
            rehearse(project, scanner, templates, request, infinite);
        },
    };
    let heard = ask(scanner, request, &mut watch);
    let heuristics = request.heuristics.clone();
    let bound = heard.bound;
    let (proofs, infinite) = match heard.schedule {
        Ok(found) => found,
        Err((status, reason)) => {
            let reason = Some(reason).filter(|reason| !reason.is_empty());
            let (explored, stopped) = (heard.explored, heard.stopped);
            let solution = Solution::without(status, reason);
            return Ok(Solution { bound, explored, stopped, heuristics, ..solution });
        }
    };
    let mut found = examine(project, scanner, templates, request, &infinite)?;
    found.proofs = proofs;
    let is_proved = bound.as_ref().is_some_and(|bound| bound.interval >= found.interval);
    let is_cut = heard.is_complete && request.doubtful().next().is_some();
    Ok(Solution {
        status: match is_proved {
            true => Status::Optimal,
            false if is_cut => Status::Restricted,
            false => Status::Feasible,
        },
        bound,
        explored: heard.explored,
        stopped: heard.stopped,
        reason: None,
        found: Some(found),
        heuristics,
    })
}

/// What the search for a rhythm says.
struct Heard {
    schedule: Result<(Vec<String>, Infinite), (Status, String)>,
    bound: Option<Bound>,
    explored: u64,
    stopped: Option<Stop>,
    is_complete: bool,
}

/// The search for a rhythm, watched from outside.
struct Watched<'a> {
    control: &'a dyn Control,
    stopped: Option<Stop>,
    /// Operations of the longest schedule that was rehearsed.
    rehearsed: usize,
    /// Does with a schedule what is done with the last one.
    finish: &'a mut dyn FnMut(&Infinite),
}

impl rhythm::Watch for Watched<'_> {
    fn is_over(&mut self, looked_at: u64) -> bool {
        let progress = Progress { explored: looked_at, ..Progress::default() };
        let flow = self.control.poll(&progress);
        self.stopped = self.stopped.or(flow.break_value());
        self.stopped.is_some()
    }

    /// A longer one takes longer to bring home. What is reserved for the end suffices for one that
    /// is a little longer.
    fn found(&mut self, schedule: &Infinite) {
        if self.stopped.is_none() && schedule.ops.len() > self.rehearsed + self.rehearsed / 3 {
            self.rehearsed = schedule.ops.len();
            self.control.rehearse(&mut || (self.finish)(schedule));
        }
    }
}

/// All that is done with a schedule once it is the last.
fn rehearse(
    project: &Project,
    scanner: &Scanner,
    templates: &Templates,
    request: &Request,
    infinite: &Infinite,
) {
    // Limits are kept by the last one only.
    let free = Request { max_gap: None, first: None, ..request.clone() };
    let Ok(found) = examine(project, scanner, templates, &free, infinite) else { return };
    let solution = Solution::without(Status::Feasible, None);
    std::hint::black_box(render::machines(&[found.rhythm(project, &solution)]));
}

fn ask(scanner: &Scanner, request: &Request, watch: &mut Watched) -> Heard {
    let Request { max_gap, first, heuristics } = request.clone();
    let options = rhythm::Options { max_gap, first, heuristics, ..rhythm::Options::default() };
    let mut answer = rhythm::solve(scanner, &options, watch);
    let blamed: Vec<&str> = request.doubtful().map(|heuristic| heuristic.name()).collect();
    if !blamed.is_empty() && matches!(answer.outcome, rhythm::Outcome::Unknown(_)) {
        answer = without_heuristics(scanner, &options, &blamed, watch);
    }
    let schedule = match answer.outcome {
        rhythm::Outcome::Found(rhythm) => Ok((proofs(&rhythm), rhythm.schedule)),
        rhythm::Outcome::None(why) => Err((Status::Infeasible, why)),
        // One wafer at a time is better than nothing.
        rhythm::Outcome::Unknown(why) => match slow(scanner, request) {
            Some(schedule) => Ok((vec![ONE_AT_A_TIME.to_owned()], schedule)),
            None => Err((Status::Unknown, why)),
        },
    };
    let is_complete = answer.is_complete;
    let rhythm::Bound { interval, by_closure, method, critical } = answer.bound;
    let is_known = interval > Ratio::from_integer(0);
    let by = if by_closure { Engine::Closure } else { Engine::Relaxation };
    let bound = is_known.then_some(Bound { interval, by, method, critical });
    Heard { schedule, bound, explored: answer.explored, stopped: watch.stopped, is_complete }
}

/// Where heuristics leave nothing: whether there is nothing without them either.
fn without_heuristics(
    scanner: &Scanner,
    options: &rhythm::Options,
    blamed: &[&str],
    watch: &mut dyn rhythm::Watch,
) -> rhythm::Answer {
    let free = rhythm::Options { heuristics: Vec::new(), ..options.clone() };
    let mut answer = rhythm::solve(scanner, &free, watch);
    let named = blamed.join(", ");
    answer.outcome = match answer.outcome {
        rhythm::Outcome::Found(_) => rhythm::Outcome::Unknown(format!(
            "no schedule was found that keeps the heuristics ({named}); without them there is one"
        )),
        rhythm::Outcome::Unknown(why) => {
            rhythm::Outcome::Unknown(format!("{why}, with the heuristics ({named}) or without"))
        }
        none => none,
    };
    answer
}

/// What is known about the largest gap and the first wafer.
fn proofs(rhythm: &rhythm::Rhythm) -> Vec<String> {
    let (gap, first) = (&rhythm.least_gap, &rhythm.least_first);
    let gap = match (of_which(gap), gap.value) {
        (of, least) if least == rhythm.max_gap => {
            format!("no schedule{of} has a smaller largest gap")
        }
        (of, least) => format!("every schedule{of} has a gap of {least} or more"),
    };
    let first = match (of_which(first), first.value) {
        (of, least) if least == rhythm.first => {
            format!("no schedule{of} finishes its first wafer earlier")
        }
        (of, least) => format!("every schedule{of} finishes its first wafer at {least} or later"),
    };
    vec![gap, first]
}

/// The conditions of a proof.
fn of_which(least: &rhythm::Least) -> String {
    let mut all = Vec::new();
    all.extend(least.interval.map(|interval| format!(" of interval {}", ratio(interval))));
    all.extend(least.max_gap.map(|gap| format!(" without a gap above {gap}")));
    all.extend(least.first.map(|first| format!(" with its first wafer by {first}")));
    all.concat()
}

const ONE_AT_A_TIME: &str = "one wafer at a time: nothing better was found";

/// One wafer at a time, if that keeps the limits.
fn slow(scanner: &Scanner, request: &Request) -> Option<Infinite> {
    let slow = scanner.leisurely().filter(|_| request.doubtful().next().is_none())?;
    let unloads = slow.ops.iter().filter(|op| matches!(op.kind, OpKind::Unload { .. }));
    let first = unloads.map(|op| op.end).min()?;
    let keeps = request.max_gap.is_none_or(|gap| slow.cycle.end <= gap)
        && request.first.is_none_or(|latest| first <= latest);
    keeps.then_some(slow)
}

/// How often the cycle is shown, and how often it is tried.
const SHOWN: i64 = 2;
const TRIED: i64 = 3;

/// Replays and validates a schedule, and takes its figures from what was seen there.
pub fn examine(
    project: &Project,
    scanner: &Scanner,
    templates: &Templates,
    request: &Request,
    infinite: &Infinite,
) -> Result<Found, Failure> {
    let wrong = |why: String| disagreement(templates, why);
    let cycle = infinite.cycle;
    let ops = scanner.unroll(infinite, TRIED);
    let rows = |ops: &[Op]| lift::scanner_rows(scanner, ops).map_err(Failure::Bug);
    let (tried, shown) = (rows(&ops)?, rows(&scanner.unroll(infinite, SHOWN))?);
    let figures = figures(&validate::unloads(&tried), cycle).ok_or_else(|| {
        Failure::Bug("a cycle does not finish as many wafers as it says".to_owned())
    })?;
    let &Request { max_gap, first, .. } = request;
    let pace = Pace { first: first.unwrap_or(figures.1), max_gap: max_gap.unwrap_or(figures.0) };
    let lowered = lower::lower_scanner(scanner, pace, templates);
    let (model, _) = model::build(&lowered.network).map_err(Failure::Input)?;
    let played = lift::scanner_run(&lowered, &model, &ops, cycle).map_err(wrong)?;
    replay(&model, &played).map_err(wrong)?;
    check(project, &tried, &played).map_err(Failure::Bug)?;
    validate::recurs(&project.spec, &tried, (cycle.start, cycle.end))
        .map_err(|why| Failure::Bug(format!("the cycle does not lead back: {why}")))?;
    is_valid(project, &shown).map_err(Failure::Bug)?;
    if figures.0 > pace.max_gap || figures.1 > pace.first {
        return Err(Failure::Bug("a schedule does not keep the limits it was made for".to_owned()));
    }
    Ok(present(project, shown, cycle, figures, &lowered))
}

/// The largest gap, and the first wafer; `None` if the cycle does not finish so many wafers.
fn figures(unloads: &[i64], cycle: Cycle) -> Option<(i64, i64)> {
    let length = cycle.end - cycle.start;
    // What begins to leave in a cycle may be out in the next one: from the second cycle on as many
    // are out as began.
    let second = (cycle.end + 1)..=(cycle.end + length);
    let out = unloads.iter().filter(|end| second.contains(end)).count() as i64;
    let is_right = cycle.wafers > 0 && length > 0 && out == cycle.wafers;
    let gap = unloads.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(length);
    is_right.then_some((gap, *unloads.first()?))
}

/// The interpreter goes through the run once more, and the network is where it was after a cycle.
fn replay(model: &Model, played: &ScannerRun) -> Result<(), String> {
    interpret::replay_to_end(model, &played.run).map_err(|mismatch| {
        format!("step {} of the schedule does not replay ({:?})", mismatch.step, mismatch.kind)
    })?;
    match played.changed.as_slice() {
        [] => Ok(()),
        changed => Err(format!("the cycle does not lead back: {} changed", changed.join(", "))),
    }
}

/// Asks the validator, which knows neither scanner nor automata.
fn is_valid(project: &Project, schedule: &Schedule) -> Result<(), String> {
    let report = validate::validate(&project.spec, schedule);
    report.errors.first().map_or(Ok(()), |error| {
        let (order, step) = (&error.order, &error.step);
        Err(format!("the schedule is invalid: {order} {step}: {}", error.message))
    })
}

fn check(project: &Project, schedule: &Schedule, played: &ScannerRun) -> Result<(), String> {
    is_valid(project, schedule)?;
    match validate::unloads(schedule) == played.unloads {
        true => Ok(()),
        false => Err("the automata finish wafers at other times than the schedule".to_owned()),
    }
}

fn present(
    project: &Project,
    schedule: Schedule,
    cycle: Cycle,
    (max_gap, first): (i64, i64),
    lowered: &LoweredScanner,
) -> Found {
    let account = account::machine(&project.spec, &schedule, (cycle.start, cycle.end));
    let sheet = Sheet { spec: &project.spec, schedule: &schedule, account: &account };
    Found {
        csv: render::csv(&sheet),
        orders: render::orders_csv(&sheet),
        model: xta::print(&lowered.network),
        interval: Ratio::new(cycle.end - cycle.start, cycle.wafers),
        cycle,
        max_gap,
        first,
        proofs: Vec::new(),
        account,
        schedule,
    }
}

impl Found {
    /// What a chart shows.
    pub fn rhythm<'a>(&'a self, project: &'a Project, solution: &Solution) -> Rhythm<'a> {
        let (schedule, account) = (&self.schedule, &self.account);
        let Cycle { start, end, wafers } = self.cycle;
        let noun = if wafers == 1 { "wafer" } else { "wafers" };
        Rhythm {
            sheet: Sheet { spec: &project.spec, schedule, account },
            cycle: (start, end),
            title: title(project, solution),
            about: format!(
                "first wafer at {}, then no gap above {}; from A to B {wafers} {noun} in {}",
                self.first,
                self.max_gap,
                end - start
            ),
        }
    }
}

/// `base: interval 260, optimal`
fn title(project: &Project, solution: &Solution) -> String {
    let (name, status) = (&project.name, solution.status.name());
    let Some(found) = &solution.found else { return format!("{name}: {status}") };
    let mut title = format!("{name}: interval {}, {status}", ratio(found.interval));
    if let Some(bound) = solution.bound.as_ref().filter(|bound| bound.interval != found.interval) {
        let _ = write!(title, " (at least {})", ratio(bound.interval));
    }
    title
}

/// A few lines for the terminal.
pub fn words(project: &Project, solution: &Solution) -> String {
    let mut out = format!("{}\n", title(project, solution));
    if let Some(found) = &solution.found {
        let _ = writeln!(out, "{}", found.rhythm(project, solution).about);
    }
    if let Some(bound) = &solution.bound {
        let (at_least, method) = (ratio(bound.interval), &bound.method);
        let _ = writeln!(out, "at least {at_least}: {method}; critical: {}", bound.critical);
    }
    for heuristic in &solution.heuristics {
        let _ = writeln!(out, "{}", judged(*heuristic));
    }
    if let Some(found) = &solution.found {
        for proof in &found.proofs {
            let _ = writeln!(out, "{proof}");
        }
        out.push_str(&render::utilisation(&found.account));
    }
    if let Some(reason) = &solution.reason {
        let _ = writeln!(out, "{reason}");
    }
    out
}

/// Whether a heuristic keeps what is best.
pub fn judged(heuristic: Heuristic) -> String {
    let judged = match heuristic.is_safe() {
        true => "safe: it keeps a schedule of the least interval",
        false => "not safe: it may cut every schedule of the least interval",
    };
    format!("heuristic {}: {judged}", heuristic.name())
}

/// As a decimal where that is exact, else as `a/b`.
pub fn ratio(number: Ratio<i64>) -> String {
    let (above, below) = (i128::from(*number.numer()), i128::from(*number.denom()));
    validate::exact(&takt_spec::Exact::new(above, below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_written_exactly() {
        assert_eq!(ratio(Ratio::new(520, 2)), "260");
        assert_eq!(ratio(Ratio::new(521, 2)), "260.5");
        assert_eq!(ratio(Ratio::new(100, 3)), "100/3");
    }
}
