//! Names and what they stand for; kept with the model, because queries ask for them again.

use super::types::Ty;
use crate::model::{Addr, ChannelId, ClockPlace, FunctionId, LocationId, Place, ProcessId};
use std::collections::BTreeMap;
use takt_diagnostic::Span;

/// Everything a query may name.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub scopes: Vec<Scope>,
    pub functions: Vec<Signature>,
    /// One per process of the model.
    pub instances: Vec<Instance>,
    /// The processes behind each name of the system line.
    pub groups: BTreeMap<String, Group>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScopeId(pub usize);

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub parent: Option<ScopeId>,
    pub entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub symbol: Symbol,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Symbol {
    /// A number known now. `is_declared` tells constants that are written as such from
    /// parameters and bound variables, which differ from instance to instance.
    Constant {
        ty: Ty,
        value: i64,
        is_declared: bool,
    },
    Variable(Variable),
    Clock(ClockPlace, Ty),
    Channel(ChannelId, Ty),
    /// The predeclared price.
    Cost,
    Type(Ty),
    Function(FunctionId),
    /// A template, by its position among the network's items.
    Template(usize),
    /// A partial instantiation, likewise.
    Instantiation(usize),
    /// Declared, but wrongly: what uses it is not blamed.
    Broken,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub place: Place,
    pub ty: Ty,
    pub is_const: bool,
    pub root: Root,
}

/// Where a variable lives, which decides whether writing it is a side effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    State,
    /// A local of the function that is being resolved.
    Local,
    /// A reference parameter of that function, by position.
    Parameter(usize),
}

/// What a call has to know of a function.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    pub parameters: Vec<Formal>,
    pub result: Ty,
    /// Where the result is put: first cell and number of cells, not linked yet.
    pub result_at: Option<(Addr, u32)>,
    /// What it changes outside itself, if anything: a name for messages.
    pub writes: Option<String>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Formal {
    pub name: String,
    pub ty: Ty,
    pub by_reference: bool,
    pub is_const: bool,
    /// The function writes through this reference.
    pub is_written: bool,
}

/// The names inside one process.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    pub scope: ScopeId,
    pub locations: BTreeMap<String, LocationId>,
}

/// The processes that one name of the system line makes: one, or one for each value of its
/// parameters (the last one running fastest).
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub first: ProcessId,
    pub parameters: Vec<Ty>,
    pub span: Span,
}

impl Names {
    pub fn lookup(&self, from: ScopeId, name: &str) -> Option<&Entry> {
        let mut scope = Some(from);
        while let Some(id) = scope {
            let here = &self.scopes[id.0];
            if let Some(entry) = here.entries.get(name) {
                return Some(entry);
            }
            scope = here.parent;
        }
        None
    }

    /// All names visible from a scope, for suggestions.
    pub fn visible(&self, from: ScopeId) -> Vec<String> {
        let mut names = Vec::new();
        let mut scope = Some(from);
        while let Some(id) = scope {
            let here = &self.scopes[id.0];
            names.extend(here.entries.keys().cloned());
            scope = here.parent;
        }
        names
    }
}

impl Symbol {
    /// A variable that no state holds.
    pub fn local(addr: Addr, ty: Ty, is_const: bool, span: Span) -> Symbol {
        Symbol::Variable(Variable {
            place: Place::fixed(addr, span),
            ty,
            is_const,
            root: Root::Local,
        })
    }

    /// What kind of thing it is, with its article, for messages.
    pub fn describe(&self) -> &'static str {
        match self {
            Symbol::Constant { .. } => "a constant",
            Symbol::Variable(_) => "a variable",
            Symbol::Clock(..) => "a clock",
            Symbol::Channel(..) => "a channel",
            Symbol::Cost => "the cost",
            Symbol::Type(_) => "a type",
            Symbol::Function(_) => "a function",
            Symbol::Template(_) | Symbol::Instantiation(_) => "a template",
            Symbol::Broken => "declared wrongly",
        }
    }
}
