//! Tasks of which no two may run at a time, by themselves.

use super::bench::{Bench, Subject};
use super::judge::Rule;
use super::{draw, each_bench};
use crate::disjunctive::Disjunctive;

#[test]
fn sets_of_tasks_set_what_follows_and_say_why() {
    each_bench(500, |r| {
        let base = draw::base(r);
        let (numbers, choices) = (r.within(2, 5) as usize, r.below(4));
        let mut ranges = draw::ranges(r, numbers, choices, base, 6000);
        ranges[..numbers].iter_mut().for_each(|range| range.0 = range.0.min(base));
        let rule = draw::disjunctive(r, &ranges, base);
        let Rule::Disjunctive { spans, before } = rule.clone() else { unreachable!("spans") };
        let subject = Subject::Redundant(Box::new(Disjunctive::new(spans, before)));
        Bench::new(&ranges, vec![rule], subject)
    });
}
