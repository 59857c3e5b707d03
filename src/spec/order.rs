//! What is to be made, one entry per order: those of files are read, and copies are made.

use super::{At, Exact, Expr, Instant, Pin, Rate};
use std::collections::BTreeMap;

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
    /// The orders that come before it.
    pub after: Vec<OrderBefore>,
}

/// An order that must be finished first, or all copies of one: time from its finish, or from that of the last of
/// them, to the first start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderBefore {
    /// Its id, or what copies were called before they were numbered.
    pub order: At<String>,
    /// To every start; 0 if it is missing.
    pub min: Option<Expr>,
    pub max: Option<Expr>,
}

/// The positions of the orders that a name stands for: one by its id, and all copies by what they were called.
pub fn orders_called(orders: &[Order]) -> BTreeMap<&str, Vec<usize>> {
    let mut called: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, order) in orders.iter().enumerate() {
        called.entry(&order.id.value).or_default().push(number);
        if let Some(base) = order.base() {
            called.entry(base).or_default().push(number);
        }
    }
    called
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

    /// What a copy was called before it got its number.
    pub fn base(&self) -> Option<&str> {
        self.shift.as_ref()?;
        self.id.value.rsplit_once('.').map(|(base, _)| base)
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
