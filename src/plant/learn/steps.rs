//! Steps as variables: when they start and end, in which mode, after which others; orders that are alike.

use super::encoding::{Encoding, StepVars, rank};
use crate::plan::{IdVec, LagFrom, Mode, OrderId, Plan, Step, StepId};
use takt_learn::{Choice, Lit, Point, Timing, Var};

impl Encoding {
    pub fn add_steps(&mut self, plan: &Plan) {
        for order in plan.orders.ids() {
            let mut own = IdVec::default();
            for (number, step) in plan.steps(order).entries() {
                own.push(self.add_step(plan, order, number, step));
            }
            self.steps.push(own);
            self.add_links(plan, order);
            self.add_same(plan, order);
        }
    }

    fn add_step(&mut self, plan: &Plan, order: OrderId, number: StepId, step: &Step) -> StepVars {
        let of = &plan.orders[order];
        let latest = of.deadline.unwrap_or(plan.horizon).min(plan.horizon);
        // Where capacities are shared, starts are decided as well; elsewhere sequences decide them.
        let is_shared = step
            .modes
            .iter()
            .flat_map(|mode| &mode.needs)
            .any(|need| plan.pools[need.pool].capacity() > need.amount);
        let choice = if is_shared { Choice::Active } else { Choice::Least(rank::TIME) };
        let start = self.solver.variable(of.release.min(plan.horizon + 1), plan.horizon, choice);
        let modes = self.one_of(step.modes.len());
        let length = rigid_length(step);
        let end = match length {
            Some(length) => Point { var: start, offset: length },
            None => self
                .solver
                .variable(
                    of.release.min(latest + 1),
                    latest.max(of.release),
                    Choice::Least(rank::TIME),
                )
                .into(),
        };
        self.solver.clause([end.at_most(latest)]);
        for (k, mode) in step.modes.iter().enumerate() {
            self.add_mode(plan, (step, mode), (start, end), modes.get(k).copied(), length);
        }
        let recipe = &plan.recipes[of.recipe];
        let begin = recipe.holds.iter().enumerate().filter(|(_, hold)| hold.from == number);
        let holds = begin.map(|(k, hold)| (k, self.one_of(hold.choices.len()))).collect();
        StepVars { start, end, modes, is_shared, holds }
    }

    /// How long the step lasts in this mode, and when it may start.
    fn add_mode(
        &mut self,
        plan: &Plan,
        (step, mode): (&Step, &Mode),
        (start, end): (Var, Point),
        condition: Option<Lit>,
        length: Option<i64>,
    ) {
        if let Some(calendar) = mode.calendar {
            let segments = self.segments.of(plan, calendar, mode.duration, step.pause);
            if step.pause.is_none() && length.is_none() {
                self.fix_length(start, end, mode.duration, condition);
            }
            self.solver.timing(Timing { start, end, condition, segments });
        } else if length.is_none() {
            self.fix_length(start, end, mode.duration, condition);
        }
    }

    fn fix_length(&mut self, start: Var, end: Point, length: i64, condition: Option<Lit>) {
        self.solver.before(start, length, end, condition);
        self.solver.before(end, -length, start, condition);
    }

    /// Literals of which exactly one holds; none where there is no choice.
    pub fn one_of(&mut self, count: usize) -> Vec<Lit> {
        if count < 2 {
            return Vec::new();
        }
        let lits: Vec<Lit> = (0..count).map(|_| self.solver.boolean()).collect();
        self.solver.clause(lits.iter().copied());
        for (k, &one) in lits.iter().enumerate() {
            for &other in &lits[..k] {
                self.solver.clause([!one, !other]);
            }
        }
        lits
    }

    /// Who takes the units of another does what the other's mode says.
    fn add_same(&mut self, plan: &Plan, order: OrderId) {
        for (number, step) in plan.steps(order).entries() {
            for (k, mode) in step.modes.iter().enumerate() {
                let own = self.steps[order][number].modes.get(k).copied();
                for &(other, wanted) in &mode.same {
                    let other = self.steps[order][other].modes.get(wanted).copied();
                    self.solver.clause(own.map(|lit| !lit).into_iter().chain(other));
                }
            }
        }
    }

    fn add_links(&mut self, plan: &Plan, order: OrderId) {
        let steps = plan.steps(order);
        for (number, step) in steps.entries() {
            let start = self.steps[order][number].start;
            let shortest = step.shortest();
            self.solver.before(start, shortest, self.steps[order][number].end, None);
            for link in &step.after {
                let before = &self.steps[order][link.before];
                let from = match link.from {
                    LagFrom::Start => before.start.into(),
                    LagFrom::End => before.end,
                };
                self.solver.before(from, link.min, start, None);
                if let Some(max) = link.max {
                    self.solver.before(start, -max, from, None);
                }
            }
        }
    }
}

/// How long the step lasts from start to end, where that does not depend on anything.
fn rigid_length(step: &Step) -> Option<i64> {
    let is_rigid = |mode: &Mode| mode.calendar.is_none() || step.pause.is_none();
    let length = step.shortest();
    (step.modes.iter().all(is_rigid) && length == step.longest()).then_some(length)
}
