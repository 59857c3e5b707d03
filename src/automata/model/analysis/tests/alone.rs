//! What a process alone still has to pay, or to wait, worked out by hand.

use super::super::{Affine, Alone, Measure, ProcessBound, Ranges};
use crate::model::{Query, build};
use crate::xta;
use takt_diagnostic::FileId;

fn parts(text: &str, goal: &str, measure: Measure) -> Vec<ProcessBound> {
    let (mut model, _) = build(&xta::parse(text, FileId(0)).unwrap()).unwrap();
    let query = xta::parse_query(&format!("E<> {goal}"), FileId(1)).unwrap();
    let Query::Possibly(goal) = model.resolve_query(&query).unwrap() else { unreachable!() };
    Alone::new(&Ranges::inferred(&model), &goal, measure, &mut || false).parts
}

/// Lands at 10 at the earliest and at 30 at the latest; pays 3 per unit before 20, 5 after.
const PLANE: &str = "clock t; chan land; bool free;
    process Plane() {
        state flying { t <= 20 }, early { t <= 20 && cost' == 3 }, late { t <= 30 && cost' == 5 }, done;
        init flying;
        trans
            flying -> early { guard t >= 10 && free; sync land!; },
            flying -> late { guard t == 20; assign cost += 1; },
            early -> done { guard t == 20; },
            late -> done { sync land!; };
    }
    process Tower() { clock x; state on; init on; trans on -> on { guard x >= 4; sync land?; assign free = true, x = 0; }; }
    plane = Plane(); tower = Tower(); system plane, tower;";

#[test]
fn the_cost_to_go_is_a_function_of_the_time() {
    let parts = parts(PLANE, "plane.done", Measure::Cost);
    let [plane] = &parts[..] else { panic!("only the plane pays: {parts:?}") };
    let (flying, early, late, done) = (0, 1, 2, 3);
    // Landing at 20 from `late` costs 1, from `early` nothing more.
    assert_eq!(plane.least(flying, (0, 20)), Some(0));
    assert_eq!(plane.line(early, (12, 20)), Some(Affine { offset: 60, slope: -3 }));
    assert_eq!(plane.least(early, (12, 15)), Some(15));
    assert_eq!(plane.least(late, (20, 25)), Some(0));
    assert!(plane.is_trivial(done) && !plane.is_trivial(early));
}

#[test]
fn what_came_too_late_never_arrives() {
    let parts = parts(PLANE, "plane.done", Measure::Cost);
    assert_eq!(parts[0].least(2, (30, 30)), Some(0));
    assert_eq!(parts[0].least(0, (21, 40)), None);
}

#[test]
fn the_time_to_go_counts_for_every_process() {
    let parts = parts(PLANE, "plane.done", Measure::Time);
    let plane = &parts[0];
    assert_eq!(plane.least(0, (0, 0)), Some(20));
    assert_eq!(plane.line(0, (0, 20)), Some(Affine { offset: 20, slope: -1 }));
}

#[test]
fn a_clock_that_others_reset_tells_nothing() {
    let text = PLANE.replace("x = 0;", "x = 0, t = 0;");
    assert!(parts(&text, "plane.done", Measure::Cost).is_empty());
}

#[test]
fn a_goal_that_every_location_may_meet_tells_nothing() {
    assert!(parts(PLANE, "free", Measure::Cost).is_empty());
}
