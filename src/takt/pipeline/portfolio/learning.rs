//! The member that learns from its conflicts: finds schedules, and proves bounds and optima of the plan.

use super::board::Board;
use super::{Member, Shared};
use crate::pipeline::context::SearchContext;
use crate::pipeline::request::Selection;
use crate::pipeline::solution::Engine;
use takt_plant::{Learner, Objective, Turn};

/// Conflicts in the first slice, by how much slices grow, and in the longest: what the zones or the local search do
/// at once needs no learning, and what takes long is mostly left to it.
const FIRST: u64 = 5;
const MORE: u64 = 1;
const LONGEST: u64 = 300;

struct Learning<'a> {
    context: &'a SearchContext<'a>,
    board: &'a Board<'a>,
    stage: Stage<'a>,
    /// The value of the best schedule that it knows.
    known: Option<i64>,
    slice: u64,
}

enum Stage<'a> {
    /// Nothing is written out yet: most plants need no learning.
    Fresh,
    Learns(Box<Learner<'a>>),
    /// The plan is too large, or there is no more to find.
    Over,
}

/// Automata of the user's own say themselves what they allow.
pub(super) fn join<'a>(shared: &'a Shared<'a>) -> Option<Box<dyn Member + 'a>> {
    let (context, board) = (shared.context, &shared.board);
    let takes_part =
        context.request.selection != Selection::Zones && !context.templates.is_replaced();
    takes_part.then(|| {
        Box::new(Learning { context, board, stage: Stage::Fresh, known: None, slice: FIRST })
            as Box<dyn Member + 'a>
    })
}

impl Member for Learning<'_> {
    fn stays_with_zones(&self) -> bool {
        true
    }

    fn advance(&mut self) -> bool {
        let (context, board) = (self.context, self.board);
        if matches!(self.stage, Stage::Fresh) {
            let learner = Learner::new(&context.compiled.plan).map(Box::new);
            self.stage = learner.map_or(Stage::Over, Stage::Learns);
        }
        let Stage::Learns(learner) = &mut self.stage else { return false };
        if let Some(jobs) = board.better_than(self.known) {
            let value = takt_plant::value(&context.compiled.plan, &jobs);
            learner.adopt(value, &jobs);
            self.known = Some(value);
        }
        context.floor.known().into_iter().for_each(|bound| learner.raise(bound));
        self.slice = (self.slice + MORE).min(LONGEST);
        match learner.advance(self.slice, &mut || board.poll().is_break()) {
            Turn::Schedule(value, jobs) => {
                self.known = Some(value);
                context.propose(board, value, &jobs, Engine::Learn);
                true
            }
            Turn::Bound(bound) => {
                self.prove(bound);
                true
            }
            Turn::Spent => true,
            Turn::Complete => {
                self.stage = Stage::Over;
                match self.known {
                    Some(known) => self.prove(known),
                    None => board.close(Engine::Learn),
                }
                false
            }
        }
    }
}

impl Learning<'_> {
    /// No schedule is better than this, with heuristics or without.
    fn prove(&self, bound: i64) {
        // Where any schedule will do, none has a value.
        if self.context.compiled.plan.objective == Objective::Feasible {
            return;
        }
        self.context.floor.raise(bound);
        self.board.raise(Some(bound), Engine::Learn);
    }
}
