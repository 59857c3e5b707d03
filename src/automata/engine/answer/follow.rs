//! Traces for answers, and for faults met on the way.

use super::Answered;
use super::context::{Context, Setting};
use crate::dbm::{Bound, Dbm};
use crate::engine::incumbent::Best;
use crate::engine::observer::Observer;
use crate::engine::reach::Question;
use crate::engine::satisfy::{Claim, satisfying};
use crate::engine::search::Lost;
use crate::engine::state::State;
use crate::engine::store::Store;
use crate::engine::successor::{Broken, Successors};
use crate::engine::symmetry::{Undone, undo};
use crate::engine::tables::Tables;
use crate::engine::trail::{self, Admit, Finish, constraints_of};
use crate::engine::zone::Zone;
use crate::engine::{Abstraction, Failure};
use crate::model::{ClockId, FaultKind, Formula};
use crate::priced::Priced;
use crate::trace::{Constraint, Move, Trace};
use std::ops::ControlFlow;

/// Moves that a search has made, and how it was set up.
#[derive(Clone, Copy)]
pub(super) struct Path<'p> {
    pub moves: &'p [Move],
    pub setting: &'p Setting,
    pub observer: Observer<'p>,
}

impl<'p> Path<'p> {
    /// Of a search that observes nothing.
    pub fn new(moves: &'p [Move], setting: &'p Setting) -> Path<'p> {
        Path { moves, setting, observer: Observer::default() }
    }
}

/// Admits every state of a trace.
fn anything<Z>(_: usize, _: &State<Z>) -> bool {
    true
}

impl Context<'_> {
    /// A trace to a state that answers the question, if these moves are possible.
    pub(super) fn witness(&self, path: Path, question: &Question) -> Answered<Option<Trace>> {
        let Claim { formula, is_true } = question.claim();
        self.walk::<Dbm<i64>>(path, &anything, &mut |successors, state| {
            let zones = satisfying(successors, state, formula, is_true)?;
            Ok(zones.first().map(|zone| constraints_of(state, zone)))
        })
    }

    /// A trace to where a clock takes its extreme value, or comes near it.
    pub(super) fn extreme(
        &self,
        path: Path,
        within: &Formula,
        best: Best,
        limit: Constraint,
    ) -> Answered<Trace> {
        self.trace::<Dbm<i64>>(path, &anything, &mut |successors, state| {
            let position = |clock: Option<ClockId>| clock.map_or(Some(0), |c| state.position(c));
            for mut zone in satisfying(successors, state, within, true)? {
                let (Some(i), Some(j)) = (position(limit.left), position(limit.right)) else {
                    continue;
                };
                if !best.is_attained || zone.constrain(i, j, Bound::new(limit.bound, false)) {
                    return Ok(Some(constraints_of(state, &zone)));
                }
            }
            Ok(None)
        })
    }

    /// A trace on which the least cost is paid, or nearly so.
    pub(super) fn bargain(&self, path: Path, within: &Formula, best: Best) -> Answered<Trace> {
        self.trace::<Priced<i64>>(path, &anything, &mut |successors, state| {
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
        })
    }

    pub(super) fn trace<Z: Zone>(
        &self,
        path: Path,
        admit: &Admit<Z>,
        finish: &mut Finish<Z>,
    ) -> Answered<Trace> {
        let trace = self.walk(path, admit, finish)?;
        Ok(trace.expect("what an exact search found can be followed with plain zones"))
    }

    /// The same where it is not sure that the moves are possible.
    fn walk<Z: Zone>(
        &self,
        path: Path,
        admit: &Admit<Z>,
        finish: &mut Finish<Z>,
    ) -> Answered<Option<Trace>> {
        let interest = &path.setting.interest;
        let tables = Tables::new(self.model, self.bounds, interest, Abstraction::None);
        let mut successors = Successors::new(tables, path.observer);
        let broken = |broken| Box::new(failure(broken, Trace::default()));
        for run in self.runs::<Z>(path).map_err(broken)? {
            if let Some(trace) =
                trail::trace(&mut successors, &run.moves, admit, finish).map_err(broken)?
            {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// A fault of a representative in the names of the run.
    fn unrenamed(&self, path: Path, mut broken: Broken) -> Broken {
        let Some(reduction) = self.reduction else { return broken };
        let runs = self.runs::<Dbm<i64>>(path);
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
    fn runs<Z: Zone>(&self, path: Path) -> Result<Vec<Undone>, Broken> {
        let Some(reduction) = self.reduction else {
            return Ok(vec![Undone { moves: path.moves.to_vec(), ..Undone::default() }]);
        };
        let mut successors = Successors::<Z>::new(self.tables(path.setting), path.observer);
        undo(&mut successors, reduction, path.moves)
    }

    pub(super) fn failure<Z: Zone>(
        &self,
        store: &Store<Z>,
        setting: &Setting,
        lost: Lost,
    ) -> Box<Failure> {
        let moves = lost.at.map(|node| store.path(node)).unwrap_or_default();
        self.failure_after(Path::new(&moves, setting), lost.broken)
    }

    /// The same for a fault after these moves.
    pub(super) fn failure_after(&self, path: Path, broken: Broken) -> Box<Failure> {
        let to_it = self.trace::<Dbm<i64>>(path, &anything, &mut |_, _| Ok(Some(Vec::new())));
        let broken = self.unrenamed(path, broken);
        Box::new(failure(broken, to_it.unwrap_or_default()))
    }

    /// Whether a run really makes the error that a search in the hull has met.
    pub(super) fn is_real<Z: Zone>(
        &self,
        store: &Store<Z>,
        setting: &Setting,
        lost: &Lost,
    ) -> bool {
        let moves = lost.at.map(|node| store.path(node)).unwrap_or_default();
        let path = Path::new(&moves, setting);
        let found = self.walk::<Dbm<i64>>(path, &anything, &mut |successors, state| {
            let met = successors.expand(state, &mut |_, _| ControlFlow::Continue(()));
            let is_same = |broken: Broken| broken.fault == lost.broken.fault;
            Ok(met.err().is_some_and(is_same).then(Vec::new))
        });
        lost.at.is_none() || !matches!(found, Ok(None))
    }
}

pub(super) fn failure(broken: Broken, trace: Trace) -> Failure {
    Failure { fault: broken.fault, trace, action: broken.action }
}
