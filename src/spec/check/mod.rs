//! What can only be said of the spec as a whole: names that do not exist or clash, cycles, demands
//! that cannot be met, expressions without a value, and what is probably a mistake.

mod calendar;
mod cost;
mod demand;
mod duration;
mod fact;
mod fault;
mod layout;
mod letters;
mod names;
mod order;
mod precedence;
mod previous;
mod sequel;
mod setup;
mod unused;

pub use previous::strange_rows;

use super::decode::Decoded;
use super::{Calendar, Order, Recipe, Resource, Spec};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::{Diagnostic, Diagnostics, Span};

pub fn check(decoded: &Decoded, found: &mut Diagnostics) {
    let mut checker = Checker::new(decoded, found);
    checker.letters();
    checker.names();
    checker.precedence();
    checker.demand();
    checker.setups();
    checker.layout_names();
    checker.calendars();
    checker.constants();
    checker.orders();
    checker.sequels();
    checker.facts();
    checker.previous();
    checker.layout_times();
    if !found.has_errors() {
        unused::warn(decoded, found);
    }
}

/// The spec with its names at hand.
struct Checker<'a> {
    spec: &'a Spec,
    /// Otherwise nothing is said about times with a length, which would only be misjudged.
    is_time_known: bool,
    /// Otherwise there may be recipes that could not be read.
    are_steps_known: bool,
    calendars: BTreeMap<&'a str, &'a Calendar>,
    resources: BTreeMap<&'a str, &'a Resource>,
    recipes: BTreeMap<&'a str, &'a Recipe>,
    /// Places of expressions that have been told to be wrong for one order; the others would
    /// only say it again.
    told: BTreeSet<(&'static str, u32, u32, u32)>,
    found: &'a mut Diagnostics,
}

impl<'a> Checker<'a> {
    fn new(decoded: &'a Decoded, found: &'a mut Diagnostics) -> Checker<'a> {
        let spec = &decoded.spec;
        Checker {
            spec,
            is_time_known: decoded.is_time_known,
            are_steps_known: decoded.are_steps_known,
            calendars: spec.calendars.iter().map(|c| (c.name.value.as_str(), c)).collect(),
            resources: spec.resources.iter().map(|r| (r.name.value.as_str(), r)).collect(),
            recipes: spec.recipes.iter().map(|r| (r.name.value.as_str(), r)).collect(),
            told: BTreeSet::new(),
            found,
        }
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.found.push(Diagnostic::error(code, span, message));
    }

    /// Says it once and names the first of the orders that it holds for.
    fn tell(&mut self, found: Diagnostic, order: Option<&Order>) {
        let span = found.span.unwrap_or_default();
        if self.told.insert((found.code, span.file.0, span.start, span.end)) {
            self.found.push(match order {
                Some(order) => {
                    found.related(order.id.span, format!("for the order `{}`", order.id.value))
                }
                None => found,
            });
        }
    }
}
