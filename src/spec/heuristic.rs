//! The heuristics of plants and how they are written. The decoder and the schema read it here.

use super::Expr;
use crate::form::{Entry, Form, may};
use std::fmt;

/// A rule that cuts the search. Times are `T`: an expression as it was written, or a number of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic<T = Expr> {
    Greedy,
    NonLazy,
    NonOvertaking,
    /// At least 1.
    MaxActive(i64),
    /// Names nothing of orders.
    StartWithin(T),
}

/// What stands behind the name of a heuristic.
pub enum Argument {
    None,
    Count(i64),
    Time(Expr),
}

/// The words of the language: those of plants that stand alone, then those of layouts.
pub const WORDS: [&str; 6] = ["greedy", "non-lazy", "non-overtaking", "policy", "useful", "locks"];

/// Those of plants that have an argument: a whole number, or a duration.
pub const WITH_ARGUMENT: [Entry; 2] = [
    may("max-active", Form::Whole { least: 1 }, "At most so many orders are under way."),
    may("start-within", Form::Duration, "No step starts earlier than so long before due."),
];

impl Heuristic {
    /// Those of plants.
    pub const NAMES: [&str; 5] =
        ["greedy", "non-lazy", "non-overtaking", "max-active", "start-within"];

    /// `None` where the name is unknown, or has another kind of argument.
    pub fn new(name: &str, argument: Argument) -> Option<Heuristic> {
        Some(match (name, argument) {
            ("greedy", Argument::None) => Heuristic::Greedy,
            ("non-lazy", Argument::None) => Heuristic::NonLazy,
            ("non-overtaking", Argument::None) => Heuristic::NonOvertaking,
            ("max-active", Argument::Count(most)) => Heuristic::MaxActive(most),
            ("start-within", Argument::Time(time)) => Heuristic::StartWithin(time),
            _ => return None,
        })
    }
}

impl<T> Heuristic<T> {
    pub fn name(&self) -> &'static str {
        match self {
            Heuristic::Greedy => "greedy",
            Heuristic::NonLazy => "non-lazy",
            Heuristic::NonOvertaking => "non-overtaking",
            Heuristic::MaxActive(_) => "max-active",
            Heuristic::StartWithin(_) => "start-within",
        }
    }

    /// The time in its argument.
    pub fn time(&self) -> Option<&T> {
        match self {
            Heuristic::StartWithin(time) => Some(time),
            _ => None,
        }
    }

    /// The same with its time told differently.
    pub fn try_map<U, E>(&self, time: impl FnOnce(&T) -> Result<U, E>) -> Result<Heuristic<U>, E> {
        Ok(match self {
            Heuristic::Greedy => Heuristic::Greedy,
            Heuristic::NonLazy => Heuristic::NonLazy,
            Heuristic::NonOvertaking => Heuristic::NonOvertaking,
            Heuristic::MaxActive(most) => Heuristic::MaxActive(*most),
            Heuristic::StartWithin(within) => Heuristic::StartWithin(time(within)?),
        })
    }
}

/// The name, and the argument if there is one.
impl fmt::Display for Heuristic<i64> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Heuristic::MaxActive(number) | Heuristic::StartWithin(number) => {
                write!(f, "{} {number}", self.name())
            }
            _ => f.write_str(self.name()),
        }
    }
}
