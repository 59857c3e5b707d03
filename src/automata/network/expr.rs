//! Expressions as they are written, of the model and of its queries alike.

use super::{Ident, Type};
use takt_diagnostic::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Number(i64),
    Bool(bool),
    Name(String),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `s.f`, `P.location`, `P.variable`
    Field(Box<Expr>, Ident),
    /// `x'`: the rate of a clock or of `cost`
    Rate(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Assign(AssignOp, Box<Expr>, Box<Expr>),
    /// `i++` and `i--` (`delta` 1 or -1), as prefix or postfix
    Increment {
        target: Box<Expr>,
        delta: i64,
        prefix: bool,
    },
    /// `f(a, b)`; in queries also an instance of a parametrised template, `P(1).loc`
    Call(Box<Expr>, Vec<Expr>),
    Quantifier {
        kind: QuantifierKind,
        binder: Ident,
        ty: Box<Type>,
        body: Box<Expr>,
    },
    /// `deadlock`, in queries only
    Deadlock,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Not,
    Minus,
    Plus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    /// `<?`
    Min,
    /// `>?`
    Max,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    GreaterEqual,
    Greater,
    And,
    Or,
    Imply,
}

impl BinaryOp {
    /// All of them, those of logic last.
    pub const ALL: [BinaryOp; 21] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Mod,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
        BinaryOp::Min,
        BinaryOp::Max,
        BinaryOp::Less,
        BinaryOp::LessEqual,
        BinaryOp::Equal,
        BinaryOp::NotEqual,
        BinaryOp::GreaterEqual,
        BinaryOp::Greater,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Imply,
    ];

    /// Whether it gives a truth value for two numbers.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Less | LessEqual | Equal | NotEqual | GreaterEqual | Greater)
    }
}

/// `=` (also `:=`) and the compound assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    Set,
    /// `+=` and the like: `target = target op value`
    With(BinaryOp),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuantifierKind {
    Forall,
    Exists,
    Sum,
}

impl Expr {
    pub fn new(kind: ExprKind) -> Expr {
        Expr { kind, span: Span::default() }
    }

    pub fn number(value: i64) -> Expr {
        Expr::new(ExprKind::Number(value))
    }

    pub fn name(text: impl Into<String>) -> Expr {
        Expr::new(ExprKind::Name(text.into()))
    }

    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)))
    }
}
