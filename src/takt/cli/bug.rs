//! A panic is a bug of ours: it is reported as such, in words or as JSON, never as an answer.

use std::env;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::{Mutex, PoisonError};

static LATEST: Mutex<String> = Mutex::new(String::new());

/// Runs the program's work; if that panics, gives what the panic said.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        *LATEST.lock().unwrap_or_else(PoisonError::into_inner) = describe(info);
        if env::var_os("RUST_BACKTRACE").is_some() {
            usual(info);
        }
    }));
    // Nothing of the work is looked at again afterwards.
    panic::catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| LATEST.lock().unwrap_or_else(PoisonError::into_inner).clone())
}

fn describe(info: &PanicHookInfo) -> String {
    let payload = info.payload();
    let words = payload.downcast_ref::<&str>().copied();
    let words = words.or(payload.downcast_ref::<String>().map(String::as_str));
    let place = info.location().map_or(String::new(), |place| format!(" ({place})"));
    format!("{}{place}", words.unwrap_or("an assertion failed"))
}
