//! Arithmetic on 64 bits as in C, with an error wherever C has none to give.

use crate::model::FaultKind;
use crate::network::BinaryOp;

/// `left op right`; operators of logic evaluate both sides here.
#[inline]
pub(super) fn binary(op: BinaryOp, left: i64, right: i64) -> Result<i64, FaultKind> {
    use BinaryOp::*;
    let value = match op {
        Add => left.checked_add(right).ok_or(FaultKind::Overflow)?,
        Sub => left.checked_sub(right).ok_or(FaultKind::Overflow)?,
        Mul => left.checked_mul(right).ok_or(FaultKind::Overflow)?,
        Div if right == 0 => return Err(FaultKind::DivisionByZero),
        Div => left.checked_div(right).ok_or(FaultKind::Overflow)?,
        Mod if right == 0 => return Err(FaultKind::DivisionByZero),
        Mod => left.wrapping_rem(right),
        BitAnd => left & right,
        BitOr => left | right,
        BitXor => left ^ right,
        ShiftLeft => shift_left(left, shift_width(right)?)?,
        ShiftRight => left >> shift_width(right)?,
        Min => left.min(right),
        Max => left.max(right),
        Less => i64::from(left < right),
        LessEqual => i64::from(left <= right),
        Equal => i64::from(left == right),
        NotEqual => i64::from(left != right),
        GreaterEqual => i64::from(left >= right),
        Greater => i64::from(left > right),
        And => i64::from(left != 0 && right != 0),
        Or => i64::from(left != 0 || right != 0),
        Imply => i64::from(left == 0 || right != 0),
    };
    Ok(value)
}

fn shift_width(width: i64) -> Result<u32, FaultKind> {
    if (0..64).contains(&width) { Ok(width as u32) } else { Err(FaultKind::BadShift(width)) }
}

/// A shift to the left is a multiplication: it must not lose bits.
fn shift_left(value: i64, width: u32) -> Result<i64, FaultKind> {
    let shifted = value << width;
    if shifted >> width == value { Ok(shifted) } else { Err(FaultKind::Overflow) }
}
