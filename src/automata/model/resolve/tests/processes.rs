//! Templates, parameters, process sets, selections, channels, priorities.

use super::show::Show;
use super::{edge, edges, edges_of, model, told, with_edges};

fn names(source: &str) -> Vec<String> {
    model(source).processes.iter().map(|process| process.name.clone()).collect()
}

#[test]
fn parameters_are_constants_variables_or_aliases() {
    let model = model(
        "int g[2]; chan c[2]; clock x;
         process T(const int k, int v, int w, int &r, chan &s, clock &t) {
           state a { t <= k }; init a;
           trans a -> a { guard v < w; sync s!; assign v++, r = k; }; }
         P = T(3, 4, 5, g[1], c[1], x); system P;",
    );
    assert_eq!(edges_of(&model), ["a -> a if (P.v<5) c[1]! do {P.v++1; g[1]=3}"]);
    let location = &model.processes[0].locations[0];
    assert_eq!(Show(&model).conjuncts(&location.invariant), "(x-0≤3)");
    assert_eq!(model.state_len, 4);
    assert_eq!(model.cells[3].initial, 4);
}

#[test]
fn partial_instantiations_chain() {
    let model = model(
        "int n; process T(const int a, const int b, int &r) { state s; init s;
           trans s -> s { assign r = 10 * a + b; }; }
         Half(const int[1,2] i, int &r) = T(i, 5, r); Whole(const int[1,2] i) = Half(i, n);
         One = Whole(2); system One, Whole;",
    );
    assert_eq!(edges_of(&model), ["s -> s do n=25", "s -> s do n=15", "s -> s do n=25"]);
    let names: Vec<&str> = model.processes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["One", "Whole(1)", "Whole(2)"]);
}

#[test]
fn sets_of_processes_are_counted_out() {
    let body = "{ int v; clock x; state a; init a; }";
    assert_eq!(
        names(&format!("process P(const int[0,1] i, bool b) {body} system P;")),
        ["P(0,0)", "P(0,1)", "P(1,0)", "P(1,1)"]
    );
    let model = model(&format!("typedef scalar[2] S; process P(const S s) {body} system P;"));
    assert_eq!(model.layout.owners[1].parameters, [(Some(0), 1)]);
    assert_eq!(model.cells[3].name, "P(1).v");
    assert_eq!(model.clocks[1].name, "P(1).x");
    assert_eq!(model.scalar_sets, [2]);
}

#[test]
fn selections_make_one_edge_each() {
    assert_eq!(
        edges(
            "int n; chan c[3];",
            "a -> b { select i : int[0,2], j : bool; guard i != 1 && n == j; sync c[i]?; assign n = i; }"
        ),
        [
            "a -> b [i=0] [j=0] if (n==0) c[0]? do n=0",
            "a -> b [i=0] [j=1] if (n==1) c[0]? do n=0",
            "a -> b [i=2] [j=0] if (n==0) c[2]? do n=2",
            "a -> b [i=2] [j=1] if (n==1) c[2]? do n=2",
        ]
    );
}

#[test]
fn constants_out_of_reach_are_not_blamed() {
    let text = "const int N = 2; int v[N];";
    assert_eq!(edges(text, "a -> b { select i : int[0,N]; guard i < N && v[i] == 0; }").len(), 2);
    assert_eq!(edge(text, "guard N == 3 && v[2] == 0 || true;"), "a -> b");
    assert!(edges(text, "a -> b { guard N == 3 && v[2] == 0; }").is_empty());
}

#[test]
fn channels_may_be_computed() {
    assert_eq!(
        edge("int n; chan c[2][3];", "sync c[n][1]!;"),
        "a -> b c[0][1]+channel[0][n in 0..1 *3]!"
    );
    assert_eq!(edge("const int N = 1; chan c[2];", "sync c[N]!;"), "a -> b c[1]!");
}

#[test]
fn channels_know_what_they_are() {
    let model = model(
        "urgent chan u; broadcast chan b[2]; urgent broadcast chan ub; process P() { state a; init a; } system P;",
    );
    let shown: Vec<String> = model
        .channels
        .iter()
        .map(|c| format!("{} {} {}", c.name, c.is_urgent, c.is_broadcast))
        .collect();
    assert_eq!(shown, ["u true false", "b[0] false true", "b[1] false true", "ub true true"]);
}

#[test]
fn clocks_on_urgent_edges_are_refused_exactly_there() {
    insta::assert_snapshot!(told(&with_edges(
        "urgent chan u; chan n; clock x; int v;",
        "a -> b { guard x > 1; sync u!; }, a -> b { guard v > 1; sync u?; }, a -> b { guard x > 1; sync n!; }"
    )));
}

#[test]
fn priorities_have_levels() {
    let model = model(
        "chan a, b, c[2]; chan priority a, c[0] < default < b;
         process P() { chan own; state s; init s; } process Q() { state s; init s; } system P < Q;",
    );
    let levels: Vec<i32> = model.channels.iter().map(|channel| channel.priority).collect();
    assert_eq!(levels, [1, 3, 1, 2, 2]);
    assert_eq!(model.processes[0].default_priority, 2);
    assert!(model.processes[0].priority < model.processes[1].priority);
    assert!(model.has_priorities);
}

#[test]
fn updates_around_every_transition() {
    let model = model(
        "int n, m; before_update { n = 1 } after_update { m = 2, n++ } process P() { state s; init s; } system P;",
    );
    let show = Show(&model);
    assert_eq!(show.expr(&model.before_update.as_ref().expect("given").tree), "n=1");
    assert_eq!(show.expr(&model.after_update.as_ref().expect("given").tree), "{m=2; n++1}");
}

#[test]
fn urgent_and_committed_locations() {
    use crate::network::Urgency;
    let model = model("process P() { state a, b, c; commit b; urgent c; init a; } system P;");
    let kinds: Vec<Urgency> = model.processes[0].locations.iter().map(|l| l.urgency).collect();
    assert_eq!(kinds, [Urgency::Normal, Urgency::Committed, Urgency::Urgent]);
}

#[test]
fn faults_in_processes() {
    insta::assert_snapshot!(told("
        int n; chan c; clock x; typedef int[0,3] id;
        process T(int k, int &r) { int a; state a, b, b; init q; trans a -> c { guard zz > 1; sync n!; assign y = 1; }; }
        process U(int k) { state s; init s; trans s -> s { guard n; select i : clock; }, s -> s { sync c[0]!; assign k = x, c = 1; }; }
        A = T(1); B = T(1, 2); C = T(x, n); D = V(1); E = n(1); F = F(); G = T(n, n); H = T(1, n);
        system A, B, C, D, E, F, G, H, T, U, n, H, Missing;"));
}

#[test]
fn templates_without_process_are_warned_of() {
    insta::assert_snapshot!(told(
        "process P() { state a; init a; } process Q(int k) { state a; init a; trans a -> a { guard zz; }; } system P;"
    ));
}
