//! Copies a template into another one: parameters become their arguments, locations get the
//! names they have there. Local declarations are shared by all that are copied into one, and so
//! cannot speak of parameters.

use crate::network::{Edge, Expr, ExprKind, Ident, Location, Origin, Template, Type, TypeKind};
use std::collections::BTreeSet;

/// What takes the place of what.
pub struct Stamp<'a> {
    pub arguments: &'a [(&'a str, Expr)],
    pub locations: &'a [(&'a str, &'a str)],
    /// The mark of the edges into the location with this name (the template's own).
    pub origin: Option<(&'a str, Origin)>,
}

impl Stamp<'_> {
    /// A location that the target has already, by its name in `known`, is left as it is there.
    pub fn onto(&self, target: &mut Template, known: &mut BTreeSet<String>, template: &Template) {
        for declaration in &template.declarations {
            if !target.declarations.contains(declaration) {
                target.declarations.push(declaration.clone());
            }
        }
        for location in &template.locations {
            let name = self.location(&location.name);
            if known.insert(name.text.clone()) {
                target.locations.push(Location {
                    name,
                    invariant: location.invariant.as_ref().map(|e| self.expr(e)),
                    urgency: location.urgency,
                });
            }
        }
        target.edges.extend(template.edges.iter().map(|edge| self.edge(edge)));
    }

    pub fn edge(&self, edge: &Edge) -> Edge {
        let mut copy = edge.clone();
        copy.source = self.location(&edge.source);
        copy.target = self.location(&edge.target);
        for (_, ty) in &mut copy.select {
            self.put_type(ty);
        }
        let bound: Vec<&str> = edge.select.iter().map(|(name, _)| name.text.as_str()).collect();
        let arguments = self.free_of(&bound);
        let within = Stamp { arguments: &arguments, ..*self };
        copy.guard.iter_mut().for_each(|guard| within.put(guard));
        copy.sync.iter_mut().for_each(|sync| within.put(&mut sync.channel));
        copy.update.iter_mut().for_each(|update| within.put(update));
        copy.origin =
            self.origin.filter(|(target, _)| *target == edge.target.text).map(|(_, origin)| origin);
        copy
    }

    fn location(&self, name: &Ident) -> Ident {
        let renamed = self.locations.iter().find(|(from, _)| *from == name.text);
        renamed.map_or_else(|| name.clone(), |(_, to)| Ident::new(*to))
    }

    pub fn expr(&self, expr: &Expr) -> Expr {
        let mut copy = expr.clone();
        self.put(&mut copy);
        copy
    }

    /// The arguments without those whose names are bound.
    fn free_of(&self, bound: &[&str]) -> Vec<(&str, Expr)> {
        self.arguments.iter().filter(|(name, _)| !bound.contains(name)).cloned().collect()
    }

    /// Puts arguments in the place of parameters.
    fn put(&self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Name(name) => {
                if let Some((_, argument)) = self.arguments.iter().find(|(from, _)| from == name) {
                    *expr = argument.clone();
                }
            }
            ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Deadlock => {}
            ExprKind::Field(inner, _) | ExprKind::Rate(inner) | ExprKind::Unary(_, inner) => {
                self.put(inner);
            }
            ExprKind::Increment { target, .. } => self.put(target),
            ExprKind::Index(left, right)
            | ExprKind::Binary(_, left, right)
            | ExprKind::Assign(_, left, right) => {
                self.put(left);
                self.put(right);
            }
            ExprKind::Conditional(test, then, otherwise) => {
                self.put(test);
                self.put(then);
                self.put(otherwise);
            }
            ExprKind::Call(function, arguments) => {
                self.put(function);
                arguments.iter_mut().for_each(|argument| self.put(argument));
            }
            ExprKind::Quantifier { binder, ty, body, .. } => {
                self.put_type(ty);
                let arguments = self.free_of(&[&binder.text]);
                Stamp { arguments: &arguments, ..*self }.put(body);
            }
        }
    }

    fn put_type(&self, ty: &mut Type) {
        match &mut ty.kind {
            TypeKind::Int(Some(range)) => {
                self.put(&mut range.0);
                self.put(&mut range.1);
            }
            TypeKind::Scalar(size) => self.put(size),
            _ => {}
        }
    }
}
