//! Symmetry reduction changes what is looked at, never an answer.
//!
//! Random models over scalar sets are checked with and without it (`TAKT_SYMMETRIES=20000` for
//! many); toys have exactly as many states as they have orbits; models that tell elements apart are
//! left alone.

#[path = "../asking/mod.rs"]
mod asking;
mod generate;
#[allow(dead_code, reason = "not every test draws in every way")]
#[path = "../oracle/random.rs"]
mod random;

use asking::{Patience, compile};
use takt::engine::{Answer, Failure, Options, Order, check};
use takt::interpret::replay;
use takt::model::symmetry::Symmetry;
use takt::model::{Model, Query};
use takt::trace::concretise;

fn answers(
    model: &Model,
    queries: &[Query],
    without_symmetry: bool,
    (order, threads): (Option<Order>, usize),
) -> Result<Vec<Answer>, Box<Failure>> {
    // Several threads take part from the first state on.
    let alone = (threads > 1).then_some(0);
    let options = Options { without_symmetry, order, threads, alone, ..Options::default() };
    check(model, queries, &options, &Patience(40_000))
}

fn assert_replays(model: &Model, answer: &Answer, text: &str) {
    if let Some(trace) = &answer.trace {
        let run = concretise(model, trace).unwrap_or_else(|| panic!("no times\n{text}"));
        replay(model, &run).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    }
}

/// How many of the answers rest on a reduction, and how many of these needed fewer states.
fn compare(seed: u64) -> (usize, usize) {
    let (text, queries) = generate::sample(seed);
    let (model, resolved) = compile(&text, &queries);
    let text = format!("seed {seed}\n{text}\n{}", queries.join("\n"));
    let order = *random::Random::new(seed).pick(&[None, Some(Order::Dfs), Some(Order::RandomDfs)]);
    let threads = 1 + seed as usize % 2;
    let (all, some) = match (
        answers(&model, &resolved, true, (None, 1)),
        answers(&model, &resolved, false, (order, threads)),
    ) {
        (Ok(all), Ok(some)) => (all, some),
        (Err(_), Err(_)) => return (0, 0),
        (all, some) => panic!("{:?} but {:?}\n{text}", all.err(), some.err()),
    };
    let (mut reduced, mut fewer) = (0, 0);
    for ((whole, part), query) in all.iter().zip(&some).zip(&queries) {
        if whole.stopped.is_some() || part.stopped.is_some() {
            continue;
        }
        let here = (whole.verdict, whole.value);
        assert_eq!(here, (part.verdict, part.value), "{query}\n{text}");
        assert_replays(&model, part, &text);
        if !part.reduced.is_empty() {
            reduced += 1;
            fewer += usize::from(part.stored < whole.stored);
        }
    }
    (reduced, fewer)
}

#[test]
fn answers_do_not_depend_on_symmetry() {
    let count = std::env::var("TAKT_SYMMETRIES").map_or(100, |n| n.parse().unwrap());
    let (mut reduced, mut fewer) = (0, 0);
    for seed in 0..count {
        let (r, f) = compare(seed);
        reduced += r;
        fewer += f;
    }
    assert!(reduced as u64 > count, "only {reduced} answers rest on a reduction");
    assert!(fewer * 6 > reduced, "only {fewer} of {reduced} reductions saved states");
}

/// States stored once everything is explored.
fn stored(text: &str) -> u64 {
    let (model, queries) = compile(text, &["A[] true".into()]);
    let answers = answers(&model, &queries, false, (None, 1)).unwrap();
    assert_eq!(answers[0].stopped, None);
    answers[0].stored
}

/// Ways to put n like things into k places: (n + k - 1 choose k - 1).
#[test]
fn states_are_counted_up_to_names() {
    let model = |n: u32| {
        format!(
            "typedef scalar[{n}] S; process P(const S s) {{ state A, B, C; init A;
             trans A -> B {{ }}, B -> C {{ }}, C -> A {{ }}; }} system P;"
        )
    };
    assert_eq!([2, 3, 10].map(|n| stored(&model(n))), [6, 10, 66]);
}

/// Who holds the token is one state, who does not is another; the token's own values are none.
#[test]
fn variables_of_scalar_type_take_part() {
    let text = "typedef scalar[5] S; S token; process P(const S s) { state A, B; init A;
        trans A -> B { guard token == s; }, B -> A { select i : S; guard token == s; assign token = i; }; }
        system P;";
    assert_eq!(stored(text), 2);
}

/// Every element points to one: the orbits are the functions from three elements to themselves up
/// to names, of which there are seven; and each may be on or off.
#[test]
fn elements_that_hold_elements_take_part() {
    let text = "typedef scalar[3] S; S next[S]; process P() { state A; init A;
        trans A -> A { select i : S, j : S; assign next[i] = j; }; } system P;";
    assert_eq!(stored(text), 7);
}

/// Directed graphs with loops on three nodes, up to isomorphism: 104.
#[test]
fn arrays_over_pairs_take_part() {
    let text = "typedef scalar[3] S; bool m[S][S]; process P() { state A; init A;
        trans A -> A { select i : S, j : S; assign m[i][j] = !m[i][j]; }; } system P;";
    assert_eq!(stored(text), 104);
}

/// What was reset first is the largest: only how many were reset counts, not who.
#[test]
fn clocks_are_told_apart_by_their_order_alone() {
    let text =
        "typedef scalar[4] S; process P(const S s) { clock x; state A, B { x <= 5 }, C; init A;
        trans A -> B { assign x = 0; }, B -> C { guard x >= 3; }; } system P;";
    let (model, queries) = compile(text, &["A[] true".into()]);
    let whole = answers(&model, &queries, true, (None, 1)).unwrap()[0].stored;
    assert!(stored(text) * 4 < whole, "{} of {whole}", stored(text));
}

fn refusals(text: &str) -> Vec<String> {
    let (model, _) = compile(text, &[]);
    Symmetry::of(&model).refusals.into_iter().map(|refusal| refusal.reason).collect()
}

#[test]
fn what_tells_elements_apart_is_left_alone() {
    let around = |declarations: &str, edge: &str| {
        format!(
            "typedef scalar[3] S; S last; int n; chan c[S]; broadcast chan b; {declarations}
             process P(const S s) {{ state A; init A; trans A -> A {{ {edge} }}; }} system P;"
        )
    };
    let table = around("const int cost[S] = {1, 2, 3};", "assign n = cost[s];");
    assert_eq!(refusals(&table), ["a constant tells its elements apart"]);
    let even = around("const int cost[S] = {2, 2, 2};", "assign n = cost[s];");
    assert!(refusals(&even).is_empty());
    let acts = around("int f() { n = n + 1; return n; }", "assign n = sum (i : S) f();");
    assert_eq!(refusals(&acts), ["a quantifier over it changes something on the way"]);
    let heard = around("", "sync b?; assign last = s;");
    assert_eq!(refusals(&heard), ["receivers of a broadcast may depend on their order"]);
    let counted = around("", "sync b?; assign n++;");
    assert!(refusals(&counted).is_empty());
    let last = around("void f() { for (i : S) last = i; }", "assign f();");
    assert_eq!(refusals(&last), ["a loop over it may depend on the order"]);
    let all = around("int a[S]; void f() { for (i : S) { a[i] = n; n += 0; } }", "assign f();");
    assert_eq!(refusals(&all), ["a loop over it may depend on the order"]);
    let each = around("int a[S]; void f() { for (i : S) a[i] = n; }", "assign f();");
    assert!(refusals(&each).is_empty());
    let search = around(
        "int a[S]; bool f() { for (i : S) if (a[i] > 0) return true; return false; }",
        "guard f();",
    );
    assert!(refusals(&search).is_empty());
}

/// A query that names an element is asked of all states; one that does not shares nothing with it.
#[test]
fn queries_that_name_elements_are_asked_of_all_states() {
    let text = "typedef scalar[3] S; process P(const S s) { state A, B; init A;
        trans A -> B { }; } system P;";
    let queries = ["E<> P(1).B && !P(0).B", "A[] exists (i : S) P(i).A || P(i).B"];
    let (model, queries) = compile(text, &queries.map(String::from));
    let found = answers(&model, &queries, false, (None, 1)).unwrap();
    assert!(found[0].reduced.is_empty());
    assert_eq!((found[1].reduced.len(), found[1].stored), (1, 4));
}
