//! Positions in lists as types of their own, so that none is taken for a position in another list.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A position in an [`IdVec`].
pub trait Id: Copy {
    fn at(index: usize) -> Self;
    fn index(self) -> usize;
}

/// For lists whose positions have no type of their own.
impl Id for usize {
    fn at(index: usize) -> usize {
        index
    }

    fn index(self) -> usize {
        self
    }
}

macro_rules! ids {
    ($($(#[$about:meta])* $name:ident,)+) => { $(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);

        impl Id for $name {
            fn at(index: usize) -> $name {
                $name(index)
            }

            fn index(self) -> usize {
                self.0
            }
        }
    )+ };
}

ids! {
    /// A calendar of a plan: one of the spec, or the common open time of several.
    CalendarId,
    /// A calendar of the spec.
    SourceId,
    /// A resource as the user named it, which may be several pools.
    ResourceId,
}

/// A list whose positions are of one type. What needs no position is asked of the slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> IdVec<I, T> {
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::at(self.items.len() - 1)
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::at)
    }

    /// The position that the next item will have.
    pub fn next_id(&self) -> I {
        I::at(self.items.len())
    }

    pub fn entries(&self) -> impl Iterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (I::at(index), item))
    }
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> IdVec<I, T> {
        IdVec { items: Vec::new(), id: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> IdVec<I, T> {
        IdVec { items: items.into_iter().collect(), id: PhantomData }
    }
}

impl<I, T> std::ops::Deref for IdVec<I, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}
