//! The portfolio: engines that look for schedules and bounds of one plant, side by side.
//!
//! Members tell each other what they find through the [`Board`]: the incumbent, the bound, when to
//! stop. Each works in slices. With several threads they are dealt out to them; with one they take
//! turns by counted effort ([`team`]), so that equal inputs give equal schedules. The search through
//! the automata ([`zones`]) cannot be cut into slices from outside: it holds a thread, and those that
//! share it work whenever it pauses.
//!
//! Every schedule, wherever it comes from, runs through the automata, heuristics included, and past
//! the validator before it counts ([`SearchContext`]). Bounds count as long as no heuristic may have cut better
//! schedules.
//!
//! To add a member: a file with an implementation of [`Member`], and its line in [`MEMBERS`].

mod board;
mod floor;
mod learning;
mod local_search;
mod team;
mod zones;

pub(super) use board::{Board, Incumbent};
pub(super) use floor::Floor;

use super::context::{Checked, Outcome, SearchContext};
use super::request::Selection;
use super::solution::{Engine, Failure, States, Status, disagreement};
use learning::Learning;
use local_search::LocalSearch;
use takt_automata::engine::{Answer, Extremum, Stop, Verdict};
use takt_plant::{Aim, Objective};
use team::{Slice, Team};

/// One of those who look for schedules or bounds, and tell the board.
trait Member: Send {
    /// What it does before the automata are searched, in the sequence of [`MEMBERS`]: what is likely
    /// to save that search, or most of it. False if it takes no turns afterwards.
    fn begin(&mut self) -> bool {
        true
    }

    /// With several threads it works on that of the zones, in their pauses.
    fn stays_with_zones(&self) -> bool {
        false
    }

    /// Works for one slice, some milliseconds at most. `None` if it has nothing more to try.
    fn advance(&mut self) -> Option<Slice>;
}

/// What members share.
pub(super) struct Shared<'s> {
    pub context: &'s SearchContext<'s>,
    pub board: Board<'s>,
    pub plant: takt_plant::Plant<'s>,
}

/// Gives a member, if it takes part in this context.
type Join = for<'s> fn(&'s Shared<'s>) -> Option<Box<dyn Member + 's>>;

/// All members but the zones, in the sequence in which they begin.
const MEMBERS: &[Join] = &[local_search::join, floor::join, learning::join];

/// More threads than this would only follow each other.
const MOST_THREADS: usize = 16;

/// The best that the automata as compiled allow, and how much of that is proved.
pub(super) fn search(context: &SearchContext) -> Result<(Outcome, Option<Checked>), Failure> {
    let plan = &context.compiled.plan;
    let is_any = context.is_any || plan.objective == Objective::Feasible;
    let board = Board::new(context.control, context.scale(), context.floor.quick, is_any);
    let shared = Shared { context, board, plant: takt_plant::Plant::new(plan) };
    let answer = run(&shared)?;
    let board = &shared.board;
    board.raise(answer.bound, Engine::Zones);
    if answer.verdict != Verdict::Unknown {
        board.close(Engine::Zones);
    }
    let best = better(context, &answer, board)?;
    let mut outcome = outcome(&answer, best.as_ref(), board);
    outcome.proved_by = prover(&outcome, context.floor, board);
    Ok((outcome, best))
}

/// Runs all members until there is an answer, or no more is wanted.
fn run<'s>(shared: &'s Shared<'s>) -> Result<Answer, Failure> {
    let mut team = Team::new(MEMBERS.iter().filter_map(|join| join(shared)));
    team.begin();
    if let Some(stop) = shared.board.poll().break_value() {
        return Ok(unanswered(stop));
    }
    let threads = shared.context.request.threads.min(MOST_THREADS);
    if threads < 2 {
        return lead(shared, team);
    }
    let (stay, others): (Vec<_>, Vec<_>) =
        team.into_members().partition(|member| member.stays_with_zones());
    std::thread::scope(|scope| {
        for team in deal(shared, others, threads - 1) {
            // Where there is no room for a thread, its members do not take part.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || follow(shared, team));
        }
        // The others must not go on for ever, also where the search ends by a bug.
        let _end = End(&shared.board);
        lead(shared, Team::new(stay))
    })
}

/// The thread that gives the answer: the zones with their team, then the team alone.
fn lead<'s>(shared: &'s Shared<'s>, team: Team<'s>) -> Result<Answer, Failure> {
    let Shared { context, board, .. } = shared;
    context.automata()?;
    rehearse(shared);
    let (answer, mut team) = match context.request.selection {
        // Where it ends before the time does, nothing was written out.
        Selection::Learn => (unanswered(Stop::Size), team),
        _ => zones::search(shared, team)?,
    };
    if answer.verdict == Verdict::Unknown {
        while board.poll().is_continue() && team.advance() {}
        // Where nobody is left, one more who changes schedules, and goes its own way.
        if local_search::goes_on(context) && context.request.threads > 1 {
            team.add(Box::new(LocalSearch::new(shared, MOST_THREADS as u64)));
            while board.poll().is_continue() && team.advance() {}
        }
    }
    Ok(Answer { stopped: board.stopped().or(answer.stopped), ..answer })
}

/// What was found before there were automata is replayed on them.
fn rehearse(Shared { context, board, .. }: &Shared) {
    if let Some(best) = board.incumbent().filter(|best| best.checked.is_none()) {
        board.rehearse(&mut || {
            let checked = context.finish(&best.jobs, best.by);
            checked.iter().for_each(|checked| board.pass(best.value, checked));
        });
    }
}

/// Any other thread. The zones may be far from their next pause when a limit comes: the incumbent is finished here.
fn follow(Shared { context, board, .. }: &Shared, mut team: Team) {
    while board.poll().is_continue() && team.advance() {}
    if board.takes_last_turn()
        && let Some(best) = board.incumbent().filter(|best| best.checked.is_none())
        && let Some(checked) = context.finish(&best.jobs, best.by)
    {
        board.pass(best.value, &checked);
    }
}

/// Deals members out to as many threads, a second learning search beside them, which raises the bound; where there are
/// more threads, the local search goes several ways at once.
fn deal<'s>(
    shared: &'s Shared<'s>,
    members: Vec<Box<dyn Member + 's>>,
    threads: usize,
) -> Vec<Team<'s>> {
    let mut teams: Vec<Vec<Box<dyn Member + 's>>> = Vec::new();
    teams.resize_with(threads, Vec::new);
    let refuter = learning::takes_part(shared.context)
        .then(|| Box::new(Learning::new(shared, Aim::Bound)) as Box<dyn Member + 's>);
    for (number, member) in members.into_iter().chain(refuter).enumerate() {
        teams[number % threads].push(member);
    }
    if local_search::goes_on(shared.context) {
        for (team, number) in teams.iter_mut().zip(1..).filter(|(team, _)| team.is_empty()) {
            team.push(Box::new(LocalSearch::new(shared, number)));
        }
    }
    teams.into_iter().map(Team::new).collect()
}

/// Ends all searches when it goes.
struct End<'b, 'c>(&'b Board<'c>);

impl Drop for End<'_, '_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Of the incumbent and the schedule of the answer the better one.
fn better(
    context: &SearchContext,
    answer: &Answer,
    board: &Board,
) -> Result<Option<Checked>, Failure> {
    let wrong = |why| disagreement(context.templates, why);
    let Some(incumbent) = board.incumbent() else {
        return answer.trace.as_ref().map(|_| context.accept(answer)).transpose();
    };
    match answer.value {
        Some(Extremum::Finite { value, .. }) if value < incumbent.value => {
            context.accept(answer).map(Some)
        }
        _ => match incumbent.checked {
            Some(checked) => Ok(Some(checked)),
            None => context.settle(incumbent.jobs, incumbent.by).map(Some).map_err(wrong),
        },
    }
}

/// What is known of the automata before they were searched: nothing.
pub(crate) fn unanswered(stop: Stop) -> Answer {
    Answer {
        verdict: Verdict::Unknown,
        value: None,
        bound: None,
        explored: 0,
        stored: 0,
        trace: None,
        reduced: Vec::new(),
        accelerated: Vec::new(),
        assumes_remaining: false,
        stopped: Some(stop),
    }
}

/// Who proved what is said: the plan alone, as far as it can.
fn prover(outcome: &Outcome, floor: &Floor, board: &Board) -> Option<Engine> {
    let (bound, all) = board.provers();
    match outcome.bound {
        Some(known) if floor.known().is_some_and(|floor| floor >= known) => Some(floor.prover()),
        Some(_) if outcome.status == Status::Optimal => all.or(bound),
        Some(_) => bound,
        None => all.filter(|_| outcome.status == Status::Infeasible),
    }
}

/// What the answer of the zones and the board say, beside the best schedule.
fn outcome(answer: &Answer, best: Option<&Checked>, board: &Board) -> Outcome {
    let bound = board.bound();
    let value = best.and_then(|best| best.value);
    let status = match (board.provers().1, best) {
        (Some(_), Some(_)) => Status::Optimal,
        (Some(_), None) => Status::Infeasible,
        (None, Some(_)) if value <= bound => Status::Optimal,
        (None, Some(_)) => Status::Feasible,
        (None, None) => Status::Unknown,
    };
    // Where nothing better than the incumbent is left, its value is the bound.
    let bound = match status {
        Status::Infeasible => None,
        Status::Optimal => bound.max(value),
        _ => bound,
    };
    let is_open = matches!(status, Status::Feasible | Status::Unknown);
    Outcome {
        value,
        // What was shown of all others cannot be above what there is.
        bound: value.map_or(bound, |value| bound.map(|bound| bound.min(value))),
        found_by: best.map(|best| best.by),
        rule: value.and_then(|_| board.rule()),
        states: States { explored: answer.explored, stored: answer.stored },
        stopped: board.stopped().or(answer.stopped).filter(|_| is_open),
        status,
        ..Outcome::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use takt_automata::engine::Unlimited;

    fn outcome(verdict: Verdict, bound: Option<i64>, best: Option<&Checked>) -> Outcome {
        let board = Board::new(&Unlimited, 1, None, false);
        board.raise(bound, Engine::Zones);
        if verdict != Verdict::Unknown {
            board.close(Engine::Zones);
        }
        super::outcome(&unanswered(Stop::Time), best, &board)
    }

    #[test]
    fn a_limit_keeps_the_best_schedule_so_far() {
        let best = Checked { schedule: Arc::default(), value: Some(60), by: Engine::Rules };
        let solution = outcome(Verdict::Unknown, Some(50), Some(&best));
        assert_eq!(solution.status, Status::Feasible);
        assert_eq!((solution.value, solution.bound), (Some(60), Some(50)));
        let solution = outcome(Verdict::Unknown, Some(50), None);
        assert_eq!(solution.status, Status::Unknown);
        assert_eq!((solution.value, solution.bound), (None, Some(50)));
    }

    #[test]
    fn nothing_better_is_a_proof_for_what_is_known() {
        let best = Checked { schedule: Arc::default(), value: Some(60), by: Engine::Rules };
        let solution = outcome(Verdict::Violated, Some(60), Some(&best));
        assert_eq!((solution.status, solution.bound), (Status::Optimal, Some(60)));
        assert_eq!(outcome(Verdict::Violated, None, None).status, Status::Infeasible);
    }
}
