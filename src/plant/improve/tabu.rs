//! One step of the tabu search: the best move of a step within its block that was not undone of
//! late.

use super::disjunctive::Selection;
use crate::random::Random;
use hashbrown::HashMap;

#[derive(Default)]
pub struct Tabu {
    round: u64,
    /// Until which round the first must not come before the second again.
    until: HashMap<(usize, usize), u64>,
}

/// A node that goes to another place in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    node: usize,
    to: usize,
}

impl Tabu {
    /// Makes one move; false if there is none, and so the schedule is best.
    pub fn step(&mut self, selection: &mut Selection, best: i64, random: &mut Random) -> bool {
        self.round += 1;
        let moves = moves(selection, random);
        let mut chosen: Option<(i64, Move)> = None;
        let mut ties = 0;
        for &shift in &moves {
            let worth = estimate(selection, shift);
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
            None if moves.is_empty() => return false,
            None => moves[random.below(moves.len())],
        };
        self.make(selection, shift, random);
        true
    }

    /// Makes a move at random.
    pub fn shake(&mut self, selection: &mut Selection, random: &mut Random) {
        let moves = moves(selection, random);
        if !moves.is_empty() {
            self.make(selection, moves[random.below(moves.len())], random);
        }
    }

    fn make(&mut self, selection: &mut Selection, shift: Move, random: &mut Random) {
        let from = selection.at[shift.node];
        let passed = passed(selection, shift);
        let keep = 10
            + random.below(8 + selection.graph.of.len() / selection.graph.machines.max(1) / 2)
                as u64;
        for other in passed {
            let pair = if from < shift.to { (shift.node, other) } else { (other, shift.node) };
            self.until.insert(pair, self.round + keep);
        }
        // Steps without duration can be on a circle that the tails do not show.
        selection.apply(shift.node, shift.to);
    }

    /// Whether it brings back a pair that was turned round of late.
    fn is_forbidden(&self, selection: &Selection, shift: Move) -> bool {
        let is_right = selection.at[shift.node] < shift.to;
        passed(selection, shift).iter().any(|&other| {
            let pair = if is_right { (other, shift.node) } else { (shift.node, other) };
            self.until.get(&pair).is_some_and(|&until| until > self.round)
        })
    }
}

/// The nodes that a move goes past.
fn passed(selection: &Selection, shift: Move) -> Vec<usize> {
    let Some(machine) = selection.graph.machine[shift.node] else { return Vec::new() };
    let (line, from) = (&selection.selection[machine], selection.at[shift.node]);
    if from < shift.to { line[from + 1..=shift.to].to_vec() } else { line[shift.to..from].to_vec() }
}

/// A lower bound of the makespan after the move, and mostly the makespan itself: the longest path
/// through what is displaced.
fn estimate(selection: &Selection, shift: Move) -> i64 {
    let Some(machine) = selection.graph.machine[shift.node] else { return i64::MAX };
    let (line, from) = (&selection.selection[machine], selection.at[shift.node]);
    let (first, last) = (from.min(shift.to), from.max(shift.to));
    let mut nodes = line[first..=last].to_vec();
    if from < shift.to {
        nodes.rotate_left(1);
    } else {
        nodes.rotate_right(1);
    }
    let mut free = first
        .checked_sub(1)
        .map_or(0, |k| selection.head[line[k]] + selection.graph.duration[line[k]]);
    let heads: Vec<i64> = nodes
        .iter()
        .map(|&node| {
            let head = selection.ready(node).max(free);
            free = head + selection.graph.duration[node];
            head
        })
        .collect();
    let mut rest = line.get(last + 1).map(|&node| selection.tail[node]);
    let mut longest = 0;
    for (k, &node) in nodes.iter().enumerate().rev() {
        let tail = selection.tail_in(node, rest);
        longest = longest.max(heads[k] + tail);
        rest = Some(tail);
    }
    longest
}

/// Moves within the blocks of a critical path that cannot make a circle (but for steps without
/// duration).
fn moves(selection: &Selection, random: &mut Random) -> Vec<Move> {
    let path = critical_path(selection, random);
    let mut found: Vec<Move> = Vec::new();
    let mut first = 0;
    while first < path.len() {
        let mut last = first;
        while last + 1 < path.len() && selection.after(path[last]) == Some(path[last + 1]) {
            last += 1;
        }
        let block = &path[first..=last];
        // Inside the first block only its end counts, inside the last one only its beginning.
        for k in 0..block.len().saturating_sub(1) {
            let (node, end) = (block[k], block[block.len() - 1]);
            let is_open = |&(after, _): &(usize, i64)| selection.tail[end] >= selection.tail[after];
            if selection.graph.after[node].iter().all(is_open) {
                found.push(Move { node, to: selection.at[end] });
            }
        }
        for &node in block.iter().skip(1) {
            let start = block[0];
            let until = selection.head[start] + selection.graph.duration[start];
            let is_open = |&(before, _): &(usize, i64)| {
                until >= selection.head[before] + selection.graph.duration[before]
            };
            if selection.graph.before[node].iter().all(is_open) {
                let shift = Move { node, to: selection.at[start] };
                if block.len() > 2
                    || node != block[1]
                    || found.last().is_none_or(|f| f.node != start)
                {
                    found.push(shift);
                }
            }
        }
        first = last + 1;
    }
    found
}

/// A longest path from the beginning to the end, one of several at random.
fn critical_path(selection: &Selection, random: &mut Random) -> Vec<usize> {
    let is_critical =
        |node: usize| selection.head[node] + selection.tail[node] == selection.makespan;
    let starts: Vec<usize> = (0..selection.graph.of.len())
        .filter(|&node| is_critical(node) && selection.head[node] == selection.graph.release[node])
        .collect();
    let mut path = Vec::new();
    if starts.is_empty() {
        return path;
    }
    let mut node = starts[random.below(starts.len())];
    loop {
        path.push(node);
        // Nodes without duration could otherwise be walked through for ever.
        if path.len() > selection.graph.of.len() {
            return path;
        }
        let on_machine = selection.after(node).map(|after| (after, selection.graph.duration[node]));
        let next: Vec<usize> = (selection.graph.after[node].iter().copied().chain(on_machine))
            .filter(|&(after, lead)| {
                is_critical(after) && selection.head[node] + lead == selection.head[after]
            })
            .map(|(after, _)| after)
            .collect();
        if next.is_empty() {
            return path;
        }
        node = next[random.below(next.len())];
    }
}
