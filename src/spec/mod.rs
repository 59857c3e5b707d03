//! What the user wrote about the plant, typed, every value with its place in the file.
//!
//! [`read`] takes YAML text and gives a [`Spec`] whose names all exist and whose values all lie
//! in range, or everything found wrong with it at once. Nothing outside this room knows the
//! YAML crate. Times are still as written; `plan` and, by itself, `validate` compute with them.

mod check;
mod decode;
mod fields;
mod yaml;

use crate::diagnostic::{Diagnostics, FileId, Span};

/// The largest duration or sum of durations: what the clocks of a model can hold.
pub const MAX_TIME: i64 = 1_000_000_000;

/// A value and where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct At<T> {
    pub value: T,
    pub span: Span,
}

/// A whole spec.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// `None`: the file's stem is to be used.
    pub name: Option<At<String>>,
    pub unit: Unit,
    pub resources: Vec<Resource>,
    pub recipes: Vec<Recipe>,
    pub orders: Vec<Order>,
    pub objective: Objective,
}

/// What one unit of model time stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    #[default]
    Tick,
    Second,
    Minute,
    Hour,
    Day,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    Feasible,
    #[default]
    Makespan,
}

/// Something that steps take; a single unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    pub name: At<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    pub name: At<String>,
    /// At least one; each follows the one before it.
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub name: At<String>,
    /// The resource it takes; without one it only takes time.
    pub on: Option<At<String>>,
    /// At least 1, or at least 0 without a resource.
    pub duration: At<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: At<String>,
    pub recipe: At<String>,
}

impl Spec {
    pub fn resource(&self, name: &str) -> Option<&Resource> {
        self.resources.iter().find(|r| r.name.value == name)
    }

    pub fn recipe(&self, name: &str) -> Option<&Recipe> {
        self.recipes.iter().find(|r| r.name.value == name)
    }
}

impl Unit {
    pub const NAMES: [(&'static str, Unit); 5] = [
        ("tick", Unit::Tick),
        ("second", Unit::Second),
        ("minute", Unit::Minute),
        ("hour", Unit::Hour),
        ("day", Unit::Day),
    ];

    pub fn name(self) -> &'static str {
        Unit::NAMES.iter().find(|(_, unit)| *unit == self).map_or("tick", |(name, _)| name)
    }
}

impl Objective {
    pub fn name(self) -> &'static str {
        match self {
            Objective::Feasible => "feasible",
            Objective::Makespan => "makespan",
        }
    }
}

/// Reads a spec. Beside it come the warnings; if there is an error, all of both.
pub fn read(text: &str, file: FileId) -> Result<(Spec, Diagnostics), Diagnostics> {
    let root = yaml::parse(text, file).map_err(|found| Diagnostics::from(*found))?;
    let mut found = Diagnostics::default();
    let spec = decode::spec(&root, &mut found);
    check::check(&spec, &mut found);
    let found = found.sorted();
    if found.has_errors() { Err(found) } else { Ok((spec, found)) }
}

#[cfg(test)]
mod tests;
