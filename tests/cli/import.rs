//! `takt import` from outside.

use crate::run::{Folder, takt, takt_with};

#[test]
fn an_imported_job_shop_is_solved() {
    let folder = Folder::new();
    let spec = folder.path("shop.yaml").display().to_string();
    let ran = takt(&["import", "tests/imports/ft06", "--from", "jsplib", "--out", &spec]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let out = folder.path("out").display().to_string();
    let solved = takt(&["solve", &spec, "--out", &out, "--json"]);
    assert_eq!(solved.code, 0, "{}", solved.err);
    let json = solved.json();
    assert_eq!((&json["spec"], &json["value"]), (&"ft06".into(), &55.into()));
}

#[test]
fn the_spec_goes_where_asked() {
    let args = ["import", "tests/imports/50-rand0000.stg", "--from", "stg", "--processors", "2"];
    let printed = takt(&args);
    assert_eq!(printed.code, 0, "{}", printed.err);
    assert!(printed.out.contains("resources: {processor: {capacity: 2}}"), "{}", printed.out);
    assert_eq!(takt(&[&args[..], &["--json"]].concat()).json()["text"], printed.out);
    assert_eq!(takt(&[&args[..], &["--out", "-", "--quiet"]].concat()).out, printed.out);
    let compiled = takt_with(&["compile", "-"], &printed.out, &[]);
    assert_eq!(compiled.code, 0, "{}", compiled.err);
}

#[test]
fn a_bad_file_is_shown_by_line_and_column() {
    let folder = Folder::new();
    let file = folder.file("bad", "2 2\n0 1 1 2\n0 3 2 4\n");
    let ran = takt(&["import", &file, "--from", "jsplib", "--json"]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["out-of-range".to_owned()]));
    let error = &ran.json()["errors"][0];
    assert_eq!((&error["line"], &error["column"]), (&3.into(), &5.into()));
    let out = folder.path("out.yaml").display().to_string();
    let ran = takt(&["import", &file, "--from", "jsplib", "--out", &out]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(!folder.path("out.yaml").exists());
}

#[test]
fn a_table_becomes_a_draft_that_is_planned() {
    let folder = Folder::new();
    let table = "Auftrag;Vorgang;Platz;Dauer (h)\nA;s\u{e4}gen;S1;1,5\nB;s\u{e4}gen;S1;2\n";
    let bytes: Vec<u8> = table.chars().map(|c| c as u8).collect();
    let file = folder.file("plan.csv", bytes);
    let spec = folder.path("shop.yaml").display().to_string();
    let ran = takt(&["import", &file, "--from", "csv", "--out", &spec]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let text = std::fs::read_to_string(&spec).unwrap();
    assert!(text.contains("#   encoding latin1"), "{text}");
    let out = folder.path("out").display().to_string();
    let solved = takt(&["solve", &spec, "--out", &out, "--json"]);
    assert_eq!((solved.code, &solved.json()["value"]), (0, &210.into()), "{}", solved.err);
}

#[test]
fn wrong_calls_are_refused() {
    for args in [
        &["import", "tests/imports/ft06"][..],
        &["import", "tests/imports/ft06", "--from", "excel"],
        &["import", "tests/imports/missing", "--from", "jsplib"],
        &["import", "tests/imports/ft06", "--from", "jsplib", "--runways", "2"],
        &["import", "tests/imports/50-rand0000.stg", "--from", "stg"],
        &["import", "tests/imports/50-rand0000.stg", "--from", "stg", "--processors", "0"],
        &["import", "tests/imports/airland1.txt", "--from", "airland", "--processors", "2"],
    ] {
        let ran = takt(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(!ran.err.is_empty());
        assert_eq!(takt(&[args, &["--json"]].concat()).error_codes().len(), 1, "{args:?}");
    }
}
