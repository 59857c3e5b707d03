//! Costs and rates: exact decimals, never negative.

use super::Checker;
use super::fault;
use crate::schedule::Decimal;
use crate::{Exact, Expr, Order, Rate, Scope, Suffix};
use takt_diagnostic::{Diagnostic, Span};

/// Costs have at most six decimal places.
const SCALE: i128 = 1_000_000;
/// Larger ones would leave no room for sums.
const MAX_COST: i128 = 1_000_000_000_000;

impl<'a> Checker<'a> {
    pub fn cost(&mut self, expr: &Expr, order: Option<&'a Order>) {
        let scope = Scope { unit: self.spec.time.unit, order };
        match expr.number(scope) {
            Ok(exact) => {
                let price = Price { amount: exact, per: None, is_literal: expr.is_literal() };
                self.price(price, expr.span, order);
            }
            Err(wrong) => self.tell(fault::explain(&wrong, scope), order),
        }
    }

    pub fn rate(&mut self, rate: &Rate, order: Option<&'a Order>) {
        let scope = Scope { unit: self.spec.time.unit, order };
        let amount = match rate.amount.number(scope) {
            Ok(amount) => amount,
            Err(wrong) => return self.tell(fault::explain(&wrong, scope), order),
        };
        let is_literal = rate.amount.is_literal();
        let Some(per) = &rate.per else {
            return self.price(Price { amount, per: None, is_literal }, rate.span, order);
        };
        if !self.is_time_known {
            return;
        }
        let Some(unit) = scope.unit.seconds() else {
            let found = Diagnostic::error("missing-unit", per.span, "a tick has no length");
            let found = found.hint("a price without a time is paid per tick");
            return self.tell(found, order);
        };
        let share = Exact::new(i128::from(unit), i128::from(per.value.seconds()));
        let per = Some((per.value, share));
        self.price(Price { amount, per, is_literal }, rate.span, order);
    }

    fn price(&mut self, price: Price, span: Span, order: Option<&'a Order>) {
        let exact = price.exact();
        let found = if exact < Exact::from(0) {
            Diagnostic::error("out-of-range", span, "a cost is not negative")
        } else if exact > Exact::from(MAX_COST) {
            Diagnostic::error("out-of-range", span, format!("a cost is at most {MAX_COST}"))
        } else if price.is_literal && SCALE % exact.denom() != 0 {
            let message = match is_decimal(*exact.denom()) {
                true => "a cost has at most six decimal places".to_owned(),
                false => {
                    let per = price.per.map_or("", |_| self.spec.time.unit.name());
                    let per = if per.is_empty() { String::new() } else { format!("per {per} ") };
                    format!("{per}this is {exact}, no decimal with at most six places")
                }
            };
            Diagnostic::error("not-exact", span, message).hint(price.hint())
        } else {
            return;
        };
        self.tell(found, order);
    }
}

/// A cost, or a rate with the time that it is for and how many of these a unit of time is.
#[derive(Clone, Copy)]
struct Price {
    amount: Exact,
    per: Option<(Suffix, Exact)>,
    /// Otherwise it is rounded.
    is_literal: bool,
}

impl Price {
    /// Per unit of time.
    fn exact(&self) -> Exact {
        self.per.map_or(self.amount, |(_, share)| self.amount * share)
    }

    /// What would do: the next ones below and above that are short, and all costs times a number.
    fn hint(&self) -> String {
        let times = self.exact().denom() / gcd(*self.exact().denom(), SCALE);
        let mut near: Vec<String> = self.near().into_iter().map(|one| self.text(one)).collect();
        near.dedup();
        let more = self.amount * times;
        let here = match (more * SCALE).is_integer() {
            true => format!(" (here {})", self.text(more)),
            false => String::new(),
        };
        let near = near.join(" or ");
        format!("{near} would do; or multiply all costs by {times}{here}, which changes no plan")
    }

    fn near(&self) -> Vec<Exact> {
        let share = self.per.map_or(Exact::from(1), |(_, share)| share);
        let mut found = Vec::new();
        for places in 0..=6 {
            let power = 10_i128.pow(places);
            // So many of the last place come out even.
            let whole = share.denom() * power;
            let step = whole / gcd(whole, share.numer() * SCALE);
            let below = (self.amount * power / step).floor().to_integer() * step;
            let pair = [below, below + step].map(|count| Exact::new(count, power));
            found = pair.into_iter().filter(|one| *one > Exact::from(0)).collect();
            let is_close = |one: &Exact| {
                (*one - self.amount) * CLOSE < self.amount
                    && (self.amount - *one) * CLOSE < self.amount
            };
            if pair.iter().all(is_close) {
                break;
            }
        }
        found
    }

    fn text(&self, amount: Exact) -> String {
        let millionths = (amount * SCALE).to_integer();
        let amount = Decimal::from_millionths(millionths);
        match self.per {
            Some((suffix, _)) => format!("`{amount}/{}`", suffix.name()),
            None => format!("`{amount}`"),
        }
    }
}

/// What is proposed is less than this part away.
const CLOSE: i128 = 20;

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
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
