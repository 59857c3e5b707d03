//! Civil time for the checks: how far a moment lies from the start.

use crate::Time;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};

/// Seconds from the start to a moment, negative before it; `None` without a start, or beyond
/// the dates that can be counted.
pub fn from_start(time: &Time, moment: DateTime) -> Option<i64> {
    let start = time.start.as_ref()?.value;
    match &time.zone {
        None => Some(plain(moment) - plain(start)),
        Some(zone) => Some(absolute(&zone.value, moment)? - absolute(&zone.value, start)?),
    }
}

/// Seconds since 1970 as if every day had 24 hours.
pub fn plain(moment: DateTime) -> i64 {
    moment.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0)).as_secs()
}

/// A local time that does not exist means the first instant after the gap, a doubled one the first.
fn absolute(zone: &TimeZone, moment: DateTime) -> Option<i64> {
    let instant = match zone.to_ambiguous_timestamp(moment).offset() {
        AmbiguousOffset::Unambiguous { offset } => offset.to_timestamp(moment),
        AmbiguousOffset::Fold { before, .. } => before.to_timestamp(moment),
        AmbiguousOffset::Gap { after, .. } => {
            let earlier = after.to_timestamp(moment).ok()?;
            Ok(zone.following(earlier).next()?.timestamp())
        }
    };
    instant.ok().map(|instant| instant.as_second())
}
