//! Several searches at once, which share the states out among them: each looks after those whose
//! integers have a key of its own, and sends others to whom they belong, many at a time.
//!
//! It is over when nobody has anything to do and nothing is on its way: `busy` counts both. Who
//! sends adds one for the batch; who receives it while idle is busy from then on, and who
//! receives it while busy takes it off again.

use super::state::State;
use super::store::NodeId;
use super::zone::Zone;
use crate::trace::{EdgeRef, Move};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// A batch of so many states is sent off.
const FULL: usize = 64;
/// After so many expansions even smaller ones are: others may have nothing to do.
const LATEST: u32 = 32;
/// How long an idle one waits before it looks whether it shall stop.
const PAUSE: Duration = Duration::from_millis(5);

/// States on their way to whom they belong.
pub struct Batch<W> {
    pub parcels: Vec<Sent>,
    /// Of all of them, one after the other.
    pub cells: Vec<i32>,
    pub words: Vec<W>,
    pub edges: Vec<EdgeRef>,
}

/// One state of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// By its number among all.
    pub parent: Option<NodeId>,
    pub words: u32,
    pub edges: u32,
    pub stays: bool,
}

enum Message<W> {
    Batch(Batch<W>),
    Over,
}

/// What all of a crew know.
struct Shared {
    busy: AtomicUsize,
    is_over: AtomicBool,
    /// States explored, stored and waiting, of each.
    figures: Vec<[AtomicU64; 3]>,
}

/// One of a crew.
pub struct Member<W> {
    number: u32,
    inbox: Receiver<Message<W>>,
    outboxes: Vec<Sender<Message<W>>>,
    outgoing: Vec<Batch<W>>,
    shared: Arc<Shared>,
    is_busy: bool,
    /// Expansions since the last batch was sent.
    since: u32,
}

/// What comes of waiting.
pub enum Awaited<W> {
    Batch(Batch<W>),
    Nothing,
    Over,
}

/// A crew of so many.
pub fn crew<W>(count: usize) -> Vec<Member<W>> {
    let shared = Arc::new(Shared {
        busy: AtomicUsize::new(count),
        is_over: AtomicBool::new(false),
        figures: (0..count).map(|_| Default::default()).collect(),
    });
    let (outboxes, inboxes): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
    let member = |(number, inbox)| Member {
        number,
        inbox,
        outboxes: outboxes.clone(),
        outgoing: (0..count).map(|_| Batch::default()).collect(),
        shared: shared.clone(),
        is_busy: true,
        since: 0,
    };
    (0..).zip(inboxes).map(member).collect()
}

impl<W: Copy> Member<W> {
    /// Whether a state with this key belongs to somebody else, and to whom.
    pub fn stranger(&self, key: u32) -> Option<usize> {
        let mixed = key.wrapping_mul(0x85eb_ca6b) >> 16;
        Some(mixed % self.outboxes.len() as u32).filter(|&o| o != self.number).map(|o| o as usize)
    }

    /// The number of a state of one's own among all.
    pub fn global(&self, node: NodeId) -> NodeId {
        NodeId(node.0 * self.outboxes.len() as u32 + self.number)
    }

    pub fn send<Z: Zone<Word = W>>(
        &mut self,
        to: usize,
        state: &State<Z>,
        words: &[W],
        (parent, stays): (Option<NodeId>, bool),
        action: &Move,
    ) {
        let batch = &mut self.outgoing[to];
        batch.cells.extend_from_slice(&state.cells);
        batch.words.extend_from_slice(words);
        batch.edges.extend_from_slice(&action.edges);
        let (words, edges) = (words.len() as u32, action.edges.len() as u32);
        batch.parcels.push(Sent { parent, words, edges, stays });
        if batch.parcels.len() >= FULL {
            self.post(to);
        }
    }

    fn post(&mut self, to: usize) {
        let batch = std::mem::take(&mut self.outgoing[to]);
        if !batch.parcels.is_empty() {
            self.shared.busy.fetch_add(1, Ordering::SeqCst);
            // Who has ended does not need it any more.
            let _ = self.outboxes[to].send(Message::Batch(batch));
        }
    }

    fn post_all(&mut self) {
        self.since = 0;
        (0..self.outgoing.len()).for_each(|to| self.post(to));
    }

    /// Between two expansions: what others have sent.
    pub fn incoming(&mut self) -> Option<Batch<W>> {
        self.since += 1;
        if self.since >= LATEST {
            self.post_all();
        }
        match self.inbox.try_recv() {
            Ok(Message::Batch(batch)) => {
                self.shared.busy.fetch_sub(1, Ordering::SeqCst);
                Some(batch)
            }
            _ => None,
        }
    }

    /// With nothing left to do: waits for what others send.
    pub fn wait(&mut self) -> Awaited<W> {
        self.post_all();
        if self.is_busy {
            self.is_busy = false;
            if self.shared.busy.fetch_sub(1, Ordering::SeqCst) == 1 {
                self.end();
            }
        }
        if self.is_over() {
            return Awaited::Over;
        }
        match self.inbox.recv_timeout(PAUSE) {
            Ok(Message::Batch(batch)) => {
                self.is_busy = true;
                Awaited::Batch(batch)
            }
            Err(RecvTimeoutError::Timeout) => Awaited::Nothing,
            Ok(Message::Over) | Err(RecvTimeoutError::Disconnected) => Awaited::Over,
        }
    }

    pub fn is_over(&self) -> bool {
        self.shared.is_over.load(Ordering::Relaxed)
    }

    /// Ends it for all.
    pub fn end(&self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        for outbox in &self.outboxes {
            let _ = outbox.send(Message::Over);
        }
    }

    pub fn figures(&self) -> Figures {
        Figures { number: self.number as usize, shared: self.shared.clone() }
    }
}

/// How far the members of a crew are.
pub struct Figures {
    number: usize,
    shared: Arc<Shared>,
}

impl Figures {
    /// Tells how far this one is; gives how far all are together.
    pub fn tell(&self, own: [u64; 3]) -> [u64; 3] {
        for (shared, own) in self.shared.figures[self.number].iter().zip(own) {
            shared.store(own, Ordering::Relaxed);
        }
        let sum = |k: usize| {
            self.shared.figures.iter().map(|figures| figures[k].load(Ordering::Relaxed)).sum()
        };
        [sum(0), sum(1), sum(2)]
    }

    pub fn is_over(&self) -> bool {
        self.shared.is_over.load(Ordering::Relaxed)
    }

    /// Ends it for all; those who wait look every few milliseconds.
    pub fn end(&self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
    }
}

impl<W> Default for Batch<W> {
    fn default() -> Batch<W> {
        Batch { parcels: Vec::new(), cells: Vec::new(), words: Vec::new(), edges: Vec::new() }
    }
}
