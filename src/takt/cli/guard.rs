//! The last resort for limits: ends the process if a run does not end by itself in time.
//!
//! A search looks at its limits whenever it polls ([`watch`](super::watch)); reading a pipe, building
//! a model, or one very costly state does not, and a table that doubles may take a great deal of
//! memory at once. The guard stands a few percent above the limits, says the last words of the run
//! (which write down what is ready by then) and ends the process. It also looks how much memory is
//! left, and speaks for work that never polls when a signal comes.

use super::args::Limits;
use super::console::{self, Console};
use super::memory::{self, Pressure};
use super::watchdog::Watchdog;
use super::{Exit, interrupt};
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use takt_automata::engine::{Progress, Stop};

/// How far above a limit a run is ended, and one that has something to bring home.
const OVER: f64 = 1.02;
const GRACE: f64 = 10.0;
const LOOK: Duration = Duration::from_millis(5);

/// What a run says and does when it is ended from outside: the limit, and how far the search was.
type Words = Box<dyn FnOnce(Stop, Progress) -> Exit + Send>;

/// Watches from a thread of its own until it is dismissed or goes.
pub struct Guard {
    is_over: Arc<AtomicBool>,
    last_words: Arc<Mutex<Option<Words>>>,
}

impl Guard {
    pub fn start(
        watch: &Arc<Watchdog>,
        limits: &Limits,
        last_words: impl FnOnce(Stop, Progress) -> Exit + Send + 'static,
    ) -> Guard {
        let guard = Guard {
            is_over: Arc::new(AtomicBool::new(false)),
            last_words: Arc::new(Mutex::new(Some(Box::new(last_words)))),
        };
        let time = limits.time.map(|limit| limit.0);
        let memory = limits.memory.map(|limit| limit.0);
        let (is_over, watch) = (guard.is_over.clone(), watch.clone());
        let last_words = guard.last_words.clone();
        let held = watch.crowd();
        let (begun, begins) = mpsc::channel();
        let work = move || {
            // The first piece of memory decides from which heap all others come.
            std::hint::black_box(Box::new(0));
            let _ = begun.send(());
            if let Some(stop) = wait(&watch, time, memory, &is_over) {
                watch.clear();
                let words = last_words.lock().unwrap_or_else(PoisonError::into_inner).take();
                let exit = words.map_or(Exit::Unknown, |words| words(stop, watch.progress()));
                interrupt::end(exit as i32);
            }
        };
        // Where there is no room for a thread, the search looks after itself.
        if thread::Builder::new().spawn(work).is_ok() {
            let _ = begins.recv();
        }
        drop(held);
        guard
    }

    /// For work without limits, which the memory there is ends all the same.
    pub fn without_limits(console: &Console, started: Instant) -> Guard {
        let limits = Limits { time: None, memory: None, threads: None, seed: 0 };
        let watch = Arc::new(Watchdog::new(started, &limits, false).unpolled());
        let console = *console;
        Guard::start(&watch, &limits, move |_, _| {
            let message = "there is not enough memory (see `ulimit -v`)";
            if console.json {
                console::print(&format!("{}\n", json!({"takt": 1, "unknown": message})));
            } else {
                console::complain(&format!("error: {message}\n"));
            }
            Exit::Unknown
        })
    }

    /// The run has come further: these are its last words from here on.
    pub fn instead(&self, last_words: impl FnOnce(Stop, Progress) -> Exit + Send + 'static) {
        let mut words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        *words = Some(Box::new(last_words));
    }

    /// From here on the run speaks for itself. Does not return if the guard was faster.
    pub fn dismiss(self) {}
}

/// Also where the run ends by an error: it must not speak twice.
impl Drop for Guard {
    fn drop(&mut self) {
        if self.is_over.swap(true, Ordering::SeqCst) {
            loop {
                thread::park();
            }
        }
    }
}

/// Which limit was overrun; `None` if the guard was dismissed before.
fn wait(
    watch: &Watchdog,
    time: Option<Duration>,
    memory: Option<u64>,
    is_over: &AtomicBool,
) -> Option<Stop> {
    loop {
        thread::sleep(LOOK);
        // What was found and not finished is lost either way; the search may still stop in time.
        let is_narrow = watch.measure() == Pressure::Over && !watch.needs_grace();
        let more = if watch.needs_grace() { GRACE } else { OVER };
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
