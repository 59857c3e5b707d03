//! Watches a search: wall time, resident memory, interruptions; draws the progress line.

use super::args::Limits;
use super::interrupt;
use crate::engine::{Control, Progress, Stop};
use crate::schedule::Decimal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Reading the memory takes microseconds: do it every few milliseconds at most.
const LOOK: Duration = Duration::from_millis(5);
const DRAW: Duration = Duration::from_millis(100);

/// Limits and progress of one run, from the start of the process.
#[derive(Debug)]
pub struct Watch {
    started: Instant,
    time: Option<Duration>,
    memory: Option<u64>,
    bar: Option<ProgressBar>,
    /// Better values are told as they are found.
    announces: bool,
    seen: Mutex<Seen>,
}

/// What the search has told so far, and when.
#[derive(Debug)]
struct Seen {
    progress: Progress,
    looked: Instant,
    drawn: Instant,
    /// States explored when the line was drawn last.
    drawn_at: u64,
    /// When the latest search ended, and how long the search for each query took.
    answered: Instant,
    seconds: BTreeMap<usize, f64>,
}

impl Watch {
    /// `draw`: whether progress is to be told; the line appears only on a terminal.
    pub fn new(started: Instant, limits: &Limits, draw: bool) -> Watch {
        let now = Instant::now();
        Watch {
            started,
            // What is left pays for the trace, the files and the end of the process.
            time: limits.time.map(|limit| limit.0.mul_f64(0.97)),
            memory: limits.memory.map(|limit| limit.0 / 100 * 97),
            bar: draw.then(progress_line),
            announces: draw,
            seen: Mutex::new(Seen {
                progress: Progress::default(),
                looked: started,
                drawn: now,
                drawn_at: 0,
                answered: now,
                seconds: BTreeMap::new(),
            }),
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// How long the search that answered this query took.
    pub fn seconds(&self, query: usize) -> f64 {
        let since = |seen: &Seen| seen.answered.elapsed().as_secs_f64();
        let seen = self.seen();
        seen.seconds.get(&query).copied().unwrap_or_else(|| since(&seen))
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
        let bound = no_less(&seen.progress);
        bar.set_message(format!(
            "{explored} states, {rate:.0}/s, {waiting} waiting, {memory} MB, {seconds:.0} s{bound}"
        ));
    }
}

impl Control for Watch {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        if interrupt::is_requested() {
            return ControlFlow::Break(Stop::Interrupt);
        }
        let now = Instant::now();
        if self.time.is_some_and(|limit| now.duration_since(self.started) >= limit) {
            return ControlFlow::Break(Stop::Time);
        }
        // A thread that finds another one looking has nothing to add.
        let Ok(mut seen) = self.seen.try_lock() else { return ControlFlow::Continue(()) };
        seen.progress = *progress;
        if let Some(limit) = self.memory
            && now.duration_since(seen.looked) >= LOOK
        {
            seen.looked = now;
            if resident().is_some_and(|bytes| bytes >= limit) {
                return ControlFlow::Break(Stop::Memory);
            }
        }
        if now.duration_since(seen.drawn) >= DRAW {
            self.draw(&mut seen, now);
        }
        ControlFlow::Continue(())
    }

    fn improved(&self, progress: &Progress) {
        let mut seen = self.seen();
        seen.progress = *progress;
        if let (true, Some(best)) = (self.announces, progress.best) {
            let best = Decimal::scaled(best, progress.scale);
            let seconds = self.elapsed().as_secs_f64();
            let line = format!("found {best}{} ({seconds:.1} s)", no_less(progress));
            match &self.bar {
                Some(bar) => bar.suspend(|| eprintln!("{line}")),
                None => eprintln!("{line}"),
            }
        }
    }

    fn answered(&self, queries: &[usize]) {
        let mut seen = self.seen();
        let seconds = seen.answered.elapsed().as_secs_f64();
        seen.seconds.extend(queries.iter().map(|&query| (query, seconds)));
        seen.answered = Instant::now();
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

/// Resident memory in bytes, where the system tells (Linux).
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// The most memory that was resident at any time, in bytes; 0 where the system does not tell.
pub fn peak() -> u64 {
    status("VmHWM:").unwrap_or(0)
}

/// A line of /proc/self/status. (statm is shorter, but counts pages of unknown size.)
fn status(key: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim_end().parse().ok()?;
    Some(kilobytes << 10)
}
