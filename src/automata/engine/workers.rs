//! Several searches at once, which share the states out among them: each looks after those whose
//! integers have a key of its own, and sends others to whom they belong, many at a time.
//!
//! It is over when nobody has anything to do and nothing is on its way: `busy` counts both. Who
//! sends adds one for the batch; who receives it while idle is busy from then on, and who
//! receives it while busy takes it off again.

use super::store::{NodeId, Parcel};
use super::zone::Zone;
use crate::dbm::ClockLimits;
use crate::trace::{EdgeRef, Move};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// A batch of so many states is sent off, or of zones of so many words together.
const FULL: usize = 256;
const LARGE: usize = 1 << 17;
/// After so many expansions even smaller ones are: others may have nothing to do.
const LATEST: u32 = 128;
/// How long an idle one waits before it looks whether it shall stop.
const PAUSE: Duration = Duration::from_millis(5);
/// How often one that is ahead of others looks whether they have come nearer, before it goes on
/// all the same.
const LOOKS: u32 = 4096;

/// States on their way to whom they belong, in the form in which they are stored: most are covered
/// by others and need never be unpacked.
pub struct Batch<Z: Zone> {
    pub parcels: Vec<Sent>,
    /// Of all of them, one after the other.
    packed: Vec<u8>,
    aside: Vec<i32>,
    words: Vec<Z::Word>,
    limits: Vec<Z::Bound>,
    edges: Vec<EdgeRef>,
}

/// What is left of a batch to be read.
pub struct Unread<'a, Z: Zone> {
    pub packed: &'a [u8],
    pub aside: &'a [i32],
    words: &'a [Z::Word],
    limits: &'a [Z::Bound],
    edges: &'a [EdgeRef],
}

/// One state of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// By its number among all.
    pub parent: Option<NodeId>,
    pub key: u32,
    pub dim: usize,
    pub rank: i64,
    pub stays: bool,
    edges: u32,
}

enum Message<Z: Zone> {
    Batch(Batch<Z>),
    Over,
}

/// What all workers know.
struct Shared {
    busy: AtomicUsize,
    is_over: AtomicBool,
    /// How many moves away the state is that each has taken last; [`IDLE`] if it has none.
    levels: Vec<Level>,
    /// States explored, stored and waiting, of each.
    figures: Vec<[AtomicU64; 3]>,
}

/// Alone in its line of the cache: each writes its own and reads those of others again and again.
#[repr(align(128))]
struct Level(AtomicI64);

const IDLE: i64 = i64::MAX;

/// One thread of a search, with the states whose keys are its own.
pub struct Worker<Z: Zone> {
    number: u32,
    inbox: Receiver<Message<Z>>,
    outboxes: Vec<Sender<Message<Z>>>,
    outgoing: Vec<Batch<Z>>,
    /// Batches that were read, empty again.
    spare: Vec<Batch<Z>>,
    shared: Arc<Shared>,
    is_busy: bool,
    /// Expansions since the last batch was sent.
    since: u32,
    level: i64,
    /// How often it may still look whether others have come nearer.
    looks: u32,
}

/// What comes of waiting.
pub enum Awaited<Z: Zone> {
    Batch(Batch<Z>),
    Nothing,
    Over,
}

/// So many workers, who know each other.
pub fn workers<Z: Zone>(count: usize) -> Vec<Worker<Z>> {
    let shared = Arc::new(Shared {
        busy: AtomicUsize::new(count),
        is_over: AtomicBool::new(false),
        levels: (0..count).map(|_| Level(AtomicI64::new(0))).collect(),
        figures: (0..count).map(|_| Default::default()).collect(),
    });
    let (outboxes, inboxes): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
    let member = |(number, inbox)| Worker {
        number,
        inbox,
        outboxes: outboxes.clone(),
        outgoing: (0..count).map(|_| Batch::default()).collect(),
        spare: Vec::new(),
        shared: shared.clone(),
        is_busy: true,
        since: 0,
        level: 0,
        looks: 0,
    };
    (0..).zip(inboxes).map(member).collect()
}

impl<Z: Zone> Worker<Z> {
    /// Whether a state with this key belongs to somebody else, and to whom.
    pub fn stranger(&self, key: u32) -> Option<usize> {
        let mixed = key.wrapping_mul(0x85eb_ca6b) >> 16;
        Some(mixed % self.outboxes.len() as u32).filter(|&o| o != self.number).map(|o| o as usize)
    }

    /// The number of a state of one's own among all.
    pub fn global(&self, node: NodeId) -> NodeId {
        NodeId(node.0 * self.outboxes.len() as u32 + self.number)
    }

    pub fn send(&mut self, to: usize, parcel: &Parcel<Z>, rank: i64, packed: (&[u8], &[i32])) {
        let batch = &mut self.outgoing[to];
        batch.add(parcel, rank, packed);
        if batch.parcels.len() >= FULL || batch.words.len() >= LARGE {
            self.post(to);
        }
    }

    /// A batch that was read has room for another one.
    pub fn reuse(&mut self, mut batch: Batch<Z>) {
        batch.clear();
        self.spare.push(batch);
    }

    fn post(&mut self, to: usize) {
        if !self.outgoing[to].parcels.is_empty() {
            let empty = self.spare.pop().unwrap_or_default();
            let batch = std::mem::replace(&mut self.outgoing[to], empty);
            self.shared.busy.fetch_add(1, Ordering::SeqCst);
            // Who has ended does not need it any more.
            let _ = self.outboxes[to].send(Message::Batch(batch));
        }
    }

    fn post_all(&mut self) {
        self.since = 0;
        (0..self.outgoing.len()).for_each(|to| self.post(to));
    }

    /// Whether others are behind by more than a level, so that it pays to wait for what they send:
    /// a state that a nearer one covers need not be expanded. `next` is the level of the state to
    /// be taken next.
    pub fn is_ahead(&mut self, next: i64) -> bool {
        if next != self.level {
            self.enter(next);
        }
        if self.looks == 0 {
            return false;
        }
        let is_behind = |level: &Level| level.0.load(Ordering::Relaxed) < next - 1;
        if !self.shared.levels.iter().any(is_behind) {
            return false;
        }
        self.looks -= 1;
        match self.looks % 64 {
            0 => std::thread::yield_now(),
            _ => std::hint::spin_loop(),
        }
        true
    }

    /// Others wait for what the last level has led to.
    fn enter(&mut self, level: i64) {
        self.level = level;
        self.looks = LOOKS;
        self.post_all();
        self.shared.levels[self.number as usize].0.store(level, Ordering::Relaxed);
    }

    /// Between two expansions: what others have sent.
    pub fn incoming(&mut self) -> Option<Batch<Z>> {
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
    pub fn wait(&mut self) -> Awaited<Z> {
        self.post_all();
        if self.is_busy {
            self.is_busy = false;
            self.enter(IDLE);
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

/// How far the workers are.
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

impl<Z: Zone> Batch<Z> {
    fn add(&mut self, parcel: &Parcel<Z>, rank: i64, (packed, aside): (&[u8], &[i32])) {
        let Parcel { key, dim, words, limits, parent, action, stays } = *parcel;
        self.packed.extend_from_slice(packed);
        self.aside.extend_from_slice(aside);
        self.words.extend_from_slice(words);
        limits.append_to(&mut self.limits);
        self.edges.extend_from_slice(&action.edges);
        let edges = action.edges.len() as u32;
        self.parcels.push(Sent { parent, key, dim, rank, stays, edges });
    }

    fn clear(&mut self) {
        self.parcels.clear();
        self.packed.clear();
        self.aside.clear();
        self.words.clear();
        self.limits.clear();
        self.edges.clear();
    }

    pub fn unread(&self) -> Unread<'_, Z> {
        Unread {
            packed: &self.packed,
            aside: &self.aside,
            words: &self.words,
            limits: &self.limits,
            edges: &self.edges,
        }
    }
}

impl<'a, Z: Zone> Unread<'a, Z> {
    /// Reads the zone, the limits and the move of the next state, which is `sent`.
    pub fn read(
        &mut self,
        sent: &Sent,
        limits: &mut ClockLimits<Z::Bound>,
        action: &mut Move,
    ) -> &'a [Z::Word] {
        let (words, edges);
        (words, self.words) = self.words.split_at(Z::stored_len(sent.dim));
        (edges, self.edges) = self.edges.split_at(sent.edges as usize);
        limits.read_from(sent.dim, &mut self.limits);
        action.edges.clear();
        action.edges.extend_from_slice(edges);
        words
    }
}

impl<Z: Zone> Default for Batch<Z> {
    fn default() -> Batch<Z> {
        Batch {
            parcels: Vec::new(),
            packed: Vec::new(),
            aside: Vec::new(),
            words: Vec::new(),
            limits: Vec::new(),
            edges: Vec::new(),
        }
    }
}
