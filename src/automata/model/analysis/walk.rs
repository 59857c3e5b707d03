//! Visits every expression of a model: terms, bodies of functions, and all that is in them.

use crate::model::{
    Argument, ClockRef, ClockTest, Conjunct, Expr, Formula, Function, IndexStep, Model, Objective,
    Query, Statement,
};

/// Calls `visit` for the expression and all its parts, the whole before its parts.
pub fn expr<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    children(expr, &mut |child| self::expr(child, visit));
}

/// Calls `visit` for the parts that are evaluated when the whole is, or may be.
pub fn children<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    match expr {
        Expr::Const(_) => {}
        Expr::Load(place) | Expr::PostIncrement(place, _) => indices(&place.steps, visit),
        Expr::Unary(_, inner) | Expr::AddCost(inner) => visit(inner),
        Expr::Binary(_, left, right, _) | Expr::And(left, right) | Expr::Or(left, right) => {
            visit(left);
            visit(right);
        }
        Expr::Conditional(condition, yes, no) => {
            [condition, yes, no].into_iter().for_each(|part| visit(part));
        }
        Expr::Quantifier { body, .. } => visit(body),
        Expr::Call(_, arguments, _) => {
            arguments.iter().for_each(|argument| self::argument(argument, visit));
        }
        Expr::Assign(place, value) | Expr::Update(place, _, value, _) => {
            indices(&place.steps, visit);
            visit(value);
        }
        Expr::Copy { to: a, from: b, .. } | Expr::Same { left: a, right: b, .. } => {
            indices(&a.steps, visit);
            indices(&b.steps, visit);
        }
        Expr::Reset(clock, value) => {
            indices(&clock.steps, visit);
            visit(value);
        }
        Expr::Sequence(parts) => parts.iter().for_each(visit),
    }
}

fn argument<'a>(argument: &'a Argument, visit: &mut dyn FnMut(&'a Expr)) {
    match argument {
        Argument::Value(value) => visit(value),
        Argument::Aggregate(place, _) | Argument::Reference(place) => indices(&place.steps, visit),
        Argument::Clock(clock) => indices(&clock.steps, visit),
    }
}

fn indices<'a>(steps: &'a [IndexStep], visit: &mut dyn FnMut(&'a Expr)) {
    steps.iter().for_each(|step| visit(&step.index));
}

/// Calls `visit` for the statement and all those in it.
pub fn statement<'a>(statement: &'a Statement, visit: &mut dyn FnMut(&'a Statement)) {
    visit(statement);
    match statement {
        Statement::Block(parts) => parts.iter().for_each(|part| self::statement(part, visit)),
        Statement::If(_, yes, no) => {
            self::statement(yes, visit);
            no.iter().for_each(|no| self::statement(no, visit));
        }
        Statement::While(_, body, _)
        | Statement::DoWhile(body, _, _)
        | Statement::For { body, .. }
        | Statement::ForEach { body, .. } => self::statement(body, visit),
        Statement::Expr(_) | Statement::Return(_) | Statement::ReturnAggregate(_) => {}
    }
}

/// Whether the function may end in the statement.
pub fn may_return(statement: &Statement) -> bool {
    let mut found = false;
    self::statement(statement, &mut |part| {
        found |= matches!(part, Statement::Return(_) | Statement::ReturnAggregate(_));
    });
    found
}

/// Calls `visit` for the expressions that stand in the statement itself.
pub fn expressions_of<'a>(statement: &'a Statement, visit: &mut dyn FnMut(&'a Expr)) {
    match statement {
        Statement::Expr(expr) | Statement::Return(Some(expr)) => visit(expr),
        Statement::If(condition, ..)
        | Statement::While(condition, ..)
        | Statement::DoWhile(_, condition, _) => visit(condition),
        Statement::For { initial, condition, step, .. } => {
            [initial, condition, step].into_iter().for_each(visit);
        }
        Statement::ReturnAggregate(place) => indices(&place.steps, visit),
        Statement::Block(_) | Statement::ForEach { .. } | Statement::Return(None) => {}
    }
}

/// Calls `visit` for every expression that belongs to no single process: what functions and the
/// updates around all updates do.
pub fn shared<'a>(model: &'a Model, visit: &mut dyn FnMut(&'a Expr)) {
    model.before_update.iter().chain(&model.after_update).for_each(|term| visit(&term.tree));
    for function in &model.functions {
        for part in &function.body {
            statement(part, &mut |part| expressions_of(part, &mut *visit));
        }
    }
}

/// Calls `visit` for every expression that runs with the model, parts included.
pub fn model<'a>(model: &'a Model, visit: &mut dyn FnMut(&'a Expr)) {
    outside_functions(model, visit);
    model.functions.iter().for_each(|function| self::function(function, visit));
}

/// Calls `visit` for every expression of a function, parts included.
pub fn function<'a>(function: &'a Function, visit: &mut dyn FnMut(&'a Expr)) {
    for part in &function.body {
        statement(part, &mut |part| expressions_of(part, &mut |whole| expr(whole, visit)));
    }
}

/// Calls `visit` for every expression of locations, edges and the updates around all updates, parts
/// included.
pub fn outside_functions<'a>(model: &'a Model, visit: &mut dyn FnMut(&'a Expr)) {
    for process in &model.processes {
        for location in &process.locations {
            conjuncts(&location.invariant, visit);
            location.rate.iter().for_each(|rate| expr(&rate.tree, visit));
        }
        for edge in &process.edges {
            conjuncts(&edge.guard, visit);
            let offset = edge.sync.iter().filter_map(|sync| sync.offset.as_ref());
            offset.chain(&edge.update).for_each(|term| expr(&term.tree, visit));
        }
    }
    let around = model.before_update.iter().chain(&model.after_update);
    around.for_each(|term| expr(&term.tree, visit));
}

fn conjuncts<'a>(conjuncts: &'a [Conjunct], visit: &mut dyn FnMut(&'a Expr)) {
    for conjunct in conjuncts {
        match conjunct {
            Conjunct::Data(term) => expr(&term.tree, visit),
            Conjunct::Clock(test) => self::test(test, visit),
        }
    }
}

fn test<'a>(test: &'a ClockTest, visit: &mut dyn FnMut(&'a Expr)) {
    test.unless
        .as_deref()
        .into_iter()
        .chain([&test.bound])
        .for_each(|term| expr(&term.tree, visit));
    for clock in test.clocks() {
        if let ClockRef::Indexed { place, .. } = clock {
            indices(&place.steps, &mut |index| expr(index, visit));
        }
    }
}

/// Calls `visit` for every expression of a query, parts included.
pub fn query<'a>(query: &'a Query, visit: &mut dyn FnMut(&'a Expr)) {
    let (formulas, of) = query.parts();
    for formula in formulas {
        formula.each_leaf(&mut |leaf| match leaf {
            Formula::Data(term) => expr(&term.tree, visit),
            Formula::Clock(test) => self::test(test, visit),
            _ => {}
        });
    }
    if let Some(Objective::Data(term)) = of {
        expr(&term.tree, visit);
    }
}
