//! What the search needs of the symbolic part of a state, whatever kind of zone it is.

use crate::dbm::{Bound, ClockLimits, Dbm, Origin, is_below, is_simulated};

/// A symbolic set of clock valuations (and later of what they cost).
///
/// A stored zone is a slice of words whose length depends on its dimension alone, so that a store
/// can keep zones of one dimension side by side.
pub trait Zone: Clone + Default {
    type Bound: Bound;
    type Word: Copy + Eq;

    /// The valuations, without anything that is attached to them.
    fn dbm(&self) -> &Dbm<Self::Bound>;
    /// Takes over these valuations.
    fn set_dbm(&mut self, dbm: Dbm<Self::Bound>);
    /// Intersects; false if nothing is left.
    fn constrain(&mut self, i: usize, j: usize, bound: Self::Bound) -> bool;
    /// Resets, projects and renames clocks (see [`Dbm::reshape_from`]).
    fn reshape_from(&mut self, source: &Self, origins: &[Origin<Self::Bound>]);
    /// Lets time pass.
    fn delay(&mut self);
    fn extrapolate(&mut self, limits: &ClockLimits<Self::Bound>);

    /// How many words a stored zone of this dimension has.
    fn stored_len(dim: usize) -> usize;
    fn stored(&self) -> &[Self::Word];
    fn restore(&mut self, dim: usize, words: &[Self::Word]);
    /// Whether all of `a` is in `b`, both stored and of one dimension; with limits, whether
    /// `b` can do all that `a` can.
    fn is_covered(
        a: &[Self::Word],
        b: &[Self::Word],
        limits: Option<&ClockLimits<Self::Bound>>,
    ) -> bool;
}

impl<B: Bound> Zone for Dbm<B> {
    type Bound = B;
    type Word = B;

    fn dbm(&self) -> &Dbm<B> {
        self
    }

    fn set_dbm(&mut self, dbm: Dbm<B>) {
        *self = dbm;
    }

    #[inline]
    fn constrain(&mut self, i: usize, j: usize, bound: B) -> bool {
        Dbm::constrain(self, i, j, bound)
    }

    fn reshape_from(&mut self, source: &Self, origins: &[Origin<B>]) {
        Dbm::reshape_from(self, source, origins);
    }

    fn delay(&mut self) {
        self.up();
    }

    fn extrapolate(&mut self, limits: &ClockLimits<B>) {
        Dbm::extrapolate(self, limits);
    }

    fn stored_len(dim: usize) -> usize {
        dim * dim
    }

    fn stored(&self) -> &[B] {
        self.cells()
    }

    fn restore(&mut self, dim: usize, words: &[B]) {
        self.copy_from(dim, words);
    }

    #[inline]
    fn is_covered(a: &[B], b: &[B], limits: Option<&ClockLimits<B>>) -> bool {
        is_below(a, b) || limits.is_some_and(|limits| is_simulated(a, b, limits))
    }
}
