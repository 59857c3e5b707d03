//! Tasks that share a capacity: at no instant do they take more than there is.
//!
//! Time-table propagation with explanations at single instants (Schutt, Feydy, Stuckey, Wallace 2011). A task
//! certainly takes its amount from its latest start to its earliest end.

use crate::domains::Conflict;
use crate::literal::{Lit, Point, Side};
use crate::propagator::{Propagator, View};

/// Who takes an amount from its start until its end, if it is there at all.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// From here.
    pub start: Point,
    /// To here.
    pub end: Point,
    /// So much.
    pub amount: i64,
    /// Only where this holds.
    pub presence: Option<Lit>,
}

#[derive(Debug)]
pub(crate) struct Cumulative {
    pub(crate) tasks: Vec<Task>,
    pub(crate) capacity: i64,
    /// Instants at which the level changes, and by how much; kept for its memory.
    pub(crate) changes: Vec<(i64, i64)>,
    /// From each instant on, so much is certainly taken.
    pub(crate) levels: Vec<(i64, i64)>,
}

impl Cumulative {
    pub(crate) fn new(tasks: Vec<Task>, capacity: i64) -> Cumulative {
        Cumulative { tasks, capacity, changes: Vec::new(), levels: Vec::new() }
    }

    /// What is certainly taken, as a step function.
    fn draw(&mut self, view: &View) {
        self.changes.clear();
        for task in &self.tasks {
            let (from, until) = (view.max(task.start), view.min(task.end));
            if from < until && task.presence.is_none_or(|lit| view.is_true(lit)) {
                self.changes.extend([(from, task.amount), (until, -task.amount)]);
            }
        }
        self.changes.sort_unstable();
        self.levels.clear();
        let mut level = 0;
        for &(at, change) in &self.changes {
            level += change;
            match self.levels.last_mut().filter(|last| last.0 == at) {
                Some(last) => last.1 = level,
                None => self.levels.push((at, level)),
            }
        }
    }

    /// Why so much is taken at the instant: tasks that certainly run then, `without` one of them, as few as
    /// take more than `most` together.
    fn running(&self, view: &View, instant: i64, without: usize, most: i64) -> Vec<Lit> {
        let mut reason = Vec::new();
        let mut sum = 0;
        for (k, task) in self.tasks.iter().enumerate() {
            if k != without && sum <= most && Self::is_certain(view, task, instant) {
                sum += task.amount;
                reason.extend([task.start.at_most(instant), task.end.at_least(instant + 1)]);
                reason.extend(task.presence);
            }
        }
        debug_assert!(sum > most, "the level says that more is taken");
        reason
    }

    fn is_certain(view: &View, task: &Task, instant: i64) -> bool {
        view.max(task.start) <= instant
            && view.min(task.end) > instant
            && task.presence.is_none_or(|lit| view.is_true(lit))
    }

    /// Where the task cannot run, it does not: instants with too high a level are passed over, from the left
    /// and from the right.
    fn sweep(&self, k: usize, view: &mut View) -> Result<(), Conflict> {
        let task = self.tasks[k];
        let room = self.capacity - task.amount;
        let own =
            |view: &View, at: i64| if Self::is_certain(view, &task, at) { task.amount } else { 0 };
        // Forward: whoever ends after the instant starts after it.
        let mut at =
            self.levels.partition_point(|level| level.0 <= view.min(task.start)).saturating_sub(1);
        while let Some(&(begin, level)) = self.levels.get(at) {
            let next = self.levels.get(at + 1).map_or(i64::MAX, |level| level.0);
            let (from, ends) = (view.min(task.start), view.min(task.end));
            if begin >= ends {
                break;
            }
            if next > from && level - own(view, begin.max(from)) > room {
                let instant = (next - 1).min(ends - 1);
                self.exclude(
                    k,
                    view,
                    instant,
                    task.end.at_least(instant + 1),
                    task.start.at_least(instant + 1),
                )?;
                if task.presence.is_some_and(|lit| !view.is_true(lit)) {
                    return Ok(());
                }
                if view.min(task.end) > ends && instant < next - 1 {
                    continue;
                }
            }
            at += 1;
        }
        // Backward: whoever starts at the instant or before it ends by then.
        let mut at = self.levels.partition_point(|level| level.0 < view.max(task.end));
        while let Some(before) = at.checked_sub(1) {
            let (begin, level) = self.levels[before];
            let next = self.levels.get(at).map_or(i64::MAX, |level| level.0);
            let (starts, until) = (view.max(task.start), view.max(task.end));
            if next <= starts {
                break;
            }
            if begin < until && level - own(view, begin.max(starts)) > room {
                let instant = begin.max(starts);
                self.exclude(
                    k,
                    view,
                    instant,
                    task.start.at_most(instant),
                    task.end.at_most(instant),
                )?;
                if task.presence.is_some_and(|lit| !view.is_true(lit)) {
                    return Ok(());
                }
                if view.max(task.start) < starts && instant > begin {
                    continue;
                }
            }
            at -= 1;
        }
        Ok(())
    }

    /// At the instant there is no room for the task: `lit` follows where `given` is true.
    fn exclude(
        &self,
        k: usize,
        view: &mut View,
        instant: i64,
        given: Lit,
        lit: Lit,
    ) -> Result<(), Conflict> {
        let task = &self.tasks[k];
        let mut reason = self.running(view, instant, k, self.capacity - task.amount);
        reason.push(given);
        match task.presence {
            Some(presence) if !view.is_true(presence) => {
                if view.is_false(lit) {
                    reason.push(!lit);
                    view.set(!presence, &reason)?;
                }
            }
            presence => {
                reason.extend(presence);
                view.set(lit, &reason)?;
            }
        }
        Ok(())
    }
}

impl Propagator for Cumulative {
    fn sides(&self) -> Vec<Side> {
        let mut sides = Vec::new();
        for task in &self.tasks {
            for point in [task.start, task.end] {
                sides.extend([point.var.upper(), point.var.lower()]);
            }
            sides.extend(task.presence.map(|lit| lit.side));
        }
        sides.sort_unstable();
        sides.dedup();
        sides
    }

    fn effort(&self) -> u64 {
        (self.tasks.len() / 4) as u64
    }

    fn propagate(&mut self, view: &mut View) -> Result<(), Conflict> {
        loop {
            self.draw(view);
            if let Some(&(at, _)) = self.levels.iter().find(|level| level.1 > self.capacity) {
                return Err(Conflict::All(self.running(view, at, usize::MAX, self.capacity)));
            }
            let before = view.domains.events.len();
            for k in 0..self.tasks.len() {
                let task = &self.tasks[k];
                let is_open = view.min(task.start) < view.max(task.start)
                    || view.min(task.end) < view.max(task.end)
                    || task.presence.is_some_and(|lit| !view.is_true(lit));
                if is_open && task.presence.is_none_or(|lit| !view.is_false(lit)) {
                    self.sweep(k, view)?;
                }
            }
            // What was moved may certainly run where it did not before.
            if view.domains.events.len() == before {
                return Ok(());
            }
        }
    }
}
