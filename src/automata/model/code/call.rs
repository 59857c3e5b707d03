//! Code for calls: how arguments come to parameters.

use super::Op;
use super::generator::{Generator, constant_of};
use crate::model::{Addr, Argument, Expr, FunctionId};
use takt_diagnostic::Span;

impl Generator<'_> {
    /// Arguments wait on the stack until all are known, as one of them may call the same function.
    pub fn call(&mut self, function: FunctionId, arguments: &[Argument], span: Span) {
        let known = self.known;
        let parameters = &known[function].parameters;
        let can_wait_in_place =
            arguments.iter().skip(1).all(|a| matches!(a, Argument::Value(e) if self.is_plain(e)));
        if can_wait_in_place {
            for (argument, parameter) in arguments.iter().zip(parameters) {
                self.argument(argument);
                self.pass(argument, parameter.addr, span);
            }
        } else {
            for argument in arguments {
                self.argument(argument);
                self.emit(Op::Push);
            }
            let count = arguments.len() as u32;
            for (depth, (argument, parameter)) in
                (0..count).rev().zip(arguments.iter().zip(parameters))
            {
                self.emit(Op::Peek(depth));
                self.pass(argument, parameter.addr, span);
            }
            self.emit(Op::Drop(count));
        }
        self.emit_at(Op::Call(function), span);
    }

    /// A value that neither faults nor calls.
    fn is_plain(&self, expr: &Expr) -> bool {
        constant_of(expr).is_some() || self.plain_cell(expr).is_some()
    }

    /// Leaves a value, an address or the number of a clock.
    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Value(value) => self.value(value),
            Argument::Aggregate(place, _) | Argument::Reference(place) => self.whole_address(place),
            Argument::Clock(clock) => self.whole_clock(clock),
        }
    }

    /// Writes `acc` to the parameter.
    fn pass(&mut self, argument: &Argument, parameter: Addr, span: Span) {
        match argument {
            Argument::Value(_) => self.store(parameter, span),
            Argument::Reference(_) | Argument::Clock(_) => self.bind(parameter),
            Argument::Aggregate(_, len) => {
                self.emit(Op::PushAddress(parameter.0));
                self.emit_at(Op::Copy(*len), span);
            }
        }
    }
}
