//! Shorter cycles: from a state on the way of a schedule back to one as good after few wafers.

use super::beat::{Beat, Block, Next, note};
use super::closure::Lasso;
use super::labels::is_covered;
use super::machine::Move;
use hashbrown::HashMap;

/// A cycle of more wafers is not looked for.
const WAFERS: i64 = 6;
/// How many labels may be looked at, all in all.
const LABELS: usize = 10_000;

struct Node {
    label: Next,
    parent: usize,
}

impl Beat<'_> {
    /// The same way, up to the first of its blocks from which a cycle of the fewest wafers is found.
    pub(super) fn shorten(&mut self, moves: &[Move], blocks: &[Block], lasso: Lasso) -> Lasso {
        let mut best = lasso;
        let mut left = LABELS;
        for block in blocks {
            let most = WAFERS.min(best.gain - 1);
            if let Some((way, gain)) = self.way_back(block, most, &mut left) {
                let from = block.at + 1;
                let moves = moves[..from].iter().chain(&way).copied().collect();
                best = Lasso { moves, from, time: self.due.ahead(block.phase, gain), gain };
            }
        }
        best
    }

    fn way_back(&mut self, block: &Block, most: i64, left: &mut usize) -> Option<(Vec<Move>, i64)> {
        let start = Node { label: block.start(), parent: usize::MAX };
        let mut nodes = vec![start];
        let mut layer = vec![0];
        let mut phase = block.phase;
        for wafers in 1..=most {
            let after = self.due.next(phase);
            let mut seen: HashMap<u128, Vec<Vec<i64>>> = HashMap::new();
            let mut ends: HashMap<u128, Vec<Vec<i64>>> = HashMap::new();
            let mut exits = Vec::new();
            while let Some(node) = layer.pop() {
                *left = left.checked_sub(1)?;
                for label in self.next(&nodes[node].label, phase) {
                    let unloads = matches!(label.step, Move::Unload { .. });
                    let (known, phase) =
                        if unloads { (&mut ends, after) } else { (&mut seen, phase) };
                    let known = known.entry(label.key).or_default();
                    let is_worse = known.iter().any(|known| is_covered(known, &label.times, 0));
                    if is_worse || self.is_dead(label.key, phase, &label.times) {
                        continue;
                    }
                    if unloads && block.is_met_by(&label, phase) {
                        return Some((way(&nodes, node, label.step), wafers));
                    }
                    note(known, label.times.clone());
                    if unloads { &mut exits } else { &mut layer }.push(nodes.len());
                    nodes.push(Node { label, parent: node });
                }
            }
            layer = exits;
            phase = after;
        }
        None
    }
}

/// The moves from the first node to this one, and one more.
fn way(nodes: &[Node], last: usize, step: Move) -> Vec<Move> {
    let mut way = vec![step];
    let mut node = last;
    while nodes[node].parent != usize::MAX {
        way.push(nodes[node].label.step);
        node = nodes[node].parent;
    }
    way.reverse();
    way
}
