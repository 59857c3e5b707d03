//! From the moves that a search remembers to a symbolic trace with exact zones.
//!
//! The search stores widened zones and forgets covered ones. So the moves are made once more
//! with plain zones. One sequence of moves may stand for several symbolic paths (a broadcast
//! that some hear only at times, priorities, observed formulas, costs): all are followed, side by
//! side, without those that others cover, and the first that ends as it should is the trace.

use super::state::State;
use super::successor::{Broken, Successors};
use super::zone::Zone;
use crate::dbm::Dbm;
use crate::trace::{Constraint, Move, Node, Trace};
use std::ops::ControlFlow;

/// A state on the way.
struct Waypoint<Z> {
    state: State<Z>,
    /// Which stop of the level before it came from.
    parent: usize,
    /// What held of the clocks when the run left that one, besides what follows from guards.
    leaving: Vec<Constraint>,
}

/// What is kept of a stop when the walk has gone on: whole states would be far too many.
struct Passed {
    parent: usize,
    leaving: Vec<Constraint>,
    node: Node,
}

/// Whether a trace may pass this state at this depth.
pub type Admit<'a, Z> = dyn Fn(usize, &State<Z>) -> bool + 'a;

/// Looks at the last state: what must hold of the clocks at the end.
pub type Finish<'a, Z> =
    dyn FnMut(&mut Successors<Z>, &State<Z>) -> Result<Option<Vec<Constraint>>, Broken> + 'a;

/// Follows the moves. `finish` looks at the last state and says what must hold of the clocks
/// at the end, or `None` if this is not the state that was meant.
pub fn trace<Z: Zone>(
    successors: &mut Successors<Z>,
    moves: &[Move],
    admit: &Admit<Z>,
    finish: &mut Finish<Z>,
) -> Result<Option<Trace>, Broken> {
    let mut stops = without_covered(starts(successors)?, 0, admit);
    let mut levels = vec![pass(successors, &[], &stops)?];
    for (k, action) in moves.iter().enumerate() {
        let mut next = Vec::new();
        for (parent, stop) in stops.iter().enumerate() {
            follow(successors, &stop.state, parent, action, &mut next)?;
        }
        let next = without_covered(next, k + 1, admit);
        levels.push(pass(successors, &stops, &next)?);
        stops = next;
    }
    for (last, stop) in stops.iter().enumerate() {
        if let Some(finally) = finish(successors, &stop.state)? {
            return Ok(Some(assemble(levels, last, moves, finally)));
        }
    }
    Ok(None)
}

/// What is kept of the stops of a level; `before` are those of the level before.
fn pass<Z: Zone>(
    successors: &mut Successors<Z>,
    before: &[Waypoint<Z>],
    stops: &[Waypoint<Z>],
) -> Result<Vec<Passed>, Broken> {
    let mut passed = Vec::new();
    for Waypoint { state, parent, leaving } in stops {
        let old = before.get(*parent).map_or(&[][..], |stop| &stop.state.cells);
        let changed = (0..).zip(&state.cells).filter(|(k, cell)| old.get(*k) != Some(cell));
        let node = Node {
            changed: changed.map(|(k, &cell)| (k as u32, cell)).collect(),
            zone: state.constraints(),
            // A part that costs made tells how the run leaves, not how it enters.
            is_part: !Z::IS_PRICED && successors.is_watching(),
            is_urgent: !successors.lets_time_pass(state)?,
            leave: Vec::new(),
        };
        passed.push(Passed { parent: *parent, leaving: leaving.clone(), node });
    }
    Ok(passed)
}

fn starts<Z: Zone>(successors: &mut Successors<Z>) -> Result<Vec<Waypoint<Z>>, Broken> {
    let mut found = Vec::new();
    successors.initial(&mut |state, _| {
        found.push(Waypoint { state: state.clone(), parent: 0, leaving: Vec::new() });
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

/// The stops that may be passed and that no other one of them covers.
fn without_covered<Z: Zone>(
    stops: Vec<Waypoint<Z>>,
    depth: usize,
    admit: &Admit<Z>,
) -> Vec<Waypoint<Z>> {
    let mut kept: Vec<(Waypoint<Z>, Vec<Z::Word>)> = Vec::new();
    for stop in stops.into_iter().filter(|stop| admit(depth, &stop.state)) {
        let words = stop.state.zone.words(&mut Vec::new()).to_vec();
        let dim = stop.state.clocks.len() + 1;
        let covers = |other: &Waypoint<Z>, a: &[Z::Word], b: &[Z::Word]| {
            other.state.marks == stop.state.marks && Z::is_covered(dim, a, b, None)
        };
        if !kept.iter().any(|(other, theirs)| covers(other, &words, theirs)) {
            kept.retain(|(other, theirs)| !covers(other, theirs, &words));
            kept.push((stop, words));
        }
    }
    kept.into_iter().map(|(stop, _)| stop).collect()
}

/// Adds all states that the move leads to.
fn follow<Z: Zone>(
    successors: &mut Successors<Z>,
    source: &State<Z>,
    parent: usize,
    action: &Move,
    found: &mut Vec<Waypoint<Z>>,
) -> Result<(), Broken> {
    let before = found.len();
    let is_plain = successors.is_free(action);
    let flow = successors.expand_by(source, Some(action), &mut |state, transition| {
        if transition.action == action {
            let leaving = match transition.leaving {
                Some(leaving) if !is_plain => constraints_of(source, leaving.dbm()),
                _ => Vec::new(),
            };
            found.push(Waypoint { state: state.clone(), parent, leaving });
        }
        ControlFlow::Continue(())
    });
    // A fault of another edge on the way is none of this trace's business.
    match flow {
        Err(broken) if found.len() == before => Err(broken),
        _ => Ok(()),
    }
}

fn assemble(
    levels: Vec<Vec<Passed>>,
    last: usize,
    moves: &[Move],
    finally: Vec<Constraint>,
) -> Trace {
    let mut nodes = Vec::new();
    let mut leave = Vec::new();
    let mut at = last;
    for mut level in levels.into_iter().rev() {
        let Passed { parent, leaving, node } = level.swap_remove(at);
        nodes.push(Node { leave: std::mem::replace(&mut leave, leaving), ..node });
        at = parent;
    }
    let mut nodes = nodes.into_iter().rev();
    let initial = nodes.next().expect("a trace has an initial state");
    let steps = moves.iter().cloned().zip(nodes).collect();
    Trace { initial, steps, finally, returns_to: None }
}

/// The zone as constraints on the state's clocks.
pub fn constraints_of<Z: Zone>(state: &State<Z>, zone: &Dbm<Z::Bound>) -> Vec<Constraint> {
    let mut part = state.clone();
    part.zone.set_dbm(zone.clone());
    part.constraints()
}
