//! Orders that come after others: names that do not exist, times that cannot be, orders that wait for each other.

use super::Checker;
use crate::{Order, OrderBefore, orders_called};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::{Diagnostic, Span};

impl<'a> Checker<'a> {
    pub fn sequels(&mut self) {
        let spec = self.spec;
        if spec.orders.iter().all(|order| order.after.is_empty()) {
            return;
        }
        let called = orders_called(&spec.orders);
        let names: Vec<&str> = called.keys().copied().collect();
        for order in spec.orders.iter().filter(|order| is_first(order)) {
            let mut known: BTreeMap<&str, Span> = BTreeMap::new();
            for before in &order.after {
                self.exists(&before.order, "order", &names);
                if let Some(&place) = known.get(before.order.value.as_str()) {
                    let message = format!("`{}` is a predecessor already", before.order.value);
                    let found = Diagnostic::error("duplicate-name", before.order.span, message);
                    self.found.push(found.related(place, "the first one"));
                }
                known.insert(&before.order.value, before.order.span);
                self.order_lag(before, order);
            }
        }
        self.rings();
    }

    fn order_lag(&mut self, before: &'a OrderBefore, order: &'a Order) {
        self.between(before.min.as_ref(), before.max.as_ref(), Some(order));
    }

    /// Copies say the same of what they wait for, so that one node stands for all of them.
    fn rings(&mut self) {
        let spec = self.spec;
        let mut nodes: BTreeMap<(bool, &str), NodeIndex> = BTreeMap::new();
        let mut called: BTreeMap<&str, BTreeSet<NodeIndex>> = BTreeMap::new();
        let mut graph: DiGraph<&str, Span> = DiGraph::new();
        for order in &spec.orders {
            let name = order.base().unwrap_or(&order.id.value);
            let key = (order.base().is_some(), name);
            let node = *nodes.entry(key).or_insert_with(|| graph.add_node(name));
            called.entry(&order.id.value).or_default().insert(node);
            called.entry(name).or_default().insert(node);
        }
        for order in spec.orders.iter().filter(|order| is_first(order)) {
            let name = order.base().unwrap_or(&order.id.value);
            let own = nodes[&(order.base().is_some(), name)];
            for before in &order.after {
                let from = called.get(before.order.value.as_str()).into_iter().flatten();
                for &node in from {
                    graph.add_edge(node, own, before.order.span);
                }
            }
        }
        for knot in kosaraju_scc(&graph) {
            let first = *knot.iter().min().expect("a component has a node");
            if knot.len() > 1 || graph.contains_edge(first, first) {
                self.ring(&graph, first, &knot);
            }
        }
    }

    fn ring(&mut self, graph: &DiGraph<&str, Span>, first: NodeIndex, knot: &[NodeIndex]) {
        let path = super::precedence::cycle(graph, first, knot);
        let words = super::precedence::show(&path, |node| graph[*node]);
        let message = format!("orders wait for each other: {words}");
        let pairs: Vec<_> = path.windows(2).collect();
        let place = |pair: &[NodeIndex]| graph.find_edge(pair[0], pair[1]).map(|edge| graph[edge]);
        let main = pairs.first().and_then(|pair| place(pair)).unwrap_or_default();
        let mut found = Diagnostic::error("cycle", main, message);
        for pair in pairs.iter().skip(1).take(super::precedence::SHOWN) {
            let words = format!("`{}` waits for `{}`", graph[pair[1]], graph[pair[0]]);
            found = found.related(place(pair).unwrap_or_default(), words);
        }
        self.found.push(found);
    }
}

/// Of copies the first speaks for all.
fn is_first(order: &Order) -> bool {
    order.shift.as_ref().is_none_or(|shift| shift.times == 0)
}
