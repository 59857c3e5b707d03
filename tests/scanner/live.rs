//! Runs that keep a clock within a limit for ever: the search from reset to reset against the one
//! that looks at every state, on random automata in which time goes on.

use crate::network::ask_within;
use takt_automata::engine::{Options, Order, Verdict};
use takt_automata::xta;
use takt_testing::Random;

/// A worker that takes some time from place to place, and a watch that is reset on some of its ways.
fn automata(random: &mut Random) -> String {
    let mut text = String::from("chan tick;\n");
    for (process, watched) in [("P", true), ("Q", false)] {
        let places = 2 + random.below(3);
        let waits: Vec<usize> = (0..places).map(|_| 1 + random.below(4)).collect();
        let states: Vec<String> = (0..places)
            .map(|k| match random.below(3) {
                0 => format!("s{k}"),
                more => {
                    format!("s{k} {{ {}x <= {} }}", process.to_lowercase(), waits[k] + more - 1)
                }
            })
            .collect();
        let clock = format!("{}x", process.to_lowercase());
        text += &format!("clock {clock};\n");
        let mut edges = Vec::new();
        for (k, wait) in waits.iter().enumerate() {
            for way in 0..1 + random.below(2) {
                let to = random.below(places);
                let limit = match random.below(3) {
                    0 => format!(" && {clock} <= {}", wait + 1),
                    _ => String::new(),
                };
                let sync = if watched && way == 0 { " sync tick!;" } else { "" };
                edges.push(format!(
                    "        s{k} -> s{to} {{ guard {clock} >= {wait}{limit};{sync} assign {clock} = 0; }}"
                ));
            }
        }
        text += &format!(
            "process {process}() {{\n    state {};\n    init s0;\n    trans\n{};\n}}\n",
            states.join(", "),
            edges.join(",\n")
        );
    }
    text += "clock x;\nprocess W() {\n    state on, off;\n    init on;\n    trans\n        \
        on -> off { sync tick?; assign x = 0; },\n        off -> on { sync tick?; },\n        \
        on -> on { sync tick?; assign x = 0; };\n}\nsystem P, Q, W;\n";
    text
}

#[test]
fn both_searches_for_runs_agree() {
    let mut counts = [0, 0];
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let text = automata(&mut random);
        let network =
            xta::parse(&text, Default::default()).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        for limit in [2, 4, 7] {
            let query = format!("E[] x <= {limit}");
            let with = |order| Options { order, ..Options::default() };
            let deep = ask_within(u64::MAX, &network, &query, &with(None)).0;
            let wide = ask_within(u64::MAX, &network, &query, &with(Some(Order::Bfs))).0;
            assert_eq!(deep, wide, "seed {seed}: {query} on\n{text}");
            counts[usize::from(deep == Verdict::Satisfied)] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 40), "{counts:?}");
}
