//! A plan with all that placing its steps needs to know beforehand.

use super::shape::Shape;
use crate::plan::{Discipline, IdVec, OrderId, Plan, RecipeId, StepId, sequences};

/// What never changes while schedules of one plan are made.
pub struct Plant<'a> {
    pub plan: &'a Plan,
    pub step_count: u64,
    /// What heuristics ask; before and least starts are kept while steps are placed.
    pub asked: Discipline,
    /// For each recipe.
    pub shapes: IdVec<RecipeId, Shape>,
    /// For each order: who must not overtake it.
    after: IdVec<OrderId, Option<OrderId>>,
    /// For each order: its place in the sequence of its recipe.
    pub rank: IdVec<OrderId, usize>,
    /// For each order: its place in a sequence in which all come after those that they wait for.
    pub depth: IdVec<OrderId, usize>,
}

impl<'a> Plant<'a> {
    pub fn new(plan: &'a Plan) -> Plant<'a> {
        let asked = plan.discipline();
        let (mut after, mut rank) = (plan.orders.filled(None), plan.orders.filled(0));
        for sequence in sequences(plan) {
            sequence.iter().enumerate().for_each(|(k, &order)| rank[order] = k);
        }
        for (order, before) in asked.before.entries() {
            before.iter().for_each(|&before| after[before] = Some(order));
        }
        let shape = |recipe| Shape::of(recipe, asked.most_active.is_some());
        let step_count = plan.step_count() as u64;
        Plant {
            plan,
            step_count,
            shapes: plan.recipes.iter().map(shape).collect(),
            after,
            rank,
            depth: plan.ranks(),
            asked,
        }
    }

    /// The order whose same step must have started before; nobody overtakes what facts claim.
    pub fn before(&self, order: OrderId, step: StepId) -> Option<OrderId> {
        self.asked.before[order].filter(|_| self.plan.steps(order)[step].is_written())
    }

    /// The order that must not start the same step before.
    pub fn after(&self, order: OrderId, step: StepId) -> Option<OrderId> {
        self.after[order].filter(|_| self.plan.steps(order)[step].is_written())
    }

    pub fn shape(&self, order: OrderId) -> &Shape {
        &self.shapes[self.plan.orders[order].recipe]
    }
}
