//! Functions: signatures, local variables and statements.

use super::scope::{Formal, Root, Signature, Symbol, Variable};
use super::types::Ty;
use super::{Res, Resolver};
use crate::model::{
    ClockBase, ClockPlace, Expr, Function, FunctionId, Param, Place, PlaceBase, Statement,
};
use crate::network::{self, Block, Ident, Parameter, Type};
use takt_diagnostic::{Diagnostic, Span};

/// The function whose body is being resolved.
#[derive(Clone, Debug)]
pub struct Frame {
    pub id: FunctionId,
    pub result: Ty,
    pub parameters: Vec<Formal>,
    /// Statements that give the locals of the current block their values.
    pub initial: Vec<Statement>,
}

impl Resolver {
    pub fn function(&mut self, function: &network::Function) {
        if self.at.frame.is_some() {
            self.error(
                Diagnostic::error(
                    "nested-function",
                    function.name.span,
                    "functions cannot be declared in functions",
                )
                .label("declared inside a function"),
            );
            return;
        }
        let result = self.ty(&function.result);
        let result = match result {
            // A plain `int` result is as wide as it is computed: nothing stores it here.
            Ok(Ty::INT) => Ok(Ty::WIDE),
            other => other,
        };
        let formals: Vec<Res<Formal>> =
            function.parameters.iter().map(|parameter| self.formal(parameter)).collect();
        let formals = formals.into_iter().collect::<Res<Vec<Formal>>>();
        let (Ok(result), Ok(parameters)) = (result, formals) else {
            self.define(&function.name, Symbol::Broken);
            return;
        };
        let id = FunctionId::at(self.names.functions.len());
        self.define(&function.name, Symbol::Function(id));
        self.names.functions.push(Signature {
            name: function.name.text.clone(),
            parameters: parameters.clone(),
            result: result.clone(),
            result_at: None,
            writes: None,
            span: function.name.span,
        });
        self.made.functions.push(Function {
            name: format!("{}{}", self.at.prefix, function.name.text),
            parameters: Vec::new(),
            result: None,
            body: Vec::new(),
            span: function.name.span,
        });
        let outer = self.at.frame.replace(Frame { id, result, parameters, initial: Vec::new() });
        let effect = self.at.effect.take();
        let inner = format!("{}{}.", self.at.prefix, function.name.text);
        let prefix = std::mem::replace(&mut self.at.prefix, inner);
        let _ = self.scoped(|r| r.function_body(id, function));
        self.at.prefix = prefix;
        let signature = &mut self.names.functions[id];
        signature.writes = std::mem::replace(&mut self.at.effect, effect).map(|(_, name)| name);
        if let Some(frame) = std::mem::replace(&mut self.at.frame, outer) {
            signature.parameters = frame.parameters;
        }
    }

    fn function_body(&mut self, id: FunctionId, function: &network::Function) -> Res<()> {
        let Some(frame) = self.at.frame.clone() else { return Err(super::Reported) };
        let result = if frame.result == Ty::Void {
            None
        } else {
            let addr = self.scratch_default(&frame.result, "return", function.name.span)?;
            Some((addr, frame.result.cells()))
        };
        let mut parameters = Vec::new();
        for (position, parameter) in function.parameters.iter().enumerate() {
            parameters.push(self.parameter(position, &frame.parameters[position], parameter)?);
        }
        self.names.functions[id].result_at = result;
        let made = &mut self.made.functions[id];
        made.result = result;
        made.parameters = parameters;
        let errors = self.errors();
        let body = self.scoped(|r| r.statements(&function.body));
        // What is wrong was left out of the body, `return`s included.
        let is_whole = self.errors() == errors && self.told.recursive.is_empty();
        if result.is_some() && is_whole && !body.iter().any(always_leaves) {
            self.warn(
                Diagnostic::warning(
                    "no-return",
                    function.name.span,
                    format!("`{}` may end without giving a value", function.name.text),
                )
                .label("a run that gets there ends with an error")
                .hint("let every path end with `return`"),
            );
        }
        self.made.functions[id].body = body;
        Ok(())
    }

    fn formal(&mut self, parameter: &Parameter) -> Res<Formal> {
        let base = self.ty(&parameter.ty)?;
        let ty = self.dimensions(&base, &parameter.dimensions, parameter.name.span)?;
        if matches!(ty.innermost(), Ty::Chan { .. } | Ty::Void) {
            return Err(self.error(
                Diagnostic::error(
                    "parameter-type",
                    parameter.name.span,
                    "functions take data and clocks only",
                )
                .label(format!("this has type `{ty}`")),
            ));
        }
        let is_clock = matches!(ty.innermost(), Ty::Clock);
        Ok(Formal {
            name: parameter.name.text.clone(),
            ty,
            by_reference: parameter.by_reference || is_clock,
            is_const: parameter.ty.is_const,
            is_written: false,
        })
    }

    fn parameter(&mut self, position: usize, formal: &Formal, parameter: &Parameter) -> Res<Param> {
        let span = parameter.name.span;
        if !formal.by_reference {
            let addr = self.scratch_default(&formal.ty, &formal.name, span)?;
            let symbol = Symbol::local(addr, formal.ty.clone(), formal.is_const, span);
            self.define(&parameter.name, symbol);
            return Ok(Param { addr, len: formal.ty.cells() });
        }
        let addr = self.scratch_cells(&Ty::WIDE, &formal.name, &[0], span)?;
        if !self.made.scalar_sets.is_empty() {
            self.made.layout.references.insert(addr, super::declare::slots(&formal.ty));
        }
        let symbol = if *formal.ty.innermost() == Ty::Clock {
            let base = ClockBase::Reference(addr);
            Symbol::Clock(ClockPlace { base, steps: Vec::new(), offset: 0 }, formal.ty.clone())
        } else {
            let base = PlaceBase::Reference(addr);
            Symbol::Variable(Variable {
                place: Place { base, ..Place::fixed(addr, span) },
                ty: formal.ty.clone(),
                is_const: formal.is_const,
                root: Root::Parameter(position),
            })
        };
        self.define(&parameter.name, symbol);
        Ok(Param { addr, len: 1 })
    }

    /// The statements of a block, its local variables first.
    fn statements(&mut self, block: &Block) -> Vec<Statement> {
        for declaration in &block.declarations {
            self.declaration(declaration);
        }
        let mut body =
            self.at.frame.as_mut().map_or(Vec::new(), |f| std::mem::take(&mut f.initial));
        for statement in &block.statements {
            if let Ok(statement) = self.statement(statement) {
                body.push(statement);
            }
        }
        body
    }

    fn statement(&mut self, statement: &network::Statement) -> Res<Statement> {
        let span = self.at.frame.as_ref().map(|frame| self.names.functions[frame.id].span);
        self.deeper(span.unwrap_or_default(), |r| r.statement_of_kind(statement))
    }

    fn statement_of_kind(&mut self, statement: &network::Statement) -> Res<Statement> {
        use network::Statement as Written;
        match statement {
            Written::Empty => Ok(Statement::Block(Vec::new())),
            Written::Expr(expr) => Ok(Statement::Expr(self.effect_of(expr)?)),
            Written::Block(block) => Ok(Statement::Block(self.scoped(|r| r.statements(block)))),
            Written::If(condition, then, otherwise) => {
                self.choice(condition, then, otherwise.as_deref())
            }
            Written::While(condition, body) => {
                let test = self.number(condition);
                let body = self.inner(body);
                Ok(Statement::While(test?, body?, condition.span))
            }
            Written::DoWhile(body, condition) => {
                let body = self.inner(body);
                let test = self.number(condition);
                Ok(Statement::DoWhile(body?, test?, condition.span))
            }
            Written::For { initial, condition, step, body } => {
                self.counting_loop(initial, condition, step, body)
            }
            Written::ForEach { binder, ty, body } => self.for_each(binder, ty, body),
            Written::Return(value, span) => self.return_value(value.as_ref(), *span),
        }
    }

    /// A statement that may never run.
    #[inline(never)]
    fn inner(&mut self, statement: &network::Statement) -> Res<Box<Statement>> {
        self.perhaps(|r| r.statement(statement)).map(Box::new)
    }

    #[inline(never)]
    fn choice(
        &mut self,
        condition: &network::Expr,
        then: &network::Statement,
        otherwise: Option<&network::Statement>,
    ) -> Res<Statement> {
        let condition = self.number(condition);
        let then = self.inner(then);
        let otherwise = otherwise.map(|inner| self.inner(inner)).transpose()?;
        Ok(Statement::If(condition?, then?, otherwise))
    }

    #[inline(never)]
    fn counting_loop(
        &mut self,
        initial: &[network::Expr],
        condition: &network::Expr,
        step: &[network::Expr],
        body: &network::Statement,
    ) -> Res<Statement> {
        let (initial, test) = (self.effects_of(initial), self.number(condition));
        let step = self.perhaps(|r| r.effects_of(step));
        let (body, span) = (self.inner(body)?, condition.span);
        Ok(Statement::For { initial: initial?, condition: test?, step: step?, body, span })
    }

    #[inline(never)]
    fn for_each(
        &mut self,
        binder: &Ident,
        written: &Type,
        body: &network::Statement,
    ) -> Res<Statement> {
        let ty = self.ty(written)?;
        let (lo, hi) = self.finite_range(&ty, written.span)?;
        let cell = self.binder(binder, ty.scalar_set())?;
        let body = self.scoped(|r| {
            r.bind(binder, Symbol::local(cell, ty, true, binder.span));
            r.inner(body)
        });
        Ok(Statement::ForEach { binder: cell, lo, hi, body: body? })
    }

    #[inline(never)]
    fn return_value(&mut self, value: Option<&network::Expr>, span: Span) -> Res<Statement> {
        let ty = self.at.frame.as_ref().map_or(Ty::Void, |frame| frame.result.clone());
        match (value, &ty) {
            (None, Ty::Void) => Ok(Statement::Return(None)),
            (Some(expr), Ty::Void) => Err(self.error(
                Diagnostic::error("return-value", expr.span, "a `void` function gives no value")
                    .label("returned here"),
            )),
            (None, ty) => Err(self.error(
                Diagnostic::error(
                    "return-value",
                    span,
                    format!("a value of type `{ty}` is needed"),
                )
                .label("returns nothing"),
            )),
            (Some(expr), ty) if ty.is_single() => {
                let value = self.value(expr)?;
                Ok(Statement::Return(Some(self.convert(value, ty, expr.span)?)))
            }
            (Some(expr), ty) => self.return_whole(expr, ty),
        }
    }

    fn return_whole(&mut self, expr: &network::Expr, ty: &Ty) -> Res<Statement> {
        use super::operand::Operand;
        match self.operand(expr)? {
            Operand::Place(located) if located.ty.has_shape_of(ty) => {
                let give = Statement::ReturnAggregate(located.place);
                Ok(match located.prelude {
                    Some(call) => Statement::Block(vec![Statement::Expr(*call), give]),
                    None => give,
                })
            }
            other => {
                let message = format!("a value of type `{ty}` is needed");
                Err(self.misfit("type-mismatch", expr.span, message, &other))
            }
        }
    }
}

/// Whether a statement never ends by going on to the next one, as far as its form tells.
fn always_leaves(statement: &Statement) -> bool {
    match statement {
        Statement::Return(_) | Statement::ReturnAggregate(_) => true,
        Statement::Block(body) => body.iter().any(always_leaves),
        Statement::If(_, then, Some(otherwise)) => always_leaves(then) && always_leaves(otherwise),
        Statement::DoWhile(body, test, _) => always_leaves(body) || is_true(test),
        Statement::While(test, ..) | Statement::For { condition: test, .. } => is_true(test),
        Statement::Expr(_) | Statement::If(_, _, None) | Statement::ForEach { .. } => false,
    }
}

fn is_true(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(value) if *value != 0)
}
