//! Answers about the smallest value of a clock and the least cost.

use super::context::{Context, Width, blank, exact_for, with_zones};
use super::follow::failure;
use super::{Answered, is_over};
use crate::dbm::{Dbm, NO_LIMIT};
use crate::engine::observer::Observer;
use crate::engine::optimum::{Best, Cheapest, Earliest};
use crate::engine::projection::Projection;
use crate::engine::search::{End, Search};
use crate::engine::store::Store;
use crate::engine::successor::Broken;
use crate::engine::tables::{Interest, Limit};
use crate::engine::zone::Zone;
use crate::engine::{Abstraction, Answer, Extremum, Options, Order, Verdict};
use crate::model::{Fault, FaultKind, Formula};
use crate::priced::Priced;
use crate::trace::{Constraint, Trace};
use takt_diagnostic::Span;

impl Context<'_> {
    pub(super) fn earliest(&self, goal: Earliest) -> Answered<Answer> {
        let mut interest = self.interest([goal.within]);
        // May be compared with anything from above: only the smallest value matters.
        interest.measured = Some(Limit { clock: goal.clock, lower: NO_LIMIT, upper: i64::MAX });
        let abstraction = self.abstraction(exact_for(goal.within));
        with_zones!(self.width(&interest, abstraction), Z => {
            self.earliest_with::<Z>(goal, &interest, abstraction)
        })
    }

    fn earliest_with<Z: Zone>(
        &self,
        mut goal: Earliest,
        interest: &Interest,
        abstraction: Abstraction,
    ) -> Answered<Answer> {
        let mut search = self.minimising::<Z>(interest, abstraction);
        let (clock, within) = (goal.clock, goal.within);
        let trace = |store: &Store<Z>, best: Best| {
            let moves = store.path(best.node);
            let limit =
                Constraint { left: Some(clock), right: None, is_strict: false, bound: best.value };
            self.extreme(&moves, interest, abstraction, within, best, limit)
        };
        let end = loop {
            match search.run(&mut goal, self.control) {
                Ok(End::Improved) => self.show(goal.best, |best| trace(&search.store, best)),
                end => break end,
            }
        };
        let end = end.map_err(|lost| self.failure(&search.store, interest, abstraction, lost))?;
        let mut answer = blank(&search, end);
        if let Some(best) = goal.best {
            answer.trace = Some(trace(&search.store, best)?);
            answer.value = Some(best.extremum());
        }
        answer.settle_minimum(goal.best, goal.known, search.bound(), end);
        Ok(answer)
    }

    pub(super) fn cheapest(&self, within: &Formula) -> Answered<Answer> {
        let interest = self.interest([within]);
        let abstraction = self.abstraction(exact_for(within));
        match self.width(&interest, abstraction) {
            Width::Wide => self.cheapest_with::<Priced<i64>>(within, &interest, abstraction),
            _ => self.cheapest_with::<Priced<i32>>(within, &interest, abstraction),
        }
    }

    fn cheapest_with<Z: Zone>(
        &self,
        within: &Formula,
        interest: &Interest,
        abstraction: Abstraction,
    ) -> Answered<Answer> {
        let mut goal = Cheapest {
            within,
            projection: Projection::of_cost(self.model, within, &mut || is_over(self.control)),
            remaining: self.model.remaining,
            known: self.control.known(),
            best: None,
            has_overflown: false,
        };
        let mut search = self.minimising::<Z>(interest, abstraction);
        let trace = |store: &Store<Z>, best: Best| {
            self.bargain(&store.path(best.node), interest, abstraction, within, best)
        };
        let end = loop {
            match search.run(&mut goal, self.control) {
                Ok(End::Improved) => self.show(goal.best, |best| trace(&search.store, best)),
                end => break end,
            }
        };
        let end = end.map_err(|lost| self.failure(&search.store, interest, abstraction, lost))?;
        let mut answer = blank(&search, end);
        answer.assumes_remaining = self.model.remaining.is_some();
        if goal.has_overflown {
            let fault = Fault { kind: FaultKind::Overflow, span: Span::default() };
            return Err(Box::new(failure(Broken { fault, action: None }, Trace::default())));
        }
        if let Some(best) = goal.best {
            answer.trace = Some(trace(&search.store, best)?);
            answer.value = Some(best.extremum());
        }
        answer.settle_minimum(goal.best, goal.known, search.bound(), end);
        Ok(answer)
    }

    /// Lets the control look at the way to a better value.
    fn show(&self, best: Option<Best>, trace: impl Fn(Best) -> Answered<Trace>) {
        if let Some(best) = best {
            self.control.witnessed(&mut || trace(best).ok());
        }
    }

    /// A search for the smallest value: best first with dives unless the user wants another order.
    fn minimising<'s, Z: Zone>(
        &'s self,
        interest: &Interest,
        abstraction: Abstraction,
    ) -> Search<'s, Z> {
        let tables = self.tables(interest, abstraction);
        let cover = Search::<Z>::cover_for(&tables);
        let order = self.options.order.unwrap_or(Order::Diving);
        let options = Options { order: Some(order), ..self.options.clone() };
        Search::new(tables, Observer::default(), cover, &options)
    }
}

impl Answer {
    /// Verdict and bound of a search for the smallest value: what waits cannot be better
    /// than its rank.
    fn settle_minimum(
        &mut self,
        best: Option<Best>,
        known: Option<i64>,
        waiting: Option<i64>,
        end: End,
    ) {
        let best = best.map(|best| best.value);
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
