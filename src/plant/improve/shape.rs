//! What is the same for all orders of a recipe: the sequence in which its steps can be placed, and
//! which of them must be placed together.

use crate::plan::{IdVec, Recipe, StepId, Times, span, tails};
use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};

#[derive(Clone, Debug)]
pub struct Shape {
    /// Steps that limited lags and holds tie to each other; predecessors come first, among the
    /// blocks and inside each.
    pub blocks: Vec<Vec<StepId>>,
    /// For each block: the blocks that must have been placed before.
    pub before: Vec<Vec<usize>>,
    /// From the start of each step until all that follows it is over, at the least.
    pub tails: Times,
    /// For each hold: how long it lasts at the least.
    pub spans: Vec<i64>,
    /// For each step: the holds that begin with it, and those that end with it.
    pub begun: IdVec<StepId, Vec<usize>>,
    pub ended: IdVec<StepId, Vec<usize>>,
}

impl Shape {
    /// With `is_whole` the order is placed all at once.
    pub fn of(recipe: &Recipe, is_whole: bool) -> Shape {
        let steps = &recipe.steps;
        let holds_of = |is_own: &dyn Fn(usize, StepId) -> bool| {
            let own = |k: StepId| (0..recipe.holds.len()).filter(|&h| is_own(h, k)).collect();
            steps.ids().map(own).collect()
        };
        let blocks = blocks(recipe, is_whole);
        Shape {
            before: before(recipe, &blocks),
            blocks,
            tails: tails(steps),
            spans: recipe.holds.iter().map(|hold| span(steps, hold.from, hold.until)).collect(),
            begun: holds_of(&|hold, step| recipe.holds[hold].from == step),
            ended: holds_of(&|hold, step| recipe.holds[hold].until == step),
        }
    }

    /// How long an order takes at the least.
    pub fn longest(&self) -> i64 {
        self.tails.iter().copied().max().unwrap_or(0)
    }
}

fn before(recipe: &Recipe, blocks: &[Vec<StepId>]) -> Vec<Vec<usize>> {
    let mut block_of = recipe.steps.filled(0);
    for (block, steps) in blocks.iter().enumerate() {
        steps.iter().for_each(|&step| block_of[step] = block);
    }
    let before = |(block, steps): (usize, &Vec<StepId>)| {
        let links = steps.iter().flat_map(|&step| &recipe.steps[step].after);
        let others = links.map(|link| block_of[link.before]).filter(|&other| other != block);
        others.collect()
    };
    blocks.iter().enumerate().map(before).collect()
}

fn blocks(recipe: &Recipe, is_whole: bool) -> Vec<Vec<StepId>> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: IdVec<StepId, NodeIndex> = recipe.steps.iter().map(|_| graph.add_node(())).collect();
    for (k, step) in recipe.steps.entries() {
        for link in &step.after {
            graph.add_edge(nodes[link.before], nodes[k], ());
        }
    }
    // Cycles are errors of the spec; were there one, the checker would see it.
    let sequence = toposort(&graph, None).unwrap_or_else(|_| nodes.to_vec());
    let mut rank = recipe.steps.filled(0);
    sequence.iter().enumerate().for_each(|(at, node)| rank[StepId(node.index())] = at);
    // Whoever is tied goes both ways, so that blocks are the strongly connected parts.
    for (k, step) in recipe.steps.entries() {
        for link in step.after.iter().filter(|link| link.max.is_some()) {
            graph.add_edge(nodes[k], nodes[link.before], ());
        }
    }
    for hold in &recipe.holds {
        graph.add_edge(nodes[hold.until], nodes[hold.from], ());
        graph.add_edge(nodes[hold.from], nodes[hold.until], ());
    }
    if is_whole {
        for pair in nodes.windows(2) {
            graph.add_edge(pair[0], pair[1], ());
            graph.add_edge(pair[1], pair[0], ());
        }
    }
    let mut blocks: Vec<Vec<StepId>> = Vec::new();
    for part in kosaraju_scc(&graph).into_iter().rev() {
        let mut block: Vec<StepId> = part.iter().map(|node| StepId(node.index())).collect();
        block.sort_unstable_by_key(|&step| rank[step]);
        blocks.push(block);
    }
    blocks
}
