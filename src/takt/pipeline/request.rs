//! What is asked of a search.

use super::problem::Problem;
use takt_report::{ScheduleFormat, View};
use takt_scanner::Heuristic;
use takt_spec::At;
use takt_spec::schedule::Row;

/// How to search, and what to make of what is found.
#[derive(Clone, Default)]
pub struct Request {
    /// Which engines take part, for plants.
    pub selection: Selection,
    /// Of all that is left to chance.
    pub seed: u64,
    /// How many may search side by side. With one, equal inputs give equal schedules.
    pub threads: usize,
    /// Where the search begins, for plants: the steps of an earlier plan.
    pub from: Vec<At<Row>>,
    /// For layouts.
    pub pace: Pace,
    /// What the rows of the chart are.
    pub view: View,
    /// What is written down of a schedule.
    pub formats: Vec<&'static ScheduleFormat>,
}

/// Which engines take part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All; the automata accept what they find, or it does not count.
    #[default]
    Auto,
    /// The search through the automata alone.
    Zones,
    /// The learning search alone, begun by a dispatching rule.
    Learn,
}

/// What is asked of the rhythm of a layout, besides being the best.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// The longest time from one finished wafer to the next.
    pub max_gap: Option<i64>,
    /// When the first is finished at the latest.
    pub first: Option<i64>,
    /// Rules that cut the search.
    pub heuristics: Vec<Heuristic>,
}

impl Pace {
    /// Adds the heuristics that the spec asks for.
    pub fn with_those_of(mut self, problem: &Problem) -> Pace {
        for heuristic in problem.spec.layout.iter().flat_map(|layout| &layout.heuristics) {
            if !self.heuristics.contains(&heuristic.value) {
                self.heuristics.push(heuristic.value);
            }
        }
        self.heuristics.sort_by_key(|heuristic| heuristic.name());
        self
    }

    /// The heuristics that may have cut the best schedule.
    pub(super) fn doubtful(&self) -> impl Iterator<Item = &Heuristic> {
        self.heuristics.iter().filter(|heuristic| !heuristic.is_safe())
    }
}
