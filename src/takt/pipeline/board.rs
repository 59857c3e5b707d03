//! What searches that run side by side tell each other: the best schedule, how much better one can
//! be, and when to stop.

use super::search::Incumbent;
use super::solve::Member;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use takt_automata::engine::{Control, Progress, Stop};
use takt_plant::timetable::Jobs;

/// The best schedule so far.
#[derive(Clone)]
pub struct Best {
    pub value: i64,
    pub jobs: Jobs,
    pub by: Member,
    /// As a schedule, where the automata and the validator have been asked already.
    pub passed: Option<Incumbent>,
}

pub struct Board<'c> {
    control: &'c (dyn Control + Sync),
    /// Values are prices in parts of one.
    scale: i64,
    /// Any schedule will do.
    is_any: bool,
    best: Mutex<Option<Best>>,
    /// The value of the best; the largest number if there is none.
    known: AtomicI64,
    /// No schedule that is looked for is better than this.
    bound: AtomicI64,
    is_over: AtomicBool,
    /// Somebody finishes the best schedule after a limit has come.
    is_last_turn: AtomicBool,
    /// How far the search through the automata is, and which limit came first.
    last: Mutex<(Progress, Option<Stop>)>,
}

impl<'c> Board<'c> {
    pub fn new(
        control: &'c (dyn Control + Sync),
        scale: i64,
        floor: Option<i64>,
        is_any: bool,
    ) -> Board<'c> {
        Board {
            control,
            scale,
            is_any,
            best: Mutex::new(None),
            known: AtomicI64::new(i64::MAX),
            bound: AtomicI64::new(floor.unwrap_or(i64::MIN)),
            is_over: AtomicBool::new(false),
            is_last_turn: AtomicBool::new(false),
            last: Mutex::new((Progress::default(), None)),
        }
    }

    pub fn known(&self) -> Option<i64> {
        Some(self.known.load(Ordering::Acquire)).filter(|&known| known < i64::MAX)
    }

    pub fn bound(&self) -> Option<i64> {
        Some(self.bound.load(Ordering::Acquire)).filter(|&bound| bound > i64::MIN)
    }

    /// Nothing better is possible, or nothing better is wanted.
    pub fn is_met(&self) -> bool {
        let known = self.known.load(Ordering::Acquire);
        known < i64::MAX && (self.is_any || known <= self.bound.load(Ordering::Acquire))
    }

    /// Ends all searches.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    /// Which limit ended the searches.
    pub fn stopped(&self) -> Option<Stop> {
        self.last().1
    }

    /// Takes a schedule if it is the best so far.
    pub fn offer(&self, new: Best) {
        let mut best = lock(&self.best);
        if best.as_ref().is_some_and(|best| best.value <= new.value) {
            return;
        }
        self.known.store(new.value, Ordering::Release);
        *best = Some(new);
    }

    /// Tells the outside of a better value, where values count.
    pub fn announce(&self, value: i64) {
        if self.is_any {
            return;
        }
        let progress = self.last().0;
        self.control.improved(&self.seen(&Progress { best: Some(value), ..progress }));
    }

    /// Lets the outside see how long the end takes with the first schedule, and now and then with a
    /// better one.
    pub fn rehearse(&self, finish: &mut dyn FnMut()) {
        if self.known().is_none() || self.control.wants_rehearsal() {
            self.control.rehearse(finish);
        }
    }

    /// Whether a limit has come, and this is the first to ask: somebody has to finish the best.
    pub fn takes_last_turn(&self) -> bool {
        self.stopped().is_some() && !self.is_last_turn.swap(true, Ordering::AcqRel)
    }

    /// The automata and the validator have accepted the best schedule, or a former one.
    pub fn pass(&self, value: i64, passed: &Incumbent) {
        if let Some(best) = lock(&self.best).as_mut().filter(|best| best.value == value) {
            best.passed.get_or_insert_with(|| passed.clone());
        }
    }

    pub fn best(&self) -> Option<Best> {
        lock(&self.best).clone()
    }

    /// The best schedule, if it is better than this.
    pub fn better_than(&self, value: Option<i64>) -> Option<Jobs> {
        let known = self.known()?;
        if value.is_some_and(|value| value <= known) {
            return None;
        }
        lock(&self.best).as_ref().map(|best| best.jobs.clone())
    }

    /// What the search through the automata has shown.
    pub fn note(&self, progress: &Progress) {
        self.raise(progress.bound);
        self.last().0 = *progress;
    }

    /// No schedule is better than this.
    pub fn raise(&self, bound: Option<i64>) {
        bound.into_iter().for_each(|bound| {
            self.bound.fetch_max(bound, Ordering::AcqRel);
        });
    }

    /// Whether to go on, asked by anyone at any time.
    pub fn poll(&self) -> ControlFlow<Stop> {
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
        let best = progress.best.into_iter().chain(self.known()).min();
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

    fn best(value: i64) -> Best {
        Best { value, jobs: Vec::new(), by: Member::Rules, passed: None }
    }

    #[test]
    fn only_better_schedules_count() {
        let control = Until(AtomicI64::new(9));
        let board = Board::new(&control, 1, Some(5), false);
        assert_eq!((board.known(), board.bound()), (None, Some(5)));
        board.offer(best(9));
        board.offer(best(11));
        assert_eq!(board.known(), Some(9));
        assert!(board.better_than(Some(9)).is_none());
        assert!(board.better_than(Some(10)).is_some());
        assert!(!board.is_met());
        board.note(&Progress { bound: Some(9), ..Progress::default() });
        assert!(board.is_met(), "the bound has come up to the value");
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
        board.offer(best(100));
        assert!(board.is_met());
    }
}
