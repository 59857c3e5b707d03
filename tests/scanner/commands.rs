//! The commands on layouts, as a user would call them.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).to_owned()
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
    let said = String::from_utf8(takt(&["validate", &spec, csv]).stdout).expect("text");
    assert!(said.starts_with("valid, interval "), "{said}");
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
fn heuristics_go_by_name_and_say_whether_they_are_safe() {
    let folder = tempfile::tempdir().expect("a folder");
    let (spec, out) = (small(folder.path()), folder.path().join("out").display().to_string());
    let best = json(&["solve", &spec, "--out", &out]);
    assert_eq!(best["heuristics"], serde_json::json!([]));
    let text = format!("{SMALL}heuristics: [policy, locks]\n");
    let with = folder.path().join("with.yaml");
    fs::write(&with, text).expect("a file");
    let with = with.display().to_string();
    let kept = json(&["solve", &with, "--out", &out, "--heuristics", "greedy,policy"]);
    assert_eq!(kept["heuristics"], serde_json::json!(["greedy", "locks", "policy"]));
    assert_eq!(kept["safe"]["policy"], true);
    assert_eq!((&kept["safe"]["locks"], &kept["safe"]["greedy"]), (&false.into(), &false.into()));
    assert_eq!((&kept["replayed"], &kept["valid"]), (&true.into(), &true.into()));
    // The bound does without them, so that nothing that they cut is called optimal.
    assert_eq!(kept["bound"], best["bound"]);
    let is_met = kept["interval"] == best["bound"];
    assert_eq!(kept["status"] == "optimal", is_met, "{kept}");
    let shown = String::from_utf8(takt(&["show", &with]).stdout).expect("text");
    assert!(shown.contains("heuristic locks: not safe"), "{shown}");
    for wrong in ["heuristics: [polcy]", "heuristics: [{max-active: 1}]"] {
        let path = folder.path().join("wrong.yaml");
        fs::write(&path, format!("{SMALL}{wrong}\n")).expect("a file");
        assert_eq!(takt(&["solve", &path.display().to_string()]).status.code(), Some(2));
    }
}

#[test]
fn bounds_and_what_is_alike_are_shown() {
    let shown = json(&["show", "specs/scanner/in-out.yaml"]);
    let bounds = shown["bounds"].as_array().expect("bounds");
    let of =
        |name: &str| &bounds.iter().find(|bound| bound["resource"] == name).unwrap()["interval"];
    assert_eq!((of("track"), of("locks"), of("chucks")), (&100.into(), &419.into(), &260.into()));
    assert_eq!(shown["alone"][0], serde_json::json!({"resource": "L0", "interval": 838}));
    assert_eq!(shown["positions"][0], serde_json::json!(["L0", "L1"]));
    assert_eq!(shown["positions"].as_array().map(Vec::len), Some(5));
}

#[test]
fn a_limit_ends_the_search_for_a_policy() {
    let locks: Vec<String> = (0..60).map(|lock| format!("L{lock}")).collect();
    let robots: Vec<String> = (0..30)
        .map(|k| {
            let reached: Vec<String> =
                (0..7).map(|n| format!("L{}", (7 * k + 11 * n) % 60)).collect();
            format!(
                "    R{k}: {{arms: 2, locks: [{}], turn: 1, from-lock: 1, to-lock: 1, to-chuck: 1, \
                 from-chuck: 1}}\n",
                reached.join(", ")
            )
        })
        .collect();
    let text = format!(
        "takt: 1\nlayout:\n  track: {{load: 1, unload: 1, switch: 1, recover: 1}}\n  \
         locks: {{ids: [{}], depressurize: 1, pressurize: 1}}\n  robots:\n{}  \
         chucks: {{ids: [C], swap: 1, measure: 1, expose: 1}}\n",
        locks.join(", "),
        robots.concat()
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("maze.yaml");
    fs::write(&path, text).expect("a file");
    let (path, out) = (path.display().to_string(), folder.path().join("out").display().to_string());
    let ran = takt(&["safe", &path, "--out", &out, "--time", "500ms", "--json"]);
    assert_eq!(ran.status.code(), Some(3), "{}", String::from_utf8_lossy(&ran.stderr));
    let told: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!(told["status"], "unknown");
}

#[test]
fn limits_are_times_as_in_the_spec() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.yaml");
    fs::write(&path, format!("{SMALL}time: {{unit: second}}\n")).expect("a file");
    let (spec, out) = (path.display().to_string(), folder.path().join("out").display().to_string());
    let kept = json(&["solve", &spec, "--out", &out, "--max-gap", "2m", "--first", "1m40s"]);
    assert!(kept["max_gap"].as_i64().unwrap() <= 120 && kept["first"].as_i64().unwrap() <= 100);
    let model = fs::read_to_string(folder.path().join("out/model.xta")).unwrap();
    assert!(model.contains("const int H = 100;") && model.contains("const int S = 120;"));
}

/// Times of a layout go up to 10^9 each, so that gaps are longer than that.
#[test]
fn the_longest_times_have_limits_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("huge.yaml");
    let times = |text: &str| -> String {
        let digits = |word: &str| word.chars().all(|c| c.is_ascii_digit());
        let words = text.split_inclusive([' ', ',', '}']);
        let huge = |word: &str| match word.trim_end_matches([' ', ',', '}']) {
            number if !number.is_empty() && digits(number) => word.replace(number, "1000000000"),
            _ => word.to_owned(),
        };
        words.map(huge).collect()
    };
    let huge = times(SMALL).replace("arms: 1000000000", "arms: 1");
    fs::write(&path, huge).expect("a file");
    let (spec, out) = (path.display().to_string(), folder.path().join("out").display().to_string());
    for limit in ["1000000000000", "30000000000"] {
        let limits = ["--max-gap", limit, "--first", limit];
        let summary = json(&[&["solve", &spec, "--out", &out][..], &limits].concat());
        assert_eq!((&summary["status"], &summary["valid"]), (&"optimal".into(), &true.into()));
    }
    let said = takt(&["solve", &spec, "--max-gap", "1000000000001"]);
    assert_eq!(said.status.code(), Some(2));
}

#[test]
fn a_machine_without_a_way_out_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.yaml");
    let text = SMALL.replace("pressurize: 9", "pressurize: 9, direction: {A: in, B: in}");
    fs::write(&path, text).expect("a file");
    let summary = json(&["solve", &path.display().to_string()]);
    let reason = summary["reason"].as_str().expect("a reason");
    assert!(reason.ends_with("what is loaded can never leave"), "{reason}");
}

#[test]
fn options_of_layouts_are_for_layouts() {
    for args in [
        &["solve", "specs/scanner/base.yaml", "--heuristics", "greedy,greedy"][..],
        &["solve", "specs/scanner/base.yaml", "--max-gap", "5m"],
        &["solve", "specs/ft06.yaml", "--heuristics", "greedy"],
        &["solve", "specs/ft06.yaml", "--first", "9"],
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
