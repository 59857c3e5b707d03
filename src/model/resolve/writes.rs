//! Which parameters a template may write to, judged by its text alone.

use super::update::root_name;
use crate::network::{Block, Declaration, Expr, ExprKind, Statement, Template};

/// False only if nothing in the template can change what `name` stands for. A name that is
/// hidden by another one counts as well: that errs on the safe side.
pub fn may_write(template: &Template, name: &str) -> bool {
    let in_edges = template
        .edges
        .iter()
        .any(|edge| edge.update.iter().chain(&edge.guard).any(|expr| expr_writes(expr, name)));
    in_edges
        || template.declarations.iter().any(|declaration| match declaration {
            Declaration::Function(function) => block_writes(&function.body, name),
            _ => false,
        })
}

fn block_writes(block: &Block, name: &str) -> bool {
    block.statements.iter().any(|statement| statement_writes(statement, name))
}

fn statement_writes(statement: &Statement, name: &str) -> bool {
    let any = |exprs: &[Expr]| exprs.iter().any(|expr| expr_writes(expr, name));
    match statement {
        Statement::Empty => false,
        Statement::Expr(expr) => expr_writes(expr, name),
        Statement::Block(block) => block_writes(block, name),
        Statement::If(test, then, otherwise) => {
            expr_writes(test, name)
                || statement_writes(then, name)
                || otherwise.as_ref().is_some_and(|inner| statement_writes(inner, name))
        }
        Statement::While(test, body) | Statement::DoWhile(body, test) => {
            expr_writes(test, name) || statement_writes(body, name)
        }
        Statement::For { initial, condition, step, body } => {
            any(initial)
                || expr_writes(condition, name)
                || any(step)
                || statement_writes(body, name)
        }
        Statement::ForEach { body, .. } => statement_writes(body, name),
        Statement::Return(value, _) => value.as_ref().is_some_and(|value| expr_writes(value, name)),
    }
}

/// Assignments count, and arguments of calls, which may be references.
fn expr_writes(expr: &Expr, name: &str) -> bool {
    let is_target = |target: &Expr| root_name(target) == Some(name);
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        let writes = match &expr.kind {
            ExprKind::Assign(_, target, _) | ExprKind::Increment { target, .. } => {
                is_target(target)
            }
            ExprKind::Call(_, arguments) => arguments.iter().any(is_target),
            _ => false,
        };
        if writes {
            return true;
        }
        parts(expr, &mut pending);
    }
    false
}

/// Adds the expressions that one consists of, for walks that must not recurse.
pub fn parts<'a>(expr: &'a Expr, into: &mut Vec<&'a Expr>) {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::Deadlock => {}
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
            into.extend([a.as_ref(), b.as_ref()]);
        }
        ExprKind::Conditional(a, b, c) => into.extend([a.as_ref(), b.as_ref(), c.as_ref()]),
        ExprKind::Field(inner, _)
        | ExprKind::Rate(inner)
        | ExprKind::Unary(_, inner)
        | ExprKind::Increment { target: inner, .. }
        | ExprKind::Quantifier { body: inner, .. } => into.push(inner),
        ExprKind::Call(callee, arguments) => {
            into.push(callee);
            into.extend(arguments);
        }
    }
}
