//! The last resort for limits: ends the process if a run does not end by itself in time.
//!
//! A search looks at its limits whenever it polls ([`watch`](super::watch)); building a model, or
//! one very costly state, does not, and a table that doubles may take a great deal of memory at
//! once. The guard stands a few percent above the limits, says that the answer is unknown, and
//! ends the process. A run that has found something gets more time to bring it home. It also looks
//! how much memory is left, and speaks for work that never polls when a signal comes.

use super::args::Limits;
use super::memory::{self, Pressure};
use super::watch::Watch;
use super::{Exit, interrupt};
use crate::engine::{Progress, Stop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// How far above a limit a run is ended, and one that has something to bring home.
const OVER: f64 = 1.04;
const GRACE: f64 = 10.0;
const LOOK: Duration = Duration::from_millis(10);

/// Watches from a thread of its own until it is dismissed.
#[derive(Debug)]
pub struct Guard {
    is_over: Arc<AtomicBool>,
}

impl Guard {
    /// `last_words` says that there is no answer, why, and how far the search was.
    pub fn start(
        watch: &Arc<Watch>,
        limits: &Limits,
        last_words: impl FnOnce(Stop, Progress) + Send + 'static,
    ) -> Guard {
        let is_over = Arc::new(AtomicBool::new(false));
        let time = limits.time.map(|limit| limit.0);
        let memory = limits.memory.map(|limit| limit.0);
        let guard = Guard { is_over: is_over.clone() };
        let watch = watch.clone();
        let held = watch.crowd();
        let (begun, begins) = mpsc::channel();
        let work = move || {
            // The first piece of memory decides from which heap all others come.
            std::hint::black_box(Box::new(0));
            let _ = begun.send(());
            if let Some(stop) = wait(&watch, time, memory, &is_over) {
                watch.clear();
                last_words(stop, watch.progress());
                std::process::exit(Exit::Unknown as i32);
            }
        };
        // Where there is no room for a thread, the search looks after itself.
        if thread::Builder::new().spawn(work).is_ok() {
            let _ = begins.recv();
        }
        drop(held);
        guard
    }

    /// From here on the run speaks for itself. Does not return if the guard was faster.
    pub fn dismiss(&self) {
        if self.is_over.swap(true, Ordering::SeqCst) {
            loop {
                thread::park();
            }
        }
    }
}

/// Which limit was overrun; `None` if the guard was dismissed before.
fn wait(
    watch: &Watch,
    time: Option<Duration>,
    memory: Option<u64>,
    is_over: &AtomicBool,
) -> Option<Stop> {
    loop {
        thread::sleep(LOOK);
        // What was found is lost either way; the search may still stop in time.
        let is_narrow = watch.measure() == Pressure::Over && !watch.has_found();
        let more = if watch.has_found() { GRACE } else { OVER };
        let is_late = time.is_some_and(|limit| watch.elapsed() >= limit.mul_f64(more));
        // Only a run that has stopped searching asks for little more.
        let more = if watch.is_finishing() { GRACE } else { OVER };
        let is_large = || {
            memory.is_some_and(|limit| {
                memory::resident().is_some_and(|bytes| bytes as f64 >= limit as f64 * more)
            })
        };
        let stop = if is_late {
            Stop::Time
        } else if is_narrow || is_large() {
            Stop::Memory
        } else if !watch.is_polled() && interrupt::is_requested() {
            Stop::Interrupt
        } else if is_over.load(Ordering::SeqCst) {
            return None;
        } else {
            continue;
        };
        return (!is_over.swap(true, Ordering::SeqCst)).then_some(stop);
    }
}
