//! Queries against a model.

use super::model;
use super::show::{Show, messages};
use crate::model::{ClockId, Model, Objective, Query};
use takt_diagnostic::FileId;

const SYSTEM: &str = "int n, v[3]; clock t; const int K = 2; typedef int[0,2] id;
    bool odd(int k) { return k % 2 == 1; } int bump() { n++; return n; }
    process P(const id i, int w) { int x; clock y, z[2]; state a, b; init a; trans a -> b { assign w++; }; }
    process Q() { struct { int f; } s; state on; init on; }
    Set(const id i) = P(i, 7); One = P(1, 5); system Set, One, Q;";

fn resolve(model: &mut Model, text: &str) -> Result<Query, String> {
    let query = crate::xta::parse_query(text, FileId(0)).map_err(|found| messages(text, &found))?;
    model.resolve_query(&query).map_err(|found| messages(text, &found))
}

fn formula(text: &str) -> String {
    let mut model = model(SYSTEM);
    match resolve(&mut model, &format!("E<> {text}")) {
        Ok(Query::Possibly(formula)) => Show(&model).formula(&formula),
        Ok(other) => format!("{other:?}"),
        Err(messages) => messages,
    }
}

#[test]
fn names_lead_into_processes() {
    assert_eq!(formula("One.b"), "(One==1)");
    assert_eq!(formula("Set(2).b && n == 1"), "((Set(2)==1)&&(n==1))");
    assert_eq!(formula("Set(1).x == Set(2).w"), "(Set(1).x==Set(2).w)");
    assert_eq!(formula("Set(1).i == 1 && Q.s.f == 0"), "(Q.s.f==0)");
    assert_eq!(formula("One.y > 3"), "(0-One.y<-3)");
    assert_eq!(formula("One.z[1] - Set(0).y <= K"), "(One.z[1]-Set(0).y≤2)");
    assert_eq!(formula("v[n] == odd(v[1])"), "(v[0][n in 0..2 *1]==odd(v[1]))");
}

#[test]
fn quantifiers_over_processes_are_written_out() {
    assert_eq!(
        formula("forall (i : id) Set(i).a"),
        "(Set(0)==0)&&((Set(1)==0)&&(Set(2)==0))".replacen('(', "((", 1) + ")"
    );
    assert_eq!(
        formula("exists (i : id) Set(i).y < i"),
        "((Set(0).y-0<0) || (Set(1).y-0<1) || (Set(2).y-0<2))"
    );
    assert_eq!(
        formula("(sum (i : id) Set(i).b) == 2"),
        "(((Set(0)==1)+((Set(1)==1)+(Set(2)==1)))==2)"
    );
    assert_eq!(formula("forall (i : id) v[i] == 0"), "forall(i:0..2)(v[0][i in 0..2 *1]==0)");
}

#[test]
fn anything_boolean_may_be_asked_of_clocks() {
    assert_eq!(formula("t < 1 || t > 2 && n == 0"), "((t-0<1) || ((0-t<-2) && (n==0)))");
    assert_eq!(formula("t != 1"), "((t-0<1) || (0-t<-1))");
    assert_eq!(formula("!(t == 1 && n == 0)"), "((0-t<-1) || (t-0<1) || !(n==0))");
    assert_eq!(formula("not deadlock && t <= 1"), "(not deadlock && (t-0≤1))");
    assert_eq!(formula("deadlock imply n == 1"), "(not deadlock || (n==1))");
}

#[test]
fn objectives_are_clocks_numbers_or_the_cost() {
    let mut model = model(SYSTEM);
    assert!(matches!(
        resolve(&mut model, "inf{One.b}: t"),
        Ok(Query::Infimum { of: Objective::Clock(ClockId(0), _), .. })
    ));
    assert!(matches!(
        resolve(&mut model, "sup: n + 1"),
        Ok(Query::Supremum { of: Objective::Data(_), .. })
    ));
    assert!(matches!(
        resolve(&mut model, "inf{One.b}: cost"),
        Ok(Query::Infimum { of: Objective::Cost(_), .. })
    ));
    assert!(matches!(resolve(&mut model, "One.a --> One.b"), Ok(Query::LeadsTo(..))));
}

#[test]
fn a_wrong_query_leaves_the_model_as_it_was() {
    let mut model = model(SYSTEM);
    assert!(resolve(&mut model, "E<> nothing").is_err());
    assert!(resolve(&mut model, "E<> One.b").is_ok());
}

#[test]
fn faults_in_queries() {
    let mut model = model(SYSTEM);
    let mut text = String::new();
    for query in [
        "E<> One.c",
        "E<> Set.a",
        "E<> Set(3).a",
        "E<> Set(n).a",
        "E<> Set(1,2).a",
        "E<> P.a",
        "E<> Oen.a",
        "E<> n = 1",
        "E<> bump() == 1",
        "E<> n.x",
        "E<> v",
        "E<> t",
        "E<> cost < 3",
        "inf{One.b}: t - One.y",
        "E<> One",
        "E<> Q.s.g == 1",
        "E<> t + One.y < 3",
    ] {
        text += &format!("{query}\n{}", resolve(&mut model, query).err().unwrap_or_default());
    }
    insta::assert_snapshot!(text);
}

#[test]
fn processes_over_scalars_are_chosen_by_number_or_scalar() {
    let text = "typedef scalar[2] S; S s; process P(const S i) { state a, b; init a; } system P;";
    let mut model = model(text);
    let shown = |model: &mut Model, query| match resolve(model, query) {
        Ok(Query::Possibly(formula)) => Show(model).formula(&formula),
        other => format!("{other:?}"),
    };
    assert_eq!(shown(&mut model, "E<> P(1).b"), "(P(1)==1)");
    assert_eq!(
        shown(&mut model, "E<> exists (i : S) P(i).b && i != s"),
        "(((P(0)==1)&&(0!=s))||((P(1)==1)&&(1!=s)))"
    );
    assert!(resolve(&mut model, "E<> P(2).b").is_err());
    assert!(resolve(&mut model, "E<> s == 1").is_err());
}
