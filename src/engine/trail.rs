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
struct Stop<Z> {
    state: State<Z>,
    /// Which stop of the level before it came from.
    parent: usize,
    /// What held of the clocks when the run left that one.
    leaving: Vec<Constraint>,
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
    let mut levels = vec![without_covered(starts(successors)?, 0, admit)];
    for (k, action) in moves.iter().enumerate() {
        let mut next = Vec::new();
        for (parent, stop) in levels[k].iter().enumerate() {
            follow(successors, &stop.state, parent, action, &mut next)?;
        }
        levels.push(without_covered(next, k + 1, admit));
    }
    for last in 0..levels[moves.len()].len() {
        let state = levels[moves.len()][last].state.clone();
        if let Some(finally) = finish(successors, &state)? {
            return assemble(successors, &levels, last, moves, finally).map(Some);
        }
    }
    Ok(None)
}

fn starts<Z: Zone>(successors: &mut Successors<Z>) -> Result<Vec<Stop<Z>>, Broken> {
    let mut found = Vec::new();
    successors.initial(&mut |state, _| {
        found.push(Stop { state: state.clone(), parent: 0, leaving: Vec::new() });
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

/// The stops that may be passed and that no other one of them covers.
fn without_covered<Z: Zone>(stops: Vec<Stop<Z>>, depth: usize, admit: &Admit<Z>) -> Vec<Stop<Z>> {
    let mut kept: Vec<(Stop<Z>, Vec<Z::Word>)> = Vec::new();
    for stop in stops.into_iter().filter(|stop| admit(depth, &stop.state)) {
        let mut words = Vec::new();
        stop.state.zone.save(&mut words);
        let dim = stop.state.clocks.len() + 1;
        let covers = |other: &Stop<Z>, a: &[Z::Word], b: &[Z::Word]| {
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
    found: &mut Vec<Stop<Z>>,
) -> Result<(), Broken> {
    let before = found.len();
    let flow = successors.expand(source, &mut |state, step| {
        if step.action == action {
            let mut left = source.clone();
            if let Some(leaving) = step.leaving {
                left.zone.clone_from(leaving);
            }
            found.push(Stop { state: state.clone(), parent, leaving: left.constraints() });
        }
        ControlFlow::Continue(())
    });
    // A fault of another edge on the way is none of this trace's business.
    match flow {
        Err(broken) if found.len() == before => Err(broken),
        _ => Ok(()),
    }
}

fn assemble<Z: Zone>(
    successors: &mut Successors<Z>,
    levels: &[Vec<Stop<Z>>],
    last: usize,
    moves: &[Move],
    finally: Vec<Constraint>,
) -> Result<Trace, Broken> {
    let mut nodes = Vec::new();
    let mut leave = Vec::new();
    let mut at = last;
    for level in levels.iter().rev() {
        let stop = &level[at];
        let zone = stop.state.constraints();
        nodes.push(Node {
            state: stop.state.cells.clone(),
            is_urgent: !successors.lets_time_pass(&stop.state)?,
            leave: std::mem::replace(&mut leave, stop.leaving.clone()),
            // A part that costs made tells how the run leaves, not how it enters.
            stay: if Z::IS_PRICED { Vec::new() } else { zone.clone() },
            zone,
        });
        at = stop.parent;
    }
    let mut nodes = nodes.into_iter().rev();
    let initial = nodes.next().expect("a trace has an initial state");
    let steps = moves.iter().cloned().zip(nodes).collect();
    Ok(Trace { initial, steps, finally, returns_to: None })
}

/// The zone as constraints on the state's clocks.
pub fn constraints_of<Z: Zone>(state: &State<Z>, zone: &Dbm<Z::Bound>) -> Vec<Constraint> {
    let mut part = state.clone();
    part.zone.set_dbm(zone.clone());
    part.constraints()
}
