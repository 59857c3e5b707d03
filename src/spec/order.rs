//! What is to be made, one entry per order: those of files are read, and copies are made.

use super::{At, Exact, Expr, Instant, Pin, Rate};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Of a copy, with its number: `B.3`.
    pub id: At<String>,
    pub recipe: At<String>,
    /// 0 if it is missing.
    pub release: Option<Instant>,
    pub due: Option<Instant>,
    pub deadline: Option<Instant>,
    /// By how much release (also a missing one), due and deadline shift.
    pub shift: Option<Shifted>,
    pub size: Option<At<Exact>>,
    /// The recipe's name if it is missing.
    pub family: Option<At<String>>,
    /// There only with a due instant.
    pub delay_cost: Option<Rate>,
    /// There only with a due instant.
    pub storage_cost: Option<Rate>,
    /// Paid once if it is late; there only with a due instant.
    pub late_cost: Option<Expr>,
    pub holding_cost: Option<Rate>,
    pub attributes: Vec<NamedAttribute>,
    /// Each step at most once.
    pub pins: Vec<Pin>,
}

/// The shift of a copy: `times` * `every`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shifted {
    pub times: i64,
    pub every: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAttribute {
    pub name: At<String>,
    pub value: At<Attribute>,
    /// The value as it was written.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attribute {
    Number(Exact),
    /// In seconds.
    Quantity(Exact),
    Text(String),
}

impl Order {
    pub fn attribute(&self, name: &str) -> Option<&NamedAttribute> {
        self.attributes.iter().find(|attribute| attribute.name.value == name)
    }

    /// What is paid for time, as far as it is said.
    pub fn rates(&self) -> impl Iterator<Item = &Rate> {
        [&self.delay_cost, &self.storage_cost, &self.holding_cost].into_iter().flatten()
    }

    /// The family of steps that have none of their own.
    pub fn family(&self) -> &str {
        self.family.as_ref().map_or(&self.recipe.value, |family| &family.value)
    }
}
