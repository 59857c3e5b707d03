//! Elements that a state treats alike: exchanging them changes nothing, so that of the moves that
//! they make, those of the first stand for all.

use super::table::Reduction;
use crate::dbm::{Bound, Dbm};
use crate::engine::state::State;
use crate::engine::zone::Zone;
use crate::model::symmetry::elements;
use crate::model::{Addr, Model};
use crate::trace::Move;

/// The interchangeable elements of one state, which is its own representative: they are neighbours.
#[derive(Clone, Debug, Default)]
pub struct Twins {
    /// For each set and element, the first one that it can be exchanged with.
    first: Vec<Vec<usize>>,
    /// For each set and element, whether some cell holds it.
    is_held: Vec<Vec<bool>>,
    seen: Vec<(usize, usize)>,
}

impl Twins {
    /// Finds the interchangeable elements.
    pub fn find<Z: Zone>(&mut self, reduction: &Reduction, state: &State<Z>) {
        self.hold(reduction, &state.cells);
        self.first.resize_with(reduction.sets.len(), Vec::new);
        for (set, &(_, size)) in reduction.sets.iter().enumerate() {
            let first = &mut self.first[set];
            first.clear();
            let is_open = !reduction.has_shared_clocks[set]
                && !reduction.ties.iter().any(|tie| tie.ends.iter().any(|end| end.0 == set));
            for e in 0..size {
                let is_twin = e > 0
                    && is_open
                    && !self.is_held[set][e]
                    && !self.is_held[set][e - 1]
                    && have_equal_cells(reduction, set, e, &state.cells)
                    && have_equal_clocks(reduction, set, e, state);
                first.push(if is_twin { first[e - 1] } else { e });
            }
        }
    }

    fn hold(&mut self, reduction: &Reduction, cells: &[i32]) {
        self.is_held.resize_with(reduction.sets.len(), Vec::new);
        for (held, &(_, size)) in self.is_held.iter_mut().zip(&reduction.sets) {
            held.clear();
            held.resize(size, false);
        }
        let pointers = reduction.pointers.iter().copied();
        let links = reduction.links.iter().flat_map(|l| l.of.iter().map(|&cell| (cell, l.to)));
        let ties = reduction.ties.iter().filter_map(|tie| Some((tie.cell, tie.to?)));
        for (cell, set) in pointers.chain(links).chain(ties) {
            self.is_held[set][cells[cell] as usize] = true;
        }
    }

    /// Whether an exchange of interchangeable elements makes the move one that comes earlier:
    /// one in which the elements of each class appear in their order, from the first on.
    pub fn is_image(&mut self, reduction: &Reduction, model: &Model, action: &Move) -> bool {
        self.seen.clear();
        for (k, at) in action.edges.iter().enumerate() {
            let owner = &model.layout.owners[at.process];
            let edge = at.of(model);
            if k >= 2 && elements(owner).count() > 1 {
                return false;
            }
            let chosen = edge.choice.iter().zip(&edge.scalars);
            let chosen = chosen.filter_map(|((_, value), set)| Some(((*set)?, *value as u32)));
            for (set, element) in elements(owner).chain(chosen) {
                let Some(set) = reduction.sets.iter().position(|&(of, _)| of == set) else {
                    continue;
                };
                let element = element as usize;
                if self.seen.contains(&(set, element)) {
                    continue;
                }
                let first = self.first[set][element];
                let is_same = |&&(s, e): &&(usize, usize)| s == set && self.first[s][e] == first;
                let before = self.seen.iter().filter(is_same).count();
                if element != first + before {
                    return true;
                }
                self.seen.push((set, element));
            }
        }
        false
    }
}

/// Whether the integers that an element and the one before it have alone are equal.
fn have_equal_cells(reduction: &Reduction, set: usize, e: usize, cells: &[i32]) -> bool {
    let (a, b) = (e, e - 1);
    let is_equal = |of: &[Addr]| cells[of[a]] == cells[of[b]];
    reduction.columns.iter().filter(|c| c.set == set).all(|c| is_equal(&c.of))
        && reduction.links.iter().filter(|l| l.from == set).all(|l| is_equal(&l.of))
}

/// Whether the zone stays the same if the clocks of an element and the one before are exchanged.
fn have_equal_clocks<Z: Zone>(
    reduction: &Reduction,
    set: usize,
    e: usize,
    state: &State<Z>,
) -> bool {
    let columns = reduction.clocks.iter().filter(|column| column.set == set);
    let mut pairs = Vec::new();
    for column in columns {
        let place = |e: usize| state.position(column.of[e]);
        match (place(e), place(e - 1)) {
            (None, None) => {}
            // What such clocks cost is not known here.
            (Some(a), Some(b)) if !Z::IS_PRICED => pairs.push((a, b)),
            _ => return false,
        }
    }
    pairs.is_empty() || is_unchanged(state.zone.dbm(), &pairs)
}

fn is_unchanged<B: Bound>(zone: &Dbm<B>, pairs: &[(usize, usize)]) -> bool {
    let image = |i: usize| {
        let other = pairs.iter().find_map(|&(a, b)| match i {
            i if i == a => Some(b),
            i if i == b => Some(a),
            _ => None,
        });
        other.unwrap_or(i)
    };
    pairs.iter().all(|&(a, b)| {
        (0..zone.dim()).all(|other| {
            let there = image(other);
            zone.get(a, other) == zone.get(b, there) && zone.get(other, a) == zone.get(there, b)
        })
    })
}
