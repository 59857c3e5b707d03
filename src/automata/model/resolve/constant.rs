//! Expressions whose value must be known now: sizes, ranges, initial values, arguments.

use super::operand::Operand;
use super::types::Ty;
use super::{Res, Resolver, link};
use crate::model::{Expr, PlaceBase};
use crate::network;
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    /// A whole number known now.
    pub fn constant(&mut self, expr: &network::Expr) -> Res<i64> {
        let tree = self.pure(|r| r.number(expr), "a constant")?;
        self.known(tree, expr.span)
    }

    /// A value known now that something of this type may take.
    pub fn constant_for(&mut self, expr: &network::Expr, ty: &Ty) -> Res<i64> {
        let value = self.pure(|r| r.value(expr), "a constant")?;
        let tree = self.convert(value, ty, expr.span)?;
        let value = self.known(tree, expr.span)?;
        self.within(value, ty, expr.span)?;
        Ok(value)
    }

    /// Refuses a value outside of a type's range.
    pub fn within(&mut self, value: i64, ty: &Ty, span: Span) -> Res<()> {
        match ty.range() {
            Some((lo, hi)) if value < lo || value > hi => Err(self.error(
                Diagnostic::error("out-of-range", span, format!("{value} is outside of its range"))
                    .label(format!("between {lo} and {hi} is possible")),
            )),
            _ => Ok(()),
        }
    }

    fn known(&mut self, tree: Expr, span: Span) -> Res<i64> {
        if let Expr::Const(value) = tree {
            return Ok(value);
        }
        let (result, steps) = super::evaluate::evaluate(&tree, self);
        self.spent.steps += steps;
        match result {
            Ok(value) => Ok(value),
            Err(why) => Err(self.error(
                Diagnostic::error("not-constant", span, "this must be known before the model runs")
                    .label(why)
                    .hint("use numbers, constants, constant parameters and functions of them"),
            )),
        }
    }

    /// The cells of a constant array or struct.
    pub fn constant_table(&mut self, expr: &network::Expr, ty: &Ty) -> Res<Vec<i64>> {
        let operand = self.pure(|r| r.operand(expr), "a constant")?;
        let located = match operand {
            Operand::Place(located) if located.ty.has_shape_of(ty) => located,
            other => {
                let found = other.describe();
                return Err(self.error(
                    Diagnostic::error(
                        "initial-value",
                        expr.span,
                        format!("a value of type `{ty}` is needed here"),
                    )
                    .label(format!("this is {found}"))
                    .hint("write the values as a list: `{1, 2, 3}`"),
                ));
            }
        };
        let start = match located.place.base {
            PlaceBase::Fixed(addr) if located.is_const && located.place.steps.is_empty() => {
                link::scratch_index(addr)
            }
            _ => None,
        };
        let first = start.map(|start| start + located.place.offset as usize);
        let cells = first.and_then(|first| {
            let first = first.checked_sub(self.made.scratch_base)?;
            self.made.scratch.get(first..first + ty.len() as usize)
        });
        match cells {
            Some(cells) => {
                let values: Vec<i64> = cells.iter().map(|cell| cell.initial).collect();
                for (value, cell) in values.iter().zip(super::declare::cell_types(ty)) {
                    self.within(*value, &cell, expr.span)?;
                }
                Ok(values)
            }
            None => Err(self.error(
                Diagnostic::error(
                    "not-constant",
                    expr.span,
                    "this must be known before the model runs",
                )
                .label("not a constant"),
            )),
        }
    }
}
