//! Watches a search: wall time, resident memory, interruptions; draws the progress line.

use super::args::Limits;
use super::interrupt;
use crate::engine::{Control, Progress, Stop};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs;
use std::ops::ControlFlow;
use std::sync::Mutex;
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
    seen: Mutex<Seen>,
}

#[derive(Debug)]
struct Seen {
    looked: Instant,
    drawn: Instant,
    explored: u64,
}

impl Watch {
    /// `draw`: whether a progress line is wanted; it appears only on a terminal.
    pub fn new(started: Instant, limits: &Limits, draw: bool) -> Watch {
        Watch {
            started,
            // What is left pays for the trace, the files and the end of the process.
            time: limits.time.map(|limit| limit.0.mul_f64(0.97)),
            memory: limits.memory.map(|limit| limit.0 / 100 * 97),
            bar: draw.then(progress_line),
            seen: Mutex::new(Seen { looked: started, drawn: started, explored: 0 }),
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Removes the progress line, so that other text can be written.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn draw(&self, progress: &Progress, seen: &mut Seen, now: Instant) {
        let Some(bar) = &self.bar else { return };
        let since = now.duration_since(seen.drawn).as_secs_f64().max(1e-3);
        let rate = progress.explored.saturating_sub(seen.explored) as f64 / since;
        (seen.drawn, seen.explored) = (now, progress.explored);
        bar.set_message(format!(
            "{} states, {rate:.0}/s, {} waiting, {} MB, {:.0} s",
            progress.explored,
            progress.waiting,
            resident().unwrap_or(0) >> 20,
            self.elapsed().as_secs_f64(),
        ));
        bar.tick();
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
        if let Some(limit) = self.memory
            && now.duration_since(seen.looked) >= LOOK
        {
            seen.looked = now;
            if resident().is_some_and(|bytes| bytes >= limit) {
                return ControlFlow::Break(Stop::Memory);
            }
        }
        if now.duration_since(seen.drawn) >= DRAW {
            self.draw(progress, &mut seen, now);
        }
        ControlFlow::Continue(())
    }
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
