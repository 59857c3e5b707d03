//! Time from left to right: where instants are, and which of them are named.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};
use takt_spec::{Time, Unit};

/// From `from` to `to` in units of `time`, between two pixels.
#[derive(Clone, Debug)]
pub struct Axis {
    pub left: i32,
    pub right: i32,
    pub from: i64,
    pub to: i64,
}

/// An instant with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub x: i32,
    pub label: String,
    /// What it is the first of, such as a day.
    pub group: Option<String>,
}

impl Axis {
    pub fn x(&self, instant: i64) -> i32 {
        self.at(instant as f64)
    }

    pub fn shows(&self, instant: i64) -> bool {
        (self.from..=self.to).contains(&instant)
    }

    fn at(&self, instant: f64) -> i32 {
        let share = (instant - self.from as f64) / (self.to - self.from).max(1) as f64;
        self.left + (share * f64::from(self.right - self.left)).round() as i32
    }

    /// Civil time where the start is known, otherwise round numbers of units.
    pub fn ticks(&self, time: &Time) -> Vec<Tick> {
        let most = i64::from(self.right - self.left) / 64;
        let civil = time.start.as_ref().and_then(|_| self.civil(time, most));
        civil.unwrap_or_else(|| self.numbers(time.unit, most))
    }

    fn numbers(&self, unit: Unit, most: i64) -> Vec<Tick> {
        let step = step(unit, self.to - self.from, most);
        let first = self.from.div_euclid(step) * step;
        let all = (0..).map(|k| first + k * step).take_while(|&tick| tick <= self.to);
        let tick = |at: i64| Tick { x: self.x(at), label: at.to_string(), group: None };
        all.filter(|&at| at >= self.from).map(tick).collect()
    }

    fn civil(&self, time: &Time, most: i64) -> Option<Vec<Tick>> {
        let unit = time.unit.seconds()?;
        let span = (self.to - self.from).checked_mul(unit)?;
        let step = TickInterval::all().find(|step| span / step.seconds() <= most)?;
        let mut at = step.first(time.civil(self.from)?)?;
        let (mut ticks, mut last, mut group) = (Vec::new(), None, String::new());
        // One tick more than wanted at each end, and none for ever.
        for _ in 0..most + 60 {
            let seconds = time.seconds_from_start(at)?;
            let instant = seconds as f64 / unit as f64;
            if instant > self.to as f64 {
                break;
            }
            if instant >= self.from as f64 && last.is_none_or(|last| last < seconds) {
                let own = at.strftime(step.group_form()).to_string();
                let is_new = own != group;
                group = own;
                ticks.push(Tick {
                    x: self.at(instant),
                    label: at.strftime(step.form()).to_string(),
                    group: is_new.then(|| group.clone()),
                });
                last = Some(seconds);
            }
            at = step.next(at)?;
        }
        Some(ticks)
    }
}

/// A distance of civil ticks.
#[derive(Clone, Copy, Debug)]
enum TickInterval {
    /// A divisor of a day.
    Seconds(i64),
    Days(i64),
    Months(i64),
    Years(i64),
}

impl TickInterval {
    /// From the shortest to the longest.
    fn all() -> impl Iterator<Item = TickInterval> {
        const SECONDS: [i64; 14] =
            [1, 5, 10, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200];
        const YEARS: [i64; 11] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000];
        (SECONDS.map(TickInterval::Seconds).into_iter())
            .chain([1, 7, 14].map(TickInterval::Days))
            .chain([1, 2, 3, 6].map(TickInterval::Months))
            .chain(YEARS.map(TickInterval::Years))
    }

    fn seconds(self) -> i64 {
        match self {
            TickInterval::Seconds(seconds) => seconds,
            TickInterval::Days(days) => days * 86_400,
            TickInterval::Months(months) => months * 30 * 86_400,
            TickInterval::Years(years) => years * 365 * 86_400,
        }
    }

    /// The last round time that is not after this one; weeks begin on Mondays.
    fn first(self, at: DateTime) -> Option<DateTime> {
        let day = at.date();
        let midnight = |date: Date| Some(DateTime::from(date));
        match self {
            TickInterval::Seconds(_) => midnight(day).and_then(|start| {
                let mut first = start;
                while self.next(first)? <= at {
                    first = self.next(first)?;
                }
                Some(first)
            }),
            TickInterval::Days(1) => midnight(day),
            TickInterval::Days(_) => {
                let back = i64::from(day.weekday().to_monday_zero_offset());
                midnight(day.checked_sub(back.days()).ok()?)
            }
            TickInterval::Months(months) => {
                let month = i64::from(day.month() - 1) / months * months + 1;
                midnight(Date::new(day.year(), month as i8, 1).ok()?)
            }
            TickInterval::Years(years) => {
                let year = (i64::from(day.year()) / years * years).max(1);
                midnight(Date::new(year as i16, 1, 1).ok()?)
            }
        }
    }

    fn next(self, at: DateTime) -> Option<DateTime> {
        let span = match self {
            TickInterval::Seconds(seconds) => seconds.seconds(),
            TickInterval::Days(days) => days.days(),
            TickInterval::Months(months) => months.months(),
            TickInterval::Years(years) => years.years(),
        };
        at.checked_add(span).ok()
    }

    fn form(self) -> &'static str {
        match self {
            TickInterval::Seconds(..60) => "%H:%M:%S",
            TickInterval::Seconds(_) => "%H:%M",
            TickInterval::Days(1) => "%a %-d",
            TickInterval::Days(_) => "%-d %b",
            TickInterval::Months(_) => "%b",
            TickInterval::Years(_) => "%Y",
        }
    }

    fn group_form(self) -> &'static str {
        match self {
            TickInterval::Seconds(_) => "%a %-d %b",
            TickInterval::Days(1) => "%B %Y",
            TickInterval::Days(_) | TickInterval::Months(_) => "%Y",
            TickInterval::Years(_) => "",
        }
    }
}

/// A round distance: at most `most` of them lie in the span.
fn step(unit: Unit, span: i64, most: i64) -> i64 {
    let nice: &[i64] = match unit {
        Unit::Tick => &[],
        Unit::Second => &[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800],
        Unit::Minute => &[1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720],
        Unit::Hour => &[1, 2, 3, 6, 12],
        Unit::Day => &[1, 7, 14, 28],
    };
    let base = match unit {
        Unit::Second => 3600,
        Unit::Minute => 1440,
        Unit::Hour => 24,
        Unit::Tick | Unit::Day => 1,
    };
    let fits = |step: &i64| span / step <= most.max(1);
    let round = (0..12).flat_map(|power| [1, 2, 5].map(|k| k * 10_i64.pow(power) * base));
    nice.iter().copied().chain(round).find(fits).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use takt_spec::At;

    fn labels(time: &Time, to: i64, right: i32) -> Vec<String> {
        let axis = Axis { left: 0, right, from: 0, to };
        let shown = |tick: Tick| match tick.group {
            Some(group) if !group.is_empty() => format!("{} | {group}", tick.label),
            _ => tick.label,
        };
        axis.ticks(time).into_iter().map(shown).collect()
    }

    fn time(unit: Unit, start: &str) -> Time {
        let start =
            (!start.is_empty()).then(|| At { value: start.parse().unwrap(), ..At::default() });
        Time { unit, start, zone: None }
    }

    #[test]
    fn numbers_are_round_and_few() {
        let ticks = time(Unit::Tick, "");
        assert_eq!(labels(&ticks, 7, 640), ["0", "1", "2", "3", "4", "5", "6", "7"]);
        assert_eq!(labels(&ticks, 55, 400), ["0", "10", "20", "30", "40", "50"]);
        assert!(labels(&ticks, 1_000_000_000, 640).len() <= 11);
        assert_eq!(labels(&time(Unit::Minute, ""), 200, 300), ["0", "60", "120", "180"]);
    }

    #[test]
    fn civil_ticks_are_hours_days_or_weeks() {
        let hours = labels(&time(Unit::Minute, "2026-01-05T06:30"), 1440, 640);
        assert_eq!(hours[..3], ["09:00 | Mon 5 Jan", "12:00", "15:00"]);
        assert_eq!(hours[5], "00:00 | Tue 6 Jan");
        let days = labels(&time(Unit::Hour, "2026-01-29T00:00"), 96, 400);
        assert_eq!(days[..2], ["Thu 29 | January 2026", "Fri 30"]);
        assert_eq!(days[3], "Sun 1 | February 2026");
        let weeks = labels(&time(Unit::Day, "2026-01-01T00:00"), 60, 640);
        assert_eq!(weeks[..2], ["5 Jan | 2026", "12 Jan"]);
    }
}
