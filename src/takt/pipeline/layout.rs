//! From a layout to a schedule without an end that was replayed and validated.

use super::problem::Problem;
use super::reason::Reason;
use super::request::{Pace, Request};
use super::solution::{Engine, Failure, Found, LayoutFigures, Solution, Status, disagreement};
use std::sync::Arc;
pub use takt_scanner::rhythm::outlines;

use num_rational::Ratio;
use takt_automata::compose::Templates;
use takt_automata::engine::{Control, Progress, Stop};
use takt_automata::interpret;
use takt_automata::model::{self, Model};
use takt_automata::network::Network;
use takt_report::account_of_layout;
use takt_report::{Headline, Rhythm};
use takt_scanner::lower::{self, Ban, Rules};
use takt_scanner::rhythm;
use takt_scanner::safety::{self, Place};
use takt_scanner::{
    Cycle, Heuristic, Infinite, Op, OpKind, Scanner, ScannerRun, scanner_rows, scanner_run,
};
use takt_spec::Exact;
use takt_spec::schedule::Schedule;
use takt_validate as validate;

/// What a compiled layout is asked: a first wafer in time, and no gap above the limit ever after.
pub const QUESTION: &str =
    "E[] (observer.L0 imply observer.x <= H) && (observer.L1 imply observer.x <= S)";

/// The limits given, and what one wafer at a time can keep where none is.
pub fn pace(scanner: &Scanner, pace: &Pace) -> lower::Pace {
    let easy = lower::Pace::leisurely(scanner);
    let first = pace.first.unwrap_or(easy.first);
    lower::Pace { first, max_gap: pace.max_gap.unwrap_or(easy.max_gap) }
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
pub(super) fn solve(
    problem: &Problem,
    scanner: &Scanner,
    templates: &Templates,
    request: &Request,
    control: &dyn Control,
) -> Result<Solution, Failure> {
    let pace = &request.pace;
    let machine = Machine { problem, scanner, templates };
    let mut watch = Watched {
        control,
        stopped: None,
        rehearsed: 0,
        finish: &mut |infinite| machine.rehearse(request, infinite),
    };
    let answer = ask(scanner, pace, &mut watch);
    let heuristics = pace.heuristics.iter();
    let heuristics =
        heuristics.map(|one| super::Heuristic { name: one.name(), is_safe: one.is_safe() });
    let bound = answer.bound.as_ref();
    let mut figures = LayoutFigures {
        labels: answer.labels,
        bound: bound.map(|bound| (bound.method.clone(), bound.critical.clone())),
        proofs: Vec::new(),
    };
    let solution = Solution {
        bound: bound.map(|bound| exact(bound.interval)),
        proved_by: bound
            .map(|bound| if bound.by_closure { Engine::Closure } else { Engine::Relaxation }),
        heuristics: heuristics.collect(),
        stopped: answer.stopped,
        ..Solution::default()
    };
    let (proofs, infinite) = match answer.schedule {
        Ok(found) => found,
        Err((status, reason)) => {
            let reason = Some(reason).filter(|reason| !reason.is_empty()).map(Reason::new);
            return Ok(Solution { status, reason, layout: Some(figures), ..solution });
        }
    };
    figures.proofs = proofs;
    let (found, network) = machine.examine(pace, &infinite)?;
    let interval = found.rhythm.map(|rhythm| exact(rhythm.interval()));
    let is_proved =
        solution.bound.is_some_and(|bound| interval.is_some_and(|value| bound >= value));
    let is_cut = answer.is_complete && pace.doubtful().next().is_some();
    let mut solution = Solution {
        status: match is_proved {
            true => Status::Optimal,
            false if is_cut => Status::Restricted,
            false => Status::Feasible,
        },
        value: interval,
        // The search from state to state that proves rhythms finds them, too.
        found_by: Some(Engine::Closure),
        layout: Some(figures),
        ..solution
    };
    let headline = solution.headline(problem);
    solution.found = Some(found.present(problem, request, headline, &network));
    Ok(solution)
}

/// What the search for a rhythm says.
struct Answer {
    schedule: Result<(Vec<String>, Infinite), (Status, String)>,
    bound: Option<rhythm::Bound>,
    labels: u64,
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

impl rhythm::Listener for Watched<'_> {
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

fn ask(scanner: &Scanner, pace: &Pace, watch: &mut Watched) -> Answer {
    let Pace { max_gap, first, heuristics } = pace.clone();
    let options = rhythm::Options { max_gap, first, heuristics, ..rhythm::Options::default() };
    let mut answer = rhythm::solve(scanner, &options, watch);
    let blamed: Vec<&str> = pace.doubtful().map(|heuristic| heuristic.name()).collect();
    if !blamed.is_empty() && matches!(answer.outcome, rhythm::Outcome::Unknown(_)) {
        answer = without_heuristics(scanner, &options, &blamed, watch);
    }
    let schedule = match answer.outcome {
        rhythm::Outcome::Found(rhythm) => Ok((proofs(&rhythm), rhythm.schedule)),
        rhythm::Outcome::None(why) => Err((Status::Infeasible, why)),
        // One wafer at a time is better than nothing.
        rhythm::Outcome::Unknown(why) => match slow(scanner, pace) {
            Some(schedule) => Ok((vec![ONE_AT_A_TIME.to_owned()], schedule)),
            None => Err((Status::Unknown, why)),
        },
    };
    let bound = Some(answer.bound).filter(|bound| bound.interval > Ratio::from_integer(0));
    let (labels, is_complete) = (answer.explored, answer.is_complete);
    Answer { schedule, bound, labels, stopped: watch.stopped, is_complete }
}

/// Where heuristics leave nothing: whether there is nothing without them either.
fn without_heuristics(
    scanner: &Scanner,
    options: &rhythm::Options,
    blamed: &[&str],
    watch: &mut dyn rhythm::Listener,
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
fn slow(scanner: &Scanner, pace: &Pace) -> Option<Infinite> {
    let slow = scanner.leisurely().filter(|_| pace.doubtful().next().is_none())?;
    let unloads = slow.ops.iter().filter(|op| matches!(op.kind, OpKind::Unload { .. }));
    let first = unloads.map(|op| op.end).min()?;
    let keeps = pace.max_gap.is_none_or(|gap| slow.cycle.end <= gap)
        && pace.first.is_none_or(|latest| first <= latest);
    keeps.then_some(slow)
}

/// How often the cycle is shown, and how often it is tried.
const SHOWN: i64 = 2;
const TRIED: i64 = 3;

/// The machine that schedules are made for.
#[derive(Clone, Copy)]
struct Machine<'m> {
    problem: &'m Problem,
    scanner: &'m Scanner,
    templates: &'m Templates,
}

impl Machine<'_> {
    /// All that is done with a schedule once it is the last.
    fn rehearse(&self, request: &Request, infinite: &Infinite) {
        // Limits are kept by the last one only.
        let free = Pace { max_gap: None, first: None, ..request.pace.clone() };
        if let Ok((found, network)) = self.examine(&free, infinite) {
            let headline =
                Solution { status: Status::Feasible, ..Solution::default() }.headline(self.problem);
            std::hint::black_box(found.present(self.problem, request, headline, &network));
        }
    }

    /// Replays and validates a schedule, and takes its figures from what was seen there. Beside it
    /// comes the network that it was replayed on.
    fn examine(&self, pace: &Pace, infinite: &Infinite) -> Result<(Found, Network), Failure> {
        let Machine { problem, scanner, templates } = *self;
        let wrong = |why: String| disagreement(templates, why);
        let cycle = infinite.cycle;
        let ops = scanner.unroll(infinite, TRIED);
        let rows = |ops: &[Op]| scanner_rows(scanner, ops).map_err(Failure::Bug);
        let (tried, shown) = (rows(&ops)?, rows(&scanner.unroll(infinite, SHOWN))?);
        let figures = figures(&validate::unloads(&tried), cycle).ok_or_else(|| {
            Failure::Bug("a cycle does not finish as many wafers as it says".to_owned())
        })?;
        let (first, max_gap) =
            (pace.first.unwrap_or(figures.first), pace.max_gap.unwrap_or(figures.max_gap));
        let lowered = lower::lower_scanner(scanner, lower::Pace { first, max_gap }, templates);
        let (model, _) = model::build(&lowered.network).map_err(Failure::Input)?;
        let played = scanner_run(&lowered, &model, &ops, cycle).map_err(wrong)?;
        replay(&model, &played).map_err(wrong)?;
        check(problem, &tried, &played).map_err(Failure::Bug)?;
        validate::recurs(&problem.spec, &tried, (cycle.start, cycle.end))
            .map_err(|why| Failure::Bug(format!("the cycle does not lead back: {why}")))?;
        is_valid(problem, &shown).map_err(Failure::Bug)?;
        if figures.max_gap > max_gap || figures.first > first {
            let why = "a schedule does not keep the limits it was made for";
            return Err(Failure::Bug(why.to_owned()));
        }
        let account = account_of_layout(&problem.spec, &shown, (cycle.start, cycle.end));
        let found = Found {
            schedule: Arc::new(shown),
            account: Arc::new(account),
            headline: Headline::default(),
            rhythm: Some(figures),
            artifacts: Vec::new(),
        };
        Ok((found, lowered.network))
    }
}

/// The largest gap, and the first wafer; `None` if the cycle does not finish so many wafers.
fn figures(unloads: &[i64], cycle: Cycle) -> Option<Rhythm> {
    let length = cycle.end - cycle.start;
    // What begins to leave in a cycle may be out in the next one: from the second cycle on as many
    // are out as began.
    let second = (cycle.end + 1)..=(cycle.end + length);
    let out = unloads.iter().filter(|end| second.contains(end)).count() as i64;
    let is_right = cycle.wafers > 0 && length > 0 && out == cycle.wafers;
    let max_gap = unloads.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(length);
    let first = *unloads.first()?;
    is_right.then_some(Rhythm { cycle, first, max_gap })
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
fn is_valid(problem: &Problem, schedule: &Schedule) -> Result<(), String> {
    let report = validate::validate(&problem.spec, schedule);
    report.errors.first().map_or(Ok(()), |error| {
        let (order, step) = (&error.order, &error.step);
        Err(format!("the schedule is invalid: {order} {step}: {}", error.message))
    })
}

fn check(problem: &Problem, schedule: &Schedule, played: &ScannerRun) -> Result<(), String> {
    is_valid(problem, schedule)?;
    match validate::unloads(schedule) == played.unloads {
        true => Ok(()),
        false => Err("the automata finish wafers at other times than the schedule".to_owned()),
    }
}

/// Whether a heuristic keeps what is best.
pub fn judged(name: &str, is_safe: bool) -> String {
    let judged = match is_safe {
        true => "safe: it keeps a schedule of the least interval",
        false => "not safe: it may cut every schedule of the least interval",
    };
    format!("heuristic {name}: {judged}")
}

/// As a decimal where that is exact, else as `a/b`.
pub fn ratio(number: Ratio<i64>) -> String {
    validate::exact(&exact(number))
}

/// The same number, with more room.
pub fn exact(number: Ratio<i64>) -> Exact {
    Exact::new(i128::from(*number.numer()), i128::from(*number.denom()))
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
