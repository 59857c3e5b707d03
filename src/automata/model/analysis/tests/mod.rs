//! Exact bounds of small models, and intervals against all values.

mod alone;
mod random;

use super::interval;
use super::{ClockBound, ClockBounds, Diagonal, Ranges, clock_bounds};
use crate::model::{
    Addr, Argument, Cell, Clock, ClockBase, ClockId, ClockPlace, ClockRef, ClockTest, Conjunct,
    Edge, Expr, Function, FunctionId, IndexStep, Location, LocationId, Model, Param, Place,
    PlaceBase, Process, Statement, Term,
};
use crate::network::{BinaryOp, QuantifierKind, UnaryOp};
use takt_diagnostic::Span;

fn none() -> Span {
    Span::default()
}

fn test(left: Option<u32>, right: Option<u32>, bound: Expr) -> Conjunct {
    let (left, right) = (left.map(ClockId), right.map(ClockId));
    Conjunct::Clock(ClockTest::fixed(left, right, false, bound, none()))
}

fn at_most(clock: u32, bound: i64) -> Conjunct {
    test(Some(clock), None, Expr::Const(bound))
}

fn at_least(clock: u32, bound: i64) -> Conjunct {
    test(None, Some(clock), Expr::Const(-bound))
}

fn reset(clock: u32) -> Expr {
    Expr::Reset(ClockPlace::fixed(ClockId(clock)), Box::new(Expr::Const(0)))
}

fn edge(source: u32, target: u32, guard: Vec<Conjunct>, update: Option<Expr>) -> Edge {
    Edge {
        source: LocationId(source),
        target: LocationId(target),
        guard,
        update: update.map(|tree| Term::new(tree, none())),
        ..Edge::default()
    }
}

/// One process, three clocks; cell 0 is its location.
fn model(invariants: Vec<Vec<Conjunct>>, edges: Vec<Edge>) -> Model {
    let location = |invariant| Location { invariant, ..Location::default() };
    let locations: Vec<_> = invariants.into_iter().map(location).collect();
    let last = locations.len() as i64 - 1;
    Model {
        processes: vec![Process { locations, edges, ..Process::default() }],
        clocks: vec![Clock::default(); 3],
        cells: vec![Cell { lo: 0, hi: last, ..Cell::default() }],
        state_len: 1,
        ..Model::default()
    }
}

fn add_cell(model: &mut Model, lo: i64, hi: i64, initial: i64) -> Place {
    model.cells.push(Cell { lo, hi, initial, ..Cell::default() });
    model.state_len += 1;
    place(model.cells.len() as u32 - 1)
}

fn place(cell: u32) -> Place {
    Place::fixed(Addr(cell), none())
}

fn load(place: &Place) -> Expr {
    Expr::Load(place.clone())
}

fn indexed(place: &Place, length: u32) -> IndexStep {
    IndexStep { index: load(place), first: 0, length, stride: 1, span: none() }
}

fn bound(clock: u32, lower: impl Into<Option<i64>>, upper: impl Into<Option<i64>>) -> ClockBound {
    ClockBound { clock: ClockId(clock), lower: lower.into(), upper: upper.into() }
}

fn of_first(bounds: &ClockBounds) -> &[Vec<ClockBound>] {
    &bounds.bounds[0]
}

#[test]
fn a_reset_stops_bounds_and_their_kinds_stay_apart() {
    // 0 -> 1 resets x; 1 has x <= 7; 1 -> 2 needs x >= 5; 2 -> 0 needs y <= 3.
    let model = model(
        vec![vec![], vec![at_most(0, 7)], vec![]],
        vec![
            edge(0, 1, vec![], Some(reset(0))),
            edge(1, 2, vec![at_least(0, 5)], None),
            edge(2, 0, vec![at_most(1, 3)], None),
        ],
    );
    let found = clock_bounds(&model);
    assert_eq!(of_first(&found)[0], [bound(1, None, 3)]);
    assert_eq!(of_first(&found)[1], [bound(0, 5, 7), bound(1, None, 3)]);
    assert_eq!(of_first(&found)[2], [bound(1, None, 3)]);
    assert_eq!((found.largest, found.has_diagonals), (7, false));
}

#[test]
fn an_invariant_counts_for_edges_that_enter_without_a_reset() {
    let enter = |update| model(vec![vec![], vec![at_most(0, 7)]], vec![edge(0, 1, vec![], update)]);
    assert_eq!(of_first(&clock_bounds(&enter(None)))[0], [bound(0, None, 7)]);
    assert_eq!(of_first(&clock_bounds(&enter(Some(reset(1)))))[0], [bound(0, None, 7)]);
    assert_eq!(of_first(&clock_bounds(&enter(Some(reset(0)))))[0], []);
}

#[test]
fn bounds_go_round_in_cycles() {
    // A ring of four, tested at one place and never reset.
    let edges = (0..4)
        .map(|l| {
            let guard = if l == 2 { vec![at_least(2, 11)] } else { vec![] };
            edge(l, (l + 1) % 4, guard, None)
        })
        .collect();
    let found = clock_bounds(&model(vec![vec![]; 4], edges));
    assert!(of_first(&found).iter().all(|bounds| *bounds == [bound(2, 11, None)]));
}

#[test]
fn a_reset_that_may_not_happen_stops_nothing() {
    let maybe = |yes, no| {
        let mut model = model(vec![vec![], vec![at_most(0, 7)]], vec![]);
        let choice = load(&add_cell(&mut model, 0, 1, 0));
        // The choice has to be open, or inference would see through it.
        let flip = Expr::Assign(place(1), Box::new(Expr::Const(1)));
        let update = Expr::Conditional(Box::new(choice), Box::new(yes), Box::new(no));
        model.processes[0].edges =
            vec![edge(0, 1, vec![], Some(Expr::Sequence(vec![flip, update])))];
        of_first(&clock_bounds(&model))[0].len()
    };
    assert_eq!(maybe(reset(0), Expr::Const(0)), 1);
    assert_eq!(maybe(reset(0), reset(1)), 1);
    assert_eq!(maybe(reset(0), reset(0)), 0);
    assert_eq!(maybe(Expr::Sequence(vec![reset(1), reset(0)]), reset(0)), 0);
    let skipped = Expr::And(Box::new(Expr::Const(1)), Box::new(reset(0)));
    assert_eq!(maybe(skipped.clone(), skipped), 1);
}

/// `x[0..3]` are reset in a function with the given body; how many bounds are left before.
fn left_by(body: Vec<Statement>, parameters: Vec<Param>, arguments: Vec<Argument>) -> usize {
    let tests = (0..3).map(|clock| at_most(clock, 5)).collect();
    let call = Expr::Call(FunctionId(0), arguments, none());
    let mut model = model(vec![vec![], tests], vec![edge(0, 1, vec![], Some(call))]);
    for _ in 0..2 {
        model.cells.push(Cell { lo: 0, hi: 2, ..Cell::default() });
    }
    let (name, result) = ("f".to_owned(), None);
    model.functions.push(Function { name, parameters, result, body, span: none() });
    of_first(&clock_bounds(&model))[0].len()
}

#[test]
fn functions_reset_what_they_reset_on_every_way() {
    let all = ClockPlace { steps: vec![indexed(&place(1), 3)], ..ClockPlace::fixed(ClockId(0)) };
    let each = |hi, body| Statement::ForEach { binder: Addr(1), lo: 0, hi, body: Box::new(body) };
    let one = || Statement::Expr(Expr::Reset(all.clone(), Box::new(Expr::Const(0))));
    assert_eq!(left_by(vec![each(2, one())], vec![], vec![]), 0);
    assert_eq!(left_by(vec![each(1, one())], vec![], vec![]), 1);
    assert_eq!(left_by(vec![each(-1, one())], vec![], vec![]), 3);
    let guarded = || Statement::If(load(&place(2)), Box::new(one()), None);
    assert_eq!(left_by(vec![each(2, guarded())], vec![], vec![]), 3);
    let leaving = Statement::If(load(&place(2)), Box::new(Statement::Return(None)), None);
    assert_eq!(left_by(vec![leaving.clone(), each(2, one())], vec![], vec![]), 3);
    let early = Statement::Block(vec![one(), leaving]);
    assert_eq!(left_by(vec![each(2, early)], vec![], vec![]), 3);
    assert_eq!(left_by(vec![one()], vec![], vec![]), 3);
}

#[test]
fn a_clock_passed_by_reference_is_reset() {
    let base = ClockBase::Reference(Addr(1));
    let passed = ClockPlace { base, steps: vec![], offset: 0 };
    let body = vec![Statement::Expr(Expr::Reset(passed, Box::new(Expr::Const(0))))];
    let parameters = vec![Param { addr: Addr(1), len: 1 }];
    let arguments = vec![Argument::Clock(ClockPlace::fixed(ClockId(2)))];
    assert_eq!(left_by(body, parameters, arguments), 2);
}

#[test]
fn an_indexed_clock_stands_for_all_that_it_may_be() {
    let mut model = model(vec![vec![], vec![]], vec![]);
    let index = add_cell(&mut model, 0, 5, 1);
    let place = ClockPlace { steps: vec![indexed(&index, 3)], ..ClockPlace::fixed(ClockId(0)) };
    let left = Some(ClockRef::Indexed { place: Box::new(place), code: Default::default() });
    let Conjunct::Clock(test) = at_most(0, 9) else { unreachable!() };
    let guard = vec![Conjunct::Clock(ClockTest { left, ..test })];
    let write = Expr::Assign(index.clone(), Box::new(Expr::Const(2)));
    model.processes[0].edges = vec![edge(0, 1, guard, Some(write))];
    let found = clock_bounds(&model);
    assert_eq!(of_first(&found)[0], [bound(1, None, 9), bound(2, None, 9)]);
}

#[test]
fn computed_bounds_count_with_what_variables_may_hold() {
    // x <= 2 * v + 1 with v in 0..100 that only ever is 0, 4 or 7
    let mut model = model(vec![vec![]; 2], vec![]);
    let v = add_cell(&mut model, 0, 100, 0);
    let double = Expr::Binary(BinaryOp::Mul, Box::new(Expr::Const(2)), Box::new(load(&v)), none());
    let more = Expr::Binary(BinaryOp::Add, Box::new(double), Box::new(Expr::Const(1)), none());
    let write = |value| Some(Expr::Assign(v.clone(), Box::new(Expr::Const(value))));
    model.processes[0].edges = vec![
        edge(0, 1, vec![test(Some(0), None, more.clone())], write(4)),
        edge(1, 0, vec![], write(7)),
    ];
    assert_eq!(of_first(&clock_bounds(&model))[0], [bound(0, None, 15)]);
    assert_eq!(Ranges::declared(&model).of(&more), (1, 201));
    // A counter has no bound but the declared one.
    let count = Expr::PostIncrement(v.clone(), 1);
    model.processes[0].edges.push(edge(1, 0, vec![], Some(count)));
    assert_eq!(of_first(&clock_bounds(&model))[0], [bound(0, None, 201)]);
}

#[test]
fn what_is_passed_by_reference_keeps_its_declared_range() {
    // void f(int &r[2]) { r[1] = 3; }  f(a)  with a at cells 1 and 2
    let mut model = model(vec![vec![]], vec![]);
    let a = add_cell(&mut model, 0, 10, 0);
    let second = add_cell(&mut model, 0, 10, 0);
    let other = add_cell(&mut model, 0, 10, 6);
    model.cells.push(Cell::default());
    let base = PlaceBase::Reference(Addr(4));
    let target = Place { base, steps: vec![], offset: 1, span: none() };
    let body = vec![Statement::Expr(Expr::Assign(target, Box::new(Expr::Const(3))))];
    let parameters = vec![Param { addr: Addr(4), len: 1 }];
    let name = "f".to_owned();
    model.functions.push(Function { name, parameters, result: None, body, span: none() });
    let call = Expr::Call(FunctionId(0), vec![Argument::Reference(a.clone())], none());
    model.processes[0].edges = vec![edge(0, 0, vec![], Some(call))];
    let ranges = Ranges::inferred(&model);
    assert_eq!(ranges.of(&load(&second)), (0, 10));
    assert_eq!(ranges.of(&load(&other)), (6, 6));
}

#[test]
fn diagonals_are_listed_and_bound_both_clocks() {
    let set = Expr::Reset(ClockPlace::fixed(ClockId(2)), Box::new(Expr::Const(10)));
    let guard = vec![test(Some(0), Some(1), Expr::Const(-4))];
    let model = model(
        vec![vec![]; 3],
        vec![edge(0, 1, vec![], Some(reset(0))), edge(1, 2, guard, Some(set))],
    );
    let found = clock_bounds(&model);
    let diagonal =
        Diagonal { left: ClockId(0), right: ClockId(1), is_strict: false, lo: -4, hi: -4 };
    assert!(found.has_diagonals);
    assert_eq!(found.diagonals, [diagonal]);
    assert_eq!(of_first(&found)[0], [bound(1, 14, 14)]);
    assert_eq!(of_first(&found)[1], [bound(0, 14, 14), bound(1, 14, 14)]);
    assert_eq!((found.largest, found.largest_reset), (14, 10));
}

#[test]
fn a_bound_below_zero_keeps_the_clock_at_hand() {
    let found = clock_bounds(&model(vec![vec![at_most(0, -3), at_least(1, -2)]], vec![]));
    assert_eq!(of_first(&found)[0], [bound(0, None, 0), bound(1, 0, None)]);
    assert_eq!(found.largest, 3);
}

#[test]
fn sums_and_choices_have_ranges() {
    let mut model = model(vec![vec![]], vec![]);
    let v = add_cell(&mut model, -2, 3, 0);
    let body = Box::new(load(&v));
    let kind = QuantifierKind::Sum;
    let sum = Expr::Quantifier { kind, binder: Addr(1), lo: 1, hi: 4, body };
    assert_eq!(Ranges::declared(&model).of(&sum), (-8, 12));
    let choice =
        Expr::Conditional(Box::new(load(&v)), Box::new(Expr::Const(9)), Box::new(Expr::Const(5)));
    assert_eq!(Ranges::declared(&model).of(&choice), (5, 9));
}

/// Every operator on small intervals holds every result of their numbers.
#[test]
fn intervals_hold_all_results() {
    let intervals: Vec<(i64, i64)> =
        (-5..=5).flat_map(|lo| (lo..=5).map(move |hi| (lo, hi))).collect();
    for op in BinaryOp::ALL {
        for &a in &intervals {
            for &b in &intervals {
                let (lo, hi) = interval::binary(op, a, b);
                for x in a.0..=a.1 {
                    for value in (b.0..=b.1).filter_map(|y| result(op, x, y)) {
                        assert!(lo <= value && value <= hi, "{a:?} {op:?} {b:?} gives {value}");
                    }
                }
            }
        }
    }
    for &of in &intervals {
        assert_eq!(interval::unary(UnaryOp::Minus, of), (-of.1, -of.0));
        let (lo, hi) = interval::unary(UnaryOp::Not, of);
        assert!((of.0..=of.1).all(|x| (lo..=hi).contains(&i64::from(x == 0))));
    }
}

fn result(op: BinaryOp, x: i64, y: i64) -> Option<i64> {
    use BinaryOp::*;
    Some(match op {
        Add => x + y,
        Sub => x - y,
        Mul => x * y,
        Div => x.checked_div(y)?,
        Mod => x.checked_rem(y)?,
        BitAnd => x & y,
        BitOr => x | y,
        BitXor => x ^ y,
        ShiftLeft => x.checked_mul(1 << u32::try_from(y).ok()?)?,
        ShiftRight => x >> u32::try_from(y).ok()?,
        Min => x.min(y),
        Max => x.max(y),
        Less => i64::from(x < y),
        LessEqual => i64::from(x <= y),
        Equal => i64::from(x == y),
        NotEqual => i64::from(x != y),
        GreaterEqual => i64::from(x >= y),
        Greater => i64::from(x > y),
        And => i64::from(x != 0 && y != 0),
        Or => i64::from(x != 0 || y != 0),
        Imply => i64::from(x == 0 || y != 0),
    })
}

#[test]
fn extreme_intervals_do_not_overflow() {
    use BinaryOp::*;
    let ends = [i64::MIN, -1, 0, 1, i64::MAX];
    let intervals: Vec<_> = ends
        .iter()
        .flat_map(|&lo| ends.iter().filter(move |&&hi| lo <= hi).map(move |&hi| (lo, hi)))
        .collect();
    for op in [Add, Sub, Mul, Div, Mod, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight, Equal] {
        for &a in &intervals {
            for &b in &intervals {
                let (lo, hi) = interval::binary(op, a, b);
                assert!(lo <= hi, "{a:?} {op:?} {b:?}");
            }
        }
    }
    assert_eq!(interval::times(1 << 70, (-1, 1)), (i64::MIN, i64::MAX));
}
