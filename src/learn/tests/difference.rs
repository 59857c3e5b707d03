//! Differences by themselves, some of them under a literal.

use super::bench::{Bench, Subject};
use super::judge::{Ranges, Rule};
use super::{draw, each_bench};
use crate::difference::{Differences, Edge};
use crate::literal::{Lit, Side};

#[test]
fn differences_set_what_follows_and_say_why() {
    each_bench(500, |r| {
        let base = draw::base(r);
        let (numbers, choices) = (r.within(2, 4) as usize, r.below(4));
        let ranges = draw::ranges(r, numbers, choices, base, 1500);
        let mut differences = Differences::default();
        differences.grow(ranges.len() * 2);
        let mut rules = Vec::new();
        let mut begun = Vec::new();
        for _ in 0..r.within(1, 6) {
            let rule = draw::below(r, &ranges);
            let Rule::Below { target, source, weight, condition } = rule else { continue };
            // Whoever adds an edge sees to it that its ends differ and that its condition is open, and
            // says what follows of one without a condition.
            if target == source || condition.is_some_and(|lit| !is_open(lit, &ranges)) {
                continue;
            }
            let latest = |side: Side| {
                let (least, most) = ranges[side.var().index()];
                if side == side.var().upper() { most } else { -least }
            };
            if condition.is_none() {
                begun.push(target.at_most(latest(source) + weight));
                begun.push(source.mirror().at_most(latest(target.mirror()) + weight));
            }
            differences.add(Edge { source, target, weight, active: condition });
            rules.push(rule);
        }
        let mut bench = Bench::new(&ranges, rules, Subject::Differences(Box::new(differences)));
        bench.begin(&begun);
        bench
    });
}

/// Whether some values make the literal true and others false.
fn is_open(lit: Lit, ranges: &Ranges) -> bool {
    let (least, most) = ranges[lit.side.var().index()];
    let is_upper = lit.side == lit.side.var().upper();
    let [first, last] =
        [least, most].map(|value| (if is_upper { value } else { -value }) <= lit.bound);
    first != last
}
