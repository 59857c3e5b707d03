//! From the network's names to the model's numbers.
//!
//! [`build`] walks the declarations in the order of the text, then makes every process of the
//! system line: its parameters become constants or aliases, its declarations cells and clocks,
//! its edges one edge for each choice of their selections. Errors are collected; what depends
//! on something wrong is left out silently, so that each fault is told once.

mod build;
mod call;
mod compare;
mod constant;
mod cost;
mod declare;
mod evaluate;
mod expression;
mod fold;
mod function;
mod guard;
mod initial;
mod instantiate;
mod link;
mod local;
mod logic;
mod operand;
mod places;
mod priority;
mod process;
mod quantifier;
mod query;
mod recursion;
pub mod scope;
mod sync;
mod types;
mod typing;
mod update;
mod walk;

#[cfg(test)]
mod tests;

pub use build::build;

use crate::model::layout::Layout;
use crate::model::{Addr, Cell, Channel, Clock, Function};
use crate::network::Ident;
use function::Frame;
use scope::{Entry, Names, Scope, ScopeId, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::{Diagnostic, Diagnostics, Severity, Span};

/// How large a model may become. Beyond these, a slip such as `int a[1000000000]` is far more
/// likely than a model that could ever be searched.
pub mod limits {
    pub const CELLS: u64 = 1_000_000;
    pub const CLOCKS: u64 = 200_000;
    pub const CHANNELS: u64 = 1_000_000;
    pub const PROCESSES: u64 = 200_000;
    pub const LOCATIONS: u64 = 1_000_000;
    pub const EDGES: u64 = 1_000_000;
    /// Expressions and statements, counted once for each process and each choice.
    pub const PARTS: u64 = 10_000_000;
    /// Steps spent on computing constants.
    pub const STEPS: u64 = 3_000_000;
    /// Arrays and structs within each other.
    pub const TYPE_DEPTH: u32 = 32;
    /// Parts that quantifiers over clocks and processes are expanded into.
    pub const EXPANSIONS: u64 = 200_000;
    /// Expressions and statements within each other, so that walking them needs no large stack.
    pub const DEPTH: u32 = 300;
    /// Messages that are collected before the rest is dropped.
    pub const MESSAGES: usize = 100;
}

/// The fault has been reported; carry on with something else.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

pub type Res<T> = Result<T, Reported>;

/// Where expressions are resolved: all names, and everything made so far.
#[derive(Debug, Default)]
pub struct Resolver {
    pub names: Names,
    made: Made,
    at: Position,
    told: Messages,
    spent: Spent,
    /// Whether `clock cost` means the price, because the model gives it rates or increments.
    cost_is_price: bool,
}

/// The parts of a model that were made so far.
#[derive(Debug, Default)]
struct Made {
    variables: Vec<Cell>,
    scratch: Vec<Cell>,
    /// Scratch cells that the model has already; those made here come after them.
    scratch_base: usize,
    clocks: Vec<Clock>,
    channels: Vec<Channel>,
    functions: Vec<Function>,
    scalar_sets: Vec<u32>,
    layout: Layout,
    remaining: Option<Addr>,
    /// Of channels that no priority is given to.
    default_priority: i32,
    is_priced: bool,
    /// Cells for variables bound outside of functions, by depth of nesting and scalar set.
    binders: BTreeMap<(usize, Option<u32>), Addr>,
    /// Where constant arrays and structs begin in the scratch memory.
    constants: BTreeSet<Addr>,
    /// Identity tables for computed channel indices, by length.
    tables: BTreeMap<u32, Addr>,
}

/// What is being resolved, and where it stands.
#[derive(Debug, Default)]
struct Position {
    scope: ScopeId,
    /// Before the names of cells and clocks: the process they belong to.
    prefix: String,
    /// The function whose body is being resolved.
    frame: Option<Frame>,
    /// The last side effect met: its place and what it changes.
    effect: Option<(Span, String)>,
    /// Inside something that may never be evaluated.
    conditional: u32,
    /// Inside what only counts when a run gets there: the labels of edges and locations.
    is_run: bool,
    is_query: bool,
    binder_depth: usize,
}

/// What is wrong, each told once.
#[derive(Debug, Default)]
struct Messages {
    found: Diagnostics,
    seen: BTreeMap<(&'static str, u32, u32, u32, String), ()>,
    /// Functions that were found to call themselves; what follows from that is not told.
    recursive: BTreeSet<String>,
    /// Templates that something is wrong with: their further processes would only repeat it.
    failed: BTreeSet<String>,
}

/// What counts against the [`limits`].
#[derive(Debug, Default)]
struct Spent {
    /// How many expressions and statements the current one stands in.
    depth: u32,
    expansions: u64,
    edges: u64,
    locations: u64,
    parts: u64,
    /// Steps spent on constants so far.
    steps: u64,
}

impl Resolver {
    /// Records an error; the same one is told once, however many processes share its text.
    pub fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        let span = diagnostic.span.unwrap_or_default();
        let key = (diagnostic.code, span.file.0, span.start, span.end, diagnostic.message.clone());
        if self.told.seen.len() < limits::MESSAGES && self.told.seen.insert(key, ()).is_none() {
            self.told.found.push(diagnostic);
        }
        Reported
    }

    /// Records a warning, once for all processes that share its text.
    pub fn warn(&mut self, diagnostic: Diagnostic) {
        self.error(diagnostic);
    }

    /// A fault that is plain from the text: a warning where no run may ever get to it, for then
    /// the model is right, and an error anywhere else.
    fn if_reached(
        &mut self,
        code: &'static str,
        span: Span,
        message: &str,
        label: String,
    ) -> Res<()> {
        if self.at.is_run || self.at.frame.is_some() {
            let hint = "a run that gets there ends with an error";
            self.warn(Diagnostic::warning(code, span, message).label(label).hint(hint));
            return Ok(());
        }
        Err(self.error(Diagnostic::error(code, span, message).label(label)))
    }

    /// Runs `body` on the labels of an edge or a location.
    fn running<T>(&mut self, body: impl FnOnce(&mut Resolver) -> T) -> T {
        let outer = std::mem::replace(&mut self.at.is_run, true);
        let result = body(self);
        self.at.is_run = outer;
        result
    }

    /// How many errors there are by now, to see whether a part added some.
    fn errors(&self) -> usize {
        self.told.found.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// Runs `body` one level deeper, unless that is too deep.
    fn deeper<T>(&mut self, span: Span, body: impl FnOnce(&mut Resolver) -> Res<T>) -> Res<T> {
        if self.spent.depth >= limits::DEPTH {
            return Err(self.too_deep(span));
        }
        self.spent.parts += 1;
        if self.spent.parts > limits::PARTS {
            return Err(self.too_many_parts(span));
        }
        self.spent.depth += 1;
        let result = body(self);
        self.spent.depth -= 1;
        result
    }

    /// Told once: all that follows is too much as well.
    #[cold]
    #[inline(never)]
    fn too_many_parts(&mut self, span: Span) -> Reported {
        if self.spent.parts == limits::PARTS + 1 {
            let message = "the model is too large".into();
            let label = format!("with this, more than {} expressions", limits::PARTS);
            self.too_large(span, message, label);
        }
        Reported
    }

    #[cold]
    #[inline(never)]
    fn too_deep(&mut self, span: Span) -> Reported {
        self.error(
            Diagnostic::error("nesting-too-deep", span, "this is nested too deeply")
                .label(format!("more than {} levels", limits::DEPTH))
                .hint("split it, for instance with a function"),
        )
    }

    /// Runs `body` in a new scope inside the current one.
    fn scoped<T>(&mut self, body: impl FnOnce(&mut Resolver) -> T) -> T {
        let outer = self.at.scope;
        self.enter();
        let result = body(self);
        self.names.scopes.truncate(self.at.scope.0);
        self.at.scope = outer;
        result
    }

    /// Opens a scope that stays.
    fn enter(&mut self) -> ScopeId {
        let id = ScopeId(self.names.scopes.len());
        self.names.scopes.push(Scope { parent: Some(self.at.scope), entries: BTreeMap::new() });
        self.at.scope = id;
        id
    }

    /// Gives a name its meaning in the current scope.
    fn define(&mut self, name: &Ident, symbol: Symbol) {
        let scope = &mut self.names.scopes[self.at.scope.0];
        match scope.entries.get(&name.text) {
            // Span::default() marks what is predeclared and may be declared anew.
            Some(first) if !is_predeclared(first) => {
                let first = first.span;
                self.error(
                    Diagnostic::error(
                        "duplicate-name",
                        name.span,
                        format!("`{}` is declared twice", name.text),
                    )
                    .label("declared again here")
                    .related(first, "first declared here"),
                );
            }
            _ => {
                scope.entries.insert(name.text.clone(), Entry { symbol, span: name.span });
            }
        }
    }

    /// Looks a name up from the current scope, or says that it is unknown.
    fn lookup(&mut self, name: &str, span: Span) -> Res<Symbol> {
        match self.names.lookup(self.at.scope, name).map(|entry| entry.symbol.clone()) {
            Some(Symbol::Broken) => return Err(Reported),
            Some(symbol) => return Ok(symbol),
            None => {}
        }
        if self.told.recursive.contains(name) {
            return Err(Reported);
        }
        if self.told.seen.len() >= limits::MESSAGES {
            return Err(Reported);
        }
        let mut visible = self.names.visible(self.at.scope);
        let label = if self.at.is_query {
            visible.push("deadlock".to_owned());
            "not declared in the model"
        } else {
            "not declared before this place"
        };
        let error = Diagnostic::error("unknown-name", span, format!("there is no `{name}` here"))
            .label(label)
            .did_you_mean(name, visible.iter().map(String::as_str));
        Err(self.error(error))
    }
}

fn is_predeclared(entry: &Entry) -> bool {
    matches!(entry.symbol, Symbol::Cost)
}
