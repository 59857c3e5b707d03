//! Code for places: constant ones cost nothing, others compute an address.

use super::generator::{Generator, constant_of};
use super::{Dimension, Op};
use crate::model::{Addr, ClockBase, ClockId, ClockPlace, IndexStep, Place, PlaceBase};

impl Generator<'_> {
    /// The cell of a place without anything to compute.
    pub fn fixed(&self, place: &Place) -> Option<Addr> {
        match place.base {
            PlaceBase::Reference(_) => None,
            PlaceBase::Fixed(cell) => {
                let moved = place.steps.iter().map(fixed_step).sum::<Option<u32>>()?;
                Some(cell.offset(place.offset + moved))
            }
        }
    }

    /// Leaves a part of the address in `acc`; the rest is what is returned.
    pub fn address(&mut self, place: &Place) -> u32 {
        match place.base {
            PlaceBase::Fixed(Addr(cell)) => {
                self.steps(&place.steps, None);
                cell + place.offset + fixed_part(&place.steps)
            }
            PlaceBase::Reference(cell) => {
                self.steps(&place.steps, Some(cell));
                place.offset + fixed_part(&place.steps)
            }
        }
    }

    /// Leaves the whole address in `acc`.
    pub fn whole_address(&mut self, place: &Place) {
        if let Some(cell) = self.fixed(place) {
            return self.constant(i64::from(cell.0));
        }
        match self.address(place) {
            0 => {}
            offset => self.emit(Op::Offset(offset)),
        }
    }

    /// Leaves a part of the clock's number in `acc`; the rest is what is returned.
    pub fn clock_address(&mut self, place: &ClockPlace) -> u32 {
        match place.base {
            ClockBase::Fixed(clock) => {
                self.steps(&place.steps, None);
                clock.0 + place.offset + fixed_part(&place.steps)
            }
            ClockBase::Reference(cell) => {
                self.steps(&place.steps, Some(cell));
                place.offset + fixed_part(&place.steps)
            }
        }
    }

    /// Leaves the clock's number in `acc`.
    pub fn whole_clock(&mut self, place: &ClockPlace) {
        if let Some(clock) = self.fixed_clock(place) {
            return self.constant(i64::from(clock.0));
        }
        match self.clock_address(place) {
            0 => {}
            offset => self.emit(Op::Offset(offset)),
        }
    }

    /// The clock's number if nothing is to be computed.
    pub fn fixed_clock(&self, place: &ClockPlace) -> Option<ClockId> {
        match place.base {
            ClockBase::Reference(_) => None,
            ClockBase::Fixed(clock) => {
                let moved = place.steps.iter().map(fixed_step).sum::<Option<u32>>()?;
                Some(clock.offset(place.offset + moved))
            }
        }
    }

    /// Sums up a reference and the steps with an index to compute.
    fn steps(&mut self, steps: &[IndexStep], reference: Option<Addr>) {
        let mut is_first = true;
        if let Some(cell) = reference {
            self.load(cell);
            is_first = false;
        }
        for step in steps.iter().filter(|step| fixed_step(step).is_none()) {
            if !is_first {
                self.emit(Op::Push);
            }
            self.value(&step.index);
            let number = self.step(step);
            let op = if is_first { Op::Index(number) } else { Op::IndexNext(number) };
            self.emit_at(op, step.span);
            is_first = false;
        }
        if is_first {
            self.emit(Op::Const(0));
        }
    }

    fn step(&mut self, step: &IndexStep) -> u32 {
        let IndexStep { first, length, stride, .. } = *step;
        let step = Dimension { first, length, stride };
        let steps = &mut self.code.dimensions;
        // Neighbouring uses of one array are common, so the last few are worth a look.
        let recent = steps.len().saturating_sub(8);
        if let Some(found) = steps[recent..].iter().position(|&known| known == step) {
            return (recent + found) as u32;
        }
        steps.push(step);
        steps.len() as u32 - 1
    }
}

/// The offset of a step with a constant index in range; others are left to run (and to fault).
fn fixed_step(step: &IndexStep) -> Option<u32> {
    let index = constant_of(&step.index)?.checked_sub(step.first)?;
    let index = u32::try_from(index).ok().filter(|&index| index < step.length)?;
    index.checked_mul(step.stride)
}

fn fixed_part(steps: &[IndexStep]) -> u32 {
    steps.iter().filter_map(fixed_step).sum()
}
