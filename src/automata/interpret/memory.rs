//! All memory an expression can reach: cells, clocks, cost; and tests on it.
//!
//! Time is counted in ticks, so many to a unit that every instant of a run is whole; a clock is
//! kept as the instant at which it was 0, so that time passes by itself.

use super::Concrete;
use crate::model::{
    Addr, ClockBase, ClockId, ClockPlace, ClockRef, ClockTest, Conjunct, Fault, FaultKind,
    IndexStep, LocationId, Model, Place, PlaceBase, ProcessId, Term,
};
use crate::trace::Time;
use takt_diagnostic::Span;

/// How many calls and rounds of loops one term may take.
const BUDGET: u32 = 20_000_000;

/// The largest value that clocks are compared with and set to.
pub(super) const LARGEST_CLOCK: u64 = 1 << 30;

/// Whole parts of a unit of time; wide enough for any instant at any number of ticks per unit.
pub(super) type Ticks = i128;

/// More ticks per unit than this might not leave room for instants.
const MOST_TICKS: Ticks = 1 << 62;

/// All memory an expression can reach.
pub(super) struct Memory<'m> {
    pub model: &'m Model,
    pub state: Vec<i32>,
    /// For each clock the instant at which it was 0, or would have been.
    zeros: Vec<Ticks>,
    pub now: Ticks,
    pub cost: Ticks,
    /// How many ticks make a unit of time.
    pub unit: Ticks,
    pub log: Log,
    pub scratch: Vec<i64>,
    /// Rounds left for the current term.
    pub budget: u32,
    /// The current term, for faults of parts without a place of their own.
    pub span: Span,
}

/// What happened to the memory since someone began to take notes.
#[derive(Default)]
pub(super) struct Log {
    /// Cells of the state that were written, with what was there before.
    pub cells: Vec<(Addr, i32)>,
    /// Clocks that were set, with their zeros before.
    pub clocks: Vec<(ClockId, Ticks)>,
    /// Cells of the state that were read, if asked for.
    pub reads: Vec<Addr>,
    /// Clocks that were read, if asked for.
    pub readings: Vec<ClockId>,
    pub is_reading: bool,
}

impl Log {
    /// Nothing was written yet.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.clocks.clear();
    }

    /// From here on reads are noted; the location of the process counts as read.
    pub fn begin_reading(&mut self, process: ProcessId) {
        self.is_reading = true;
        self.reads.clear();
        self.reads.push(process.cell());
        self.readings.clear();
    }
}

impl<'m> Memory<'m> {
    pub fn new(model: &'m Model, at: &Concrete) -> Result<Memory<'m>, Fault> {
        let unit = ticks_per_unit(at.clocks.iter().chain([&at.cost]))?;
        Ok(Memory::with_ticks(model, at, unit))
    }

    /// With so many ticks per unit that all times are whole.
    pub fn with_ticks(model: &'m Model, at: &Concrete, unit: Ticks) -> Memory<'m> {
        let mut memory = Memory {
            model,
            state: at.state.clone(),
            zeros: Vec::new(),
            now: 0,
            cost: 0,
            unit,
            log: Log::default(),
            scratch: model.cells[model.state_len as usize..].iter().map(|c| c.initial).collect(),
            budget: BUDGET,
            span: Span::default(),
        };
        memory.zeros = at.clocks.iter().map(|&value| -memory.ticks(value)).collect();
        memory.cost = memory.ticks(at.cost);
        memory
    }

    pub fn concrete(&self) -> Result<Concrete, Fault> {
        let clocks = self.zeros.iter().map(|zero| self.time(self.now - zero));
        let clocks = clocks.collect::<Result<Vec<Time>, Fault>>()?;
        Ok(Concrete { state: self.state.clone(), clocks, cost: self.time(self.cost)? })
    }

    /// A length of time that is known to be whole in ticks.
    pub fn ticks(&self, time: Time) -> Ticks {
        debug_assert_eq!(self.unit % Ticks::from(*time.denom()), 0, "ticks are fine enough");
        Ticks::from(*time.numer()) * (self.unit / Ticks::from(*time.denom()))
    }

    pub fn time(&self, ticks: Ticks) -> Result<Time, Fault> {
        let exact = num_rational::Ratio::new(ticks, self.unit);
        let part = |value: &Ticks| i64::try_from(*value).map_err(|_| overflow());
        Ok(Time::new_raw(part(exact.numer())?, part(exact.denom())?))
    }

    pub fn value(&mut self, term: &Term) -> Result<i64, Fault> {
        self.span = term.span;
        self.budget = BUDGET;
        self.eval(&term.tree)
    }

    pub fn run(&mut self, term: &Term) -> Result<(), Fault> {
        self.value(term).map(|_| ())
    }

    /// Whether all conjuncts hold: those on data first and in order, so that they protect
    /// what the others index.
    pub fn all_hold(&mut self, conjuncts: &[Conjunct]) -> Result<bool, Fault> {
        Ok(self.data_holds(conjuncts)? && self.clocks_hold(conjuncts)?)
    }

    pub fn data_holds(&mut self, conjuncts: &[Conjunct]) -> Result<bool, Fault> {
        for conjunct in conjuncts {
            if let Conjunct::Data(term) = conjunct
                && self.value(term)? == 0
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn clocks_hold(&mut self, conjuncts: &[Conjunct]) -> Result<bool, Fault> {
        for test in conjuncts.iter().filter_map(Conjunct::test) {
            if !self.test_holds(test)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn test_holds(&mut self, test: &ClockTest) -> Result<bool, Fault> {
        if let Some(unless) = &test.unless
            && self.value(unless)? != 0
        {
            return Ok(true);
        }
        let left = self.reading(test.left.as_ref())?;
        let right = self.reading(test.right.as_ref())?;
        let bound = self.bound(test)?;
        let difference = left - right;
        Ok(if test.is_strict { difference < bound } else { difference <= bound })
    }

    /// The bound of a test, which must be one that zones can hold.
    pub fn bound(&mut self, test: &ClockTest) -> Result<Ticks, Fault> {
        let bound = self.value(&test.bound)?;
        if bound.unsigned_abs() > LARGEST_CLOCK {
            return Err(Fault { kind: FaultKind::ClockTooLarge(bound), span: test.span });
        }
        Ok(Ticks::from(bound) * self.unit)
    }

    /// The value of a clock in a test; 0 for none.
    pub fn reading(&mut self, clock: Option<&ClockRef>) -> Result<Ticks, Fault> {
        let clock = match clock {
            None => return Ok(0),
            Some(ClockRef::Fixed(clock)) => *clock,
            Some(ClockRef::Indexed { place, .. }) => self.clock(place)?,
        };
        if self.log.is_reading {
            self.log.readings.push(clock);
        }
        Ok(self.now - self.zeros[clock])
    }

    /// When the clock has this value, or had it.
    pub fn instant_of(&self, clock: ClockId, value: i64) -> Ticks {
        self.zeros[clock] + Ticks::from(value) * self.unit
    }

    /// Sets a clock to a value that is not too large.
    pub fn set_clock(&mut self, clock: ClockId, value: i64) {
        self.log.clocks.push((clock, self.zeros[clock]));
        self.zeros[clock] = self.now - Ticks::from(value) * self.unit;
    }

    /// Moves a process.
    pub fn enter(&mut self, process: ProcessId, location: LocationId) {
        self.put(process.cell(), i64::from(location.0));
    }

    /// Takes back all that was written to cells and clocks since the log was cleared.
    pub fn undo(&mut self) {
        for &(cell, before) in self.log.cells.iter().rev() {
            self.state[cell] = before;
        }
        for &(clock, before) in self.log.clocks.iter().rev() {
            self.zeros[clock] = before;
        }
    }

    pub fn spend(&mut self, span: Span) -> Result<(), Fault> {
        match self.budget.checked_sub(1) {
            Some(left) => self.budget = left,
            None => return Err(Fault { kind: FaultKind::Endless, span }),
        }
        Ok(())
    }

    pub fn load(&mut self, addr: Addr) -> i64 {
        match self.model.local(addr) {
            None => {
                if self.log.is_reading {
                    self.log.reads.push(addr);
                }
                i64::from(self.state[addr])
            }
            Some(local) => self.scratch[local],
        }
    }

    /// So many cells from this one on.
    pub fn load_all(&mut self, first: Addr, len: u32) -> Vec<i64> {
        (0..len).map(|i| self.load(first.offset(i))).collect()
    }

    /// Writes a cell if the value lies in its range.
    pub fn store(&mut self, addr: Addr, value: i64, span: Span) -> Result<(), Fault> {
        let cell = &self.model.cells[addr];
        if value < cell.lo || value > cell.hi {
            return Err(Fault { kind: FaultKind::OutOfRange { cell: addr, value }, span });
        }
        self.put(addr, value);
        Ok(())
    }

    /// The same for several cells from this one on.
    pub fn store_all(&mut self, first: Addr, values: Vec<i64>, span: Span) -> Result<(), Fault> {
        (0..).zip(values).try_for_each(|(i, value)| self.store(first.offset(i), value, span))
    }

    /// Writes a cell that no range binds: bound variables and addresses.
    pub fn put(&mut self, addr: Addr, value: i64) {
        match self.model.local(addr) {
            None => {
                self.log.cells.push((addr, self.state[addr]));
                self.state[addr] = value as i32;
            }
            Some(local) => self.scratch[local] = value,
        }
    }

    pub fn address(&mut self, place: &Place) -> Result<Addr, Fault> {
        let base = match place.base {
            PlaceBase::Fixed(addr) => addr,
            PlaceBase::Reference(addr) => Addr(self.load(addr) as u32),
        };
        Ok(base.offset(self.indexed(&place.steps)? + place.offset))
    }

    pub fn clock(&mut self, place: &ClockPlace) -> Result<ClockId, Fault> {
        let base = match place.base {
            ClockBase::Fixed(clock) => clock,
            ClockBase::Reference(addr) => ClockId(self.load(addr) as u32),
        };
        Ok(base.offset(self.indexed(&place.steps)? + place.offset))
    }

    fn indexed(&mut self, steps: &[IndexStep]) -> Result<u32, Fault> {
        let mut offset = 0;
        for step in steps {
            let index = self.eval(&step.index)?;
            let length = step.length;
            match index.checked_sub(step.first) {
                Some(at) if (0..i64::from(length)).contains(&at) => {
                    offset += at as u32 * step.stride;
                }
                _ => {
                    let kind = FaultKind::IndexOutOfRange { index, length };
                    return Err(Fault { kind, span: step.span });
                }
            }
        }
        Ok(offset)
    }
}

/// The fewest ticks per unit with which all these times are whole.
pub(super) fn ticks_per_unit<'t>(times: impl Iterator<Item = &'t Time>) -> Result<Ticks, Fault> {
    let mut unit: Ticks = 1;
    for time in times {
        let parts = Ticks::from(*time.denom());
        if unit % parts != 0 {
            unit *= num_rational::Ratio::new(unit, parts).denom();
        }
        if unit > MOST_TICKS {
            return Err(overflow());
        }
    }
    Ok(unit)
}

pub(super) fn overflow() -> Fault {
    Fault { kind: FaultKind::Overflow, span: Span::default() }
}
