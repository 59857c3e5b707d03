//! Calendars as the starts that they allow, with the length that follows from each.

use crate::plan::{Calendar, CalendarId, Plan};
use std::collections::BTreeMap;
use std::sync::Arc;
use takt_learn::Segment;

/// Segments of calendars, made once for all steps that are alike.
#[derive(Debug, Default)]
pub struct Segments(BTreeMap<(CalendarId, i64, Option<i64>), Arc<[Segment]>>);

impl Segments {
    pub fn of(
        &mut self,
        plan: &Plan,
        calendar: CalendarId,
        work: i64,
        pause: Option<i64>,
    ) -> Arc<[Segment]> {
        let made = self.0.entry((calendar, work, pause));
        let make = || segments(&plan.calendars[calendar], work, pause, plan.horizon).into();
        made.or_insert_with(make).clone()
    }
}

fn segments(calendar: &Calendar, work: i64, pause: Option<i64>, horizon: i64) -> Vec<Segment> {
    let mut found = Vec::new();
    for (k, window) in calendar.windows.iter().enumerate() {
        let Some(last) = calendar.last_start(k, work, pause) else { continue };
        let last = last.min(horizon);
        let mut first = window.open;
        while first <= last {
            let Some(end) = calendar.end(first, work, pause) else { break };
            // A later start ends as much later, until the window in which it ends closes.
            let closing = calendar.windows.partition_point(|window| window.close < end);
            let room = calendar.windows.get(closing).map_or(0, |window| window.close - end);
            let until = last.min(first + room);
            found.push(Segment { first, last: until, length: end - first });
            first = until + 1;
        }
    }
    found
}
