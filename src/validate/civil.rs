//! Between civil time and model time, with daylight saving.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use takt_spec::{Instant, Spec, Time, Unit};

/// Reads and writes the instants of one spec.
pub struct Clock<'s> {
    time: &'s Time,
    zone: TimeZone,
    /// Seconds since 1970 at instant 0.
    origin: Option<i64>,
}

impl<'s> Clock<'s> {
    pub fn new(spec: &'s Spec) -> Clock<'s> {
        let time = &spec.time;
        // Without a zone each day has 24 hours, as in Greenwich.
        let zone = time.zone.as_ref().map_or(TimeZone::UTC, |zone| zone.value.clone());
        let origin = time.start.as_ref().and_then(|start| second(&zone, start.value));
        Clock { time, zone, origin }
    }

    /// Seconds from instant 0 to a civil moment, negative before it. `None` without a start, or
    /// beyond the dates that can be counted.
    pub fn seconds(&self, moment: DateTime) -> Option<i64> {
        Some(second(&self.zone, moment)? - self.origin?)
    }

    /// The civil moment of instant 0.
    pub fn start(&self) -> Option<DateTime> {
        self.origin.map(|origin| self.local(origin))?
    }

    /// Seconds per unit; a tick is as good as a second.
    pub fn unit(&self) -> i64 {
        self.time.unit.seconds().unwrap_or(1)
    }

    /// A release, due instant or deadline in units from 0, before any shift.
    pub fn instant(&self, instant: &Instant, spec: &Spec, order: &takt_spec::Order) -> Option<i64> {
        match instant {
            Instant::After(expr) => super::amount::whole(expr, spec.scope(order)),
            Instant::Civil(at) => Some(self.seconds(at.value)?.div_euclid(self.unit())),
        }
    }

    /// An instant for the user's eyes, with its civil time where it is known.
    pub fn show(&self, at: i64) -> String {
        match self.civil(at) {
            Some(civil) => format!("{at} ({civil})"),
            None => at.to_string(),
        }
    }

    /// Whether a text is the civil time of an instant; seconds may be left out where they are 0.
    pub fn is_at(&self, at: i64, text: &str) -> bool {
        text.parse::<DateTime>().is_ok_and(|moment| self.moment(at) == Some(moment))
    }

    fn civil(&self, at: i64) -> Option<String> {
        let form =
            if self.time.unit == Unit::Second { "%Y-%m-%dT%H:%M:%S" } else { "%Y-%m-%dT%H:%M" };
        Some(self.moment(at)?.strftime(form).to_string())
    }

    fn moment(&self, at: i64) -> Option<DateTime> {
        self.local(at.checked_mul(self.unit())?.checked_add(self.origin?)?)
    }

    fn local(&self, second: i64) -> Option<DateTime> {
        Some(self.zone.to_datetime(Timestamp::from_second(second).ok()?))
    }
}

/// Seconds since 1970. A local time that does not exist means the first instant after the gap, a
/// doubled one the first.
fn second(zone: &TimeZone, moment: DateTime) -> Option<i64> {
    let with = |offset: Offset| offset.to_timestamp(moment).ok().map(Timestamp::as_second);
    match zone.to_ambiguous_timestamp(moment).offset() {
        AmbiguousOffset::Unambiguous { offset } => with(offset),
        AmbiguousOffset::Fold { before, .. } => with(before),
        AmbiguousOffset::Gap { before, after } => {
            // The clocks jump after the one reading of the missing time and not after the other.
            let (mut early, mut late) = (with(after)?, with(before)?);
            while early + 1 < late {
                let middle = early + (late - early) / 2;
                let offset = zone.to_offset(Timestamp::from_second(middle).ok()?);
                if offset == after { late = middle } else { early = middle }
            }
            Some(late)
        }
    }
}
