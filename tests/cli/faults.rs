//! What goes wrong around a run: files in the way, closed pipes, full disks, signals, limits.
//!
//! `scripts/faults.py` draws such faults by the thousand; a few of them run here as well.

use crate::run::{Folder, Ran, root, takt, takt_with};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const SHELVES: &str = "\
takt: 1
name: shelves
resources: {saw: {}, drill: {}}
recipes:
  shelf: {steps: [{name: cut, on: saw, duration: 4}, {name: bore, on: drill, duration: 2}]}
";
const ORDERS: &str = "orders: [{id: A, recipe: shelf}, {id: B, recipe: shelf}]\n";
const TABLE: &str = "id,recipe\nA,shelf\nB,shelf\n";
const FILES: [&str; 6] =
    ["model.xta", "orders.csv", "report.html", "schedule.csv", "schedule.svg", "summary.json"];

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs a line of shell in a folder, with the program as `$TAKT`.
fn shell(folder: &Folder, line: &str) -> Ran {
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .env("TAKT", env!("CARGO_BIN_EXE_takt"))
        .current_dir(folder.path("."));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    crate::run::end(command.spawn().expect("there is a shell"))
}

/// `--out .` replaced the table of orders that the spec reads.
#[test]
fn results_replace_nothing_that_was_read() {
    let folder = Folder::new();
    let spec = folder.file("shelves.yaml", format!("{SHELVES}orders: [{{file: orders.csv}}]\n"));
    let table = folder.file("orders.csv", TABLE);
    let place = folder.path(".").display().to_string();
    let ran = takt(&["solve", &spec, "--out", &place, "--json"]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["output-is-input".to_owned()]));
    let error = &ran.json()["errors"][0];
    assert!(error["hint"].as_str().unwrap().contains("--out"), "{error}");
    assert!(!ran.err.contains("found"), "noticed after solving: {}", ran.err);
    assert_eq!(fs::read_to_string(table).unwrap(), TABLE);
    // A comparison writes files of other names, and reads those of all its specs.
    let other = SHELVES.to_owned() + "orders: [{file: compare.csv}]\n";
    let other = folder.file("other.yaml", other);
    folder.file("compare.csv", TABLE);
    let ran = takt(&["compare", &spec, &other, "--out", &place, "--json"]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["output-is-input".to_owned()]));
    assert_eq!(
        names(&folder.path(".")),
        ["compare.csv", "orders.csv", "other.yaml", "shelves.yaml"]
    );
}

/// The same file under another name is the same file.
#[cfg(unix)]
#[test]
fn links_lead_to_what_was_read() {
    let folder = Folder::new();
    let spec = folder.file("shelves.yaml", format!("{SHELVES}orders: [{{file: table.csv}}]\n"));
    let table = folder.file("table.csv", TABLE);
    for (kind, name) in [("soft", "schedule.csv"), ("hard", "schedule-orders.svg")] {
        let out = folder.path(kind);
        fs::create_dir(&out).unwrap();
        match kind {
            "soft" => std::os::unix::fs::symlink(&table, out.join(name)).unwrap(),
            _ => fs::hard_link(&table, out.join(name)).unwrap(),
        }
        let ran = takt(&["solve", &spec, "--out", &out.display().to_string(), "--json"]);
        assert_eq!((ran.code, ran.error_codes()), (2, vec!["output-is-input".to_owned()]));
        assert_eq!(names(&out), [name]);
    }
}

/// `compile X --out X` and `import X --out X` replaced their own input, also one that comes from
/// standard input.
#[test]
fn no_command_writes_over_its_input() {
    let folder = Folder::new();
    let spec = folder.file("shelves.yaml", format!("{SHELVES}{ORDERS}"));
    let shop = folder.path("shop").display().to_string();
    fs::copy(root().join("tests/imports/ft06"), &shop).unwrap();
    let before = [fs::read(&spec).unwrap(), fs::read(&shop).unwrap()];
    let ran = takt(&["compile", &spec, "--out", &spec, "--json"]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["output-is-input".to_owned()]));
    let ran = takt(&["import", &shop, "--from", "jsplib", "--out", &shop, "--json"]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["output-is-input".to_owned()]));
    let ran = shell(&folder, "$TAKT compile - --out shelves.yaml --json < shelves.yaml");
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["output-is-input".to_owned()]));
    assert_eq!(before, [fs::read(&spec).unwrap(), fs::read(&shop).unwrap()]);
}

/// `2>&1 | head -1` and `2> /dev/full` ended the run, and the schedule was lost.
#[cfg(target_os = "linux")]
#[test]
fn nobody_reading_costs_no_schedule() {
    let folder = Folder::new();
    folder.file("shelves.yaml", format!("{SHELVES}{ORDERS}"));
    for (number, line) in [
        "$TAKT solve shelves.yaml --out $OUT 2> /dev/full",
        "$TAKT solve shelves.yaml --out $OUT > /dev/full",
        "$TAKT solve shelves.yaml --out $OUT --json > /dev/full 2> /dev/full",
        "$TAKT solve shelves.yaml --out $OUT >&- 2>&-",
        // The reader is gone before anything is said.
        "(sleep 0.3; $TAKT solve shelves.yaml --out $OUT 2>&1; echo $? > code) | true; \
         while ! test -s code; do :; done; exit $(cat code)",
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("out{number}");
        let ran = shell(&folder, &line.replace("$OUT", &out));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        assert_eq!(names(&folder.path(&out)), FILES, "{line}");
        assert!(!ran.err.contains("error:"), "{line}: {}", ran.err);
    }
    // What stands nowhere else is missed.
    for line in ["$TAKT compile shelves.yaml > /dev/full", "$TAKT --help > /dev/full"] {
        let ran = shell(&folder, line);
        assert_eq!(ran.code, 2, "{line}");
        assert!(ran.err.contains("cannot write to standard output"), "{line}: {}", ran.err);
    }
}

/// A link to nowhere was noticed after solving; a limit on file sizes killed the run.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_found_before_solving() {
    let folder = Folder::new();
    folder.file("shelves.yaml", format!("{SHELVES}{ORDERS}"));
    std::os::unix::fs::symlink("nowhere", folder.path("link")).unwrap();
    for line in [
        "$TAKT solve shelves.yaml --out link",
        "$TAKT solve shelves.yaml --out link/below",
        "ulimit -f 4; $TAKT solve shelves.yaml --out new",
    ] {
        let ran = shell(&folder, line);
        assert_eq!(ran.code, 2, "{line}: {}", ran.err);
        assert!(ran.err.contains("unusable-output"), "{line}: {}", ran.err);
        assert!(!ran.err.contains("found "), "{line}: noticed after solving: {}", ran.err);
    }
    assert_eq!(names(&folder.path(".")), ["link", "shelves.yaml"]);
}

/// A run that was killed while it moved its files left some of them beside older ones.
#[test]
fn the_next_run_finishes_what_a_killed_one_began() {
    let folder = Folder::new();
    let spec = folder.file("shelves.yaml", format!("{SHELVES}{ORDERS}"));
    let out = folder.path("out");
    let place = out.display().to_string();
    assert_eq!(takt(&["solve", &spec, "--out", &place]).code, 0);
    let journal = out.join(".takt-journal");
    for part in ["new", "old"] {
        fs::create_dir_all(journal.join(part)).unwrap();
    }
    fs::write(journal.join("journal"), "+schedule.csv\n+summary.json\n-model.xta\n").unwrap();
    fs::write(journal.join("new/summary.json"), "{\"spec\": \"killed\"}").unwrap();
    fs::rename(out.join("summary.json"), journal.join("old/summary.json")).unwrap();
    fs::write(out.join("schedule.csv"), "killed").unwrap();
    fs::write(out.join("notes"), "keep me").unwrap();
    let never = SHELVES.to_owned() + "orders: [{id: A, recipe: shelf, deadline: 3}]\n";
    let ran = takt_with(&["solve", "-", "--out", &place], &never, &[]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(
        names(&out),
        ["notes", "orders.csv", "report.html", "schedule.csv", "schedule.svg", "summary.json"]
    );
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary, json!({"spec": "killed"}));
    assert_eq!(takt(&["solve", &spec, "--out", &place]).code, 0);
    assert_eq!(names(&out), [&FILES[..1], &["notes"], &FILES[1..]].concat());
}

/// A second signal ends the run at once, and nothing of it is left.
#[cfg(target_os = "linux")]
#[test]
fn two_signals_leave_nothing_behind() {
    let folder = Folder::new();
    let machines = (0..12).map(|m| format!("m{m}: {{}}")).collect::<Vec<_>>().join(", ");
    let mut spec = format!("takt: 1\nname: long\nresources: {{{machines}}}\nrecipes:\n");
    for job in 0..12_usize {
        let step = |k: usize| {
            let (machine, duration) =
                ((job * 5 + k * 7 + job * k) % 12, (job * 17 + k * 29) % 23 + 1);
            format!("{{name: s{k}, on: m{machine}, duration: {duration}}}")
        };
        let steps: Vec<String> = (0..12).map(step).collect();
        spec += &format!("  r{job}: {{steps: [{}]}}\n", steps.join(", "));
    }
    let orders = (0..12).map(|j| format!("{{id: j{j}, recipe: r{j}}}")).collect::<Vec<_>>();
    spec += &format!("orders: [{}]\n", orders.join(", "));
    let spec = folder.file("long.yaml", spec);
    let out = folder.path("out");
    fs::create_dir(&out).unwrap();
    let child = crate::run::start(&["solve", &spec, "--out", &out.display().to_string()]);
    crate::run::wait_for_handler(child.id());
    let id = child.id().to_string();
    for _ in 0..2 {
        // It may be over after the first one.
        let _ = Command::new("kill").args(["-TERM", &id]).stderr(Stdio::null()).status();
    }
    let ran = crate::run::end(child);
    assert!([0, 3, 130].contains(&ran.code), "{}: {}", ran.code, ran.err);
    let left = names(&out);
    assert!(left.is_empty() || left == FILES, "{left:?}");
}

/// An error of a call has a place like any other: `file` was null.
#[test]
fn errors_of_a_call_have_a_place() {
    for (args, column) in [
        (&["solve", "a.yaml", "--fast"][..], 19),
        (&["solve"], 18),
        (&["solv"], 6),
        (&["solve", "a.yaml", "--time", "soon"], 19),
        (&["import", "a", "--from", "jsplib", "--runways", "2"], 29),
        (&["new", "nothing"], 10),
    ] {
        let ran = takt(&[args, &["--json"]].concat());
        assert_eq!(ran.code, 2, "{args:?}");
        let error = &ran.json()["errors"][0];
        let place = (&error["file"], &error["line"]);
        assert_eq!(place, (&json!("<command line>"), &json!(1)), "{args:?}");
        assert_eq!(error["column"], json!(column), "{args:?}");
    }
}

/// A failed allocation ended the process by a signal; now the answer is `unknown`.
#[cfg(target_os = "linux")]
#[test]
fn little_memory_ends_in_unknown() {
    const ENDLESS: &str = "\
int a, b, c, d, e; clock x;
process P() { state s; init s; trans s -> s { assign a = (a + 1) % 1000; },
s -> s { assign b = (b + 1) % 1000; }, s -> s { assign c = (c + 1) % 1000; },
s -> s { assign d = (d + 1) % 1000; }, s -> s { assign e = (e + 1) % 1000; }; }
system P;
";
    let folder = Folder::new();
    folder.file("endless.xta", ENDLESS);
    for threads in [1, 2] {
        let ran = shell(
            &folder,
            &format!(
                "ulimit -v 120000; $TAKT check endless.xta -q 'A[] a >= 0' --json --threads {threads}"
            ),
        );
        assert_eq!(ran.code, 3, "{}", ran.err);
        assert_eq!(ran.json()["queries"][0]["verdict"], "unknown");
    }
}

/// A few faults drawn at random; `scripts/faults.py --cases 1000` draws many.
#[cfg(target_os = "linux")]
#[test]
fn faults_at_random_find_nothing() {
    let has_python = Command::new("python3").arg("--version").output().is_ok();
    if !has_python {
        return;
    }
    let script = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("scripts/faults.py");
    let ran = Command::new("python3")
        .arg(script)
        .args(["--cases", "15", "--seed", "1", "--takt", env!("CARGO_BIN_EXE_takt")])
        .output()
        .expect("python runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
}

/// A pipe that was open but not read held the search up for ever: neither limit nor signal ended it,
/// and the schedule was lost.
#[test]
#[cfg(target_os = "linux")]
fn a_pipe_that_nobody_reads_holds_nothing_up() {
    let folder = Folder::new();
    let spec = folder.file("plant.yaml", format!("{SHELVES}{ORDERS}"));
    let (_reader, mut writer) = std::io::pipe().unwrap();
    // As much as a pipe holds on Linux: the next letter would have to wait.
    std::io::Write::write_all(&mut writer, &[b'x'; 1 << 16]).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_takt"));
    command.args(["solve", &spec, "--out"]).arg(folder.path("out"));
    let mut child = command.stdout(Stdio::null()).stderr(writer).spawn().unwrap();
    let is_over = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        child.try_wait().unwrap().is_some()
    });
    let _ = child.kill();
    assert!(is_over, "it waits for a reader");
    assert_eq!(names(&folder.path("out")), FILES);
}

/// A folder called `-` was made.
#[test]
fn several_files_do_not_go_to_standard_output() {
    let folder = Folder::new();
    let spec = folder.file("plant.yaml", format!("{SHELVES}{ORDERS}"));
    for command in ["solve", "safe"] {
        let ran = takt(&[command, &spec, "--out", "-", "--json"]);
        assert_eq!(ran.code, 2);
    }
    assert!(!root().join("-").exists());
}
