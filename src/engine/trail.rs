//! From the moves that a search remembers to a symbolic trace with exact zones.
//!
//! The search stores widened zones and forgets covered ones. So the moves are made once more
//! with plain zones. One sequence of moves may stand for several symbolic paths (a broadcast
//! that some hear only at times, priorities, observed formulas): they are tried in turn, and the
//! first that can be followed to the end is the trace.

use super::state::State;
use super::successor::{Broken, Successors};
use super::zone::Zone;
use crate::dbm::Dbm;
use crate::trace::{Constraint, Move, Node, Trace};
use std::ops::ControlFlow;

/// A state on the way, and how the run left the one before.
type Stop<Z> = (State<Z>, Vec<Constraint>);

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
    // Alternatives not tried yet, per depth; the last of each list is the one being followed.
    let mut levels: Vec<Vec<Stop<Z>>> = vec![starts(successors)?];
    levels[0].retain(|(state, _)| admit(0, state));
    loop {
        let depth = levels.len() - 1;
        let Some((state, _)) = levels[depth].last() else {
            levels.pop();
            match levels.last_mut() {
                None => return Ok(None),
                Some(above) => above.pop(),
            };
            continue;
        };
        if depth < moves.len() {
            let state = state.clone();
            let mut next = follow(successors, &state, &moves[depth])?;
            next.retain(|(state, _)| admit(depth + 1, state));
            levels.push(next);
            continue;
        }
        let state = state.clone();
        if let Some(finally) = finish(successors, &state)? {
            return assemble(successors, &levels, moves, finally).map(Some);
        }
        levels[depth].pop();
    }
}

fn starts<Z: Zone>(successors: &mut Successors<Z>) -> Result<Vec<Stop<Z>>, Broken> {
    let mut found = Vec::new();
    successors.initial(&mut |state, _| {
        found.push((state.clone(), Vec::new()));
        ControlFlow::Continue(())
    })?;
    found.reverse();
    Ok(found)
}

/// All states that the move leads to; the first last.
fn follow<Z: Zone>(
    successors: &mut Successors<Z>,
    source: &State<Z>,
    action: &Move,
) -> Result<Vec<Stop<Z>>, Broken> {
    let mut found = Vec::new();
    let flow = successors.expand(source, &mut |state, step| {
        if step.action == action {
            let mut before = source.clone();
            if let Some(leaving) = step.leaving {
                before.zone.clone_from(leaving);
            }
            found.push((state.clone(), before.constraints()));
        }
        ControlFlow::Continue(())
    });
    // A fault of another edge on the way is none of this trace's business.
    match flow {
        Err(broken) if found.is_empty() => return Err(broken),
        _ => {}
    }
    found.reverse();
    Ok(found)
}

fn assemble<Z: Zone>(
    successors: &mut Successors<Z>,
    levels: &[Vec<Stop<Z>>],
    moves: &[Move],
    finally: Vec<Constraint>,
) -> Result<Trace, Broken> {
    let mut nodes = Vec::new();
    for (depth, level) in levels.iter().enumerate() {
        let (state, _) = level.last().expect("every level of a path has a state");
        let zone = state.constraints();
        nodes.push(Node {
            state: state.cells.clone(),
            is_urgent: !successors.lets_time_pass(state)?,
            leave: match levels.get(depth + 1).and_then(|next| next.last()) {
                Some((_, leaving)) => leaving.clone(),
                None => Vec::new(),
            },
            stay: zone.clone(),
            zone,
        });
    }
    let mut nodes = nodes.into_iter();
    let initial = nodes.next().expect("a trace has an initial state");
    Ok(Trace {
        initial,
        steps: moves.iter().cloned().zip(nodes).collect(),
        finally,
        returns_to: None,
    })
}

/// The zone as constraints on the state's clocks.
pub fn constraints_of<Z: Zone>(state: &State<Z>, zone: &Dbm<Z::Bound>) -> Vec<Constraint> {
    let mut part = state.clone();
    part.zone.set_dbm(zone.clone());
    part.constraints()
}
