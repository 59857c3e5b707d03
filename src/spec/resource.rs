//! What steps take, as it was written.

use super::{At, Exact, Expr, Order, Rate, Requirement, Step};
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

/// What is written here takes the place of what its resource says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedUnit {
    pub name: At<String>,
    pub calendar: Option<At<String>>,
    /// In (0, 1].
    pub availability: Option<At<Exact>>,
    /// In (0, 1].
    pub performance: Option<At<Exact>>,
    pub run_cost: Option<Rate>,
    /// All that it takes; `None` where it takes every family.
    pub families: Option<Vec<At<String>>>,
}

/// What a unit needs between a step of one family and the next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// At least one; times and costs add up.
    pub parts: Vec<SetupPart>,
    pub span: Span,
}

/// A setup by one kind of family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupPart {
    /// The attribute of orders whose values are its families; without it, families are.
    pub by: Option<At<String>>,
    /// Each pair of families at most once; may name equal ones.
    pub matrix: Vec<Change>,
    /// Between different families that the matrix does not name.
    pub otherwise: Effort,
    /// Of this part; that of the resource belongs to a setup of one part.
    pub initial: Option<Initial>,
    /// What it takes while it runs.
    pub crew: Vec<Requirement>,
    /// It lies inside one window of the open time of the unit and of its crew.
    pub on_calendar: bool,
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

impl Setup {
    pub fn efforts(&self) -> impl Iterator<Item = &Effort> {
        self.parts.iter().flat_map(SetupPart::efforts)
    }

    /// Whether setups run anywhere between two steps, instead of right before the second.
    pub fn is_work(&self) -> bool {
        self.parts.iter().any(|part| !part.crew.is_empty() || part.on_calendar)
    }

    /// All that some part takes.
    pub fn crews(&self) -> impl Iterator<Item = &Requirement> {
        self.parts.iter().flat_map(|part| &part.crew)
    }
}

impl SetupPart {
    pub fn efforts(&self) -> impl Iterator<Item = &Effort> {
        self.matrix.iter().map(|change| &change.effort).chain([&self.otherwise])
    }

    /// What a step of an order counts as; `None` where the order lacks the attribute.
    pub fn family<'a>(&self, order: &'a Order, step: &'a Step) -> Option<&'a str> {
        match &self.by {
            Some(by) => order.attribute(&by.value).map(|attribute| attribute.text.as_str()),
            None => Some(step.family.as_ref().map_or(order.family(), |family| &family.value)),
        }
    }
}

impl NamedUnit {
    /// One of which only the name is known.
    pub fn named(name: At<String>) -> NamedUnit {
        let (calendar, availability, performance, run_cost, families) =
            (None, None, None, None, None);
        NamedUnit { name, calendar, availability, performance, run_cost, families }
    }

    /// Something tells it from the other units of its resource.
    pub fn has_own(&self) -> bool {
        let NamedUnit { calendar, availability, performance, run_cost, families, .. } = self;
        calendar.is_some()
            || availability.is_some()
            || performance.is_some()
            || run_cost.is_some()
            || families.is_some()
    }
}

impl Resource {
    /// What a unit is set up for at 0 in one part of the setup.
    pub fn initial<'a>(&'a self, part: &'a SetupPart, unit: &str) -> Option<&'a str> {
        match part.initial.as_ref().or(self.initial.as_ref())? {
            Initial::All(family) => Some(&family.value),
            Initial::PerUnit(all) => {
                let own = all.iter().find(|(name, _)| name.value == unit);
                own.map(|(_, family)| family.value.as_str())
            }
        }
    }

    /// Where it says what units are set up for at 0.
    pub fn initials(&self) -> impl Iterator<Item = &Initial> {
        let parts = self.setup.iter().flat_map(|setup| &setup.parts);
        self.initial.iter().chain(parts.filter_map(|part| part.initial.as_ref()))
    }

    /// Its units, where they have names.
    pub fn named_units(&self) -> &[NamedUnit] {
        match &self.units {
            Units::Named(all) => all,
            Units::Counted(_) => &[],
        }
    }

    /// What work on it may cost per time: its own rate, and those of units.
    pub fn rates(&self) -> impl Iterator<Item = &Rate> {
        self.run_cost.iter().chain(self.named_units().iter().filter_map(|u| u.run_cost.as_ref()))
    }

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
