//! Hostile sizes are refused before anything is allocated.

use super::{codes, with_edges};

#[test]
fn hostile_sizes_are_refused() {
    let with = |text: &str| codes(&format!("{text} process P() {{ state a; init a; }} system P;"));
    assert_eq!(with("int a[1000000000];"), ["too-large"]);
    assert_eq!(with("int a[100000][100000][100000];"), ["too-large"]);
    assert_eq!(with("clock x[1000000];"), ["too-large"]);
    assert_eq!(with("chan c[4000000000];"), ["too-large"]);
    assert_eq!(with("int a[600000]; int b[600000];"), ["too-large"]);
    assert_eq!(with("int a[9223372036854775807];"), ["too-large"]);
    assert_eq!(with("struct { int a[900000]; int b[900000]; } s;"), ["too-large"]);
    assert_eq!(with("void f() { int a[900000]; int b[900000]; }"), ["too-large"]);
    assert_eq!(with("int f() { while (true) { } return 1; } const int K = f();"), ["not-constant"]);
    assert_eq!(
        codes("process P(const int[0,999999] i) { state a; init a; } system P;"),
        ["too-large"]
    );
    assert_eq!(
        codes(&with_edges("", "a -> b { select i : int[0,9999], j : int[0,9999]; }")),
        ["too-large"]
    );
    assert_eq!(
        codes(&with_edges(
            "clock x[2]; ",
            "a -> b { guard forall (i : int[0,9999]) forall (j : int[0,9999]) x[0] < i + j; }"
        )),
        ["too-large"]
    );
}

#[test]
fn long_chains_do_not_recurse() {
    let sum = vec!["n"; 3000].join(" + ");
    assert!(codes(&with_edges("int n;", &format!("a -> b {{ guard {sum} == 0; }}"))).is_empty());
}
