//! All memory an expression can reach: cells, clocks, cost; and tests on it.

use super::{Concrete, is_data};
use crate::diagnostic::Span;
use crate::model::{
    Addr, ClockBase, ClockPlace, ClockRef, ClockTest, Conjunct, Fault, FaultKind, IndexStep, Model,
    Place, PlaceBase, Term,
};
use crate::trace::Time;

/// How many calls and rounds of loops one term may take.
const BUDGET: u32 = 20_000_000;

/// The largest value that clocks are compared with and set to.
pub(super) const LARGEST_CLOCK: u64 = 1 << 30;

/// All memory an expression can reach.
pub(super) struct Memory<'m> {
    pub model: &'m Model,
    pub state: Vec<i32>,
    pub clocks: Vec<Time>,
    pub cost: Time,
    scratch: Vec<i64>,
    /// Rounds left for the current term.
    budget: u32,
    /// The current term, for faults of parts without a place of their own.
    pub span: Span,
}

impl<'m> Memory<'m> {
    pub fn new(model: &'m Model, at: &Concrete) -> Memory<'m> {
        let scratch = model.cells[model.state_len as usize..].iter().map(|c| c.initial).collect();
        Memory {
            model,
            state: at.state.clone(),
            clocks: at.clocks.clone(),
            cost: at.cost,
            scratch,
            budget: BUDGET,
            span: Span::default(),
        }
    }

    pub fn into_concrete(self) -> Concrete {
        Concrete { state: self.state, clocks: self.clocks, cost: self.cost }
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
        for conjunct in conjuncts.iter().filter(|c| is_data(c)) {
            if let Conjunct::Data(term) = conjunct
                && self.value(term)? == 0
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn clocks_hold(&mut self, conjuncts: &[Conjunct]) -> Result<bool, Fault> {
        for conjunct in conjuncts {
            if let Conjunct::Clock(test) = conjunct
                && !self.test_holds(test)?
            {
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
    pub fn bound(&mut self, test: &ClockTest) -> Result<Time, Fault> {
        let bound = self.value(&test.bound)?;
        if bound.unsigned_abs() > LARGEST_CLOCK {
            return Err(Fault { kind: FaultKind::ClockTooLarge(bound), span: test.span });
        }
        Ok(Time::from_integer(bound))
    }

    /// The value of a clock in a test; 0 for none.
    pub fn reading(&mut self, clock: Option<&ClockRef>) -> Result<Time, Fault> {
        Ok(match clock {
            None => Time::from_integer(0),
            Some(ClockRef::Fixed(clock)) => self.clocks[*clock as usize],
            Some(ClockRef::Indexed { place, .. }) => {
                let clock = self.clock(place)?;
                self.clocks[clock]
            }
        })
    }

    pub fn spend(&mut self, span: Span) -> Result<(), Fault> {
        match self.budget.checked_sub(1) {
            Some(left) => self.budget = left,
            None => return Err(Fault { kind: FaultKind::Endless, span }),
        }
        Ok(())
    }

    pub fn load(&self, addr: u32) -> i64 {
        match addr.checked_sub(self.model.state_len) {
            None => i64::from(self.state[addr as usize]),
            Some(local) => self.scratch[local as usize],
        }
    }

    /// Writes a cell if the value lies in its range.
    pub fn store(&mut self, addr: u32, value: i64, span: Span) -> Result<(), Fault> {
        let cell = &self.model.cells[addr as usize];
        if value < cell.lo || value > cell.hi {
            return Err(Fault { kind: FaultKind::OutOfRange { cell: Addr(addr), value }, span });
        }
        self.put(addr, value);
        Ok(())
    }

    /// Writes a cell that no range binds: bound variables and addresses.
    pub fn put(&mut self, addr: u32, value: i64) {
        match addr.checked_sub(self.model.state_len) {
            None => self.state[addr as usize] = value as i32,
            Some(local) => self.scratch[local as usize] = value,
        }
    }

    pub fn address(&mut self, place: &Place) -> Result<u32, Fault> {
        let base = match place.base {
            PlaceBase::Fixed(addr) => addr.0,
            PlaceBase::Reference(addr) => self.load(addr.0) as u32,
        };
        Ok(base + self.indexed(&place.steps)? + place.offset)
    }

    pub fn clock(&mut self, place: &ClockPlace) -> Result<usize, Fault> {
        let base = match place.base {
            ClockBase::Fixed(clock) => clock,
            ClockBase::Reference(addr) => self.load(addr.0) as u32,
        };
        Ok((base + self.indexed(&place.steps)? + place.offset) as usize)
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
