//! A stretch of time in which a resource cannot do what must be done there: a proof, without any
//! search, that there is no schedule. Heuristics play no part.
//!
//! A step of an order with a deadline lies after its head and before the deadline less what must
//! come after it. All that some group of units must do between two instants is work (units times
//! time) that has to fit into their open time between them. This is what the preemptive schedule of
//! one fast machine needs, by the earliest deadline first (see `floor`), asked of every pair of
//! instants.

use super::floor::{Group, OpenTime, Work, groups, holds_of, steps_on};
use crate::plan::{Alone, OrderId, Plan, ResourceId};
use std::collections::{BTreeMap, BTreeSet};

/// Between two instants there is more to do than time to do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overload {
    /// Several are alternatives of each other.
    pub resources: Vec<ResourceId>,
    /// As few as are too many.
    pub orders: Vec<OrderId>,
    pub from: i64,
    pub until: i64,
    /// Units times time.
    pub needed: i64,
    pub available: i64,
}

/// Pairs of instants are many; of more beginnings than this only some are looked at.
const MOST_BEGINNINGS: usize = 1000;

/// The one with the fewest orders, if there is any.
pub fn overload(plan: &Plan) -> Option<Overload> {
    if plan.orders.iter().all(|order| order.deadline.is_none()) {
        return None;
    }
    let orders: Vec<(OrderId, Alone)> = plan
        .orders
        .ids()
        .filter(|&order| plan.orders[order].deadline.is_some())
        .map(|order| Some((order, Alone::of(plan, order).ok()?)))
        .collect::<Option<_>>()?;
    let found = groups(plan).into_iter().filter_map(|group| of_group(plan, &orders, &group));
    found.min_by_key(|overload| overload.orders.len())
}

/// Work that has to lie between two instants.
struct Duty {
    order: OrderId,
    from: i64,
    until: i64,
    amount: i64,
}

fn of_group(plan: &Plan, orders: &[(OrderId, Alone)], group: &Group) -> Option<Overload> {
    let supply = Supply::of(plan, group);
    let mut duties: Vec<Duty> = Vec::new();
    for (order, alone) in orders {
        // Some schedule ends by the horizon, if there is one; calendars are not known beyond it.
        let deadline = plan.orders[*order].deadline?.min(plan.horizon);
        let mut works = steps_on(plan, *order, alone, group);
        // Holds go on in closed time, which is not part of the supply.
        if !supply.has_calendar {
            works.extend(holds_of(plan, *order, alone, group));
        }
        duties.extend(works.iter().map(|&Work { head, amount, tail }| Duty {
            order: *order,
            from: head,
            until: deadline - tail,
            amount,
        }));
    }
    duties.sort_by_key(|duty| duty.until);
    let beginnings: BTreeSet<i64> = duties.iter().map(|duty| duty.from).collect();
    let stride = beginnings.len().div_ceil(MOST_BEGINNINGS).max(1);
    let found = beginnings.into_iter().step_by(stride).filter_map(|from| {
        let until = first_excess(&duties, &supply, from)?;
        Some(fewest(plan, group, &duties, &supply, (from, until)))
    });
    found.min_by_key(|overload| overload.orders.len())
}

/// The first instant by which more must be done since `from` than can be.
fn first_excess(duties: &[Duty], supply: &Supply, from: i64) -> Option<i64> {
    let mut sum = 0;
    let mut own = duties.iter().filter(|duty| duty.from >= from).peekable();
    while let Some(duty) = own.next() {
        sum += duty.amount;
        let is_last = own.peek().is_none_or(|next| next.until > duty.until);
        if is_last && sum > supply.between(from, duty.until) {
            return Some(duty.until);
        }
    }
    None
}

/// Of the orders with work in a stretch those with the most of it, until it is too much.
fn fewest(
    plan: &Plan,
    group: &Group,
    duties: &[Duty],
    supply: &Supply,
    (from, until): (i64, i64),
) -> Overload {
    let mut amounts: BTreeMap<OrderId, i64> = BTreeMap::new();
    for duty in duties.iter().filter(|duty| duty.from >= from && duty.until <= until) {
        *amounts.entry(duty.order).or_default() += duty.amount;
    }
    let mut by_amount: Vec<(OrderId, i64)> = amounts.into_iter().collect();
    by_amount.sort_by_key(|&(order, amount)| (-amount, order));
    let available = supply.between(from, until);
    let (mut orders, mut needed) = (Vec::new(), 0);
    for (order, amount) in by_amount {
        if needed > available {
            break;
        }
        orders.push(order);
        needed += amount;
    }
    orders.sort_unstable();
    let resources: BTreeSet<ResourceId> =
        group.iter().map(|&pool| plan.pools[pool].resource).collect();
    let resources = resources.into_iter().collect();
    Overload { resources, orders, from, until, needed, available }
}

/// What the units of a group can do.
struct Supply<'a> {
    pools: Vec<(i64, Option<OpenTime<'a>>)>,
    has_calendar: bool,
}

impl Supply<'_> {
    fn of<'a>(plan: &'a Plan, group: &Group) -> Supply<'a> {
        let pools: Vec<_> = group
            .iter()
            .map(|&pool| {
                let pool = &plan.pools[pool];
                let calendar = pool.calendar.map(|calendar| &plan.calendars[calendar]);
                (pool.capacity(), calendar.map(OpenTime::of))
            })
            .collect();
        let has_calendar = pools.iter().any(|(_, open)| open.is_some());
        Supply { pools, has_calendar }
    }

    fn between(&self, from: i64, until: i64) -> i64 {
        let of_pool = |(capacity, open): &(i64, Option<OpenTime>)| {
            let time = match open {
                None => until - from,
                Some(open) => open.until(until) - open.until(from),
            };
            capacity * time.max(0)
        };
        self.pools.iter().map(of_pool).sum()
    }
}
