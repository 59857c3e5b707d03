//! Clocks: tests in their normal form, resets, rates.

use super::show::Show;
use super::{edge, edges_of, model, told, with_edges};

const CLOCKS: &str = "clock x, y, z[3]; int n; bool b, c; const int K = 4;";

fn guard(text: &str) -> String {
    edge(CLOCKS, &format!("guard {text};")).replace("a -> b if ", "")
}

#[test]
fn comparisons_have_one_form() {
    assert_eq!(guard("x < 3"), "(x-0<3)");
    assert_eq!(guard("x <= K"), "(x-0≤4)");
    assert_eq!(guard("x > 3"), "(0-x<-3)");
    assert_eq!(guard("x >= n"), "(0-x≤-n)");
    assert_eq!(guard("3 < x"), "(0-x<-3)");
    assert_eq!(guard("3 >= x"), "(x-0≤3)");
    assert_eq!(guard("x == 3"), "(x-0≤3) && (0-x≤-3)");
    assert_eq!(guard("x - y < 2"), "(x-y<2)");
    assert_eq!(guard("x < y + 2"), "(x-y<2)");
    assert_eq!(guard("x + n > y - 2"), "(y-x<-(-2-n))");
    assert_eq!(guard("2 - x <= 0"), "(0-x≤-2)");
    assert_eq!(guard("x - x < 1 && n == 0"), "(n==0)");
}

#[test]
fn conjunctions_are_split() {
    assert_eq!(guard("x < 3 && n == 1 && y > 2"), "(x-0<3) && (n==1) && (0-y<-2)");
    assert_eq!(guard("!(x < 3)"), "(0-x≤-3)");
    assert_eq!(guard("!(x < 3 || n == 1)"), "(0-x≤-3) && !(n==1)");
}

#[test]
fn one_clocked_alternative_is_excused_by_the_others() {
    assert_eq!(guard("b imply x <= 2"), "(!b or x-0≤2)");
    assert_eq!(guard("b || x <= 2"), "(b or x-0≤2)");
    assert_eq!(guard("b || c || x <= 2"), "((b||c) or x-0≤2)");
    assert_eq!(guard("b || (c && x == 2)"), "(b||c) && (b or x-0≤2) && (b or 0-x≤-2)");
    assert_eq!(guard("b ? x <= 1 : x <= 2"), "(!b or x-0≤1) && (b or x-0≤2)");
    assert_eq!(guard("b || (c || x < 1)"), "((b||c) or x-0<1)");
    assert_eq!(guard("b imply (c imply x < 1)"), "((!b||!c) or x-0<1)");
}

#[test]
fn quantifiers_over_clocks_are_written_out() {
    assert_eq!(
        guard("forall (i : int[0,2]) z[i] < i + 1"),
        "(z[0]-0<1) && (z[1]-0<2) && (z[2]-0<3)"
    );
    assert_eq!(
        guard("forall (i : int[0,2]) i == n || z[i] < 1"),
        ["((0==n) or z[0]-0<1)", "((1==n) or z[1]-0<1)", "((2==n) or z[2]-0<1)",].join(" && ")
    );
}

#[test]
fn a_computed_clock_stays_indexed() {
    assert_eq!(guard("z[n] < 1"), "(z[0][n in 0..2 *1]-0<1)");
    assert_eq!(
        edge(CLOCKS, "assign z[n] = 2, z[1] = n;"),
        "a -> b do {z[0][n in 0..2 *1]:=2; z[1]:=n}"
    );
}

#[test]
fn alternatives_between_clocks_are_refused() {
    insta::assert_snapshot!(told(&with_edges(
        CLOCKS,
        "a -> b { guard x < 1 || y < 1; }, a -> b { guard x != 1; }"
    )));
}

#[test]
fn rates_and_prices_go_to_the_cost() {
    let model = model(
        "int n; process P() { clock x; state a { x <= 5 && cost' == 2 * n }, b; init a;
         trans a -> b { assign cost += n + 1, x = 0; }; } system P;",
    );
    let show = Show(&model);
    let location = &model.processes[0].locations[0];
    assert_eq!(show.conjuncts(&location.invariant), "(P.x-0≤5)");
    assert_eq!(show.expr(&location.rate.as_ref().expect("a rate").tree), "(2*n)");
    assert_eq!(edges_of(&model), ["a -> b do {cost+=(n+1); P.x:=0}"]);
    assert!(model.is_priced);
}

#[test]
fn a_declared_cost_is_the_price_if_it_is_used_as_one() {
    let priced = model("clock cost; process P() { state a { cost' == 1 }; init a; } system P;");
    assert!(priced.is_priced && priced.clocks.is_empty());
    let plain = model("clock cost; process P() { state a { cost <= 1 }; init a; } system P;");
    assert!(!plain.is_priced && plain.clocks.len() == 1);
}

#[test]
fn stopwatches_are_refused() {
    insta::assert_snapshot!(told(
        "clock x; process P() { state a { x' == 0 && cost' == -1 }; init a; } system P;"
    ));
}
