//! What is to be made small: the makespan, or all costs.

use super::encoding::{Encoding, Paid, rank};
use crate::plan::{Anchor, Objective, Order, OrderId, Plan, StepId};
use takt_learn::{Choice, Point, Var};

impl Encoding {
    pub fn add_objective(&mut self, plan: &Plan) {
        match plan.objective {
            Objective::Feasible => {}
            Objective::Cost => self.add_cost(plan),
            Objective::Makespan => self.add_makespan(plan),
        }
    }

    fn add_makespan(&mut self, plan: &Plan) {
        let end = self.solver.variable(0, plan.horizon, Choice::Least(rank::VALUE));
        for order in plan.orders.ids() {
            for last in self.ends(plan, order) {
                self.solver.before(last, 0, end, None);
            }
        }
        self.objective = Some(end);
    }

    /// The ends of the steps that others do not follow.
    pub fn ends(&self, plan: &Plan, order: OrderId) -> Vec<Point> {
        let steps = plan.steps(order);
        let is_followed = |k: StepId| {
            steps.iter().flat_map(|step| &step.after).any(|link| {
                link.before == k && link.from == crate::plan::LagFrom::End && link.min >= 0
            })
        };
        steps.ids().filter(|&k| !is_followed(k)).map(|k| self.steps[order][k].end).collect()
    }

    fn add_cost(&mut self, plan: &Plan) {
        // Weight and variable of everything that is paid, and what is paid anyhow.
        let mut terms: Vec<(i64, Var)> = self.costs.clone();
        let mut fixed = 0;
        for (number, order) in plan.orders.entries() {
            for (step, vars) in plan.steps(number).iter().zip(self.steps[number].clone()) {
                let least = step.modes.iter().map(|mode| mode.cost).min().unwrap_or(0);
                fixed += least;
                for (mode, lit) in step.modes.iter().zip(&vars.modes) {
                    // A literal of a mode is a variable that is 1 where it holds.
                    terms.push((mode.cost - least, lit.side.var()));
                }
                if let Some(anchor) = step.anchor {
                    self.add_anchor(plan, anchor, vars.start, &mut terms);
                }
            }
            if order.costs.are_there() {
                self.add_order(plan, number, order, &mut terms);
            }
        }
        let most = i64::MAX / 8;
        let cost = self.solver.variable(fixed, most, Choice::Least(rank::VALUE));
        terms.retain(|term| term.0 != 0);
        self.paid = Paid { terms: terms.clone(), fixed };
        terms.push((-1, cost));
        self.solver.at_most(terms, -fixed);
        self.objective = Some(cost);
    }

    fn add_order(
        &mut self,
        plan: &Plan,
        number: OrderId,
        order: &Order,
        terms: &mut Vec<(i64, Var)>,
    ) {
        let finish = self.finish(plan, number, order.costs.storage > 0);
        let horizon = plan.horizon;
        if let Some(due) = order.due {
            if order.costs.delay > 0 {
                let late =
                    self.solver.variable(0, (horizon - due).max(0), Choice::Least(rank::COST));
                self.solver.before(finish, -due, late, None);
                terms.push((order.costs.delay, late));
            }
            if order.costs.late > 0 {
                let is_late = self.solver.boolean();
                self.solver.clause([finish.at_most(due), is_late]);
                // A literal is a variable that is 1 where it holds.
                terms.push((order.costs.late, is_late.side.var()));
            }
            if order.costs.storage > 0 {
                let early = self.solver.variable(0, due.max(0), Choice::Least(rank::COST));
                // -finish <= early - due
                let weight = finish.offset - due;
                self.solver.below(finish.var.lower(), early.upper(), weight, None);
                terms.push((order.costs.storage, early));
            }
        }
        if order.costs.holding > 0 {
            let begin = self.begin(plan, number);
            let held = self.solver.variable(0, horizon, Choice::Least(rank::COST));
            // finish - begin <= held
            let sum = [(1, finish.var), (-1, begin), (-1, held)];
            self.solver.at_most(merged(sum), -finish.offset);
            terms.push((order.costs.holding, held));
        }
    }

    /// A step starts so much later than before, or so much earlier.
    fn add_anchor(
        &mut self,
        plan: &Plan,
        Anchor { at, rate }: Anchor,
        start: Var,
        terms: &mut Vec<(i64, Var)>,
    ) {
        let late = self.solver.variable(0, (plan.horizon - at).max(0), Choice::Least(rank::COST));
        self.solver.before(start, -at, late, None);
        let early = self.solver.variable(0, at.max(0), Choice::Least(rank::COST));
        // -start <= early - at
        self.solver.below(start.lower(), early.upper(), -at, None);
        terms.extend([(rate, late), (rate, early)]);
    }

    /// When the order is over. Where being early costs, not later than its last end.
    fn finish(&mut self, plan: &Plan, order: OrderId, is_exact: bool) -> Point {
        let ends = self.ends(plan, order);
        if let [only] = ends.as_slice() {
            return *only;
        }
        let finish = self.solver.variable(0, plan.horizon, Choice::Least(rank::TIME));
        ends.iter().for_each(|&end| self.solver.before(end, 0, finish, None));
        if is_exact {
            let lits = self.one_of(ends.len());
            for (end, lit) in ends.iter().zip(lits) {
                self.solver.before(finish, 0, *end, Some(lit));
            }
        }
        finish.into()
    }

    /// When the order begins, or before that.
    fn begin(&mut self, plan: &Plan, order: OrderId) -> Var {
        let steps = plan.steps(order);
        let firsts: Vec<Var> = steps
            .ids()
            .filter(|&k| steps[k].after.iter().all(|link| link.min < 0))
            .map(|k| self.steps[order][k].start)
            .collect();
        if let [only] = firsts.as_slice() {
            return *only;
        }
        let begin = self.solver.variable(0, plan.horizon, Choice::Least(rank::TIME));
        for vars in self.steps[order].clone() {
            self.solver.before(begin, 0, vars.start, None);
        }
        begin
    }
}

/// Terms of one variable together.
fn merged(terms: [(i64, Var); 3]) -> Vec<(i64, Var)> {
    let mut found: Vec<(i64, Var)> = Vec::new();
    for (weight, var) in terms {
        match found.iter_mut().find(|term| term.1 == var) {
            Some(term) => term.0 += weight,
            None => found.push((weight, var)),
        }
    }
    found
}
