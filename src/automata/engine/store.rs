//! The states seen so far: passed and waiting ones in one place.
//!
//! States with equal integers share one packed copy of them and form a chain of zones. A new
//! zone that an old one covers is not stored; old ones that it covers leave the chain, and if
//! they were still waiting, they need not be expanded. Zones of one dimension lie side by
//! side; the place of a zone that left is used again.

use super::bits::Bits;
use super::packing::Packing;
use super::pool::{Pool, Zones};
use super::room::{self, Grow};
use super::state::State;
use super::zone::Zone;
use crate::dbm::ClockLimits;
use crate::model::ids::id;
use crate::model::{ClockId, Model};
use crate::trace::Move;
use hashbrown::HashTable;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::hint::black_box;

id! {
    /// A stored state, by number.
    NodeId
}

/// No zone; and no node.
const NONE: u32 = u32::MAX;
const NOBODY: NodeId = NodeId(NONE);

/// When a zone makes another one of the same integers superfluous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// If it can do all that the other can.
    Simulation,
    /// If it contains the other.
    Inclusion,
    /// If it is the same.
    Equality,
    /// If it contains the other; and of two that do not, the zone around both stays.
    Hull,
    /// If its hash sets the same bits in a table of so many (as a power of two): states are
    /// forgotten as soon as they are expanded.
    Bits(u32),
}

#[derive(Clone, Copy, Debug)]
struct StoredNode {
    /// The chain; or, with [`LOOSE`], the place among loose integers.
    discrete: u32,
    parent: NodeId,
    action: u32,
    /// The next node of the chain.
    next: NodeId,
    /// The place in the pool of the zone's dimension; `NONE` once the node has left its chain.
    zone: u32,
}

/// Marks nodes that are in no chain and are forgotten when they are expanded.
const LOOSE: u32 = 1 << 31;

/// Zones of this dimension and larger ones share rows, if they have no prices.
const LARGE: usize = 24;

/// From this many zones on, all of a chain together are asked whether they cover a new one.
const LONG_CHAIN: usize = 8;

/// A state on its way into the store, which has its integers already (see [`Store::pack`]).
#[derive(Clone, Copy, Debug)]
pub struct Parcel<'a, Z: Zone> {
    pub key: u32,
    /// The dimension of its zone, and the zone.
    pub dim: usize,
    pub words: &'a [Z::Word],
    pub limits: &'a ClockLimits<Z::Bound>,
    pub parent: Option<NodeId>,
    pub action: &'a Move,
    /// Whether it has to be remembered once it is expanded.
    pub stays: bool,
}

/// What became of a state that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    New(NodeId),
    /// It was stored as a part of a larger one.
    Joined(NodeId),
    /// This stored state makes it superfluous.
    Covered(NodeId),
}

pub struct Store<Z: Zone> {
    packing: Packing,
    cover: Cover,
    /// (chain, half of its hash)
    index: HashTable<(u32, u32)>,
    hasher: foldhash::fast::FixedState,
    /// Packed integers, `packing.len()` bytes each.
    discretes: Vec<u8>,
    /// First node of each chain, and the dimension of its zones.
    chains: Vec<(NodeId, u16)>,
    nodes: Vec<StoredNode>,
    /// Per node, the cells that are no part of the state's identity.
    meta: Vec<i32>,
    /// By dimension.
    zones: Vec<Zones<Z::Word>>,
    /// The table, where states are told apart by bits alone.
    bits: Option<Bits>,
    /// Packed integers of waiting states that are in no chain.
    loose: Pool<u8>,
    actions: Actions,
    /// The integers of the state that is offered next: those that tell it from others, packed, and
    /// those that do not.
    packed: Vec<u8>,
    aside: Vec<i32>,
    /// A zone around two others.
    hull: Vec<Z::Word>,
    /// For a stored zone that has to be put together.
    room: Vec<Z::Word>,
    /// Where states will be looked for that are offered soon, with their dimensions.
    ahead: Vec<(u32, u16)>,
    alive: u64,
    /// How many stores there are, if states are shared out among several.
    pub sharers: u32,
}

impl<Z: Zone> Store<Z> {
    pub fn new(model: &Model, cover: Cover) -> Store<Z> {
        Store {
            packing: Packing::new(model),
            cover,
            index: HashTable::new(),
            hasher: foldhash::fast::FixedState::default(),
            discretes: Vec::new(),
            chains: Vec::new(),
            nodes: Vec::new(),
            meta: Vec::new(),
            zones: Vec::new(),
            bits: match cover {
                Cover::Bits(exponent) => Bits::new(exponent),
                _ => None,
            },
            loose: Pool::default(),
            actions: Actions::default(),
            packed: Vec::new(),
            aside: Vec::new(),
            hull: Vec::new(),
            room: Vec::new(),
            ahead: Vec::new(),
            alive: 0,
            sharers: 1,
        }
    }

    /// States in the chains.
    pub fn len(&self) -> u64 {
        self.alive
    }

    /// Whether there is a table, if it needs one.
    pub fn has_room(&self) -> bool {
        !matches!(self.cover, Cover::Bits(_)) || self.bits.is_some()
    }

    /// Lets large tables grow; false if there is no memory for it. `has_room` says whether there is
    /// some for so many bytes.
    pub fn make_room(&mut self, has_room: &dyn Fn(usize) -> bool) -> bool {
        self.discretes.make_room()
            && self.chains.make_room()
            && self.nodes.make_room()
            && self.meta.make_room()
            && self.loose.make_room()
            && self.zones.iter_mut().all(|zones| zones.make_room(has_room))
            && room::make_room(&mut self.index, |&(_, key)| spread(key), has_room)
    }

    /// No more states can be numbered.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= (LOOSE - 1) as usize / self.sharers as usize
    }

    pub fn cover(&self) -> Cover {
        self.cover
    }

    /// Takes the integers of a state that will be offered next; gives what decides where it is
    /// kept.
    pub fn pack(&mut self, cells: &[i32]) -> u32 {
        self.packing.pack(cells, &mut self.packed);
        self.aside.clear();
        self.aside.extend(self.packing.meta().iter().map(|&cell| cells[cell]));
        (self.hasher.hash_one(&self.packed[..]) >> 32) as u32
    }

    /// What was packed last: the integers that tell a state from others, and those that do not.
    pub fn packed(&self) -> (&[u8], &[i32]) {
        (&self.packed, &self.aside)
    }

    /// Takes integers that a store of the same model has packed, the first of those that follow;
    /// leaves the rest.
    pub fn take_packed(&mut self, packed: &mut &[u8], aside: &mut &[i32]) {
        let (first, rest) = packed.split_at(self.packing.len());
        let (first_aside, rest_aside) = aside.split_at(self.packing.meta().len());
        self.packed.clear();
        self.packed.extend_from_slice(first);
        self.aside.clear();
        self.aside.extend_from_slice(first_aside);
        (*packed, *aside) = (rest, rest_aside);
    }

    /// Brings near what offers of states with these keys are going to look at. Each of their looks
    /// depends on the one before it and waits for memory; here those of several states wait together.
    pub fn fetch(&mut self, keys: impl Iterator<Item = u32>) {
        let Store { index, chains, nodes, discretes, zones, packing, ahead, .. } = self;
        let chain_of = |key| index.find(spread(key), |&(_, other)| other == key);
        ahead.clear();
        ahead.extend(keys.filter_map(|key| chain_of(key).map(|&(chain, _)| (chain, 0))));
        for (place, dim) in ahead.iter_mut() {
            black_box(discretes.get(*place as usize * packing.len()).copied());
            let (node, of) = chains[*place as usize];
            (*place, *dim) = (node.0, of);
        }
        ahead.retain(|&(node, _)| node != NONE);
        for (place, _) in ahead.iter_mut() {
            *place = nodes[NodeId(*place)].zone;
        }
        for &(zone, dim) in ahead.iter() {
            zones[usize::from(dim)].touch(zone, Z::stored_len(dim.into()));
        }
    }

    /// Stores the state whose integers were packed last, unless a stored one covers it.
    pub fn offer(&mut self, parcel: &Parcel<Z>) -> Offer {
        match self.cover {
            Cover::Bits(_) => self.offer_bits(parcel),
            Cover::Hull => self.offer_hull(parcel),
            _ => self.offer_zone(parcel),
        }
    }

    fn offer_bits(&mut self, parcel: &Parcel<Z>) -> Offer {
        let hash = self.hasher.hash_one((&self.packed, parcel.words));
        match self.bits.as_mut().is_some_and(|bits| bits.insert(hash)) {
            true => Offer::New(self.append_loose(parcel)),
            false => Offer::Covered(NOBODY),
        }
    }

    fn offer_hull(&mut self, parcel: &Parcel<Z>) -> Offer {
        let Parcel { key, dim, words, .. } = *parcel;
        let chain = self.chain_of(key, dim);
        let at = self.chains[chain].0;
        let mut hull = std::mem::take(&mut self.hull);
        hull.clear();
        hull.extend_from_slice(words);
        if at != NOBODY {
            let place = self.nodes[at].zone;
            let old = self.zones[dim].get(place, Z::stored_len(dim), &mut self.room);
            if Z::is_covered(dim, words, old, None) {
                self.hull = hull;
                return Offer::Covered(at);
            }
            Z::join(&mut hull, old);
            self.unlink(chain, NOBODY, at, dim);
        }
        let node = self.append_to(chain, &Parcel { words: &hull, ..*parcel });
        self.hull = hull;
        Offer::Joined(node)
    }

    fn offer_zone(&mut self, parcel: &Parcel<Z>) -> Offer {
        let Parcel { key, dim, words, limits, stays, .. } = *parcel;
        let chain = match self.find_chain(key) {
            Some(chain) => chain,
            None if !stays => return Offer::New(self.append_loose(parcel)),
            None => self.new_chain(key, dim),
        };
        let simulation = (self.cover == Cover::Simulation).then_some(limits);
        let mut length = 0;
        let mut link = NOBODY;
        let mut at = self.chains[chain].0;
        while at != NOBODY {
            let StoredNode { zone, next, .. } = self.nodes[at];
            let old = self.zones[dim].get(zone, Z::stored_len(dim), &mut self.room);
            let (is_covered, covers) = match self.cover {
                Cover::Equality => (words == old, false),
                _ if Z::is_covered(dim, words, old, simulation) => (true, false),
                _ if !stays => (false, false),
                _ => (false, Z::is_covered(dim, old, words, simulation)),
            };
            if is_covered {
                return Offer::Covered(at);
            }
            if covers {
                self.unlink(chain, link, at, dim);
            } else {
                link = at;
                length += 1;
            }
            at = next;
        }
        let first = self.chains[chain].0;
        if Z::IS_PRICED
            && length >= LONG_CHAIN
            && Z::is_covered_by_all(dim, words, &mut self.zones_of(chain, dim))
        {
            return Offer::Covered(first);
        }
        Offer::New(match stays {
            true => self.append_to(chain, parcel),
            false => self.append_loose(parcel),
        })
    }

    /// The stored zones of a chain.
    fn zones_of(&self, chain: usize, dim: usize) -> impl Iterator<Item = &[Z::Word]> {
        let first = self.chains[chain].0;
        let is_there = |node: &NodeId| *node != NOBODY;
        let after = move |&at: &NodeId| Some(self.nodes[at].next).filter(is_there);
        std::iter::successors(Some(first).filter(is_there), after).map(move |at| {
            match &self.zones[dim] {
                Zones::Whole(pool) => pool.get(self.nodes[at].zone, Z::stored_len(dim)),
                Zones::ByRows(..) => unreachable!("zones with prices are stored as a whole"),
            }
        })
    }

    fn append_to(&mut self, chain: usize, parcel: &Parcel<Z>) -> NodeId {
        let next = self.chains[chain].0;
        let node = self.append(chain as u32, next, parcel);
        self.chains[chain].0 = node;
        node
    }

    fn append_loose(&mut self, parcel: &Parcel<Z>) -> NodeId {
        self.reserve(parcel.dim);
        let place = self.loose.put(&self.packed);
        self.append(place | LOOSE, NOBODY, parcel)
    }

    fn append(&mut self, discrete: u32, next: NodeId, parcel: &Parcel<Z>) -> NodeId {
        let Parcel { dim, words, parent, action, .. } = *parcel;
        let node = NodeId::at(self.nodes.len());
        let zone = self.zones[dim].put(words);
        self.nodes.push(StoredNode {
            discrete,
            parent: parent.unwrap_or(NOBODY),
            action: self.actions.number(action),
            next,
            zone,
        });
        self.meta.extend_from_slice(&self.aside);
        self.alive += 1;
        node
    }

    fn unlink(&mut self, chain: usize, link: NodeId, node: NodeId, dim: usize) {
        let StoredNode { next, zone, .. } = self.nodes[node];
        match link {
            NOBODY => self.chains[chain].0 = next,
            link => self.nodes[link].next = next,
        }
        self.zones[dim].free(zone);
        self.nodes[node].zone = NONE;
        self.alive -= 1;
    }

    /// Forgets a loose state that is being expanded; others stay.
    pub fn release(&mut self, node: NodeId, dim: usize) {
        let StoredNode { discrete, zone, .. } = self.nodes[node];
        if discrete & LOOSE != 0 {
            self.zones[dim].free(zone);
            self.loose.free(discrete & !LOOSE);
            self.nodes[node].zone = NONE;
            self.alive -= 1;
        }
    }

    fn reserve(&mut self, dim: usize) {
        for dim in self.zones.len()..=dim {
            let shares = dim >= LARGE && !Z::IS_PRICED;
            self.zones.push(if shares { Zones::by_rows(dim) } else { Zones::whole() });
        }
    }

    /// The chain of the integers packed last, made if there is none yet.
    fn chain_of(&mut self, key: u32, dim: usize) -> usize {
        self.find_chain(key).unwrap_or_else(|| self.new_chain(key, dim))
    }

    fn find_chain(&self, key: u32) -> Option<usize> {
        let len = self.packing.len();
        let found = self.index.find(spread(key), |&(chain, other)| {
            other == key && self.discretes[chain as usize * len..][..len] == self.packed[..]
        });
        found.map(|&(chain, _)| chain as usize)
    }

    fn new_chain(&mut self, key: u32, dim: usize) -> usize {
        let chain = self.chains.len();
        self.discretes.extend_from_slice(&self.packed);
        self.chains.push((NOBODY, dim as u16));
        self.reserve(dim);
        self.index.insert_unique(spread(key), (chain as u32, key), |&(_, key)| spread(key));
        chain
    }

    /// False if a later state made this one superfluous.
    pub fn is_alive(&self, node: NodeId) -> bool {
        self.nodes[node].zone != NONE
    }

    /// Writes a stored, alive state over `state`, whose active clocks `clocks_of` finds.
    pub fn load(
        &mut self,
        node: NodeId,
        state: &mut State<Z>,
        clocks_of: impl FnOnce(&[i32], &mut Vec<ClockId>),
    ) {
        self.load_cells(node, &mut state.cells);
        clocks_of(&state.cells, &mut state.clocks);
        self.load_zone(node, state);
    }

    /// Writes the zone of a stored, alive state over that of `state`, which agrees with it
    /// otherwise.
    pub fn load_zone(&mut self, node: NodeId, state: &mut State<Z>) {
        let StoredNode { zone, .. } = self.nodes[node];
        let dim = state.clocks.len() + 1;
        let words = self.zones[dim].get(zone, Z::stored_len(dim), &mut self.room);
        state.zone.restore(dim, words);
    }

    /// Writes the integers of a stored state over `cells`, whatever they hold.
    pub fn load_cells(&self, node: NodeId, cells: &mut [i32]) {
        let StoredNode { discrete, .. } = self.nodes[node];
        let len = self.packing.len();
        let packed = match discrete & LOOSE {
            0 => &self.discretes[discrete as usize * len..][..len],
            _ => self.loose.get(discrete & !LOOSE, len),
        };
        self.packing.unpack(packed, cells);
        let meta = self.packing.meta();
        for (k, &cell) in meta.iter().enumerate() {
            cells[cell] = self.meta[node.index() * meta.len() + k];
        }
    }

    /// The moves from the initial state to this one.
    pub fn path(&self, node: NodeId) -> Vec<Move> {
        path(&[self], node)
    }
}

/// The same where states are shared out among several stores: state `k` of store `s` has the
/// number `k` times the number of stores, plus `s`.
pub fn path<Z: Zone>(stores: &[&Store<Z>], node: NodeId) -> Vec<Move> {
    let count = stores.len() as u32;
    let find = |node: NodeId| (stores[(node.0 % count) as usize], NodeId(node.0 / count));
    let mut moves = Vec::new();
    let (mut store, mut at) = find(node);
    while store.nodes[at].parent != NOBODY {
        moves.push(store.actions.get(store.nodes[at].action).clone());
        (store, at) = find(store.nodes[at].parent);
    }
    moves.reverse();
    moves
}

/// The table's hash from the half of it that is stored, so that growing hashes nothing again.
fn spread(short: u32) -> u64 {
    u64::from(short).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Moves by number: few different ones occur.
#[derive(Clone, Debug, Default)]
struct Actions {
    moves: Vec<Move>,
    numbers: HashMap<Move, u32, foldhash::fast::FixedState>,
}

impl Actions {
    fn number(&mut self, action: &Move) -> u32 {
        if let Some(&number) = self.numbers.get(action) {
            return number;
        }
        let number = self.moves.len() as u32;
        self.moves.push(action.clone());
        self.numbers.insert(action.clone(), number);
        number
    }

    fn get(&self, number: u32) -> &Move {
        &self.moves[number as usize]
    }
}
