//! What a transition leads to, before time passes: integers, the clocks that matter, where they come
//! from, and what invariants ask of them.

use super::{Broken, Successors};
use crate::dbm::{Bound, Dbm, Origin};
use crate::engine::candidate::{Atom, Candidate, atom, plain_atom};
use crate::engine::state::State;
use crate::engine::urgency::has_urgent_sync;
use crate::engine::zone::Zone;
use crate::model::{ClockId, Conjunct, Fault, FaultKind};
use crate::trace::{EdgeRef, Move};
use takt_diagnostic::Span;

impl<Z: Zone> Successors<'_, Z> {
    /// The first conjunct of an invariant of the target that is false where all clocks are 0.
    pub(super) fn false_at_first(&mut self) -> Result<Span, Fault> {
        let State { cells, clocks, .. } = &self.target;
        let position = |clock: ClockId| self.activity.position(clocks, clock);
        for (process, &location) in self.tables.model.processes.iter().zip(cells) {
            for conjunct in &process.location(location).invariant {
                let (holds, span) = match conjunct {
                    Conjunct::Data(term) => {
                        (self.vm.eval(self.tables.model, term.code, cells)? != 0, term.span)
                    }
                    Conjunct::Clock(test) => {
                        let vm = &mut self.vm;
                        let atom = atom::<Z::Bound>(&self.tables, vm, cells, test, position)?;
                        (atom.is_none_or(|atom| atom.bound >= Z::Bound::ZERO), test.span)
                    }
                };
                if !holds {
                    return Ok(span);
                }
            }
        }
        unreachable!("some invariant is false where they are not all true")
    }

    /// What a unit of time costs in the target.
    pub(super) fn price(&mut self) -> Result<i64, Fault> {
        if !Z::IS_PRICED {
            return Ok(0);
        }
        let (model, cells) = (self.tables.model, &self.target.cells);
        let mut sum = 0i64;
        for (process, &location) in model.processes.iter().zip(cells) {
            let Some(rate) = &process.location(location).rate else { continue };
            let value = self.vm.eval(model, rate.code, cells)?;
            let fault = |kind| Fault { kind, span: rate.span };
            if value < 0 {
                return Err(fault(FaultKind::NegativePrice(value)));
            }
            sum = sum.checked_add(value).ok_or_else(|| fault(FaultKind::Overflow))?;
        }
        Ok(sum)
    }

    /// The target's integers, and what the updates do to clocks and cost.
    pub(super) fn run_updates(&mut self, cells: &[i32], action: &Move) -> Result<(), Fault> {
        let model = self.tables.model;
        self.target.cells.clear();
        self.target.cells.extend_from_slice(cells);
        self.effects.resets.clear();
        self.effects.cost = 0;
        let edge = |e: &EdgeRef| e.of(model);
        let updates = action.edges.iter().map(|e| &edge(e).update);
        let is_tick = self.tables.is_tick(action);
        let [before, after] =
            [&model.before_update, &model.after_update].map(|u| if is_tick { &None } else { u });
        for update in [before].into_iter().chain(updates).chain([after]).flatten() {
            self.vm.run(model, update.code, &mut self.target.cells, &mut self.effects)?;
        }
        for e in &action.edges {
            self.target.cells[e.process] = edge(e).target.0 as i32;
        }
        if let Some(&(_, value)) = self.effects.resets.iter().find(|r| r.1 > Self::largest()) {
            let span = edge(&action.edges[0]).span;
            return Err(Fault { kind: FaultKind::ClockTooLarge(value), span });
        }
        Ok(())
    }

    pub(super) fn largest() -> i64 {
        Z::Bound::LARGEST / 16
    }

    pub(super) fn find_activity(&mut self) {
        let State { cells, clocks, .. } = &mut self.target;
        self.activity.find(&self.tables, cells, clocks, &mut self.limits);
    }

    /// Collects the target's clock invariants; false if a clock-free part of one fails.
    pub(super) fn find_invariant(&mut self) -> Result<bool, Fault> {
        self.invariant.clear();
        let State { cells, clocks, .. } = &self.target;
        let position = |clock: ClockId| self.activity.position(clocks, clock);
        for (p, process) in self.tables.model.processes.iter().enumerate() {
            if let Some(tests) = self.tables.prefilter.invariant(p, cells) {
                let before = self.invariant.len();
                self.invariant.extend(tests.iter().map_while(|test| plain_atom(test, position)));
                if self.invariant.len() == before + tests.len() {
                    continue;
                }
                self.invariant.truncate(before);
            }
            for conjunct in &process.location(cells[p]).invariant {
                match conjunct {
                    Conjunct::Data(term) => {
                        if self.vm.eval(self.tables.model, term.code, cells)? == 0 {
                            return Ok(false);
                        }
                    }
                    Conjunct::Clock(test) => self.invariant.extend(atom(
                        &self.tables,
                        &mut self.vm,
                        cells,
                        test,
                        position,
                    )?),
                }
            }
        }
        Ok(true)
    }

    /// Where the target's clocks come from: a reset, or the source.
    pub(super) fn find_origins(&mut self) {
        self.origins.clear();
        for &clock in &self.target.clocks {
            let reset = self.effects.resets.iter().rev().find(|r| r.0 == clock);
            self.origins.push(match reset {
                Some(&(_, value)) => Origin::Set(Z::Bound::new(value, false)),
                None => {
                    let position = self.combiner.position(clock);
                    assert!(position != 0, "a clock that matters later is active before");
                    Origin::Kept(position)
                }
            });
        }
    }

    pub(super) fn constrain_invariant(&mut self) -> bool {
        let zone = &mut self.target.zone;
        self.invariant.iter().all(|a| zone.constrain(a.i.into(), a.j.into(), a.bound))
    }

    /// Whether time may pass in the target: no urgent or committed location, and no urgent
    /// synchronisation that the integers allow.
    pub(super) fn may_delay(&mut self) -> Result<bool, Fault> {
        let cells = &self.target.cells;
        if self.tables.prefilter.stops_time(cells) {
            return Ok(false);
        }
        if !self.tables.has_urgent_channels {
            return Ok(true);
        }
        Ok(!has_urgent_sync(&self.tables, &mut self.vm, cells)?)
    }

    /// Whether time may pass in this state.
    pub fn lets_time_pass(&mut self, state: &State<Z>) -> Result<bool, Broken> {
        self.target.cells.clone_from(&state.cells);
        self.may_delay().map_err(|fault| Broken { fault, action: None })
    }

    /// The clock invariants of the state, over its own clocks.
    pub fn invariant(&mut self, state: &State<Z>) -> Result<&[Atom<Z::Bound>], Broken> {
        self.target.copy_from(state);
        self.find_invariant().map_err(|fault| Broken { fault, action: None })?;
        Ok(&self.invariant)
    }

    /// The valuations of the state's zone in which the candidate's transition exists: its
    /// guards hold, and so do the target's invariants once the clocks are reset. Where its
    /// updates are at fault, guards decide: whoever makes the move will report the fault.
    pub fn enabled(
        &mut self,
        source: &State<Z>,
        candidate: &Candidate<Z::Bound>,
    ) -> Option<Dbm<Z::Bound>> {
        let mut zone = source.zone.dbm().clone();
        let meets = |zone: &mut Dbm<Z::Bound>, a: &Atom<Z::Bound>| {
            zone.constrain(a.i.into(), a.j.into(), a.bound)
        };
        if !candidate.atoms.iter().all(|a| meets(&mut zone, a)) {
            return None;
        }
        if self.run_updates(&source.cells, &candidate.action).is_err() {
            return Some(zone);
        }
        self.find_activity();
        match self.find_invariant() {
            Err(_) => return Some(zone),
            Ok(false) => return None,
            Ok(true) => self.find_origins(),
        }
        for a in &self.invariant {
            let (i, low) = self.before(a.i);
            let (j, high) = self.before(a.j);
            // x_i + low - (x_j + high) within the bound, over the clocks before the resets.
            let bound = a.bound.plus(Z::Bound::new(high - low, false));
            if !zone.constrain(i, j, bound) {
                return None;
            }
        }
        Some(zone)
    }

    /// A clock of the target in terms of the source: a clock (or 0) plus a constant.
    fn before(&self, clock: u16) -> (usize, i64) {
        match clock.checked_sub(1).map(|i| self.origins[usize::from(i)]) {
            None => (0, 0),
            Some(Origin::Kept(position)) => (position, 0),
            Some(Origin::Set(value)) => (0, value.value()),
        }
    }
}
