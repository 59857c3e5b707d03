//! The states seen so far: passed and waiting ones in one place.
//!
//! States with equal integers share one packed copy of them and form a chain of zones. A new
//! zone that an old one covers is not stored; old ones that it covers leave the chain, and if
//! they were still waiting, they need not be expanded. Zones of one dimension lie side by
//! side in a pool; the place of a zone that left is used again.

use super::packing::Packing;
use super::state::State;
use super::zone::Zone;
use crate::dbm::ClockLimits;
use crate::model::Model;
use crate::trace::Move;
use hashbrown::HashTable;
use std::collections::HashMap;
use std::hash::BuildHasher;

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
}

#[derive(Clone, Copy, Debug)]
struct Node {
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
    actions: Actions,
    packed: Vec<u8>,
    words: Vec<Z::Word>,
    alive: u64,
}

#[derive(Clone, Debug)]
struct Pool<W> {
    words: Vec<W>,
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

    /// No more states can be numbered.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= NONE as usize - 1
    }

    /// Stores the state unless a stored one covers it.
    pub fn offer(
        &mut self,
        state: &State<Z>,
        limits: &ClockLimits<Z::Bound>,
        parent: Option<NodeId>,
        action: &Move,
    ) -> Offer {
        let chain = self.chain_of(state);
        let mut words = std::mem::take(&mut self.words);
        state.zone.save(&mut words);
        let offer = self.offer_words(chain, state, &words, limits, parent, action);
        self.words = words;
        offer
    }

    fn offer_words(
        &mut self,
        chain: usize,
        state: &State<Z>,
        words: &[Z::Word],
        limits: &ClockLimits<Z::Bound>,
        parent: Option<NodeId>,
        action: &Move,
    ) -> Offer {
        let dim = state.clocks.len() + 1;
        let simulation = (self.cover == Cover::Simulation).then_some(limits);
        let mut length = 0;
        let mut link = NONE;
        let mut at = self.chains[chain].0;
        while at != NONE {
            let Node { zone, next, .. } = self.nodes[at as usize];
            let old = self.pools[dim].get::<Z>(dim, zone);
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
        Offer::New(self.append(chain, state, words, parent, action))
    }

    /// The stored zones of a chain.
    fn zones_of(&self, chain: usize, dim: usize) -> impl Iterator<Item = &[Z::Word]> {
        let first = self.chains[chain].0;
        let after = |&at: &u32| Some(self.nodes[at as usize].next).filter(|&next| next != NONE);
        std::iter::successors(Some(first).filter(|&at| at != NONE), after)
            .map(move |at| self.pools[dim].get::<Z>(dim, self.nodes[at as usize].zone))
    }

    fn append(
        &mut self,
        chain: usize,
        state: &State<Z>,
        words: &[Z::Word],
        parent: Option<NodeId>,
        action: &Move,
    ) -> NodeId {
        let dim = state.clocks.len() + 1;
        let id = self.nodes.len() as u32;
        let zone = self.pools[dim].put(words);
        self.nodes.push(Node {
            discrete: chain as u32,
            parent: parent.map_or(NONE, |p| p.0),
            action: self.actions.number(action),
            next: self.chains[chain].0,
            zone,
        });
        self.chains[chain].0 = id;
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
        if self.pools.len() <= dim {
            self.pools.resize_with(dim + 1, || Pool { words: Vec::new(), free: Vec::new() });
        }
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
        let Node { zone, .. } = self.nodes[node.0 as usize];
        let dim = state.clocks.len() + 1;
        state.zone.restore(dim, self.pools[dim].get::<Z>(dim, zone));
    }

    /// Writes the integers of a stored state over `cells`, which hold any state of the model.
    pub fn load_cells(&self, node: NodeId, cells: &mut [i32]) {
        let Node { discrete, .. } = self.nodes[node.0 as usize];
        let len = self.packing.len();
        self.packing.unpack(&self.discretes[discrete as usize * len..][..len], cells);
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

impl<W: Copy> Pool<W> {
    fn get<Z: Zone<Word = W>>(&self, dim: usize, zone: u32) -> &[W] {
        let len = Z::stored_len(dim);
        &self.words[zone as usize * len..][..len]
    }

    fn put(&mut self, words: &[W]) -> u32 {
        match self.free.pop() {
            Some(zone) => {
                let start = zone as usize * words.len();
                self.words[start..start + words.len()].copy_from_slice(words);
                zone
            }
            None => {
                let zone = self.words.len() / words.len();
                self.words.extend_from_slice(words);
                zone as u32
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
