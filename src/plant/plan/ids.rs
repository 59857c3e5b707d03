//! Positions in lists as types of their own, so that none is taken for a position in another list.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// A position in an [`IdVec`].
pub trait Id: Copy {
    fn at(index: usize) -> Self;
    fn index(self) -> usize;

    fn before(self) -> Option<Self> {
        self.index().checked_sub(1).map(Self::at)
    }

    fn next(self) -> Self {
        Self::at(self.index() + 1)
    }
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

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                self.0.fmt(f)
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
    PoolId,
    FamilyId,
    RecipeId,
    OrderId,
    /// Orders that others wait for.
    GroupId,
    /// A step of a recipe, and so of its orders.
    StepId,
}

/// A list whose positions are of one type. What needs no position is asked of the slice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> IdVec<I, T> {
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::at(self.items.len() - 1)
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + Clone + use<I, T> {
        (0..self.items.len()).map(I::at)
    }

    /// The position that the next item will have.
    pub fn next_id(&self) -> I {
        I::at(self.items.len())
    }

    /// A list with the same positions, all alike.
    pub fn filled<U: Clone>(&self, item: U) -> IdVec<I, U> {
        IdVec { items: vec![item; self.items.len()], id: PhantomData }
    }

    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + Clone {
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

impl<I, T> Deref for IdVec<I, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<I, T> DerefMut for IdVec<I, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<I, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> std::vec::IntoIter<T> {
        self.items.into_iter()
    }
}

impl<'a, I, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.items.iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut IdVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> std::slice::IterMut<'a, T> {
        self.items.iter_mut()
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
