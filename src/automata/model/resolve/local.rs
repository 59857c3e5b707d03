//! Local variables of functions: their cells, and the statements that initialise them each time
//! their block is entered.

use super::scope::Symbol;
use super::types::Ty;
use super::{Res, Resolver};
use crate::model::{Addr, Expr, IndexStep, Place, Statement};
use crate::network::{Declarator, Ident, Initial, Type};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    pub fn declare_local(&mut self, written: &Type, ty: Ty, declarator: &Declarator) -> Res<()> {
        let name = &declarator.name;
        if ty == Ty::Void {
            return Err(self.error(
                Diagnostic::error("type-mismatch", name.span, "a variable cannot be `void`")
                    .label("has no value"),
            ));
        }
        let addr = self.scratch_default(&ty, &name.text, name.span)?;
        match &declarator.initial {
            Some(Initial::Value(expr)) if ty.is_single() => {
                let value = self.value(expr)?;
                let tree = self.convert(value, &ty, expr.span)?;
                if written.is_const
                    && let Expr::Const(value) = tree
                {
                    self.within(value, &ty, expr.span)?;
                    let symbol = Symbol::Constant { ty, value, is_declared: false };
                    self.define(name, symbol);
                    return Ok(());
                }
                let assign = Expr::Assign(at(addr, 0, name.span), Box::new(tree));
                self.initialise(Statement::Expr(assign));
            }
            Some(Initial::Value(expr)) => {
                let target = super::operand::Located {
                    place: at(addr, 0, name.span),
                    ty: ty.clone(),
                    is_const: false,
                    root: super::scope::Root::Local,
                    prelude: None,
                };
                let operand = self.operand(expr)?;
                let copy = self.copy_whole(target, (operand, expr.span))?;
                self.initialise(Statement::Expr(copy));
            }
            Some(Initial::List(..)) | None => {
                self.initialise_parts(&ty, addr, declarator.initial.as_ref(), name)?;
            }
        }
        self.define(name, Symbol::local(addr, ty, written.is_const, name.span));
        Ok(())
    }

    /// Few defaults are assigned one by one, an array's by a loop, a large struct's copied from
    /// a table.
    fn initialise_parts(
        &mut self,
        ty: &Ty,
        addr: Addr,
        initial: Option<&Initial>,
        name: &Ident,
    ) -> Res<()> {
        let len = ty.cells();
        match initial {
            Some(initial) => {
                let mut offset = 0;
                return self.assign_parts(ty, addr, &mut offset, initial, name);
            }
            None if len > 4 && ty.innermost().is_single() => {
                let value = super::declare::default_values(ty.innermost())[0];
                self.fill(addr, len, value, name)?;
            }
            None if len > 4 => {
                let table = self.scratch_default(ty, "default", name.span)?;
                self.made.layout.defaults.push(table);
                let (to, from) = (at(addr, 0, name.span), at(table, 0, name.span));
                self.initialise(Statement::Expr(Expr::Copy { to, from: Box::new(from), len }));
            }
            None => {
                let defaults = super::declare::default_values(ty);
                for (offset, value) in defaults.into_iter().enumerate() {
                    let place = at(addr, offset as u32, name.span);
                    let assign = Expr::Assign(place, Box::new(Expr::Const(value)));
                    self.initialise(Statement::Expr(assign));
                }
            }
        }
        Ok(())
    }

    /// Sets all elements of an array to one value.
    fn fill(&mut self, addr: Addr, len: u32, value: i64, name: &Ident) -> Res<()> {
        let span = name.span;
        let binder = self.binder(name, None)?;
        let index = Expr::Load(at(binder, 0, span));
        let mut place = at(addr, 0, span);
        place.steps.push(IndexStep { index, first: 0, length: len, stride: 1, span });
        let body = Statement::Expr(Expr::Assign(place, Box::new(Expr::Const(value))));
        let hi = i64::from(len) - 1;
        self.initialise(Statement::ForEach { binder, lo: 0, hi, body: Box::new(body) });
        Ok(())
    }

    fn assign_parts(
        &mut self,
        ty: &Ty,
        addr: Addr,
        offset: &mut u32,
        initial: &Initial,
        name: &Ident,
    ) -> Res<()> {
        match (initial, ty) {
            (Initial::Value(expr), ty) if ty.is_single() => {
                let value = self.value(expr)?;
                let tree = self.convert(value, ty, expr.span)?;
                let assign = Expr::Assign(at(addr, *offset, name.span), Box::new(tree));
                self.initialise(Statement::Expr(assign));
                *offset += 1;
                Ok(())
            }
            (Initial::List(items, span), Ty::Array(array)) => {
                self.count_initial(items.len(), array.index.length as usize, "elements", *span)?;
                for (_, item) in items {
                    self.assign_parts(&array.element, addr, offset, item, name)?;
                }
                Ok(())
            }
            (Initial::List(items, span), Ty::Struct(structure)) => {
                let fields = &structure.fields;
                self.count_initial(items.len(), fields.len(), "fields", *span)?;
                for (position, field) in fields.iter().enumerate() {
                    let item = self.initial_of_field(items, position, field, fields, *span)?;
                    self.assign_parts(&field.ty, addr, offset, item, name)?;
                }
                Ok(())
            }
            (Initial::Value(expr), ty) => {
                let found = self.operand(expr)?;
                let message = format!("a value of type `{ty}` is needed here");
                Err(self.misfit("initial-value", expr.span, message, &found))
            }
            (Initial::List(_, span), ty) => Err(self.error(
                Diagnostic::error("initial-value", *span, "a single value is needed here")
                    .label(format!("a list, where `{}` has type `{ty}`", name.text)),
            )),
        }
    }

    fn initialise(&mut self, statement: Statement) {
        if let Some(frame) = &mut self.at.frame {
            frame.initial.push(statement);
        }
    }
}

fn at(addr: Addr, offset: u32, span: Span) -> Place {
    Place { offset, ..Place::fixed(addr, span) }
}
