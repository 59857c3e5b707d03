//! Calendars by themselves.

use super::bench::{Bench, Subject};
use super::judge::Rule;
use super::{draw, each_bench};

#[test]
fn calendars_set_what_follows_and_say_why() {
    each_bench(500, |r| {
        let base = draw::base(r);
        let (numbers, choices) = (r.within(1, 3) as usize, r.below(3));
        let ranges = draw::ranges(r, numbers, choices, base, 1500);
        let rule = draw::timing(r, &ranges, base);
        let Rule::Timing(timing) = rule.clone() else { unreachable!("a calendar") };
        let subject = Subject::Propagator(Box::new(timing));
        Bench::new(&ranges, vec![rule], subject)
    });
}
