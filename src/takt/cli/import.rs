//! `takt import`: a file of a benchmark library, or a table, becomes a spec.

use super::args::{Import, ImportFormat};
use super::console::Console;
use super::error::Error;
use super::input::Text;
use super::inputs::Inputs;
use super::{Exit, call, input, spec};
use crate::import::csv::{self, Origin};
use crate::import::{self, Format};
use takt_diagnostic::Sources;
use takt_spec::Encoding;

pub fn run(args: &Import, console: &Console) -> Result<Exit, Error> {
    let format = format(args)?;
    let (file, is_latin1) = match format {
        Some(_) => (input::read(&args.file)?, false),
        None => read_table(args)?,
    };
    let out = args.out.as_deref().filter(|path| !input::is_standard(path));
    let mut inputs = Inputs::default();
    inputs.add(&file);
    out.map_or(Ok(()), |path| inputs.spare(path))?;
    let mut sources = Sources::default();
    let id = sources.add(file.name, file.text.as_str());
    let name = spec::stem(&args.file);
    let made = match format {
        Some(format) => import::import(&file.text, id, &name, format),
        None => {
            let path = args.file.file_name().map(|name| name.to_string_lossy());
            let path = path.filter(|_| !input::is_standard(&args.file));
            let path = path.as_deref().unwrap_or("table.csv");
            csv::import(&file.text, id, &name, Origin { path, is_latin1 })
        }
    };
    let text = made.map_err(|wrong| Error::input(sources, wrong))?;
    console.give(&text, out)?;
    Ok(Exit::Positive)
}

/// A table, and whether its letters are those of Western Europe: it says nothing of itself.
fn read_table(args: &Import) -> Result<(Text, bool), Error> {
    match input::read(&args.file) {
        Err(error) if error.code() == Some("not-utf8") && !input::is_standard(&args.file) => {
            Ok((input::read_in(&args.file, Encoding::Latin1)?, true))
        }
        read => Ok((read?, false)),
    }
}

/// The format with what belongs to it, and nothing that belongs to another; none for tables.
fn format(args: &Import) -> Result<Option<Format>, Error> {
    let usage = |word: &str, message: &str| call::error(word, "usage", message, None);
    if args.runways.is_some() && args.from != ImportFormat::Airland {
        return Err(usage("--runways", "`--runways` belongs to `--from airland`"));
    }
    if args.processors.is_some() && args.from != ImportFormat::Stg {
        return Err(usage("--processors", "`--processors` belongs to `--from stg`"));
    }
    Ok(Some(match args.from {
        ImportFormat::Csv => return Ok(None),
        ImportFormat::Jsplib => Format::Jsplib,
        ImportFormat::Psplib => Format::Psplib,
        ImportFormat::Airland => Format::Airland { runways: args.runways.unwrap_or(1) },
        ImportFormat::Stg => {
            let missing =
                || usage("--from", "`--from stg` needs `--processors N`: the file does not say it");
            Format::Stg { processors: args.processors.ok_or_else(missing)? }
        }
    }))
}
