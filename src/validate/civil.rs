//! Instants of a spec in units, and for the user's eyes.

use jiff::civil::DateTime;
use takt_spec::{Instant, Spec, Time};

/// Reads and writes the instants of one spec.
pub struct Clock<'s> {
    time: &'s Time,
}

impl<'s> Clock<'s> {
    pub fn new(spec: &'s Spec) -> Clock<'s> {
        Clock { time: &spec.time }
    }

    /// Seconds from instant 0 to a civil moment, negative before it. `None` without a start, or
    /// beyond the dates that can be counted.
    pub fn seconds(&self, moment: DateTime) -> Option<i64> {
        self.time.seconds_from_start(moment)
    }

    /// The civil moment of instant 0.
    pub fn start(&self) -> Option<DateTime> {
        self.time.civil(0)
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
        match self.time.civil(at) {
            Some(_) => format!("{} ({at})", self.time.told(at)),
            None => at.to_string(),
        }
    }

    /// Whether a text is the civil time of an instant; seconds may be left out where they are 0.
    pub fn is_at(&self, at: i64, text: &str) -> bool {
        text.parse::<DateTime>().is_ok_and(|moment| self.time.civil(at) == Some(moment))
    }
}
