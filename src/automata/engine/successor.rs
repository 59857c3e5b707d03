//! The symbolic semantics: the initial state and the successors of a state.
//!
//! A successor's zone holds the valuations right after the transition and all that time lets
//! follow, cut to the invariants, then widened by the abstraction. All clock work goes through
//! the [`Zone`]; all integer work through the machine.

mod target;

use super::candidate::{Atom, Candidate, Combiner};
use super::observer::{Observer, Stay};
use super::state::{Activity, State};
use super::symmetry::Renamer;
use super::tables::Tables;
use super::zone::Zone;
use super::{Abstraction, observer};
use crate::dbm::{Bound, ClockLimits, Dbm, NoMinimum, Origin, subtract};
use crate::model::symmetry::Renaming;
use crate::model::{ClockId, Effects, Fault, FaultKind, Vm};
use crate::trace::{EdgeRef, Move};
use std::ops::ControlFlow;

/// A fault, and the move that did it (none for the initial state).
#[derive(Clone, Debug)]
pub struct Broken {
    pub fault: Fault,
    pub action: Option<Move>,
}

/// Whether to go on, or what is wrong.
pub type Flow = Result<ControlFlow<()>, Broken>;

/// How a successor came about.
pub struct Transition<'a, Z: Zone> {
    pub action: &'a Move,
    /// What the clocks of the successor may be compared with.
    pub limits: &'a ClockLimits<Z::Bound>,
    /// The valuations of the source from which the move was made (none for the initial state).
    pub leaving: Option<&'a Z>,
    /// (clock, value) in the order in which the move sets clocks.
    pub resets: &'a [(ClockId, i64)],
    /// The new names of the elements of scalar sets, if the state was given some.
    pub renaming: Option<&'a Renaming>,
}

/// Who receives successors.
pub type Emit<'a, Z> = dyn FnMut(&State<Z>, &Transition<Z>) -> ControlFlow<()> + 'a;

/// Computes successors; keeps its buffers from one state to the next.
pub struct Successors<'m, Z: Zone> {
    pub tables: Tables<'m>,
    vm: Vm,
    pub(super) combiner: Combiner<Z::Bound>,
    effects: Effects,
    activity: Activity,
    /// Invariants of the target, over its own clocks.
    invariant: Vec<Atom<Z::Bound>>,
    origins: Vec<Origin<Z::Bound>>,
    limits: ClockLimits<Z::Bound>,
    target: State<Z>,
    source_zone: Z,
    /// Zones whose bounds are no larger need not be widened: where states are compared modulo
    /// simulation, what widening would add is simulated anyway.
    patience: Option<Z::Bound>,
    /// Formulas whose truth must not change unseen while time passes.
    observer: Observer<'m>,
    renamer: Renamer<Z>,
}

impl<'m, Z: Zone> Successors<'m, Z> {
    pub fn new(tables: Tables<'m>, observer: Observer<'m>) -> Successors<'m, Z> {
        let clocks = tables.model.clocks.len();
        Successors {
            vm: Vm::new(tables.model),
            tables,
            combiner: Combiner::new(clocks),
            effects: Effects::default(),
            activity: Activity::new(clocks),
            invariant: Vec::new(),
            origins: Vec::new(),
            limits: ClockLimits::default(),
            target: State::default(),
            source_zone: Z::default(),
            patience: None,
            observer,
            renamer: Renamer::default(),
        }
    }

    /// Lets zones be as they are while their bounds are no larger than this.
    pub fn widen_late(&mut self, largest: i64) {
        self.patience = Some(Z::Bound::new(largest.min(Z::Bound::LARGEST), false));
    }

    pub fn vm(&mut self) -> &mut Vm {
        &mut self.vm
    }

    pub fn tables_and_vm(&mut self) -> (&Tables<'m>, &mut Vm) {
        (&self.tables, &mut self.vm)
    }

    /// Emits the initial state. A model that begins outside its invariants is at fault: without a
    /// single state everything would be true.
    pub fn initial(&mut self, emit: &mut Emit<Z>) -> Result<(), Broken> {
        let model = self.tables.model;
        self.target.cells.clear();
        let initial = model.state_cells().iter().map(|c| c.initial as i32);
        self.target.cells.extend(initial);
        for (cell, process) in self.target.cells.iter_mut().zip(&model.processes) {
            *cell = process.initial.0 as i32;
        }
        self.find_activity();
        self.target.zone.start(Dbm::zero(self.target.clocks.len() + 1));
        self.effects.clear();
        let broken = |fault| Broken { fault, action: None };
        if !self.find_invariant().map_err(broken)? || !self.constrain_invariant() {
            let span = self.false_at_first().map_err(broken)?;
            return Err(broken(Fault { kind: FaultKind::InitialInvariant, span }));
        }
        let _ = self.emit_settled(&Move::default(), false, emit)?;
        Ok(())
    }

    /// Whether formulas are observed.
    pub fn is_watching(&self) -> bool {
        self.observer.is_watching()
    }

    /// Whether the guards of its edges are all that a move depends on: nobody else has to be unable
    /// to take part, or to go first.
    pub fn is_free(&self, action: &Move) -> bool {
        let model = self.tables.model;
        !model.has_priorities && !action.edges.is_empty() && {
            let first = action.edges[0];
            first.of(model).sync.is_none()
        }
    }

    /// Emits every successor of the state. Stops early if `emit` breaks.
    pub fn expand(&mut self, source: &State<Z>, emit: &mut Emit<Z>) -> Flow {
        self.expand_by(source, None, emit)
    }

    /// The same; of the successors by other moves than `wanted` it may leave some out.
    pub fn expand_by(
        &mut self,
        source: &State<Z>,
        wanted: Option<&Move>,
        emit: &mut Emit<Z>,
    ) -> Flow {
        if self.observer.is_watching() && self.emit_delays(source, emit)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if self.tables.model.has_priorities || self.observer.is_watching() {
            self.combine(source)?;
            return self.expand_by_priority(source, emit);
        }
        self.prepare(source)?;
        let reduction = self.tables.reduction.clone();
        if let Some(reduction) = &reduction {
            self.renamer.twins.find(reduction, source);
        }
        for first in 0..self.combiner.ready_len() {
            self.combiner.combine_first(&self.tables, &source.cells, first);
            for index in 0..self.combiner.candidates.len() {
                if wanted.is_some_and(|wanted| self.combiner.candidates[index].action != *wanted) {
                    continue;
                }
                if let Some(reduction) = &reduction {
                    let action = &self.combiner.candidates[index].action;
                    if self.renamer.twins.is_image(reduction, self.tables.model, action) {
                        continue;
                    }
                }
                let candidate = std::mem::take(&mut self.combiner.candidates[index]);
                self.source_zone.clone_from(&source.zone);
                let step = self.emit_fired(source, &candidate, emit);
                self.combiner.candidates[index] = candidate;
                if step?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Finds all candidates of the state.
    pub fn combine(&mut self, source: &State<Z>) -> Result<(), Broken> {
        self.prepare(source)?;
        self.combiner.combine_all(&self.tables, &source.cells);
        Ok(())
    }

    /// Finds the ready edges of the state.
    fn prepare(&mut self, source: &State<Z>) -> Result<(), Broken> {
        self.combiner.place(&source.clocks);
        let dbm = source.zone.dbm();
        self.combiner
            .prepare(&self.tables, &mut self.vm, &source.cells, |a| {
                dbm.meets(a.i.into(), a.j.into(), a.bound)
            })
            .map_err(|(fault, edge)| Broken { fault, action: Some(Move { edges: vec![edge] }) })
    }

    /// A candidate may go only where none of higher priority can: its source is what their
    /// enabled parts leave of the zone. Ticks neither block nor are they blocked.
    fn expand_by_priority(&mut self, source: &State<Z>, emit: &mut Emit<Z>) -> Flow {
        let candidates = self.combiner.candidates.clone();
        let (ticks, mut candidates): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|c| self.tables.is_tick(&c.action));
        for tick in ticks {
            self.source_zone.clone_from(&source.zone);
            if self.emit_fired(source, &tick, emit)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        candidates.sort_by_key(|c| std::cmp::Reverse(c.priority));
        let mut free = vec![source.zone.dbm().clone()];
        for level in candidates.chunk_by(|a, b| a.priority == b.priority) {
            for candidate in level {
                for piece in &free {
                    // Observed formulas may look for deadlocks in the target: then the combiner
                    // has the target's clocks in place.
                    self.combiner.place(&source.clocks);
                    self.source_zone.clone_from(&source.zone);
                    self.source_zone.set_dbm(piece.clone());
                    if self.emit_fired(source, candidate, emit)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            self.combiner.place(&source.clocks);
            for candidate in level {
                if let Some(enabled) = self.enabled(source, candidate) {
                    free = free.iter().flat_map(|piece| subtract(piece, &enabled)).collect();
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn emit_fired(
        &mut self,
        source: &State<Z>,
        candidate: &Candidate<Z::Bound>,
        emit: &mut Emit<Z>,
    ) -> Flow {
        let broken = |fault| Broken { fault, action: Some(candidate.action.clone()) };
        for a in &candidate.atoms {
            if !self.source_zone.constrain(a.i.into(), a.j.into(), a.bound) {
                return Ok(ControlFlow::Continue(()));
            }
        }
        self.run_updates(&source.cells, &candidate.action).map_err(broken)?;
        self.find_activity();
        if !self.find_invariant().map_err(broken)? {
            return Ok(ControlFlow::Continue(()));
        }
        self.find_origins();
        let mut spill = Vec::new();
        let target = &mut self.target.zone;
        target
            .reshape_from(&self.source_zone, &self.origins, &mut spill)
            .map_err(|no| broken(self.no_minimum(no, &candidate.action)))?;
        if self.can_settle_at_once() {
            return self.emit_at_once(&candidate.action, emit);
        }
        let mut is_left = self.constrain_invariant();
        loop {
            if is_left && self.emit_settled(&candidate.action, true, emit)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let Some(zone) = spill.pop() else { return Ok(ControlFlow::Continue(())) };
            self.target.zone = zone;
            is_left = self.constrain_invariant();
        }
    }

    /// Whether the invariants are upper bounds of clocks and time costs nothing: what time leads
    /// to within them is then one operation.
    fn can_settle_at_once(&self) -> bool {
        let is_upper = |a: &Atom<Z::Bound>| a.i != 0 && a.j == 0;
        !Z::IS_PRICED && !self.observer.is_watching() && self.invariant.iter().all(is_upper)
    }

    /// The same as [`Successors::emit_settled`] for a target whose invariants are still open.
    fn emit_at_once(&mut self, action: &Move, emit: &mut Emit<Z>) -> Flow {
        let broken = |fault| Broken { fault, action: Some(action.clone()) };
        let is_left = match self.may_delay().map_err(broken)? {
            true => self.target.zone.delay_within(&self.invariant),
            false => self.constrain_invariant(),
        };
        match is_left {
            true => self.emit_widened(action, true, None, emit),
            false => Ok(ControlFlow::Continue(())),
        }
    }

    /// Costs that cannot be computed are a fault of the model: they are too large.
    fn no_minimum(&self, why: NoMinimum, action: &Move) -> Fault {
        assert!(why == NoMinimum::Overflow, "costs are never negative, so they have a minimum");
        let edge = |e: &EdgeRef| e.of(self.tables.model);
        let span = action.edges.first().map(|e| edge(e).span).unwrap_or_default();
        Fault { kind: FaultKind::Overflow, span }
    }

    /// Lets time pass in the target, whose invariants hold, where it may; widens and emits it.
    /// Observed formulas split it into parts in which their truth is constant.
    fn emit_settled(&mut self, action: &Move, has_source: bool, emit: &mut Emit<Z>) -> Flow {
        let broken = |fault| Broken { fault, action: Some(action.clone()) };
        let may_delay = self.may_delay().map_err(broken)?;
        if self.observer.is_watching() {
            let entry = self.target.clone();
            let parts = observer::entries(self, &entry, may_delay)?;
            return self.emit_parts(entry, parts, action, has_source, emit);
        }
        let cost = self.effects.cost;
        let mut spill = Vec::new();
        let paid = self.target.zone.pay(cost);
        paid.map_err(|no| broken(self.no_minimum(no, action)))?;
        if Z::IS_PRICED && self.tables.model.remaining.is_some() {
            let entered = self.target.zone.least_cost(self.target.zone.dbm());
            self.target.entered = entered.map_err(|no| broken(self.no_minimum(no, action)))?.0;
        }
        if may_delay {
            let price = self.price().map_err(broken)?;
            let waited = self.target.zone.delay(price, &mut spill);
            waited.map_err(|no| broken(self.no_minimum(no, action)))?;
        }
        loop {
            // A part that costs made may lie outside of the invariant as a whole.
            if self.constrain_invariant()
                && self.emit_widened(action, has_source, None, emit)?.is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
            let Some(zone) = spill.pop() else { return Ok(ControlFlow::Continue(())) };
            self.target.zone = zone;
        }
    }

    /// Emits the parts of the state that time leads to from here without a move.
    fn emit_delays(&mut self, source: &State<Z>, emit: &mut Emit<Z>) -> Flow {
        if !self.lets_time_pass(source)? {
            return Ok(ControlFlow::Continue(()));
        }
        let parts = observer::delays(self, source)?;
        self.source_zone.clone_from(&source.zone);
        self.target.copy_from(source);
        self.find_activity();
        self.emit_parts(source.clone(), parts, &Move::default(), true, emit)
    }

    fn emit_parts(
        &mut self,
        whole: State<Z>,
        parts: Vec<Stay<Z::Bound>>,
        action: &Move,
        has_source: bool,
        emit: &mut Emit<Z>,
    ) -> Flow {
        self.target = whole;
        self.find_activity();
        for stay in parts {
            self.target.zone.set_dbm(stay.zone);
            self.target.marks = stay.marks;
            if self.emit_widened(action, has_source, Some(&stay.part), emit)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Widens the target (but not beyond `within`) and emits it.
    fn emit_widened(
        &mut self,
        action: &Move,
        has_source: bool,
        within: Option<&Dbm<Z::Bound>>,
        emit: &mut Emit<Z>,
    ) -> Flow {
        let mut spill = Vec::new();
        if self.tables.abstraction != Abstraction::None {
            if self.patience.is_some_and(|most| self.target.zone.is_within(most)) {
                // What widening would add is simulated anyway.
            } else if self.tables.diagonals.is_empty() {
                let widened = self.target.zone.widen(&self.limits, &mut spill);
                widened.map_err(|no| Broken {
                    fault: self.no_minimum(no, action),
                    action: Some(action.clone()),
                })?;
            } else {
                spill = super::diagonal::widen(&self.tables, &self.target, &self.limits);
                self.target.zone = spill.pop().expect("a zone has at least one part");
            }
        }
        let resets = match action.edges.is_empty() {
            true => &[],
            false => &self.effects.resets[..],
        };
        let leaving = has_source.then_some(&self.source_zone);
        loop {
            if let Some(part) = within {
                let mut inside = self.target.zone.dbm().clone();
                let is_left = inside.intersect(part);
                assert!(is_left, "a widened zone still meets its part");
                self.target.zone.set_dbm(inside);
            }
            let (state, limits, renaming) = match &self.tables.reduction {
                Some(reduction)
                    if self.renamer.rename(
                        reduction,
                        &self.tables,
                        &mut self.activity,
                        &self.target,
                    ) =>
                {
                    let Renamer { image, limits, renaming, .. } = &self.renamer;
                    (image, limits, Some(renaming))
                }
                _ => (&self.target, &self.limits, None),
            };
            let transition = Transition { action, limits, leaving, resets, renaming };
            if emit(state, &transition).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let Some(zone) = spill.pop() else { return Ok(ControlFlow::Continue(())) };
            self.target.zone = zone;
        }
    }

    pub fn observer(&self) -> Observer<'m> {
        self.observer
    }
}
