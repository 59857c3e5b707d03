//! Arithmetic on trees whose parts are known already.
//!
//! Folds only what cannot go wrong: an overflow, a division by zero or a bad shift stays in the
//! tree, because whether it is ever evaluated shows when the model runs.

use crate::model::{Expr, arithmetic};
use crate::network::{BinaryOp, UnaryOp};
use takt_diagnostic::Span;

pub fn unary(op: UnaryOp, inner: Expr) -> Expr {
    match (op, &inner) {
        (UnaryOp::Plus, _) => inner,
        (UnaryOp::Not, Expr::Const(value)) => Expr::Const(i64::from(*value == 0)),
        (UnaryOp::Minus, Expr::Const(value)) if *value != i64::MIN => Expr::Const(-value),
        _ => Expr::Unary(op, Box::new(inner)),
    }
}

pub fn binary(op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
    if let (Expr::Const(a), Expr::Const(b)) = (&left, &right)
        && let Ok(value) = arithmetic::binary(op, *a, *b)
    {
        return Expr::Const(value);
    }
    Expr::Binary(op, Box::new(left), Box::new(right), span)
}

pub fn add(left: Expr, right: Expr, span: Span) -> Expr {
    match (&left, &right) {
        (Expr::Const(0), _) => right,
        (_, Expr::Const(0)) => left,
        _ => binary(BinaryOp::Add, left, right, span),
    }
}

pub fn sub(left: Expr, right: Expr, span: Span) -> Expr {
    match (&left, &right) {
        (_, Expr::Const(0)) => left,
        (Expr::Const(0), _) => unary(UnaryOp::Minus, right),
        _ => binary(BinaryOp::Sub, left, right, span),
    }
}

/// All of them true, evaluated from the left as far as needed. The tree is balanced, so that
/// a chain of thousands stays shallow. A part that is false ends the chain, as nothing after it
/// is ever evaluated.
pub fn all(parts: Vec<Expr>) -> Expr {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Expr::Const(0) => {
                kept.push(Expr::Const(0));
                break;
            }
            Expr::Const(_) => {}
            part => kept.push(part),
        }
    }
    match kept.len() {
        0 => Expr::Const(1),
        1 => truth(kept.remove(0)),
        _ => balanced(kept, &|a, b| Expr::And(Box::new(a), Box::new(b))),
    }
}

/// Any of them true, likewise.
pub fn any(parts: Vec<Expr>) -> Expr {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Expr::Const(0) => {}
            Expr::Const(_) => {
                kept.push(Expr::Const(1));
                break;
            }
            part => kept.push(part),
        }
    }
    match kept.len() {
        0 => Expr::Const(0),
        1 => truth(kept.remove(0)),
        _ => balanced(kept, &|a, b| Expr::Or(Box::new(a), Box::new(b))),
    }
}

/// The value as 0 or 1.
pub fn truth(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const(i64::from(value != 0)),
        expr if expr.is_truth() => expr,
        expr => Expr::Binary(
            BinaryOp::NotEqual,
            Box::new(expr),
            Box::new(Expr::Const(0)),
            Span::default(),
        ),
    }
}

fn balanced(mut parts: Vec<Expr>, join: &dyn Fn(Expr, Expr) -> Expr) -> Expr {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let right = parts.split_off(parts.len() / 2);
    join(balanced(parts, join), balanced(right, join))
}
