//! Ready-made controls: without limits, and with a budget that needs no clock.

use super::{Control, Progress, Stop};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// Never stops a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Control for Unlimited {
    fn poll(&self, _: &Progress) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

/// Stops a search, as a time limit would, after so many states or so many polls. Equal budgets end
/// equal searches of one thread at the same state.
#[derive(Debug)]
pub struct Budget {
    states: u64,
    polls: AtomicU64,
}

impl Budget {
    /// Ends at the first poll with at least so many states explored.
    pub fn states(states: u64) -> Budget {
        Budget { states, polls: AtomicU64::new(u64::MAX) }
    }

    /// Ends after so many polls.
    pub fn polls(polls: u64) -> Budget {
        Budget { states: u64::MAX, polls: AtomicU64::new(polls) }
    }
}

impl Control for Budget {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        let spend = |left: u64| Some(left.saturating_sub(1));
        let left = self.polls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend);
        match progress.explored >= self.states || left == Ok(0) {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_spent() {
        let polls = Budget::polls(2);
        let explored = |explored| Progress { explored, ..Progress::default() };
        assert!(polls.poll(&explored(1)).is_continue() && polls.poll(&explored(2)).is_continue());
        assert!(polls.poll(&explored(3)).is_break() && polls.poll(&explored(3)).is_break());
        let states = Budget::states(5);
        assert!(states.poll(&explored(4)).is_continue() && states.poll(&explored(5)).is_break());
        assert!(Unlimited.poll(&explored(u64::MAX)).is_continue());
    }
}
