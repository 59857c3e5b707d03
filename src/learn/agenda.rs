//! Which propagators have to look at the bounds again: quick ones first, and among equals whoever was woken first.

use std::collections::VecDeque;

#[derive(Debug, Default)]
pub(crate) struct Agenda {
    quick: VecDeque<u32>,
    slow: VecDeque<u32>,
    /// Per propagator: whether it is slow, and whether it is on the list.
    known: Vec<(bool, bool)>,
}

impl Agenda {
    /// One more, which is woken at once.
    pub(crate) fn add(&mut self, is_slow: bool) {
        self.known.push((is_slow, false));
        self.wake(self.known.len() as u32 - 1);
    }

    pub(crate) fn wake(&mut self, number: u32) {
        let (is_slow, is_woken) = &mut self.known[number as usize];
        if !std::mem::replace(is_woken, true) {
            let queue = if *is_slow { &mut self.slow } else { &mut self.quick };
            queue.push_back(number);
        }
    }

    /// The next one, which leaves the list.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let number = self.quick.pop_front().or_else(|| self.slow.pop_front())?;
        self.known[number as usize].1 = false;
        Some(number)
    }
}
