//! Job shops as in JSPLIB: `n m`, then for each job its pairs of a machine and a duration.

use super::words::Words;
use super::write::head;
use super::{MAX_STEPS, MAX_TIME, Made};
use std::fmt::Write;
use takt_diagnostic::{Diagnostic, FileId};

pub(super) fn spec(text: &str, file: FileId, name: &str) -> Made<String> {
    let mut words = Words::new(text, file);
    let (jobs, _) = words.count("the number of jobs", 1..=MAX_STEPS)?;
    let (machines, span) = words.count("the number of machines", 1..=MAX_STEPS)?;
    if jobs.saturating_mul(machines) > MAX_STEPS {
        let message = format!("{jobs} jobs on {machines} machines are more than takt reads");
        let found = Diagnostic::error("too-large", span, message);
        return Err(Box::new(found.label(format!("at most {MAX_STEPS} steps"))));
    }
    let shop = format!("A job shop: {jobs} jobs on {machines} machines.");
    let mut out = head(&[shop.as_str(), "Imported from a JSPLIB file."], name);
    let all: Vec<String> = (0..machines).map(|machine| format!("m{machine}: {{}}")).collect();
    let _ = writeln!(out, "resources: {{{}}}\n", all.join(", "));
    out.push_str("# One recipe per job. The steps of a recipe follow each other.\nrecipes:\n");
    for job in 1..=jobs {
        let _ = writeln!(out, "  job{job}:\n    steps:");
        for step in 1..=machines {
            let (machine, _) = words.count("a machine", 0..=machines - 1)?;
            let duration = words.whole("a duration", 0..=MAX_TIME)?.value;
            // What takes no time takes no machine either.
            let on = if duration == 0 { String::new() } else { format!(" on: m{machine},") };
            let _ = writeln!(out, "      - {{name: s{step},{on} duration: {duration}}}");
        }
    }
    words.end()?;
    out.push_str("\norders:\n");
    for job in 1..=jobs {
        let _ = writeln!(out, "  - {{id: J{job}, recipe: job{job}}}");
    }
    out.push_str("\nobjective: makespan\n");
    Ok(out)
}
