//! Schedules in which every wafer comes in time.
//!
//! Times count from when the next wafer is due. With `exact`, each comes exactly then: what is
//! found is a schedule whose gaps are the steps between due times. Without, each comes at the
//! latest then, which any schedule of such gaps does: if there is none, this proves it.
//!
//! Both are questions about labels of which the better one (equal configuration, no time later) can
//! do whatever the other can: a [`Descent`] from unload to unload answers them.

use super::closure::Lasso;
use super::due::Due;
use super::labels::is_covered;
use super::late::Outlook;
use super::safe::Safe;
use super::tool::{Move, Tool};
use super::{Budget, Stopped};
use takt_automata::descent::{Descent, Inclusion, Next, Transitions};

pub struct Beat<'a> {
    pub(super) descent: Descent<InTime<'a>>,
    /// Whether to look for short cycles, and for locks that are not pumped without a wafer.
    pub short: bool,
}

/// Labels from which wafers can still come in time.
pub(super) struct InTime<'a> {
    tool: &'a Tool,
    pub due: Due,
    exact: bool,
    spares_locks: bool,
    safe: Safe<'a>,
    outlook: Outlook<'a>,
}

/// A configuration, and the phase of the wafer that is due next.
pub(super) type Key = (u128, i64);

/// When each component is free.
#[derive(Clone)]
pub(super) struct Times(Vec<i64>);

pub(super) struct Label {
    pub key: Key,
    pub times: Times,
    /// What it is tried by: the start of the move that led here, and how late a wafer will be at
    /// least.
    start: i64,
    late: i64,
}

/// Later than anything.
const FAR: i64 = 1 << 45;

impl<'a> Beat<'a> {
    pub fn new(tool: &'a Tool, due: Due, exact: bool) -> Beat<'a> {
        let (safe, outlook) = (Safe::new(tool), Outlook::new(tool));
        let transitions = InTime { tool, due, exact, spares_locks: false, safe, outlook };
        Beat { descent: Descent::new(transitions), short: false }
    }

    /// No wafer comes before this.
    pub fn earliest(&mut self) -> i64 {
        let InTime { tool, outlook, .. } = &mut self.descent.transitions;
        let starts = tool.starts().into_iter();
        starts
            .map(|(_, spot)| outlook.lateness(&spot, &Due::every(FAR.into()), 0))
            .min()
            .unwrap_or(0)
    }

    /// A schedule whose first wafer is due at `first`; `None` if there is none.
    pub fn search(&mut self, first: i64, stop: &mut Budget) -> Result<Option<Lasso>, Stopped> {
        self.descent.transitions.spares_locks = self.short;
        let tool = self.descent.transitions.tool;
        for (step, mut spot) in tool.starts() {
            for part in &tool.live {
                spot.free[*part] -= first;
            }
            let InTime { outlook, due, .. } = &mut self.descent.transitions;
            tool.arrange(&mut spot, None);
            let late = outlook.lateness(&spot, due, 0);
            let times = Times(tool.times(&spot));
            let label = Label { key: (tool.key(&spot), 0), times, start: 0, late };
            if late > 0 || self.descent.is_dead(&label) {
                stop.tick()?;
                continue;
            }
            let Some(run) = self.descent.run(label, &mut |_| stop.tick())? else { continue };
            let back = run.back.expect("no schedule ends");
            let moves: Vec<Move> = [step].into_iter().chain(run.moves).collect();
            let gain = (run.blocks.len() - back) as i64;
            let begins = &run.blocks[back];
            let time = self.descent.transitions.due.ahead(begins.key.1, gain);
            let lasso = Lasso { moves, from: begins.moves + 1, time, gain };
            return Ok(Some(if self.short { self.shorten(lasso, &run.blocks) } else { lasso }));
        }
        Ok(None)
    }
}

impl Transitions for InTime<'_> {
    type State = Label;
    type Key = Key;
    type Label = Times;
    type Move = Move;
    type Halt = Stopped;

    const MARKS_EARLY: bool = false;

    fn key(label: &Label) -> &Key {
        &label.key
    }

    fn label(label: &Label) -> &Times {
        &label.times
    }

    fn successors(&mut self, label: &Label) -> Result<Vec<Next<Self>>, Stopped> {
        let mut next = self.next(label.key, &label.times);
        next.sort_by_key(|next| {
            let spares = self.spares_locks && !next.action.pumps_nothing();
            (next.resets, -next.state.start, spares, -next.state.late)
        });
        Ok(next)
    }
}

impl InTime<'_> {
    pub fn next(&mut self, (key, phase): Key, times: &Times) -> Vec<Next<Self>> {
        let tool = self.tool;
        let mut moves = Vec::new();
        let from = tool.spot(key, &times.0);
        tool.moves(&from.cells, &mut moves);
        let unload = tool.scanner.track.unload;
        let hurry = tool.hurry(&from, &mut self.safe);
        let mut next = Vec::new();
        for action in moves {
            let mut spot = from;
            let resets = matches!(action, Move::Unload { .. });
            let floor = if resets && self.exact { -unload } else { i64::MIN };
            let start = tool.apply(&mut spot, action, floor);
            if start > hurry
                || resets && start + unload > 0
                || !self.safe.is_safe_after(action, &spot.cells)
            {
                continue;
            }
            let mut after = phase;
            if resets {
                after = self.due.next(phase);
                let ahead = self.due.ahead(phase, 1);
                tool.live.iter().for_each(|part| spot.free[*part] -= ahead);
            }
            let late = self.outlook.lateness(&spot, &self.due, after);
            if late > 0 {
                continue;
            }
            tool.arrange(&mut spot, None);
            let times = Times(tool.times(&spot));
            let state = Label { key: (tool.key(&spot), after), times, start, late };
            next.push(Next { state, action, resets });
        }
        next
    }
}

impl Inclusion for Times {
    fn includes(&self, other: &Times) -> bool {
        is_covered(&self.0, &other.0, 0)
    }
}
