//! Evaluates trees in the most obvious way.

use crate::model::vm::Effects;
use crate::model::{
    Addr, Argument, ClockBase, ClockId, ClockPlace, Expr, FaultKind, FunctionId, IndexStep, Model,
    Place, PlaceBase, Statement,
};
use crate::network::{BinaryOp, QuantifierKind, UnaryOp};

type Result<T> = std::result::Result<T, FaultKind>;

const PATIENCE: u32 = 50_000;

pub(super) struct Walker<'a> {
    model: &'a Model,
    pub state: Vec<i32>,
    pub scratch: Vec<i64>,
    pub effects: Effects,
    steps: u32,
}

impl<'a> Walker<'a> {
    pub fn new(model: &'a Model, state: &[i32]) -> Walker<'a> {
        let scratch = model.cells.iter().map(|cell| cell.initial).collect();
        Walker { model, state: state.to_vec(), scratch, effects: Effects::default(), steps: 0 }
    }

    /// Whether the walk was given up.
    pub fn is_exhausted(&self) -> bool {
        self.steps > PATIENCE
    }

    pub fn value(&mut self, expr: &Expr) -> Result<i64> {
        self.steps += 1;
        if self.is_exhausted() {
            return Err(FaultKind::Endless);
        }
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Load(place) => {
                let address = self.address(place)?;
                self.load(address)
            }
            Expr::Unary(op, inner) => {
                let value = self.value(inner)?;
                match op {
                    UnaryOp::Not => i64::from(value == 0),
                    UnaryOp::Minus => value.checked_neg().ok_or(FaultKind::Overflow)?,
                    UnaryOp::Plus => value,
                }
            }
            Expr::Binary(op, left, right, _) => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                apply(*op, left, right)?
            }
            Expr::And(left, right) => i64::from(self.value(left)? != 0 && self.value(right)? != 0),
            Expr::Or(left, right) => i64::from(self.value(left)? != 0 || self.value(right)? != 0),
            Expr::Conditional(condition, yes, no) => {
                if self.value(condition)? != 0 {
                    self.value(yes)?
                } else {
                    self.value(no)?
                }
            }
            Expr::Quantifier { kind, binder, lo, hi, body } => {
                self.quantifier(*kind, *binder, *lo, *hi, body)?
            }
            Expr::Call(function, arguments, _) => self.call(*function, arguments)?,
            Expr::Assign(place, value) => {
                let address = self.address(place)?;
                let value = self.value(value)?;
                self.store(address, value)?
            }
            Expr::Update(place, op, value, _) => {
                let address = self.address(place)?;
                let value = self.value(value)?;
                let value = apply(*op, self.load(address), value)?;
                self.store(address, value)?
            }
            Expr::PostIncrement(place, delta) => {
                let address = self.address(place)?;
                let before = self.load(address);
                self.store(address, apply(BinaryOp::Add, before, *delta)?)?;
                before
            }
            Expr::Copy { to, from, len } => {
                let to = self.address(to)?;
                let from = self.address(from)?;
                self.copy(to, from, *len)?;
                0
            }
            Expr::Same { left, right, len } => {
                let left = self.address(left)?;
                let right = self.address(right)?;
                i64::from((0..*len).all(|i| self.load(left + i) == self.load(right + i)))
            }
            Expr::Reset(clock, value) => {
                let clock = self.clock(clock)?;
                let value = self.value(value)?;
                if value < 0 {
                    return Err(FaultKind::NegativeClock(value));
                }
                self.effects.resets.push((clock, value));
                0
            }
            Expr::AddCost(value) => {
                let value = self.value(value)?;
                if value < 0 {
                    return Err(FaultKind::NegativePrice(value));
                }
                let sum = self.effects.cost.checked_add(value);
                self.effects.cost = sum.ok_or(FaultKind::Overflow)?;
                0
            }
            Expr::Sequence(parts) => {
                let mut last = 0;
                for part in parts {
                    last = self.value(part)?;
                }
                last
            }
        })
    }

    fn quantifier(
        &mut self,
        kind: QuantifierKind,
        binder: Addr,
        lo: i64,
        hi: i64,
        body: &Expr,
    ) -> Result<i64> {
        let mut sum = 0i64;
        for value in lo..=hi {
            self.scratch[binder.0 as usize] = value;
            let value = self.value(body)?;
            match kind {
                QuantifierKind::Forall if value == 0 => return Ok(0),
                QuantifierKind::Exists if value != 0 => return Ok(1),
                QuantifierKind::Sum => sum = apply(BinaryOp::Add, sum, value)?,
                _ => {}
            }
        }
        Ok(if kind == QuantifierKind::Forall { 1 } else { sum })
    }

    fn call(&mut self, function: FunctionId, arguments: &[Argument]) -> Result<i64> {
        let function = &self.model.functions[function.0 as usize];
        let mut values = Vec::new();
        for argument in arguments {
            values.push(match argument {
                Argument::Value(value) => self.value(value)?,
                Argument::Aggregate(place, _) | Argument::Reference(place) => {
                    i64::from(self.address(place)?)
                }
                Argument::Clock(clock) => i64::from(self.clock(clock)?.0),
            });
        }
        for ((argument, value), param) in arguments.iter().zip(values).zip(&function.parameters) {
            match argument {
                Argument::Value(_) => {
                    self.store(param.addr.0, value)?;
                }
                Argument::Aggregate(_, len) => self.copy(param.addr.0, value as u32, *len)?,
                _ => self.scratch[param.addr.0 as usize] = value,
            }
        }
        for statement in &function.body {
            if let Some(value) = self.statement(statement, function.result)? {
                return Ok(value);
            }
        }
        if function.result.is_some() { Err(FaultKind::NoReturn) } else { Ok(0) }
    }

    /// The value returned, if the statement returns.
    fn statement(
        &mut self,
        statement: &Statement,
        result: Option<(Addr, u32)>,
    ) -> Result<Option<i64>> {
        match statement {
            Statement::Expr(expr) => {
                self.value(expr)?;
            }
            Statement::Block(statements) => {
                for statement in statements {
                    if let Some(value) = self.statement(statement, result)? {
                        return Ok(Some(value));
                    }
                }
            }
            Statement::If(condition, yes, no) => {
                if self.value(condition)? != 0 {
                    return self.statement(yes, result);
                } else if let Some(no) = no {
                    return self.statement(no, result);
                }
            }
            Statement::While(condition, body, _) => {
                while self.value(condition)? != 0 {
                    if let Some(value) = self.statement(body, result)? {
                        return Ok(Some(value));
                    }
                }
            }
            Statement::DoWhile(body, condition, _) => loop {
                if let Some(value) = self.statement(body, result)? {
                    return Ok(Some(value));
                }
                if self.value(condition)? == 0 {
                    break;
                }
            },
            Statement::For { initial, condition, step, body, .. } => {
                self.value(initial)?;
                while self.value(condition)? != 0 {
                    if let Some(value) = self.statement(body, result)? {
                        return Ok(Some(value));
                    }
                    self.value(step)?;
                }
            }
            Statement::ForEach { binder, lo, hi, body } => {
                for value in *lo..=*hi {
                    self.scratch[binder.0 as usize] = value;
                    if let Some(value) = self.statement(body, result)? {
                        return Ok(Some(value));
                    }
                }
            }
            Statement::Return(value) => {
                let value = value.as_ref().map(|value| self.value(value)).transpose()?;
                return match (value, result) {
                    (Some(value), Some((cell, _))) => Ok(Some(self.store(cell.0, value)?)),
                    (None, Some(_)) => Err(FaultKind::NoReturn),
                    (_, None) => Ok(Some(0)),
                };
            }
            Statement::ReturnAggregate(place) => {
                let from = self.address(place)?;
                if let Some((cell, len)) = result {
                    self.copy(cell.0, from, len)?;
                }
                return Ok(Some(0));
            }
        }
        Ok(None)
    }

    fn address(&mut self, place: &Place) -> Result<u32> {
        let base = match place.base {
            PlaceBase::Fixed(cell) => cell.0,
            PlaceBase::Reference(cell) => self.load(cell.0) as u32,
        };
        Ok(base + self.steps(&place.steps)? + place.offset)
    }

    fn clock(&mut self, place: &ClockPlace) -> Result<ClockId> {
        let base = match place.base {
            ClockBase::Fixed(clock) => clock,
            ClockBase::Reference(cell) => ClockId(self.load(cell.0) as u32),
        };
        Ok(base.offset(self.steps(&place.steps)? + place.offset))
    }

    fn steps(&mut self, steps: &[IndexStep]) -> Result<u32> {
        let mut sum = 0;
        for step in steps {
            let index = self.value(&step.index)?;
            let offset = i128::from(index) - i128::from(step.first);
            if offset < 0 || offset >= i128::from(step.length) {
                return Err(FaultKind::IndexOutOfRange { index, length: step.length });
            }
            sum += offset as u32 * step.stride;
        }
        Ok(sum)
    }

    fn load(&self, address: u32) -> i64 {
        match self.state.get(address as usize) {
            Some(&value) => i64::from(value),
            None => self.scratch[address as usize],
        }
    }

    fn store(&mut self, address: u32, value: i64) -> Result<i64> {
        let cell = &self.model.cells[address as usize];
        if value < cell.lo || value > cell.hi {
            return Err(FaultKind::OutOfRange { cell: Addr(address), value });
        }
        if address < self.model.state_len {
            self.state[address as usize] = value as i32;
        } else {
            self.scratch[address as usize] = value;
        }
        Ok(value)
    }

    fn copy(&mut self, to: u32, from: u32, len: u32) -> Result<()> {
        for i in 0..len {
            self.store(to + i, self.load(from + i))?;
        }
        Ok(())
    }
}

/// Computes with 128 bits and then looks whether 64 suffice.
fn apply(op: BinaryOp, left: i64, right: i64) -> Result<i64> {
    use BinaryOp::*;
    let (a, b) = (i128::from(left), i128::from(right));
    let wide = match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Div | Mod if b == 0 => return Err(FaultKind::DivisionByZero),
        Div => a / b,
        Mod => a % b,
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        ShiftLeft | ShiftRight if !(0..64).contains(&b) => {
            return Err(FaultKind::BadShift(right));
        }
        ShiftLeft => a << b,
        ShiftRight => a >> b,
        Min => a.min(b),
        Max => a.max(b),
        Less => i128::from(a < b),
        LessEqual => i128::from(a <= b),
        Equal => i128::from(a == b),
        NotEqual => i128::from(a != b),
        GreaterEqual => i128::from(a >= b),
        Greater => i128::from(a > b),
        And | Or | Imply => unreachable!("not grown"),
    };
    i64::try_from(wide).map_err(|_| FaultKind::Overflow)
}
