//! Which variable to decide next: the one that took part in conflicts most and last (Moskewicz et al. 2001).

use crate::literal::Var;

const ABSENT: u32 = u32::MAX;

/// A heap of variables by activity.
#[derive(Debug)]
pub(crate) struct Activity {
    score: Vec<f64>,
    heap: Vec<Var>,
    /// Where each variable stands in the heap.
    place: Vec<u32>,
    /// Variables that are never decided by activity.
    is_passive: Vec<bool>,
    bump: f64,
    decay: f64,
}

impl Activity {
    pub(crate) fn new() -> Activity {
        Activity {
            score: Vec::new(),
            heap: Vec::new(),
            place: Vec::new(),
            is_passive: Vec::new(),
            bump: 1.0,
            decay: 0.95,
        }
    }

    pub(crate) fn add(&mut self, var: Var, is_passive: bool) {
        debug_assert_eq!(var.index(), self.score.len());
        self.score.push(0.0);
        self.place.push(ABSENT);
        self.is_passive.push(is_passive);
        self.put_back(var);
    }

    pub(crate) fn bump(&mut self, var: Var) {
        let score = &mut self.score[var.index()];
        *score += self.bump;
        if *score > 1e100 {
            self.score.iter_mut().for_each(|score| *score *= 1e-100);
            self.bump *= 1e-100;
        }
        if self.place[var.index()] != ABSENT {
            self.up(self.place[var.index()] as usize);
        }
    }

    pub(crate) fn decay(&mut self) {
        self.bump /= self.decay;
    }

    /// The most active one, which leaves the heap.
    pub(crate) fn pop(&mut self) -> Option<Var> {
        let last = self.heap.len().checked_sub(1)?;
        self.swap(0, last);
        let var = self.heap.pop()?;
        self.place[var.index()] = ABSENT;
        if !self.heap.is_empty() {
            self.down(0);
        }
        Some(var)
    }

    /// A variable may be decided again.
    pub(crate) fn put_back(&mut self, var: Var) {
        if self.place[var.index()] == ABSENT && !self.is_passive[var.index()] {
            self.place[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.place[self.heap[a].index()] = a as u32;
        self.place[self.heap[b].index()] = b as u32;
    }

    fn is_before(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.heap[a], self.heap[b]);
        let (first, second) = (self.score[a.index()], self.score[b.index()]);
        first > second || (first == second && a < b)
    }

    fn up(&mut self, mut at: usize) {
        while at > 0 && self.is_before(at, (at - 1) / 2) {
            self.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn down(&mut self, mut at: usize) {
        loop {
            let left = 2 * at + 1;
            if left >= self.heap.len() {
                return;
            }
            let right = left + 1;
            let child =
                if right < self.heap.len() && self.is_before(right, left) { right } else { left };
            if !self.is_before(child, at) {
                return;
            }
            self.swap(at, child);
            at = child;
        }
    }
}
