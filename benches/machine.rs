//! How long the machine takes for the commonest terms: `cargo bench --bench machine`.

use std::hint::black_box;
use std::time::Instant;
use takt_automata::model::{
    Addr, Cell, ClockId, ClockPlace, Effects, Expr, IndexStep, Model, Place, PlaceBase, Term, Vm,
    code,
};
use takt_automata::network::{BinaryOp, QuantifierKind};
use takt_diagnostic::Span;

const ROUNDS: u32 = 10_000_000;

fn main() {
    let mut model = Model { state_len: 12, ..Model::default() };
    model.cells = (0..13).map(|_| Cell { lo: 0, hi: 100, initial: 1, ..Cell::default() }).collect();
    let equal = |cell, value| binary(BinaryOp::Equal, load(cell), Expr::Const(value));
    let both = |left, right| Expr::And(Box::new(left), Box::new(right));
    let element = |index| {
        let step = IndexStep { index, first: 0, length: 8, stride: 1, span: Span::default() };
        Expr::Load(Place { steps: vec![step], ..place(4) })
    };
    let all = Expr::Quantifier {
        kind: QuantifierKind::Forall,
        binder: Addr(12),
        lo: 0,
        hi: 7,
        body: Box::new(binary(BinaryOp::Greater, element(load(12)), Expr::Const(0))),
    };
    let sum = binary(BinaryOp::Add, load(1), load(2));
    measure_value(&mut model, "7", Expr::Const(7));
    measure_value(&mut model, "v == 1", equal(0, 1));
    measure_value(&mut model, "v == 1 && w == 1", both(equal(0, 1), equal(1, 1)));
    measure_value(&mut model, "v + w < 5", binary(BinaryOp::Less, sum, Expr::Const(5)));
    measure_value(
        &mut model,
        "a[i] == 1",
        binary(BinaryOp::Equal, element(load(0)), Expr::Const(1)),
    );
    measure_value(&mut model, "forall (i : 8) a[i] > 0", all);
    let set = |cell, value| Expr::Assign(place(cell), Box::new(Expr::Const(value)));
    let reset = Expr::Reset(ClockPlace::fixed(ClockId(0)), Box::new(Expr::Const(0)));
    measure_update(&mut model, "v = 1, x = 0", Expr::Sequence(vec![set(0, 1), reset]));
}

fn place(cell: u32) -> Place {
    let base = PlaceBase::Fixed(Addr(cell));
    Place { base, steps: Vec::new(), offset: 0, span: Span::default() }
}

fn load(cell: u32) -> Expr {
    Expr::Load(place(cell))
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right), Span::default())
}

fn measure_value(model: &mut Model, name: &str, tree: Expr) {
    let mut term = Term::new(tree, Span::default());
    code::compile_term(model, &mut term);
    let (mut machine, state) = (Vm::new(model), vec![1; 12]);
    let started = Instant::now();
    for _ in 0..ROUNDS {
        let value = machine.eval(black_box(model), black_box(term.code), black_box(&state));
        assert!(black_box(value).is_ok());
    }
    report(name, started);
}

fn measure_update(model: &mut Model, name: &str, tree: Expr) {
    model.before_update = Some(Term::new(tree, Span::default()));
    code::generate(model);
    let code = model.before_update.as_ref().map(|term| term.code).unwrap_or_default();
    let (mut machine, mut state) = (Vm::new(model), vec![1; 12]);
    let mut effects = Effects::default();
    let started = Instant::now();
    for _ in 0..ROUNDS {
        effects.clear();
        let done = machine.run(black_box(model), black_box(code), &mut state, &mut effects);
        assert!(black_box(done).is_ok());
    }
    report(name, started);
}

fn report(name: &str, started: Instant) {
    let nanoseconds = started.elapsed().as_secs_f64() * 1e9 / f64::from(ROUNDS);
    println!("{name:<28} {nanoseconds:6.1} ns");
}
