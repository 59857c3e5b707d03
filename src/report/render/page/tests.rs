//! What the page promises: it is the same each time, small, complete, and names are only ever text.

use super::*;
use crate::account::account;
use crate::render::View;
use takt_automata::network::Network;
use takt_diagnostic::FileId;
use takt_spec::Spec;
use takt_spec::schedule::{Schedule, read_csv};

const HEAD: &str = "kind,order,step,resource,unit,start,end,work\n";

fn read(text: &str, rows: &str) -> (Spec, Schedule) {
    let spec = takt_spec::read(text, FileId(0)).unwrap().0;
    let schedule = read_csv(&format!("{HEAD}{rows}"), FileId(1), &spec.time).unwrap();
    (spec, schedule)
}

fn headline() -> Headline {
    let (value, bound) = (Some("12".to_owned()), Some("10".to_owned()));
    let (name, objective, status) = ("a plant".into(), "makespan".into(), "feasible".into());
    let credits = "found by dispatching rules".to_owned();
    Headline { name, objective, status, value, bound, credits, ..Headline::default() }
}

fn written(spec: &Spec, schedule: &Schedule, headline: &Headline) -> String {
    let plan = takt_plant::plan(spec).unwrap();
    let account = account(spec, &plan, schedule);
    let sheet = Sheet { spec, schedule, account: &account, headline, rhythm: None };
    let network = Network::default();
    let document = Document { sheet, view: View::Resources, network: &network };
    String::from_utf8(page(&document)).unwrap()
}

/// Of a page, what stands in its data.
fn data_of(page: &str) -> serde_json::Value {
    let begin = page.split_once("id=\"data\">").unwrap().1;
    serde_json::from_str(begin.split_once("</script>").unwrap().0).unwrap()
}

const SHOP: &str = "takt: 1
time: {unit: hour, start: 2026-01-05T06:00}
calendars: {day: {weekly: {Mon-Fri: [\"06:00-14:00\"]}}}
resources:
  press: {calendar: day}
  tank: {capacity: 2}
  paint: {units: [N, S], setup: {time: 2}}
recipes:
  r:
    steps: [{name: s, on: press, duration: 10, interruptible: true}, {name: p, on: paint, duration: 3}]
    holds: [{resource: tank, from: s, until: p}]
orders: [{id: A, recipe: r, due: 2026-01-06T07:00, family: red}, {id: B, recipe: r, release: 3, family: blue}]
";
const ROWS: &str = "step,A,s,press,1,0,26,10\nhold,A,s,tank,1,0,29,\nstep,A,p,paint,N,26,29,3\n\
    step,B,s,press,1,26,52,10\nhold,B,s,tank,2,26,57,\nsetup,B,p,paint,N,52,54,\nstep,B,p,paint,N,54,57,3\n";

#[test]
fn the_data_tell_all_of_the_plan() {
    let (spec, schedule) = read(SHOP, ROWS);
    let page = written(&spec, &schedule, &headline());
    let data = data_of(&page);
    assert_eq!(data["time"]["start"], "2026-01-05T06:00:00");
    let plan = &data["plans"][0];
    assert_eq!(plan["orders"]["id"].to_string(), r#"["A","B"]"#);
    assert_eq!(plan["orders"]["due"].to_string(), "[25,null]");
    assert_eq!(plan["orders"]["release"].to_string(), "[null,3]");
    assert_eq!(plan["jobs"]["start"].to_string(), "[0,26,0,28]");
    assert_eq!(plan["jobs"]["length"].to_string(), "[26,3,26,3]");
    assert_eq!(plan["jobs"]["after"].to_string(), "[-1,0,0,-1]");
    assert_eq!(plan["jobs"]["work"].to_string(), "[[0,[0,8,16,2]],[2,[26,6,16,4]]]");
    assert_eq!(plan["bars"]["unit"].to_string(), "[0,3,0,3]");
    assert_eq!(
        plan["holds"].to_string(),
        r#"{"unit":[1,2],"job":[0,2],"start":[0,26],"length":[29,31]}"#
    );
    assert_eq!(plan["setups"].to_string(), r#"{"unit":[3],"job":[3],"start":[52],"length":[2]}"#);
    assert_eq!(
        plan["units"].to_string(),
        r#"[[0,"1",0],[1,"1",null],[1,"2",null],[2,"N",null],[2,"S",null]]"#
    );
}

#[test]
fn it_can_be_read_without_scripts() {
    let (spec, schedule) = read(SHOP, ROWS);
    let page = written(&spec, &schedule, &headline());
    let still = page.split_once("<script").unwrap().0;
    for told in [
        "<strong>12</strong>",
        "At most 16.7 percent from the best possible: no makespan below 10 can be.",
        "Found by dispatching rules. Replayed on the automata and validated",
        "<dd>0 of 1</dd>",
        "<h2>Late orders</h2>",
        "<h2>Load</h2>",
        "<svg class=still",
        "<td>A<td>s<td>press",
    ] {
        let told = told.replace("<td>A<td>", "<th scope=row>A<td>");
        assert!(still.contains(&told), "{told} is not in\n{still}");
    }
    assert!(!page.contains("http://") && !page.contains("https://"), "the page asks for something");
}

#[test]
fn it_is_the_same_each_time() {
    let (spec, schedule) = read(SHOP, ROWS);
    let pages: Vec<_> = (0..3).map(|_| written(&spec, &schedule, &headline())).collect();
    assert!(pages.windows(2).all(|pair| pair[0] == pair[1]));
}

/// Names that would be more than text if anything let them.
const HOSTILE: [&str; 5] = [
    "</script><script>alert(1)</script>",
    "<!--<img src=x onerror=alert(1)>",
    "\\\" onload=\\\"alert(1)",
    "{{data}}{{script}}",
    "\\u2028\\u2029]]>&amp;'",
];

#[test]
fn names_are_only_ever_text() {
    for name in HOSTILE {
        let text = format!(
            "takt: 1\nresources: {{\"{name}\": {{}}}}\nrecipes: {{\"r{name}\": {{steps: [{{name: \"s{name}\", on: \"{name}\", \
             duration: 3}}]}}}}\norders: [{{id: \"o{name}\", recipe: \"r{name}\", family: \"f{name}\", due: 1}}]\n"
        );
        let Ok((spec, _)) = takt_spec::read(&text, FileId(0)) else { continue };
        let own = takt_spec::schedule::Row {
            order: spec.orders[0].id.value.clone(),
            recipe: spec.recipes[0].name.value.clone(),
            step: spec.recipes[0].steps[0].name.value.clone(),
            resource: spec.resources[0].name.value.clone(),
            unit: "1".to_owned(),
            end: 3,
            work: Some(3),
            ..Default::default()
        };
        let schedule = Schedule { rows: vec![own] };
        let headline = Headline { name: spec.resources[0].name.value.clone(), ..headline() };
        let plain = written(&read(SHOP, ROWS).0, &read(SHOP, ROWS).1, &self::headline());
        let page = written(&spec, &schedule, &headline);
        for mark in ["<script", "</script", "<!--", "<img", " onload=\"", "\u{2028}"] {
            assert_eq!(page.matches(mark).count(), plain.matches(mark).count(), "{mark} of {name}");
        }
        let data = data_of(&page);
        assert_eq!(data["plans"][0]["orders"]["id"][0], spec.orders[0].id.value, "{name}");
    }
}

#[test]
fn beside_its_data_it_is_small_however_large_the_plan() {
    let mut text =
        "takt: 1\ntime: {unit: minute, start: 2026-01-05T06:00}\nresources:\n".to_owned();
    for k in 0..60 {
        text.push_str(&format!("  resource-with-a-long-name-{k}: {{}}\n"));
    }
    text.push_str("recipes:\n");
    for k in 0..60 {
        text.push_str(&format!(
            "  recipe-with-a-long-name-{k}: {{steps: [{{name: a-long-step, on: resource-with-a-long-name-{k}, duration: 90}}]}}\n"
        ));
    }
    text.push_str("orders:\n");
    let mut rows = String::new();
    for k in 0..3000 {
        let (name, start) = (k % 60, 90 * (k / 60) + k % 7);
        text.push_str(&format!("  - {{id: order-with-a-long-name-{k}, recipe: recipe-with-a-long-name-{name}, due: 5}}\n"));
        rows.push_str(&format!(
            "step,order-with-a-long-name-{k},a-long-step,resource-with-a-long-name-{name},1,{start},{},90\n",
            start + 90
        ));
    }
    let (spec, schedule) = read(&text, &rows);
    let page = written(&spec, &schedule, &headline());
    let data = data_of(&page);
    assert_eq!(data["plans"][0]["jobs"]["order"].as_array().unwrap().len(), 3000);
    let beside = page.len()
        - page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0.len();
    assert!(beside < 150_000, "{beside} bytes");
}

#[test]
fn an_empty_plan_has_a_page() {
    let page = written(&Spec::default(), &Schedule::default(), &Headline::default());
    assert!(page.starts_with("<!doctype html>"));
}

#[test]
fn clocks_that_are_set_are_told() {
    let text = SHOP.replace("2026-01-05T06:00}", "2026-03-28T12:00, zone: Europe/Berlin}");
    let (spec, schedule) = read(&text, "step,A,s,press,1,42,52,10\n");
    let data = data_of(&written(&spec, &schedule, &headline()));
    // At 14 hours after Saturday noon the clock is put forward by one.
    assert_eq!(data["time"]["ahead"].to_string(), "[[14,3600]]");
}
