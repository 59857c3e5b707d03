//! Parts of the syntax tree that the grammar reads in another shape than the tree has: sections
//! of a process, labels of an edge, blocks, and everything that old files write differently.

use super::chain::Spanned;
use super::text::Text;
use crate::network::*;
use takt_diagnostic::{Diagnostic, Span};

/// How many parts a condition may have that are separated by commas.
const MAX_PARTS: usize = 1000;

/// What a text turned out to be, one case for each kind of text.
pub enum Entry {
    Model(Vec<ModelItem>),
    Parameters(Vec<Parameter>),
    Select(Vec<(Ident, Type)>),
    Expr(Expr),
    Sync(Sync),
    Update(Vec<Expr>),
    Goals(Vec<Goal>),
    Name(Ident),
}

pub enum ModelItem {
    Item(Item),
    System(System),
    /// There is a system line, but it is not readable.
    BrokenSystem,
    Nothing,
}

pub fn exprs(parts: Vec<Spanned>) -> Vec<Expr> {
    parts.into_iter().map(|part| part.expr).collect()
}

pub fn named(name: Ident) -> Type {
    let span = name.span;
    Type::plain(TypeKind::Named(name), span)
}

pub fn prefixed(text: &Text, start: usize, mut ty: Type, set: impl Fn(&mut Type)) -> Type {
    set(&mut ty);
    ty.span = text.span(start, start).to(ty.span);
    ty
}

/// `const N 5;` declares an integer.
pub fn old_constants(span: Span, declarators: Vec<Declarator>) -> Declaration {
    let ty = Type { is_const: true, ..Type::plain(TypeKind::Int(None), span) };
    Declaration::Variables(Variables { ty, declarators })
}

pub fn old_value(text: &Text, negative: bool, value: i64, span: Span) -> Initial {
    text.mark_old();
    let value = if negative { -value } else { value };
    Initial::Value(Expr { kind: ExprKind::Number(value), span })
}

/// A parameter before the types of old lists (`clock x, y; const n`) are handed on.
pub struct RawParameter {
    /// `None`: that of the parameter before.
    pub ty: Option<Type>,
    pub by_reference: bool,
    pub name: Ident,
    pub dimensions: Vec<Dimension>,
}

/// `const n`: an integer.
pub fn old_constant_parameter(
    text: &Text,
    span: Span,
    name: Ident,
    dimensions: Vec<Dimension>,
) -> RawParameter {
    text.mark_old();
    let ty = Type { is_const: true, ..Type::plain(TypeKind::Int(None), span) };
    RawParameter { ty: Some(ty), by_reference: false, name, dimensions }
}

pub fn parameters(text: &Text, raw: Vec<RawParameter>) -> Vec<Parameter> {
    let mut all: Vec<Parameter> = Vec::with_capacity(raw.len());
    for RawParameter { ty, by_reference, name, dimensions } in raw {
        let (ty, by_reference) = match (ty, all.last()) {
            (Some(ty), _) => (ty, by_reference),
            (None, Some(before)) if text.is_old() => (before.ty.clone(), before.by_reference),
            (None, _) => {
                text.report(
                    Diagnostic::error(
                        "missing-type",
                        name.span,
                        format!("parameter `{}` has no type", name.text),
                    )
                    .label("a name alone")
                    .hint(format!("write its type before it, such as `int {}`", name.text)),
                );
                continue;
            }
        };
        all.push(Parameter { ty, by_reference, name, dimensions });
    }
    all
}

/// In old files every parameter of a process that is no constant is a reference.
pub fn refer_as_of_old(network: &mut Network) {
    for item in &mut network.items {
        let Item::Template(template) = item else { continue };
        for parameter in &mut template.parameters {
            parameter.by_reference |= !parameter.ty.is_const;
        }
    }
}

/// One goal for each expression.
pub fn bounds(exprs: Vec<Expr>, goal: impl Fn(Expr) -> Goal) -> Vec<Goal> {
    exprs.into_iter().map(goal).collect()
}

/// A guard or invariant; the parts of an old one are separated by commas.
///
/// The guard over the tokens does not count commas, so the height of the tree is kept here.
pub fn conjunction(text: &Text, mut parts: Vec<Spanned>) -> Expr {
    if let Some(part) = parts.get(MAX_PARTS) {
        text.report(
            Diagnostic::error(
                "nesting-too-deep",
                text.span(part.start, part.end),
                format!("a condition has more than {MAX_PARTS} parts"),
            )
            .label("one part too many")
            .hint("split it, for instance with a function or `forall`"),
        );
        parts.truncate(MAX_PARTS);
    }
    let mut parts = parts.into_iter();
    let first = parts.next().expect("the grammar's lists are not empty");
    let joined = parts.fold(first, |left, right| {
        let (start, end) = (left.start, right.end);
        let (left, right) = (Box::new(left.expr), Box::new(right.expr));
        Spanned::new(text, start, ExprKind::Binary(BinaryOp::And, left, right), end)
    });
    joined.expr
}

pub enum BlockItem {
    Declaration(Declaration, Span),
    Statement(Statement),
}

pub fn block(text: &Text, items: Vec<BlockItem>, span: Span) -> Block {
    let mut block = Block { span, ..Block::default() };
    for item in items {
        match item {
            BlockItem::Statement(statement) => block.statements.push(statement),
            BlockItem::Declaration(declaration, place) => {
                if !block.statements.is_empty() {
                    text.report(
                        Diagnostic::error(
                            "late-declaration",
                            place,
                            "a declaration follows a statement",
                        )
                        .label("declared too late")
                        .hint("declare at the beginning of the block, or open a new block"),
                    );
                }
                block.declarations.push(declaration);
            }
        }
    }
    block
}

pub fn sync(text: &Text, channel: Spanned, direction: Direction, end: usize) -> Sync {
    Sync { span: text.span(channel.start, end), channel: channel.expr, direction }
}
