//! What the members of a portfolio tell each other: the incumbent, the bound, and when to stop.

use crate::pipeline::context::Checked;
use crate::pipeline::solution::Engine;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use takt_automata::engine::{Control, Progress, Stop};
use takt_plant::Jobs;

/// The best schedule so far.
#[derive(Clone)]
pub(crate) struct Incumbent {
    pub value: i64,
    pub jobs: Jobs,
    pub by: Engine,
    /// As a schedule, where the automata and the validator have been asked already.
    pub checked: Option<Checked>,
}

pub(crate) struct Board<'c> {
    control: &'c (dyn Control + Sync),
    /// Values are prices in parts of one.
    scale: i64,
    /// Any schedule will do.
    is_any: bool,
    incumbent: Mutex<Option<Incumbent>>,
    /// The incumbent's value; the largest number if there is none.
    value: AtomicI64,
    /// The best value that rules alone have given; the largest number if there is none.
    rule: AtomicI64,
    /// No schedule that is looked for is better than this.
    bound: AtomicI64,
    /// Who proved the bound, and who proved that nothing better than the incumbent is left.
    provers: Mutex<(Option<Engine>, Option<Engine>)>,
    is_over: AtomicBool,
    /// Somebody finishes the best schedule after a limit has come.
    is_last_turn: AtomicBool,
    /// How far the search through the automata is, and which limit came first.
    last: Mutex<(Progress, Option<Stop>)>,
}

impl<'c> Board<'c> {
    pub(crate) fn new(
        control: &'c (dyn Control + Sync),
        scale: i64,
        floor: Option<i64>,
        is_any: bool,
    ) -> Board<'c> {
        Board {
            control,
            scale,
            is_any,
            incumbent: Mutex::new(None),
            value: AtomicI64::new(i64::MAX),
            rule: AtomicI64::new(i64::MAX),
            bound: AtomicI64::new(floor.unwrap_or(i64::MIN)),
            provers: Mutex::new((floor.map(|_| Engine::Floor), None)),
            is_over: AtomicBool::new(false),
            is_last_turn: AtomicBool::new(false),
            last: Mutex::new((Progress::default(), None)),
        }
    }

    /// The incumbent's value.
    pub(crate) fn value(&self) -> Option<i64> {
        Some(self.value.load(Ordering::Acquire)).filter(|&value| value < i64::MAX)
    }

    /// The best value that rules alone have given.
    pub(crate) fn rule(&self) -> Option<i64> {
        Some(self.rule.load(Ordering::Acquire)).filter(|&value| value < i64::MAX)
    }

    pub(crate) fn bound(&self) -> Option<i64> {
        Some(self.bound.load(Ordering::Acquire)).filter(|&bound| bound > i64::MIN)
    }

    /// Nothing better is possible, or nothing better is wanted.
    pub(crate) fn is_met(&self) -> bool {
        let value = self.value.load(Ordering::Acquire);
        value < i64::MAX && (self.is_any || value <= self.bound.load(Ordering::Acquire))
    }

    /// Ends all searches.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    /// Which limit ended the searches.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.last().1
    }

    /// Takes a schedule if it is the best so far.
    pub(crate) fn offer(&self, new: Incumbent) {
        if new.by == Engine::Rules {
            self.rule.fetch_min(new.value, Ordering::AcqRel);
        }
        let mut incumbent = lock(&self.incumbent);
        if incumbent.as_ref().is_some_and(|old| old.value <= new.value) {
            return;
        }
        self.value.store(new.value, Ordering::Release);
        *incumbent = Some(new);
    }

    /// Tells the outside of a better value, where values count.
    pub(crate) fn announce(&self, value: i64) {
        if self.is_any {
            return;
        }
        let progress = self.last().0;
        self.control.improved(&self.seen(&Progress { best: Some(value), ..progress }));
    }

    /// Lets the outside see how long the end takes with the first schedule, and now and then with a
    /// better one.
    pub(crate) fn rehearse(&self, finish: &mut dyn FnMut()) {
        if self.control.wants_rehearsal() {
            self.control.rehearse(finish);
        }
    }

    /// Whether a limit has come, and this is the first to ask: somebody has to finish the best.
    pub(crate) fn takes_last_turn(&self) -> bool {
        self.stopped().is_some() && !self.is_last_turn.swap(true, Ordering::AcqRel)
    }

    /// The automata and the validator have accepted the incumbent, or a former one of this value.
    pub(crate) fn pass(&self, value: i64, checked: &Checked) {
        let mut incumbent = lock(&self.incumbent);
        if let Some(incumbent) = incumbent.as_mut().filter(|one| one.value == value) {
            incumbent.checked.get_or_insert_with(|| checked.clone());
        }
    }

    pub(crate) fn incumbent(&self) -> Option<Incumbent> {
        lock(&self.incumbent).clone()
    }

    /// The incumbent, if it is better than this.
    pub(crate) fn better_than(&self, value: Option<i64>) -> Option<Jobs> {
        let known = self.value()?;
        if value.is_some_and(|value| value <= known) {
            return None;
        }
        lock(&self.incumbent).as_ref().map(|incumbent| incumbent.jobs.clone())
    }

    /// What the search through the automata has shown.
    pub(crate) fn note(&self, progress: &Progress) {
        self.raise(progress.bound, Engine::Zones);
        self.last().0 = *progress;
    }

    /// Proved: no schedule is better than this.
    pub(crate) fn raise(&self, bound: Option<i64>, by: Engine) {
        let Some(bound) = bound else { return };
        let mut provers = lock(&self.provers);
        if self.bound.fetch_max(bound, Ordering::AcqRel) < bound {
            provers.0 = Some(by);
        }
    }

    /// Proved: no schedule is better than the incumbent; without one, there is none at all.
    pub(crate) fn close(&self, by: Engine) {
        lock(&self.provers).1.get_or_insert(by);
        self.end();
    }

    /// Who proved the bound, and who proved that nothing better is left.
    pub(crate) fn provers(&self) -> (Option<Engine>, Option<Engine>) {
        *lock(&self.provers)
    }

    /// Whether to go on, asked by anyone at any time.
    pub(crate) fn poll(&self) -> ControlFlow<Stop> {
        if self.is_over.load(Ordering::Acquire) || self.is_met() {
            return ControlFlow::Break(Stop::Interrupt);
        }
        let progress = self.last().0;
        let flow = self.control.poll(&self.seen(&progress));
        if let ControlFlow::Break(stop) = flow {
            self.last().1.get_or_insert(stop);
            self.end();
        }
        flow
    }

    /// As the outside sees it.
    fn seen(&self, progress: &Progress) -> Progress {
        let best = progress.best.into_iter().chain(self.value()).min();
        Progress { best, bound: self.bound(), scale: self.scale, ..*progress }
    }

    fn last(&self) -> MutexGuard<'_, (Progress, Option<Stop>)> {
        lock(&self.last)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Until(AtomicI64);

    impl Control for Until {
        fn poll(&self, _: &Progress) -> ControlFlow<Stop> {
            match self.0.fetch_sub(1, Ordering::Relaxed) {
                0 => ControlFlow::Break(Stop::Time),
                _ => ControlFlow::Continue(()),
            }
        }
    }

    fn incumbent(value: i64) -> Incumbent {
        Incumbent { value, jobs: Jobs::default(), by: Engine::Rules, checked: None }
    }

    #[test]
    fn only_better_schedules_count() {
        let control = Until(AtomicI64::new(9));
        let board = Board::new(&control, 1, Some(5), false);
        assert_eq!((board.value(), board.bound()), (None, Some(5)));
        board.offer(incumbent(9));
        board.offer(incumbent(11));
        assert_eq!(board.value(), Some(9));
        assert!(board.better_than(Some(9)).is_none());
        assert!(board.better_than(Some(10)).is_some());
        assert!(!board.is_met());
        board.note(&Progress { bound: Some(9), ..Progress::default() });
        assert!(board.is_met(), "the bound has come up to the value");
        board.raise(Some(9), Engine::Floor);
        board.close(Engine::Rules);
        assert_eq!(
            board.provers(),
            (Some(Engine::Zones), Some(Engine::Rules)),
            "whoever was first"
        );
    }

    #[test]
    fn the_limit_that_came_first_is_kept() {
        let control = Until(AtomicI64::new(1));
        let board = Board::new(&control, 1, None, false);
        assert!(board.poll().is_continue());
        assert_eq!(board.poll(), ControlFlow::Break(Stop::Time));
        assert_eq!(board.poll(), ControlFlow::Break(Stop::Interrupt), "for everybody");
        assert_eq!(board.stopped(), Some(Stop::Time));
    }

    #[test]
    fn any_schedule_may_do() {
        let control = Until(AtomicI64::new(1));
        let board = Board::new(&control, 1, Some(0), true);
        board.offer(incumbent(100));
        assert!(board.is_met());
    }
}
