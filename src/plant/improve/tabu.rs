//! One step of the tabu search: the best move of a step within its block that was not undone of
//! late.
//!
//! The neighbourhood is N7 (Zhang, Li, Guan, Rao 2007): steps go to the beginning or the end of their block, and its
//! first and last step go inside.

use super::disjunctive::Selection;
use crate::random::Random;

/// A pair stays as it is for so many rounds at least, and for as many more by chance.
const LEAST_BAN: u64 = 10;
const MORE_BAN: usize = 8;

/// Bans are kept for so many pairs; where there are more, several share one.
const MOST_PAIRS: usize = 1 << 21;

pub struct Tabu {
    round: u64,
    /// Until which round the first of a pair must not come before the second again.
    until: Vec<u64>,
    /// Which number a node has among those of its machine, and how many there are at most.
    number: Vec<usize>,
    longest: usize,
    /// How many rounds a ban lasts, by chance.
    spread: usize,
    /// Laid aside between rounds.
    path: Vec<usize>,
    moves: Vec<Move>,
    shifted: Vec<(usize, i64)>,
}

/// A node that goes to another place in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    node: usize,
    to: usize,
}

impl Tabu {
    pub fn new(selection: &Selection) -> Tabu {
        let nodes = selection.graph.of.len();
        let mut number = vec![0; nodes];
        for line in &selection.selection {
            line.iter().enumerate().for_each(|(k, &node)| number[node] = k);
        }
        let longest = selection.selection.iter().map(Vec::len).max().unwrap_or(0);
        Tabu {
            round: 0,
            until: vec![0; nodes.saturating_mul(longest).clamp(1, MOST_PAIRS)],
            number,
            longest,
            spread: MORE_BAN + nodes / selection.graph.machines.max(1) / 2,
            path: Vec::new(),
            moves: Vec::new(),
            shifted: Vec::new(),
        }
    }

    /// Everything is allowed again.
    pub fn forget(&mut self) {
        self.round += LEAST_BAN + self.spread as u64;
    }

    /// Makes one move; false if there is none, and so the schedule is best.
    pub fn step(&mut self, selection: &mut Selection, best: i64, random: &mut Random) -> bool {
        self.round += 1;
        self.find_moves(selection, random);
        let mut chosen: Option<(i64, Move)> = None;
        let mut ties = 0;
        for k in 0..self.moves.len() {
            let shift = self.moves[k];
            let worth = self.estimate(selection, shift);
            if worth >= best && self.is_forbidden(selection, shift) {
                continue;
            }
            let known = chosen.map_or(i64::MAX, |chosen| chosen.0);
            ties = if worth == known { ties + 1 } else { 0 };
            if worth < known || worth == known && random.one_in(ties + 1) {
                chosen = Some((worth, shift));
            }
        }
        let shift = match chosen {
            Some((_, shift)) => shift,
            None if self.moves.is_empty() => return false,
            None => self.moves[random.below(self.moves.len())],
        };
        self.make(selection, shift, random);
        true
    }

    /// Makes a move at random.
    pub fn shake(&mut self, selection: &mut Selection, random: &mut Random) {
        self.find_moves(selection, random);
        if !self.moves.is_empty() {
            self.make(selection, self.moves[random.below(self.moves.len())], random);
        }
    }

    fn make(&mut self, selection: &mut Selection, shift: Move, random: &mut Random) {
        let is_right = selection.at[shift.node] < shift.to;
        let until = self.round + LEAST_BAN + random.below(self.spread) as u64;
        for &other in passed(selection, shift) {
            let pair = self.pair(shift.node, other, is_right);
            self.until[pair] = until;
        }
        // Steps without duration can be on a circle that the tails do not show.
        selection.apply(shift.node, shift.to);
    }

    /// Whether it brings back a pair that was turned round of late.
    fn is_forbidden(&self, selection: &Selection, shift: Move) -> bool {
        let is_right = selection.at[shift.node] < shift.to;
        passed(selection, shift)
            .iter()
            .any(|&other| self.until[self.pair(shift.node, other, !is_right)] > self.round)
    }

    /// Where the ban is kept of a node and another one on its machine, of which the node comes first or not.
    fn pair(&self, node: usize, other: usize, is_first: bool) -> usize {
        let (first, second) = if is_first { (node, other) } else { (other, node) };
        (first * self.longest + self.number[second]) % self.until.len()
    }

    /// A lower bound of the makespan after the move, and mostly the makespan itself: the longest path
    /// through what is displaced.
    fn estimate(&mut self, selection: &Selection, shift: Move) -> i64 {
        let Some(machine) = selection.graph.machine[shift.node] else { return i64::MAX };
        let (line, from) = (&selection.selection[machine], selection.at[shift.node]);
        let (first, last) = (from.min(shift.to), from.max(shift.to));
        let before = (first > 0).then(|| line[first - 1]);
        let mut free =
            before.map_or(0, |node| selection.head[node] + selection.graph.duration[node]);
        self.shifted.clear();
        let mut place = |node: usize| {
            let head = selection.ready(node).max(free);
            free = head + selection.graph.duration[node];
            self.shifted.push((node, head));
        };
        if from < shift.to {
            line[from + 1..=last].iter().for_each(|&node| place(node));
            place(shift.node);
        } else {
            place(shift.node);
            line[first..from].iter().for_each(|&node| place(node));
        }
        let mut rest = line.get(last + 1).map(|&node| selection.tail[node]);
        let mut longest = 0;
        for &(node, head) in self.shifted.iter().rev() {
            let tail = selection.tail_in(node, rest);
            longest = longest.max(head + tail);
            rest = Some(tail);
        }
        longest
    }

    /// Moves within the blocks of a critical path that cannot make a circle (but for steps without
    /// duration).
    fn find_moves(&mut self, selection: &Selection, random: &mut Random) {
        self.find_path(selection, random);
        self.moves.clear();
        let path = &self.path;
        let mut first = 0;
        while first < path.len() {
            let mut last = first;
            while last + 1 < path.len() && selection.after(path[last]) == Some(path[last + 1]) {
                last += 1;
            }
            moves_within(selection, &path[first..=last], &mut self.moves);
            first = last + 1;
        }
    }

    /// A longest path from the beginning to the end, one of several at random.
    fn find_path(&mut self, selection: &Selection, random: &mut Random) {
        let graph = &selection.graph;
        let is_critical =
            |node: usize| selection.head[node] + selection.tail[node] == selection.makespan;
        let is_start =
            |node: &usize| is_critical(*node) && selection.head[*node] == graph.release[*node];
        let path = &mut self.path;
        path.clear();
        let mut next = one_of((0..graph.of.len()).filter(is_start), random);
        // Nodes without duration could otherwise be walked through for ever.
        while let Some(node) = next
            && path.len() <= graph.of.len()
        {
            path.push(node);
            let on_machine = selection.after(node).map(|after| (after, graph.duration[node]));
            let follows = graph.after(node).iter().copied().chain(on_machine);
            let is_next = |&(after, lead): &(usize, i64)| {
                is_critical(after) && selection.head[node] + lead == selection.head[after]
            };
            next = one_of(follows.filter(is_next).map(|(after, _)| after), random);
        }
    }
}

/// The nodes that a move goes past.
fn passed(selection: &Selection, shift: Move) -> &[usize] {
    let Some(machine) = selection.graph.machine[shift.node] else { return &[] };
    let (line, from) = (&selection.selection[machine], selection.at[shift.node]);
    if from < shift.to { &line[from + 1..=shift.to] } else { &line[shift.to..from] }
}

/// Adds the moves within a block.
fn moves_within(selection: &Selection, block: &[usize], moves: &mut Vec<Move>) {
    let &[first, .., last] = block else { return };
    let (to_first, to_last) = (selection.at[first], selection.at[last]);
    if block.len() == 2 {
        moves.push(Move { node: first, to: to_last });
        return;
    }
    let inner = &block[1..block.len() - 1];
    for &node in inner {
        if may_follow(selection, node, last) {
            moves.push(Move { node, to: to_last });
        }
        if may_precede(selection, node, first) {
            moves.push(Move { node, to: to_first });
        }
    }
    for &other in &block[1..] {
        if may_follow(selection, first, other) {
            moves.push(Move { node: first, to: selection.at[other] });
        }
    }
    for &other in &block[..block.len() - 1] {
        if may_precede(selection, last, other) {
            moves.push(Move { node: last, to: selection.at[other] });
        }
    }
}

/// Whether a node may go behind another one: nothing that comes after it in its order comes before that one.
fn may_follow(selection: &Selection, node: usize, other: usize) -> bool {
    let tail = selection.tail[other];
    selection.graph.after(node).iter().all(|&(after, _)| tail >= selection.tail[after])
}

fn may_precede(selection: &Selection, node: usize, other: usize) -> bool {
    let end = |node: usize| selection.head[node] + selection.graph.duration[node];
    selection.graph.before(node).iter().all(|&(before, _)| end(other) >= end(before))
}

/// One of them by chance.
fn one_of(all: impl Iterator<Item = usize> + Clone, random: &mut Random) -> Option<usize> {
    let mut left = all.clone();
    match all.count() {
        0 | 1 => left.next(),
        count => left.nth(random.below(count)),
    }
}
