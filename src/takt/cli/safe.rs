//! `takt safe`: the least restrictive deadlock avoidance policy of a layout.

use super::args::Safe;
use super::console::{self, Console};
use super::error::Error;
use super::guard::Guard;
use super::output::{self, Folder};
use super::spec::{self, Loaded};
use super::watchdog::Watchdog;
use super::{Exit, answer, input, interrupt};
use crate::pipeline::Kind;
use serde_json::{Map, Number, Value, json};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use takt_diagnostic::Diagnostic;
use takt_report::{self as render, Artifact};
use takt_scanner::Scanner;
use takt_scanner::safety::{
    self, CircularWait, Content, Count, Hold, METHOD, Pattern, Position, Safety, Verdict,
};

/// In the order they appear.
const FILES: [(&str, &str); 3] =
    [("svg", "policy.svg"), ("text", "policy.txt"), ("json", "policy.json")];
/// The most classes on the terminal, and in the file.
const MOST_SAID: usize = 40;
const MOST_WRITTEN: usize = 10_000;

pub fn run(args: &Safe, console: &Console, started: Instant) -> Result<Exit, Error> {
    let loaded = spec::read(&args.spec, console)?;
    let Kind::Layout(scanner) = &loaded.problem.kind else {
        return Err(not_a_layout(loaded, &args.spec));
    };
    let name = loaded.problem.name.as_str();
    let path = args.out.clone().unwrap_or_else(|| output::default_folder(name));
    interrupt::install();
    let folder = Folder::usable(&path, &FILES.map(|(_, file)| file), &loaded.inputs, 0)?;
    let watch = Arc::new(Watchdog::new(started, &args.limits, false).unpolled());
    let guard = Guard::start(&watch, &args.limits, {
        let (name, console) = (name.to_owned(), *console);
        move |stop, _| say_unknown(&name, answer::reason(stop), &console)
    });
    let analysed = safety::analyse(scanner);
    guard.dismiss();
    let Ok(safety) = analysed else {
        return Ok(say_unknown(name, &too_large(scanner), console));
    };
    if !safety.is_exact {
        return Err(Error::Bug("the policy does not match exactly the unsafe states".to_owned()));
    }
    let works = safety.verdict() == Verdict::Works;
    let files = works.then(|| folder.path());
    if works {
        let texts = [
            render::policy_svg(name, scanner, &safety),
            render::policy_text(name, &safety, MOST_WRITTEN),
            in_json(name, &safety, files, "\n"),
        ];
        let files = FILES.iter().zip(texts);
        let files: Vec<_> =
            files.map(|((key, file), text)| Artifact::new(key, file, text)).collect();
        folder.write(&files, &[])?;
    }
    let mut text = render::policy_text(name, &safety, MOST_SAID);
    if works {
        let _ = writeln!(
            text,
            "\nwritten to {}: {}",
            path.display(),
            FILES.map(|(_, file)| file).join(", ")
        );
    }
    let json = if console.json { in_json(name, &safety, files, "") } else { String::new() };
    console.answer(&text, &json, works);
    Ok(if works { Exit::Positive } else { Exit::Negative })
}

/// Points at what the spec has instead of a layout.
fn not_a_layout(loaded: Loaded, path: &Path) -> Error {
    let spec = &loaded.problem.spec;
    let message = "`takt safe` is about layouts, and this spec has none";
    let recipe = spec.recipes.first().map(|recipe| recipe.name.span);
    let place = recipe.or(spec.orders.first().map(|order| order.id.span));
    let Some(place) = place else {
        let name =
            if input::is_standard(path) { "<stdin>".into() } else { path.display().to_string() };
        return Error::about(&name, "no-layout", message);
    };
    let wrong = Diagnostic::error("no-layout", place, message)
        .label("recipes are made by plants")
        .hint("`takt new wafer-scanner` writes a layout to begin with");
    Error::input(loaded.sources, wrong.into())
}

fn too_large(scanner: &Scanner) -> String {
    let arms: usize = scanner.robots.iter().map(|robot| robot.arms).sum();
    let positions = scanner.locks.len() + arms + scanner.chucks.len();
    format!("the diagrams of {positions} positions grow too large")
}

fn say_unknown(name: &str, reason: &str, console: &Console) -> Exit {
    if console.json {
        let json = json!({
            "takt": 1, "spec": name, "status": "unknown", "method": METHOD, "reason": reason,
        });
        console::print(&format!("{json}\n"));
    } else {
        console.say(&format!("{name}: unknown: {reason}\n"));
    }
    Exit::Unknown
}

/// The whole answer as JSON; `between` stands between patterns. A policy can be long, so it is
/// written down directly.
fn in_json(name: &str, safety: &Safety, folder: Option<&Path>, between: &str) -> String {
    let mut head = json!({
        "takt": 1, "spec": name,
        "states": number(&safety.states), "reachable": number(&safety.reachable),
        "safe": number(&safety.safe), "unsafe": number(&safety.unsafe_),
        "deadlocked": number(&safety.deadlocked), "exact": safety.is_exact,
        "method": METHOD, "circular_wait_equals_jam": circular_wait(safety),
        "patterns": number(&safety.policy.number),
    });
    if let Some(classes) = &safety.policy.classes {
        let covered = classes.iter().enumerate().filter(|(_, class)| class.is_covered);
        head["covered"] = covered.map(|(number, _)| number).collect();
    }
    if safety.verdict() != Verdict::Works {
        head["reason"] = match safety.verdict() {
            Verdict::TakesNothing => "no wafer can ever be loaded".into(),
            _ => "every state with a wafer is unsafe".into(),
        };
    }
    if let Some(folder) = folder {
        let files = FILES
            .map(|(key, file)| (key.to_owned(), folder.join(file).display().to_string().into()));
        head["files"] = Value::Object(files.into_iter().collect());
    }
    let mut out = head.to_string();
    out.pop();
    match listed(safety, between) {
        Some(policy) => out.push_str(&format!(",{between}\"policy\":{policy}")),
        None => out.push_str(&format!(",{between}\"policy\":null,\"classes\":{}", classes(safety))),
    }
    out.push_str("}\n");
    out
}

/// All patterns by class; `None` if they are too many.
fn listed(safety: &Safety, between: &str) -> Option<String> {
    let names = quoted(&safety.positions);
    let mut out = String::from("[");
    for (number, class) in safety.policy.classes.as_ref()?.iter().enumerate() {
        out.push_str(if number > 0 { "," } else { "" });
        out.push_str(between);
        out.push('[');
        for (number, found) in class.patterns.as_ref()?.iter().enumerate() {
            if number > 0 {
                out.push(',');
                out.push_str(between);
            }
            write_pattern(&mut out, &names, found);
        }
        out.push(']');
    }
    out.push(']');
    Some(out)
}

/// One pattern of each class and how many it has.
fn classes(safety: &Safety) -> Value {
    let Some(classes) = &safety.policy.classes else { return Value::Null };
    let class = |class: &safety::Class| {
        let entries = class.first.entries();
        let entries =
            entries.map(|(at, hold)| (safety.positions[at].name.clone(), Value::from(word(hold))));
        let pattern: Map<String, Value> = entries.collect();
        json!({"pattern": pattern, "patterns": number(&class.number)})
    };
    classes.iter().map(class).collect()
}

fn quoted(positions: &[Position]) -> Vec<String> {
    positions.iter().map(|position| Value::from(position.name.as_str()).to_string()).collect()
}

fn write_pattern(out: &mut String, names: &[String], pattern: &Pattern) {
    out.push('{');
    for (number, (position, hold)) in pattern.entries().enumerate() {
        let comma = if number > 0 { "," } else { "" };
        let _ = write!(out, "{comma}{}:\"{}\"", names[position], word(hold));
    }
    out.push('}');
}

fn word(hold: Hold) -> &'static str {
    match hold {
        Hold::Raw => "raw",
        Hold::Exposed => "exposed",
        Hold::Any => "any",
        Hold::Free => unreachable!("a pattern has no such entry"),
    }
}

/// `true`, or a state in which one holds and the other does not.
fn circular_wait(safety: &Safety) -> Value {
    let (state, jammed) = match &safety.circular_wait {
        CircularWait::EqualsJam => return true.into(),
        CircularWait::JamWithout(state) => (state, true),
        CircularWait::WithoutJam(state) => (state, false),
    };
    let held = safety.positions.iter().zip(state).filter_map(|(position, content)| {
        let word = match content {
            Content::Empty => return None,
            Content::Raw => "raw",
            Content::Exposed => "exposed",
        };
        Some((position.name.clone(), Value::from(word)))
    });
    let state: Map<String, Value> = held.collect();
    json!({"state": state, "jammed": jammed, "circular_wait": !jammed})
}

/// Of any length, digit by digit.
fn number(count: &Count) -> Option<Number> {
    serde_json::from_str(&count.to_string()).ok()
}
