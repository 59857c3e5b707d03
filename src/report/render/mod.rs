//! From a finished schedule to what people and scripts read: CSV, a chart, a few lines of text.
//!
//! Renderers only read; a schedule that gets here has been replayed and validated. Each gives
//! text; writing it somewhere is the command line's.

mod compare;
mod csv;
mod machine;
mod orders;
mod policy;
mod sequence;
mod svg;
mod text;

pub use compare::{Alternative, Changes, changes, compare_csv, compare_text};
pub use csv::csv;
pub use machine::{Machine, machines_csv, machines_text};
pub use orders::orders_csv;
pub use policy::policy_text;
pub use svg::{charts, machines, policy_svg, svg};
pub use text::{text, utilisation};

use crate::account::Account;
use takt_spec::Spec;
use takt_spec::schedule::{Decimal, Schedule};

/// What renderers read: a schedule, what it was made for, and what it comes to.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    pub spec: &'a Spec,
    pub schedule: &'a Schedule,
    pub account: &'a Account,
}

/// The schedule of a layout, which begins with a start-up and the cycle that follows it for ever.
#[derive(Clone, Debug)]
pub struct Rhythm<'a> {
    pub sheet: Sheet<'a>,
    /// From A to B.
    pub cycle: (i64, i64),
    pub title: String,
    pub about: String,
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
    pub objective: String,
    /// As in the summary: `optimal`, `feasible`, ...
    pub status: String,
    pub value: Option<Decimal>,
    pub bound: Option<Decimal>,
}

#[cfg(test)]
mod tests;
