//! The member that changes schedules: dispatching rules first, then small changes of the best one
//! known, whoever found it. Proves nothing.

use super::board::Board;
use super::{Member, Shared, Slice};
use crate::pipeline::context::SearchContext;
use crate::pipeline::request::Selection;
use crate::pipeline::solution::Engine;
use takt_plant::{FoundBy, Improver, Jobs};

/// How many slices are tried before the automata are searched, and how many of them look for a first
/// schedule.
const HEAD_START: u64 = 25;
const SEEKING: u64 = 3;

/// How many of them may bring nothing.
const MOST_IDLE: u64 = 5;

/// About what a slice takes, in microseconds.
const SLICE: u64 = 4000;

pub(super) struct LocalSearch<'a> {
    context: &'a SearchContext<'a>,
    board: &'a Board<'a>,
    improver: Improver<'a>,
}

/// Automata of the user's own say themselves what they allow.
pub(super) fn takes_part(context: &SearchContext) -> bool {
    context.request.selection != Selection::Zones && !context.templates.is_replaced()
        || context.is_any
}

/// Beside the learning search alone it gives the first schedule and no more.
pub(super) fn goes_on(context: &SearchContext) -> bool {
    takes_part(context) && context.request.selection != Selection::Learn
}

pub(super) fn join<'a>(shared: &'a Shared<'a>) -> Option<Box<dyn Member + 'a>> {
    takes_part(shared.context)
        .then(|| Box::new(LocalSearch::new(shared, 0)) as Box<dyn Member + 'a>)
}

impl<'a> LocalSearch<'a> {
    /// Those of different numbers go different ways.
    pub(super) fn new(shared: &'a Shared<'a>, number: u64) -> LocalSearch<'a> {
        let Shared { context, board, plant } = shared;
        let seed = context.request.seed.wrapping_add(number);
        LocalSearch { context, board, improver: Improver::new(plant, seed, context.floor.quick) }
    }
}

impl Member for LocalSearch<'_> {
    fn begin(&mut self) -> bool {
        if !goes_on(self.context) {
            let mut teller = Teller { context: self.context, board: self.board };
            self.improver.advance(0, &mut teller);
            return false;
        }
        let (mut tried, mut idle) = (0, 0);
        while tried < HEAD_START && idle < MOST_IDLE {
            let Some(slice) = self.advance() else { break };
            tried += 1;
            idle = if slice.is_fruitful { 0 } else { idle + 1 };
            if tried >= SEEKING && self.improver.kept().is_none() {
                break;
            }
        }
        true
    }

    fn advance(&mut self) -> Option<Slice> {
        if let Some(jobs) = self.board.better_than(self.improver.kept()) {
            self.improver.adopt(&jobs);
        }
        let before = self.improver.kept();
        let mut teller = Teller { context: self.context, board: self.board };
        let has_more = self.improver.advance(SLICE, &mut teller);
        let is_fruitful = self.improver.kept() != before;
        has_more.then_some(Slice { effort: SLICE, is_fruitful })
    }
}

/// Takes schedules to the board as they are found.
struct Teller<'t> {
    context: &'t SearchContext<'t>,
    board: &'t Board<'t>,
}

impl takt_plant::IncumbentCallback for Teller<'_> {
    fn is_over(&mut self) -> bool {
        self.board.poll().is_break()
    }

    fn found(&mut self, value: i64, jobs: &Jobs, origin: FoundBy) -> bool {
        let by = match origin {
            FoundBy::Rule => Engine::Rules,
            FoundBy::Change => Engine::LocalSearch,
        };
        self.context.propose(self.board, value, jobs, by)
    }
}
