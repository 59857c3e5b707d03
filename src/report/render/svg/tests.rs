//! What can be said of charts without looking at them: everything lies on the canvas, and no two
//! texts touch.

use super::scene::{Area, Mark, Text};
use super::*;
use crate::account::{Account, account};
use crate::render::Headline;
use takt_diagnostic::FileId;
use takt_spec::schedule::{Kind, Row, Schedule};
use takt_spec::{self as spec, Spec};

/// Orders that run through all machines one after the other, some late, some held, with setups.
fn plant(orders: usize, machines: usize, time: &str) -> (Spec, Schedule, Account) {
    let mut text = format!("takt: 1\ntime: {time}\nresources:\n");
    for machine in 0..machines {
        text.push_str(&format!("  machine with a rather long name {machine}: {{}}\n"));
    }
    text.push_str("  tank: {capacity: 3}\nrecipes:\n  r:\n    steps:\n");
    for machine in 0..machines {
        let on = format!("machine with a rather long name {machine}");
        text.push_str(&format!("      - {{name: s{machine}, on: {on}, duration: 7}}\n"));
    }
    text.push_str("    holds: [{resource: tank, from: s0, until: s0}]\norders:\n");
    let mut rows = Vec::new();
    for order in 0..orders {
        let id = format!("customer-{}-{order}", "x".repeat(order % 17));
        let due = 8 * order + order % 5 * 9;
        text.push_str(&format!("  - {{id: {id}, recipe: r, due: {due}}}\n"));
        for machine in 0..machines {
            let start = 8 * (order + machine) as i64;
            let row = |kind, resource: String, unit: &str, start, end| Row {
                kind,
                order: id.clone(),
                recipe: "r".to_owned(),
                step: format!("s{machine}"),
                resource,
                unit: unit.to_owned(),
                start,
                end,
                work: (kind == Kind::Step).then_some(end - start),
                ..Row::default()
            };
            let name = || format!("machine with a rather long name {machine}");
            rows.push(row(Kind::Step, name(), "1", start, start + 7));
            rows.push(row(Kind::Setup, name(), "1", start - 1, start));
            if machine == 0 {
                rows.push(row(Kind::Hold, "tank".to_owned(), "1", start, start + 7));
            }
        }
    }
    let spec = spec::read(&text, FileId(0)).unwrap().0;
    let schedule = Schedule { rows };
    let plan = takt_plant::plan(&spec).unwrap();
    let account = account(&spec, &plan, &schedule);
    (spec, schedule, account)
}

fn texts(scene: &Scene) -> Vec<&Text> {
    let text = |mark: &'_ Mark| matches!(mark, Mark::Text(_));
    let marks = scene.marks.iter().filter(|mark| text(mark));
    marks.filter_map(|mark| if let Mark::Text(text) = mark { Some(text) } else { None }).collect()
}

fn area(mark: &Mark) -> Area {
    let around = |points: &[(i32, i32)]| {
        let (xs, ys) = (points.iter().map(|p| p.0), points.iter().map(|p| p.1));
        let (left, right) = (xs.clone().min().unwrap_or(0), xs.max().unwrap_or(0));
        Area::new(left, ys.clone().min().unwrap_or(0), right, ys.max().unwrap_or(0))
    };
    match mark {
        Mark::Fill { area, .. } | Mark::Outline { area, .. } => *area,
        Mark::Line { from, to, .. } => around(&[*from, *to]),
        Mark::Polygon { points, .. } => around(points),
        Mark::Text(text) => text.area(),
    }
}

fn check(scene: &Scene) {
    for mark in &scene.marks {
        let Area { left, top, right, bottom } = area(mark);
        let is_inside = left >= 0 && top >= 0 && right <= scene.width && bottom <= scene.height;
        assert!(is_inside, "{mark:?} on {} x {}", scene.width, scene.height);
    }
    let texts = texts(scene);
    for (i, text) in texts.iter().enumerate() {
        for other in &texts[..i] {
            assert!(!text.area().overlaps(other.area()), "{text:?} and {other:?}");
        }
    }
}

const TIMES: [&str; 3] = [
    "{unit: tick}",
    "{unit: minute, start: 2026-01-05T05:50}",
    "{unit: day, start: 2026-01-05T00:00}",
];

static PLAIN: Headline = Headline {
    name: String::new(),
    objective: String::new(),
    status: String::new(),
    value: None,
    bound: None,
    credits: String::new(),
    notes: Vec::new(),
};

fn sheet<'a>(spec: &'a Spec, schedule: &'a Schedule, account: &'a Account) -> Sheet<'a> {
    Sheet { spec, schedule, account, headline: &PLAIN, rhythm: None }
}

#[test]
fn nothing_overlaps_or_leaves_the_canvas() {
    let headline = Headline { name: "a long name ".repeat(30), ..Headline::default() };
    for time in TIMES {
        for (orders, machines) in [(1, 1), (5, 2), (60, 8), (12, 40), (250, 2)] {
            let (spec, schedule, account) = plant(orders, machines, time);
            let sheet = Sheet { headline: &headline, ..sheet(&spec, &schedule, &account) };
            for view in [View::Resources, View::Orders] {
                check(&scene(&[sheet], view));
            }
        }
    }
}

#[test]
fn alternatives_share_one_axis() {
    let one = plant(6, 2, "{unit: hour, start: 2026-01-05T06:00}");
    let two = plant(9, 3, "{unit: minute, start: 2026-01-05T08:00}");
    assert!(one.2.end < 80 && two.2.end < 120);
    let sheets = [sheet(&one.0, &one.1, &one.2), sheet(&two.0, &two.1, &two.2)];
    let common = Common::of(&[&one.2.time, &two.2.time]);
    assert_eq!(common.clocks[0].at(2), 7200);
    assert_eq!(common.clocks[1].at(0), 7200);
    check(&scene(&sheets, View::Resources));
    check(&scene(&sheets, View::Orders));
}

#[test]
fn every_step_has_a_bar_and_labels_fit() {
    let (spec, schedule, account) = plant(5, 2, TIMES[0]);
    let sheet = sheet(&spec, &schedule, &account);
    let scene = scene(&[sheet], View::Resources);
    let ground = Look::of(0).ground();
    // One bar on each of two machines, the hold, and two swatches.
    let is_own = |mark: &&Mark| matches!(mark, Mark::Fill { colour, .. } if *colour == ground);
    assert_eq!(scene.marks.iter().filter(is_own).count(), 5);
    assert!(texts(&scene).iter().any(|text| text.text.contains("s1")));
}

#[test]
fn equal_schedules_give_equal_charts() {
    let (spec, schedule, account) = plant(20, 4, TIMES[1]);
    let sheet = sheet(&spec, &schedule, &account);
    let draw = || charts(&[sheet], View::Resources);
    assert_eq!(draw(), draw());
}

#[test]
fn bars_tell_what_they_are_and_days_have_their_names() {
    let (spec, schedule, account) = plant(3, 2, "{unit: hour, start: 2026-01-05T06:00}");
    let sheet = sheet(&spec, &schedule, &account);
    let drawn = charts(&[sheet], View::Resources);
    let first = "customer-x-1 s0 machine with a rather long name 0 1: Mon 2026-01-05 14:00 to Mon 2026-01-05 21:00";
    assert!(drawn.contains(&format!("<title>{first}</title>")), "{drawn}");
    assert_eq!(drawn.matches("<title>").count(), schedule.rows.len());
    assert!(drawn.contains("Mon 5 Jan") && drawn.contains("Tue 6 Jan"));
}

/// What is due before or after the chart is pointed at from its edge, where no instant is.
#[test]
fn dues_outside_the_chart_are_pointed_at() {
    let text = "takt: 1
resources: {m: {}}
recipes: {r: {steps: [{name: s, on: m, duration: 10}]}}
orders: [{id: A, recipe: r, due: 500}, {id: B, recipe: r, due: 5}]
";
    let spec = spec::read(text, FileId(0)).unwrap().0;
    let row = |order: &str, start: i64| Row {
        kind: Kind::Step,
        order: order.to_owned(),
        recipe: "r".to_owned(),
        step: "s".to_owned(),
        resource: "m".to_owned(),
        unit: "1".to_owned(),
        start,
        end: start + 10,
        work: Some(10),
        ..Row::default()
    };
    let schedule = Schedule { rows: vec![row("A", 0), row("B", 10)] };
    let account = account(&spec, &takt_plant::plan(&spec).unwrap(), &schedule);
    let sheet = sheet(&spec, &schedule, &account);
    for view in [View::Resources, View::Orders] {
        let scene = scene(&[sheet], view);
        check(&scene);
        let right = scene.width - RIGHT;
        let points = |mark: &&Mark| match mark {
            Mark::Polygon { points, .. } => {
                points.iter().all(|point| point.0 <= right)
                    && points.iter().filter(|point| point.0 == right).count() == 1
                    && points.iter().filter(|point| point.0 == right - 7).count() == 2
            }
            _ => false,
        };
        assert_eq!(scene.marks.iter().filter(points).count(), 1);
    }
}
