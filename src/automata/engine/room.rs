//! Tables that grow while the search can still end for want of memory.
//!
//! A full table asks for memory when something is added, and if there is none, the process ends. So at
//! every poll, where the search can still end by itself, large tables make room for what comes until the
//! next poll. Small ones grow as they like.

use hashbrown::HashTable;
use std::collections::{BinaryHeap, TryReserveError, VecDeque};

/// From so many entries on a table is large.
const LARGE: usize = 1 << 16;

/// Something that can be made to have room for more.
pub trait Grow {
    fn len(&self) -> usize;
    fn capacity(&self) -> usize;
    /// Room for so many more, or for twice as many as there are.
    fn reserve(&mut self, more: usize) -> Result<(), TryReserveError>;
    fn reserve_exact(&mut self, more: usize) -> Result<(), TryReserveError>;

    /// False if there is no memory for what may come until the next poll.
    fn make_room(&mut self) -> bool {
        match wanted(self.len()) {
            Some(more) if self.capacity() - self.len() < more => {
                // Where twice as much cannot be had, a little more will do.
                self.reserve(more).is_ok() || self.reserve_exact(more).is_ok()
            }
            _ => true,
        }
    }
}

/// An eighth is more than any large table gains between two polls.
fn wanted(len: usize) -> Option<usize> {
    (len >= LARGE).then_some(len / 8)
}

macro_rules! grow {
    ($table:ty, $($bound:tt)*) => {
        impl<T: $($bound)*> Grow for $table {
            fn len(&self) -> usize {
                self.len()
            }

            fn capacity(&self) -> usize {
                self.capacity()
            }

            fn reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
                self.try_reserve(more)
            }

            fn reserve_exact(&mut self, more: usize) -> Result<(), TryReserveError> {
                self.try_reserve_exact(more)
            }
        }
    };
}

grow!(Vec<T>, Sized);
grow!(VecDeque<T>, Sized);
grow!(BinaryHeap<T>, Ord);

/// A hash table is copied when it grows, so that both are there for a while: `has_room` says whether
/// there is memory for so many bytes.
pub fn make_room<T>(
    table: &mut HashTable<T>,
    hash: impl Fn(&T) -> u64,
    has_room: &dyn Fn(usize) -> bool,
) -> bool {
    let Some(more) = wanted(table.len()) else { return true };
    if table.capacity() - table.len() >= more {
        return true;
    }
    // Twice the entries, a byte of hash for each, and one place in eight stays empty.
    let bytes = table.capacity() * 2 * (size_of::<T>() + 1) * 8 / 7;
    has_room(bytes) && table.try_reserve(more, hash).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_tables_have_room_for_an_eighth_more_and_small_ones_are_left_alone() {
        let mut small = Vec::from([0_u8; 100]);
        small.shrink_to_fit();
        assert!(small.make_room());
        assert_eq!(small.capacity(), 100);
        let mut large = vec![0_u8; LARGE];
        large.shrink_to_fit();
        assert!(large.make_room() && large.capacity() >= LARGE + LARGE / 8);
        let mut table = HashTable::new();
        for k in 0..LARGE as u64 {
            table.insert_unique(k, k, |k| *k);
        }
        table.shrink_to_fit(|k| *k);
        let full = table.capacity();
        if full - LARGE < LARGE / 8 {
            assert!(!make_room(&mut table, |k| *k, &|_| false));
            assert_eq!(table.capacity(), full);
        }
        assert!(make_room(&mut table, |k| *k, &|_| true));
        assert!(table.capacity() >= LARGE + LARGE / 8);
    }

    /// A failed allocation ended the process: the whole run was lost, whatever it had found.
    #[test]
    fn what_cannot_be_had_is_said() {
        struct Endless;
        impl Grow for Endless {
            fn len(&self) -> usize {
                LARGE
            }
            fn capacity(&self) -> usize {
                LARGE
            }
            fn reserve(&mut self, _: usize) -> Result<(), TryReserveError> {
                Vec::<u8>::new().try_reserve(usize::MAX)
            }
            fn reserve_exact(&mut self, _: usize) -> Result<(), TryReserveError> {
                Vec::<u8>::new().try_reserve(usize::MAX)
            }
        }
        assert!(!Endless.make_room());
    }
}
