//! Results as data: what a summary calls it, what its file is called, its bytes.
//!
//! A format is one file with the function that makes its bytes, and its line in a table below. Who
//! writes files, prints summaries or takes away what an earlier run has left reads the tables.

use super::compare::Comparison;
use super::csv::csv;
use super::dispatch::dispatch_csv;
use super::ics::ics;
use super::orders::orders_csv;
use super::xlsx::xlsx;
use super::{Sheet, View, page, svg};
use std::sync::Arc;
use takt_automata::network::Network;
use takt_automata::xta;

/// A result that is ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Its name among the `files` of a summary.
    pub key: &'static str,
    pub file: &'static str,
    pub bytes: Arc<[u8]>,
}

impl Artifact {
    pub fn new(key: &'static str, file: &'static str, bytes: impl Into<Vec<u8>>) -> Artifact {
        Artifact { key, file, bytes: bytes.into().into() }
    }
}

/// A way to write something down. What makes its bytes is a function of a [`Document`] or of a
/// [`Comparison`].
#[derive(Clone, Copy, Debug)]
pub struct Format<W> {
    /// Its name among the `files` of a summary.
    pub key: &'static str,
    pub file: &'static str,
    /// Whether it is written without being asked for.
    pub is_standard: bool,
    /// Whether it tells what is proved, and changes when more is; others change with the schedule only.
    pub tells_proof: bool,
    pub bytes: W,
}

impl<W> Format<W> {
    const fn new(key: &'static str, file: &'static str, bytes: W) -> Format<W> {
        Format { key, file, is_standard: true, tells_proof: false, bytes }
    }

    /// The document written down.
    pub fn artifact<D>(&self, document: &D) -> Artifact
    where
        W: Fn(&D) -> Vec<u8>,
    {
        Artifact::new(self.key, self.file, (self.bytes)(document))
    }
}

/// A finished schedule with all that formats may tell of it.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    pub sheet: Sheet<'a>,
    /// What the rows of its chart are.
    pub view: View,
    /// What the schedule was replayed on.
    pub network: &'a Network,
}

pub type ScheduleFormat = Format<fn(&Document) -> Vec<u8>>;
pub type ComparisonFormat = Format<fn(&Comparison) -> Vec<u8>>;

/// The formats of a schedule, in the order in which files appear.
pub const SCHEDULE: &[ScheduleFormat] = &[
    Format::new("csv", "schedule.csv", |document| csv(&document.sheet).into_bytes()),
    ScheduleFormat {
        tells_proof: true,
        ..Format::new("svg", "schedule.svg", |document| chart(document, document.view))
    },
    // A second chart, for those who want both views.
    ScheduleFormat {
        tells_proof: true,
        is_standard: false,
        ..Format::new("svg_orders", "schedule-orders.svg", |document| chart(document, View::Orders))
    },
    Format::new("orders", "orders.csv", |document| orders_csv(&document.sheet).into_bytes()),
    ScheduleFormat { tells_proof: true, ..Format::new("report", "report.html", page::page) },
    asked_for("xlsx", "schedule.xlsx", |document| xlsx(&document.sheet)),
    asked_for("ics", "schedule.ics", |document| ics(&document.sheet).into_bytes()),
    asked_for("dispatch", "dispatch.csv", |document| dispatch_csv(&document.sheet).into_bytes()),
    Format::new("model", "model.xta", |document| xta::print(document.network).into_bytes()),
];

const fn asked_for(
    key: &'static str,
    file: &'static str,
    bytes: fn(&Document) -> Vec<u8>,
) -> ScheduleFormat {
    Format { is_standard: false, ..ScheduleFormat::new(key, file, bytes) }
}

/// The formats of a comparison.
pub const COMPARISON: &[ComparisonFormat] = &[
    Format::new("csv", "compare.csv", |comparison| comparison.csv()),
    Format::new("svg", "compare.svg", |comparison| {
        let sheets: Vec<_> = comparison.all.iter().filter_map(|one| one.sheet).collect();
        svg::charts(&sheets, comparison.view).into_bytes()
    }),
    Format::new("report", "report.html", page::pages),
];

fn chart(document: &Document, view: View) -> Vec<u8> {
    svg::charts(&[document.sheet], view).into_bytes()
}

/// The formats of a schedule that are written without being asked for, and those of these keys.
pub fn formats(asked: &[&str]) -> Vec<&'static ScheduleFormat> {
    let is_wanted = |one: &&ScheduleFormat| one.is_standard || asked.contains(&one.key);
    SCHEDULE.iter().filter(is_wanted).collect()
}

/// Writes the document down in these formats. A former artifact of the same schedule is kept if it does
/// not tell what is proved, or if that is still the same.
pub fn artifacts(
    formats: &[&ScheduleFormat],
    document: &Document,
    former: &[Artifact],
    is_proof_same: bool,
) -> Vec<Artifact> {
    let made = |format: &&ScheduleFormat| {
        let is_kept = is_proof_same || !format.tells_proof;
        let former = former.iter().find(|one| one.key == format.key).filter(|_| is_kept);
        former.cloned().unwrap_or_else(|| format.artifact(document))
    };
    formats.iter().map(made).collect()
}
