//! Orders that come after others: all of an order starts after the finish of a group, and its first start only so
//! long after it.

use super::encoding::{Encoding, rank};
use crate::plan::{GroupId, OrderId, Plan};
use takt_learn::{Choice, Point, Var};

impl Encoding {
    pub fn add_sequels(&mut self, plan: &Plan) {
        let finishes: Vec<Point> =
            plan.groups.ids().map(|group| self.group_finish(plan, group)).collect();
        for (number, order) in plan.orders.entries() {
            let firsts = self.firsts(plan, number);
            for link in &order.after {
                let finish = finishes[link.group.0];
                for &first in &firsts {
                    self.solver.before(finish, link.min, first, None);
                }
                let Some(max) = link.max else { continue };
                let lits = self.one_of(firsts.len());
                for (k, &first) in firsts.iter().enumerate() {
                    self.solver.before(first, -max, finish, lits.get(k).copied());
                }
            }
        }
    }

    /// When the last order of a group is over; where others may wait only so long, not later than its last end.
    fn group_finish(&mut self, plan: &Plan, group: GroupId) -> Point {
        let group = &plan.groups[group];
        let ends: Vec<Point> =
            group.orders.iter().flat_map(|&order| self.ends(plan, order)).collect();
        if let [only] = ends.as_slice() {
            return *only;
        }
        let finish = self.solver.variable(0, plan.horizon, Choice::Least(rank::TIME));
        ends.iter().for_each(|&end| self.solver.before(end, 0, finish, None));
        if group.is_limited {
            let lits = self.one_of(ends.len());
            for (&end, lit) in ends.iter().zip(lits) {
                self.solver.before(finish, 0, end, Some(lit));
            }
        }
        finish.into()
    }

    /// The starts of the steps that follow none from its start on.
    fn firsts(&self, plan: &Plan, order: OrderId) -> Vec<Var> {
        let steps = plan.steps(order).entries();
        let firsts = steps.filter(|(_, step)| step.after.iter().all(|link| link.min < 0));
        firsts.map(|(k, _)| self.steps[order][k].start).collect()
    }
}
