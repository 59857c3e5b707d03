//! Whether `cost` is the price of a model that declares `clock cost` itself.

use crate::network::{AssignOp, Expr, ExprKind, Item, Network};

/// True if some invariant gives `cost` a rate or some update raises it: then a declaration
/// `clock cost` only spells out what is predeclared. Otherwise it is a clock like any other.
pub fn is_price(network: &Network) -> bool {
    network.items.iter().any(|item| match item {
        Item::Template(template) => {
            let invariants = template.locations.iter().filter_map(|l| l.invariant.as_ref());
            let updates = template.edges.iter().flat_map(|edge| &edge.update);
            invariants.chain(updates).any(prices)
        }
        _ => false,
    })
}

fn prices(expr: &Expr) -> bool {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        match &expr.kind {
            ExprKind::Rate(of) if is_cost(of) => return true,
            ExprKind::Assign(AssignOp::With(_), target, _) if is_cost(target) => return true,
            _ => super::writes::parts(expr, &mut pending),
        }
    }
    false
}

fn is_cost(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if name == "cost")
}
