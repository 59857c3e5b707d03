//! Queries as they are written.

use super::Expr;
use takt_diagnostic::Span;

/// A question about a model, with the text it was asked in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub goal: Goal,
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// `E<> p`
    Possibly(Expr),
    /// `A[] p`
    Invariantly(Expr),
    /// `E[] p`
    PotentiallyAlways(Expr),
    /// `A<> p`
    Eventually(Expr),
    /// `p --> q`
    LeadsTo(Expr, Expr),
    /// `inf{p}: e`; without `{p}` the predicate is `true`
    Infimum { within: Option<Expr>, of: Expr },
    /// `sup{p}: e`
    Supremum { within: Option<Expr>, of: Expr },
}
