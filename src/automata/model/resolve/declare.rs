//! Variables, clocks and channels: room for them, and names.

use super::scope::{Root, Symbol, Variable};
use super::types::Ty;
use super::{Reported, Res, Resolver, limits, link};
use crate::model::layout::{Coord, Slot};
use crate::model::{Addr, Cell, Channel, ChannelId, Clock, ClockId, ClockPlace, Place, PlaceBase};
use crate::network::{Declaration, Declarator, Type, Variables};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    pub fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Variables(variables) => self.variables(variables),
            Declaration::Typedef(variables) => self.typedef(variables),
            Declaration::Function(function) => self.function(function),
            // Handled where the whole system is known.
            Declaration::ChannelPriority(..)
            | Declaration::BeforeUpdate(..)
            | Declaration::AfterUpdate(..) => {}
        }
    }

    fn typedef(&mut self, variables: &Variables) {
        let base = self.ty(&variables.ty);
        for declarator in &variables.declarators {
            let ty = base.clone().and_then(|base| self.declared_type(&base, declarator));
            self.define(&declarator.name, ty.map_or(Symbol::Broken, Symbol::Type));
        }
    }

    fn variables(&mut self, variables: &Variables) {
        let base = self.ty(&variables.ty);
        for declarator in &variables.declarators {
            let ty = base.clone().and_then(|base| self.declared_type(&base, declarator));
            let done = ty.and_then(|ty| self.declare(&variables.ty, ty, declarator));
            if done.is_err() {
                self.define(&declarator.name, Symbol::Broken);
            }
        }
    }

    fn declared_type(&mut self, base: &Ty, declarator: &Declarator) -> Res<Ty> {
        self.dimensions(base, &declarator.dimensions, declarator.name.span)
    }

    fn declare(&mut self, written: &Type, ty: Ty, declarator: &Declarator) -> Res<()> {
        match ty.innermost() {
            Ty::Clock => self.declare_clock(ty, declarator),
            Ty::Chan { .. } => self.declare_channel(ty, declarator),
            _ if self.at.frame.is_some() => self.declare_local(written, ty, declarator),
            _ if written.is_const => self.declare_constant(ty, declarator),
            _ => self.declare_variable(written, ty, declarator),
        }
    }

    fn declare_clock(&mut self, ty: Ty, declarator: &Declarator) -> Res<()> {
        let name = &declarator.name;
        if self.at.frame.is_some() {
            return Err(self.error(
                Diagnostic::error("local-clock", name.span, "a function cannot have clocks")
                    .label("declared inside a function")
                    .hint("declare the clock outside, and pass it by reference"),
            ));
        }
        self.no_initial(declarator, "a clock")?;
        if self.cost_is_price && name.text == "cost" && self.at.prefix.is_empty() {
            return Ok(());
        }
        self.room(self.made.clocks.len(), &ty, limits::CLOCKS, "clocks", name.span)?;
        let base = ClockId::at(self.made.clocks.len());
        let prefix = format!("{}{}", self.at.prefix, name.text);
        for_each_cell(&ty, &prefix, &mut |name, _| {
            self.made.clocks.push(Clock { name, span: declarator.name.span })
        });
        let arranged = arranged(&ty, base.0);
        self.made.layout.clocks.extend(arranged.map(|(clock, coords)| (ClockId(clock), coords)));
        self.define(name, Symbol::Clock(ClockPlace::fixed(base), ty));
        Ok(())
    }

    fn declare_channel(&mut self, ty: Ty, declarator: &Declarator) -> Res<()> {
        let name = &declarator.name;
        self.no_initial(declarator, "a channel")?;
        self.room(self.made.channels.len(), &ty, limits::CHANNELS, "channels", name.span)?;
        let Ty::Chan { urgent, broadcast } = *ty.innermost() else { return Err(Reported) };
        let base = ChannelId::at(self.made.channels.len());
        let prefix = format!("{}{}", self.at.prefix, name.text);
        for_each_cell(&ty, &prefix, &mut |name, _| {
            self.made.channels.push(Channel {
                name,
                is_urgent: urgent,
                is_broadcast: broadcast,
                priority: self.made.default_priority,
                span: declarator.name.span,
            })
        });
        let arranged = arranged(&ty, base.0);
        self.made
            .layout
            .channels
            .extend(arranged.map(|(channel, coords)| (ChannelId(channel), coords)));
        self.define(name, Symbol::Channel(base, ty));
        Ok(())
    }

    fn no_initial(&mut self, declarator: &Declarator, what: &str) -> Res<()> {
        match &declarator.initial {
            Some(_) => Err(self.error(
                Diagnostic::error(
                    "initial-value",
                    declarator.name.span,
                    format!("{what} cannot have an initial value"),
                )
                .label("initialised here"),
            )),
            None => Ok(()),
        }
    }

    /// A constant: a number is known by its value, anything larger lies in scratch memory.
    fn declare_constant(&mut self, ty: Ty, declarator: &Declarator) -> Res<()> {
        let name = &declarator.name;
        let Some(initial) = &declarator.initial else {
            return Err(self.error(
                Diagnostic::error("no-value", name.span, "a constant needs a value")
                    .label("declared without `= ...`"),
            ));
        };
        self.scratch_room(&ty, name.span)?;
        let values = self.initial_values(initial, &ty, name)?;
        let symbol = if ty.is_single() {
            Symbol::Constant { ty, value: values[0], is_declared: true }
        } else {
            let addr = self.scratch_cells(&ty, &name.text, &values, name.span)?;
            self.table_symbol(addr, ty, name.span)
        };
        self.define(name, symbol);
        Ok(())
    }

    /// A constant array or struct at its place in scratch memory.
    pub fn table_symbol(&mut self, addr: Addr, ty: Ty, span: Span) -> Symbol {
        self.made.constants.insert(addr);
        self.made.layout.constants.extend((0..ty.cells()).map(|k| Addr(addr.0 + k)));
        Symbol::local(addr, ty, true, span)
    }

    fn declare_variable(&mut self, written: &Type, ty: Ty, declarator: &Declarator) -> Res<()> {
        let name = &declarator.name;
        self.room(self.made.variables.len(), &ty, limits::CELLS, "cells", name.span)?;
        let values = match &declarator.initial {
            Some(initial) => self.initial_values(initial, &ty, name)?,
            None => default_values(&ty),
        };
        let symbol = self.state_variable(ty, &name.text, &values, written.is_meta, name.span);
        if let Symbol::Variable(variable) = &symbol
            && let PlaceBase::Fixed(addr) = variable.place.base
            && written.is_meta
            && name.text == "remaining"
            && variable.ty.is_number()
            && self.at.prefix.is_empty()
        {
            self.made.remaining = Some(addr);
        }
        self.define(name, symbol);
        Ok(())
    }

    /// Makes the cells of a variable that is part of the state; there is room for them.
    pub fn state_variable(
        &mut self,
        ty: Ty,
        name: &str,
        values: &[i64],
        is_meta: bool,
        span: Span,
    ) -> Symbol {
        let addr = link::variable(self.made.variables.len());
        let cells = cells(&ty, &format!("{}{name}", self.at.prefix), values, is_meta, span);
        self.made.variables.extend(cells);
        self.made.layout.cells.extend(arranged(&ty, addr.0).map(|(addr, at)| (Addr(addr), at)));
        Symbol::Variable(Variable {
            place: Place::fixed(addr, span),
            ty,
            is_const: false,
            root: Root::State,
        })
    }

    /// Makes cells in scratch memory that start with the type's default values.
    pub fn scratch_default(&mut self, ty: &Ty, name: &str, span: Span) -> Res<Addr> {
        self.scratch_room(ty, span)?;
        self.scratch_cells(ty, name, &default_values(ty), span)
    }

    pub fn scratch_room(&mut self, ty: &Ty, span: Span) -> Res<()> {
        self.room(
            self.made.scratch_base + self.made.scratch.len(),
            ty,
            limits::CELLS,
            "cells",
            span,
        )
    }

    /// Makes cells in scratch memory.
    pub fn scratch_cells(&mut self, ty: &Ty, name: &str, values: &[i64], span: Span) -> Res<Addr> {
        self.scratch_room(ty, span)?;
        let addr = link::scratch(self.made.scratch_base + self.made.scratch.len());
        let cells = cells(ty, &format!("{}{name}", self.at.prefix), values, false, span);
        self.made.scratch.extend(cells);
        self.made.layout.cells.extend(arranged(ty, addr.0).map(|(addr, at)| (Addr(addr), at)));
        Ok(addr)
    }

    /// Refuses what would exceed a limit, before anything is allocated.
    pub fn room(&mut self, used: usize, ty: &Ty, limit: u64, what: &str, span: Span) -> Res<()> {
        let wanted = ty.len();
        if (used as u64).saturating_add(wanted) <= limit {
            return Ok(());
        }
        Err(self.too_large(
            span,
            format!("this needs {wanted} {what}, more than a model may have"),
            format!("at most {limit} {what} in all, {used} of them used before"),
        ))
    }

    pub fn too_large(&mut self, span: Span, message: String, label: String) -> Reported {
        self.error(Diagnostic::error("too-large", span, message).label(label))
    }
}

/// The values of a variable that has no initialiser: 0, or what is next to it in the range.
pub fn default_values(ty: &Ty) -> Vec<i64> {
    let mut values = Vec::new();
    for_each_cell(ty, "", &mut |_, ty| {
        let (lo, hi) = ty.range().unwrap_or((0, 0));
        values.push(0.clamp(lo, hi));
    });
    values
}

/// The types of the cells, in the order of their addresses.
pub fn cell_types(ty: &Ty) -> Vec<Ty> {
    let mut types = Vec::new();
    for_each_cell(ty, "", &mut |_, ty| types.push(ty.clone()));
    types
}

fn cells(ty: &Ty, name: &str, values: &[i64], is_meta: bool, span: Span) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(values.len());
    for_each_cell(ty, name, &mut |name, ty| {
        let (lo, hi) = ty.range().unwrap_or((0, 0));
        let scalar_set = ty.scalar_set();
        let initial = values[cells.len()];
        cells.push(Cell { name, lo, hi, initial, is_meta, scalar_set, span });
    });
    cells
}

/// Visits the parts of a value in the order of their addresses, with their full names.
fn for_each_cell(ty: &Ty, name: &str, visit: &mut dyn FnMut(String, &Ty)) {
    match ty {
        Ty::Array(array) => {
            for i in 0..i64::from(array.index.length) {
                let index = array.index.first + i;
                for_each_cell(&array.element, &format!("{name}[{index}]"), visit);
            }
        }
        Ty::Struct(structure) => {
            for field in &structure.fields {
                for_each_cell(&field.ty, &format!("{name}.{}", field.name), visit);
            }
        }
        Ty::Void => {}
        single => visit(name.to_owned(), single),
    }
}

/// What the parts of a value are, in the order of their addresses: where they lie in arrays over
/// scalar sets, and the set of their own values.
pub fn slots(ty: &Ty) -> Vec<Slot> {
    match ty {
        Ty::Array(array) => {
            let inner = slots(&array.element);
            let (stride, length) = (inner.len() as u32, array.index.length);
            let part = |index: u32, slot: &Slot| {
                let coord = |set| Coord { set, index, stride, extent: stride * length };
                let own = array.index.set.map(coord);
                let coords = own.into_iter().chain(slot.coords.iter().copied()).collect();
                Slot { coords, set: slot.set }
            };
            (0..length).flat_map(|k| inner.iter().map(move |slot| part(k, slot))).collect()
        }
        Ty::Struct(structure) => structure.fields.iter().flat_map(|f| slots(&f.ty)).collect(),
        Ty::Void => Vec::new(),
        single => vec![Slot { coords: Vec::new(), set: single.scalar_set() }],
    }
}

/// The parts that lie in arrays over scalar sets, by their addresses from `base` on.
fn arranged(ty: &Ty, base: u32) -> impl Iterator<Item = (u32, Vec<Coord>)> {
    let parts = if ty.has_scalar_index() { slots(ty) } else { Vec::new() };
    let numbered = (base..).zip(parts.into_iter().map(|slot| slot.coords));
    numbered.filter(|(_, coords)| !coords.is_empty())
}
