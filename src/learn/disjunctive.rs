//! Tasks of which no two may run at a time: what sets of them say together.
//!
//! For every two tasks literals say who comes first, with the differences that follow. This rule adds what pairs
//! cannot see:
//!
//! - *Overload*: tasks that must all run between two instants take longer than that.
//! - *Edge finding* (Carlier, Pinson 1989; in the quadratic form of Baptiste, Le Pape, Nuijten 2001): if a task and a
//!   set do not fit before the set's last instant, however they begin, the task comes after all of the set.
//! - *Predecessors*: a task starts when all that come before it, one after the other, can be over.
//!
//! Each is also applied backwards, in the mirror of time.

use crate::domains::Conflict;
use crate::literal::{Lit, Point, Side};
use crate::propagator::{Propagator, View};

/// Whoever takes the whole machine from start to end, if it is there at all.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// From here.
    pub start: Point,
    /// To here.
    pub end: Point,
    /// At least so much lies between them.
    pub length: i64,
    /// Only where this holds.
    pub presence: Option<Lit>,
}

#[derive(Debug)]
pub(crate) struct Disjunctive {
    spans: Vec<Span>,
    /// For each direction `[b * n + a]`: the literal by which a is over before b starts.
    before: [Vec<Option<Lit>>; 2],
    /// Spans by how early they start, for each direction: from call to call little changes.
    order: [Vec<u32>; 2],
    /// Kept for its memory.
    seen: Vec<Seen>,
    limits: Vec<i64>,
    ends: Vec<i64>,
}

/// A span that is there, in the direction that is looked at.
#[derive(Clone, Copy, Debug)]
struct Seen {
    number: usize,
    /// It starts no earlier.
    early: i64,
    /// It ends no later.
    late: i64,
    length: i64,
}

/// Forward in time, or backward: `-end` is the start then, and `-start` the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

impl Direction {
    fn early(self, view: &View, span: &Span) -> i64 {
        match self {
            Direction::Forward => view.min(span.start),
            Direction::Backward => -view.max(span.end),
        }
    }

    fn late(self, view: &View, span: &Span) -> i64 {
        match self {
            Direction::Forward => view.max(span.end),
            Direction::Backward => -view.min(span.start),
        }
    }

    fn starts_from(self, span: &Span, instant: i64) -> Lit {
        match self {
            Direction::Forward => span.start.at_least(instant),
            Direction::Backward => span.end.at_most(-instant),
        }
    }

    fn ends_by(self, span: &Span, instant: i64) -> Lit {
        match self {
            Direction::Forward => span.end.at_most(instant),
            Direction::Backward => span.start.at_least(-instant),
        }
    }
}

impl Disjunctive {
    pub(crate) fn new(spans: Vec<Span>, before: Vec<Option<Lit>>) -> Disjunctive {
        let count = spans.len();
        debug_assert_eq!(before.len(), count * count);
        let turned = (0..count * count).map(|k| before[k % count * count + k / count]).collect();
        let order: Vec<u32> = (0..count as u32).collect();
        Disjunctive {
            spans,
            before: [turned, before],
            order: [order.clone(), order],
            seen: Vec::new(),
            limits: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn precedes(&self, direction: Direction, a: usize, b: usize) -> Option<Lit> {
        self.before[direction as usize][b * self.spans.len() + a]
    }

    /// Those that are there, by how early they start.
    fn look(&mut self, view: &View, direction: Direction) {
        let Disjunctive { spans, order, seen, .. } = self;
        let order = &mut order[direction as usize];
        seen.clear();
        for &number in order.iter() {
            let span = &spans[number as usize];
            if span.presence.is_none_or(|lit| view.is_true(lit)) {
                let (early, late) = (direction.early(view, span), direction.late(view, span));
                seen.push(Seen { number: number as usize, early, late, length: span.length });
            }
        }
        insertion_sort(seen, |seen| (seen.early, seen.number));
        if seen.len() == order.len() {
            order.iter_mut().zip(seen).for_each(|(at, seen)| *at = seen.number as u32);
        }
    }

    /// A task starts when all that come before it can be over. Says whether that is new.
    fn follow(&self, view: &mut View, direction: Direction) -> Result<bool, Conflict> {
        let mut is_new = false;
        for task in &self.seen {
            // From the last one that starts on: when these, one after the other, are over.
            let (mut sum, mut count, mut best) = (0, 0, (i64::MIN, 0, 0));
            let before = &self.before[direction as usize][task.number * self.spans.len()..];
            for (at, seen) in self.seen.iter().enumerate().rev() {
                let lit = before[seen.number];
                if lit.is_some_and(|lit| view.is_true(lit)) {
                    sum += seen.length;
                    count += 1;
                    best = best.max((seen.early + sum, count, at));
                }
            }
            let (end, count, from) = best;
            let span = &self.spans[task.number];
            if count < 2 || end <= direction.early(view, span) {
                continue;
            }
            let mut reason = Vec::with_capacity(2 * count + 1);
            let start = self.seen[from].early;
            for seen in &self.seen[from..] {
                let lit = self.precedes(direction, seen.number, task.number);
                if let Some(lit) = lit.filter(|&lit| view.is_true(lit)) {
                    let other = &self.spans[seen.number];
                    reason.extend([lit, direction.starts_from(other, start)]);
                    reason.extend(other.presence);
                }
            }
            reason.extend(span.presence);
            is_new |= view.set(direction.starts_from(span, end), &reason)?;
        }
        Ok(is_new)
    }

    /// Overload and edge finding, with each instant by which tasks end.
    fn find_edges(&mut self, view: &mut View, direction: Direction) -> Result<(), Conflict> {
        self.limits.clear();
        self.limits.extend(self.seen.iter().map(|seen| seen.late));
        self.limits.sort_unstable();
        self.limits.dedup();
        for k in 0..self.limits.len() {
            self.find_within(view, direction, self.limits[k])?;
        }
        Ok(())
    }

    /// With all tasks that end by the limit.
    fn find_within(
        &mut self,
        view: &mut View,
        direction: Direction,
        limit: i64,
    ) -> Result<(), Conflict> {
        // For each position, when the tasks inside from there on are over, if they begin with it.
        let mut sum = 0;
        self.ends.clear();
        self.ends.resize(self.seen.len(), i64::MIN);
        let mut total_end = i64::MIN;
        for at in (0..self.seen.len()).rev() {
            let seen = self.seen[at];
            if seen.late <= limit {
                sum += seen.length;
                self.ends[at] = seen.early + sum;
                total_end = total_end.max(self.ends[at]);
                if self.ends[at] > limit {
                    let spare = self.ends[at] - limit - 1;
                    return Err(Conflict::All(self.within(
                        direction,
                        (at, seen.early - spare),
                        limit,
                        usize::MAX,
                    )));
                }
            }
        }
        // The set from `first` on, with the largest end among those that begin no later than the task.
        let (mut first, mut most) = (usize::MAX, i64::MIN);
        let mut left = sum;
        for at in 0..self.seen.len() {
            let seen = self.seen[at];
            if seen.late <= limit {
                if self.ends[at] > most {
                    (first, most) = (at, self.ends[at]);
                }
                left -= seen.length;
                continue;
            }
            if most > i64::MIN && most + seen.length > limit {
                let spare = most + seen.length - limit - 1;
                let start = self.seen[first].early - spare;
                self.put_after(view, direction, (first, start), limit, at)?;
            } else if left > 0 && seen.early + seen.length + left > limit {
                let spare = seen.early + seen.length + left - limit - 1;
                self.put_after(view, direction, (at, seen.early - spare), limit, at)?;
            }
        }
        Ok(())
    }

    /// Tasks from a position on that end by the limit, and start no earlier than so.
    fn within(
        &self,
        direction: Direction,
        (from, start): (usize, i64),
        limit: i64,
        without: usize,
    ) -> Vec<Lit> {
        let mut reason = Vec::new();
        for (at, seen) in self.seen.iter().enumerate().skip(from) {
            if seen.late <= limit && at != without {
                let span = &self.spans[seen.number];
                reason.extend([direction.starts_from(span, start), direction.ends_by(span, limit)]);
                reason.extend(span.presence);
            }
        }
        reason
    }

    /// The task comes after all tasks from a position on that end by the limit.
    fn put_after(
        &self,
        view: &mut View,
        direction: Direction,
        (from, start): (usize, i64),
        limit: i64,
        task: usize,
    ) -> Result<(), Conflict> {
        let after = &self.spans[self.seen[task].number];
        let mut end = (i64::MIN, 0);
        let mut is_new = false;
        for (at, seen) in self.seen.iter().enumerate().skip(from) {
            if seen.late <= limit {
                end = end.max((self.ends[at], at));
                let lit = self.precedes(direction, seen.number, self.seen[task].number);
                is_new |= lit.is_some_and(|lit| !view.is_true(lit));
            }
        }
        let (end, first) = end;
        let is_later = end > direction.early(view, after);
        if !is_new && !is_later {
            return Ok(());
        }
        let mut reason = self.within(direction, (from, start), limit, task);
        reason.push(direction.starts_from(after, start));
        reason.extend(after.presence);
        for seen in self.seen[from..].iter().filter(|seen| is_new && seen.late <= limit) {
            if let Some(lit) = self.precedes(direction, seen.number, self.seen[task].number) {
                view.set(lit, &reason)?;
            }
        }
        if is_later {
            let start = self.seen[first].early;
            let later = self.seen[first..].iter().filter(|seen| seen.late <= limit);
            reason.extend(later.map(|seen| direction.starts_from(&self.spans[seen.number], start)));
            view.set(direction.starts_from(after, end), &reason)?;
        }
        Ok(())
    }
}

impl Propagator for Disjunctive {
    fn sides(&self) -> Vec<Side> {
        let mut sides = Vec::new();
        for span in &self.spans {
            for point in [span.start, span.end] {
                sides.extend([point.var.upper(), point.var.lower()]);
            }
            sides.extend(span.presence.map(|lit| lit.side));
        }
        sides.extend(self.before[0].iter().flatten().map(|lit| lit.side));
        sides.sort_unstable();
        sides.dedup();
        sides
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn effort(&self) -> u64 {
        (self.spans.len() * self.spans.len() / 32) as u64
    }

    fn propagate(&mut self, view: &mut View) -> Result<(), Conflict> {
        for direction in [Direction::Forward, Direction::Backward] {
            self.look(view, direction);
            if self.follow(view, direction)? {
                self.look(view, direction);
            }
            self.find_edges(view, direction)?;
        }
        Ok(())
    }
}

/// Sorts what is nearly sorted already.
fn insertion_sort<T: Copy, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for k in 1..list.len() {
        let (one, mut at) = (list[k], k);
        while at > 0 && key(&list[at - 1]) > key(&one) {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = one;
    }
}
