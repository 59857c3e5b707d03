//! Grows random trees from random bytes; when these run out, only leaves grow.
//!
//! The state has four single cells, an array `a[3][2]`, and cells of one value; every function has the parameters
//! (value, reference to two cells, clock, two cells by value) and may call those before it.

use crate::model::{
    Addr, Argument, Cell, Clock, ClockBase, ClockId, ClockPlace, Expr, Function, FunctionId,
    IndexStep, Model, Param, Place, PlaceBase, Statement, Term,
};
use crate::network::{BinaryOp, QuantifierKind, UnaryOp};
use takt_diagnostic::Span;

const SINGLES: u32 = 4;
const ODD: u32 = SINGLES + 6;
/// Ranges of one value.
const ODD_RANGES: [(i64, i64); 4] = [(1, 1), (-7, -7), (0, 0), (i32::MAX as i64, i32::MAX as i64)];
const STATE: u32 = ODD + ODD_RANGES.len() as u32;
const FUNCTIONS: u32 = 3;
/// Value, reference, clock, two cells, result.
const FRAME: u32 = 6;
const BINDERS: u32 = STATE + FRAME * FUNCTIONS;
const MAX_DEPTH: u32 = 7;
const CELLS: u32 = BINDERS + 4 * MAX_DEPTH;

pub(crate) struct Grow<'a> {
    bytes: std::slice::Iter<'a, u8>,
    depth: u32,
    /// The function whose body grows.
    inside: Option<u32>,
    callable: u32,
    /// That function has a result, which no `return` may leave out.
    gives: bool,
    is_pure: bool,
    /// Each level of loops has variables of its own, and each body grown as well.
    binder_block: u32,
}

impl<'a> Grow<'a> {
    pub fn new(bytes: &'a [u8]) -> Grow<'a> {
        let (bytes, inside) = (bytes.iter(), None);
        Grow { bytes, depth: 0, inside, callable: 0, gives: false, is_pure: false, binder_block: 0 }
    }

    pub fn pure_term(mut self) -> (Model, Term) {
        self.is_pure = true;
        self.model_and_term()
    }

    pub fn update_term(self) -> (Model, Term) {
        self.model_and_term()
    }

    fn model_and_term(mut self) -> (Model, Term) {
        let mut model = memory();
        for number in 0..FUNCTIONS {
            let function = self.function(number);
            model.functions.push(function);
        }
        self.inside = None;
        self.callable = FUNCTIONS;
        self.binder_block = FUNCTIONS;
        let parts = (0..1 + self.pick(3)).map(|_| self.expr()).collect();
        (model, Term::new(Expr::Sequence(parts), Span::default()))
    }

    fn pick(&mut self, choices: u8) -> u8 {
        self.bytes.next().copied().unwrap_or(0) % choices
    }

    fn function(&mut self, number: u32) -> Function {
        let frame = STATE + FRAME * number;
        self.inside = Some(frame);
        self.callable = number;
        self.binder_block = number;
        let kind = self.pick(4);
        self.gives = kind > 0;
        let mut body: Vec<_> = (0..self.pick(4)).map(|_| self.statement()).collect();
        if kind > 1 {
            body.push(Statement::Return(Some(self.expr())));
        }
        let result = self.gives.then_some((Addr(frame + 5), 1));
        let param = |at, len| Param { addr: Addr(frame + at), len };
        Function {
            name: format!("f{number}"),
            parameters: vec![param(0, 1), param(1, 1), param(2, 1), param(3, 2)],
            result,
            body,
            span: Span::default(),
        }
    }

    fn statement(&mut self) -> Statement {
        self.depth += 1;
        let kind = if self.depth >= MAX_DEPTH { 0 } else { self.pick(9) };
        let statement = match kind {
            0 | 1 => Statement::Expr(self.expr()),
            2 => Statement::Block((0..self.pick(4)).map(|_| self.statement()).collect()),
            3 => {
                let (condition, yes) = (self.expr(), Box::new(self.statement()));
                let no = (self.pick(2) == 0).then(|| Box::new(self.statement()));
                Statement::If(condition, yes, no)
            }
            4 => {
                let counter = place(self.binder(1));
                let body = Box::new(self.statement());
                let rounds = i64::from(self.pick(4));
                let next = Expr::PostIncrement(counter.clone(), 1);
                let start = Statement::Expr(Expr::Assign(counter, Box::new(Expr::Const(0))));
                let looped = if self.pick(2) == 0 {
                    Statement::While(less(next, rounds), body, Span::default())
                } else {
                    Statement::DoWhile(body, less(next, rounds), Span::default())
                };
                Statement::Block(vec![start, looped])
            }
            5 => {
                let counter = place(self.binder(1));
                Statement::For {
                    initial: Expr::Assign(counter.clone(), Box::new(Expr::Const(0))),
                    condition: less(Expr::Load(counter.clone()), i64::from(self.pick(4))),
                    step: Expr::PostIncrement(counter, 1),
                    body: Box::new(self.statement()),
                    span: Span::default(),
                }
            }
            6 => {
                let (lo, hi) = self.range();
                let body = Box::new(self.statement());
                Statement::ForEach { binder: Addr(self.binder(0)), lo, hi, body }
            }
            // Nobody asks for the number of a function that gives a row.
            8 if !self.gives && self.pick(4) == 0 => Statement::ReturnAggregate(self.row()),
            8 if !self.gives => Statement::Return(None),
            _ => Statement::Return(Some(self.expr())),
        };
        self.depth -= 1;
        statement
    }

    /// A loop variable of this depth.
    fn binder(&self, kind: u32) -> u32 {
        let block = if self.binder_block == FUNCTIONS { 0 } else { self.binder_block + 1 };
        // Functions called within a loop must not share its variables.
        BINDERS + block * MAX_DEPTH + ((self.depth + kind) % MAX_DEPTH)
    }

    fn range(&mut self) -> (i64, i64) {
        let lo = i64::from(self.pick(4)) - 2;
        (lo, lo + i64::from(self.pick(4)) - 1)
    }

    fn expr(&mut self) -> Expr {
        self.depth += 1;
        let kind = if self.depth >= MAX_DEPTH { self.pick(6) } else { self.pick(30) };
        let expr = match kind {
            0 | 1 => Expr::Const(self.constant()),
            2..=5 => Expr::Load(self.cell()),
            6..=7 => {
                let op = [UnaryOp::Not, UnaryOp::Minus, UnaryOp::Plus][self.pick(3) as usize];
                Expr::Unary(op, Box::new(self.expr()))
            }
            8..=13 => {
                let (op, left) = (self.operator(), self.boxed());
                Expr::Binary(op, left, self.boxed(), Span::default())
            }
            14 | 15 => Expr::And(self.boxed(), self.boxed()),
            16 | 17 => Expr::Or(self.boxed(), self.boxed()),
            18 => Expr::Conditional(self.boxed(), self.boxed(), self.boxed()),
            19 | 20 => {
                let kind = [QuantifierKind::Forall, QuantifierKind::Exists, QuantifierKind::Sum]
                    [self.pick(3) as usize];
                let (lo, hi) = self.range();
                let binder = Addr(self.binder(0));
                Expr::Quantifier { kind, binder, lo, hi, body: self.boxed() }
            }
            21 => Expr::Same { left: self.row(), right: Box::new(self.row()), len: 2 },
            22 if self.callable > 0 => self.call(),
            _ if self.is_pure => Expr::Load(self.cell()),
            23 => Expr::Assign(self.cell(), self.boxed()),
            24 => {
                let (place, op) = (self.cell(), self.operator());
                Expr::Update(place, op, self.boxed(), Span::default())
            }
            25 => Expr::PostIncrement(self.cell(), if self.pick(2) == 0 { 1 } else { -1 }),
            26 => Expr::Copy { to: self.row(), from: Box::new(self.row()), len: 2 },
            27 => Expr::Reset(self.clock(), self.boxed()),
            28 => Expr::AddCost(self.boxed()),
            _ => Expr::Sequence((0..self.pick(3)).map(|_| self.expr()).collect()),
        };
        self.depth -= 1;
        expr
    }

    fn boxed(&mut self) -> Box<Expr> {
        Box::new(self.expr())
    }

    fn call(&mut self) -> Expr {
        let function = FunctionId(u32::from(self.pick(self.callable as u8)));
        let arguments = vec![
            Argument::Value(self.expr()),
            Argument::Reference(self.row()),
            Argument::Clock(self.clock()),
            Argument::Aggregate(self.row(), 2),
        ];
        Expr::Call(function, arguments, Span::default())
    }

    fn constant(&mut self) -> i64 {
        match self.pick(12) {
            0 => i64::MAX,
            1 => i64::MIN,
            2 => 1 << 40,
            3 => 40_000,
            4 => -32_768,
            5 => 32_767,
            small => i64::from(small) - 8,
        }
    }

    /// The last three of all are not resolved to binary operators.
    fn operator(&mut self) -> BinaryOp {
        BinaryOp::ALL[self.pick(BinaryOp::ALL.len() as u8 - 3) as usize]
    }

    /// A single cell: often a variable, else part of a row or something local.
    fn cell(&mut self) -> Place {
        match self.pick(8) {
            0 if self.inside.is_some() => place(self.inside.unwrap()),
            1 | 2 => {
                let mut row = self.row();
                if self.pick(2) == 0 {
                    row.offset += 1;
                } else {
                    let step = self.step(2, 1);
                    row.steps.push(step);
                }
                row
            }
            3 if self.is_pure => place(self.binder(0) - self.depth.min(1)),
            // What is written to a cell of one value is mostly an error.
            4 if self.is_pure || self.pick(3) == 0 => {
                place(ODD + u32::from(self.pick(ODD_RANGES.len() as u8)))
            }
            _ => place(u32::from(self.pick(SINGLES as u8))),
        }
    }

    /// Two cells.
    fn row(&mut self) -> Place {
        match (self.pick(3), self.inside) {
            (0, Some(frame)) => place(frame + 3),
            (1, Some(frame)) => Place { base: PlaceBase::Reference(Addr(frame + 1)), ..place(0) },
            _ => {
                let step = self.step(3, 2);
                Place { steps: vec![step], ..place(SINGLES) }
            }
        }
    }

    fn step(&mut self, length: u32, stride: u32) -> IndexStep {
        let first = i64::from(self.pick(3)) - 1;
        let index = if self.pick(3) == 0 {
            self.expr()
        } else {
            Expr::Const(first + i64::from(self.pick(length as u8)))
        };
        IndexStep { index, first, length, stride, span: Span::default() }
    }

    fn clock(&mut self) -> ClockPlace {
        match (self.pick(3), self.inside) {
            (0, Some(frame)) => {
                let base = ClockBase::Reference(Addr(frame + 2));
                ClockPlace { base, steps: Vec::new(), offset: 0 }
            }
            (1, _) => {
                let step = self.step(2, 1);
                ClockPlace { steps: vec![step], ..ClockPlace::fixed(ClockId(1)) }
            }
            _ => ClockPlace::fixed(ClockId(u32::from(self.pick(3)))),
        }
    }
}

fn less(left: Expr, right: i64) -> Expr {
    Expr::Binary(BinaryOp::Less, Box::new(left), Box::new(Expr::Const(right)), Span::default())
}

pub(super) fn place(cell: u32) -> Place {
    Place::fixed(Addr(cell), Span::default())
}

/// The cells and clocks that the trees speak of.
pub(super) fn memory() -> Model {
    let wide = (i64::from(i32::MIN), i64::from(i32::MAX));
    let range = |cell| match cell {
        0 => (-3, 3),
        1 => (0, 1),
        2 => wide,
        3 => (-40_000, 40_000),
        cell if cell < ODD => (-9, 9),
        cell if cell < STATE => ODD_RANGES[(cell - ODD) as usize],
        cell if cell < BINDERS => match (cell - STATE) % FRAME {
            0 | 5 => (-100_000, 100_000),
            _ => (-9, 9),
        },
        _ => (i64::MIN, i64::MAX),
    };
    let cells = (0..CELLS).map(|number| {
        let (lo, hi) = range(number);
        let initial = i64::from(number % 2).clamp(lo, hi);
        Cell { name: format!("c{number}"), lo, hi, initial, ..Cell::default() }
    });
    Model {
        cells: cells.collect(),
        state_len: STATE,
        clocks: vec![Clock::default(); 3],
        ..Model::default()
    }
}
