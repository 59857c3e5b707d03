//! Expressions: names, operators and what they give.

use super::operand::{Linear, Operand, Side};
use super::scope::Symbol;
use super::types::Ty;
use super::{Reported, Res, Resolver, fold};
use crate::model::{Expr, Formula, Term};
use crate::network::{self, BinaryOp, ExprKind, UnaryOp};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    /// What an expression stands for.
    pub fn operand(&mut self, expr: &network::Expr) -> Res<Operand> {
        self.deeper(expr.span, |r| r.operand_of_kind(expr))
    }

    fn operand_of_kind(&mut self, expr: &network::Expr) -> Res<Operand> {
        match &expr.kind {
            ExprKind::Number(value) => Ok(Operand::Value(Expr::Const(*value), Ty::WIDE)),
            ExprKind::Bool(value) => Ok(Operand::Value(Expr::Const(i64::from(*value)), Ty::Bool)),
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Index(base, index) => self.index(base, index, expr.span),
            ExprKind::Field(base, field) => self.field(base, field, expr.span),
            ExprKind::Rate(_) => Err(self.misplaced_rate(expr.span)),
            ExprKind::Unary(op, inner) => self.unary(*op, inner),
            ExprKind::Binary(..) => self.chain(expr),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, expr.span)
            }
            ExprKind::Assign(op, target, value) => self.assign(*op, target, value, expr.span),
            ExprKind::Increment { target, delta, prefix } => {
                self.increment(target, *delta, *prefix, expr.span)
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, expr.span),
            ExprKind::Quantifier { kind, binder, ty, body } => {
                self.quantifier(*kind, binder, ty, body, expr.span)
            }
            ExprKind::Deadlock if self.at.is_query => Ok(Operand::Logic(Formula::Deadlock)),
            ExprKind::Deadlock => Err(self.misplaced_deadlock(expr.span)),
        }
    }

    #[cold]
    #[inline(never)]
    fn misplaced_rate(&mut self, span: Span) -> Reported {
        self.error(
            Diagnostic::error("misplaced-rate", span, "a rate cannot stand here")
                .label("the rate of a clock or of `cost`")
                .hint("write `cost' == e` as a part of an invariant, joined by `&&`"),
        )
    }

    #[cold]
    #[inline(never)]
    fn misplaced_deadlock(&mut self, span: Span) -> Reported {
        self.error(
            Diagnostic::error("misplaced-deadlock", span, "`deadlock` is for queries only")
                .label("part of the model"),
        )
    }

    /// `Ok` only if nothing outside of the expression is changed by it.
    pub fn pure<T>(&mut self, body: impl FnOnce(&mut Resolver) -> Res<T>, what: &str) -> Res<T> {
        let before = self.at.effect.take();
        let result = body(self);
        let effect = std::mem::replace(&mut self.at.effect, before);
        match effect {
            Some((span, changed)) => Err(self.error(
                Diagnostic::error("side-effect", span, format!("{what} must not change anything"))
                    .label(format!("this changes {changed}")),
            )),
            None => result,
        }
    }

    /// Resolves what may never be evaluated, such as the right side of `&&`.
    pub fn perhaps<T>(&mut self, body: impl FnOnce(&mut Resolver) -> T) -> T {
        self.at.conditional += 1;
        let result = body(self);
        self.at.conditional -= 1;
        result
    }

    #[inline(never)]
    fn name(&mut self, name: &str, span: Span) -> Res<Operand> {
        match self.lookup(name, span)? {
            Symbol::Constant { ty, value, .. } => Ok(Operand::Value(Expr::Const(value), ty)),
            Symbol::Variable(variable) => Ok(self.located(variable, span)),
            Symbol::Clock(place, ty) => Ok(Operand::Clock(place, ty)),
            Symbol::Channel(base, ty) => Ok(self.channel(base, ty)),
            Symbol::Cost => Ok(Operand::Cost),
            Symbol::Template(_) | Symbol::Instantiation(_) if self.at.is_query => {
                self.process(name, span)
            }
            other => {
                let hint = match other {
                    Symbol::Function(_) => Some(format!("call it: `{name}(...)`")),
                    _ => None,
                };
                let mut error =
                    Diagnostic::error("not-a-value", span, format!("`{name}` has no value"))
                        .label(format!("this is {}", other.describe()));
                error.hint = hint;
                Err(self.error(error))
            }
        }
    }

    #[inline(never)]
    fn unary(&mut self, op: UnaryOp, inner: &network::Expr) -> Res<Operand> {
        let operand = self.operand(inner)?;
        match (op, operand) {
            (UnaryOp::Not, Operand::Logic(formula)) => {
                Ok(Operand::Logic(super::logic::negate(formula)))
            }
            (UnaryOp::Minus, operand @ (Operand::Clock(_, Ty::Clock) | Operand::Linear(_))) => {
                let linear = self.linear(operand, inner.span)?;
                Ok(Operand::Linear(Linear {
                    plus: linear.minus,
                    minus: linear.plus,
                    offset: fold::unary(UnaryOp::Minus, linear.offset),
                }))
            }
            (op, operand) => {
                let tree = fold::unary(op, self.number_of(operand, inner.span)?);
                let ty = if op == UnaryOp::Not { Ty::Bool } else { Ty::WIDE };
                Ok(Operand::Value(tree, ty))
            }
        }
    }

    /// A binary operator with all those on its left side: chains of thousands must not recurse.
    #[inline(never)]
    fn chain(&mut self, expr: &network::Expr) -> Res<Operand> {
        let mut links = Vec::new();
        let mut innermost = expr;
        while let ExprKind::Binary(op, left, right) = &innermost.kind {
            links.push((*op, right.as_ref(), innermost.span));
            innermost = left.as_ref();
        }
        let mut left = self.operand(innermost);
        let mut left_span = innermost.span;
        while let Some((op, right, span)) = links.pop() {
            left = match op {
                BinaryOp::And | BinaryOp::Or => {
                    let mut parts = vec![(left, left_span), self.part(right)];
                    while links.last().is_some_and(|link| link.0 == op) {
                        if let Some((_, right, _)) = links.pop() {
                            parts.push(self.part(right));
                        }
                    }
                    self.join(op, parts)
                }
                BinaryOp::Imply => {
                    let right = self.part(right);
                    self.imply((left, left_span), right)
                }
                op => {
                    let right_side = self.operand(right);
                    match (left, right_side) {
                        (Ok(left), Ok(right_side)) => {
                            self.apply(op, (left, left_span), (right_side, right.span), span)
                        }
                        (Err(reported), _) | (_, Err(reported)) => Err(reported),
                    }
                }
            };
            left_span = span;
        }
        left
    }

    fn part(&mut self, expr: &network::Expr) -> (Res<Operand>, Span) {
        (self.perhaps(|r| r.operand(expr)), expr.span)
    }

    /// `a && b && c` or `a || b || c`.
    #[inline(never)]
    pub fn join(&mut self, op: BinaryOp, parts: Vec<(Res<Operand>, Span)>) -> Res<Operand> {
        let formulas: Vec<Res<Formula>> = parts
            .into_iter()
            .map(|(part, span)| part.and_then(|part| self.formula_of(part, span)))
            .collect();
        let formulas = formulas.into_iter().collect::<Res<Vec<Formula>>>()?;
        Ok(connect(op, formulas))
    }

    #[inline(never)]
    fn imply(&mut self, left: (Res<Operand>, Span), right: (Res<Operand>, Span)) -> Res<Operand> {
        let left = left.0.and_then(|part| self.formula_of(part, left.1));
        let right = right.0.and_then(|part| self.formula_of(part, right.1));
        Ok(connect(BinaryOp::Or, vec![super::logic::negate(left?), right?]))
    }

    /// A condition, with or without clocks.
    pub fn formula_of(&mut self, operand: Operand, span: Span) -> Res<Formula> {
        match operand {
            Operand::Logic(formula) => Ok(formula),
            other => {
                let tree = self.number_of(other, span)?;
                Ok(Formula::Data(Term::new(tree, span)))
            }
        }
    }

    #[inline(never)]
    fn apply(&mut self, op: BinaryOp, left: Side, right: Side, span: Span) -> Res<Operand> {
        if op.is_comparison() {
            return self.compare(op, left, right, span);
        }
        let has_clock = [&left.0, &right.0]
            .iter()
            .any(|side| matches!(side, Operand::Clock(_, Ty::Clock) | Operand::Linear(_)));
        if has_clock && matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return self.linear_sum(op, left, right, span);
        }
        let (a, b) = (self.number_of(left.0, left.1), self.number_of(right.0, right.1));
        Ok(Operand::Value(fold::binary(op, a?, b?, span), Ty::WIDE))
    }

    #[inline(never)]
    fn conditional(
        &mut self,
        condition: &network::Expr,
        then: &network::Expr,
        otherwise: &network::Expr,
        span: Span,
    ) -> Res<Operand> {
        let test = self.number(condition);
        let (a, b) = (self.part(then).0, self.part(otherwise).0);
        let (test, a, b) = (test?, a?, b?);
        if matches!((&a, &b), (Operand::Logic(_), _) | (_, Operand::Logic(_))) {
            let (a, b) = (self.formula_of(a, then.span)?, self.formula_of(b, otherwise.span)?);
            return Ok(super::logic::conditional(Term::new(test, condition.span), a, b));
        }
        let (a, b) = (self.value_of(a, then.span)?, self.value_of(b, otherwise.span)?);
        let ty = match (&a.1, &b.1) {
            (Ty::Bool, Ty::Bool) => Ty::Bool,
            (a, b) if a.is_number() && b.is_number() => Ty::WIDE,
            (a, b) if a == b => a.clone(),
            (a, b) => {
                let (a, b) = (a.clone(), b.clone());
                return Err(self.mismatch(span, &a, &b));
            }
        };
        Ok(Operand::Value(
            match test {
                Expr::Const(0) => b.0,
                Expr::Const(_) => a.0,
                test => Expr::Conditional(Box::new(test), Box::new(a.0), Box::new(b.0)),
            },
            ty,
        ))
    }
}

/// Joins conditions; if none depends on clocks, the result is a value.
pub fn connect(op: BinaryOp, formulas: Vec<Formula>) -> Operand {
    if formulas.iter().all(|formula| matches!(formula, Formula::Data(_))) {
        let trees = formulas
            .into_iter()
            .filter_map(|formula| match formula {
                Formula::Data(term) => Some(term.tree),
                _ => None,
            })
            .collect();
        let tree = if op == BinaryOp::And { fold::all(trees) } else { fold::any(trees) };
        return Operand::Value(tree, Ty::Bool);
    }
    Operand::Logic(if op == BinaryOp::And { Formula::And(formulas) } else { Formula::Or(formulas) })
}
