//! Orders that come after others: the tables of who waits for whom, and whoever counts the time between.

use super::assembly::{Assembly, number};
use crate::plan::{GroupId, Order, OrderLink};
use takt_automata::network::Expr;

pub fn lower(assembly: &mut Assembly) {
    let plan = assembly.plan;
    if plan.groups.is_empty() {
        return;
    }
    assembly.declare("sequel.xta");
    assembly.set("groups", plan.groups.len() as i64);
    assembly.set_list("ahead", plan.groups.iter().map(|group| group.orders.len() as i64));
    let memberships = spans(assembly, |order| order.groups.len());
    let groups = plan.orders.iter().flat_map(|order| &order.groups);
    let groups: Vec<i64> = groups.map(|&GroupId(group)| group as i64).collect();
    assembly.set("memberships", groups.len() as i64);
    assembly.set_list("group_of", groups);
    set_spans(assembly, ["first_membership", "last_membership"], memberships);
    let waits = spans(assembly, |order| order.after.len());
    set_spans(assembly, ["first_wait", "last_wait"], waits);
    links(assembly);
}

fn links(assembly: &mut Assembly) {
    let plan = assembly.plan;
    let links = || plan.orders.iter().flat_map(|order| &order.after);
    let mut listeners = vec![0; plan.groups.len()];
    links().filter(|link| is_timed(link)).for_each(|link| listeners[link.group.0] += 1);
    assembly.set("waits", links().count() as i64);
    assembly.set_list("awaited", links().map(|link| link.group.0 as i64));
    assembly.set_list("timed", links().map(|link| i64::from(is_timed(link))));
    assembly.set_list("listeners", listeners);
    let mut wait = 0;
    for (order, of) in plan.orders.entries() {
        for link in &of.after {
            let min = Expr::number(link.min);
            let (name, arguments) = match link.max {
                Some(max) => {
                    let arguments = vec![number(wait), number(order), min, Expr::number(max)];
                    ("LimitedBetween", arguments)
                }
                None => ("Between", vec![number(wait), min]),
            };
            if is_timed(link) {
                // Whether the order has begun is told there.
                assembly.declare("begin.xta");
                assembly.process("between", "sequel.xta", name, arguments);
            }
            wait += 1;
        }
    }
}

fn is_timed(link: &OrderLink) -> bool {
    link.min > 0 || link.max.is_some()
}

/// Where what each order has of something stands in a list of all.
fn spans(assembly: &Assembly, count: impl Fn(&Order) -> usize) -> Vec<(i64, i64)> {
    let mut last = 0;
    let span = |order: &Order| {
        let first = last;
        last += count(order) as i64;
        (first, last)
    };
    assembly.plan.orders.iter().map(span).collect()
}

fn set_spans(assembly: &mut Assembly, names: [&'static str; 2], spans: Vec<(i64, i64)>) {
    assembly.set_list(names[0], spans.iter().map(|span| span.0));
    assembly.set_list(names[1], spans.iter().map(|span| span.1));
}
