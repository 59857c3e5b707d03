//! Cycles among the steps of a recipe, and holds that never end.

use super::Checker;
use crate::Recipe;
use petgraph::algo::{has_path_connecting, kosaraju_scc};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::{Diagnostic, Span};

/// Steps as nodes, edges from predecessors, each with the place where it is written.
pub type Steps = DiGraph<usize, Span>;

/// The graph of a recipe, and the node of each step's name. Names that do not exist are left out.
pub fn graph(recipe: &Recipe) -> (Steps, BTreeMap<&str, NodeIndex>) {
    let mut steps = Steps::new();
    let mut nodes = BTreeMap::new();
    for (i, step) in recipe.steps.iter().enumerate() {
        nodes.insert(step.name.value.as_str(), steps.add_node(i));
    }
    for (i, step) in recipe.steps.iter().enumerate() {
        let node = NodeIndex::new(i);
        match &step.after {
            Some(after) => {
                for earlier in after {
                    if let Some(&from) = nodes.get(earlier.step.value.as_str()) {
                        steps.add_edge(from, node, earlier.step.span);
                    }
                }
            }
            None if i > 0 => {
                steps.add_edge(NodeIndex::new(i - 1), node, step.name.span);
            }
            None => {}
        }
    }
    (steps, nodes)
}

/// How much of a long cycle is shown.
pub const SHOWN: usize = 6;

impl Checker<'_> {
    pub fn precedence(&mut self) {
        for recipe in &self.spec.recipes {
            let (steps, nodes) = graph(recipe);
            let has_cycle = self.cycles(recipe, &steps);
            if !has_cycle {
                self.taken_before(recipe, (&steps, &nodes));
            }
            for hold in recipe.holds.iter().filter(|_| !has_cycle) {
                let from = nodes.get(hold.from.value.as_str());
                let until = nodes.get(hold.until.value.as_str());
                if let (Some(&from), Some(&until)) = (from, until)
                    && !has_path_connecting(&steps, from, until, None)
                {
                    let message =
                        format!("`{}` does not come after `{}`", hold.until.value, hold.from.value);
                    let found = Diagnostic::error("bad-hold", hold.until.span, message);
                    let found = found.label("the hold would end before it begins");
                    self.found.push(found.related(hold.from.span, "it begins with this step"));
                }
            }
        }
    }

    /// What another step took is known only after it.
    fn taken_before(
        &mut self,
        recipe: &Recipe,
        (steps, nodes): (&Steps, &BTreeMap<&str, NodeIndex>),
    ) {
        let mut told = BTreeSet::new();
        for (i, step) in recipe.steps.iter().enumerate() {
            for same in step.alternatives.iter().flat_map(|way| &way.same) {
                let Some(&other) = nodes.get(same.step.value.as_str()) else { continue };
                let is_before = other.index() != i
                    && has_path_connecting(steps, other, NodeIndex::new(i), None);
                if is_before || !told.insert((same.step.span.file.0, same.step.span.start)) {
                    continue;
                }
                let (name, own) = (&same.step.value, &step.name.value);
                let message = match other.index() == i {
                    true => format!("`{own}` cannot take the same as itself"),
                    false => format!("`{name}` does not come before `{own}`"),
                };
                let found = Diagnostic::error("bad-same", same.step.span, message);
                self.found.push(found.label("only what an earlier step took can be taken again"));
            }
        }
    }

    /// One error for each knot of steps that wait for each other.
    fn cycles(&mut self, recipe: &Recipe, steps: &Steps) -> bool {
        let mut has_cycle = false;
        for knot in kosaraju_scc(steps) {
            let first = *knot.iter().min().expect("a component has a node");
            if knot.len() == 1 && !steps.contains_edge(first, first) {
                continue;
            }
            let path = cycle(steps, first, &knot);
            let name = |node: &NodeIndex| recipe.steps[node.index()].name.value.as_str();
            let message = format!("steps wait for each other: {}", show(&path, name));
            let places: Vec<_> = path
                .windows(2)
                .filter_map(|pair| steps.find_edge(pair[0], pair[1]))
                .map(|edge| steps[edge])
                .collect();
            // What was written is more telling than what follows from the sequence.
            let is_written = |pair: &[NodeIndex]| recipe.steps[pair[1].index()].after.is_some();
            let main = path.windows(2).position(is_written).unwrap_or(0);
            let mut found = Diagnostic::error("cycle", places[main], message);
            let others = places.iter().zip(path.windows(2)).enumerate();
            for (_, (place, pair)) in others.filter(|(i, _)| *i != main).take(SHOWN) {
                let words = format!("`{}` waits for `{}`", name(&pair[1]), name(&pair[0]));
                found = found.related(*place, words);
            }
            self.found.push(found);
            has_cycle = true;
        }
        has_cycle
    }
}

/// A long path is shown by its ends.
pub fn show<'n>(path: &[NodeIndex], name: impl Fn(&NodeIndex) -> &'n str) -> String {
    let mut words: Vec<_> = path.iter().map(name).collect();
    if words.len() > 2 * SHOWN {
        words.splice(SHOWN..words.len() - SHOWN, ["..."]);
    }
    words.join(" -> ")
}

/// A shortest way from a node back to itself, both ends included.
pub fn cycle<N>(steps: &DiGraph<N, Span>, start: NodeIndex, knot: &[NodeIndex]) -> Vec<NodeIndex> {
    let mut before: BTreeMap<NodeIndex, NodeIndex> = BTreeMap::new();
    let mut queue = std::collections::VecDeque::from([start]);
    let inside: BTreeSet<_> = knot.iter().copied().collect();
    'search: while let Some(node) = queue.pop_front() {
        for edge in steps.edges(node) {
            let next = edge.target();
            if inside.contains(&next) && !before.contains_key(&next) {
                before.insert(next, node);
                if next == start {
                    break 'search;
                }
                queue.push_back(next);
            }
        }
    }
    let mut path = vec![start];
    let mut node = before[&start];
    while node != start {
        path.push(node);
        node = before[&node];
    }
    path.push(start);
    path.reverse();
    path
}
