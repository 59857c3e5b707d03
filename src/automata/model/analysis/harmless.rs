//! Which expressions neither fail nor change anything: it does not matter when, or whether at all,
//! they are evaluated.
//!
//! Judged by the ranges that cells are declared with, without a look at what was tested before:
//! `n > 0 && 6 / n > 1` counts as one that may fail. So does every loop that has no fixed length.

use super::interval::{ANYTHING, Interval, join};
use super::ranges::Ranges;
use super::walk;
use crate::model::{
    Addr, Argument, ClockBase, ClockRef, ClockTest, Expr, Formula, Function, FunctionId, IndexStep,
    Model, Place, PlaceBase, Statement,
};
use crate::network::{BinaryOp, QuantifierKind, UnaryOp};
use std::cell::RefCell;

/// Sums of as many numbers as a model can have, each within this, fit 64 bits.
const SMALL: Interval = (-(1 << 40), 1 << 40);

/// Judges expressions of one model.
#[derive(Clone, Debug)]
pub struct Harmless<'m> {
    ranges: Ranges<'m>,
    /// What was found of functions.
    functions: RefCell<Vec<Option<bool>>>,
}

impl<'m> Harmless<'m> {
    pub fn new(model: &'m Model) -> Harmless<'m> {
        let functions = RefCell::new(vec![None; model.functions.len()]);
        let mut ranges = Ranges::declared(model);
        for (range, bound) in ranges.cells.iter_mut().zip(bound_variables(model)) {
            *range = bound.unwrap_or(*range);
        }
        Harmless { ranges, functions }
    }

    /// Whether its value has room to be added to others, in any order.
    pub fn is_small(&self, expr: &Expr) -> bool {
        is_within(self.ranges.of(expr), SMALL)
    }

    /// All values that it may have.
    pub fn values(&self, expr: &Expr) -> Interval {
        self.ranges.of(expr)
    }

    pub fn expr(&self, expr: &Expr) -> bool {
        let mut are_parts = true;
        walk::children(expr, &mut |part| are_parts = are_parts && self.expr(part));
        are_parts && self.itself(expr)
    }

    /// The same, if all parts of the expression are harmless.
    fn itself(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) | Expr::And(..) | Expr::Or(..) | Expr::Conditional(..) => true,
            Expr::Sequence(_) => true,
            Expr::Load(place) => self.place(place),
            Expr::Same { left, right, .. } => self.place(left) && self.place(right),
            Expr::Unary(UnaryOp::Minus, _) => self.fits(expr),
            Expr::Unary(..) => true,
            Expr::Binary(op, left, right, _) => self.operator(*op, left, right) && self.fits(expr),
            Expr::Quantifier { kind: QuantifierKind::Sum, .. } => self.fits(expr),
            Expr::Quantifier { .. } => true,
            Expr::Call(function, arguments, _) => {
                self.function(*function) && self.arguments(*function, arguments)
            }
            Expr::Assign(place, value) => self.write(place, self.ranges.of(value)),
            Expr::Update(place, op, value, _) => {
                let target = Expr::Load(place.clone());
                self.operator(*op, &target, value) && self.write(place, self.ranges.of(expr))
            }
            Expr::PostIncrement(place, delta) => {
                let (lo, hi) = self.ranges.of(expr);
                self.write(place, (lo.saturating_add(*delta), hi.saturating_add(*delta)))
            }
            Expr::Copy { .. } | Expr::Reset(..) | Expr::AddCost(_) => false,
        }
    }

    /// The result is no cut one.
    fn fits(&self, expr: &Expr) -> bool {
        let (lo, hi) = self.ranges.of(expr);
        lo > i64::MIN && hi < i64::MAX
    }

    fn operator(&self, op: BinaryOp, left: &Expr, right: &Expr) -> bool {
        let (left, right) = (self.ranges.of(left), self.ranges.of(right));
        match op {
            BinaryOp::Div | BinaryOp::Mod => (right.0 > 0 || right.1 < 0) && is_within(left, SMALL),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => is_within(right, (0, 63)),
            _ => true,
        }
    }

    fn place(&self, place: &Place) -> bool {
        matches!(place.base, PlaceBase::Fixed(_)) && self.steps(&place.steps)
    }

    /// All indices are in range.
    fn steps(&self, steps: &[IndexStep]) -> bool {
        steps.iter().all(|step| {
            let last = step.first.saturating_add(i64::from(step.length) - 1);
            self.expr(&step.index) && is_within(self.ranges.of(&step.index), (step.first, last))
        })
    }

    /// Scratch memory alone is written, and with what it may hold.
    fn write(&self, place: &Place, value: Interval) -> bool {
        let PlaceBase::Fixed(base) = place.base else { return false };
        let cell = self.ranges.model.cells.get((base.0 + place.offset) as usize);
        // All elements of an array have the range of the first.
        let holds = cell.is_some_and(|cell| is_within(value, (cell.lo, cell.hi)));
        base.0 >= self.ranges.model.state_len && holds && self.place(place)
    }

    fn arguments(&self, function: FunctionId, arguments: &[Argument]) -> bool {
        let model = self.ranges.model;
        let parameters = &model.functions[function].parameters;
        arguments.iter().zip(parameters).all(|(argument, parameter)| match argument {
            Argument::Value(value) => {
                let cell = &model.cells[parameter.addr];
                is_within(self.ranges.of(value), (cell.lo, cell.hi))
            }
            Argument::Aggregate(..) | Argument::Reference(_) | Argument::Clock(_) => false,
        })
    }

    /// Functions do not recurse.
    fn function(&self, function: FunctionId) -> bool {
        let known = self.functions.borrow()[function];
        known.unwrap_or_else(|| {
            let made = &self.ranges.model.functions[function];
            let found = made.body.iter().all(|part| self.statement(made, part))
                && (made.result.is_none() || made.body.last().is_some_and(returns));
            self.functions.borrow_mut()[function] = Some(found);
            found
        })
    }

    /// A statement of that function.
    pub fn statement(&self, of: &Function, statement: &Statement) -> bool {
        let inner = |part: &Statement| self.statement(of, part);
        match statement {
            Statement::Expr(expr) => self.expr(expr),
            Statement::Return(None) => true,
            Statement::Return(Some(value)) => {
                let result = of.result.map(|(addr, _)| &self.ranges.model.cells[addr]);
                let holds = |(lo, hi)| is_within(self.ranges.of(value), (lo, hi));
                self.expr(value) && result.is_none_or(|cell| holds((cell.lo, cell.hi)))
            }
            Statement::Block(body) => body.iter().all(inner),
            Statement::If(test, then, otherwise) => {
                self.expr(test) && inner(then) && otherwise.as_ref().is_none_or(|part| inner(part))
            }
            Statement::ForEach { body, .. } => inner(body),
            Statement::While(..) | Statement::DoWhile(..) | Statement::For { .. } => false,
            Statement::ReturnAggregate(_) => false,
        }
    }

    pub fn formula(&self, formula: &Formula) -> bool {
        !formula.has_leaf(&|leaf| match leaf {
            Formula::Data(term) => !self.expr(&term.tree),
            Formula::Clock(test) => !self.test(test),
            _ => false,
        })
    }

    pub fn test(&self, test: &ClockTest) -> bool {
        let clock = |clock: &ClockRef| match clock {
            ClockRef::Fixed(_) => true,
            ClockRef::Indexed { place, .. } => {
                matches!(place.base, ClockBase::Fixed(_)) && self.steps(&place.steps)
            }
        };
        let is_unless = test.unless.as_ref().is_none_or(|unless| self.expr(&unless.tree));
        is_unless && test.clocks().all(clock) && self.expr(&test.bound.tree)
    }
}

/// For each cell, what it runs through if it is the variable of a quantifier or a loop.
fn bound_variables(model: &Model) -> Vec<Option<Interval>> {
    let elements = |set: u32| (0, i64::from(model.scalar_sets[set as usize]) - 1);
    let scalars = model.cells.iter().map(|cell| cell.scalar_set.map(elements));
    let found: RefCell<Vec<Option<Interval>>> = RefCell::new(scalars.collect());
    let runs = |binder: Addr, lo: i64, hi: i64| {
        let range = &mut found.borrow_mut()[binder];
        *range = Some(range.map_or((lo, hi), |so_far| join(so_far, (lo, hi))));
    };
    walk::model(model, &mut |expr| {
        if let Expr::Quantifier { binder, lo, hi, .. } = expr {
            runs(*binder, *lo, *hi);
        }
    });
    for part in model.functions.iter().flat_map(|function| &function.body) {
        walk::statement(part, &mut |part| {
            if let Statement::ForEach { binder, lo, hi, .. } = part {
                runs(*binder, *lo, *hi);
            }
        });
    }
    found.into_inner()
}

/// Whether it never comes to what follows.
fn returns(statement: &Statement) -> bool {
    match statement {
        Statement::Return(_) => true,
        Statement::Block(body) => body.last().is_some_and(returns),
        Statement::If(_, then, otherwise) => {
            returns(then) && otherwise.as_ref().is_some_and(|part| returns(part))
        }
        _ => false,
    }
}

fn is_within(inner: Interval, outer: Interval) -> bool {
    inner != ANYTHING && outer.0 <= inner.0 && inner.1 <= outer.1
}
