//! Computes trees that only depend on constants: functions may be called for sizes, ranges and
//! initial values.

use super::{Resolver, limits, link};
use crate::model::{
    Addr, Argument, Cell, Expr, FaultKind, FunctionId, Place, PlaceBase, Statement, arithmetic,
};
use crate::network::{BinaryOp, QuantifierKind, UnaryOp};
use std::collections::BTreeMap;

/// The value of a tree, or why it has none before the model runs; and the steps it took.
pub fn evaluate(tree: &Expr, resolver: &Resolver) -> (Result<i64, String>, u64) {
    let budget = limits::STEPS.saturating_sub(resolver.spent.steps);
    let mut evaluator = Evaluator { resolver, written: BTreeMap::new(), budget };
    let result = evaluator.expr(tree);
    (result, budget - evaluator.budget)
}

struct Evaluator<'a> {
    resolver: &'a Resolver,
    /// Locals and parameters, as far as they were written.
    written: BTreeMap<Addr, i64>,
    budget: u64,
}

/// How a statement ended.
enum Flow {
    Next,
    Left,
}

impl Evaluator<'_> {
    fn spend(&mut self) -> Result<(), String> {
        self.budget = self.budget.checked_sub(1).ok_or("this takes too long to compute")?;
        Ok(())
    }

    fn expr(&mut self, expr: &Expr) -> Result<i64, String> {
        self.spend()?;
        match expr {
            Expr::Const(value) => Ok(*value),
            Expr::Load(place) => {
                let addr = self.address(place)?;
                self.load(addr)
            }
            Expr::Unary(UnaryOp::Not, inner) => Ok(i64::from(self.expr(inner)? == 0)),
            Expr::Unary(UnaryOp::Minus, inner) => {
                self.expr(inner)?.checked_neg().ok_or("the result does not fit 64 bits".into())
            }
            Expr::Unary(UnaryOp::Plus, inner) => self.expr(inner),
            Expr::Binary(op, left, right, _) => {
                let (a, b) = (self.expr(left)?, self.expr(right)?);
                compute(*op, a, b)
            }
            Expr::And(a, b) => Ok(i64::from(self.expr(a)? != 0 && self.expr(b)? != 0)),
            Expr::Or(a, b) => Ok(i64::from(self.expr(a)? != 0 || self.expr(b)? != 0)),
            Expr::Conditional(test, a, b) => {
                if self.expr(test)? != 0 {
                    self.expr(a)
                } else {
                    self.expr(b)
                }
            }
            Expr::Quantifier { kind, binder, lo, hi, body } => {
                self.quantifier(*kind, *binder, *lo, *hi, body)
            }
            Expr::Call(id, arguments, _) => self.call(*id, arguments),
            Expr::Assign(place, value) => {
                let addr = self.address(place)?;
                let value = self.expr(value)?;
                self.store(addr, value)
            }
            Expr::Update(place, op, value, _) => {
                let addr = self.address(place)?;
                let value = self.expr(value)?;
                let value = compute(*op, self.load(addr)?, value)?;
                self.store(addr, value)
            }
            Expr::PostIncrement(place, delta) => {
                let addr = self.address(place)?;
                let before = self.load(addr)?;
                self.store(addr, compute(BinaryOp::Add, before, *delta)?)?;
                Ok(before)
            }
            Expr::Copy { to, from, len } => {
                let (to, from) = (self.address(to)?, self.address(from)?);
                self.copy(to, from, *len)?;
                Ok(0)
            }
            Expr::Same { left, right, len } => {
                let (left, right) = (self.address(left)?, self.address(right)?);
                for i in 0..*len {
                    if self.load(left.offset(i))? != self.load(right.offset(i))? {
                        return Ok(0);
                    }
                }
                Ok(1)
            }
            Expr::Sequence(parts) => parts.iter().try_fold(0, |_, part| self.expr(part)),
            Expr::Reset(..) | Expr::AddCost(_) => Err("this changes a clock or the cost".into()),
        }
    }

    fn quantifier(
        &mut self,
        kind: QuantifierKind,
        binder: Addr,
        lo: i64,
        hi: i64,
        body: &Expr,
    ) -> Result<i64, String> {
        let mut sum: i64 = 0;
        for value in lo..=hi {
            self.written.insert(binder, value);
            let result = self.expr(body)?;
            match kind {
                QuantifierKind::Forall if result == 0 => return Ok(0),
                QuantifierKind::Exists if result != 0 => return Ok(1),
                QuantifierKind::Sum => sum = compute(BinaryOp::Add, sum, result)?,
                _ => {}
            }
        }
        Ok(if kind == QuantifierKind::Forall { 1 } else { sum })
    }

    fn address(&mut self, place: &Place) -> Result<Addr, String> {
        let base = match place.base {
            PlaceBase::Fixed(addr) => addr,
            PlaceBase::Reference(cell) => Addr(self.load(cell)? as u32),
        };
        let mut addr = base.0 + place.offset;
        for step in &place.steps {
            let index = self.expr(&step.index)?;
            let distance =
                index.checked_sub(step.first).filter(|d| (0..i64::from(step.length)).contains(d));
            let Some(distance) = distance else {
                return Err(format!("the index {index} is out of range"));
            };
            addr += distance as u32 * step.stride;
        }
        Ok(Addr(addr))
    }

    fn load(&mut self, addr: Addr) -> Result<i64, String> {
        if let Some(value) = self.written.get(&addr) {
            return Ok(*value);
        }
        let cell = link::scratch_index(addr).and_then(|index| self.cell(index));
        cell.map(|cell| cell.initial).ok_or("this depends on a variable".into())
    }

    /// A cell of the scratch memory, if it is made here.
    fn cell(&self, index: usize) -> Option<&Cell> {
        let made = &self.resolver.made;
        index.checked_sub(made.scratch_base).and_then(|index| made.scratch.get(index))
    }

    fn store(&mut self, addr: Addr, value: i64) -> Result<i64, String> {
        let index = link::scratch_index(addr).ok_or("this changes a variable")?;
        if let Some(cell) = self.cell(index)
            && !(cell.lo..=cell.hi).contains(&value)
        {
            return Err(format!("{value} is outside of the range of `{}`", cell.name));
        }
        self.written.insert(addr, value);
        Ok(value)
    }

    fn copy(&mut self, to: Addr, from: Addr, len: u32) -> Result<(), String> {
        for i in 0..len {
            self.spend()?;
            let value = self.load(from.offset(i))?;
            self.store(to.offset(i), value)?;
        }
        Ok(())
    }

    fn call(&mut self, id: FunctionId, arguments: &[Argument]) -> Result<i64, String> {
        let function = self
            .resolver
            .made
            .functions
            .get(id.index())
            .ok_or("functions are not computed here")?;
        // Evaluate all before any is stored: an argument may call the same function.
        let mut values = Vec::new();
        for argument in arguments {
            values.push(match argument {
                Argument::Value(value) => vec![self.expr(value)?],
                Argument::Reference(place) => vec![i64::from(self.address(place)?.0)],
                Argument::Aggregate(place, len) => {
                    let addr = self.address(place)?;
                    (0..*len).map(|i| self.load(addr.offset(i))).collect::<Result<_, _>>()?
                }
                Argument::Clock(_) => return Err("this depends on a clock".into()),
            });
        }
        for (values, parameter) in values.into_iter().zip(&function.parameters) {
            for (i, value) in (0..).zip(values) {
                self.store(parameter.addr.offset(i), value)?;
            }
        }
        match (self.block(&function.body, function.result.map(|r| r.0))?, function.result) {
            (Flow::Left, Some((addr, 1))) => self.load(addr),
            (Flow::Next, Some(_)) => {
                Err(format!("`{}` ends without giving a value", function.name))
            }
            _ => Ok(0),
        }
    }

    fn block(&mut self, body: &[Statement], result: Option<Addr>) -> Result<Flow, String> {
        for statement in body {
            if let Flow::Left = self.statement(statement, result)? {
                return Ok(Flow::Left);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement, result: Option<Addr>) -> Result<Flow, String> {
        self.spend()?;
        match statement {
            Statement::Expr(expr) => {
                self.expr(expr)?;
            }
            Statement::Block(body) => return self.block(body, result),
            Statement::If(test, then, otherwise) => {
                if self.expr(test)? != 0 {
                    return self.statement(then, result);
                } else if let Some(otherwise) = otherwise {
                    return self.statement(otherwise, result);
                }
            }
            Statement::While(test, body, _) => return self.repeat(test, None, body, result),
            Statement::DoWhile(body, test, _) => {
                if let Flow::Left = self.statement(body, result)? {
                    return Ok(Flow::Left);
                }
                return self.repeat(test, None, body, result);
            }
            Statement::For { initial, condition, step, body, .. } => {
                self.expr(initial)?;
                return self.repeat(condition, Some(step), body, result);
            }
            Statement::ForEach { binder, lo, hi, body } => {
                for value in *lo..=*hi {
                    self.written.insert(*binder, value);
                    if let Flow::Left = self.statement(body, result)? {
                        return Ok(Flow::Left);
                    }
                }
            }
            Statement::Return(value) => {
                if let (Some(value), Some(addr)) = (value, result) {
                    let value = self.expr(value)?;
                    self.store(addr, value)?;
                }
                return Ok(Flow::Left);
            }
            Statement::ReturnAggregate(_) => {
                return Err("arrays and structs are not computed here".into());
            }
        }
        Ok(Flow::Next)
    }

    fn repeat(
        &mut self,
        test: &Expr,
        step: Option<&Expr>,
        body: &Statement,
        result: Option<Addr>,
    ) -> Result<Flow, String> {
        while self.expr(test)? != 0 {
            if let Flow::Left = self.statement(body, result)? {
                return Ok(Flow::Left);
            }
            if let Some(step) = step {
                self.expr(step)?;
            }
        }
        Ok(Flow::Next)
    }
}

fn compute(op: BinaryOp, a: i64, b: i64) -> Result<i64, String> {
    arithmetic::binary(op, a, b).map_err(|kind| match kind {
        FaultKind::DivisionByZero => "this divides by zero".into(),
        FaultKind::BadShift(by) => format!("this shifts by {by}"),
        _ => "the result does not fit 64 bits".into(),
    })
}
