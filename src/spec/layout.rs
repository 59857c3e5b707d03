//! A wafer scanner's layout as it was written: components and what their actions take.

use super::{At, Expr};
use takt_diagnostic::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub track: Track,
    pub locks: Locks,
    /// At least one.
    pub robots: Vec<Robot>,
    pub chucks: Chucks,
    /// Each at most once.
    pub heuristics: Vec<At<LayoutHeuristic>>,
    pub span: Span,
}

/// Rules that cut the search for a rhythm, as in the literature on scanners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutHeuristic {
    /// No state is entered from which the machine cannot be emptied.
    Policy,
    /// Nothing is done that leads nowhere, and what leaves no choice is done at once.
    Useful,
    /// An empty lock is pressurized only while fewer than half of all positions hold a wafer.
    Locks,
    /// A wafer is loaded as soon as it can be, if the machine can still be emptied then, and
    /// measured and exposed as soon as it is in its place.
    Greedy,
}

impl LayoutHeuristic {
    pub const ALL: [LayoutHeuristic; 4] = [
        LayoutHeuristic::Policy,
        LayoutHeuristic::Useful,
        LayoutHeuristic::Locks,
        LayoutHeuristic::Greedy,
    ];

    pub fn name(self) -> &'static str {
        match self {
            LayoutHeuristic::Policy => "policy",
            LayoutHeuristic::Useful => "useful",
            LayoutHeuristic::Locks => "locks",
            LayoutHeuristic::Greedy => "greedy",
        }
    }

    pub fn named(name: &str) -> Option<LayoutHeuristic> {
        LayoutHeuristic::ALL.into_iter().find(|heuristic| heuristic.name() == name)
    }

    /// Whether some schedule of the least interval keeps it, whatever the layout.
    pub fn is_safe(self) -> bool {
        matches!(self, LayoutHeuristic::Policy | LayoutHeuristic::Useful)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    pub load: Expr,
    pub unload: Expr,
    pub switch: Expr,
    pub recover: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locks {
    /// At least one.
    pub ids: Vec<At<String>>,
    pub depressurize: Expr,
    pub pressurize: Expr,
    /// Locks that serve one way only; the others serve both.
    pub direction: Vec<(At<String>, At<Direction>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
    Both,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Robot {
    pub name: At<String>,
    /// 1 or 2.
    pub arms: At<i64>,
    /// At least one.
    pub locks: Vec<At<String>>,
    pub turn: Expr,
    pub from_lock: Expr,
    pub to_lock: Expr,
    pub to_chuck: Expr,
    pub from_chuck: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chucks {
    /// One or two.
    pub ids: Vec<At<String>>,
    pub swap: Expr,
    pub measure: Expr,
    pub expose: Expr,
}
