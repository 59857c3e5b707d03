//! Where the order of elements could show although nothing names it: loops over a scalar set,
//! and the receivers of a broadcast, who act in the order of their numbers.
//!
//! Both are fine if the parts commute. A part's accesses to memory are listed; two parts commute
//! if nothing that one writes is touched by the other, except that both add to it or both
//! set it to the same constant. Then each part fails, or does not, whatever the order; but where a
//! loop, `forall` or `exists` may end early, no part may fail at all: which elements are looked at
//! depends on their order.

use super::places::elements;
use crate::diagnostic::Span;
use crate::model::analysis::{Harmless, walk};
use crate::model::{
    Addr, Argument, ClockBase, ClockPlace, Expr, IndexStep, Model, Place, PlaceBase, Process,
    Query, Statement, Sync, Term,
};
use crate::network::{BinaryOp, Direction, QuantifierKind};
use std::ops::Range;

/// What is done to a range of cells.
#[derive(Clone, Debug, PartialEq)]
struct Access {
    /// Clocks come behind all cells.
    cells: Range<u64>,
    how: How,
    /// The stride of a step whose index is the loop's own variable.
    by: Option<u32>,
    /// It happens whenever the part is gone through, and to all of the cells.
    is_sure: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    Read,
    Set(i64),
    /// Adds something that is not negative.
    Add,
    /// Adds something that is not positive.
    Subtract,
    Write,
}

const CLOCKS: u64 = 1 << 40;
const EVERYTHING: Range<u64> = 0..u64::MAX;

/// Lists accesses.
struct Reader<'m> {
    model: &'m Model,
    binder: Option<Addr>,
    /// Inside a called function: its own memory is nobody else's business.
    depth: u32,
    /// Inside something that may be passed by.
    doubts: u32,
    found: Vec<Access>,
    /// What the loop returns, if it does.
    returns: Vec<Option<i64>>,
}

impl<'m> Reader<'m> {
    fn new(model: &'m Model, binder: Option<Addr>) -> Reader<'m> {
        Reader { model, binder, depth: 0, doubts: 0, found: Vec::new(), returns: Vec::new() }
    }

    fn push(&mut self, cells: Range<u64>, how: How, steps: &[IndexStep]) {
        let is_scratch = cells.start >= u64::from(self.model.state_len) && cells.end <= CLOCKS;
        if !(is_scratch && self.depth > 0) {
            let (by, is_sure) = (self.own_step(steps), self.doubts == 0 && steps.is_empty());
            self.found.push(Access { cells, how, by, is_sure });
        }
    }

    /// What may be passed by.
    fn doubtful(&mut self, read: impl FnOnce(&mut Self)) {
        self.doubts += 1;
        read(self);
        self.doubts -= 1;
    }

    fn place(&mut self, place: &Place, len: u32, how: How) {
        self.steps(&place.steps);
        match place.base {
            PlaceBase::Fixed(base) => {
                let start = u64::from(base.0 + place.offset);
                let end = start + reach(&place.steps) + u64::from(len);
                self.push(start..end, how, &place.steps);
            }
            PlaceBase::Reference(_) => self.doubtful(|r| r.push(EVERYTHING, how, &[])),
        }
    }

    fn clock(&mut self, place: &ClockPlace, how: How) {
        self.steps(&place.steps);
        match place.base {
            ClockBase::Fixed(base) => {
                let start = CLOCKS + u64::from(base + place.offset);
                self.push(start..start + reach(&place.steps) + 1, how, &place.steps);
            }
            ClockBase::Reference(_) => self.doubtful(|r| r.push(CLOCKS..u64::MAX, how, &[])),
        }
    }

    fn steps(&mut self, steps: &[IndexStep]) {
        steps.iter().for_each(|step| self.expr(&step.index));
    }

    fn own_step(&self, steps: &[IndexStep]) -> Option<u32> {
        let binder = self.binder?;
        let is_own = |step: &&IndexStep| is_cell(&step.index, binder);
        steps.iter().find(is_own).map(|step| step.stride)
    }

    /// An expression whose value nobody looks at: what it adds to, it does not read.
    fn effect(&mut self, expr: &Expr) {
        match expr {
            Expr::Update(place, op, value, _) => {
                self.expr(value);
                let how = match (op, self.is_natural(value)) {
                    (BinaryOp::Add, true) => How::Add,
                    (BinaryOp::Sub, true) => How::Subtract,
                    _ => How::Write,
                };
                self.place(place, 1, how);
            }
            Expr::PostIncrement(place, delta) => {
                self.place(place, 1, if *delta >= 0 { How::Add } else { How::Subtract });
            }
            Expr::Sequence(parts) => parts.iter().for_each(|part| self.effect(part)),
            _ => self.expr(expr),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) => {}
            Expr::Load(place) => self.place(place, 1, How::Read),
            Expr::Unary(_, inner) => self.expr(inner),
            Expr::AddCost(inner) => self.expr(inner),
            Expr::Binary(_, left, right, _) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                self.expr(left);
                self.doubtful(|reader| reader.expr(right));
            }
            Expr::Conditional(test, then, otherwise) => {
                self.expr(test);
                self.doubtful(|reader| {
                    reader.expr(then);
                    reader.expr(otherwise);
                });
            }
            Expr::Quantifier { body, .. } => self.expr(body),
            Expr::Call(function, arguments, _) => self.call(function.0, arguments),
            Expr::Assign(place, value) => {
                self.expr(value);
                let how = match **value {
                    Expr::Const(value) => How::Set(value),
                    _ => How::Write,
                };
                self.place(place, 1, how);
            }
            Expr::Update(place, _, value, _) => {
                self.expr(value);
                self.place(place, 1, How::Read);
                self.place(place, 1, How::Write);
            }
            Expr::PostIncrement(place, _) => {
                self.place(place, 1, How::Read);
                self.place(place, 1, How::Write);
            }
            Expr::Copy { to, from, len } => {
                self.place(from, *len, How::Read);
                self.place(to, *len, How::Write);
            }
            Expr::Same { left, right, len } => {
                self.place(left, *len, How::Read);
                self.place(right, *len, How::Read);
            }
            Expr::Reset(clock, value) => {
                self.expr(value);
                let how = match **value {
                    Expr::Const(value) => How::Set(value),
                    _ => How::Write,
                };
                self.clock(clock, how);
            }
            Expr::Sequence(parts) => {
                if let Some((last, first)) = parts.split_last() {
                    first.iter().for_each(|part| self.effect(part));
                    self.expr(last);
                }
            }
        }
    }

    fn call(&mut self, function: u32, arguments: &[Argument]) {
        for argument in arguments {
            match argument {
                Argument::Value(value) => self.expr(value),
                Argument::Aggregate(place, len) => self.place(place, *len, How::Read),
                // What is done through references is taken as done to anything.
                Argument::Reference(place) => self.steps(&place.steps),
                Argument::Clock(place) => self.steps(&place.steps),
            }
        }
        self.depth += 1;
        let returns = std::mem::take(&mut self.returns);
        let model = self.model;
        model.functions[function as usize].body.iter().for_each(|part| self.statement(part));
        self.returns = returns;
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expr(expr) => self.effect(expr),
            Statement::Block(body) => body.iter().for_each(|part| self.statement(part)),
            Statement::If(test, then, otherwise) => {
                self.expr(test);
                self.doubtful(|reader| {
                    reader.statement(then);
                    otherwise.iter().for_each(|part| reader.statement(part));
                });
            }
            Statement::While(test, body, _) | Statement::DoWhile(body, test, _) => {
                self.expr(test);
                self.doubtful(|reader| reader.statement(body));
            }
            Statement::For { initial, condition, step, body, .. } => {
                self.effect(initial);
                self.expr(condition);
                self.doubtful(|reader| {
                    reader.effect(step);
                    reader.statement(body);
                });
            }
            // It is gone through at least once: no type is empty.
            Statement::ForEach { body, .. } => self.statement(body),
            Statement::Return(value) => {
                value.iter().for_each(|value| self.expr(value));
                self.returns.push(match value {
                    Some(Expr::Const(value)) => Some(*value),
                    Some(_) => None,
                    None => Some(0),
                });
            }
            Statement::ReturnAggregate(place) => {
                self.place(place, 1, How::Read);
                self.returns.push(None);
            }
        }
    }

    /// Whether the value is surely not negative.
    fn is_natural(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(value) => *value >= 0,
            Expr::Load(Place { base: PlaceBase::Fixed(base), offset, .. }) => {
                self.model.cells[(base.0 + offset) as usize].lo >= 0
            }
            Expr::And(..) | Expr::Or(..) => true,
            Expr::Quantifier { kind, .. } => *kind != QuantifierKind::Sum,
            _ => false,
        }
    }
}

/// How far the steps lead at most.
fn reach(steps: &[IndexStep]) -> u64 {
    steps.iter().map(|s| u64::from(s.length.saturating_sub(1)) * u64::from(s.stride)).sum()
}

fn is_cell(expr: &Expr, cell: Addr) -> bool {
    matches!(expr, Expr::Load(Place { base: PlaceBase::Fixed(base), steps, offset: 0, .. })
        if *base == cell && steps.is_empty())
}

fn overlap(a: &Access, b: &Access) -> bool {
    a.cells.start < b.cells.end && b.cells.start < a.cells.end
}

/// Whether two accesses to the same cells may be exchanged.
fn commute(a: &Access, b: &Access) -> bool {
    match (a.how, b.how) {
        (How::Read, How::Read) => true,
        (How::Set(a), How::Set(b)) => a == b,
        (How::Add, How::Add) | (How::Subtract, How::Subtract) => true,
        _ => false,
    }
}

/// Whether it does not matter in which order a loop's variable takes its values.
fn is_orderless(model: &Model, whole: &[Statement], binder: Addr, body: &Statement) -> bool {
    let mut inside = Reader::new(model, Some(binder));
    inside.statement(body);
    let mut around = Reader::new(model, None);
    whole.iter().for_each(|part| around.statement(part));
    // A local that is touched nowhere else and surely set first is made anew in each round.
    let times =
        |list: &[Access], access: &Access| list.iter().filter(|a| overlap(a, access)).count();
    let sets_all = |first: &Access, access: &Access| {
        first.is_sure
            && matches!(first.how, How::Set(_) | How::Write)
            && first.cells.start <= access.cells.start
            && access.cells.end <= first.cells.end
    };
    let is_private = |access: &Access| {
        let first = inside.found.iter().find(|other| overlap(other, access));
        access.cells.start >= u64::from(model.state_len)
            && access.cells.end <= CLOCKS
            && first.is_some_and(|first| sets_all(first, access))
            && times(&inside.found, access) == times(&around.found, access)
    };
    let shared: Vec<&Access> = inside.found.iter().filter(|access| !is_private(access)).collect();
    let writes = shared.iter().any(|access| access.how != How::Read);
    if !inside.returns.is_empty() {
        let first = inside.returns[0];
        return !writes && first.is_some() && inside.returns.iter().all(|value| *value == first);
    }
    shared.iter().all(|a| {
        shared.iter().all(|b| {
            let apart = a.by.is_some() && a.by == b.by;
            !overlap(a, b) || apart || commute(a, b)
        })
    })
}

/// A part of the model in which the order of the set's elements may show.
pub fn ordered_part(model: &Model, harmless: &Harmless, set: u32) -> Option<(&'static str, Span)> {
    let of_set = |binder: &Addr| model.cells[binder.0 as usize].scalar_set == Some(set);
    for function in &model.functions {
        let mut loops = Vec::new();
        function.body.iter().for_each(|part| find_loops(part, &mut loops));
        for (binder, body) in loops.into_iter().filter(|(binder, _)| of_set(binder)) {
            if !is_orderless(model, &function.body, binder, body) {
                return Some(("a loop over it may depend on the order", function.span));
            }
            if may_return(body) && !harmless.statement(function, body) {
                return Some(("a loop over it may end before it fails", function.span));
            }
        }
    }
    if has_acting_quantifier(model, set) {
        return Some(("a quantifier over it changes something on the way", Span::default()));
    }
    if has_failing_quantifier(model, harmless, set) {
        return Some(("a quantifier over it may end before it fails", Span::default()));
    }
    ordered_broadcast(model, set)
}

/// Whether some quantifier over the set has an effect, which the next element would see; and
/// `forall` and `exists` may end before they have come to all.
fn has_acting_quantifier(model: &Model, set: u32) -> bool {
    let mut found = false;
    walk::model(model, &mut |expr| {
        let Expr::Quantifier { binder, body, .. } = expr else { return };
        if model.cells[binder.0 as usize].scalar_set == Some(set) {
            let mut reader = Reader::new(model, None);
            reader.expr(body);
            // What functions keep to themselves is made anew at each call.
            let lasts =
                |cells: &Range<u64>| cells.start < u64::from(model.state_len) || cells.end > CLOCKS;
            found |= reader.found.iter().any(|a| a.how != How::Read && lasts(&a.cells));
        }
    });
    found
}

fn has_failing_quantifier(model: &Model, harmless: &Harmless, set: u32) -> bool {
    let mut found = false;
    walk::model(model, &mut |expr| found |= may_miss(model, harmless, set, expr));
    found
}

/// The same for a query, whose functions are the model's.
pub fn asks_in_order(model: &Model, harmless: &Harmless, set: u32, query: &Query) -> bool {
    let mut found = false;
    walk::query(query, &mut |expr| found |= may_miss(model, harmless, set, expr));
    found
}

/// A `forall` or `exists` over the set that may miss an error by ending early; or a `sum`, which
/// looks at all elements, with parts that are too large for some orders.
fn may_miss(model: &Model, harmless: &Harmless, set: u32, expr: &Expr) -> bool {
    let Expr::Quantifier { kind, binder, body, .. } = expr else { return false };
    model.cells[binder.0 as usize].scalar_set == Some(set)
        && match kind {
            QuantifierKind::Sum => !harmless.is_small(body),
            _ => !harmless.expr(body),
        }
}

fn may_return(body: &Statement) -> bool {
    let mut found = false;
    walk::statement(body, &mut |part| {
        found |= matches!(part, Statement::Return(_) | Statement::ReturnAggregate(_));
    });
    found
}

fn find_loops<'s>(statement: &'s Statement, found: &mut Vec<(Addr, &'s Statement)>) {
    match statement {
        Statement::ForEach { binder, body, .. } => {
            found.push((*binder, body));
            find_loops(body, found);
        }
        Statement::Block(body) => body.iter().for_each(|part| find_loops(part, found)),
        Statement::If(_, then, otherwise) => {
            find_loops(then, found);
            otherwise.iter().for_each(|part| find_loops(part, found));
        }
        Statement::While(_, body, _)
        | Statement::DoWhile(body, ..)
        | Statement::For { body, .. } => find_loops(body, found),
        Statement::Expr(_) | Statement::Return(_) | Statement::ReturnAggregate(_) => {}
    }
}

/// Receivers of one broadcast whose updates do not commute. Pairs of processes that differ in
/// the elements they are for are all alike, so those of the first few elements stand for all.
fn ordered_broadcast(model: &Model, set: u32) -> Option<(&'static str, Span)> {
    let owners = &model.layout.owners;
    let few = |p: &usize| {
        let most = 2 * owners[*p].parameters.len() as u32;
        elements(&owners[*p]).all(|(_, element)| element < most)
    };
    let is_of_set = |p: &usize| elements(&owners[*p]).any(|(s, _)| s == set);
    let processes: Vec<usize> = (0..owners.len()).filter(is_of_set).filter(few).collect();
    for (k, &p) in processes.iter().enumerate() {
        for &q in processes[k + 1..].iter().filter(|&&q| owners[q].group == owners[p].group) {
            if let Some(span) = clash(model, &model.processes[p], &model.processes[q]) {
                return Some(("receivers of a broadcast may depend on their order", span));
            }
        }
    }
    None
}

fn clash(model: &Model, p: &Process, q: &Process) -> Option<Span> {
    let heard = |process: &'_ Process| -> Vec<(Sync, Term, Span)> {
        let edges = process.edges.iter().filter_map(|edge| {
            let sync = edge.sync.clone().filter(|sync| {
                sync.direction == Direction::Receive
                    && model.channels[sync.base as usize].is_broadcast
            })?;
            Some((sync, edge.update.clone()?, edge.span))
        });
        edges.collect()
    };
    let accesses = |term: &Term| {
        let mut reader = Reader::new(model, None);
        reader.effect(&term.tree);
        reader.found
    };
    let (ours, theirs) = (heard(p), heard(q));
    for (a, update, span) in &ours {
        for (b, other, _) in &theirs {
            let may_meet = a.base == b.base || a.offset.is_some() || b.offset.is_some();
            let (here, there) = (accesses(update), accesses(other));
            let clashes = |x: &Access| there.iter().any(|y| overlap(x, y) && !commute(x, y));
            if may_meet && here.iter().any(clashes) {
                return Some(*span);
            }
        }
    }
    None
}
