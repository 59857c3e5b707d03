//! Acceleration changes what is looked at, never an answer.
//!
//! Random networks in which a process goes round a fast cycle beside slow ones are checked with and
//! without it (`TAKT_ACCELERATIONS=20000` for many); what it must not do is tried one by one.

mod asking;
#[allow(dead_code, reason = "not every test draws in every way")]
#[path = "oracle/random.rs"]
mod random;

use asking::{Patience, compile};
use random::Random;
use takt::engine::{Answer, Failure, Options, Order, Verdict, check};
use takt::interpret::replay;
use takt::model::{Model, Query};
use takt::trace::concretise;

fn answers(
    model: &Model,
    queries: &[Query],
    without_acceleration: bool,
    (order, threads): (Option<Order>, usize),
) -> Result<Vec<Answer>, Box<Failure>> {
    // Several threads take part from the first state on.
    let alone = (threads > 1).then_some(0);
    let options = Options { without_acceleration, order, threads, alone, ..Options::default() };
    check(model, queries, &options, &Patience(4_000))
}

/// A ring of locations on one clock, now and then with a condition, or a way out.
fn ring(r: &mut Random) -> String {
    let count = r.within(1, 3).min(r.within(1, 3));
    let mut locations = Vec::new();
    let mut edges = Vec::new();
    for k in 0..count {
        let most = r.within(1, 2);
        let strict = if r.percent(5) { "<" } else { "<=" };
        let invariant =
            if r.percent(90) { format!(" {{ y {strict} {most} }}") } else { String::new() };
        locations.push(format!("c{k}{invariant}"));
        let next = (k + 1) % count;
        let mut guard = Vec::new();
        if r.percent(80) {
            let op = r.pick(&[">=", ">=", ">=", ">=", ">=", "==", ">"]);
            guard.push(format!("y {op} {}", r.within(0, most).min(r.within(0, most))));
        }
        if r.percent(25) {
            guard.push((*r.pick(&["n == 0", "n < 2", "f == 1", "n + f > 0", "z > 3"])).into());
        }
        let mut update = Vec::new();
        if r.percent(70) || k == count - 1 {
            update.push("y = 0".to_owned());
        }
        if r.percent(8) {
            update.push((*r.pick(&["n = (n + 1) % 3", "f = 1", "z = 0"])).into());
        }
        let sync = if r.percent(6) { "sync go?; " } else { "" };
        edges.push(edge(&format!("c{k}"), &format!("c{next}"), &guard, sync, &update));
    }
    locations.push("out".into());
    let from = r.below(count as usize);
    let guard = *r.pick(&[
        "z > 30",
        "z >= 20 && z <= 35",
        "n == 2",
        "z > 17 && n == 1",
        "y >= 1 && z > 25",
    ]);
    let sync = *r.pick(&["", "", "sync go?; ", "sync go!; ", "sync all?; "]);
    edges.push(edge(&format!("c{from}"), "out", &[guard.into()], sync, &[]));
    if r.percent(30) {
        edges.push(edge("out", "c0", &[], "", &["y = 0".into()]));
    }
    let urgent = if r.percent(8) { "urgent c0; " } else { "" };
    format!(
        "process A() {{ clock y; state {}; {urgent}init c0; trans {}; }}\n",
        locations.join(", "),
        edges.join(",\n  ")
    )
}

fn edge(from: &str, to: &str, guard: &[String], sync: &str, update: &[String]) -> String {
    let guard =
        if guard.is_empty() { String::new() } else { format!("guard {}; ", guard.join(" && ")) };
    let update =
        if update.is_empty() { String::new() } else { format!("assign {}; ", update.join(", ")) };
    format!("{from} -> {to} {{ {guard}{sync}{update}}}")
}

/// Something slow beside it.
fn environment(r: &mut Random) -> String {
    let mut edges = Vec::new();
    let mut locations = Vec::new();
    for k in 0..3 {
        let large = r.within(33, 40);
        let invariant = if r.percent(70) { format!(" {{ z <= {large} }}") } else { String::new() };
        locations.push(format!("e{k}{invariant}"));
        let guard = format!("z {} {}", r.pick(&["==", ">=", ">"]), r.within(15, large));
        let sync = *r.pick(&["", "", "", "sync go!; ", "sync all!; ", "sync u!; "]);
        let guard = if sync.contains("u!") { "n == 1".into() } else { guard };
        let mut update =
            vec![r.pick(&["n = 1", "n = 2", "n = 0", "f = 1", "f = 1 - f"]).to_string()];
        if r.percent(60) {
            update.push("z = 0".into());
        }
        edges.push(edge(&format!("e{k}"), &format!("e{}", (k + 1) % 3), &[guard], sync, &update));
    }
    let commit = if r.percent(10) { "commit e1; " } else { "" };
    format!(
        "process E() {{ state {}; {commit}init e0; trans {}; }}\n",
        locations.join(", "),
        edges.join(",\n  ")
    )
}

const QUERIES: &[&str] = &[
    "E<> A.out",
    "A[] !A.out || z > 20",
    "E<> E.e2 && A.c0",
    "A[] A.out || A.c0 || n < 2",
    "inf{A.out}: t",
    "inf{E.e2}: t",
    "inf{A.out || E.e1}: z",
    "sup{A.c0}: n + f",
    "E<> A.c0 && z > 22 && A.y == 0",
    "A[] not deadlock",
    "sup{A.c0}: z",
    "E<> E.e1 && z == 7 && A.c0",
    "E<> t == 61 && A.c0 && A.y < 1",
];

fn sample(seed: u64) -> (String, Vec<String>) {
    let mut random = Random::new(seed);
    let r = &mut random;
    let mut text =
        "clock z, t; int[0,2] n; int[0,1] f; chan go; broadcast chan all; urgent chan u;\n"
            .to_owned();
    text.push_str(&ring(r));
    text.push_str(&environment(r));
    let mut system = vec!["A", "E"];
    if r.percent(30) {
        let sync = *r.pick(&["sync go?; ", "sync all?; ", "sync u?; ", "sync go!; "]);
        text.push_str(&format!(
            "process Q() {{ clock w; state q; init q; trans {}, q -> q {{ guard w >= 9 && w <= 10; assign w = 0; }}; }}\n",
            edge("q", "q", &[], sync, &[])
        ));
        system.push("Q");
    }
    let separator = if r.percent(5) { " < " } else { ", " };
    text.push_str(&format!("system {};\n", system.join(separator)));
    let mut queries: Vec<String> = Vec::new();
    while queries.len() < 4 {
        let query = (*r.pick(QUERIES)).to_owned();
        if !queries.contains(&query) {
            queries.push(query);
        }
    }
    (text, queries)
}

/// How many of the answers came by way of a detour.
fn compare(seed: u64) -> usize {
    let (text, queries) = sample(seed);
    let (model, resolved) = compile(&text, &queries);
    let text = format!("seed {seed}\n{text}\n{}", queries.join("\n"));
    let order = *Random::new(seed).pick(&[None, Some(Order::Dfs), Some(Order::RandomDfs)]);
    let threads = 1 + seed as usize % 2;
    let (slow, fast) = match (
        answers(&model, &resolved, true, (None, 1)),
        answers(&model, &resolved, false, (order, threads)),
    ) {
        (Ok(slow), Ok(fast)) => (slow, fast),
        (Err(_), Err(_)) => return 0,
        (slow, fast) => panic!("{:?} but {:?}\n{text}", slow.err(), fast.err()),
    };
    let mut detours = 0;
    for ((slow, fast), query) in slow.iter().zip(&fast).zip(&queries) {
        if slow.stopped.is_some() || fast.stopped.is_some() {
            continue;
        }
        let here = (slow.verdict, slow.value);
        assert_eq!(here, (fast.verdict, fast.value), "{query}\n{text}");
        if let Some(trace) = &fast.trace {
            let run =
                concretise(&model, trace).unwrap_or_else(|| panic!("{query}: no times\n{text}"));
            replay(&model, &run).unwrap_or_else(|e| panic!("{query}: {e:?}\n{text}"));
        }
        assert_eq!(slow.trace.is_some(), fast.trace.is_some(), "{query}\n{text}");
        detours += usize::from(fast.accelerated > 0);
    }
    detours
}

#[test]
fn answers_do_not_depend_on_acceleration() {
    let count = std::env::var("TAKT_ACCELERATIONS").map_or(60, |n| n.parse().unwrap());
    let detours: usize = (0..count).map(compare).sum();
    assert!(2 * detours as u64 > count, "only {detours} answers came by way of a detour");
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
        let found = answers(&model, &queries, false, (None, 1)).unwrap();
        assert!(found.iter().all(|answer| answer.accelerated == 1));
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
        answers(&model, &queries, false, (None, 1)).unwrap()[0].accelerated
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
