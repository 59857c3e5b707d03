//! What woven templates are told by their processes: parameters whose names clash with nothing.
//!
//! While fragments are joined, a parameter of the process has a name that no file can contain. Once
//! all is joined it gets one that nothing else in the template or around it has, so that a
//! user's templates may call their own things as they like.

use super::stamp::Stamp;
use crate::network::{
    Declaration, Dimension, Expr, ExprKind, Ident, Parameter, Template, Type, TypeKind,
};
use std::collections::BTreeSet;
use takt_diagnostic::Span;

/// No identifier has this letter.
const MARK: char = '#';

/// A parameter of the process, as fragments are told of it.
pub fn woven(name: &str) -> Expr {
    Expr::name(format!("{MARK}{name}"))
}

/// Gives a template those of these parameters that it speaks of, and tells which they are.
pub fn name_parameters(
    template: &mut Template,
    wanted: &[&'static str],
    globals: &BTreeSet<String>,
) -> Vec<&'static str> {
    let mut taken = names_in(template);
    let used: Vec<&str> =
        wanted.iter().copied().filter(|name| taken.contains(&marked(name))).collect();
    taken.extend(globals.iter().cloned());
    let mut renamed = Vec::new();
    for name in &used {
        let fresh = unused(name, &taken);
        taken.insert(fresh.clone());
        template.parameters.push(parameter(&fresh));
        renamed.push((marked(name), Expr::name(fresh)));
    }
    let arguments: Vec<(&str, Expr)> =
        renamed.iter().map(|(from, to)| (from.as_str(), to.clone())).collect();
    let stamp = Stamp { arguments: &arguments, locations: &[], origin: None };
    for location in &mut template.locations {
        location.invariant = location.invariant.as_ref().map(|e| stamp.expr(e));
    }
    for edge in &mut template.edges {
        let origin = edge.origin;
        *edge = stamp.edge(edge);
        edge.origin = origin;
    }
    used
}

fn marked(name: &str) -> String {
    format!("{MARK}{name}")
}

/// The name itself, or with a number that nobody has.
pub fn unused(name: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(|name| !taken.contains(name)).expect("there is always another number")
}

fn parameter(name: &str) -> Parameter {
    let ty = Type { is_const: true, ..Type::plain(TypeKind::Int(None), Span::default()) };
    Parameter { ty, by_reference: false, name: Ident::new(name), dimensions: Vec::new() }
}

fn add_declared(declaration: &Declaration, names: &mut BTreeSet<String>) {
    match declaration {
        Declaration::Variables(variables) | Declaration::Typedef(variables) => {
            names.extend(variables.declarators.iter().map(|d| d.name.text.clone()));
        }
        Declaration::Function(function) => drop(names.insert(function.name.text.clone())),
        Declaration::ChannelPriority(..)
        | Declaration::BeforeUpdate(..)
        | Declaration::AfterUpdate(..) => {}
    }
}

/// Every name that a template declares, binds or speaks of.
fn names_in(template: &Template) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for declaration in &template.declarations {
        add_declared(declaration, &mut names);
        if let Declaration::Variables(variables) = declaration {
            of_type(&variables.ty, &mut names);
            for dimension in variables.declarators.iter().flat_map(|d| &d.dimensions) {
                match dimension {
                    Dimension::Size(size) => of_expr(size, &mut names),
                    Dimension::Type(ty) => of_type(ty, &mut names),
                }
            }
        }
    }
    for location in &template.locations {
        names.insert(location.name.text.clone());
        location.invariant.iter().for_each(|e| of_expr(e, &mut names));
    }
    for edge in &template.edges {
        for (name, ty) in &edge.select {
            names.insert(name.text.clone());
            of_type(ty, &mut names);
        }
        edge.guard.iter().for_each(|e| of_expr(e, &mut names));
        edge.sync.iter().for_each(|sync| of_expr(&sync.channel, &mut names));
        edge.update.iter().for_each(|e| of_expr(e, &mut names));
    }
    names
}

fn of_type(ty: &Type, names: &mut BTreeSet<String>) {
    match &ty.kind {
        TypeKind::Int(Some(range)) => {
            of_expr(&range.0, names);
            of_expr(&range.1, names);
        }
        TypeKind::Scalar(size) => of_expr(size, names),
        TypeKind::Named(name) => drop(names.insert(name.text.clone())),
        _ => {}
    }
}

fn of_expr(expr: &Expr, names: &mut BTreeSet<String>) {
    match &expr.kind {
        ExprKind::Name(name) => drop(names.insert(name.clone())),
        ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Deadlock => {}
        ExprKind::Field(inner, _) | ExprKind::Rate(inner) | ExprKind::Unary(_, inner) => {
            of_expr(inner, names);
        }
        ExprKind::Increment { target, .. } => of_expr(target, names),
        ExprKind::Index(left, right)
        | ExprKind::Binary(_, left, right)
        | ExprKind::Assign(_, left, right) => {
            of_expr(left, names);
            of_expr(right, names);
        }
        ExprKind::Conditional(test, then, otherwise) => {
            [test, then, otherwise].into_iter().for_each(|e| of_expr(e, names));
        }
        ExprKind::Call(function, arguments) => {
            of_expr(function, names);
            arguments.iter().for_each(|e| of_expr(e, names));
        }
        ExprKind::Quantifier { binder, ty, body, .. } => {
            names.insert(binder.text.clone());
            of_type(ty, names);
            of_expr(body, names);
        }
    }
}
