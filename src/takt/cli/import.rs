//! `takt import`: a file of a benchmark library becomes a spec.

use super::args::{Import, ImportFormat};
use super::console::Console;
use super::error::Error;
use super::inputs::Inputs;
use super::{Exit, call, input, spec};
use crate::import::{self, Format};
use takt_diagnostic::Sources;

pub fn run(args: &Import, console: &Console) -> Result<Exit, Error> {
    let format = format(args)?;
    let file = input::read(&args.file)?;
    let out = args.out.as_deref().filter(|path| !input::is_standard(path));
    let mut inputs = Inputs::default();
    inputs.add(&file);
    out.map_or(Ok(()), |path| inputs.spare(path))?;
    let mut sources = Sources::default();
    let id = sources.add(file.name, file.text.as_str());
    let text = import::import(&file.text, id, &spec::stem(&args.file), format)
        .map_err(|wrong| Error::input(sources, wrong))?;
    console.give(&text, out)?;
    Ok(Exit::Positive)
}

/// The format with what belongs to it, and nothing that belongs to another.
fn format(args: &Import) -> Result<Format, Error> {
    let usage = |word: &str, message: &str| call::error(word, "usage", message, None);
    if args.runways.is_some() && args.from != ImportFormat::Airland {
        return Err(usage("--runways", "`--runways` belongs to `--from airland`"));
    }
    if args.processors.is_some() && args.from != ImportFormat::Stg {
        return Err(usage("--processors", "`--processors` belongs to `--from stg`"));
    }
    match args.from {
        ImportFormat::Jsplib => Ok(Format::Jsplib),
        ImportFormat::Psplib => Ok(Format::Psplib),
        ImportFormat::Airland => Ok(Format::Airland { runways: args.runways.unwrap_or(1) }),
        ImportFormat::Stg => {
            let missing =
                || usage("--from", "`--from stg` needs `--processors N`: the file does not say it");
            Ok(Format::Stg { processors: args.processors.ok_or_else(missing)? })
        }
    }
}
