//! Every example spec, as a user would try it: it fits the schema that editors use, it is solved,
//! its schedule is valid, and its automata alone have the same optimum.
//!
//! The folder is walked, so a new example is covered by being there.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use takt_automata::engine::{self, Answer, Control, Extremum, Options, Progress, Stop, Verdict};
use takt_automata::model;
use takt_automata::xta;
use takt_diagnostic::FileId;
use takt_testing::schema;

/// The search through the automata alone is given up after so many states.
const MOST_STATES: u64 = 300_000;

/// Examples whose automata are too many for a search that knows nothing of plants.
const TOO_LARGE: [&str; 1] = [
    // A job shop of 36 steps: without an estimate the last few units of time are not proved.
    "ft06.yaml",
];

/// Plants from raw tables to the chart, too large to be solved whenever tests run.
const PLANTS: &str = "plants";

/// Days of working hours in minutes, as one plans them: too many states for the automata alone.
const IN_MINUTES: [&str; 2] = ["starters/daily.yaml", "starters/packaging.yaml"];

/// Only plants of that many steps may be in the list.
const LARGE: usize = 36;

/// Plants of more steps than this are not tried at all: the list is for those one might expect.
const HUGE: usize = 150;

fn folder() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("specs")
}

/// All specs, by their paths below the folder.
fn examples() -> Vec<(String, Value)> {
    let mut folders = vec![folder()];
    let mut found = Vec::new();
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(inside).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                let text = fs::read_to_string(&path).unwrap();
                let name = path.strip_prefix(folder()).unwrap().display().to_string();
                found.push((name, serde_yaml::from_str(&text).unwrap()));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(found.len() >= 8, "only {} examples", found.len());
    found
}

/// Runs `takt` and gives what it prints.
fn takt(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_takt"));
    let output = command.args(args).current_dir(folder()).output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {}\n{errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&takt(args)).unwrap()
}

#[test]
fn every_example_fits_the_schema() {
    let schema = json(&["schema"]);
    for (name, spec) in examples() {
        assert!(schema::accepts(&schema, &schema, &spec), "{name}");
    }
}

#[test]
fn every_example_is_solved_with_the_optimum_of_its_automata() {
    let mut given_up = BTreeSet::new();
    let is_small =
        |(name, spec): &(String, Value)| spec.get("layout").is_none() && !name.starts_with(PLANTS);
    for (name, _) in examples().into_iter().filter(is_small) {
        let out = tempfile::tempdir().unwrap();
        let summary = solve(&name, out.path(), &["--time", "5s"]);
        let csv = out.path().join("schedule.csv");
        validate(&name, &summary, &csv);
        let steps = steps(&fs::read_to_string(csv).unwrap());
        if steps <= HUGE && !IN_MINUTES.contains(&name.as_str()) && !has_optimum(&name, &summary) {
            assert!(steps >= LARGE, "{name} has only {steps} steps");
            given_up.insert(name);
        }
    }
    assert_eq!(given_up, TOO_LARGE.iter().map(|&name| name.to_owned()).collect());
}

/// What plants mean is told without a warning, and the plan that stands beside one is right.
#[test]
fn every_plant_is_read_and_its_plan_is_valid() {
    let mut plans = 0;
    for (name, _) in examples().into_iter().filter(|(name, _)| name.starts_with(PLANTS)) {
        let shown = json(&["show", &name, "--json"]);
        assert!(shown["infeasible"].is_null(), "{name}: {}", shown["infeasible"]);
        assert_eq!(shown["warnings"], Value::Array(Vec::new()), "{name}");
        let (spec, plan) = (Path::new(&name), Path::new(&name).with_extension("csv"));
        let plan = spec.with_file_name("plans").join(plan.file_name().unwrap());
        if folder().join(&plan).exists() {
            let report = json(&["validate", &name, &plan.display().to_string(), "--json"]);
            assert_eq!(report["valid"], true, "{name}: {}", report["errors"]);
            plans += 1;
        }
    }
    assert!(plans >= 2, "only {plans} plans");
}

fn validate(name: &str, summary: &Value, csv: &Path) {
    assert_eq!((&summary["replayed"], &summary["valid"]), (&true.into(), &true.into()), "{name}");
    let report = json(&["validate", name, &csv.display().to_string(), "--json"]);
    assert_eq!(report["valid"], true, "{name}");
    assert_eq!(report["value"], summary["value"], "{name}");
    assert!(summary["objective"] == "feasible" || !report["value"].is_null(), "{name}");
}

/// The automata alone have the same optimum; false if their search was given up.
fn has_optimum(name: &str, summary: &Value) -> bool {
    let text = takt(&["compile", name]);
    let answer = search(&text, summary["objective"].as_str().unwrap());
    let scaled = scaled(&summary["value"], cost_scale(&text));
    let found = match answer.value {
        Some(Extremum::Finite { value, .. }) => Some(value),
        _ => None,
    };
    if answer.verdict == Verdict::Unknown {
        // What is known of it must not contradict.
        assert!(answer.bound <= scaled && found.is_none_or(|f| Some(f) >= scaled), "{name}");
        return false;
    }
    assert_eq!(answer.verdict, Verdict::Satisfied, "{name}");
    if summary["status"] == "feasible" {
        // What the automata alone prove is proved without a limit too, however slow the machine.
        let out = tempfile::tempdir().unwrap();
        let proved = solve(name, out.path(), &[]);
        return has_optimum(name, &proved);
    }
    assert_eq!(found, scaled, "{name}");
    true
}

fn solve(name: &str, out: &Path, limits: &[&str]) -> Value {
    let out = out.display().to_string();
    json(&[&["solve", name, "--json", "--threads", "1", "--out", &out], limits].concat())
}

/// The steps of all orders in a schedule.
fn steps(csv: &str) -> usize {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows = reader.records().map(Result::unwrap).filter(|row| &row[0] == "step");
    rows.map(|row| (row[1].to_owned(), row[3].to_owned())).collect::<BTreeSet<_>>().len()
}

/// What `takt check` does on a compiled model, up to so many states.
fn search(text: &str, objective: &str) -> Answer {
    let query = match objective {
        "feasible" => "E<> done",
        "makespan" => "inf{done}: now",
        "cost" => "inf{done}: cost",
        other => panic!("an objective that nobody knows: {other}"),
    };
    let mut model = model::build(&xta::parse(text, FileId(0)).unwrap()).unwrap().0;
    let query = xta::parse_query(query, FileId(1)).unwrap();
    let query = model.resolve_query(&query).unwrap();
    engine::check(&model, &[query], &Options::default(), &Bounded).unwrap().remove(0)
}

struct Bounded;

impl Control for Bounded {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        match progress.explored < MOST_STATES {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(Stop::Time),
        }
    }
}

fn cost_scale(model: &str) -> u32 {
    let rest = model.split("const int cost_scale = ").nth(1).expect("a scale");
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    assert!(digits.trim_end_matches('0') == "1", "{digits} is no power of ten");
    digits.len() as u32 - 1
}

/// A JSON number with its decimal point moved to the right.
fn scaled(value: &Value, places: u32) -> Option<i64> {
    let text = value.as_number()?.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits = format!("{whole}{fraction:0<width$}", width = places as usize);
    assert!(fraction.len() <= places as usize, "{text} has more than {places} places");
    Some(digits.parse().unwrap())
}
