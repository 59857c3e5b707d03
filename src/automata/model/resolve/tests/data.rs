//! Variables, arrays, structs, types, constants.

use super::{edge, model, told};

#[test]
fn cells_have_names_ranges_and_values() {
    let model = model(
        "typedef int[1,3] small; struct { small s; bool b[2]; } r = {2, {true, false}};
         int m[2][3] = {{1,2,3},{4,5,6}}; meta int v; int[5,9] late; bool flag = 3;
         process P() { int own; state a; init a; } system P;",
    );
    let shown: Vec<String> = model.cells[1..model.state_len as usize]
        .iter()
        .map(|c| {
            format!(
                "{} {}..{} = {}{}",
                c.name,
                c.lo,
                c.hi,
                c.initial,
                if c.is_meta { " meta" } else { "" }
            )
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn constants_are_folded_and_64_bits_wide() {
    assert_eq!(
        edge("const int BIG = 4000000000 * 10; bool b;", "guard b == (BIG > 1);"),
        "a -> b if (b==1)"
    );
    assert_eq!(edge("const int T[2] = {7, 8}; int n;", "guard n == T[1];"), "a -> b if (n==8)");
    assert_eq!(
        edge("const int T[2] = {7, 8}; int n;", "guard n == T[n];"),
        "a -> b if (n==T[0][n in 0..1 *1])"
    );
    assert_eq!(
        edge("const struct { int a; int b; } S = {1, 2}; int n;", "guard n == S.b;"),
        "a -> b if (n==2)"
    );
}

#[test]
fn constants_may_be_computed_by_functions() {
    let text = "int fib(int n) { int a = 0, b = 1, t; for (t = 0; t < n; t++) { b = a + b; a = b - a; } return a; }
        const int N = fib(10); int v[N];";
    assert_eq!(edge(text, "guard v[54] == 0;"), "a -> b if (v[54]==0)");
}

#[test]
fn arrays_index_by_types_and_dimensions() {
    let text =
        "typedef int[2,4] id; int a[id]; int m[2][3]; int n; typedef scalar[3] S; S s; int p[S];";
    assert_eq!(edge(text, "assign a[3] = 1;"), "a -> b do a[3]=1");
    assert_eq!(edge(text, "assign a[n] = 1;"), "a -> b do a[2][n in 2..4 *1]=1");
    assert_eq!(edge(text, "assign m[n][1] = 1;"), "a -> b do m[0][1][n in 0..1 *3]=1");
    assert_eq!(edge(text, "assign p[s] = 1;"), "a -> b do p[0][s in 0..2 *1]=1");
}

#[test]
fn whole_arrays_and_structs_are_copied_and_compared() {
    let text = "struct { int a; int b[2]; } s, t; int v[2], w[2];";
    assert_eq!(edge(text, "assign s = t;"), "a -> b do copy 3 s.a=t.a");
    assert_eq!(edge(text, "assign s.b = v;"), "a -> b do copy 2 s.b[0]=v[0]");
    assert_eq!(edge(text, "guard v == w;"), "a -> b if same 2 v[0]==w[0]");
    assert_eq!(edge(text, "guard s != t;"), "a -> b if !same 3 s.a==t.a");
}

#[test]
fn operators_keep_their_meaning() {
    let text = "int n, m; bool b;";
    assert_eq!(edge(text, "guard n <? m == 1 >? 2;"), "a -> b if ((n<?m)==2)");
    assert_eq!(
        edge(text, "assign n += 2, m++, --n, b = n;"),
        "a -> b do {n+=2; m++1; n+=-1; b=(n!=0)}"
    );
    assert_eq!(edge(text, "assign n = b ? m : 7 % 4;"), "a -> b do n=(b?m:3)");
    assert_eq!(edge(text, "guard n / 0 == 1;"), "a -> b if ((n/0)==1)");
    assert_eq!(
        edge(text, "guard (sum (i : int[1,3]) i * n) == 6;"),
        "a -> b if (sum(i:1..3)(i*n)==6)"
    );
    assert_eq!(edge(text, "guard exists (i : bool) i == b;"), "a -> b if exists(i:0..1)(i==b)");
}

#[test]
fn short_circuits_stay_in_order_and_are_balanced() {
    let chain: Vec<String> = (0..4).map(|i| format!("n == {i}")).collect();
    assert_eq!(
        edge("int n;", &format!("guard ({}) == true;", chain.join(" || "))),
        "a -> b if ((((n==0)||(n==1))||((n==2)||(n==3)))==1)"
    );
    let long: Vec<String> = (0..1_500).map(|i| format!("n != {i}")).collect();
    assert_eq!(
        model(&super::with_edges("int n;", &format!("a -> b {{ guard {}; }}", long.join(" && "))))
            .processes[0]
            .edges[0]
            .guard
            .len(),
        1_500
    );
}

#[test]
fn remaining_is_found() {
    let model = model("int a; meta int remaining = 4; process P() { state a; init a; } system P;");
    let addr = model.remaining.expect("declared");
    assert_eq!(model.cells[addr].name, "remaining");
}

#[test]
fn faults_in_declarations() {
    insta::assert_snapshot!(told(
        "
        int[3,1] a; int[0,5000000000] b; int c = 40000; int d[0]; int e[2] = {1}; const int f;
        int g = c; scalar[0] h; scalar[1000000000] hh; unknown i; struct { clock x; } j; urgent int k; const clock l;
        struct { int p; int p; } m; clock n = 3; int o[2] = 5; struct { int u; } q = {v: 1};
        const int[0,3] r = 4; int c; int aa[a];
        process P() { state s; init s; } system P;"
    ));
}
