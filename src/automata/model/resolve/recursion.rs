//! Finds functions that call each other in a circle, before their bodies are resolved.
//!
//! A function may only call what is declared before it, so a circle always holds a call of
//! something unknown; this pass says what is really wrong.

use super::Resolver;
use crate::network::{Declaration, Expr, ExprKind, Function};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::cell::RefCell;
use std::collections::BTreeMap;
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    /// Reports every circle among the functions of one group of declarations.
    pub fn refuse_recursion(&mut self, declarations: &[&Declaration]) {
        let functions: Vec<&Function> = declarations
            .iter()
            .filter_map(|declaration| match declaration {
                Declaration::Function(function) => Some(function),
                _ => None,
            })
            .collect();
        let position: BTreeMap<&str, usize> =
            functions.iter().enumerate().map(|(i, f)| (f.name.text.as_str(), i)).collect();
        let calls: Vec<Vec<(usize, Span)>> = functions
            .iter()
            .map(|function| {
                let found = RefCell::new(Vec::new());
                super::walk::block_has(&function.body, &|expr| {
                    calls_of(expr, &mut found.borrow_mut());
                    false
                });
                let found = found.into_inner();
                found.iter().filter_map(|(n, s)| Some((*position.get(n.as_str())?, *s))).collect()
            })
            .collect();
        for circle in circles(&calls) {
            self.circle(&functions, &circle);
        }
    }

    fn circle(&mut self, functions: &[&Function], circle: &[(usize, Span)]) {
        let name = |position: usize| functions[position].name.text.as_str();
        let mut names: Vec<&str> = circle.iter().map(|&(function, _)| name(function)).collect();
        names.push(names[0]);
        self.told.recursive.extend(names.iter().map(|name| name.to_string()));
        let mut error = Diagnostic::error(
            "recursion",
            circle[0].1,
            format!("functions cannot recurse: {}", names.join(" -> ")),
        )
        .label(format!("`{}` calls `{}`", names[0], names[1]));
        for (&(_, span), pair) in circle.iter().zip(names.windows(2)).skip(1) {
            error = error.related(span, format!("`{}` calls `{}`", pair[0], pair[1]));
        }
        self.error(error.hint("use a loop"));
    }
}

/// One circle of calls for each set of functions that call each other.
fn circles(calls: &[Vec<(usize, Span)>]) -> Vec<Vec<(usize, Span)>> {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<NodeIndex> = calls.iter().map(|_| graph.add_node(())).collect();
    for (caller, called) in calls.iter().enumerate() {
        for &(callee, _) in called {
            graph.add_edge(nodes[caller], nodes[callee], ());
        }
    }
    let components = kosaraju_scc(&graph);
    let mut starts: Vec<usize> =
        components.iter().filter_map(|set| set.iter().map(|node| node.index()).min()).collect();
    starts.sort_unstable();
    let mut component = vec![0; calls.len()];
    for (number, set) in components.iter().enumerate() {
        set.iter().for_each(|node| component[node.index()] = number);
    }
    starts.into_iter().filter_map(|start| circle_through(start, calls, &component)).collect()
}

/// A shortest circle of calls through a function: each with the call that leads on.
fn circle_through(
    start: usize,
    calls: &[Vec<(usize, Span)>],
    component: &[usize],
) -> Option<Vec<(usize, Span)>> {
    let mut reached: BTreeMap<usize, (usize, Span)> = BTreeMap::new();
    let mut pending = std::collections::VecDeque::from([start]);
    while let Some(function) = pending.pop_front() {
        for &(next, span) in &calls[function] {
            if component[next] != component[start] || reached.contains_key(&next) {
                continue;
            }
            reached.insert(next, (function, span));
            if next == start {
                return Some(walk_back(start, &reached));
            }
            pending.push_back(next);
        }
    }
    None
}

fn walk_back(start: usize, reached: &BTreeMap<usize, (usize, Span)>) -> Vec<(usize, Span)> {
    let mut circle = Vec::new();
    let mut at = start;
    while let Some(&(caller, span)) = reached.get(&at) {
        circle.push((caller, span));
        at = caller;
        if at == start {
            break;
        }
    }
    circle.reverse();
    circle
}

fn calls_of(expr: &Expr, found: &mut Vec<(String, Span)>) {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        if let ExprKind::Call(callee, _) = &expr.kind
            && let ExprKind::Name(name) = &callee.kind
        {
            found.push((name.clone(), expr.span));
        }
        super::walk::parts(expr, &mut pending);
    }
}
