//! What the search looks up again and again, worked out once per model and set of queries.

use super::Abstraction;
use super::prefilter::Prefilter;
use super::symmetry::Reduction;
use crate::dbm::NO_LIMIT;
use crate::model::analysis::{ClockBounds, Diagonal};
use crate::model::{ClockId, EdgeId, LocationId, Model, ProcessId};
use crate::network::Urgency;
use crate::trace::{Constraint, Move};
use std::sync::Arc;

/// A clock with the limits that matter in some location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    pub clock: ClockId,
    pub lower: i64,
    pub upper: i64,
}

/// One location of one process, as the search sees it.
#[derive(Clone, Debug, Default)]
pub struct Site {
    pub is_committed: bool,
    /// Urgent or committed: no time passes here.
    pub stops_time: bool,
    pub limits: Vec<Limit>,
    /// Edges that may send or receive on an urgent channel.
    pub urgent_edges: Vec<EdgeId>,
    pub edges: Vec<EdgeId>,
}

/// The tables of one exploration.
pub struct Tables<'m> {
    pub model: &'m Model,
    /// `[process][location]`
    pub sites: Vec<Vec<Site>>,
    pub prefilter: Prefilter,
    /// Clocks that matter everywhere, because the queries ask about them.
    pub watched: Vec<Limit>,
    /// Comparisons of two clocks on which zones are split before they are widened.
    pub diagonals: Vec<Constraint>,
    pub abstraction: Abstraction,
    /// Inclusion may be decided modulo simulation, not by sets alone.
    pub uses_simulation: bool,
    pub has_urgent_channels: bool,
    /// Edges of the first process from this one on are no part of the model (see `grow`).
    pub first_tick: Option<EdgeId>,
    /// Which scalar sets are reduced to one state per orbit.
    pub reduction: Option<Arc<Reduction>>,
}

/// What queries want to know about clocks.
#[derive(Clone, Debug, Default)]
pub struct Interest {
    /// Clocks compared with constants, wherever the model is.
    pub compared: Vec<Limit>,
    /// The same where only this process, when it is in this location, makes it matter.
    pub sited: Vec<(ProcessId, LocationId, Limit)>,
    /// Clocks compared with each other.
    pub diagonals: Vec<Diagonal>,
    /// A clock whose smallest or largest value is wanted: its limits are taken as they are.
    pub measured: Option<Limit>,
    /// The largest constant among all these.
    pub largest: i64,
}

/// How many values a dynamic bound of a diagonal may have before splitting is given up.
const MOST_SPLITS: i64 = 64;

impl<'m> Tables<'m> {
    pub fn new(
        model: &'m Model,
        bounds: &ClockBounds,
        interest: &Interest,
        wanted: Abstraction,
    ) -> Tables<'m> {
        let (diagonals, are_splittable) = diagonals(bounds, &interest.diagonals);
        // Splitting is only sound with one limit per clock (Bengtsson, Yi 2003); a diagonal
        // with too many possible bounds leaves plain zones, which are exact but may not end.
        let abstraction = match wanted {
            _ if !are_splittable => Abstraction::None,
            Abstraction::Lu if !diagonals.is_empty() => Abstraction::K,
            other => other,
        };
        let mut sites: Vec<Vec<Site>> = (0..model.processes.len())
            .map(|p| sites(model, p, &bounds.bounds[p], abstraction))
            .collect();
        for &(process, location, limit) in &interest.sited {
            let limits = &mut sites[process][location].limits;
            limits.push(adapted(limit, abstraction));
            merge(limits);
        }
        let adapt = |&limit: &Limit| adapted(limit, abstraction);
        let mut watched: Vec<Limit> = interest.compared.iter().map(adapt).collect();
        watched.extend(interest.measured);
        merge(&mut watched);
        Tables {
            model,
            prefilter: Prefilter::new(model, &sites),
            sites,
            watched,
            uses_simulation: abstraction != Abstraction::None && diagonals.is_empty(),
            diagonals,
            abstraction,
            has_urgent_channels: model.channels.iter().any(|c| c.is_urgent),
            first_tick: None,
            reduction: None,
        }
    }

    pub fn is_tick(&self, action: &Move) -> bool {
        self.first_tick.is_some_and(|first| {
            action.edges.first().is_some_and(|e| e.process == ProcessId(0) && e.edge >= first)
        })
    }

    #[inline]
    pub fn site(&self, process: usize, cells: &[i32]) -> &Site {
        &self.sites[process][cells[process] as usize]
    }
}

fn sites(
    model: &Model,
    process: usize,
    bounds: &[Vec<crate::model::analysis::ClockBound>],
    abstraction: Abstraction,
) -> Vec<Site> {
    let of = &model.processes[process];
    let site = |(l, location): (usize, &crate::model::Location)| Site {
        is_committed: location.urgency == Urgency::Committed,
        stops_time: location.urgency != Urgency::Normal,
        limits: bounds[l]
            .iter()
            .map(|b| Limit {
                clock: b.clock,
                lower: b.lower.unwrap_or(NO_LIMIT),
                upper: b.upper.unwrap_or(NO_LIMIT),
            })
            .map(|limit| adapted(limit, abstraction))
            .collect(),
        urgent_edges: location
            .outgoing
            .iter()
            .copied()
            .filter(|&e| may_be_urgent(model, &of.edges[e]))
            .collect(),
        edges: location.outgoing.clone(),
    };
    of.locations.iter().enumerate().map(site).collect()
}

/// Whether the edge's channel, or any it may turn out to be, is urgent. The channels of one
/// array are declared together, so the first tells for all.
fn may_be_urgent(model: &Model, edge: &crate::model::Edge) -> bool {
    edge.sync.as_ref().is_some_and(|sync| model.channels[sync.base].is_urgent)
}

/// One limit for both directions, for abstractions that keep bisimilarity.
fn adapted(limit: Limit, abstraction: Abstraction) -> Limit {
    match abstraction {
        Abstraction::Lu => limit,
        Abstraction::K | Abstraction::None => {
            let both = limit.lower.max(limit.upper);
            Limit { lower: both, upper: both, ..limit }
        }
    }
}

/// Sorts by clock and joins entries of one clock.
fn merge(limits: &mut Vec<Limit>) {
    limits.sort_by_key(|l| l.clock);
    limits.dedup_by(|next, kept| {
        let is_same = next.clock == kept.clock;
        if is_same {
            kept.lower = kept.lower.max(next.lower);
            kept.upper = kept.upper.max(next.upper);
        }
        is_same
    });
}

/// All diagonal constraints that can be met, and whether they are few enough to split on.
fn diagonals(bounds: &ClockBounds, of_queries: &[Diagonal]) -> (Vec<Constraint>, bool) {
    let mut found: Vec<Constraint> = Vec::new();
    for diagonal in bounds.diagonals.iter().chain(of_queries) {
        if diagonal.hi.saturating_sub(diagonal.lo) >= MOST_SPLITS {
            return (found, false);
        }
        found.extend((diagonal.lo..=diagonal.hi).map(|bound| constraint(diagonal, bound)));
    }
    found.dedup();
    (found, true)
}

fn constraint(diagonal: &Diagonal, bound: i64) -> Constraint {
    Constraint {
        left: Some(diagonal.left),
        right: Some(diagonal.right),
        is_strict: diagonal.is_strict,
        bound,
    }
}
