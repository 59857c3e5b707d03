//! From the files of benchmark libraries, and tables of any kind, to specs: text in, YAML text out.
//!
//! [`import`] knows nothing of the spec reader; that what it writes is understood is the matter of
//! its tests. One file per format. Whatever a file claims about its own size, memory grows only
//! with what is really there, and everything that cannot be said in a spec is refused by its place.

mod airland;
pub mod csv;
mod jsplib;
mod psplib;
mod stg;
mod words;
mod write;

use takt_diagnostic::{Diagnostic, Diagnostics, FileId};

/// What the file is, with what it does not say itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Job shops: machine and duration pairs.
    Jsplib,
    /// Projects with renewable resources, `.sm`.
    Psplib,
    /// Aircraft landing of the OR-Library.
    Airland {
        /// How many planes may land side by side.
        runways: usize,
    },
    /// Kasahara's standard task graphs.
    Stg {
        /// How many tasks may run side by side.
        processors: usize,
    },
}

/// Steps of one file.
const MAX_STEPS: usize = 20_000;
/// Pairs of a task and a task before it, and of planes.
const MAX_PAIRS: usize = 1_000_000;
/// Runways and processors.
pub const MAX_UNITS: usize = 1_000;
/// Times; sums of them still fit a model's clocks or are refused by the planner.
const MAX_TIME: i64 = 10_000_000;

/// A spec that means what the file says; `name` is what the spec shall be called.
pub fn import(text: &str, file: FileId, name: &str, format: Format) -> Result<String, Diagnostics> {
    let made = match format {
        Format::Jsplib => jsplib::spec(text, file, name),
        Format::Psplib => psplib::spec(text, file, name),
        Format::Airland { runways } => airland::spec(text, file, name, runways),
        Format::Stg { processors } => stg::spec(text, file, name, processors),
    };
    made.map_err(|found| Diagnostics::from(*found))
}

type Made<T> = Result<T, Box<Diagnostic>>;

#[cfg(test)]
mod tests;
