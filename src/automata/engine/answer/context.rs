//! What all searches of one call share: which abstraction is exact, and how wide bounds must be.

use super::Answered;
use crate::dbm::Bound;
use crate::engine::interest::interest;
use crate::engine::observer::Observer;
use crate::engine::satisfy::Claim;
use crate::engine::search::{End, Goal, Search};
use crate::engine::store::Cover;
use crate::engine::symmetry::Reduction;
use crate::engine::tables::{Interest, Tables};
use crate::engine::zone::Zone;
use crate::engine::{Abstraction, Answer, Control, Options};
use crate::model::analysis::ClockBounds;
use crate::model::{Conjunct, Formula, Model};
use crate::network::Direction;
use std::sync::Arc;

/// Runs the body with the narrowest zones that hold every bound.
macro_rules! with_zones {
    ($width:expr, $zone:ident => $body:expr) => {
        match $width {
            Width::Narrow => {
                type $zone = Dbm<i16>;
                $body
            }
            Width::Middle => {
                type $zone = Dbm<i32>;
                $body
            }
            Width::Wide => {
                type $zone = Dbm<i64>;
                $body
            }
        }
    };
}

/// How wide packed bounds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Narrow,
    Middle,
    Wide,
}

pub(super) use with_zones;

/// The parts of a call.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub model: &'a Model,
    pub bounds: &'a ClockBounds,
    pub options: &'a Options,
    pub control: &'a dyn Control,
    /// The scalar sets that the queries at hand do not tell apart.
    pub reduction: Option<&'a Arc<Reduction>>,
}

/// How a search is set up for its queries: what they want to know of clocks, and how zones are
/// widened.
#[derive(Clone)]
pub(super) struct Setting {
    pub interest: Interest,
    pub abstraction: Abstraction,
}

/// Whether some process receives a broadcast by an edge with a clock guard.
fn hears_by_clock(model: &Model) -> bool {
    let edges = model.processes.iter().flat_map(|process| &process.edges);
    edges.filter(|edge| edge.guard.iter().any(|c| matches!(c, Conjunct::Clock(_)))).any(|edge| {
        edge.sync.as_ref().is_some_and(|sync| {
            sync.direction == Direction::Receive && model.channels[sync.base].is_broadcast
        })
    })
}

/// The coarsest abstraction that is exact for the formula: whether a state is deadlocked needs
/// bisimilarity.
pub(super) fn exact_for(formula: &Formula) -> Abstraction {
    match formula.has_deadlock() {
        true => Abstraction::K,
        false => Abstraction::Lu,
    }
}

impl Context<'_> {
    /// For a search for states in which the formula holds.
    pub(super) fn setting(&self, formula: &Formula) -> Setting {
        let abstraction = self.abstraction(exact_for(formula));
        Setting { interest: self.interest([formula]), abstraction }
    }

    pub(super) fn interest<'f>(
        &self,
        claims: impl IntoIterator<Item = impl Into<Claim<'f>>>,
    ) -> Interest {
        interest(self.model, self.bounds.largest_reset, claims.into_iter().map(Into::into))
    }

    /// What the user wants, or what is exact for the query if that is less coarse. Where it also
    /// matters that a guard does not hold, bounds from below and from above cannot be told
    /// apart: with priorities, and where a clock guard decides who hears a broadcast.
    pub(super) fn abstraction(&self, exact: Abstraction) -> Abstraction {
        let exact = match exact {
            Abstraction::Lu if self.model.has_priorities || hears_by_clock(self.model) => {
                Abstraction::K
            }
            exact => exact,
        };
        match (self.options.abstraction, exact) {
            (None, exact) => exact,
            (Some(Abstraction::Lu), exact) => exact,
            (Some(wanted), _) => wanted,
        }
    }

    /// Plain sums of bounds stay below 16 times the largest constant unless clocks are compared
    /// with each other; without an abstraction there is no limit at all.
    pub(super) fn width(&self, Setting { interest, abstraction }: &Setting) -> Width {
        let largest = self.bounds.largest.max(interest.largest).saturating_add(1);
        let is_diagonal = self.bounds.has_diagonals || !interest.diagonals.is_empty();
        let most = match is_diagonal {
            true => largest.saturating_mul(self.model.clocks.len() as i64 + 2),
            false => largest,
        };
        let is_limited = *abstraction != Abstraction::None && interest.measured.is_none();
        let holds = |largest: i64| is_limited && most <= largest / 16;
        match () {
            () if holds(<i16 as Bound>::LARGEST) => Width::Narrow,
            () if holds(<i32 as Bound>::LARGEST) => Width::Middle,
            () => Width::Wide,
        }
    }

    /// What a search looks up: limits, and which names do not matter.
    pub(super) fn tables(&self, setting: &Setting) -> Tables<'_> {
        let Setting { interest, abstraction } = setting;
        let mut tables = Tables::new(self.model, self.bounds, interest, *abstraction);
        tables.reduction = self.reduction.cloned();
        tables
    }

    /// How large bounds may be before zones have to be widened. A move adds at most the sums of
    /// two bounds and two constants by its guards, two constants by its resets, and then sums of
    /// two bounds and one constant by invariants; only sixteen times the largest constant, or
    /// what the width holds, must never be exceeded.
    pub(super) fn patience<B: Bound>(&self, interest: &Interest) -> i64 {
        let largest = self.bounds.largest.max(interest.largest).saturating_add(1);
        (B::LARGEST - largest.saturating_mul(9).min(B::LARGEST)) / 4
    }

    pub(super) fn search<'s, Z: Zone>(
        &'s self,
        setting: &Setting,
        cover: Option<Cover>,
    ) -> Search<'s, Z> {
        let tables = self.tables(setting);
        let cover = cover.unwrap_or_else(|| Search::<Z>::cover_for(&tables));
        Search::new(tables, Observer::default(), cover, self.options)
    }

    /// Lets a search run; a fault that it meets is told with the trace to it.
    pub(super) fn run<Z: Zone>(
        &self,
        search: &mut Search<Z>,
        goal: &mut dyn Goal<Z>,
        setting: &Setting,
    ) -> Answered<End> {
        let end = search.run(goal, self.control);
        end.map_err(|lost| self.failure(&search.store, setting, lost))
    }
}

/// An answer without a verdict, with the figures of the search.
pub(super) fn blank<Z: Zone>(search: &Search<Z>, end: End) -> Answer {
    let stopped = match end {
        End::Stopped(stop) => Some(stop),
        _ => None,
    };
    let Search { explored, stored, .. } = *search;
    Answer { explored, stored, reduced: search.reduced(), stopped, ..Answer::default() }
}
