//! Narrower ranges than the declared ones, from all that is ever written.
//!
//! A cell holds its initial value or one that some expression wrote, wherever that stands and
//! whenever it runs. Starting from the initial values, the ranges of all written values are
//! added until nothing changes; what keeps growing gets its declared bound. So constants that
//! look like variables, and variables that only ever get a few values, give small clock bounds.
//!
//! Where states stand for all that differ from them in the names of scalars, a cell may hold what
//! another one of its family holds, and a scalar any element of its set: what is said here of cells
//! does not depend on names.

use super::interval::{self, Interval, join, meet};
use super::ranges::Ranges;
use super::walk;
use crate::model::symmetry::Moved;
use crate::model::{Addr, Argument, Expr, Function, Model, Place, PlaceBase, Statement};
use crate::network::BinaryOp;
use std::collections::BTreeMap;

/// After so many rounds, bounds that still grow are taken as declared.
const PATIENCE: u32 = 6;

impl<'a> Ranges<'a> {
    /// What the cells may hold in any run.
    pub fn inferred(model: &'a Model) -> Ranges<'a> {
        let mut inference = Inference::new(model);
        let families = families(model);
        let mut rounds = 0;
        while inference.round(&families) {
            rounds += 1;
            inference.is_widening = rounds >= PATIENCE;
        }
        inference.ranges
    }
}

struct Inference<'a> {
    ranges: Ranges<'a>,
    has_changed: bool,
    is_widening: bool,
}

impl<'a> Inference<'a> {
    fn new(model: &'a Model) -> Inference<'a> {
        let mut ranges = Ranges::declared(model);
        for cell in model.processes.len()..model.cells.len() {
            let of = &model.cells[cell];
            let may_be_renamed = of.scalar_set.is_some() && cell < model.state_len as usize;
            ranges.cells[cell] =
                if may_be_renamed { (of.lo, of.hi) } else { (of.initial, of.initial) };
        }
        let exposed = exposed(model);
        let declared = |cell: Addr| (model.cells[cell].lo, model.cells[cell].hi);
        for &cell in &exposed {
            let declared = declared(cell);
            ranges.cells[cell] = join(ranges.cells[cell], declared);
        }
        let all = exposed.iter().map(|&cell| ranges.cells[cell]).reduce(join);
        ranges.by_reference = all.unwrap_or(interval::ANYTHING);
        Inference { ranges, has_changed: false, is_widening: false }
    }

    /// Adds everything written once; whether that changed anything.
    fn round(&mut self, families: &[Vec<Addr>]) -> bool {
        self.has_changed = false;
        let model = self.ranges.model;
        walk::model(model, &mut |expr| self.expr(expr));
        for function in &model.functions {
            for part in &function.body {
                walk::statement(part, &mut |part| self.statement(part, function));
            }
        }
        families.iter().for_each(|family| self.even_out(family));
        self.has_changed
    }

    fn even_out(&mut self, family: &[Addr]) {
        let all = family.iter().map(|&cell| self.ranges.cells[cell]).reduce(join);
        for &cell in family {
            all.into_iter().for_each(|range| self.set(cell, range));
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Assign(place, value) => {
                let value = self.ranges.of(value);
                self.write(place, value);
            }
            Expr::Update(place, ..) => {
                let value = self.ranges.of(expr);
                self.write(place, value);
            }
            Expr::PostIncrement(place, delta) => {
                let before = self.ranges.of(expr);
                let value = interval::binary(BinaryOp::Add, before, (*delta, *delta));
                self.write(place, value);
            }
            Expr::Quantifier { binder, lo, hi, .. } => self.bind(*binder, (*lo, *hi)),
            Expr::Copy { to, from, len } => self.copy(to, from, *len),
            Expr::Call(function, arguments, _) => {
                let function = &self.ranges.model.functions[*function];
                for (argument, parameter) in arguments.iter().zip(&function.parameters) {
                    match argument {
                        Argument::Value(value) => {
                            let value = self.ranges.of(value);
                            self.add(parameter.addr, value);
                        }
                        Argument::Aggregate(place, len) => {
                            self.copy_to(parameter.addr, place, *len)
                        }
                        Argument::Reference(_) | Argument::Clock(_) => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn statement(&mut self, statement: &Statement, function: &Function) {
        match (statement, function.result) {
            (Statement::Return(Some(value)), Some((cell, _))) => {
                let value = self.ranges.of(value);
                self.add(cell, value);
            }
            (Statement::ReturnAggregate(place), Some((cell, len))) => {
                self.copy_to(cell, place, len);
            }
            (Statement::ForEach { binder, lo, hi, .. }, _) => self.bind(*binder, (*lo, *hi)),
            _ => {}
        }
    }

    /// A bound variable takes exactly these values, without a check.
    fn bind(&mut self, cell: Addr, (lo, hi): Interval) {
        if lo <= hi {
            self.set(cell, join(self.ranges.cells[cell], (lo, hi)));
        }
    }

    fn write(&mut self, place: &Place, value: Interval) {
        self.targets(place).into_iter().for_each(|cell| self.add(cell, value));
    }

    /// What is reached by reference has its declared range from the start.
    fn targets(&self, place: &Place) -> Vec<Addr> {
        let mut found = Vec::new();
        if let PlaceBase::Fixed(base) = place.base {
            self.ranges.each_offset(&place.steps, &mut |offset| {
                found.push(base.offset(place.offset + offset));
            });
        }
        found.retain(|cell| cell.index() < self.ranges.cells.len());
        found
    }

    fn copy(&mut self, to: &Place, from: &Place, len: u32) {
        for cell in self.targets(to) {
            self.copy_to(cell, from, len);
        }
    }

    fn copy_to(&mut self, to: Addr, from: &Place, len: u32) {
        for i in 0..len {
            let part = Place { offset: from.offset + i, ..from.clone() };
            let value = self.ranges.of(&Expr::Load(part));
            self.add(to.offset(i), value);
        }
    }

    /// Adds the values that pass the check of the cell's range.
    fn add(&mut self, cell: Addr, value: Interval) {
        let of = &self.ranges.model.cells[cell];
        let Some(value) = meet(value, (of.lo, of.hi)) else { return };
        let before = self.ranges.cells[cell];
        let mut after = join(before, value);
        if self.is_widening {
            if after.0 < before.0 {
                after.0 = of.lo.min(after.0);
            }
            if after.1 > before.1 {
                after.1 = of.hi.max(after.1);
            }
        }
        self.set(cell, after);
    }

    fn set(&mut self, cell: Addr, range: Interval) {
        let known = &mut self.ranges.cells[cell];
        if *known != range {
            *known = range;
            self.has_changed = true;
            self.ranges.forget();
        }
    }
}

/// Cells that differ only in the elements of scalar sets that they are for; constants stay what
/// they are.
fn families(model: &Model) -> Vec<Vec<Addr>> {
    if model.scalar_sets.is_empty() {
        return Vec::new();
    }
    let is_constant = |cell: &Addr| model.layout.constants.contains(cell);
    let moved = Moved::new(model);
    let families = moved.cells.families().iter();
    let families = families.map(|f| f.members.iter().copied().map(Addr).collect::<Vec<_>>());
    families.filter(|members| !members.iter().any(is_constant)).collect()
}

/// All cells that may be reached by reference.
fn exposed(model: &Model) -> Vec<Addr> {
    let reach = reach(model);
    let ranges = Ranges::declared(model);
    let mut found = Vec::new();
    each_reference(model, &mut |parameter, place| {
        let PlaceBase::Fixed(base) = place.base else { return };
        let beyond = reach.get(&parameter).copied().unwrap_or(0);
        ranges.each_offset(&place.steps, &mut |offset| {
            let first = base.offset(place.offset + offset);
            let cells = (0..=beyond).map(|k| first.offset(k));
            found.extend(cells.filter(|cell| cell.index() < model.cells.len()));
        });
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// How far beyond the first cell each reference parameter is used, itself or by those that it is
/// handed on to. Ends as functions do not recurse.
fn reach(model: &Model) -> BTreeMap<Addr, u32> {
    let mut reach = BTreeMap::new();
    each_use(model, &mut |place, len| {
        if let PlaceBase::Reference(cell) = place.base {
            let known: &mut u32 = reach.entry(cell).or_default();
            *known = (*known).max(extent(place) + len - 1);
        }
    });
    loop {
        let mut has_changed = false;
        each_reference(model, &mut |parameter, place| {
            if let PlaceBase::Reference(cell) = place.base {
                let beyond = extent(place) + reach.get(&parameter).copied().unwrap_or(0);
                let known: &mut u32 = reach.entry(cell).or_default();
                has_changed |= *known < beyond;
                *known = (*known).max(beyond);
            }
        });
        if !has_changed {
            return reach;
        }
    }
}

/// The largest offset of a place.
fn extent(place: &Place) -> u32 {
    let steps = place.steps.iter().map(|step| step.length.saturating_sub(1) * step.stride);
    place.offset + steps.sum::<u32>()
}

/// Calls `visit` with every reference parameter and what is passed for it.
fn each_reference<'a>(model: &'a Model, visit: &mut dyn FnMut(Addr, &'a Place)) {
    walk::model(model, &mut |expr| {
        if let Expr::Call(function, arguments, _) = expr {
            let parameters = &model.functions[*function].parameters;
            for (argument, parameter) in arguments.iter().zip(parameters) {
                if let Argument::Reference(place) = argument {
                    visit(parameter.addr, place);
                }
            }
        }
    });
}

/// Calls `visit` with every place that is read or written, and the number of its cells.
fn each_use<'a>(model: &'a Model, visit: &mut dyn FnMut(&'a Place, u32)) {
    walk::model(model, &mut |expr| match expr {
        Expr::Load(place)
        | Expr::Assign(place, _)
        | Expr::Update(place, ..)
        | Expr::PostIncrement(place, _) => visit(place, 1),
        Expr::Copy { to: a, from: b, len } | Expr::Same { left: a, right: b, len } => {
            visit(a, (*len).max(1));
            visit(b, (*len).max(1));
        }
        Expr::Call(_, arguments, _) => {
            for argument in arguments {
                if let Argument::Aggregate(place, len) = argument {
                    visit(place, (*len).max(1));
                }
            }
        }
        _ => {}
    });
    for function in &model.functions {
        for part in &function.body {
            walk::statement(part, &mut |part| {
                if let (Statement::ReturnAggregate(place), Some((_, len))) = (part, function.result)
                {
                    visit(place, len.max(1));
                }
            });
        }
    }
}
