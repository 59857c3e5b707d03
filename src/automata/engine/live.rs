//! Can a run go on forever (or get stuck) without leaving a formula?
//!
//! Explores the graph of observed states until it sees such a run or knows all states. States merge only
//! if they are equal. A maximal run inside the formula ends in one of four ways: in a cycle; in a state
//! where time may pass without bound; in one with neither move nor delay; or in one where time comes
//! ever nearer to a strict invariant and no move will be possible again. Abstractions that keep
//! bisimilarity keep all four.

use super::candidate::Atom;
use super::observer;
use super::satisfy::{ZoneList, active, lively};
use super::search::{Goal, Seen};
use super::state::State;
use super::store::NodeId;
use super::successor::{Flow, Successors, Transition};
use super::zone::Zone;
use crate::dbm::{Bound, Dbm, subtract};
use crate::trace::Move;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{EdgeRef, NodeFiltered};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// Bit of a state's marks: the run may stay here.
pub const STAYS: u32 = 1;
/// Bit of a state's marks: the run may start here (used where it need not be the initial state).
pub const STARTS: u32 = 2;

/// Explores for a maximal run that stays in marked states.
pub struct Live {
    /// Runs start in states marked [`STARTS`], anywhere; otherwise in the initial state only.
    starts_anywhere: bool,
    graph: DiGraph<Vertex, Move>,
    /// From so many states on it is worth while to look for a run in what is known.
    next_look: usize,
}

/// When a run is looked for the first time, and how much the graph grows until the next time: all
/// looks together take a few times as long as the last one.
const FIRST_LOOK: usize = 500;

#[derive(Clone, Copy, Debug, Default)]
struct Vertex {
    is_initial: bool,
    marks: u32,
    /// A maximal run may end here.
    is_end: bool,
}

/// A maximal run in the graph: moves to the state where it starts, moves from there, and where
/// its cycle begins (counted in moves from the initial state), if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    pub start: NodeId,
    pub moves: Vec<Move>,
    /// How many of `moves` lead to the cycle; `None` for a run that ends or waits forever.
    pub cycle: Option<usize>,
}

impl Live {
    pub fn new(starts_anywhere: bool) -> Live {
        Live { starts_anywhere, graph: DiGraph::new(), next_look: FIRST_LOOK }
    }

    fn node(&mut self, node: NodeId) -> NodeIndex {
        while self.graph.node_count() <= node.index() {
            self.graph.add_node(Vertex::default());
        }
        NodeIndex::new(node.index())
    }

    fn starts(&self, seen: &Vertex) -> bool {
        match self.starts_anywhere {
            true => seen.marks & STARTS != 0 && seen.marks & STAYS != 0,
            false => seen.is_initial,
        }
    }

    /// Whether a run is known already. What is found in a part of the graph is in the whole.
    fn is_found(&mut self) -> bool {
        if self.graph.node_count() < self.next_look {
            return false;
        }
        self.next_look += self.next_look / 2;
        self.lasso().is_some()
    }

    /// A maximal run, if the graph, as far as it is explored, has one.
    pub fn lasso(&self) -> Option<Lasso> {
        let stays = |n: NodeIndex| self.graph[n].marks & STAYS != 0;
        let mut is_cyclic = vec![false; self.graph.node_count()];
        let inside = NodeFiltered::from_fn(&self.graph, stays);
        // Not Tarjan's way, which calls itself once for each state of a long chain.
        for component in kosaraju_scc(&inside) {
            let first = component[0];
            if component.len() > 1 || self.graph.contains_edge(first, first) {
                component.iter().for_each(|n| is_cyclic[n.index()] = true);
            }
        }
        let ends = |n: NodeIndex| self.graph[n].is_end || is_cyclic[n.index()];
        let starts = self.graph.node_indices().filter(|&n| stays(n) && self.starts(&self.graph[n]));
        let starts: Vec<NodeIndex> = starts.collect();
        let (start, at, moves) = match starts.iter().find(|&&n| ends(n)) {
            Some(&start) => (start, start, Vec::new()),
            None => self.path(&starts, &stays, &ends)?,
        };
        Some(self.close(start, at, moves, &stays, is_cyclic[at.index()]))
    }

    fn close(
        &self,
        start: NodeIndex,
        at: NodeIndex,
        mut moves: Vec<Move>,
        stays: &dyn Fn(NodeIndex) -> bool,
        is_cyclic: bool,
    ) -> Lasso {
        let start = NodeId::at(start.index());
        if self.graph[at].is_end || !is_cyclic {
            return Lasso { start, moves, cycle: None };
        }
        let cycle = Some(moves.len());
        let (.., back) =
            self.path(&[at], stays, &|n| n == at).expect("a state of a cycle leads back to itself");
        moves.extend(back);
        Lasso { start, moves, cycle }
    }

    /// A shortest path of at least one move, inside the formula, from one of the states to one that
    /// `is_goal`: where it starts and ends, and its moves.
    fn path(
        &self,
        from: &[NodeIndex],
        stays: &dyn Fn(NodeIndex) -> bool,
        is_goal: &dyn Fn(NodeIndex) -> bool,
    ) -> Option<(NodeIndex, NodeIndex, Vec<Move>)> {
        let mut came: Vec<Option<(NodeIndex, &Move)>> = vec![None; self.graph.node_count()];
        let mut is_start = vec![false; self.graph.node_count()];
        from.iter().for_each(|n| is_start[n.index()] = true);
        let mut queue = VecDeque::from_iter(from.iter().copied());
        while let Some(n) = queue.pop_front() {
            for edge in self.graph.edges(n) {
                let next = edge.target();
                if !stays(next) || came[next.index()].is_some() {
                    continue;
                }
                came[next.index()] = Some((n, edge.weight()));
                if is_goal(next) {
                    let (start, moves) = trail(&came, &is_start, next);
                    return Some((start, next, moves));
                }
                if !is_start[next.index()] {
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

/// The moves that led there, and from which of the starts.
fn trail(
    came: &[Option<(NodeIndex, &Move)>],
    is_start: &[bool],
    to: NodeIndex,
) -> (NodeIndex, Vec<Move>) {
    let mut moves = Vec::new();
    let mut at = to;
    while let Some((before, action)) = came[at.index()] {
        moves.push(action.clone());
        at = before;
        if is_start[at.index()] {
            break;
        }
    }
    moves.reverse();
    (at, moves)
}

impl<Z: Zone> Goal<Z> for Live {
    fn rank(&mut self, state: &State<Z>) -> Option<i64> {
        (self.starts_anywhere || state.marks & STAYS != 0).then_some(0)
    }

    fn look(&mut self, successors: &mut Successors<Z>, seen: Seen<Z>) -> Flow {
        let Seen { state, node, .. } = seen;
        let stays = state.marks & STAYS != 0;
        let is_end = stays && !endings(successors, state)?.is_empty();
        let index = self.node(node);
        self.graph[index].marks = state.marks;
        self.graph[index].is_end = is_end;
        // From the initial state everything explored stays inside: an end is an answer.
        Ok(match (is_end && !self.starts_anywhere) || self.is_found() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    fn link(&mut self, source: Option<NodeId>, target: NodeId, transition: &Transition<Z>) {
        let target = self.node(target);
        match source {
            None => self.graph[target].is_initial = true,
            Some(source) => {
                let source = self.node(source);
                self.graph.add_edge(source, target, transition.action.clone());
            }
        }
    }
}

/// The valuations of the state in which a maximal run may end: all of it if time may pass
/// without bound, else those with neither move nor delay, and those from which only time passes, up to
/// a strict invariant.
pub fn endings<Z: Zone>(successors: &mut Successors<Z>, state: &State<Z>) -> ZoneList<Z> {
    let zone = state.zone.dbm();
    if !successors.lets_time_pass(state)? {
        let active = active(successors, state)?;
        return Ok(without(vec![zone.clone()], &active));
    }
    if zone.is_unbounded() {
        return Ok(vec![zone.clone()]);
    }
    // Time is stopped exactly where some invariant `x <= c` is at its limit.
    let invariant = successors.invariant(state)?;
    let upper = invariant.iter().filter(|a| a.i != 0 && a.j == 0);
    let is_open = upper.clone().any(|a| a.bound.is_strict());
    let stopped: Vec<_> = upper
        .filter(|a| !a.bound.is_strict())
        .filter_map(|&Atom { i, bound, .. }| {
            let mut at_limit = zone.clone();
            let reversed = Z::Bound::new(-bound.value(), false);
            at_limit.constrain(0, i.into(), reversed).then_some(at_limit)
        })
        .collect();
    let faded = match is_open {
        true => fading(successors, state, &stopped)?,
        false => Vec::new(),
    };
    let active = active(successors, state)?;
    Ok([without(stopped, &active), faded].concat())
}

/// The valuations from which time leads nowhere but to a strict invariant, which it never reaches: not
/// to where it is `stopped`, not out of the formulas' part, and not to where a move is possible.
fn fading<Z: Zone>(
    successors: &mut Successors<Z>,
    state: &State<Z>,
    stopped: &[Dbm<Z::Bound>],
) -> ZoneList<Z> {
    let mut ahead = observer::others(successors, state)?;
    ahead.extend_from_slice(stopped);
    ahead.iter_mut().for_each(Dbm::down);
    ahead.extend(lively(successors, state)?);
    Ok(without(vec![state.zone.dbm().clone()], &ahead))
}

/// What is left of the zones outside of all parts.
fn without<B: Bound>(zones: Vec<Dbm<B>>, parts: &[Dbm<B>]) -> Vec<Dbm<B>> {
    parts
        .iter()
        .fold(zones, |zones, part| zones.iter().flat_map(|zone| subtract(zone, part)).collect())
}
