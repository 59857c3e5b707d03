//! From a finished schedule to what people and scripts read: CSV, a chart, a few lines of text.
//!
//! Renderers only read; a schedule that gets here has been replayed and validated. Each gives
//! text; writing it somewhere is the command line's.

mod csv;
mod orders;
mod sequence;
mod svg;
mod text;

pub use csv::csv;
pub use orders::orders_csv;
pub use svg::svg;
pub use text::text;

/// What stands above a schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headline {
    pub name: String,
    pub objective: String,
    /// As in the summary: `optimal`, `feasible`, ...
    pub status: String,
    pub value: Option<i64>,
    pub bound: Option<i64>,
}

#[cfg(test)]
mod tests;
