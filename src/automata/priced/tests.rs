//! Every operation against its definition on whole valuations: with closed bounds and whole
//! constants the least cost of a whole valuation comes from a whole one.

use super::*;
use proptest::prelude::*;

const DIM: usize = 4;
const REACH: i64 = 12;

type Raw = (Vec<(usize, usize, i64)>, Vec<i64>, i64);

fn raw() -> impl Strategy<Value = Raw> {
    let bounds = prop::collection::vec((0..DIM, 0..DIM, -3i64..5), 2..8);
    (bounds, prop::collection::vec(-2i64..4, DIM - 1), 0i64..10)
}

/// Bounded from above, so that costs have a least value whatever the rates.
fn priced((bounds, rates, base): &Raw) -> Option<Priced<i32>> {
    let mut zone = Dbm::universe(DIM);
    let within = (1..DIM).map(|i| (i, 0, 5));
    let is_left = bounds
        .iter()
        .copied()
        .chain(within)
        .filter(|b| b.0 != b.1)
        .all(|(i, j, c)| zone.constrain(i, j, i32::new(c, false)));
    let rates = [&[0], &rates[..]].concat();
    is_left.then_some(Priced { zone, base: *base, rates, is_attained: true })
}

fn whole() -> impl Iterator<Item = [i64; DIM]> {
    let range = || 0..=REACH;
    range().flat_map(move |x| range().flat_map(move |y| range().map(move |z| [0, x, y, z])))
}

fn cost(zone: &Priced<i32>, v: [i64; DIM]) -> Option<i64> {
    let holds = (0..DIM).all(|i| {
        (0..DIM).all(|j| {
            let bound = zone.zone.get(i, j);
            bound == i32::INFINITY
                || v[i] - v[j] < bound.value()
                || v[i] - v[j] == bound.value() && !bound.is_strict()
        })
    });
    holds.then(|| zone.base + (1..DIM).map(|i| zone.rates[i] * v[i]).sum::<i64>())
}

fn least(parts: &[Priced<i32>], v: [i64; DIM]) -> Option<i64> {
    parts.iter().filter_map(|part| cost(part, v)).min()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn minimum_is_the_least_cost(raw in raw()) {
        let Some(zone) = priced(&raw) else { return Ok(()) };
        let expected = whole().filter_map(|v| cost(&zone, v)).min();
        let minimum = zone.minimum().expect("bounded");
        prop_assert_eq!(Some(minimum.value), expected);
        let mut there = zone.zone.clone();
        prop_assert!(there.reaches(&minimum.tight));
        let there = Priced { zone: there, ..zone };
        for v in whole() {
            let is_best = cost(&there, v).is_some();
            prop_assert!(!is_best || cost(&there, v) == expected, "{:?}", v);
        }
    }

    #[test]
    fn delay_takes_the_best_wait(raw in raw(), price in 0i64..5) {
        let Some(zone) = priced(&raw) else { return Ok(()) };
        let parts = zone.clone().delay(price).expect("bounded");
        for v in whole() {
            let waits = (0..=REACH).filter(|&d| v[1..].iter().all(|&x| x >= d));
            let before = |d: i64| [0, v[1] - d, v[2] - d, v[3] - d];
            let best = waits.filter_map(|d| cost(&zone, before(d)).map(|c| c + price * d)).min();
            prop_assert_eq!(least(&parts, v), best, "{:?}", v);
        }
    }

    #[test]
    fn forgetting_takes_the_best_value(raw in raw(), clock in 1..DIM) {
        let Some(zone) = priced(&raw) else { return Ok(()) };
        let parts = zone.clone().forget(clock).expect("bounded");
        for part in &parts {
            prop_assert_eq!(part.rates[clock], 0);
        }
        for v in whole() {
            let with = |value: i64| { let mut w = v; w[clock] = value; w };
            let best = (0..=REACH).filter_map(|value| cost(&zone, with(value))).min();
            let known = (0..=REACH).filter_map(|value| least(&parts, with(value))).min();
            prop_assert_eq!(known, best, "{:?}", v);
        }
    }

    #[test]
    fn what_lies_beyond_is_not_covered(a in raw(), b in raw()) {
        let (Some(a), Some(b)) = (priced(&a), priced(&b)) else { return Ok(()) };
        let Some(beyond) = a.beyond(&b) else { return Ok(()) };
        for v in whole().filter(|&v| cost(&a, v).is_some()) {
            let part = |zone: &Dbm<i32>| cost(&Priced::free(zone.clone()), v).is_some();
            let is_covered = cost(&b, v).is_some_and(|there| there <= cost(&a, v).unwrap());
            prop_assert_eq!(beyond.iter().any(part), !is_covered, "{:?}", v);
        }
    }

    #[test]
    fn dominance_is_cheaper_everywhere(a in raw(), b in raw()) {
        let (Some(a), Some(b)) = (priced(&a), priced(&b)) else { return Ok(()) };
        let expected = whole().all(|v| match (cost(&a, v), cost(&b, v)) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(here), Some(there)) => there <= here,
        });
        prop_assert_eq!(a.is_dominated_by(&b), Ok(expected));
    }
}
