//! At most so many orders are in work.

use super::weave_starts;
use crate::lower::Event;
use crate::lower::assembly::Assembly;
use crate::lower::stamp::Stamp;
use crate::network::{Edge, Expr};

pub fn apply(assembly: &mut Assembly, most: i64) {
    assembly.set("most_active", most.min(assembly.plan.orders.len().max(1) as i64));
    let active = assembly.fragment("maxactive.xta", "Active");
    weave_starts(assembly, active, |_, _| Some(vec![("order", Expr::name("order"))]));
    let inactive = assembly.fragment("maxactive.xta", "Inactive");
    let stamp =
        Stamp { arguments: &[("order", Expr::name("order"))], locations: &[], origin: None };
    let after: Vec<Expr> = inactive.edges.iter().flat_map(|edge| stamp.edge(edge).update).collect();
    // Only the end of a chain's last step can be the end of its order.
    let last: Vec<Vec<usize>> = (assembly.chains.iter())
        .map(|chains| chains.chains.iter().filter_map(|chain| chain.last().copied()).collect())
        .collect();
    for (edge, event) in assembly.marked() {
        if let Event::End { recipe, step } = event
            && last[*recipe].contains(step)
        {
            add(edge, &after);
        }
    }
}

fn add(edge: &mut Edge, updates: &[Expr]) {
    edge.update.extend_from_slice(updates);
}
