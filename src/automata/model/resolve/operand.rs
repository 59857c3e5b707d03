//! What an expression stands for once its names are known: a value, a place, a clock, a
//! condition on clocks, a channel.

use super::scope::Root;
use super::types::Ty;
use super::{Reported, Res, Resolver, fold};
use crate::model::{ChannelId, ClockPlace, Expr, Formula, IndexStep, Place, ProcessId};
use crate::network;
use takt_diagnostic::{Diagnostic, Span};

#[derive(Clone, Debug)]
pub enum Operand {
    /// A number, a truth value or a scalar.
    Value(Expr, Ty),
    Place(Located),
    Clock(ClockPlace, Ty),
    /// Clocks added and subtracted: only good for comparing.
    Linear(Linear),
    Channel(ChannelPlace, Ty),
    /// A condition that depends on clocks or on what is possible next.
    Logic(Formula),
    Cost,
    /// Done for its effect.
    Void(Expr),
    /// A process, by number (in queries).
    Process(ProcessId),
    /// The processes of one name, before their parameters are given.
    Group(String),
}

/// One side of an operator, and where it stands.
pub type Side = (Operand, Span);

/// A variable or a part of one.
#[derive(Clone, Debug)]
pub struct Located {
    pub place: Place,
    pub ty: Ty,
    pub is_const: bool,
    pub root: Root,
    /// Evaluated before the place is used: the call whose result it is.
    pub prelude: Option<Box<Expr>>,
}

/// The sum of `plus` and `offset` without `minus`.
#[derive(Clone, Debug)]
pub struct Linear {
    pub plus: Vec<ClockPlace>,
    pub minus: Vec<ClockPlace>,
    pub offset: Expr,
}

/// A channel or an array of them.
#[derive(Clone, Debug)]
pub struct ChannelPlace {
    pub base: ChannelId,
    pub steps: Vec<IndexStep>,
}

impl Located {
    pub fn load(self) -> Expr {
        match self.prelude {
            Some(prelude) => Expr::Sequence(vec![*prelude, Expr::Load(self.place)]),
            None => Expr::Load(self.place),
        }
    }
}

impl Operand {
    /// What it is, with its article, for messages.
    pub fn describe(&self) -> String {
        match self {
            Operand::Value(_, ty) => format!("a value of type `{ty}`"),
            Operand::Place(located) => format!("a variable of type `{}`", located.ty),
            Operand::Clock(_, Ty::Clock) => "a clock".into(),
            Operand::Clock(..) => "an array of clocks".into(),
            Operand::Linear(_) => "a difference of clocks".into(),
            Operand::Channel(..) => "a channel".into(),
            Operand::Logic(_) => "a condition on clocks".into(),
            Operand::Cost => "the cost".into(),
            Operand::Void(_) => "something without a value".into(),
            Operand::Process(_) | Operand::Group(_) => "a process".into(),
        }
    }

    /// The type of a value or of a single variable.
    pub fn single_type(&self) -> Option<&Ty> {
        match self {
            Operand::Value(_, ty) => Some(ty),
            Operand::Place(located) if located.ty.is_single() => Some(&located.ty),
            _ => None,
        }
    }
}

impl Resolver {
    /// A number, truth value or scalar, as a tree with its type.
    #[inline(never)]
    pub fn value_of(&mut self, operand: Operand, span: Span) -> Res<(Expr, Ty)> {
        match operand {
            Operand::Value(tree, ty) => Ok((tree, ty)),
            Operand::Place(located) if located.ty.is_single() => {
                let ty = located.ty.clone();
                Ok((located.load(), ty))
            }
            other => Err(self.not_a_value(&other, span)),
        }
    }

    /// A number (a truth value counts as 0 or 1).
    #[inline(never)]
    pub fn number_of(&mut self, operand: Operand, span: Span) -> Res<Expr> {
        let (tree, ty) = self.value_of(operand, span)?;
        if ty.is_number() {
            return Ok(tree);
        }
        Err(self.error(
            Diagnostic::error("type-mismatch", span, "a number is needed here")
                .label(format!("this is a value of type `{ty}`"))
                .hint("scalars can only be compared, assigned and used as indices of their set"),
        ))
    }

    pub fn value(&mut self, expr: &network::Expr) -> Res<(Expr, Ty)> {
        let operand = self.operand(expr)?;
        self.value_of(operand, expr.span)
    }

    pub fn number(&mut self, expr: &network::Expr) -> Res<Expr> {
        let operand = self.operand(expr)?;
        self.number_of(operand, expr.span)
    }

    /// Something else is needed than what stands here.
    #[cold]
    pub fn misfit(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        found: &Operand,
    ) -> Reported {
        let label = format!("this is {}", found.describe());
        self.error(Diagnostic::error(code, span, message).label(label))
    }

    #[inline(never)]
    fn not_a_value(&mut self, operand: &Operand, span: Span) -> Reported {
        let error = match operand {
            Operand::Clock(..) | Operand::Linear(_) => {
                Diagnostic::error("clock-as-value", span, "a clock cannot be used as a number")
                    .label(format!("this is {}", operand.describe()))
                    .hint("clocks can be compared with whole numbers, in guards, invariants and queries")
            }
            Operand::Logic(_) => Diagnostic::error(
                "clock-condition",
                span,
                "a condition on clocks cannot stand here",
            )
            .label("this depends on clocks")
            .hint("conditions on clocks belong into guards, invariants and queries, joined by `&&`"),
            Operand::Cost => {
                Diagnostic::error("cost-as-value", span, "`cost` cannot be read in the model")
                    .label("this is the price of the run so far")
                    .hint("`cost` can be raised (`cost += 3`), given a rate (`cost' == 2`) and asked for (`inf{p}: cost`)")
            }
            other => Diagnostic::error("type-mismatch", span, "a single value is needed here")
                .label(format!("this is {}", other.describe())),
        };
        self.error(error)
    }

    /// A value as it is stored into something of type `target`: numbers become truth values by
    /// comparison with 0, scalars must belong to the same set.
    pub fn convert(&mut self, value: (Expr, Ty), target: &Ty, span: Span) -> Res<Expr> {
        let (tree, ty) = value;
        match (target, &ty) {
            (Ty::Bool, Ty::Int { .. }) => Ok(fold::truth(tree)),
            (Ty::Bool, Ty::Bool) | (Ty::Int { .. }, Ty::Int { .. } | Ty::Bool) => Ok(tree),
            (Ty::Scalar { set: a, .. }, Ty::Scalar { set: b, .. }) if a == b => Ok(tree),
            _ => Err(self.mismatch(span, target, &ty)),
        }
    }

    #[inline(never)]
    pub fn mismatch(&mut self, span: Span, wanted: &Ty, given: &Ty) -> Reported {
        let mut error = Diagnostic::error(
            "type-mismatch",
            span,
            format!("a value of type `{wanted}` is needed"),
        )
        .label(format!("this has type `{given}`"));
        if let (Ty::Scalar { .. }, Ty::Scalar { .. }) = (wanted, given) {
            error = error.hint("each `scalar[n]` is a set of its own; share one by a `typedef`");
        }
        self.error(error)
    }
}
