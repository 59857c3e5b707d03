//! Sample files of each format, and files that must be refused by their place.

use super::{Format, import};
use takt_automata::compose::Templates;
use takt_diagnostic::{Diagnostic, FileId};
use takt_plant::{Id, Objective, OrderId, Plan, PoolId, StepId, TEMPLATE_FILES, lower};
use takt_spec as spec;

const FT06: &str = include_str!("../../../tests/imports/ft06");
const AIRLAND1: &str = include_str!("../../../tests/imports/airland1.txt");
const J301_1: &str = include_str!("../../../tests/imports/j301_1.sm");
const RAND0000: &str = include_str!("../../../tests/imports/50-rand0000.stg");

/// What takt itself understands of an imported file.
fn planned(text: &str, format: Format) -> Plan {
    let yaml = import(text, FileId(0), "na\"me", format).expect("the file is good");
    let (spec, warnings) =
        spec::read(&yaml, FileId(0)).unwrap_or_else(|wrong| panic!("{wrong:#?}\n{yaml}"));
    assert!(warnings.is_empty(), "{warnings:#?}");
    assert_eq!(spec.name.as_ref().map(|name| name.value.as_str()), Some("na\"me"));
    takt_plant::plan(&spec).expect("numbers are small")
}

fn refused(text: &str, format: Format) -> Diagnostic {
    let wrong = import(text, FileId(0), "x", format).expect_err("the file is bad");
    wrong.into_iter().next().expect("a message")
}

fn place(text: &str, found: &Diagnostic) -> String {
    let span = found.span.expect("a place");
    text[span.start as usize..span.end as usize].to_owned()
}

#[test]
fn job_shops_keep_their_machines_and_durations() {
    let plan = planned(FT06, Format::Jsplib);
    assert_eq!((plan.orders.len(), plan.resources.len()), (6, 6));
    assert!(lower(&plan, &Templates::embedded(&TEMPLATE_FILES)).shop.is_some());
    let second: Vec<(usize, i64)> = (plan.steps(OrderId(1)).iter())
        .map(|step| (step.machine().expect("a machine").index(), step.shortest()))
        .collect();
    assert_eq!(second, [(1, 8), (2, 5), (4, 10), (5, 10), (0, 10), (3, 4)]);
}

#[test]
fn a_step_without_time_needs_no_machine() {
    let plan = planned("2 2\n0 0 1 3\n0 2 1 1\n", Format::Jsplib);
    assert_eq!(plan.steps(OrderId(0))[StepId(0)].machine(), None);
}

#[test]
fn projects_keep_precedence_and_capacities() {
    let plan = planned(J301_1, Format::Psplib);
    let capacities: Vec<i64> = plan.pools.iter().map(|pool| pool.capacity()).collect();
    assert_eq!(capacities, [12, 13, 4, 12]);
    let steps = plan.steps(OrderId(0));
    assert_eq!(steps.len(), 30);
    let named = |name: &str| steps.ids().find(|&s| steps[s].name == name).expect("an activity");
    assert!(steps[named("a2")].after.is_empty());
    let before: Vec<&str> =
        steps[named("a20")].after.iter().map(|l| steps[l.before].name.as_str()).collect();
    assert_eq!(before, ["a5", "a11", "a18"]);
    let need = steps[named("a20")].modes[0].needs[0];
    assert_eq!((need.pool.index(), need.amount, steps[named("a20")].shortest()), (1, 10, 7));
}

#[test]
fn task_graphs_run_on_their_processors() {
    let plan = planned(RAND0000, Format::Stg { processors: 4 });
    assert_eq!((plan.pools[PoolId(0)].capacity(), plan.steps(OrderId(0)).len()), (4, 50));
    assert!(plan.steps(OrderId(0)).iter().all(|step| step.modes[0].needs.len() == 1));
    // A task without time in the middle stays, as others are ordered through it.
    let text = "3\n0 0 0\n1 5 1 0\n2 0 1 1\n3 4 1 2\n4 0 1 3\n# end\n";
    let plan = planned(text, Format::Stg { processors: 1 });
    let steps: Vec<(i64, usize)> =
        plan.steps(OrderId(0)).iter().map(|s| (s.shortest(), s.modes[0].needs.len())).collect();
    assert_eq!(steps, [(5, 1), (0, 0), (4, 1)]);
}

#[test]
fn landings_keep_windows_costs_and_separations() {
    let plan = planned(AIRLAND1, Format::Airland { runways: 2 });
    assert_eq!((plan.pools.len(), plan.objective), (2, Objective::Cost));
    let first = &plan.orders[OrderId(0)];
    assert_eq!((first.release, first.due, first.deadline), (129, Some(156), Some(560)));
    assert_eq!(
        (first.costs.delay, first.costs.storage),
        (10 * plan.cost_scale, 10 * plan.cost_scale)
    );
    let setup = plan.pools[PoolId(1)].setup.as_ref().expect("separations");
    let family = |order: usize| plan.steps(OrderId(order))[StepId(0)].family;
    let gap = |a: usize, b: usize| setup.time[family(a)][family(b)];
    // Landings 3, 15 and 8 apart; a landing itself takes one of these.
    assert_eq!((gap(0, 1), gap(1, 2), gap(2, 3)), (2, 14, 7));
}

/// Three planes of which the last two may follow closely.
fn three(outer: i64) -> String {
    format!(
        "3 0\n0 1 2 3 1.50 2\n99999 4 {outer}\n0 1 2 3 1 1\n4 99999 5\n0 1 2 3 1 1\n{outer} 5 99999\n"
    )
}

#[test]
fn separations_that_neighbours_do_not_keep_are_refused() {
    let format = Format::Airland { runways: 1 };
    planned(&three(9), format);
    let text = three(10);
    let found = refused(&text, format);
    assert_eq!((found.code, place(&text, &found).as_str()), ("triangle-inequality", "10"));
    assert_eq!(found.label, "10 is more than 4 + 5");
}

#[test]
fn what_is_wrong_is_shown_where_it_stands() {
    let airland = Format::Airland { runways: 1 };
    let stg = Format::Stg { processors: 2 };
    for (text, format, code, at) in [
        ("", Format::Jsplib, "file-ends", ""),
        ("2 1\n0 3\n", Format::Jsplib, "file-ends", ""),
        ("1 1\n0 x3\n", Format::Jsplib, "not-a-number", "x3"),
        ("1 1\n1 3\n", Format::Jsplib, "out-of-range", "1"),
        ("1 1\n0 -3\n", Format::Jsplib, "out-of-range", "-3"),
        ("1 1\n0 3 4\n", Format::Jsplib, "unexpected-text", "4"),
        ("9999 9999\n", Format::Jsplib, "too-large", "9999"),
        ("1 1\n0 99999999999999999999\n", Format::Jsplib, "out-of-range", "99999999999999999999"),
        ("1 0\n0 5 4 9 1 1 0\n", airland, "out-of-range", "4"),
        ("1 0\n0 1 2 3 1.1234567 1 0\n", airland, "out-of-range", "1.1234567"),
        ("1 0\n0 1 2 3 1 -1 0\n", airland, "not-a-number", "-1"),
        ("2 0\n0 1 2 3 1 1 0 0\n", airland, "out-of-range", "0"),
        ("1\n0 0 0\n1 2 1 1\n", stg, "out-of-range", "1"),
        ("1\n0 0 0\n2 2 1 0\n", stg, "out-of-range", "2"),
        ("2\n0 0 0\n1 2 1 0\n2 2 2 1 1\n", stg, "named-twice", "1"),
        ("1\n0 0 0\n1 0 0\n2 0 1 1\n", stg, "nothing-to-do", "1"),
        ("hello", Format::Psplib, "file-ends", ""),
    ] {
        let found = refused(text, format);
        assert_eq!((found.code, place(text, &found).as_str()), (code, at), "{text:?}: {found:?}");
    }
}

#[test]
fn projects_beyond_the_language_are_refused() {
    for (from, to, code, at) in [
        ("R 4\n   12", "R 4\n    9", "above-capacity", "10"),
        ("nonrenewable              :  0", "nonrenewable              :  2", "out-of-range", "2"),
        (
            "   5        1          1          20",
            "   5        1          1           5",
            "out-of-range",
            "5",
        ),
        (
            "   5        1          1          20",
            "   5        2          1          20",
            "out-of-range",
            "2",
        ),
        ("RESOURCEAVAILABILITIES", "RESOURCES", "file-ends", ""),
    ] {
        assert!(J301_1.contains(from), "{from}");
        let text = J301_1.replacen(from, to, 1);
        let found = refused(&text, Format::Psplib);
        assert_eq!((found.code, place(&text, &found).as_str()), (code, at), "{found:?}");
    }
}

#[test]
fn no_cut_of_a_file_is_too_much() {
    for (text, format) in [
        (FT06, Format::Jsplib),
        (AIRLAND1, Format::Airland { runways: 3 }),
        (J301_1, Format::Psplib),
        (RAND0000, Format::Stg { processors: 2 }),
    ] {
        for end in (0..text.len()).step_by(7) {
            let _ = import(&text[..end], FileId(0), "x", format);
        }
    }
}
