//! Queries, resolved against a finished model.

use super::link::Linker;
use super::operand::Operand;
use super::types::Ty;
use super::{Made, Position, Res, Resolver, logic};
use crate::model::{Expr, Formula, Model, Objective, Query, Term, code};
use crate::network::{self, Goal};
use takt_diagnostic::{Diagnostic, Diagnostics};

impl Model {
    /// Finds what a query names and checks that it makes sense for this model. The terms of
    /// the result have code; the model is otherwise as before.
    pub fn resolve_query(&mut self, query: &network::Query) -> Result<Query, Diagnostics> {
        let scratch_base = self.cells.len() - self.state_len as usize;
        let mut resolver = Resolver {
            names: std::mem::take(&mut self.names),
            made: Made { scratch_base, ..Made::default() },
            at: Position { is_query: true, ..Position::default() },
            ..Resolver::default()
        };
        let goal = resolver.goal(&query.goal);
        let linker = Linker { processes: self.processes.len() as u32, state_len: self.state_len };
        self.names = resolver.names;
        let Ok(mut goal) = goal else { return Err(resolver.told.found.sorted()) };
        self.cells.extend(resolver.made.scratch);
        linker.query(&mut goal);
        code::compile_query(self, &mut goal);
        Ok(goal)
    }
}

impl Resolver {
    fn goal(&mut self, goal: &Goal) -> Res<Query> {
        Ok(match goal {
            Goal::Possibly(p) => Query::Possibly(self.state_formula(p)?),
            Goal::Invariantly(p) => Query::Invariantly(self.state_formula(p)?),
            Goal::PotentiallyAlways(p) => Query::PotentiallyAlways(self.state_formula(p)?),
            Goal::Eventually(p) => Query::Eventually(self.state_formula(p)?),
            Goal::LeadsTo(p, q) => {
                let (p, q) = (self.state_formula(p), self.state_formula(q));
                Query::LeadsTo(p?, q?)
            }
            Goal::Infimum { within, of } => {
                let (within, of) = (self.within_formula(within.as_ref()), self.objective(of));
                Query::Infimum { within: within?, of: of? }
            }
            Goal::Supremum { within, of } => {
                let (within, of) = (self.within_formula(within.as_ref()), self.objective(of));
                Query::Supremum { within: within?, of: of? }
            }
        })
    }

    fn state_formula(&mut self, expr: &network::Expr) -> Res<Formula> {
        let operand = self.pure(|r| r.operand(expr), "a query")?;
        Ok(logic::simplify(self.formula_of(operand, expr.span)?))
    }

    fn within_formula(&mut self, expr: Option<&network::Expr>) -> Res<Formula> {
        match expr {
            Some(expr) => self.state_formula(expr),
            None => Ok(Formula::Data(Term::new(Expr::Const(1), Default::default()))),
        }
    }

    fn objective(&mut self, expr: &network::Expr) -> Res<Objective> {
        match self.pure(|r| r.operand(expr), "a query")? {
            Operand::Cost => Ok(Objective::Cost(expr.span)),
            Operand::Clock(place, Ty::Clock) => match place.constant() {
                Some(clock) => Ok(Objective::Clock(clock, expr.span)),
                None => Err(self.error(
                    Diagnostic::error("not-constant", expr.span, "one clock must be named here")
                        .label("which one depends on the state"),
                )),
            },
            Operand::Linear(_) => Err(self.error(
                Diagnostic::error("clock-sum", expr.span, "one clock must be named here")
                    .label("a sum or difference with clocks"),
            )),
            operand => {
                let tree = self.number_of(operand, expr.span)?;
                Ok(Objective::Data(Term::new(tree, expr.span)))
            }
        }
    }
}
