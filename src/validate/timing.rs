//! How long a step lasts, and whether it works in open time.

use super::Errors;
use super::amount;
use super::open::{self, Open};
use super::place::Placed;
use super::plant::Plant;

/// To say when a step should have ended, no more windows than these are looked at.
const PATIENCE: usize = 10_000;
/// Nor any that opens so long after the end that the schedule tells.
const AHEAD: i64 = 100_000;

/// The work of a step. Alternatives that take the same are told apart by how long
/// the step lasts; where none fits, the first is meant.
pub fn check(plant: &Plant, placed: &Placed, errors: &mut Errors) -> Option<i64> {
    if placed.is_fact {
        return Some(placed.claim.unwrap_or(placed.end.saturating_sub(placed.start)));
    }
    let mut first: Option<(i64, Vec<Found>)> = None;
    for &way in &placed.ways {
        let Some(work) = plant.work(placed.order, way, &placed.taken) else { continue };
        let found = Timing::new(plant, placed, work).judge();
        let fits = found.iter().all(|(rule, _)| *rule != "duration");
        if fits || first.is_none() {
            first = Some((work, found));
        }
        if fits {
            break;
        }
    }
    let Some((work, found)) = first else {
        if !placed.ways.is_empty() {
            let message = "its duration is too large to compute with".to_owned();
            errors.push(placed.order, placed.step, "duration", message);
        }
        return None;
    };
    for (rule, message) in found {
        errors.push(placed.order, placed.step, rule, message);
    }
    if let Some(claim) = placed.claim.filter(|claim| *claim != work) {
        let message = format!("its work is {work}, not {claim}");
        errors.push(placed.order, placed.step, "work", message);
    }
    Some(work)
}

type Found = (&'static str, String);

struct Timing<'p, 'a> {
    plant: &'p Plant<'a>,
    placed: &'p Placed<'a>,
    work: i64,
    calendars: Vec<&'p Open>,
}

impl<'p, 'a> Timing<'p, 'a> {
    fn new(plant: &'p Plant<'a>, placed: &'p Placed<'a>, work: i64) -> Timing<'p, 'a> {
        let open = |&(pool, unit): &(usize, Option<usize>)| plant.open(pool, unit);
        let mut calendars: Vec<_> = placed.taken.iter().filter_map(open).collect();
        calendars.sort_by_key(|(number, _)| *number);
        calendars.dedup_by_key(|(number, _)| *number);
        let calendars = calendars.into_iter().map(|(_, open)| open).collect();
        Timing { plant, placed, work, calendars }
    }

    fn judge(&self) -> Vec<Found> {
        let mut found = Vec::new();
        if self.calendars.is_empty() {
            self.lasts(&mut found);
        } else if self.placed.step.interruptible.is_some() {
            self.starts_open(&mut found);
            self.works_on(&mut found);
        } else {
            self.lasts(&mut found);
            if self.starts_open(&mut found) {
                self.stays_open(&mut found);
            }
        }
        found
    }

    fn show(&self, at: i64) -> String {
        self.plant.clock.show(at)
    }

    /// Without pauses.
    fn lasts(&self, found: &mut Vec<Found>) {
        let Placed { start, end, .. } = *self.placed;
        let lasts = i128::from(end) - i128::from(start);
        if lasts != i128::from(self.work) {
            let (start, end) = (self.show(start), self.show(end));
            let message = format!("lasts {lasts}, from {start} to {end}, instead of {}", self.work);
            found.push(("duration", message));
        }
    }

    fn starts_open(&self, found: &mut Vec<Found>) -> bool {
        let start = self.placed.start;
        let window = open::common(&self.calendars, start, start.saturating_add(1));
        if window.is_some_and(|window| window.0 <= start) {
            return true;
        }
        let message = format!("starts at {} in closed time", self.show(start));
        found.push(("calendar", message));
        false
    }

    /// Inside the window in which it starts.
    fn stays_open(&self, found: &mut Vec<Found>) {
        let Placed { start, end, .. } = *self.placed;
        let window = open::common(&self.calendars, start, start.saturating_add(1));
        if let Some((_, close)) = window.filter(|window| window.1 < end) {
            let (end, close) = (self.show(end), self.show(close));
            let message = format!("works until {end}, but closing time is at {close}");
            found.push(("calendar", message));
        }
    }

    /// In all open time from its start until its work is done.
    fn works_on(&self, found: &mut Vec<Found>) {
        let Placed { start, end, .. } = *self.placed;
        let longest = self.longest_pause();
        let (mut left, mut at, mut windows) = (self.work, start, 0);
        let expected = loop {
            // Whatever opens after its end can only tell when it should have ended.
            let until = if windows < PATIENCE { end.saturating_add(AHEAD) } else { end };
            let window = open::common(&self.calendars, at, until);
            let Some((open, close)) = window else { break None };
            let pause = open.saturating_sub(at);
            if windows > 0 && pause > longest && at < end {
                let (from, to) = (self.show(at), self.show(open));
                let message =
                    format!("pauses from {from} to {to}, for {pause}; {longest} is allowed");
                found.push(("pause", message));
            }
            let from = open.max(at);
            if close.saturating_sub(from) >= left {
                break from.checked_add(left);
            }
            left -= close - from;
            (at, windows) = (close, windows + 1);
        };
        if expected != Some(end) {
            let right = match expected {
                Some(right) => self.show(right),
                None => "a later time".to_owned(),
            };
            let message = format!(
                "ends at {}, but started at {} its work of {} is done at {right}",
                self.show(end),
                self.show(start),
                self.work
            );
            found.push(("duration", message));
        }
    }

    fn longest_pause(&self) -> i64 {
        let pause = self.placed.step.interruptible.as_ref().and_then(|pause| pause.max.as_ref());
        let scope = self.plant.spec.scope(self.placed.order);
        pause.map_or(i64::MAX, |pause| amount::whole(pause, scope).unwrap_or(i64::MAX))
    }
}
