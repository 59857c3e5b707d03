//! The picture of a network, as text for Graphviz.

use super::{model, print_dot};

const MODEL: &str = "int x; chan c;
process P(const int n) {
    clock t;
    state idle, busy { t <= n }, sent, over;
    commit sent;
    urgent over;
    init idle;
    trans idle -> busy { select i : int[0, 2]; guard x == i && t > 1; sync c!; assign x = 1, t = 0; },
          busy -> sent { }, sent -> over { };
}
process Q() { state q; init q; trans q -> q { sync c?; }; }
A = P(3);
system A, Q;";

#[test]
fn one_cluster_per_template_with_all_labels() {
    insta::assert_snapshot!(print_dot(&model(MODEL)));
}
