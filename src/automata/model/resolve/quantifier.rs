//! `forall`, `exists` and `sum`.
//!
//! Over plain data the bound variable gets a cell and runs when the model runs. Where the body
//! names clocks or processes, it is written out, once for each value.

use super::operand::Operand;
use super::scope::{Entry, Symbol};
use super::types::Ty;
use super::{Res, Resolver, fold, limits};
use crate::model::{Addr, Expr};
use crate::network::{self, BinaryOp, ExprKind, Ident, QuantifierKind, Type};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    #[inline(never)]
    pub fn quantifier(
        &mut self,
        kind: QuantifierKind,
        binder: &Ident,
        ty: &Type,
        body: &network::Expr,
        span: Span,
    ) -> Res<Operand> {
        let written = ty;
        let ty = self.ty(written)?;
        let (lo, hi) = self.finite_range(&ty, written.span)?;
        if self.needs_expansion(body) {
            return self.expand(kind, binder, &ty, body, span);
        }
        let cell = self.binder(binder, ty.scalar_set())?;
        self.at.binder_depth += 1;
        let body = self.scoped(|r| {
            r.bind(binder, Symbol::local(cell, ty.clone(), true, binder.span));
            r.perhaps(|r| r.number(body))
        });
        self.at.binder_depth -= 1;
        let result = if kind == QuantifierKind::Sum { Ty::WIDE } else { Ty::Bool };
        let body = Box::new(body?);
        Ok(Operand::Value(Expr::Quantifier { kind, binder: cell, lo, hi, body }, result))
    }

    /// The values that a bound variable takes.
    pub fn finite_range(&mut self, ty: &Ty, span: Span) -> Res<(i64, i64)> {
        match ty.range() {
            Some(range) => Ok(range),
            None => Err(self.error(
                Diagnostic::error("not-finite", span, "a type with finitely many values is needed")
                    .label(format!("this is `{ty}`"))
                    .hint("use `int[lo,hi]`, `bool`, a scalar set or a name for one of these"),
            )),
        }
    }

    /// Gives a bound name its meaning, hiding outer ones.
    pub fn bind(&mut self, name: &Ident, symbol: Symbol) {
        let scope = &mut self.names.scopes[self.at.scope.0];
        scope.entries.insert(name.text.clone(), Entry { symbol, span: name.span });
    }

    /// A cell for a bound variable. Outside of functions one cell for each depth of nesting
    /// and scalar set serves all expressions; inside, callers may be in the middle of their own, so each
    /// gets a fresh one.
    pub fn binder(&mut self, name: &Ident, set: Option<u32>) -> Res<Addr> {
        if self.at.frame.is_some() {
            return self.binder_cell(name, set);
        }
        let key = (self.at.binder_depth, set);
        if let Some(&cell) = self.made.binders.get(&key) {
            return Ok(cell);
        }
        let prefix = std::mem::take(&mut self.at.prefix);
        let cell = self.binder_cell(name, set);
        self.at.prefix = prefix;
        let cell = cell?;
        self.made.layout.shared.push(cell);
        self.made.binders.insert(key, cell);
        Ok(cell)
    }

    fn binder_cell(&mut self, name: &Ident, set: Option<u32>) -> Res<Addr> {
        let cell = self.scratch_cells(&Ty::WIDE, &name.text, &[0], name.span)?;
        if let Some(made) = self.made.scratch.last_mut() {
            made.scalar_set = set;
        }
        Ok(cell)
    }

    #[inline(never)]
    fn expand(
        &mut self,
        kind: QuantifierKind,
        binder: &Ident,
        ty: &Ty,
        body: &network::Expr,
        span: Span,
    ) -> Res<Operand> {
        let (lo, hi) = ty.range().unwrap_or((0, 0));
        let mut parts = Vec::new();
        for value in lo..=hi {
            self.spent.expansions += 1;
            if self.spent.expansions > limits::EXPANSIONS {
                let label = format!("more than {} parts", limits::EXPANSIONS);
                return Err(self.too_large(span, "this quantifier is too large".into(), label));
            }
            let part = self.scoped(|r| {
                let ty = ty.clone();
                r.bind(binder, Symbol::Constant { ty, value, is_declared: false });
                r.perhaps(|r| r.operand(body))
            });
            let failed = part.is_err();
            parts.push((part, body.span));
            if failed {
                break;
            }
        }
        match kind {
            QuantifierKind::Forall => self.join(BinaryOp::And, parts),
            QuantifierKind::Exists => self.join(BinaryOp::Or, parts),
            QuantifierKind::Sum => {
                let mut numbers = Vec::new();
                for (part, span) in parts {
                    numbers.push(self.number_of(part?, span)?);
                }
                Ok(Operand::Value(sum(numbers, span), Ty::WIDE))
            }
        }
    }

    /// Whether the body names a clock, a process or the possibility of a deadlock.
    fn needs_expansion(&self, expr: &network::Expr) -> bool {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            let expands = match &expr.kind {
                ExprKind::Deadlock | ExprKind::Rate(_) => true,
                ExprKind::Name(name) => {
                    let entry = self.names.lookup(self.at.scope, name);
                    entry.is_some_and(|entry| is_expanded(&entry.symbol))
                }
                _ => false,
            };
            if expands {
                return true;
            }
            super::walk::parts(expr, &mut pending);
        }
        false
    }
}

fn is_expanded(symbol: &Symbol) -> bool {
    matches!(symbol, Symbol::Clock(..) | Symbol::Template(_) | Symbol::Instantiation(_))
}

/// A balanced sum, which stays shallow however many parts there are.
fn sum(mut parts: Vec<Expr>, span: Span) -> Expr {
    match parts.len() {
        0 => Expr::Const(0),
        1 => parts.remove(0),
        length => {
            let right = parts.split_off(length / 2);
            fold::add(sum(parts, span), sum(right, span), span)
        }
    }
}
