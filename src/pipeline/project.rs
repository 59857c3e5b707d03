//! A spec on its way to a network: read, planned, lowered.

use crate::diagnostic::{Diagnostics, FileId};
use crate::lower::{self, Lowered, Templates};
use crate::plan::{self, Plan};
use crate::spec::{self, Files, Spec};

/// A spec with the name it goes by.
#[derive(Clone, Debug)]
pub struct Project {
    pub name: String,
    pub spec: Spec,
}

/// Reads a spec; the name given serves where it has none. Beside it come its warnings.
pub fn read(
    text: &str,
    file: FileId,
    name: &str,
    files: &mut dyn Files,
) -> Result<(Project, Diagnostics), Diagnostics> {
    let (spec, warnings) = spec::read_with(text, file, files)?;
    let name = spec.name.as_ref().map_or(name, |name| &name.value).to_owned();
    Ok((Project { name, spec }, warnings))
}

/// A spec with orders as a network, with the plan it was made from.
pub fn compile(project: &Project, templates: &Templates) -> Result<(Plan, Lowered), Diagnostics> {
    let plan = plan::plan(&project.spec)?;
    let lowered = lower::lower(&plan, templates);
    Ok((plan, lowered))
}
