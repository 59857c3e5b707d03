//! Who follows whom on every unit, and what that costs. Every change can be taken back.

use super::graph::Graph;

/// A change, as what takes it back.
#[derive(Clone, Copy, Debug)]
enum Undo {
    /// Take the seat out of its line.
    Unlink(usize),
    /// Put the seat into this line, behind that one.
    Link(usize, usize, Option<usize>),
    Choice(usize, usize),
    Wait(usize, i64),
}

#[derive(Clone, Debug)]
pub struct Lines {
    /// For each seat: its line, where it is taken, and its neighbours there.
    line: Vec<Option<usize>>,
    prev: Vec<Option<usize>>,
    next: Vec<Option<usize>>,
    first: Vec<Option<usize>>,
    /// For each claim.
    choice: Vec<usize>,
    /// For each node: it does not start before.
    waits_until: Vec<i64>,
    /// What setups and modes cost.
    pub cost: i64,
    changes: Vec<Undo>,
    /// Nodes whose times may have changed.
    pub dirty: Vec<usize>,
}

impl Lines {
    pub fn new(graph: &Graph) -> Lines {
        let seats = graph.owner.len();
        Lines {
            line: vec![None; seats],
            prev: vec![None; seats],
            next: vec![None; seats],
            first: vec![None; graph.pool.len()],
            choice: vec![0; graph.claims.len()],
            waits_until: vec![0; graph.of.len()],
            cost: 0,
            changes: Vec::new(),
            dirty: Vec::new(),
        }
    }

    pub fn line(&self, seat: usize) -> Option<usize> {
        self.line[seat]
    }

    pub fn prev(&self, seat: usize) -> Option<usize> {
        self.prev[seat]
    }

    pub fn next(&self, seat: usize) -> Option<usize> {
        self.next[seat]
    }

    pub fn first(&self, line: usize) -> Option<usize> {
        self.first[line]
    }

    pub fn choice(&self, claim: usize) -> usize {
        self.choice[claim]
    }

    pub fn choices(&self) -> &[usize] {
        &self.choice
    }

    pub fn waits_until(&self, node: usize) -> i64 {
        self.waits_until[node]
    }

    /// The cost of the setup before the seat, if it stood behind that one.
    fn price(graph: &Graph, line: usize, prev: Option<usize>, seat: Option<usize>) -> i64 {
        let (Some(setup), Some(seat)) = (graph.setup(line), seat) else { return 0 };
        let to = graph.claims[graph.owner[seat]].family;
        let from = prev.map_or(setup.initial, |prev| Some(graph.claims[graph.owner[prev]].family));
        from.map_or(0, |from| setup.cost[from][to])
    }

    /// The time of the setup between what stands before the seat and the seat.
    pub fn gap(&self, graph: &Graph, seat: usize) -> i64 {
        let Some(setup) = self.line[seat].and_then(|line| graph.setup(line)) else { return 0 };
        let family = |seat: usize| graph.claims[graph.owner[seat]].family;
        let from = self.prev[seat].map(family).or(setup.initial);
        from.map_or(0, |from| setup.time[from][family(seat)])
    }

    /// What the setup before the seat costs.
    pub fn setup_cost(&self, graph: &Graph, seat: usize) -> i64 {
        self.line[seat].map_or(0, |line| Lines::price(graph, line, self.prev[seat], Some(seat)))
    }

    fn touch(&mut self, graph: &Graph, seat: usize) {
        self.dirty.push(graph.claims[graph.owner[seat]].from);
    }

    /// Puts the seat behind another one, or at the beginning.
    pub fn link(&mut self, graph: &Graph, seat: usize, line: usize, prev: Option<usize>) {
        self.insert(graph, seat, line, prev);
        self.changes.push(Undo::Unlink(seat));
    }

    fn insert(&mut self, graph: &Graph, seat: usize, line: usize, prev: Option<usize>) {
        let next = prev.map_or(self.first[line], |prev| self.next[prev]);
        (self.line[seat], self.prev[seat], self.next[seat]) = (Some(line), prev, next);
        match prev {
            Some(prev) => self.next[prev] = Some(seat),
            None => self.first[line] = Some(seat),
        }
        if let Some(next) = next {
            self.prev[next] = Some(seat);
            self.touch(graph, next);
        }
        self.touch(graph, seat);
        self.cost += Lines::price(graph, line, prev, Some(seat))
            + Lines::price(graph, line, Some(seat), next)
            - Lines::price(graph, line, prev, next);
    }

    pub fn unlink(&mut self, graph: &Graph, seat: usize) {
        if let Some(line) = self.line[seat] {
            self.changes.push(Undo::Link(seat, line, self.prev[seat]));
            self.remove(graph, seat, line);
        }
    }

    fn remove(&mut self, graph: &Graph, seat: usize, line: usize) {
        let (prev, next) = (self.prev[seat], self.next[seat]);
        match prev {
            Some(prev) => self.next[prev] = next,
            None => self.first[line] = next,
        }
        if let Some(next) = next {
            self.prev[next] = prev;
            self.touch(graph, next);
        }
        self.touch(graph, seat);
        (self.line[seat], self.prev[seat], self.next[seat]) = (None, None, None);
        self.cost -= Lines::price(graph, line, prev, Some(seat))
            + Lines::price(graph, line, Some(seat), next)
            - Lines::price(graph, line, prev, next);
    }

    /// Another way to do it; what it takes is for the caller to link.
    pub fn choose(&mut self, graph: &Graph, claim: usize, choice: usize) {
        let old = self.choice[claim];
        self.changes.push(Undo::Choice(claim, old));
        self.set_choice(graph, claim, choice);
    }

    fn set_choice(&mut self, graph: &Graph, claim: usize, choice: usize) {
        let old = std::mem::replace(&mut self.choice[claim], choice);
        let of = &graph.claims[claim];
        if of.hold.is_none() {
            self.cost += graph.mode(of.from, choice).cost - graph.mode(of.from, old).cost;
        }
        self.dirty.push(of.from);
    }

    /// The node does not start before this instant.
    pub fn wait(&mut self, node: usize, until: i64) {
        let old = std::mem::replace(&mut self.waits_until[node], until);
        self.changes.push(Undo::Wait(node, old));
        self.dirty.push(node);
    }

    /// What was changed since the last time stays.
    pub fn keep(&mut self) {
        self.changes.clear();
        self.dirty.clear();
    }

    /// What was changed since the last time is taken back.
    pub fn take_back(&mut self, graph: &Graph) {
        while let Some(change) = self.changes.pop() {
            match change {
                Undo::Unlink(seat) => {
                    if let Some(line) = self.line[seat] {
                        self.remove(graph, seat, line);
                    }
                }
                Undo::Link(seat, line, prev) => self.insert(graph, seat, line, prev),
                Undo::Choice(claim, choice) => self.set_choice(graph, claim, choice),
                Undo::Wait(node, until) => self.waits_until[node] = until,
            }
        }
        self.dirty.clear();
    }
}
