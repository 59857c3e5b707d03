//! Which renamings of the elements of scalar sets leave a model as it is.
//!
//! Takes a model, says for each of its scalar sets whether every permutation of the set is
//! an automorphism of the transition relation (Hendriks, Behrmann, Larsen, Niebert, Vaandrager:
//! Adding symmetry reduction to Uppaal), and otherwise why not. The types see to most of it: scalars
//! are compared with `==` and `!=`, assigned, and used as indices. What they cannot see to is
//! checked on the finished model: two permutations that generate all are applied to it, and it
//! must come out the same.
//!
//! The initial state need not be symmetric: if a permutation maps steps to steps, then from the
//! image of a reachable state exactly the images are reachable. So a scalar variable may well be
//! read before it is written.

mod access;
mod calls;
mod fold;
mod key;
mod order;
mod places;
mod unread;

pub use places::{Family, Item, Moved, Places, elements};

use crate::model::analysis::Harmless;
use crate::model::{Edge, EdgeId, Function, Model, Objective, Process, ProcessId, Query};
use access::Known;
use fold::Folds;
use key::Keys;
use order::Reason;
use takt_diagnostic::Span;
use unread::Read;

/// Where each element of each scalar set goes; sets without a map stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renaming {
    pub maps: Vec<Option<Vec<u32>>>,
}

impl Renaming {
    /// Moves the elements of one set.
    pub fn of(set: u32, map: Vec<u32>) -> Renaming {
        let mut maps = vec![None; set as usize + 1];
        maps[set as usize] = Some(map);
        Renaming { maps }
    }

    #[inline]
    pub fn element(&self, set: u32, element: u32) -> u32 {
        match self.maps.get(set as usize) {
            Some(Some(map)) => map[element as usize],
            _ => element,
        }
    }

    /// First this one, then the other.
    pub fn then(&self, other: &Renaming) -> Renaming {
        let count = self.maps.len().max(other.maps.len());
        let of = |renaming: &Renaming, set: usize| renaming.maps.get(set).cloned().flatten();
        let map = |set: usize| match (of(self, set), of(other, set)) {
            (Some(map), Some(_)) => {
                Some(map.iter().map(|&e| other.element(set as u32, e)).collect())
            }
            (one, two) => one.or(two),
        };
        Renaming { maps: (0..count).map(map).collect() }
    }

    pub fn inverse(&self) -> Renaming {
        let inverse = |map: &Vec<u32>| {
            let mut back = vec![0; map.len()];
            (0..).zip(map).for_each(|(from, &to)| back[to as usize] = from);
            back
        };
        Renaming { maps: self.maps.iter().map(|map| map.as_ref().map(inverse)).collect() }
    }
}

/// Why a scalar set is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub set: u32,
    pub reason: String,
    pub span: Span,
}

/// The symmetries of a model.
#[derive(Clone, Debug, Default)]
pub struct Symmetry {
    pub moved: Moved,
    /// The scalar sets whose elements may be exchanged.
    pub sets: Vec<u32>,
    pub refusals: Vec<Refusal>,
}

impl Symmetry {
    /// Finds them.
    pub fn of(model: &Model) -> Symmetry {
        if model.scalar_sets.is_empty() {
            return Symmetry::default();
        }
        let mut found = Symmetry { moved: Moved::new(model), ..Symmetry::default() };
        let called = calls::of_model(model);
        let (sets, refusals) = found.with_folds(model, |folds| {
            let (mut sets, mut refusals) = (Vec::new(), Vec::new());
            let sizes = (0..).zip(&model.scalar_sets).filter(|(_, size)| **size > 1);
            for set in sizes.map(|(set, _)| set) {
                match found.refusal(folds, &called, set) {
                    None => sets.push(set),
                    Some((reason, span)) => refusals.push(Refusal { set, reason, span }),
                }
            }
            (sets, refusals)
        });
        (found.sets, found.refusals) = (sets, refusals);
        found
    }

    /// Those of its sets that the query treats alike too; it is then enough to look at one state
    /// of each orbit.
    pub fn sets_for(&self, model: &Model, query: &Query) -> Vec<u32> {
        let (by_model, by_query) = (calls::of_model(model), calls::of_query(model, query));
        // Functions that the model does not call were not looked at before.
        let more: Vec<bool> = by_query.iter().zip(&by_model).map(|(q, m)| *q && !m).collect();
        self.with_folds(model, |folds| {
            let here = self.query_key(folds.keys, query);
            let is_kept = |set: &u32| {
                let is_moved = |renaming: Renaming| {
                    let there = Keys { renaming: &renaming, ..folds.keys };
                    self.query_key(there, query) != here
                        || self.function_difference(folds.keys, there, &more).is_some()
                };
                !generators(model, *set).any(is_moved)
                    && !order::asks_in_order(folds, *set, query)
                    && order::ordered_function(folds, &more, *set).is_none()
            };
            self.sets.iter().copied().filter(is_kept).collect()
        })
    }

    /// What all questions about the model need.
    fn with_folds<T>(&self, model: &Model, ask: impl FnOnce(Folds) -> T) -> T {
        let (harmless, known) = (Harmless::new(model), Known::new(model));
        let (read, still) = (unread::read_constants(model), Renaming::default());
        let keys =
            Keys { model, harmless: &harmless, moved: &self.moved, read: &read, renaming: &still };
        ask(Folds { keys, known: &known })
    }

    fn query_key(&self, keys: Keys, query: &Query) -> String {
        let (formulas, of) = query.parts();
        let formulas: Vec<String> = formulas.into_iter().map(|part| keys.formula(part)).collect();
        let of = of.map(|of| match of {
            Objective::Clock(clock, _) => {
                self.moved.clocks.renamed(clock.0, keys.renaming).to_string()
            }
            Objective::Data(term) => keys.term(term),
            Objective::Cost(_) => "cost".to_owned(),
        });
        format!("{}: {}", formulas.join(" --> "), of.unwrap_or_default())
    }

    /// What keeps the set's elements from being exchanged.
    fn refusal(&self, folds: Folds, called: &[bool], set: u32) -> Option<Reason> {
        let differ = |renaming: Renaming| self.difference(folds.keys, called, &renaming);
        let found = generators(folds.keys.model, set).find_map(differ);
        found.or_else(|| order::ordered_part(folds, called, set))
    }

    /// A part of the model that a renaming changes.
    fn difference(&self, here: Keys, called: &[bool], renaming: &Renaming) -> Option<Reason> {
        let model = here.model;
        let Moved { processes, cells, channels, .. } = &self.moved;
        for (c, channel) in (0..).zip(&model.channels) {
            let other = &model.channels[channels.renamed(c, renaming) as usize];
            if channel.priority != other.priority {
                return Some(("its channels differ in priority".into(), channel.span));
            }
        }
        for addr in &model.layout.constants {
            let cell = &model.cells[*addr];
            let other = &model.cells[cells.renamed(addr.0, renaming) as usize];
            let value = match cell.scalar_set {
                Some(set) => i64::from(renaming.element(set, cell.initial as u32)),
                None => cell.initial,
            };
            if value != other.initial {
                return Some(("a constant tells its elements apart".into(), cell.span));
            }
        }
        let there = Keys { renaming, ..here };
        if let Some(reason) = self.function_difference(here, there, called) {
            return Some(reason);
        }
        let blocks = [&model.before_update, &model.after_update];
        for block in blocks.into_iter().flatten() {
            if there.term(block) != here.term(block) {
                return Some(("a block tells its elements apart".into(), block.span));
            }
        }
        (0..).zip(&model.processes).find_map(|(p, process)| {
            let other = &model.processes[processes.renamed(p, renaming) as usize];
            let found = self.process_difference(process, other, [&there, &here], renaming);
            found.map(|(reason, span)| (reason.to_owned(), span))
        })
    }

    /// One of these functions that a renaming changes.
    fn function_difference(&self, here: Keys, there: Keys, called: &[bool]) -> Option<Reason> {
        let functions = &here.model.functions;
        let running = (0..).zip(functions).filter(|(f, _)| called[*f as usize]);
        let differs = |(f, function): &(u32, &Function)| {
            let other = self.moved.functions.renamed(*f, there.renaming);
            there.function(function) != here.function(&functions[other as usize])
        };
        let (f, function) = running.into_iter().find(differs)?;
        Some(told_apart(here.model, here.read, f, there.renaming).unwrap_or_else(|| {
            (format!("the function `{}` tells its elements apart", function.name), function.span)
        }))
    }

    fn process_difference(
        &self,
        process: &Process,
        other: &Process,
        [there, here]: [&Keys; 2],
        renaming: &Renaming,
    ) -> Option<(&'static str, Span)> {
        if (process.priority, process.edges.len()) != (other.priority, other.edges.len()) {
            let span = process.edges.first().map(|edge| edge.span);
            return Some(("its processes differ", span.unwrap_or_default()));
        }
        for (location, image) in process.locations.iter().zip(&other.locations) {
            let is_same = location.urgency == image.urgency
                && there.conjuncts(&location.invariant) == here.conjuncts(&image.invariant)
                && there.terms(&location.rate) == here.terms(&image.rate);
            if !is_same {
                return Some(("a location tells its elements apart", location.span));
            }
        }
        process.edges.iter().find_map(|edge| {
            let image = counterpart(process, edge, other, renaming);
            let key = |keys: &Keys, edge: &Edge| {
                let sync = edge.sync.as_ref().map(|sync| keys.sync(sync)).unwrap_or_default();
                [keys.conjuncts(&edge.guard), sync, keys.terms(&edge.update)]
            };
            let is_same = image.is_some_and(|at| key(there, edge) == key(here, &other.edges[at]));
            (!is_same).then_some(("an edge tells its elements apart", edge.span))
        })
    }

    /// The edge that a renaming makes of an edge: process and number.
    pub fn renamed_edge(
        &self,
        model: &Model,
        (process, edge): (ProcessId, EdgeId),
        renaming: &Renaming,
    ) -> (ProcessId, EdgeId) {
        let image = ProcessId(self.moved.processes.renamed(process.0, renaming));
        let (from, to) = (&model.processes[process], &model.processes[image]);
        let at = counterpart(from, &from.edges[edge], to, renaming);
        (image, at.expect("a symmetric process has an image of each edge"))
    }
}

/// A local of the function that may be read while it still holds the element it started with.
fn told_apart(model: &Model, read: &Read, function: u32, renaming: &Renaming) -> Option<Reason> {
    let is_moved = |cell: u32| {
        let set = model.cells[cell as usize].scalar_set;
        set.is_some_and(|set| renaming.maps.get(set as usize).is_some_and(Option::is_some))
    };
    let mut read = read.iter().filter(|(_, of)| **of == function).map(|(cell, _)| *cell);
    let cell = &model.cells[read.find(|&cell| is_moved(cell))? as usize];
    let why = "may be read before it is written, and starts as the first element";
    Some((format!("`{}` {why}", cell.name), cell.span))
}

/// The edge of `other` that was written as the same one, with the same choices once elements are
/// renamed.
fn counterpart(
    process: &Process,
    edge: &Edge,
    other: &Process,
    renaming: &Renaming,
) -> Option<EdgeId> {
    let key = |edge: &Edge, renaming: &Renaming| {
        let value = |((_, value), set): (&(String, i64), &Option<u32>)| match set {
            Some(set) => i64::from(renaming.element(*set, *value as u32)),
            None => *value,
        };
        let choice: Vec<i64> = edge.choice.iter().zip(&edge.scalars).map(value).collect();
        (edge.source, edge.target, edge.span.start, edge.span.end, choice)
    };
    let (plain, wanted) = (key(edge, &Renaming::default()), key(edge, renaming));
    let same = |e: &&Edge| key(e, &Renaming::default()) == plain;
    let rank = process.edges.iter().filter(same).position(|e| std::ptr::eq(e, edge))?;
    let images = (0..).zip(&other.edges);
    let mut images = images.filter(|(_, e)| key(e, &Renaming::default()) == wanted);
    images.nth(rank).map(|(at, _)| EdgeId(at))
}

/// Renamings that generate all of the set: an exchange and a rotation.
fn generators(model: &Model, set: u32) -> impl Iterator<Item = Renaming> {
    let size = model.scalar_sets[set as usize];
    let exchange: Vec<u32> = [1, 0].into_iter().chain(2..size).collect();
    let rotation: Vec<u32> = (0..size).map(|e| (e + 1) % size).collect();
    [exchange, rotation].into_iter().map(move |map| Renaming::of(set, map))
}
