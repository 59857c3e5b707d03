//! Standard task graphs: the number of tasks, then a line for each and for two dummies: number,
//! time, how many tasks come before it, and which.

use super::words::Words;
use super::write::{ProjectStep, head, project};
use super::{MAX_PAIRS, MAX_STEPS, MAX_TIME, Made};
use std::collections::BTreeSet;
use std::fmt::Write;
use takt_diagnostic::{Diagnostic, FileId};

struct Node {
    time: i64,
    before: BTreeSet<usize>,
    is_last: bool,
}

pub(super) fn spec(text: &str, file: FileId, name: &str, processors: usize) -> Made<String> {
    let nodes = read(text, file)?;
    // Dummies at either end say nothing that the graph does not say without them.
    let is_dummy = |node: &Node| node.time == 0 && (node.before.is_empty() || node.is_last);
    let kept = |&at: &usize| !is_dummy(&nodes[at]);
    let tasks: Vec<ProjectStep> = (0..nodes.len())
        .filter(kept)
        .map(|at| ProjectStep {
            name: format!("t{at}"),
            duration: nodes[at].time,
            // What takes no time takes no processor either.
            needs: if nodes[at].time == 0 { vec![] } else { vec![("processor".into(), 1)] },
            after: nodes[at].before.iter().copied().filter(kept).map(|b| format!("t{b}")).collect(),
        })
        .collect();
    if tasks.is_empty() {
        let span = Words::new(text, file).word("the number of tasks")?.span;
        let found = Diagnostic::error("nothing-to-do", span, "no task here takes any time");
        return Err(Box::new(found));
    }
    let graph = format!("A task graph: {} tasks on {processors} processors.", tasks.len());
    let comment = [graph.as_str(), "Imported from a file of the Standard Task Graph Set."];
    let mut out = head(&comment, name);
    let _ = writeln!(out, "resources: {{processor: {{capacity: {processors}}}}}\n");
    project(&mut out, "graph", &tasks);
    Ok(out)
}

fn read(text: &str, file: FileId) -> Made<Vec<Node>> {
    let mut words = Words::new(text, file);
    let (tasks, _) = words.count("the number of tasks", 1..=MAX_STEPS)?;
    let mut nodes: Vec<Node> = Vec::new();
    let mut pairs = 0;
    for number in 0..tasks + 2 {
        words.count(&format!("the task number {number}"), number..=number)?;
        let time = words.whole("a processing time", 0..=MAX_TIME)?.value;
        let (many, span) = words.count("the number of tasks before it", 0..=number)?;
        pairs += many;
        if pairs > MAX_PAIRS {
            let found = Diagnostic::error("too-large", span, "these are too many predecessors");
            return Err(Box::new(found.label(format!("at most {MAX_PAIRS} in all"))));
        }
        let mut before = BTreeSet::new();
        for _ in 0..many {
            // Tasks are numbered so that what comes before has a smaller number: no cycles.
            let (task, span) = words.count("a task before it", 0..=number - 1)?;
            if !before.insert(task) {
                let message = format!("task {task} is named twice");
                return Err(Box::new(Diagnostic::error("named-twice", span, message)));
            }
            nodes[task].is_last = false;
        }
        nodes.push(Node { time, before, is_last: true });
    }
    words.end()?;
    Ok(nodes)
}
