//! What changes things: assignments to variables, clocks and the cost.

use super::operand::{Located, Operand, Side};
use super::scope::{Root, Symbol};
use super::types::Ty;
use super::{Res, Resolver};
use crate::model::{ClockBase, ClockPlace, Expr, Term};
use crate::network::{self, AssignOp, BinaryOp, ExprKind};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    /// A list of updates as one term that runs them in order.
    pub fn updates(&mut self, exprs: &[network::Expr]) -> Res<Option<Term>> {
        let trees: Vec<Res<Expr>> = exprs.iter().map(|expr| self.effect_of(expr)).collect();
        let mut trees = trees.into_iter().collect::<Res<Vec<Expr>>>()?;
        let Some(span) = exprs.iter().map(|expr| expr.span).reduce(|a, b| a.to(b)) else {
            return Ok(None);
        };
        let tree = if trees.len() == 1 { trees.remove(0) } else { Expr::Sequence(trees) };
        Ok(Some(Term::new(tree, span)))
    }

    /// Several expressions, evaluated in order for what they do.
    pub fn effects_of(&mut self, exprs: &[network::Expr]) -> Res<Expr> {
        let term = self.updates(exprs)?;
        Ok(term.map_or(Expr::Const(0), |term| term.tree))
    }

    /// An expression that is evaluated for what it does.
    pub fn effect_of(&mut self, expr: &network::Expr) -> Res<Expr> {
        match self.operand(expr)? {
            Operand::Void(tree) => Ok(tree),
            operand => Ok(self.value_of(operand, expr.span)?.0),
        }
    }

    #[inline(never)]
    pub fn assign(
        &mut self,
        op: AssignOp,
        target: &network::Expr,
        value: &network::Expr,
        span: Span,
    ) -> Res<Operand> {
        let place = self.operand(target);
        let operand = self.operand(value);
        let (place, operand) = (place?, operand?);
        match place {
            Operand::Clock(clock, Ty::Clock) => {
                self.reset(op, clock, target, (operand, value.span), span)
            }
            Operand::Cost => self.add_cost(op, (operand, value.span), span),
            Operand::Place(located) => {
                self.writable(&located, target)?;
                self.store(op, located, (operand, value.span), span)
            }
            other => Err(self.not_assignable(&other, target)),
        }
    }

    #[inline(never)]
    fn store(&mut self, op: AssignOp, target: Located, value: Side, span: Span) -> Res<Operand> {
        if !target.ty.is_single() {
            return self.copy(op, target, value, span);
        }
        let given = self.value_of(value.0, value.1)?;
        let ty = target.ty.clone();
        match op {
            AssignOp::Set => {
                let tree = self.convert(given, &ty, value.1)?;
                Ok(Operand::Value(Expr::Assign(target.place, Box::new(tree)), ty))
            }
            AssignOp::With(op) if ty.is_number() && given.1.is_number() => {
                Ok(Operand::Value(Expr::Update(target.place, op, Box::new(given.0), span), ty))
            }
            AssignOp::With(_) => Err(self.mismatch(value.1, &Ty::INT, &given.1)),
        }
    }

    #[inline(never)]
    fn copy(&mut self, op: AssignOp, target: Located, value: Side, span: Span) -> Res<Operand> {
        match op {
            AssignOp::Set => Ok(Operand::Void(self.copy_whole(target, value)?)),
            AssignOp::With(_) => Err(self.error(
                Diagnostic::error("type-mismatch", span, "arrays and structs can only be copied")
                    .label("computed with here"),
            )),
        }
    }

    /// Copies an array or struct.
    pub fn copy_whole(&mut self, target: Located, value: Side) -> Res<Expr> {
        match value.0 {
            Operand::Place(from) if from.ty.has_shape_of(&target.ty) => {
                let len = target.ty.cells();
                let copy = Expr::Copy { to: target.place, from: Box::new(from.place), len };
                Ok(match from.prelude {
                    Some(call) => Expr::Sequence(vec![*call, copy]),
                    None => copy,
                })
            }
            other => {
                let found = other.describe();
                Err(self.error(
                    Diagnostic::error(
                        "type-mismatch",
                        value.1,
                        format!("a value of type `{}` is needed", target.ty),
                    )
                    .label(format!("this is {found}")),
                ))
            }
        }
    }

    #[inline(never)]
    fn reset(
        &mut self,
        op: AssignOp,
        clock: ClockPlace,
        target: &network::Expr,
        value: Side,
        span: Span,
    ) -> Res<Operand> {
        if op != AssignOp::Set {
            return Err(self.error(
                Diagnostic::error("clock-update", span, "a clock can only be set")
                    .label("changed by its own value")
                    .hint("write `x = 3`"),
            ));
        }
        if matches!(value.0, Operand::Clock(..) | Operand::Linear(_)) {
            return Err(self.error(
                Diagnostic::error("clock-update", value.1, "a clock can only be set to a number")
                    .label("this depends on clocks"),
            ));
        }
        let tree = self.number_of(value.0, value.1)?;
        if let Expr::Const(time) = tree
            && time < 0
        {
            let label = format!("this is {time}");
            self.if_reached("negative-clock", value.1, "clocks must not be negative", label)?;
        }
        let root = match clock.base {
            ClockBase::Fixed(_) => Root::State,
            ClockBase::Reference(_) => self.clock_root(target),
        };
        self.note_write(root, span, target);
        Ok(Operand::Void(Expr::Reset(clock, Box::new(tree))))
    }

    /// The position of the reference parameter that a clock is reached by.
    fn clock_root(&self, target: &network::Expr) -> Root {
        let frame = self.at.frame.as_ref();
        match (root_name(target), frame) {
            (Some(name), Some(frame)) => frame
                .parameters
                .iter()
                .position(|formal| formal.name == name)
                .map_or(Root::State, Root::Parameter),
            _ => Root::State,
        }
    }

    #[inline(never)]
    fn add_cost(&mut self, op: AssignOp, value: Side, span: Span) -> Res<Operand> {
        if op != AssignOp::With(BinaryOp::Add) {
            return Err(self.error(
                Diagnostic::error("cost-update", span, "`cost` can only be raised")
                    .label("set to a value here")
                    .hint("did you mean `cost += 3`, or the rate `cost' == 3` in an invariant?"),
            ));
        }
        let tree = self.number_of(value.0, value.1)?;
        if let Expr::Const(price) = tree
            && price < 0
        {
            return Err(self.error(
                Diagnostic::error("negative-price", value.1, "prices must not be negative")
                    .label(format!("this is {price}")),
            ));
        }
        self.made.is_priced = true;
        self.at.effect = Some((span, "`cost`".into()));
        Ok(Operand::Void(Expr::AddCost(Box::new(tree))))
    }

    #[inline(never)]
    pub fn increment(
        &mut self,
        target: &network::Expr,
        delta: i64,
        prefix: bool,
        span: Span,
    ) -> Res<Operand> {
        let located = match self.operand(target)? {
            Operand::Place(located) if located.ty.is_number() => located,
            other => return Err(self.not_assignable(&other, target)),
        };
        self.writable(&located, target)?;
        let ty = located.ty.clone();
        let tree = if prefix {
            Expr::Update(located.place, BinaryOp::Add, Box::new(Expr::Const(delta)), span)
        } else {
            Expr::PostIncrement(located.place, delta)
        };
        Ok(Operand::Value(tree, ty))
    }

    /// Refuses to write what is constant; notes the side effect otherwise.
    fn writable(&mut self, located: &Located, target: &network::Expr) -> Res<()> {
        if located.is_const || located.prelude.is_some() {
            return Err(self.error(
                Diagnostic::error("assign-to-constant", target.span, "this cannot be changed")
                    .label("a constant"),
            ));
        }
        self.note_write(located.root, target.span, target);
        Ok(())
    }

    pub fn note_write(&mut self, root: Root, span: Span, target: &network::Expr) {
        match root {
            Root::State => {
                let name = root_name(target).unwrap_or("something");
                self.at.effect = Some((span, format!("`{name}`")));
            }
            Root::Parameter(position) => {
                if let Some(frame) = &mut self.at.frame {
                    frame.parameters[position].is_written = true;
                }
            }
            Root::Local => {}
        }
    }

    #[inline(never)]
    fn not_assignable(&mut self, operand: &Operand, target: &network::Expr) -> super::Reported {
        let constant = root_name(target).is_some_and(|name| {
            matches!(
                self.names.lookup(self.at.scope, name).map(|entry| &entry.symbol),
                Some(Symbol::Constant { .. })
            )
        });
        let error = if constant {
            Diagnostic::error("assign-to-constant", target.span, "this cannot be changed")
                .label("a constant")
        } else if let Operand::Place(_) = operand {
            let how = "this cannot be changed in this way: it is no number";
            Diagnostic::error("not-assignable", target.span, how).label(operand.describe())
        } else {
            Diagnostic::error("not-assignable", target.span, "this cannot be changed")
                .label(format!("this is {}", operand.describe()))
        };
        self.error(error)
    }
}

/// The variable that a place is part of.
pub fn root_name(expr: &network::Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => root_name(base),
        _ => None,
    }
}
