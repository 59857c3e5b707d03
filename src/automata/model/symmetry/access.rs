//! Lists what a part of the model does to memory, so that two parts can be asked whether it matters
//! which of them comes first.

use super::fold::{Fold, Folds, Gather};
use crate::model::{
    Addr, Argument, ClockBase, ClockPlace, Expr, FunctionId, IndexStep, Model, Place, PlaceBase,
    Statement,
};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// What is done to a range of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// Clocks come behind all cells.
    pub cells: Range<u64>,
    pub how: How,
    /// The stride of a step whose index is the loop's own variable.
    pub by: Option<u32>,
    /// It happens whenever the part is gone through, and to all of the cells.
    pub is_sure: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How {
    Read,
    Set(i64),
    /// Joins a value to what was there; nobody looks at what comes of it.
    Gather(Gather),
    Write,
}

pub const CLOCKS: u64 = 1 << 40;
const EVERYTHING: Range<u64> = 0..u64::MAX;

/// What the functions of a model do when they are called, as far as it was asked for: they may call
/// each other often.
#[derive(Debug)]
pub struct Known(RefCell<Vec<Option<Rc<[Access]>>>>);

impl Known {
    pub fn new(model: &Model) -> Known {
        Known(RefCell::new(vec![None; model.functions.len()]))
    }

    fn of_function(&self, folds: Folds, at: FunctionId) -> Rc<[Access]> {
        if let Some(known) = &self.0.borrow()[at] {
            return known.clone();
        }
        let mut reader = AccessReader { is_called: true, ..AccessReader::new(folds, None) };
        folds.keys.model.functions[at].body.iter().for_each(|part| reader.statement(part));
        let found: Rc<[Access]> = reader.found.into();
        self.0.borrow_mut()[at] = Some(found.clone());
        found
    }
}

/// Lists accesses.
pub struct AccessReader<'m> {
    model: &'m Model,
    folds: Folds<'m>,
    binder: Option<Addr>,
    /// Inside a called function: its own memory is nobody else's business.
    is_called: bool,
    /// Inside something that may be passed by.
    doubts: u32,
    pub found: Vec<Access>,
    /// What the loop returns, if it does.
    pub returns: Vec<Option<i64>>,
}

impl<'m> AccessReader<'m> {
    pub fn new(folds: Folds<'m>, binder: Option<Addr>) -> AccessReader<'m> {
        let (model, found, returns) = (folds.keys.model, Vec::new(), Vec::new());
        AccessReader { model, folds, binder, is_called: false, doubts: 0, found, returns }
    }

    fn push(&mut self, cells: Range<u64>, how: How, steps: &[IndexStep]) {
        let is_scratch = cells.start >= u64::from(self.model.state_len) && cells.end <= CLOCKS;
        if !(is_scratch && self.is_called) {
            let (by, is_sure) = (self.own_step(steps), self.doubts == 0 && steps.is_empty());
            self.found.push(Access { cells, how, by, is_sure });
        }
    }

    /// What may be passed by.
    fn doubtful(&mut self, read: impl FnOnce(&mut Self)) {
        self.doubts += 1;
        read(self);
        self.doubts -= 1;
    }

    fn place(&mut self, place: &Place, len: u32, how: How) {
        self.steps(&place.steps);
        match place.base {
            PlaceBase::Fixed(base) => {
                let start = u64::from(base.0 + place.offset);
                let end = start + reach(&place.steps) + u64::from(len);
                self.push(start..end, how, &place.steps);
            }
            PlaceBase::Reference(_) => self.doubtful(|r| r.push(EVERYTHING, how, &[])),
        }
    }

    fn clock(&mut self, place: &ClockPlace, how: How) {
        self.steps(&place.steps);
        match place.base {
            ClockBase::Fixed(base) => {
                let start = CLOCKS + u64::from(base.0 + place.offset);
                self.push(start..start + reach(&place.steps) + 1, how, &place.steps);
            }
            ClockBase::Reference(_) => self.doubtful(|r| r.push(CLOCKS..u64::MAX, how, &[])),
        }
    }

    fn steps(&mut self, steps: &[IndexStep]) {
        steps.iter().for_each(|step| self.expr(&step.index));
    }

    fn own_step(&self, steps: &[IndexStep]) -> Option<u32> {
        let binder = self.binder?;
        let is_own = |step: &&IndexStep| is_cell(&step.index, binder);
        steps.iter().find(is_own).map(|step| step.stride)
    }

    /// An expression whose value nobody looks at: adding to a variable does not count as reading it.
    pub fn effect(&mut self, expr: &Expr) {
        if let Some(fold) = self.folds.of_expr(expr) {
            return self.fold(&fold);
        }
        match expr {
            Expr::Sequence(parts) => parts.iter().for_each(|part| self.effect(part)),
            _ => self.expr(expr),
        }
    }

    fn fold(&mut self, fold: &Fold) {
        if let Some(test) = fold.test {
            self.expr(test);
        }
        self.doubtful(|reader| {
            fold.value.iter().for_each(|value| reader.expr(value));
            reader.place(fold.place, 1, How::Gather(fold.gather));
        });
    }

    pub fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) => {}
            Expr::Load(place) => self.place(place, 1, How::Read),
            Expr::Unary(_, inner) => self.expr(inner),
            Expr::AddCost(inner) => self.expr(inner),
            Expr::Binary(_, left, right, _) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                self.expr(left);
                self.doubtful(|reader| reader.expr(right));
            }
            Expr::Conditional(test, then, otherwise) => {
                self.expr(test);
                self.doubtful(|reader| {
                    reader.expr(then);
                    reader.expr(otherwise);
                });
            }
            Expr::Quantifier { body, .. } => self.expr(body),
            Expr::Call(function, arguments, _) => self.call(*function, arguments),
            Expr::Assign(place, value) => {
                self.expr(value);
                let how = match **value {
                    Expr::Const(value) => How::Set(value),
                    _ => How::Write,
                };
                self.place(place, 1, how);
            }
            Expr::Update(place, _, value, _) => {
                self.expr(value);
                self.place(place, 1, How::Read);
                self.place(place, 1, How::Write);
            }
            Expr::PostIncrement(place, _) => {
                self.place(place, 1, How::Read);
                self.place(place, 1, How::Write);
            }
            Expr::Copy { to, from, len } => {
                self.place(from, *len, How::Read);
                self.place(to, *len, How::Write);
            }
            Expr::Same { left, right, len } => {
                self.place(left, *len, How::Read);
                self.place(right, *len, How::Read);
            }
            Expr::Reset(clock, value) => {
                self.expr(value);
                let how = match **value {
                    Expr::Const(value) => How::Set(value),
                    _ => How::Write,
                };
                self.clock(clock, how);
            }
            Expr::Sequence(parts) => {
                if let Some((last, first)) = parts.split_last() {
                    first.iter().for_each(|part| self.effect(part));
                    self.expr(last);
                }
            }
        }
    }

    fn call(&mut self, function: FunctionId, arguments: &[Argument]) {
        for argument in arguments {
            match argument {
                Argument::Value(value) => self.expr(value),
                Argument::Aggregate(place, len) => self.place(place, *len, How::Read),
                // What is done through references is taken as done to anything.
                Argument::Reference(place) => self.steps(&place.steps),
                Argument::Clock(place) => self.steps(&place.steps),
            }
        }
        for access in self.folds.known.of_function(self.folds, function).iter() {
            let is_sure = access.is_sure && self.doubts == 0;
            self.found.push(Access { is_sure, ..access.clone() });
        }
    }

    pub fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expr(expr) => self.effect(expr),
            Statement::Block(body) => body.iter().for_each(|part| self.statement(part)),
            Statement::If(test, then, otherwise) => {
                if otherwise.is_none()
                    && let Some(fold) = self.folds.of_choice(test, then)
                {
                    return self.fold(&fold);
                }
                self.expr(test);
                self.doubtful(|reader| {
                    reader.statement(then);
                    otherwise.iter().for_each(|part| reader.statement(part));
                });
            }
            Statement::While(test, body, _) => {
                self.expr(test);
                self.doubtful(|reader| reader.statement(body));
            }
            // The body comes first, and may then come again.
            Statement::DoWhile(body, test, _) => {
                self.statement(body);
                self.expr(test);
            }
            Statement::For { initial, condition, step, body, .. } => {
                self.effect(initial);
                self.expr(condition);
                self.doubtful(|reader| {
                    reader.effect(step);
                    reader.statement(body);
                });
            }
            // It is gone through at least once: no type is empty.
            Statement::ForEach { body, .. } => self.statement(body),
            Statement::Return(value) => {
                value.iter().for_each(|value| self.expr(value));
                self.returns.push(match value {
                    Some(Expr::Const(value)) => Some(*value),
                    Some(_) => None,
                    None => Some(0),
                });
            }
            Statement::ReturnAggregate(place) => {
                self.place(place, 1, How::Read);
                self.returns.push(None);
            }
        }
    }
}

/// How far the steps lead at most.
pub fn reach(steps: &[IndexStep]) -> u64 {
    steps.iter().map(|s| u64::from(s.length.saturating_sub(1)) * u64::from(s.stride)).sum()
}

fn is_cell(expr: &Expr, cell: Addr) -> bool {
    matches!(expr, Expr::Load(Place { base: PlaceBase::Fixed(base), steps, offset: 0, .. })
        if *base == cell && steps.is_empty())
}

pub fn overlap(a: &Access, b: &Access) -> bool {
    a.cells.start < b.cells.end && b.cells.start < a.cells.end
}

/// Whether two accesses to the same cells may be exchanged.
pub fn commute(a: &Access, b: &Access) -> bool {
    match (a.how, b.how) {
        (How::Read, How::Read) => true,
        (How::Set(a), How::Set(b)) => a == b,
        (How::Gather(a), How::Gather(b)) => a == b,
        _ => false,
    }
}
