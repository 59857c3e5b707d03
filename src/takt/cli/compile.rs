//! `takt compile`: shows the network of automata behind a spec.

use super::args::{Compile, FormatName};
use super::console::Console;
use super::error::Error;
use super::spec::{self, Loaded};
use super::{Exit, input};
use crate::pipeline::{self, Kind, layout};
use takt_automata::compose::Templates;
use takt_automata::model;
use takt_automata::network::{Network, Query};
use takt_automata::xta;
use takt_diagnostic::{Diagnostic, Diagnostics, Severity, Sources};

pub fn run(args: &Compile, console: &Console) -> Result<Exit, Error> {
    let mut loaded = spec::read(&args.spec, console)?;
    let templates = spec::templates(args.templates.as_deref(), &mut loaded)?;
    let file = args.out.as_deref().filter(|path| !input::is_standard(path));
    file.map_or(Ok(()), |path| loaded.inputs.spare(path))?;
    let (mut network, question) = network(args, &mut loaded, &templates)?;
    if templates.is_replaced() {
        let checked = model::build(&network);
        checked.map_err(|wrong| Error::input(loaded.sources.clone(), wrong))?;
    }
    network.queries = question.into_iter().collect();
    let text = match format(args) {
        FormatName::Xta => xta::print(&network),
        FormatName::UppaalXml => {
            let text = xta::print_xml(&network);
            console.warn(&loaded.sources, &too_wide(&text));
            text
        }
        FormatName::Dot => xta::print_dot(&network),
    };
    console.give(&text, file)?;
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

/// The network of a spec, and what the spec asks of it.
fn network(
    args: &Compile,
    loaded: &mut Loaded,
    templates: &Templates,
) -> Result<(Network, Option<Query>), Error> {
    let name = args.spec.display().to_string();
    if args.untimed && !args.pace.heuristics.is_empty() {
        let message = "the network without time has no heuristics: leave out `--untimed`";
        return Err(Error::about(&name, "usage", message));
    }
    let wrong = |sources: &Sources, wrong| Error::input(sources.clone(), wrong);
    match &loaded.problem.kind {
        Kind::Layout(scanner) if args.untimed => {
            Ok((takt_scanner::lower::lower_positions(scanner, templates), None))
        }
        Kind::Layout(scanner) => {
            let asked = spec::pace(&args.pace, &args.spec, &loaded.problem)?;
            let pace = layout::pace(scanner, &asked);
            let Some(rules) = layout::rules(scanner, &asked.heuristics) else {
                let message = "the policy of this machine is too large to be compiled; \
                    leave out the heuristics `policy` and `greedy`";
                return Err(Error::about(&name, "too-large", message));
            };
            let lowered = takt_scanner::lower::lower_scanner_with(scanner, pace, &rules, templates);
            let id = loaded.sources.add("question", layout::QUESTION);
            let question = xta::parse_query(layout::QUESTION, id);
            let question = question.map_err(|found| wrong(&loaded.sources, found))?;
            Ok((lowered.network, Some(question)))
        }
        Kind::Plant => {
            spec::refuse_pace(&name, args.untimed || args.pace.is_given())?;
            let made = pipeline::network(&loaded.problem, templates);
            let (network, question) = made.map_err(|found| wrong(&loaded.sources, found))?;
            Ok((network, Some(question)))
        }
    }
}
