//! Guards and invariants: conjunctions of conditions, and the rate of the cost.

use super::operand::Operand;
use super::{Res, Resolver};
use crate::model::{Conjunct, Expr, Term};
use crate::network::{self, BinaryOp, ExprKind};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    /// The conjuncts of a guard; constant ones that hold are left out.
    pub fn guard(&mut self, guard: &network::Expr) -> Res<Vec<Conjunct>> {
        let mut conjuncts = Vec::new();
        let mut result = Ok(());
        for (position, part) in written_conjuncts(guard).into_iter().enumerate() {
            // All but the first are only looked at where those before them hold.
            self.at.conditional += u32::from(position == 1);
            let done = self.conjunct(part, "a guard", &mut conjuncts);
            result = result.and(done);
        }
        self.at.conditional = 0;
        result.map(|()| informative(conjuncts))
    }

    /// The conjuncts of an invariant, and the rate of the cost if it gives one.
    pub fn invariant(&mut self, expr: &network::Expr) -> Res<(Vec<Conjunct>, Option<Term>)> {
        let mut conjuncts = Vec::new();
        let mut rate: Option<Term> = None;
        let mut result = Ok(());
        for (position, part) in written_conjuncts(expr).into_iter().enumerate() {
            self.at.conditional += u32::from(position == 1);
            let done = match rate_of(part) {
                Some((of, value)) => {
                    self.rate(of, value, part.span).and_then(|term| match (term, &rate) {
                        (Some(term), Some(first)) => {
                            let first = first.span;
                            Err(self.second_rate(term.span, first))
                        }
                        (Some(term), None) => {
                            rate = Some(term);
                            Ok(())
                        }
                        (None, _) => Ok(()),
                    })
                }
                None => self.conjunct(part, "an invariant", &mut conjuncts),
            };
            result = result.and(done);
        }
        self.at.conditional = 0;
        result.map(|()| (informative(conjuncts), rate))
    }

    fn conjunct(&mut self, part: &network::Expr, what: &str, into: &mut Vec<Conjunct>) -> Res<()> {
        let operand = self.pure(|r| r.operand(part), what)?;
        let formula = self.formula_of(operand, part.span)?;
        self.conjuncts(formula, into)
    }

    fn second_rate(&mut self, span: Span, first: Span) -> super::Reported {
        self.error(
            Diagnostic::error("second-rate", span, "a location has one rate of `cost`")
                .label("given again here")
                .related(first, "first given here"),
        )
    }

    /// `cost' == e`; for an ordinary clock only the rate 1, which it has anyway.
    fn rate(&mut self, of: &network::Expr, value: &network::Expr, span: Span) -> Res<Option<Term>> {
        let operand = self.operand(of);
        let tree = self.pure(|r| r.number(value), "a rate");
        let (operand, tree) = (operand?, tree?);
        match (operand, tree) {
            (Operand::Cost, Expr::Const(rate)) if rate < 0 => Err(self.error(
                Diagnostic::error("negative-price", value.span, "prices must not be negative")
                    .label(format!("this is {rate}")),
            )),
            (Operand::Cost, tree) => {
                self.made.is_priced = true;
                Ok(Some(Term::new(tree, value.span)))
            }
            (Operand::Clock(..), Expr::Const(1)) => Ok(None),
            (Operand::Clock(..), _) => Err(self.error(
                Diagnostic::error("stopwatch", span, "clocks always run at rate 1")
                    .label("sets the rate of a clock")
                    .hint("only `cost` can have a rate"),
            )),
            _ => Err(self.error(
                Diagnostic::error("misplaced-rate", of.span, "only `cost` has a rate")
                    .label("not `cost`"),
            )),
        }
    }
}

/// The parts of a written conjunction, from left to right.
fn written_conjuncts(expr: &network::Expr) -> Vec<&network::Expr> {
    let mut parts = Vec::new();
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                pending.extend([right.as_ref(), left.as_ref()]);
            }
            _ => parts.push(expr),
        }
    }
    parts
}

/// `x' == e` or `e == x'`.
fn rate_of(expr: &network::Expr) -> Option<(&network::Expr, &network::Expr)> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Equal, left, right) => match (&left.kind, &right.kind) {
            (ExprKind::Rate(of), _) => Some((of, right)),
            (_, ExprKind::Rate(of)) => Some((of, left)),
            _ => None,
        },
        _ => None,
    }
}

/// Without the parts that always hold; only the false one if there is one.
fn informative(conjuncts: Vec<Conjunct>) -> Vec<Conjunct> {
    if let Some(never) = conjuncts.iter().find(|conjunct| conjunct.constant() == Some(0)) {
        return vec![never.clone()];
    }
    let mut kept = conjuncts;
    kept.retain(|conjunct| conjunct.constant().is_none());
    // There may be a million edges: room for four conjuncts each would be a gigabyte.
    kept.shrink_to_fit();
    kept
}

/// Whether a guard is false whatever happens.
pub fn is_never(guard: &[Conjunct]) -> bool {
    guard.iter().any(|conjunct| conjunct.constant() == Some(0))
}
