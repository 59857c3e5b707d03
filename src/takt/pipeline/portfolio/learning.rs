//! The member that learns from its conflicts: finds schedules, and proves bounds and optima of the plan.

use super::board::Board;
use super::{Member, Shared, Slice};
use crate::pipeline::context::SearchContext;
use crate::pipeline::request::Selection;
use crate::pipeline::solution::Engine;
use takt_plant::{Aim, Learner, Objective, Turn};

/// About what a slice takes, in microseconds.
const SLICE: u64 = 10_000;

pub(super) struct Learning<'a> {
    context: &'a SearchContext<'a>,
    board: &'a Board<'a>,
    aim: Aim,
    stage: Stage<'a>,
    /// The value of the best schedule that it knows.
    known: Option<i64>,
}

enum Stage<'a> {
    /// Nothing is written out yet: most plants need no learning.
    Fresh,
    Learns(Box<Learner<'a>>),
    /// The plan is too large, or there is no more to find.
    Over,
}

/// Automata of the user's own say themselves what they allow.
pub(super) fn takes_part(context: &SearchContext) -> bool {
    context.request.selection != Selection::Zones && !context.templates.is_replaced()
}

pub(super) fn join<'a>(shared: &'a Shared<'a>) -> Option<Box<dyn Member + 'a>> {
    let context = shared.context;
    let aim = if context.request.threads < 2 { Aim::Both } else { Aim::Better };
    takes_part(context).then(|| Box::new(Learning::new(shared, aim)) as Box<dyn Member + 'a>)
}

impl<'a> Learning<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, aim: Aim) -> Learning<'a> {
        let Shared { context, board, .. } = shared;
        Learning { context, board, aim, stage: Stage::Fresh, known: None }
    }
}

impl Member for Learning<'_> {
    fn stays_with_zones(&self) -> bool {
        true
    }

    fn advance(&mut self) -> Option<Slice> {
        let (context, board) = (self.context, self.board);
        if matches!(self.stage, Stage::Fresh) {
            let learner = Learner::new(&context.compiled.plan, self.aim).map(Box::new);
            self.stage = learner.map_or(Stage::Over, Stage::Learns);
        }
        let Stage::Learns(learner) = &mut self.stage else { return None };
        if let Some(jobs) = board.better_than(self.known) {
            let value = takt_plant::value(&context.compiled.plan, &jobs);
            learner.adopt(value, &jobs);
            self.known = Some(value);
        }
        context.floor.known().into_iter().for_each(|bound| learner.raise(bound));
        let before = learner.effort();
        let turn = learner.advance(SLICE, &mut || board.poll().is_break());
        let effort = learner.effort() - before;
        let is_fruitful = matches!(turn, Turn::Schedule(..) | Turn::Bound(_));
        match turn {
            Turn::Schedule(value, jobs) => {
                self.known = Some(value);
                context.propose(board, value, &jobs, Engine::Learn);
            }
            Turn::Bound(bound) => self.prove(bound),
            Turn::Spent => {}
            Turn::Complete => {
                self.stage = Stage::Over;
                match self.known {
                    Some(known) => self.prove(known),
                    None => board.close(Engine::Learn),
                }
                return None;
            }
        }
        Some(Slice { effort, is_fruitful })
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
