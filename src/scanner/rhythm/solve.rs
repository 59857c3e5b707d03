//! Joins bounds and searches to an answer.

use super::beat::Beat;
use super::busy::busiest;
use super::closure::Lasso;
use super::due::Due;
use super::expand::{Timing, expand};
use super::heuristic::Rules;
use super::settle::{Settled, settle};
use super::tidy::tidy;
use super::tool::{Tool, total};
use super::within::FAR;
use super::{Answer, Bound, Budget, Least, Listener, Options, Outcome, Rhythm, Stopped, relax};
use crate::layout::{Infinite, OpKind, Scanner};
use num_rational::Ratio;
use std::fmt::Write;
use std::rc::Rc;

/// The states that a search for a schedule of a given interval may look at: it finds one soon, or
/// hardly ever.
pub(super) const QUICK: u64 = 60_000;
/// The same, where it matters more.
pub(super) const LONG: u64 = 3 * QUICK;

pub fn solve(scanner: &Scanner, options: &Options, watch: &mut dyn Listener) -> Answer {
    let mut stop = Budget::new(watch);
    let mut bound = Bound {
        interval: Ratio::from_integer(0),
        by_closure: false,
        method: "nothing is proved".to_owned(),
        critical: String::new(),
    };
    let mut is_complete = true;
    let outcome = match barrier(scanner) {
        Some(reason) => Outcome::None(reason),
        None => match Tool::whole(scanner) {
            None => {
                bound = relax::track(scanner);
                Outcome::Unknown("the machine is too large, or its times are".to_owned())
            }
            Some(plain) => {
                let rules = Rules::new(&options.heuristics);
                let tool = Rc::new(Tool { rules, ..plain.clone() });
                is_complete = false;
                let (is_joint, plain, part) = (false, &plain, tool.clone());
                let mut search =
                    Search { tool, part, plain, options, bound, stop, is_complete, is_joint };
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
    let served = |lock: &&crate::layout::Lock| !lock.robots.is_empty();
    if scanner.chucks.is_empty() {
        return Some("there is no chuck".to_owned());
    }
    if scanner.locks.iter().all(|lock| !lock.takes_in) {
        return Some("every lock is bound to `out`, and no wafer can ever be loaded".to_owned());
    }
    if !scanner.locks.iter().filter(served).any(|lock| lock.takes_in) {
        return Some("no lock takes wafers in for a robot".to_owned());
    }
    if scanner.locks.iter().all(|lock| !lock.lets_out) {
        return Some("every lock is bound to `in`, and what is loaded can never leave".to_owned());
    }
    let out = scanner.locks.iter().filter(served).any(|lock| lock.lets_out);
    (!out).then(|| "no lock lets wafers out for a robot".to_owned())
}

pub(super) struct Search<'a, 'b> {
    /// With the heuristics that were asked for: for schedules.
    pub tool: Rc<Tool>,
    /// The same, or the part of it that the fastest schedule makes use of.
    pub part: Rc<Tool>,
    /// Without any: for proofs.
    pub plain: &'a Tool,
    pub options: &'a Options,
    pub bound: Bound,
    pub stop: Budget<'b>,
    pub is_complete: bool,
    /// Whether the bound rests on all resources together.
    pub is_joint: bool,
}

/// A schedule that was found, and the time at which its first wafer is due if it keeps the beat.
#[derive(Clone)]
pub(super) struct Found {
    /// Whose moves these are: maybe of a part, or cut by more heuristics than were asked for.
    pub tool: Rc<Tool>,
    pub lasso: Lasso,
    pub beat: Option<(Due, i64)>,
    pub settled: Option<Settled>,
}

impl Found {
    pub fn early(tool: &Rc<Tool>, lasso: Lasso) -> Found {
        Found { tool: tool.clone(), lasso, beat: None, settled: None }
    }

    pub fn on_beat(tool: &Rc<Tool>, lasso: Lasso, due: Due, first: i64) -> Found {
        Found { beat: Some((due, first)), ..Found::early(tool, lasso) }
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
                let rules = self.tool.rules;
                self.part = Rc::new(Tool { rules, ..(*found.tool).clone() });
                let rhythm = self.refine(found);
                self.within_limits(rhythm)
            }
            None => Outcome::Unknown("the search was ended before it found a schedule".to_owned()),
        }
    }

    fn find_bounds(&mut self) {
        self.stop.allow(self.options.effort);
        let bounds = relax::bounds(&self.tool.scanner, &mut self.stop).unwrap_or_default();
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
        let known = self.not_far();
        if let Some(found) = self.at_bound() {
            self.is_complete = true;
            return Some(found);
        }
        let known = known.map(|known| self.better(known, QUICK));
        self.side_by_side(known)
    }

    fn at_bound_soon(&mut self) -> Option<Found> {
        let early = if self.plain.is_large() { self.in_parts(QUICK / 4) } else { None };
        early.or_else(|| self.whole_at_bound(QUICK / 16))
    }

    /// As fast as the bound, which may rise meanwhile.
    fn at_bound(&mut self) -> Option<Found> {
        if let Some(found) = self.whole_at_bound(QUICK) {
            return Some(found);
        }
        self.stop.allow(self.options.effort / if self.plain.is_large() { 32 } else { 1 });
        let inside = relax::inside(&self.tool.scanner, &mut self.stop).unwrap_or_default();
        let again = self.raise(inside).then(|| self.whole_at_bound(QUICK));
        let again = again.flatten().or_else(|| self.in_parts(QUICK / 2));
        // Of a small machine the whole is as promising.
        let is_large = self.plain.is_large();
        again.or_else(|| if is_large { self.in_parts(LONG) } else { None })
    }

    fn whole_at_bound(&mut self, effort: u64) -> Option<Found> {
        let whole = self.tool.clone();
        self.steady(&whole, self.bound.interval, effort).ok()?
    }

    /// A schedule with a wafer after each interval exactly, the first one whenever that may be.
    /// `None` if there is none whose first wafer comes soon enough.
    pub(super) fn steady(
        &mut self,
        tool: &Rc<Tool>,
        interval: Ratio<i64>,
        effort: u64,
    ) -> Result<Option<Found>, Stopped> {
        let due = Due::every(interval);
        let mut beat = Beat::new(tool, due.clone(), true);
        self.stop.allow(effort);
        let first = beat.earliest();
        let total = total(&tool.scanner).unwrap_or(0);
        let last = first + 8 * interval.ceil().to_integer() + total;
        let mut step = 1;
        let mut at = first;
        while at <= last {
            if let Some(lasso) = beat.search(at, &mut self.stop)? {
                let found = Found::on_beat(tool, lasso, due, at);
                self.tell(&found);
                return Ok(Some(found));
            }
            at = if at == last { last + 1 } else { (at + step).min(last) };
            step *= 4;
        }
        Ok(None)
    }

    /// Tells whoever waits of a schedule: if there is no time for more, it is the answer.
    pub(super) fn tell(&mut self, found: &Found) {
        let schedule = self.schedule(found);
        self.stop.tell(&schedule);
    }

    /// Says that no schedule has a smaller interval, of those that keep the limits.
    pub(super) fn conclude(&mut self, interval: Ratio<i64>, states: u64, limits: &str) {
        if interval > self.bound.interval {
            self.bound.interval = interval;
            self.is_joint = true;
            self.bound.by_closure = true;
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
        let tool = best.tool.clone();
        let mut low = self.bound.interval.ceil().to_integer();
        let mut high = best.lasso.pace().ceil().to_integer() - 1;
        while low <= high && !self.stop.is_told() {
            let middle = low + (high - low) / 2;
            match self.steady(&tool, middle.into(), effort) {
                Ok(Some(found)) => (best, high) = (found, middle - 1),
                _ => low = middle + 1,
            }
        }
        best
    }

    /// Of that interval the schedule with the smallest largest gap, then the earliest first wafer.
    fn refine(&mut self, found: Found) -> Rhythm {
        let interval = found.lasso.pace();
        let least_gap = interval.ceil().to_integer();
        let found = self.evened(found);
        // Where proofs take long, what is certain anyway has to do.
        let earliest = match self.plain.is_large() {
            true => Beat::new(self.plain, Due::every(least_gap.into()), false).earliest(),
            false => self.earliest(least_gap),
        };
        let best = self.on_beat(interval, &found, earliest);
        let mut rhythm = self.rhythm(&best.unwrap_or(found));
        if rhythm.max_gap == least_gap {
            rhythm.least_first = Least { max_gap: Some(least_gap), ..Least::of(earliest) };
        } else {
            self.prove_first(&mut rhythm);
        }
        rhythm
    }

    /// With the smallest largest gap that its sequence allows, then the earliest first wafer.
    pub(super) fn settled(&mut self, mut found: Found) -> Found {
        if found.beat.is_some() || self.tool.rules.greedy {
            return found;
        }
        let mut low = found.lasso.pace().ceil().to_integer();
        let mut high = gaps(&self.schedule(&found)).1;
        while low <= high && !self.stop.is_told() {
            let middle = low + (high - low) / 2;
            match settle(&found.tool, &found.lasso, middle, FAR, &mut self.stop) {
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
        let schedule = expand(&found.tool, &found.lasso, &timing);
        // What is to happen at once must not become possible earlier.
        tidy(&self.tool.scanner, schedule, self.tool.rules.greedy)
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
        let mut beat = Beat::new(&known.tool, due.clone(), true);
        let (mut low, mut high) = (earliest, known.beat.as_ref()?.1);
        let mut best = (known.lasso.clone(), high);
        self.stop.allow(self.options.effort);
        while low < high {
            let middle = if low == earliest { low } else { low + (high - low) / 2 };
            match beat.search(middle, &mut self.stop) {
                Err(_) => break,
                Ok(Some(lasso)) => (best, high) = ((lasso, middle), middle),
                Ok(None) => low = middle + 1,
            }
        }
        let (mut lasso, first) = best;
        beat.short = true;
        if let Ok(Some(shorter)) = beat.search(first, &mut self.stop) {
            lasso = shorter;
        }
        Some(Found::on_beat(&known.tool, lasso, due, first))
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
