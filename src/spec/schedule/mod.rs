//! A schedule: who takes what from when to when. Plain data, as in `schedule.csv`.
//!
//! Names stay text, so that a schedule from anywhere can be held, right or wrong; what it is
//! worth is for `validate` to say.

mod decimal;
mod read;

pub use decimal::Decimal;
pub use read::{read_csv, read_rows};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    pub rows: Vec<Row>,
}

/// One unit of one resource, taken from `start` to `end`; or a step that takes none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub kind: Kind,
    pub order: String,
    pub recipe: String,
    pub step: String,
    /// Empty for a step without resources.
    pub resource: String,
    /// Empty where the resource is, or where it does not matter which unit.
    pub unit: String,
    pub start: i64,
    pub end: i64,
    /// Processing time without pauses; steps only.
    pub work: Option<i64>,
    /// Civil time as somebody wrote it; empty where nobody did.
    pub start_time: String,
    pub end_time: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    #[default]
    Step,
    Hold,
    Setup,
    Op,
}

impl Kind {
    pub const NAMES: [(&'static str, Kind); 4] =
        [("step", Kind::Step), ("hold", Kind::Hold), ("setup", Kind::Setup), ("op", Kind::Op)];

    pub fn name(self) -> &'static str {
        Kind::NAMES.iter().find(|(_, kind)| *kind == self).map_or("step", |(name, _)| name)
    }
}

impl Schedule {
    pub fn steps(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.kind == Kind::Step)
    }

    /// The latest end; 0 where nothing is to be done.
    pub fn end(&self) -> i64 {
        self.steps().map(|row| row.end).max().unwrap_or(0)
    }
}

/// All operations of a layout, in the sequence of its keys: the steps of its rows.
pub const OPERATIONS: [&str; 14] = [
    "load",
    "unload",
    "switch",
    "recover",
    "depressurize",
    "pressurize",
    "turn",
    "from-lock",
    "to-lock",
    "to-chuck",
    "from-chuck",
    "swap",
    "measure",
    "expose",
];
