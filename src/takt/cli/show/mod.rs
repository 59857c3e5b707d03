//! `takt show`: what a spec means before it is solved.

mod layout;
mod load;
mod plant;

use super::Exit;
use super::args::Show;
use super::console::{self, Console};
use super::error::Error;
use super::spec::{self, Loaded};
use crate::pipeline::{self, Kind};
use serde_json::{Value, json};

pub fn run(args: &Show, console: &Console) -> Result<Exit, Error> {
    let loaded = spec::read(&args.spec, console)?;
    let (name, spec) = (loaded.problem.name.as_str(), &loaded.problem.spec);
    let wrong = |wrong| Error::input(loaded.sources.clone(), wrong);
    match &loaded.problem.kind {
        Kind::Plant => {
            let mut plan = takt_plant::plan(spec).map_err(wrong)?;
            pipeline::check_size(&plan).map_err(wrong)?;
            takt_plant::widen(spec, &mut plan);
            let view = plant::View { name, spec, plan: &plan };
            tell(&loaded, console, || view.text(), || view.json());
        }
        Kind::Layout(scanner) => tell(
            &loaded,
            console,
            || layout::text(name, spec, scanner),
            || layout::json(name, spec, scanner),
        ),
    }
    Ok(Exit::Positive)
}

fn tell(loaded: &Loaded, console: &Console, text: impl Fn() -> String, json: impl Fn() -> Value) {
    if !console.json {
        return console::print(&text());
    }
    let mut json = json();
    let warnings = loaded.warnings.iter();
    json["warnings"] = warnings.map(|w| json!({"code": w.code, "message": w.message})).collect();
    console::print(&format!("{json}\n"));
}
