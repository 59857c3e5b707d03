//! When a search ends early: because it is told to, or because it has done enough.

use crate::layout::Infinite;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Whoever waits has had enough.
    Told,
    /// The search has looked at as many states as it may.
    Tired,
}

/// Whoever waits for a rhythm.
pub trait Listener {
    /// Whether it has had enough, after so many states.
    fn is_over(&mut self, looked_at: u64) -> bool;

    /// This schedule is better than those before it; it may be the last one.
    fn found(&mut self, _schedule: &Infinite) {}
}

impl<F: FnMut() -> bool> Listener for F {
    fn is_over(&mut self, _looked_at: u64) -> bool {
        self()
    }
}

pub struct Budget<'a> {
    watch: &'a mut dyn Listener,
    /// Whoever has had enough once has it for good.
    is_told: bool,
    left: u64,
    /// States looked at so far.
    pub looked_at: u64,
}

/// How many states are looked at between two questions.
const PATIENCE: u64 = 32;

impl<'a> Budget<'a> {
    pub fn new(watch: &'a mut dyn Listener) -> Budget<'a> {
        Budget { watch, is_told: false, left: 0, looked_at: 0 }
    }

    /// What follows may look at so many states.
    pub fn allow(&mut self, states: u64) {
        self.left = states;
    }

    /// Whether whoever waits has had enough.
    pub fn is_told(&mut self) -> bool {
        self.is_told = self.is_told || self.watch.is_over(self.looked_at);
        self.is_told
    }

    /// Tells whoever waits of a better schedule.
    pub fn tell(&mut self, schedule: &Infinite) {
        self.watch.found(schedule);
    }

    /// How much of what was allowed is left.
    pub fn left(&self) -> u64 {
        self.left
    }

    pub fn tick(&mut self) -> Result<(), Stopped> {
        self.looked_at += 1;
        if self.is_told || self.looked_at.is_multiple_of(PATIENCE) && self.is_told() {
            return Err(Stopped::Told);
        }
        self.left = self.left.checked_sub(1).ok_or(Stopped::Tired)?;
        Ok(())
    }
}
