//! Conditions that involve clocks: negation, and the conjuncts that guards and invariants are
//! made of.

use super::expression::connect;
use super::operand::Operand;
use super::{Res, Resolver, fold};
use crate::model::{ClockTest, Conjunct, Expr, Formula, Term};
use crate::network::{BinaryOp, UnaryOp};
use takt_diagnostic::Diagnostic;

/// The opposite, with negation pushed down to what cannot be split.
pub fn negate(formula: Formula) -> Formula {
    match formula {
        Formula::Data(term) => {
            Formula::Data(Term::new(fold::unary(UnaryOp::Not, term.tree), term.span))
        }
        // not (left - right < bound) is right - left <= -bound
        Formula::Clock(test) => Formula::Clock(ClockTest {
            unless: None,
            left: test.right,
            right: test.left,
            is_strict: !test.is_strict,
            bound: Term::new(fold::unary(UnaryOp::Minus, test.bound.tree), test.bound.span),
            span: test.span,
        }),
        Formula::Deadlock => Formula::Not(Box::new(Formula::Deadlock)),
        Formula::Not(inner) => *inner,
        Formula::And(parts) => Formula::Or(parts.into_iter().map(negate).collect()),
        Formula::Or(parts) => Formula::And(parts.into_iter().map(negate).collect()),
    }
}

/// `condition ? then : otherwise` of conditions.
pub fn conditional(condition: Term, then: Formula, otherwise: Formula) -> Operand {
    let holds = Formula::Data(condition);
    let fails = negate(holds.clone());
    let parts = vec![Formula::Or(vec![fails, then]), Formula::Or(vec![holds, otherwise])];
    connect(BinaryOp::And, parts)
}

/// The same condition with the parts of `&&` in `&&` and of `||` in `||` pulled up, constants
/// dropped, and neighbouring conditions without clocks made one.
pub fn simplify(formula: Formula) -> Formula {
    match formula {
        Formula::And(parts) => gather(parts, BinaryOp::And),
        Formula::Or(parts) => gather(parts, BinaryOp::Or),
        other => other,
    }
}

fn gather(parts: Vec<Formula>, op: BinaryOp) -> Formula {
    let is_and = op == BinaryOp::And;
    let mut flat: Vec<Formula> = Vec::new();
    for part in parts.into_iter().map(simplify) {
        match part {
            Formula::And(inner) if is_and => flat.extend(inner),
            Formula::Or(inner) if !is_and => flat.extend(inner),
            other => flat.push(other),
        }
    }
    let mut merged: Vec<Formula> = Vec::new();
    for part in flat {
        match (merged.last_mut(), part) {
            (_, Formula::Data(term)) if is_neutral(&term, is_and) => {}
            (Some(Formula::Data(last)), Formula::Data(term)) => {
                let tree = std::mem::replace(&mut last.tree, Expr::Const(0));
                let trees = vec![tree, term.tree];
                last.tree = if is_and { fold::all(trees) } else { fold::any(trees) };
                last.span = last.span.to(term.span);
            }
            (_, part) => merged.push(part),
        }
    }
    let decided = |part: &Formula| match part {
        Formula::Data(term) => term.constant().is_some_and(|value| (value == 0) == is_and),
        _ => false,
    };
    if let Some(position) = merged.iter().position(decided) {
        return merged.swap_remove(position);
    }
    match merged.len() {
        0 => Formula::Data(Term::new(Expr::Const(i64::from(is_and)), Default::default())),
        1 => merged.remove(0),
        _ if is_and => Formula::And(merged),
        _ => Formula::Or(merged),
    }
}

fn is_neutral(term: &Term, is_and: bool) -> bool {
    term.constant().is_some_and(|value| (value != 0) == is_and)
}

impl Resolver {
    /// A condition as conjuncts. A disjunction may have one part with clocks; the others then
    /// say where that part does not count.
    pub fn conjuncts(&mut self, formula: Formula, into: &mut Vec<Conjunct>) -> Res<()> {
        match formula {
            Formula::Data(term) => into.push(Conjunct::Data(term)),
            Formula::Clock(test) => into.push(Conjunct::Clock(test)),
            Formula::And(parts) => {
                for part in parts {
                    self.conjuncts(part, into)?;
                }
            }
            Formula::Or(parts) => self.alternatives(parts, into)?,
            Formula::Not(_) | Formula::Deadlock => return Err(super::Reported),
        }
        Ok(())
    }

    fn alternatives(&mut self, parts: Vec<Formula>, into: &mut Vec<Conjunct>) -> Res<()> {
        let mut flat = Vec::new();
        let mut pending = parts;
        pending.reverse();
        while let Some(part) = pending.pop() {
            match part {
                Formula::Or(inner) => pending.extend(inner.into_iter().rev()),
                part => flat.push(part),
            }
        }
        let (data, clocked): (Vec<Formula>, Vec<Formula>) =
            flat.into_iter().partition(|part| matches!(part, Formula::Data(_)));
        if let [first, second, ..] = clocked.as_slice() {
            let (first, second) = (span_of(first), span_of(second));
            return Err(self.error(
                Diagnostic::error("clock-disjunction", first, "clocks are tested by `&&` only")
                    .label("this depends on clocks")
                    .related(second, "and so does this alternative")
                    .hint(
                        "make one edge, or one location, for each alternative (`x != c` has two)",
                    ),
            ));
        }
        let terms: Vec<Term> = data
            .into_iter()
            .filter_map(|part| match part {
                Formula::Data(term) => Some(term),
                _ => None,
            })
            .collect();
        let span = terms.iter().map(|term| term.span).reduce(|a, b| a.to(b)).unwrap_or_default();
        let mut trees: Vec<Expr> = terms.into_iter().map(|term| term.tree).collect();
        let unless = if trees.len() == 1 { trees.remove(0) } else { fold::any(trees) };
        let mut inner = Vec::new();
        for part in clocked {
            self.conjuncts(part, &mut inner)?;
        }
        match unless {
            Expr::Const(0) => into.extend(inner),
            Expr::Const(_) => {}
            unless => {
                let unless = Term::new(unless, span);
                into.extend(inner.into_iter().map(|part| excuse(part, &unless)));
            }
        }
        Ok(())
    }
}

/// `unless || part`.
fn excuse(part: Conjunct, unless: &Term) -> Conjunct {
    let either = |tree: Expr| fold::any(vec![unless.tree.clone(), tree]);
    match part {
        Conjunct::Data(term) => Conjunct::Data(Term::new(either(term.tree), term.span)),
        Conjunct::Clock(mut test) => {
            let tree = match test.unless {
                Some(inner) => either(inner.tree),
                None => unless.tree.clone(),
            };
            test.unless = Some(Box::new(Term::new(tree, unless.span)));
            Conjunct::Clock(test)
        }
    }
}

fn span_of(formula: &Formula) -> takt_diagnostic::Span {
    match formula {
        Formula::Data(term) => term.span,
        Formula::Clock(test) => test.span,
        Formula::Deadlock => Default::default(),
        Formula::Not(inner) => span_of(inner),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().map(span_of).reduce(|a, b| a.to(b)).unwrap_or_default()
        }
    }
}
