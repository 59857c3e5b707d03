//! Plans of small specs.

use super::*;
use takt_diagnostic::FileId;

fn read(orders: &str, duration: i64) -> Result<Plan, Diagnostics> {
    let text = format!(
        "takt: 1\nresources: {{a: {{}}, b: {{}}}}\nrecipes:\n  r: {{steps: [{{name: s, on: b, \
         duration: {duration}}}, {{name: t, duration: 0}}]}}\norders: {orders}\n"
    );
    plan(&takt_spec::read(&text, FileId(0)).unwrap().0)
}

#[test]
fn names_become_positions() {
    let plan = read("[{id: x, recipe: r}, {id: y, recipe: r}]", 4).unwrap();
    assert_eq!(plan.steps(OrderId(1))[StepId(0)].machine(), Some(PoolId(1)));
    assert_eq!(plan.steps(OrderId(1))[StepId(1)].machine(), None);
    assert_eq!(plan.horizon, 8);
}

#[test]
fn too_many_orders_are_refused_at_the_first_one_too_many() {
    let list = |n: usize| (0..n).map(|i| format!("{{id: x{i}, recipe: r}}")).collect::<Vec<_>>();
    let orders = |n: usize| format!("[{}]", list(n).join(", "));
    assert!(read(&orders(MAX_ORDERS), 1).is_ok());
    let found = read(&orders(MAX_ORDERS + 1), 1).unwrap_err();
    let first = found.iter().next().unwrap();
    assert_eq!((first.code, first.label.as_str()), ("too-large", "at most 50000"));
}

#[test]
fn times_beyond_the_clocks_are_refused() {
    let found = read("[{id: x, recipe: r}, {id: y, recipe: r}]", MAX_TIME).unwrap_err();
    assert_eq!(found.iter().next().unwrap().code, "too-large");
}

fn windows(plan: &Plan, calendar: CalendarId, count: usize) -> Vec<(i64, i64)> {
    let windows = plan.calendars[calendar].windows.iter();
    windows.take(count).map(|window| (window.open, window.close)).collect()
}

#[test]
fn shifts_are_written_out() {
    let plan = planned(
        "takt: 1
time: {unit: hour, start: 2026-01-05T06:00}
calendars:
  shifts:
    weekly: {Mon-Thu: ['06:00-22:00'], Fri: ['06:00-14:00', '22:00-02:00']}
    closed: [2026-01-06, 2026-01-08T10:00..2026-01-08T14:00]
    open: [2026-01-10T06:00..2026-01-10T12:00]
resources: {m: {calendar: shifts}}
recipes: {r: {steps: [{name: s, on: m, duration: 4h}]}}
orders: [{id: x, recipe: r, release: 200}]
",
    );
    // Monday, no Tuesday, Wednesday, Thursday in two parts, Friday with its night, Saturday.
    let expected =
        [(0, 16), (48, 64), (72, 76), (80, 88), (96, 104), (112, 116), (120, 126), (168, 184)];
    assert_eq!(windows(&plan, CalendarId(0), 8), expected);
}

#[test]
fn nights_follow_daylight_saving() {
    let plan = planned(
        "takt: 1
time: {unit: hour, start: 2026-03-28T12:00, zone: Europe/Berlin}
calendars: {nights: {weekly: {Mon-Sun: ['22:00-06:00']}}}
resources: {m: {calendar: nights}}
recipes: {r: {steps: [{name: s, on: m, duration: 4}]}}
orders: [{id: x, recipe: r, release: 2026-03-29T02:30}]
",
    );
    // The first night lasts seven hours; half past two does not exist in it.
    assert_eq!(windows(&plan, CalendarId(0), 2), [(10, 17), (33, 41)]);
    assert_eq!(plan.orders[OrderId(0)].release, 14);
}

#[test]
fn touching_windows_are_one_also_across_repetitions() {
    let calendar = |windows: &str| {
        planned(&format!(
            "takt: 1
calendars: {{c: {{windows: [{windows}], repeat: 10}}}}
resources: {{m: {{calendar: c}}}}
recipes: {{r: {{steps: [{{name: s, on: m, duration: 3}}]}}}}
orders: [{{id: x, recipe: r, release: 20}}]
"
        ))
    };
    assert_eq!(windows(&calendar("[0, 2], [2, 4], [8, 10]"), CalendarId(0), 2), [(0, 4), (8, 14)]);
    assert_eq!(calendar("[0, 10]").calendars[CalendarId(0)].windows.len(), 1);
}

#[test]
fn times_are_rounded_up_once_and_then_stretched() {
    let plan = planned(
        "takt: 1
resources: {a: {availability: 80/168, performance: 0.9}, b: {performance: 0.5}}
recipes:
  r: {steps: [{name: s, on: [a, b], duration: 'size * 0.3'}, {name: t, on: b, duration: 3}]}
orders: [{id: x, recipe: r, size: 4}, {id: y, recipe: r, size: 7}, {id: z, recipe: r, size: 4}]
",
    );
    // 1.2 and 2.1 become 2 and 3, then divided by 80/168 * 0.9 = 3/7.
    let durations =
        |order: OrderId| plan.steps(order).iter().map(Step::shortest).collect::<Vec<_>>();
    assert_eq!((durations(OrderId(0)), durations(OrderId(1))), (vec![5, 6], vec![7, 6]));
    assert_eq!(plan.orders[OrderId(2)].recipe, plan.orders[OrderId(0)].recipe);
    assert_eq!(plan.recipes.len(), 2);
}

#[test]
fn prices_share_the_smallest_power_of_ten() {
    let plan = planned(
        "takt: 1
time: {unit: minute}
resources:
  m: {units: [u, v], run-cost: 0.25, setup: {time: 5m, cost: 2.5}, initial: {u: other}}
recipes: {r: {steps: [{name: s, on: m, duration: 4}]}}
orders: [{id: x, recipe: r, due: 10, delay-cost: 12/h, family: red}, {id: y, recipe: r}]
objective: cost
",
    );
    assert_eq!(plan.cost_scale, 100);
    assert_eq!(plan.orders[OrderId(0)].costs.delay, 20);
    assert_eq!(
        plan.steps(OrderId(0))[StepId(0)].modes.iter().map(|mode| mode.cost).collect::<Vec<_>>(),
        [100, 100]
    );
    assert_eq!(plan.families.to_vec(), ["red", "r", "other"]);
    let setup = plan.pools[PoolId(0)].setup.as_ref().unwrap();
    let [a, b] = [FamilyId(0), FamilyId(1)];
    assert_eq!((setup.time[a][b], setup.cost[a][b], setup.time[b][b]), (5, 250, 0));
    assert_eq!(
        (setup.initial, plan.pools[PoolId(1)].setup.as_ref().unwrap().initial),
        (Some(FamilyId(2)), None)
    );
}

#[test]
fn what_cannot_be_met_alone_is_a_conflict() {
    let conflict = |order: &str, duration: i64| {
        let plan = planned(&format!(
            "takt: 1
calendars: {{c: {{windows: [[0, 5], [7, 9]]}}}}
resources: {{m: {{calendar: c}}}}
recipes: {{r: {{steps: [{{name: first, duration: 2}}, {{name: s, on: m, duration: {duration}}}]}}}}
orders: [{{id: x, recipe: r{order}}}]
"
        ));
        plan.conflict.map(|conflict| conflict.message)
    };
    assert_eq!(conflict("", 3), None);
    let found = conflict("", 4).unwrap();
    assert_eq!(
        found,
        "the step `s` of `x` fits no open window: it cannot start before 2, and no later one is long enough"
    );
    let found = conflict(", release: 4, deadline: 3", 1).unwrap();
    assert_eq!(found, "`x` is not released before 4, and its deadline is 3");
    let found = conflict(", deadline: 4", 3).unwrap();
    assert_eq!(
        found,
        "`x` cannot be over before 5, and its deadline is 4: the step `s` comes too late"
    );
}

#[test]
fn calendars_without_end_are_bounded() {
    let text = "takt: 1
calendars: {c: {windows: [[0, 1]], repeat: 2}}
resources: {m: {calendar: c}}
recipes: {r: {steps: [{name: s, on: m, duration: 900000000, interruptible: true}]}}
orders: [{id: x, recipe: r}]
";
    let found = plan(&takt_spec::read(text, FileId(0)).unwrap().0).unwrap_err();
    assert_eq!(found.iter().next().unwrap().code, "too-large");
}

#[test]
fn units_with_calendars_of_their_own_are_told_apart_only_where_needed() {
    let pools = |rules: &str| {
        let plan = planned(&format!(
            "takt: 1
calendars: {{c: {{windows: [[0, 5]]}}}}
resources: {{m: {{units: {{a: {{calendar: c}}, b: {{calendar: c}}, d: {{}}, e: {{}}}}}}}}
recipes: {{r: {{steps: [{{name: s, on: {{m: 2}}, duration: 3}}]}}}}
orders: [{{id: x, recipe: r}}]
heuristics: {rules}
"
        ));
        let sizes: Vec<usize> = plan.pools.iter().map(|pool| pool.units.len()).collect();
        (sizes, plan.steps(OrderId(0))[StepId(0)].modes.len())
    };
    assert_eq!(pools("[]"), (vec![2, 2], 3));
    assert_eq!(pools("[greedy]"), (vec![1, 1, 2], 4));
}

#[test]
fn rules_that_cut_nothing_are_safe() {
    let is_safe = |orders: &str, rule: &str| {
        let plan = planned(&format!(
            "takt: 1
resources: {{m: {{setup: {{time: 1}}}}}}
recipes: {{r: {{steps: [{{name: s, on: m, duration: 2}}]}}}}
orders: [{orders}]
heuristics: [{rule}]
"
        ));
        plan.heuristics[0].is_safe
    };
    let two = "{id: A, recipe: r, release: 3, due: 9}, {id: B, recipe: r}";
    assert!(is_safe(two, "max-active: 2"));
    assert!(!is_safe(two, "max-active: 1"));
    assert!(is_safe(two, "start-within: 6"));
    assert!(!is_safe(two, "start-within: 5"));
}

#[test]
fn what_is_held_for_no_time_is_not_held() {
    let holds = |steps: &str, until: &str| {
        let plan = planned(&format!(
            "takt: 1
resources: {{t: {{}}}}
recipes: {{r: {{steps: [{steps}], holds: [{{resource: t, from: a, until: {until}}}]}}}}
orders: [{{id: A, recipe: r}}]
"
        ));
        let recipe = plan.recipes[RecipeId(0)].clone();
        recipe.holds.iter().map(|hold| recipe.may_be_empty(hold)).collect::<Vec<_>>()
    };
    assert!(holds("{name: a, duration: 0}", "a").is_empty());
    assert_eq!(holds("{name: a, duration: 1}", "a"), [false]);
    assert_eq!(holds("{name: a, duration: 0}, {name: b, duration: 0}", "b"), [true]);
    let beside = "{name: a, duration: 5}, {name: b, duration: 0, after: {a: {from: start}}}";
    assert_eq!(holds(beside, "b"), [true]);
    assert_eq!(holds(&beside.replace("from: start", "min: 0"), "b"), [false]);
}

#[test]
fn a_pause_that_is_too_long_is_named() {
    let plan = planned(
        "takt: 1
calendars: {c: {windows: [[0, 3]], repeat: 10}}
resources: {m: {calendar: c}}
recipes: {r: {steps: [{name: a, on: m, duration: 5, interruptible: {max: 6}}]}}
orders: [{id: A, recipe: r}]
",
    );
    let message = plan.conflict.unwrap().message;
    assert!(message.ends_with("may pause for 6 at most"), "{message}");
}

fn refused(text: &str) -> (&'static str, String) {
    let found = plan(&takt_spec::read(text, FileId(0)).unwrap().0).unwrap_err();
    let first = found.iter().next().unwrap();
    (first.code, first.message.clone())
}

/// A calendar that nobody needs was written out all the same, and refused for its many windows; one
/// that is open without a break was walked through round by round.
#[test]
fn calendars_are_written_out_only_where_that_is_needed() {
    let plan = planned(
        "takt: 1
calendars: {fine: {windows: [[0, 1]], repeat: 2}, rare: {windows: [[0, 9]], repeat: 900000000},
  always: {windows: [[0, 1]], repeat: 1}}
resources: {idle: {calendar: fine}, m: {calendar: rare}, n: {calendar: always}}
recipes: {r: {steps: [{name: s, on: m, duration: 5}, {name: t, on: n, duration: 900000000}]}}
orders: [{id: A, recipe: r}]
",
    );
    assert_eq!(plan.horizon, 900_000_005);
    assert_eq!(windows(&plan, CalendarId(2), 2).len(), 1);
}

/// Work for which a holding cost is paid may have to wait until its calendars come round together.
#[test]
fn what_cannot_be_looked_through_is_refused_in_words() {
    let text = |orders: &str| {
        format!(
            "takt: 1
calendars: {{a: {{windows: [[0, 9]], repeat: 99991}}, b: {{windows: [[0, 9]], repeat: 99989}}}}
resources: {{m: {{calendar: a}}, n: {{calendar: b}}}}
recipes: {{r: {{steps: [{{name: s, on: m, duration: 5}}, {{name: t, on: n, duration: 5}}]}}}}
orders: [{{id: A, recipe: r, holding-cost: 1{orders}}}]
objective: cost
"
        )
    };
    let (code, message) = refused(&text(""));
    assert_eq!(code, "too-large");
    assert!(message.contains("calendars meet too rarely"), "{message}");
    assert_eq!(planned(&text(", deadline: 500000")).horizon, 500_000);
}

/// In a zone with daylight saving a night of nine hours comes once a year: what fits no usual night is
/// not impossible.
#[test]
fn the_longest_night_of_the_year_counts() {
    let night = |hours: i64| {
        planned(&format!(
            "takt: 1
time: {{unit: hour, start: 2026-01-05T06:00, zone: Europe/Berlin}}
calendars: {{nights: {{weekly: {{Mon-Sun: ['22:00-06:00']}}}}}}
resources: {{m: {{calendar: nights}}}}
recipes: {{r: {{steps: [{{name: s, on: m, duration: {hours}}}]}}}}
orders: [{{id: x, recipe: r}}]
"
        ))
    };
    assert_eq!(night(9).conflict, None);
    assert!(night(10).conflict.is_some());
}

/// Every step was given the longest wait of its calendar, a weekend, so that five thousand orders were
/// looked at for a hundred years.
#[test]
fn the_horizon_of_many_orders_grows_with_their_work() {
    let text = |orders: usize, harm: &str| {
        format!(
            "takt: 1\nobjective: cost\ncalendars: {{c: {{windows: [[0, 8], [10, 18]], repeat: 100}}}}\n\
             resources: {{m: {{calendar: c}}}}\n\
             recipes: {{r: {{steps: [{{name: s, on: m, duration: 4}}, {{name: t, on: m, duration: 2}}]}}}}\n\
             orders: [{{id: A, recipe: r, due: 0, delay-cost: 1, count: {orders}{harm}}}]\n"
        )
    };
    // Each window lets a step of four start at five instants: ten of each hundred.
    assert_eq!(planned(&text(100, "")).horizon, (100 * 6 / 10 + 1) * 100);
    // One order waits for less than its share of a period.
    assert!(planned(&text(1, "")).horizon <= 2 * 100);
    let harmful = planned(&text(100, ", holding-cost: 1"));
    assert!(harmful.horizon > 100 * 100, "each order may wait for a whole period");
}

/// Pauses counted as work, so that interruptible steps were looked at for weekend after weekend, and in
/// zones with daylight saving everything was.
#[test]
fn the_horizon_does_not_count_pauses_and_sees_through_daylight_saving() {
    let text = |time: &str, pause: &str| {
        format!(
            "takt: 1
time: {{unit: hour, start: 2026-01-05T06:00{time}}}
calendars: {{c: {{weekly: {{Mon-Fri: ['06:00-22:00']}}}}}}
resources: {{m: {{calendar: c}}}}
recipes: {{r: {{steps: [{{name: s, on: m, duration: 6{pause}}}]}}}}
orders: [{{id: A, recipe: r, count: 100}}]
"
        )
    };
    // A week has 80 instants of work; without pauses 11 of each 16 let a step start.
    let (week, zone) = (168, ", zone: Europe/Berlin");
    assert_eq!(planned(&text("", ", interruptible: true")).horizon, (600 / 80 + 1) * week);
    let in_zone = planned(&text(zone, ", interruptible: true")).horizon;
    assert!((7 * week..=8 * week).contains(&in_zone), "{in_zone}");
    assert_eq!(planned(&text("", "")).horizon, (600 / 55 + 1) * week);
    let in_zone = planned(&text(zone, "")).horizon;
    assert!((10 * week..=11 * week).contains(&in_zone), "{in_zone}");
}
