//! From the moves between representatives back to moves of one run of the model.
//!
//! The representatives are found once more, in the same way as by the search, so that the
//! renaming of each step is known. If `r` renames the run's state into its representative, the
//! representative's move `m` is the run's move `r⁻¹(m)`.

use super::table::Reduction;
use crate::engine::state::State;
use crate::engine::successor::{Broken, Successors};
use crate::engine::zone::Zone;
use crate::model::symmetry::Renaming;
use crate::trace::Move;
use std::ops::ControlFlow;

/// A way to a representative.
#[derive(Clone)]
struct Way<Z> {
    state: State<Z>,
    /// From the names of the run to those of the representative.
    renaming: Renaming,
    moves: Vec<Move>,
}

/// A run that moves between representatives stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undone {
    pub moves: Vec<Move>,
    /// From the names of the last representative to those of the run.
    pub back: Renaming,
}

/// More ways than this are not followed side by side.
const MOST: usize = 256;

/// All runs that the moves may stand for; `successors` makes the same states as the search did.
pub fn undo<Z: Zone>(
    successors: &mut Successors<Z>,
    reduction: &Reduction,
    moves: &[Move],
) -> Result<Vec<Undone>, Broken> {
    let model = successors.tables.model;
    let mut ways: Vec<Way<Z>> = Vec::new();
    successors.initial(&mut |state, transition| {
        let renaming = transition.renaming.cloned().unwrap_or_default();
        ways.push(Way { state: state.clone(), renaming, moves: Vec::new() });
        ControlFlow::Continue(())
    })?;
    for action in moves {
        let mut next: Vec<Way<Z>> = Vec::new();
        for way in &ways {
            let real = reduction.rename_move(model, &way.renaming.inverse(), action);
            let moved = [&way.moves[..], &[real]].concat();
            // A fault of another edge on the way is none of this run's business.
            let _ = successors.expand_by(&way.state, Some(action), &mut |state, transition| {
                if transition.action == action {
                    let renaming = match transition.renaming {
                        Some(renaming) => way.renaming.then(renaming),
                        None => way.renaming.clone(),
                    };
                    next.push(Way { state: state.clone(), renaming, moves: moved.clone() });
                }
                ControlFlow::Continue(())
            });
        }
        next.truncate(MOST);
        ways = next;
    }
    let undone = |way: Way<Z>| Undone { moves: way.moves, back: way.renaming.inverse() };
    let mut found: Vec<Undone> = ways.into_iter().map(undone).collect();
    found.dedup();
    Ok(found)
}
