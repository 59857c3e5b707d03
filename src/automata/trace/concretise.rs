//! Exact times for a symbolic trace.
//!
//! The times of the moves are the unknowns. A clock's value at some instant is that instant
//! minus the time of its last reset, so every guard, invariant and demand of the trace bounds
//! a difference of two unknowns. The least solution gives the earliest end and, for it, the
//! earliest moves. Strict bounds are met by adding an infinitesimal, which gets a value at
//! the end.

use super::groups::Groups;
use super::{Constraint, Move, Node, Run, Time, TimedMove, Trace};
use crate::dbm::{Bound, Dbm};
use crate::model::{ClockId, ClockTest, Conjunct, Effects, Fault, Model, Vm};
use crate::network::Urgency;
use std::collections::BTreeSet;

/// A whole number of units plus a number of infinitesimals; ordered like that.
type Moment = (i64, i64);

/// `to >= from + gap`, over the unknowns.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    pub from: usize,
    pub to: usize,
    pub gap: Moment,
}

/// The earliest run along the trace; its mere delays are no moves of their own. `None` if there
/// is none: the trace was not one.
pub fn concretise(model: &Model, trace: &Trace) -> Option<Run> {
    let gaps = Collector::new(model, trace.steps.len()).collect(trace).ok()?;
    solve(trace, &gaps)
}

/// The cheapest run along the trace, and among those the earliest. Where the least cost is only
/// approached, a run that stays inside all strict bounds by a small part of a unit.
pub fn cheapest(model: &Model, trace: &Trace) -> Option<Run> {
    let gaps = Collector::new(model, trace.steps.len()).collect(trace).ok()?;
    let rates = rates(model, trace)?;
    if let Some(tight) = cheapness(&gaps, &rates)? {
        return solve(trace, &[&gaps[..], &tight].concat());
    }
    for parts in [1_000_000, 1000] {
        let inside = |gap: &Gap| gap.gap.0.checked_mul(parts)?.checked_add(gap.gap.1);
        let inside = |gap: &Gap| Some(Gap { gap: (inside(gap)?, 0), ..*gap });
        let Some(finer) = gaps.iter().map(inside).collect::<Option<Vec<Gap>>>() else { continue };
        let Some(Some(tight)) = cheapness(&finer, &rates) else { continue };
        let times = least_solution(trace.steps.len() + 2, &[&finer[..], &tight].concat())?;
        let times: Vec<Time> = times.iter().map(|t| Time::new(t.0, parts)).collect();
        return Some(run(trace, &times));
    }
    solve(trace, &gaps)
}

fn solve(trace: &Trace, gaps: &[Gap]) -> Option<Run> {
    let times = least_solution(trace.steps.len() + 2, gaps)?;
    // Small enough that infinitesimals never add up to a unit.
    let scale = times.iter().map(|t| t.1).max().unwrap_or(0) + 2;
    let exact = |&(units, tiny): &Moment| Time::from(units) + Time::new(tiny, scale);
    Some(run(trace, &times.iter().map(exact).collect::<Vec<Time>>()))
}

fn run(trace: &Trace, times: &[Time]) -> Run {
    let moves = trace.steps.iter().enumerate().filter(|(_, (action, _))| !action.edges.is_empty());
    let timed = |(k, (action, _)): (usize, &(Move, Node))| TimedMove {
        time: times[k + 1],
        action: action.clone(),
    };
    Run { moves: moves.map(timed).collect(), end: times[trace.steps.len() + 1] }
}

/// What must hold besides, for the run to be cheapest: a linear programme over a zone whose
/// clocks are the unknowns, those at fixed distances taken as one. `Some(None)` where the least cost
/// is only approached.
fn cheapness(gaps: &[Gap], rates: &[i64]) -> Option<Option<Vec<Gap>>> {
    let groups = Groups::new(rates.len(), gaps);
    let mut times: Dbm<i64> = Dbm::universe(groups.firsts.len());
    for gap in gaps {
        let gap = groups.between(gap)?;
        let bound = Bound::new(gap.gap.0.checked_neg()?, gap.gap.1 > 0);
        let is_met = match gap.from == gap.to {
            true => gap.gap <= (0, 0),
            false => times.constrain(gap.from, gap.to, bound),
        };
        if !is_met {
            return None;
        }
    }
    let minimum = times.minimum(&groups.rates(rates)?).ok()?;
    if !times.clone().reaches(&minimum.tight) {
        return Some(None);
    }
    let first = |place: usize| groups.firsts[place];
    let exactly = |&(i, j): &(usize, usize)| Gap {
        from: first(j),
        to: first(i),
        gap: (times.get(i, j).value(), 0),
    };
    Some(Some(minimum.tight.iter().map(exactly).collect()))
}

/// The cost of a run as a linear function of its times.
fn rates(model: &Model, trace: &Trace) -> Option<Vec<i64>> {
    let mut vm = Vm::new(model);
    let mut rates = vec![0i64; trace.steps.len() + 2];
    let mut state = Vec::new();
    for (k, (_, node)) in trace.nodes().enumerate() {
        node.apply(&mut state);
        let price = price(model, &mut vm, &state)?;
        rates[k] = rates[k].checked_sub(price)?;
        rates[k + 1] = rates[k + 1].checked_add(price)?;
    }
    Some(rates)
}

/// What a unit of time costs in a state.
fn price(model: &Model, vm: &mut Vm, state: &[i32]) -> Option<i64> {
    let mut sum = 0i64;
    for (process, &location) in model.processes.iter().zip(state) {
        if let Some(rate) = &process.location(location).rate {
            sum = sum.checked_add(vm.eval(model, rate.code, state).ok()?)?;
        }
    }
    Some(sum)
}

/// Least times with `times[0] = 0`, by relaxation; `None` if the gaps contradict each other.
///
/// Gaps stand in the order of the trace: going over them forwards carries what pushes later moves
/// along at once, going backwards what pushes earlier ones.
fn least_solution(count: usize, gaps: &[Gap]) -> Option<Vec<Moment>> {
    let mut times = vec![(0, 0); count];
    let mut relax = |gap: &Gap| {
        let (units, tiny) = times[gap.from];
        let least = (units + gap.gap.0, tiny + gap.gap.1);
        let is_later = least > times[gap.to];
        if is_later {
            times[gap.to] = least;
        }
        is_later
    };
    for round in 0..=count {
        let has_moved = match round % 2 {
            0 => gaps.iter().fold(false, |moved, gap| relax(gap) | moved),
            _ => gaps.iter().rev().fold(false, |moved, gap| relax(gap) | moved),
        };
        if !has_moved {
            return (times[0] == (0, 0)).then_some(times);
        }
    }
    None
}

/// Walks the trace and collects what its times must satisfy.
struct Collector<'m> {
    model: &'m Model,
    vm: Vm,
    /// The state of the node that the walk is at.
    state: Vec<i32>,
    /// The processes whose locations say something about time.
    bound: BTreeSet<u32>,
    /// For each clock the unknown of its last reset and the value it got.
    resets: Vec<(usize, i64)>,
    gaps: Vec<Gap>,
    last: usize,
}

impl<'m> Collector<'m> {
    fn new(model: &'m Model, steps: usize) -> Collector<'m> {
        Collector {
            model,
            vm: Vm::new(model),
            state: Vec::new(),
            bound: BTreeSet::new(),
            resets: vec![(0, 0); model.clocks.len()],
            gaps: Vec::new(),
            last: steps + 1,
        }
    }

    fn collect(mut self, trace: &Trace) -> Result<Vec<Gap>, Fault> {
        let is_delay = |k: usize| trace.steps.get(k).is_some_and(|step| step.0.edges.is_empty());
        self.enter(&trace.initial);
        self.stay(&trace.initial, 0, (false, is_delay(0)))?;
        let mut node = &trace.initial;
        for (k, (action, next)) in trace.steps.iter().enumerate() {
            self.act(node, action, k + 1)?;
            self.enter(next);
            self.stay(next, k + 1, (is_delay(k), is_delay(k + 1)))?;
            node = next;
        }
        for constraint in &trace.finally {
            self.demand(constraint, self.last);
        }
        Ok(self.gaps)
    }

    fn enter(&mut self, node: &Node) {
        node.apply(&mut self.state);
        for &(cell, location) in &node.changed {
            let Some(process) = self.model.processes.get(cell as usize) else { continue };
            let location = process.location(location);
            if location.urgency != Urgency::Normal || !location.invariant.is_empty() {
                self.bound.insert(cell);
            } else {
                self.bound.remove(&cell);
            }
        }
    }

    /// Invariants and demands of a node entered at unknown `at` and left at the next one.
    ///
    /// Where a run walks from node to node by delay alone, the instant between them belongs to one
    /// of the two, and to the closure of the other: there, strict demands are loosened.
    fn stay(&mut self, node: &Node, at: usize, by_delay: (bool, bool)) -> Result<(), Fault> {
        self.gaps.push(Gap { from: at, to: at + 1, gap: (0, 0) });
        let mut is_urgent = false;
        let model = self.model;
        for p in self.bound.iter().copied().collect::<Vec<u32>>() {
            let location = self.state[p as usize] as usize;
            let location = &model.processes[p as usize].locations[location];
            is_urgent |= location.urgency != Urgency::Normal;
            for test in location.invariant.iter().filter_map(Conjunct::test) {
                if let Some(constraint) = self.constraint(test)? {
                    self.demand(&constraint, at);
                    self.demand(&constraint, at + 1);
                }
            }
        }
        for &constraint in node.zone.iter().filter(|_| node.is_part) {
            let loosened = Constraint { is_strict: false, ..constraint };
            self.demand(if by_delay.0 { &loosened } else { &constraint }, at);
            self.demand(if by_delay.1 { &loosened } else { &constraint }, at + 1);
        }
        if is_urgent || node.is_urgent {
            self.gaps.push(Gap { from: at + 1, to: at, gap: (0, 0) });
        }
        Ok(())
    }

    /// Guards of a move made at unknown `at`, then its resets.
    fn act(&mut self, node: &Node, action: &Move, at: usize) -> Result<(), Fault> {
        if action.edges.is_empty() {
            return Ok(());
        }
        for constraint in &node.leave {
            self.demand(constraint, at);
        }
        let model = self.model;
        let edge = |e: &super::EdgeRef| e.of(model);
        let guards = action.edges.iter().flat_map(|e| &edge(e).guard);
        for test in guards.filter_map(Conjunct::test) {
            if let Some(constraint) = self.constraint(test)? {
                self.demand(&constraint, at);
            }
        }
        let mut state = self.state.clone();
        let mut effects = Effects::default();
        let updates = action.edges.iter().map(|e| &edge(e).update);
        let all = [&model.before_update].into_iter().chain(updates).chain([&model.after_update]);
        for update in all.flatten() {
            self.vm.run(model, update.code, &mut state, &mut effects)?;
        }
        for (clock, value) in effects.resets {
            self.resets[clock] = (at, value);
        }
        Ok(())
    }

    /// The test in the state's integers; `None` where it says nothing.
    fn constraint(&mut self, test: &ClockTest) -> Result<Option<Constraint>, Fault> {
        let (model, state) = (self.model, &self.state);
        if let Some(unless) = &test.unless
            && self.vm.eval(model, unless.code, state)? != 0
        {
            return Ok(None);
        }
        let mut side = |clock: &Option<_>| match clock {
            None => Ok(None),
            Some(clock) => self.vm.clock(model, clock, state).map(Some),
        };
        let (left, right) = (side(&test.left)?, side(&test.right)?);
        let bound = self.vm.eval(model, test.bound.code, state)?;
        Ok(Some(Constraint { left, right, is_strict: test.is_strict, bound }))
    }

    /// The constraint holds at unknown `at`.
    fn demand(&mut self, constraint: &Constraint, at: usize) {
        // left - right = (at - t_left + v_left) - (at - t_right + v_right); a missing side is
        // a clock reset right now.
        let reset = |clock: Option<ClockId>| clock.map_or((at, 0), |c| self.resets[c]);
        let (left, left_value) = reset(constraint.left);
        let (right, right_value) = reset(constraint.right);
        let slack = constraint.bound - left_value + right_value;
        // t_right - t_left < slack, that is t_left > t_right - slack.
        let gap = (-slack, i64::from(constraint.is_strict));
        self.gaps.push(Gap { from: right, to: left, gap });
    }
}
