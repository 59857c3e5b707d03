//! Traces for answers, and for faults met on the way.

use super::Answered;
use super::context::Context;
use crate::dbm::{Bound, Dbm};
use crate::engine::observer::Observer;
use crate::engine::optimum::Best;
use crate::engine::reach::Question;
use crate::engine::satisfy::{Claim, satisfying};
use crate::engine::search::Lost;
use crate::engine::state::State;
use crate::engine::store::Store;
use crate::engine::successor::{Broken, Successors};
use crate::engine::symmetry::{Undone, undo};
use crate::engine::tables::{Interest, Tables};
use crate::engine::trail::{self, Admit, Finish, constraints_of};
use crate::engine::zone::Zone;
use crate::engine::{Abstraction, Failure};
use crate::model::{ClockId, FaultKind, Formula};
use crate::priced::Priced;
use crate::trace::{Constraint, Move, Trace};
use std::ops::ControlFlow;

impl Context<'_> {
    /// A trace to a state that answers the question, if these moves are possible.
    pub(super) fn witness(
        &self,
        moves: &[Move],
        interest: &Interest,
        abstraction: Abstraction,
        question: &Question,
    ) -> Answered<Option<Trace>> {
        let Claim { formula, is_true } = question.claim();
        self.walk::<Dbm<i64>>(
            moves,
            interest,
            abstraction,
            Observer::default(),
            &|_, _| true,
            &mut |successors, state| {
                let zones = satisfying(successors, state, formula, is_true)?;
                Ok(zones.first().map(|zone| constraints_of(state, zone)))
            },
        )
    }

    /// A trace to where a clock takes its extreme value, or comes near it.
    pub(super) fn extreme(
        &self,
        moves: &[Move],
        interest: &Interest,
        abstraction: Abstraction,
        within: &Formula,
        best: Best,
        limit: Constraint,
    ) -> Answered<Trace> {
        self.trace::<Dbm<i64>>(
            moves,
            interest,
            abstraction,
            Observer::default(),
            &|_, _| true,
            &mut |successors, state| {
                let position =
                    |clock: Option<ClockId>| clock.map_or(Some(0), |c| state.position(c));
                let zones = satisfying(successors, state, within, true)?;
                for mut zone in zones {
                    let (Some(i), Some(j)) = (position(limit.left), position(limit.right)) else {
                        continue;
                    };
                    if !best.is_attained || zone.constrain(i, j, Bound::new(limit.bound, false)) {
                        return Ok(Some(constraints_of(state, &zone)));
                    }
                }
                Ok(None)
            },
        )
    }

    /// A trace on which the least cost is paid, or nearly so.
    pub(super) fn bargain(
        &self,
        moves: &[Move],
        interest: &Interest,
        abstraction: Abstraction,
        within: &Formula,
        best: Best,
    ) -> Answered<Trace> {
        let mut finish = |successors: &mut Successors<Priced<i64>>, state: &State<Priced<i64>>| {
            for zone in satisfying(successors, state, within, true)? {
                // A search that was stopped may not know how cheap its own path is.
                let is_good = |(cost, is_attained): (i64, bool)| {
                    cost < best.value || cost == best.value && is_attained >= best.is_attained
                };
                if state.zone.least_cost(&zone).is_ok_and(is_good) {
                    return Ok(Some(constraints_of(state, &zone)));
                }
            }
            Ok(None)
        };
        self.trace(moves, interest, abstraction, Observer::default(), &|_, _| true, &mut finish)
    }

    pub(super) fn trace<Z: Zone>(
        &self,
        moves: &[Move],
        interest: &Interest,
        abstraction: Abstraction,
        observer: Observer,
        admit: &Admit<Z>,
        finish: &mut Finish<Z>,
    ) -> Answered<Trace> {
        let trace = self.walk(moves, interest, abstraction, observer, admit, finish)?;
        Ok(trace.expect("what an exact search found can be followed with plain zones"))
    }

    /// The same where it is not sure that the moves are possible.
    fn walk<Z: Zone>(
        &self,
        moves: &[Move],
        interest: &Interest,
        abstraction: Abstraction,
        observer: Observer,
        admit: &Admit<Z>,
        finish: &mut Finish<Z>,
    ) -> Answered<Option<Trace>> {
        let tables = Tables::new(self.model, self.bounds, interest, Abstraction::None);
        let mut successors = Successors::new(tables, observer);
        let broken = |broken| Box::new(failure(broken, Trace::default()));
        for run in self.runs::<Z>(moves, interest, abstraction, observer).map_err(broken)? {
            if let Some(trace) =
                trail::trace(&mut successors, &run.moves, admit, finish).map_err(broken)?
            {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// A fault of a representative in the names of the run.
    fn unrenamed(
        &self,
        moves: &[Move],
        interest: &Interest,
        abstraction: Abstraction,
        mut broken: Broken,
    ) -> Broken {
        let Some(reduction) = self.reduction else { return broken };
        let runs = self.runs::<Dbm<i64>>(moves, interest, abstraction, Observer::default());
        let Some(Undone { back, .. }) = runs.ok().and_then(|runs| runs.into_iter().next()) else {
            return broken;
        };
        let rename = |action: &Move| reduction.rename_move(self.model, &back, action);
        broken.action = broken.action.as_ref().map(rename);
        if let FaultKind::OutOfRange { cell, .. } = &mut broken.fault.kind {
            cell.0 = reduction.symmetry.moved.cells.renamed(cell.0, &back);
        }
        broken
    }

    /// The runs of the model that the moves of a search may stand for.
    fn runs<Z: Zone>(
        &self,
        moves: &[Move],
        interest: &Interest,
        abstraction: Abstraction,
        observer: Observer,
    ) -> Result<Vec<Undone>, Broken> {
        let Some(reduction) = self.reduction else {
            return Ok(vec![Undone { moves: moves.to_vec(), ..Undone::default() }]);
        };
        let mut successors = Successors::<Z>::new(self.tables(interest, abstraction), observer);
        undo(&mut successors, reduction, moves)
    }

    pub(super) fn failure<Z: Zone>(
        &self,
        store: &Store<Z>,
        interest: &Interest,
        abstraction: Abstraction,
        lost: Lost,
    ) -> Box<Failure> {
        let moves = lost.at.map(|node| store.path(node)).unwrap_or_default();
        self.failure_after(&moves, interest, abstraction, lost.broken)
    }

    /// The same for a fault after these moves.
    pub(super) fn failure_after(
        &self,
        moves: &[Move],
        interest: &Interest,
        abstraction: Abstraction,
        broken: Broken,
    ) -> Box<Failure> {
        let to_it = self.trace::<Dbm<i64>>(
            moves,
            interest,
            abstraction,
            Observer::default(),
            &|_, _| true,
            &mut |_, _| Ok(Some(Vec::new())),
        );
        let broken = self.unrenamed(moves, interest, abstraction, broken);
        Box::new(failure(broken, to_it.unwrap_or_default()))
    }

    /// Whether a run really makes the error that a search in the hull has met.
    pub(super) fn is_real<Z: Zone>(
        &self,
        store: &Store<Z>,
        interest: &Interest,
        abstraction: Abstraction,
        lost: &Lost,
    ) -> bool {
        let moves = lost.at.map(|node| store.path(node)).unwrap_or_default();
        let makes_it = &mut |successors: &mut Successors<Dbm<i64>>, state: &State<Dbm<i64>>| {
            let met = successors.expand(state, &mut |_, _| ControlFlow::Continue(()));
            let is_same = |broken: Broken| broken.fault == lost.broken.fault;
            Ok(met.err().is_some_and(is_same).then(Vec::new))
        };
        let admit = &|_: usize, _: &State<Dbm<i64>>| true;
        let found = self.walk(&moves, interest, abstraction, Observer::default(), admit, makes_it);
        lost.at.is_none() || !matches!(found, Ok(None))
    }
}

pub(super) fn failure(broken: Broken, trace: Trace) -> Failure {
    Failure { fault: broken.fault, trace, action: broken.action }
}
