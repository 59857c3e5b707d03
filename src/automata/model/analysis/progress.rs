//! Whether time goes on in every infinite run, as far as that can be seen from the edges alone.
//! (Tripakis: Verifying progress in timed systems.)

use super::resets::DefiniteResets;
use super::{Ranges, walk};
use crate::model::{ClockId, ClockRef, Conjunct, Edge, Expr, Model, Process};
use crate::network::Direction;
use petgraph::algo::is_cyclic_directed;
use petgraph::graph::DiGraph;
use std::collections::BTreeSet;

/// Every cycle of a process resets a clock to 0 and later waits until it is at least 1. One process
/// may do without, if others take part in all that it does.
pub fn time_goes_on(model: &Model) -> bool {
    let seen = Seen {
        resets: DefiniteResets::new(model),
        ranges: Ranges::inferred(model),
        advanced: advanced(model),
    };
    let mut others = model.processes.iter().filter(|process| !seen.is_timed(process));
    match (others.next(), others.next()) {
        (None, _) => true,
        (Some(one), None) => one.edges.iter().all(|edge| needs_another(model, edge)),
        _ => false,
    }
}

struct Seen<'a> {
    resets: DefiniteResets<'a>,
    ranges: Ranges<'a>,
    advanced: Advanced,
}

impl Seen<'_> {
    fn is_timed(&self, process: &Process) -> bool {
        if !has_cycle(process, |_| true) {
            return true;
        }
        let reset =
            |edge: &Edge| edge.update.as_ref().map_or(Vec::new(), |u| self.resets.of(&u.tree));
        let waits = |edge: &Edge, clock: ClockId| {
            edge.guard.iter().any(|c| is_wait(c, clock, &self.ranges))
        };
        clocks_of(process).into_iter().filter(|clock| !self.advanced.has(*clock)).any(|clock| {
            !has_cycle(process, |edge| !reset(edge).contains(&clock))
                && !has_cycle(process, |edge| !waits(edge, clock))
        })
    }
}

/// Clocks that may be set to more than 0, so that waiting for them may take no time.
enum Advanced {
    All,
    These(BTreeSet<ClockId>),
}

impl Advanced {
    fn has(&self, clock: ClockId) -> bool {
        match self {
            Advanced::All => true,
            Advanced::These(clocks) => clocks.contains(&clock),
        }
    }
}

fn advanced(model: &Model) -> Advanced {
    let ranges = Ranges::declared(model);
    let mut found = Some(BTreeSet::new());
    walk::model(model, &mut |expr| {
        if let Expr::Reset(place, value) = expr
            && ranges.of(value) != (0, 0)
        {
            match (place.constant(), &mut found) {
                (Some(clock), Some(clocks)) => _ = clocks.insert(clock),
                _ => found = None,
            }
        }
    });
    found.map_or(Advanced::All, Advanced::These)
}

/// The clocks that its guards wait for.
fn clocks_of(process: &Process) -> BTreeSet<ClockId> {
    let guards = process.edges.iter().flat_map(|edge| &edge.guard);
    let tests = guards.filter_map(Conjunct::test);
    tests.filter_map(|test| test.right.as_ref().and_then(ClockRef::fixed)).collect()
}

/// `clock >= 1`, or more.
fn is_wait(conjunct: &Conjunct, clock: ClockId, ranges: &Ranges) -> bool {
    let Conjunct::Clock(test) = conjunct else { return false };
    let is_it = matches!(test.right, Some(ClockRef::Fixed(of)) if of == clock);
    is_it && test.left.is_none() && test.unless.is_none() && ranges.of(&test.bound.tree).1 <= -1
}

fn has_cycle(process: &Process, keeps: impl Fn(&Edge) -> bool) -> bool {
    let kept = process.edges.iter().filter(|edge| keeps(edge));
    let graph: DiGraph<(), ()> = DiGraph::from_edges(kept.map(|e| (e.source.0, e.target.0)));
    is_cyclic_directed(&graph)
}

/// Nobody takes the edge alone.
fn needs_another(model: &Model, edge: &Edge) -> bool {
    edge.sync.as_ref().is_some_and(|sync| {
        sync.direction == Direction::Receive || !model.channels[sync.base].is_broadcast
    })
}
