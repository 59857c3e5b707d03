//! Things that come once for each element of scalar sets: processes, cells, clocks, channels and
//! functions, each with its coordinates, so that a renaming of elements moves them.

use super::Renaming;
use crate::model::layout::{Coord, Layout, Owner};
use crate::model::{Addr, ChannelId, ClockId, Model};
use std::collections::BTreeMap;

/// Things of one kind by number, in families.
#[derive(Clone, Debug, Default)]
pub struct Places {
    items: Vec<Option<Item>>,
    families: Vec<Family>,
}

/// One member of a family.
#[derive(Clone, Debug)]
pub struct Item {
    pub family: u32,
    /// Scalar set and element: those of the owning process first, then those of arrays.
    pub coords: Vec<(u32, u32)>,
}

/// What differs in elements only.
#[derive(Clone, Debug)]
pub struct Family {
    /// Scalar set and its size, dimension by dimension.
    pub dims: Vec<(u32, u32)>,
    /// The members, the last coordinate running fastest.
    pub members: Vec<u32>,
}

/// What the members of a family have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kinship {
    /// The processes that own them: their group, and their parameters that are no scalars.
    owner: Option<(String, Vec<Option<i64>>)>,
    /// Which of the things that the owner has.
    part: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Itself,
    Variable(u32),
    Scratch(u32),
}

type Placed = (Kinship, Vec<(u32, u32)>);

/// Coordinates and number.
type Member = (Vec<(u32, u32)>, u32);

impl Places {
    fn new(model: &Model, count: usize, placed: impl Fn(u32) -> Option<Placed>) -> Places {
        let mut places = Places { items: vec![None; count], families: Vec::new() };
        let mut kin: BTreeMap<Kinship, Vec<Member>> = BTreeMap::new();
        for number in 0..count as u32 {
            if let Some((kinship, coords)) = placed(number).filter(|(_, c)| !c.is_empty()) {
                kin.entry(kinship).or_default().push((coords, number));
            }
        }
        for members in kin.into_values() {
            places.add(model, members);
        }
        places
    }

    fn add(&mut self, model: &Model, members: Vec<Member>) {
        let size = |&(set, _): &(u32, u32)| (set, model.scalar_sets[set as usize]);
        let dims: Vec<(u32, u32)> = members[0].0.iter().map(size).collect();
        let count: u64 = dims.iter().map(|&(_, size)| u64::from(size)).product();
        assert_eq!(
            count,
            members.len() as u64,
            "a family has a member for each choice of elements"
        );
        let mut table = vec![0; members.len()];
        for (coords, number) in members {
            table[flat(&dims, coords.iter().map(|&(_, element)| element))] = number;
            self.items[number as usize] = Some(Item { family: self.families.len() as u32, coords });
        }
        self.families.push(Family { dims, members: table });
    }

    /// The coordinates; `None` for what no renaming moves.
    pub fn item(&self, number: u32) -> Option<&Item> {
        self.items.get(number as usize)?.as_ref()
    }

    pub fn family(&self, item: &Item) -> &Family {
        &self.families[item.family as usize]
    }

    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// Where a renaming puts it.
    pub fn renamed(&self, number: u32, renaming: &Renaming) -> u32 {
        self.renamed_but(number, renaming, |_| false)
    }

    /// The same, with the coordinates left alone that `is_kept` names by position.
    pub fn renamed_but(
        &self,
        number: u32,
        renaming: &Renaming,
        is_kept: impl Fn(usize) -> bool,
    ) -> u32 {
        let Some(item) = self.item(number) else { return number };
        let family = self.family(item);
        let moved = item.coords.iter().enumerate().map(|(k, &(set, element))| match is_kept(k) {
            true => element,
            false => renaming.element(set, element),
        });
        family.members[flat(&family.dims, moved)]
    }
}

fn flat(dims: &[(u32, u32)], elements: impl Iterator<Item = u32>) -> usize {
    dims.iter().zip(elements).fold(0, |at, (&(_, size), e)| at * size as usize + e as usize)
}

/// All that renamings move.
#[derive(Clone, Debug, Default)]
pub struct Moved {
    pub processes: Places,
    /// Of the state and of the scratch memory.
    pub cells: Places,
    pub clocks: Places,
    pub channels: Places,
    pub functions: Places,
}

impl Moved {
    pub fn new(model: &Model) -> Moved {
        let layout = &model.layout;
        let owners = |range: fn(&Owner) -> std::ops::Range<u32>| {
            let by = |(p, owner): (usize, &Owner)| range(owner).map(move |k| (k, p));
            layout.owners.iter().enumerate().flat_map(by).collect::<BTreeMap<u32, usize>>()
        };
        let (variables, scratch) = (owners(|o| o.variables.clone()), owners(|o| o.scratch.clone()));
        let (clocks, channels) = (owners(|o| o.clocks.clone()), owners(|o| o.channels.clone()));
        let functions = owners(|o| o.functions.clone());
        let ranks = scratch_ranks(layout);
        let place = |owner: Option<&usize>, zero: Role, coords: &[Coord]| {
            let owner = owner.map(|&p| &layout.owners[p]);
            let own = owner.into_iter().flat_map(elements);
            let inner = coords.iter().map(|c| (c.set, c.index));
            (Kinship { owner: owner.map(class), part: zero }, own.chain(inner).collect())
        };
        let none = Vec::new();
        let count = model.processes.len();
        let process = |p: u32| Some(place(Some(&(p as usize)), Role::Itself, &[]));
        let cell = |addr: u32| {
            if (addr as usize) < count {
                return process(addr);
            }
            let coords = layout.cells.get(&Addr(addr)).unwrap_or(&none);
            let zero = addr - offset(coords);
            if let Some(p) = variables.get(&addr) {
                let part = Role::Variable(zero - layout.owners[*p].variables.start);
                return Some(place(Some(p), part, coords));
            }
            match (scratch.get(&addr), ranks.get(&zero)) {
                (Some(p), Some(&rank)) => Some(place(Some(p), Role::Scratch(rank), coords)),
                _ => Some(place(None, Role::Variable(zero), coords)),
            }
        };
        let other = |owned: &BTreeMap<u32, usize>,
                     coords: Option<&Vec<Coord>>,
                     start: fn(&Owner) -> u32,
                     number: u32| {
            let coords = coords.unwrap_or(&none);
            let (owner, zero) = (owned.get(&number), number - offset(coords));
            let start = owner.map_or(0, |&p| start(&layout.owners[p]));
            Some(place(owner, Role::Variable(zero - start), coords))
        };
        Moved {
            processes: Places::new(model, count, process),
            cells: Places::new(model, model.cells.len(), cell),
            clocks: Places::new(model, model.clocks.len(), |c| {
                other(&clocks, layout.clocks.get(&ClockId(c)), |o| o.clocks.start, c)
            }),
            channels: Places::new(model, model.channels.len(), |c| {
                other(&channels, layout.channels.get(&ChannelId(c)), |o| o.channels.start, c)
            }),
            functions: Places::new(model, model.functions.len(), |f| {
                other(&functions, None, |o| o.functions.start, f)
            }),
        }
    }
}

/// How far a cell is from the one whose coordinates are all 0.
fn offset(coords: &[Coord]) -> u32 {
    coords.iter().map(|c| c.index * c.stride).sum()
}

/// The elements that a process is for.
pub fn elements(owner: &Owner) -> impl Iterator<Item = (u32, u32)> {
    owner.parameters.iter().filter_map(|&(set, value)| set.map(|set| (set, value as u32)))
}

fn class(owner: &Owner) -> (String, Vec<Option<i64>>) {
    let others = owner.parameters.iter().map(|&(set, value)| set.is_none().then_some(value));
    (owner.group.clone(), others.collect())
}

/// The how-manieth of its process's own scratch cells each one is.
fn scratch_ranks(layout: &Layout) -> BTreeMap<u32, u32> {
    let is_shared = |addr: &u32| layout.shared.contains(&Addr(*addr));
    let of = |owner: &Owner| owner.scratch.clone().filter(|addr| !is_shared(addr)).zip(0..);
    layout.owners.iter().flat_map(of).collect()
}
