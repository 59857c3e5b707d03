//! Every operation against valuations on a fine grid.

use super::*;
use proptest::prelude::*;

const DIM: usize = 3;
/// Witnesses are sought among multiples of 1/8; what is asked about are multiples of 1/4, so
/// that there is room for a witness between any two of them and the integers.
const UNIT: i64 = 8;
const STEPS: i64 = 5 * UNIT;

type Raw = Vec<(usize, usize, i64, bool)>;

fn constraints() -> impl Strategy<Value = Raw> {
    prop::collection::vec((0..DIM, 0..DIM, -4i64..5, any::<bool>()), 0..6)
}

fn zone(raw: &Raw) -> Option<Dbm<i16>> {
    let mut zone = Dbm::universe(DIM);
    raw.iter()
        .filter(|c| c.0 != c.1)
        .all(|&(i, j, c, s)| zone.constrain(i, j, i16::new(c, s)))
        .then_some(zone)
}

fn holds(zone: &Dbm<i16>, v: [i64; DIM]) -> bool {
    (0..DIM).all(|i| {
        (0..DIM).all(|j| {
            let bound = zone.get(i, j);
            let (difference, limit) = (v[i] - v[j], bound.value() * UNIT);
            bound == i16::INFINITY
                || difference < limit
                || difference == limit && !bound.is_strict()
        })
    })
}

fn grid() -> impl Iterator<Item = [i64; DIM]> {
    let quarters = || (0..=STEPS).step_by(2);
    quarters().flat_map(move |x| quarters().map(move |y| [0, x, y]))
}

fn is_closed(zone: &Dbm<i16>) -> bool {
    let mut again = zone.clone();
    again.close() && again == *zone
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn constraining_is_intersection(raw in constraints()) {
        let meets = |v: [i64; DIM]| raw.iter().all(|&(i, j, c, s)| {
            i == j || v[i] - v[j] < UNIT * c || v[i] - v[j] == UNIT * c && !s
        });
        match zone(&raw) {
            None => prop_assert!(!grid().any(meets)),
            Some(zone) => {
                prop_assert!(is_closed(&zone));
                for v in grid() {
                    prop_assert_eq!(holds(&zone, v), meets(v), "{:?}", v);
                }
            }
        }
    }

    #[test]
    fn delay_goes_both_ways(raw in constraints()) {
        let Some(zone) = zone(&raw) else { return Ok(()) };
        let (mut up, mut down) = (zone.clone(), zone.clone());
        up.up();
        down.down();
        prop_assert!(is_closed(&up) && is_closed(&down));
        for v in grid() {
            let back = (0..=v[1].min(v[2])).any(|d| holds(&zone, [0, v[1] - d, v[2] - d]));
            let on = (0..=2 * STEPS).any(|d| holds(&zone, [0, v[1] + d, v[2] + d]));
            prop_assert_eq!(holds(&up, v), back);
            prop_assert_eq!(holds(&down, v), on);
        }
    }

    #[test]
    fn reshaping_resets_and_projects(raw in constraints(), value in 0i64..4) {
        let Some(zone) = zone(&raw) else { return Ok(()) };
        let mut reshaped = Dbm::default();
        reshaped.reshape_from(&zone, &[Origin::Kept(2), Origin::Set(i16::new(value, false))]);
        prop_assert!(is_closed(&reshaped));
        for v in grid() {
            // Clock 1 of the old zone is free; 6 * STEPS exceeds every bound.
            let expected = v[2] == UNIT * value && (0..=6 * STEPS).any(|x| holds(&zone, [0, x, v[1]]));
            prop_assert_eq!(holds(&reshaped, v), expected, "{:?}", v);
        }
    }

    #[test]
    fn freeing_leaves_the_other_clocks(raw in constraints()) {
        let Some(zone) = zone(&raw) else { return Ok(()) };
        let mut free = zone.clone();
        free.free(1);
        prop_assert!(is_closed(&free));
        for v in grid() {
            let expected = (0..=6 * STEPS).any(|x| holds(&zone, [0, x, v[2]]));
            prop_assert_eq!(holds(&free, v), expected, "{:?}", v);
        }
    }

    #[test]
    fn time_may_pass_up_to_several_limits_at_once(
        raw in constraints(),
        limits in prop::collection::vec((1..DIM, 0i64..5, any::<bool>()), 0..4),
    ) {
        let Some(zone) = zone(&raw) else { return Ok(()) };
        let limits: Vec<(usize, i16)> =
            limits.into_iter().map(|(i, c, s)| (i, i16::new(c, s))).collect();
        let mut expected = zone.clone();
        let is_left = limits.iter().all(|&(i, bound)| expected.constrain(i, 0, bound));
        expected.up();
        let _ = limits.iter().all(|&(i, bound)| expected.constrain(i, 0, bound));
        let mut found = zone;
        prop_assert_eq!(found.up_within(limits.iter().copied()), is_left);
        prop_assert!(!is_left || found == expected);
    }

    #[test]
    fn large_bounds_are_seen(raw in constraints(), largest in 0i64..6) {
        let Some(zone) = zone(&raw) else { return Ok(()) };
        let is_small = |bound: i16| bound == i16::INFINITY || bound.value().abs() <= largest;
        let most = i16::new(largest, false);
        let lowest = |bound: i16| bound >= most.negated();
        let expected = zone.cells().iter().all(|&b| is_small(b) && lowest(b));
        prop_assert_eq!(zone.is_within(most), expected);
    }

    #[test]
    fn subtraction_partitions(a in constraints(), b in constraints()) {
        let (Some(a), Some(b)) = (zone(&a), zone(&b)) else { return Ok(()) };
        let pieces = subtract(&a, &b);
        for v in grid() {
            let count = pieces.iter().filter(|p| holds(p, v)).count();
            prop_assert_eq!(count, usize::from(holds(&a, v) && !holds(&b, v)), "{:?}", v);
        }
    }

    #[test]
    fn inclusion_is_inclusion(a in constraints(), b in constraints()) {
        let (Some(a), Some(b)) = (zone(&a), zone(&b)) else { return Ok(()) };
        let expected = subtract(&a, &b).is_empty();
        prop_assert_eq!(a.is_subset_of(&b), expected);
        let mut both = a.clone();
        if both.intersect(&b) {
            prop_assert!(is_closed(&both) && both.is_subset_of(&a) && both.is_subset_of(&b));
        }
    }

    /// `a_LU(Z)` holds the valuations that some valuation of `Z` simulates:
    /// `v'(x) < v(x)` only if `v'(x) > L`, `v'(x) > v(x)` only if `v(x) > U`.
    #[test]
    fn abstraction_stays_within_simulation(
        a in constraints(),
        b in constraints(),
        limits in prop::collection::vec((-1i64..5, -1i64..5), DIM - 1),
    ) {
        let (Some(a), Some(b)) = (zone(&a), zone(&b)) else { return Ok(()) };
        let mut packed = ClockLimits::default();
        packed.clear();
        for &(l, u) in &limits {
            let limit = |c: i64| if c < 0 { NO_LIMIT } else { c };
            packed.push(limit(l), limit(u));
        }
        let simulates = |big: [i64; DIM], small: [i64; DIM]| (1..DIM).all(|x| {
            let (l, u) = (limits[x - 1].0 * UNIT, limits[x - 1].1 * UNIT);
            (big[x] >= small[x] || big[x] > l) && (big[x] <= small[x] || small[x] > u)
        });
        let simulated = |zone: &Dbm<i16>, v| wide().any(|w| holds(zone, w) && simulates(w, v));
        let mut wider = a.clone();
        wider.extrapolate(&packed);
        prop_assert!(is_closed(&wider) && a.is_subset_of(&wider));
        for v in grid().step_by(3) {
            prop_assert!(!holds(&wider, v) || simulated(&a, v), "{:?}", v);
        }
        if is_simulated(a.cells(), b.cells(), &packed) {
            for v in grid().step_by(3) {
                prop_assert!(!holds(&a, v) || simulated(&b, v), "{:?}", v);
            }
        } else {
            let quarters = || wide().filter(|v| v[1] % 2 == 0 && v[2] % 2 == 0);
            prop_assert!(quarters().any(|v| holds(&a, v) && !simulated(&b, v)));
        }
    }
}

/// A grid that reaches beyond every constant, for zones without upper bounds.
fn wide() -> impl Iterator<Item = [i64; DIM]> {
    (0..=2 * STEPS).flat_map(|x| (0..=2 * STEPS).map(move |y| [0, x, y]))
}
