//! Code for functions and their statements.

use super::Op;
use super::generator::Generator;
use crate::model::{Expr, Function, Statement};
use takt_diagnostic::Span;

impl Generator<'_> {
    pub fn function(&mut self, function: &Function) {
        self.span = function.span;
        self.result = function.result;
        self.block(&function.body);
        match function.result {
            Some(_) => self.emit_at(Op::NoReturn, function.span),
            None => self.leave(),
        }
    }

    fn block(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expr(expr) => self.effect(expr),
            Statement::Block(statements) => self.block(statements),
            Statement::If(condition, then, otherwise) => {
                self.choice(condition, then, otherwise.as_deref());
            }
            Statement::While(condition, body, span) => self.looped(condition, body, None, *span),
            Statement::For { initial, condition, step, body, span } => {
                self.effect(initial);
                self.looped(condition, body, Some(step), *span);
            }
            Statement::DoWhile(body, condition, span) => {
                let (start, out) = (self.here(), self.label());
                self.statement(body);
                self.branch(condition, false, out);
                self.emit_at(Op::Again(start), *span);
                self.place(out);
            }
            Statement::ForEach { binder, lo, hi, body } => {
                if lo <= hi {
                    let start = self.begin_range(*binder, *lo);
                    self.statement(body);
                    self.end_range(*binder, *hi, start);
                }
            }
            Statement::Return(value) => self.return_value(value.as_ref()),
            Statement::ReturnAggregate(place) => {
                match self.result {
                    Some((cell, len)) => {
                        self.emit(Op::PushAddress(cell.0));
                        self.whole_address(place);
                        self.emit_at(Op::Copy(len), place.span);
                    }
                    None => self.whole_address(place),
                }
                self.leave();
            }
        }
    }

    fn choice(&mut self, condition: &Expr, then: &Statement, otherwise: Option<&Statement>) {
        let no = self.label();
        self.branch(condition, false, no);
        self.statement(then);
        if let Some(otherwise) = otherwise {
            let end = self.label();
            self.jump(Op::Jump, end);
            self.place(no);
            self.statement(otherwise);
            self.place(end);
        } else {
            self.place(no);
        }
    }

    fn looped(&mut self, condition: &Expr, body: &Statement, step: Option<&Expr>, span: Span) {
        let (start, out) = (self.here(), self.label());
        self.branch(condition, false, out);
        self.statement(body);
        step.into_iter().for_each(|step| self.effect(step));
        self.emit_at(Op::Again(start), span);
        self.place(out);
    }

    fn return_value(&mut self, value: Option<&Expr>) {
        match (value, self.result) {
            (Some(value), Some((cell, _))) => {
                self.value(value);
                self.store(cell, self.span);
                self.emit(Op::Return);
            }
            (Some(value), None) => {
                self.effect(value);
                self.leave();
            }
            (None, Some(_)) => self.emit_here(Op::NoReturn),
            (None, None) => self.leave(),
        }
    }

    /// Returns without a value, which reads as 0.
    fn leave(&mut self) {
        self.emit(Op::Const(0));
        self.emit(Op::Return);
    }
}
