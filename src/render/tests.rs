//! Exact CSV, and the promises of the chart that can be counted.

use super::*;
use crate::account::{Account, account};
use crate::diagnostic::FileId;
use crate::schedule::{Row, Schedule};
use crate::spec::Spec;

fn spec() -> Spec {
    let text = "takt: 1
resources: {saw: {}, drill: {}}
recipes:
  box: {steps: [{name: cut, on: saw, duration: 3}, {name: dry, duration: 2}]}
orders: [{id: \"A,1\", recipe: box}, {id: B, recipe: box}]
";
    crate::spec::read(text, FileId(0)).unwrap().0
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
    account(spec, &crate::plan::plan(spec).unwrap(), schedule)
}

fn with<T>(spec: &Spec, schedule: &Schedule, look: impl Fn(&Sheet) -> T) -> T {
    let account = figures(spec, schedule);
    look(&Sheet { spec, schedule, account: &account })
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
    let read = crate::schedule::read_csv(&text, FileId(0)).unwrap();
    assert_eq!(with(&spec(), &read, csv), text);
}

#[test]
fn orders_have_their_spans() {
    assert_eq!(
        with(&spec(), &schedule(), orders_csv),
        "order,recipe,start,finish,due,lateness,delay_cost,storage_cost,holding_cost
\"A,1\",box,0,5,,,0,0,0
B,box,3,8,,,0,0,0
"
    );
}

#[test]
fn the_chart_shows_every_bar_and_escapes_names() {
    let headline = Headline {
        name: "a<b".into(),
        objective: "makespan".into(),
        status: "optimal".into(),
        value: Some(8.into()),
        bound: Some(8.into()),
    };
    let chart = with(&spec(), &schedule(), |sheet| svg(sheet, &headline, View::Resources));
    assert!(chart.contains("a&lt;b: makespan 8, optimal"), "{chart}");
    assert!(chart.contains("no resource"));
    // Two orders: two bars each and one swatch each.
    assert_eq!(chart.matches("fill=\"#0072B2\"").count(), 3);
    assert_eq!(chart.matches("fill=\"#E69F00\"").count(), 3);
}

#[test]
fn an_empty_schedule_can_be_drawn() {
    let (spec, headline) = (Spec::default(), Headline::default());
    let chart = with(&spec, &Schedule::default(), |sheet| svg(sheet, &headline, View::Resources));
    assert!(chart.starts_with("<svg"));
}

#[test]
fn text_shows_how_busy_resources_are() {
    let headline = Headline { name: "x".into(), ..Headline::default() };
    let shown = with(&spec(), &schedule(), |sheet| text(sheet, &headline));
    assert!(shown.contains("saw      75 %"), "{shown}");
}
