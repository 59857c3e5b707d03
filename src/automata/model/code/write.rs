//! Code for what changes something: cells, aggregates, clocks.

use super::Op;
use super::generator::{Generator, constant_of};
use crate::model::{ClockPlace, Expr, Place};
use crate::network::BinaryOp;
use takt_diagnostic::Span;

impl Generator<'_> {
    pub fn assign(&mut self, place: &Place, value: &Expr) {
        let Some(cell) = self.fixed(place) else {
            let offset = self.address(place);
            self.emit(Op::Push);
            self.value(value);
            return self.emit_at(Op::StoreAt(offset), place.span);
        };
        let range = self.code.ranges[cell];
        match constant_of(value).filter(|&v| range.contains(v)).map(i16::try_from) {
            Some(Ok(value)) if self.is_state(cell) => self.emit(Op::SetState { value, cell }),
            _ => {
                self.value(value);
                self.store(cell, place.span);
            }
        }
    }

    pub fn update_place(&mut self, place: &Place, op: BinaryOp, value: &Expr, span: Span) {
        let Some(cell) = self.fixed(place) else {
            let offset = self.address(place);
            self.emit(Op::Push);
            self.value(value);
            return self.emit_at(Op::UpdateAt { op, offset }, span);
        };
        if constant_of(value).is_some() || self.plain_cell(value).is_some() {
            self.load(cell);
            self.apply(op, value, span);
        } else {
            self.value(value);
            self.emit(Op::Push);
            self.load(cell);
            self.emit_at(Op::Reversed(op), span);
        }
        self.store(cell, span);
    }

    /// Adds a constant; `acc` is the new value.
    pub fn increment(&mut self, place: &Place, delta: i64) {
        match (self.fixed(place), i16::try_from(delta)) {
            (Some(cell), Ok(delta)) if self.is_state(cell) => {
                self.emit_at(Op::AddState { delta, cell }, place.span);
            }
            (Some(cell), _) => {
                self.load(cell);
                self.apply_constant(BinaryOp::Add, delta, place.span);
                self.store(cell, place.span);
            }
            (None, _) => {
                let offset = self.address(place);
                self.emit(Op::Push);
                self.constant(delta);
                self.emit_at(Op::UpdateAt { op: BinaryOp::Add, offset }, place.span);
            }
        }
    }

    pub fn two_addresses(&mut self, first: &Place, second: &Place) {
        self.whole_address(first);
        self.emit(Op::Push);
        self.whole_address(second);
    }

    pub fn reset(&mut self, place: &ClockPlace, value: &Expr) {
        let constant = constant_of(value).filter(|&v| v >= 0).map(i16::try_from);
        match (self.fixed_clock(place), constant) {
            (Some(clock), Some(Ok(value))) => self.emit(Op::ResetConst { value, clock }),
            (Some(clock), _) => {
                self.value(value);
                self.emit_here(Op::Reset(clock));
            }
            (None, _) => {
                let offset = self.clock_address(place);
                self.emit(Op::Push);
                self.value(value);
                self.emit_here(Op::ResetAt(offset));
            }
        }
    }
}
