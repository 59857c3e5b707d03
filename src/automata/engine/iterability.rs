//! Can a clock grow without bound by waiting, or by going round and round?
//!
//! Takes what a search for single states sees, in which the clock is no dimension unless the model
//! or the query tests it: so large constants cost nothing. What it finds is proved; what it does not
//! find proves nothing (see `grow`).
//!
//! # Why a round can be repeated
//! Let Z be a zone, and Z' what a sequence of moves makes of it, cut to where the moves take at least
//! one unit of time. If Z' covers Z, every valuation v of Z is simulated by one of Z', which comes
//! from a valuation of Z, which is simulated by one of Z', and so on: there are runs of any number
//! of rounds at whose end all is possible that is possible from v. If no move resets the clock,
//! it is by then as large as there were rounds, and so it is at every state that follows Z without a
//! reset. Where only the states of the round itself matter, so do only the clocks that are tested
//! there.

use super::satisfy::satisfying;
use super::search::{Goal, Seen};
use super::state::State;
use super::store::NodeId;
use super::successor::{Broken, Flow, Successors, Transition};
use super::zone::Zone;
use crate::dbm::{Bound, ClockLimits, Origin};
use crate::model::{Clock, ClockId, ClockRef, ClockTest, Conjunct, Formula, Model};
use crate::trace::Move;
use std::ops::ControlFlow;

/// The tree of a search, and where it comes back to itself.
pub struct Iterability<'q> {
    within: &'q Formula,
    clock: ClockId,
    nodes: Vec<TreeNode>,
    /// Rounds that may be such that they can be repeated.
    rounds: Vec<Loop>,
    /// How many nodes there were when rounds were taken last.
    looked: usize,
    /// How many steps up the tree may still be made: as many as there are links, times a few.
    credit: u64,
    /// A state of the query in which time may pass for ever, or after rounds without end.
    pub found: Option<NodeId>,
}

#[derive(Clone, Debug, Default)]
struct TreeNode {
    parent: NodeId,
    depth: u32,
    action: Move,
    /// The move that led here resets the clock.
    is_reset: bool,
    /// The query speaks of it.
    is_asked: bool,
    /// A round that can be repeated begins here.
    is_pumped: bool,
    /// How many rounds from here were noted.
    rounds: u32,
}

/// Moves that lead from a state to where it may be again: those of the tree down to a node, and
/// perhaps one more.
#[derive(Clone, Debug)]
pub struct Loop {
    pub start: NodeId,
    end: NodeId,
    pub moves: Vec<Move>,
}

/// How often moves can be made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    No,
    /// Any number of times, but what follows may then be something else.
    Alone,
    /// Any number of times, and then all is possible that was possible before.
    Whole,
}

/// How many steps up the tree each link pays for.
const STEPS_PER_LINK: u64 = 16;
/// More rounds than this are not tried from one state.
const MOST_ROUNDS: u32 = 4;
/// Longer rounds are not tried.
const LONGEST_ROUND: u32 = 2000;
/// So many of the newest nodes are looked at for rounds on the way to them.
const LEAVES: usize = 8;
/// More symbolic states than this are not followed side by side.
const MOST_SIDES: usize = 16;

impl<'q> Iterability<'q> {
    pub fn new(within: &'q Formula, clock: ClockId) -> Iterability<'q> {
        let (nodes, rounds) = (Vec::new(), Vec::new());
        Iterability { within, clock, nodes, rounds, looked: 0, credit: 0, found: None }
    }

    /// The rounds that were noted since the last time.
    pub fn take_rounds(&mut self) -> Vec<Loop> {
        std::mem::take(&mut self.rounds)
    }

    /// Some of the nodes that are new since the last time: a state that is larger than one on the way
    /// to it takes its place in the store, and is no link to it.
    pub fn leaves(&mut self) -> Vec<NodeId> {
        let new = self.looked..self.nodes.len();
        self.looked = new.end;
        let step = new.len().div_ceil(LEAVES).max(1);
        new.rev().step_by(step).map(NodeId::at).collect()
    }

    /// The last rounds on the way to this node, which is their end, without a reset; `is_same` tells
    /// whether two nodes, by their depths, have equal integers.
    pub fn rounds_to(&self, leaf: NodeId, is_same: impl Fn(usize, usize) -> bool) -> Vec<Loop> {
        let mut rounds = Vec::new();
        let mut moves = Vec::new();
        let end = self.nodes[leaf].depth as usize;
        let mut at = leaf;
        while rounds.len() < MOST_ROUNDS as usize {
            let seen = &self.nodes[at];
            if seen.depth == 0 || seen.is_reset {
                break;
            }
            moves.push(seen.action.clone());
            at = seen.parent;
            if is_same(self.nodes[at].depth as usize, end) {
                let moves = moves.iter().rev().cloned().collect();
                rounds.push(Loop { start: at, end: leaf, moves });
            }
        }
        rounds
    }

    /// Hears how often a round can be repeated.
    pub fn mark(&mut self, round: &Loop, repeat: Repeat) {
        match repeat {
            Repeat::No => {}
            Repeat::Alone => self.found = self.found.or_else(|| self.asked_on(round)),
            Repeat::Whole => self.nodes[round.start].is_pumped = true,
        }
    }

    /// A state of the query on the round.
    fn asked_on(&self, round: &Loop) -> Option<NodeId> {
        let mut at = round.end;
        loop {
            let seen = &self.nodes[at];
            if seen.is_asked {
                return Some(at);
            }
            if at == round.start {
                return None;
            }
            at = seen.parent;
        }
    }

    /// Looks for a state of the query that follows repeated rounds without a reset. Parents come
    /// before their children.
    pub fn spread(&mut self) {
        let mut is_large = vec![false; self.nodes.len()];
        for (at, seen) in self.nodes.iter().enumerate() {
            is_large[at] = seen.is_pumped || at > 0 && !seen.is_reset && is_large[seen.parent];
            if is_large[at] && seen.is_asked {
                self.found = Some(NodeId::at(at));
                return;
            }
        }
    }

    /// Notes the round that ends where it began, unless the clock is reset on the way.
    fn note(&mut self, source: NodeId, target: NodeId, last: &Move) {
        let TreeNode { depth, rounds, .. } = self.nodes[target];
        let Some(length) = self.nodes[source].depth.checked_sub(depth) else { return };
        if rounds >= MOST_ROUNDS || length > LONGEST_ROUND || u64::from(length) > self.credit {
            return;
        }
        self.credit -= u64::from(length);
        let mut moves = vec![last.clone()];
        let mut at = source;
        while at != target && self.nodes[at].depth > depth {
            let seen = &self.nodes[at];
            if seen.is_reset {
                return;
            }
            moves.push(seen.action.clone());
            at = seen.parent;
        }
        if at == target {
            moves.reverse();
            self.nodes[target].rounds += 1;
            self.rounds.push(Loop { start: target, end: source, moves });
        }
    }
}

impl<Z: Zone> Goal<Z> for Iterability<'_> {
    fn look(&mut self, successors: &mut Successors<Z>, seen: Seen<Z>) -> Flow {
        let Seen { state, node, .. } = seen;
        let zones = satisfying(successors, state, self.within, true)?;
        self.nodes[node].is_asked = !zones.is_empty();
        if zones.iter().any(|zone| zone.is_unbounded()) && waits(successors, state)? {
            self.found = Some(node);
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn link(&mut self, source: Option<NodeId>, target: NodeId, transition: &Transition<Z>) {
        let is_reset = transition.resets.iter().any(|r| r.0 == self.clock);
        self.credit += STEPS_PER_LINK;
        if target.index() == self.nodes.len() {
            let parent = source.unwrap_or_default();
            let depth = source.map_or(0, |source| self.nodes[source].depth + 1);
            let action = transition.action.clone();
            self.nodes.push(TreeNode { parent, depth, action, is_reset, ..TreeNode::default() });
        } else if let (Some(source), false) = (source, is_reset) {
            self.note(source, target, transition.action);
        }
    }
}

/// Whether time may pass for ever in this state: nothing stops it, and no invariant ends it.
pub fn waits<Z: Zone>(successors: &mut Successors<Z>, state: &State<Z>) -> Result<bool, Broken> {
    let is_upper = |i: u16, j: u16| i != 0 && j == 0;
    Ok(successors.lets_time_pass(state)?
        && !successors.invariant(state)?.iter().any(|a| is_upper(a.i, a.j)))
}

/// The model with a further clock, its last, which nothing tests.
pub fn with_stopwatch(model: &Model) -> (Model, ClockId) {
    let mut model = model.clone();
    let stopwatch = ClockId::at(model.clocks.len());
    model.clocks.push(Clock { name: "stopwatch".into(), ..Clock::default() });
    (model, stopwatch)
}

/// The states on the way along these moves, the initial one first; `None` where it splits.
pub fn states<Z: Zone>(
    successors: &mut Successors<Z>,
    moves: &[Move],
) -> Result<Option<Vec<State<Z>>>, Broken> {
    let mut next = Vec::new();
    successors.initial(&mut |state, _| {
        next.push(state.clone());
        ControlFlow::Continue(())
    })?;
    let mut states = Vec::new();
    for action in moves {
        let [state] = &next[..] else { return Ok(None) };
        states.push(state.clone());
        next = after(successors, std::slice::from_ref(state), action)?;
    }
    states.extend(next.pop());
    Ok((next.is_empty() && states.len() == moves.len() + 1).then_some(states))
}

/// What a move makes of these states.
fn after<Z: Zone>(
    successors: &mut Successors<Z>,
    states: &[State<Z>],
    action: &Move,
) -> Result<Vec<State<Z>>, Broken> {
    let mut next = Vec::new();
    for state in states {
        let _ = successors.expand_by(state, Some(action), &mut |state, transition| {
            if transition.action == action && next.len() < MOST_SIDES {
                next.push(state.clone());
            }
            ControlFlow::Continue(())
        })?;
    }
    Ok(next)
}

/// How often these moves can be made from this state, each time taking a unit of time at least. `timed`
/// watches a stopwatch, the last clock of its model; `limits` are those of the state, `None` where only
/// inclusion counts.
pub fn repeat<Z: Zone>(
    timed: &mut Successors<Z>,
    state: &State<Z>,
    moves: &[Move],
    limits: Option<&ClockLimits<Z::Bound>>,
    within: &Formula,
) -> Result<Repeat, Broken> {
    let model = timed.tables.model;
    let mut tested = Tested::of(model, within);
    let mut sides = vec![started(state, ClockId::at(model.clocks.len() - 1))];
    for action in moves {
        sides.iter().for_each(|side| tested.stay(model, &side.cells));
        tested.pass(model, action);
        sides = after(timed, &sides, action)?;
    }
    let mut room = Vec::new();
    let before = state.zone.words(&mut room);
    let ends = sides.iter().filter(|side| side.cells == state.cells).filter_map(stopped);
    let ends: Vec<Z> = ends.collect();
    let is_back = |limits: Option<&ClockLimits<Z::Bound>>| {
        ends.iter().any(|zone| {
            Z::is_covered(state.clocks.len() + 1, before, zone.words(&mut Vec::new()), limits)
        })
    };
    if is_back(limits) {
        return Ok(Repeat::Whole);
    }
    let own = limits.map(|limits| limits.with_none(|i| !tested.has(state.clocks[i - 1])));
    Ok(if own.is_some() && is_back(own.as_ref()) { Repeat::Alone } else { Repeat::No })
}

/// The clocks that decide whether a round can be made, and whether the query speaks of it.
struct Tested {
    clocks: Vec<ClockId>,
    /// More may be tested than is written in the guards of the moves.
    are_all: bool,
}

impl Tested {
    fn of(model: &Model, within: &Formula) -> Tested {
        let has_broadcasts = model.channels.iter().any(|channel| channel.is_broadcast);
        let are_all = model.has_priorities || has_broadcasts || within.has_deadlock();
        let mut tested = Tested { clocks: Vec::new(), are_all };
        within.each_leaf(&mut |leaf| {
            if let Formula::Clock(test) = leaf {
                tested.test(test);
            }
        });
        tested
    }

    fn has(&self, clock: ClockId) -> bool {
        self.are_all || self.clocks.contains(&clock)
    }

    /// The invariants of a state.
    fn stay(&mut self, model: &Model, cells: &[i32]) {
        for (process, &location) in model.processes.iter().zip(cells) {
            self.conjuncts(&process.location(location).invariant);
        }
    }

    /// The guards of a move.
    fn pass(&mut self, model: &Model, action: &Move) {
        for edge in &action.edges {
            self.conjuncts(&edge.of(model).guard);
        }
    }

    fn conjuncts(&mut self, conjuncts: &[Conjunct]) {
        conjuncts.iter().filter_map(Conjunct::test).for_each(|test| self.test(test));
    }

    fn test(&mut self, test: &ClockTest) {
        for clock in test.clocks() {
            match clock {
                ClockRef::Fixed(clock) => self.clocks.push(*clock),
                ClockRef::Indexed { .. } => self.are_all = true,
            }
        }
        self.clocks.sort_unstable();
        self.clocks.dedup();
    }
}

/// The state with the stopwatch at 0.
fn started<Z: Zone>(state: &State<Z>, stopwatch: ClockId) -> State<Z> {
    let mut started = state.clone();
    started.clocks.push(stopwatch);
    let mut origins: Vec<_> = (1..=state.clocks.len()).map(Origin::Kept).collect();
    origins.push(Origin::Set(Z::Bound::new(0, false)));
    let made = started.zone.reshape_from(&state.zone, &origins, &mut Vec::new());
    assert!(made.is_ok(), "zones without prices can always be reshaped");
    started
}

/// The zone where the stopwatch, the last clock, is at least 1, without it; `None` if it never is.
fn stopped<Z: Zone>(state: &State<Z>) -> Option<Z> {
    let stopwatch = state.clocks.len();
    let mut late = state.zone.clone();
    if !late.constrain(0, stopwatch, Z::Bound::new(-1, false)) {
        return None;
    }
    let origins: Vec<_> = (1..stopwatch).map(Origin::Kept).collect();
    let mut zone = Z::default();
    zone.reshape_from(&late, &origins, &mut Vec::new()).ok()?;
    Some(zone)
}
