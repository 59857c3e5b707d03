//! Figures of tiny schedules, worked out by hand.

use super::*;
use takt_diagnostic::FileId;
use takt_spec::schedule::read_csv;

fn figures(text: &str, csv: &str) -> Account {
    let spec = spec::read(text, FileId(0)).unwrap().0;
    let plan = takt_plant::plan(&spec).unwrap();
    let head = "kind,order,step,resource,unit,start,end,work\n";
    account(&spec, &plan, &read_csv(&format!("{head}{csv}"), FileId(1), &spec.time).unwrap())
}

const PAINT: &str = "takt: 1
resources:
  booth:
    units: [N, S]
    setup: {matrix: {red: {blue: {time: 2, cost: 0.25}}}, otherwise: {cost: 7}}
    initial: {N: red}
    run-cost: 1.5
recipes:
  paint: {steps: [{name: coat, on: booth, duration: 4}]}
orders:
  - {id: A, recipe: paint, family: blue, due: 5, delay-cost: 0.1, storage-cost: 3, holding-cost: 0.01}
  - {id: B, recipe: paint, family: blue, due: 12, delay-cost: 0.1, storage-cost: 3}
  - {id: C, recipe: paint, family: red}
";

#[test]
fn costs_are_exact_whatever_is_asked_for() {
    let rows = "step,A,coat,booth,N,2,6,4\nsetup,A,coat,booth,N,0,2,\n\
                step,B,coat,booth,N,6,10,4\nstep,C,coat,booth,S,0,4,4\n";
    let account = figures(PAINT, rows);
    let costs: Vec<String> = account.costs().map(|(n, c)| format!("{n} {c}")).collect();
    assert_eq!(costs, ["delay 0.1", "storage 6", "holding 0.04", "setup 0.25", "run 18"]);
    assert_eq!(account.orders[0].lateness(), Some(1));
    assert_eq!(account.orders[1].lateness(), Some(-2));
    assert_eq!(account.orders[2].lateness(), None);
    assert_eq!((account.total_tardiness(), account.max_tardiness()), (1, 1));
    assert_eq!(account.setup_time, 2);
    assert!((account.on_time() - 2.0 / 3.0).abs() < 1e-9);
    // 12 of 20: two units until 10, setups not counted.
    assert_eq!(account.resources[0].utilisation, 0.6);
}

#[test]
fn only_neighbours_of_different_families_pay_otherwise() {
    let rows =
        "step,A,coat,booth,S,0,4,4\nstep,C,coat,booth,S,4,8,4\nstep,B,coat,booth,S,10,14,4\n";
    let account = figures(PAINT, rows);
    // Nothing before the first on S; blue to red pays otherwise; red to blue is in the matrix.
    assert_eq!(account.setup_cost.to_string(), "7.25");
}

const SHIFTS: &str = "takt: 1
time: {unit: hour, start: 2026-01-05T06:00}
calendars: {day: {weekly: {Mon-Fri: [\"06:00-14:00\"]}}}
resources: {press: {calendar: day}, tank: {capacity: 2}}
recipes:
  r:
    steps: [{name: s, on: press, duration: 10, interruptible: true}]
    holds: [{resource: tank, from: s, until: s}]
orders: [{id: A, recipe: r, due: 2026-01-06T07:00}]
";

#[test]
fn pauses_are_no_work_and_open_time_is_what_counts() {
    let account = figures(SHIFTS, "step,A,s,press,1,0,26,10\nhold,A,s,tank,1,0,26,\n");
    let key = ("A".to_owned(), "s".to_owned());
    assert_eq!(account.stretches[&key], [(0, 8), (24, 26)]);
    // The press is open 10 of the 26 hours; one of two tanks is held all the time.
    assert_eq!(account.resources[0].utilisation, 1.0);
    assert_eq!(account.resources[1].utilisation, 0.5);
    assert_eq!(account.written(26), "2026-01-06T08:00");
    assert_eq!(account.orders[0].lateness(), Some(1));
}

#[test]
fn civil_time_follows_daylight_saving() {
    let text = SHIFTS.replace("2026-01-05T06:00}", "2026-03-28T12:00, zone: Europe/Berlin}");
    let account = figures(&text, "step,A,s,press,1,42,52,10\n");
    assert_eq!(account.written(13), "2026-03-29T01:00");
    assert_eq!(account.written(14), "2026-03-29T03:00");
}
