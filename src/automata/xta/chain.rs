//! Expressions put together from operands and operators by [`precedence`].
//!
//! The grammar knows operands, prefixes and the right-grouping operators; a row of operands with
//! binary operators between them is a [`Chain`], shaped here while it is read.

use super::precedence::level;
use super::text::Text;
use crate::network::{AssignOp, BinaryOp, Expr, ExprKind, Ident, QuantifierKind, Type, UnaryOp};

/// An expression and the stretch of text it covers, parentheses around it included.
pub struct Spanned {
    pub expr: Expr,
    pub start: usize,
    pub end: usize,
    /// A number without parentheses: a minus before it belongs to it.
    is_literal: bool,
}

impl Spanned {
    pub fn new(text: &Text, start: usize, kind: ExprKind, end: usize) -> Spanned {
        let is_literal = matches!(kind, ExprKind::Number(_));
        Spanned { expr: Expr { kind, span: text.span(start, end) }, start, end, is_literal }
    }

    /// The same expression in parentheses.
    pub fn within(self, start: usize, end: usize) -> Spanned {
        Spanned { expr: self.expr, start, end, is_literal: false }
    }

    fn boxed(self) -> Box<Expr> {
        Box::new(self.expr)
    }
}

/// What may stand before an operand.
#[derive(Clone, Copy)]
pub enum Prefix {
    Op(UnaryOp),
    Increment(i64),
}

pub fn prefixed(text: &Text, start: usize, prefix: Prefix, operand: Spanned) -> Spanned {
    let end = operand.end;
    let kind = match (prefix, &operand.expr.kind) {
        (Prefix::Op(UnaryOp::Minus), ExprKind::Number(n)) if operand.is_literal => {
            let value = ExprKind::Number(-n);
            return Spanned { is_literal: false, ..Spanned::new(text, start, value, end) };
        }
        (Prefix::Op(op), _) => ExprKind::Unary(op, operand.boxed()),
        (Prefix::Increment(delta), _) => {
            ExprKind::Increment { target: operand.boxed(), delta, prefix: true }
        }
    };
    Spanned::new(text, start, kind, end)
}

/// The ways in which an operand goes on to its right.
pub enum Postfix {
    Index(Spanned),
    Field(Ident),
    Rate,
    Call(Vec<Expr>),
    Increment(i64),
}

pub fn postfixed(text: &Text, base: Spanned, postfix: Postfix, end: usize) -> Spanned {
    let start = base.start;
    let base = base.boxed();
    let kind = match postfix {
        Postfix::Index(index) => ExprKind::Index(base, index.boxed()),
        Postfix::Field(name) => ExprKind::Field(base, name),
        Postfix::Rate => ExprKind::Rate(base),
        Postfix::Call(arguments) => ExprKind::Call(base, arguments),
        Postfix::Increment(delta) => ExprKind::Increment { target: base, delta, prefix: false },
    };
    Spanned::new(text, start, kind, end)
}

pub fn conditional(text: &Text, condition: Spanned, yes: Spanned, no: Spanned) -> Spanned {
    let (start, end) = (condition.start, no.end);
    let kind = ExprKind::Conditional(condition.boxed(), yes.boxed(), no.boxed());
    Spanned::new(text, start, kind, end)
}

pub fn assignment(text: &Text, target: Spanned, op: AssignOp, value: Spanned) -> Spanned {
    let (start, end) = (target.start, value.end);
    Spanned::new(text, start, ExprKind::Assign(op, target.boxed(), value.boxed()), end)
}

pub fn quantified(
    text: &Text,
    start: usize,
    kind: QuantifierKind,
    (binder, ty): (Ident, Type),
    body: Spanned,
) -> Spanned {
    let end = body.end;
    let kind = ExprKind::Quantifier { kind, binder, ty: Box::new(ty), body: body.boxed() };
    Spanned::new(text, start, kind, end)
}

/// Operands with binary operators between them. Levels rise strictly from one waiting operator
/// to the next, so at most one per level waits.
pub struct Chain {
    waiting: Vec<(Spanned, BinaryOp)>,
    last: Spanned,
}

impl Chain {
    pub fn new(first: Spanned) -> Chain {
        Chain { waiting: Vec::new(), last: first }
    }

    #[must_use]
    pub fn push(mut self, text: &Text, op: BinaryOp, next: Spanned) -> Chain {
        self = self.fold(text, level(op));
        self.waiting.push((self.last, op));
        Chain { waiting: self.waiting, last: next }
    }

    pub fn finish(self, text: &Text) -> Spanned {
        self.fold(text, 0).last
    }

    /// Joins what binds at least as tightly as `floor`.
    fn fold(mut self, text: &Text, floor: u8) -> Chain {
        while let Some((left, op)) = self.waiting.pop_if(|(_, op)| level(*op) >= floor) {
            let (start, end) = (left.start, self.last.end);
            let kind = ExprKind::Binary(op, left.boxed(), self.last.boxed());
            self.last = Spanned::new(text, start, kind, end);
        }
        self
    }
}
