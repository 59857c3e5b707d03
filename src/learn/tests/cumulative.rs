//! Shared capacities by themselves.

use super::bench::{Bench, Subject};
use super::judge::Rule;
use super::{draw, each_bench};
use crate::cumulative::Cumulative;

#[test]
fn capacities_set_what_follows_and_say_why() {
    each_bench(500, |r| {
        let base = draw::base(r);
        let (numbers, choices) = (r.within(1, 4) as usize, r.below(3));
        let mut ranges = draw::ranges(r, numbers, choices, base, 1500);
        // Where little is open, much is certainly taken.
        for range in ranges.iter_mut().take(numbers) {
            range.0 = range.0.min(base + 1);
            range.1 = range.1.clamp(range.0, range.0 + r.within(1, 4));
        }
        let rule = draw::cumulative(r, &ranges, base);
        let Rule::Cumulative { tasks, capacity } = rule.clone() else { unreachable!("tasks") };
        let subject = Subject::Propagator(Box::new(Cumulative::new(tasks, capacity)));
        Bench::new(&ranges, vec![rule], subject)
    });
}
