//! Prices as whole numbers: all are multiplied by one power of ten.

use super::build::Found;
use num_traits::ToPrimitive;
use takt_diagnostic::{Diagnostic, Span};
use takt_spec::{Exact, Expr, Objective, Order, Rate, Scope, Setup, Spec};

/// Decimal places that prices may have.
const PLACES: u32 = 6;

/// What an order pays for its times: per unit of time, and once if it is late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeCosts {
    pub delay: i64,
    pub storage: i64,
    pub holding: i64,
    pub late: i64,
}

impl TimeCosts {
    /// Some time costs.
    pub fn are_there(&self) -> bool {
        self.delay > 0 || self.storage > 0 || self.holding > 0 || self.late > 0
    }

    /// For finishing so much after the due instant, or before it.
    pub fn of_lateness(&self, late: i64) -> i64 {
        let delay = self.delay.saturating_mul(late.max(0));
        let once = if late > 0 { self.late } else { 0 };
        delay
            .saturating_add(once)
            .saturating_add(self.storage.saturating_mul(late.saturating_neg().max(0)))
    }

    /// No order pays more in so much time.
    pub fn most(&self, time: i128) -> i128 {
        let rates = [self.delay, self.storage, self.holding].map(i128::from);
        rates.iter().sum::<i128>() * time + i128::from(self.late)
    }
}

/// Reads prices; without `objective: cost` all of them are nothing.
pub struct Prices<'s> {
    spec: &'s Spec,
    pub scale: i64,
}

impl<'s> Prices<'s> {
    pub fn new(spec: &'s Spec) -> Found<Prices<'s>> {
        let mut prices = Prices { spec, scale: 1 };
        if spec.objective == Objective::Cost {
            let all = prices.all()?;
            let is_whole = |scale: i64| {
                all.iter().all(|price| (price * Exact::from(i128::from(scale))).is_integer())
            };
            prices.scale = (0..=PLACES)
                .map(|k| 10_i64.pow(k))
                .find(|&scale| is_whole(scale))
                .unwrap_or(1_000_000);
        }
        Ok(prices)
    }

    fn is_asked_for(&self) -> bool {
        self.spec.objective == Objective::Cost
    }

    /// Every price of the spec, exactly.
    fn all(&self) -> Found<Vec<Exact>> {
        let mut all = Vec::new();
        for order in &self.spec.orders {
            let scope = || self.spec.scope(order);
            for rate in order.rates() {
                all.push(exact_rate(rate, scope())?);
            }
            if let Some(cost) = &order.late_cost {
                all.push(exact_once(cost, scope())?);
            }
        }
        for resource in &self.spec.resources {
            for rate in resource.rates() {
                all.push(exact_rate(rate, self.spec.constants())?);
            }
            let efforts = resource.setup.iter().flat_map(Setup::efforts);
            for cost in efforts.filter_map(|effort| effort.cost.as_ref()) {
                all.push(exact_once(cost, self.spec.constants())?);
            }
        }
        if let Some(previous) = &self.spec.previous {
            if let Some(rate) = &previous.move_cost {
                all.push(exact_rate(rate, self.spec.constants())?);
            }
            if let Some(cost) = &previous.unit_cost {
                all.push(exact_once(cost, self.spec.constants())?);
            }
        }
        Ok(all)
    }

    pub fn of_order(&self, order: &Order) -> Found<TimeCosts> {
        let rate = |rate: &Option<Rate>| self.rate(rate.as_ref(), self.spec.scope(order));
        Ok(TimeCosts {
            delay: rate(&order.delay_cost)?,
            storage: rate(&order.storage_cost)?,
            holding: rate(&order.holding_cost)?,
            late: self.once(order.late_cost.as_ref(), self.spec.scope(order))?,
        })
    }

    /// A price per unit of time.
    pub fn rate(&self, rate: Option<&Rate>, scope: Scope) -> Found<i64> {
        match rate.filter(|_| self.is_asked_for()) {
            None => Ok(0),
            Some(rate) => self.whole(exact_rate(rate, scope)?, rate.span),
        }
    }

    /// A price that is paid once.
    pub fn once(&self, cost: Option<&Expr>, scope: Scope) -> Found<i64> {
        match cost.filter(|_| self.is_asked_for()) {
            None => Ok(0),
            Some(cost) => self.whole(exact_once(cost, scope)?, cost.span),
        }
    }

    fn whole(&self, exact: Exact, span: Span) -> Found<i64> {
        let scaled = (exact * Exact::from(i128::from(self.scale))).ceil().to_integer();
        scaled.to_i64().filter(|&price| price <= LARGEST_PRICE).ok_or_else(|| large(span))
    }
}

/// Keeps sums of prices over all steps and all time well inside 64 bits.
pub const LARGEST_PRICE: i64 = 1_000_000_000_000;

/// A price that is paid once, up to six decimal places.
pub fn exact_once(cost: &Expr, scope: Scope) -> Found<Exact> {
    cost.number(scope).map(rounded).map_err(|_| large(cost.span))
}

/// A price per unit of time, up to six decimal places.
pub fn exact_rate(rate: &Rate, scope: Scope) -> Found<Exact> {
    let amount = rate.amount.number(scope).map_err(|_| large(rate.span))?;
    let per = rate.per.as_ref().map_or(Some(1), |per| {
        // A rate with its own time stands only where units have a length.
        scope.unit.seconds().map(|_| per.value.seconds())
    });
    let unit = if rate.per.is_some() { scope.unit.seconds() } else { Some(1) };
    let (Some(per), Some(unit)) = (per, unit) else { return Err(large(rate.span)) };
    Ok(rounded(amount * Exact::from(i128::from(unit)) / Exact::from(i128::from(per))))
}

/// Up to six decimal places.
fn rounded(exact: Exact) -> Exact {
    let places = Exact::from(10_i128.pow(PLACES));
    (exact * places).ceil() / places
}

fn large(span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("too-large", span, "this price is too large to compute with"))
}
