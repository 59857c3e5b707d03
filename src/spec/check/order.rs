//! What is different for each order: instants, costs, and durations that depend on it; and, once
//! for all, the values that do not.

use super::Checker;
use super::duration::{PLAIN, Rule, has_names};
use crate::{At, Instant, MAX_TIME, Order, Resource, Step};
use jiff::civil::DateTime;
use std::collections::BTreeMap;
use takt_diagnostic::Diagnostic;

pub const INSTANT: Rule = Rule { what: "an instant counted from 0", ..PLAIN };

impl<'a> Checker<'a> {
    /// Values that no order changes.
    pub fn constants(&mut self) {
        let spec = self.spec;
        for resource in &spec.resources {
            self.resource_values(resource);
        }
        for step in spec.recipes.iter().flat_map(|recipe| &recipe.steps) {
            self.step(step, None);
        }
        for heuristic in &spec.heuristics {
            if let Some(time) = heuristic.value.time() {
                self.duration(time, None, PLAIN);
            }
        }
    }

    fn resource_values(&mut self, resource: &'a Resource) {
        if let Some(setup) = &resource.setup {
            for effort in setup.efforts() {
                if let Some(time) = &effort.time {
                    self.duration(time, None, PLAIN);
                }
                if let Some(cost) = &effort.cost {
                    self.cost(cost, None);
                }
            }
        }
        for rate in resource.rates() {
            self.rate(rate, None);
        }
    }

    pub fn orders(&mut self) {
        let spec = self.spec;
        let varying: BTreeMap<_, _> =
            self.recipes.iter().map(|(&name, recipe)| (name, varying(&recipe.steps))).collect();
        for order in &spec.orders {
            let is_first = order.shift.as_ref().is_none_or(|shift| shift.times == 0);
            self.instants(order);
            if !is_first {
                continue;
            }
            for rate in order.rates() {
                self.rate(rate, Some(order));
            }
            if let Some(cost) = &order.late_cost {
                self.cost(cost, Some(order));
            }
            for step in varying.get(order.recipe.value.as_str()).into_iter().flatten() {
                self.step(step, Some(order));
            }
        }
    }

    fn instants(&mut self, order: &'a Order) {
        let shift = match &order.shift {
            Some(shift) => {
                let every = self.duration(&shift.every, Some(order), PLAIN).unwrap_or(0);
                let sum = every.saturating_mul(shift.times);
                if sum > MAX_TIME {
                    let message = format!("the last copy's instants lie beyond {MAX_TIME} units");
                    let found = Diagnostic::error("out-of-range", shift.every.span, message);
                    self.tell(found, None);
                    return;
                }
                sum
            }
            None => 0,
        };
        for instant in [&order.release, &order.due, &order.deadline].into_iter().flatten() {
            let value = match instant {
                Instant::After(expr) => {
                    self.duration(expr, Some(order), INSTANT).map(|value| (value, expr.span))
                }
                Instant::Civil(at) => self.civil_instant(at).map(|value| (value, at.span)),
            };
            if let Some((value, span)) = value.filter(|(value, _)| value + shift > MAX_TIME) {
                let message = format!("{} lies beyond {MAX_TIME} units", value + shift);
                self.tell(Diagnostic::error("out-of-range", span, message), Some(order));
            }
        }
    }

    /// Units from the start, negative before it.
    pub fn civil_instant(&mut self, at: &At<DateTime>) -> Option<i64> {
        if !self.is_time_known {
            return None;
        }
        let (Some(_), Some(unit)) = (&self.spec.time.start, self.spec.time.unit.seconds()) else {
            let found = Diagnostic::error("missing-start", at.span, "civil time needs a start");
            let found = found.hint("set `time: {unit: minute, start: 2026-01-05T06:00}`");
            self.tell(found, None);
            return None;
        };
        let Some(seconds) = self.spec.time.seconds_from_start(at.value) else {
            let message = "this lies beyond the dates that can be counted";
            self.tell(Diagnostic::error("out-of-range", at.span, message), None);
            return None;
        };
        let message = if seconds % unit != 0 {
            let unit = self.spec.time.unit.name();
            format!("this is not a whole number of {unit}s from the start")
        } else if (seconds / unit).abs() > MAX_TIME {
            format!("this lies more than {MAX_TIME} units from the start")
        } else {
            return Some(seconds / unit);
        };
        self.tell(Diagnostic::error("not-whole", at.span, message), None);
        None
    }
}

/// The steps of which something depends on the order.
fn varying(steps: &[Step]) -> Vec<&Step> {
    let depends = |step: &&Step| {
        let durations = step.alternatives.iter().map(|alternative| &alternative.duration);
        let pause = step.interruptible.iter().filter_map(|i| i.max.as_ref());
        let lags = step.after.iter().flatten().flat_map(|p| p.min.iter().chain(&p.max));
        durations.chain(pause).chain(lags).any(has_names)
    };
    steps.iter().filter(depends).collect()
}
