//! A plan with all that placing its steps needs to know beforehand.

use super::shape::Shape;
use crate::plan::{Plan, Rule, sequences};

/// What never changes while schedules of one plan are made.
pub struct Plant<'a> {
    pub plan: &'a Plan,
    /// For each recipe.
    pub shapes: Vec<Shape>,
    /// For each order: whom it must not overtake, and who must not overtake it.
    pub before: Vec<Option<usize>>,
    pub after: Vec<Option<usize>>,
    /// For each order: its place in the sequence of its recipe.
    pub rank: Vec<usize>,
    /// For each order: no step starts before.
    pub least: Vec<i64>,
    pub most_active: Option<i64>,
}

impl<'a> Plant<'a> {
    pub fn new(plan: &'a Plan) -> Plant<'a> {
        let most_active = plan.heuristics.iter().find_map(|heuristic| match heuristic.rule {
            Rule::MaxActive(most) => Some(most),
            _ => None,
        });
        let within = plan.heuristics.iter().find_map(|heuristic| match heuristic.rule {
            Rule::StartWithin(time) => Some(time),
            _ => None,
        });
        let least = |order: &crate::plan::Order| {
            let start = order.due.zip(within).map_or(0, |(due, within)| due - within);
            order.release.max(start)
        };
        let count = plan.orders.len();
        let (mut before, mut after, mut rank) =
            (vec![None; count], vec![None; count], vec![0; count]);
        for sequence in sequences(plan) {
            sequence.iter().enumerate().for_each(|(k, &order)| rank[order] = k);
            if plan.rule(|rule| rule == Rule::NonOvertaking) {
                for pair in sequence.windows(2) {
                    (before[pair[1]], after[pair[0]]) = (Some(pair[0]), Some(pair[1]));
                }
            }
        }
        let shape = |recipe| Shape::of(recipe, most_active.is_some());
        Plant {
            plan,
            shapes: plan.recipes.iter().map(shape).collect(),
            before,
            after,
            rank,
            least: plan.orders.iter().map(least).collect(),
            most_active,
        }
    }

    pub fn shape(&self, order: usize) -> &Shape {
        &self.shapes[self.plan.orders[order].recipe]
    }
}
