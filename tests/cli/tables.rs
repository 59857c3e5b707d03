//! Tables as other programs write them, from outside.

use crate::run::{Folder, takt};

const SPEC: &str = "takt: 1
time: {unit: minute, start: 2026-11-02T06:00}
resources: {Säge: {}, Presse: {}}
routings:
  file: plan.csv
  separator: ;
  decimal: ','
  encoding: latin1
  columns: {recipe: Teil, step: Vorgang, on: Platz, duration: Rüsten + size * 1min}
orders:
  - file: orders.csv
    separator: ;
    encoding: latin1
    dates: dd.mm.yyyy
    columns: {id: Auftrag, recipe: Teil, due: Termin, size: Stück}
";
const PLAN: &str = "Teil;Vorgang;Platz;Rüsten\nTür;10;Säge;2,5min\nTür;20;Säge|Presse;1h\n";
const ORDERS: &str = "Auftrag;Teil;Stück;Termin\n0815;Tür;3;03.11.2026\n0816;Tür;4;4.11.2026\n";

/// As a program of Western Europe stores it.
fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).expect("a letter of latin1")).collect()
}

fn folder(plan: &str, orders: &str) -> (Folder, String) {
    let folder = Folder::new();
    for (name, text) in [("plan.csv", plan), ("orders.csv", orders)] {
        std::fs::write(folder.path(name), latin1(text)).unwrap();
    }
    let spec = folder.file("shop.yaml", SPEC);
    (folder, spec)
}

#[test]
fn orders_and_steps_are_planned_from_tables() {
    let (folder, spec) = folder(PLAN, ORDERS);
    let out = folder.path("out").display().to_string();
    let ran = takt(&["solve", &spec, "--out", &out, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // The larger first, so that the other waits for the saw; 2.5 + 4 and 2.5 + 3 minutes are rounded up.
    assert_eq!(ran.json()["value"], 7 + 6 + 63);
    let rows = std::fs::read_to_string(folder.path("out/schedule.csv")).unwrap();
    assert!(rows.contains("step,0815,Tür,10,Säge,"), "{rows}");
    let plan = format!("{out}/schedule.csv");
    assert_eq!(takt(&["validate", &spec, &plan]).code, 0);
}

#[test]
fn errors_name_file_line_column_and_cell() {
    let (_folder, spec) = folder(PLAN, &ORDERS.replace("4.11.2026", "31.02.2026"));
    let ran = takt(&["show", &spec, "--json"]);
    let json = ran.json();
    let error = &json["errors"][0];
    assert_eq!((ran.code, &error["line"], &error["column"]), (2, &3.into(), &12.into()));
    assert!(error["file"].as_str().unwrap().ends_with("orders.csv"), "{error}");
    let told = "`31.02.2026` does not exist (column `Termin`)";
    assert_eq!(error["message"], told, "{error}");
    let ran = takt(&["show", &spec]);
    assert!(ran.err.contains("orders.csv:3:12") && ran.err.contains(told), "{}", ran.err);
}

#[test]
fn letters_that_are_no_utf8_are_told_with_the_key_that_reads_them() {
    let (folder, spec) = folder(PLAN, ORDERS);
    folder.file("shop.yaml", SPEC.replace("encoding: latin1", "encoding: utf-8"));
    let ran = takt(&["show", &spec]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("encoding: latin1"), "{}", ran.err);
}
