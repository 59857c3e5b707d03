//! The passes from a network to a model, in order.

use super::link::Linker;
use super::scope::{Entry, Scope, Symbol};
use super::{Res, Resolver, cost};
use crate::model::layout::Layout;
use crate::model::{Addr, Cell, Model, Process, Term, code};
use crate::network::{Declaration, Expr, Item, Network};
use std::collections::BTreeSet;
use takt_diagnostic::{Diagnostic, Diagnostics, Span};

/// Resolves, checks, instantiates, flattens and compiles a network. The second part of the
/// result are warnings.
pub fn build(network: &Network) -> Result<(Model, Diagnostics), Diagnostics> {
    let mut resolver = Resolver { cost_is_price: cost::is_price(network), ..Resolver::default() };
    resolver.names.scopes.push(Scope::default());
    resolver.predeclare();
    resolver.items(network);
    let default_priority = resolver.channel_priorities(network);
    let (before, after) = resolver.hooks(network);
    let mut processes = resolver.system(network);
    resolver.warn_unused(network, &processes);
    for process in &mut processes {
        process.default_priority = default_priority;
    }
    if resolver.told.found.has_errors() {
        return Err(resolver.told.found.sorted());
    }
    let warnings = std::mem::take(&mut resolver.told.found).sorted();
    let mut model = assemble(resolver, processes, before, after);
    code::generate(&mut model);
    Ok((model, warnings))
}

impl Resolver {
    fn predeclare(&mut self) {
        let cost = Entry { symbol: Symbol::Cost, span: Span::default() };
        self.names.scopes[0].entries.insert("cost".into(), cost);
    }

    /// Global declarations, in order; templates only by name, because processes are made when
    /// everything is known.
    fn items(&mut self, network: &Network) {
        let declarations: Vec<&Declaration> = network
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Declaration(declaration) => Some(declaration),
                _ => None,
            })
            .collect();
        self.refuse_recursion(&declarations);
        for (index, item) in network.items.iter().enumerate() {
            match item {
                Item::Declaration(declaration) => self.declaration(declaration),
                Item::Template(template) => {
                    self.define(&template.name, Symbol::Template(index));
                }
                Item::Instantiation(made) => {
                    self.define(&made.name, Symbol::Instantiation(index));
                }
            }
        }
    }

    /// A template without a process has not been looked into.
    fn warn_unused(&mut self, network: &Network, processes: &[Process]) {
        let used: BTreeSet<&str> = processes.iter().map(|p| p.template.as_str()).collect();
        for item in &network.items {
            if let Item::Template(template) = item
                && !used.contains(template.name.text.as_str())
                && !self.told.found.has_errors()
            {
                self.warn(
                    Diagnostic::warning(
                        "unused-template",
                        template.name.span,
                        format!("no process of the system is a `{}`", template.name.text),
                    )
                    .label("not checked any further"),
                );
            }
        }
    }

    /// `before_update` and `after_update`.
    fn hooks(&mut self, network: &Network) -> (Option<Term>, Option<Term>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for item in &network.items {
            match item {
                Item::Declaration(Declaration::BeforeUpdate(exprs, _)) => before.extend(exprs),
                Item::Declaration(Declaration::AfterUpdate(exprs, _)) => after.extend(exprs),
                _ => {}
            }
        }
        let mut hook = |exprs: Vec<&Expr>| -> Res<Option<Term>> {
            let exprs: Vec<Expr> = exprs.into_iter().cloned().collect();
            self.updates(&exprs)
        };
        (hook(before).unwrap_or_default(), hook(after).unwrap_or_default())
    }
}

/// Puts the parts together and gives every cell its final address.
fn assemble(
    resolver: Resolver,
    processes: Vec<Process>,
    before_update: Option<Term>,
    after_update: Option<Term>,
) -> Model {
    let linker = Linker {
        processes: processes.len() as u32,
        state_len: (processes.len() + resolver.made.variables.len()) as u32,
    };
    let mut cells: Vec<Cell> = processes.iter().map(location_cell).collect();
    cells.extend(resolver.made.variables);
    cells.extend(resolver.made.scratch);
    let has_priorities = processes.iter().any(|p| p.priority != processes[0].priority)
        || resolver.made.channels.iter().any(|c| c.priority != processes[0].default_priority);
    let mut model = Model {
        processes,
        clocks: resolver.made.clocks,
        channels: resolver.made.channels,
        cells,
        state_len: linker.state_len,
        functions: resolver.made.functions,
        before_update,
        after_update,
        remaining: resolver.made.remaining,
        is_priced: resolver.made.is_priced,
        has_priorities,
        scalar_sets: resolver.made.scalar_sets,
        names: resolver.names,
        ..Model::default()
    };
    model.layout = linked(resolver.made.layout, &linker);
    link(&mut model, &linker);
    model
}

fn location_cell(process: &Process) -> Cell {
    Cell {
        name: process.name.clone(),
        lo: 0,
        hi: process.locations.len() as i64 - 1,
        initial: i64::from(process.initial.0),
        ..Cell::default()
    }
}

fn link(model: &mut Model, linker: &Linker) {
    for process in &mut model.processes {
        for location in &mut process.locations {
            location.invariant.iter_mut().for_each(|conjunct| linker.conjunct(conjunct));
            location.rate.iter_mut().for_each(|term| linker.term(term));
        }
        for edge in &mut process.edges {
            edge.guard.iter_mut().for_each(|conjunct| linker.conjunct(conjunct));
            edge.update.iter_mut().for_each(|term| linker.term(term));
            let offset = edge.sync.iter_mut().filter_map(|sync| sync.offset.as_mut());
            offset.for_each(|term| linker.term(term));
        }
    }
    model.functions.iter_mut().for_each(|function| linker.function(function));
    model.before_update.iter_mut().for_each(|term| linker.term(term));
    model.after_update.iter_mut().for_each(|term| linker.term(term));
    model.remaining.iter_mut().for_each(|addr| linker.addr(addr));
}

/// The layout with final addresses.
fn linked(mut layout: Layout, linker: &Linker) -> Layout {
    let addr = |mut addr: Addr| {
        linker.addr(&mut addr);
        addr
    };
    layout.cells = layout.cells.into_iter().map(|(at, coords)| (addr(at), coords)).collect();
    layout.references = layout.references.into_iter().map(|(at, to)| (addr(at), to)).collect();
    let lists = [&mut layout.shared, &mut layout.constants, &mut layout.defaults];
    lists.into_iter().flatten().for_each(|at| linker.addr(at));
    for owner in &mut layout.owners {
        owner.variables.start += linker.processes;
        owner.variables.end += linker.processes;
        owner.scratch.start += linker.state_len;
        owner.scratch.end += linker.state_len;
    }
    layout
}
