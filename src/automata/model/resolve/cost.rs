//! Whether `cost` is the price of a model that declares `clock cost` itself.

use super::walk;
use crate::network::{AssignOp, Declaration, Expr, ExprKind, Item, Network};

/// True if some invariant gives `cost` a rate or some update raises it: then a declaration
/// `clock cost` only spells out what is predeclared. Otherwise it is a clock like any other.
pub fn is_price(network: &Network) -> bool {
    network.items.iter().any(|item| match item {
        Item::Declaration(declaration) => declares_price(declaration),
        Item::Template(template) => {
            let invariants = template.locations.iter().filter_map(|l| l.invariant.as_ref());
            let updates = template.edges.iter().flat_map(|edge| &edge.update);
            invariants.chain(updates).any(prices)
                || template.declarations.iter().any(declares_price)
        }
        Item::Instantiation(_) => false,
    })
}

fn declares_price(declaration: &Declaration) -> bool {
    match declaration {
        Declaration::Function(function) => walk::block_has(&function.body, &prices),
        Declaration::BeforeUpdate(exprs, _) | Declaration::AfterUpdate(exprs, _) => {
            exprs.iter().any(prices)
        }
        _ => false,
    }
}

fn prices(expr: &Expr) -> bool {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        match &expr.kind {
            ExprKind::Rate(of) if is_cost(of) => return true,
            ExprKind::Assign(AssignOp::With(_), target, _) if is_cost(target) => return true,
            _ => walk::parts(expr, &mut pending),
        }
    }
    false
}

fn is_cost(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if name == "cost")
}
