//! Rules that cut the search, as they were asked for.

use super::Expr;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heuristic {
    Greedy,
    NonLazy,
    NonOvertaking,
    /// At least 1.
    MaxActive(i64),
    /// Names nothing of orders.
    StartWithin(Expr),
}

impl Heuristic {
    pub fn name(&self) -> &'static str {
        match self {
            Heuristic::Greedy => "greedy",
            Heuristic::NonLazy => "non-lazy",
            Heuristic::NonOvertaking => "non-overtaking",
            Heuristic::MaxActive(_) => "max-active",
            Heuristic::StartWithin(_) => "start-within",
        }
    }
}
