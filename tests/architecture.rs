//! Keeps the house in order: which room may use which, who may touch the world outside, and
//! that every file says what it is for.
//!
//! Reads the sources as text. Code under `#[cfg(test)]` may reach further (an engine's test
//! may parse its model from text) and is left out.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A name, and the names of those it may use.
type Entry = (&'static str, &'static [&'static str]);

/// Each crate with the crates it may know; its manifest may name no others. Data walks downwards in
/// this list; no entry may name one that stands below it.
const CRATES: &[Entry] = &[
    ("diagnostic", &[]),
    ("automata", &["diagnostic"]),
    ("spec", &["diagnostic"]),
    // Whoever judges schedules knows nothing of how they are made.
    ("validate", &["diagnostic", "spec"]),
    ("learn", &[]),
    ("plant", &["diagnostic", "automata", "spec", "learn"]),
    ("scanner", &["diagnostic", "automata", "spec"]),
    ("report", &["diagnostic", "automata", "spec", "plant", "scanner"]),
    ("takt", &["diagnostic", "automata", "spec", "validate", "plant", "scanner", "report"]),
];

/// The rooms of each crate that has several, with those of the same crate that they may use. Again
/// no entry may name one that stands below it.
const ROOMS: &[(&str, &[Entry])] = &[
    (
        "automata",
        &[
            ("network", &[]),
            ("xta", &["network"]),
            ("model", &["network"]),
            ("dbm", &[]),
            ("descent", &[]),
            ("priced", &["dbm"]),
            ("trace", &["network", "model", "dbm"]),
            ("interpret", &["network", "model", "trace"]),
            ("engine", &["network", "model", "dbm", "descent", "priced", "trace"]),
            ("compose", &["network", "xta"]),
        ],
    ),
    (
        "plant",
        &[
            ("random", &[]),
            ("plan", &[]),
            ("timetable", &["plan"]),
            ("lower", &["plan"]),
            ("bound", &["plan", "lower"]),
            ("outlook", &["plan"]),
            ("lift", &["plan", "timetable", "lower"]),
            ("improve", &["plan", "timetable", "random"]),
            ("learn", &["plan", "timetable", "random"]),
        ],
    ),
    (
        "scanner",
        &[
            ("layout", &[]),
            ("safety", &["layout"]),
            ("rhythm", &["layout"]),
            ("lower", &["layout"]),
            ("lift", &["layout", "lower"]),
        ],
    ),
    ("report", &[("account", &[]), ("render", &["account"])]),
    (
        "takt",
        &[
            ("import", &[]),
            ("starter", &[]),
            ("pipeline", &[]),
            ("cli", &["import", "starter", "pipeline"]),
        ],
    ),
];

/// What only `cli` may do: files, clock, terminal, environment, ending the process.
const OUTSIDE: &[&str] = &[
    "std::fs",
    "std::env",
    "io::stdin",
    "io::stdout",
    "io::stderr",
    "std::net",
    "std::process",
    // Scoped threads share work; whatever waits, or outlives its caller, is the command line's.
    "thread::sleep",
    "thread::spawn",
    "time::Instant",
    "time::SystemTime",
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
    "dbg!",
];

#[test]
fn crates_and_rooms_are_listed_in_the_order_data_walks() {
    in_order(CRATES);
    ROOMS.iter().for_each(|(_, rooms)| in_order(rooms));
}

fn in_order(list: &[Entry]) {
    for (position, (name, uses)) in list.iter().enumerate() {
        for used in *uses {
            let above = list[..position].iter().any(|(other, _)| other == used);
            assert!(above, "`{name}` may not use `{used}`, which does not stand above it");
        }
    }
}

#[test]
fn crates_know_only_those_they_may() {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(root().join("src")).expect("src is readable") {
        let folder = entry.expect("src is readable").path();
        let manifest = read(&folder.join("Cargo.toml"));
        let name = folder.file_name().expect("a folder").to_string_lossy().into_owned();
        let known = CRATES.iter().find(|(crate_name, _)| *crate_name == name);
        let (_, allowed) =
            known.unwrap_or_else(|| panic!("the crate `{name}` is not in the table"));
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        for line in dependencies.lines() {
            let used = line.strip_prefix("takt-").and_then(|line| line.split('.').next());
            let is_allowed = used.is_none_or(|used| allowed.contains(&used));
            assert!(is_allowed, "`{name}` may not know `{}`", used.unwrap_or_default());
        }
        found.insert(name);
    }
    assert_eq!(found.len(), CRATES.len(), "the table names crates that are not there");
}

/// Whose rooms nobody sees from outside: all that callers need stands at the front door.
const CLOSED: &[&str] = &["diagnostic", "learn", "plant", "report", "validate"];

#[test]
fn callers_come_through_the_front_door() {
    for name in CLOSED {
        let door = read(&root().join("src").join(name).join("lib.rs"));
        assert!(!door.contains("pub mod "), "`{name}` shows a room instead of what is in it");
    }
}

#[test]
fn rooms_use_only_what_they_may() {
    let mut wrong = Vec::new();
    for file in sources() {
        let (crate_name, room) = room_of(&file);
        let Some((_, rooms)) = ROOMS.iter().find(|(name, _)| *name == crate_name) else { continue };
        if room == "lib" || room == "main" {
            continue;
        }
        let Some((_, allowed)) = rooms.iter().find(|(name, _)| *name == room) else {
            wrong.push(format!("{}: room `{room}` is not in the table", file.display()));
            continue;
        };
        for used in uses(&code_of(&file)) {
            if used != room && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{}: `{room}` may not use `{used}`", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn only_the_command_line_touches_the_world_outside() {
    let mut wrong = Vec::new();
    for file in sources() {
        let (crate_name, room) = room_of(&file);
        if crate_name == "takt" && ["cli", "main"].contains(&room.as_str()) {
            continue;
        }
        let code = spelled_out(&code_of(&file));
        for word in OUTSIDE {
            if has_word(&code, word) {
                wrong.push(format!("{}: `{word}` belongs to cli alone", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// They panic when nobody reads, or the disk is full: a run lost its schedule to `| head -1`.
#[test]
fn nobody_prints_with_what_may_panic() {
    let mut wrong = Vec::new();
    for file in sources() {
        let code = code_of(&file);
        for word in ["println!", "eprintln!", "print!", "eprint!", "dbg!"] {
            if has_word(&code, word) {
                wrong.push(format!("{}: `{word}` may panic, `cli::console` not", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for() {
    let silent: Vec<String> = sources()
        .iter()
        .filter(|file| !read(file).starts_with("//!"))
        .map(|file| file.display().to_string())
        .collect();
    assert!(silent.is_empty(), "files that do not open with `//!`: {}", silent.join(", "));
}

/// The tables of the page name each crate and each room, and no others.
#[test]
fn the_map_shows_every_room() {
    let page = read(&root().join("docs/architecture.md"));
    let map = page.split("\n## ").find(|part| part.starts_with("The map")).expect("a map");
    let first_cells = map.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let shown =
        first_cells.flat_map(|cell| cell.split(['`', ',', ' '])).filter(|name| !name.is_empty());
    let shown: BTreeSet<String> = shown.map(str::to_owned).collect();
    let rooms = ROOMS
        .iter()
        .flat_map(|(of, rooms)| rooms.iter().map(move |room| format!("{of}/{}", room.0)));
    let all: BTreeSet<String> =
        CRATES.iter().map(|entry| entry.0.to_owned()).chain(rooms).collect();
    assert_eq!(shown, all, "left: the map in docs/architecture.md, right: the tables above");
}

#[test]
fn wrong_edges_would_be_seen() {
    let code = "use crate::{dbm::Zone, model::{Model, Edge}};\nlet x = crate::spec::read();";
    assert_eq!(uses(code), ["dbm", "model", "spec"].map(String::from).into());
    assert!(has_word(&spelled_out("use std::{fmt, fs};"), "std::fs"));
    assert!(has_word("std::time::Instant::now()", "time::Instant"));
    assert!(!has_word("sprintln!()", "println!"));
    let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    use crate::xta;\n}\nfn b() {}";
    assert_eq!(without_tests(text), "fn a() {}\nfn b() {}\n");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&root().join("src"), &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src is readable") {
        let path = entry.expect("src is readable").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).expect("sources are UTF-8")
}

/// The crate, and the first folder below it or the file's stem.
fn room_of(file: &Path) -> (String, String) {
    let below = file.strip_prefix(root().join("src")).expect("a source lies in src");
    let mut parts = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let crate_name = parts.next().expect("a path has parts");
    let room = parts.next().expect("a source lies in a crate");
    (crate_name, room.trim_end_matches(".rs").to_owned())
}

/// The file without tests and comments. Files that hold nothing but tests are empty.
fn code_of(file: &Path) -> String {
    let is_test = file.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        name == "tests.rs" || name == "tests"
    });
    if is_test {
        return String::new();
    }
    let lines = read(file);
    let lines = lines.lines().filter(|line| !line.trim_start().starts_with("//"));
    without_tests(&lines.collect::<Vec<_>>().join("\n"))
}

/// Leaves out each item marked `#[cfg(test)]`: up to its closing brace, or its semicolon.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        let mut depth = 0;
        for line in lines.by_ref() {
            depth += line.matches('{').count() as i64 - line.matches('}').count() as i64;
            if depth <= 0 && line.trim_end().ends_with(['}', ';']) {
                break;
            }
        }
    }
    kept
}

/// The rooms named in `crate::room` paths, also inside `use crate::{…}`.
fn uses(code: &str) -> BTreeSet<String> {
    spelled_out(code)
        .split("crate::")
        .skip(1)
        .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
        .filter(|name: &String| !name.is_empty())
        .collect()
}

/// Adds `prefix::member` for each member of a group `prefix::{member, …}` of `crate` or `std`.
fn spelled_out(code: &str) -> String {
    let mut out = code.to_owned();
    for prefix in ["crate", "std", "std::time"] {
        for group in code.split(&format!("{prefix}::{{")).skip(1) {
            let mut depth = 1;
            let mut members = String::new();
            for c in group.chars() {
                depth += i32::from(c == '{') - i32::from(c == '}');
                if depth == 0 {
                    break;
                }
                if depth == 1 {
                    members.push(c);
                }
            }
            for member in members.split(',') {
                out.push_str(&format!("\n{prefix}::{}", member.trim()));
            }
        }
    }
    out
}

/// Whether `word` stands in `code` and is not the tail of a longer name.
fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        let in_name = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !in_name(before) && (word.ends_with('!') || !in_name(after))
    })
}
