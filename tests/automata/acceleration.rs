//! Acceleration on models made by hand: what it does to a large constant, and what it must not do.
//! Random models are in `crossing`.

use crate::asking::{Patience, compile};
use takt_automata::engine::{Answer, Failure, Options, Verdict, check};
use takt_automata::model::{Model, Query};

fn answers(model: &Model, queries: &[Query]) -> Result<Vec<Answer>, Box<Failure>> {
    check(model, queries, &Options::default(), &Patience(4_000))
}

const FIGURE: &str = "process P() { clock y, z; state start { y <= 5 }, L1 { y <= 2 }, L2 { y <= 4 },
    L3 { y <= 5 }, finished; init start; trans start -> L1 { guard y > 3; assign y = 0; },
    L1 -> L2 { assign y = 0; }, L2 -> L3 { guard y >= 1; }, L3 -> L1 { guard y >= 3; assign y = 0; },
    L1 -> finished { guard z > LARGE; }; } system P;";

/// Figure 2.1 of the thesis: what it takes does not depend on the large constant.
#[test]
fn a_large_constant_costs_nothing() {
    let stored = |large: i64| {
        let text = FIGURE.replace("LARGE", &large.to_string());
        let queries = ["E<> P.finished", "E<> P.L1 && P.z - P.y <= 3", "inf{P.finished}: P.z"];
        let (model, queries) = compile(&text, &queries.map(String::from));
        let found = answers(&model, &queries).unwrap();
        assert!(found.iter().all(|answer| answer.accelerated.len() == 1));
        assert_eq!([0, 1].map(|k| found[k].verdict), [Verdict::Satisfied, Verdict::Violated]);
        found[0].stored
    };
    assert_eq!(stored(1_000), stored(1_000_000_000));
    assert!(stored(1_000) < 20);
}

/// What stops a cycle from being accelerated.
#[test]
fn only_plain_cycles_are_accelerated() {
    let cycles = |text: &str| {
        let (model, queries) = compile(text, &["E<> z > 1000".into()]);
        answers(&model, &queries).unwrap()[0].accelerated.len()
    };
    let plain = "clock z, y; urgent chan u; int n; process P() { state a { y <= 2 }; init a;
        trans a -> a { guard y >= 1; assign y = 0; }; } process Q() { state b; init b; } system P, Q;";
    assert_eq!(cycles(plain), 1);
    let mut changes = vec![
        ("y = 0;", "y = 0, n = 1 - n;"),
        ("y >= 1", "y >= 1 && z >= 1"),
        ("y <= 2", "y <= 2 && z <= 5000"),
        ("y >= 1", "y >= 2"),
        ("init a", "urgent a; init a"),
        ("state b", "state b { y <= 90 }"),
        ("system P, Q", "system P < Q"),
        ("init b;", "init b; trans b -> b { sync u!; };"),
    ];
    // Somebody must hear the urgent channel for it to matter.
    changes.pop();
    for (from, to) in changes {
        assert_eq!(cycles(&plain.replacen(from, to, 1)), 0, "{to}");
    }
    let met = plain.replace("init b;", "init b; trans b -> b { sync u!; };").replace(
        "system P, Q;",
        "process R() { state c; init c; trans c -> c { sync u?; }; } system P, Q, R;",
    );
    assert_eq!(cycles(&met), 0);
}

/// Processes that are alike stay alike: the detours of one are those of the other.
#[test]
fn symmetry_and_acceleration_go_together() {
    let text = "typedef scalar[3] S; clock z; process P(const S s) { clock y; state a { y <= 2 }, b;
        init a; trans a -> a { guard y >= 1; assign y = 0; }, a -> b { guard z > 1000; }; } system P;";
    let queries = ["E<> forall (i : S) P(i).b", "inf{exists (i : S) P(i).b}: z"];
    let (model, queries) = compile(text, &queries.map(String::from));
    for answer in answers(&model, &queries).unwrap() {
        assert_eq!((answer.verdict, answer.accelerated.len()), (Verdict::Satisfied, 3));
        assert_eq!(answer.reduced, [0]);
    }
}
