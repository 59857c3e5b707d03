//! One step of the tabu search: the best move of a step within its block that was not undone of
//! late.

use super::random::Random;
use super::shop::{Lines, Shop};
use hashbrown::HashMap;

#[derive(Default)]
pub struct Tabu {
    round: u64,
    /// Until which round the first must not come before the second again.
    until: HashMap<(usize, usize), u64>,
}

/// A node that goes to another place in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shift {
    node: usize,
    to: usize,
}

impl Tabu {
    /// Makes one move; false if there is none, and so the schedule is best.
    pub fn step(&mut self, shop: &Shop, lines: &mut Lines, best: i64, random: &mut Random) -> bool {
        self.round += 1;
        let moves = moves(shop, lines, random);
        let mut chosen: Option<(i64, Shift)> = None;
        let mut ties = 0;
        for &shift in &moves {
            let worth = estimate(shop, lines, shift);
            if worth >= best && self.is_forbidden(shop, lines, shift) {
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
        self.make(shop, lines, shift, random);
        true
    }

    /// Makes a move at random.
    pub fn shake(&mut self, shop: &Shop, lines: &mut Lines, random: &mut Random) {
        let moves = moves(shop, lines, random);
        if !moves.is_empty() {
            self.make(shop, lines, moves[random.below(moves.len())], random);
        }
    }

    fn make(&mut self, shop: &Shop, lines: &mut Lines, shift: Shift, random: &mut Random) {
        let from = lines.at[shift.node];
        let passed = passed(shop, lines, shift);
        let keep = 10 + random.below(8 + shop.of.len() / shop.machines.max(1) / 2) as u64;
        for other in passed {
            let pair = if from < shift.to { (shift.node, other) } else { (other, shift.node) };
            self.until.insert(pair, self.round + keep);
        }
        lines.shift(shop, shift.node, shift.to);
        if !lines.evaluate(shop) {
            // Steps without duration can be on a circle that the tails do not show.
            lines.shift(shop, shift.node, from);
            lines.evaluate(shop);
        }
    }

    /// Whether it brings back a pair that was turned round of late.
    fn is_forbidden(&self, shop: &Shop, lines: &Lines, shift: Shift) -> bool {
        let is_right = lines.at[shift.node] < shift.to;
        passed(shop, lines, shift).iter().any(|&other| {
            let pair = if is_right { (other, shift.node) } else { (shift.node, other) };
            self.until.get(&pair).is_some_and(|&until| until > self.round)
        })
    }
}

/// The nodes that a move goes past.
fn passed(shop: &Shop, lines: &Lines, shift: Shift) -> Vec<usize> {
    let Some(machine) = shop.machine[shift.node] else { return Vec::new() };
    let (line, from) = (&lines.lines[machine], lines.at[shift.node]);
    if from < shift.to { line[from + 1..=shift.to].to_vec() } else { line[shift.to..from].to_vec() }
}

/// A lower bound of the makespan after the move, and mostly the makespan itself: the longest path
/// through what is displaced.
fn estimate(shop: &Shop, lines: &Lines, shift: Shift) -> i64 {
    let Some(machine) = shop.machine[shift.node] else { return i64::MAX };
    let (line, from) = (&lines.lines[machine], lines.at[shift.node]);
    let (first, last) = (from.min(shift.to), from.max(shift.to));
    let mut nodes = line[first..=last].to_vec();
    if from < shift.to {
        nodes.rotate_left(1);
    } else {
        nodes.rotate_right(1);
    }
    let mut free = first.checked_sub(1).map_or(0, |k| lines.head[line[k]] + shop.duration[line[k]]);
    let heads: Vec<i64> = nodes
        .iter()
        .map(|&node| {
            let head = lines.ready(shop, node).max(free);
            free = head + shop.duration[node];
            head
        })
        .collect();
    let mut rest = line.get(last + 1).map(|&node| lines.tail[node]);
    let mut longest = 0;
    for (k, &node) in nodes.iter().enumerate().rev() {
        let tail = lines.tail_in(shop, node, rest);
        longest = longest.max(heads[k] + tail);
        rest = Some(tail);
    }
    longest
}

/// Moves within the blocks of a critical path that cannot make a circle (but for steps without
/// duration).
fn moves(shop: &Shop, lines: &Lines, random: &mut Random) -> Vec<Shift> {
    let path = critical_path(shop, lines, random);
    let mut found: Vec<Shift> = Vec::new();
    let mut first = 0;
    while first < path.len() {
        let mut last = first;
        while last + 1 < path.len() && lines.after(shop, path[last]) == Some(path[last + 1]) {
            last += 1;
        }
        let block = &path[first..=last];
        // Inside the first block only its end counts, inside the last one only its beginning.
        for k in 0..block.len().saturating_sub(1) {
            let (node, end) = (block[k], block[block.len() - 1]);
            let is_open = |&(after, _): &(usize, i64)| lines.tail[end] >= lines.tail[after];
            if shop.after[node].iter().all(is_open) {
                found.push(Shift { node, to: lines.at[end] });
            }
        }
        for &node in block.iter().skip(1) {
            let start = block[0];
            let until = lines.head[start] + shop.duration[start];
            let is_open =
                |&(before, _): &(usize, i64)| until >= lines.head[before] + shop.duration[before];
            if shop.before[node].iter().all(is_open) {
                let shift = Shift { node, to: lines.at[start] };
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
fn critical_path(shop: &Shop, lines: &Lines, random: &mut Random) -> Vec<usize> {
    let is_critical = |node: usize| lines.head[node] + lines.tail[node] == lines.makespan;
    let starts: Vec<usize> = (0..shop.of.len())
        .filter(|&node| is_critical(node) && lines.head[node] == shop.release[node])
        .collect();
    let mut path = Vec::new();
    if starts.is_empty() {
        return path;
    }
    let mut node = starts[random.below(starts.len())];
    loop {
        path.push(node);
        // Nodes without duration could otherwise be walked through for ever.
        if path.len() > shop.of.len() {
            return path;
        }
        let on_machine = lines.after(shop, node).map(|after| (after, shop.duration[node]));
        let next: Vec<usize> = (shop.after[node].iter().copied().chain(on_machine))
            .filter(|&(after, lead)| {
                is_critical(after) && lines.head[node] + lead == lines.head[after]
            })
            .map(|(after, _)| after)
            .collect();
        if next.is_empty() {
            return path;
        }
        node = next[random.below(next.len())];
    }
}
