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
fn hostile_repetition_is_refused() {
    let plain = "process P() { state a; init a; } system P;";
    let mut nested = String::from("typedef int t0[1];");
    let mut doubled = String::from("typedef struct { int x; } s0;");
    for i in 1..60 {
        nested += &format!("typedef t{} t{i}[1];", i - 1);
        doubled += &format!("typedef struct {{ s{0} a; s{0} b; }} s{i};", i - 1);
    }
    assert_eq!(codes(&format!("{nested}{plain}")), ["too-large"]);
    assert_eq!(codes(&format!("{doubled}{plain}")), ["too-large"]);
    let dimensions = "[1]".repeat(3000);
    assert_eq!(codes(&format!("int a{dimensions}; {plain}")), ["too-large"]);
    let constants: String = (0..200).map(|i| format!("const int k{i} = f();")).collect();
    let found = codes(&format!(
        "int f() {{ int i; for (i = 0; i < 30000; i++) ; return i; }} {constants} {plain}"
    ));
    assert!(!found.is_empty() && found.iter().all(|&code| code == "not-constant"));
    let functions: String =
        (0..3000).map(|i| format!("int f{i}() {{ return f{}(); }}", (i + 1) % 3000)).collect();
    assert!(codes(&format!("{functions}{plain}")).contains(&"recursion"));
}

#[test]
fn the_sum_of_all_parts_is_limited() {
    use super::super::{Resolver, Spent, limits};
    let expr = crate::xta::parse_expr("1 + 2", takt_diagnostic::FileId(0)).expect("sound");
    let spent = Spent { parts: limits::PARTS - 4, ..Spent::default() };
    let mut resolver = Resolver { spent, ..Resolver::default() };
    assert!(resolver.operand(&expr).is_ok());
    assert!(resolver.operand(&expr).is_err() && resolver.operand(&expr).is_err());
    assert_eq!(resolver.errors(), 1);
}

#[test]
fn long_chains_do_not_recurse() {
    let sum = vec!["n"; 3000].join(" + ");
    assert!(codes(&with_edges("int n;", &format!("a -> b {{ guard {sum} == 0; }}"))).is_empty());
}

/// Everything that the grammar lets nest, as deep as the parser admits it, on the stack of a
/// test's thread, which is smaller than that of the program.
#[test]
fn the_deepest_text_that_is_read_is_resolved() {
    let shapes: [(&str, &str, &str); 14] = [
        ("!", "n", ""),
        ("- ", "n", ""),
        ("(", "n", ")"),
        ("n ? n : ", "n", ""),
        ("n ? ", "n", " : n"),
        ("n imply ", "n", ""),
        ("n + (", "n", ")"),
        ("n && (", "n", ")"),
        ("n || !(", "x < 1", ")"),
        ("forall (i : bool) ", "n", ""),
        ("forall (i : int[0,0]) ", "x < 1", ""),
        ("v[", "n", "]"),
        ("f(", "n", ")"),
        ("b == ", "n", ""),
    ];
    let declarations = "int n, v[2]; bool b; clock x; int f(int k) { return k; }";
    let deepest = |make: &dyn Fn(usize) -> String| {
        let depths = [4000, 3000, 2000, 1300, 990, 660, 490, 330, 198, 190, 180, 150, 90, 60, 40];
        let source = depths
            .iter()
            .map(|&depth| make(depth))
            .find(|source| crate::xta::parse(source, takt_diagnostic::FileId(0)).is_ok());
        source.expect("some depth is read")
    };
    for (open, inner, close) in shapes {
        let source = deepest(&|depth| {
            let text = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
            with_edges(declarations, &format!("a -> b {{ guard {text}; }}"))
        });
        let found = codes(&source);
        let refused = ["clock-disjunction", "nesting-too-deep"];
        assert!(found.iter().all(|code| refused.contains(code)), "{open}: {found:?}");
    }
    for (open, inner, close) in [
        ("if (n) ", ";", ""),
        ("if (n) ; else ", ";", ""),
        ("while (n) ", ";", ""),
        ("{ ", ";", " }"),
        ("do ", ";", " while (n);"),
        ("for (i : bool) ", ";", ""),
        ("n = ", "1;", ""),
        ("n += ", "1;", ""),
    ] {
        let source = deepest(&|depth| {
            let text = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
            with_edges(&format!("int n; void f() {{ {text} }}"), "a -> b { assign f(); }")
        });
        let found = codes(&source);
        assert!(found.iter().all(|&code| code == "nesting-too-deep"), "{open}: {found:?}");
    }
}
