//! Where the loops of processes begin.
//!
//! A run that goes on for ever takes some process round a loop for ever, and every loop has an
//! edge back to a location that a walk through the process has not left yet. So it suffices to
//! remember the states by whose move a process gets to such a location (after Larsen, Larsson,
//! Pettersson, Yi: Efficient verification of real-time systems, 1997).

use crate::model::{Model, Process};
use crate::trace::Move;

/// `[process][location]`: whether a loop begins there.
#[derive(Clone, Debug)]
pub struct Loops(Vec<Vec<bool>>);

impl Loops {
    pub fn new(model: &Model) -> Loops {
        Loops(model.processes.iter().map(begins).collect())
    }

    /// Whether the move takes some process to where a loop begins.
    pub fn are_entered(&self, model: &Model, action: &Move) -> bool {
        action.edges.is_empty()
            || action.edges.iter().any(|e| {
                let edge = e.of(model);
                self.0[e.process][edge.target]
            })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Left,
}

/// Walks through the locations, depth first; edges to locations that are still open close loops.
fn begins(process: &Process) -> Vec<bool> {
    let count = process.locations.len();
    let mut marks = vec![Mark::New; count];
    let mut begins = vec![false; count];
    for root in std::iter::once(process.initial.index()).chain(0..count) {
        if marks[root] != Mark::New {
            continue;
        }
        // Locations on the way, each with how many of its edges have been looked at.
        let mut way = vec![(root, 0)];
        marks[root] = Mark::Open;
        while let Some((at, seen)) = way.last_mut() {
            let Some(&edge) = process.locations[*at].outgoing.get(*seen) else {
                marks[*at] = Mark::Left;
                way.pop();
                continue;
            };
            *seen += 1;
            let target = process.edges[edge].target.index();
            match marks[target] {
                Mark::New => {
                    marks[target] = Mark::Open;
                    way.push((target, 0));
                }
                Mark::Open => begins[target] = true,
                Mark::Left => {}
            }
        }
    }
    begins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::build;
    use crate::xta::parse;
    use takt_diagnostic::FileId;

    #[test]
    fn every_loop_has_a_beginning() {
        let text = "process P() {
            state a, b, c, d, e;
            init a;
            trans a -> b { }, b -> c { }, c -> b { }, c -> d { }, d -> a { }, d -> e { }, e -> e { };
        }
        system P;";
        let (model, _) = build(&parse(text, FileId(0)).unwrap()).unwrap();
        assert_eq!(begins(&model.processes[0]), [true, true, false, false, true]);
    }
}
