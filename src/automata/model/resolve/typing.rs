//! Types: what their text means.

use super::scope::Symbol;
use super::types::{Field, Index, Ty};
use super::{Res, Resolver, limits};
use crate::network::{self, Dimension, ExprKind, Type, TypeKind, Variables};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    /// What a type means here.
    pub fn ty(&mut self, ty: &Type) -> Res<Ty> {
        if (ty.is_urgent || ty.is_broadcast) && !matches!(ty.kind, TypeKind::Chan) {
            return Err(self.error(
                Diagnostic::error("type-prefix", ty.span, "only channels are urgent or broadcast")
                    .label("not a channel"),
            ));
        }
        if (ty.is_const || ty.is_meta) && matches!(ty.kind, TypeKind::Chan | TypeKind::Clock) {
            return Err(self.error(
                Diagnostic::error(
                    "type-prefix",
                    ty.span,
                    "clocks and channels take no such prefix",
                )
                .label("neither constant nor meta"),
            ));
        }
        match &ty.kind {
            TypeKind::Int(None) if ty.is_const => Ok(Ty::WIDE),
            TypeKind::Int(None) => Ok(Ty::INT),
            TypeKind::Int(Some(bounds)) => self.bounded(&bounds.0, &bounds.1, ty.span),
            TypeKind::Bool => Ok(Ty::Bool),
            TypeKind::Clock => Ok(Ty::Clock),
            TypeKind::Chan => Ok(Ty::Chan { urgent: ty.is_urgent, broadcast: ty.is_broadcast }),
            TypeKind::Void => Ok(Ty::Void),
            TypeKind::Scalar(size) => self.scalar(size),
            TypeKind::Struct(fields) => self.structure(fields, ty.span),
            TypeKind::Named(name) => match self.lookup(&name.text, name.span)? {
                Symbol::Type(named) => Ok(named),
                other => Err(self.error(
                    Diagnostic::error(
                        "not-a-type",
                        name.span,
                        format!("`{}` is not a type", name.text),
                    )
                    .label(format!("this is {}", other.describe())),
                )),
            },
        }
    }

    fn bounded(&mut self, lo: &network::Expr, hi: &network::Expr, span: Span) -> Res<Ty> {
        let (low, high) = (self.constant(lo), self.constant(hi));
        let (low, high) = (low?, high?);
        if low > high {
            return Err(self.error(
                Diagnostic::error("empty-range", span, "this range has no values")
                    .label(format!("from {low} to {high}")),
            ));
        }
        for (value, place) in [(low, lo.span), (high, hi.span)] {
            if i32::try_from(value).is_err() {
                return Err(self.error(
                    Diagnostic::error("range-too-wide", place, "ranges must fit 32 bits")
                        .label(format!("this is {value}"))
                        .hint(format!("between {} and {}", i32::MIN, i32::MAX)),
                ));
            }
        }
        Ok(Ty::Int { lo: low, hi: high })
    }

    fn scalar(&mut self, size: &network::Expr) -> Res<Ty> {
        let value = self.constant(size)?;
        if !(1..=limits::CELLS as i64).contains(&value) {
            let message = match value {
                ..1 => "a scalar set needs at least one element".to_owned(),
                _ => format!("a scalar set has at most {} elements", limits::CELLS),
            };
            return Err(self.error(
                Diagnostic::error("scalar-size", size.span, message)
                    .label(format!("this is {value}")),
            ));
        }
        let set = self.made.scalar_sets.len() as u32;
        self.made.scalar_sets.push(value as u32);
        Ok(Ty::Scalar { set, size: value as u32 })
    }

    fn structure(&mut self, written: &[Variables], span: Span) -> Res<Ty> {
        let mut fields: Vec<Field> = Vec::new();
        let mut offset: u64 = 0;
        for group in written {
            let base = self.ty(&group.ty)?;
            for declarator in &group.declarators {
                let name = &declarator.name;
                let ty = self.dimensions(&base, &declarator.dimensions, name.span)?;
                if matches!(ty.innermost(), Ty::Clock | Ty::Chan { .. } | Ty::Void) {
                    return Err(self.error(
                        Diagnostic::error("struct-field", name.span, "structs hold data only")
                            .label(format!("this has type `{ty}`"))
                            .hint("declare clocks and channels outside of the struct"),
                    ));
                }
                if fields.iter().any(|field| field.name == name.text) {
                    return Err(self.error(
                        Diagnostic::error(
                            "duplicate-name",
                            name.span,
                            format!("`{}` is a field already", name.text),
                        )
                        .label("declared again here"),
                    ));
                }
                let len = ty.len();
                fields.push(Field { name: name.text.clone(), ty, offset: offset as u32 });
                offset += len;
                if offset > limits::CELLS {
                    let label = format!("at most {} cells", limits::CELLS);
                    return Err(self.too_large(
                        name.span,
                        "this struct is too large".into(),
                        label,
                    ));
                }
            }
        }
        if fields.is_empty() {
            let error = Diagnostic::error("struct-field", span, "a struct needs a field");
            return Err(self.error(error.label("without any")));
        }
        let ty = Ty::structure(fields);
        self.shallow(&ty, span)?;
        Ok(ty)
    }

    /// The type of `name[..][..]`.
    pub fn dimensions(&mut self, base: &Ty, dimensions: &[Dimension], span: Span) -> Res<Ty> {
        let indices: Vec<Res<Index>> = dimensions.iter().map(|d| self.dimension(d)).collect();
        let mut ty = base.clone();
        for index in indices.into_iter().rev() {
            ty = Ty::array(index?, ty);
            self.shallow(&ty, span)?;
        }
        if ty.len() > limits::CELLS {
            let message = format!("this needs {} cells, more than a model may have", ty.len());
            return Err(self.too_large(span, message, format!("at most {} in all", limits::CELLS)));
        }
        Ok(ty)
    }

    /// Refuses types whose parts could not be walked without a large stack.
    fn shallow(&mut self, ty: &Ty, span: Span) -> Res<()> {
        if ty.depth() <= limits::TYPE_DEPTH {
            return Ok(());
        }
        let label = format!("at most {} arrays and structs within each other", limits::TYPE_DEPTH);
        Err(self.too_large(span, "this type is nested too deeply".into(), label))
    }

    fn dimension(&mut self, dimension: &Dimension) -> Res<Index> {
        let size = match dimension {
            Dimension::Type(ty) => {
                let index = self.ty(ty)?;
                return self.index_of(&index, ty.span);
            }
            Dimension::Size(size) => size,
        };
        if let ExprKind::Name(name) = &size.kind
            && let Some(entry) = self.names.lookup(self.at.scope, name)
            && let Symbol::Type(index) = entry.symbol.clone()
        {
            return self.index_of(&index, size.span);
        }
        let length = self.constant(size)?;
        match u32::try_from(length) {
            Ok(length) if length > 0 => Ok(Index { first: 0, length, set: None }),
            _ if length > 0 => Err(self.too_large(
                size.span,
                format!("an array of {length} elements is too large"),
                format!("at most {} in all", limits::CELLS),
            )),
            _ => Err(self.error(
                Diagnostic::error("array-size", size.span, "an array needs at least one element")
                    .label(format!("this is {length}")),
            )),
        }
    }

    fn index_of(&mut self, ty: &Ty, span: Span) -> Res<Index> {
        let set = match ty {
            Ty::Scalar { set, .. } => Some(*set),
            _ => None,
        };
        match ty.range() {
            Some((lo, hi)) if hi.abs_diff(lo) < limits::CELLS => {
                Ok(Index { first: lo, length: (hi - lo + 1) as u32, set })
            }
            _ => Err(self.error(
                Diagnostic::error("array-size", span, "arrays are indexed by numbers or scalars")
                    .label(format!("this is the type `{ty}`")),
            )),
        }
    }
}
