//! Standard error, which never holds up a run and never ends one.
//!
//! A pipe that is closed or full takes no more, and one that is open but not read takes nothing for
//! as long as its reader likes. So a thread of its own writes. Whoever has a message waits for it a
//! little; a message that cannot be written by then is not waited for, nor is any after it. Messages
//! that nobody reads may be lost, and nothing else is.

use super::memory;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender, SyncSender};
use std::thread;
use std::time::Duration;

/// How long a message is waited for.
const PATIENCE: Duration = Duration::from_millis(200);
/// For how many threads there must be addresses before one is spent here.
const ROOMY: usize = 8;
/// How many messages may wait.
const QUEUE: usize = 64;

struct Writer {
    /// A message, and where to say that it is written.
    messages: SyncSender<(String, Sender<()>)>,
    is_stuck: AtomicBool,
}

/// `None` where there is no room for a thread.
static WRITER: OnceLock<Option<Writer>> = OnceLock::new();

pub fn write(message: String) {
    match WRITER.get_or_init(start) {
        Some(writer) => writer.write(message),
        None => put(&message),
    }
}

fn start() -> Option<Writer> {
    // A thread takes addresses for a heap of its own.
    if memory::most_threads() < ROOMY {
        return None;
    }
    let (messages, inbox) = mpsc::sync_channel::<(String, Sender<()>)>(QUEUE);
    let work = move || {
        for (message, written) in inbox {
            put(&message);
            let _ = written.send(());
        }
    };
    let thread = thread::Builder::new().stack_size(1 << 17).spawn(work);
    thread.is_ok().then_some(Writer { messages, is_stuck: AtomicBool::new(false) })
}

impl Writer {
    fn write(&self, message: String) {
        let (written, is_written) = mpsc::channel();
        let is_sent = self.messages.try_send((message, written)).is_ok();
        if is_sent && !self.is_stuck.load(Ordering::Acquire) {
            let is_late = is_written.recv_timeout(PATIENCE).is_err();
            self.is_stuck.store(is_late, Ordering::Release);
        }
    }
}

fn put(message: &str) {
    let _ = io::stderr().lock().write_all(message.as_bytes());
}
