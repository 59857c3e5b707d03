//! Gives cells their final addresses once the state's length is known.
//!
//! While names are resolved, the numbers of processes and variables are not known yet, so an
//! address says which memory it means in its upper bits: variables, scratch, or locations.
//! Trees leave the resolver through here. The names keep unlinked addresses: queries are resolved
//! and linked like the rest.

use crate::model::{
    Addr, Argument, ClockBase, ClockPlace, ClockRef, ClockTest, Conjunct, Expr, Formula, Function,
    IndexStep, Objective, Place, PlaceBase, ProcessId, Query, Statement, Term,
};

const SCRATCH: u32 = 1 << 31;
const LOCATION: u32 = 1 << 30;

pub fn variable(index: usize) -> Addr {
    Addr(index as u32)
}

pub fn scratch(index: usize) -> Addr {
    Addr(index as u32 | SCRATCH)
}

pub fn location(process: ProcessId) -> Addr {
    Addr(process.0 | LOCATION)
}

/// Which of the three memories an address means, for the evaluator of constants.
pub fn scratch_index(addr: Addr) -> Option<usize> {
    (addr.0 & SCRATCH != 0).then_some((addr.0 & !SCRATCH) as usize)
}

/// The final layout.
#[derive(Clone, Copy, Debug)]
pub struct Linker {
    pub processes: u32,
    pub state_len: u32,
}

impl Linker {
    pub fn addr(&self, addr: &mut Addr) {
        if addr.0 & SCRATCH != 0 {
            addr.0 = (addr.0 & !SCRATCH) + self.state_len;
        } else if addr.0 & LOCATION != 0 {
            addr.0 &= !LOCATION;
        } else {
            addr.0 += self.processes;
        }
    }

    pub fn term(&self, term: &mut Term) {
        self.expr(&mut term.tree);
    }

    pub fn expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Const(_) => {}
            Expr::Load(place) | Expr::PostIncrement(place, _) => self.place(place),
            Expr::Unary(_, inner) | Expr::AddCost(inner) => self.expr(inner),
            Expr::Binary(_, left, right, _) | Expr::And(left, right) | Expr::Or(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Conditional(condition, then, otherwise) => {
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            Expr::Quantifier { binder, body, .. } => {
                self.addr(binder);
                self.expr(body);
            }
            Expr::Call(_, arguments, _) => {
                arguments.iter_mut().for_each(|argument| self.argument(argument))
            }
            Expr::Assign(place, value) | Expr::Update(place, _, value, _) => {
                self.place(place);
                self.expr(value);
            }
            Expr::Copy { to: a, from: b, .. } | Expr::Same { left: a, right: b, .. } => {
                self.place(a);
                self.place(b);
            }
            Expr::Reset(clock, value) => {
                self.clock(clock);
                self.expr(value);
            }
            Expr::Sequence(parts) => parts.iter_mut().for_each(|part| self.expr(part)),
        }
    }

    fn argument(&self, argument: &mut Argument) {
        match argument {
            Argument::Value(value) => self.expr(value),
            Argument::Aggregate(place, _) | Argument::Reference(place) => self.place(place),
            Argument::Clock(clock) => self.clock(clock),
        }
    }

    fn place(&self, place: &mut Place) {
        match &mut place.base {
            PlaceBase::Fixed(addr) | PlaceBase::Reference(addr) => self.addr(addr),
        }
        self.steps(&mut place.steps);
    }

    fn clock(&self, clock: &mut ClockPlace) {
        if let ClockBase::Reference(addr) = &mut clock.base {
            self.addr(addr);
        }
        self.steps(&mut clock.steps);
    }

    fn steps(&self, steps: &mut [IndexStep]) {
        steps.iter_mut().for_each(|step| self.expr(&mut step.index));
    }

    pub fn function(&self, function: &mut Function) {
        function.parameters.iter_mut().for_each(|parameter| self.addr(&mut parameter.addr));
        if let Some((addr, _)) = &mut function.result {
            self.addr(addr);
        }
        function.body.iter_mut().for_each(|statement| self.statement(statement));
    }

    fn statement(&self, statement: &mut Statement) {
        match statement {
            Statement::Expr(expr) | Statement::Return(Some(expr)) => self.expr(expr),
            Statement::Return(None) => {}
            Statement::ReturnAggregate(place) => self.place(place),
            Statement::Block(body) => body.iter_mut().for_each(|inner| self.statement(inner)),
            Statement::If(condition, then, otherwise) => {
                self.expr(condition);
                self.statement(then);
                otherwise.iter_mut().for_each(|inner| self.statement(inner));
            }
            Statement::While(condition, body, _) | Statement::DoWhile(body, condition, _) => {
                self.expr(condition);
                self.statement(body);
            }
            Statement::For { initial, condition, step, body, .. } => {
                self.expr(initial);
                self.expr(condition);
                self.expr(step);
                self.statement(body);
            }
            Statement::ForEach { binder, body, .. } => {
                self.addr(binder);
                self.statement(body);
            }
        }
    }

    pub fn conjunct(&self, conjunct: &mut Conjunct) {
        match conjunct {
            Conjunct::Data(term) => self.term(term),
            Conjunct::Clock(test) => self.test(test),
        }
    }

    fn test(&self, test: &mut ClockTest) {
        test.unless.iter_mut().for_each(|term| self.term(term));
        for clock in [&mut test.left, &mut test.right].into_iter().flatten() {
            if let ClockRef::Indexed { place, .. } = clock {
                self.clock(place);
            }
        }
        self.term(&mut test.bound);
    }

    pub fn query(&self, query: &mut Query) {
        let (formulas, of) = query.parts_mut();
        for formula in formulas {
            formula.each_leaf_mut(&mut |leaf| match leaf {
                Formula::Data(term) => self.term(term),
                Formula::Clock(test) => self.test(test),
                _ => {}
            });
        }
        if let Some(Objective::Data(term)) = of {
            self.term(term);
        }
    }
}
