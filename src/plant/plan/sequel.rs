//! Orders that come after others. Who is waited for together is a group: one order, or all copies of one, whose finish
//! is that of the last of them.
//!
//! An order that has begun with a fact waits for orders that are facts themselves: what is open of it starts so long
//! after they ended, and nothing is asked of the facts. Other links stay; where all that is waited for was over before 0,
//! as no step of a plan is, the times between count from there.

use super::build::{Builder, Found};
use super::ids::{GroupId, Id, OrderId};
use super::{Group, OrderLink, Plan};
use std::collections::BTreeMap;
use takt_spec::{self as spec};

/// Which orders a name stands for, and the groups that are there by now.
pub struct Sequels<'s> {
    called: BTreeMap<&'s str, Vec<usize>>,
    groups: BTreeMap<&'s str, GroupId>,
}

impl<'s> Sequels<'s> {
    pub fn new(spec: &'s spec::Spec) -> Sequels<'s> {
        let is_asked = spec.orders.iter().any(|order| !order.after.is_empty());
        let called = if is_asked { spec::orders_called(&spec.orders) } else { BTreeMap::new() };
        Sequels { called, groups: BTreeMap::new() }
    }
}

impl<'s> Builder<'s> {
    /// What an order waits for, and from when on its open steps may start if it has begun with a fact.
    pub fn waits(
        &mut self,
        order: &'s spec::Order,
        sequels: &mut Sequels<'s>,
    ) -> Found<(Vec<OrderLink>, i64)> {
        let (mut links, mut least) = (Vec::new(), i64::MIN);
        let has_begun = self.has_fact(order);
        for before in &order.after {
            // Only a spec that was cut down names orders that it does not have.
            let Some(members) = sequels.called.get(before.order.value.as_str()).cloned() else {
                continue;
            };
            let (min, max) = self.between(before, order)?;
            let over = self.over(&members);
            if has_begun {
                least = over.map_or(least, |over| least.max(over.saturating_add(min)));
                continue;
            }
            let next = self.plan.groups.next_id();
            let group = *sequels.groups.entry(&before.order.value).or_insert(next);
            if group == next {
                let orders = members.into_iter().map(OrderId).collect();
                self.plan.groups.push(Group { orders, ..Group::default() });
            }
            links.push(since(OrderLink { group, min, max }, over));
        }
        Ok((links, least))
    }

    fn has_fact(&self, order: &'s spec::Order) -> bool {
        let id = order.id.value.as_str();
        let mut own = self.facts.steps.range((id, "")..);
        own.next().is_some_and(|((other, _), _)| *other == id)
    }

    /// When the last of these orders ended, if all of them are nothing but facts.
    fn over(&self, orders: &[usize]) -> Option<i64> {
        let mut latest = i64::MIN;
        for &order in orders {
            let order = &self.spec.orders[order];
            for step in &self.spec.recipe(&order.recipe.value)?.steps {
                latest = latest.max(self.fact(order, step)?.end);
            }
        }
        Some(latest)
    }

    /// Who is in which group, and who waits for it.
    pub fn tie_groups(&mut self) {
        let Plan { orders, groups, .. } = &mut self.plan;
        for (number, group) in groups.entries() {
            group.orders.iter().for_each(|&member| orders[member].groups.push(number));
        }
        for (number, order) in orders.entries() {
            for link in &order.after {
                groups[link.group].followers.push(number);
                groups[link.group].is_limited |= link.max.is_some();
            }
        }
    }
}

/// What was over before 0 has its end at 0 in a plan.
fn since(link: OrderLink, over: Option<i64>) -> OrderLink {
    let Some(before) = over.filter(|&over| over < 0) else { return link };
    let (min, max) = ((link.min + before).max(0), link.max.map(|max| max + before));
    match max {
        // What is over cannot be met.
        Some(max) if max < min => OrderLink { min: 1, max: Some(0), ..link },
        _ => OrderLink { min, max, ..link },
    }
}

impl Plan {
    /// All orders, each after those that it waits for; as they stand where that says nothing.
    pub fn sequence(&self) -> Vec<OrderId> {
        let mut left = self.groups.iter().map(|group| group.orders.len()).collect::<Vec<_>>();
        let mut waits: Vec<usize> = self.orders.iter().map(|order| order.after.len()).collect();
        let mut ready: std::collections::BTreeSet<OrderId> =
            self.orders.ids().filter(|order| waits[order.index()] == 0).collect();
        let mut found = Vec::with_capacity(self.orders.len());
        while let Some(order) = ready.pop_first() {
            found.push(order);
            for &group in &self.orders[order].groups {
                left[group.index()] -= 1;
                if left[group.index()] > 0 {
                    continue;
                }
                for &follower in &self.groups[group].followers {
                    waits[follower.index()] -= 1;
                    if waits[follower.index()] == 0 {
                        ready.insert(follower);
                    }
                }
            }
        }
        found
    }

    /// Where each order stands in [`Plan::sequence`].
    pub fn ranks(&self) -> super::IdVec<OrderId, usize> {
        let mut ranks = self.orders.filled(0);
        self.sequence().into_iter().enumerate().for_each(|(k, order)| ranks[order] = k);
        ranks
    }

    /// The finish of a group, where all of its orders have one.
    pub fn group_finish(
        &self,
        group: GroupId,
        finish: impl Fn(OrderId) -> Option<i64>,
    ) -> Option<i64> {
        let mut latest = None;
        for &order in &self.groups[group].orders {
            latest = latest.max(Some(finish(order)?));
        }
        latest
    }
}
