//! Carries clock bounds from where clocks are tested back to where they come from.
//!
//! The bounds of a location are those of its invariant, those of the guards that leave it, and
//! for each edge the bounds of the target, but for clocks that the edge resets for sure. The
//! invariant of a target is tested after the resets, so it needs no rule of its own. What
//! other processes reset is left aside: that can only make bounds larger than need be.

use super::ClockBound;
use super::local::Tests;
use super::resets::DefiniteResets;
use crate::model::{ClockId, LocationId, Process};
use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

/// Marks a bound that is not there; smaller than any other.
const NONE: i64 = i64::MIN;

/// The bounds of a process's clocks in one location: lower and upper for each.
type Row = Vec<[i64; 2]>;

/// The least bounds that satisfy all edges.
pub(super) fn bounds(
    process: &Process,
    tests: &Tests,
    resets: &DefiniteResets,
) -> Vec<Vec<ClockBound>> {
    let clocks = clocks(tests);
    let mut rows = vec![vec![[NONE; 2]; clocks.len()]; process.locations.len()];
    for (row, tests) in rows.iter_mut().zip(&tests.locations) {
        include(row, tests, &clocks);
    }
    for (edge, tests) in process.edges.iter().zip(&tests.edges) {
        include(&mut rows[edge.source], tests, &clocks);
    }
    if !clocks.is_empty() {
        solve(&graph(process, resets, &clocks), &mut rows);
    }
    rows.iter().map(|row| sparse(row, &clocks)).collect()
}

/// All clocks tested, ascending.
fn clocks(tests: &Tests) -> Vec<ClockId> {
    let all = tests.locations.iter().chain(&tests.edges).flatten();
    let mut clocks: Vec<ClockId> = all.map(|bound| bound.clock).collect();
    clocks.sort_unstable();
    clocks.dedup();
    clocks
}

fn include(row: &mut Row, tests: &[ClockBound], clocks: &[ClockId]) {
    for test in tests {
        let Ok(at) = clocks.binary_search(&test.clock) else { continue };
        let [lower, upper] = &mut row[at];
        *lower = (*lower).max(test.lower.unwrap_or(NONE));
        *upper = (*upper).max(test.upper.unwrap_or(NONE));
    }
}

/// Locations and edges, with the positions of the clocks that the edge resets.
fn graph(
    process: &Process,
    resets: &DefiniteResets,
    clocks: &[ClockId],
) -> DiGraph<(), Vec<usize>> {
    let mut graph = DiGraph::with_capacity(process.locations.len(), process.edges.len());
    for _ in &process.locations {
        graph.add_node(());
    }
    for edge in &process.edges {
        let reset = edge.update.as_ref().map_or(Vec::new(), |update| resets.of(&update.tree));
        let at = reset.iter().filter_map(|clock| clocks.binary_search(clock).ok()).collect();
        let node = |location: LocationId| NodeIndex::new(location.index());
        graph.add_edge(node(edge.source), node(edge.target), at);
    }
    graph
}

/// Components come with targets before sources, so each is solved once and for all.
fn solve(graph: &DiGraph<(), Vec<usize>>, rows: &mut [Row]) {
    let components = kosaraju_scc(graph);
    let mut component_of = vec![0; rows.len()];
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|node| component_of[node.index()] = number);
    }
    let mut is_waiting = vec![true; rows.len()];
    let mut carried = Row::new();
    for (number, mut waiting) in components.into_iter().enumerate() {
        while let Some(node) = waiting.pop() {
            is_waiting[node.index()] = false;
            for edge in graph.edges_directed(node, Direction::Incoming) {
                carried.clone_from(&rows[node.index()]);
                edge.weight().iter().for_each(|&at| carried[at] = [NONE; 2]);
                let source = edge.source();
                let has_changed = raise(&mut rows[source.index()], &carried);
                // Other components wait for their turn anyway.
                if has_changed
                    && component_of[source.index()] == number
                    && !is_waiting[source.index()]
                {
                    is_waiting[source.index()] = true;
                    waiting.push(source);
                }
            }
        }
    }
}

/// Whether any bound became larger.
fn raise(row: &mut Row, by: &Row) -> bool {
    let mut has_changed = false;
    for (known, new) in row.iter_mut().flatten().zip(by.iter().flatten()) {
        has_changed |= *new > *known;
        *known = (*known).max(*new);
    }
    has_changed
}

fn sparse(row: &Row, clocks: &[ClockId]) -> Vec<ClockBound> {
    let there = |bound: i64| (bound != NONE).then_some(bound);
    clocks
        .iter()
        .zip(row)
        .filter(|(_, bounds)| **bounds != [NONE; 2])
        .map(|(&clock, &[lower, upper])| ClockBound {
            clock,
            lower: there(lower),
            upper: there(upper),
        })
        .collect()
}
