//! Costs and rates: exact decimals, never negative.

use super::Checker;
use super::fault;
use crate::{Exact, Expr, Order, Rate, Scope};
use takt_diagnostic::{Diagnostic, Span};

/// Costs have at most six decimal places.
const SCALE: i128 = 1_000_000;
/// Larger ones would leave no room for sums.
const MAX_COST: i128 = 1_000_000_000_000;

impl<'a> Checker<'a> {
    pub fn cost(&mut self, expr: &Expr, order: Option<&'a Order>) {
        let scope = Scope { unit: self.spec.time.unit, order };
        match expr.number(scope) {
            Ok(exact) => self.price(exact, expr.is_literal(), expr.span, order),
            Err(wrong) => self.tell(fault::explain(&wrong, scope), order),
        }
    }

    pub fn rate(&mut self, rate: &Rate, order: Option<&'a Order>) {
        let scope = Scope { unit: self.spec.time.unit, order };
        let amount = match rate.amount.number(scope) {
            Ok(amount) => amount,
            Err(wrong) => return self.tell(fault::explain(&wrong, scope), order),
        };
        let Some(per) = &rate.per else {
            return self.price(amount, rate.amount.is_literal(), rate.span, order);
        };
        if !self.is_time_known {
            return;
        }
        let Some(unit) = scope.unit.seconds() else {
            let found = Diagnostic::error("missing-unit", per.span, "a tick has no length");
            let found = found.hint("a price without a time is paid per tick");
            return self.tell(found, order);
        };
        let per_unit = Exact::new(i128::from(unit), i128::from(per.value.seconds()));
        self.price(amount * per_unit, rate.amount.is_literal(), rate.span, order);
    }

    /// A cost as it is, or a rate per unit of time.
    fn price(&mut self, exact: Exact, is_literal: bool, span: Span, order: Option<&'a Order>) {
        let (code, message) = if exact < Exact::from(0) {
            ("out-of-range", "a cost is not negative".to_owned())
        } else if exact > Exact::from(MAX_COST) {
            ("out-of-range", format!("a cost is at most {MAX_COST}"))
        } else if is_literal && SCALE % exact.denom() != 0 {
            let message = if is_decimal(*exact.denom()) {
                "a cost has at most six decimal places".to_owned()
            } else {
                let unit = self.spec.time.unit.name();
                format!("per {unit} this is no decimal with at most six places")
            };
            ("not-exact", message)
        } else {
            return;
        };
        self.tell(Diagnostic::error(code, span, message), order);
    }
}

/// Whether a fraction with this denominator can be written as a decimal at all.
fn is_decimal(mut denominator: i128) -> bool {
    for prime in [2, 5] {
        while denominator % prime == 0 {
            denominator /= prime;
        }
    }
    denominator == 1
}
