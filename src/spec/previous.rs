//! An earlier plan, from which a new one departs.

use super::schedule::Row;
use super::{At, Expr, Rate};
use takt_diagnostic::Span;

/// Where steps were before, and what it costs to have them elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Previous {
    /// The steps of the earlier plan. Those of orders that are gone do not count.
    pub rows: Vec<At<Row>>,
    /// For the time between the start of a step and its former start.
    pub move_cost: Option<Rate>,
    /// For each unit that a step takes and that its former rows do not name.
    pub unit_cost: Option<Expr>,
    /// The key.
    pub span: Span,
}
