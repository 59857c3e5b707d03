//! Open time: calendars as windows of model time, and where several are open at once.

use super::civil::Clock;
use jiff::ToSpan;
use jiff::civil::{Date, DateTime};
use takt_spec::{Calendar, Civil, Edge, Expr, Pattern, Shift, Spec, Stretch, Windows};

/// [from, to), in units or in seconds.
pub type Stretched = (i64, i64);

const DAY: i64 = 86_400;

/// When something is open: disjoint windows by time, none touching another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    windows: Vec<Stretched>,
    /// The windows come again after so much time; then only the last may reach beyond it, into the
    /// next round.
    repeat: Option<i64>,
}

impl Open {
    /// A calendar, up to some instant at least.
    pub fn new(spec: &Spec, clock: &Clock, calendar: &Calendar, until: i64) -> Open {
        match &calendar.pattern {
            Pattern::Windows(windows) => Open::pattern(spec, windows),
            Pattern::Civil(civil) => Open::civil(clock, civil, until),
        }
    }

    fn pattern(spec: &Spec, pattern: &Windows) -> Open {
        let amount = |expr: &Expr| super::amount::whole(expr, spec.constants());
        let edges = |w: &takt_spec::Window| Some((amount(&w.from)?, amount(&w.to)?));
        let mut windows = joined(pattern.windows.iter().filter_map(edges).collect());
        let repeat = pattern.repeat.as_ref().and_then(amount).filter(|&repeat| repeat > 0);
        if let (Some(repeat), [first, .., last]) = (repeat, &windows[..])
            && first.0 == 0
            && last.1 == repeat
        {
            let (end, count) = (first.1, windows.len());
            windows[count - 1].1 += end;
            windows.remove(0);
        }
        Open { windows, repeat }
    }

    /// What `weekly` says, without `closed`, together with `open`.
    fn civil(clock: &Clock, civil: &Civil, until: i64) -> Open {
        let unit = clock.unit();
        let end = until.saturating_mul(unit);
        let usual = match &civil.weekly {
            Some(_) => weekly(clock, civil, end),
            None if civil.closed.is_empty() => Vec::new(),
            None => vec![(0, end)],
        };
        let stretches = |all: &[takt_spec::At<Stretch>]| {
            joined(all.iter().filter_map(|stretch| seconds(clock, &stretch.value)).collect())
        };
        let mut open = without(&usual, &stretches(&civil.closed));
        open.extend(stretches(&civil.open));
        // A unit counts if all of it is open; so the edges move inwards.
        let inner = |(from, to): Stretched| (-(-from).div_euclid(unit), to.div_euclid(unit));
        let windows = joined(open).into_iter().map(inner).collect();
        Open { windows: joined(windows), repeat: None }
    }

    /// The first window that ends after `at`, from 0 on.
    pub fn window(&self, at: i64) -> Option<Stretched> {
        let at = at.max(0);
        let Some(repeat) = self.repeat else {
            let next = self.windows.partition_point(|window| window.1 <= at);
            return self.windows.get(next).copied();
        };
        if let [(0, end)] = self.windows[..]
            && end == repeat
        {
            return Some((0, i64::MAX));
        }
        let round = at / repeat;
        let shifted = |window: &Stretched, round: i64| {
            let by = round.saturating_mul(repeat);
            (window.0.saturating_add(by).max(0), window.1.saturating_add(by))
        };
        let begun = self.windows.last().map(|last| shifted(last, round - 1));
        if let Some(begun) = begun.filter(|begun| begun.1 > at) {
            return Some(begun);
        }
        let next = self.windows.partition_point(|window| shifted(window, round).1 <= at);
        match self.windows.get(next) {
            Some(window) => Some(shifted(window, round)),
            None => self.windows.first().map(|first| shifted(first, round.saturating_add(1))),
        }
    }
}

/// The first window that ends after `at` and in which all are open; nothing is looked for that
/// opens at `until` or later.
pub fn common(all: &[&Open], mut at: i64, until: i64) -> Option<Stretched> {
    loop {
        let (mut from, mut to) = (i64::MIN, i64::MAX);
        for open in all {
            let window = open.window(at)?;
            (from, to) = (from.max(window.0), to.min(window.1));
        }
        if from >= until {
            return None;
        }
        if from < to {
            return Some((from, to));
        }
        at = from;
    }
}

/// The shifts of all days until `end`, in seconds. A shift belongs to the day it starts on.
fn weekly(clock: &Clock, civil: &Civil, end: i64) -> Vec<Stretched> {
    let mut shifts: [Vec<Shift>; 7] = Default::default();
    for line in civil.weekly.iter().flatten() {
        for day in &line.days.value {
            let own = &mut shifts[day.to_monday_zero_offset() as usize];
            own.extend(line.shifts.iter().map(|shift| shift.value));
        }
    }
    let mut found = Vec::new();
    let first = clock.start().and_then(|start| start.date().checked_sub(2.days()).ok());
    let mut next = first;
    while let Some(day) = next {
        let midnight = clock.seconds(day.into());
        if midnight.is_none_or(|midnight| midnight > end) {
            break;
        }
        for shift in &shifts[day.weekday().to_monday_zero_offset() as usize] {
            let over = if shift.to <= shift.from { DAY } else { 0 };
            let from = time_of(day, i64::from(shift.from)).and_then(|from| clock.seconds(from));
            let to = time_of(day, i64::from(shift.to) + over).and_then(|to| clock.seconds(to));
            found.extend(from.zip(to));
        }
        next = day.tomorrow().ok();
    }
    joined(found)
}

/// What the clock on the wall shows so long after midnight of an ordinary day.
fn time_of(day: Date, seconds: i64) -> Option<DateTime> {
    DateTime::from(day).checked_add(seconds.seconds()).ok()
}

/// A stretch of civil time in seconds from 0.
fn seconds(clock: &Clock, stretch: &Stretch) -> Option<Stretched> {
    let from = match stretch.from {
        Edge::Day(day) => clock.seconds(day.into()),
        Edge::Moment(moment) => clock.seconds(moment),
    };
    let to = match stretch.to {
        // What ends after the last day that can be counted never ends.
        Edge::Day(day) => {
            Some(day.tomorrow().ok().and_then(|d| clock.seconds(d.into())).unwrap_or(i64::MAX))
        }
        Edge::Moment(moment) => clock.seconds(moment),
    };
    from.zip(to)
}

/// By time, cut at 0, those that touch or overlap made one.
fn joined(mut all: Vec<Stretched>) -> Vec<Stretched> {
    all.sort_unstable();
    let mut joined: Vec<Stretched> = Vec::new();
    for (from, to) in all {
        let from = from.max(0);
        match joined.last_mut() {
            _ if to <= from => {}
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

/// What is left of disjoint windows; both lists are joined.
fn without(windows: &[Stretched], closed: &[Stretched]) -> Vec<Stretched> {
    let mut left = Vec::new();
    let mut next = 0;
    for &(mut from, to) in windows {
        while next < closed.len() && closed[next].1 <= from {
            next += 1;
        }
        for &(begin, end) in closed[next..].iter().take_while(|closed| closed.0 < to) {
            if from < begin {
                left.push((from, begin));
            }
            from = from.max(end);
        }
        if from < to {
            left.push((from, to));
        }
    }
    left
}
