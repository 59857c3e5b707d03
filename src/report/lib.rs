//! What a schedule amounts to, and how it is shown: figures, tables, charts.
//!
//! [`account`] and [`account_of_layout`] give the figures of a schedule that passed every check. A [`Sheet`]
//! joins both with the spec; formats make files of it ([`SCHEDULE`], [`COMPARISON`]), as [`Artifact`]s.

mod account;
mod render;

pub use account::{Account, Moves, OrderFigures, Unit, Use, account, machine as account_of_layout};
pub use render::{
    Alternative, Artifact, COMPARISON, Changes, Comparison, ComparisonFormat, Document, Format,
    Headline, Rhythm, SCHEDULE, ScheduleFormat, Sheet, View, artifacts, formats, policy_svg,
    policy_text, text, title, utilisation,
};
