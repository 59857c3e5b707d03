//! Rows become operations: which components take part in each, and which wafers.
//!
//! Judges what rows say by themselves (components that exist, operations that they do, durations),
//! and that everyone is there whom an operation takes.

use super::super::Errors;
use super::components::{Component, Components, TRACK};
use std::collections::BTreeMap;
use takt_diagnostic::nearest;
use takt_spec::schedule::{Kind, OPERATIONS, Row, Schedule};

/// Something that the machine does, with the wafer's name that each component's row gives.
pub struct Operation<'a> {
    pub step: &'a str,
    pub components: Vec<(Component, &'a str)>,
    pub start: i64,
    pub end: i64,
}

impl<'a> Operation<'a> {
    pub fn component<T>(&self, find: impl Fn(Component) -> Option<T>) -> Option<T> {
        self.components.iter().find_map(|(component, _)| find(*component))
    }

    /// The first name that is given.
    pub fn wafer(&self) -> &'a str {
        let names = self.components.iter().map(|(_, wafer)| *wafer);
        names.into_iter().find(|wafer| !wafer.is_empty()).unwrap_or("")
    }
}

type Groups<'a> = BTreeMap<(&'a str, i64, String), Vec<(Component, &'a Row)>>;

pub fn operations<'a>(
    components: &Components,
    schedule: &'a Schedule,
    errors: &mut Errors,
) -> Vec<Operation<'a>> {
    let mut alone = Vec::new();
    // Rows that belong together: by step, start, and what else they must have in common.
    let mut groups: Groups = BTreeMap::new();
    for row in &schedule.rows {
        let Some(component) = read(components, row, errors) else { continue };
        let common = match (row.step.as_str(), component) {
            ("turn", Component::Arm(robot, _)) => robot.to_string(),
            ("swap", _) | ("load" | "unload", _) => String::new(),
            ("from-lock" | "to-lock" | "to-chuck" | "from-chuck", _) => row.order.clone(),
            _ => {
                alone.push(operation(&[(component, row)]));
                continue;
            }
        };
        groups.entry((&row.step, row.start, common)).or_default().push((component, row));
    }
    for rows in groups.values() {
        if is_complete(components, rows, errors) {
            alone.push(operation(rows));
        }
    }
    alone
}

fn operation<'a>(rows: &[(Component, &'a Row)]) -> Operation<'a> {
    let (_, first) = rows[0];
    Operation {
        step: &first.step,
        components: rows.iter().map(|(component, row)| (*component, row.order.as_str())).collect(),
        start: first.start,
        end: first.end,
    }
}

/// The component that a row takes, if it can be understood.
fn read(components: &Components, row: &Row, errors: &mut Errors) -> Option<Component> {
    let mut tell = |rule, message| errors.tell(&row.order, &row.step, rule, message);
    if row.kind != Kind::Op {
        let message = format!("is a row of kind `{}`; a layout has `op` rows", row.kind.name());
        tell("operation", message);
        return None;
    }
    if !OPERATIONS.contains(&row.step.as_str()) {
        let hint = nearest(&row.step, OPERATIONS);
        let hint = hint.map_or_else(String::new, |step| format!("; is `{step}` meant?"));
        tell("operation", format!("is no operation of a layout{hint}"));
        return None;
    }
    let component = match components.component(&row.resource, &row.unit) {
        Ok(component) => component,
        Err(message) => {
            tell("component", message);
            return None;
        }
    };
    let taken = match (row.step.as_str(), component) {
        // A lock or chuck is taken for as long as the arm, which is told by the arm's row.
        ("from-lock" | "to-lock", Component::Lock(_))
        | ("to-chuck" | "from-chuck", Component::Chuck(_)) => {
            Some(row.end.saturating_sub(row.start))
        }
        (step, component) => components.duration(step, component),
    };
    match taken {
        None => {
            let message = format!("takes `{}`, which never does that", components.name(component));
            tell("component", message);
            return None;
        }
        Some(taken) if row.end.checked_sub(row.start) != Some(taken) => {
            let (start, end) = (row.start, row.end);
            tell("duration", format!("takes {taken}, but lasts from {start} to {end}"));
        }
        Some(_) => {}
    }
    if let (Some(taken), Some(work)) = (taken, row.work.filter(|work| Some(*work) != taken)) {
        tell("work", format!("its work is {taken}, not {work}"));
    }
    if !row.recipe.is_empty() {
        tell("recipe", format!("is of the recipe `{}`, but a layout has none", row.recipe));
    }
    if row.start < 0 {
        tell("start", format!("starts at {}, before the beginning", row.start));
    }
    Some(component)
}

/// Whether everyone is there, once, for the same time; says so if not.
fn is_complete(components: &Components, rows: &[(Component, &Row)], errors: &mut Errors) -> bool {
    let (_, first) = rows[0];
    let step = first.step.as_str();
    let mut kinds: Vec<&str> = rows.iter().map(|(component, _)| kind(*component)).collect();
    kinds.sort_unstable();
    let wanted: Vec<&str> = match step {
        "load" | "unload" => vec!["lock", TRACK],
        "from-lock" | "to-lock" => vec!["arm", "lock"],
        "to-chuck" | "from-chuck" => vec!["arm", "chuck"],
        "swap" => vec!["chuck"; components.chucks.len()],
        _ => match rows[0].0 {
            Component::Arm(robot, _) => vec!["arm"; components.robots[robot].arms],
            _ => kinds.clone(),
        },
    };
    let mut distinct: Vec<Component> = rows.iter().map(|(component, _)| *component).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let start = first.start;
    if kinds != wanted || distinct.len() != rows.len() {
        let message =
            format!("at {start} takes {} instead of {}", together(&kinds), together(&wanted));
        errors.tell(&first.order, step, "together", message);
        return false;
    }
    if rows.iter().any(|(_, row)| row.end != first.end) {
        let message = format!("at {start} does not end at the same time for all that it takes");
        errors.tell(&first.order, step, "together", message);
    }
    true
}

fn kind(component: Component) -> &'static str {
    match component {
        Component::Track => TRACK,
        Component::Lock(_) => "lock",
        Component::Arm(..) => "arm",
        Component::Chuck(_) => "chuck",
    }
}

/// `one arm and one lock`, `2 chucks`
fn together(kinds: &[&str]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    kinds.iter().for_each(|kind| *counts.entry(kind).or_default() += 1);
    let told = counts.iter().map(|(kind, count)| match (*kind, count) {
        (TRACK, 1) => "the track".to_owned(),
        (kind, 1) => format!("one {kind}"),
        (kind, count) => format!("{count} {kind}s"),
    });
    told.collect::<Vec<_>>().join(" and ")
}
