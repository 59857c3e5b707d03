//! `takt schema`, and specs that name tables, from outside.

use crate::run::{Folder, takt};

#[test]
fn the_schema_is_one_json_object() {
    let ran = takt(&["schema", "--json"]);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.json()["properties"]["takt"]["const"], 1);
    assert_eq!(ran.out.lines().count(), 1);
    let plain = takt(&["schema"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&plain.out).unwrap(), ran.json());
}

const SPEC: &str = "\
takt: 1
recipes: {shelf: {steps: [{name: cut, duration: size}]}}
orders: [{file: orders.csv}]
";

#[test]
fn a_table_is_found_beside_its_spec() {
    let folder = Folder::new();
    let spec = folder.file("shop.yaml", SPEC);
    folder.file("orders.csv", "id,recipe,size\nA,shelf,3\nB,shelf,x\n");
    let ran = takt(&["compile", &spec, "--json"]);
    assert_eq!(ran.code, 2);
    let error = &ran.json()["errors"][0];
    assert!(error["file"].as_str().unwrap().ends_with("orders.csv"), "{error}");
    assert_eq!((error["line"].as_i64(), error["column"].as_i64()), (Some(3), Some(9)));
    assert_eq!(error["code"], "bad-type");
}

#[test]
fn a_missing_table_is_told_where_it_is_named() {
    let folder = Folder::new();
    let spec = folder.file("shop.yaml", SPEC);
    let ran = takt(&["compile", &spec, "--json"]);
    let error = &ran.json()["errors"][0];
    assert_eq!((ran.code, error["line"].as_i64()), (2, Some(3)));
    assert_eq!(error["code"], "unreadable-file");
    // Standard input is never taken for a table.
    let spec = folder.file("dash.yaml", SPEC.replace("orders.csv", "'-'"));
    assert_eq!(takt(&["compile", &spec, "--json"]).json()["errors"][0]["code"], "unreadable-file");
}

#[test]
fn a_byte_that_is_no_text_is_told_in_its_file() {
    let folder = Folder::new();
    let spec = folder.file("shop.yaml", SPEC);
    folder.file("orders.csv", b"id,recipe\nA,\xff\n");
    let error = takt(&["compile", &spec, "--json"]).json()["errors"][0].clone();
    assert!(error["file"].as_str().is_some_and(|file| file.ends_with("orders.csv")), "{error}");
    assert_eq!((&error["code"], &error["line"]), (&"not-utf8".into(), &2.into()), "{error}");
    assert_eq!(error["column"], 3, "{error}");
}
