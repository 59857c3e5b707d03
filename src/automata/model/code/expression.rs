//! Code for expressions: for their value, for their effect, or to jump on their truth.

use super::generator::{Generator, JumpTarget, constant_of};
use super::{Loop, Op};
use crate::model::{Addr, Expr, Place};
use crate::network::{BinaryOp, QuantifierKind, UnaryOp};
use takt_diagnostic::Span;

impl Generator<'_> {
    /// Leaves the value in `acc`.
    pub fn value(&mut self, expr: &Expr) {
        if let Some(value) = constant_of(expr) {
            return self.constant(value);
        }
        match expr {
            Expr::Const(value) => self.constant(*value),
            Expr::Load(place) => self.load_place(place),
            Expr::Unary(op, inner) => self.unary(*op, inner),
            Expr::Binary(op, left, right, span) => self.binary(*op, left, right, *span),
            Expr::And(left, right) => {
                let end = self.label();
                self.all_of(left, end);
                self.truth(right);
                self.place(end);
            }
            Expr::Or(left, right) => {
                let end = self.label();
                self.any_of(left, end);
                self.truth(right);
                self.place(end);
            }
            Expr::Conditional(condition, yes, no) => {
                self.conditional(condition, |g| g.value(yes), |g| g.value(no));
            }
            Expr::Quantifier { kind, binder, lo, hi, body } => {
                self.quantifier(*kind, *binder, (*lo, *hi), body);
            }
            Expr::Call(function, arguments, span) => self.call(*function, arguments, *span),
            Expr::Assign(place, value) => self.assign(place, value),
            Expr::Update(place, op, value, span) => self.update_place(place, *op, value, *span),
            Expr::PostIncrement(place, delta) => {
                self.increment(place, *delta);
                // The value before; it was in range, so this cannot overflow.
                self.apply_constant(BinaryOp::Sub, *delta, place.span);
            }
            Expr::Copy { to, from, len } => {
                self.two_addresses(to, from);
                self.emit_at(Op::Copy(*len), to.span);
            }
            Expr::Same { left, right, len } => {
                self.two_addresses(left, right);
                self.emit(Op::Same(*len));
            }
            Expr::Reset(clock, value) => self.reset(clock, value),
            Expr::AddCost(value) => {
                self.value(value);
                self.emit_here(Op::AddCost);
            }
            Expr::Sequence(parts) => match parts.split_last() {
                Some((last, before)) => {
                    before.iter().for_each(|part| self.effect(part));
                    self.value(last);
                }
                None => self.emit(Op::Const(0)),
            },
        }
    }

    /// Leaves anything in `acc`.
    pub fn effect(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) => {}
            Expr::Sequence(parts) => parts.iter().for_each(|part| self.effect(part)),
            Expr::PostIncrement(place, delta) => self.increment(place, *delta),
            Expr::Conditional(condition, yes, no) => {
                self.conditional(condition, |g| g.effect(yes), |g| g.effect(no));
            }
            _ => self.value(expr),
        }
    }

    /// Leaves 0 or 1 in `acc`.
    fn truth(&mut self, expr: &Expr) {
        self.value(expr);
        if !expr.is_truth() {
            self.emit(Op::Truth);
        }
    }

    /// Jumps to `label` if the expression is `when`, else goes on.
    pub fn branch(&mut self, expr: &Expr, when: bool, label: JumpTarget) {
        match expr {
            Expr::Unary(UnaryOp::Not, inner) => self.branch(inner, !when, label),
            Expr::And(left, right) | Expr::Or(left, right) => {
                // The truth of the left operand that decides the whole.
                let decisive = matches!(expr, Expr::Or(..));
                if decisive == when {
                    self.branch(left, when, label);
                    self.branch(right, when, label);
                } else {
                    let skip = self.label();
                    self.branch(left, decisive, skip);
                    self.branch(right, when, label);
                    self.place(skip);
                }
            }
            _ => {
                self.value(expr);
                self.jump(if when { Op::JumpUnlessZero } else { Op::JumpIfZero }, label);
            }
        }
    }

    /// Jumps to `end` with 0 in `acc` unless all conjuncts hold.
    fn all_of(&mut self, expr: &Expr, end: JumpTarget) {
        if let Expr::And(left, right) = expr {
            self.all_of(left, end);
            self.all_of(right, end);
        } else {
            self.value(expr);
            self.jump(Op::JumpIfZero, end);
        }
    }

    /// Jumps to `end` with 1 in `acc` if a disjunct holds.
    fn any_of(&mut self, expr: &Expr, end: JumpTarget) {
        if let Expr::Or(left, right) = expr {
            self.any_of(left, end);
            self.any_of(right, end);
        } else {
            self.truth(expr);
            self.jump(Op::JumpUnlessZero, end);
        }
    }

    fn conditional(
        &mut self,
        condition: &Expr,
        yes: impl FnOnce(&mut Self),
        no: impl FnOnce(&mut Self),
    ) {
        let (otherwise, end) = (self.label(), self.label());
        self.branch(condition, false, otherwise);
        yes(self);
        self.jump(Op::Jump, end);
        self.place(otherwise);
        no(self);
        self.place(end);
    }

    fn load_place(&mut self, place: &Place) {
        match self.fixed(place) {
            Some(cell) => self.load(cell),
            None => {
                let offset = self.address(place);
                self.emit(Op::LoadAt(offset));
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr) {
        self.value(inner);
        match op {
            UnaryOp::Plus => {}
            UnaryOp::Minus => self.emit_here(Op::Negate),
            UnaryOp::Not => self.emit(Op::Not),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) {
        if let Some(op) = self.compared_cell(op, left, right) {
            return self.emit(op);
        }
        self.value(left);
        self.apply(op, right, span);
    }

    /// `acc = acc op right`
    pub fn apply(&mut self, op: BinaryOp, right: &Expr, span: Span) {
        if let Some(value) = constant_of(right) {
            return self.apply_constant(op, value, span);
        }
        if let Some(cell) = self.plain_cell(right) {
            let is_state = self.is_state(cell);
            let op =
                if is_state { Op::BinaryState { op, cell } } else { Op::BinaryLocal { op, cell } };
            return self.emit_at(op, span);
        }
        self.emit(Op::Push);
        self.value(right);
        self.emit_at(Op::Binary(op), span);
    }

    pub fn apply_constant(&mut self, op: BinaryOp, value: i64, span: Span) {
        if let Ok(value) = i32::try_from(value) {
            self.emit_at(Op::BinaryConst { op, value }, span);
        } else {
            self.emit(Op::Push);
            self.constant(value);
            self.emit_at(Op::Binary(op), span);
        }
    }

    pub fn plain_cell(&self, expr: &Expr) -> Option<Addr> {
        match expr {
            Expr::Load(place) => self.fixed(place),
            _ => None,
        }
    }

    /// One instruction for a cell of the state compared with a small constant, either way round.
    fn compared_cell(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Op> {
        use BinaryOp::*;
        let (op, cell, value) = match (constant_of(left), constant_of(right)) {
            (None, Some(value)) => (op, self.plain_cell(left)?, value),
            (Some(value), None) => {
                let op = match op {
                    Less => Greater,
                    LessEqual => GreaterEqual,
                    GreaterEqual => LessEqual,
                    Greater => Less,
                    other => other,
                };
                (op, self.plain_cell(right)?, value)
            }
            _ => return None,
        };
        if !self.is_state(cell) {
            return None;
        }
        let value = i16::try_from(value).ok()?;
        Some(match op {
            Equal => Op::StateEqual { value, cell },
            NotEqual => Op::StateDiffers { value, cell },
            LessEqual => Op::StateAtMost { value, cell },
            GreaterEqual => Op::StateAtLeast { value, cell },
            Less => Op::StateAtMost { value: value.checked_sub(1)?, cell },
            Greater => Op::StateAtLeast { value: value.checked_add(1)?, cell },
            _ => return None,
        })
    }

    fn quantifier(
        &mut self,
        kind: QuantifierKind,
        binder: Addr,
        (lo, hi): (i64, i64),
        body: &Expr,
    ) {
        let neutral = i32::from(kind == QuantifierKind::Forall);
        if lo > hi {
            return self.emit(Op::Const(neutral));
        }
        let end = self.label();
        if kind == QuantifierKind::Sum {
            self.emit(Op::Const(0));
            self.emit(Op::Push);
        }
        let start = self.begin_range(binder, lo);
        match kind {
            QuantifierKind::Forall => self.all_of(body, end),
            QuantifierKind::Exists => self.any_of(body, end),
            QuantifierKind::Sum => {
                self.value(body);
                self.emit_here(Op::Accumulate);
            }
        }
        self.end_range(binder, hi, start);
        match kind {
            QuantifierKind::Sum => self.emit(Op::Pop),
            _ => self.emit(Op::Const(neutral)),
        }
        self.place(end);
    }

    /// Begins a loop over a range; gives the place to jump back to.
    pub fn begin_range(&mut self, binder: Addr, lo: i64) -> u32 {
        self.constant(lo);
        self.bind(binder);
        self.here()
    }

    pub fn end_range(&mut self, cell: Addr, last: i64, start: u32) {
        self.code.loops.push(Loop { cell, last, start });
        self.emit_here(Op::Next(self.code.loops.len() as u32 - 1));
    }
}
