//! The search loop: the only one.
//!
//! Takes a waiting state, expands it, offers its successors to the store, shows the goal what
//! is new. What is looked for, what a state is worth and what is dropped is the [`Goal`]'s
//! business; the order is the [`Waiting`]'s, coverage the [`Store`]'s.

use super::incumbent::Incumbent;
use super::loops::Loops;
use super::observer::Observer;
use super::state::{Activity, State};
use super::store::{Cover, NodeId, Offer, Parcel, Store};
use super::successor::{Broken, Flow, Successors, Transition};
use super::tables::Tables;
use super::waiting::{Entry, Waiting};
use super::workers::{Awaited, Batch, Sent, Worker};
use super::zone::Zone;
use super::{Abstraction, Control, Options, Progress, Stop};
use crate::dbm::ClockLimits;
use crate::model::Model;
use crate::trace::Move;
use std::ops::ControlFlow;

/// What a search is for.
pub trait Goal<Z: Zone> {
    /// What the state is worth, the smaller the better; `None` drops it unseen.
    fn rank(&mut self, _state: &State<Z>) -> Option<i64> {
        Some(0)
    }

    /// Of the state that was ranked last: the smaller, the better among those of equal rank.
    fn tie(&self) -> i64 {
        0
    }

    /// Looks at a state that was just stored. Break ends the search.
    fn look(&mut self, successors: &mut Successors<Z>, seen: Seen<Z>) -> Flow;

    /// What it has found, for a goal that looks for the smallest value.
    fn incumbent(&mut self) -> Option<&mut Incumbent> {
        None
    }

    /// The best value so far.
    fn best(&mut self) -> Option<i64> {
        self.incumbent().and_then(|incumbent| incumbent.value())
    }

    /// Whether a stored state of this rank still has to be expanded.
    fn is_worth(&mut self, rank: i64) -> bool {
        self.incumbent().is_none_or(|incumbent| incumbent.can_improve(rank))
    }

    /// Hears that a state led to a stored one, or to one that it covers.
    fn link(&mut self, _source: Option<NodeId>, _target: NodeId, _transition: &Transition<Z>) {}
}

/// A state that was just stored.
pub struct Seen<'s, Z> {
    pub state: &'s State<Z>,
    pub node: NodeId,
    pub rank: i64,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was seen.
    Exhausted,
    /// The goal had enough.
    Broken,
    /// There is a better value; the search can go on.
    Improved,
    /// As many states were explored as it was told to; the search can go on.
    Paused,
    Stopped(Stop),
}

/// A search under way: the states seen, and those that wait.
pub struct Search<'m, Z: Zone> {
    pub successors: Successors<'m, Z>,
    pub store: Store<Z>,
    waiting: Waiting,
    activity: Activity,
    limits: ClockLimits<Z::Bound>,
    source: State<Z>,
    fresh: Vec<Fresh<Z>>,
    spare: Vec<State<Z>>,
    /// What has been shown of the smallest value: ranks only rise.
    bound: Option<i64>,
    /// The best value that `control` knows of.
    told: Option<i64>,
    is_started: bool,
    /// Pauses when so many states are explored.
    pub most: Option<u64>,
    /// The others, where several search together.
    worker: Option<Worker<Z>>,
    /// Where loops begin, if only states there are kept.
    pub loops: Option<Loops>,
    words: Vec<Z::Word>,
    /// States and successors between two looks at the limits.
    poll_every: u64,
    poll_within: u64,
    pub explored: u64,
    /// The largest number of states stored at any time.
    pub stored: u64,
}

/// A state that is still to be shown to the goal.
struct Fresh<Z: Zone> {
    node: NodeId,
    rank: i64,
    tie: i64,
    /// If it is looked at now.
    state: Option<State<Z>>,
}

/// A fault, and the state whose expansion met it.
#[derive(Clone, Debug)]
pub struct Lost {
    pub at: Option<NodeId>,
    pub broken: Broken,
}

/// How many states are expanded between two looks at the limits, and how many successors of one
/// state are made, where a model is small.
const POLL_EVERY: u64 = 256;
const POLL_WITHIN: u64 = 1024;

/// So many states that others sent are looked for at the same time.
const TOGETHER: usize = 16;

/// A table that grows by fewer bytes is not asked for: if they are too many, the next look at the
/// limits comes soon enough.
const LARGE_STEP: usize = 16 << 20;

/// A model with more processes than this has more successors, and each takes longer.
const SMALL: u64 = 32;

impl<'m, Z: Zone> Search<'m, Z> {
    pub fn new(
        tables: Tables<'m>,
        observer: Observer<'m>,
        cover: Cover,
        options: &Options,
    ) -> Search<'m, Z> {
        let model = tables.model;
        let larger = 1 + model.processes.len() as u64 / SMALL;
        let source = State { cells: vec![0; model.state_len as usize], ..State::default() };
        Search {
            store: Store::new(model, cover),
            waiting: Waiting::new(options.order.unwrap_or_default(), options.seed),
            activity: Activity::new(model.clocks.len()),
            limits: ClockLimits::default(),
            successors: Successors::new(tables, observer),
            source,
            fresh: Vec::new(),
            spare: Vec::new(),
            bound: None,
            told: None,
            is_started: false,
            most: None,
            worker: None,
            loops: None,
            words: Vec::new(),
            poll_every: (POLL_EVERY / (larger * larger)).max(1),
            poll_within: (POLL_WITHIN / larger).max(1),
            explored: 0,
            stored: 0,
        }
    }

    /// The best coverage that these tables allow.
    pub fn cover_for(tables: &Tables) -> Cover {
        match tables.abstraction {
            Abstraction::None => Cover::Inclusion,
            _ if tables.uses_simulation => Cover::Simulation,
            _ => Cover::Inclusion,
        }
    }

    /// Becomes one of several workers. States are looked at when they are expanded then: those that others
    /// send need not be unpacked before, and ranks tell how many moves a state is away.
    pub fn join(&mut self, member: Worker<Z>) {
        self.waiting.rank_by_moves();
        self.worker = Some(member);
    }

    pub fn worker(&self) -> Option<&Worker<Z>> {
        self.worker.as_ref()
    }

    /// Searches until the goal breaks, has a better value, nothing waits any more, or `control`
    /// stops it; goes on where it was when called again.
    pub fn run(&mut self, goal: &mut dyn Goal<Z>, control: &dyn Control) -> Result<End, Lost> {
        if !self.is_started {
            if !self.store.has_room() {
                return Ok(End::Stopped(Stop::Table));
            }
            self.is_started = true;
            self.told = goal.best();
            if self.start(goal)?.is_break() {
                return Ok(End::Broken);
            }
        }
        loop {
            if goal.best() != self.told {
                self.told = goal.best();
                control.improved(&self.progress(self.told, None));
                return Ok(End::Improved);
            }
            if let Some(end) = self.exchange() {
                return Ok(end);
            }
            if let Some(worker) = &mut self.worker
                && self.waiting.first_level().is_some_and(|next| worker.is_ahead(next))
            {
                continue;
            }
            if self.most.is_some_and(|most| self.explored >= most) && self.waiting.len() > 0 {
                return Ok(End::Paused);
            }
            let Some((node, rank)) = self.waiting.pop() else {
                match self.wait(control) {
                    Some(end) => return Ok(end),
                    None => continue,
                }
            };
            if !self.store.is_alive(node) || !goal.is_worth(rank) {
                continue;
            }
            if self.explored.is_multiple_of(self.poll_every) {
                if let ControlFlow::Break(stop) = control.turn(&self.polled(self.told, rank)) {
                    self.waiting.push(node, rank, 0);
                    return Ok(End::Stopped(stop));
                }
                self.learn(goal, control);
                if !self.make_room(control) {
                    self.waiting.push(node, rank, 0);
                    return Ok(End::Stopped(Stop::Memory));
                }
            }
            if self.store.is_full() {
                return Ok(End::Stopped(Stop::Memory));
            }
            self.explored += 1;
            if let Some(end) = self.expand((node, rank), goal, control)? {
                return Ok(end);
            }
        }
    }

    /// Tables grow here, where the search can end if there is no memory for it.
    fn make_room(&mut self, control: &dyn Control) -> bool {
        let has_room = |bytes: usize| bytes < LARGE_STEP || control.has_room(bytes as u64);
        self.store.make_room(&has_room) && self.waiting.make_room()
    }

    /// Takes in what other workers have sent meanwhile; says how the search ended if it did.
    fn exchange(&mut self) -> Option<End> {
        while let Some(batch) = self.worker.as_mut().and_then(Worker::incoming) {
            self.receive(batch);
        }
        let is_over = self.worker.as_ref().is_some_and(Worker::is_over);
        is_over.then_some(End::Exhausted)
    }

    /// With nothing left to do: waits for what others send, if there are others.
    fn wait(&mut self, control: &dyn Control) -> Option<End> {
        loop {
            match self.worker.as_mut().map(Worker::wait) {
                None | Some(Awaited::Over) => return Some(End::Exhausted),
                Some(Awaited::Batch(batch)) => {
                    self.receive(batch);
                    return None;
                }
                Some(Awaited::Nothing) => {
                    if let ControlFlow::Break(stop) = control.turn(&self.polled(self.told, 0)) {
                        return Some(End::Stopped(stop));
                    }
                }
            }
        }
    }

    /// Stores states that others have found.
    fn receive(&mut self, batch: Batch<Z>) {
        let mut rest = batch.unread();
        let mut action = Move::default();
        for (number, sent) in batch.parcels.iter().enumerate() {
            if number % TOGETHER == 0 {
                let next = batch.parcels[number..].iter().take(TOGETHER);
                self.store.fetch(next.map(|sent| sent.key));
            }
            self.store.take_packed(&mut rest.packed, &mut rest.aside);
            let words = rest.read(sent, &mut self.limits, &mut action);
            let Sent { key, dim, parent, rank, stays, .. } = *sent;
            let (limits, action) = (&self.limits, &action);
            let parcel = Parcel { key, dim, words, limits, parent, action, stays };
            if let Offer::New(node) | Offer::Joined(node) = self.store.offer(&parcel) {
                self.waiting.push(node, rank, 0);
            }
        }
        self.stored = self.stored.max(self.store.len());
        if let Some(worker) = &mut self.worker {
            worker.reuse(batch);
        }
    }

    /// What others have found meanwhile.
    fn learn(&mut self, goal: &mut dyn Goal<Z>, control: &dyn Control) {
        if let (Some(known), Some(incumbent)) = (control.known(), goal.incumbent())
            && incumbent.value().is_none_or(|value| known < value)
        {
            incumbent.learn(known);
            self.told = Some(known);
        }
    }

    /// The scalar sets of which only one state per orbit is looked at.
    pub fn reduced(&self) -> Vec<u32> {
        let reduction = self.successors.tables.reduction.as_ref();
        reduction.map_or(Vec::new(), |reduction| reduction.sets.iter().map(|s| s.0).collect())
    }

    /// No state still to come is better than this.
    pub fn bound(&self) -> Option<i64> {
        self.bound.max(self.waiting.smallest_rank())
    }

    /// How far the search is; `taken` is the rank of a state that waits no more but counts.
    fn progress(&mut self, best: Option<i64>, taken: Option<i64>) -> Progress {
        let smallest = self.waiting.smallest_rank().into_iter().chain(taken).chain(best).min();
        self.bound = self.bound.max(smallest);
        self.figures(best)
    }

    /// The same, without looking for the smallest rank where that takes long.
    fn polled(&mut self, best: Option<i64>, taken: i64) -> Progress {
        match self.waiting.is_sorted() {
            true => self.progress(best, Some(taken)),
            false => self.figures(best),
        }
    }

    fn figures(&self, best: Option<i64>) -> Progress {
        Progress {
            explored: self.explored,
            stored: self.store.len(),
            waiting: self.waiting.len() as u64,
            best,
            bound: self.bound,
            scale: 1,
        }
    }

    fn start(&mut self, goal: &mut dyn Goal<Z>) -> Result<ControlFlow<()>, Lost> {
        let Search { successors, store, fresh, spare, worker, words, .. } = self;
        let mut sink = Sink { store, fresh, spare, worker, words, keeping: None };
        successors
            .initial(&mut |state, transition| {
                sink.take(goal, state, transition, None);
                ControlFlow::Continue(())
            })
            .map_err(|broken| Lost { at: None, broken })?;
        self.look_at_fresh(goal)
    }

    /// Expands a state; says how the search ended if it did.
    fn expand(
        &mut self,
        (node, rank): Entry,
        goal: &mut dyn Goal<Z>,
        control: &dyn Control,
    ) -> Result<Option<End>, Lost> {
        self.load(node);
        if self.worker.is_some() {
            let seen = Seen { state: &self.source, node, rank };
            let looked = goal.look(&mut self.successors, seen);
            if looked.map_err(|broken| Lost { at: Some(node), broken })?.is_break() {
                return Ok(Some(End::Broken));
            }
        }
        let (explored, waiting) = (self.explored, self.waiting.len() as u64);
        let poll_within = self.poll_within;
        let told = Progress { best: goal.best(), bound: self.bound, ..Progress::default() };
        let Search { successors, store, source, fresh, spare, worker, words, loops, .. } = self;
        let model = successors.tables.model;
        let keeping = loops.as_ref().map(|loops| (model, loops));
        let mut sink = Sink { store, fresh, spare, worker, words, keeping };
        let (mut emitted, mut stopped) = (0, None);
        let _ = successors
            .expand(source, &mut |state, transition| {
                sink.take(goal, state, transition, Some((node, rank)));
                emitted += 1;
                // A single state may have millions of successors.
                if emitted % poll_within == 0 {
                    let stored = sink.store.len();
                    let progress = Progress { explored, stored, waiting, ..told };
                    stopped = control.turn(&progress).break_value();
                }
                if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .map_err(|broken| Lost { at: Some(node), broken })?;
        let flow = self.look_at_fresh(goal)?;
        Ok(match (flow, stopped) {
            (ControlFlow::Break(()), _) => Some(End::Broken),
            (_, Some(stop)) => {
                // Not all of its successors are known: it still waits.
                self.waiting.push(node, rank, 0);
                Some(End::Stopped(stop))
            }
            _ => None,
        })
    }

    fn load(&mut self, node: NodeId) {
        let Search { successors, store, source, activity, limits, .. } = self;
        store.load(node, source, |cells, clocks| {
            activity.find::<Z::Bound>(&successors.tables, cells, clocks, limits);
        });
        store.release(node, source.clocks.len() + 1);
    }

    /// Shows the goal the states just stored and lets them wait.
    fn look_at_fresh(&mut self, goal: &mut dyn Goal<Z>) -> Result<ControlFlow<()>, Lost> {
        self.stored = self.stored.max(self.store.len());
        let mut flow = ControlFlow::Continue(());
        for Fresh { node, rank, tie, state } in self.fresh.drain(..) {
            if flow.is_continue() && self.store.is_alive(node) {
                if let Some(state) = &state {
                    let looked = goal.look(&mut self.successors, Seen { state, node, rank });
                    flow = looked.map_err(|broken| Lost { at: Some(node), broken })?;
                }
                self.waiting.push(node, rank, tie);
            }
            self.spare.extend(state);
        }
        Ok(flow)
    }
}

/// Where successors go: into the store, or to whom they belong.
struct Sink<'a, Z: Zone> {
    store: &'a mut Store<Z>,
    fresh: &'a mut Vec<Fresh<Z>>,
    spare: &'a mut Vec<State<Z>>,
    worker: &'a mut Option<Worker<Z>>,
    words: &'a mut Vec<Z::Word>,
    /// Only states at the beginning of loops are kept.
    keeping: Option<(&'a Model, &'a Loops)>,
}

impl<Z: Zone> Sink<'_, Z> {
    /// Offers a state to the store and keeps a copy of it if it is new.
    fn take(
        &mut self,
        goal: &mut dyn Goal<Z>,
        state: &State<Z>,
        transition: &Transition<Z>,
        source: Option<Entry>,
    ) {
        let Some(rank) = goal.rank(state) else { return };
        let tie = goal.tie();
        // What is known of a state is known of all that follows it.
        let (source, rank) = match source {
            Some((node, moves)) if self.worker.is_some() => (Some(node), moves + 1),
            Some((node, known)) => (Some(node), rank.max(known)),
            None => (None, rank),
        };
        let action = transition.action;
        let stays = self.keeping.is_none_or(|(model, loops)| loops.are_entered(model, action));
        let key = self.store.pack(&state.cells);
        let (dim, words) = (state.clocks.len() + 1, state.zone.words(self.words));
        let limits = transition.limits;
        let mut parcel = Parcel { key, dim, words, limits, parent: source, action, stays };
        if let Some(worker) = self.worker {
            parcel.parent = source.map(|node| worker.global(node));
            // The initial state is found by all; whoever it belongs to keeps it.
            match (worker.stranger(key), source) {
                (Some(owner), Some(_)) => worker.send(owner, &parcel, rank, self.store.packed()),
                (None, _) => {
                    if let Offer::New(node) = self.store.offer(&parcel) {
                        self.fresh.push(Fresh { node, rank, tie, state: None });
                    }
                }
                _ => {}
            }
            return;
        }
        let offer = self.store.offer(&parcel);
        match offer {
            Offer::Covered(by) => goal.link(source, by, transition),
            Offer::New(node) | Offer::Joined(node) => {
                goal.link(source, node, transition);
                let mut copy = self.spare.pop().unwrap_or_default();
                copy.copy_from(state);
                if let Offer::Joined(_) = offer {
                    self.store.load_zone(node, &mut copy);
                }
                self.fresh.push(Fresh { node, rank, tie, state: Some(copy) });
            }
        }
    }
}
