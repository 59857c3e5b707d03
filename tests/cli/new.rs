//! `takt new` from outside.

use crate::run::{Folder, takt, takt_with};

#[test]
fn every_starter_of_the_list_is_there() {
    let json = takt(&["new", "--list", "--json"]).json();
    let listed = takt(&["new", "--list"]);
    let all = json["templates"].as_array().expect("a list");
    assert_eq!(listed.out.lines().count(), all.len());
    for starter in all {
        let name = starter["name"].as_str().expect("a name");
        assert!(listed.out.contains(name), "{name}");
        let printed = takt(&["new", name]);
        assert_eq!(printed.code, 0, "{}", printed.err);
        assert_eq!(takt(&["new", name, "--json"]).json()["text"], printed.out);
    }
}

#[test]
fn a_starter_is_written_and_solved() {
    let folder = Folder::new();
    let file = folder.path("plant.yaml").display().to_string();
    let ran = takt(&["new", "job-shop", &file]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("takt solve"), "{}", ran.out);
    let out = folder.path("out").display().to_string();
    let solved = takt(&["solve", &file, "--out", &out, "--json"]);
    assert_eq!(solved.code, 0, "{}", solved.err);
    assert_eq!(solved.json()["status"], "optimal");
}

#[test]
fn nothing_is_overwritten() {
    let folder = Folder::new();
    let file = folder.file("mine.yaml", "mine");
    let ran = takt(&["new", "project", &file]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("is there already"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    let ran = takt(&["new", "project", &file, "--json"]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["file-exists".to_owned()]));
    let ran = takt(&["new", "project", &folder.path("no/x.yaml").display().to_string()]);
    assert_eq!(ran.code, 2);
}

#[test]
fn wrong_names_get_the_nearest() {
    let ran = takt(&["new", "jobshop"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("did you mean `job-shop`?"), "{}", ran.err);
    assert_eq!(takt(&["new", "zzz", "--json"]).error_codes(), ["unknown-template"]);
    assert_eq!(takt(&["new"]).code, 2);
    assert_eq!(takt_with(&["new", "project", "-"], "", &[]).out, takt(&["new", "project"]).out);
}
