//! Faults of expressions, told with their place.

use super::{told, with_edges};

#[test]
fn faults_in_expressions() {
    insta::assert_snapshot!(told(&with_edges(
        "int n, v[3], lenght; const int K = 2; clock x, y; typedef scalar[2] S; typedef scalar[2] T; S s; T t; bool b;
         struct { int f; } r; int p[S]; chan c;",
        "a -> b { guard v[3] == 0; }, a -> b { guard length == 0; }, a -> b { guard s < s; },
         a -> b { guard s == t; }, a -> b { guard s == 1; }, a -> b { guard p[0] == 1; }, a -> b { guard v[s] == 1; },
         a -> b { guard v == 1; }, a -> b { guard n[0] == 1; }, a -> b { guard r.g == 1; }, a -> b { guard c; },
         a -> b { assign K = 1; }, a -> b { assign x = y; }, a -> b { assign x += 1; }, a -> b { assign n = x; },
         a -> b { assign s = 1; }, a -> b { assign cost = 1; }, a -> b { assign cost += -1; }, a -> b { guard cost < 1; },
         a -> b { guard x + y < 1; }, a -> b { guard deadlock; }, a -> b { guard a; }, a -> b { guard x' == 1; },
         a -> b { guard forall (i : clock) true; }, a -> b { assign 3 = n; }, a -> b { assign v = n; },
         a -> b { guard (x < 1) == b; }, a -> b { sync v!; }, a -> b { assign n = P; }, a -> b { guard 2 * x < 4; }, a -> b { assign x = -1; }"
    )));
}

#[test]
fn each_fault_is_told_once_for_all_processes() {
    insta::assert_snapshot!(told(
        "process P(const int[0,9] i) { state a; init a; trans a -> a { guard oops == i; }; } system P;"
    ));
}
