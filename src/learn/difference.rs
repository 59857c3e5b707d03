//! Differences: `target <= source + weight` between sides, always or while a literal is true.
//!
//! The constraints of zones, as a graph (Cotton, Maler 2006; Feydy, Somogyi, Stuckey 2008). Bounds walk along
//! active edges. When an edge becomes active and its own source is bounded anew by what follows, the
//! edges on the way form a negative cycle and contradict each other, whatever the bounds are.

use crate::domains::{Cause, Conflict, Domains, EdgeId, Event, EventId};
use crate::literal::{Lit, Side};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) source: Side,
    pub(crate) target: Side,
    pub(crate) weight: i64,
    /// The edge counts where this is true.
    pub(crate) active: Option<Lit>,
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    target: Side,
    weight: i64,
    edge: EdgeId,
}

/// An edge that depends on a literal, as it is looked at whenever its source falls.
#[derive(Clone, Copy, Debug)]
struct Optional {
    /// The target's mirror: the edge leaves the target no value where both fall too low.
    mirror: Side,
    edge: EdgeId,
    weight: i64,
    active: Lit,
}

#[derive(Debug, Default)]
pub(crate) struct Differences {
    edges: Vec<Edge>,
    /// Active edges by source; those that depend on a literal come and go at the end.
    arcs: Vec<Vec<Arc>>,
    /// Edges that depend on a literal, by source.
    optional: Vec<Vec<Optional>>,
    /// For each side, the edges that become active when it falls to the threshold.
    activated: Vec<Vec<(i64, EdgeId)>>,
    /// Edges that are active by now, in the sequence in which they became so.
    enabled: Vec<(EdgeId, EventId)>,
    /// How far the trail was looked at.
    head: usize,
}

impl Differences {
    pub(crate) fn grow(&mut self, sides: usize) {
        self.arcs.resize_with(sides, Vec::new);
        self.optional.resize_with(sides, Vec::new);
        self.activated.resize_with(sides, Vec::new);
    }

    pub(crate) fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    /// Adds `target <= source + weight`, and what the same says of the mirrored sides. What follows of an
    /// edge that is active already is for the caller to tell the domains.
    pub(crate) fn add(&mut self, edge: Edge) {
        let Edge { source, target, weight, active } = edge;
        for (source, target) in [(source, target), (target.mirror(), source.mirror())] {
            let id = EdgeId(self.edges.len() as u32);
            self.edges.push(Edge { source, target, weight, active });
            match active {
                None => self.arcs[source.index()].push(Arc { target, weight, edge: id }),
                Some(lit) => {
                    let mirror = target.mirror();
                    self.optional[source.index()].push(Optional {
                        mirror,
                        edge: id,
                        weight,
                        active: lit,
                    });
                    self.activated[lit.side.index()].push((lit.bound, id));
                }
            }
        }
    }

    /// What is active without any choice stays so.
    pub(crate) fn forget_root(&mut self) {
        self.enabled.clear();
        self.head = 0;
    }

    /// Bounds walk along active edges until nothing changes.
    pub(crate) fn propagate(&mut self, domains: &mut Domains) -> Result<(), Conflict> {
        while let Some(event) = domains.events.get(self.head) {
            let Event { side, bound, .. } = *event;
            self.head += 1;
            for arc in &self.arcs[side.index()] {
                domains.set(arc.target.at_most(bound + arc.weight), Cause::Edge(arc.edge))?;
            }
        }
        Ok(())
    }

    /// Edges that have become active by the event take part; those that no longer fit cannot.
    pub(crate) fn notice(&mut self, at: usize, domains: &mut Domains) -> Result<(), Conflict> {
        let Event { side, bound, before, .. } = domains.events[at];
        for k in 0..self.activated[side.index()].len() {
            let (threshold, edge) = self.activated[side.index()][k];
            if bound <= threshold && threshold < before {
                self.enable(edge, domains)?;
            }
        }
        if domains.is_superseded(at) {
            return Ok(());
        }
        for optional in &self.optional[side.index()] {
            let Optional { mirror, edge, weight, active } = *optional;
            if bound + weight + domains.bound(mirror) < 0 && !domains.is_false(active) {
                domains.set(!active, Cause::Unfit(edge))?;
            }
        }
        Ok(())
    }

    fn enable(&mut self, id: EdgeId, domains: &mut Domains) -> Result<(), Conflict> {
        let Edge { source, target, weight, active } = *self.edge(id);
        let active = active.expect("an edge that depends on a literal");
        self.arcs[source.index()].push(Arc { target, weight, edge: id });
        self.enabled.push((id, domains.since(active)));
        let bound = domains.bound(source);
        if !domains.set(target.at_most(bound + weight), Cause::Edge(id))? {
            return Ok(());
        }
        while let Some(event) = domains.events.get(self.head) {
            let Event { side, bound, .. } = *event;
            if side == source {
                return Err(Conflict::All(self.cycle(id, domains)));
            }
            self.head += 1;
            for arc in &self.arcs[side.index()] {
                domains.set(arc.target.at_most(bound + arc.weight), Cause::Edge(arc.edge))?;
            }
        }
        Ok(())
    }

    /// The literals of the edges on the way from this edge's target back to its source, which was
    /// bounded anew by the event at the head.
    fn cycle(&self, id: EdgeId, domains: &Domains) -> Vec<Lit> {
        let mut found = Vec::new();
        let mut event = domains.events[self.head];
        let mut at = self.head;
        loop {
            let Cause::Edge(edge) = event.cause else { unreachable!("bounds walk along edges") };
            found.extend(self.edge(edge).active);
            if edge == id {
                return found;
            }
            let source = self.edge(edge).source;
            at = (0..at)
                .rev()
                .find(|&k| domains.events[k].side == source)
                .expect("the source was bounded before");
            event = domains.events[at];
        }
    }

    /// An event is taken back. Edges that depend on it are active no longer.
    pub(crate) fn undo(&mut self, event: EventId) {
        while let Some(&(id, since)) = self.enabled.last()
            && since >= event
        {
            self.enabled.pop();
            let source = self.edge(id).source;
            let arc = self.arcs[source.index()].pop();
            debug_assert_eq!(arc.map(|arc| arc.edge), Some(id));
        }
        self.head = self.head.min(event.index());
    }

    /// Why the bound was set: what has to be true that the literal follows.
    pub(crate) fn explain(
        &self,
        id: EdgeId,
        lit: Lit,
        at: Option<EventId>,
        cause: Cause,
        domains: &Domains,
        out: &mut Vec<Lit>,
    ) {
        let edge = self.edge(id);
        if cause == Cause::Edge(id) {
            out.extend(edge.active);
            out.push(edge.source.at_most(lit.bound - edge.weight));
            return;
        }
        // The source is so low that the target, which is high enough, would have no value.
        let bound = |side| match at {
            Some(at) => domains.bound_before(side, at),
            None => domains.bound(side),
        };
        let source = bound(edge.source);
        out.push(edge.source.at_most(source));
        out.push(edge.target.mirror().at_most(-edge.weight - source - 1));
    }
}
