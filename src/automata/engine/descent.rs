//! Can a run go on for ever (or get stuck) inside a formula that lets a clock grow only so far?
//!
//! Where time goes on in every run that does not end, such a clock is reset again and again. What
//! lies between two resets is a block. The search goes into the depth, from block to block. In a
//! block, a state is left out if one that was seen there contains it; a block that begins with a
//! state which contains the beginning of one on the way closes a cycle: all that was done once can
//! be done again. If nothing of the kind is found below a block, none of its states is on such a run,
//! nor any state inside one of them. (Suppose some were, and take the one with the fewest moves to
//! the next reset on such a run: its next state on the run is in the block and has fewer, or it
//! begins a block in which there was nothing.) Deadlocks are states like others here, so containing
//! means containing: a state that can do more is not enough.

use super::live::{self, STAYS};
use super::state::State;
use super::successor::{Broken, Successors};
use super::zone::Zone;
use super::{Control, Progress, Stop};
use crate::dbm::Bound;
use crate::model::{ClockRef, Formula};
use crate::trace::Move;
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// What was found.
pub enum Fate {
    /// A run: its moves, and how many of them lead to its cycle, if it has one.
    Run(Vec<Move>, Option<usize>),
    /// There is none.
    None,
    Stopped(Stop),
    /// A state in which no clock of the formula has a limit: this search is not for it.
    Unlimited,
}

pub struct Descent<'m, Z: Zone> {
    successors: Successors<'m, Z>,
    /// The clocks of the formula.
    clocks: Vec<u32>,
    blocks: Vec<Block<Z>>,
    dead: Known<Z>,
    pub explored: u64,
    pub stored: u64,
}

/// Zones by integers; none contains another.
struct Known<Z: Zone> {
    zones: HashMap<Vec<i32>, Vec<Vec<Z::Word>>>,
}

struct Block<Z: Zone> {
    seen: Known<Z>,
    /// Which node a node came from, and by which move; the first begins the block and has neither.
    nodes: Vec<(usize, Move)>,
    waiting: Vec<Waits<Z>>,
    cells: Vec<i32>,
    words: Vec<Z::Word>,
    /// The node of the block above that led here.
    from: usize,
}

struct Waits<Z: Zone> {
    state: State<Z>,
    node: usize,
    /// The move that led here reset a clock of the formula.
    begins: bool,
}

/// How many states are expanded between two looks at the limits.
const POLL_EVERY: u64 = 64;

impl<'m, Z: Zone> Descent<'m, Z> {
    pub fn new(successors: Successors<'m, Z>, clocks: Vec<u32>) -> Descent<'m, Z> {
        let (blocks, dead) = (Vec::new(), Known::new());
        Descent { successors, clocks, blocks, dead, explored: 0, stored: 0 }
    }

    pub fn run(&mut self, control: &dyn Control) -> Result<Fate, Broken> {
        let mut first = Vec::new();
        self.successors.initial(&mut |state, _| {
            first.push(state.clone());
            ControlFlow::Continue(())
        })?;
        for state in first.into_iter().filter(|state| state.marks & STAYS != 0) {
            if let Some(fate) = self.enter(state, 0)? {
                return Ok(fate);
            }
            while !self.blocks.is_empty() {
                if self.explored.is_multiple_of(POLL_EVERY)
                    && let ControlFlow::Break(stop) = control.turn(&self.progress())
                {
                    return Ok(Fate::Stopped(stop));
                }
                if let Some(fate) = self.step()? {
                    return Ok(fate);
                }
            }
        }
        Ok(Fate::None)
    }

    fn progress(&self) -> Progress {
        let waiting = self.blocks.iter().map(|block| block.waiting.len() as u64).sum();
        Progress { explored: self.explored, stored: self.stored, waiting, ..Progress::default() }
    }

    /// Begins a block, unless it closes a cycle.
    fn enter(&mut self, state: State<Z>, from: usize) -> Result<Option<Fate>, Broken> {
        let words = words_of(&state.zone);
        let dim = state.clocks.len() + 1;
        let is_back = |block: &Block<Z>| {
            block.cells == state.cells && Z::is_covered(dim, &block.words, &words, None)
        };
        let back = self.blocks.iter().position(is_back);
        let (cells, seen) = (state.cells.clone(), Known::new());
        let nodes = vec![(0, Move::default())];
        self.blocks.push(Block { seen, nodes, waiting: Vec::new(), cells, words, from });
        if let Some(back) = back {
            let moves = self.moves(self.blocks.len() - 1, 0);
            let before = self.moves(back, 0).len();
            return Ok(Some(Fate::Run(moves, Some(before))));
        }
        self.look(state, 0)
    }

    /// Takes a state of the last block, if nothing contains it; it may be where a run ends.
    fn look(&mut self, state: State<Z>, node: usize) -> Result<Option<Fate>, Broken> {
        let Some(block) = self.blocks.last_mut() else { return Ok(None) };
        let (dim, words) = (state.clocks.len() + 1, words_of(&state.zone));
        if !block.seen.add(dim, &state.cells, words) {
            return Ok(None);
        }
        self.stored += 1;
        if !live::endings(&mut self.successors, &state)?.is_empty() {
            return Ok(Some(Fate::Run(self.moves(self.blocks.len() - 1, node), None)));
        }
        let has_limit = |clock: &u32| {
            let at = state.position(*clock);
            at.is_some_and(|at| state.zone.dbm().get(at, 0) != Bound::INFINITY)
        };
        if !self.clocks.iter().any(has_limit) {
            return Ok(Some(Fate::Unlimited));
        }
        let Some(block) = self.blocks.last_mut() else { return Ok(None) };
        block.waiting.push(Waits { state, node, begins: false });
        Ok(None)
    }

    /// Goes on with the state that came last.
    fn step(&mut self) -> Result<Option<Fate>, Broken> {
        let Some(block) = self.blocks.last_mut() else { return Ok(None) };
        let Some(Waits { state, node, begins }) = block.waiting.pop() else {
            self.bury();
            return Ok(None);
        };
        let (dim, words) = (state.clocks.len() + 1, words_of(&state.zone));
        if self.dead.has(dim, &state.cells, &words) {
            return Ok(None);
        }
        if begins {
            return self.enter(state, node);
        }
        self.explored += 1;
        self.expand(&state, node)
    }

    fn expand(&mut self, state: &State<Z>, node: usize) -> Result<Option<Fate>, Broken> {
        let clocks = &self.clocks;
        let mut next = Vec::new();
        let _ = self.successors.expand(state, &mut |state, step| {
            if state.marks & STAYS != 0 {
                let begins = step.resets.iter().any(|(clock, _)| clocks.contains(clock));
                next.push((state.clone(), step.action.clone(), begins));
            }
            ControlFlow::Continue(())
        })?;
        next.sort_by_key(|(state, ..)| self.prospect(state));
        for (state, action, begins) in next {
            let (dim, words) = (state.clocks.len() + 1, words_of(&state.zone));
            if self.dead.has(dim, &state.cells, &words) {
                continue;
            }
            let Some(block) = self.blocks.last_mut() else { break };
            let number = block.nodes.len();
            block.nodes.push((node, action));
            if begins {
                block.waiting.push(Waits { state, node: number, begins });
            } else if let Some(fate) = self.look(state, number)? {
                return Ok(Some(fate));
            }
        }
        Ok(None)
    }

    /// What is tried last: what comes late, and of what comes at the same time that which leaves
    /// less time.
    fn prospect(&self, state: &State<Z>) -> (Reverse<i64>, i64) {
        let zone = state.zone.dbm();
        let places = self.clocks.iter().filter_map(|clock| state.position(*clock));
        let (mut earliest, mut latest) = (0, i64::MAX);
        for at in places {
            earliest = earliest.max(-zone.get(0, at).value());
            if zone.get(at, 0) != Bound::INFINITY {
                latest = latest.min(zone.get(at, 0).value());
            }
        }
        (Reverse(earliest), latest)
    }

    /// Nothing was found below the last block.
    fn bury(&mut self) {
        let Some(block) = self.blocks.pop() else { return };
        for (cells, zones) in block.seen.zones {
            let dim = dim_of::<Z>(&zones);
            for words in zones {
                self.dead.add(dim, &cells, words);
            }
        }
    }

    /// The moves from the initial state to a node of a block.
    fn moves(&self, block: usize, node: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        let (mut block, mut node) = (block, node);
        loop {
            let of = &self.blocks[block];
            while node != 0 {
                moves.push(of.nodes[node].1.clone());
                node = of.nodes[node].0;
            }
            if block == 0 {
                break;
            }
            // The first node of a block is the last one on the way through the block above.
            (block, node) = (block - 1, of.from);
        }
        moves.reverse();
        moves
    }
}

impl<Z: Zone> Known<Z> {
    fn new() -> Known<Z> {
        Known { zones: HashMap::new() }
    }

    fn has(&self, dim: usize, cells: &[i32], words: &[Z::Word]) -> bool {
        let zones = self.zones.get(cells);
        zones.is_some_and(|zones| zones.iter().any(|known| Z::is_covered(dim, words, known, None)))
    }

    /// False if it is known already.
    fn add(&mut self, dim: usize, cells: &[i32], words: Vec<Z::Word>) -> bool {
        let zones = match self.zones.get_mut(cells) {
            Some(zones) => zones,
            None => self.zones.entry(cells.to_vec()).or_default(),
        };
        if zones.iter().any(|known| Z::is_covered(dim, &words, known, None)) {
            return false;
        }
        zones.retain(|known| !Z::is_covered(dim, known, &words, None));
        zones.push(words);
        true
    }
}

fn words_of<Z: Zone>(zone: &Z) -> Vec<Z::Word> {
    zone.words(&mut Vec::new()).to_vec()
}

/// The dimension of stored zones.
fn dim_of<Z: Zone>(zones: &[Vec<Z::Word>]) -> usize {
    let length = zones.first().map_or(0, Vec::len);
    (1..).find(|dim| Z::stored_len(*dim) >= length).unwrap_or(1)
}

/// The clocks that the formula compares with something.
pub fn clocks_of(formula: &Formula) -> Vec<u32> {
    let mut clocks: Vec<u32> = match formula {
        Formula::Data(_) | Formula::Deadlock => Vec::new(),
        Formula::Clock(test) => {
            let clock = |of: &Option<ClockRef>| match of {
                Some(ClockRef::Fixed(clock)) => Some(*clock),
                _ => None,
            };
            [clock(&test.left), clock(&test.right)].into_iter().flatten().collect()
        }
        Formula::Not(inner) => clocks_of(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().flat_map(clocks_of).collect(),
    };
    clocks.sort_unstable();
    clocks.dedup();
    clocks
}
