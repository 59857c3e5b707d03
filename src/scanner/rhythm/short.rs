//! Shorter cycles: from a state on the way of a schedule back to one as good after few wafers.

use super::beat::{Beat, InTime, Key, Times};
use super::closure::Lasso;
use super::tool::Move;
use takt_automata::descent::{Antichain, Beginning, Inclusion};

/// A cycle of more wafers is not looked for.
const WAFERS: i64 = 6;
/// How many labels may be looked at, all in all.
const LABELS: usize = 10_000;

struct Visit {
    key: Key,
    times: Times,
    /// The node before it, and the move from there.
    came: Option<(usize, Move)>,
}

impl<'a> Beat<'a> {
    /// The same way, up to the first of its blocks from which a cycle of the fewest wafers is found.
    pub(super) fn shorten(&mut self, lasso: Lasso, blocks: &[Beginning<InTime<'a>>]) -> Lasso {
        let way = lasso.moves.clone();
        let mut best = lasso;
        let mut left = LABELS;
        for block in blocks {
            let most = WAFERS.min(best.gain - 1);
            if let Some((round, gain)) = self.way_back(block, most, &mut left) {
                let from = block.moves + 1;
                let moves = way[..from].iter().chain(&round).copied().collect();
                let time = self.descent.transitions.due.ahead(block.key.1, gain);
                best = Lasso { moves, from, time, gain };
            }
        }
        best
    }

    fn way_back(
        &mut self,
        block: &Beginning<InTime<'a>>,
        most: i64,
        left: &mut usize,
    ) -> Option<(Vec<Move>, i64)> {
        let start = Visit { key: block.key, times: block.label.clone(), came: None };
        let mut nodes = vec![start];
        let mut layer = vec![0];
        for wafers in 1..=most {
            let (mut seen, mut exits) = (Antichain::default(), Vec::new());
            while let Some(node) = layer.pop() {
                *left = left.checked_sub(1)?;
                let Visit { key, times, .. } = &nodes[node];
                for next in self.descent.transitions.next(*key, times) {
                    let (key, times) = (next.state.key, next.state.times);
                    let known = (key, next.resets);
                    if seen.includes(&known, &times) || self.descent.dead.includes(&key, &times) {
                        continue;
                    }
                    let came = Some((node, next.action));
                    if next.resets && key == block.key && times.includes(&block.label) {
                        return Some((way(&nodes, came), wafers));
                    }
                    seen.add(&known, &times);
                    if next.resets { &mut exits } else { &mut layer }.push(nodes.len());
                    nodes.push(Visit { key, times, came });
                }
            }
            layer = exits;
        }
        None
    }
}

/// The moves from the first node, up to this one.
fn way(nodes: &[Visit], last: Option<(usize, Move)>) -> Vec<Move> {
    let before = |(node, _): &(usize, Move)| nodes[*node].came;
    let mut way: Vec<Move> = std::iter::successors(last, before).map(|(_, step)| step).collect();
    way.reverse();
    way
}
