//! Runs the statements of functions.

use super::memory::Memory;
use crate::model::{Expr, Fault, FaultKind, Function, Statement};
use takt_diagnostic::Span;

/// Where a statement leaves the control.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    /// `return` was met; the result is in its cells.
    Left,
}

impl Memory<'_> {
    /// Runs a body whose parameters are in place. The value is that of the result's first cell.
    pub(super) fn run_function(&mut self, function: &Function) -> Result<i64, Fault> {
        let flow = self.block(&function.body, function)?;
        match function.result {
            None => Ok(0),
            Some((addr, _)) if flow == Flow::Left => Ok(self.load(addr)),
            Some(_) => Err(Fault { kind: FaultKind::NoReturn, span: function.span }),
        }
    }

    fn block(&mut self, statements: &[Statement], function: &Function) -> Result<Flow, Fault> {
        for statement in statements {
            if self.statement(statement, function)? == Flow::Left {
                return Ok(Flow::Left);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement, function: &Function) -> Result<Flow, Fault> {
        match statement {
            Statement::Expr(expr) => self.eval(expr).map(|_| Flow::Next),
            Statement::Block(statements) => self.block(statements, function),
            Statement::If(condition, yes, no) => {
                if self.eval(condition)? != 0 {
                    return self.statement(yes, function);
                }
                no.as_ref().map_or(Ok(Flow::Next), |no| self.statement(no, function))
            }
            Statement::While(condition, body, span) => {
                self.repeat(condition, body, None, *span, function)
            }
            Statement::DoWhile(body, condition, span) => {
                if self.statement(body, function)? == Flow::Left {
                    return Ok(Flow::Left);
                }
                self.repeat(condition, body, None, *span, function)
            }
            Statement::For { initial, condition, step, body, span } => {
                self.eval(initial)?;
                self.repeat(condition, body, Some(step), *span, function)
            }
            Statement::ForEach { binder, lo, hi, body } => {
                for value in *lo..=*hi {
                    self.spend(function.span)?;
                    self.put(*binder, value);
                    if self.statement(body, function)? == Flow::Left {
                        return Ok(Flow::Left);
                    }
                }
                Ok(Flow::Next)
            }
            Statement::Return(value) => {
                self.give(value.as_ref(), function)?;
                Ok(Flow::Left)
            }
            Statement::ReturnAggregate(place) => {
                let from = self.address(place)?;
                if let Some((to, len)) = function.result {
                    let values = self.load_all(from, len);
                    self.store_all(to, values, place.span)?;
                }
                Ok(Flow::Left)
            }
        }
    }

    fn repeat(
        &mut self,
        condition: &Expr,
        body: &Statement,
        step: Option<&Expr>,
        span: Span,
        function: &Function,
    ) -> Result<Flow, Fault> {
        loop {
            self.spend(span)?;
            if self.eval(condition)? == 0 {
                return Ok(Flow::Next);
            }
            if self.statement(body, function)? == Flow::Left {
                return Ok(Flow::Left);
            }
            if let Some(step) = step {
                self.eval(step)?;
            }
        }
    }

    fn give(&mut self, value: Option<&Expr>, function: &Function) -> Result<(), Fault> {
        let Some(value) = value else { return Ok(()) };
        let value = self.eval(value)?;
        match function.result {
            Some((addr, _)) => self.store(addr, value, function.span),
            None => Ok(()),
        }
    }
}
