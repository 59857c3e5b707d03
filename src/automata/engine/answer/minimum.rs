//! Answers about the smallest value of a clock and the least cost.

use super::context::{Context, Setting, Width, blank, with_zones};
use super::follow::{Path, failure};
use super::{Answered, is_over};
use crate::dbm::{Dbm, NO_LIMIT};
use crate::engine::incumbent::{Best, Incumbent};
use crate::engine::observer::Observer;
use crate::engine::optimum::{Cheapest, Earliest};
use crate::engine::projection::Projection;
use crate::engine::search::{End, Goal, Search};
use crate::engine::successor::Broken;
use crate::engine::tables::Limit;
use crate::engine::zone::Zone;
use crate::engine::{Answer, Extremum, Options, Order, Verdict};
use crate::model::{Fault, FaultKind, Formula};
use crate::priced::Priced;
use crate::trace::{Constraint, Move, Trace};
use takt_diagnostic::Span;

impl Context<'_> {
    pub(super) fn earliest(&self, goal: Earliest) -> Answered<Answer> {
        let mut setting = self.setting(goal.within);
        // May be compared with anything from above: only the smallest value matters.
        let measured = Limit { clock: goal.clock, lower: NO_LIMIT, upper: i64::MAX };
        setting.interest.measured = Some(measured);
        with_zones!(self.width(&setting), Z => self.earliest_with::<Z>(goal, &setting))
    }

    fn earliest_with<Z: Zone>(&self, mut goal: Earliest, setting: &Setting) -> Answered<Answer> {
        let (clock, within) = (goal.clock, goal.within);
        self.minimise::<Z>(&mut goal, setting, &|moves, best| {
            let limit =
                Constraint { left: Some(clock), right: None, is_strict: false, bound: best.value };
            self.extreme(Path::new(moves, setting), within, best, limit)
        })
    }

    pub(super) fn cheapest(&self, within: &Formula) -> Answered<Answer> {
        let setting = self.setting(within);
        match self.width(&setting) {
            Width::Wide => self.cheapest_with::<Priced<i64>>(within, &setting),
            _ => self.cheapest_with::<Priced<i32>>(within, &setting),
        }
    }

    fn cheapest_with<Z: Zone>(&self, within: &Formula, setting: &Setting) -> Answered<Answer> {
        let mut goal = Cheapest {
            within,
            projection: Projection::of_cost(self.model, within, &mut || is_over(self.control)),
            remaining: self.model.remaining,
            incumbent: Incumbent { known: self.control.known(), best: None },
            has_overflown: false,
        };
        let answer = self.minimise::<Z>(&mut goal, setting, &|moves, best| {
            self.bargain(Path::new(moves, setting), within, best)
        })?;
        if goal.has_overflown {
            let fault = Fault { kind: FaultKind::Overflow, span: Span::default() };
            return Err(Box::new(failure(Broken { fault, action: None }, Trace::default())));
        }
        Ok(Answer { assumes_remaining: self.model.remaining.is_some(), ..answer })
    }

    /// Searches for the smallest value; `trace` makes a trace of the moves to one. The control may
    /// look at the way to each better value.
    fn minimise<Z: Zone>(
        &self,
        goal: &mut dyn Goal<Z>,
        setting: &Setting,
        trace: &dyn Fn(&[Move], Best) -> Answered<Trace>,
    ) -> Answered<Answer> {
        let mut search = self.minimising::<Z>(setting);
        let incumbent_of = |goal: &mut dyn Goal<Z>| {
            *goal.incumbent().expect("a goal that is minimised has an incumbent")
        };
        let end = loop {
            match self.run(&mut search, goal, setting)? {
                End::Improved => {
                    if let Some(best) = incumbent_of(goal).best {
                        let moves = || search.store.path(best.node);
                        self.control.witnessed(&mut || trace(&moves(), best).ok());
                    }
                }
                end => break end,
            }
        };
        let mut answer = blank(&search, end);
        let incumbent = incumbent_of(goal);
        if let Some(best) = incumbent.best {
            answer.trace = Some(trace(&search.store.path(best.node), best)?);
            answer.value = Some(best.extremum());
        }
        answer.settle_minimum(incumbent, search.bound(), end);
        Ok(answer)
    }

    /// A search for the smallest value: best first with dives unless the user wants another order.
    fn minimising<'s, Z: Zone>(&'s self, setting: &Setting) -> Search<'s, Z> {
        let tables = self.tables(setting);
        let cover = Search::<Z>::cover_for(&tables);
        let order = self.options.order.unwrap_or(Order::Diving);
        let options = Options { order: Some(order), ..self.options.clone() };
        Search::new(tables, Observer::default(), cover, &options)
    }
}

impl Answer {
    /// Verdict and bound of a search for the smallest value: what waits cannot be better
    /// than its rank.
    fn settle_minimum(&mut self, incumbent: Incumbent, waiting: Option<i64>, end: End) {
        let (best, known) = (incumbent.best.map(|best| best.value), incumbent.known);
        (self.verdict, self.bound) = match (best, end) {
            (_, End::Stopped(_)) => {
                (Verdict::Unknown, waiting.into_iter().chain(best).chain(known).min())
            }
            (Some(_), _) => (Verdict::Satisfied, best),
            (None, _) => (Verdict::Violated, known),
        };
    }
}

impl Best {
    pub(super) fn extremum(self) -> Extremum {
        Extremum::Finite { value: self.value, attained: self.is_attained }
    }
}
