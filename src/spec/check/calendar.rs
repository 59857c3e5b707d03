//! Calendars: windows in order, and no window edge inside a unit of time.

use super::Checker;
use super::duration::Rule;
use crate::{At, Calendar, Civil, Pattern, Stretch, Weekly, Windows};
use jiff::civil::DateTime;
use std::collections::BTreeMap;
use takt_diagnostic::{Diagnostic, Span};

const DAY: i64 = 86_400;
const WEEK: i64 = 7 * DAY;
const EDGE: Rule = Rule { what: "the edge of a window", least: 0, is_whole: true };

impl Checker<'_> {
    pub fn calendars(&mut self) {
        let spec = self.spec;
        for calendar in &spec.calendars {
            match &calendar.pattern {
                Pattern::Windows(windows) => self.windows(windows),
                Pattern::Civil(_) if !self.is_time_known => {}
                Pattern::Civil(civil) => self.civil_calendar(calendar, civil),
            }
        }
    }

    fn windows(&mut self, windows: &Windows) {
        let repeat = windows.repeat.as_ref();
        let rule = Rule { what: "`repeat`", least: 1, ..EDGE };
        let length = repeat.and_then(|repeat| self.duration(repeat, None, rule));
        // What comes again has no beginning before 0.
        let first = if repeat.is_some() { EDGE } else { Rule { least: i64::MIN, ..EDGE } };
        for window in &windows.windows {
            let from = self.duration(&window.from, None, first);
            let to = self.duration(&window.to, None, EDGE);
            let (Some(from), Some(to)) = (from, to) else { continue };
            if to <= from {
                self.error("bad-window", window.span, "this window ends before it begins");
            } else if let (Some(length), Some(repeat)) = (length, repeat)
                && to > length
            {
                let message = format!("this window ends at {to}, beyond `repeat`, {length}");
                let found = Diagnostic::error("bad-window", window.span, message);
                self.found.push(found.related(repeat.span, "all windows come again here"));
            }
        }
    }

    fn civil_calendar(&mut self, calendar: &Calendar, civil: &Civil) {
        let Some(start) = self.spec.time.start.as_ref().map(|start| start.value) else {
            let has_any = civil.weekly.is_some() || !civil.closed.is_empty();
            if has_any || !civil.open.is_empty() {
                let message = "a calendar with civil time needs a start";
                let found = Diagnostic::error("missing-start", calendar.name.span, message);
                let hint = "set `time: {unit: minute, start: 2026-01-05T06:00}`";
                self.found.push(found.hint(hint));
            }
            return;
        };
        let Some(unit) = self.spec.time.unit.seconds() else { return };
        if unit == 1 {
            return;
        }
        let week = Week::new(civil.weekly.as_deref());
        self.shift_edges(civil.weekly.as_deref().unwrap_or_default(), &week, start, unit);
        let open_time = OpenTime {
            week,
            is_always: civil.weekly.is_none() && !civil.closed.is_empty(),
            closed: merged(&civil.closed),
            open: merged(&civil.open),
        };
        for stretch in civil.closed.iter().chain(&civil.open) {
            self.stretch_edges(stretch, &open_time, unit);
        }
    }

    /// Each shift comes again in weeks that nothing else touches, so its edges are edges of
    /// windows unless another shift covers them. Daylight saving is left to those who unfold the
    /// calendar.
    fn shift_edges(&mut self, weekly: &[Weekly], week: &Week, start: DateTime, unit: i64) {
        let origin = second_of_week(plain(start));
        for line in weekly {
            for shift in &line.shifts {
                let is_inside = |&day: &jiff::civil::Weekday| {
                    let (from, to) = Week::shift(day, shift.value.from, shift.value.to);
                    [from, to]
                        .into_iter()
                        .any(|edge| (edge - origin).rem_euclid(unit) != 0 && week.is_edge(edge))
                };
                if line.days.value.iter().any(is_inside) {
                    self.inside_a_unit(shift.span);
                }
            }
        }
    }

    fn stretch_edges(&mut self, stretch: &At<Stretch>, open_time: &OpenTime, unit: i64) {
        let (from, to) = stretch.value.bounds();
        for edge in [Some(from), to].into_iter().flatten() {
            let Some(seconds) = self.spec.time.seconds_from_start(edge) else { continue };
            let second = plain(edge);
            let is_edge = open_time.is_open(second - 1) != open_time.is_open(second);
            if seconds > 0 && seconds % unit != 0 && is_edge {
                self.inside_a_unit(stretch.span);
                return;
            }
        }
    }

    fn inside_a_unit(&mut self, span: Span) {
        let unit = self.spec.time.unit.name();
        let article = if unit == "hour" { "an" } else { "a" };
        let message = format!("a window would begin or end inside {article} {unit}");
        let found = Diagnostic::error("not-whole", span, message);
        self.found.push(match &self.spec.time.start {
            Some(start) => found.related(start.span, format!("{unit}s are counted from here")),
            None => found,
        });
    }
}

/// Open time as the calendar says it, second by second, without daylight saving.
struct OpenTime {
    week: Week,
    /// Not even a week is written.
    is_always: bool,
    closed: BTreeMap<i64, i64>,
    open: BTreeMap<i64, i64>,
}

impl OpenTime {
    fn is_open(&self, second: i64) -> bool {
        let within = |stretches: &BTreeMap<i64, i64>| {
            stretches.range(..=second).next_back().is_some_and(|(_, &end)| second < end)
        };
        let is_usual = self.is_always || self.week.is_open(second_of_week(second));
        within(&self.open) || (is_usual && !within(&self.closed))
    }
}

/// The shifts of a week as stretches from Monday 00:00; touching ones are one.
struct Week(BTreeMap<i64, i64>);

impl Week {
    fn new(weekly: Option<&[Weekly]>) -> Week {
        let mut all = Vec::new();
        for line in weekly.unwrap_or_default() {
            for &day in &line.days.value {
                for shift in &line.shifts {
                    let (from, to) = Week::shift(day, shift.value.from, shift.value.to);
                    all.push((from, to.min(WEEK)));
                    if to > WEEK {
                        all.push((0, to - WEEK));
                    }
                }
            }
        }
        Week(join(all))
    }

    fn shift(day: jiff::civil::Weekday, from: i32, to: i32) -> (i64, i64) {
        let midnight = i64::from(day.to_monday_zero_offset()) * DAY;
        let next = if to <= from { DAY } else { 0 };
        (midnight + i64::from(from), midnight + i64::from(to) + next)
    }

    fn is_open(&self, second: i64) -> bool {
        self.0.range(..=second).next_back().is_some_and(|(_, &end)| second < end)
    }

    fn is_edge(&self, second: i64) -> bool {
        let before = (second - 1).rem_euclid(WEEK);
        self.is_open(before) != self.is_open(second.rem_euclid(WEEK))
    }
}

/// 1970-01-01 was a Thursday.
fn second_of_week(second: i64) -> i64 {
    (second + 3 * DAY).rem_euclid(WEEK)
}

fn merged(stretches: &[At<Stretch>]) -> BTreeMap<i64, i64> {
    let seconds = stretches.iter().map(|stretch| {
        let (from, to) = stretch.value.bounds();
        (plain(from), to.map_or(i64::MAX, plain))
    });
    join(seconds.collect())
}

fn join(mut all: Vec<(i64, i64)>) -> BTreeMap<i64, i64> {
    all.sort_unstable();
    let mut joined: Vec<(i64, i64)> = Vec::new();
    for (from, to) in all {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined.into_iter().collect()
}

/// Seconds since 1970 as if every day had 24 hours.
fn plain(moment: DateTime) -> i64 {
    moment.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0)).as_secs()
}
