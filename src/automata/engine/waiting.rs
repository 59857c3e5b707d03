//! States that wait for their expansion, in the order of the search.

use super::Order;
use super::room::Grow;
use super::store::NodeId;
use hashbrown::HashSet;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

/// A node and its rank.
pub type Entry = (NodeId, i64);

/// A queue whose next element the [`Order`] decides.
pub enum Waiting {
    Bfs(VecDeque<Entry>),
    /// The same where states come from elsewhere too: smallest rank first, then the oldest.
    Levels(BTreeMap<i64, VecDeque<NodeId>>),
    Deep(Stack),
    /// Smallest rank first; among equals the newest, so that the search goes deep.
    Best(BinaryHeap<(Reverse<i64>, NodeId)>),
    Diving(Diving),
}

impl Waiting {
    pub fn new(order: Order, seed: u64) -> Waiting {
        let random = || Some(Random::new(seed));
        match order {
            Order::Bfs => Waiting::Bfs(VecDeque::new()),
            Order::Dfs => Waiting::Deep(Stack::new(None, false)),
            Order::RandomDfs => Waiting::Deep(Stack::new(random(), false)),
            Order::BestDepthFirst => Waiting::Deep(Stack::new(None, true)),
            Order::RandomBestDepthFirst => Waiting::Deep(Stack::new(random(), true)),
            Order::Best => Waiting::Best(BinaryHeap::new()),
            Order::Diving => Waiting::Diving(Diving::new(seed)),
        }
    }

    /// Among equal ranks, dives prefer the smaller tie.
    pub fn push(&mut self, node: NodeId, rank: i64, tie: i64) {
        match self {
            Waiting::Bfs(queue) => queue.push_back((node, rank)),
            Waiting::Levels(levels) => levels.entry(rank).or_default().push_back(node),
            Waiting::Deep(stack) => stack.entries.push((node, rank)),
            Waiting::Best(heap) => heap.push((Reverse(rank), node)),
            Waiting::Diving(diving) => diving.push(node, rank, tie),
        }
    }

    pub fn pop(&mut self) -> Option<Entry> {
        match self {
            Waiting::Bfs(queue) => queue.pop_front(),
            Waiting::Levels(levels) => pop_level(levels),
            Waiting::Deep(stack) => stack.pop(),
            Waiting::Best(heap) => heap.pop().map(|(Reverse(rank), node)| (node, rank)),
            Waiting::Diving(diving) => diving.pop(),
        }
    }

    pub fn smallest_rank(&self) -> Option<i64> {
        match self {
            Waiting::Bfs(queue) => queue.iter().map(|e| e.1).min(),
            Waiting::Levels(levels) => levels.keys().next().copied(),
            Waiting::Deep(stack) => stack.entries.iter().map(|e| e.1).min(),
            Waiting::Best(heap) => heap.peek().map(|(Reverse(rank), _)| *rank),
            Waiting::Diving(diving) => diving.smallest_rank(),
        }
    }

    /// From now on ranks tell how many moves a state is away: breadth first goes by them.
    pub fn rank_by_moves(&mut self) {
        if let Waiting::Bfs(queue) = self {
            let mut levels: BTreeMap<i64, VecDeque<NodeId>> = BTreeMap::new();
            for (node, rank) in queue.drain(..) {
                levels.entry(rank).or_default().push_back(node);
            }
            *self = Waiting::Levels(levels);
        }
    }

    /// How many moves away the next state is, if that decides the order.
    pub fn first_level(&self) -> Option<i64> {
        match self {
            Waiting::Levels(levels) => levels.keys().next().copied(),
            _ => None,
        }
    }

    /// The smallest rank is known without looking at everything.
    pub fn is_sorted(&self) -> bool {
        matches!(self, Waiting::Best(_) | Waiting::Diving(_))
    }

    /// Lets large tables grow; false if there is no memory for it.
    pub fn make_room(&mut self) -> bool {
        match self {
            Waiting::Bfs(queue) => queue.make_room(),
            Waiting::Levels(levels) => levels.values_mut().all(VecDeque::make_room),
            Waiting::Deep(stack) => stack.entries.make_room(),
            Waiting::Best(heap) => heap.make_room(),
            Waiting::Diving(diving) => diving.heap.make_room(),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Waiting::Bfs(queue) => queue.len(),
            Waiting::Levels(levels) => levels.values().map(VecDeque::len).sum(),
            Waiting::Deep(stack) => stack.entries.len(),
            Waiting::Best(heap) => heap.len(),
            Waiting::Diving(diving) => diving.heap.len() - diving.gone.len() + diving.below.len(),
        }
    }
}

fn pop_level(levels: &mut BTreeMap<i64, VecDeque<NodeId>>) -> Option<Entry> {
    let mut first = levels.first_entry()?;
    let (rank, node) = (*first.key(), first.get_mut().pop_front());
    if first.get().is_empty() {
        first.remove();
    }
    node.map(|node| (node, rank))
}

/// Depth first. The successors of one state may be shuffled, or the best of them go first.
pub struct Stack {
    entries: Vec<Entry>,
    /// Where the successors of the state that was taken last begin.
    batch: usize,
    random: Option<Random>,
    restarts: Option<Restarts>,
}

/// When a search that goes for the best successor gives up where it is and goes on with the
/// best of all that waits: after so many states, and later and later.
struct Restarts {
    left: usize,
    patience: usize,
}

const FIRST_PATIENCE: usize = 1000;

impl Stack {
    fn new(random: Option<Random>, is_best_first: bool) -> Stack {
        let restarts =
            is_best_first.then_some(Restarts { left: FIRST_PATIENCE, patience: FIRST_PATIENCE });
        Stack { entries: Vec::new(), batch: 0, random, restarts }
    }

    fn pop(&mut self) -> Option<Entry> {
        let batch = self.batch.min(self.entries.len());
        if let Some(random) = &mut self.random {
            random.shuffle(&mut self.entries[batch..]);
        }
        if let Some(restarts) = &mut self.restarts {
            let from = if restarts.is_due() { 0 } else { batch };
            self.entries[from..].sort_by_key(|&(_, rank)| Reverse(rank));
        }
        let entry = self.entries.pop();
        self.batch = self.entries.len();
        entry
    }
}

impl Restarts {
    fn is_due(&mut self) -> bool {
        self.left -= 1;
        let is_due = self.left == 0;
        if is_due {
            self.patience += self.patience / 2;
            self.left = self.patience;
        }
        is_due
    }
}

/// Best first, but now and then straight down, the best successor first, until there is none: a
/// goal that is found soon gives a value to improve on, and everything that cannot need not
/// wait. The first dive starts at once. Later ones start anywhere among what ranks best, and
/// sometimes take the second best way; all together they take a third of the states.
pub struct Diving {
    /// The first of them is not gone.
    heap: BinaryHeap<(Reverse<i64>, NodeId)>,
    /// Those that a dive has taken out of the heap's middle, where they still are.
    gone: HashSet<NodeId>,
    /// The successors of the state that a dive took last, each with its tie.
    below: Vec<(NodeId, i64, i64)>,
    is_diving: bool,
    is_first: bool,
    /// How many more states until dives end, or begin again.
    left: usize,
    pause: usize,
    random: Random,
}

const FIRST_PAUSE: usize = 512;

/// How many entries are looked at to find where a dive starts.
const LOOKS: usize = 32;

impl Diving {
    fn new(seed: u64) -> Diving {
        Diving {
            heap: BinaryHeap::new(),
            gone: HashSet::new(),
            below: Vec::new(),
            is_diving: true,
            is_first: true,
            left: FIRST_PAUSE,
            pause: FIRST_PAUSE,
            random: Random::new(seed),
        }
    }

    fn push(&mut self, node: NodeId, rank: i64, tie: i64) {
        match self.is_diving {
            true => self.below.push((node, rank, tie)),
            false => self.heap.push((Reverse(rank), node)),
        }
    }

    fn pop(&mut self) -> Option<Entry> {
        self.left = self.left.saturating_sub(1);
        if self.is_diving {
            if let Some(next) = self.descend() {
                return Some(next);
            }
            self.is_first = false;
            if self.left > 0 {
                return self.start();
            }
            self.is_diving = false;
            self.left = self.pause;
        } else if self.left == 0 {
            self.is_diving = true;
            self.left = self.pause / 2;
            self.pause *= 2;
            return self.start();
        }
        self.pop_best()
    }

    fn pop_best(&mut self) -> Option<Entry> {
        let best = self.heap.pop();
        self.clear_top();
        best.map(|(Reverse(rank), node)| (node, rank))
    }

    fn clear_top(&mut self) {
        while self.heap.peek().is_some_and(|top| self.gone.remove(&top.1)) {
            self.heap.pop();
        }
    }

    /// The best successor, among equals the newest; the others wait with all that does.
    fn descend(&mut self) -> Option<Entry> {
        let key = |&(node, rank, tie): &(NodeId, i64, i64)| (rank, tie, Reverse(node));
        let random = &mut self.random;
        let is_odd = !self.is_first && self.below.len() > 1 && random.below(8) == 0;
        if is_odd {
            self.below.select_nth_unstable_by_key(1, key);
            self.below.swap(0, 1);
        } else {
            let best = (0..self.below.len()).min_by_key(|&k| key(&self.below[k]))?;
            self.below.swap(0, best);
        }
        let (node, rank, _) = *self.below.first()?;
        let rest = self.below.drain(..).skip(1).map(|(node, rank, _)| (Reverse(rank), node));
        self.heap.extend(rest);
        Some((node, rank))
    }

    /// Somewhere among what ranks best, if a few looks find it.
    fn start(&mut self) -> Option<Entry> {
        let (Reverse(rank), _) = *self.heap.peek()?;
        for _ in 0..LOOKS {
            let (Reverse(other), node) = self.heap.as_slice()[self.random.below(self.heap.len())];
            if other == rank && self.gone.insert(node) {
                self.clear_top();
                return Some((node, rank));
            }
        }
        self.pop_best()
    }

    fn smallest_rank(&self) -> Option<i64> {
        let below = self.below.iter().map(|entry| entry.1);
        below.chain(self.heap.peek().map(|(Reverse(rank), _)| *rank)).min()
    }
}

/// A small generator of random numbers (xorshift*): equal seeds, equal searches.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn shuffle<T>(&mut self, entries: &mut [T]) {
        for last in (1..entries.len()).rev() {
            entries.swap(last, self.below(last + 1));
        }
    }

    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(order: Order, ranks: &[i64]) -> Vec<i64> {
        let mut waiting = Waiting::new(order, 7);
        for (k, &rank) in ranks.iter().enumerate() {
            waiting.push(NodeId(k as u32), rank, 0);
        }
        std::iter::from_fn(|| waiting.pop()).map(|(_, rank)| rank).collect()
    }

    #[test]
    fn every_order_gives_back_what_waits() {
        use Order::*;
        let ranks: Vec<i64> = (0..3000).map(|k| (k * 7919) % 1009).collect();
        let mut expected = ranks.clone();
        expected.sort_unstable();
        for order in Order::ALL {
            let mut found = all(order, &ranks);
            let is_sorted = found.is_sorted();
            found.sort_unstable();
            assert_eq!(found, expected, "{order:?}");
            assert_eq!(is_sorted, !matches!(order, Bfs | Dfs | RandomDfs), "{order:?}");
        }
    }

    #[test]
    fn nothing_is_lost_while_states_come_and_go() {
        for order in Order::ALL {
            let mut waiting = Waiting::new(order, 3);
            let (mut pushed, mut popped) = (0, Vec::new());
            waiting.push(NodeId(pushed), 0, 0);
            while let Some((NodeId(node), rank)) = waiting.pop() {
                popped.push(node);
                for successor in 0..u32::from(pushed < 20_000) * 2 {
                    pushed += 1;
                    waiting.push(NodeId(pushed), rank + i64::from((node + successor) % 3), 0);
                }
            }
            popped.sort_unstable();
            assert!(popped.into_iter().eq(0..=pushed), "{order:?}");
        }
    }

    #[test]
    fn the_best_successor_goes_first_before_older_and_better_ones() {
        let mut waiting = Waiting::new(Order::BestDepthFirst, 0);
        waiting.push(NodeId(0), 1, 0);
        waiting.push(NodeId(1), 0, 0);
        assert_eq!(waiting.pop(), Some((NodeId(1), 0)));
        waiting.push(NodeId(2), 5, 0);
        waiting.push(NodeId(3), 4, 0);
        waiting.push(NodeId(4), 6, 0);
        assert_eq!(waiting.pop(), Some((NodeId(3), 4)));
        assert_eq!(waiting.smallest_rank(), Some(1));
    }

    #[test]
    fn a_dive_goes_straight_down_and_prefers_the_smaller_tie() {
        let mut waiting = Waiting::new(Order::Diving, 0);
        waiting.push(NodeId(0), 3, 0);
        assert_eq!(waiting.pop(), Some((NodeId(0), 3)));
        waiting.push(NodeId(1), 3, 9);
        waiting.push(NodeId(2), 3, 4);
        waiting.push(NodeId(3), 2, 70);
        assert_eq!(waiting.pop(), Some((NodeId(3), 2)), "rank before tie");
        waiting.push(NodeId(4), 7, 2);
        waiting.push(NodeId(5), 7, 1);
        assert_eq!(waiting.pop(), Some((NodeId(5), 7)), "down, though others rank better");
        assert_eq!(waiting.smallest_rank(), Some(3));
        let next = waiting.pop().map(|(_, rank)| rank);
        assert_eq!(next, Some(3), "at the bottom it starts anew among the best");
    }
}
