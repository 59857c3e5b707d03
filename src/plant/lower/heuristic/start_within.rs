//! No step of an order with a due instant starts too long before it.
//!
//! That is a matter of steps without predecessors: no other can start before one of them. Where
//! eligibility is judged, the order is released so much later instead.

use super::weave_starts;
use crate::lower::assembly::Assembly;
use takt_automata::compose::woven;
use takt_automata::network::Expr;

pub fn apply(assembly: &mut Assembly, time: i64) {
    let plan = assembly.plan;
    for (k, order) in plan.orders.entries() {
        let earliest = order.due.map_or(0, |due| due - time).max(0);
        assembly.arguments[k].insert("earliest", Expr::number(earliest));
    }
    if plan.is_judged() {
        return;
    }
    let template = assembly.fragment("startwithin.xta", "Within");
    weave_starts(assembly, template, |recipe, step| {
        let is_first = plan.recipes[recipe].steps[step].after.is_empty();
        is_first.then(|| vec![("earliest", woven("earliest"))])
    });
}
