//! Calls of functions, and processes chosen by their parameters.

use super::operand::{Located, Operand};
use super::scope::{Formal, Root, Symbol};
use super::types::Ty;
use super::update::root_name;
use super::{Res, Resolver};
use crate::model::{Argument, Expr, FunctionId, Place};
use crate::network::{self, ExprKind};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    #[inline(never)]
    pub fn call(
        &mut self,
        callee: &network::Expr,
        arguments: &[network::Expr],
        span: Span,
    ) -> Res<Operand> {
        let ExprKind::Name(name) = &callee.kind else {
            return Err(self.not_callable(callee.span));
        };
        match self.lookup(name, callee.span)? {
            Symbol::Function(id) => self.call_function(id, arguments, span),
            Symbol::Template(_) | Symbol::Instantiation(_) if self.at.is_query => {
                self.chosen_process(name, arguments, span)
            }
            _ => Err(self.not_callable(callee.span)),
        }
    }

    fn not_callable(&mut self, span: Span) -> super::Reported {
        self.error(
            Diagnostic::error("not-a-function", span, "only functions can be called")
                .label("not a function"),
        )
    }

    #[inline(never)]
    fn call_function(
        &mut self,
        id: FunctionId,
        arguments: &[network::Expr],
        span: Span,
    ) -> Res<Operand> {
        let signature = self.names.functions[id].clone();
        if self.at.frame.as_ref().is_some_and(|frame| frame.id == id) {
            // Told already, with the whole circle.
            return Err(super::Reported);
        }
        self.count_arguments(&signature.name, signature.parameters.len(), arguments.len(), span)?;
        let mut before = Vec::new();
        let given: Vec<Res<Argument>> = arguments
            .iter()
            .zip(&signature.parameters)
            .map(|(argument, formal)| self.argument(argument, formal, &mut before))
            .collect();
        let given = given.into_iter().collect::<Res<Vec<Argument>>>()?;
        if let Some(changed) = &signature.writes {
            self.at.effect = Some((span, changed.clone()));
        }
        let call = Expr::Call(id, given, span);
        self.result_of(call, before, id, signature.result, span)
    }

    #[inline(never)]
    pub fn count_arguments(
        &mut self,
        name: &str,
        wanted: usize,
        given: usize,
        span: Span,
    ) -> Res<()> {
        if wanted == given {
            return Ok(());
        }
        let plural = if wanted == 1 { "argument" } else { "arguments" };
        Err(self.error(
            Diagnostic::error(
                "argument-count",
                span,
                format!("`{name}` needs {wanted} {plural}, {given} given"),
            )
            .label(format!("{given} given here")),
        ))
    }

    #[inline(never)]
    fn argument(
        &mut self,
        expr: &network::Expr,
        formal: &Formal,
        before: &mut Vec<Expr>,
    ) -> Res<Argument> {
        let operand = self.operand(expr)?;
        match operand {
            Operand::Clock(place, ty) if ty.has_shape_of(&formal.ty) => {
                if formal.is_written {
                    self.note_write(Root::State, expr.span, expr);
                }
                Ok(Argument::Clock(place))
            }
            Operand::Place(located) if formal.by_reference => {
                self.reference(located, formal, expr, before)
            }
            Operand::Value(..) if formal.by_reference && !formal.is_const => Err(self.error(
                Diagnostic::error("not-assignable", expr.span, "a variable is needed here")
                    .label(format!("`{}` is passed by reference", formal.name)),
            )),
            Operand::Place(located) if !formal.ty.is_single() => {
                self.same_shape(&located, formal, expr.span)?;
                before.extend(located.prelude.map(|call| *call));
                Ok(Argument::Aggregate(located.place, formal.ty.cells()))
            }
            operand if formal.ty.is_single() => {
                let value = self.value_of(operand, expr.span)?;
                let tree = self.convert(value, &formal.ty, expr.span)?;
                Ok(Argument::Value(tree))
            }
            other => {
                let message = format!("`{}` has type `{}`", formal.name, formal.ty);
                Err(self.misfit("type-mismatch", expr.span, message, &other))
            }
        }
    }

    fn same_shape(&mut self, located: &Located, formal: &Formal, span: Span) -> Res<()> {
        if located.ty.has_shape_of(&formal.ty) {
            return Ok(());
        }
        Err(self.mismatch(span, &formal.ty, &located.ty))
    }

    #[inline(never)]
    fn reference(
        &mut self,
        located: Located,
        formal: &Formal,
        expr: &network::Expr,
        before: &mut Vec<Expr>,
    ) -> Res<Argument> {
        self.same_shape(&located, formal, expr.span)?;
        if located.is_const && !formal.is_const {
            let name = root_name(expr).unwrap_or("this").to_owned();
            return Err(self.error(
                Diagnostic::error("assign-to-constant", expr.span, "a variable is needed here")
                    .label(format!("`{name}` is a constant"))
                    .hint(format!(
                        "declare the parameter as `const {} &{}`",
                        formal.ty, formal.name
                    )),
            ));
        }
        if formal.is_written {
            self.note_write(located.root, expr.span, expr);
        }
        before.extend(located.prelude.map(|call| *call));
        Ok(Argument::Reference(located.place))
    }

    /// The value of a call. An array or struct is copied to a place of its own at once, because
    /// the next call of the same function overwrites the result.
    #[inline(never)]
    fn result_of(
        &mut self,
        call: Expr,
        mut before: Vec<Expr>,
        id: FunctionId,
        ty: Ty,
        span: Span,
    ) -> Res<Operand> {
        if !ty.is_single() && ty != Ty::Void {
            let temporary = self.scratch_default(&ty, "result", span)?;
            let at = |addr| Place::fixed(addr, span);
            let result_at = self.names.functions[id].result_at;
            let Some((result, len)) = result_at else { return Err(super::Reported) };
            before.push(call);
            before.push(Expr::Copy { to: at(temporary), from: Box::new(at(result)), len });
            return Ok(Operand::Place(Located {
                place: at(temporary),
                ty,
                is_const: true,
                root: Root::Local,
                prelude: Some(Box::new(Expr::Sequence(before))),
            }));
        }
        let tree = if before.is_empty() {
            call
        } else {
            before.push(call);
            Expr::Sequence(before)
        };
        Ok(if ty == Ty::Void { Operand::Void(tree) } else { Operand::Value(tree, ty) })
    }

    /// `P` in a query: one process, or a set whose parameters follow.
    pub fn process(&mut self, name: &str, span: Span) -> Res<Operand> {
        match self.names.groups.get(name) {
            Some(group) if group.parameters.is_empty() => Ok(Operand::Process(group.first)),
            Some(_) => Ok(Operand::Group(name.to_owned())),
            None => {
                let running: Vec<String> = self.names.groups.keys().cloned().collect();
                Err(self.error(
                    Diagnostic::error(
                        "no-such-process",
                        span,
                        format!("`{name}` is no process of the system"),
                    )
                    .label("not in the system line")
                    .did_you_mean(name, running.iter().map(String::as_str)),
                ))
            }
        }
    }

    /// The value that chooses a process. Scalars have no names of their own, but processes are
    /// shown by number (`P(0)`), so a number is understood as well.
    fn process_argument(&mut self, argument: &network::Expr, ty: &Ty) -> Res<i64> {
        let operand = self.pure(|r| r.operand(argument), "an argument")?;
        match (&operand, ty) {
            (Operand::Value(Expr::Const(value), Ty::Int { .. }), Ty::Scalar { .. }) => {
                self.within(*value, ty, argument.span)?;
                Ok(*value)
            }
            _ => self.constant_for(argument, ty),
        }
    }

    /// `P(1, 2)` in a query.
    #[inline(never)]
    fn chosen_process(
        &mut self,
        name: &str,
        arguments: &[network::Expr],
        span: Span,
    ) -> Res<Operand> {
        let Some(group) = self.names.groups.get(name).cloned() else {
            return self.process(name, span);
        };
        self.count_arguments(name, group.parameters.len(), arguments.len(), span)?;
        let mut index: u32 = 0;
        for (argument, ty) in arguments.iter().zip(&group.parameters) {
            let value = self.process_argument(argument, ty)?;
            let (lo, hi) = ty.range().unwrap_or((0, 0));
            index = index * (hi - lo + 1) as u32 + (value - lo) as u32;
        }
        Ok(Operand::Process(group.first.offset(index)))
    }
}
