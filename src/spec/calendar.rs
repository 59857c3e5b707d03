//! When resources work, as it was written.

use super::{At, Expr};
use jiff::civil::{Date, DateTime, Weekday};
use takt_diagnostic::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calendar {
    pub name: At<String>,
    /// On which it builds; the pattern has all of that.
    pub like: Option<At<String>>,
    pub pattern: Pattern,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// There only if the spec's start is known.
    Civil(Civil),
    Windows(Windows),
}

/// Open time is what `weekly` says, without `closed`, together with `open`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Civil {
    /// `None`: not written. Then all time is open if `closed` is written, none otherwise.
    pub weekly: Option<Vec<Weekly>>,
    pub closed: Vec<At<Stretch>>,
    pub open: Vec<At<Stretch>>,
}

/// One line of `weekly`; a day may stand in several, and has the union of their shifts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weekly {
    pub days: At<Vec<Weekday>>,
    pub shifts: Vec<At<Shift>>,
}

/// Seconds after midnight of the day it starts on. `from` < 24 h, `to` <= 24 h, and a shift with
/// `to` <= `from` ends on the next day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    pub from: i32,
    pub to: i32,
}

/// From the beginning of `from` to the end of `to`; `from` lies before `to`, or both are the
/// same day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub from: Edge,
    pub to: Edge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// As a beginning 00:00 of that day, as an end 24:00.
    Day(Date),
    Moment(DateTime),
}

impl Stretch {
    /// The first moment, and the first after it; there may be none after the last day that can be counted.
    pub fn bounds(&self) -> (DateTime, Option<DateTime>) {
        let from = match self.from {
            Edge::Day(day) => day.at(0, 0, 0, 0),
            Edge::Moment(moment) => moment,
        };
        let to = match self.to {
            Edge::Day(day) => day.tomorrow().ok().map(|next| next.at(0, 0, 0, 0)),
            Edge::Moment(moment) => Some(moment),
        };
        (from, to)
    }
}

/// Open windows in model time, without civil time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Windows {
    pub windows: Vec<Window>,
    /// All windows come again after so much time; without it nothing is open after the last.
    pub repeat: Option<Expr>,
}

/// Open time [from, to), with `from` < `to`; names nothing of orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub from: Expr,
    pub to: Expr,
    pub span: Span,
}
