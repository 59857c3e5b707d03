//! How model time counts, how it goes with civil time, and instants as they were written.

use super::{At, Expr};
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{SignedDuration, Timestamp, ToSpan};

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

impl Time {
    /// Seconds from instant 0 to a civil moment, negative before it; `None` without a start, or beyond
    /// the dates that can be counted.
    pub fn seconds_from_start(&self, moment: DateTime) -> Option<i64> {
        let start = self.start.as_ref()?.value;
        match &self.zone {
            None => Some(moment.duration_since(start).as_secs()),
            Some(zone) => Some(second(&zone.value, moment)? - second(&zone.value, start)?),
        }
    }

    /// The civil time of an instant; `None` without a start, or beyond the dates that can be counted.
    pub fn civil(&self, instant: i64) -> Option<DateTime> {
        let start = self.start.as_ref()?.value;
        let passed = instant.checked_mul(self.unit.seconds()?)?;
        match &self.zone {
            None => start.checked_add(SignedDuration::from_secs(passed)).ok(),
            Some(zone) => {
                let at = second(&zone.value, start)?.checked_add(passed)?;
                Some(zone.value.to_datetime(Timestamp::from_second(at).ok()?))
            }
        }
    }
}

/// Seconds since 1970. A local time that does not exist means the first instant after the gap, a
/// doubled one the first.
fn second(zone: &TimeZone, moment: DateTime) -> Option<i64> {
    let at = |offset: Offset| offset.to_timestamp(moment).ok();
    let found = match zone.to_ambiguous_timestamp(moment).offset() {
        AmbiguousOffset::Unambiguous { offset } => at(offset)?,
        AmbiguousOffset::Fold { before, .. } => at(before)?,
        AmbiguousOffset::Gap { before, after } => {
            // The clocks are set somewhere between the two readings of the missing time.
            let (early, late) = (at(after)?.checked_sub(1.second()).ok()?, at(before)?);
            let change = zone.following(early).next().map(|change| change.timestamp());
            change.filter(|change| *change <= late).unwrap_or(late)
        }
    };
    Some(found.as_second())
}

/// A release, due instant or deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instant {
    /// A duration from 0.
    After(Expr),
    /// Civil time; there only if [`Time::start`] is known.
    Civil(At<DateTime>),
}
