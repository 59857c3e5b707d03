//! Times for the moves of a lasso, so that no gap is above a limit: the least ones.
//!
//! Moves start as early as their sequence allows, but no unload before its floor, and no round
//! before the state that it begins with. Both are raised where they have to be: an unload to not
//! more than the gap before the next one, the state to what a round leaves behind. What is raised
//! has to be, so the least times are met, if there are any.

use super::Budget;
use super::closure::Lasso;
use super::tool::{Move, Spot, Tool};

#[derive(Clone, Debug)]
pub struct Settled {
    /// The ends of unloads, up to the end of the first round.
    pub ends: Vec<i64>,
    /// When components are free before the first round, at least.
    pub start: Vec<i64>,
}

/// `None` if it takes a gap above the limit, or a first wafer after the latest, or too long.
pub fn settle(
    tool: &Tool,
    lasso: &Lasso,
    gap: i64,
    latest: i64,
    stop: &mut Budget,
) -> Option<Settled> {
    let is_unload = |step: &&Move| matches!(step, Move::Unload { .. });
    let early = lasso.moves[..lasso.from].iter().filter(is_unload).count();
    let all = lasso.moves.iter().filter(is_unload).count();
    let mut settled = Settled { ends: vec![0; all], start: Vec::new() };
    // Beyond this, floors push one another without end.
    let horizon = latest.min(1 << 42);
    // A longest way through the constraints that meets nothing twice goes back from an unload to the
    // one before it, or from the end of a round to its beginning, this often at most; between two
    // such steps it follows the moves. Equal components may change their names meanwhile: so twice.
    for _ in 0..2 * (all + tool.live.len() + 2) {
        if stop.is_told() {
            return None;
        }
        let before = settled.clone();
        let (spot, left) = settled.play(tool, lasso);
        let mut start = tool.times(&spot);
        for (start, left) in start.iter_mut().zip(tool.times(&left)) {
            *start = (*start).max(left - lasso.time);
        }
        settled.start = start;
        let again = settled.ends[early] + lasso.time;
        let last = &mut settled.ends[all - 1];
        *last = (*last).max(again - gap);
        for later in (1..all).rev() {
            settled.ends[later - 1] = settled.ends[later - 1].max(settled.ends[later] - gap);
        }
        if settled.ends[0] > horizon {
            return None;
        }
        if settled.ends == before.ends && settled.start == before.start {
            return Some(settled);
        }
    }
    None
}

impl Settled {
    /// Raises floors to when unloads end; gives the state before the first round, and after it.
    fn play(&mut self, tool: &Tool, lasso: &Lasso) -> (Spot, Spot) {
        let mut spot = tool.begin(0);
        let mut wafer = 0;
        let mut first = spot;
        for (at, &step) in lasso.moves.iter().enumerate() {
            if at == lasso.from {
                self.raise(tool, &mut spot);
                first = spot;
            }
            if let Move::Start { down } = step {
                spot = tool.begin(down);
            } else if matches!(step, Move::Unload { .. }) {
                let time = tool.scanner.track.unload;
                let start = tool.apply(&mut spot, step, self.ends[wafer] - time);
                self.ends[wafer] = start + time;
                wafer += 1;
            } else {
                tool.apply(&mut spot, step, i64::MIN);
            }
            tool.arrange(&mut spot, None);
        }
        (first, spot)
    }

    /// Lets no component be free before a round may begin.
    pub fn raise(&self, tool: &Tool, spot: &mut Spot) {
        for (part, start) in tool.live.iter().zip(&self.start) {
            spot.free[*part] = spot.free[*part].max(*start);
        }
    }
}
