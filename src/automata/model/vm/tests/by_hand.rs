//! Single instructions, places of faults, and loops without end.

use super::grow::{memory, place};
use super::{compiled, initial};
use crate::model::code::generate;
use crate::model::vm::{Effects, Vm};
use crate::model::{
    Argument, ClockId, ClockPlace, ClockRef, ClockTest, Expr, FaultKind, Formula, Function,
    FunctionId, IndexStep, Model, Query, Statement, Term, code,
};
use crate::network::BinaryOp;
use takt_diagnostic::{FileId, Span};

fn span(start: usize) -> Span {
    Span::new(FileId(0), start, start + 1)
}

fn load(cell: u32) -> Box<Expr> {
    Box::new(Expr::Load(place(cell)))
}

fn number(value: i64) -> Box<Expr> {
    Box::new(Expr::Const(value))
}

fn eval(model: &mut Model, tree: Expr) -> Result<i64, crate::model::Fault> {
    let term = compiled(model, tree);
    Vm::new(model).eval(model, term.code, &initial(model))
}

#[test]
fn common_terms_are_one_instruction() {
    let mut model = memory();
    for op in [BinaryOp::Equal, BinaryOp::Less, BinaryOp::GreaterEqual, BinaryOp::NotEqual] {
        let term = compiled(&mut model, Expr::Binary(op, load(0), number(2), span(0)));
        assert_eq!(term.code.end - term.code.start, 1, "{op:?}");
        let term = compiled(&mut model, Expr::Binary(op, number(2), load(0), span(0)));
        assert_eq!(term.code.end - term.code.start, 1, "{op:?}");
    }
    for tree in [
        Expr::Const(7),
        *load(0),
        Expr::Assign(place(0), number(2)),
        Expr::PostIncrement(place(0), 1),
        Expr::Reset(ClockPlace::fixed(ClockId(1)), number(0)),
    ] {
        let mut update = Term::new(tree, span(0));
        model.before_update = Some(update.clone());
        generate(&mut model);
        update.code = model.before_update.take().unwrap().code;
        let expected = u32::from(!matches!(update.tree, Expr::Const(_)));
        assert_eq!(update.code.end - update.code.start, expected.max(1), "{:?}", update.tree);
    }
}

#[test]
fn division_is_that_of_c() {
    let mut model = memory();
    let both = |op, a, b| Expr::Binary(op, number(a), number(b), span(0));
    assert_eq!(eval(&mut model, both(BinaryOp::Div, -7, 2)), Ok(-3));
    assert_eq!(eval(&mut model, both(BinaryOp::Mod, -7, 2)), Ok(-1));
    assert_eq!(eval(&mut model, both(BinaryOp::Mod, 7, -2)), Ok(1));
    assert_eq!(eval(&mut model, both(BinaryOp::ShiftRight, -7, 1)), Ok(-4));
    assert_eq!(eval(&mut model, both(BinaryOp::ShiftLeft, 3, 4)), Ok(48));
}

#[test]
fn a_fault_has_the_place_of_its_operator() {
    let mut model = memory();
    let inner = Expr::Binary(BinaryOp::Div, load(2), load(0), span(5));
    let tree = Expr::Binary(BinaryOp::Add, number(1), Box::new(inner), span(3));
    let fault = eval(&mut model, tree).unwrap_err();
    assert_eq!((fault.kind, fault.span.start), (FaultKind::DivisionByZero, 5));

    let step = IndexStep { index: *number(3), first: 0, length: 3, stride: 2, span: span(9) };
    let mut indexed = place(4);
    indexed.steps.push(step);
    let fault = eval(&mut model, Expr::Load(indexed)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::IndexOutOfRange { index: 3, length: 3 });
    assert_eq!(fault.span.start, 9);
}

#[test]
fn the_right_operand_may_be_left_out() {
    let mut model = memory();
    let bad = || Box::new(Expr::Binary(BinaryOp::Div, number(1), load(0), span(0)));
    assert_eq!(eval(&mut model, Expr::And(load(0), bad())), Ok(0));
    assert_eq!(eval(&mut model, Expr::Or(load(1), bad())), Ok(1));
    assert_eq!(
        eval(&mut model, Expr::And(load(1), bad())).unwrap_err().kind,
        FaultKind::DivisionByZero
    );
}

/// `void f() { <statement> }`
fn calling(statement: Statement) -> (Model, Expr) {
    let mut model = memory();
    let body = vec![statement];
    let (name, parameters) = ("f".to_owned(), Vec::new());
    model.functions.push(Function { name, parameters, result: None, body, span: span(20) });
    (model, Expr::Call(FunctionId(0), Vec::<Argument>::new(), span(30)))
}

#[test]
fn a_loop_without_end_is_reported_at_its_place() {
    let rest = Statement::ForEach {
        binder: crate::model::Addr(40),
        lo: 0,
        hi: 9,
        body: Box::new(Statement::Expr(*load(0))),
    };
    let (mut model, tree) = calling(Statement::While(*number(1), Box::new(rest), span(25)));
    let fault = eval(&mut model, tree).unwrap_err();
    assert_eq!((fault.kind, fault.span.start), (FaultKind::Endless, 25));
}

#[test]
fn resets_in_a_loop_without_end_stay_few() {
    let reset = Expr::Reset(ClockPlace::fixed(ClockId(0)), number(0));
    let (mut model, tree) =
        calling(Statement::While(*number(1), Box::new(Statement::Expr(reset)), span(25)));
    model.after_update = Some(Term::new(tree, span(0)));
    generate(&mut model);
    let code = model.after_update.as_ref().unwrap().code;
    let mut effects = Effects::default();
    let fault = Vm::new(&model).run(&model, code, &mut initial(&model), &mut effects);
    assert_eq!(fault.unwrap_err().kind, FaultKind::Endless);
    assert!(effects.resets.len() < 4_000_000);
}

#[test]
fn calls_that_double_at_every_level_end() {
    let mut model = memory();
    for level in 0..60u32 {
        let call = || Statement::Expr(Expr::Call(FunctionId(level - 1), Vec::new(), span(30)));
        let body = if level == 0 { Vec::new() } else { vec![call(), call()] };
        let (name, parameters) = (format!("f{level}"), Vec::new());
        model.functions.push(Function { name, parameters, result: None, body, span: span(20) });
    }
    let fault = eval(&mut model, Expr::Call(FunctionId(59), Vec::new(), span(31))).unwrap_err();
    assert_eq!((fault.kind, fault.span.start), (FaultKind::Endless, 30));
}

#[test]
fn an_indexed_clock_has_its_number() {
    let mut model = memory();
    let step = IndexStep { index: *load(1), first: 0, length: 2, stride: 1, span: span(4) };
    let place = ClockPlace { steps: vec![step], ..ClockPlace::fixed(ClockId(1)) };
    let clock = ClockRef::Indexed { place: Box::new(place), code: Default::default() };
    let plain = ClockTest::fixed(None, None, false, Expr::Const(5), span(0));
    let test = ClockTest { left: Some(clock), ..plain };
    let mut query = Query::Possibly(Formula::Clock(test));
    code::compile_query(&mut model, &mut query);
    let Query::Possibly(Formula::Clock(test)) = &query else { unreachable!() };
    let (mut vm, state) = (Vm::new(&model), initial(&model));
    let clock = vm.clock(&model, test.left.as_ref().unwrap(), &state);
    assert_eq!(clock, Ok(ClockId(2)));
    assert_eq!(vm.eval(&model, test.bound.code, &state), Ok(5));
}
