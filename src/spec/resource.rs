//! What steps take, as it was written.

use super::{At, Exact, Expr, Rate};
use takt_diagnostic::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    pub name: At<String>,
    pub units: Units,
    pub calendar: Option<At<String>>,
    /// In (0, 1].
    pub availability: Option<At<Exact>>,
    /// In (0, 1].
    pub performance: Option<At<Exact>>,
    /// There only with named units or a single one.
    pub setup: Option<Setup>,
    pub initial: Option<Initial>,
    /// Per time of work and amount taken; names nothing of orders.
    pub run_cost: Option<Rate>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Units {
    /// So many interchangeable ones, called 1, 2, and so on; at least one.
    Counted(At<i64>),
    /// Machines with a state of their own; at least one.
    Named(Vec<NamedUnit>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedUnit {
    pub name: At<String>,
    /// Instead of the resource's.
    pub calendar: Option<At<String>>,
}

/// What a unit needs between a step of one family and the next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Each pair of families at most once; may name equal ones.
    pub matrix: Vec<Change>,
    /// Between different families that the matrix does not name.
    pub otherwise: Effort,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub from: At<String>,
    pub to: At<String>,
    pub effort: Effort,
}

/// What is missing is 0. Names nothing of orders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    pub time: Option<Expr>,
    pub cost: Option<Expr>,
}

/// The family that a unit is set up for at 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    All(At<String>),
    /// Units and families; units that are missing have none.
    PerUnit(Vec<(At<String>, At<String>)>),
}

impl Resource {
    /// How many units it has.
    pub fn capacity(&self) -> i64 {
        match &self.units {
            Units::Counted(count) => count.value,
            Units::Named(all) => all.len() as i64,
        }
    }

    /// The name of each unit, in the spec's sequence.
    pub fn unit_names(&self) -> Vec<String> {
        match &self.units {
            Units::Counted(count) => (1..=count.value).map(|i| i.to_string()).collect(),
            Units::Named(all) => all.iter().map(|unit| unit.name.value.clone()).collect(),
        }
    }
}
