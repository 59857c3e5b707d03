//! The sequence in which the spec names things, for sorting and for rows of charts.

use std::collections::BTreeMap;
use takt_spec::Spec;
use takt_spec::schedule::{OPERATIONS, Row};

pub struct Sequence<'s> {
    orders: BTreeMap<&'s str, usize>,
    /// Recipe and step.
    steps: BTreeMap<(&'s str, &'s str), usize>,
    recipes: Vec<&'s str>,
    /// Wafers and operations instead of orders and steps.
    is_layout: bool,
}

impl<'s> Sequence<'s> {
    pub fn of(spec: &'s Spec) -> Sequence<'s> {
        let orders = spec.orders.iter().enumerate();
        let steps = spec.recipes.iter().flat_map(|recipe| {
            let steps = recipe.steps.iter().enumerate();
            steps.map(|(i, step)| ((recipe.name.value.as_str(), step.name.value.as_str()), i))
        });
        Sequence {
            orders: orders.map(|(i, order)| (order.id.value.as_str(), i)).collect(),
            steps: steps.collect(),
            recipes: spec.orders.iter().map(|order| order.recipe.value.as_str()).collect(),
            is_layout: spec.layout.is_some(),
        }
    }

    /// What the spec does not know comes last.
    pub fn order(&self, id: &str) -> usize {
        if self.is_layout {
            let number = id.strip_prefix('w').and_then(|number| number.parse().ok());
            return number.unwrap_or(usize::MAX);
        }
        self.orders.get(id).copied().unwrap_or(usize::MAX)
    }

    pub fn step(&self, row: &Row) -> usize {
        if self.is_layout {
            let known = OPERATIONS.iter().position(|step| *step == row.step);
            return known.unwrap_or(usize::MAX);
        }
        let recipe = self.recipes.get(self.order(&row.order)).copied().unwrap_or(&row.recipe);
        self.steps.get(&(recipe, row.step.as_str())).copied().unwrap_or(usize::MAX)
    }

    /// By start, then the spec's sequence of orders, then the recipe's of steps, then resource.
    pub fn sorted<'r>(&self, rows: &'r [Row]) -> Vec<&'r Row> {
        let mut rows: Vec<&'r Row> = rows.iter().collect();
        rows.sort_by_cached_key(|row: &&'r Row| {
            let row: &'r Row = row;
            let (order, step) = (self.order(&row.order), self.step(row));
            (row.start, order, step, row.resource.as_str(), unit(row), row.kind)
        });
        rows
    }
}

/// Units that are numbers come in the order of the numbers.
fn unit(row: &Row) -> (u64, &str) {
    (row.unit.parse().unwrap_or(u64::MAX), &row.unit)
}
