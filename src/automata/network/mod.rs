//! Named automata as they are written: the syntax tree that `lower` builds, that `xta`
//! reads and prints, and that `model` checks and compiles.
//!
//! Everything is still a name and an expression; nothing is resolved, counted or checked.
//! Two networks are equal if they read the same, wherever they came from (see [`Span`]).

mod expr;
mod query;

pub use expr::{AssignOp, BinaryOp, Expr, ExprKind, QuantifierKind, UnaryOp};
pub use query::{Goal, Query};

use takt_diagnostic::{Diagnostic, Span};

/// A whole model: declarations, templates and instantiations in the order of the text, and
/// the system line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    pub items: Vec<Item>,
    pub system: System,
    /// Queries that came with the model (from XML files).
    pub queries: Vec<Query>,
    /// What is wrong with further queries that came with the model: an error only for whoever
    /// asks them all.
    pub unread: Vec<Diagnostic>,
}

/// A name at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    pub text: String,
    pub span: Span,
}

impl Ident {
    pub fn new(text: impl Into<String>) -> Ident {
        Ident { text: text.into(), span: Span::default() }
    }
}

/// What may stand before the system line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    Declaration(Declaration),
    Template(Template),
    Instantiation(Instantiation),
}

/// What may be declared globally or in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// `int[0,3] a = 1, b[2];`
    Variables(Variables),
    /// `typedef int[0,3] id, ids[2];`: the declarators are the new type names.
    Typedef(Variables),
    Function(Function),
    /// `chan priority a, b[0] < default < c;`: lowest level first.
    ChannelPriority(Vec<Vec<PriorityMember>>, Span),
    /// `before_update { ... }`: runs before the update of every transition (UPPAAL CORA).
    BeforeUpdate(Vec<Expr>, Span),
    /// `after_update { ... }`
    AfterUpdate(Vec<Expr>, Span),
}

/// A member of a level of channel priorities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriorityMember {
    Channel(Expr),
    /// All channels not named, and transitions without synchronisation.
    Default(Span),
}

/// One type and the names declared with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variables {
    pub ty: Type,
    pub declarators: Vec<Declarator>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declarator {
    pub name: Ident,
    pub dimensions: Vec<Dimension>,
    pub initial: Option<Initial>,
}

/// The length of one array dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// `[N]`: a constant, or the name of a bounded integer or scalar type.
    Size(Expr),
    /// `[int[0,3]]`, `[scalar[3]]`
    Type(Type),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    Value(Expr),
    /// `{1, 2, {3, 4}}`; fields of structs may be named: `{x: 1, y: 2}`.
    List(Vec<(Option<Ident>, Initial)>, Span),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    pub is_const: bool,
    pub is_meta: bool,
    pub is_urgent: bool,
    pub is_broadcast: bool,
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `int`, or `int[lo, hi]`
    Int(Option<Box<(Expr, Expr)>>),
    Bool,
    Clock,
    Chan,
    Void,
    Scalar(Box<Expr>),
    Struct(Vec<Variables>),
    Named(Ident),
}

impl Type {
    /// A type without prefixes.
    pub fn plain(kind: TypeKind, span: Span) -> Type {
        Type { is_const: false, is_meta: false, is_urgent: false, is_broadcast: false, kind, span }
    }
}

/// A parameter of a template, a partial instantiation or a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub ty: Type,
    pub by_reference: bool,
    pub name: Ident,
    pub dimensions: Vec<Dimension>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub result: Type,
    pub name: Ident,
    pub parameters: Vec<Parameter>,
    pub body: Block,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub declarations: Vec<Declaration>,
    pub statements: Vec<Statement>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Empty,
    Expr(Expr),
    Block(Block),
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    While(Expr, Box<Statement>),
    DoWhile(Box<Statement>, Expr),
    /// `for (i = 0, j = 9; i < j; i++, j--) ...`
    For {
        initial: Vec<Expr>,
        condition: Expr,
        step: Vec<Expr>,
        body: Box<Statement>,
    },
    /// `for (i : T) ...`
    ForEach {
        binder: Ident,
        ty: Type,
        body: Box<Statement>,
    },
    Return(Option<Expr>, Span),
}

/// An automaton with parameters (`process` in the textual language).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pub name: Ident,
    pub parameters: Vec<Parameter>,
    pub declarations: Vec<Declaration>,
    pub locations: Vec<Location>,
    pub initial: Ident,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Urgency {
    #[default]
    Normal,
    /// No time passes here.
    Urgent,
    /// No time passes, and the next transition leaves a committed location.
    Committed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub name: Ident,
    /// A conjunction; `cost' == E` among it is the rate of this process here.
    pub invariant: Option<Expr>,
    pub urgency: Urgency,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Send,
    Receive,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sync {
    pub channel: Expr,
    pub direction: Direction,
    pub span: Span,
}

/// `source -> target { select ...; guard ...; sync ...; assign ...; }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub source: Ident,
    pub target: Ident,
    pub select: Vec<(Ident, Type)>,
    pub guard: Option<Expr>,
    pub sync: Option<Sync>,
    pub update: Vec<Expr>,
    /// What this edge stands for in the plant; written by `lower`, read by `lift`, carried
    /// unread by everything between. Not part of the text.
    pub origin: Option<Origin>,
    pub span: Span,
}

/// An opaque mark on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin(pub u32);

/// `P(const int i) = T(i, 3);`: a template with some arguments given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instantiation {
    pub name: Ident,
    pub parameters: Vec<Parameter>,
    pub template: Ident,
    pub arguments: Vec<Expr>,
}

/// `system A, B < C;`: process names in levels of priority, lowest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    pub levels: Vec<Vec<Ident>>,
    pub span: Span,
}
