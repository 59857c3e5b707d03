//! A spec on its way to a network: read, planned, lowered.

use super::solve;
use takt_automata::compose::Templates;
use takt_diagnostic::{Diagnostics, FileId};
use takt_plant::lower::{self, Lowered};
use takt_plant::plan::{self, Plan};
use takt_spec::{self as spec, Files, Spec};

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

/// From so many steps on the automata may be too large.
const MANY_STEPS: usize = 50_000;

/// Whether `solve` would refuse the plant for its size.
pub fn check_size(plan: &Plan) -> Result<(), Diagnostics> {
    let steps: usize = (0..plan.orders.len()).map(|order| plan.steps(order).len()).sum();
    match steps < MANY_STEPS {
        true => Ok(()),
        false => {
            let lowered = lower::lower(plan, &Templates::embedded(&lower::FILES));
            solve::build(plan.clone(), lowered).map(drop)
        }
    }
}

/// A spec with orders as a network, with the plan it was made from.
pub fn compile(project: &Project, templates: &Templates) -> Result<(Plan, Lowered), Diagnostics> {
    let plan = plan::plan(&project.spec)?;
    let lowered = lower::lower(&plan, templates);
    Ok((plan, lowered))
}
