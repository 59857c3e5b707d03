//! What formulas say of where processes are, seen without evaluating them.

use crate::model::{Addr, Expr, Formula, LocationId, Model, PlaceBase, ProcessId};
use crate::network::{BinaryOp, UnaryOp};

/// A process is in a location.
pub type Fact = (ProcessId, LocationId);

/// Where processes are if the formula is true, or false.
pub fn facts_of(model: &Model, formula: &Formula, is_true: bool) -> Vec<Fact> {
    match (formula, is_true) {
        (Formula::Data(term), _) => facts_in(model, &term.tree, is_true),
        (Formula::Not(inner), _) => facts_of(model, inner, !is_true),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            parts.iter().flat_map(|part| facts_of(model, part, is_true)).collect()
        }
        _ => Vec::new(),
    }
}

fn facts_in(model: &Model, expr: &Expr, is_true: bool) -> Vec<Fact> {
    match (expr, is_true) {
        (Expr::And(left, right), true) | (Expr::Or(left, right), false) => {
            let mut facts = facts_in(model, left, is_true);
            facts.extend(facts_in(model, right, is_true));
            facts
        }
        (Expr::Unary(UnaryOp::Not, inner), _) => facts_in(model, inner, !is_true),
        (Expr::Binary(BinaryOp::Equal, left, right, _), true)
        | (Expr::Binary(BinaryOp::NotEqual, left, right, _), false) => {
            location(model, left, right).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The location that a process is in if both sides are equal.
fn location(model: &Model, left: &Expr, right: &Expr) -> Option<Fact> {
    let (Expr::Load(place), Expr::Const(value)) = (left, right) else { return None };
    let PlaceBase::Fixed(Addr(cell)) = place.base else { return None };
    let process = ProcessId(cell + place.offset);
    let of = model.processes.get(process.index())?;
    let is_there = place.steps.is_empty() && (0..of.locations.len() as i64).contains(value);
    is_there.then_some((process, LocationId(*value as u32)))
}

/// The ways in which the formula can be true, or false: in each of them all its facts hold.
pub fn ways_of(model: &Model, formula: &Formula, is_true: bool) -> Vec<Vec<Fact>> {
    match formula {
        Formula::Data(term) => ways_in(model, &term.tree, is_true),
        Formula::Not(inner) => ways_of(model, inner, !is_true),
        _ => vec![facts_of(model, formula, is_true)],
    }
}

fn ways_in(model: &Model, expr: &Expr, is_true: bool) -> Vec<Vec<Fact>> {
    match (expr, is_true) {
        (Expr::Or(left, right), true) | (Expr::And(left, right), false) => {
            let mut ways = ways_in(model, left, is_true);
            ways.extend(ways_in(model, right, is_true));
            ways
        }
        (Expr::Unary(UnaryOp::Not, inner), _) => ways_in(model, inner, !is_true),
        _ => vec![facts_in(model, expr, is_true)],
    }
}
