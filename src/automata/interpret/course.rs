//! One run on its way: the same semantics as [`Interpreter`], for runs of many steps through
//! models of many processes.
//!
//! A step looks only at the processes that take part, and at those for which something changed
//! that they had read ([`Dependencies`]). All states on the way are valid, so an invariant that nobody
//! touched still holds until its end, which was noted when it was read.
//!
//! Guards are looked at in the order written, at the instant: what stands behind a clock test that is
//! false is not. A fault in the guard of an edge that the run does not take counts only where the rest
//! of the synchronisation is there: a sender for it, or a partner on an urgent channel. The engine,
//! which made the run, looks at fewer guards than [`Interpreter`] does: it knows which clock tests
//! cannot come to hold.

use super::delay::{self, End, Limit, Offer, holds_while, offers_of};
use super::dependencies::{Dependencies, Matter};
use super::memory::{Memory, Ticks, overflow};
use super::moves::{Ready, choices, fire, leaves_committed, ready, successors};
use super::{Concrete, Interpreter, rate};
use crate::model::{ChannelId, ClockId, ClockRef, Conjunct, Fault, LocationId, Model, ProcessId};
use crate::network::{Direction, Urgency};
use crate::trace::{EdgeRef, Move, Time};
use std::collections::BTreeSet;

/// A run on its way.
pub struct Course<'m> {
    model: &'m Model,
    memory: Memory<'m>,
    dependencies: Dependencies,
    /// For each process.
    stays: Vec<Stay>,
    /// When invariants end, and whose.
    ends: BTreeSet<(End, ProcessId)>,
    /// How many processes are in urgent and in committed locations.
    urgent: usize,
    committed: usize,
    /// For each process: its receptions, and all its edges on urgent channels.
    offers: Vec<Vec<Offer>>,
    /// For each channel: who has offers on it.
    offering: Vec<BTreeSet<ProcessId>>,
    urgent_channels: Vec<ChannelId>,
    /// For each process.
    rates: Vec<i64>,
    rate: i64,
}

/// How a process may stay in its location.
#[derive(Clone, Copy, Debug, Default)]
struct Stay {
    urgency: Urgency,
    until: Option<End>,
}

impl<'m> Course<'m> {
    /// A run whose times are whole, at its beginning; `None` if the initial state violates an
    /// invariant.
    pub fn new(model: &'m Model) -> Result<Option<Course<'m>>, Fault> {
        Course::with_ticks(model, 1)
    }

    pub(super) fn with_ticks(model: &'m Model, unit: Ticks) -> Result<Option<Course<'m>>, Fault> {
        let processes = model.processes.len();
        let is_urgent = |channel: &ChannelId| model.channels[*channel].is_urgent;
        let initial = Interpreter::new(model).initial();
        let mut course = Course {
            model,
            memory: Memory::with_ticks(model, &initial, unit),
            dependencies: Dependencies::new(model),
            stays: vec![Stay::default(); processes],
            ends: BTreeSet::new(),
            urgent: 0,
            committed: 0,
            offers: vec![Vec::new(); processes],
            offering: vec![BTreeSet::new(); model.channels.len()],
            urgent_channels: ChannelId::all(model.channels.len()).filter(is_urgent).collect(),
            rates: vec![0; processes],
            rate: 0,
        };
        Ok(course.look_at_stays()?.is_ok().then_some(course))
    }

    pub fn now(&self) -> Result<Time, Fault> {
        self.memory.time(self.memory.now)
    }

    /// The location of a process.
    pub fn location(&self, process: ProcessId) -> LocationId {
        LocationId(self.memory.state[process] as u32)
    }

    /// Locations, then variables.
    pub fn state(&self) -> &[i32] {
        &self.memory.state
    }

    /// The clocks that the last move set.
    pub fn reset(&self) -> impl Iterator<Item = ClockId> {
        self.memory.log.clocks.iter().map(|reset| reset.0)
    }

    pub fn concrete(&self) -> Result<Concrete, Fault> {
        self.memory.concrete()
    }

    /// The edge starts no move before this instant, unless clocks are set. Only what the guard
    /// says of single clocks and constants is looked at.
    pub fn opening(&self, edge: EdgeRef) -> Result<Time, Fault> {
        let mut from = self.memory.now;
        let guard = &edge.of(self.model).guard;
        for conjunct in guard {
            if let Conjunct::Clock(test) = conjunct
                && let (None, None, Some(ClockRef::Fixed(clock))) =
                    (&test.unless, &test.left, &test.right)
                && let Some(bound) = test.bound.constant()
            {
                from = from.max(self.memory.instant_of(*clock, -bound));
            }
        }
        self.memory.time(from)
    }

    /// How long time may pass from here, at most.
    pub fn limit(&mut self) -> Result<Limit, Fault> {
        if self.urgent > 0 {
            return Ok(Limit::At { time: Time::from_integer(0), is_strict: false });
        }
        let end = self.ends.first().map(|(end, _)| *end);
        let complete = self.first_complete()?;
        delay::from_now(&self.memory, delay::sooner(end, complete))
    }

    /// Lets time pass up to an instant, if it may.
    pub fn wait_until(&mut self, instant: Time) -> Result<bool, Fault> {
        let ticks = self.memory.ticks(instant) - self.memory.now;
        if ticks == 0 {
            return Ok(true);
        }
        if ticks < 0 || !self.limit()?.allows(self.memory.time(ticks)?) {
            return Ok(false);
        }
        self.look_at_prices()?;
        self.memory.pass(ticks, self.rate)?;
        Ok(true)
    }

    /// Makes a move, if it exists here.
    pub fn take(&mut self, action: &Move) -> Result<bool, Fault> {
        if self.model.has_priorities {
            let interpreter = Interpreter::new(self.model);
            let existing = successors(&interpreter, &self.concrete()?, ready)?;
            let exists = existing.iter().any(|(known, _)| known == action);
            return Ok(exists && self.go(action)?);
        }
        let mut taken = Vec::with_capacity(action.edges.len());
        for edge in &action.edges {
            match self.ready(*edge)? {
                Some(ready) => taken.push(ready),
                None => return Ok(false),
            }
        }
        Ok(self.fits_together(&taken)? && self.go(action)?)
    }

    /// Makes the first move that the edge starts, alone or as the sender, if there is one.
    pub fn start(&mut self, edge: EdgeRef) -> Result<Option<Move>, Fault> {
        let Some(first) = self.ready(edge)? else { return Ok(None) };
        for action in self.moves_of(&first)? {
            let is_made = match self.model.has_priorities {
                true => self.take(&action)?,
                false => self.go(&action)?,
            };
            if is_made {
                return Ok(Some(action));
            }
        }
        Ok(None)
    }

    /// The edge with its channel, if it leaves its process's location and its guard is true.
    fn ready(&mut self, edge: EdgeRef) -> Result<Option<Ready>, Fault> {
        let Some(process) = self.model.processes.get(edge.process.index()) else {
            return Ok(None);
        };
        let location = self.location(edge.process);
        if process.edges.get(edge.edge.index()).is_none_or(|known| known.source != location) {
            return Ok(None);
        }
        ready(&mut self.memory, edge.process.index(), edge.edge)
    }

    /// All ways to complete an edge whose guard is true.
    fn moves_of(&mut self, first: &Ready) -> Result<Vec<Move>, Fault> {
        let channel = match first.sync {
            None => return Ok(vec![Move { edges: vec![first.edge] }]),
            Some((_, Direction::Receive)) => return Ok(Vec::new()),
            Some((channel, Direction::Send)) => channel,
        };
        let receivers = self.receivers(first.edge.process, channel)?;
        let chosen = match self.model.channels[channel].is_broadcast {
            true => choices(&receivers),
            false => receivers.into_iter().flatten().map(|edge| vec![edge]).collect(),
        };
        let with_sender =
            |others: Vec<EdgeRef>| Move { edges: [vec![first.edge], others].concat() };
        Ok(chosen.into_iter().map(with_sender).collect())
    }

    /// Whether the edges make up one transition: one alone, a pair, or a broadcast that takes along
    /// every process that can receive it, in their order.
    fn fits_together(&mut self, taken: &[Ready]) -> Result<bool, Fault> {
        let Some((first, others)) = taken.split_first() else { return Ok(false) };
        let channel = match first.sync {
            None => return Ok(others.is_empty()),
            Some((_, Direction::Receive)) => return Ok(false),
            Some((channel, Direction::Send)) => channel,
        };
        let wanted = Some((channel, Direction::Receive));
        if others.iter().any(|o| o.sync != wanted || o.edge.process == first.edge.process) {
            return Ok(false);
        }
        if !self.model.channels[channel].is_broadcast {
            return Ok(others.len() == 1);
        }
        let expected = self.receivers(first.edge.process, channel)?;
        let expected = expected.iter().map(|edges| edges[0].process);
        Ok(expected.eq(others.iter().map(|other| other.edge.process)))
    }

    /// For each other process that can receive now: the edges it can do it with.
    fn receivers(
        &mut self,
        sender: ProcessId,
        channel: ChannelId,
    ) -> Result<Vec<Vec<EdgeRef>>, Fault> {
        self.look_at_offers()?;
        let now = self.memory.now;
        let mut found = Vec::new();
        for &process in self.offering[channel].iter().filter(|&&p| p != sender) {
            let edges = (self.offers[process].iter())
                .filter(|offer| offer.channel == channel && offer.direction == Direction::Receive)
                .filter(|offer| offer.window.contains(now))
                .map(|offer| offer.sound().map(|()| EdgeRef { process, edge: offer.edge }))
                .collect::<Result<Vec<EdgeRef>, Fault>>()?;
            if !edges.is_empty() {
                found.push(edges);
            }
        }
        Ok(found)
    }

    /// Makes a move whose guards are true, unless it breaks an invariant or has to let committed
    /// processes go first.
    fn go(&mut self, action: &Move) -> Result<bool, Fault> {
        if self.committed > 0 && !leaves_committed(self.model, &self.memory.state, action) {
            return Ok(false);
        }
        self.memory.log.clear();
        let cost = self.memory.cost;
        fire(&mut self.memory, action)?;
        self.tell_changes();
        let Err(looked) = self.look_at_stays()? else { return Ok(true) };
        self.memory.undo();
        self.memory.cost = cost;
        self.tell_changes();
        looked.into_iter().for_each(|process| self.dependencies.renew(process, Matter::Stay));
        let is_valid = self.look_at_stays()?.is_ok();
        debug_assert!(is_valid, "the state before was valid");
        Ok(false)
    }

    fn tell_changes(&mut self) {
        for &(cell, _) in &self.memory.log.cells {
            self.dependencies.cell_changed(cell);
        }
        for &(clock, _) in &self.memory.log.clocks {
            self.dependencies.clock_changed(clock);
        }
    }

    /// Works something out for a process, and notes what it was read from.
    fn look<T>(
        &mut self,
        process: ProcessId,
        matter: Matter,
        find: impl FnOnce(&mut Memory<'m>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.memory.log.begin_reading(process);
        let found = find(&mut self.memory);
        self.memory.log.is_reading = false;
        let log = &self.memory.log;
        self.dependencies.has_read(process, matter, &log.reads, &log.readings);
        found
    }

    /// Looks at all invariants for which something changed, up to the first that does not hold.
    /// In that case, gives who was looked at.
    fn look_at_stays(&mut self) -> Result<Result<(), Vec<ProcessId>>, Fault> {
        let stale = self.dependencies.take_stale(Matter::Stay);
        for &process in &stale {
            let model = self.model;
            let found = self.look(process, Matter::Stay, |memory| stay(model, memory, process))?;
            self.note_stay(process, found.unwrap_or_default());
            if found.is_none() {
                return Ok(Err(stale));
            }
        }
        Ok(Ok(()))
    }

    fn note_stay(&mut self, process: ProcessId, stay: Stay) {
        let old = std::mem::replace(&mut self.stays[process], stay);
        if let Some(end) = old.until {
            self.ends.remove(&(end, process));
        }
        if let Some(end) = stay.until {
            self.ends.insert((end, process));
        }
        self.urgent -= usize::from(old.urgency != Urgency::Normal);
        self.urgent += usize::from(stay.urgency != Urgency::Normal);
        self.committed -= usize::from(old.urgency == Urgency::Committed);
        self.committed += usize::from(stay.urgency == Urgency::Committed);
    }

    fn look_at_offers(&mut self) -> Result<(), Fault> {
        let model = self.model;
        let has_urgent = !self.urgent_channels.is_empty();
        let is_wanted = |direction: Direction, channel: Option<ChannelId>| {
            let is_urgent = |channel: ChannelId| model.channels[channel].is_urgent;
            direction == Direction::Receive || channel.map_or(has_urgent, is_urgent)
        };
        for process in self.dependencies.take_stale(Matter::Offers) {
            let found = self.look(process, Matter::Offers, |memory| {
                Ok(offers_of(memory, process.index(), &is_wanted))
            })?;
            for offer in &self.offers[process] {
                self.offering[offer.channel].remove(&process);
            }
            for offer in &found {
                self.offering[offer.channel].insert(process);
            }
            self.offers[process] = found;
        }
        Ok(())
    }

    /// The first instant from now on at which an urgent synchronisation is complete.
    fn first_complete(&mut self) -> Result<Option<End>, Fault> {
        if self.urgent_channels.is_empty() {
            return Ok(None);
        }
        self.look_at_offers()?;
        let from_now = delay::Window::since(self.memory.now);
        let mut end = None;
        for &channel in &self.urgent_channels {
            let offers: Vec<Offer> = (self.offering[channel].iter())
                .flat_map(|&process| &self.offers[process])
                .filter(|offer| offer.channel == channel)
                .map(|offer| Offer { window: offer.window.and(from_now), ..offer.clone() })
                .filter(|offer| !offer.window.is_empty())
                .collect();
            end = delay::sooner(end, delay::first_complete(&self.memory, &offers)?);
        }
        Ok(end)
    }

    fn look_at_prices(&mut self) -> Result<(), Fault> {
        if !self.model.is_priced {
            return Ok(());
        }
        for process in self.dependencies.take_stale(Matter::Price) {
            let found =
                self.look(process, Matter::Price, |memory| rate(memory, process.index()))?;
            let old = std::mem::replace(&mut self.rates[process], found);
            self.rate = (self.rate - old).checked_add(found).ok_or_else(overflow)?;
        }
        Ok(())
    }
}

/// How a process may stay where it is; `None` if its invariant does not hold.
fn stay(model: &Model, memory: &mut Memory, process: ProcessId) -> Result<Option<Stay>, Fault> {
    let location = memory.state[process] as usize;
    let location = &model.processes[process].locations[location];
    if !memory.all_hold(&location.invariant)? {
        return Ok(None);
    }
    let window = holds_while(memory, &location.invariant)?;
    let until = window.and_then(|window| window.until);
    Ok(Some(Stay { urgency: location.urgency, until }))
}
