//! Functions, their locals and their side effects.

use super::show::Show;
use super::{edge, model, told, with_edges};

fn body(declarations: &str) -> String {
    let source = format!("{declarations} process P() {{ state a; init a; }} system P;");
    let model = model(&source);
    let last = model.functions.last().expect("a function");
    Show(&model).statements(&last.body)
}

#[test]
fn statements_become_trees() {
    insta::assert_snapshot!(body(
        "int f(int n) {
        int i = n, s; int v[6]; int w[2] = {n, 1};
        while (i > 0) { i--; if (i == 3) s += 2; else return s; }
        do { s++; } while (s < 3);
        for (i = 0; i < 3; i++) s += v[i];
        for (k : int[0,5]) v[k] = k;
        return s + w[0]; }"
    ));
}

#[test]
fn references_reach_what_they_are_given() {
    let text =
        "int n, v[2]; clock x; void set(int &a, const int &b, clock &c) { a = b + 1; c = 0; }";
    assert_eq!(body(text), "*set.a=(*set.b+1); *set.c:=0;");
    assert_eq!(edge(text, "assign set(v[n], n, x);"), "a -> b do set(&v[0][n in 0..1 *1],&n,&x)");
}

#[test]
fn results_may_be_structs() {
    let text = "typedef struct { int a; int b; } pair; pair p; int n;
        pair make(int a, pair o) { pair r = {a, o.b}; return r; }";
    insta::assert_snapshot!(edge(text, "assign p = make(1, p), n = make(2, p).b;"));
    insta::assert_snapshot!(body(text));
}

#[test]
fn conditions_must_not_change_anything() {
    insta::assert_snapshot!(told(&with_edges(
        "int n; clock x; int g() { n++; return n; } int f() { return g(); }
         int ok(int &r) { r++; return r; } int local() { int v; return ok(v); }
         void reset(clock &c) { c = 0; }",
        "a -> b { guard n++ > 0; }, a -> b { guard f() == 1; }, a -> b { guard ok(n) == 1; },
         a -> b { guard local() == 1; }, a -> b { guard n == 0; assign f(), reset(x); }"
    )));
}

#[test]
fn recursion_is_refused() {
    insta::assert_snapshot!(told(
        "int f(int n) { return n == 0 ? 1 : n * f(n - 1); }
        int g(int n) { return h(n); } int h(int n) { return g(n); }
        process P() { state a; init a; } system P;"
    ));
}

#[test]
fn faults_in_functions() {
    insta::assert_snapshot!(told("int n; const int K = 1; clock x;
        void f(int &r) { K = 2; return 1; } int g() { return; } int h(int v[2]) { clock y; return x; }
        int i() { f(K); f(3); h(n); g(1); m(); return n(); }
        bool j() { return x < 3; }
        process P() { state a; init a; } system P;"));
}

#[test]
fn a_path_without_return_is_warned_of() {
    insta::assert_snapshot!(told("int f(int n) { if (n > 0) return 1; } int g(int n) { if (n > 0) return 1; else { return 2; } }
        int h() { while (true) { } } void i() { } process P() { state a; init a; } system P;"));
}
