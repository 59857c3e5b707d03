//! Projects as in PSPLIB's `.sm` files: activities with one mode each, their successors, and
//! renewable resources.
//!
//! The file is a form with headings; each section is read by its heading and ends at a line of stars.

use super::words::Words;
use super::write::{ProjectStep, head, project};
use super::{MAX_PAIRS, MAX_STEPS, MAX_TIME, Made};
use std::fmt::Write;
use takt_diagnostic::{Diagnostic, FileId, Span};

const MAX_RESOURCES: usize = 100;
/// As many units as a spec may have.
const MAX_CAPACITY: i64 = 100_000;

struct Form<'t> {
    text: &'t str,
    file: FileId,
}

#[derive(Default)]
struct Activity {
    before: Vec<usize>,
    has_after: bool,
    duration: i64,
    /// Amounts of each resource, with their places.
    needs: Vec<(i64, Span)>,
}

pub(super) fn spec(text: &str, file: FileId, name: &str) -> Made<String> {
    let form = Form { text, file };
    let (jobs, _) = form.number("jobs", 1..=MAX_STEPS)?;
    let (resources, _) = form.number("- renewable", 0..=MAX_RESOURCES)?;
    for kind in ["- nonrenewable", "- doubly constrained"] {
        form.number(kind, 0..=0).map_err(|found| {
            let hint = "only renewable resources can be imported";
            Box::new(found.hint(hint))
        })?;
    }
    let mut activities: Vec<Activity> = (0..jobs).map(|_| Activity::default()).collect();
    read_links(&form, &mut activities)?;
    read_needs(&form, &mut activities, resources)?;
    let capacities = read_capacities(&form, &activities, resources)?;
    let tasks = tasks(&activities);
    if tasks.is_empty() {
        let found = Diagnostic::without_place("nothing-to-do", "no activity takes any time");
        return Err(Box::new(found));
    }
    let title = format!("A project: {} activities on {resources} resources.", tasks.len());
    let comment = [title.as_str(), "Imported from a PSPLIB file; dummy activities are left out."];
    let mut out = head(&comment, name);
    out.push_str("resources:\n");
    for (number, capacity) in capacities.iter().enumerate().filter(|(_, capacity)| **capacity > 0) {
        let _ = writeln!(out, "  R{}: {{capacity: {capacity}}}", number + 1);
    }
    if capacities.iter().all(|&capacity| capacity == 0) {
        out = out.replace("resources:\n", "resources: {}\n");
    }
    out.push('\n');
    project(&mut out, "project", &tasks);
    Ok(out)
}

fn tasks(activities: &[Activity]) -> Vec<ProjectStep> {
    // Source and sink say nothing that the graph does not say without them.
    let is_dummy = |a: &Activity| a.duration == 0 && (a.before.is_empty() || !a.has_after);
    let kept = |&at: &usize| !is_dummy(&activities[at]);
    let name = |at: usize| format!("a{}", at + 1);
    let task = |at: usize| {
        let activity = &activities[at];
        let needs = activity.needs.iter().enumerate();
        ProjectStep {
            name: name(at),
            duration: activity.duration,
            // What takes no time takes nothing else either.
            needs: needs
                .filter(|(_, (amount, _))| *amount > 0 && activity.duration > 0)
                .map(|(number, (amount, _))| (format!("R{}", number + 1), *amount))
                .collect(),
            after: activity.before.iter().copied().filter(kept).map(name).collect(),
        }
    };
    (0..activities.len()).filter(kept).map(task).collect()
}

fn read_links(form: &Form, activities: &mut [Activity]) -> Made<()> {
    let mut words = form.section("PRECEDENCE RELATIONS:", 1)?;
    let jobs = activities.len();
    let mut pairs = 0;
    for at in 0..jobs {
        words.count(&format!("the activity {}", at + 1), at + 1..=at + 1)?;
        words.count("the number of modes", 1..=1).map_err(|found| {
            Box::new(found.hint("only activities with a single mode can be imported"))
        })?;
        let (many, span) = words.count("the number of successors", 0..=jobs)?;
        pairs += many;
        if pairs > MAX_PAIRS {
            let found = Diagnostic::error("too-large", span, "these are too many successors");
            return Err(Box::new(found.label(format!("at most {MAX_PAIRS} in all"))));
        }
        for _ in 0..many {
            // Numbers grow along precedence in these files, so that there are no cycles.
            let (after, span) = words.count("a later activity", at + 2..=jobs.max(at + 2))?;
            if after > jobs || activities[after - 1].before.last() == Some(&at) {
                let message = format!("activity {after} does not exist, or is named twice");
                return Err(Box::new(Diagnostic::error("out-of-range", span, message)));
            }
            activities[after - 1].before.push(at);
            activities[at].has_after = true;
        }
    }
    words.end()
}

fn read_needs(form: &Form, activities: &mut [Activity], resources: usize) -> Made<()> {
    let mut words = form.section("REQUESTS/DURATIONS:", 2)?;
    for (at, activity) in activities.iter_mut().enumerate() {
        words.count(&format!("the activity {}", at + 1), at + 1..=at + 1)?;
        words.count("the mode", 1..=1)?;
        activity.duration = words.whole("a duration", 0..=MAX_TIME)?.value;
        for _ in 0..resources {
            let amount = words.whole("an amount", 0..=MAX_CAPACITY)?;
            activity.needs.push((amount.value, amount.span));
        }
    }
    words.end()
}

fn read_capacities(form: &Form, activities: &[Activity], resources: usize) -> Made<Vec<i64>> {
    let mut words = form.section("RESOURCEAVAILABILITIES:", 1)?;
    let mut found = Vec::new();
    for number in 0..resources {
        let capacity = words.whole("a capacity", 0..=MAX_CAPACITY)?;
        let needed = activities.iter().filter(|activity| activity.duration > 0);
        let most = needed.map(|activity| activity.needs[number]).max_by_key(|need| need.0);
        if let Some((amount, span)) = most.filter(|need| need.0 > capacity.value) {
            let message = format!("{amount} is more than there is of resource R{}", number + 1);
            let wrong = Diagnostic::error("above-capacity", span, message);
            let label = format!("its capacity is {}", capacity.value);
            return Err(Box::new(wrong.related(capacity.span, label)));
        }
        found.push(capacity.value);
    }
    words.end()?;
    Ok(found)
}

impl<'t> Form<'t> {
    /// Lines with the places where they begin.
    fn lines(&self) -> impl Iterator<Item = (usize, &'t str)> {
        self.text.split_inclusive('\n').scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some((start, line))
        })
    }

    fn missing(&self, heading: &str) -> Box<Diagnostic> {
        let end = Span::new(self.file, self.text.len(), self.text.len());
        let found = Diagnostic::error("file-ends", end, format!("there is no line `{heading}`"));
        Box::new(found.hint("is this a PSPLIB file (.sm)?"))
    }

    /// The number after the colon of the line that begins so.
    fn number(&self, heading: &str, range: std::ops::RangeInclusive<usize>) -> Made<(usize, Span)> {
        let line = self.lines().find(|(_, line)| line.trim_start().starts_with(heading));
        let (start, line) = line.ok_or_else(|| self.missing(heading))?;
        let colon = line.find(':').ok_or_else(|| self.missing(heading))?;
        let mut words = Words::part(self.text, self.file, start + colon + 1, start + line.len());
        words.count(&format!("the number of `{heading}`"), range)
    }

    /// What stands below a heading, without so many further lines, up to a line of stars.
    fn section(&self, heading: &str, skipped: usize) -> Made<Words<'t>> {
        let mut lines =
            self.lines().skip_while(|(_, line)| !line.trim_start().starts_with(heading));
        lines.next().ok_or_else(|| self.missing(heading))?;
        let mut lines = lines.skip(skipped).take_while(|(_, line)| !line.starts_with('*'));
        let (from, first) = lines.next().ok_or_else(|| self.missing(heading))?;
        let to = lines.last().map_or(from + first.len(), |(start, line)| start + line.len());
        Ok(Words::part(self.text, self.file, from, to))
    }
}
