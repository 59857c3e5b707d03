//! When a search ends early: because it is told to, or because it has done enough.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Whoever waits has had enough.
    Told,
    /// The search has looked at as many states as it may.
    Tired,
}

pub struct Stop<'a> {
    is_over: &'a mut dyn FnMut() -> bool,
    left: u64,
    /// States looked at so far.
    pub looked_at: u64,
}

/// How many states are looked at between two questions.
const PATIENCE: u64 = 32;

impl<'a> Stop<'a> {
    pub fn new(is_over: &'a mut dyn FnMut() -> bool) -> Stop<'a> {
        Stop { is_over, left: 0, looked_at: 0 }
    }

    /// What follows may look at so many states.
    pub fn allow(&mut self, states: u64) {
        self.left = states;
    }

    /// Whether whoever waits has had enough.
    pub fn is_told(&mut self) -> bool {
        (self.is_over)()
    }

    pub fn tick(&mut self) -> Result<(), Stopped> {
        self.looked_at += 1;
        if self.looked_at.is_multiple_of(PATIENCE) && (self.is_over)() {
            return Err(Stopped::Told);
        }
        self.left = self.left.checked_sub(1).ok_or(Stopped::Tired)?;
        Ok(())
    }
}
