//! Exact CSV, and the promises of the chart that can be counted.

use super::csv::csv;
use super::orders::orders_csv;
use super::*;
use crate::account::{Account, account};
use takt_automata::network::Network;
use takt_diagnostic::FileId;
use takt_spec::Spec;
use takt_spec::schedule::{Row, Schedule};

fn spec() -> Spec {
    let text = "takt: 1
resources: {saw: {}, drill: {}}
recipes:
  box: {steps: [{name: cut, on: saw, duration: 3}, {name: dry, duration: 2}]}
orders: [{id: \"A,1\", recipe: box}, {id: B, recipe: box}]
";
    takt_spec::read(text, FileId(0)).unwrap().0
}

fn row(order: &str, step: &str, resource: &str, start: i64, end: i64) -> Row {
    let unit = if resource.is_empty() { "" } else { "1" };
    Row {
        order: order.into(),
        recipe: "box".into(),
        step: step.into(),
        resource: resource.into(),
        unit: unit.into(),
        start,
        end,
        work: Some(end - start),
        ..Row::default()
    }
}

fn schedule() -> Schedule {
    let rows = vec![
        row("B", "dry", "", 6, 8),
        row("B", "cut", "saw", 3, 6),
        row("A,1", "dry", "", 3, 5),
        row("A,1", "cut", "saw", 0, 3),
    ];
    Schedule { rows }
}

/// The figures of a schedule for this spec.
fn figures(spec: &Spec, schedule: &Schedule) -> Account {
    account(spec, &takt_plant::plan(spec).unwrap(), schedule)
}

fn with<T>(spec: &Spec, schedule: &Schedule, look: impl Fn(&Sheet) -> T) -> T {
    under(&Headline::default(), spec, schedule, look)
}

fn under<T>(
    headline: &Headline,
    spec: &Spec,
    schedule: &Schedule,
    look: impl Fn(&Sheet) -> T,
) -> T {
    let account = figures(spec, schedule);
    look(&Sheet { spec, schedule, account: &account, headline, rhythm: None })
}

#[test]
fn csv_is_sorted_and_quoted() {
    assert_eq!(
        with(&spec(), &schedule(), csv),
        "kind,order,recipe,step,resource,unit,start,end,work,start_time,end_time
step,\"A,1\",box,cut,saw,1,0,3,3,,
step,\"A,1\",box,dry,,,3,5,2,,
step,B,box,cut,saw,1,3,6,3,,
step,B,box,dry,,,6,8,2,,
"
    );
}

#[test]
fn csv_reads_back_as_the_same_schedule() {
    let text = with(&spec(), &schedule(), csv);
    let read = takt_spec::schedule::read_csv(&text, FileId(0), &spec().time).unwrap();
    assert_eq!(with(&spec(), &read, csv), text);
}

#[test]
fn orders_have_their_spans() {
    assert_eq!(
        with(&spec(), &schedule(), orders_csv),
        "order,recipe,start,finish,due,lateness,delay_cost,storage_cost,holding_cost,late_cost,start_time,finish_time,due_time,late,rejected
\"A,1\",box,0,5,,,0,0,0,0,,,,false,false
B,box,3,8,,,0,0,0,0,,,,false,false
"
    );
}

#[test]
fn the_chart_shows_every_bar_and_escapes_names() {
    let headline = Headline {
        name: "a<b".into(),
        objective: "makespan".into(),
        status: "optimal".into(),
        value: Some("8".into()),
        bound: Some("8".into()),
        ..Headline::default()
    };
    let draw = |sheet: &Sheet| svg::charts(&[*sheet], View::Resources);
    let chart = under(&headline, &spec(), &schedule(), draw);
    assert!(chart.contains("a&lt;b: makespan 8, optimal"), "{chart}");
    assert!(chart.contains("no resource"));
    // Two orders: two bars each and one swatch each.
    assert_eq!(chart.matches("fill=\"#0072B2\"").count(), 3);
    assert_eq!(chart.matches("fill=\"#E69F00\"").count(), 3);
}

#[test]
fn an_empty_schedule_can_be_drawn() {
    let draw = |sheet: &Sheet| svg::charts(&[*sheet], View::Resources);
    let chart = with(&Spec::default(), &Schedule::default(), draw);
    assert!(chart.starts_with("<svg"));
}

#[test]
fn text_shows_how_busy_resources_are() {
    let headline = Headline { name: "x".into(), ..Headline::default() };
    let shown = under(&headline, &spec(), &schedule(), text);
    assert!(shown.contains("saw      75 %"), "{shown}");
}

const FACTORY: &str = "takt: 1
time: {unit: second, start: 2026-01-05T06:00}
resources:
  press: {units: [N, S], setup: {time: 2}}
  tank: {capacity: 2}
recipes:
  r:
    steps: [{name: a, on: press, duration: 3}, {name: b, on: {tank: 2}, duration: 1}]
    holds: [{resource: tank, from: a, until: a}]
orders: [{id: A, recipe: r, family: x, due: 9, delay-cost: 0.5}, {id: B, recipe: r, family: y, due: 1, delay-cost: 0.25}]
";

fn factory() -> (Spec, Schedule) {
    let rows = "kind,order,recipe,step,resource,unit,start,end,work
step,B,r,b,tank,2,8,9,1
step,B,r,b,tank,1,8,9,1
step,B,r,a,press,N,5,8,3
setup,B,r,a,press,N,3,5,
hold,B,r,a,tank,1,5,8,
step,A,r,b,tank,1,3,4,1
step,A,r,b,tank,2,3,4,1
hold,A,r,a,tank,1,0,3,
step,A,r,a,press,N,0,3,3
";
    let spec = takt_spec::read(FACTORY, FileId(0)).unwrap().0;
    let schedule = takt_spec::schedule::read_csv(rows, FileId(1), &spec.time).unwrap();
    (spec, schedule)
}

#[test]
fn csv_has_a_row_per_unit_with_holds_and_setups_in_civil_time() {
    let (spec, schedule) = factory();
    assert_eq!(
        with(&spec, &schedule, csv),
        "kind,order,recipe,step,resource,unit,start,end,work,start_time,end_time
step,A,r,a,press,N,0,3,3,2026-01-05T06:00:00,2026-01-05T06:00:03
hold,A,r,a,tank,1,0,3,,2026-01-05T06:00:00,2026-01-05T06:00:03
step,A,r,b,tank,1,3,4,1,2026-01-05T06:00:03,2026-01-05T06:00:04
step,A,r,b,tank,2,3,4,1,2026-01-05T06:00:03,2026-01-05T06:00:04
setup,B,r,a,press,N,3,5,,2026-01-05T06:00:03,2026-01-05T06:00:05
step,B,r,a,press,N,5,8,3,2026-01-05T06:00:05,2026-01-05T06:00:08
hold,B,r,a,tank,1,5,8,,2026-01-05T06:00:05,2026-01-05T06:00:08
step,B,r,b,tank,1,8,9,1,2026-01-05T06:00:08,2026-01-05T06:00:09
step,B,r,b,tank,2,8,9,1,2026-01-05T06:00:08,2026-01-05T06:00:09
"
    );
    assert_eq!(
        with(&spec, &schedule, orders_csv),
        "order,recipe,start,finish,due,lateness,delay_cost,storage_cost,holding_cost,late_cost,start_time,finish_time,due_time,late,rejected
A,r,0,4,9,-5,0,0,0,0,2026-01-05T06:00:00,2026-01-05T06:00:04,2026-01-05T06:00:09,false,false
B,r,5,9,1,8,2,0,0,0,2026-01-05T06:00:05,2026-01-05T06:00:09,2026-01-05T06:00:01,true,false
"
    );
}

#[test]
fn alternatives_are_compared_with_the_first() {
    let (spec, schedule) = factory();
    let mut later = schedule.clone();
    later.rows.iter_mut().filter(|row| row.order == "A").for_each(|row| {
        row.start += 10;
        row.end += 10;
    });
    let (one, two) = (figures(&spec, &schedule), figures(&spec, &later));
    let headline = |name: &str| Headline { name: name.into(), ..Headline::default() };
    let (first, second, none) = (headline("first"), headline("second"), headline("none"));
    let alternative = |headline, found: Option<(_, _)>, seconds| {
        let sheet = found.map(|(schedule, account)| {
            let spec = &spec;
            Sheet { spec, schedule, account, headline, rhythm: None }
        });
        Alternative { headline, sheet, seconds, critical: None, policy: None }
    };
    let all = vec![
        alternative(&first, Some((&schedule, &one)), 0.5),
        alternative(&second, Some((&later, &two)), 1.25),
        alternative(&none, None, 2.0),
    ];
    let compared = Comparison { all, view: View::Resources, is_of_layouts: false };
    let found = compared.changes();
    assert_eq!(found[0], Some(Changes::default()));
    let moved = vec!["A".to_owned()];
    assert_eq!(found[1], Some(Changes { moved: moved.clone(), late: moved }));
    assert_eq!(found[2], None);
    let csv = String::from_utf8(compared.csv()).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[1], "first,,,,,0.50,9,0.5000,8,8,2,0.4444,1,0,0,,,0.3333,0.5556");
    assert_eq!(lines[2], "second,,,,,1.25,14,0.0000,13,8,2,0.2857,2,1,1,A,A,0.2143,0.3571");
    assert_eq!(lines[3], "none,,,,,2.00,,,,,,,,,,,,,");
    let text = compared.text();
    assert!(text.contains("second: newly late: A\n"), "{text}");
}

/// Files of one run must not replace each other, and summaries name each by its key.
#[test]
fn formats_have_keys_and_files_of_their_own() {
    let mut names: Vec<&str> = SCHEDULE.iter().flat_map(|one| [one.key, one.file]).collect();
    names.extend(["summary", "summary.json"]);
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    let more = ["svg_orders", "xlsx", "ics", "dispatch"];
    assert!(!formats(&[]).iter().any(|one| more.contains(&one.key)));
    assert_eq!(formats(&more).len(), SCHEDULE.len());
}

#[test]
fn what_tells_no_proof_is_written_once() {
    let (spec, schedule) = factory();
    let network = Network::default();
    with(&spec, &schedule, |sheet| {
        let document = Document { sheet: *sheet, view: View::Resources, network: &network };
        let first = artifacts(&formats(&[]), &document, &[], false);
        assert_eq!(
            first.iter().map(|one| one.key).collect::<Vec<_>>(),
            ["csv", "svg", "orders", "report", "model"]
        );
        let headline = Headline { name: "proved".into(), ..Headline::default() };
        let sheet = Sheet { headline: &headline, ..*sheet };
        let second = artifacts(&formats(&[]), &Document { sheet, ..document }, &first, false);
        let is_kept = |k: usize| std::sync::Arc::ptr_eq(&first[k].bytes, &second[k].bytes);
        assert_eq!([0, 1, 2, 3, 4].map(is_kept), [true, false, true, false, true]);
        assert_eq!(artifacts(&formats(&[]), &document, &first, true), first);
    });
}

const SHIFTS: &str = "takt: 1
time: {unit: hour, start: 2026-01-05T06:00}
calendars: {day: {weekly: {Mon-Fri: [\"06:00-14:00\"]}}}
resources: {press: {calendar: day}, oven: {}}
recipes: {r: {steps: [{name: \"s,1\", on: press, duration: 4}, {name: b, on: oven, duration: 30}]}}
orders: [{id: A, recipe: r, family: red, due: 20}, {id: B, recipe: r}]
";

/// Two orders of which the first is late.
fn shifts(text: &str) -> (Spec, Schedule) {
    let spec = takt_spec::read(text, FileId(0)).unwrap().0;
    let rows = "kind,order,recipe,step,resource,unit,start,end,work\n\
        step,A,r,\"s,1\",press,1,0,4,4\nstep,B,r,\"s,1\",press,1,24,28,4\n\
        step,A,r,b,oven,1,4,34,30\nstep,B,r,b,oven,1,34,64,30\n";
    let schedule = takt_spec::schedule::read_csv(rows, FileId(1), &spec.time).unwrap();
    (spec, schedule)
}

#[test]
fn each_unit_has_its_list_shift_by_shift() {
    let (spec, schedule) = shifts(SHIFTS);
    assert_eq!(
        with(&spec, &schedule, dispatch::dispatch_csv),
        "resource,unit,shift,start,end,kind,order,recipe,step,family,work,shift_time,start_time,end_time
press,1,0,0,4,step,A,r,\"s,1\",red,4,2026-01-05T06:00,2026-01-05T06:00,2026-01-05T10:00
press,1,24,24,28,step,B,r,\"s,1\",r,4,2026-01-06T06:00,2026-01-06T06:00,2026-01-06T10:00
oven,1,0,4,34,step,A,r,b,red,30,2026-01-05T06:00,2026-01-05T10:00,2026-01-06T16:00
oven,1,18,34,64,step,B,r,b,r,30,2026-01-06T00:00,2026-01-06T16:00,2026-01-07T22:00
"
    );
}

#[test]
fn each_step_is_an_event() {
    let (spec, schedule) = shifts(SHIFTS);
    let written = with(&spec, &schedule, ics::ics);
    assert_eq!(written.matches("BEGIN:VEVENT\r\n").count(), 4);
    for line in [
        "DTSTAMP:20260105T060000Z",
        "DTSTART:20260106T060000",
        "DTEND:20260106T100000",
        "SUMMARY:A s\\,1",
        "LOCATION:press 1",
        "DESCRIPTION:recipe r\\norder A is late",
    ] {
        assert!(written.contains(&format!("\r\n{line}\r\n")), "{line} is not in\n{written}");
    }
    let zoned = SHIFTS.replace("06:00}", "06:00, zone: Europe/Berlin}");
    let (spec, schedule) = shifts(&zoned);
    assert!(with(&spec, &schedule, ics::ics).contains("DTSTART:20260106T050000Z"));
}

#[test]
fn long_lines_of_events_are_folded_between_letters() {
    let name = "ä".repeat(200);
    let (mut spec, schedule) = shifts(SHIFTS);
    spec.orders[0].id.value = name.clone();
    let rows = schedule.rows.into_iter().map(|mut row| {
        if row.order == "A" {
            row.order.clone_from(&name);
        }
        row
    });
    let schedule = Schedule { rows: rows.collect() };
    let written = with(&spec, &schedule, ics::ics);
    assert!(written.split("\r\n").all(|line| line.len() <= 75));
    assert!(written.replace("\r\n ", "").contains(&name));
}

#[test]
fn a_workbook_is_the_same_each_time_and_takes_every_name() {
    let (mut spec, schedule) = shifts(SHIFTS);
    spec.orders[1].id.value = "=1+1".to_owned();
    let one = with(&spec, &schedule, xlsx::xlsx);
    assert!(one.starts_with(b"PK"));
    assert_eq!(one, with(&spec, &schedule, xlsx::xlsx));
    assert!(with(&Spec::default(), &Schedule::default(), xlsx::xlsx).starts_with(b"PK"));
}
