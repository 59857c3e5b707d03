//! Clocks that an update resets for sure, whatever way it takes.

use super::walk;
use crate::model::{
    Addr, Argument, ClockBase, ClockId, ClockPlace, Expr, Model, Place, PlaceBase, Statement,
};
use crate::network::QuantifierKind;
use std::collections::BTreeSet;

/// An array of more clocks than this is not looked at one by one.
const MOST_CLOCKS: u64 = 1 << 16;

/// What is reset: a clock, or whatever clock is passed for a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Clock(ClockId),
    Parameter(Addr),
}

type Targets = BTreeSet<Target>;

/// A variable of a loop around, which takes all of these values.
#[derive(Clone, Copy)]
struct LoopVariable {
    binder: Addr,
    lo: i64,
    hi: i64,
}

/// Knows what each function resets for sure.
pub struct DefiniteResets<'a> {
    model: &'a Model,
    functions: Vec<Targets>,
}

impl<'a> DefiniteResets<'a> {
    /// Looks at functions in order: one can only be called by those after it. (Were it otherwise,
    /// a call would count as resetting nothing, which is safe.)
    pub fn new(model: &'a Model) -> DefiniteResets<'a> {
        let mut resets = DefiniteResets { model, functions: Vec::new() };
        for function in &model.functions {
            let mut found = Targets::new();
            resets.block(&function.body, &[], &mut found);
            resets.functions.push(found);
        }
        resets
    }

    /// The clocks that the update resets, ascending.
    pub fn of(&self, update: &Expr) -> Vec<ClockId> {
        let mut found = Targets::new();
        self.expr(update, &[], &mut found);
        let clock = |target| match target {
            Target::Clock(clock) => Some(clock),
            Target::Parameter(_) => None,
        };
        found.into_iter().filter_map(clock).collect()
    }

    fn expr(&self, expr: &Expr, rounds: &[LoopVariable], found: &mut Targets) {
        match expr {
            Expr::And(left, _) | Expr::Or(left, _) => self.expr(left, rounds, found),
            Expr::Conditional(condition, yes, no) => {
                self.expr(condition, rounds, found);
                // Different rounds may take different ways, so these are nothing to rely on.
                let (mut left, mut right) = (Targets::new(), Targets::new());
                self.expr(yes, &[], &mut left);
                self.expr(no, &[], &mut right);
                found.extend(left.intersection(&right));
            }
            Expr::Quantifier { kind, binder, lo, hi, body } => {
                if lo > hi {
                } else if *kind == QuantifierKind::Sum {
                    let round = LoopVariable { binder: *binder, lo: *lo, hi: *hi };
                    self.expr(body, &[rounds, &[round]].concat(), found);
                } else {
                    self.expr(body, rounds, found); // the first round is for sure
                }
            }
            Expr::Call(function, arguments, _) => {
                walk::children(expr, &mut |part| self.expr(part, rounds, found));
                let Some(resets) = self.functions.get(function.0 as usize) else { return };
                let parameters = &self.model.functions[*function].parameters;
                for reset in resets {
                    let Target::Parameter(addr) = reset else {
                        found.insert(*reset);
                        continue;
                    };
                    let passed = parameters.iter().position(|p| p.addr == *addr);
                    if let Some(Argument::Clock(place)) = passed.and_then(|i| arguments.get(i)) {
                        targets(place, rounds, found);
                    }
                }
            }
            Expr::Reset(place, _) => {
                walk::children(expr, &mut |part| self.expr(part, rounds, found));
                targets(place, rounds, found);
            }
            _ => walk::children(expr, &mut |part| self.expr(part, rounds, found)),
        }
    }

    /// Counts what comes before anything that may return.
    fn block(&self, statements: &[Statement], rounds: &[LoopVariable], found: &mut Targets) {
        for statement in statements {
            self.statement(statement, rounds, found);
            if walk::may_return(statement) {
                return;
            }
        }
    }

    fn statement(&self, statement: &Statement, rounds: &[LoopVariable], found: &mut Targets) {
        match statement {
            Statement::Expr(expr) | Statement::Return(Some(expr)) => {
                self.expr(expr, rounds, found);
            }
            Statement::Block(parts) => self.block(parts, rounds, found),
            Statement::If(condition, yes, no) => {
                self.expr(condition, rounds, found);
                let (mut left, mut right) = (Targets::new(), Targets::new());
                self.statement(yes, &[], &mut left);
                no.iter().for_each(|no| self.statement(no, &[], &mut right));
                found.extend(left.intersection(&right));
            }
            Statement::While(condition, ..) => self.expr(condition, rounds, found),
            Statement::DoWhile(body, condition, _) => {
                self.statement(body, rounds, found);
                if !walk::may_return(body) {
                    self.expr(condition, rounds, found);
                }
            }
            Statement::For { initial, condition, .. } => {
                self.expr(initial, rounds, found);
                self.expr(condition, rounds, found);
            }
            Statement::ForEach { binder, lo, hi, body } => {
                if lo <= hi && !walk::may_return(body) {
                    let round = LoopVariable { binder: *binder, lo: *lo, hi: *hi };
                    self.statement(body, &[rounds, &[round]].concat(), found);
                }
            }
            Statement::Return(None) | Statement::ReturnAggregate(_) => {}
        }
    }
}

/// Adds all clocks that the place denotes in the course of the rounds.
fn targets(place: &ClockPlace, rounds: &[LoopVariable], found: &mut Targets) {
    let base = match place.base {
        ClockBase::Fixed(clock) => clock.offset(place.offset),
        ClockBase::Reference(cell) if place.steps.is_empty() && place.offset == 0 => {
            found.insert(Target::Parameter(cell));
            return;
        }
        ClockBase::Reference(_) => return,
    };
    let mut spans = Vec::new();
    let mut used = BTreeSet::new();
    for step in &place.steps {
        let (lo, hi) = match &step.index {
            Expr::Const(index) => (*index, *index),
            Expr::Load(Place { base: PlaceBase::Fixed(cell), steps, offset: 0, .. })
                if steps.is_empty() =>
            {
                let Some(round) = rounds.iter().find(|round| round.binder == *cell) else { return };
                // `x[i][i]` is the diagonal only.
                if !used.insert(round.binder) {
                    return;
                }
                (round.lo, round.hi)
            }
            _ => return,
        };
        let (lo, hi) = (lo.saturating_sub(step.first), hi.saturating_sub(step.first));
        if lo < 0 || hi >= i64::from(step.length) {
            return;
        }
        spans.push((lo as u32, hi as u32, step.stride));
    }
    let count = spans.iter().fold(1u64, |n, &(lo, hi, _)| n.saturating_mul(u64::from(hi - lo) + 1));
    if count <= MOST_CLOCKS {
        let mut clocks = vec![base];
        for (lo, hi, stride) in spans {
            clocks = clocks
                .iter()
                .flat_map(|clock| (lo..=hi).map(move |index| clock.offset(index * stride)))
                .collect();
        }
        found.extend(clocks.into_iter().map(Target::Clock));
    }
}
