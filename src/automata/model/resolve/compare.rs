//! Comparisons: of values, of whole arrays and structs, and of clocks, which are brought into
//! the form `left - right < bound`.

use super::operand::{Linear, Operand, Side};
use super::types::Ty;
use super::{Res, Resolver, fold};
use crate::model::{ClockPlace, ClockRef, ClockTest, CodeRange, Expr, Formula, Term};
use crate::network::{BinaryOp, UnaryOp};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    #[inline(never)]
    pub fn compare(&mut self, op: BinaryOp, left: Side, right: Side, span: Span) -> Res<Operand> {
        if is_clockwise(&left.0) || is_clockwise(&right.0) {
            let (a, b) = (self.linear(left.0, left.1), self.linear(right.0, right.1));
            return self.compare_clocks(op, a?, b?, span);
        }
        if let (Operand::Place(_), Operand::Place(_)) = (&left.0, &right.0)
            && left.0.single_type().is_none()
            && right.0.single_type().is_none()
        {
            return self.compare_whole(op, left.0, right, span);
        }
        let (a, b) = (self.value_of(left.0, left.1), self.value_of(right.0, right.1));
        let ((a, a_ty), (b, b_ty)) = (a?, b?);
        match (&a_ty, &b_ty) {
            (a, b) if a.is_number() && b.is_number() => {}
            (Ty::Scalar { set: a, .. }, Ty::Scalar { set: b, .. }) if a == b => {
                if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
                    return Err(self.error(
                        Diagnostic::error("scalar-order", span, "scalars have no order")
                            .label("compared by order")
                            .hint("scalars can be compared with `==` and `!=` only"),
                    ));
                }
            }
            _ => return Err(self.mismatch(right.1, &a_ty, &b_ty)),
        }
        Ok(Operand::Value(fold::binary(op, a, b, span), Ty::Bool))
    }

    #[inline(never)]
    fn compare_whole(
        &mut self,
        op: BinaryOp,
        left: Operand,
        right: Side,
        span: Span,
    ) -> Res<Operand> {
        let (Operand::Place(left), Operand::Place(other)) = (left, right.0) else {
            return Err(super::Reported);
        };
        if !left.ty.has_shape_of(&other.ty) {
            return Err(self.mismatch(right.1, &left.ty, &other.ty));
        }
        let negated = match op {
            BinaryOp::Equal => false,
            BinaryOp::NotEqual => true,
            _ => {
                return Err(self.error(
                    Diagnostic::error("type-mismatch", span, "arrays and structs have no order")
                        .label("compared by order")
                        .hint("use `==` or `!=`"),
                ));
            }
        };
        let len = left.ty.cells();
        let mut parts: Vec<Expr> =
            [left.prelude, other.prelude].into_iter().flatten().map(|call| *call).collect();
        let same = Expr::Same { left: left.place, right: Box::new(other.place), len };
        let same = if negated { fold::unary(UnaryOp::Not, same) } else { same };
        let tree = if parts.is_empty() {
            same
        } else {
            parts.push(same);
            Expr::Sequence(parts)
        };
        Ok(Operand::Value(tree, Ty::Bool))
    }

    /// An operand as a sum of clocks and a number.
    pub fn linear(&mut self, operand: Operand, span: Span) -> Res<Linear> {
        match operand {
            Operand::Linear(linear) => Ok(linear),
            Operand::Clock(place, Ty::Clock) => {
                Ok(Linear { plus: vec![place], minus: Vec::new(), offset: Expr::Const(0) })
            }
            other => {
                let offset = self.number_of(other, span)?;
                Ok(Linear { plus: Vec::new(), minus: Vec::new(), offset })
            }
        }
    }

    #[inline(never)]
    pub fn linear_sum(
        &mut self,
        op: BinaryOp,
        left: Side,
        right: Side,
        span: Span,
    ) -> Res<Operand> {
        let (a, b) = (self.linear(left.0, left.1), self.linear(right.0, right.1));
        let (mut a, b) = (a?, b?);
        if op == BinaryOp::Add {
            a.plus.extend(b.plus);
            a.minus.extend(b.minus);
            a.offset = fold::add(a.offset, b.offset, span);
        } else {
            a.plus.extend(b.minus);
            a.minus.extend(b.plus);
            a.offset = fold::sub(a.offset, b.offset, span);
        }
        Ok(Operand::Linear(a))
    }

    #[inline(never)]
    fn compare_clocks(
        &mut self,
        op: BinaryOp,
        left: Linear,
        right: Linear,
        span: Span,
    ) -> Res<Operand> {
        let mut plus: Vec<ClockPlace> = left.plus;
        plus.extend(right.minus);
        let mut minus: Vec<ClockPlace> = left.minus;
        minus.extend(right.plus);
        cancel(&mut plus, &mut minus);
        let bound = fold::sub(right.offset, left.offset, span);
        if plus.len() > 1 || minus.len() > 1 {
            return Err(self.error(
                Diagnostic::error(
                    "clock-sum",
                    span,
                    "clocks can only be subtracted from each other",
                )
                .label("this adds clocks")
                .hint("a test has the form `x < 3` or `x - y < 3`"),
            ));
        }
        let (plus, minus) = (plus.pop(), minus.pop());
        if plus.is_none() && minus.is_none() {
            let tree = fold::binary(op, Expr::Const(0), bound, span);
            return Ok(Operand::Value(tree, Ty::Bool));
        }
        let below = |is_strict| test(plus.as_ref(), minus.as_ref(), is_strict, bound.clone(), span);
        let above = |is_strict| {
            let bound = fold::unary(UnaryOp::Minus, bound.clone());
            test(minus.as_ref(), plus.as_ref(), is_strict, bound, span)
        };
        Ok(Operand::Logic(match op {
            BinaryOp::Less => below(true),
            BinaryOp::LessEqual => below(false),
            BinaryOp::Greater => above(true),
            BinaryOp::GreaterEqual => above(false),
            BinaryOp::Equal => Formula::And(vec![below(false), above(false)]),
            _ => Formula::Or(vec![below(true), above(true)]),
        }))
    }
}

fn is_clockwise(operand: &Operand) -> bool {
    matches!(operand, Operand::Clock(_, Ty::Clock) | Operand::Linear(_))
}

/// Drops clocks that are both added and subtracted.
fn cancel(plus: &mut Vec<ClockPlace>, minus: &mut Vec<ClockPlace>) {
    plus.retain(|clock| match minus.iter().position(|other| other == clock) {
        Some(position) => {
            minus.remove(position);
            false
        }
        None => true,
    });
}

fn test(
    left: Option<&ClockPlace>,
    right: Option<&ClockPlace>,
    is_strict: bool,
    bound: Expr,
    span: Span,
) -> Formula {
    Formula::Clock(ClockTest {
        unless: None,
        left: left.map(clock_ref),
        right: right.map(clock_ref),
        is_strict,
        bound: Term::new(bound, span),
        span,
    })
}

fn clock_ref(place: &ClockPlace) -> ClockRef {
    match place.constant() {
        Some(clock) => ClockRef::Fixed(clock),
        None => ClockRef::Indexed { place: Box::new(place.clone()), code: CodeRange::default() },
    }
}
