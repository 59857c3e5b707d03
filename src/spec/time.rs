//! How model time counts, and instants as they were written.

use super::{At, Expr};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// What one unit of model time stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    #[default]
    Tick,
    Second,
    Minute,
    Hour,
    Day,
}

impl Unit {
    pub const NAMES: [(&'static str, Unit); 5] = [
        ("tick", Unit::Tick),
        ("second", Unit::Second),
        ("minute", Unit::Minute),
        ("hour", Unit::Hour),
        ("day", Unit::Day),
    ];

    pub fn name(self) -> &'static str {
        Unit::NAMES.iter().find(|(_, unit)| *unit == self).map_or("tick", |(name, _)| name)
    }

    /// `None` for ticks, which have no length.
    pub fn seconds(self) -> Option<i64> {
        match self {
            Unit::Tick => None,
            Unit::Second => Some(1),
            Unit::Minute => Some(60),
            Unit::Hour => Some(3600),
            Unit::Day => Some(86_400),
        }
    }
}

/// The key `time`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Time {
    pub unit: Unit,
    /// The civil time of instant 0; there only if the unit has a length.
    pub start: Option<At<DateTime>>,
    /// Civil time follows this zone's daylight saving; there only beside `start`. Without one a
    /// civil day has 24 hours.
    pub zone: Option<At<TimeZone>>,
}

/// A release, due instant or deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instant {
    /// A duration from 0.
    After(Expr),
    /// Civil time; there only if [`Time::start`] is known.
    Civil(At<DateTime>),
}
