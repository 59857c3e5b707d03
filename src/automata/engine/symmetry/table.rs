//! What a reduction looks up again and again, worked out once per model and query.

use crate::model::symmetry::{Item, Renaming, Symmetry};
use crate::model::{Addr, ClockId, Model};
use crate::trace::{EdgeRef, Move};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The scalar sets that are reduced, and what the state holds of their elements.
#[derive(Clone, Debug)]
pub struct Reduction {
    pub symmetry: Arc<Symmetry>,
    /// The scalar sets by number, with their sizes.
    pub sets: Vec<(u32, usize)>,
    /// Integers that there are once for each element.
    pub columns: Vec<Column<Addr>>,
    /// The same, where the value is an element itself.
    pub links: Vec<Link>,
    /// Single cells that hold an element.
    pub pointers: Vec<(Addr, usize)>,
    /// Cells with several elements each.
    pub ties: Vec<Tie>,
    /// Clocks that there are once for each element.
    pub clocks: Vec<Column<ClockId>>,
    /// For each set, whether clocks have several of its elements each.
    pub has_shared_clocks: Vec<bool>,
    /// Cells of the state that renamings move or change.
    moved: Vec<(Addr, Option<u32>)>,
}

/// One cell or clock for each element of a set (by position in [`Reduction::sets`]).
#[derive(Clone, Debug)]
pub struct Column<T> {
    pub set: usize,
    pub of: Vec<T>,
}

#[derive(Clone, Debug)]
pub struct Link {
    pub from: usize,
    pub to: usize,
    pub of: Vec<Addr>,
}

/// A cell with two coordinates or more; `family` is what it has in common with others.
#[derive(Clone, Debug)]
pub struct Tie {
    pub cell: Addr,
    pub family: u64,
    /// Set and element.
    pub ends: Vec<(usize, usize)>,
    /// The set of its value.
    pub to: Option<usize>,
}

impl Reduction {
    pub fn new(model: &Model, symmetry: Arc<Symmetry>, sets: &[u32]) -> Reduction {
        let size = |set: u32| model.scalar_sets[set as usize] as usize;
        let sets: Vec<(u32, usize)> = sets.iter().map(|&set| (set, size(set))).collect();
        let mut reduction = Reduction {
            columns: Vec::new(),
            links: Vec::new(),
            pointers: Vec::new(),
            ties: Vec::new(),
            clocks: Vec::new(),
            has_shared_clocks: vec![false; sets.len()],
            moved: Vec::new(),
            sets,
            symmetry,
        };
        reduction.place_cells(model);
        reduction.place_clocks(model);
        reduction
    }

    fn position(&self, set: u32) -> Option<usize> {
        self.sets.iter().position(|&(of, _)| of == set)
    }

    /// The coordinates in reduced sets, and what else tells the family's members apart.
    fn ends(&self, item: &Item) -> (Vec<(usize, usize)>, Vec<u64>) {
        let mut ends = Vec::new();
        let mut rest = vec![u64::from(item.family)];
        for &(set, element) in &item.coords {
            match self.position(set) {
                Some(position) => ends.push((position, element as usize)),
                None => rest.push(u64::from(element)),
            }
        }
        (ends, rest)
    }

    fn place_cells(&mut self, model: &Model) {
        let symmetry = Arc::clone(&self.symmetry);
        let mut columns: BTreeMap<Vec<u64>, (usize, Option<usize>, Vec<Addr>)> = BTreeMap::new();
        let mut families: BTreeMap<Vec<u64>, u64> = BTreeMap::new();
        for cell in Addr::all(model.state_len as usize) {
            let scalar_set = model.cells[cell].scalar_set;
            let to = scalar_set.and_then(|set| self.position(set));
            let none = || (Vec::new(), Vec::new());
            let (ends, rest) =
                symmetry.moved.cells.item(cell.0).map_or_else(none, |i| self.ends(i));
            if !ends.is_empty() || to.is_some() {
                self.moved.push((cell, scalar_set));
            }
            match (&ends[..], to) {
                ([], Some(to)) => self.pointers.push((cell, to)),
                ([], None) => {}
                (&[(set, element)], to) => {
                    let blank = || (set, to, vec![Addr::default(); self.sets[set].1]);
                    columns.entry(rest).or_insert_with(blank).2[element] = cell;
                }
                _ => {
                    let number = families.len() as u64;
                    let family = *families.entry(rest).or_insert(number);
                    self.ties.push(Tie { cell, family, ends, to });
                }
            }
        }
        for (set, to, of) in columns.into_values() {
            match to {
                None => self.columns.push(Column { set, of }),
                Some(to) => self.links.push(Link { from: set, to, of }),
            }
        }
    }

    fn place_clocks(&mut self, model: &Model) {
        let symmetry = Arc::clone(&self.symmetry);
        let mut columns: BTreeMap<Vec<u64>, (usize, Vec<ClockId>)> = BTreeMap::new();
        for clock in ClockId::all(model.clocks.len()) {
            let Some(item) = symmetry.moved.clocks.item(clock.0) else { continue };
            let (ends, rest) = self.ends(item);
            match ends[..] {
                [] => {}
                [(set, element)] => {
                    let blank = || (set, vec![ClockId::default(); self.sets[set].1]);
                    columns.entry(rest).or_insert_with(blank).1[element] = clock;
                }
                _ => ends.iter().for_each(|&(set, _)| self.has_shared_clocks[set] = true),
            }
        }
        self.clocks.extend(columns.into_values().map(|(set, of)| Column { set, of }));
    }

    /// Writes the integers of the renamed state over `out`.
    pub fn rename_cells(&self, renaming: &Renaming, cells: &[i32], out: &mut Vec<i32>) {
        out.clear();
        out.extend_from_slice(cells);
        for &(cell, set) in &self.moved {
            let value = cells[cell];
            let to = self.symmetry.moved.cells.renamed(cell.0, renaming);
            out[Addr(to)] = match set {
                Some(set) => renaming.element(set, value as u32) as i32,
                None => value,
            };
        }
    }

    /// The move that renaming makes of a move.
    pub fn rename_move(&self, model: &Model, renaming: &Renaming, action: &Move) -> Move {
        let rename = |e: &EdgeRef| {
            let from = (e.process, e.edge);
            let (process, edge) = self.symmetry.renamed_edge(model, from, renaming);
            EdgeRef { process, edge }
        };
        let mut edges: Vec<EdgeRef> = action.edges.iter().map(rename).collect();
        // The sender comes first, receivers in the order of processes.
        if let Some((_, receivers)) = edges.split_first_mut() {
            receivers.sort_unstable();
        }
        Move { edges }
    }
}
