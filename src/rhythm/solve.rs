//! Joins bounds and searches to an answer.

use super::beat::Beat;
use super::busy::busiest;
use super::closure::{Closure, Lasso};
use super::due::Due;
use super::expand::{Timing, expand};
use super::heuristic::Rules;
use super::machine::{Machine, total};
use super::settle::{Settled, settle};
use super::tidy::tidy;
use super::within::FAR;
use super::{Answer, Bound, Least, Options, Outcome, Rhythm, Stop, relax};
use crate::scanner::{Infinite, OpKind, Scanner};
use num_rational::Ratio;
use std::fmt::Write;

/// The states that a search for a schedule of a given interval may look at: it finds one soon, or
/// hardly ever.
pub(super) const QUICK: u64 = 60_000;

pub fn solve(scanner: &Scanner, options: &Options, is_over: &mut dyn FnMut() -> bool) -> Answer {
    let mut stop = Stop::new(is_over);
    let mut bound = Bound {
        interval: Ratio::from_integer(0),
        method: "nothing is proved".to_owned(),
        critical: String::new(),
    };
    let mut is_complete = true;
    let outcome = match barrier(scanner) {
        Some(reason) => Outcome::None(reason),
        None => match Machine::whole(scanner) {
            None => {
                bound = relax::track(scanner);
                Outcome::Unknown("the machine is too large, or its times are".to_owned())
            }
            Some(plain) => {
                let rules = Rules::new(&options.heuristics);
                let machine = Machine { rules, ..plain.clone() };
                is_complete = false;
                let (is_joint, plain) = (false, &plain);
                let mut search =
                    Search { machine, plain, options, bound, stop, is_complete, is_joint };
                let outcome = search.run();
                search.name_critical(&outcome);
                (bound, stop, is_complete) = (search.bound, search.stop, search.is_complete);
                outcome
            }
        },
    };
    Answer { outcome, bound, explored: stop.looked_at, is_complete }
}

/// Why no wafer can ever get through, if so. One wafer alone gets through whenever a robot reaches
/// a lock that takes in, and a robot one that lets out: all robots meet at the chucks.
pub(super) fn barrier(scanner: &Scanner) -> Option<String> {
    let served = |lock: &&crate::scanner::Lock| !lock.robots.is_empty();
    if scanner.chucks.is_empty() {
        return Some("there is no chuck".to_owned());
    }
    if !scanner.locks.iter().filter(served).any(|lock| lock.takes_in) {
        return Some("no lock takes wafers in for a robot".to_owned());
    }
    let out = scanner.locks.iter().filter(served).any(|lock| lock.lets_out);
    (!out).then(|| "no lock lets wafers out for a robot".to_owned())
}

pub(super) struct Search<'a, 'b> {
    /// With the heuristics: for schedules.
    pub machine: Machine,
    /// Without any: for proofs.
    pub plain: &'a Machine,
    pub options: &'a Options,
    pub bound: Bound,
    pub stop: Stop<'b>,
    pub is_complete: bool,
    /// Whether the bound rests on all resources together.
    pub is_joint: bool,
}

/// A schedule that was found, and the time at which its first wafer is due if it keeps the beat.
pub(super) struct Found {
    pub lasso: Lasso,
    pub beat: Option<(Due, i64)>,
    pub settled: Option<Settled>,
}

impl Found {
    pub fn on_beat(lasso: Lasso, due: Due, first: i64) -> Found {
        Found { lasso, beat: Some((due, first)), settled: None }
    }
}

impl Search<'_, '_> {
    fn run(&mut self) -> Outcome {
        self.find_bounds();
        if let Some(reason) = self.refusal() {
            return Outcome::None(reason);
        }
        match self.fastest() {
            Some(found) => {
                let rhythm = self.refine(found);
                self.within_limits(rhythm)
            }
            None => Outcome::Unknown("the search was ended before it found a schedule".to_owned()),
        }
    }

    fn find_bounds(&mut self) {
        self.stop.allow(self.options.effort);
        let bounds = relax::bounds(&self.machine.scanner, &mut self.stop).unwrap_or_default();
        self.raise(bounds);
    }

    fn raise(&mut self, bounds: impl IntoIterator<Item = Bound>) -> bool {
        let before = self.bound.interval;
        for bound in bounds {
            if bound.interval > self.bound.interval {
                self.bound = bound;
            }
        }
        self.bound.interval > before
    }

    /// The schedule of the least interval, of whatever gaps.
    fn fastest(&mut self) -> Option<Found> {
        if let Some(found) = self.at_bound_soon() {
            self.is_complete = true;
            return Some(found);
        }
        // Some schedule first: it may be all that there is time for.
        let whole = self.machine.clone();
        let known = self.not_far();
        let part = std::mem::replace(&mut self.machine, whole);
        if let Some(found) = self.at_bound() {
            self.is_complete = true;
            return Some(found);
        }
        self.closed(known, part)
    }

    fn at_bound_soon(&mut self) -> Option<Found> {
        let early = if self.plain.is_large() { self.in_parts(QUICK / 4) } else { None };
        early.or_else(|| self.steady(self.bound.interval, QUICK / 2))
    }

    /// As fast as the bound, which may rise meanwhile.
    fn at_bound(&mut self) -> Option<Found> {
        if let Some(found) = self.steady(self.bound.interval, QUICK) {
            return Some(found);
        }
        self.stop.allow(self.options.effort / if self.plain.is_large() { 32 } else { 1 });
        let inside = relax::inside(&self.machine.scanner, &mut self.stop).unwrap_or_default();
        let again = self.raise(inside).then(|| self.steady(self.bound.interval, QUICK));
        let again = again.flatten().or_else(|| self.in_parts(QUICK / 2));
        again.or_else(|| self.in_parts(3 * QUICK))
    }

    /// A schedule with a wafer after each interval exactly, the first one whenever that may be.
    pub(super) fn steady(&mut self, interval: Ratio<i64>, effort: u64) -> Option<Found> {
        let due = Due::every(interval);
        let mut beat = Beat::new(&self.machine, due.clone(), true);
        self.stop.allow(effort);
        let first = beat.earliest();
        let last = first + 8 * interval.ceil().to_integer() + total(&self.machine.scanner)?;
        let mut step = 1;
        let mut at = first;
        while at <= last {
            if let Some(lasso) = beat.search(at, &mut self.stop).ok()? {
                return Some(Found::on_beat(lasso, due, at));
            }
            at = if at == last { last + 1 } else { (at + step).min(last) };
            step *= 4;
        }
        None
    }

    /// By all states that matter. The nearer the pace to begin with, the sooner it ends.
    /// What is known already is a schedule of a part.
    fn closed(&mut self, known: Option<Found>, part: Machine) -> Option<Found> {
        let total = total(&self.machine.scanner)?;
        let whole = std::mem::replace(&mut self.machine, part);
        let mut best = known.map(|known| self.better(known, QUICK));
        let pace = best.as_ref().map_or(Ratio::from_integer(16 * total + 1), |b| b.lasso.pace());
        let mut closure = Closure::new(&whole, true);
        self.stop.allow(self.options.effort);
        let mut faster = None;
        let floor = self.bound.interval;
        let mut keep = |lasso: &Lasso| faster = Some(lasso.clone());
        let least = closure.least(pace, floor, &mut keep, &mut self.stop);
        if let Some(lasso) = faster {
            best = Some(Found { lasso, beat: None, settled: None });
            self.machine = whole.clone();
        }
        self.is_complete = least.is_ok();
        if let Ok(least) = least
            && whole.rules == self.plain.rules
        {
            self.conclude(least.pace, closure.stored, "");
        }
        best
    }

    /// Says that no schedule has a smaller interval, of those that keep the limits.
    pub(super) fn conclude(&mut self, interval: Ratio<i64>, states: u64, limits: &str) {
        if interval > self.bound.interval {
            self.bound.interval = interval;
            self.is_joint = true;
            self.bound.method = format!(
                "every state that matters was looked at ({states} of them): none leads to a \
                 faster schedule{limits}"
            );
        }
    }

    /// A bound that rests on all resources names the busiest one; without a schedule, the one that
    /// comes nearest to it alone.
    fn name_critical(&mut self, outcome: &Outcome) {
        if !self.is_joint {
            return;
        }
        let named = match outcome {
            Outcome::Found(rhythm) => {
                self.bound.critical = busiest(&self.plain.scanner, &rhythm.schedule);
                "the busiest one"
            }
            _ => "the one with the largest bound of its own",
        };
        let _ = write!(self.bound.method, "; no resource explains it alone, {named} is named");
    }

    /// A wafer after fewer whole units, as few as are found soon.
    pub(super) fn better(&mut self, mut best: Found, effort: u64) -> Found {
        let mut low = self.bound.interval.ceil().to_integer();
        let mut high = best.lasso.pace().floor().to_integer();
        while low < high && !self.stop.is_told() {
            let middle = low + (high - low) / 2;
            match self.steady(middle.into(), effort) {
                Some(found) => (best, high) = (found, middle),
                None => low = middle + 1,
            }
        }
        best
    }

    /// Of that interval the schedule with the smallest largest gap, then the earliest first wafer.
    fn refine(&mut self, found: Found) -> Rhythm {
        let interval = found.lasso.pace();
        let least_gap = interval.ceil().to_integer();
        // Where proofs take long, what is certain anyway has to do.
        let earliest = match self.plain.is_large() {
            true => Beat::new(self.plain, Due::every(least_gap.into()), false).earliest(),
            false => self.earliest(least_gap),
        };
        let best = self.on_beat(interval, &found, earliest);
        let found = best.unwrap_or_else(|| self.settled(found));
        let mut rhythm = self.rhythm(&found);
        if rhythm.max_gap == least_gap {
            rhythm.least_first = Least { max_gap: Some(least_gap), ..Least::of(earliest) };
        } else {
            self.prove_first(&mut rhythm);
        }
        rhythm
    }

    /// With the smallest largest gap that its sequence allows, then the earliest first wafer.
    fn settled(&self, mut found: Found) -> Found {
        if found.beat.is_some() || self.machine.rules.greedy {
            return found;
        }
        let mut low = found.lasso.pace().ceil().to_integer();
        let mut high = gaps(&self.schedule(&found)).1;
        while low <= high {
            let middle = low + (high - low) / 2;
            match settle(&self.machine, &found.lasso, middle, FAR) {
                Some(settled) => (found.settled, high) = (Some(settled), middle - 1),
                None => low = middle + 1,
            }
        }
        found
    }

    /// With what is true of any schedule.
    pub(super) fn rhythm(&self, found: &Found) -> Rhythm {
        let schedule = self.schedule(found);
        let (first, max_gap) = gaps(&schedule);
        let interval = found.lasso.pace();
        // As long as the average, and whole.
        let least_gap =
            Least { interval: Some(interval), ..Least::of(interval.ceil().to_integer()) };
        Rhythm { schedule, interval, max_gap, first, least_gap, least_first: Least::of(0) }
    }

    /// How early the first wafer of any schedule of such gaps can come.
    pub(super) fn prove_first(&mut self, rhythm: &mut Rhythm) {
        let earliest = self.earliest(rhythm.max_gap);
        rhythm.least_first = Least { max_gap: Some(rhythm.max_gap), ..Least::of(earliest) };
    }

    fn schedule(&self, found: &Found) -> Infinite {
        let timing = match (&found.settled, &found.beat) {
            (Some(settled), _) => Timing::Settled(settled),
            (None, Some((due, first))) => Timing::Exact(due, *first),
            (None, None) => Timing::Early,
        };
        let schedule = expand(&self.machine, &found.lasso, &timing);
        // What is to happen at once must not become possible earlier.
        tidy(&self.machine.scanner, schedule, self.machine.rules.greedy)
    }

    /// Before this no first wafer comes if all gaps are at most this: proved.
    fn earliest(&mut self, gap: i64) -> i64 {
        let mut beat = Beat::new(self.plain, Due::every(gap.into()), false);
        let mut low = beat.earliest();
        let last = low + 64 * gap;
        let mut step = 0;
        self.stop.allow(self.options.effort);
        // none before `low`; then some at `high`
        let mut high = low;
        loop {
            match beat.search(high, &mut self.stop) {
                Err(_) => return low,
                Ok(Some(_)) => break,
                Ok(None) if high > last => return low,
                Ok(None) => {
                    low = high + 1;
                    step = 2 * step + 1;
                    high = low + step;
                }
            }
        }
        while low < high {
            let middle = low + (high - low) / 2;
            match beat.search(middle, &mut self.stop) {
                Err(_) => return low,
                Ok(Some(_)) => high = middle,
                Ok(None) => low = middle + 1,
            }
        }
        low
    }

    /// A wafer after each interval exactly, the first one as early as it was found.
    fn on_beat(&mut self, interval: Ratio<i64>, known: &Found, earliest: i64) -> Option<Found> {
        let due = Due::every(interval);
        let mut beat = Beat::new(&self.machine, due.clone(), true);
        let mut best = None;
        let (mut low, mut high) = (earliest, i64::MAX);
        if let Some((_, first)) = known.beat {
            (best, high) = (Some((known.lasso.clone(), first)), first);
        }
        let last = earliest + 8 * interval.ceil().to_integer() + total(&self.machine.scanner)?;
        let mut step = 0;
        self.stop.allow(self.options.effort);
        while low < high && low <= last {
            let middle =
                if step >= 0 && high == i64::MAX { low + step } else { low + (high - low) / 2 };
            let middle = if best.is_some() && low == earliest { low } else { middle };
            match beat.search(middle, &mut self.stop) {
                Err(_) => break,
                Ok(Some(lasso)) => {
                    best = Some((lasso, middle));
                    high = middle;
                }
                Ok(None) => {
                    low = middle + 1;
                    step = 2 * step + 1;
                }
            }
        }
        let (mut lasso, first) = best?;
        beat.short = true;
        if let Ok(Some(shorter)) = beat.search(first, &mut self.stop) {
            lasso = shorter;
        }
        Some(Found::on_beat(lasso, due, first))
    }
}

/// The end of the first unload, and the longest time from one to the next.
pub(super) fn gaps(schedule: &Infinite) -> (i64, i64) {
    let ops = schedule.unrolled(3);
    let unloads = ops.iter().filter(|op| matches!(op.kind, OpKind::Unload { .. }));
    let mut ends: Vec<i64> = unloads.map(|op| op.end).collect();
    ends.sort_unstable();
    let gap = ends.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
    (ends.first().copied().unwrap_or(0), gap)
}
