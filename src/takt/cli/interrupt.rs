//! Ctrl-C and SIGTERM: the first asks the search to end, the second ends the process.
//!
//! Files are written in turns that no signal cuts short ([`Turn`]): whoever ends the process waits for
//! the end of a turn, and takes away what would be left behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// What is half done on the disk, and of use to nobody should the process end now.
static HALF_DONE: Mutex<Option<PathBuf>> = Mutex::new(None);

/// As long as it is there, no signal ends the process.
#[derive(Debug)]
pub struct Turn(MutexGuard<'static, Option<PathBuf>>);

/// Catches the signals from now on.
pub fn install() {
    // Without a handler the signals keep their usual effect, which is acceptable.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            end(130);
        }
    });
}

/// Where no search could be asked to end, the first signal ends the process, between two turns.
/// Without effect where signals are caught already.
pub fn install_without_search() {
    let _ = ctrlc::set_handler(|| end(130));
}

/// A file that grows beyond `ulimit -f` is an error of its own writing, not the end of the process.
pub fn survive_file_limits() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGXFSZ);
        // Threads inherit it; where it fails, signals keep their usual effect.
        let _ = signals.thread_block();
    }
}

/// Whether a signal has come.
pub fn is_requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Begins a turn.
pub fn turn() -> Turn {
    Turn(HALF_DONE.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Turn {
    /// From now on this has to go if the process ends.
    pub fn begin(&mut self, path: &Path) {
        *self.0 = Some(path.to_owned());
    }

    /// Nothing is half done any more.
    pub fn done(&mut self) {
        *self.0 = None;
    }
}

/// Ends the process; keeps its turn until that is gone.
pub fn end(code: i32) -> ! {
    let mut turn = turn();
    if let Some(path) = turn.0.take() {
        let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
    std::process::exit(code)
}
