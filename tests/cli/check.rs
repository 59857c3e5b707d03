//! `takt check` from outside.

use crate::run::{Folder, takt, takt_with};

#[test]
fn help_is_no_error_and_shows_examples() {
    let ran = takt(&["check", "--help"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("Examples:") && ran.out.contains("--query-file"), "{}", ran.out);
    assert_eq!(takt(&["--version"]).code, 0);
}

#[test]
fn wrong_calls_end_with_2() {
    for args in [
        &["fly"][..],
        &[],
        &["check"],
        &["check", "x.xta", "--order", "sideways"],
        &["check", "x.xta", "--time", "soon"],
        &["check", "x.xta", "--memory", "0"],
        &["check", "x.xta", "--threads", "0"],
    ] {
        let ran = takt(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(!ran.err.is_empty());
        let ran = takt(&[args, &["--json"]].concat());
        assert_eq!((ran.code, ran.error_codes()), (2, vec!["usage".to_owned()]), "{args:?}");
    }
}

#[test]
fn unusable_files_are_named() {
    let folder = Folder::new();
    let latin = folder.file("latin.xta", b"clock x;\n// caf\xe9\n");
    let empty = folder.file("empty.xta", " \n");
    let missing = folder.path("missing.xta").display().to_string();
    let itself = folder.path(".").display().to_string();
    for (file, code) in [
        (&latin, "not-utf8"),
        (&empty, "empty-file"),
        (&missing, "missing-file"),
        (&itself, "is-directory"),
    ] {
        let ran = takt(&["check", file, "-q", "E<> true", "--json"]);
        assert_eq!((ran.code, ran.error_codes()), (2, vec![code.to_owned()]));
        let error = &ran.json()["errors"][0];
        assert_eq!(error["file"], file.as_str());
        assert!(error["line"].is_null() && error["column"].is_null());
        let ran = takt(&["check", file, "-q", "E<> true", "--quiet"]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains(code) && ran.err.contains(file.as_str()), "{}", ran.err);
    }
}

#[test]
fn colours_are_used_where_wanted() {
    let colored = |args: &[&str], no_color: &str| {
        let args = [&["check", "missing.xta", "-q", "E<> true"], args].concat();
        takt_with(&args, "", &[("NO_COLOR", no_color)]).err.contains('\u{1b}')
    };
    assert!(!colored(&[], ""), "standard error is no terminal here");
    assert!(colored(&["--color", "always"], "1"), "--color always beats NO_COLOR");
    assert!(!colored(&["--color=never"], ""));
}
