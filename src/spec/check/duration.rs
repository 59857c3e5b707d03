//! Durations and lags: whole where they must be, within range, with a value for every order.

use super::Checker;
use super::fault;
use crate::{Attribute, Exact, Expr, ExprKind, MAX_TIME, Order, Predecessor, Scope, Step, Unit};
use takt_diagnostic::Diagnostic;

/// What a duration must be.
#[derive(Clone, Copy)]
pub struct Rule {
    /// In words, with its article.
    pub what: &'static str,
    pub least: i64,
    /// Not even an expression is rounded.
    pub is_whole: bool,
}

pub const PLAIN: Rule = Rule { what: "a duration", least: 0, is_whole: false };
const LAG: Rule = Rule { what: "a lag", ..PLAIN };
const PAUSE: Rule = Rule { what: "a pause", ..PLAIN };
const WORK: Rule = Rule { what: "the duration of a step with resources", least: 1, ..PLAIN };

impl<'a> Checker<'a> {
    /// A duration in whole units, rounded up; what is wrong with it is told.
    pub fn duration(&mut self, expr: &Expr, order: Option<&'a Order>, rule: Rule) -> Option<i64> {
        if !self.is_time_known && has_length(expr, order) {
            // What is wrong whatever the unit is can be told all the same.
            let scope = Scope { unit: Unit::Second, order };
            if let Err(wrong) = expr.duration(scope) {
                self.tell(fault::explain(&wrong, scope), order);
            }
            return None;
        }
        let scope = Scope { unit: self.spec.time.unit, order };
        let exact = match expr.duration(scope) {
            Ok(exact) => exact,
            Err(wrong) => {
                self.tell(fault::explain(&wrong, scope), order);
                return None;
            }
        };
        let message = if exact < Exact::from(0) && rule.least >= 0 {
            format!("{} is not negative", rule.what)
        } else if exact <= Exact::from(0) && rule.least == 1 {
            format!("{} is at least 1", rule.what)
        } else if exact.ceil() > Exact::from(i128::from(MAX_TIME)) {
            format!("{} is at most {MAX_TIME} units", rule.what)
        } else if !exact.is_integer() && (expr.is_literal() || rule.is_whole) {
            let unit = self.spec.time.unit.name();
            let message = format!("this is not a whole number of {unit}s");
            let found = Diagnostic::error("not-whole", expr.span, message);
            self.tell(finer(found, scope.unit, exact), order);
            return None;
        } else {
            return i64::try_from(exact.ceil().to_integer()).ok();
        };
        let found = Diagnostic::error("out-of-range", expr.span, message);
        let found = match (expr.is_literal(), order) {
            (false, Some(order)) => {
                found.label(format!("{} for the order `{}`", show(exact), order.id.value))
            }
            (false, None) => found.label(format!("this is {}", show(exact))),
            _ => found,
        };
        self.tell(found, order);
        None
    }

    /// The durations of a step that are the same for all orders, or those that are not.
    pub fn step(&mut self, step: &'a Step, order: Option<&'a Order>) {
        for alternative in &step.alternatives {
            let rule = if alternative.requirements.is_empty() { PLAIN } else { WORK };
            if has_names(&alternative.duration) == order.is_some() {
                self.duration(&alternative.duration, order, rule);
            }
        }
        let pause = step.interruptible.as_ref().and_then(|i| i.max.as_ref());
        if let Some(max) = pause.filter(|max| has_names(max) == order.is_some()) {
            self.duration(max, order, PAUSE);
        }
        for predecessor in step.after.iter().flatten() {
            self.lag(predecessor, order);
        }
    }

    fn lag(&mut self, lag: &'a Predecessor, order: Option<&'a Order>) {
        let varies = lag.min.iter().chain(&lag.max).any(has_names);
        if varies == order.is_some() {
            self.between(lag.min.as_ref(), lag.max.as_ref(), order);
        }
    }

    /// The least and the most time between two events.
    pub fn between(
        &mut self,
        least: Option<&'a Expr>,
        most: Option<&'a Expr>,
        order: Option<&'a Order>,
    ) {
        let min = least.map_or(Some(0), |min| self.duration(min, order, LAG));
        let max = most.map(|max| (max, self.duration(max, order, LAG)));
        if let (Some(min), Some((place, Some(max)))) = (min, max)
            && max < min
        {
            let message = format!("the most time, {max}, is less than the least, {min}");
            let mut found = Diagnostic::error("max-below-min", place.span, message);
            if let Some(least) = least {
                found = found.related(least.span, "the least time");
            }
            self.tell(found, order);
        }
    }
}

/// Proposes the largest unit of time of which it is a whole number.
fn finer(found: Diagnostic, unit: Unit, amount: Exact) -> Diagnostic {
    let Some(seconds) = unit.seconds() else { return found };
    let comes_out = |other: &&(&str, Unit)| {
        let share = other.1.seconds().map(|other| Exact::new(seconds.into(), other.into()));
        share.is_some_and(|share| share > Exact::from(1) && (amount * share).is_integer())
    };
    match Unit::NAMES.iter().rev().find(comes_out) {
        Some((name, _)) => found.hint(format!("it is one with `time: {{unit: {name}}}`")),
        None => found,
    }
}

/// Whether it depends on the order.
pub fn has_names(expr: &Expr) -> bool {
    let mut is_found = false;
    names(expr, &mut |_| is_found = true);
    is_found
}

/// Whether it speaks of hours or the like, itself or through an attribute.
fn has_length(expr: &Expr, order: Option<&Order>) -> bool {
    let is_long = |name: &str| {
        let attribute = order.and_then(|order| order.attribute(name));
        attribute.is_some_and(|a| matches!(a.value.value, Attribute::Quantity(_)))
    };
    match &expr.kind {
        ExprKind::Quantity(_) => true,
        ExprKind::Number(_) => false,
        ExprKind::Name(name) => is_long(name),
        ExprKind::Negate(inner) => has_length(inner, order),
        ExprKind::Binary(_, left, right) => has_length(left, order) || has_length(right, order),
    }
}

/// Calls `visit` with every name in an expression.
pub fn names<'e>(expr: &'e Expr, visit: &mut impl FnMut(&'e str)) {
    match &expr.kind {
        ExprKind::Name(name) => visit(name),
        ExprKind::Negate(inner) => names(inner, visit),
        ExprKind::Binary(_, left, right) => {
            names(left, visit);
            names(right, visit);
        }
        ExprKind::Number(_) | ExprKind::Quantity(_) => {}
    }
}

/// A number for the user's eyes.
pub fn show(exact: Exact) -> String {
    if exact.is_integer() {
        return exact.to_integer().to_string();
    }
    format!("{}/{}", exact.numer(), exact.denom())
}
