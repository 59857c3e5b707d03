//! `takt compile`: shows the network of automata behind a spec.

use super::args::{Compile, FormatName};
use super::console::{self, Console};
use super::error::Trouble;
use super::{Exit, input, output, plant};
use crate::pipeline::project;
use crate::xta;
use serde_json::json;

pub fn run(args: &Compile, console: &Console) -> Result<Exit, Trouble> {
    let mut plant = plant::read(&args.spec, console)?;
    let templates = plant::templates(args.templates.as_deref(), &mut plant)?;
    let (_, lowered) = project::compile(&plant.project, &templates)
        .map_err(|wrong| Trouble::input(plant.sources.clone(), wrong))?;
    let text = match args.format {
        FormatName::Xta => xta::print(&lowered.network),
        FormatName::UppaalXml => xta::print_xml(&lowered.network),
        FormatName::Dot => xta::print_dot(&lowered.network),
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
