//! The member that searches the automata with zones, and proves optima.
//!
//! Its search cannot be put down and taken up again, so it holds a thread: the team that shares the thread works
//! whenever the search pauses. Where others go on, it is given up when what it stores is worth more to them.

use super::board::Board;
use super::{Shared, Team, local_search};
use crate::pipeline::check::timed;
use crate::pipeline::context::SearchContext;
use crate::pipeline::plant::Automata;
use crate::pipeline::solution::{Engine, Failure};
use std::cell::RefCell;
use std::ops::ControlFlow;
use takt_automata::engine::{Answer, Control, Progress, Stop};
use takt_automata::trace::Trace;

/// For each bit of effort of their own the zones let the team spend so many: as many at first and while nobody has a
/// better bound, otherwise one more for each so many microseconds. What they can do they mostly do at once.
const LEAST: u64 = 1;
const MORE: u64 = 100_000;
const MOST: u64 = 4;

/// Stored states times steps at which the search is given up: some 200 megabytes.
const MOST_STORED: u64 = 25_000_000;

/// Searches until there is an answer, the board says stop, or it is given up; what it proves is on the board.
/// Gives the team back.
pub(super) fn search<'s>(
    shared: &'s Shared<'s>,
    team: Team<'s>,
) -> Result<(Answer, Team<'s>), Failure> {
    let Shared { context, board, .. } = shared;
    let zones = Zones { context, board, team: RefCell::new(team) };
    let answer = context.ask(&zones)?;
    Ok((answer, zones.team.into_inner()))
}

/// What the search sees of the portfolio.
struct Zones<'z> {
    context: &'z SearchContext<'z>,
    board: &'z Board<'z>,
    team: RefCell<Team<'z>>,
}

impl Zones<'_> {
    /// What so many states take, or to look at them: that grows with the plan.
    fn times_steps(&self, states: u64) -> u64 {
        states.saturating_mul(self.context.compiled.plan.step_count() as u64)
    }
}

impl Control for Zones<'_> {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        if local_search::takes_part(self.context) && self.times_steps(progress.stored) > MOST_STORED
        {
            return ControlFlow::Break(Stop::Memory);
        }
        self.board.poll()
    }

    fn pause(&self, progress: &Progress) {
        self.board.note(progress);
        let effort = self.times_steps(progress.explored);
        let leads = progress.bound.is_some() && progress.bound >= self.board.bound();
        let share = if leads { LEAST } else { (effort / MORE).clamp(LEAST, MOST) };
        self.team.borrow_mut().advance_to(effort.saturating_mul(share), self.board);
    }

    fn improved(&self, progress: &Progress) {
        self.board.note(progress);
        progress.best.into_iter().for_each(|best| self.board.announce(best));
    }

    fn known(&self) -> Option<i64> {
        self.board.value()
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.context.control.has_room(bytes)
    }

    fn witnessed(&self, trace: &mut dyn FnMut() -> Option<Trace>) {
        let plan = &self.context.compiled.plan;
        let Ok(Automata { lowered, model, goal }) = self.context.automata() else { return };
        let run = trace().and_then(|trace| timed(model, goal, &trace));
        if let Some(Ok(jobs)) = run.map(|run| takt_plant::jobs(plan, lowered, model, &run)) {
            let value = takt_plant::value(plan, &jobs);
            self.context.offer(self.board, value, &jobs, Engine::Zones, None);
        }
    }
}
