//! Can a clock grow without bound?
//!
//! The model gets a further clock that may be reset whenever it is at least so large: a tick. In the
//! graph of its bisimilar states the measured clock can grow forever exactly if there is a
//! cycle with a tick on which the clock is not reset, and from it, again without a reset, a
//! state that the query asks about. (A long run without reset must repeat a state between
//! two of its many ticks; a cycle can be repeated, and each tick takes its time.)
//! Ticks observe and nothing else: priorities, deadlocks and the blocks that run with every
//! transition know nothing of them.

use super::Stop;
use super::satisfy::satisfying;
use super::search::{Goal, Seen};
use super::store::NodeId;
use super::successor::{Flow, Successors, Transition};
use super::zone::Zone;
use crate::model::{
    Clock, ClockId, ClockPlace, ClockTest, Conjunct, Edge, EdgeId, Expr, Formula, LocationId,
    Model, ProcessId, Term, code,
};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, EdgeRef};
use std::ops::ControlFlow;
use takt_diagnostic::Span;

/// Whether the clock can grow forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    Forever,
    Limited,
    Stopped(Stop),
}

/// A model with ticks.
pub struct Ticking {
    pub model: Model,
    /// Edges of the first process from this one on are ticks.
    pub first_tick: EdgeId,
}

/// Adds ticks of this length: at every location of the first process, an edge that leads nowhere else.
pub fn with_ticks(model: &Model, length: i64) -> Ticking {
    let mut model = model.clone();
    let clock = ClockId::at(model.clocks.len());
    model.clocks.push(Clock { name: "tick".into(), ..Clock::default() });
    let span = Span::default();
    let Some(process) = model.processes.first_mut() else {
        return Ticking { model, first_tick: EdgeId(0) };
    };
    let first_tick = EdgeId::at(process.edges.len());
    for l in LocationId::all(process.locations.len()) {
        process.locations[l].outgoing.push(EdgeId::at(process.edges.len()));
        let test = ClockTest::fixed(None, Some(clock), false, Expr::Const(-length), span);
        let reset = Expr::Reset(ClockPlace::fixed(clock), Box::new(Expr::Const(0)));
        process.edges.push(Edge {
            source: l,
            target: l,
            guard: vec![Conjunct::Clock(test)],
            update: Some(Term::new(reset, span)),
            ..Edge::default()
        });
    }
    code::generate(&mut model);
    Ticking { model, first_tick }
}

/// An edge of the graph, as far as growth is concerned.
#[derive(Clone, Copy, Debug)]
struct Link {
    is_tick: bool,
    resets: bool,
}

/// Collects the graph of a ticking model.
pub struct TickGraph<'q> {
    within: &'q Formula,
    clock: ClockId,
    first_tick: EdgeId,
    /// For each state whether the query is about it.
    graph: DiGraph<bool, Link>,
}

impl<'q> TickGraph<'q> {
    pub fn new(ticking: &Ticking, within: &'q Formula, clock: ClockId) -> TickGraph<'q> {
        TickGraph { within, clock, first_tick: ticking.first_tick, graph: DiGraph::new() }
    }

    fn node(&mut self, node: NodeId) -> NodeIndex {
        while self.graph.node_count() <= node.index() {
            self.graph.add_node(false);
        }
        NodeIndex::new(node.index())
    }

    /// The answer, once the graph is complete.
    pub fn growth(&self) -> Growth {
        let kept = self.graph.filter_map(|_, &n| Some(n), |_, &e| (!e.resets).then_some(e));
        let mut component = vec![0; kept.node_count()];
        // Not Tarjan's way, which calls itself once for each state of a long chain.
        for (number, members) in kosaraju_scc(&kept).into_iter().enumerate() {
            members.iter().for_each(|n| component[n.index()] = number);
        }
        let ticks = kept.edge_references().filter(|e| {
            e.weight().is_tick && component[e.source().index()] == component[e.target().index()]
        });
        let mut walk = Dfs::empty(&kept);
        for tick in ticks {
            walk.move_to(tick.source());
            while let Some(n) = walk.next(&kept) {
                if kept[n] {
                    return Growth::Forever;
                }
            }
        }
        Growth::Limited
    }
}

impl<Z: Zone> Goal<Z> for TickGraph<'_> {
    fn look(&mut self, successors: &mut Successors<Z>, seen: Seen<Z>) -> Flow {
        let Seen { state, node, .. } = seen;
        let is_asked = !satisfying(successors, state, self.within, true)?.is_empty();
        let index = self.node(node);
        self.graph[index] = is_asked;
        Ok(ControlFlow::Continue(()))
    }

    fn link(&mut self, source: Option<NodeId>, target: NodeId, transition: &Transition<Z>) {
        let target = self.node(target);
        if let Some(source) = source {
            let first = transition.action.edges.first();
            let link = Link {
                is_tick: first
                    .is_some_and(|e| e.process == ProcessId(0) && e.edge >= self.first_tick),
                resets: transition.resets.iter().any(|r| r.0 == self.clock),
            };
            let source = self.node(source);
            self.graph.add_edge(source, target, link);
        }
    }
}
