//! Ctrl-C and SIGTERM: the first asks the search to end, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Catches the signals from now on.
pub fn install() {
    // Without a handler the signals keep their usual effect, which is acceptable.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
}

/// Whether a signal has come.
pub fn is_requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
