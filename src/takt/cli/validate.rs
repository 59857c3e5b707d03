//! `takt validate`: judges a schedule against a spec, whoever made it.

use super::args::Validate;
use super::console::{self, Console, paint};
use super::error::Error;
use super::{Exit, input, spec};
use crate::pipeline;
use serde_json::{Value, json};
use takt_spec::schedule;
use takt_validate::{self as validate, Report};

pub fn run(args: &Validate, console: &Console) -> Result<Exit, Error> {
    if input::is_standard(&args.spec) && input::is_standard(&args.schedule) {
        let message = "the spec and the schedule cannot both come from standard input";
        return Err(Error::about("<stdin>", "usage", message));
    }
    let mut loaded = spec::read(&args.spec, console)?;
    let file = input::read(&args.schedule)?;
    let id = loaded.sources.add(file.name, file.text.as_str());
    let schedule = schedule::read_csv(&file.text, id, &loaded.problem.spec.time)
        .map_err(|wrong| Error::input(loaded.sources.clone(), wrong))?;
    let report = validate::validate(&loaded.problem.spec, &schedule);
    if console.json {
        console::print(&format!("{}\n", report_json(&report)));
    } else {
        console.say(&report_text(&report, loaded.problem.measure(), console.color_out));
    }
    Ok(if report.valid { Exit::Positive } else { Exit::Negative })
}

fn report_json(report: &Report) -> Value {
    let errors = report.errors.iter().map(|error| {
        json!({
            "order": error.order, "step": error.step,
            "rule": error.rule, "message": error.message,
        })
    });
    let value = report.value.as_ref().map(pipeline::exact);
    json!({"valid": report.valid, "value": value, "errors": errors.collect::<Value>()})
}

fn report_text(report: &Report, measured: &str, color: bool) -> String {
    let value = report.value.as_ref();
    let value = value.map(|value| format!(", {measured} {}", validate::exact(value)));
    let value = value.unwrap_or_default();
    if report.valid {
        return format!("{}{value}\n", paint("valid", "32", color));
    }
    let number = report.errors.len();
    let noun = if number == 1 { "violation" } else { "violations" };
    let mut out = format!("{}: {number} {noun}{value}\n", paint("invalid", "31", color));
    for error in &report.errors {
        let step = if error.step.is_empty() { String::new() } else { format!(" {}", error.step) };
        out.push_str(&format!("  {}{step}: {} [{}]\n", error.order, error.message, error.rule));
    }
    out
}
