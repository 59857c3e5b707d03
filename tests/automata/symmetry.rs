//! Symmetry reduction on models made by hand: toys have exactly as many states as they have orbits;
//! models that tell elements apart are left alone. Random models are in `crossing`.

use crate::asking::{Patience, compile};
use takt_automata::engine::{Answer, Failure, Options, check};
use takt_automata::model::symmetry::Symmetry;
use takt_automata::model::{Model, Query};

fn answers(
    model: &Model,
    queries: &[Query],
    without_symmetry: bool,
) -> Result<Vec<Answer>, Box<Failure>> {
    let options = Options { without_symmetry, ..Options::default() };
    check(model, queries, &options, &Patience(40_000))
}

/// States stored once everything is explored.
fn stored(text: &str) -> u64 {
    let (model, queries) = compile(text, &["A[] true".into()]);
    let answers = answers(&model, &queries, false).unwrap();
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
    let whole = answers(&model, &queries, true).unwrap()[0].stored;
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
    let kept = around(
        "int a[S]; int f() { int t = 0; int u = (sum (i : S) (t = 2 * t + a[i])); return t; }",
        "assign n = f();",
    );
    assert_eq!(refusals(&kept), ["in `f`, a quantifier over it changes something on the way"]);
    let heard = around("", "sync b?; assign last = s;");
    assert_eq!(refusals(&heard), ["receivers of a broadcast change `last` in their order"]);
    let counted = around("", "sync b?; assign n++;");
    assert!(refusals(&counted).is_empty());
    let last = around("void f() { for (i : S) last = i; }", "assign f();");
    let order = |what: &str| {
        format!("a loop over it in `f` changes `{what}`, which may depend on the order")
    };
    assert_eq!(refusals(&last), [order("last")]);
    let all = around("int a[S]; void f() { for (i : S) { a[i] = n; n += 0; } }", "assign f();");
    assert_eq!(refusals(&all), [order("n")]);
    let each = around("int a[S]; void f() { for (i : S) a[i] = n; }", "assign f();");
    assert!(refusals(&each).is_empty());
    let numbered = around("int a[S]; void f() { for (i : S) a[i] = n++; }", "assign f();");
    assert_eq!(refusals(&numbered), [order("n")]);
    let kept = around(
        "int a[S]; void f(int t) { for (i : S) { if (i == last) t = 1; a[i] = t; } }",
        "assign f(0);",
    );
    assert_eq!(refusals(&kept), [order("f.t")]);
    let anew = around(
        "int a[S]; void f() { for (i : S) { int t = 0; if (i == last) t = 1; a[i] = t; } }",
        "assign f();",
    );
    assert!(refusals(&anew).is_empty());
    let taken = around("int a[S];", "sync b?; assign a[s] = n++;");
    assert_eq!(refusals(&taken), ["receivers of a broadcast change `n` in their order"]);
    let search = around(
        "int a[S]; bool f() { for (i : S) if (a[i] > 0) return true; return false; }",
        "guard f();",
    );
    assert!(refusals(&search).is_empty());
}

/// Which element is looked at first decides whether an error is met: such sets are left alone.
#[test]
fn errors_that_an_order_hides_are_not_reduced_away() {
    let around = |declarations: &str, guard: &str| {
        format!(
            "typedef scalar[3] S; int[0, 3] a[S]; int[1, 3] n = 1; int w[2]; {declarations}
             process P(const S s) {{ state A; init A; trans A -> A {{ guard {guard}; }}; }} system P;"
        )
    };
    let early = ["a quantifier over it may end before it fails"];
    assert_eq!(refusals(&around("", "forall (i : S) 6 / a[i] > 1")), early);
    assert_eq!(refusals(&around("", "exists (i : S) w[a[i]] > 1")), early);
    let through = "bool f(S i) { return 6 / a[i] > 1; }";
    assert_eq!(refusals(&around(through, "exists (i : S) f(i)")), early);
    let narrow = "int g(S i) { int[0, 1] k = a[i]; return k; }";
    assert_eq!(refusals(&around(narrow, "forall (i : S) g(i) > 0")), early);
    let search = "bool f() { for (i : S) if (6 / a[i] > 1) return true; return false; }";
    assert_eq!(refusals(&around(search, "f()")), ["a loop over it in `f` may end before it fails"]);
    for harmless in [
        "forall (i : S) 6 / n > a[i]",
        "exists (i : S) w[a[i] / 2] > 1",
        "(sum (i : S) 6 / a[i]) > 1",
        "6 / a[s] > 1",
    ] {
        assert!(refusals(&around("", harmless)).is_empty(), "{harmless}");
    }
}

/// The same for queries, whose quantifiers are written out.
#[test]
fn queries_that_may_fail_halfway_are_asked_of_all_states() {
    let text = "typedef scalar[2] S; int[0, 2] a[S]; process P(const S s) { state A, B; init A;
        trans A -> B { assign a[s] = 1; }; } system P;";
    let is_reduced = |query: &str| {
        let (model, queries) = compile(text, &[query.into()]);
        !Symmetry::of(&model).sets_for(&model, &queries[0]).is_empty()
    };
    assert!(!is_reduced("E<> exists (i : S) 2 / a[i] == 2"));
    assert!(!is_reduced("E<> exists (i : S) P(i).B && 2 / a[i] == 2"));
    assert!(!is_reduced("sup: (exists (i : S) 2 / a[i] == 2)"));
    assert!(is_reduced("E<> exists (i : S) 2 / (a[i] + 1) == 2"));
    assert!(is_reduced("E<> exists (i : S) P(i).B && a[i] == 2"));
}

/// Only one of two images of a state fails: both have to be looked at.
#[test]
fn an_error_behind_one_image_is_met() {
    let text = |first: u32| {
        format!(
            "typedef scalar[2] S; int[0, 2] a[S]; S p; int done;
             process Q() {{ state A, B; init A;
                trans A -> B {{ select i : S; assign a[i] = 1; }},
                      B -> B {{ guard done < {first} && (exists (i : S) 2 / a[i] == 2); assign done++; }};
             }} system Q;"
        )
    };
    let fails = |without_symmetry: bool| {
        let (model, queries) = compile(&text(1), &["A[] true".into()]);
        answers(&model, &queries, without_symmetry).is_err()
    };
    assert_eq!([fails(true), fails(false)], [true, true]);
}

/// A query that names an element is asked of all states; one that does not shares nothing with it.
#[test]
fn queries_that_name_elements_are_asked_of_all_states() {
    let text = "typedef scalar[3] S; process P(const S s) { state A, B; init A;
        trans A -> B { }; } system P;";
    let queries = ["E<> P(1).B && !P(0).B", "A[] exists (i : S) P(i).A || P(i).B"];
    let (model, queries) = compile(text, &queries.map(String::from));
    let found = answers(&model, &queries, false).unwrap();
    assert!(found[0].reduced.is_empty());
    assert_eq!((found[1].reduced.len(), found[1].stored), (1, 4));
}

/// Elements are marked one by one, and a function says something of each mark and of all: the states are
/// as many as marked elements can be, and so is what the function says.
const FUNCTIONS: &[(&str, &str)] = &[
    ("int f(S i, bool x[S]) { return x[i] ? 2 : 1; }", "g = f(s, b)"),
    ("int f(S i, const bool x[S]) { return x[i] ? 2 : 1; }", "g = f(s, b)"),
    ("int f(S i, bool x[S]) { x[i] = true; return x[i] ? 2 : 1; }", "g = f(s, m[s])"),
    ("int f(S i) { bool x[S]; x[i] = true; return x[i] ? 2 : 1; }", "g = f(s)"),
    ("int f(S i) { bool x[S][S]; x[i][i] = true; return x[i][i] ? 2 : 1; }", "g = f(s)"),
    ("bool f(S i) { S k; k = i; return b[k]; }", "g = f(s)"),
    ("bool f(S i) { S k; if (b[i]) k = i; else k = e; return b[k]; }", "g = f(s)"),
    ("bool f(S i) { S k; if (b[i]) { k = i; return b[k]; } return false; }", "g = f(s)"),
    ("bool f(S i) { T r; r.p = i; r.q = b[i]; return r.q && r.p == i; }", "g = f(s)"),
    ("bool f(S i) { T r, t; t.p = i; r = t; return b[r.p]; }", "g = f(s)"),
    ("bool f(S i) { U r; r.p = i; r.h = 1; return b[r.p]; }", "g = f(s)"),
    ("bool f(S i) { U r; r.h = 1; return r.h == 1 && b[i]; }", "g = f(s)"),
    ("int f() { int k = 0; for (j : S) if (c[j] > k) k = c[j]; return k; }", "g = f()"),
    (
        "int f() { int k = 9; for (j : S) if (b[j] && k >= c[j]) { k = c[j]; } return k; }",
        "g = f()",
    ),
    ("int f() { int k = 0; for (j : S) k = k >? c[j]; return k; }", "g = f()"),
    ("int f() { int k = 9; for (j : S) k = c[j] <? k; return k; }", "g = f()"),
    ("int f() { int k = 0; for (j : S) k = k < c[j] ? c[j] : k; return k; }", "g = f()"),
    ("bool f() { bool r = false; for (j : S) r = r || b[j]; return r; }", "g = f()"),
    ("bool f() { bool r = true; for (j : S) r = b[j] && r; return r; }", "g = f()"),
    ("bool f() { bool r = false; for (j : S) r |= b[j]; return r; }", "g = f()"),
    ("bool f() { bool r = true; for (j : S) r &= b[j]; return r; }", "g = f()"),
    ("bool f() { bool r = true; for (j : S) r *= b[j]; return r; }", "g = f()"),
    ("bool f() { bool r = false; for (j : S) r ^= b[j]; return r; }", "g = f()"),
    ("void f() { g = 0; for (j : S) g += (b[j] ? 1 : 0); }", "f()"),
    ("void f() { g = 0; for (j : S) g = g + (b[j] ? 1 : 0); }", "f()"),
    ("int f() { int k = 0; for (i : S) for (j : S) if (m[i][j]) k++; return k; }", "g = f()"),
    ("bool f() { S k; return b[k]; }", "g = 1"),
    ("void f() { for (j : S) e = j; }", "g = 1"),
];

fn marking(function: &str, update: &str) -> String {
    format!(
        "typedef scalar[4] S; typedef struct {{ S p; bool q; }} T;
         typedef struct {{ S p; int[0, 9] h, i, j, k; }} U;
         bool b[S], m[S][S]; int[0, 9] c[S]; int[0, 99] g; S e; {function}
         process P(const S s) {{ state A, B; init A;
            trans A -> B {{ assign b[s] = true, c[s] = 3, m[s][s] = true, {update}; }}; }}
         process Q() {{ state A; init A; }}
         system P, Q;"
    )
}

#[test]
fn functions_that_treat_elements_alike_are_reduced() {
    for (function, update) in FUNCTIONS {
        let text = marking(function, update);
        assert_eq!(refusals(&text), [""; 0], "{function}");
        let queries = ["A[] true", "E<> g == 2", "sup: g", "inf{forall (i : S) b[i]}: g"];
        let (model, queries) = compile(&text, &queries.map(String::from));
        let whole = answers(&model, &queries, true).unwrap();
        let found = answers(&model, &queries, false).unwrap();
        for (whole, found) in whole.iter().zip(&found) {
            assert_eq!((whole.verdict, whole.value), (found.verdict, found.value), "{function}");
        }
        // Some are marked, and the element that a variable holds is one of them or not.
        assert_eq!((whole[0].stored, found[0].stored), (16, 8), "{function}");
    }
}

/// What looks much the same, and is not.
#[test]
fn functions_that_tell_elements_apart_are_named() {
    let early = |local: &str| {
        format!("`f.{local}` may be read before it is written, and starts as the first element")
    };
    let order = |what: &str| {
        format!("a loop over it in `f` changes `{what}`, which may depend on the order")
    };
    let other = || "the function `f` tells its elements apart".to_owned();
    for (function, update, reason) in [
        ("bool f() { S k; return b[k]; }", "g = f()", early("k")),
        ("bool f(S i) { S k; if (b[i]) k = i; return b[k]; }", "g = f(s)", early("k")),
        ("bool f(S i) { S k; while (g > 5) { k = i; g--; } return b[k]; }", "g = f(s)", early("k")),
        ("bool f(S i) { S k; bool r = b[i] && b[k]; k = i; return r; }", "g = f(s)", early("k")),
        ("bool f(S i) { T r; r.q = b[i]; return b[r.p]; }", "g = f(s)", early("r.p")),
        ("bool f(S i) { U r; r.h = 1; return b[r.p]; }", "g = f(s)", early("r.p")),
        ("void z(S &x) { b[x] = true; } void f() { S k; z(k); }", "f()", early("k")),
        ("bool f(S i) { T r, t; t.p = i; t = r; return b[t.p]; }", "g = f(s)", early("r.p")),
        ("bool f(S i) { S x[S]; x[i] = i; return b[x[e]]; }", "g = f(s)", early("x[0]")),
        ("bool f() { bool x[S] = {true, false, false, false}; return x[e]; }", "g = f()", other()),
        (
            "int f() { int k = 0; for (j : S) { k += 1; c[j] = k; } return k; }",
            "g = f()",
            order("f.k"),
        ),
        (
            "int f() { int k = 0; for (j : S) if (c[j] > k) k = c[j] + 1; return k; }",
            "g = f()",
            order("f.k"),
        ),
        (
            "int f() { int k = 0; for (j : S) if (c[j] > k) k = c[e]; return k; }",
            "g = f()",
            order("f.k"),
        ),
        ("int f() { int k = 0; for (j : S) k = c[j] - k; return k; }", "g = f()", order("f.k")),
        (
            "int f() { int k; for (j : S) { k = k >? c[j]; k = k <? 2; } return k; }",
            "g = f()",
            order("f.k"),
        ),
        ("int f() { int k = 5; for (j : S) k += c[j] - 1; return k; }", "g = f()", order("f.k")),
        ("int f() { int k = 1; for (j : S) k *= c[j]; return k; }", "g = f()", order("f.k")),
        (
            "int f() { int k = 1; for (j : S) { k *= 2; k *= (b[j] ? 1 : 0); } return k; }",
            "g = f()",
            order("f.k"),
        ),
        (
            "bool f() { bool r; for (j : S) r = r || 6 / c[j] > 1; return r; }",
            "g = f()",
            order("f.r"),
        ),
        (
            "bool f() { bool r; for (j : S) { r = r || b[j]; if (r) c[j] = 1; } return r; }",
            "g = f()",
            order("f.r"),
        ),
        (
            "bool f() { int[-3, 0] r = -3; for (j : S) r = r && b[j]; return r; }",
            "g = f()",
            order("f.r"),
        ),
        ("int f() { int[0, 5] k; for (j : S) k ^= c[j]; return k; }", "g = f()", order("f.k")),
        (
            "int z() { g++; return g; } int f() { int k; for (j : S) if (z() > k) k = z(); return k; }",
            "g = f()",
            order("g"),
        ),
        (
            "void f(int t) { for (j : S) { do { c[j] = t; } while ((t = (j == e ? 1 : 0)) > 5); } }",
            "f(0)",
            order("f.t"),
        ),
    ] {
        assert_eq!(refusals(&marking(function, update)), [reason], "{function}");
    }
}

/// The model does not call it, so it says nothing; a query that calls it is asked of all states.
#[test]
fn functions_of_queries_alone_count_for_these() {
    let text =
        marking("bool f() { S k; return b[k]; } bool h(S i) { S k; k = i; return b[k]; }", "g = 1");
    let queries = ["E<> f()", "E<> exists (i : S) h(i)", "E<> g == 1"];
    let (model, queries) = compile(&text, &queries.map(String::from));
    let symmetry = Symmetry::of(&model);
    let reduced = queries.iter().map(|query| symmetry.sets_for(&model, query).len());
    assert_eq!(reduced.collect::<Vec<_>>(), [0, 1, 1]);
}

/// Sums of numbers without a sign are the same in any order, however they are written.
#[test]
fn receivers_may_count() {
    let around = |update: &str| {
        format!(
            "typedef scalar[3] S; int n = 9; int[0, 3] k; int[-1, 1] d; bool any; broadcast chan b;
             process P(const S s) {{ state A; init A; trans A -> A {{ sync b?; assign {update}; }}; }}
             system P;"
        )
    };
    for counts in ["n = n + 1", "n = k + n", "n = n - k", "n -= k", "n += k", "any = any || n > 3"]
    {
        assert_eq!(refusals(&around(counts)), [""; 0], "{counts}");
    }
    for (tells, what) in
        [("n = k - n", "n"), ("n += d", "n"), ("n = n + n", "n"), ("n++, k = n % 3", "n")]
    {
        let reason = format!("receivers of a broadcast change `{what}` in their order");
        assert_eq!(refusals(&around(tells)), [reason], "{tells}");
    }
}
