//! From a finished schedule to what people and scripts read: CSV, a chart, a few lines of text.
//!
//! Renderers only read; a schedule that gets here has been replayed and validated. Files are made
//! by formats ([`artifact`]); writing them somewhere is the command line's.

mod artifact;
mod compare;
mod csv;
mod dispatch;
mod ics;
mod machine;
mod orders;
mod page;
mod policy;
mod sequence;
mod svg;
mod text;
mod xlsx;

pub use artifact::{
    Artifact, COMPARISON, ComparisonFormat, Document, Format, SCHEDULE, ScheduleFormat, artifacts,
    formats,
};
pub use compare::{Alternative, Changes, Comparison};
pub use policy::policy_text;
pub use svg::policy_svg;
pub use text::{text, title, utilisation};

use crate::account::Account;
use num_rational::Ratio;
use takt_scanner::Cycle;
use takt_spec::Spec;
use takt_spec::schedule::Schedule;

/// What renderers read: a schedule, what it was made for, what it comes to and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    pub spec: &'a Spec,
    pub schedule: &'a Schedule,
    pub account: &'a Account,
    pub headline: &'a Headline,
    /// Of a layout.
    pub rhythm: Option<&'a Rhythm>,
}

/// The schedule of a layout begins with a start-up; a cycle follows for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rhythm {
    /// From A to B.
    pub cycle: Cycle,
    /// When the first wafer is finished, and the longest time from one to the next.
    pub first: i64,
    pub max_gap: i64,
}

impl Rhythm {
    /// From one finished wafer to the next, in the long run.
    pub fn interval(&self) -> Ratio<i64> {
        Ratio::new(self.cycle.end - self.cycle.start, self.cycle.wafers)
    }

    /// Finished wafers per unit of time, in the long run.
    pub fn throughput(&self) -> f64 {
        let interval = self.interval();
        *interval.denom() as f64 / *interval.numer() as f64
    }

    /// How much longer the interval is than another one: 0.61 is 61 percent.
    pub fn loss(&self, other: &Rhythm) -> f64 {
        let share = self.interval() / other.interval();
        *share.numer() as f64 / *share.denom() as f64 - 1.0
    }

    /// In one line.
    pub fn about(&self) -> String {
        let Cycle { start, end, wafers } = self.cycle;
        let noun = if wafers == 1 { "wafer" } else { "wafers" };
        format!(
            "first wafer at {}, then no gap above {}; from A to B {wafers} {noun} in {}",
            self.first,
            self.max_gap,
            end - start
        )
    }
}

/// What the rows of a chart are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Units; bars have the colours of orders.
    #[default]
    Resources,
    /// Orders; bars have the colours of resources.
    Orders,
}

/// What stands above a schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headline {
    pub name: String,
    /// What is measured: `makespan`, `cost`, `interval`, ...
    pub objective: String,
    /// As in the summary: `optimal`, `feasible`, ...
    pub status: String,
    /// Exact, as it is written.
    pub value: Option<String>,
    pub bound: Option<String>,
    /// Who found the schedule and who proved the bound, as a sentence without its end.
    pub credits: String,
    /// What else is known of the proof, sentence by sentence.
    pub notes: Vec<String>,
}

#[cfg(test)]
mod tests;
