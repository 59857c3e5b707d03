//! Walks expression trees: values, writes, resets, prices.

use super::memory::{LARGEST_CLOCK, Memory, Ticks};
use crate::model::{Addr, Argument, Expr, Fault, FaultKind, FunctionId};
use crate::network::{BinaryOp, QuantifierKind, UnaryOp};
use takt_diagnostic::Span;

impl Memory<'_> {
    pub fn eval(&mut self, expr: &Expr) -> Result<i64, Fault> {
        match expr {
            Expr::Const(value) => Ok(*value),
            Expr::Load(place) => self.address(place).map(|addr| self.load(addr)),
            Expr::Unary(op, operand) => self.unary(*op, operand),
            Expr::Binary(op, left, right, span) => {
                let (left, right) = (self.eval(left)?, self.eval(right)?);
                binary(*op, left, right, *span)
            }
            Expr::And(left, right) => {
                Ok(i64::from(self.eval(left)? != 0 && self.eval(right)? != 0))
            }
            Expr::Or(left, right) => Ok(i64::from(self.eval(left)? != 0 || self.eval(right)? != 0)),
            Expr::Conditional(condition, yes, no) => {
                if self.eval(condition)? != 0 {
                    self.eval(yes)
                } else {
                    self.eval(no)
                }
            }
            Expr::Quantifier { kind, binder, lo, hi, body } => {
                self.quantifier(*kind, *binder, (*lo, *hi), body)
            }
            Expr::Call(function, arguments, span) => self.call(*function, arguments, *span),
            Expr::Sequence(parts) => parts.iter().try_fold(0, |_, part| self.eval(part)),
            Expr::Same { left, right, len } => {
                let (left, right) = (self.address(left)?, self.address(right)?);
                Ok(i64::from(
                    (0..*len).all(|i| self.load(left.offset(i)) == self.load(right.offset(i))),
                ))
            }
            Expr::Assign(..)
            | Expr::Update(..)
            | Expr::PostIncrement(..)
            | Expr::Copy { .. }
            | Expr::Reset(..)
            | Expr::AddCost(_) => self.write(expr),
        }
    }

    fn write(&mut self, expr: &Expr) -> Result<i64, Fault> {
        match expr {
            Expr::Assign(place, value) => {
                let addr = self.address(place)?;
                let value = self.eval(value)?;
                self.store(addr, value, place.span)?;
                Ok(value)
            }
            Expr::Update(place, op, value, span) => {
                let addr = self.address(place)?;
                let value = self.eval(value)?;
                let value = binary(*op, self.load(addr), value, *span)?;
                self.store(addr, value, *span)?;
                Ok(value)
            }
            Expr::PostIncrement(place, delta) => {
                let addr = self.address(place)?;
                let before = self.load(addr);
                let after = binary(BinaryOp::Add, before, *delta, place.span)?;
                self.store(addr, after, place.span)?;
                Ok(before)
            }
            Expr::Copy { to, from, len } => {
                let (to_addr, from) = (self.address(to)?, self.address(from)?);
                let values = self.load_all(from, *len);
                self.store_all(to_addr, values, to.span)?;
                Ok(0)
            }
            Expr::Reset(clock, value) => {
                let clock = self.clock(clock)?;
                let value = self.eval(value)?;
                if value < 0 {
                    return self.fault(FaultKind::NegativeClock(value));
                }
                if value.unsigned_abs() > LARGEST_CLOCK {
                    return self.fault(FaultKind::ClockTooLarge(value));
                }
                self.set_clock(clock, value);
                Ok(0)
            }
            Expr::AddCost(value) => self.add_cost(value),
            _ => unreachable!("only writing expressions come here"),
        }
    }

    fn add_cost(&mut self, value: &Expr) -> Result<i64, Fault> {
        let value = self.eval(value)?;
        if value < 0 {
            return self.fault(FaultKind::NegativePrice(value));
        }
        match self.cost.checked_add(Ticks::from(value) * self.unit) {
            Some(cost) => self.cost = cost,
            None => return self.fault(FaultKind::Overflow),
        }
        Ok(0)
    }

    fn fault<T>(&self, kind: FaultKind) -> Result<T, Fault> {
        Err(Fault { kind, span: self.span })
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Result<i64, Fault> {
        let value = self.eval(operand)?;
        match op {
            UnaryOp::Not => Ok(i64::from(value == 0)),
            UnaryOp::Plus => Ok(value),
            UnaryOp::Minus => {
                value.checked_neg().map_or_else(|| self.fault(FaultKind::Overflow), Ok)
            }
        }
    }

    fn quantifier(
        &mut self,
        kind: QuantifierKind,
        binder: Addr,
        (lo, hi): (i64, i64),
        body: &Expr,
    ) -> Result<i64, Fault> {
        let mut sum: i64 = 0;
        for value in lo..=hi {
            self.spend(self.span)?;
            self.put(binder, value);
            let value = self.eval(body)?;
            match kind {
                QuantifierKind::Forall if value == 0 => return Ok(0),
                QuantifierKind::Exists if value != 0 => return Ok(1),
                QuantifierKind::Sum => match sum.checked_add(value) {
                    Some(total) => sum = total,
                    None => return self.fault(FaultKind::Overflow),
                },
                QuantifierKind::Forall | QuantifierKind::Exists => {}
            }
        }
        Ok(if kind == QuantifierKind::Forall { 1 } else { sum })
    }

    /// All arguments are known before any parameter is written: an argument may call the same
    /// function.
    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        span: Span,
    ) -> Result<i64, Fault> {
        self.spend(span)?;
        let function = &self.model.functions[function];
        let mut passed = Vec::with_capacity(arguments.len());
        for argument in arguments {
            passed.push(self.argument(argument)?);
        }
        for (parameter, (values, is_checked)) in function.parameters.iter().zip(passed) {
            match is_checked {
                true => self.store_all(parameter.addr, values, span)?,
                false => self.put(parameter.addr, values[0]),
            }
        }
        self.run_function(function)
    }

    /// The cells an argument fills, and whether ranges bind them.
    fn argument(&mut self, argument: &Argument) -> Result<(Vec<i64>, bool), Fault> {
        Ok(match argument {
            Argument::Value(value) => (vec![self.eval(value)?], true),
            Argument::Aggregate(place, len) => {
                let addr = self.address(place)?;
                (self.load_all(addr, *len), true)
            }
            Argument::Reference(place) => (vec![i64::from(self.address(place)?.0)], false),
            Argument::Clock(place) => (vec![i64::from(self.clock(place)?.0)], false),
        })
    }
}

/// Operators on 64 bits; whatever does not fit is a fault. Division truncates, as in C.
fn binary(op: BinaryOp, left: i64, right: i64, span: Span) -> Result<i64, Fault> {
    let fault = |kind| Fault { kind, span };
    let exact = |value: Option<i64>| value.ok_or(fault(FaultKind::Overflow));
    match op {
        BinaryOp::Add => exact(left.checked_add(right)),
        BinaryOp::Sub => exact(left.checked_sub(right)),
        BinaryOp::Mul => exact(left.checked_mul(right)),
        BinaryOp::Div | BinaryOp::Mod if right == 0 => Err(fault(FaultKind::DivisionByZero)),
        BinaryOp::Div => exact(left.checked_div(right)),
        BinaryOp::Mod => Ok(left.wrapping_rem(right)),
        BinaryOp::BitAnd => Ok(left & right),
        BinaryOp::BitOr => Ok(left | right),
        BinaryOp::BitXor => Ok(left ^ right),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if !(0..64).contains(&right) => {
            Err(fault(FaultKind::BadShift(right)))
        }
        BinaryOp::ShiftLeft => {
            let value = left << right;
            exact((value >> right == left).then_some(value))
        }
        BinaryOp::ShiftRight => Ok(left >> right),
        BinaryOp::Min => Ok(left.min(right)),
        BinaryOp::Max => Ok(left.max(right)),
        BinaryOp::Less => Ok(i64::from(left < right)),
        BinaryOp::LessEqual => Ok(i64::from(left <= right)),
        BinaryOp::Equal => Ok(i64::from(left == right)),
        BinaryOp::NotEqual => Ok(i64::from(left != right)),
        BinaryOp::GreaterEqual => Ok(i64::from(left >= right)),
        BinaryOp::Greater => Ok(i64::from(left > right)),
        BinaryOp::And => Ok(i64::from(left != 0 && right != 0)),
        BinaryOp::Or => Ok(i64::from(left != 0 || right != 0)),
        BinaryOp::Imply => Ok(i64::from(left == 0 || right != 0)),
    }
}
