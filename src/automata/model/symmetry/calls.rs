//! Which functions run. One that nobody calls says nothing about the elements of a set.

use crate::model::analysis::walk;
use crate::model::{Expr, FunctionId, Model, Query};

/// Of each function, whether something that runs with the model calls it.
pub fn of_model(model: &Model) -> Vec<bool> {
    let mut called = Called::new(model);
    walk::outside_functions(model, &mut |expr| called.note(expr));
    called.all()
}

/// The same for what a query asks.
pub fn of_query(model: &Model, query: &Query) -> Vec<bool> {
    let mut called = Called::new(model);
    walk::query(query, &mut |expr| called.note(expr));
    called.all()
}

struct Called<'m> {
    model: &'m Model,
    is_called: Vec<bool>,
    /// Those whose own calls are still to be looked for.
    open: Vec<FunctionId>,
}

impl<'m> Called<'m> {
    fn new(model: &'m Model) -> Called<'m> {
        Called { model, is_called: vec![false; model.functions.len()], open: Vec::new() }
    }

    fn note(&mut self, expr: &Expr) {
        if let Expr::Call(function, ..) = expr
            && !std::mem::replace(&mut self.is_called[*function], true)
        {
            self.open.push(*function);
        }
    }

    fn all(mut self) -> Vec<bool> {
        while let Some(function) = self.open.pop() {
            let function = &self.model.functions[function];
            walk::function(function, &mut |expr| self.note(expr));
        }
        self.is_called
    }
}
