//! When a step with a calendar may start, and when it then ends.

use super::{Calendar, Mode, Plan, Step};

impl Calendar {
    /// The window that is open at the instant.
    pub fn at(&self, instant: i64) -> Option<usize> {
        let next = self.windows.partition_point(|window| window.open <= instant);
        next.checked_sub(1).filter(|&k| instant < self.windows[k].close)
    }

    /// The end of work that starts at the instant; `None` where it may not start. Without `pause`
    /// it must lie inside one window; with it, each pause may last so long.
    pub fn end(&self, start: i64, work: i64, pause: Option<i64>) -> Option<i64> {
        let first = self.at(start)?;
        let mut left = work;
        let mut from = start;
        for (k, window) in self.windows.iter().enumerate().skip(first) {
            if k > first {
                let gap = window.open - self.windows[k - 1].close;
                if pause.is_none_or(|longest| gap > longest) {
                    return None;
                }
                from = window.open;
            }
            if from + left <= window.close {
                return Some(from + left);
            }
            left -= window.close - from;
        }
        None
    }

    /// The last instant of this window at which the work may start, if there is one. All
    /// instants of the window before it will do as well: an earlier start ends no later and has
    /// no other pauses than a later one.
    pub fn last_start(&self, k: usize, work: i64, pause: Option<i64>) -> Option<i64> {
        let window = self.windows[k];
        // What the windows after this one can do before a pause that is too long.
        let mut later = 0;
        for pair in self.windows[k..].windows(2) {
            let gap = pair[1].open - pair[0].close;
            if later >= work || pause.is_none_or(|longest| gap > longest) {
                break;
            }
            later += pair[1].close - pair[1].open;
        }
        let last = (window.close - (work - later).max(1)).min(window.close - 1);
        (last >= window.open).then_some(last)
    }

    /// The first instant from this one on at which the work may start.
    pub fn next_start(&self, from: i64, work: i64, pause: Option<i64>) -> Option<i64> {
        let first = self.windows.partition_point(|window| window.close <= from);
        (first..self.windows.len()).find_map(|k| {
            let last = self.last_start(k, work, pause)?;
            let start = self.windows[k].open.max(from);
            (start <= last).then_some(start)
        })
    }
}

impl Plan {
    /// The end of a step that starts at the instant in this mode; `None` where its calendar
    /// does not let it.
    pub fn end(&self, step: &Step, mode: &Mode, start: i64) -> Option<i64> {
        match mode.calendar {
            None => Some(start + mode.duration),
            Some(calendar) => self.calendars[calendar].end(start, mode.duration, step.pause),
        }
    }

    /// The first instant from this one on at which the calendar lets the step start.
    pub fn next_start(&self, step: &Step, mode: &Mode, from: i64) -> Option<i64> {
        match mode.calendar {
            None => Some(from),
            Some(calendar) => self.calendars[calendar].next_start(from, mode.duration, step.pause),
        }
    }
}

/// How long work on a calendar may have to wait for its start, from the base on, and how long it may
/// then take; with the last instant up to which that holds for all, as far as the windows show it.
pub fn longest(calendar: &Calendar, base: i64, work: i64, pause: Option<i64>) -> (i64, i64, i64) {
    let (mut wait, mut span, mut free_from, mut until) = (0, work, base, i64::MIN);
    for (k, window) in calendar.windows.iter().enumerate() {
        let Some(last) = calendar.last_start(k, work, pause) else { continue };
        if last >= base {
            wait = wait.max(window.open - free_from);
            free_from = last;
        }
        until = last;
        for start in [window.open, last] {
            span = span.max(calendar.end(start, work, pause).map_or(0, |end| end - start));
        }
    }
    (wait, span, until)
}
