//! When a step with a calendar may start, and when it then ends.

use super::{Calendar, Mode, Plan, Step, Window};

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

/// Windows that are looked at one by one before the rest is searched.
const NEAR: usize = 8;

impl Calendar {
    /// The first place for the work from this instant on. `near` is a window that closes after no
    /// later instant was asked for; it is kept for the next call, so that a search that goes forward
    /// need not find its way from the beginning each time.
    fn place(
        &self,
        from: i64,
        work: i64,
        pause: Option<i64>,
        near: &mut usize,
    ) -> Option<(i64, i64)> {
        let is_over = |window: &Window| window.close <= from;
        let steps = self.windows[*near..].iter().take(NEAR).take_while(|w| is_over(w)).count();
        *near += steps;
        if steps == NEAR {
            *near += self.windows[*near..].partition_point(is_over);
        }
        for (k, window) in self.windows.iter().enumerate().skip(*near) {
            let start = window.open.max(from);
            if start + work.max(1) <= window.close {
                return Some((start, start + work));
            }
            let is_kept =
                |_: &i64| self.last_start(k, work, pause).is_some_and(|last| start <= last);
            if pause.filter(is_kept).is_some() {
                return Some((start, self.end(start, work, pause)?));
            }
        }
        None
    }
}

impl Plan {
    /// The first start of the step from this instant on that its calendar allows, and the end that
    /// follows from it. `near` is 0 at first, and belongs to calls with growing instants.
    pub fn place(
        &self,
        step: &Step,
        mode: &Mode,
        from: i64,
        near: &mut usize,
    ) -> Option<(i64, i64)> {
        match mode.calendar {
            None => Some((from, from + mode.duration)),
            Some(calendar) => self.calendars[calendar].place(from, mode.duration, step.pause, near),
        }
    }

    /// The end of a step that starts at the instant in this mode; `None` where its calendar
    /// does not let it.
    pub fn end(&self, step: &Step, mode: &Mode, start: i64) -> Option<i64> {
        match mode.calendar {
            None => Some(start + mode.duration),
            Some(calendar) => self.calendars[calendar].end(start, mode.duration, step.pause),
        }
    }

    /// The first instant, of those from `from` on, from which on the step ends at `instant` or later. A later
    /// start never ends earlier.
    pub fn ending_at(&self, step: &Step, mode: &Mode, from: i64, instant: i64) -> i64 {
        let (mut low, mut high) = (from, instant.max(from));
        while low < high {
            let middle = low + (high - low) / 2;
            let start = self.next_start(step, mode, middle);
            let end = start.and_then(|start| self.end(step, mode, start));
            if end.is_none_or(|end| end >= instant) { high = middle } else { low = middle + 1 }
        }
        low
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

#[cfg(test)]
mod tests {
    use super::*;
    use takt_testing::Random;

    /// Places are those that start and end give, however far the search jumps.
    #[test]
    fn a_place_is_the_next_start_and_its_end() {
        let mut r = Random::new(7);
        let mut random = |below: i64| r.amount(below);
        for _ in 0..300 {
            let mut windows = Vec::new();
            let mut at = random(5);
            for _ in 0..random(40) {
                let close = at + 1 + random(9);
                windows.push(Window { open: at, close });
                at = close + 1 + random(6);
            }
            let calendar = Calendar { windows };
            let (work, pause) = (random(14), [None, Some(random(7))][random(2) as usize]);
            let (mut near, mut from) = (0, -2);
            while from < at + 3 {
                let start = calendar.next_start(from, work, pause);
                let expected =
                    start.map(|start| (start, calendar.end(start, work, pause).unwrap()));
                let found = calendar.place(from, work, pause, &mut near);
                assert_eq!(found, expected, "{calendar:?} {from} {work} {pause:?}");
                from += random(60) / 3;
            }
        }
    }
}
