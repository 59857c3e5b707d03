//! How time passes: invariants, urgent locations, urgent synchronisations, cost.

use super::memory::Memory;
use super::moves::channel;
use super::{Concrete, Interpreter};
use crate::diagnostic::Span;
use crate::model::{Conjunct, Edge, Fault, FaultKind};
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
            Limit::At { time, .. } => time > zero(),
        }
    }

    fn and(self, other: Limit) -> Limit {
        match (self, other) {
            (Limit::Never, limit) | (limit, Limit::Never) => limit,
            (Limit::At { time: a, is_strict: s }, Limit::At { time: b, is_strict: t }) => {
                // At equal times the strict one is the smaller.
                if (a, !s) <= (b, !t) { self } else { other }
            }
        }
    }
}

/// The delays after which a guard holds: between two bounds, each open or closed.
#[derive(Clone, Copy)]
struct Window {
    from: Time,
    is_from_open: bool,
    until: Limit,
}

impl Window {
    fn start_at(&mut self, from: Time, is_open: bool) {
        if from > self.from || from == self.from && is_open {
            (self.from, self.is_from_open) = (from, is_open);
        }
    }

    fn and(mut self, other: Window) -> Window {
        self.start_at(other.from, other.is_from_open);
        self.until = self.until.and(other.until);
        self
    }

    fn is_empty(&self) -> bool {
        match self.until {
            Limit::Never => false,
            Limit::At { time, is_strict } => {
                time < self.from || time == self.from && (is_strict || self.is_from_open)
            }
        }
    }
}

fn zero() -> Time {
    Time::from_integer(0)
}

pub(super) fn limit(interpreter: &Interpreter, at: &Concrete) -> Result<Limit, Fault> {
    let model = interpreter.model;
    let mut memory = Memory::new(model, at);
    let mut limit = Limit::Never;
    for (process, &location) in model.processes.iter().zip(&at.state) {
        let location = &process.locations[location as usize];
        if location.urgency != Urgency::Normal {
            return Ok(Limit::At { time: zero(), is_strict: false });
        }
        if let Some(window) = holds_while(&mut memory, &location.invariant)? {
            limit = limit.and(window.until);
        }
    }
    for urgent in urgent_syncs(&mut memory)? {
        // Up to the first instant at which it is complete, or after which it is.
        limit = limit.and(Limit::At { time: urgent.from, is_strict: false });
    }
    Ok(limit)
}

/// The delays after which all conjuncts hold; `None` if there are none.
fn holds_while(memory: &mut Memory, conjuncts: &[Conjunct]) -> Result<Option<Window>, Fault> {
    if !memory.data_holds(conjuncts)? {
        return Ok(None);
    }
    let mut window = Window { from: zero(), is_from_open: false, until: Limit::Never };
    for conjunct in conjuncts {
        let Conjunct::Clock(test) = conjunct else { continue };
        if let Some(unless) = &test.unless
            && memory.value(unless)? != 0
        {
            continue;
        }
        let difference =
            memory.reading(test.left.as_ref())? - memory.reading(test.right.as_ref())?;
        let slack = memory.bound(test)? - difference;
        let is_strict = test.is_strict;
        match (&test.left, &test.right) {
            (Some(_), None) => {
                window.until = window.until.and(Limit::At { time: slack, is_strict });
            }
            (None, Some(_)) => window.start_at(-slack, is_strict),
            _ if slack > zero() || slack == zero() && !is_strict => {}
            _ => return Ok(None),
        }
    }
    Ok(Some(window).filter(|window| !window.is_empty()))
}

/// The delays after which each complete urgent synchronisation is enabled.
fn urgent_syncs(memory: &mut Memory) -> Result<Vec<Window>, Fault> {
    let offers = urgent_offers(memory)?;
    let mut windows = Vec::new();
    for (sender, channel, _, window) in offers.iter().filter(|o| o.2 == Direction::Send) {
        if memory.model.channels[*channel as usize].is_broadcast {
            windows.push(*window);
            continue;
        }
        let others = offers.iter().filter(|(process, other, direction, _)| {
            process != sender && other == channel && *direction == Direction::Receive
        });
        windows.extend(others.map(|other| window.and(other.3)).filter(|w| !w.is_empty()));
    }
    Ok(windows)
}

type Offer = (usize, u32, Direction, Window);

/// Every edge on an urgent channel whose guard is or becomes true if time passes.
fn urgent_offers(memory: &mut Memory) -> Result<Vec<Offer>, Fault> {
    let model = memory.model;
    let mut offers = Vec::new();
    for (number, process) in model.processes.iter().enumerate() {
        let location = &process.locations[memory.state[number] as usize];
        for &index in &location.outgoing {
            let Edge { guard, sync: Some(sync), .. } = &process.edges[index as usize] else {
                continue;
            };
            if !memory.data_holds(guard)? {
                continue;
            }
            let (channel, direction) = channel(memory, sync)?;
            if !model.channels[channel as usize].is_urgent {
                continue;
            }
            if let Some(window) = holds_while(memory, guard)? {
                offers.push((number, channel, direction, window));
            }
        }
    }
    Ok(offers)
}

pub(super) fn delay(
    interpreter: &Interpreter,
    at: &Concrete,
    time: Time,
) -> Result<Option<Concrete>, Fault> {
    if time == zero() {
        return Ok(Some(at.clone()));
    }
    if time < zero() || !interpreter.limit(at)?.allows(time) {
        return Ok(None);
    }
    let overflow = || Fault { kind: FaultKind::Overflow, span: Span::default() };
    let mut next = at.clone();
    for clock in &mut next.clocks {
        *clock = plus(*clock, time).ok_or_else(overflow)?;
    }
    let price = times(time, interpreter.rate(at)?).ok_or_else(overflow)?;
    next.cost = plus(at.cost, price).ok_or_else(overflow)?;
    Ok(Some(next))
}

/// The sum, if it fits.
pub(super) fn plus(a: Time, b: Time) -> Option<Time> {
    let (a, b) = (wide(a), wide(b));
    narrow(a.0.checked_mul(b.1)?.checked_add(b.0.checked_mul(a.1)?)?, a.1.checked_mul(b.1)?)
}

/// The product with a whole number, if it fits.
fn times(a: Time, factor: i64) -> Option<Time> {
    narrow(wide(a).0.checked_mul(i128::from(factor))?, wide(a).1)
}

fn wide(a: Time) -> (i128, i128) {
    (i128::from(*a.numer()), i128::from(*a.denom()))
}

fn narrow(numerator: i128, denominator: i128) -> Option<Time> {
    let reduced = num_rational::Ratio::new(numerator, denominator);
    let part = |value: &i128| i64::try_from(*value).ok();
    Some(Time::new_raw(part(reduced.numer())?, part(reduced.denom())?))
}
