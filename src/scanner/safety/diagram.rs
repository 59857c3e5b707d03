//! Sets of words of equal length over a small alphabet, as decision diagrams: one level per
//! letter, equal parts stored once, so that equal sets have equal names.
//!
//! Every path has all levels; only the empty set is cut short. So a node tells its level by its
//! shape, and all that is remembered about nodes needs no level.

use super::count::Count;
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::collections::HashMap;
use std::hash::BuildHasher;

pub type Node = u32;
pub type Memo<Key, Value> = HashMap<Key, Value, FixedState>;

/// No word at all, at any level.
pub const EMPTY: Node = 0;
/// The word without letters.
pub const END: Node = 1;

/// The most results of operations that are remembered.
const MOST_REMEMBERED: usize = 1 << 22;

#[derive(Debug)]
pub struct Forest<const K: usize> {
    nodes: Vec<[Node; K]>,
    unique: HashTable<Node>,
    hasher: FixedState,
    /// Results of operations; a newer one takes the place of an older one.
    recent: Vec<Recent>,
    limit: usize,
    is_full: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    None,
    Union,
    Meet,
    Minus,
}

#[derive(Clone, Copy, Debug)]
struct Recent {
    question: (Operation, Node, Node),
    answer: Node,
}

const NOTHING: Recent = Recent { question: (Operation::None, EMPTY, EMPTY), answer: EMPTY };

impl<const K: usize> Forest<K> {
    /// Never more than `limit` nodes: see [`Forest::is_full`].
    pub fn new(limit: usize) -> Forest<K> {
        Forest {
            nodes: vec![[EMPTY; K]; 2],
            unique: HashTable::new(),
            hasher: FixedState::default(),
            recent: vec![NOTHING; 1 << 10],
            limit: limit.min(Node::MAX as usize),
            is_full: false,
        }
    }

    /// The limit was met. What was computed since then means nothing.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    pub fn kids(&self, node: Node) -> [Node; K] {
        self.nodes[node as usize]
    }

    /// The node whose words begin with letter `k` and go on in `kids[k]`.
    pub fn node(&mut self, kids: [Node; K]) -> Node {
        if kids == [EMPTY; K] || self.is_full {
            return EMPTY;
        }
        let hash = self.hasher.hash_one(kids);
        let nodes = &self.nodes;
        if let Some(found) = self.unique.find(hash, |node| nodes[*node as usize] == kids) {
            return *found;
        }
        if self.nodes.len() >= self.limit {
            self.is_full = true;
            return EMPTY;
        }
        let node = self.nodes.len() as Node;
        self.nodes.push(kids);
        let (nodes, hasher) = (&self.nodes, &self.hasher);
        self.unique.insert_unique(hash, node, |node| hasher.hash_one(nodes[*node as usize]));
        if self.nodes.len() > self.recent.len() && self.recent.len() < MOST_REMEMBERED {
            self.recent = vec![NOTHING; 4 * self.recent.len()];
        }
        node
    }

    /// All words of this length.
    pub fn all(&mut self, length: usize) -> Node {
        (0..length).fold(END, |below, _| self.node([below; K]))
    }

    /// The words of `length` letters with one of `letters` at `level`.
    pub fn having(&mut self, length: usize, level: usize, letters: [bool; K]) -> Node {
        let below = self.all(length - level - 1);
        let here = self.node(letters.map(|wanted| if wanted { below } else { EMPTY }));
        (0..level).fold(here, |below, _| self.node([below; K]))
    }

    /// The words of `length` letters in which the letters at two levels go together.
    pub fn having_both(
        &mut self,
        length: usize,
        [upper, lower]: [usize; 2],
        goes: impl Fn(usize, usize) -> bool,
    ) -> Node {
        let below = self.all(length - lower - 1);
        let rows = std::array::from_fn(|one| {
            let row = std::array::from_fn(|other| if goes(one, other) { below } else { EMPTY });
            let row = self.node(row);
            (upper + 1..lower).fold(row, |below, _| self.node([below; K]))
        });
        let here = self.node(rows);
        (0..upper).fold(here, |below, _| self.node([below; K]))
    }

    pub fn union(&mut self, a: Node, b: Node) -> Node {
        match (a, b) {
            (EMPTY, other) | (other, EMPTY) => other,
            _ if a == b => a,
            _ => self.combine(Operation::Union, a.min(b), a.max(b)),
        }
    }

    pub fn meet(&mut self, a: Node, b: Node) -> Node {
        match (a, b) {
            (EMPTY, _) | (_, EMPTY) => EMPTY,
            _ if a == b => a,
            _ => self.combine(Operation::Meet, a.min(b), a.max(b)),
        }
    }

    pub fn minus(&mut self, a: Node, b: Node) -> Node {
        match (a, b) {
            (_, EMPTY) => a,
            (EMPTY, _) => EMPTY,
            _ if a == b => EMPTY,
            _ => self.combine(Operation::Minus, a, b),
        }
    }

    fn combine(&mut self, operation: Operation, a: Node, b: Node) -> Node {
        let question = (operation, a, b);
        let hash = self.hasher.hash_one(question) as usize;
        let recent = self.recent[hash % self.recent.len()];
        if recent.question == question {
            return recent.answer;
        }
        let (left, right) = (self.kids(a), self.kids(b));
        let kids = std::array::from_fn(|k| match operation {
            Operation::Union => self.union(left[k], right[k]),
            Operation::Meet => self.meet(left[k], right[k]),
            Operation::Minus => self.minus(left[k], right[k]),
            Operation::None => unreachable!("nobody asks for nothing"),
        });
        let answer = self.node(kids);
        let place = hash % self.recent.len();
        self.recent[place] = Recent { question, answer };
        answer
    }

    /// How many words there are.
    pub fn count(&self, node: Node) -> Count {
        let mut known = Memo::default();
        known.insert(EMPTY, Count::default());
        known.insert(END, Count::from(1));
        self.count_below(node, &mut known);
        known[&node].clone()
    }

    fn count_below(&self, node: Node, known: &mut Memo<Node, Count>) {
        if known.contains_key(&node) {
            return;
        }
        let mut sum = Count::default();
        for kid in self.kids(node) {
            self.count_below(kid, known);
            sum = sum.plus(&known[&kid]);
        }
        known.insert(node, sum);
    }

    /// Calls `visit` with each word, in alphabetical order.
    pub fn words(&self, node: Node, visit: &mut impl FnMut(&[u8])) {
        self.words_from(node, &mut Vec::new(), visit);
    }

    fn words_from(&self, node: Node, word: &mut Vec<u8>, visit: &mut impl FnMut(&[u8])) {
        match node {
            EMPTY => {}
            END => visit(word),
            _ => {
                for (letter, kid) in self.kids(node).into_iter().enumerate() {
                    word.push(letter as u8);
                    self.words_from(kid, word, visit);
                    word.pop();
                }
            }
        }
    }

    /// The first word in alphabetical order.
    pub fn first(&self, mut node: Node) -> Option<Vec<u8>> {
        if node == EMPTY {
            return None;
        }
        let mut word = Vec::new();
        while node != END {
            let kids = self.kids(node);
            let letter = kids.iter().position(|kid| *kid != EMPTY)?;
            word.push(letter as u8);
            node = kids[letter];
        }
        Some(word)
    }
}
