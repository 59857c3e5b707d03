//! Initial values: constants, and lists of them for arrays and structs.

use super::types::{Field, Ty};
use super::{Res, Resolver};
use crate::network::{Ident, Initial};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    /// The values of all cells, in the order of their addresses.
    pub fn initial_values(&mut self, initial: &Initial, ty: &Ty, name: &Ident) -> Res<Vec<i64>> {
        let mut values = Vec::new();
        self.collect_initial(initial, ty, name, &mut values)?;
        Ok(values)
    }

    fn collect_initial(
        &mut self,
        initial: &Initial,
        ty: &Ty,
        name: &Ident,
        values: &mut Vec<i64>,
    ) -> Res<()> {
        match (initial, ty) {
            (Initial::Value(expr), ty) if ty.is_single() => {
                let value = self.constant_for(expr, ty)?;
                values.push(value);
                Ok(())
            }
            (Initial::Value(expr), _) => {
                let copied = self.constant_table(expr, ty)?;
                values.extend(copied);
                Ok(())
            }
            (Initial::List(items, span), Ty::Array(array)) => {
                let length = array.index.length as usize;
                self.count_initial(items.len(), length, "elements", *span)?;
                let results: Vec<Res<()>> = items
                    .iter()
                    .map(|(_, item)| self.collect_initial(item, &array.element, name, values))
                    .collect();
                results.into_iter().collect()
            }
            (Initial::List(items, span), Ty::Struct(structure)) => {
                let fields = &structure.fields;
                self.count_initial(items.len(), fields.len(), "fields", *span)?;
                for (position, field) in fields.iter().enumerate() {
                    let item = self.initial_of_field(items, position, field, fields, *span)?;
                    self.collect_initial(item, &field.ty, name, values)?;
                }
                Ok(())
            }
            (Initial::List(_, span), ty) => Err(self.error(
                Diagnostic::error("initial-value", *span, "a single value is needed here")
                    .label(format!("a list, where `{}` has type `{ty}`", name.text)),
            )),
        }
    }

    pub fn count_initial(
        &mut self,
        given: usize,
        wanted: usize,
        what: &str,
        span: Span,
    ) -> Res<()> {
        if given == wanted {
            return Ok(());
        }
        Err(self.error(
            Diagnostic::error("initial-value", span, format!("all {wanted} {what} need a value"))
                .label(format!("{given} given")),
        ))
    }

    /// The item for a field: the one with its name, or the one at its position.
    pub fn initial_of_field<'a>(
        &mut self,
        items: &'a [(Option<Ident>, Initial)],
        position: usize,
        field: &Field,
        fields: &[Field],
        span: Span,
    ) -> Res<&'a Initial> {
        let named = |(name, _): &&(Option<Ident>, Initial)| {
            name.as_ref().is_some_and(|name| name.text == field.name)
        };
        if let Some((_, item)) = items.iter().find(named) {
            return Ok(item);
        }
        match &items[position] {
            (None, item) => Ok(item),
            (Some(other), _) => {
                let known = fields.iter().any(|field| field.name == other.text);
                let error = if known {
                    Diagnostic::error(
                        "initial-value",
                        span,
                        format!("the field `{}` gets no value", field.name),
                    )
                    .label("not among these")
                } else {
                    Diagnostic::error(
                        "unknown-field",
                        other.span,
                        format!("there is no field `{}`", other.text),
                    )
                    .label("given a value here")
                    .did_you_mean(&other.text, fields.iter().map(|field| field.name.as_str()))
                };
                Err(self.error(error))
            }
        }
    }
}
