//! The YAML that all formats share: the head of a spec, names, and graphs of steps.

use std::fmt::Write;

/// A step of a project: something to do after others are done.
#[derive(Clone, Debug, Default)]
pub(super) struct ProjectStep {
    pub name: String,
    pub duration: i64,
    /// Names of resources with amounts.
    pub needs: Vec<(String, i64)>,
    pub after: Vec<String>,
}

/// The comment at the top, the version and the name.
pub(super) fn head(comment: &[&str], name: &str) -> String {
    let mut out = String::new();
    for line in comment {
        out.push_str(if line.is_empty() { "#" } else { "# " });
        out.push_str(line);
        out.push('\n');
    }
    let _ = writeln!(out, "\ntakt: 1\nname: {}\n", quoted(name));
    out
}

/// A name as text, whatever stands in it.
pub(super) fn quoted(name: &str) -> String {
    let mut out = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// One recipe whose steps are the tasks, one order of it, and the shortest time as the goal.
pub(super) fn project(out: &mut String, recipe: &str, tasks: &[ProjectStep]) {
    let _ = writeln!(out, "recipes:\n  {recipe}:\n    steps:");
    for task in tasks {
        let on = match task.needs.as_slice() {
            [] => String::new(),
            [(only, 1)] => format!(" on: {only},"),
            all => {
                let all: Vec<String> = all.iter().map(|(name, n)| format!("{name}: {n}")).collect();
                format!(" on: {{{}}},", all.join(", "))
            }
        };
        let (name, duration, after) = (&task.name, task.duration, task.after.join(", "));
        let _ =
            writeln!(out, "      - {{name: {name},{on} duration: {duration}, after: [{after}]}}");
    }
    let _ = writeln!(out, "\norders:\n  - {{id: {recipe}, recipe: {recipe}}}");
    out.push_str("\nobjective: makespan\n");
}
