//! Sums by themselves.

use super::bench::{Bench, Subject};
use super::judge::Rule;
use super::{draw, each_bench};
use crate::linear::Linear;
use crate::literal::Var;

#[test]
fn sums_set_what_follows_and_say_why() {
    each_bench(500, |r| {
        let base = draw::base(r);
        let (numbers, choices) = (r.within(1, 4) as usize, r.below(2));
        let ranges = draw::ranges(r, numbers, choices, base, 1500);
        let rule = draw::sum(r, &ranges);
        let Rule::Sum { terms, limit } = rule.clone() else { unreachable!("a sum") };
        let side = |weight: i64, var: Var| if weight > 0 { var.upper() } else { var.lower() };
        let terms = terms.into_iter().filter(|term| term.0 != 0);
        let terms = terms.map(|(weight, var)| (weight.abs(), side(weight, var))).collect();
        let subject = Subject::Propagator(Box::new(Linear { terms, limit }));
        Bench::new(&ranges, vec![rule], subject)
    });
}
