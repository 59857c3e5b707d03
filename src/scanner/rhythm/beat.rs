//! Schedules in which every wafer comes in time.
//!
//! Times count from when the next wafer is due. With `exact`, each comes exactly then: what is
//! found is a schedule whose gaps are the steps between due times. Without, each comes at the
//! latest then, which any schedule of such gaps does: if there is none, this proves it.
//!
//! Both are questions about labels of which the better one (equal configuration, no time later) can
//! do whatever the other can. The search goes into the depth. The moves between two unloads are a
//! block; in a block a label is left out if a better one was seen there. An end of the block that
//! is at least as good as the beginning of one on the way is a lasso. If no end of a block leads to
//! one, all labels of the block are dead, and so is whatever is worse: suppose some were not, and
//! take one with the fewest moves to the next unload on some endless run; its next label on that
//! run, or the better one it was left out for, belongs to the block, is not dead, and has fewer.

use super::closure::Lasso;
use super::due::Due;
use super::labels::is_covered;
use super::late::Outlook;
use super::machine::{Machine, Move};
use super::safe::Safe;
use super::{Stop, Stopped};
use hashbrown::HashMap;

type Times = Vec<i64>;

pub struct Beat<'a> {
    machine: &'a Machine,
    pub(super) due: Due,
    exact: bool,
    /// Whether to look for short cycles, and for locks that are not pumped without a wafer.
    pub short: bool,
    safe: Safe<'a>,
    outlook: Outlook<'a>,
    /// By configuration and phase; none is worse than another.
    dead: HashMap<(u128, i64), Vec<Times>>,
    pub explored: u64,
}

pub(super) struct Next {
    pub step: Move,
    pub key: u128,
    pub times: Times,
    /// What the move is tried by: the start, and how late it will be at least.
    start: i64,
    late: i64,
}

struct Frame {
    step: Move,
    next: Vec<Next>,
}

pub(super) struct Block {
    /// Where it begins on the way.
    pub at: usize,
    wafers: i64,
    pub phase: i64,
    key: u128,
    times: Times,
    seen: HashMap<u128, Vec<Times>>,
}

impl<'a> Beat<'a> {
    pub fn new(machine: &'a Machine, due: Due, exact: bool) -> Beat<'a> {
        Beat {
            machine,
            due,
            exact,
            short: false,
            safe: Safe::new(machine),
            outlook: Outlook::new(machine),
            dead: HashMap::new(),
            explored: 0,
        }
    }

    /// No wafer comes before this.
    pub fn earliest(&mut self) -> i64 {
        let starts = self.machine.starts().into_iter();
        starts
            .map(|(_, spot)| self.outlook.lateness(&spot, &Due::every(FAR.into()), 0))
            .min()
            .unwrap_or(0)
    }

    /// A schedule whose first wafer is due at `first`; `None` if there is none.
    pub fn search(&mut self, first: i64, stop: &mut Stop) -> Result<Option<Lasso>, Stopped> {
        for (step, mut spot) in self.machine.starts() {
            stop.tick()?;
            for part in &self.machine.live {
                spot.free[*part] -= first;
            }
            self.machine.arrange(&mut spot, None);
            let late = self.outlook.lateness(&spot, &self.due, 0);
            let (key, times) = (self.machine.key(&spot), self.machine.times(&spot));
            if late > 0 || self.is_dead(key, 0, &times) {
                continue;
            }
            let next = Next { step, key, times, start: 0, late };
            if let Some(lasso) = self.dive(next, stop)? {
                return Ok(Some(lasso));
            }
        }
        Ok(None)
    }

    fn dive(&mut self, start: Next, stop: &mut Stop) -> Result<Option<Lasso>, Stopped> {
        let mut way: Vec<Frame> = Vec::new();
        let mut blocks = vec![Block::new(0, 0, 0, &start)];
        way.push(self.enter(start, &mut blocks));
        while let Some(top) = way.last_mut() {
            let Some(next) = top.next.pop() else {
                way.pop();
                if blocks.last().is_some_and(|block| block.at == way.len()) {
                    self.bury(blocks.pop());
                }
                continue;
            };
            let Some(block) = blocks.last() else { break };
            let unloads = matches!(next.step, Move::Unload { .. });
            let phase = if unloads { self.due.next(block.phase) } else { block.phase };
            if self.is_dead(next.key, phase, &next.times) {
                continue;
            }
            if unloads {
                let wafers = block.wafers + 1;
                if let Some(back) = blocks.iter().find(|back| back.is_met_by(&next, phase)) {
                    let lasso = self.lasso(&way, next.step, back, wafers);
                    let short =
                        self.short.then(|| self.shorten(&lasso.moves, &blocks, lasso.clone()));
                    return Ok(Some(short.unwrap_or(lasso)));
                }
                blocks.push(Block::new(way.len(), wafers, phase, &next));
            } else if block.has_better(&next) {
                continue;
            }
            stop.tick()?;
            way.push(self.enter(next, &mut blocks));
        }
        Ok(None)
    }

    fn lasso(&self, way: &[Frame], last: Move, back: &Block, wafers: i64) -> Lasso {
        let mut moves: Vec<Move> = way.iter().map(|frame| frame.step).collect();
        moves.push(last);
        let gain = wafers - back.wafers;
        Lasso { moves, from: back.at + 1, time: self.due.ahead(back.phase, gain), gain }
    }

    /// Notes the label in its block and finds its moves, the most promising one last.
    fn enter(&mut self, label: Next, blocks: &mut [Block]) -> Frame {
        self.explored += 1;
        let phase = match blocks.last_mut() {
            Some(block) => {
                note(block.seen.entry(label.key).or_default(), label.times.clone());
                block.phase
            }
            None => 0,
        };
        let mut next = self.next(&label, phase);
        next.sort_by_key(|next| {
            let unloads = matches!(next.step, Move::Unload { .. });
            (unloads, -next.start, self.short && !next.step.pumps_nothing(), -next.late)
        });
        Frame { step: label.step, next }
    }

    pub(super) fn next(&mut self, label: &Next, phase: i64) -> Vec<Next> {
        let mut moves = Vec::new();
        let from = self.machine.spot(label.key, &label.times);
        self.machine.moves(&from.cells, &mut moves);
        let unload = self.machine.scanner.track.unload;
        let hurry = self.machine.hurry(&from, &mut self.safe);
        let mut next = Vec::new();
        for step in moves {
            let mut spot = from;
            let unloads = matches!(step, Move::Unload { .. });
            let floor = if unloads && self.exact { -unload } else { i64::MIN };
            let start = self.machine.apply(&mut spot, step, floor);
            if start > hurry
                || unloads && start + unload > 0
                || !self.safe.is_safe_after(step, &spot.cells)
            {
                continue;
            }
            let mut after = phase;
            if unloads {
                after = self.due.next(phase);
                let ahead = self.due.ahead(phase, 1);
                self.machine.live.iter().for_each(|part| spot.free[*part] -= ahead);
            }
            let late = self.outlook.lateness(&spot, &self.due, after);
            if late > 0 {
                continue;
            }
            self.machine.arrange(&mut spot, None);
            let (key, times) = (self.machine.key(&spot), self.machine.times(&spot));
            next.push(Next { step, key, times, start, late });
        }
        next
    }

    pub(super) fn is_dead(&self, key: u128, phase: i64, times: &[i64]) -> bool {
        let dead = self.dead.get(&(key, phase));
        dead.is_some_and(|dead| dead.iter().any(|dead| is_covered(dead, times, 0)))
    }

    fn bury(&mut self, block: Option<Block>) {
        let Some(block) = block else { return };
        for (key, seen) in block.seen {
            let dead = self.dead.entry((key, block.phase)).or_default();
            seen.into_iter().for_each(|times| note(dead, times));
        }
    }
}

/// Later than anything.
const FAR: i64 = 1 << 45;

impl Block {
    fn new(at: usize, wafers: i64, phase: i64, start: &Next) -> Block {
        let (key, times) = (start.key, start.times.clone());
        Block { at, wafers, phase, key, times, seen: HashMap::new() }
    }

    pub(super) fn start(&self) -> Next {
        let step = Move::Start { down: 0 };
        Next { step, key: self.key, times: self.times.clone(), start: 0, late: 0 }
    }

    pub(super) fn is_met_by(&self, label: &Next, phase: i64) -> bool {
        (self.key, self.phase) == (label.key, phase) && is_covered(&label.times, &self.times, 0)
    }

    fn has_better(&self, label: &Next) -> bool {
        let seen = self.seen.get(&label.key);
        seen.is_some_and(|seen| seen.iter().any(|seen| is_covered(seen, &label.times, 0)))
    }
}

/// Keeps the best ones.
pub(super) fn note(kept: &mut Vec<Times>, times: Times) {
    if !kept.iter().any(|kept| is_covered(kept, &times, 0)) {
        kept.retain(|kept| !is_covered(&times, kept, 0));
        kept.push(times);
    }
}
