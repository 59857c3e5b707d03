//! How time passes: invariants, urgent locations, urgent synchronisations, cost.

use super::memory::{Memory, Ticks, overflow, ticks_per_unit};
use super::moves::channel;
use super::{Concrete, Interpreter};
use crate::model::{ChannelId, ClockTest, Conjunct, Edge, EdgeId, Fault, ProcessId};
use crate::network::{Direction, Urgency};
use crate::trace::Time;

/// The longest delay from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Never,
    /// All delays below it, and it too unless `is_strict`.
    At {
        time: Time,
        is_strict: bool,
    },
}

impl Limit {
    pub fn allows(self, delay: Time) -> bool {
        match self {
            Limit::Never => true,
            Limit::At { time, is_strict } => delay < time || delay == time && !is_strict,
        }
    }

    /// Whether there is a delay above 0 that it allows.
    pub fn allows_some(self) -> bool {
        match self {
            Limit::Never => true,
            Limit::At { time, .. } => time > Time::from_integer(0),
        }
    }
}

/// An upper end, and whether it belongs to what it ends: of two at one instant, the open one comes
/// first.
pub(super) type End = (Ticks, bool);

/// The earlier of two ends; `None` is no end at all.
pub(super) fn sooner(a: Option<End>, b: Option<End>) -> Option<End> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// When a guard holds: between two ends, each open or closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub from: Ticks,
    pub is_from_open: bool,
    pub until: Option<End>,
}

impl Window {
    pub fn since(from: Ticks) -> Window {
        Window { from, is_from_open: false, until: None }
    }

    fn start_at(&mut self, from: Ticks, is_open: bool) {
        if from > self.from || from == self.from && is_open {
            (self.from, self.is_from_open) = (from, is_open);
        }
    }

    pub fn and(mut self, other: Window) -> Window {
        self.start_at(other.from, other.is_from_open);
        self.until = sooner(self.until, other.until);
        self
    }

    pub fn is_empty(&self) -> bool {
        self.until.is_some_and(|(time, is_closed)| {
            time < self.from || time == self.from && (!is_closed || self.is_from_open)
        })
    }

    pub fn contains(&self, instant: Ticks) -> bool {
        (self.from, self.is_from_open) <= (instant, false)
            && self.until.is_none_or(|until| (instant, true) <= until)
    }
}

pub(super) fn limit(interpreter: &Interpreter, at: &Concrete) -> Result<Limit, Fault> {
    let model = interpreter.model;
    let mut memory = Memory::new(model, at)?;
    let mut end = None;
    for (process, &location) in model.processes.iter().zip(&at.state) {
        let location = process.location(location);
        if location.urgency != Urgency::Normal {
            return Ok(Limit::At { time: Time::from_integer(0), is_strict: false });
        }
        if let Some(window) = holds_while(&mut memory, &location.invariant)? {
            end = sooner(end, window.until);
        }
    }
    let offers = urgent_offers(&mut memory);
    end = sooner(end, first_complete(&memory, &offers)?);
    from_now(&memory, end)
}

/// An end as the longest delay that it allows.
pub(super) fn from_now(memory: &Memory, end: Option<End>) -> Result<Limit, Fault> {
    let Some((time, is_closed)) = end else { return Ok(Limit::Never) };
    Ok(Limit::At { time: memory.time(time - memory.now)?, is_strict: !is_closed })
}

/// From now on, when all conjuncts hold; `None` if never, unless something but time changes.
pub(super) fn holds_while(
    memory: &mut Memory,
    conjuncts: &[Conjunct],
) -> Result<Option<Window>, Fault> {
    if !memory.data_holds(conjuncts)? {
        return Ok(None);
    }
    let mut window = Window::since(memory.now);
    for test in conjuncts.iter().filter_map(Conjunct::test) {
        if !narrow(memory, test, &mut window)? {
            return Ok(None);
        }
    }
    Ok(Some(window).filter(|window| !window.is_empty()))
}

/// Cuts the window to where the test holds; false if that is never.
fn narrow(memory: &mut Memory, test: &ClockTest, window: &mut Window) -> Result<bool, Fault> {
    if let Some(unless) = &test.unless
        && memory.value(unless)? != 0
    {
        return Ok(true);
    }
    let now = memory.now;
    let difference = memory.reading(test.left.as_ref())? - memory.reading(test.right.as_ref())?;
    let slack = memory.bound(test)? - difference;
    match (&test.left, &test.right) {
        (Some(_), None) => {
            window.until = sooner(window.until, Some((now + slack, !test.is_strict)));
        }
        (None, Some(_)) => window.start_at(now - slack, test.is_strict),
        _ => return Ok(slack > 0 || slack == 0 && !test.is_strict),
    }
    Ok(true)
}

/// From now on, when a guard holds, looked at in the order written; where something fails, when one
/// gets there, and the fault.
fn offered_while(memory: &mut Memory, guard: &[Conjunct]) -> Option<(Window, Option<Fault>)> {
    let mut window = Window::since(memory.now);
    for conjunct in guard {
        let looked = match conjunct {
            Conjunct::Data(term) => memory.value(term).map(|value| value != 0),
            Conjunct::Clock(test) => narrow(memory, test, &mut window),
        };
        match looked {
            Err(fault) => return Some((window, Some(fault))),
            Ok(holds) if !holds || window.is_empty() => return None,
            Ok(_) => {}
        }
    }
    Some((window, None))
}

/// An edge whose guard holds for a while, with its channel.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub process: ProcessId,
    pub edge: EdgeId,
    pub channel: ChannelId,
    pub direction: Direction,
    pub window: Window,
    /// What fails when the guard is looked at within the window: it counts once somebody is there to
    /// synchronise with.
    pub fault: Option<Fault>,
}

impl Offer {
    /// It is there, unless looking at it fails.
    pub fn sound(&self) -> Result<(), Fault> {
        self.fault.clone().map_or(Ok(()), Err)
    }
}

/// The first instant at which an urgent synchronisation is complete, or after which it is.
pub(super) fn first_complete(memory: &Memory, offers: &[Offer]) -> Result<Option<End>, Fault> {
    let mut end = None;
    for sender in offers.iter().filter(|offer| offer.direction == Direction::Send) {
        if memory.model.channels[sender.channel].is_broadcast {
            sender.sound()?;
            end = sooner(end, Some((sender.window.from, true)));
            continue;
        }
        let others = offers.iter().filter(|other| {
            other.process != sender.process
                && other.channel == sender.channel
                && other.direction == Direction::Receive
        });
        for other in others {
            let both = sender.window.and(other.window);
            if !both.is_empty() {
                sender.sound()?;
                other.sound()?;
                end = sooner(end, Some((both.from, true)));
            }
        }
    }
    Ok(end)
}

/// Every edge on an urgent channel whose guard is or becomes true if time passes.
fn urgent_offers(memory: &mut Memory) -> Vec<Offer> {
    let model = memory.model;
    let mut offers = Vec::new();
    for number in 0..model.processes.len() {
        let is_wanted = |_, channel: Option<ChannelId>| {
            channel.is_none_or(|channel| model.channels[channel].is_urgent)
        };
        offers.extend(offers_of(memory, number, &is_wanted));
    }
    offers
}

/// The edges of a process on wanted channels whose guards are or become true if time passes. Guards
/// are looked at only where the direction is wanted on some channel.
pub(super) fn offers_of(
    memory: &mut Memory,
    number: usize,
    is_wanted: &dyn Fn(Direction, Option<ChannelId>) -> bool,
) -> Vec<Offer> {
    let process = &memory.model.processes[number];
    let location = process.location(memory.state[number]);
    let mut offers = Vec::new();
    for &index in &location.outgoing {
        let Edge { guard, sync: Some(sync), .. } = &process.edges[index] else {
            continue;
        };
        let (process, direction) = (ProcessId::at(number), sync.direction);
        if !is_wanted(direction, None) {
            continue;
        }
        let Some((window, fault)) = offered_while(memory, guard) else { continue };
        // An index that fails leaves open which channel of the array it is.
        let (channel, fault) = match channel(memory, sync) {
            Ok((channel, _)) => (channel, fault),
            Err(other) => (sync.base, fault.or(Some(other))),
        };
        if is_wanted(direction, Some(channel)) {
            offers.push(Offer { process, edge: index, channel, direction, window, fault });
        }
    }
    offers
}

pub(super) fn delay(
    interpreter: &Interpreter,
    at: &Concrete,
    time: Time,
) -> Result<Option<Concrete>, Fault> {
    let zero = Time::from_integer(0);
    if time == zero {
        return Ok(Some(at.clone()));
    }
    if time < zero || !interpreter.limit(at)?.allows(time) {
        return Ok(None);
    }
    let rate = interpreter.rate(at)?;
    let unit = ticks_per_unit(at.clocks.iter().chain([&at.cost, &time]))?;
    let mut memory = Memory::with_ticks(interpreter.model, at, unit);
    memory.pass(memory.ticks(time), rate)?;
    memory.concrete().map(Some)
}

impl Memory<'_> {
    /// Lets time pass at a price.
    pub fn pass(&mut self, ticks: Ticks, rate: i64) -> Result<(), Fault> {
        let price = ticks.checked_mul(Ticks::from(rate)).ok_or_else(overflow)?;
        self.cost = self.cost.checked_add(price).ok_or_else(overflow)?;
        self.now = self.now.checked_add(ticks).ok_or_else(overflow)?;
        Ok(())
    }
}
