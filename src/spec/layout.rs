//! A wafer scanner's layout as it was written: components and what their actions take.

use super::{At, Expr};
use crate::diagnostic::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub track: Track,
    pub locks: Locks,
    /// At least one.
    pub robots: Vec<Robot>,
    pub chucks: Chucks,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    pub load: Expr,
    pub unload: Expr,
    pub switch: Expr,
    pub recover: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locks {
    /// At least one.
    pub ids: Vec<At<String>>,
    pub depressurize: Expr,
    pub pressurize: Expr,
    /// Locks that serve one way only; the others serve both.
    pub direction: Vec<(At<String>, At<Direction>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
    Both,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Robot {
    pub name: At<String>,
    /// 1 or 2.
    pub arms: At<i64>,
    /// At least one.
    pub locks: Vec<At<String>>,
    pub turn: Expr,
    pub from_lock: Expr,
    pub to_lock: Expr,
    pub to_chuck: Expr,
    pub from_chuck: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chucks {
    /// One or two.
    pub ids: Vec<At<String>>,
    pub swap: Expr,
    pub measure: Expr,
    pub expose: Expr,
}
