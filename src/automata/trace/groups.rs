//! Unknown times that lie at fixed distances from each other, taken as one.
//!
//! A step ends so long after its start, and moves without delay between them happen at once: of
//! all the times of a run only few are free. Takes gaps between times; gives the same gaps between
//! the groups' first times.

use super::concretise::Gap;
use std::collections::BTreeMap;

/// Which group each time belongs to.
pub struct Groups {
    /// Per time, the first of its group and how much later it is.
    of: Vec<(usize, i64)>,
    /// The first time of each group; time 0 is that of the first group.
    pub firsts: Vec<usize>,
}

impl Groups {
    pub fn new(count: usize, gaps: &[Gap]) -> Groups {
        let mut ways: BTreeMap<(usize, usize), (i64, i64)> = BTreeMap::new();
        for gap in gaps {
            let way = ways.entry((gap.from, gap.to)).or_insert(gap.gap);
            *way = gap.gap.max(*way);
        }
        let mut neighbours = vec![Vec::new(); count];
        for (&(from, to), &(gap, tiny)) in &ways {
            let back = ways.get(&(to, from)).copied();
            // Strict bounds leave no fixed distance.
            if from != to && tiny == 0 && gap.checked_neg().is_some_and(|g| back == Some((g, 0))) {
                neighbours[from].push((to, gap));
            }
        }
        Groups::walk(&neighbours)
    }

    fn walk(neighbours: &[Vec<(usize, i64)>]) -> Groups {
        let mut of = vec![None; neighbours.len()];
        let mut firsts = Vec::new();
        for first in 0..neighbours.len() {
            if of[first].is_some() {
                continue;
            }
            firsts.push(first);
            of[first] = Some((first, 0));
            let mut waiting = vec![(first, 0i64)];
            while let Some((at, later)) = waiting.pop() {
                for &(to, gap) in &neighbours[at] {
                    let Some(sum) = later.checked_add(gap).filter(|_| of[to].is_none()) else {
                        continue;
                    };
                    of[to] = Some((first, sum));
                    waiting.push((to, sum));
                }
            }
        }
        let of = of.into_iter().map(|group| group.expect("every time was visited")).collect();
        Groups { of, firsts }
    }

    /// The gap that this one means between the first times of its groups. `None` where numbers
    /// become too large.
    pub fn between(&self, gap: &Gap) -> Option<Gap> {
        let ((from, from_later), (to, to_later)) = (self.of[gap.from], self.of[gap.to]);
        let units = gap.gap.0.checked_add(from_later)?.checked_sub(to_later)?;
        Some(Gap { from: self.place(from), to: self.place(to), gap: (units, gap.gap.1) })
    }

    /// The same linear function, up to a constant.
    pub fn rates(&self, rates: &[i64]) -> Option<Vec<i64>> {
        let mut sums = vec![0i64; self.firsts.len()];
        for (&rate, &(first, _)) in rates.iter().zip(&self.of) {
            let sum = &mut sums[self.place(first)];
            *sum = sum.checked_add(rate)?;
        }
        Some(sums)
    }

    fn place(&self, first: usize) -> usize {
        self.firsts.binary_search(&first).expect("the first time of a group")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(from: usize, to: usize, units: i64) -> Gap {
        Gap { from, to, gap: (units, 0) }
    }

    #[test]
    fn fixed_distances_make_groups() {
        // 1 is 5 after 0; 3 is 2 after 2; 2 is at least 1 after 1; 4 is strictly after 3.
        let strict = Gap { from: 3, to: 4, gap: (0, 1) };
        let gaps = [
            gap(0, 1, 5),
            gap(1, 0, -5),
            gap(0, 1, 3),
            gap(2, 3, 2),
            gap(3, 2, -2),
            gap(1, 2, 1),
            strict,
            gap(4, 3, 0),
        ];
        let groups = Groups::new(5, &gaps);
        assert_eq!(groups.firsts, [0, 2, 4]);
        let moved = groups.between(&gaps[5]).unwrap();
        assert_eq!((moved.from, moved.to, moved.gap), (0, 1, (6, 0)));
        let moved = groups.between(&strict).unwrap();
        assert_eq!((moved.from, moved.to, moved.gap), (1, 2, (2, 1)));
        assert_eq!(groups.rates(&[9, 1, 2, 3, 4]), Some(vec![10, 5, 4]));
    }
}
