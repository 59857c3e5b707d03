//! Places for slices of equal length, side by side, and for the zones of one dimension.
//!
//! Large zones share their rows: those of one search differ in few, and a number takes less room than
//! a row.

use super::room::{self, Grow};
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hash};
use std::hint::black_box;

/// Slices of equal length; the place of one that left is used again.
#[derive(Clone, Debug)]
pub struct Pool<W> {
    words: Vec<W>,
    len: u32,
    free: Vec<u32>,
}

/// Zones of one dimension, as they are stored.
#[derive(Clone, Debug)]
pub enum Zones<W> {
    Whole(Pool<W>),
    /// The numbers of their rows.
    ByRows(Pool<u32>, Rows<W>),
}

/// Different rows of one length; they stay for good.
#[derive(Clone, Debug)]
pub struct Rows<W> {
    words: Vec<W>,
    len: usize,
    count: u32,
    index: HashTable<u32>,
    hasher: foldhash::fast::FixedState,
    /// The rows of the zone that is put.
    numbers: Vec<u32>,
}

impl<W> Default for Pool<W> {
    fn default() -> Pool<W> {
        Pool { words: Vec::new(), len: 0, free: Vec::new() }
    }
}

impl<W: Copy> Pool<W> {
    pub fn get(&self, place: u32, len: usize) -> &[W] {
        &self.words[place as usize * len..][..len]
    }

    pub fn put(&mut self, words: &[W]) -> u32 {
        match self.free.pop() {
            Some(place) => {
                let start = place as usize * words.len();
                self.words[start..start + words.len()].copy_from_slice(words);
                place
            }
            None => {
                self.words.extend_from_slice(words);
                self.len += 1;
                self.len - 1
            }
        }
    }

    pub fn free(&mut self, place: u32) {
        self.free.push(place);
    }

    /// False if there is no memory to grow.
    pub fn make_room(&mut self) -> bool {
        self.words.make_room() && self.free.make_room()
    }
}

impl<W: Copy + Eq + Hash> Zones<W> {
    /// Looks at a zone, so that it is at hand soon after.
    pub fn touch(&self, place: u32, len: usize) {
        if let Zones::Whole(pool) = self {
            let words = pool.get(place, len);
            black_box((words.first().copied(), words.get(len / 2).copied()));
        }
    }

    pub fn whole() -> Zones<W> {
        Zones::Whole(Pool::default())
    }

    /// For zones whose words are rows of this length.
    pub fn by_rows(len: usize) -> Zones<W> {
        let rows = Rows {
            words: Vec::new(),
            len,
            count: 0,
            index: HashTable::new(),
            hasher: foldhash::fast::FixedState::default(),
            numbers: Vec::new(),
        };
        Zones::ByRows(Pool::default(), rows)
    }

    /// The words, so many of them; `room` may be used for them.
    #[inline]
    pub fn get<'a>(&'a self, place: u32, len: usize, room: &'a mut Vec<W>) -> &'a [W] {
        match self {
            Zones::Whole(pool) => pool.get(place, len),
            Zones::ByRows(pool, rows) => {
                room.clear();
                for &row in pool.get(place, len / rows.len) {
                    room.extend_from_slice(rows.get(row));
                }
                room
            }
        }
    }

    pub fn put(&mut self, words: &[W]) -> u32 {
        match self {
            Zones::Whole(pool) => pool.put(words),
            Zones::ByRows(pool, rows) => pool.put(rows.number(words)),
        }
    }

    pub fn free(&mut self, place: u32) {
        match self {
            Zones::Whole(pool) => pool.free(place),
            Zones::ByRows(pool, _) => pool.free(place),
        }
    }

    /// False if there is no memory to grow; `has_room` says whether there is some for so many bytes.
    pub fn make_room(&mut self, has_room: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Zones::Whole(pool) => pool.make_room(),
            Zones::ByRows(pool, rows) => pool.make_room() && rows.make_room(has_room),
        }
    }
}

impl<W: Copy + Eq + Hash> Rows<W> {
    fn get(&self, row: u32) -> &[W] {
        &self.words[row as usize * self.len..][..self.len]
    }

    fn number(&mut self, words: &[W]) -> &[u32] {
        self.numbers.clear();
        for row in words.chunks_exact(self.len) {
            let hash = self.hasher.hash_one(row);
            let found = self.index.find(hash, |&number| self.get(number) == row).copied();
            let number = found.unwrap_or_else(|| self.add(hash, row));
            self.numbers.push(number);
        }
        &self.numbers
    }

    fn make_room(&mut self, has_room: &dyn Fn(usize) -> bool) -> bool {
        let Rows { words, len, index, hasher, .. } = self;
        let hash = |words: &[W], row: u32| hasher.hash_one(&words[row as usize * *len..][..*len]);
        words.make_room() && room::make_room(index, |&row| hash(words, row), has_room)
    }

    fn add(&mut self, hash: u64, row: &[W]) -> u32 {
        let number = self.count;
        self.count += 1;
        self.words.extend_from_slice(row);
        let Rows { words, len, index, hasher, .. } = self;
        index.insert_unique(hash, number, |&other| {
            hasher.hash_one(&words[other as usize * *len..][..*len])
        });
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_by_rows_come_back_and_share() {
        let mut zones = Zones::by_rows(3);
        let (a, b) = ([1, 2, 3, 4, 5, 6, 1, 2, 3], [4, 5, 6, 1, 2, 3, 7, 8, 9]);
        let places = [zones.put(&a), zones.put(&b)];
        let mut room = Vec::new();
        assert_eq!(zones.get(places[0], 9, &mut room), a);
        assert_eq!(zones.get(places[1], 9, &mut room), b);
        zones.free(places[0]);
        assert_eq!(zones.put(&b), places[0]);
        assert_eq!(zones.get(places[0], 9, &mut room), b);
        let Zones::ByRows(_, rows) = &zones else { panic!("by rows") };
        assert_eq!(rows.count, 3);
    }
}
