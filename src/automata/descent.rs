//! Descent: a search into the depth for a run on which something recurs for ever, or that may end.
//!
//! Takes transitions between states that are compared by inclusion: whatever a state can do, one of
//! equal key that includes it can. Some transitions reset (a clock, a deadline); on every run
//! without end they recur. Gives such a run as a lasso, or the proof that there is none. It knows
//! neither zones nor schedules.
//!
//! What lies between two resets is a block. In a block, a state is left out if one that was seen
//! there includes it. A reset that leads to a state which includes the beginning of a block on the
//! way closes a cycle: all that was done once can be done again.
//!
//! **Theorem.** If nothing is found below a block, none of its states is on such a run, nor is any
//! state that one of them includes: they are dead. *Proof.* Suppose some were, and take one with the
//! fewest moves to the next reset on such a run. Its next state on that run, or the one that
//! it was left out for, is a state of the block and has fewer; or it begins a block, and was dead or
//! nothing was found there.

use hashbrown::HashMap;
use std::hash::Hash;

/// An order between states of equal key.
pub trait Inclusion {
    /// Whether this state can do whatever the other can.
    fn includes(&self, other: &Self) -> bool;
}

/// States by their keys, of which none includes another.
pub struct Antichain<K, L> {
    kept: HashMap<K, Vec<L>>,
}

impl<K: Eq + Hash + Clone, L: Inclusion + Clone> Antichain<K, L> {
    /// Whether one of them includes this state.
    pub fn includes(&self, key: &K, label: &L) -> bool {
        let kept = self.kept.get(key);
        kept.is_some_and(|kept| kept.iter().any(|kept| kept.includes(label)))
    }

    /// False if one of them includes it already.
    pub fn add(&mut self, key: &K, label: &L) -> bool {
        let kept = match self.kept.get_mut(key) {
            Some(kept) => kept,
            None => self.kept.entry(key.clone()).or_default(),
        };
        if kept.iter().any(|kept| kept.includes(label)) {
            return false;
        }
        kept.retain(|kept| !label.includes(kept));
        kept.push(label.clone());
        true
    }
}

impl<K, L> Default for Antichain<K, L> {
    fn default() -> Antichain<K, L> {
        Antichain { kept: HashMap::new() }
    }
}

/// What is descended through.
pub trait Transitions {
    type State;
    /// What is equal in all states that are compared.
    type Key: Eq + Hash + Clone;
    type Label: Inclusion + Clone;
    type Move: Clone;
    /// Why a search ends early.
    type Halt;

    /// Whether a state counts as seen once it is generated, not when it is expanded. Both are right:
    /// the former keeps fewer states waiting, the latter lets those count first that are expanded
    /// first.
    const MARKS_EARLY: bool;

    fn key(state: &Self::State) -> &Self::Key;

    fn label(state: &Self::State) -> &Self::Label;

    /// What a state leads to, the most promising last.
    fn successors(&mut self, state: &Self::State) -> Result<Vec<Next<Self>>, Self::Halt>;

    /// Whether a run may end in this state.
    fn may_end(&mut self, _state: &Self::State) -> Result<bool, Self::Halt> {
        Ok(false)
    }
}

/// A state and the move that leads to it.
pub struct Next<T: Transitions + ?Sized> {
    pub state: T::State,
    pub action: T::Move,
    pub resets: bool,
}

/// A run: it goes back to the beginning of a block, or it ends.
pub struct Run<T: Transitions> {
    pub moves: Vec<T::Move>,
    /// The blocks on its way.
    pub blocks: Vec<Beginning<T>>,
    /// The block that its last move leads back to.
    pub back: Option<usize>,
}

/// How a block begins: after so many moves, in this state.
pub struct Beginning<T: Transitions> {
    pub moves: usize,
    pub key: T::Key,
    pub label: T::Label,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub explored: u64,
    pub stored: u64,
    pub waiting: u64,
}

pub struct Descent<T: Transitions> {
    pub transitions: T,
    /// The states of blocks below which nothing was found. They stay dead from search to search.
    pub dead: Antichain<T::Key, T::Label>,
    blocks: Vec<Block<T>>,
    /// The states of all blocks on the way that are still to be expanded.
    waiting: Vec<(usize, Next<T>)>,
    /// Which node an expanded state came from, and by which move. The first has neither.
    nodes: Vec<Option<(usize, T::Move)>>,
    explored: u64,
    stored: u64,
}

struct Block<T: Transitions> {
    key: T::Key,
    label: T::Label,
    /// Its first node.
    node: usize,
    /// From here on the waiting states are its own.
    waiting: usize,
    seen: Antichain<T::Key, T::Label>,
}

/// Whoever may end a search.
type Poll<'a, T> = dyn FnMut(Counts) -> Result<(), <T as Transitions>::Halt> + 'a;

/// Whether a run was found.
type Found<T> = Result<Option<Run<T>>, <T as Transitions>::Halt>;

impl<T: Transitions> Descent<T> {
    pub fn new(transitions: T) -> Descent<T> {
        Descent {
            transitions,
            dead: Antichain::default(),
            blocks: Vec::new(),
            waiting: Vec::new(),
            nodes: Vec::new(),
            explored: 0,
            stored: 0,
        }
    }

    pub fn counts(&self) -> Counts {
        let waiting = self.waiting.len() as u64;
        Counts { explored: self.explored, stored: self.stored, waiting }
    }

    pub fn is_dead(&self, state: &T::State) -> bool {
        self.dead.includes(T::key(state), T::label(state))
    }

    /// A run from this state. `poll` is asked before a state is expanded.
    pub fn run(&mut self, first: T::State, poll: &mut Poll<T>) -> Found<T> {
        self.blocks.clear();
        self.waiting.clear();
        self.nodes.clear();
        if self.is_dead(&first) {
            return Ok(None);
        }
        let root = self.node(None);
        if let Some(run) = self.enter(&first, root, poll)? {
            return Ok(Some(run));
        }
        while let Some(block) = self.blocks.last() {
            if self.waiting.len() == block.waiting {
                self.bury();
                continue;
            }
            let Some((from, next)) = self.waiting.pop() else { break };
            if self.is_dead(&next.state) {
                continue;
            }
            let found = if next.resets {
                let node = self.node(Some((from, next.action)));
                self.enter(&next.state, node, poll)?
            } else if T::MARKS_EARLY || self.mark(&next.state) {
                let node = self.node(Some((from, next.action)));
                let ends = !T::MARKS_EARLY && self.transitions.may_end(&next.state)?;
                if ends { Some(self.run_to(node)) } else { self.expand(&next.state, node, poll)? }
            } else {
                None
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn node(&mut self, came: Option<(usize, T::Move)>) -> usize {
        self.nodes.push(came);
        self.nodes.len() - 1
    }

    /// Begins a block, unless that closes a cycle.
    fn enter(&mut self, state: &T::State, node: usize, poll: &mut Poll<T>) -> Found<T> {
        let (key, label) = (T::key(state).clone(), T::label(state).clone());
        let is_back = |block: &Block<T>| block.key == key && label.includes(&block.label);
        if let Some(back) = self.blocks.iter().position(is_back) {
            return Ok(Some(Run { back: Some(back), ..self.run_to(node) }));
        }
        let (waiting, seen) = (self.waiting.len(), Antichain::default());
        self.blocks.push(Block { key, label, node, waiting, seen });
        self.mark(state);
        if self.transitions.may_end(state)? {
            return Ok(Some(self.run_to(node)));
        }
        self.expand(state, node, poll)
    }

    /// Notes a state in its block; false if another one includes it.
    fn mark(&mut self, state: &T::State) -> bool {
        let block = self.blocks.last_mut().expect("states belong to blocks");
        let is_new = block.seen.add(T::key(state), T::label(state));
        self.stored += u64::from(is_new);
        is_new
    }

    fn expand(&mut self, state: &T::State, node: usize, poll: &mut Poll<T>) -> Found<T> {
        poll(self.counts())?;
        self.explored += 1;
        for next in self.transitions.successors(state)? {
            if T::MARKS_EARLY {
                if self.is_dead(&next.state) || !next.resets && !self.mark(&next.state) {
                    continue;
                }
                if !next.resets && self.transitions.may_end(&next.state)? {
                    let node = self.node(Some((node, next.action)));
                    return Ok(Some(self.run_to(node)));
                }
            }
            self.waiting.push((node, next));
        }
        Ok(None)
    }

    /// Nothing was found below the last block.
    fn bury(&mut self) {
        let Some(block) = self.blocks.pop() else { return };
        self.nodes.truncate(block.node);
        for (key, labels) in block.seen.kept {
            for label in labels {
                self.dead.add(&key, &label);
            }
        }
    }

    /// The run that ends in this node.
    fn run_to(&mut self, node: usize) -> Run<T> {
        let moves = self.moves_to(node).cloned().collect::<Vec<_>>();
        let blocks = std::mem::take(&mut self.blocks).into_iter().map(|block| {
            let moves = self.moves_to(block.node).count();
            Beginning { moves, key: block.key, label: block.label }
        });
        Run { moves: moves.into_iter().rev().collect(), blocks: blocks.collect(), back: None }
    }

    /// The moves that lead to a node, the last one first.
    fn moves_to(&self, node: usize) -> impl Iterator<Item = &T::Move> {
        let before = |node: usize| self.nodes[node].as_ref();
        std::iter::successors(before(node), move |(from, _)| before(*from)).map(|(_, last)| last)
    }
}
