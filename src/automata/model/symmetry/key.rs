//! What a part of the model says once elements are renamed, as a text in which the order of
//! operands counts only where it matters. Two parts with equal texts mean the same.
//!
//! Operands of `&&` and `||` are looked at from left to right until one decides. That matters only
//! around those that may fail: the others may change places between them.

use super::unread::{self, Read};
use super::{Moved, Renaming};
use crate::model::analysis::Harmless;
use crate::model::layout::{Coord, Slot};
use crate::model::{
    Addr, Argument, ClockBase, ClockPlace, ClockRef, ClockTest, Conjunct, Expr, Formula, Function,
    FunctionId, IndexStep, Model, Place, PlaceBase, Statement, Sync, Term,
};
use crate::network::BinaryOp;
use std::collections::BTreeSet;

/// Writes such texts.
#[derive(Clone, Copy)]
pub struct Keys<'a> {
    pub model: &'a Model,
    pub harmless: &'a Harmless<'a>,
    pub moved: &'a Moved,
    /// The locals of scalar type whose constants count; what others start with is never seen.
    pub read: &'a Read,
    pub renaming: &'a Renaming,
}

/// The text of an operand, and whether it is harmless.
type Operand = (String, bool);

impl Keys<'_> {
    /// Whether two expressions say the same.
    pub fn is_same(&self, left: &Expr, right: &Expr) -> bool {
        self.expr(left, None) == self.expr(right, None)
    }

    pub fn is_same_place(&self, left: &Place, right: &Place) -> bool {
        self.place(left, 1) == self.place(right, 1)
    }

    pub fn term(&self, term: &Term) -> String {
        self.expr(&term.tree, None)
    }

    pub fn terms<'t>(&self, terms: impl IntoIterator<Item = &'t Term>) -> String {
        terms.into_iter().map(|term| self.term(term)).collect::<Vec<_>>().join(";")
    }

    pub fn conjuncts(&self, conjuncts: &[Conjunct]) -> String {
        let mut parts = Vec::new();
        for conjunct in conjuncts {
            match conjunct {
                Conjunct::Data(term) => self.operands(&term.tree, true, &mut parts),
                Conjunct::Clock(test) => parts.push((self.test(test), self.harmless.test(test))),
            }
        }
        sorted_between("&", parts)
    }

    pub fn formula(&self, formula: &Formula) -> String {
        match formula {
            Formula::Data(term) => self.term(term),
            Formula::Clock(test) => self.test(test),
            Formula::Deadlock => "deadlock".into(),
            Formula::Not(inner) => format!("!({})", self.formula(inner)),
            Formula::And(parts) => sorted_between("&", self.parts(parts, true)),
            Formula::Or(parts) => sorted_between("|", self.parts(parts, false)),
        }
    }

    fn parts(&self, parts: &[Formula], is_and: bool) -> Vec<Operand> {
        let mut found = Vec::new();
        for part in parts {
            match part {
                Formula::Data(term) => self.operands(&term.tree, is_and, &mut found),
                Formula::And(inner) if is_and => found.extend(self.parts(inner, is_and)),
                Formula::Or(inner) if !is_and => found.extend(self.parts(inner, is_and)),
                other => found.push((self.formula(other), self.harmless.formula(other))),
            }
        }
        found
    }

    fn test(&self, test: &ClockTest) -> String {
        let clock = |clock: &Option<ClockRef>| match clock {
            None => "0".to_owned(),
            Some(ClockRef::Fixed(clock)) => self.clock_place(&ClockPlace::fixed(*clock)),
            Some(ClockRef::Indexed { place, .. }) => self.clock_place(place),
        };
        let unless = test.unless.as_ref().map(|term| self.term(term)).unwrap_or_default();
        let (left, right) = (clock(&test.left), clock(&test.right));
        let sign = if test.is_strict { "<" } else { "<=" };
        format!("[{unless}?{left}-{right}{sign}{}]", self.term(&test.bound))
    }

    pub fn sync(&self, sync: &Sync) -> String {
        let Some(Expr::Load(place)) = sync.offset.as_ref().map(|term| &term.tree) else {
            let computed = sync.offset.as_ref().map(|term| self.term(term)).unwrap_or_default();
            let channel = self.moved.channels.renamed(sync.base.0, self.renaming);
            return format!("{:?} {channel}+{computed}", sync.direction);
        };
        let none = Vec::new();
        let coords = self.model.layout.channels.get(&sync.base).unwrap_or(&none);
        let owned =
            self.moved.channels.item(sync.base.0).map_or(0, |i| i.coords.len() - coords.len());
        let is_kept = |k: usize| k >= owned && is_stepped(&coords[k - owned], &place.steps);
        let channel = self.moved.channels.renamed_but(sync.base.0, self.renaming, is_kept);
        format!("{:?} {channel}{}", sync.direction, self.steps(&place.steps, coords))
    }

    pub fn function(&self, function: &Function) -> String {
        let whole = |addr: Addr, len: u32| (self.first_cell(addr, len, |_| false), len);
        let parameters: Vec<_> = function.parameters.iter().map(|p| whole(p.addr, p.len)).collect();
        let result = function.result.map(|(addr, len)| whole(addr, len));
        let made = function
            .result
            .map_or((None, 0), |(addr, len)| (self.model.cells[addr].scalar_set, len));
        format!("{parameters:?}{result:?}{}", self.statements(&function.body, made))
    }

    /// `result` is the scalar set of what the function gives, and how many cells that takes.
    /// Constants that are given one after the other, to different cells, come in any order: so do
    /// those that a small array starts with.
    fn statements(&self, body: &[Statement], result: (Option<u32>, u32)) -> String {
        let mut texts = Vec::with_capacity(body.len());
        let mut given = BTreeSet::new();
        for statement in body {
            let cell = match statement {
                Statement::Expr(Expr::Assign(to, value)) => {
                    unread::given_cell(self.model, to, value)
                }
                _ => None,
            };
            if !cell.is_some_and(|cell| given.insert(cell)) {
                let first = texts.len() - given.len();
                texts[first..].sort_unstable();
                given = cell.into_iter().collect();
            }
            texts.push(self.statement(statement, result));
        }
        let first = texts.len() - given.len();
        texts[first..].sort_unstable();
        format!("{{{}}}", texts.join(";"))
    }

    fn statement(&self, statement: &Statement, result: (Option<u32>, u32)) -> String {
        let expr = |expr: &Expr| self.expr(expr, None);
        let inner = |statement: &Statement| self.statement(statement, result);
        match statement {
            Statement::Expr(e) => expr(e),
            Statement::Block(body) => self.statements(body, result),
            Statement::If(test, then, otherwise) => {
                let otherwise = otherwise.as_ref().map(|o| inner(o)).unwrap_or_default();
                format!("if {} {} else {otherwise}", expr(test), inner(then))
            }
            Statement::While(test, body, _) => format!("while {} {}", expr(test), inner(body)),
            Statement::DoWhile(body, test, _) => format!("do {} while {}", inner(body), expr(test)),
            Statement::For { initial, condition, step, body, .. } => {
                let (initial, condition, step) = (expr(initial), expr(condition), expr(step));
                format!("for {initial};{condition};{step} {}", inner(body))
            }
            Statement::ForEach { binder, lo, hi, body } => {
                format!("each {}:{lo}..{hi} {}", self.cell(*binder), inner(body))
            }
            Statement::Return(value) => {
                let value = value.as_ref().map(|value| self.expr(value, result.0));
                format!("return {}", value.unwrap_or_default())
            }
            Statement::ReturnAggregate(place) => format!("return {}", self.place(place, result.1)),
        }
    }

    /// `expected` is the scalar set that a constant here belongs to.
    fn expr(&self, expr: &Expr, expected: Option<u32>) -> String {
        match expr {
            Expr::Const(value) => match expected {
                Some(set) => format!("#{}", self.renaming.element(set, *value as u32)),
                None => value.to_string(),
            },
            Expr::Load(place) => self.place(place, 1),
            Expr::Unary(op, inner) => format!("{op:?}({})", self.expr(inner, None)),
            Expr::Binary(op, left, right, _) => self.binary(*op, left, right),
            Expr::And(..) | Expr::Or(..) => {
                let is_and = matches!(expr, Expr::And(..));
                let mut parts = Vec::new();
                self.operands(expr, is_and, &mut parts);
                sorted_between(if is_and { "&" } else { "|" }, parts)
            }
            Expr::Conditional(test, then, otherwise) => {
                let expected = expected.or(self.set_of(then)).or(self.set_of(otherwise));
                let (then, otherwise) = (self.expr(then, expected), self.expr(otherwise, expected));
                format!("({}?{then}:{otherwise})", self.expr(test, None))
            }
            Expr::Quantifier { kind, binder, lo, hi, body } => {
                let body = self.expr(body, None);
                format!("({kind:?} {}:{lo}..{hi} {body})", self.cell(*binder))
            }
            Expr::Call(function, arguments, _) => self.call(*function, arguments),
            Expr::Assign(place, value) => {
                let set = self.set_at(place);
                let value = match unread::given_cell(self.model, place, value) {
                    Some(cell) if set.is_some() && !self.read.contains_key(&cell) => "any".into(),
                    _ => self.expr(value, set),
                };
                format!("{}={value}", self.place(place, 1))
            }
            Expr::Update(place, op, value, _) => {
                format!("{}{op:?}={}", self.place(place, 1), self.expr(value, None))
            }
            Expr::PostIncrement(place, delta) => format!("{}+={delta}", self.place(place, 1)),
            Expr::Copy { to, from, len } => {
                let starts = self.defaults(to, from, *len);
                format!("copy {} {}{starts}", self.place(to, *len), self.place(from, *len))
            }
            Expr::Same { left, right, len } => {
                format!("same {} {}", self.place(left, *len), self.place(right, *len))
            }
            Expr::Reset(clock, value) => {
                format!("{}:={}", self.clock_place(clock), self.expr(value, None))
            }
            Expr::AddCost(value) => format!("cost+={}", self.expr(value, None)),
            Expr::Sequence(parts) => {
                let (last, before) = match parts.split_last() {
                    Some((last, before)) => (self.expr(last, expected), before),
                    None => (String::new(), &[][..]),
                };
                let before: Vec<String> = before.iter().map(|e| self.expr(e, None)).collect();
                format!("({};{last})", before.join(";"))
            }
        }
    }

    /// The elements that a local gets from a table of default values, as far as they are read.
    fn defaults(&self, to: &Place, from: &Place, len: u32) -> String {
        let (PlaceBase::Fixed(local), PlaceBase::Fixed(table), true) =
            (to.base, from.base, unread::is_default(self.model, from))
        else {
            return String::new();
        };
        let element = |k: u32| {
            let at = &self.model.cells[(table.0 + from.offset + k) as usize];
            let set = at.scalar_set?;
            let is_read = self.read.contains_key(&(local.0 + to.offset + k));
            is_read.then(|| format!("#{}", self.renaming.element(set, at.initial as u32)))
        };
        (0..len).filter_map(element).collect()
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> String {
        let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let set = is_equality.then(|| self.set_of(left).or(self.set_of(right))).flatten();
        if op == BinaryOp::Add {
            let mut parts = Vec::new();
            self.summands(left, &mut parts);
            self.summands(right, &mut parts);
            return sorted_between("+", parts);
        }
        let parts = vec![self.expr(left, set), self.expr(right, set)];
        match is_equality {
            true => sorted(&format!("{op:?}"), parts),
            false => format!("({op:?} {})", parts.join(" ")),
        }
    }

    fn summands(&self, expr: &Expr, parts: &mut Vec<Operand>) {
        match expr {
            Expr::Binary(BinaryOp::Add, left, right, _) => {
                self.summands(left, parts);
                self.summands(right, parts);
            }
            other => parts.push((self.expr(other, None), self.harmless.is_small(other))),
        }
    }

    /// The operands of nested `&&` (or `||`).
    fn operands(&self, expr: &Expr, is_and: bool, parts: &mut Vec<Operand>) {
        match (expr, is_and) {
            (Expr::And(left, right), true) | (Expr::Or(left, right), false) => {
                self.operands(left, is_and, parts);
                self.operands(right, is_and, parts);
            }
            _ => parts.push((self.expr(expr, None), self.harmless.expr(expr))),
        }
    }

    fn call(&self, function: FunctionId, arguments: &[Argument]) -> String {
        let parameters = &self.model.functions[function].parameters;
        let argument = |(argument, parameter): (&Argument, &crate::model::Param)| match argument {
            Argument::Value(value) => {
                let set = self.model.cells[parameter.addr].scalar_set;
                self.expr(value, set)
            }
            Argument::Aggregate(place, len) => self.place(place, *len),
            Argument::Reference(place) => {
                let to = self.model.layout.references.get(&parameter.addr);
                format!("&{}", self.place(place, to.map_or(1, |to| to.len() as u32)))
            }
            Argument::Clock(place) => format!("&{}", self.clock_place(place)),
        };
        let arguments: Vec<String> = arguments.iter().zip(parameters).map(argument).collect();
        let function = self.moved.functions.renamed(function.0, self.renaming);
        format!("f{function}({})", arguments.join(","))
    }

    fn cell(&self, addr: Addr) -> u32 {
        self.moved.cells.renamed(addr.0, self.renaming)
    }

    /// A place of `len` cells: what lies inside it stays where it is, relative to its start.
    fn place(&self, place: &Place, len: u32) -> String {
        match place.base {
            PlaceBase::Fixed(base) => {
                let addr = Addr(base.0 + place.offset);
                let at = self.first_cell(addr, len, |coord| is_stepped(coord, &place.steps));
                format!("@{at}{}", self.steps(&place.steps, self.coords(addr)))
            }
            PlaceBase::Reference(cell) => {
                let slot = self.slot(cell, place.offset);
                let coords = slot.map_or(&[][..], |slot| &slot.coords);
                let is_kept =
                    |coord: &Coord| coord.extent <= len || is_stepped(coord, &place.steps);
                let moved = self.moved_offset(place.offset, coords, is_kept);
                format!("*{}+{moved}{}", self.cell(cell), self.steps(&place.steps, coords))
            }
        }
    }

    /// Where the first of `len` cells goes that move as a whole; arrays around them move unless
    /// `is_stepped` says that an index is still to come.
    fn first_cell(&self, addr: Addr, len: u32, is_stepped: impl Fn(&Coord) -> bool) -> u32 {
        let coords = self.coords(addr);
        let item = self.moved.cells.item(addr.0);
        let owned = item.map_or(0, |item| item.coords.len() - coords.len());
        let is_kept = |k: usize| {
            k >= owned && (coords[k - owned].extent <= len || is_stepped(&coords[k - owned]))
        };
        self.moved.cells.renamed_but(addr.0, self.renaming, is_kept)
    }

    fn clock_place(&self, place: &ClockPlace) -> String {
        match place.base {
            ClockBase::Fixed(base) => {
                let clock = base.offset(place.offset);
                let none = Vec::new();
                let coords = self.model.layout.clocks.get(&clock).unwrap_or(&none);
                let item = self.moved.clocks.item(clock.0);
                let owned = item.map_or(0, |item| item.coords.len() - coords.len());
                let is_kept = |k: usize| k >= owned && is_stepped(&coords[k - owned], &place.steps);
                let at = self.moved.clocks.renamed_but(clock.0, self.renaming, is_kept);
                format!("x{at}{}", self.steps(&place.steps, coords))
            }
            ClockBase::Reference(cell) => {
                let slot = self.slot(cell, place.offset);
                let coords = slot.map_or(&[][..], |slot| &slot.coords);
                let is_kept = |coord: &Coord| is_stepped(coord, &place.steps);
                let moved = self.moved_offset(place.offset, coords, is_kept);
                format!("x*{}+{moved}{}", self.cell(cell), self.steps(&place.steps, coords))
            }
        }
    }

    fn moved_offset(&self, offset: u32, coords: &[Coord], is_kept: impl Fn(&Coord) -> bool) -> u32 {
        coords.iter().filter(|coord| !is_kept(coord)).fold(offset, |offset, coord| {
            let element = self.renaming.element(coord.set, coord.index);
            offset - coord.index * coord.stride + element * coord.stride
        })
    }

    fn steps(&self, steps: &[IndexStep], coords: &[Coord]) -> String {
        let text = |step: &IndexStep| {
            let over = coords.iter().find(|coord| covers(step, coord));
            let index = self.expr(&step.index, over.map(|coord| coord.set));
            format!("[{index}-{}<{}*{}]", step.first, step.length, step.stride)
        };
        steps.iter().map(text).collect()
    }

    fn coords(&self, addr: Addr) -> &[Coord] {
        self.model.layout.cells.get(&addr).map_or(&[], |coords| coords)
    }

    fn slot(&self, reference: Addr, offset: u32) -> Option<&Slot> {
        self.model.layout.references.get(&reference)?.get(offset as usize)
    }

    /// The scalar set of the values at a place.
    fn set_at(&self, place: &Place) -> Option<u32> {
        match place.base {
            PlaceBase::Fixed(base) => {
                self.model.cells.get((base.0 + place.offset) as usize)?.scalar_set
            }
            PlaceBase::Reference(cell) => self.slot(cell, place.offset)?.set,
        }
    }

    /// The scalar set of an expression's value, as far as its form tells.
    fn set_of(&self, expr: &Expr) -> Option<u32> {
        match expr {
            Expr::Load(place) | Expr::Assign(place, _) => self.set_at(place),
            Expr::Conditional(_, then, otherwise) => self.set_of(then).or(self.set_of(otherwise)),
            Expr::Sequence(parts) => self.set_of(parts.last()?),
            Expr::Call(function, ..) => {
                let (addr, _) = self.model.functions[*function].result?;
                self.model.cells[addr].scalar_set
            }
            _ => None,
        }
    }
}

/// Whether a step goes through this array: the steps of arrays further out have longer strides,
/// those of arrays further in end sooner.
fn covers(step: &IndexStep, coord: &Coord) -> bool {
    step.stride < coord.extent && coord.extent <= step.stride.saturating_mul(step.length)
}

fn is_stepped(coord: &Coord, steps: &[IndexStep]) -> bool {
    steps.iter().any(|step| covers(step, coord))
}

/// The operands, those in any order between which none may fail.
fn sorted_between(op: &str, mut parts: Vec<Operand>) -> String {
    for between in parts.split_mut(|(_, is_harmless)| !is_harmless) {
        between.sort_unstable();
    }
    let parts: Vec<String> = parts.into_iter().map(|(text, _)| text).collect();
    format!("({op} {})", parts.join(" "))
}

fn sorted(op: &str, mut parts: Vec<String>) -> String {
    parts.sort_unstable();
    format!("({op} {})", parts.join(" "))
}
