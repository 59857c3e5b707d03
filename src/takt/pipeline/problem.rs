//! What is to be solved, read from a spec. Plant or layout is decided here.

use takt_diagnostic::{Diagnostics, FileId};
use takt_scanner::{Scanner, describe};
use takt_spec::{self as spec, Files, Spec};

/// A spec with the name it goes by.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What results and messages call it.
    pub name: String,
    /// As it was read.
    pub spec: Spec,
    /// What it is about.
    pub kind: Kind,
}

/// What a spec is about.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Orders that follow recipes.
    Plant,
    /// A wafer scanner.
    Layout(Box<Scanner>),
}

impl Problem {
    /// The problem of a spec that was read already.
    pub fn new(name: impl Into<String>, spec: Spec) -> Problem {
        let scanner = describe(&spec);
        let kind = scanner.map_or(Kind::Plant, |scanner| Kind::Layout(Box::new(scanner)));
        Problem { name: name.into(), spec, kind }
    }

    /// Reads a spec; the name given serves where it has none. Beside it come its warnings.
    pub fn read(
        text: &str,
        file: FileId,
        name: &str,
        files: &mut dyn Files,
    ) -> Result<(Problem, Diagnostics), Diagnostics> {
        let (spec, warnings) = spec::read_with(text, file, files)?;
        Ok((Problem::named(name, spec), warnings))
    }

    /// Reads a spec that names no other files; its warnings are dropped.
    pub fn parse(name: &str, text: &str) -> Result<Problem, Diagnostics> {
        let (spec, _) = spec::read(text, FileId(0))?;
        Ok(Problem::named(name, spec))
    }

    fn named(name: &str, spec: Spec) -> Problem {
        let name = spec.name.as_ref().map_or(name, |name| &name.value).to_owned();
        Problem::new(name, spec)
    }

    /// The machine of a layout.
    pub fn scanner(&self) -> Option<&Scanner> {
        match &self.kind {
            Kind::Plant => None,
            Kind::Layout(scanner) => Some(scanner),
        }
    }

    /// What a value is called: of throughput, the time from one wafer to the next is measured.
    pub fn measure(&self) -> &'static str {
        match self.kind {
            Kind::Plant => self.spec.objective.name(),
            Kind::Layout(_) => "interval",
        }
    }
}
