//! The member that proves what no schedule can beat, from the plan alone, before anybody searches the
//! automata.

use super::board::Board;
use super::{Member, Shared, Slice};
use crate::pipeline::context::SearchContext;
use crate::pipeline::solution::Engine;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};
use takt_plant::{Objective, Plan};

/// No schedule is better than this, with heuristics or without: what is known at once, and what
/// takes a while.
pub(crate) struct Floor {
    pub quick: Option<i64>,
    deep: OnceLock<Option<i64>>,
    /// What the learning search has proved; the least number if that is nothing.
    learned: AtomicI64,
}

impl Floor {
    pub(crate) fn new(plan: &Plan) -> Floor {
        let quick = takt_plant::quick_floor(plan);
        let learned = AtomicI64::new(i64::MIN);
        match plan.objective {
            // There is nothing that takes longer.
            Objective::Feasible => Floor { quick, deep: OnceLock::from(quick), learned },
            _ => Floor { quick, deep: OnceLock::new(), learned },
        }
    }

    /// The best that is known.
    pub(crate) fn known(&self) -> Option<i64> {
        self.learned().max(self.of_plan())
    }

    /// Who proved it.
    pub(crate) fn prover(&self) -> Engine {
        if self.learned() > self.of_plan() { Engine::Learn } else { Engine::Floor }
    }

    /// The learning search has proved this.
    pub(super) fn raise(&self, bound: i64) {
        self.learned.fetch_max(bound, Ordering::AcqRel);
    }

    fn learned(&self) -> Option<i64> {
        Some(self.learned.load(Ordering::Acquire)).filter(|&bound| bound > i64::MIN)
    }

    fn of_plan(&self) -> Option<i64> {
        self.deep.get().copied().unwrap_or(self.quick)
    }

    fn deepen(&self, plan: &Plan, is_over: &mut dyn FnMut() -> bool) -> Option<i64> {
        *self.deep.get_or_init(|| takt_plant::floor_until(plan, is_over))
    }
}

pub(super) fn join<'a>(shared: &'a Shared<'a>) -> Option<Box<dyn Member + 'a>> {
    Some(Box::new(Deepening { context: shared.context, board: &shared.board }))
}

struct Deepening<'a> {
    context: &'a SearchContext<'a>,
    board: &'a Board<'a>,
}

/// From so many steps on a bound takes seconds, and schedules do not wait for it.
const MANY_STEPS: usize = 2000;

impl Member for Deepening<'_> {
    fn begin(&mut self) -> bool {
        let is_large = self.context.compiled.plan.step_count() >= MANY_STEPS;
        is_large || self.advance().is_some()
    }

    fn stays_with_zones(&self) -> bool {
        true
    }

    fn advance(&mut self) -> Option<Slice> {
        let (context, board) = (self.context, self.board);
        if board.poll().is_continue() {
            let bound =
                context.floor.deepen(&context.compiled.plan, &mut || board.poll().is_break());
            board.raise(bound, Engine::Floor);
        }
        None
    }
}
