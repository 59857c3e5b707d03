//! All that can be reached from a set of states by single moves, by saturation (Ciardo, Lüttgen,
//! Siminiceanu 2001): a node is closed under the moves that begin at its level only after
//! everything below it is closed, so that sets grow where they are small.

use super::diagram::{EMPTY, Forest, Memo, Node};

/// At this level, this value becomes that one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub level: usize,
    pub from: usize,
    pub to: usize,
}

#[derive(Clone, Copy, Debug)]
struct Event {
    number: u32,
    upper: Change,
    lower: Option<Change>,
}

/// What is known about the closures of nodes under one set of moves.
#[derive(Debug)]
pub struct Closure {
    /// By the level of the upper change.
    steps: Vec<Vec<Event>>,
    closed: Memo<Node, Node>,
    fired: Memo<(Node, u32), Node>,
}

impl Closure {
    /// Each move is one change, or two at different levels at once.
    pub fn new(levels: usize, moves: &[Vec<Change>]) -> Closure {
        let mut steps = vec![Vec::new(); levels];
        for (number, changes) in (0..).zip(moves) {
            let mut changes = changes.clone();
            changes.sort_by_key(|change| change.level);
            if let Some(&upper) = changes.first() {
                steps[upper.level].push(Event { number, upper, lower: changes.get(1).copied() });
            }
        }
        Closure { steps, closed: Memo::default(), fired: Memo::default() }
    }

    pub fn close(&mut self, forest: &mut Forest<3>, set: Node) -> Node {
        self.close_at(forest, set, 0)
    }

    fn close_at(&mut self, forest: &mut Forest<3>, node: Node, level: usize) -> Node {
        if node == EMPTY || level == self.steps.len() {
            return node;
        }
        if let Some(&closed) = self.closed.get(&node) {
            return closed;
        }
        let mut kids = forest.kids(node).map(|kid| self.close_at(forest, kid, level + 1));
        loop {
            let before = kids;
            for step in 0..self.steps[level].len() {
                let step = self.steps[level][step];
                let kid = kids[step.upper.from];
                let moved = match step.lower {
                    Some(lower) => self.fire(forest, kid, level + 1, step.number, lower),
                    None => kid,
                };
                // Both are closed below, and so is their union: moves look at one state each.
                kids[step.upper.to] = forest.union(kids[step.upper.to], moved);
            }
            if kids == before || forest.is_full() {
                break;
            }
        }
        let closed = forest.node(kids);
        self.closed.insert(node, closed);
        self.closed.insert(closed, closed);
        closed
    }

    /// The lower change of a move, done in a closed node; the result is closed again.
    fn fire(
        &mut self,
        forest: &mut Forest<3>,
        node: Node,
        level: usize,
        number: u32,
        lower: Change,
    ) -> Node {
        if node == EMPTY {
            return EMPTY;
        }
        if let Some(&fired) = self.fired.get(&(node, number)) {
            return fired;
        }
        let kids = forest.kids(node);
        let mut moved = [EMPTY; 3];
        if level == lower.level {
            moved[lower.to] = kids[lower.from];
        } else {
            moved = kids.map(|kid| self.fire(forest, kid, level + 1, number, lower));
        }
        let moved = forest.node(moved);
        let fired = self.close_at(forest, moved, level);
        self.fired.insert((node, number), fired);
        fired
    }
}
