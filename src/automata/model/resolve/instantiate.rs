//! From the system line to processes: parameters bound, sets of processes counted out.

use super::operand::Operand;
use super::scope::{Group, ScopeId, Symbol, Variable};
use super::types::Ty;
use super::{Res, Resolver, limits};
use crate::model::layout::Owner;
use crate::model::{Process, ProcessId};
use crate::network::{Expr, Ident, Instantiation, Item, Network, Parameter, Template};
use takt_diagnostic::{Diagnostic, Span};

/// A template or a partial instantiation.
#[derive(Clone, Copy)]
enum Maker<'n> {
    Template(&'n Template),
    Instantiation(&'n Instantiation),
}

impl<'n> Maker<'n> {
    fn parameters(self) -> &'n [Parameter] {
        match self {
            Maker::Template(template) => &template.parameters,
            Maker::Instantiation(instantiation) => &instantiation.parameters,
        }
    }
}

impl Resolver {
    /// Makes all processes of the system line, in its order.
    pub fn system(&mut self, network: &Network) -> Vec<Process> {
        let mut processes = Vec::new();
        if network.system.levels.iter().all(Vec::is_empty) {
            self.error(
                Diagnostic::error("no-system", network.system.span, "the system has no processes")
                    .label("name at least one process: `system P;`"),
            );
        }
        for (level, names) in network.system.levels.iter().enumerate() {
            for name in names {
                let _ = self.member_of_system(network, name, level as i32, &mut processes);
            }
        }
        processes
    }

    fn member_of_system(
        &mut self,
        network: &Network,
        name: &Ident,
        priority: i32,
        processes: &mut Vec<Process>,
    ) -> Res<()> {
        let maker = self.maker(network, name)?;
        if let Some(first) = self.names.groups.get(&name.text) {
            let first = first.span;
            return Err(self.error(
                Diagnostic::error(
                    "duplicate-process",
                    name.span,
                    format!("`{}` is in the system already", name.text),
                )
                .label("named again here")
                .related(first, "first named here")
                .hint(format!("make a second one by an instantiation: `Q = {}();`", name.text)),
            ));
        }
        let free = self.free_parameters(maker.parameters(), name)?;
        self.count_processes(&free, processes.len(), name.span)?;
        self.names.groups.insert(
            name.text.clone(),
            Group {
                first: ProcessId::at(processes.len()),
                parameters: free.clone(),
                span: name.span,
            },
        );
        let errors = self.errors();
        for values in choices(&free) {
            let mut process = self.instance(network, maker, name, &free, &values)?;
            process.priority = priority;
            processes.push(process);
            // The other processes of the set would repeat what is wrong with this one.
            if self.errors() > errors {
                break;
            }
        }
        Ok(())
    }

    fn maker<'n>(&mut self, network: &'n Network, name: &Ident) -> Res<Maker<'n>> {
        let symbol = self.lookup(&name.text, name.span)?;
        let item = match symbol {
            Symbol::Template(item) | Symbol::Instantiation(item) => network.items.get(item),
            _ => None,
        };
        match item {
            Some(Item::Template(template)) => Ok(Maker::Template(template)),
            Some(Item::Instantiation(made)) => Ok(Maker::Instantiation(made)),
            _ => Err(self.error(
                Diagnostic::error(
                    "not-a-template",
                    name.span,
                    format!("`{}` is not a process", name.text),
                )
                .label(format!("this is {}", symbol.describe())),
            )),
        }
    }

    /// The types of the parameters that the system line leaves open.
    fn free_parameters(&mut self, parameters: &[Parameter], name: &Ident) -> Res<Vec<Ty>> {
        let mut free = Vec::new();
        for parameter in parameters {
            let ty = self.ty(&parameter.ty)?;
            let ty = self.dimensions(&ty, &parameter.dimensions, parameter.name.span)?;
            let is_finite = match &ty {
                Ty::Int { .. } => ty != Ty::INT && ty != Ty::WIDE,
                Ty::Bool | Ty::Scalar { .. } => true,
                _ => false,
            };
            if !is_finite || parameter.by_reference {
                let wanted = format!("the parameter `{}` of `{}`", parameter.name.text, name.text);
                return Err(self.error(
                    Diagnostic::error(
                        "free-parameter",
                        name.span,
                        format!("{wanted} has no value"),
                    )
                    .label("named without arguments")
                    .related(
                        parameter.name.span,
                        "only a bounded integer or a scalar by value may stay open",
                    )
                    .hint(format!("instantiate it: `Q = {}(...);`", name.text)),
                ));
            }
            free.push(ty);
        }
        Ok(free)
    }

    fn count_processes(&mut self, free: &[Ty], used: usize, span: Span) -> Res<()> {
        let count = choice_count(free);
        if count.saturating_add(used as u64) <= limits::PROCESSES {
            return Ok(());
        }
        let label = format!("at most {} processes in all", limits::PROCESSES);
        let noun = if count == 1 { "process" } else { "processes" };
        Err(self.too_large(span, format!("this makes {count} more {noun}"), label))
    }

    fn instance(
        &mut self,
        network: &Network,
        maker: Maker<'_>,
        name: &Ident,
        free: &[Ty],
        values: &[i64],
    ) -> Res<Process> {
        let full = match values {
            [] => name.text.clone(),
            values => {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                format!("{}({})", name.text, values.join(","))
            }
        };
        let outer = self.at.scope;
        self.at.prefix = format!("{full}.");
        self.enter();
        let before = self.made();
        let mut process = self
            .open_parameters(maker, free, values)
            .and_then(|()| self.resolve_chain(network, maker, name.span, 0));
        self.at.scope = outer;
        self.at.prefix.clear();
        if let Ok(process) = &mut process {
            process.name = full;
            let after = self.made();
            let range = |k: usize| before[k]..after[k];
            let parameters = free.iter().map(Ty::scalar_set).zip(values.iter().copied()).collect();
            self.made.layout.owners.push(Owner {
                group: name.text.clone(),
                parameters,
                variables: range(0),
                scratch: range(1),
                clocks: range(2),
                channels: range(3),
                functions: range(4),
            });
        }
        process
    }

    /// How many variables, scratch cells, clocks, channels and functions there are by now.
    fn made(&self) -> [u32; 5] {
        let (variables, scratch) = (self.made.variables.len(), self.made.scratch.len());
        let (clocks, channels) = (self.made.clocks.len(), self.made.channels.len());
        [variables, scratch, clocks, channels, self.made.functions.len()].map(|len| len as u32)
    }

    /// Binds the parameters that the system line leaves open.
    fn open_parameters(&mut self, maker: Maker<'_>, free: &[Ty], values: &[i64]) -> Res<()> {
        for ((parameter, ty), &value) in maker.parameters().iter().zip(free).zip(values) {
            let ty = ty.clone();
            let symbol = match maker {
                Maker::Template(template) => {
                    self.value_symbol(ty, vec![value], parameter, template)?
                }
                Maker::Instantiation(_) => Symbol::Constant { ty, value, is_declared: false },
            };
            self.define(&parameter.name, symbol);
        }
        Ok(())
    }

    /// Follows partial instantiations to their template, binding parameters on the way. The
    /// current scope holds the parameters of `maker`.
    fn resolve_chain(
        &mut self,
        network: &Network,
        maker: Maker<'_>,
        span: Span,
        depth: usize,
    ) -> Res<Process> {
        let made = match maker {
            Maker::Template(template) => return self.process_of(template),
            Maker::Instantiation(made) => made,
        };
        if depth > network.items.len() {
            return Err(self.error(
                Diagnostic::error("cyclic-instantiation", span, "this instantiation needs itself")
                    .label("named here"),
            ));
        }
        let next = self.maker(network, &made.template)?;
        let parameters = next.parameters();
        let place = made.template.span;
        self.count_arguments(&made.template.text, parameters.len(), made.arguments.len(), place)?;
        let from = self.at.scope;
        self.at.scope = ScopeId(0);
        let inside = self.enter();
        for (parameter, argument) in parameters.iter().zip(&made.arguments) {
            let symbol = self.bound(parameter, argument, from, inside, next)?;
            self.at.scope = inside;
            self.define(&parameter.name, symbol);
        }
        self.at.scope = inside;
        self.resolve_chain(network, next, place, depth + 1)
    }

    /// What a parameter stands for: the argument is resolved where it is written, the
    /// parameter's type where that is declared.
    fn bound(
        &mut self,
        parameter: &Parameter,
        argument: &Expr,
        from: ScopeId,
        inside: ScopeId,
        maker: Maker<'_>,
    ) -> Res<Symbol> {
        self.at.scope = inside;
        let base = self.ty(&parameter.ty)?;
        let ty = self.dimensions(&base, &parameter.dimensions, parameter.name.span)?;
        self.at.scope = from;
        let is_handle = matches!(ty.innermost(), Ty::Clock | Ty::Chan { .. });
        if parameter.by_reference || is_handle {
            return self.alias(parameter, &ty, argument);
        }
        let values = if ty.is_single() {
            vec![self.constant_for(argument, &ty)?]
        } else {
            self.constant_table(argument, &ty)?
        };
        match maker {
            Maker::Template(template) => self.value_symbol(ty, values, parameter, template),
            Maker::Instantiation(_) => self.constant_symbol(ty, values, parameter),
        }
    }

    /// A parameter by value: a variable of the process if its template writes to it, else a
    /// constant, which keeps the state small.
    fn value_symbol(
        &mut self,
        ty: Ty,
        values: Vec<i64>,
        parameter: &Parameter,
        template: &Template,
    ) -> Res<Symbol> {
        if parameter.ty.is_const || !super::walk::may_write(template, &parameter.name.text) {
            return self.constant_symbol(ty, values, parameter);
        }
        let span = parameter.name.span;
        self.room(self.made.variables.len(), &ty, limits::CELLS, "cells", span)?;
        Ok(self.state_variable(ty, &parameter.name.text, &values, false, span))
    }

    fn constant_symbol(&mut self, ty: Ty, values: Vec<i64>, parameter: &Parameter) -> Res<Symbol> {
        if ty.is_single() {
            return Ok(Symbol::Constant { ty, value: values[0], is_declared: false });
        }
        let span = parameter.name.span;
        let addr = self.scratch_cells(&ty, &parameter.name.text, &values, span)?;
        Ok(self.table_symbol(addr, ty, span))
    }

    /// A parameter by reference: another name for the argument.
    fn alias(&mut self, parameter: &Parameter, ty: &Ty, argument: &Expr) -> Res<Symbol> {
        match self.pure(|r| r.operand(argument), "an argument")? {
            Operand::Clock(place, given) if given.has_shape_of(ty) && place.steps.is_empty() => {
                Ok(Symbol::Clock(place, given))
            }
            Operand::Channel(place, given) if given.has_shape_of(ty) && place.steps.is_empty() => {
                Ok(Symbol::Channel(place.base, given))
            }
            Operand::Place(located)
                if located.ty.has_shape_of(ty)
                    && located.place.steps.is_empty()
                    && (parameter.ty.is_const || !located.is_const) =>
            {
                Ok(Symbol::Variable(Variable {
                    place: located.place,
                    ty: located.ty,
                    is_const: parameter.ty.is_const || located.is_const,
                    root: located.root,
                }))
            }
            Operand::Value(crate::model::Expr::Const(value), given)
                if parameter.ty.is_const && ty.is_single() =>
            {
                Ok(Symbol::Constant { ty: given, value, is_declared: false })
            }
            other => {
                let found = other.describe();
                Err(self.error(
                    Diagnostic::error(
                        "argument-type",
                        argument.span,
                        format!("`{}` needs a variable of type `{ty}`", parameter.name.text),
                    )
                    .label(format!("this is {found}"))
                    .related(parameter.name.span, "passed by reference"),
                ))
            }
        }
    }
}

/// How many combinations of values there are.
pub fn choice_count(types: &[Ty]) -> u64 {
    types.iter().fold(1, |count: u64, ty| {
        let (lo, hi) = ty.range().unwrap_or((0, 0));
        count.saturating_mul(hi.abs_diff(lo).saturating_add(1))
    })
}

/// All combinations of values, the last one running fastest.
pub fn choices(types: &[Ty]) -> impl Iterator<Item = Vec<i64>> + use<> {
    let ranges: Vec<(i64, i64)> = types.iter().map(|ty| ty.range().unwrap_or((0, 0))).collect();
    let mut next: Option<Vec<i64>> = Some(ranges.iter().map(|range| range.0).collect());
    std::iter::from_fn(move || {
        let current = next.take()?;
        let mut after = current.clone();
        for (value, &(lo, hi)) in after.iter_mut().zip(&ranges).rev() {
            if *value < hi {
                *value += 1;
                next = Some(after);
                break;
            }
            *value = lo;
        }
        Some(current)
    })
}
