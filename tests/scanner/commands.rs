//! The commands on layouts, as a user would call them.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn takt(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_takt"));
    command.args(args).current_dir(root()).output().expect("it starts")
}

fn json(args: &[&str]) -> Value {
    let output = takt(&[args, &["--json"]].concat());
    let text = String::from_utf8(output.stdout).expect("text");
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{args:?}: {text}"))
}

const SMALL: &str = "takt: 1
name: small
layout:
  track: {load: 2, unload: 3, switch: 4, recover: 5}
  locks: {ids: [A, B], depressurize: 20, pressurize: 9}
  robots: {R: {arms: 1, locks: [A, B], turn: 3, from-lock: 4, to-lock: 5, to-chuck: 6, from-chuck: 7}}
  chucks: {ids: [C], swap: 2, measure: 8, expose: 11}
";

fn small(folder: &Path) -> String {
    let path = folder.join("small.yaml");
    fs::write(&path, SMALL).expect("a file");
    path.display().to_string()
}

#[test]
fn a_layout_is_solved_replayed_and_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let (spec, out) = (small(folder.path()), folder.path().join("out").display().to_string());
    let summary = json(&["solve", &spec, "--out", &out]);
    assert_eq!((&summary["replayed"], &summary["valid"]), (&true.into(), &true.into()));
    assert_eq!(summary["status"], "optimal");
    assert_eq!(
        (&summary["value"], &summary["bound"]),
        (&summary["interval"], &summary["interval"])
    );
    let cycle = &summary["cycle"];
    let length = cycle["end"].as_f64().unwrap() - cycle["start"].as_f64().unwrap();
    let interval = length / cycle["wafers"].as_f64().unwrap();
    assert_eq!(summary["interval"].as_f64(), Some(interval));
    assert!(summary["max_gap"].as_f64().unwrap() >= interval);
    assert!(!summary["critical"].as_str().unwrap().is_empty());
    let written: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("out/summary.json")).unwrap())
            .unwrap();
    assert_eq!(written["interval"], summary["interval"]);
    for (_, file) in summary["files"].as_object().unwrap() {
        assert!(Path::new(file.as_str().unwrap()).is_file(), "{file}");
    }
    let csv = summary["files"]["csv"].as_str().unwrap();
    assert_eq!(json(&["validate", &spec, csv])["valid"], true);
    let rows = fs::read_to_string(csv).unwrap();
    assert!(rows.lines().skip(1).all(|row| row.starts_with("op,")), "{rows}");
    let broken = folder.path().join("broken.csv");
    fs::write(&broken, rows.replacen("expose,C", "measure,C", 1)).unwrap();
    let ran = takt(&["validate", &spec, &broken.display().to_string()]);
    assert_eq!(ran.status.code(), Some(1));
    let chart = fs::read_to_string(summary["files"]["svg"].as_str().unwrap()).unwrap();
    for word in ["track", "R.0", "\nA\n", "\nB\n", "expose"] {
        assert!(chart.contains(word), "{word:?} is not in the chart");
    }
}

#[test]
fn limits_are_kept_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (spec, out) = (small(folder.path()), folder.path().join("out").display().to_string());
    let best = json(&["solve", &spec, "--out", &out]);
    let (gap, first) = (best["max_gap"].to_string(), best["first"].to_string());
    let kept = json(&["solve", &spec, "--out", &out, "--max-gap", &gap, "--first", &first]);
    assert_eq!(kept["interval"], best["interval"]);
    let model = fs::read_to_string(folder.path().join("out/model.xta")).unwrap();
    assert!(model.contains(&format!("const int H = {first};")), "{model}");
    let ran = takt(&["solve", &spec, "--out", &out, "--max-gap", "20"]);
    assert_eq!(ran.status.code(), Some(1), "{}", String::from_utf8_lossy(&ran.stdout));
}

#[test]
fn options_of_layouts_are_for_layouts() {
    for args in [
        &["solve", "specs/ft06.yaml", "--first", "9"][..],
        &["compile", "specs/ft06.yaml", "--untimed"],
        &["compare", "specs/ft06.yaml", "specs/scanner/base.yaml"],
        &["solve", "specs/scanner/base.yaml", "--engine", "zones"],
        &["compile", "specs/scanner/base.yaml", "--max-gap", "0"],
    ] {
        assert_eq!(takt(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn layouts_are_compared_with_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = small(folder.path());
    let second = folder.path().join("slow.yaml");
    let text = "takt: 1\nextends: small.yaml\nlayout: {chucks: {expose: 100}}\n";
    fs::write(&second, text).expect("a file");
    let (second, out) = (second.display().to_string(), folder.path().join("out"));
    let report = json(&["compare", &first, &second, "--out", &out.display().to_string()]);
    assert_eq!(report["specs"][0]["loss"], 0.0);
    assert!(report["specs"][1]["loss"].as_f64().unwrap() > 0.5, "{report}");
    assert!(report["specs"][1]["policy"].is_u64(), "{report}");
    let table = fs::read_to_string(out.join("compare.csv")).unwrap();
    assert!(table.lines().next().unwrap().ends_with("utilisation C"), "{table}");
    assert_eq!(table.lines().count(), 3);
}
