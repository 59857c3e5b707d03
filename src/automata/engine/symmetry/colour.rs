//! What a state says of each element, as numbers to sort by.
//!
//! An element's colour mixes the integers that it has alone; then, a few times over, the colours
//! of the elements that it is linked to. It does not depend on names. Elements of one colour are
//! sorted by their clocks: one goes before another if its clock is never later in the zone,
//! which a part of the zone agrees with, so that inclusions survive renaming.

use super::table::Reduction;
use crate::dbm::{Bound, Dbm};
use crate::engine::state::State;
use crate::engine::zone::Zone;
use crate::model::ClockId;
use crate::model::symmetry::Renaming;

/// Buffers of a sort.
#[derive(Clone, Debug, Default)]
pub struct Colours {
    /// For each set, the colour of each element.
    of: Vec<Vec<u64>>,
    next: Vec<Vec<u64>>,
    /// For each set, its elements in their new order.
    orders: Vec<Vec<usize>>,
    /// For each set, how many elements come before each one; the same for those not told apart.
    ranks: Vec<Vec<usize>>,
    /// Places of clocks in the zone, 0 for those that do not matter.
    positions: Vec<usize>,
}

/// How often colours are passed on along links.
const ROUNDS: usize = 2;

/// How many elements are told apart by choice alone.
const MOST_CHOICES: usize = 8;

impl Colours {
    /// Finds the names of a state's representative; false if they are the ones it has.
    pub fn sort<Z: Zone>(
        &mut self,
        reduction: &Reduction,
        state: &State<Z>,
        renaming: &mut Renaming,
    ) -> bool {
        self.paint(reduction, &state.cells);
        self.place(reduction, state);
        self.ranks.resize_with(reduction.sets.len(), Vec::new);
        self.orders.resize_with(reduction.sets.len(), Vec::new);
        for set in 0..reduction.sets.len() {
            self.sort_set(reduction, set, state.zone.dbm());
        }
        if !reduction.links.is_empty() || !reduction.ties.is_empty() {
            self.sort_linked(reduction, &state.cells);
        }
        let mut is_changed = false;
        renaming.maps.clear();
        for (&(set, size), order) in reduction.sets.iter().zip(&self.orders) {
            let mut map = vec![0; size];
            (0..).zip(order).for_each(|(to, &from)| map[from] = to);
            is_changed |= order.iter().enumerate().any(|(to, &from)| from != to);
            renaming.maps.resize(set as usize + 1, None);
            renaming.maps[set as usize] = Some(map);
        }
        is_changed
    }

    /// Gives each element its colour, by the state's integers alone.
    fn paint(&mut self, reduction: &Reduction, cells: &[i32]) {
        self.of.resize_with(reduction.sets.len(), Vec::new);
        for (colours, &(_, size)) in self.of.iter_mut().zip(&reduction.sets) {
            colours.clear();
            colours.resize(size, 0);
        }
        for column in &reduction.columns {
            for (colour, &cell) in self.of[column.set].iter_mut().zip(&column.of) {
                *colour = mix(*colour, cells[cell] as u64);
            }
        }
        for (k, &(cell, set)) in reduction.pointers.iter().enumerate() {
            let colour = &mut self.of[set][cells[cell] as usize];
            *colour = mix(*colour, !(k as u64));
        }
        if !reduction.links.is_empty() || !reduction.ties.is_empty() {
            (0..ROUNDS).for_each(|_| self.pass_on(reduction, cells));
        }
    }

    /// Mixes the colours of what an element is linked to into its own.
    fn pass_on(&mut self, reduction: &Reduction, cells: &[i32]) {
        self.next.clone_from(&self.of);
        let (of, next) = (&self.of, &mut self.next);
        for (k, link) in (1u64..).zip(&reduction.links) {
            for (from, &cell) in link.of.iter().enumerate() {
                let to = cells[cell] as usize;
                let is_loop = u64::from(link.from == link.to && from == to);
                let (here, there) = (of[link.from][from], of[link.to][to]);
                add(&mut next[link.from][from], mix(mix(there, k << 2), is_loop));
                add(&mut next[link.to][to], mix(mix(here, k << 2 | 1), is_loop));
            }
        }
        for tie in &reduction.ties {
            let value = cells[tie.cell];
            let held_in = |set: usize| (set, value as usize);
            let held = tie.to.map_or(value as u64, |set| of[set][value as usize]);
            // Which of them are the same element is a difference of its own.
            let first = |end: &(usize, usize)| {
                (0u64..).zip(&tie.ends).find(|(_, e)| *e == end).map_or(99, |(k, _)| k)
            };
            let loops = tie.to.map_or(0, |set| first(&held_in(set)));
            let whole = tie.ends.iter().fold(mix(mix(tie.family, held), loops), |sum, end| {
                mix(mix(sum, of[end.0][end.1]), first(end))
            });
            for (k, &(set, element)) in (2u64..).zip(&tie.ends) {
                add(&mut next[set][element], mix(whole, k));
            }
            if let Some((set, element)) = tie.to.map(held_in) {
                add(&mut next[set][element], mix(whole, 1));
            }
        }
        std::mem::swap(&mut self.of, &mut self.next);
    }

    /// Notes where the clocks of elements lie in the zone.
    fn place<Z: Zone>(&mut self, reduction: &Reduction, state: &State<Z>) {
        self.positions.clear();
        if reduction.clocks.is_empty() {
            return;
        }
        let last = reduction.clocks.iter().flat_map(|column| &column.of).max();
        self.positions.resize(last.map_or(0, |&clock| clock.index() + 1), 0);
        for (at, &clock) in state.clocks.iter().enumerate() {
            if let Some(position) = self.positions.get_mut(clock.index()) {
                *position = at + 1;
            }
        }
    }

    /// Sorts the elements of a set.
    fn sort_set<B: Bound>(&mut self, reduction: &Reduction, set: usize, zone: &Dbm<B>) {
        let Colours { of, orders, ranks, positions, .. } = self;
        let (colours, order, ranks) = (&of[set], &mut orders[set], &mut ranks[set]);
        order.clear();
        order.extend(0..colours.len());
        order.sort_by_key(|&e| colours[e]);
        ranks.clear();
        ranks.resize(colours.len(), 0);
        let clocks = reduction.clocks.iter().filter(|column| column.set == set);
        let columns: Vec<&[ClockId]> = clocks.map(|column| &column.of[..]).collect();
        let mut before = 0;
        for group in order.chunk_by_mut(|&a, &b| colours[a] == colours[b]) {
            group.iter().for_each(|&e| ranks[e] = before);
            sort_by_clocks(group, &columns, positions, zone, ranks);
            before += group.len();
        }
    }

    /// Tells elements apart by what those are that they are linked to; where that is not enough,
    /// one of them is taken as the first, whichever it is, and all is looked at again.
    fn sort_linked(&mut self, reduction: &Reduction, cells: &[i32]) {
        for _ in 0..MOST_CHOICES {
            for (colours, ranks) in self.of.iter_mut().zip(&self.ranks) {
                let ranked = colours.iter_mut().zip(ranks);
                ranked.for_each(|(colour, &rank)| *colour = mix(*colour, rank as u64));
            }
            self.pass_on(reduction, cells);
            for set in 0..self.of.len() {
                let (colours, ranks) = (&self.of[set], &mut self.ranks[set]);
                let key = |e: usize, ranks: &[usize]| (ranks[e], colours[e]);
                let order = &mut self.orders[set];
                order.sort_by_key(|&e| key(e, ranks));
                let old = ranks.clone();
                let mut before = 0;
                for group in order.chunk_by(|&a, &b| key(a, &old) == key(b, &old)) {
                    group.iter().for_each(|&e| ranks[e] = before);
                    before += group.len();
                }
            }
            let chosen = (0..self.of.len()).find_map(|set| {
                let ranks = &self.ranks[set];
                let tied = |pair: &&[usize]| ranks[pair[0]] == ranks[pair[1]];
                self.orders[set].windows(2).find(tied).map(|pair| (set, pair[0]))
            });
            let Some((set, first)) = chosen else { return };
            let rank = self.ranks[set][first];
            let others = self.ranks[set].iter_mut().enumerate();
            let others = others.filter(|(e, r)| **r == rank && *e != first);
            others.for_each(|(_, r)| *r += 1);
        }
    }
}

/// Sorts elements of one colour by the order of their clocks, then by their bounds; adds to the
/// ranks of those that come later.
fn sort_by_clocks<B: Bound>(
    group: &mut [usize],
    columns: &[&[ClockId]],
    positions: &[usize],
    zone: &Dbm<B>,
    ranks: &mut [usize],
) {
    let place = |column: &[ClockId], e: usize| positions[column[e].index()];
    if group.len() < 2 || columns.iter().all(|column| group.iter().all(|&e| place(column, e) == 0))
    {
        return;
    }
    let mut keys: Vec<(Vec<Key<B>>, u64, usize)> = Vec::with_capacity(group.len());
    for &e in group.iter() {
        let key = |column: &&[ClockId]| {
            let here = place(column, e);
            if here == 0 {
                return Key { later: 0, lower: B::ZERO, upper: B::ZERO };
            }
            let is_before = |&&f: &&usize| zone.get(here, place(column, f)) <= B::ZERO;
            let later = group.iter().filter(is_before).count();
            Key { later, lower: zone.get(0, here), upper: zone.get(here, 0) }
        };
        let key: Vec<Key<B>> = columns.iter().map(key).collect();
        keys.push((key, 0, e));
    }
    keys.sort_by(|a, b| a.0.cmp(&b.0));
    if keys.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        for (_, profile, e) in &mut keys {
            let of = |column: &&[ClockId]| profile_of(place(column, *e), zone);
            *profile = columns.iter().map(of).fold(0, mix);
        }
        keys.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    }
    let mut rank = 0;
    for (k, (key, profile, e)) in keys.iter().enumerate() {
        if k > 0 && (key, profile) != (&keys[k - 1].0, &keys[k - 1].1) {
            rank = k;
        }
        group[k] = *e;
        ranks[*e] += rank;
    }
}

/// What is compared of one clock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key<B> {
    /// How many of the others are never before it.
    later: usize,
    lower: B,
    upper: B,
}

/// A number for the bounds between a clock and all others, in any order.
fn profile_of<B: Bound>(clock: usize, zone: &Dbm<B>) -> u64 {
    let mut sum = 0;
    for other in 1..zone.dim() {
        let bound = |b: B| match b == B::INFINITY {
            true => u64::MAX,
            false => (b.value() as u64).wrapping_mul(2) + u64::from(b.is_strict()),
        };
        let (there, back) = (zone.get(clock, other), zone.get(other, clock));
        add(&mut sum, mix(mix(7, bound(there)), bound(back)));
    }
    sum
}

/// A well spread number out of two.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    ((product >> 64) as u64 ^ product as u64).rotate_left(23).wrapping_add(a).wrapping_add(b << 1)
}

#[inline]
fn add(sum: &mut u64, part: u64) {
    *sum = sum.wrapping_add(part);
}
