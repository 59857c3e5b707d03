//! Open time as whole windows of model time.

use super::Window;
use super::build::Found;
use jiff::ToSpan;
use jiff::civil::{Date, DateTime};
use num_traits::ToPrimitive;
use takt_diagnostic::{Diagnostic, Span};
use takt_spec::{self as spec, Edge, Pattern, Scope, Spec, Time};

const DAY: i64 = 86_400;

/// After 28 years every date falls on the same day of the week again, until 2100.
const WEEKS_OF_DATES: i64 = 1461;

/// Windows of one calendar.
const MAX_WINDOWS: usize = 300_000;

/// What says when something is open.
pub enum Source<'s> {
    Written(Written<'s>),
    /// In this window alone.
    Only(Window),
    /// At no time.
    Never,
}

impl Source<'_> {
    pub fn rhythm(&self) -> Found<Rhythm> {
        match self {
            Source::Written(calendar) => calendar.rhythm(),
            Source::Only(window) => Ok(Rhythm { from: window.close, period: None, long: None }),
            Source::Never => Ok(Rhythm { from: 0, period: None, long: None }),
        }
    }

    /// The windows that open before `until`; what goes on after it may be cut there.
    pub fn windows(&self, until: i64) -> Found<Vec<Window>> {
        match self {
            Source::Written(calendar) => calendar.windows(until),
            Source::Only(window) => {
                Ok(Some(*window).into_iter().filter(|w| w.open < until).collect())
            }
            Source::Never => Ok(Vec::new()),
        }
    }
}

/// A calendar of the spec that can be written out as far as wanted.
pub struct Written<'s> {
    time: &'s Time,
    pattern: &'s Pattern,
    span: Span,
    /// Seconds per unit; 1 for ticks.
    unit: i64,
}

/// After which time a calendar goes on for ever in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rhythm {
    /// It repeats from here on.
    pub from: i64,
    /// `None`: it is closed for ever.
    pub period: Option<i64>,
    /// With daylight saving: when dates, days of the week and changes of the clock come together
    /// again. Before, some weeks differ by an hour.
    pub long: Option<i64>,
}

impl Rhythm {
    /// Daylight saving makes some weeks differ by an hour.
    pub fn is_guessed(&self) -> bool {
        self.period.is_some() && self.long.is_some()
    }

    /// After this time everything comes again exactly.
    pub fn full_period(&self) -> Option<i64> {
        self.period.map(|period| self.long.unwrap_or(period))
    }
}

impl<'s> Written<'s> {
    pub fn new(spec: &'s Spec, calendar: &'s spec::Calendar) -> Written<'s> {
        Written {
            time: &spec.time,
            pattern: &calendar.pattern,
            span: calendar.name.span,
            unit: spec.time.unit.seconds().unwrap_or(1),
        }
    }

    fn rhythm(&self) -> Found<Rhythm> {
        match self.pattern {
            Pattern::Windows(windows) => {
                let last = windows.windows.iter().map(|w| self.amount(&w.to)).max().unwrap_or(0);
                let period = windows.repeat.as_ref().map(|repeat| self.amount(repeat));
                Ok(Rhythm { from: if period.is_some() { 0 } else { last }, period, long: None })
            }
            Pattern::Civil(civil) => {
                let mut from = 0;
                for stretch in civil.closed.iter().chain(&civil.open) {
                    from = from.max(self.end(stretch.value.to)?.div_euclid(self.unit) + 1);
                }
                let is_ever_open = match &civil.weekly {
                    Some(weekly) => weekly.iter().any(|line| !line.shifts.is_empty()),
                    None => !civil.closed.is_empty(),
                };
                // A week in units; a unit of a day divides it.
                let week = 7 * DAY / self.unit;
                let has_changes = (self.time.zone.as_ref())
                    .is_some_and(|zone| zone.value.to_fixed_offset().is_err());
                let long = has_changes.then_some(week * WEEKS_OF_DATES);
                Ok(Rhythm { from, period: is_ever_open.then_some(week), long })
            }
        }
    }

    fn windows(&self, until: i64) -> Found<Vec<Window>> {
        let seconds = match self.pattern {
            Pattern::Windows(windows) => return Ok(joined(self.repeated(windows, until)?)),
            Pattern::Civil(civil) => self.civil(civil, until)?,
        };
        let mut found = Vec::new();
        for window in seconds {
            for edge in [window.open, window.close] {
                // What lies before 0 or after the end is cut anyway.
                if edge % self.unit != 0 && edge > 0 && edge < until.saturating_mul(self.unit) {
                    return Err(self.inside_a_unit());
                }
            }
            let unit = self.unit;
            found.push(Window {
                open: window.open.div_euclid(unit),
                close: window.close.div_euclid(unit),
            });
        }
        Ok(joined(found).into_iter().filter(|window| window.open < until).collect())
    }

    fn inside_a_unit(&self) -> Box<Diagnostic> {
        let unit = self.time.unit.name();
        let message = "a window begins or ends inside a unit";
        let found = Diagnostic::error("not-whole", self.span, message);
        let found = found.label(format!("not at a whole {unit} from the start"));
        Box::new(found.hint("choose a smaller unit of time, or another start"))
    }

    fn amount(&self, expr: &spec::Expr) -> i64 {
        let scope = Scope { unit: self.time.unit, order: None };
        expr.duration(scope).ok().and_then(|exact| exact.ceil().to_integer().to_i64()).unwrap_or(0)
    }

    fn repeated(&self, windows: &spec::Windows, until: i64) -> Found<Vec<Window>> {
        let one: Vec<Window> = (windows.windows.iter())
            .map(|w| Window { open: self.amount(&w.from), close: self.amount(&w.to) })
            .collect();
        let Some(period) = windows.repeat.as_ref().map(|r| self.amount(r)).filter(|&p| p > 0)
        else {
            return Ok(one);
        };
        if joined(one.clone()) == [Window { open: 0, close: period }] {
            return Ok(vec![Window { open: 0, close: until.saturating_add(1) }]);
        }
        // Joined at once, as many of them may be one.
        let mut all: Vec<Window> = Vec::new();
        let mut at = 0;
        while at <= until {
            let again = one.iter().map(|w| Window { open: at + w.open, close: at + w.close });
            let from = all.pop();
            all.extend(joined(from.into_iter().chain(again).collect()));
            if all.len() > MAX_WINDOWS {
                return Err(self.too_many());
            }
            at += period;
        }
        all.retain(|window| window.open <= until);
        Ok(all)
    }

    fn too_many(&self) -> Box<Diagnostic> {
        let message = "this calendar has too many windows until everything can be done";
        let found = Diagnostic::error("too-large", self.span, message);
        let found = found.label(format!("at most {MAX_WINDOWS}"));
        Box::new(found.hint("choose larger windows, or give every order a deadline"))
    }

    /// In seconds from 0: what `weekly` says, without `closed`, together with `open`.
    fn civil(&self, civil: &spec::Civil, until: i64) -> Found<Vec<Window>> {
        let start = self.start();
        let end = until.saturating_add(1).saturating_mul(self.unit);
        let mut open = match &civil.weekly {
            None if civil.closed.is_empty() => Vec::new(),
            None => vec![Window { open: 0, close: end }],
            Some(weekly) => {
                let mut open = Vec::new();
                // Shifts of the day before may last until today.
                let mut day = start.date().checked_sub(2.days()).map_err(|_| self.far())?;
                while self.instant(day.into())? < end {
                    let today = weekly.iter().filter(|w| w.days.value.contains(&day.weekday()));
                    for shift in today.flat_map(|line| &line.shifts) {
                        let spec::Shift { from, to } = shift.value;
                        let next = if to <= from { DAY } else { 0 };
                        open.push(Window {
                            open: self.instant(self.after_midnight(day, i64::from(from))?)?,
                            close: self.instant(self.after_midnight(day, i64::from(to) + next)?)?,
                        });
                    }
                    day = day.checked_add(1.day()).map_err(|_| self.far())?;
                    if open.len() > MAX_WINDOWS {
                        return Err(self.too_many());
                    }
                }
                joined(open)
            }
        };
        for closed in &civil.closed {
            let (from, to) = (self.begin(closed.value.from)?, self.end(closed.value.to)?);
            open = open.iter().flat_map(|w| without(*w, from, to)).collect();
        }
        for stretch in &civil.open {
            let (open_at, close) = (self.begin(stretch.value.from)?, self.end(stretch.value.to)?);
            open.push(Window { open: open_at, close });
        }
        Ok(joined(open))
    }

    fn after_midnight(&self, day: Date, seconds: i64) -> Found<DateTime> {
        DateTime::from(day).checked_add(seconds.seconds()).map_err(|_| self.far())
    }

    fn begin(&self, edge: Edge) -> Found<i64> {
        match edge {
            Edge::Day(day) => self.instant(day.into()),
            Edge::Moment(moment) => self.instant(moment),
        }
    }

    fn end(&self, edge: Edge) -> Found<i64> {
        match edge {
            Edge::Day(day) => {
                self.instant(day.checked_add(1.day()).map_err(|_| self.far())?.into())
            }
            Edge::Moment(moment) => self.instant(moment),
        }
    }

    fn start(&self) -> DateTime {
        self.time.start.as_ref().map_or_else(DateTime::default, |start| start.value)
    }

    fn instant(&self, moment: DateTime) -> Found<i64> {
        self.time.seconds_from_start(moment).ok_or_else(|| self.far())
    }

    fn far(&self) -> Box<Diagnostic> {
        let message = "the calendar reaches beyond the year 9999";
        let found = Diagnostic::error("too-large", self.span, message);
        Box::new(found.hint("choose a larger unit of time"))
    }
}

fn without(window: Window, from: i64, to: i64) -> Vec<Window> {
    let parts = [
        Window { open: window.open, close: window.close.min(from) },
        Window { open: window.open.max(to), close: window.close },
    ];
    if from >= to {
        return vec![window];
    }
    parts.into_iter().filter(|part| part.open < part.close).collect()
}

/// Sorted, cut at 0, and what touches or overlaps made one.
pub fn joined(mut windows: Vec<Window>) -> Vec<Window> {
    windows.sort_unstable();
    let mut found: Vec<Window> = Vec::new();
    for window in windows {
        let window = Window { open: window.open.max(0), ..window };
        match found.last_mut() {
            _ if window.open >= window.close => {}
            Some(last) if window.open <= last.close => last.close = last.close.max(window.close),
            _ => found.push(window),
        }
    }
    found
}

/// Where both are open.
pub fn common(a: &[Window], b: &[Window]) -> Vec<Window> {
    let (mut i, mut j) = (0, 0);
    let mut found = Vec::new();
    while i < a.len() && j < b.len() {
        let both = Window { open: a[i].open.max(b[j].open), close: a[i].close.min(b[j].close) };
        if both.open < both.close {
            found.push(both);
        }
        if a[i].close < b[j].close { i += 1 } else { j += 1 }
    }
    found
}
