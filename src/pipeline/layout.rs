//! From a layout to a schedule without an end that was replayed and validated.

use crate::lower::Pace;
use crate::scanner::Scanner;

/// The limits given, and what one wafer at a time can keep where none is.
pub fn pace(scanner: &Scanner, max_gap: Option<i64>, first: Option<i64>) -> Pace {
    let easy = Pace::leisurely(scanner);
    Pace { first: first.unwrap_or(easy.first), max_gap: max_gap.unwrap_or(easy.max_gap) }
}
