//! Approximations on random networks: the exact verdict or `unknown`, and both do happen.

use super::compare::{Limited, ask, compile, scale};
use super::graph::Graph;
use super::verdict::Oracle;
use takt_automata::engine::{Approximation, Options, Order, Stop, Verdict, check};
use takt_testing::{networks::generate, setting};

const APPROXIMATIONS: [Approximation; 4] = [
    Approximation::Hull,
    Approximation::Bitstate(6),
    Approximation::Bitstate(9),
    Approximation::Bitstate(24),
];

/// How often a verdict was given, and how often not.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    satisfied: usize,
    violated: usize,
    unknown: usize,
}

#[test]
fn approximate_answers_are_right_or_unknown() {
    let mut counts = [Count::default(); APPROXIMATIONS.len()];
    let mut exact = Count::default();
    let cases = setting("TAKT_ORACLE_CASES", 600) as usize;
    for seed in 0..cases as u64 {
        let sample = generate(seed);
        let Ok((model, query)) = compile(&sample.to_string(), &sample.query) else { continue };
        let Ok(graph) = Graph::explore(&model, scale(&sample, &model, &query), 4000) else {
            continue;
        };
        let oracle = Oracle::new(&model, graph);
        let Ok(expected) = oracle.answer(&query) else { continue };
        let order = [None, Some(Order::Dfs), Some(Order::RandomDfs)][seed as usize % 3];
        for (count, approximation) in counts.iter_mut().zip(APPROXIMATIONS) {
            let options = Options { order, approximation, ..Options::default() };
            let verdict = ask(&oracle, &query, &expected, &options).unwrap_or_else(|wrong| {
                panic!("seed {seed}, {approximation:?}: {wrong}\n{sample}\n{}", sample.query)
            });
            count.add(verdict);
        }
        exact.add(if expected.is_satisfied { Verdict::Satisfied } else { Verdict::Violated });
    }
    println!("exact {exact:?}, approximate {counts:?}");
    for (count, approximation) in counts.iter().zip(APPROXIMATIONS) {
        let least = cases / 10;
        let is_telling = count.satisfied >= least && count.violated >= least;
        assert!(is_telling, "{approximation:?}: {count:?}");
    }
    let [_, bits @ ..] = counts;
    assert!(bits.is_sorted_by_key(|count| usize::MAX - count.unknown), "larger tables tell more");
    assert!(
        bits.iter().all(|count| count.unknown >= cases / 12),
        "what is not found is not proved"
    );
}

/// Random networks are too small for what follows.
fn verdict(model: &str, query: &str, approximation: Approximation) -> Verdict {
    let (model, query) = compile(model, query).unwrap();
    let options = Options { approximation, ..Options::default() };
    let answer = check(&model, &[query], &options, &Limited { most: 1_000_000 }).unwrap().remove(0);
    let is_approximate = answer.stopped == Some(Stop::Approximation);
    assert_eq!(answer.verdict == Verdict::Unknown, is_approximate);
    answer.verdict
}

/// Between two ways into a location, the hull sees a third.
#[test]
fn what_only_the_hull_reaches_is_unknown() {
    let model = "clock x, y; int[0, 1] i;
        process P() {
            state a { x <= 10 }, b, c, d;
            init a;
            trans a -> b { guard x == 1; assign y := 0; },
                  a -> b { guard x == 5; assign y := 0; },
                  b -> c { guard x == 4 && y == 1; },
                  b -> d { guard x == 6 && y == 1; };
        }
        system P;";
    let ask = |query, approximation| verdict(model, query, approximation);
    for (query, exact, hull) in [
        ("E<> P.c", Verdict::Violated, Verdict::Unknown),
        ("A[] not P.c", Verdict::Satisfied, Verdict::Unknown),
        ("sup{P.c}: i", Verdict::Violated, Verdict::Unknown),
        ("E<> P.d", Verdict::Satisfied, Verdict::Satisfied),
        ("A[] not P.d", Verdict::Violated, Verdict::Violated),
        ("E<> P.b && x < 1", Verdict::Violated, Verdict::Violated),
        ("sup{P.d}: i", Verdict::Satisfied, Verdict::Satisfied),
        ("E[] not P.b", Verdict::Satisfied, Verdict::Satisfied),
    ] {
        assert_eq!(ask(query, Approximation::Exact), exact, "{query}");
        assert_eq!(ask(query, Approximation::Hull), hull, "{query}");
    }
}

/// An error that only the hull makes is none; a real one is one.
#[test]
fn errors_in_the_hull_are_told_only_if_they_are_real() {
    let model = |value: i64| {
        format!(
            "clock x, y; int[0, 1] i;
            process P() {{
                state a {{ x <= 10 }}, b, c;
                init a;
                trans a -> b {{ guard x == 1; assign y := 0; }},
                      a -> b {{ guard x == 5; assign y := 0; }},
                      b -> c {{ guard x == {value} && y == 1; assign i := 2; }};
            }}
            system P;"
        )
    };
    let unreal = verdict(&model(4), "A[] i == 0", Approximation::Hull);
    assert_eq!(unreal, Verdict::Unknown);
    let (model, query) = compile(&model(6), "A[] i == 0").unwrap();
    let options = Options { approximation: Approximation::Hull, ..Options::default() };
    assert!(check(&model, &[query], &options, &Limited { most: 1000 }).is_err());
}

/// Ten thousand states in a row do not fit 64 bits.
#[test]
fn a_small_table_leaves_states_out() {
    let model = "int[0, 10000] i;
        process P() {
            state a;
            init a;
            trans a -> a { guard i < 10000; assign i := i + 1; };
        }
        system P;";
    let ask = |query, bits| verdict(model, query, Approximation::Bitstate(bits));
    assert_eq!(ask("E<> i == 9000", 24), Verdict::Satisfied);
    assert_eq!(ask("A[] i != 9000", 24), Verdict::Violated);
    assert_eq!(ask("E<> i == 9000", 6), Verdict::Unknown);
    assert_eq!(ask("A[] i <= 10000", 24), Verdict::Unknown);
    assert_eq!(ask("sup: i", 24), Verdict::Unknown);
    assert_eq!(
        ask("A<> i == 9000", 6),
        Verdict::Violated,
        "it may wait forever: exact all the same"
    );
}

impl Count {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Satisfied => self.satisfied += 1,
            Verdict::Violated => self.violated += 1,
            Verdict::Unknown => self.unknown += 1,
        }
    }
}
