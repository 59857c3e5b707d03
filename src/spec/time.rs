//! How model time counts, how it goes with civil time, and instants as they were written.

use super::{At, Expr};
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{SignedDuration, Timestamp, ToSpan};
use takt_diagnostic::Span;

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

    /// An instant for files: `2026-01-05T06:00`, with seconds where the unit is one. `None` as for `civil`.
    pub fn written(&self, instant: i64) -> Option<String> {
        let form = if self.unit == Unit::Second { "%Y-%m-%dT%H:%M:%S" } else { "%Y-%m-%dT%H:%M" };
        self.civil(instant).map(|at| at.strftime(form).to_string())
    }

    /// An instant for people, the same wherever they read of it: `Mon 2026-01-05 06:00`, or where
    /// civil time is not known the number, which tells of a length as well.
    pub fn told(&self, instant: i64) -> String {
        let form = if self.unit == Unit::Second { "%a %F %H:%M:%S" } else { "%a %F %H:%M" };
        match (self.civil(instant), self.unit) {
            (Some(at), _) => at.strftime(form).to_string(),
            (None, Unit::Tick) => instant.to_string(),
            (None, _) => format!("{instant} ({})", self.length(instant)),
        }
    }

    /// An instant by which something is to be over: midnight is the end of a day.
    pub fn told_end(&self, instant: i64) -> String {
        match self.civil(instant) {
            Some(at) if at.time() == jiff::civil::Time::midnight() => match at.date().yesterday() {
                Ok(day) => day.strftime("%a %F 24:00").to_string(),
                Err(_) => self.told(instant),
            },
            _ => self.told(instant),
        }
    }

    /// Time that passes, for people, as a spec may say it: `1d4h30m`; in ticks a plain number.
    pub fn length(&self, units: i64) -> String {
        self.split(units, &[(86_400, 'd'), (3600, 'h'), (60, 'm'), (1, 's')])
    }

    /// Time that is worked, for people: of working days nobody knows how long they are, so that hours are
    /// counted, `28h30m`.
    pub fn work(&self, units: i64) -> String {
        match self.unit {
            Unit::Day => self.length(units),
            _ => self.split(units, &[(3600, 'h'), (60, 'm'), (1, 's')]),
        }
    }

    fn split(&self, units: i64, letters: &[(i128, char)]) -> String {
        let Some(unit) = self.unit.seconds().filter(|_| units != 0) else {
            return units.to_string();
        };
        let mut rest = i128::from(units).abs() * i128::from(unit);
        let mut text = if units < 0 { "-".to_owned() } else { String::new() };
        for &(seconds, letter) in letters {
            if rest >= seconds {
                text.push_str(&format!("{}{letter}", rest / seconds));
            }
            rest %= seconds;
        }
        text
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

impl Instant {
    /// Where it is written.
    pub fn span(&self) -> Span {
        match self {
            Instant::After(expr) => expr.span,
            Instant::Civil(moment) => moment.span,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn since(start: DateTime, unit: Unit) -> Time {
        let start = Some(At::new(start, Span::default()));
        Time { unit, start, zone: None }
    }

    #[test]
    fn instants_are_told_with_their_weekday() {
        let time = since(date(2026, 1, 5).at(6, 0, 0, 0), Unit::Minute);
        assert_eq!(time.told(0), "Mon 2026-01-05 06:00");
        assert_eq!(time.told(-361), "Sun 2026-01-04 23:59");
        assert_eq!(time.written(90).as_deref(), Some("2026-01-05T07:30"));
        assert_eq!(
            (time.told(1080), time.told_end(1080)),
            ("Tue 2026-01-06 00:00".into(), "Mon 2026-01-05 24:00".into())
        );
        assert_eq!(time.told_end(1081), "Tue 2026-01-06 00:01");
        assert!(time.told(i64::MAX).starts_with(&i64::MAX.to_string()));
        let seconds = Time { unit: Unit::Second, ..time };
        assert_eq!(seconds.told(61), "Mon 2026-01-05 06:01:01");
        assert_eq!(Time::default().told_end(7), "7");
        assert_eq!(Time { unit: Unit::Hour, ..Time::default() }.told(26), "26 (1d2h)");
    }

    #[test]
    fn lengths_are_told_as_a_spec_says_them() {
        let length = |unit, units| Time { unit, ..Time::default() }.length(units);
        assert_eq!(length(Unit::Tick, 90), "90");
        assert_eq!(length(Unit::Minute, 1710), "1d4h30m");
        assert_eq!(length(Unit::Hour, -25), "-1d1h");
        assert_eq!(Time { unit: Unit::Hour, ..Time::default() }.work(42), "42h");
        assert_eq!((length(Unit::Second, 0), length(Unit::Day, 3)), ("0".into(), "3d".into()));
        assert_eq!(length(Unit::Day, i64::MIN).chars().next(), Some('-'));
    }
}
