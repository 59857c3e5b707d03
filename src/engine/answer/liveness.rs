//! Answers about maximal runs.

use super::Answered;
use super::context::{Context, Width, blank, with_zones};
use crate::dbm::Dbm;
use crate::engine::live::{self, Live};
use crate::engine::observer::Observer;
use crate::engine::search::{End, Search};
use crate::engine::store::Cover;
use crate::engine::tables::{Interest, Tables};
use crate::engine::trail::constraints_of;
use crate::engine::zone::Zone;
use crate::engine::{Abstraction, Answer, Options, Order, Verdict};
use crate::model::Formula;
use crate::trace::Move;

impl Context<'_> {
    /// `E[] p` (satisfied by a run) and the counterexample of `A<> not p` (violated by one).
    pub(super) fn always(&self, stay: &Formula, found: Verdict) -> Answered<Answer> {
        let formulas = [stay.clone()];
        self.live(&formulas, false, found)
    }

    /// A counterexample of `p --> q`: from a reachable state in `p`, a maximal run outside `q`.
    pub(super) fn leads_to(&self, p: &Formula, q: &Formula) -> Answered<Answer> {
        let formulas = [Formula::Not(Box::new(q.clone())), p.clone()];
        self.live(&formulas, true, Verdict::Violated)
    }

    fn live(&self, formulas: &[Formula], anywhere: bool, found: Verdict) -> Answered<Answer> {
        // A cycle of representatives need not be one of the run.
        let context = Context { reduction: None, ..*self };
        let interest = self.interest(formulas);
        let abstraction = self.abstraction(Abstraction::K);
        with_zones!(self.width(&interest, abstraction), Z => {
            context.live_with::<Z>(formulas, anywhere, found, &interest, abstraction)
        })
    }

    fn live_with<Z: Zone>(
        &self,
        formulas: &[Formula],
        anywhere: bool,
        found: Verdict,
        interest: &Interest,
        abstraction: Abstraction,
    ) -> Answered<Answer> {
        let observer = Observer::new(formulas);
        let mut goal = Live::new(anywhere);
        // A run is seen when it closes: into the depth that is soon.
        let order = self.options.order.unwrap_or(Order::Dfs);
        let options = Options { order: Some(order), ..self.options.clone() };
        let tables = Tables::new(self.model, self.bounds, interest, abstraction);
        let mut search = Search::<Z>::new(tables, observer, Cover::Equality, &options);
        let end = search.run(&mut goal, self.control);
        let end = end.map_err(|lost| self.failure(&search.store, interest, abstraction, lost))?;
        let mut answer = blank(&search, end);
        if let End::Stopped(_) = end {
            return Ok(answer);
        }
        let Some(lasso) = goal.lasso() else {
            answer.verdict = match found {
                Verdict::Satisfied => Verdict::Violated,
                _ => Verdict::Satisfied,
            };
            return Ok(answer);
        };
        answer.verdict = found;
        let prefix = search.store.path(lasso.start);
        let from = prefix.len();
        let moves: Vec<Move> = [prefix, lasso.moves].concat();
        let mut trace = self.trace::<Dbm<i64>>(
            &moves,
            interest,
            abstraction,
            observer,
            &|depth, state| depth < from || state.marks & live::STAYS != 0,
            &mut |successors, state| match lasso.cycle {
                Some(_) => Ok(Some(Vec::new())),
                None => {
                    let zones = live::endings(successors, state)?;
                    Ok(zones.first().map(|zone| constraints_of(state, zone)))
                }
            },
        )?;
        trace.returns_to = lasso.cycle.map(|k| from + k);
        answer.trace = Some(trace);
        Ok(answer)
    }
}
