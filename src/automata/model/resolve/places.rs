//! Places: variables, elements of arrays, fields of structs, parts of processes.

use super::operand::{ChannelPlace, Located, Operand};
use super::scope::{Symbol, Variable};
use super::types::{ArrayTy, Index, Ty};
use super::{Res, Resolver, link};
use crate::model::{ChannelId, Expr, IndexStep, Place, PlaceBase, ProcessId};
use crate::network::{self, BinaryOp, ExprKind, Ident};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    pub fn located(&mut self, variable: Variable, span: Span) -> Operand {
        Operand::Place(Located {
            place: Place { span, ..variable.place },
            ty: variable.ty,
            is_const: variable.is_const,
            root: variable.root,
            prelude: None,
        })
    }

    pub fn channel(&mut self, base: ChannelId, ty: Ty) -> Operand {
        Operand::Channel(ChannelPlace { base, steps: Vec::new() }, ty)
    }

    /// `base[index]`
    #[inline(never)]
    pub fn index(
        &mut self,
        base: &network::Expr,
        index: &network::Expr,
        span: Span,
    ) -> Res<Operand> {
        let whole = self.operand(base);
        let value = self.value(index);
        let (whole, value) = (whole?, value?);
        let ty = match &whole {
            Operand::Place(located) => &located.ty,
            Operand::Clock(_, ty) | Operand::Channel(_, ty) => ty,
            _ => &Ty::Void,
        };
        let Ty::Array(array) = ty.clone() else {
            let message = "only arrays have elements";
            return Err(self.misfit("not-an-array", base.span, message, &whole));
        };
        let step = self.step(&array, value, index, span)?;
        Ok(self.element(whole, step, &array, span))
    }

    /// The step that an index makes; looked at now where it is written as a constant.
    #[inline(never)]
    fn step(
        &mut self,
        array: &ArrayTy,
        value: (Expr, Ty),
        written: &network::Expr,
        span: Span,
    ) -> Res<IndexStep> {
        let (tree, ty) = value;
        let Index { first, length, set } = array.index;
        let fits = match (&ty, set) {
            (Ty::Scalar { set, .. }, Some(wanted)) => *set == wanted,
            (Ty::Scalar { .. }, None) => false,
            (_, Some(_)) => false,
            _ => true,
        };
        if !fits {
            let wanted = if set.is_some() { "a scalar of the array's set" } else { "a number" };
            return Err(self.error(
                Diagnostic::error(
                    "index-type",
                    written.span,
                    format!("the index must be {wanted}"),
                )
                .label(format!("this has type `{ty}`")),
            ));
        }
        if let Expr::Const(index) = tree
            && !in_range(index, first, length)
            && self.at.conditional == 0
            && self.is_written_constant(written)
        {
            let last = first + i64::from(length) - 1;
            let label = format!("the index is {index}, from {first} to {last} is possible");
            self.if_reached("index-out-of-range", written.span, "there is no such element", label)?;
        }
        let stride = array.element.cells();
        Ok(IndexStep { index: tree, first, length, stride, span })
    }

    #[inline(never)]
    fn element(&mut self, whole: Operand, step: IndexStep, array: &ArrayTy, span: Span) -> Operand {
        let ty = array.element.clone();
        match whole {
            Operand::Place(mut located) => {
                located.place.span = span;
                match constant_offset(&step) {
                    Some(offset) => located.place.offset += offset,
                    None => located.place.steps = with(located.place.steps, step),
                }
                located.ty = ty;
                self.known_element(located)
            }
            Operand::Clock(mut place, _) => {
                match constant_offset(&step) {
                    Some(offset) => place.offset += offset,
                    None => place.steps = with(place.steps, step),
                }
                Operand::Clock(place, ty)
            }
            Operand::Channel(mut place, _) => {
                match constant_offset(&step) {
                    Some(offset) => place.base = place.base.offset(offset),
                    None => place.steps = with(place.steps, step),
                }
                Operand::Channel(place, ty)
            }
            other => other,
        }
    }

    /// A part of a constant table at a constant index is a constant itself.
    fn known_element(&self, located: Located) -> Operand {
        if let PlaceBase::Fixed(addr) = located.place.base
            && located.is_const
            && located.place.steps.is_empty()
            && located.prelude.is_none()
            && located.ty.is_single()
            && self.made.constants.contains(&addr)
            && let Some(index) = link::scratch_index(addr)
        {
            let index = index + located.place.offset as usize - self.made.scratch_base;
            return Operand::Value(Expr::Const(self.made.scratch[index].initial), located.ty);
        }
        Operand::Place(located)
    }

    /// `base.field`
    #[inline(never)]
    pub fn field(&mut self, base: &network::Expr, field: &Ident, span: Span) -> Res<Operand> {
        match self.operand(base)? {
            Operand::Process(process) => self.member(process, field, span),
            Operand::Group(name) => Err(self.error(
                Diagnostic::error(
                    "process-parameters",
                    base.span,
                    format!("`{name}` is a set of processes"),
                )
                .label("which one is meant?")
                .hint(format!("give its parameters: `{name}(0).{}`", field.text)),
            )),
            Operand::Place(mut located) => {
                let Ty::Struct(structure) = located.ty.clone() else {
                    return Err(self.no_fields(&Operand::Place(located), base.span));
                };
                let fields = &structure.fields;
                let Some(found) = fields.iter().find(|f| f.name == field.text) else {
                    return Err(self.error(
                        Diagnostic::error(
                            "unknown-field",
                            field.span,
                            format!("there is no field `{}`", field.text),
                        )
                        .label(format!("not among those of `{}`", located.ty))
                        .did_you_mean(&field.text, fields.iter().map(|f| f.name.as_str())),
                    ));
                };
                located.place.offset += found.offset;
                located.place.span = span;
                located.ty = found.ty.clone();
                Ok(self.known_element(located))
            }
            other => Err(self.no_fields(&other, base.span)),
        }
    }

    fn no_fields(&mut self, operand: &Operand, span: Span) -> super::Reported {
        self.misfit("no-fields", span, "only structs and processes have parts", operand)
    }

    /// `P.name`: a location that the process may be in, or something it declares.
    #[inline(never)]
    fn member(&mut self, process: ProcessId, field: &Ident, span: Span) -> Res<Operand> {
        let instance = &self.names.instances[process];
        if let Some(&location) = instance.locations.get(&field.text) {
            let place = Place::fixed(link::location(process), span);
            let tree = Expr::Binary(
                BinaryOp::Equal,
                Box::new(Expr::Load(place)),
                Box::new(Expr::Const(i64::from(location.0))),
                span,
            );
            return Ok(Operand::Value(tree, Ty::Bool));
        }
        let scope = &self.names.scopes[instance.scope.0];
        match scope.entries.get(&field.text).map(|entry| entry.symbol.clone()) {
            Some(Symbol::Constant { ty, value, .. }) => Ok(Operand::Value(Expr::Const(value), ty)),
            Some(Symbol::Variable(variable)) => Ok(self.located(variable, span)),
            Some(Symbol::Clock(place, ty)) => Ok(Operand::Clock(place, ty)),
            Some(other) => Err(self.error(
                Diagnostic::error(
                    "not-a-value",
                    field.span,
                    format!("`{}` has no value", field.text),
                )
                .label(format!("this is {}", other.describe())),
            )),
            None => {
                let locations = instance.locations.keys();
                let names: Vec<String> = locations.chain(scope.entries.keys()).cloned().collect();
                Err(self.error(
                    Diagnostic::error(
                        "unknown-name",
                        field.span,
                        format!("the process has no `{}`", field.text),
                    )
                    .label("neither a location nor a variable of it")
                    .did_you_mean(&field.text, names.iter().map(String::as_str)),
                ))
            }
        }
    }

    /// Whether an expression is a constant by its text alone, in every process alike.
    pub fn is_written_constant(&self, expr: &network::Expr) -> bool {
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Bool(_) => true,
            ExprKind::Name(name) => matches!(
                self.names.lookup(self.at.scope, name).map(|entry| &entry.symbol),
                Some(Symbol::Constant { is_declared: true, .. })
            ),
            ExprKind::Unary(_, inner) => self.is_written_constant(inner),
            ExprKind::Binary(_, left, right) => {
                self.is_written_constant(left) && self.is_written_constant(right)
            }
            _ => false,
        }
    }
}

fn in_range(index: i64, first: i64, length: u32) -> bool {
    index.checked_sub(first).is_some_and(|distance| (0..i64::from(length)).contains(&distance))
}

/// Where a known index within the array leads.
fn constant_offset(step: &IndexStep) -> Option<u32> {
    match step.index {
        Expr::Const(index) if in_range(index, step.first, step.length) => {
            Some((index - step.first) as u32 * step.stride)
        }
        _ => None,
    }
}

/// One more step, and no room for others: there may be a million places with one.
fn with(mut steps: Vec<IndexStep>, step: IndexStep) -> Vec<IndexStep> {
    steps.reserve_exact(1);
    steps.push(step);
    steps
}
