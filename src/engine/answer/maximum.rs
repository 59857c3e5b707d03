//! Answers about the largest value of a clock.

use super::Answered;
use super::context::{Context, Width, blank, exact_for, with_zones};
use crate::dbm::{Dbm, NO_LIMIT};
use crate::engine::grow::{self, Growth};
use crate::engine::observer::Observer;
use crate::engine::optimum::Latest;
use crate::engine::reach::Question;
use crate::engine::search::End;
use crate::engine::store::Cover;
use crate::engine::tables::Limit;
use crate::engine::{Abstraction, Answer, Extremum, Verdict};
use crate::model::Formula;
use crate::model::analysis::clock_bounds;
use crate::trace::Constraint;

impl Context<'_> {
    /// First with the model's own constants as limits: if the clock stays below them, that is
    /// the answer. If not, whether it can grow forever is read off the graph; if not even
    /// that, some higher limit is high enough.
    pub(super) fn latest(&self, within: &Formula, clock: u32) -> Answered<Answer> {
        let mut limit = self.bounds.largest.max(self.interest([within]).largest);
        let mut answer = self.latest_up_to(within, clock, limit)?;
        if !is_beyond(&answer, limit) {
            return Ok(answer);
        }
        match self.growth(within, clock, limit)? {
            Growth::Forever => {
                return Ok(Answer { value: Some(Extremum::Unbounded), ..answer });
            }
            Growth::Stopped(stop) => {
                let stopped = Some(stop);
                let (verdict, value, trace) = (Verdict::Unknown, None, None);
                return Ok(Answer { verdict, value, trace, stopped, ..answer });
            }
            Growth::Limited => {}
        }
        while is_beyond(&answer, limit) {
            limit = limit.saturating_mul(2).saturating_add(1);
            answer = self.latest_up_to(within, clock, limit)?;
        }
        Ok(answer)
    }

    fn latest_up_to(&self, within: &Formula, clock: u32, limit: i64) -> Answered<Answer> {
        let mut interest = self.interest([within]);
        interest.measured = Some(Limit { clock, lower: limit, upper: NO_LIMIT });
        let abstraction = self.abstraction(exact_for(within));
        let mut goal = Latest { within, clock, best: None, is_unbounded: None };
        with_zones!(self.width(&interest, abstraction), Z => {
            let mut search = self.search::<Z>(&interest, abstraction, Observer::default(), None);
            let end = search.run(&mut goal, self.control);
            let end = end.map_err(|lost| self.failure(&search.store, &interest, abstraction, lost))?;
            let mut answer = blank(&search, end);
            answer.verdict = match (goal.best, goal.is_unbounded, end) {
                (_, _, End::Stopped(_)) => Verdict::Unknown,
                (None, None, _) => Verdict::Violated,
                _ => Verdict::Satisfied,
            };
            if let Some(node) = goal.is_unbounded {
                answer.value = Some(Extremum::Unbounded);
                let moves = search.store.path(node);
                answer.trace =
                    self.witness(&moves, &interest, abstraction, &Question::Exists(within.into()))?;
            } else if let Some(best) = goal.best {
                let moves = search.store.path(best.node);
                let limit = Constraint {
                    left: None,
                    right: Some(clock),
                    is_strict: false,
                    bound: -best.value,
                };
                answer.trace = Some(self.extreme(&moves, &interest, abstraction, within, best, limit)?);
                answer.value = Some(best.extremum());
            }
            Ok(answer)
        })
    }

    fn growth(&self, within: &Formula, clock: u32, limit: i64) -> Answered<Growth> {
        let ticking = grow::with_ticks(self.model);
        let bounds = clock_bounds(&ticking.model);
        let context = Context { model: &ticking.model, bounds: &bounds, reduction: None, ..*self };
        let mut interest = context.interest([within]);
        interest.compared.push(Limit { clock, lower: limit, upper: limit });
        let abstraction = Abstraction::K;
        let mut goal = grow::Watch::new(&ticking, within, clock);
        with_zones!(context.width(&interest, abstraction), Z => {
            let equality = Some(Cover::Equality);
            let mut search =
                context.search::<Z>(&interest, abstraction, Observer::default(), equality);
            search.successors.tables.first_tick = Some(ticking.first_tick);
            let end = search.run(&mut goal, self.control);
            let end = end.map_err(|lost| context.failure(&search.store, &interest, abstraction, lost))?;
            Ok(match end {
                End::Stopped(stop) => Growth::Stopped(stop),
                _ => goal.growth(),
            })
        })
    }
}

/// Whether the clock came above the limit. Values there stand for each other, so that the one
/// found says as little as none.
fn is_beyond(answer: &Answer, limit: i64) -> bool {
    match answer.value {
        _ if answer.verdict == Verdict::Unknown => false,
        None => false,
        Some(Extremum::Finite { value, .. }) => value > limit,
        Some(Extremum::Unbounded) => limit < i64::MAX,
    }
}
