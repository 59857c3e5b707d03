//! `takt compile`: shows the network of automata behind a spec.

use super::args::{Compile, FormatName};
use super::console::{self, Console};
use super::error::Trouble;
use super::plant::{self, Plant};
use super::{Exit, input, output};
use crate::lower::{self, Templates};
use crate::network::Network;
use crate::pipeline::{layout, project};
use crate::{scanner, xta};
use serde_json::json;

pub fn run(args: &Compile, console: &Console) -> Result<Exit, Trouble> {
    let mut plant = plant::read(&args.spec, console)?;
    let templates = plant::templates(args.templates.as_deref(), &mut plant)?;
    let network = network(args, &plant, &templates)?;
    let text = match args.format {
        FormatName::Xta => xta::print(&network),
        FormatName::UppaalXml => xta::print_xml(&network),
        FormatName::Dot => xta::print_dot(&network),
    };
    let file = args.out.as_deref().filter(|path| !input::is_standard(path));
    if let Some(path) = file {
        output::write_file(path, &text)?;
    }
    if console.json {
        console::print(&format!("{}\n", json!({"takt": 1, "text": text})));
    } else if file.is_none() {
        console::print(&text);
    }
    Ok(Exit::Positive)
}

fn network(args: &Compile, plant: &Plant, templates: &Templates) -> Result<Network, Trouble> {
    let scanner = scanner::describe(&plant.project.spec);
    if args.untimed && !args.pace.heuristics.is_empty() {
        let message = "the network without time has no heuristics: leave out `--untimed`";
        return Err(Trouble::about(&args.spec.display().to_string(), "usage", message));
    }
    match scanner {
        Some(scanner) if args.untimed => Ok(lower::lower_positions(&scanner, templates)),
        Some(scanner) => {
            let wishes = plant::wishes(&args.pace, &args.spec, &plant.project)?;
            let pace = layout::pace(&scanner, &wishes);
            let Some(rules) = layout::rules(&scanner, &wishes.heuristics) else {
                let message = "the policy of this machine is too large to be compiled; \
                    leave out the heuristics `policy` and `greedy`";
                let name = args.spec.display().to_string();
                return Err(Trouble::about(&name, "too-large", message));
            };
            Ok(lower::lower_scanner_with(&scanner, pace, &rules, templates).network)
        }
        None => {
            plant::refuse_pace(&args.spec, args.untimed || args.pace.is_given())?;
            let (_, lowered) = project::compile(&plant.project, templates)
                .map_err(|wrong| Trouble::input(plant.sources.clone(), wrong))?;
            Ok(lowered.network)
        }
    }
}
