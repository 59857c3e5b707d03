//! Watches a search: wall time, resident memory, interruptions; draws the progress line.

use super::args::Limits;
pub use super::memory::peak;
use super::memory::{Pressure, Room, resident};
use super::{console, interrupt};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use takt_automata::engine::{Control, Progress, Stop};
use takt_spec::schedule::Decimal;

/// Reading the memory takes microseconds: do it every few milliseconds at most.
const LOOK: Duration = Duration::from_millis(5);
const DRAW: Duration = Duration::from_millis(100);
/// Better values and bounds are told this far apart at least; on a terminal values are told at once.
const TELL: Duration = Duration::from_secs(1);
/// How many times as long as in rehearsal the end may take.
const RESERVE: f64 = 1.5;
/// A rehearsal may take this part of the time since the last one.
const SELDOM: u32 = 20;

/// Limits and progress of one run, from the start of the process.
#[derive(Debug)]
pub struct Watchdog {
    started: Instant,
    time: Option<Duration>,
    memory: Option<u64>,
    /// What there is, and whether that comes to an end.
    room: Arc<Room>,
    is_narrow: Arc<AtomicBool>,
    bar: Option<ProgressBar>,
    /// Better values are told as they are found.
    announces: bool,
    /// Planners are told of schedules, not of states.
    is_of_plans: bool,
    /// Whose they are, where several are searched.
    name: Option<String>,
    is_terminal: bool,
    /// Whether the work asks now and then whether to go on.
    is_polled: bool,
    /// How long before the limit to stop, in microseconds: as long as the end takes.
    reserve: AtomicU64,
    /// Something was found that must not be lost.
    has_found: Arc<AtomicBool>,
    /// What is finished stands ready to be written, whenever the run has to end.
    has_shelf: AtomicBool,
    /// The search was told to stop.
    is_stopping: Arc<AtomicBool>,
    seen: Mutex<Seen>,
}

/// What a search took.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub seconds: f64,
    /// The most memory that was resident up to its end, in bytes.
    pub memory: u64,
}

impl Cost {
    pub fn since(begun: Instant) -> Cost {
        Cost { seconds: begun.elapsed().as_secs_f64(), memory: peak() }
    }
}

/// What the search has told so far, and when.
#[derive(Debug)]
struct Seen {
    progress: Progress,
    looked: Instant,
    drawn: Instant,
    /// States explored when the line was drawn last.
    drawn_at: u64,
    /// When the latest search ended, and what the search for each query took.
    answered: Instant,
    costs: BTreeMap<usize, Cost>,
    /// The best value and the bound that were told, and when.
    told: Option<(i64, Option<i64>, Instant)>,
    /// When the last rehearsal was over, and how long it took.
    rehearsed: Option<(Instant, Duration)>,
    /// The largest bound so far: a later part of the search may know less.
    bound: Option<i64>,
}

impl Seen {
    fn new(started: Instant, now: Instant) -> Seen {
        Seen {
            progress: Progress::default(),
            looked: started,
            drawn: now,
            drawn_at: 0,
            answered: now,
            costs: BTreeMap::new(),
            told: None,
            rehearsed: None,
            bound: None,
        }
    }

    fn update(&mut self, progress: &Progress) {
        self.progress = *progress;
        self.bound = self.bound.max(progress.bound);
    }

    /// What is told: one above the best value is of a part of all schedules only.
    fn shown(&self) -> Progress {
        let most = self.progress.best.unwrap_or(i64::MAX);
        Progress { bound: self.bound.map(|bound| bound.min(most)), ..self.progress }
    }

    /// Whether there is a better value or bound than was told, and it is not too soon to tell it.
    fn is_news(&self, now: Instant, apart: Duration) -> bool {
        let Progress { best: Some(best), bound, .. } = self.shown() else { return false };
        self.told.is_none_or(|(value, known, at)| {
            let since = now.duration_since(at);
            best < value && since >= apart || bound > known && since >= TELL
        })
    }
}

impl Watchdog {
    /// `draw`: whether progress is to be told; the line appears only on a terminal.
    pub fn new(started: Instant, limits: &Limits, draw: bool) -> Watchdog {
        let now = Instant::now();
        Watchdog {
            started,
            // What is left pays for the trace, the files and the end of the process.
            time: limits.time.map(|limit| limit.0.mul_f64(0.97)),
            memory: limits.memory.map(|limit| limit.0 / 100 * 97),
            room: Arc::new(Room::look(limits.memory.is_some())),
            is_narrow: Arc::default(),
            bar: draw.then(progress_line),
            announces: draw,
            is_of_plans: false,
            name: None,
            is_terminal: std::io::stderr().is_terminal(),
            is_polled: true,
            reserve: AtomicU64::new(0),
            has_found: Arc::default(),
            has_shelf: AtomicBool::new(false),
            is_stopping: Arc::default(),
            seen: Mutex::new(Seen::new(started, now)),
        }
    }

    /// For work that never polls: the guard alone can end it.
    pub fn unpolled(self) -> Watchdog {
        Watchdog { is_polled: false, ..self }
    }

    pub fn is_polled(&self) -> bool {
        self.is_polled
    }

    /// From here on the run keeps what is finished, and so may be ended at any time.
    pub fn has_shelf(&self) {
        self.has_shelf.store(true, Ordering::Release);
    }

    /// For planners, who are told of schedules and not of states.
    pub fn of_plans(self) -> Watchdog {
        Watchdog { is_of_plans: true, ..self }
    }

    /// The same for one of several searches.
    pub fn named(self, name: &str) -> Watchdog {
        Watchdog { name: Some(name.to_owned()), ..self }
    }

    /// One of several searches of a run that is guarded as a whole.
    pub fn part_of(self, whole: &Watchdog) -> Watchdog {
        let (has_found, is_stopping) = (whole.has_found.clone(), whole.is_stopping.clone());
        let (room, is_narrow) = (whole.room.clone(), whole.is_narrow.clone());
        Watchdog { has_found, is_stopping, room, is_narrow, ..self }
    }

    /// Whether there is a result that must not be lost.
    pub fn has_found(&self) -> bool {
        self.has_found.load(Ordering::Acquire)
    }

    /// Whether there is a result that would be lost if the run ended now.
    pub fn needs_grace(&self) -> bool {
        self.has_found() && !self.has_shelf.load(Ordering::Acquire)
    }

    /// Whether the run is on its way to the end with a result.
    pub fn is_finishing(&self) -> bool {
        self.has_found() && self.is_stopping.load(Ordering::Acquire)
    }

    /// Held while a thread begins that shall have no heap of its own.
    pub fn crowd(&self) -> Option<Vec<u8>> {
        self.room.crowd()
    }

    /// Looks at what is left of the memory; the search hears of it at its next poll.
    pub fn measure(&self) -> Pressure {
        let pressure = self.room.pressure();
        self.is_narrow.store(pressure > Pressure::None, Ordering::Release);
        pressure
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What the search that answered this query took.
    pub fn cost(&self, query: usize) -> Cost {
        let seen = self.seen();
        seen.costs.get(&query).copied().unwrap_or_else(|| Cost::since(seen.answered))
    }

    /// How far the search is, as it told last.
    pub fn progress(&self) -> Progress {
        self.seen().progress
    }

    /// Removes the progress line, so that other text can be written.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self, seen: &mut Seen, now: Instant) {
        let Some(bar) = &self.bar else { return };
        let Progress { explored, waiting, .. } = seen.progress;
        let since = now.duration_since(seen.drawn).as_secs_f64().max(1e-3);
        let rate = explored.saturating_sub(seen.drawn_at) as f64 / since;
        (seen.drawn, seen.drawn_at) = (now, explored);
        let memory = resident().unwrap_or(0) >> 20;
        let seconds = self.elapsed().as_secs_f64();
        let shown = seen.shown();
        let bound = no_less(&shown);
        if self.is_of_plans {
            let best = shown.best.map(|best| Decimal::scaled(best, shown.scale).to_string());
            let best = best.unwrap_or_else(|| "nothing found yet".to_owned());
            return bar.set_message(format!("{best}{bound}, {seconds:.0} s"));
        }
        bar.set_message(format!(
            "{explored} states, {rate:.0}/s, {waiting} waiting, {memory} MB, {seconds:.0} s{bound}"
        ));
    }
}

impl Control for Watchdog {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        let flow = self.look(progress);
        if flow.is_break() {
            self.is_stopping.store(true, Ordering::Release);
        }
        flow
    }

    fn improved(&self, progress: &Progress) {
        let mut seen = self.seen();
        seen.update(progress);
        self.tell(&mut seen, Instant::now());
    }

    fn rehearse(&self, finish: &mut dyn FnMut()) {
        self.has_found.store(true, Ordering::Release);
        if self.time.is_none() && self.memory.is_none() {
            return;
        }
        let begun = Instant::now();
        finish();
        let taken = begun.elapsed();
        // The last schedule may be harder to write than the first.
        let reserve = taken.mul_f64(RESERVE).as_micros();
        self.reserve.store(u64::try_from(reserve).unwrap_or(u64::MAX), Ordering::Release);
        self.seen().rehearsed = Some((Instant::now(), taken));
    }

    fn wants_rehearsal(&self) -> bool {
        let rehearsed = self.seen().rehearsed;
        rehearsed.is_none_or(|(last, taken)| last.elapsed() > taken * SELDOM)
    }

    fn has_room(&self, bytes: u64) -> bool {
        let is_within = |limit| resident().is_none_or(|now| now.saturating_add(bytes) <= limit);
        self.memory.is_none_or(is_within) && self.room.has(bytes)
    }

    fn answered(&self, queries: &[usize]) {
        let mut seen = self.seen();
        let cost = Cost::since(seen.answered);
        seen.costs.extend(queries.iter().map(|&query| (query, cost)));
        seen.answered = Instant::now();
        (seen.told, seen.bound) = (None, None);
    }
}

impl Watchdog {
    fn is_late(&self, now: Instant) -> bool {
        let reserve = Duration::from_micros(self.reserve.load(Ordering::Acquire));
        self.time.is_some_and(|limit| now.duration_since(self.started) + reserve >= limit)
    }

    fn look(&self, progress: &Progress) -> ControlFlow<Stop> {
        if interrupt::is_requested() {
            return ControlFlow::Break(Stop::Interrupt);
        }
        let now = Instant::now();
        if self.is_late(now) {
            return ControlFlow::Break(Stop::Time);
        }
        if self.is_narrow.load(Ordering::Acquire) {
            return ControlFlow::Break(Stop::Memory);
        }
        // A thread that finds another one looking has nothing to add.
        let Ok(mut seen) = self.seen.try_lock() else { return ControlFlow::Continue(()) };
        seen.update(progress);
        if let Some(limit) = self.memory
            && now.duration_since(seen.looked) >= LOOK
        {
            seen.looked = now;
            if resident().is_some_and(|bytes| bytes >= limit) {
                return ControlFlow::Break(Stop::Memory);
            }
        }
        if seen.told.is_some() {
            self.tell(&mut seen, now);
        }
        if now.duration_since(seen.drawn) >= DRAW {
            self.draw(&mut seen, now);
        }
        ControlFlow::Continue(())
    }

    /// Tells of a better value or bound, if that is news.
    fn tell(&self, seen: &mut Seen, now: Instant) {
        let apart = if self.is_terminal { Duration::ZERO } else { TELL };
        let shown = seen.shown();
        let Some(best) = shown.best.filter(|_| self.announces && seen.is_news(now, apart)) else {
            return;
        };
        seen.told = Some((best, shown.bound, now));
        let best = Decimal::scaled(best, shown.scale);
        let seconds = self.elapsed().as_secs_f64();
        let name = self.name.as_ref().map_or(String::new(), |name| format!("{name}: "));
        let line = format!("{name}found {best}{} ({seconds:.1} s)\n", no_less(&shown));
        match &self.bar {
            Some(bar) => bar.suspend(|| console::complain(&line)),
            None => console::complain(&line),
        }
    }
}

fn no_less(progress: &Progress) -> String {
    let bound = progress.bound.map(|bound| Decimal::scaled(bound, progress.scale));
    bound.map_or(String::new(), |bound| format!(", no less than {bound}"))
}

fn progress_line() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template("{msg}").expect("the template is well-formed"));
    bar
}

#[cfg(test)]
mod tests {
    use super::super::limits::Period;
    use super::*;

    #[test]
    fn a_search_ends_as_long_before_the_limit_as_the_end_takes() {
        let now = Instant::now();
        let time = Some(Period(Duration::from_secs(100)));
        let limits = Limits { time, memory: None, threads: None, seed: 0 };
        let watch = Watchdog::new(now, &limits, false);
        let at = |seconds| now + Duration::from_secs(seconds);
        assert!(!watch.is_late(at(96)) && watch.is_late(at(97)) && !watch.has_found());
        watch.rehearse(&mut || ());
        assert!(watch.has_found() && !watch.is_finishing());
        watch.reserve.store(20_000_000, Ordering::Release);
        assert!(!watch.is_late(at(76)) && watch.is_late(at(77)));
    }

    #[test]
    fn only_better_values_are_told_and_bounds_never_fall() {
        let now = Instant::now();
        let (mut seen, later) = (Seen::new(now, now), now + TELL);
        let is_news = |best: i64, bound: i64, at: Instant, apart: Duration| {
            let (best, bound) = (Some(best), Some(bound));
            let mut seen = Seen { told: Some((9, Some(2), now)), ..Seen::new(now, now) };
            seen.update(&Progress { best, bound, ..Progress::default() });
            seen.is_news(at, apart)
        };
        assert!(!is_news(9, 2, later, TELL) && !is_news(8, 2, now, TELL));
        assert!(is_news(8, 2, later, TELL) && is_news(8, 2, now, Duration::ZERO));
        assert!(is_news(9, 3, later, TELL) && !is_news(9, 3, now, Duration::ZERO));
        assert!(!seen.is_news(later, TELL), "there is no value yet");
        for (bound, shown) in [(5, 5), (3, 5), (9, 8)] {
            let progress = Progress { best: Some(8), bound: Some(bound), ..Progress::default() };
            seen.update(&progress);
            assert_eq!(seen.shown().bound, Some(shown));
        }
    }
}
