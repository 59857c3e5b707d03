//! What the user wrote about the plant, typed, every value with its place in the file.
//!
//! [`read`] takes YAML text and gives a [`Spec`] whose names all exist and whose values all lie
//! in range, or everything found wrong with it at once. Nothing outside this room knows the
//! YAML crate. Times are still as written; `plan` and, by itself, `validate` compute with them.

mod calendar;
mod cells;
mod check;
mod civil;
#[path = "../../grammar/spec/civil_tokens.rs"]
mod civil_tokens;
mod dates;
mod decode;
mod dialect;
mod encoding;
mod expression;
#[path = "../../grammar/spec/expression_tokens.rs"]
mod expression_tokens;
mod extend;
mod fact;
mod fields;
mod form;
mod heuristic;
mod language;
mod layout;
mod order;
mod phrase;
mod previous;
mod recipe;
mod resource;
mod scalar;
pub mod schedule;
mod schema;
mod table;
mod time;
mod yaml;

#[allow(clippy::all, unused_qualifications, reason = "generated")]
mod grammar {
    lalrpop_util::lalrpop_mod!(pub expression, "/expression.rs");
    lalrpop_util::lalrpop_mod!(pub civil, "/civil.rs");
}

pub use calendar::{Calendar, Civil, Edge, Pattern, Shift, Stretch, Weekly, Window, Windows};
pub use check::strange_rows;
pub use encoding::{Encoding, latin1};
pub use expression::{Exact, Expr, ExprKind, Fault, Operator, Rate, Scope, Suffix, Value};
pub use fact::{Fact, Fixed, Pin};
pub use heuristic::Heuristic;
pub use layout::{Chucks, Direction, Layout, LayoutHeuristic, Locks, Robot, Track};
pub use order::{Attribute, NamedAttribute, Order, OrderBefore, Shifted, orders_called};
pub use previous::Previous;
pub use recipe::{
    Alternative, Hold, Interruptible, LagFrom, Predecessor, Recipe, Requirement, Same, Step,
};
pub use resource::{Change, Effort, Initial, NamedUnit, Resource, Setup, SetupPart, Units};
pub use schema::schema;
pub use time::{Instant, Time, Unit};

use takt_diagnostic::{Diagnostics, FileId, Span};

/// The largest duration or sum of durations: what the clocks of a model can hold.
pub const MAX_TIME: i64 = 1_000_000_000;

/// A value and where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At<T> {
    pub value: T,
    pub span: Span,
}

impl<T> At<T> {
    pub fn new(value: T, span: Span) -> At<T> {
        At { value, span }
    }
}

/// A whole spec: a plant with recipes and orders, or a layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// `None`: the file's stem is to be used.
    pub name: Option<At<String>>,
    pub time: Time,
    pub calendars: Vec<Calendar>,
    pub resources: Vec<Resource>,
    pub recipes: Vec<Recipe>,
    /// In the spec's sequence, copies and the rows of files included.
    pub orders: Vec<Order>,
    pub layout: Option<Layout>,
    pub objective: Objective,
    /// Each kind at most once.
    pub heuristics: Vec<At<Heuristic>>,
    /// No step that is not fixed starts earlier; 0 if it is missing.
    pub now: Option<Instant>,
    pub fixed: Fixed,
    pub previous: Option<Previous>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    Feasible,
    #[default]
    Makespan,
    Cost,
    /// Of layouts only.
    Throughput,
}

impl Spec {
    pub fn calendar(&self, name: &str) -> Option<&Calendar> {
        self.calendars.iter().find(|c| c.name.value == name)
    }

    pub fn resource(&self, name: &str) -> Option<&Resource> {
        self.resources.iter().find(|r| r.name.value == name)
    }

    pub fn recipe(&self, name: &str) -> Option<&Recipe> {
        self.recipes.iter().find(|r| r.name.value == name)
    }

    /// What the names in an order's expressions stand for.
    pub fn scope<'a>(&self, order: &'a Order) -> Scope<'a> {
        Scope { unit: self.time.unit, order: Some(order) }
    }

    /// For expressions that no order stands behind.
    pub fn constants(&self) -> Scope<'static> {
        Scope { unit: self.time.unit, order: None }
    }
}

impl Objective {
    pub const NAMES: [(&'static str, Objective); 4] = [
        ("feasible", Objective::Feasible),
        ("makespan", Objective::Makespan),
        ("cost", Objective::Cost),
        ("throughput", Objective::Throughput),
    ];

    pub fn name(self) -> &'static str {
        Objective::NAMES.iter().find(|(_, o)| *o == self).map_or("makespan", |(name, _)| name)
    }
}

/// For whoever looks at a table of which nothing is known yet.
pub mod tables {
    pub use crate::dates::{Misfit, Pattern, patterns};
    pub use crate::dialect::plain;

    /// The cells of a table with this separator; `None` if it is none.
    pub fn cells(text: &str, separator: char) -> Option<Vec<Vec<String>>> {
        let rows = crate::table::rows(text, takt_diagnostic::FileId(0), separator).ok()?;
        let texts =
            |row: Vec<crate::scalar::Scalar>| row.into_iter().map(|cell| cell.text).collect();
        Some(rows.into_iter().map(texts).collect())
    }
}

/// The files that a spec names, read by whoever may touch files.
pub trait Files {
    /// The text of a file, its path relative to the spec, and the place where it is kept.
    fn read(&mut self, path: &str) -> Result<(FileId, String), Unread>;

    /// Likewise, of a file with this encoding. Where files are texts already there is none.
    fn read_in(&mut self, path: &str, _: Encoding) -> Result<(FileId, String), Unread> {
        self.read(path)
    }
}

/// Why a file cannot be read.
#[derive(Clone, Debug)]
pub struct Unread {
    pub code: &'static str,
    /// A sentence.
    pub why: String,
    /// Where in the file; else where the spec names it.
    pub at: Option<Span>,
}

impl From<String> for Unread {
    fn from(why: String) -> Unread {
        Unread { code: "unreadable-file", why, at: None }
    }
}

/// For specs that stand alone.
#[derive(Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&mut self, path: &str) -> Result<(FileId, String), Unread> {
        Err(format!("there is no file `{path}`").into())
    }
}

/// Reads a spec that names no files.
pub fn read(text: &str, file: FileId) -> Result<(Spec, Diagnostics), Diagnostics> {
    read_with(text, file, &mut NoFiles)
}

/// Reads a spec and gives it with its warnings; or, if there is an error, all errors and warnings.
pub fn read_with(
    text: &str,
    file: FileId,
    files: &mut dyn Files,
) -> Result<(Spec, Diagnostics), Diagnostics> {
    let root = yaml::parse(text, file).map_err(|found| Diagnostics::from(*found))?;
    let mut found = Diagnostics::default();
    let Some(decoded) = decode::decode(root, files, &mut found) else { return Err(found.sorted()) };
    check::check(&decoded, &mut found);
    let found = cells::named(found.sorted(), &decoded.tables);
    if found.has_errors() { Err(found) } else { Ok((decoded.spec, found)) }
}

#[cfg(test)]
mod tests;
