//! Constants of scalar type that functions give to their locals: a local that is declared without a
//! value starts as the first element of its set, and that tells the element apart if somebody reads it.
//!
//! A flow analysis: it follows each function along all its ways and keeps the cells that may hold such a
//! constant. Where two ways meet, a cell may hold one if it may on either. Where a loop begins, every
//! cell may that is given one anywhere in the loop. A cell counts as written only where that is sure:
//! an element found by an index does not. What is passed by reference counts as read.

use super::access::reach;
use crate::model::analysis::walk;
use crate::model::{
    Argument, Expr, Function, IndexStep, Model, Param, Place, PlaceBase, Statement,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The cells that may be read while they hold a constant that their function gave them, and that
/// function.
pub type Read = BTreeMap<u32, u32>;

pub fn read_constants(model: &Model) -> Read {
    let mut read = Read::new();
    for (number, function) in (0..).zip(&model.functions) {
        let held = Some(BTreeSet::new());
        let mut walk = ConstantFlow { model, function, held, read: BTreeSet::new() };
        function.body.iter().for_each(|part| walk.statement(part));
        read.extend(walk.read.into_iter().map(|cell| (cell, number)));
    }
    read
}

/// The cell of a local that a statement of the form `cell = constant` is for.
pub fn given_cell(model: &Model, place: &Place, value: &Expr) -> Option<u32> {
    match (place.base, value) {
        (PlaceBase::Fixed(base), Expr::Const(_)) if place.steps.is_empty() => {
            Some(base.0 + place.offset).filter(|&cell| cell >= model.state_len)
        }
        _ => None,
    }
}

/// Whether a place is a table of default values.
pub fn is_default(model: &Model, place: &Place) -> bool {
    matches!(place.base, PlaceBase::Fixed(base) if model.layout.defaults.contains(&base))
}

/// The cells that a place of `len` cells may be.
fn range(place: &Place, len: u32) -> Option<Range<u32>> {
    let PlaceBase::Fixed(base) = place.base else { return None };
    let start = base.0 + place.offset;
    Some(start..start + reach(&place.steps) as u32 + len)
}

/// The cells that may hold a constant; `None` where it never comes to.
type Held = Option<BTreeSet<u32>>;

struct ConstantFlow<'m> {
    model: &'m Model,
    function: &'m Function,
    held: Held,
    read: BTreeSet<u32>,
}

impl ConstantFlow<'_> {
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expr(expr) => self.expr(expr),
            Statement::Block(body) => body.iter().for_each(|part| self.statement(part)),
            Statement::If(test, then, otherwise) => {
                self.expr(test);
                self.either(
                    |walk| walk.statement(then),
                    |walk| otherwise.iter().for_each(|part| walk.statement(part)),
                );
            }
            Statement::While(test, body, _) => {
                self.expr(test);
                self.repeat(self.given_in(statement), |walk| {
                    walk.statement(body);
                    walk.expr(test);
                });
            }
            // The first round is like the others, but there is one.
            Statement::DoWhile(body, test, _) => {
                let given = self.given_in(statement);
                self.held.iter_mut().for_each(|held| held.extend(&given));
                self.statement(body);
                self.expr(test);
            }
            Statement::For { initial, condition, step, body, .. } => {
                self.expr(initial);
                self.expr(condition);
                self.repeat(self.given_in(statement), |walk| {
                    walk.statement(body);
                    walk.expr(step);
                    walk.expr(condition);
                });
            }
            Statement::ForEach { body, .. } => {
                self.repeat(self.given_in(statement), |walk| walk.statement(body));
            }
            Statement::Return(value) => {
                value.iter().for_each(|value| self.expr(value));
                self.held = None;
            }
            Statement::ReturnAggregate(place) => {
                self.reads(place, self.function.result.map_or(1, |(_, len)| len));
                self.held = None;
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) => {}
            Expr::Load(place) | Expr::PostIncrement(place, _) => self.reads(place, 1),
            Expr::Unary(_, inner) | Expr::AddCost(inner) => self.expr(inner),
            Expr::Binary(_, left, right, _) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                self.expr(left);
                self.either(|walk| walk.expr(right), |_| {});
            }
            Expr::Conditional(test, yes, no) => {
                self.expr(test);
                self.either(|walk| walk.expr(yes), |walk| walk.expr(no));
            }
            Expr::Quantifier { body, .. } => {
                self.repeat(self.given_by(body), |walk| walk.expr(body));
            }
            Expr::Call(function, arguments, _) => {
                let parameters = &self.model.functions[*function].parameters;
                for (argument, parameter) in arguments.iter().zip(parameters) {
                    self.argument(argument, parameter);
                }
            }
            Expr::Assign(place, value) => {
                self.steps(&place.steps);
                self.expr(value);
                let is_given = given_cell(self.model, place, value).is_some();
                self.writes(place, 1, is_given);
            }
            Expr::Update(place, _, value, _) => {
                self.expr(value);
                self.reads(place, 1);
                self.writes(place, 1, false);
            }
            Expr::Copy { to, from, len } => {
                self.steps(&to.steps);
                self.reads(from, *len);
                self.writes(to, *len, is_default(self.model, from));
            }
            Expr::Same { left, right, len } => {
                self.reads(left, *len);
                self.reads(right, *len);
            }
            Expr::Reset(clock, value) => {
                self.steps(&clock.steps);
                self.expr(value);
            }
            Expr::Sequence(parts) => parts.iter().for_each(|part| self.expr(part)),
        }
    }

    fn argument(&mut self, argument: &Argument, parameter: &Param) {
        match argument {
            Argument::Value(value) => self.expr(value),
            Argument::Aggregate(place, len) => self.reads(place, *len),
            Argument::Clock(clock) => self.steps(&clock.steps),
            Argument::Reference(place) => {
                self.steps(&place.steps);
                let behind = self.model.layout.references.get(&parameter.addr);
                let cells = range(place, behind.map_or(1, |slots| slots.len() as u32));
                let scalars = cells.into_iter().flatten().filter(|&cell| self.is_scalar(cell));
                self.read.extend(scalars.collect::<Vec<u32>>());
            }
        }
    }

    fn is_scalar(&self, cell: u32) -> bool {
        cell >= self.model.state_len && self.model.cells[cell as usize].scalar_set.is_some()
    }

    fn steps(&mut self, steps: &[IndexStep]) {
        steps.iter().for_each(|step| self.expr(&step.index));
    }

    /// What lies behind references was noted when they were made.
    fn reads(&mut self, place: &Place, len: u32) {
        self.steps(&place.steps);
        if let (Some(cells), Some(held)) = (range(place, len), &self.held) {
            self.read.extend(held.range(cells));
        }
    }

    /// A write to cells that are surely these; others may keep what they hold.
    fn writes(&mut self, place: &Place, len: u32, is_given: bool) {
        let (PlaceBase::Fixed(base), true) = (place.base, place.steps.is_empty()) else { return };
        let start = base.0 + place.offset;
        let scalars: Vec<u32> = (start..start + len).filter(|&c| self.is_scalar(c)).collect();
        let Some(held) = &mut self.held else { return };
        for cell in scalars {
            match is_given {
                true => held.insert(cell),
                false => held.remove(&cell),
            };
        }
    }

    /// One of two ways.
    fn either(&mut self, one: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let before = self.held.clone();
        one(self);
        let after = std::mem::replace(&mut self.held, before);
        other(self);
        self.join(after);
    }

    /// Any number of rounds of a loop.
    fn repeat(&mut self, given: Vec<u32>, round: impl FnOnce(&mut Self)) {
        if let Some(held) = &mut self.held {
            held.extend(given);
        }
        let before = self.held.clone();
        round(self);
        self.join(before);
    }

    /// The cells that get a constant somewhere in the statement.
    fn given_in(&self, statement: &Statement) -> Vec<u32> {
        let mut given = Vec::new();
        walk::statement(statement, &mut |part| {
            walk::expressions_of(part, &mut |expr| given.extend(self.given_by(expr)));
        });
        given
    }

    fn given_by(&self, expr: &Expr) -> Vec<u32> {
        let mut given = Vec::new();
        walk::expr(expr, &mut |part| match part {
            Expr::Assign(place, value) => given.extend(given_cell(self.model, place, value)),
            Expr::Copy { to, from, len } if is_default(self.model, from) => {
                given.extend(range(to, *len).into_iter().flatten());
            }
            _ => {}
        });
        given.retain(|&cell| self.is_scalar(cell));
        given
    }

    fn join(&mut self, other: Held) {
        match (&mut self.held, other) {
            (Some(held), Some(other)) => held.extend(other),
            (held @ None, other) => *held = other,
            (Some(_), None) => {}
        }
    }
}
