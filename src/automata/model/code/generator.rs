//! The frame of code generation: units (terms and functions), labels, emission.

use super::{Code, Op, is_missing};
use crate::model::{Addr, ClockPlace, CodeRange, Expr, Function, Term};
use takt_diagnostic::Span;

/// Appends to the code. Recursion is as deep as the trees, whose depth the model's checks bound.
pub(super) struct Generator<'a> {
    pub code: &'a mut Code,
    pub known: &'a [Function],
    /// The innermost place known, for faults of expressions that carry none.
    pub span: Span,
    /// Where the function at hand puts its result.
    pub result: Option<(Addr, u32)>,
    /// Targets of jumps within the unit at hand.
    labels: Vec<u32>,
    /// Jumps whose operand is still the number of a label.
    jumps: Vec<usize>,
}

#[derive(Clone, Copy)]
pub(super) struct JumpTarget(u32);

impl<'a> Generator<'a> {
    pub fn new(code: &'a mut Code, known: &'a [Function]) -> Generator<'a> {
        Generator {
            code,
            known,
            span: Span::default(),
            result: None,
            labels: Vec::new(),
            jumps: Vec::new(),
        }
    }

    /// Compiles the functions that came since.
    pub fn functions(&mut self) {
        let known = self.known;
        for function in &known[self.code.entries.len()..] {
            let entry = self.here();
            self.code.entries.push(entry);
            self.function(function);
            self.resolve_jumps();
        }
    }

    /// Compiles a term for its value.
    pub fn term(&mut self, term: &mut Term) {
        if is_missing(term.code) {
            let tree = &term.tree;
            term.code = self.unit(term.span, |generator| generator.value(tree));
        }
    }

    /// Compiles a term for its effects only.
    pub fn update(&mut self, term: &mut Term) {
        if is_missing(term.code) {
            let tree = &term.tree;
            term.code = self.unit(term.span, |generator| generator.effect(tree));
        }
    }

    /// Compiles the number of an indexed clock.
    pub fn clock_number(&mut self, place: &ClockPlace, span: Span) -> CodeRange {
        self.unit(span, |generator| generator.whole_clock(place))
    }

    fn unit(&mut self, span: Span, body: impl FnOnce(&mut Self)) -> CodeRange {
        self.span = span;
        let start = self.here();
        body(self);
        if self.here() == start {
            self.emit(Op::Const(0)); // an empty range would say "not compiled"
        }
        let end = self.here();
        self.emit(Op::Halt);
        self.resolve_jumps();
        CodeRange { start, end }
    }

    pub fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    pub fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    /// Emits an instruction that may fault, with the innermost place known.
    pub fn emit_here(&mut self, op: Op) {
        self.emit_at(op, self.span);
    }

    pub fn emit_at(&mut self, op: Op, span: Span) {
        self.code.spans.push((self.here(), span));
        self.emit(op);
    }

    pub fn constant(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(value) => self.emit(Op::Const(value)),
            Err(_) => {
                self.code.wide.push(value);
                self.emit(Op::Wide(self.code.wide.len() as u32 - 1));
            }
        }
    }

    pub fn is_state(&self, cell: Addr) -> bool {
        cell.0 < self.code.state_len
    }

    pub fn load(&mut self, cell: Addr) {
        self.emit(if self.is_state(cell) { Op::LoadState(cell) } else { Op::LoadLocal(cell) });
    }

    /// Writes `acc`, checking the cell's range.
    pub fn store(&mut self, cell: Addr, span: Span) {
        let op = if self.is_state(cell) { Op::StoreState(cell) } else { Op::StoreLocal(cell) };
        self.emit_at(op, span);
    }

    /// Writes `acc` to a cell that only the compiler knows of.
    pub fn bind(&mut self, cell: Addr) {
        assert!(!self.is_state(cell), "bound variables and parameters are local");
        self.emit(Op::Bind(cell));
    }

    pub fn label(&mut self) -> JumpTarget {
        self.labels.push(u32::MAX);
        JumpTarget(self.labels.len() as u32 - 1)
    }

    /// Lets a label stand for the next instruction.
    pub fn place(&mut self, label: JumpTarget) {
        self.labels[label.0 as usize] = self.here();
    }

    /// Emits a jump to a label placed before or later.
    pub fn jump(&mut self, op: fn(u32) -> Op, label: JumpTarget) {
        self.jumps.push(self.code.ops.len());
        self.emit(op(label.0));
    }

    fn resolve_jumps(&mut self) {
        for at in self.jumps.drain(..) {
            let (Op::Jump(target) | Op::JumpIfZero(target) | Op::JumpUnlessZero(target)) =
                &mut self.code.ops[at]
            else {
                unreachable!("only jumps have labels")
            };
            *target = self.labels[*target as usize];
        }
        self.labels.clear();
    }
}

/// The value of an expression that is as good as a constant.
pub(super) fn constant_of(expr: &Expr) -> Option<i64> {
    use crate::network::UnaryOp;
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Unary(op, inner) => match (op, constant_of(inner)?) {
            (UnaryOp::Plus, value) => Some(value),
            (UnaryOp::Minus, value) => value.checked_neg(),
            (UnaryOp::Not, value) => Some(i64::from(value == 0)),
        },
        _ => None,
    }
}
