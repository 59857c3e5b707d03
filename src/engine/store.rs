//! The states seen so far: passed and waiting ones in one place.
//!
//! States with equal integers share one packed copy of them and form a chain of zones. A new
//! zone that an old one covers is not stored; old ones that it covers leave the chain, and if
//! they were still waiting, they need not be expanded. Zones of one dimension lie side by
//! side in a pool; the place of a zone that left is used again.

use super::bits::Bits;
use super::packing::Packing;
use super::state::State;
use super::zone::Zone;
use crate::dbm::ClockLimits;
use crate::model::Model;
use crate::trace::Move;
use hashbrown::HashTable;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};

/// A stored state, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

const NONE: u32 = u32::MAX;

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
struct Node {
    /// The chain; or the place among loose integers.
    discrete: u32,
    parent: u32,
    action: u32,
    /// The next node of the chain.
    next: u32,
    /// The place in the pool of the zone's dimension; `NONE` once the node has left its chain.
    zone: u32,
}

/// From this many zones on, all of a chain together are asked whether they cover a new one.
const LONG_CHAIN: usize = 8;

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
    chains: Vec<(u32, u16)>,
    nodes: Vec<Node>,
    /// Per node, the cells that are no part of the state's identity.
    meta: Vec<i32>,
    pools: Vec<Pool<Z::Word>>,
    /// The table, where states are told apart by bits alone.
    bits: Option<Bits>,
    /// Packed integers of waiting states that are in no chain.
    loose: Pool<u8>,
    actions: Actions,
    packed: Vec<u8>,
    words: Vec<Z::Word>,
    alive: u64,
}

/// Slices of equal length, side by side.
#[derive(Clone, Debug)]
struct Pool<W> {
    words: Vec<W>,
    len: u32,
    free: Vec<u32>,
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
            pools: Vec::new(),
            bits: match cover {
                Cover::Bits(exponent) => Bits::new(exponent),
                _ => None,
            },
            loose: Pool::default(),
            actions: Actions::default(),
            packed: Vec::new(),
            words: Vec::new(),
            alive: 0,
        }
    }

    /// States in the chains.
    pub fn len(&self) -> u64 {
        self.alive
    }

    /// No more states can be numbered, or there is no room for the table.
    pub fn is_full(&self) -> bool {
        let has_table = !matches!(self.cover, Cover::Bits(_)) || self.bits.is_some();
        !has_table || self.nodes.len() >= NONE as usize - 1
    }

    pub fn cover(&self) -> Cover {
        self.cover
    }

    /// Stores the state unless a stored one covers it.
    pub fn offer(
        &mut self,
        state: &State<Z>,
        limits: &ClockLimits<Z::Bound>,
        parent: Option<NodeId>,
        action: &Move,
    ) -> Offer {
        let mut words = std::mem::take(&mut self.words);
        state.zone.save(&mut words);
        let offer = match self.cover {
            Cover::Bits(_) => self.offer_bits(state, &words, parent, action),
            Cover::Hull => self.offer_hull(state, &mut words, parent, action),
            _ => self.offer_words(state, &words, limits, parent, action),
        };
        self.words = words;
        offer
    }

    fn offer_bits(
        &mut self,
        state: &State<Z>,
        words: &[Z::Word],
        parent: Option<NodeId>,
        action: &Move,
    ) -> Offer {
        self.packing.pack(&state.cells, &mut self.packed);
        let mut hasher = self.hasher.build_hasher();
        (&self.packed, words).hash(&mut hasher);
        if !self.bits.as_mut().is_some_and(|bits| bits.insert(hasher.finish())) {
            return Offer::Covered(NodeId(NONE));
        }
        self.reserve_pool(state.clocks.len() + 1);
        let loose = self.loose.put(&self.packed);
        Offer::New(self.append(loose, NONE, state, words, parent, action))
    }

    fn offer_hull(
        &mut self,
        state: &State<Z>,
        words: &mut [Z::Word],
        parent: Option<NodeId>,
        action: &Move,
    ) -> Offer {
        let chain = self.chain_of(state);
        let (at, dim) = (self.chains[chain].0, state.clocks.len() + 1);
        if at != NONE {
            let old = self.pools[dim].get(self.nodes[at as usize].zone, Z::stored_len(dim));
            if Z::is_covered(dim, words, old, None) {
                return Offer::Covered(NodeId(at));
            }
            Z::join(words, old);
            self.unlink(chain, NONE, at, dim);
        }
        Offer::Joined(self.append_to(chain, state, words, parent, action))
    }

    fn offer_words(
        &mut self,
        state: &State<Z>,
        words: &[Z::Word],
        limits: &ClockLimits<Z::Bound>,
        parent: Option<NodeId>,
        action: &Move,
    ) -> Offer {
        let chain = self.chain_of(state);
        let dim = state.clocks.len() + 1;
        let simulation = (self.cover == Cover::Simulation).then_some(limits);
        let mut length = 0;
        let mut link = NONE;
        let mut at = self.chains[chain].0;
        while at != NONE {
            let Node { zone, next, .. } = self.nodes[at as usize];
            let old = self.pools[dim].get(zone, Z::stored_len(dim));
            let (is_covered, covers) = match self.cover {
                Cover::Equality => (words == old, false),
                _ if Z::is_covered(dim, words, old, simulation) => (true, false),
                _ => (false, Z::is_covered(dim, old, words, simulation)),
            };
            if is_covered {
                return Offer::Covered(NodeId(at));
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
            return Offer::Covered(NodeId(first));
        }
        Offer::New(self.append_to(chain, state, words, parent, action))
    }

    /// The stored zones of a chain.
    fn zones_of(&self, chain: usize, dim: usize) -> impl Iterator<Item = &[Z::Word]> {
        let first = self.chains[chain].0;
        let after = |&at: &u32| Some(self.nodes[at as usize].next).filter(|&next| next != NONE);
        std::iter::successors(Some(first).filter(|&at| at != NONE), after)
            .map(move |at| self.pools[dim].get(self.nodes[at as usize].zone, Z::stored_len(dim)))
    }

    fn append_to(
        &mut self,
        chain: usize,
        state: &State<Z>,
        words: &[Z::Word],
        parent: Option<NodeId>,
        action: &Move,
    ) -> NodeId {
        let next = self.chains[chain].0;
        let node = self.append(chain as u32, next, state, words, parent, action);
        self.chains[chain].0 = node.0;
        node
    }

    fn append(
        &mut self,
        discrete: u32,
        next: u32,
        state: &State<Z>,
        words: &[Z::Word],
        parent: Option<NodeId>,
        action: &Move,
    ) -> NodeId {
        let dim = state.clocks.len() + 1;
        let id = self.nodes.len() as u32;
        let zone = self.pools[dim].put(words);
        self.nodes.push(Node {
            discrete,
            parent: parent.map_or(NONE, |p| p.0),
            action: self.actions.number(action),
            next,
            zone,
        });
        self.meta.extend(self.packing.meta().iter().map(|&c| state.cells[c as usize]));
        self.alive += 1;
        NodeId(id)
    }

    fn unlink(&mut self, chain: usize, link: u32, node: u32, dim: usize) {
        let Node { next, zone, .. } = self.nodes[node as usize];
        match link {
            NONE => self.chains[chain].0 = next,
            link => self.nodes[link as usize].next = next,
        }
        self.pools[dim].free.push(zone);
        self.nodes[node as usize].zone = NONE;
        self.alive -= 1;
    }

    /// Forgets a loose state that is being expanded; others stay.
    pub fn release(&mut self, node: NodeId, dim: usize) {
        if let Cover::Bits(_) = self.cover {
            let Node { discrete, zone, .. } = self.nodes[node.0 as usize];
            self.pools[dim].free.push(zone);
            self.loose.free.push(discrete);
            self.nodes[node.0 as usize].zone = NONE;
        }
    }

    fn reserve_pool(&mut self, dim: usize) {
        if self.pools.len() <= dim {
            self.pools.resize_with(dim + 1, Pool::default);
        }
    }

    /// The chain of the state's integers, made if there is none yet.
    fn chain_of(&mut self, state: &State<Z>) -> usize {
        self.packing.pack(&state.cells, &mut self.packed);
        let short = (self.hasher.hash_one(&self.packed[..]) >> 32) as u32;
        let (hash, len) = (spread(short), self.packing.len());
        let (discretes, packed) = (&self.discretes, &self.packed);
        let found = self.index.find(hash, |&(chain, h)| {
            h == short && discretes[chain as usize * len..][..len] == packed[..]
        });
        if let Some(&(chain, _)) = found {
            return chain as usize;
        }
        let chain = self.chains.len();
        let dim = state.clocks.len() + 1;
        self.discretes.extend_from_slice(&self.packed);
        self.chains.push((NONE, dim as u16));
        self.reserve_pool(dim);
        self.index.insert_unique(hash, (chain as u32, short), |&(_, short)| spread(short));
        chain
    }

    /// False if a later state made this one superfluous.
    pub fn is_alive(&self, node: NodeId) -> bool {
        self.nodes[node.0 as usize].zone != NONE
    }

    /// Writes a stored, alive state over `state`, whose active clocks `clocks_of` finds.
    pub fn load(
        &self,
        node: NodeId,
        state: &mut State<Z>,
        clocks_of: impl FnOnce(&[i32], &mut Vec<u32>),
    ) {
        self.load_cells(node, &mut state.cells);
        clocks_of(&state.cells, &mut state.clocks);
        self.load_zone(node, state);
    }

    /// Writes the zone of a stored, alive state over that of `state`, which agrees with it
    /// otherwise.
    pub fn load_zone(&self, node: NodeId, state: &mut State<Z>) {
        let Node { zone, .. } = self.nodes[node.0 as usize];
        let dim = state.clocks.len() + 1;
        state.zone.restore(dim, self.pools[dim].get(zone, Z::stored_len(dim)));
    }

    /// Writes the integers of a stored state over `cells`, which hold any state of the model.
    pub fn load_cells(&self, node: NodeId, cells: &mut [i32]) {
        let Node { discrete, .. } = self.nodes[node.0 as usize];
        let len = self.packing.len();
        let packed = match self.cover {
            Cover::Bits(_) => self.loose.get(discrete, len),
            _ => &self.discretes[discrete as usize * len..][..len],
        };
        self.packing.unpack(packed, cells);
        let meta = self.packing.meta();
        for (k, &cell) in meta.iter().enumerate() {
            cells[cell as usize] = self.meta[node.0 as usize * meta.len() + k];
        }
    }

    /// The moves from the initial state to this one.
    pub fn path(&self, node: NodeId) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut at = self.nodes[node.0 as usize];
        while at.parent != NONE {
            moves.push(self.actions.get(at.action).clone());
            at = self.nodes[at.parent as usize];
        }
        moves.reverse();
        moves
    }
}

/// The table's hash from the half of it that is stored, so that growing hashes nothing again.
fn spread(short: u32) -> u64 {
    u64::from(short).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<W> Default for Pool<W> {
    fn default() -> Pool<W> {
        Pool { words: Vec::new(), len: 0, free: Vec::new() }
    }
}

impl<W: Copy> Pool<W> {
    fn get(&self, place: u32, len: usize) -> &[W] {
        &self.words[place as usize * len..][..len]
    }

    fn put(&mut self, words: &[W]) -> u32 {
        match self.free.pop() {
            Some(place) => {
                let start = place as usize * words.len();
                self.words[start..start + words.len()].copy_from_slice(words);
                place
            }
            None => {
                self.words.extend_from_slice(words);
                self.len += 1;
                self.len - 1
            }
        }
    }
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
