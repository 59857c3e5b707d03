//! Where a finished result stands until something better takes its place: replayed, validated and
//! rendered, so that whoever has to end the run at once only writes it down.

use super::solution::Solution;
use std::sync::{Arc, Mutex, PoisonError};

/// Holds the best finished result.
#[derive(Debug, Default)]
pub struct Shelf(Mutex<Option<Arc<Solution>>>);

impl Shelf {
    /// A result that is no better than the one that stands there is dropped.
    pub fn put(&self, new: Solution) {
        let mut there = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if there.as_ref().is_none_or(|there| new.value < there.value) {
            *there = Some(Arc::new(new));
        }
    }

    /// What stands there, which stays.
    pub fn look(&self) -> Option<Arc<Solution>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::super::solution::Status;
    use super::*;
    use takt_spec::Exact;

    #[test]
    fn only_a_better_result_takes_the_place_of_one() {
        let shelf = Shelf::default();
        assert!(shelf.look().is_none());
        for value in [9, 11, 7, 8] {
            shelf.put(Solution {
                value: Some(Exact::from(value)),
                status: Status::Feasible,
                ..Solution::default()
            });
        }
        assert_eq!(shelf.look().and_then(|kept| kept.value), Some(Exact::from(7)));
    }
}
