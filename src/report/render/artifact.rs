//! Results as data: what a summary calls it, what its file is called, its bytes.
//!
//! A format is one file with an implementation of [`Format`], and its line in a table below. Who
//! writes files, prints summaries or takes away what an earlier run has left reads the tables.

use super::chart::{ChartOfOrders, ComparisonChart, ScheduleChart};
use super::compare::{Comparison, ComparisonTable};
use super::csv::ScheduleTable;
use super::model::ModelText;
use super::orders::OrderTable;
use super::{Sheet, View};
use std::sync::Arc;
use takt_automata::network::Network;

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

/// A way to write something down.
pub trait Format<D>: Sync {
    /// Its name among the `files` of a summary.
    fn key(&self) -> &'static str;

    fn file(&self) -> &'static str;

    /// Whether it is written without being asked for.
    fn is_standard(&self) -> bool {
        true
    }

    /// Whether it tells what is proved, and changes when more is; others change with the schedule only.
    fn tells_proof(&self) -> bool {
        false
    }

    fn bytes(&self, document: &D) -> Vec<u8>;
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

pub type ScheduleFormat = dyn for<'a> Format<Document<'a>>;
pub type ComparisonFormat = dyn for<'a> Format<Comparison<'a>>;

/// The formats of a schedule, in the order in which files appear.
pub const SCHEDULE: &[&ScheduleFormat] =
    &[&ScheduleTable, &ScheduleChart, &ChartOfOrders, &OrderTable, &ModelText];

/// The formats of a comparison.
pub const COMPARISON: &[&ComparisonFormat] = &[&ComparisonTable, &ComparisonChart];

/// The formats of a schedule that are written without being asked for, and those of these keys.
pub fn formats(asked: &[&str]) -> Vec<&'static ScheduleFormat> {
    let is_wanted = |one: &&&ScheduleFormat| one.is_standard() || asked.contains(&one.key());
    SCHEDULE.iter().filter(is_wanted).copied().collect()
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
        let is_kept = is_proof_same || !format.tells_proof();
        let former = former.iter().find(|one| one.key == format.key()).filter(|_| is_kept);
        former
            .cloned()
            .unwrap_or_else(|| Artifact::new(format.key(), format.file(), format.bytes(document)))
    };
    formats.iter().map(made).collect()
}
