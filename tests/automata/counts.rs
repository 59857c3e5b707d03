//! Exact numbers of symbolic states on toys, where one can count them by hand: a search that
//! merges too much or too little shows here before it shows in a verdict.

use std::ops::ControlFlow;
use takt_automata::engine::{
    Abstraction, Answer, Control, Extremum, Options, Order, Progress, Stop, check,
};
use takt_automata::model::build;
use takt_automata::xta;
use takt_diagnostic::FileId;

struct Patience;

impl Control for Patience {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        match progress.explored > 100_000 {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        }
    }
}

/// States stored once everything is explored.
fn stored(text: &str, abstraction: Abstraction) -> u64 {
    stored_for(text, "A[] true", abstraction)
}

/// The same for a query whose answer takes all states.
fn stored_for(text: &str, query: &str, abstraction: Abstraction) -> u64 {
    let options = Options { abstraction: Some(abstraction), ..Options::default() };
    let answer = answer(text, query, &options);
    assert_eq!(answer.stopped, None);
    answer.stored
}

fn answer(text: &str, query: &str, options: &Options) -> Answer {
    let network = xta::parse(text, FileId(0)).unwrap();
    let (mut model, _) = build(&network).unwrap();
    let query = xta::parse_query(query, FileId(1)).unwrap();
    let query = model.resolve_query(&query).unwrap();
    check(&model, &[query], options, &Patience).unwrap().remove(0)
}

#[test]
fn integers_alone_make_states() {
    let text = "int[0,9] n;
        process P() { state A; init A; trans A -> A { guard n < 9; assign n++; }; }
        system P;";
    assert_eq!(stored(text, Abstraction::Lu), 10);
}

#[test]
fn independent_processes_multiply() {
    let text = "process P(const int[1,3] i) { state A, B, C; init A;
            trans A -> B { }, B -> C { }, C -> A { }; }
        system P;";
    assert_eq!(stored(text, Abstraction::Lu), 27);
}

/// The clock is reset, but nobody looks at it: it is no dimension, and one state is enough.
#[test]
fn a_clock_that_is_never_tested_costs_nothing() {
    let text = "clock x, y;
        process P() { state A; init A; trans A -> A { assign x = 0; }, A -> A { assign y = 3; }; }
        system P;";
    assert_eq!(stored(text, Abstraction::None), 1);
}

/// After the test of `x` in A nobody looks at it before it is reset: B has one zone, however
/// late it is entered, even without any widening.
#[test]
fn a_clock_matters_only_where_it_is_tested_next() {
    let text = "clock x; int[0,3] n;
        process P() { state A { x <= 5 }, B; init A;
            trans A -> B { guard x >= 2; }, B -> A { guard n < 3; assign x = 0, n++; }; }
        system P;";
    assert_eq!(stored(text, Abstraction::None), 8);
}

/// Each round makes `y` 1 to 2 larger: `y - x` is 0, then [1,2], [2,4], [3,6] and so on. Beyond 4
/// nobody can tell, so the fourth has no upper bound and covers all that follow; B is one more.
/// And as `y` is compared from below only, a larger one can do all that a smaller one can: told
/// apart by direction, each round covers the one before.
#[test]
fn widening_ends_a_loop_of_delays() {
    let text = "clock x, y;
        process P() { state A { x <= 2 }, B; init A;
            trans A -> A { guard x >= 1; assign x = 0; }, A -> B { guard y >= 4; }; }
        system P;";
    assert_eq!(stored(text, Abstraction::K), 5);
    assert_eq!(stored(text, Abstraction::Lu), 2);
}

/// A state that comes first but is covered by a later one does not stay: the direct way to B
/// fixes x at 1, the way over C leaves it open.
#[test]
fn covered_states_leave_the_store() {
    let text = "clock x;
        process P() { state A { x <= 1 }, B, C, D; init A;
            trans A -> B { guard x == 1; }, A -> C { }, C -> B { }, B -> D { guard x >= 5; }; }
        system P;";
    // A, B (once), C, D.
    assert_eq!(stored(text, Abstraction::Lu), 4);
}

/// The clock is asked for in B alone, and reset on the way there: A is as it was without the query.
/// Where the query asks for it in A, too, there is more than one zone of A. A bound from above alone
/// keeps the first one: who is early can do all that others can.
#[test]
fn a_query_matters_only_where_its_locations_are() {
    let text = "clock x, y;
        process P() { state A { y <= 1 }, B; init A;
            trans A -> A { guard y >= 1; assign y = 0; }, A -> B { assign x = 0; }; }
        system P;";
    let stored = |query: &str| stored_for(text, query, Abstraction::Lu);
    assert_eq!(stored("A[] true"), 2);
    assert_eq!(stored("A[] not (P.B && x < 0)"), 2);
    assert_eq!(stored("A[] (P.B imply x >= 0)"), 2);
    assert_eq!(stored("A[] (P.A imply x >= 0)"), 2);
    assert_eq!(stored("E<> x < 0 && y > 3"), 2);
    assert_eq!(stored("E<> P.A && y > 3 && x <= 3"), 2);
    assert!(stored("E<> P.A && y > 3 && x == 3") > 2);
    assert_eq!(stored("E<> P.B && y > 3 && x < 0"), 2);
}

/// Two threads with a stack each explored six times as many states as one: an order into the depth is
/// the same with any number of threads.
#[test]
fn into_the_depth_threads_change_nothing() {
    let text = "int[0,40] a, b, c;
        process P() { state A; init A;
            trans A -> A { guard a < 40; assign a++; }, A -> A { guard b < 40; assign b++; },
                  A -> A { guard c < 40; assign c++; }; }
        system P;";
    let explored = |order: Order, threads: usize| {
        let (order, alone) = (Some(order), Some(0));
        let options = Options { order, threads, alone, ..Options::default() };
        answer(text, "E<> a == 40 && b == 40", &options).explored
    };
    for order in [Order::Dfs, Order::RandomDfs, Order::BestDepthFirst, Order::Best] {
        assert_eq!(explored(order, 1), explored(order, 2), "{order:?}");
    }
    assert_eq!(explored(Order::Dfs, 3), 120, "straight to the end of c, b and a");
}

/// The largest value of a clock once took as many states as the largest constant has units. One
/// round, or one wait, is enough, whatever the clock is compared with elsewhere.
#[test]
fn large_constants_do_not_make_large_values_dear() {
    let around = |invariant: &str, edges: &str| {
        format!(
            "clock x, y; process P() {{ state a {{ {invariant} }}, b {{ x <= 2000000000 }}, c; init a;
             trans a -> b {{ guard x >= 1000000000; }}, b -> c {{ }}{edges}; }} system P;"
        )
    };
    let cases = [
        (around("true", ""), "sup: x", Extremum::Unbounded),
        (around("true", ""), "sup{P.c}: x", Extremum::Unbounded),
        (around("true", ""), "sup{P.b}: x", finite(2_000_000_000)),
        (around("y <= 1", ", a -> a { assign y = 0; }"), "sup: x", Extremum::Unbounded),
        (
            around("y <= 7", ", a -> a { guard y > 3; assign y = 0; }"),
            "sup{y < 2}: x",
            Extremum::Unbounded,
        ),
        (around("y <= 7", ", a -> a { guard y > 3; assign y = 0, x = 0; }"), "sup: x", finite(7)),
        (
            around("x <= 1500000000", ", c -> c { assign y = 0; }"),
            "sup{!P.c}: y",
            finite(2_000_000_000),
        ),
    ];
    for (text, query, expected) in &cases {
        for abstraction in [Abstraction::Lu, Abstraction::K] {
            let abstraction = Some(abstraction);
            let options = Options { abstraction, without_acceleration: true, ..Options::default() };
            let answer = answer(text, query, &options);
            assert_eq!(answer.value, Some(*expected), "{query}, {abstraction:?}\n{text}");
            assert!(answer.explored < 5000, "{query}: {}", answer.explored);
        }
    }
}

fn finite(value: i64) -> Extremum {
    Extremum::Finite { value, attained: true }
}
