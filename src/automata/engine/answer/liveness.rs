//! Answers about maximal runs.

use super::Answered;
use super::context::{Context, Setting, Width, blank, with_zones};
use super::follow::Path;
use crate::dbm::Dbm;
use crate::descent::Counts;
use crate::engine::live::{self, Live};
use crate::engine::observer::Observer;
use crate::engine::recurrence::{self, Halt};
use crate::engine::search::{End, Search};
use crate::engine::state::State;
use crate::engine::store::Cover;
use crate::engine::successor::Successors;
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
        let setting = self.bisimilar(formulas);
        with_zones!(self.width(&setting), Z => {
            context.descend_with::<Z>(formulas, clocks, found, &setting)
        })
    }

    /// For a search that keeps bisimilarity.
    fn bisimilar(&self, formulas: &[Formula]) -> Setting {
        let abstraction = self.abstraction(Abstraction::K);
        Setting { interest: self.interest(formulas), abstraction }
    }

    fn descend_with<Z: Zone>(
        &self,
        formulas: &[Formula],
        clocks: Vec<ClockId>,
        found: Verdict,
        setting: &Setting,
    ) -> Option<Answer> {
        let observer = Observer::new(formulas);
        let successors = Successors::<Z>::new(self.tables(setting), observer);
        let (run, counts) = recurrence::find_run(successors, clocks, self.control);
        let Counts { explored, stored, .. } = counts;
        let mut answer = Answer { explored, stored, ..Answer::default() };
        match run {
            Err(Halt::Unlimited | Halt::Broken) => return None,
            Err(Halt::Stopped(stop)) => answer.stopped = Some(stop),
            Ok(None) => answer.verdict = other(found),
            Ok(Some((moves, cycle))) => {
                answer.verdict = found;
                let trace = self.run_of(Path { moves: &moves, setting, observer }, 0, cycle);
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
        let setting = self.bisimilar(formulas);
        with_zones!(self.width(&setting), Z => {
            context.live_with::<Z>(formulas, anywhere, found, &setting)
        })
    }

    fn live_with<Z: Zone>(
        &self,
        formulas: &[Formula],
        anywhere: bool,
        found: Verdict,
        setting: &Setting,
    ) -> Answered<Answer> {
        let observer = Observer::new(formulas);
        let mut goal = Live::new(anywhere);
        // A run is seen when it closes: into the depth that is soon.
        let order = self.options.order.unwrap_or(Order::Dfs);
        let options = Options { order: Some(order), ..self.options.clone() };
        let tables = self.tables(setting);
        let mut search = Search::<Z>::new(tables, observer, Cover::Equality, &options);
        let end = self.run(&mut search, &mut goal, setting)?;
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
        let path = Path { moves: &moves, setting, observer };
        answer.trace = Some(self.run_of(path, from, cycle)?);
        Ok(answer)
    }

    /// The run of these moves, which stays in the formula after the first few.
    fn run_of(&self, path: Path, from: usize, cycle: Option<usize>) -> Answered<Trace> {
        let stays =
            |depth: usize, state: &State<Dbm<i64>>| depth < from || state.marks & live::STAYS != 0;
        let mut trace = self.trace(path, &stays, &mut |successors, state| match cycle {
            Some(_) => Ok(Some(Vec::new())),
            None => {
                let zones = live::endings(successors, state)?;
                Ok(zones.first().map(|zone| constraints_of(state, zone)))
            }
        })?;
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
