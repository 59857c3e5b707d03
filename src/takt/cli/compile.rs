//! `takt compile`: shows the network of automata behind a spec.

use super::args::{Compile, FormatName};
use super::console::{self, Console};
use super::error::Error;
use super::plant::{self, Plant};
use super::{Exit, input, output};
use crate::pipeline::{layout, project};
use serde_json::json;
use takt_automata::compose::Templates;
use takt_automata::model;
use takt_automata::network::{Network, Query};
use takt_automata::xta;
use takt_diagnostic::{Diagnostic, Diagnostics, Severity};
use takt_scanner::layout as scanner;
use takt_spec::Objective;

pub fn run(args: &Compile, console: &Console) -> Result<Exit, Error> {
    let mut plant = plant::read(&args.spec, console)?;
    let templates = plant::templates(args.templates.as_deref(), &mut plant)?;
    let file = args.out.as_deref().filter(|path| !input::is_standard(path));
    file.map_or(Ok(()), |path| plant.inputs.spare(path))?;
    let mut network = network(args, &plant, &templates)?;
    if templates.is_replaced() {
        let checked = model::build(&network);
        checked.map_err(|wrong| Error::input(plant.sources.clone(), wrong))?;
    }
    network.queries = question(args, &mut plant)?;
    let text = match format(args) {
        FormatName::Xta => xta::print(&network),
        FormatName::UppaalXml => {
            let text = xta::print_xml(&network);
            console.warn(&plant.sources, &too_wide(&text));
            text
        }
        FormatName::Dot => xta::print_dot(&network),
    };
    if let Some(path) = file {
        output::write_file(path, &text)?;
    }
    if console.json {
        let json = format!("{}\n", json!({"takt": 1, "text": text}));
        console.print_beside(&json, file.is_some());
    } else if file.is_none() {
        console::print(&text);
    }
    Ok(Exit::Positive)
}

fn format(args: &Compile) -> FormatName {
    let extension = args.out.as_deref().and_then(|path| path.extension()?.to_str());
    args.format.unwrap_or(match extension {
        Some("xml") => FormatName::UppaalXml,
        Some("dot" | "gv") => FormatName::Dot,
        _ => FormatName::Xta,
    })
}

/// What the spec asks of the network.
fn question(args: &Compile, plant: &mut Plant) -> Result<Vec<Query>, Error> {
    let text = match plant.project.spec.objective {
        Objective::Feasible => "E<> done",
        Objective::Makespan => "inf{done}: now",
        Objective::Cost => "inf{done}: cost",
        Objective::Throughput if args.untimed => return Ok(Vec::new()),
        Objective::Throughput => {
            "E[] (observer.L0 imply observer.x <= H) && (observer.L1 imply observer.x <= S)"
        }
    };
    let id = plant.sources.add("question", text);
    let query = xta::parse_query(text, id);
    Ok(vec![query.map_err(|wrong| Error::input(plant.sources.clone(), wrong))?])
}

/// Numbers are 64 bits wide here and 32 in UPPAAL.
fn too_wide(text: &str) -> Diagnostics {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = text.split(|c: char| !is_word(c));
    let numbers = words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let is_wide = |word: &&str| word.parse::<i64>().is_ok_and(|n| i32::try_from(n).is_err());
    let mut found = Diagnostics::default();
    if let Some(number) = numbers.filter(is_wide).max_by_key(|word| word.len()) {
        let message = format!("the number {number} needs more than the 32 bits that UPPAAL has");
        let hint = "a coarser `unit` of time, or costs with fewer decimals, make numbers smaller";
        let warning = Diagnostic::without_place("wide-number", message).hint(hint);
        found.push(Diagnostic { severity: Severity::Warning, ..warning });
    }
    found
}

fn network(args: &Compile, plant: &Plant, templates: &Templates) -> Result<Network, Error> {
    let scanner = scanner::describe(&plant.project.spec);
    if args.untimed && !args.pace.heuristics.is_empty() {
        let message = "the network without time has no heuristics: leave out `--untimed`";
        return Err(Error::about(&args.spec.display().to_string(), "usage", message));
    }
    match scanner {
        Some(scanner) if args.untimed => {
            Ok(takt_scanner::lower::lower_positions(&scanner, templates))
        }
        Some(scanner) => {
            let request = plant::request(&args.pace, &args.spec, &plant.project)?;
            let pace = layout::pace(&scanner, &request);
            let Some(rules) = layout::rules(&scanner, &request.heuristics) else {
                let message = "the policy of this machine is too large to be compiled; \
                    leave out the heuristics `policy` and `greedy`";
                let name = args.spec.display().to_string();
                return Err(Error::about(&name, "too-large", message));
            };
            Ok(takt_scanner::lower::lower_scanner_with(&scanner, pace, &rules, templates).network)
        }
        None => {
            plant::refuse_pace(&args.spec, args.untimed || args.pace.is_given())?;
            let (_, lowered) = project::compile(&plant.project, templates)
                .map_err(|wrong| Error::input(plant.sources.clone(), wrong))?;
            Ok(lowered.network)
        }
    }
}
