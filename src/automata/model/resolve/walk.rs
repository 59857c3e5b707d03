//! Walks over expressions and statements as they are written, and what such a walk can tell:
//! which parameters a template may write to.

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
            Declaration::Function(function) => {
                block_has(&function.body, &|expr| expr_writes(expr, name))
            }
            _ => false,
        })
}

/// Whether some expression of a block's statements has a property.
pub fn block_has(block: &Block, has: &dyn Fn(&Expr) -> bool) -> bool {
    block.statements.iter().any(|statement| statement_has(statement, has))
}

fn statement_has(statement: &Statement, has: &dyn Fn(&Expr) -> bool) -> bool {
    match statement {
        Statement::Empty => false,
        Statement::Expr(expr) => has(expr),
        Statement::Block(block) => block_has(block, has),
        Statement::If(test, then, otherwise) => {
            has(test)
                || statement_has(then, has)
                || otherwise.as_ref().is_some_and(|inner| statement_has(inner, has))
        }
        Statement::While(test, body) | Statement::DoWhile(body, test) => {
            has(test) || statement_has(body, has)
        }
        Statement::For { initial, condition, step, body } => {
            initial.iter().chain([condition]).chain(step).any(has) || statement_has(body, has)
        }
        Statement::ForEach { body, .. } => statement_has(body, has),
        Statement::Return(value, _) => value.as_ref().is_some_and(has),
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
