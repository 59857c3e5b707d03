//! Zones as difference bound matrices; knows nothing of automata.
//!
//! # Notation
//! A zone over clocks `1..dim` is the set of valuations with `x_i - x_j < c` (or `<= c`) for the
//! bound `(i, j)` of the matrix; clock 0 is the constant 0. A matrix is *closed* if no bound can be
//! tightened without losing valuations (every bound is a shortest path). Every operation
//! requires and ensures a closed, non-empty matrix unless it says otherwise. Clocks are
//! never negative: row 0 is at most `<= 0`.
//!
//! After Dill (1989) and Bengtsson, Yi: Timed automata: semantics, algorithms and tools (2004).

mod bound;
mod extrapolate;
mod federation;
mod minimise;

pub use bound::Bound;
pub use extrapolate::{ClockLimits, NO_LIMIT, is_simulated};
pub use federation::subtract;
pub use minimise::{Minimum, NoMinimum};

/// How many bounds are looked at together.
const LANES: usize = 8;

/// A closed difference bound matrix, row by row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Dbm<B> {
    dim: usize,
    cells: Vec<B>,
}

/// Where a clock of a reshaped zone comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<B> {
    /// It is this clock of the old zone.
    Kept(usize),
    /// It is set to the value of this non-strict bound.
    Set(B),
}

impl<B: Bound> Dbm<B> {
    /// The single valuation in which every clock is 0.
    pub fn zero(dim: usize) -> Dbm<B> {
        Dbm { dim, cells: vec![B::ZERO; dim * dim] }
    }

    /// All valuations without negative values.
    pub fn universe(dim: usize) -> Dbm<B> {
        let mut zone = Dbm { dim, cells: vec![B::INFINITY; dim * dim] };
        for i in 0..dim {
            zone.cells[i] = B::ZERO;
            zone.cells[i * dim + i] = B::ZERO;
        }
        zone
    }

    /// Takes over a closed matrix.
    pub fn copy_from(&mut self, dim: usize, cells: &[B]) {
        debug_assert_eq!(cells.len(), dim * dim);
        self.dim = dim;
        self.cells.clear();
        self.cells.extend_from_slice(cells);
    }

    pub fn dim(&self) -> usize {
        self.dim
    }

    pub fn cells(&self) -> &[B] {
        &self.cells
    }

    #[inline(always)]
    pub fn get(&self, i: usize, j: usize) -> B {
        self.cells[i * self.dim + j]
    }

    #[inline(always)]
    fn set(&mut self, i: usize, j: usize, bound: B) {
        self.cells[i * self.dim + j] = bound;
    }

    /// Whether some valuation of the zone satisfies `x_i - x_j` within `bound`.
    #[inline]
    pub fn meets(&self, i: usize, j: usize, bound: B) -> bool {
        bound == B::INFINITY || self.get(j, i).plus(bound) >= B::ZERO
    }

    /// Intersects with `x_i - x_j` within `bound`; false (and then unusable) if nothing is left.
    #[inline]
    pub fn constrain(&mut self, i: usize, j: usize, bound: B) -> bool {
        if bound >= self.get(i, j) {
            return true;
        }
        if self.get(j, i).plus(bound) < B::ZERO {
            return false;
        }
        self.set(i, j, bound);
        self.close_over(i, j);
        true
    }

    /// Closes a matrix that was closed before the bound `(i, j)` was lowered: every shorter
    /// path leads over that bound.
    fn close_over(&mut self, i: usize, j: usize) {
        let dim = self.dim;
        let bound = self.get(i, j);
        for p in 0..dim {
            let to_i = self.cells[p * dim + i];
            if to_i == B::INFINITY {
                continue;
            }
            let head = to_i.plus(bound);
            if p != i && head >= self.cells[p * dim + j] {
                continue;
            }
            if p == j {
                continue;
            }
            lower_row(&mut self.cells, dim, p, j, head);
        }
    }

    /// Closes an arbitrary matrix (Floyd and Warshall); false if it is empty.
    pub fn close(&mut self) -> bool {
        let dim = self.dim;
        for k in 0..dim {
            for p in 0..dim {
                let head = self.cells[p * dim + k];
                if p != k && head != B::INFINITY {
                    lower_row(&mut self.cells, dim, p, k, head);
                }
            }
        }
        (0..dim).all(|i| self.get(i, i) >= B::ZERO)
    }

    /// Lets any time pass: all valuations `v + d` with `v` in the zone.
    #[inline]
    pub fn up(&mut self) {
        for i in 1..self.dim {
            self.cells[i * self.dim] = B::INFINITY;
        }
    }

    /// Lets time pass as long as every `x_i` stays within its bound, for all `(i, bound)` given;
    /// false (and then unusable) if they do not even hold before.
    ///
    /// A shortest path passes clock 0 once, so it takes at most one of the new bounds, and one
    /// pass over the matrix closes it.
    pub fn up_within(&mut self, limits: impl Iterator<Item = (usize, B)> + Clone) -> bool {
        if limits.clone().any(|(i, bound)| self.get(0, i).plus(bound) < B::ZERO) {
            return false;
        }
        let dim = self.dim;
        for p in 1..dim {
            let row = &self.cells[p * dim..][..dim];
            let head = limits.clone().map(|(i, bound)| row[i].plus(bound)).min();
            let head = head.unwrap_or(B::INFINITY);
            self.cells[p * dim] = head;
            if head != B::INFINITY {
                lower_row(&mut self.cells, dim, p, 0, head);
                self.cells[p * dim] = head;
            }
        }
        true
    }

    /// All valuations `v >= 0` from which the zone is reached by letting time pass.
    pub fn down(&mut self) {
        for j in 1..self.dim {
            let lowest = (1..self.dim).map(|i| self.get(i, j)).min().unwrap_or(B::ZERO);
            self.set(0, j, lowest.min(B::ZERO));
        }
    }

    /// Forgets all about a clock but that it is not negative.
    pub fn free(&mut self, clock: usize) {
        for j in 0..self.dim {
            if j != clock {
                self.set(clock, j, B::INFINITY);
                self.set(j, clock, self.get(j, 0));
            }
        }
    }

    /// Becomes the zone over other clocks: clock `i + 1` is what `origins[i]` says of `source`.
    /// Clocks of `source` that are not named are projected away. Resets, projection,
    /// introduction and renaming of clocks in one pass; the result needs no closing.
    pub fn reshape_from(&mut self, source: &Dbm<B>, origins: &[Origin<B>]) {
        self.dim = origins.len() + 1;
        self.cells.clear();
        self.cells.reserve(self.dim * self.dim);
        let is_other =
            |origin: &Origin<B>| matches!(origin, Origin::Set(value) if *value != B::ZERO);
        match origins.iter().any(is_other) {
            false => self.pick_rows(source, origins),
            true => {
                self.push_row(source, Origin::Kept(0), origins);
                origins.iter().for_each(|&row| self.push_row(source, row, origins));
            }
        }
        for i in 0..self.dim {
            self.set(i, i, B::ZERO);
        }
    }

    /// A clock that is set to 0 is like the constant 0: all bounds are bounds of the source.
    fn pick_rows(&mut self, source: &Dbm<B>, origins: &[Origin<B>]) {
        let old = |origin: &Origin<B>| match *origin {
            Origin::Kept(i) => i,
            Origin::Set(_) => 0,
        };
        for row in std::iter::once(0).chain(origins.iter().map(old)) {
            let from = &source.cells[row * source.dim..][..source.dim];
            self.cells.push(from[0]);
            self.cells.extend(origins.iter().map(|origin| from[old(origin)]));
        }
    }

    fn push_row(&mut self, source: &Dbm<B>, row: Origin<B>, origins: &[Origin<B>]) {
        let (from, plus) = match row {
            Origin::Kept(i) => (i, B::ZERO),
            Origin::Set(value) => (0, value),
        };
        let from = &source.cells[from * source.dim..][..source.dim];
        self.cells.push(from[0].plus(plus));
        for &column in origins {
            self.cells.push(match column {
                Origin::Kept(j) => from[j].plus(plus),
                Origin::Set(value) => from[0].plus(plus).plus(B::new(-value.value(), false)),
            });
        }
    }

    /// Whether every valuation of this zone belongs to `other`.
    pub fn is_subset_of(&self, other: &Dbm<B>) -> bool {
        debug_assert_eq!(self.dim, other.dim);
        is_below(&self.cells, &other.cells)
    }

    /// Intersects with a closed zone over the same clocks; false if nothing is left.
    pub fn intersect(&mut self, other: &Dbm<B>) -> bool {
        debug_assert_eq!(self.dim, other.dim);
        for i in 0..self.dim {
            for j in 0..self.dim {
                if other.get(i, j) < self.get(i, j) && !self.constrain(i, j, other.get(i, j)) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether time can pass without bound from every valuation.
    pub fn is_unbounded(&self) -> bool {
        (1..self.dim).all(|i| self.get(i, 0) == B::INFINITY)
    }
}

/// Whether each bound of `a` is at most the one of `b`: inclusion of closed matrices.
#[inline]
pub fn is_below<B: Bound>(a: &[B], b: &[B]) -> bool {
    // Chunks without an early exit inside: they turn into vector instructions.
    let (a_chunks, a_rest) = a.as_chunks::<16>();
    let (b_chunks, b_rest) = b.as_chunks::<16>();
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        let mut worse = false;
        for k in 0..16 {
            worse |= x[k] > y[k];
        }
        if worse {
            return false;
        }
    }
    a_rest.iter().zip(b_rest).all(|(x, y)| x <= y)
}

/// Whether two closed matrices of one dimension contradict each other in a single bound: their
/// zones then have no valuation in common.
pub fn are_apart<B: Bound>(dim: usize, a: &[B], b: &[B]) -> bool {
    (0..dim).any(|i| {
        (0..i).any(|j| {
            let (there, back) = (i * dim + j, j * dim + i);
            a[there].plus(b[back]) < B::ZERO || b[there].plus(a[back]) < B::ZERO
        })
    })
}

/// Lowers row `p` to what leads over clock `k`: `min(d[p][q], head + d[k][q])`. `p != k`.
#[inline]
fn lower_row<B: Bound>(cells: &mut [B], dim: usize, p: usize, k: usize, head: B) {
    let (row, via) = if p < k {
        let (low, high) = cells.split_at_mut(k * dim);
        (&mut low[p * dim..][..dim], &high[..dim])
    } else {
        let (low, high) = cells.split_at_mut(p * dim);
        (&mut high[..dim], &low[k * dim..][..dim])
    };
    // Most rows are short: fixed lengths turn into vector instructions all the same.
    let (row, row_rest) = row.as_chunks_mut::<LANES>();
    let (via, via_rest) = via.as_chunks::<LANES>();
    for (cells, tails) in row.iter_mut().zip(via) {
        for k in 0..LANES {
            cells[k] = shorter(cells[k], head, tails[k]);
        }
    }
    for (cell, &tail) in row_rest.iter_mut().zip(via_rest) {
        *cell = shorter(*cell, head, tail);
    }
}

/// The bound, or that of the way over another clock if it is less. `head` is not infinity.
#[inline(always)]
fn shorter<B: Bound>(bound: B, head: B, tail: B) -> B {
    let sum = if tail == B::INFINITY { B::INFINITY } else { head.plus_finite(tail) };
    if sum < bound { sum } else { bound }
}

#[cfg(test)]
mod tests;
