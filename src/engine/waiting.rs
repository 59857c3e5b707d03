//! States that wait for their expansion, in the order of the search.

use super::Order;
use super::store::NodeId;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// A node and its rank.
pub type Entry = (NodeId, i64);

/// A queue whose next element the [`Order`] decides.
pub enum Waiting {
    Bfs(VecDeque<Entry>),
    Dfs(Vec<Entry>),
    /// Depth first; the successors of one state in random order.
    RandomDfs {
        stack: Vec<Entry>,
        batch: usize,
        random: Random,
    },
    /// Smallest rank first; among equals the newest, so that the search goes deep.
    Best(BinaryHeap<(Reverse<i64>, NodeId)>),
}

impl Waiting {
    pub fn new(order: Order, seed: u64) -> Waiting {
        match order {
            Order::Bfs => Waiting::Bfs(VecDeque::new()),
            Order::Dfs => Waiting::Dfs(Vec::new()),
            Order::RandomDfs => {
                Waiting::RandomDfs { stack: Vec::new(), batch: 0, random: Random::new(seed) }
            }
            Order::Best => Waiting::Best(BinaryHeap::new()),
        }
    }

    pub fn push(&mut self, node: NodeId, rank: i64) {
        match self {
            Waiting::Bfs(queue) => queue.push_back((node, rank)),
            Waiting::Dfs(stack) => stack.push((node, rank)),
            Waiting::RandomDfs { stack, batch, random } => {
                // Each new element swaps with one of its batch: a shuffle as it grows.
                stack.push((node, rank));
                let last = stack.len() - 1;
                let other = *batch + random.below(stack.len() - *batch);
                stack.swap(last, other);
            }
            Waiting::Best(heap) => heap.push((Reverse(rank), node)),
        }
    }

    pub fn pop(&mut self) -> Option<Entry> {
        match self {
            Waiting::Bfs(queue) => queue.pop_front(),
            Waiting::Dfs(stack) => stack.pop(),
            Waiting::RandomDfs { stack, batch, .. } => {
                let node = stack.pop();
                *batch = stack.len();
                node
            }
            Waiting::Best(heap) => heap.pop().map(|(Reverse(rank), node)| (node, rank)),
        }
    }

    pub fn smallest_rank(&self) -> Option<i64> {
        match self {
            Waiting::Bfs(queue) => queue.iter().map(|e| e.1).min(),
            Waiting::Dfs(stack) | Waiting::RandomDfs { stack, .. } => {
                stack.iter().map(|e| e.1).min()
            }
            Waiting::Best(heap) => heap.peek().map(|(Reverse(rank), _)| *rank),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Waiting::Bfs(queue) => queue.len(),
            Waiting::Dfs(stack) | Waiting::RandomDfs { stack, .. } => stack.len(),
            Waiting::Best(heap) => heap.len(),
        }
    }
}

/// A small generator of random numbers (xorshift*): equal seeds, equal searches.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }
}
