//! Visits every expression of a model: terms, bodies of functions, and all that is in them.

use crate::model::{
    Argument, ClockPlace, ClockRef, ClockTest, Conjunct, Expr, Formula, Function, IndexStep, Model,
    Objective, Place, Query, Statement, Term,
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
        Expr::Load(place) | Expr::PostIncrement(place, _) => indices(place, visit),
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
            indices(place, visit);
            visit(value);
        }
        Expr::Copy { to: a, from: b, .. } | Expr::Same { left: a, right: b, .. } => {
            indices(a, visit);
            indices(b, visit);
        }
        Expr::Reset(clock, value) => {
            clock_indices(clock, visit);
            visit(value);
        }
        Expr::Sequence(parts) => parts.iter().for_each(visit),
    }
}

fn argument<'a>(argument: &'a Argument, visit: &mut dyn FnMut(&'a Expr)) {
    match argument {
        Argument::Value(value) => visit(value),
        Argument::Aggregate(place, _) | Argument::Reference(place) => indices(place, visit),
        Argument::Clock(clock) => clock_indices(clock, visit),
    }
}

fn indices<'a>(place: &'a Place, visit: &mut dyn FnMut(&'a Expr)) {
    steps(&place.steps, visit);
}

fn clock_indices<'a>(place: &'a ClockPlace, visit: &mut dyn FnMut(&'a Expr)) {
    steps(&place.steps, visit);
}

fn steps<'a>(steps: &'a [IndexStep], visit: &mut dyn FnMut(&'a Expr)) {
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
        Statement::ReturnAggregate(place) => indices(place, visit),
        Statement::Block(_) | Statement::ForEach { .. } | Statement::Return(None) => {}
    }
}

/// Calls `visit` for every term that runs with the model.
pub fn terms<'a>(model: &'a Model, visit: &mut dyn FnMut(&'a Term)) {
    for process in &model.processes {
        for location in &process.locations {
            conjuncts(&location.invariant, visit);
            location.rate.iter().for_each(&mut *visit);
        }
        for edge in &process.edges {
            conjuncts(&edge.guard, visit);
            edge.sync.iter().filter_map(|sync| sync.offset.as_ref()).for_each(&mut *visit);
            edge.update.iter().for_each(&mut *visit);
        }
    }
    model.before_update.iter().chain(&model.after_update).for_each(visit);
}

fn conjuncts<'a>(conjuncts: &'a [Conjunct], visit: &mut dyn FnMut(&'a Term)) {
    for conjunct in conjuncts {
        match conjunct {
            Conjunct::Data(term) => visit(term),
            Conjunct::Clock(test) => {
                test.unless.iter().for_each(&mut *visit);
                visit(&test.bound);
            }
        }
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
    terms(model, &mut |term| expr(&term.tree, visit));
    for process in &model.processes {
        let guards = process.edges.iter().map(|edge| &edge.guard);
        let invariants = process.locations.iter().map(|location| &location.invariant);
        for conjunct in guards.chain(invariants).flatten() {
            clocks_of(conjunct, &mut |place| {
                clock_indices(place, &mut |index| expr(index, visit));
            });
        }
    }
}

fn clocks_of<'a>(conjunct: &'a Conjunct, visit: &mut dyn FnMut(&'a ClockPlace)) {
    if let Conjunct::Clock(test) = conjunct {
        clocks_in(test, visit);
    }
}

fn clocks_in<'a>(test: &'a ClockTest, visit: &mut dyn FnMut(&'a ClockPlace)) {
    for clock in [&test.left, &test.right].into_iter().flatten() {
        if let ClockRef::Indexed { place, .. } = clock {
            visit(place);
        }
    }
}

/// Calls `visit` for every expression of a query, parts included.
pub fn query<'a>(query: &'a Query, visit: &mut dyn FnMut(&'a Expr)) {
    match query {
        Query::Possibly(p)
        | Query::Invariantly(p)
        | Query::PotentiallyAlways(p)
        | Query::Eventually(p) => formula(p, visit),
        Query::LeadsTo(p, q) => [p, q].into_iter().for_each(|part| formula(part, visit)),
        Query::Infimum { within, of } | Query::Supremum { within, of } => {
            formula(within, visit);
            if let Objective::Data(term) = of {
                expr(&term.tree, visit);
            }
        }
    }
}

fn formula<'a>(of: &'a Formula, visit: &mut dyn FnMut(&'a Expr)) {
    match of {
        Formula::Data(term) => expr(&term.tree, visit),
        Formula::Clock(test) => {
            let terms = test.unless.iter().chain([&test.bound]);
            terms.for_each(|term| expr(&term.tree, visit));
            clocks_in(test, &mut |place| clock_indices(place, &mut |index| expr(index, visit)));
        }
        Formula::Deadlock => {}
        Formula::Not(inner) => formula(inner, visit),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| formula(part, visit));
        }
    }
}
