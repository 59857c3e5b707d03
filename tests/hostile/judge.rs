//! Runs a case and looks for what must never be: another exit code, broken JSON, a panic, a
//! changed input, half a set of results, a schedule that does not hold.

use crate::case::Case;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// What the program did.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

/// The exit code and everything that is wrong, each with what repeats it.
pub fn run(case: &Case, seed: u64) -> (i32, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in &case.files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let ran = takt(folder.path(), &case.args);
    let mut faults = Vec::new();
    judge_words(&ran, &mut faults);
    judge_json(case, &ran, &mut faults);
    judge_files(case, &ran, folder.path(), &mut faults);
    if !faults.is_empty() {
        keep(case, seed);
    }
    let tell = |fault: String| {
        let (fault, args) = (fault.chars().take(600).collect::<String>(), case.args.join(" "));
        format!("seed {seed}, {}: {fault}\n    takt {args}", case.kind)
    };
    (ran.code, faults.into_iter().map(tell).collect())
}

fn takt(folder: &Path, args: &[String]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_takt"));
    command.env("RUST_BACKTRACE", "0");
    let output =
        command.args(args).current_dir(folder).stdin(Stdio::null()).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().unwrap_or(-1);
    Ran { code, out: text(&output.stdout), err: text(&output.stderr) }
}

fn judge_words(ran: &Ran, faults: &mut Vec<String>) {
    if !(0..=3).contains(&ran.code) {
        faults.push(format!("exit code {}: {}", ran.code, ran.err));
    }
    for word in ["bug in takt", "panicked"] {
        if ran.err.contains(word) || ran.out.contains(word) {
            faults.push(format!("says `{word}`: {}", ran.err));
        }
    }
    let is_control = |c: char| c.is_control() && !"\n\t".contains(c);
    if let Some(c) = ran.err.chars().find(|&c| is_control(c)) {
        faults.push(format!("{c:?} on standard error"));
    }
}

fn judge_json(case: &Case, ran: &Ran, faults: &mut Vec<String>) {
    let json: Value = match serde_json::from_str(&ran.out) {
        Ok(json @ Value::Object(_)) => json,
        _ => return faults.push(format!("no JSON object: {:?} {}", ran.out, ran.err)),
    };
    if ran.code != 2 {
        return;
    }
    let errors = json["errors"].as_array().filter(|errors| !errors.is_empty());
    let Some(errors) = errors else { return faults.push(format!("exit 2 without errors: {json}")) };
    for error in errors {
        let is_text = |key: &str| error[key].as_str().is_some_and(|text| !text.is_empty());
        if !["file", "code", "message"].into_iter().all(is_text) {
            faults.push(format!("an error without its parts: {error}"));
        }
        // A place is within its file.
        let file = error["file"].as_str().unwrap_or_default();
        let text = case.files.iter().find(|(name, _)| file.ends_with(name.as_str()));
        let lines = text.map_or(u64::MAX, |(_, text)| text.split(['\n', '\r']).count() as u64 + 1);
        if error["line"].as_u64().is_some_and(|line| line == 0 || line > lines) {
            faults.push(format!("a place outside of the file: {error}"));
        }
    }
}

fn judge_files(case: &Case, ran: &Ran, folder: &Path, faults: &mut Vec<String>) {
    for (name, text) in &case.files {
        if fs::read(folder.join(name)).ok().as_deref() != Some(text.as_bytes()) {
            faults.push(format!("`{name}` was changed"));
        }
    }
    let Some(spec) = &case.spec else { return };
    let made = |name: &str| folder.join("out").join(name).is_file();
    let results = ["schedule.csv", "schedule.svg", "orders.csv", "summary.json", "model.xta"];
    let there = results.iter().filter(|name| made(name)).count();
    if there != if ran.code == 0 { results.len() } else { 0 } {
        faults.push(format!("{there} results with exit code {}", ran.code));
    }
    if ran.code != 0 {
        return;
    }
    let solved: Value = serde_json::from_str(&ran.out).unwrap_or_default();
    let svg = fs::read_to_string(folder.join("out/schedule.svg")).unwrap_or_default();
    if let Err(error) = roxmltree::Document::parse(&svg) {
        faults.push(format!("the chart is no XML: {error}"));
    }
    let args = ["validate", spec, "out/schedule.csv", "--json"].map(str::to_owned);
    let judged = takt(folder, &args);
    let verdict: Value = serde_json::from_str(&judged.out).unwrap_or_default();
    // The value of a layout is the interval of its rhythm, which a part of it does not show.
    let same = verdict["value"] == solved["value"] || solved.get("interval").is_some();
    if judged.code != 0 || !same {
        faults.push(format!("solved {}, but validate says {}", solved["value"], judged.out));
    }
}

/// Leaves the files of a finding where somebody wants them.
fn keep(case: &Case, seed: u64) {
    let Some(kept) = env::var_os("TAKT_HOSTILE_KEEP") else { return };
    for (name, text) in &case.files {
        let path = Path::new(&kept).join(seed.to_string()).join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
}
