//! How tightly each operator binds and how it is spelled: the one table that the parser and the
//! printer share.
//!
//! The words `and`, `or`, `not` bind like the signs they stand for, and `imply` like `||`, as in
//! UPPAAL. All binary operators group to the left; the conditional, assignments and prefixes to
//! the right; the body of a quantifier reaches as far as it can.

use crate::network::{AssignOp, BinaryOp};

/// Larger binds tighter. Binary operators lie between [`CONDITIONAL`] and [`UNARY`].
pub type Level = u8;

pub const QUANTIFIER: Level = 0;
pub const ASSIGNMENT: Level = 1;
pub const CONDITIONAL: Level = 2;
pub const UNARY: Level = 20;
pub const POSTFIX: Level = 21;
pub const PRIMARY: Level = 22;

pub fn level(op: BinaryOp) -> Level {
    use BinaryOp::*;
    match op {
        Or | Imply => 3,
        And => 4,
        BitOr => 5,
        BitXor => 6,
        BitAnd => 7,
        Equal | NotEqual => 8,
        Less | LessEqual | GreaterEqual | Greater => 9,
        Min | Max => 10,
        ShiftLeft | ShiftRight => 11,
        Add | Sub => 12,
        Mul | Div | Mod => 13,
    }
}

pub fn spelling(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Mod => "%",
        BitAnd => "&",
        BitOr => "|",
        BitXor => "^",
        ShiftLeft => "<<",
        ShiftRight => ">>",
        Min => "<?",
        Max => ">?",
        Less => "<",
        LessEqual => "<=",
        Equal => "==",
        NotEqual => "!=",
        GreaterEqual => ">=",
        Greater => ">",
        And => "&&",
        Or => "||",
        Imply => "imply",
    }
}

/// The sign of an assignment. Only the operators of [`compound`] have one.
pub fn assignment(op: AssignOp) -> String {
    match op {
        AssignOp::Set => "=".to_string(),
        AssignOp::With(op) => format!("{}=", spelling(op)),
    }
}
