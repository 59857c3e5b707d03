//! Cheapest ways found with priced zones, against a solver that walks whole instants.
//!
//! With closed guards and whole constants a cheapest run exists at whole instants, so trying every
//! delay of one unit is enough: Dijkstra's algorithm over states of the interpreter. Models are
//! random; a failing one is printed with its seed. `TAKT_PRICES=5000` runs more of them.

mod generate;

use generate::{Kind, LARGEST, Strict};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::ControlFlow;
use takt_automata::engine::{
    Abstraction, Control, Extremum, Options, Order, Progress, Stop, Verdict, check,
};
use takt_automata::interpret::{Concrete, Interpreter, replay};
use takt_automata::model::{Formula, Model, Query, build};
use takt_automata::trace::{Time, cheapest};
use takt_automata::xta;
use takt_diagnostic::FileId;
use takt_testing::Random;

struct Patience;

impl Control for Patience {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        match progress.explored > 20_000 {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        }
    }
}

/// The cheapest cost of a state where the formula holds.
fn corner_points(model: &Model, goal: &Formula) -> Option<i64> {
    let interpreter = Interpreter::new(model);
    let mut best: BTreeMap<(Vec<i32>, Vec<i64>), i64> = BTreeMap::new();
    let mut queue = BinaryHeap::new();
    let initial = interpreter.initial();
    if interpreter.is_valid(&initial).unwrap() {
        queue.push((Reverse(0), key(&initial)));
    }
    while let Some((Reverse(cost), (state, clocks))) = queue.pop() {
        if best.get(&(state.clone(), clocks.clone())).is_some_and(|&known| known <= cost) {
            continue;
        }
        best.insert((state.clone(), clocks.clone()), cost);
        let at = Concrete {
            state,
            clocks: clocks.iter().map(|&c| Time::from_integer(c)).collect(),
            cost: Time::from_integer(cost),
        };
        if interpreter.holds(&at, goal, false).unwrap() {
            return Some(cost);
        }
        let moved = interpreter.successors(&at).unwrap().into_iter().map(|(_, next)| next);
        let waited = interpreter.delay(&at, Time::from_integer(1)).unwrap();
        for next in moved.chain(waited) {
            queue.push((Reverse(next.cost.to_integer()), key(&next)));
        }
    }
    None
}

fn key(at: &Concrete) -> (Vec<i32>, Vec<i64>) {
    // Clocks beyond all constants look alike.
    let capped = at.clocks.iter().map(|c| c.to_integer().min(LARGEST + 1)).collect();
    (at.state.clone(), capped)
}

struct Case {
    text: String,
    query: String,
    model: Model,
    resolved: Query,
}

fn case(seed: u64, kind: Kind) -> Case {
    let mut random = Random::new(seed);
    let text = kind.model(&mut random);
    let query = format!("inf{{{}}}: cost", kind.goal(&mut random));
    let network = xta::parse(&text, FileId(0)).unwrap_or_else(|e| panic!("{seed}\n{text}\n{e:?}"));
    let (mut model, _) = build(&network).unwrap_or_else(|e| panic!("{seed}\n{text}\n{e:?}"));
    let asked = xta::parse_query(&query, FileId(1)).unwrap();
    let resolved = model.resolve_query(&asked).unwrap();
    Case { text, query, model, resolved }
}

/// Compares one random model in all orders; tells whether the goal could be reached.
fn compare(seed: u64) -> bool {
    let Case { text, query, model, resolved } =
        case(seed, Kind { strict: Strict::Closed, scale: 1 });
    let Query::Infimum { within, .. } = &resolved else { unreachable!() };
    let expected = corner_points(&model, within);
    for order in Order::ALL {
        let kinds = [Abstraction::Lu, Abstraction::K];
        for abstraction in kinds.into_iter().take(1 + usize::from(order == Order::Best)) {
            let options = Options {
                order: Some(order),
                abstraction: Some(abstraction),
                seed,
                ..Options::default()
            };
            let story = || format!("seed {seed}, {order:?}, {abstraction:?}\n{text}\n{query}");
            let answers = check(&model, std::slice::from_ref(&resolved), &options, &Patience);
            let answer = &answers.unwrap_or_else(|e| panic!("{}\n{e:?}", story()))[0];
            if answer.verdict == Verdict::Unknown {
                // Going deep first may see many dear ways before the cheap ones cover them.
                let goes_deep = !matches!(order, Order::Bfs | Order::Best | Order::Diving);
                assert!(goes_deep, "does not end: {}", story());
                continue;
            }
            let found = match answer.value {
                Some(Extremum::Finite { value, attained }) => {
                    assert!(attained, "{}", story());
                    Some(value)
                }
                _ => None,
            };
            assert_eq!(found, expected, "{}", story());
            if let Some(trace) = &answer.trace {
                let run = cheapest(&model, trace);
                let run = run.unwrap_or_else(|| panic!("no times: {}", story()));
                let end = replay(&model, &run).unwrap_or_else(|e| panic!("{e:?}: {}", story())).end;
                assert_eq!(Some(end.cost.to_integer()), expected, "{}", story());
                assert!(
                    Interpreter::new(&model).holds(&end, within, false).unwrap(),
                    "{}",
                    story()
                );
            }
        }
    }
    expected.is_some()
}

/// The least cost with strict comparisons is what closed ones come to if they stay one of ever
/// more parts of a unit inside; it is attained if they need not. Tells whether there is one that
/// is only approached.
fn compare_strict(seed: u64) -> bool {
    const PARTS: i64 = 128;
    let open = case(seed, Kind { strict: Strict::Open, scale: 1 });
    let almost = case(seed, Kind { strict: Strict::Almost, scale: PARTS });
    let least = |case: &Case| {
        let asked = std::slice::from_ref(&case.resolved);
        let answers = check(&case.model, asked, &Options::default(), &Patience);
        let answer =
            answers.unwrap_or_else(|e| panic!("seed {seed}\n{}\n{e:?}", case.text)).remove(0);
        assert_ne!(answer.verdict, Verdict::Unknown, "does not end: seed {seed}\n{}", case.text);
        answer.value
    };
    let expected = least(&almost).map(|value| match value {
        Extremum::Finite { value, .. } => Extremum::Finite {
            value: value.div_euclid(PARTS),
            attained: value.rem_euclid(PARTS) == 0,
        },
        Extremum::Unbounded => value,
    });
    let found = least(&open);
    assert_eq!(found, expected, "seed {seed}\n{}\n{}", open.text, open.query);
    matches!(found, Some(Extremum::Finite { attained: false, .. }))
}

fn count() -> u64 {
    std::env::var("TAKT_PRICES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

#[test]
fn cheapest_ways_agree_with_walking_whole_instants() {
    let reached = (0..count()).filter(|&seed| compare(seed)).count();
    // Most of the models must say something.
    assert!(reached as u64 * 3 > count(), "{reached} of {} reach their goal", count());
}

#[test]
fn strict_bounds_are_the_limit_of_closed_ones() {
    let approached = (0..count()).filter(|&seed| compare_strict(seed)).count();
    assert!(approached as u64 * 50 > count(), "{approached} of {} are no minimum", count());
}
