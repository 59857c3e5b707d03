//! Answers about maximal runs.

use super::Answered;
use super::context::{Context, Width, blank, with_zones};
use crate::dbm::Dbm;
use crate::engine::live::{self, Live};
use crate::engine::observer::Observer;
use crate::engine::recurrence::{self, Halt};
use crate::engine::search::{End, Search};
use crate::engine::store::Cover;
use crate::engine::successor::Successors;
use crate::engine::tables::{Interest, Tables};
use crate::engine::trail::constraints_of;
use crate::engine::zone::Zone;
use crate::engine::{Abstraction, Answer, Options, Order, Verdict};
use crate::model::{ClockId, Formula, analysis};
use crate::trace::{Move, Trace};

impl Context<'_> {
    /// `E[] p` (satisfied by a run) and the counterexample of `A<> not p` (violated by one).
    pub(super) fn always(&self, stay: &Formula, found: Verdict) -> Answered<Answer> {
        let formulas = [stay.clone()];
        match self.descend(&formulas, found) {
            Some(answer) => Ok(answer),
            None => self.live(&formulas, false, found),
        }
    }

    /// The same where the formula lets a clock grow only so far; `None` where it does not.
    fn descend(&self, formulas: &[Formula], found: Verdict) -> Option<Answer> {
        let clocks = recurrence::clocks_of(&formulas[0]);
        let is_deep = matches!(self.options.order, None | Some(Order::Dfs));
        let is_exact = !formulas[0].has_deadlock() && !self.model.has_priorities;
        if clocks.is_empty() || !is_deep || !is_exact {
            return None;
        }
        if !analysis::time_goes_on(self.model) {
            return None;
        }
        let context = Context { reduction: None, ..*self };
        let interest = self.interest(formulas);
        let abstraction = self.abstraction(Abstraction::K);
        with_zones!(self.width(&interest, abstraction), Z => {
            context.descend_with::<Z>(formulas, clocks, found, &interest, abstraction)
        })
    }

    fn descend_with<Z: Zone>(
        &self,
        formulas: &[Formula],
        clocks: Vec<ClockId>,
        found: Verdict,
        interest: &Interest,
        abstraction: Abstraction,
    ) -> Option<Answer> {
        let observer = Observer::new(formulas);
        let tables = Tables::new(self.model, self.bounds, interest, abstraction);
        let successors = Successors::<Z>::new(tables, observer);
        let (run, counts) = recurrence::find_run(successors, clocks, self.control);
        let mut answer = Answer {
            verdict: Verdict::Unknown,
            value: None,
            bound: None,
            explored: counts.explored,
            stored: counts.stored,
            trace: None,
            reduced: Vec::new(),
            accelerated: Vec::new(),
            assumes_remaining: false,
            stopped: None,
        };
        match run {
            Err(Halt::Unlimited | Halt::Broken) => return None,
            Err(Halt::Stopped(stop)) => answer.stopped = Some(stop),
            Ok(None) => answer.verdict = other(found),
            Ok(Some((moves, cycle))) => {
                answer.verdict = found;
                let trace = self.run_of(&moves, 0, cycle, interest, abstraction, observer);
                answer.trace = Some(trace.ok()?);
            }
        }
        Some(answer)
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
            answer.verdict = other(found);
            return Ok(answer);
        };
        answer.verdict = found;
        let prefix = search.store.path(lasso.start);
        let from = prefix.len();
        let moves: Vec<Move> = [prefix, lasso.moves].concat();
        let cycle = lasso.cycle.map(|cycle| from + cycle);
        let trace = self.run_of(&moves, from, cycle, interest, abstraction, observer)?;
        answer.trace = Some(trace);
        Ok(answer)
    }

    /// The run of these moves, which stays in the formula after the first few.
    fn run_of(
        &self,
        moves: &[Move],
        from: usize,
        cycle: Option<usize>,
        interest: &Interest,
        abstraction: Abstraction,
        observer: Observer,
    ) -> Answered<Trace> {
        let mut trace = self.trace::<Dbm<i64>>(
            moves,
            interest,
            abstraction,
            observer,
            &|depth, state| depth < from || state.marks & live::STAYS != 0,
            &mut |successors, state| match cycle {
                Some(_) => Ok(Some(Vec::new())),
                None => {
                    let zones = live::endings(successors, state)?;
                    Ok(zones.first().map(|zone| constraints_of(state, zone)))
                }
            },
        )?;
        trace.returns_to = cycle;
        Ok(trace)
    }
}

fn other(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Satisfied => Verdict::Violated,
        _ => Verdict::Satisfied,
    }
}
