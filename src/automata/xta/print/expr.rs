//! Expressions as text, with as few parentheses as their precedence allows.

use crate::network::*;
use crate::xta::precedence::{self, Level, assignment, level, spelling};

/// Writes `expr` where anything may stand that binds at least as tightly as `floor`.
pub fn write(out: &mut String, expr: &Expr, floor: Level) {
    if binding(&expr.kind) < floor {
        out.push('(');
        write_bare(out, expr);
        out.push(')');
    } else {
        write_bare(out, expr);
    }
}

pub fn write_list(out: &mut String, exprs: &[Expr]) {
    for (i, expr) in exprs.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(out, expr, precedence::QUANTIFIER);
    }
}

fn binding(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::Number(n) if *n < 0 => precedence::UNARY,
        ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::Deadlock => {
            precedence::PRIMARY
        }
        ExprKind::Index(..) | ExprKind::Field(..) | ExprKind::Rate(_) | ExprKind::Call(..) => {
            precedence::POSTFIX
        }
        ExprKind::Increment { prefix: false, .. } => precedence::POSTFIX,
        ExprKind::Unary(..) | ExprKind::Increment { .. } => precedence::UNARY,
        ExprKind::Binary(op, ..) => level(*op),
        ExprKind::Conditional(..) => precedence::CONDITIONAL,
        ExprKind::Assign(..) => precedence::ASSIGNMENT,
        ExprKind::Quantifier { .. } => precedence::QUANTIFIER,
    }
}

fn write_bare(out: &mut String, expr: &Expr) {
    match &expr.kind {
        // Its absolute value is no number of the language.
        ExprKind::Number(i64::MIN) => out.push_str("(-9223372036854775807 - 1)"),
        ExprKind::Number(n) => out.push_str(&n.to_string()),
        ExprKind::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        ExprKind::Name(name) => out.push_str(name),
        ExprKind::Deadlock => out.push_str("deadlock"),
        ExprKind::Binary(..) => write_binary(out, expr),
        ExprKind::Unary(op, operand) => write_unary(out, *op, operand),
        ExprKind::Conditional(condition, yes, no) => {
            write(out, condition, precedence::CONDITIONAL + 1);
            out.push_str(" ? ");
            write(out, yes, precedence::QUANTIFIER);
            out.push_str(" : ");
            write(out, no, precedence::CONDITIONAL);
        }
        ExprKind::Assign(op, target, value) => {
            write(out, target, precedence::CONDITIONAL);
            out.push_str(&format!(" {} ", assignment(*op)));
            write(out, value, precedence::ASSIGNMENT);
        }
        ExprKind::Quantifier { kind, binder, ty, body } => {
            out.push_str(match kind {
                QuantifierKind::Forall => "forall",
                QuantifierKind::Exists => "exists",
                QuantifierKind::Sum => "sum",
            });
            out.push_str(&format!(" ({} : ", binder.text));
            super::declaration::write_type(out, ty);
            out.push_str(") ");
            write(out, body, precedence::QUANTIFIER);
        }
        ExprKind::Increment { target, delta, prefix: true } => {
            write_prefix(out, if *delta > 0 { "++" } else { "--" }, target);
        }
        _ => write_postfix(out, &expr.kind),
    }
}

fn write_postfix(out: &mut String, kind: &ExprKind) {
    match kind {
        ExprKind::Index(base, index) => {
            write(out, base, precedence::POSTFIX);
            out.push('[');
            write(out, index, precedence::QUANTIFIER);
            out.push(']');
        }
        ExprKind::Field(base, name) => {
            write(out, base, precedence::POSTFIX);
            out.push('.');
            out.push_str(&name.text);
        }
        ExprKind::Rate(base) => {
            write(out, base, precedence::POSTFIX);
            out.push('\'');
        }
        ExprKind::Call(base, arguments) => {
            write(out, base, precedence::POSTFIX);
            out.push('(');
            write_list(out, arguments);
            out.push(')');
        }
        ExprKind::Increment { target, delta, .. } => {
            write(out, target, precedence::POSTFIX);
            out.push_str(if *delta > 0 { "++" } else { "--" });
        }
        _ => unreachable!("not a postfix expression"),
    }
}

/// Long chains lean to the left; their spine is walked in a loop, not by recursion.
fn write_binary(out: &mut String, expr: &Expr) {
    let mut spine = Vec::new();
    let mut left = expr;
    let mut floor = 0;
    while let ExprKind::Binary(op, next, right) = &left.kind {
        if level(*op) < floor {
            break;
        }
        spine.push((*op, right));
        floor = level(*op);
        left = next;
    }
    write(out, left, floor);
    for (op, right) in spine.into_iter().rev() {
        out.push(' ');
        out.push_str(spelling(op));
        out.push(' ');
        write(out, right, level(op) + 1);
    }
}

fn write_unary(out: &mut String, op: UnaryOp, operand: &Expr) {
    match (op, &operand.kind) {
        // A minus before a bare number would become part of it.
        (UnaryOp::Minus, ExprKind::Number(n)) if *n >= 0 => out.push_str(&format!("-({n})")),
        (UnaryOp::Minus, _) => write_prefix(out, "-", operand),
        (UnaryOp::Plus, _) => write_prefix(out, "+", operand),
        (UnaryOp::Not, _) => write_prefix(out, "!", operand),
    }
}

/// Keeps a sign apart from the same sign after it: `- -x` is not `--x`.
fn write_prefix(out: &mut String, sign: &str, operand: &Expr) {
    out.push_str(sign);
    let start = out.len();
    write(out, operand, precedence::UNARY);
    if sign != "!" && out[start..].starts_with(&sign[..1]) {
        out.insert(start, ' ');
    }
}
