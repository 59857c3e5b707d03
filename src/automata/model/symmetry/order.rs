//! Where the order of elements could show although nothing names it: loops over a scalar set,
//! and the receivers of a broadcast, who act in the order of their numbers.
//!
//! Both are fine if the parts commute. A part's accesses to memory are listed; two parts commute
//! if nothing that one writes is touched by the other, except that both join a value to it in a way
//! for which the order does not matter ([`super::fold`]) or both set it to the same constant. Then each
//! part fails, or does not, whatever the order; but where a loop, `forall` or `exists` may end early,
//! no part may fail at all: which elements are looked at depends on their order.

use super::access::{Access, AccessReader, CLOCKS, How, commute, overlap};
use super::fold::Folds;
use super::places::elements;
use crate::model::analysis::walk;
use crate::model::{Addr, Expr, Function, Model, Process, Query, Statement, Sync, Term};
use crate::network::{Direction, QuantifierKind};
use std::ops::Range;
use takt_diagnostic::Span;

/// Why the order may show, and where.
pub type Reason = (String, Span);

/// Why the order of the rounds of a loop may show, if it may.
fn disorder(folds: Folds, function: &Function, binder: Addr, body: &Statement) -> Option<String> {
    let model = folds.keys.model;
    let mut inside = AccessReader::new(folds, Some(binder));
    inside.statement(body);
    let around = all_of(folds, function);
    let is_private = |access: &&Access| is_private(model, &inside.found, &around, access);
    let shared: Vec<&Access> = inside.found.iter().filter(|a| !is_private(a)).collect();
    let named = |access: &Access| name(model, access);
    if let Some(first) = inside.returns.first() {
        if let Some(write) = shared.iter().find(|access| access.how != How::Read) {
            return Some(format!("changes {} and may return early", named(write)));
        }
        let is_one = first.is_some() && inside.returns.iter().all(|value| value == first);
        return (!is_one).then(|| "may return something else for each element".to_owned());
    }
    let apart = |a: &Access, b: &Access| a.by.is_some() && a.by == b.by;
    let clash = |a: &Access, b: &Access| overlap(a, b) && !apart(a, b) && !commute(a, b);
    let of = |a: &Access| shared.iter().any(|b| clash(a, b));
    let found = shared.iter().find(|access| access.how != How::Read && of(access))?;
    Some(format!("changes {}, which may depend on the order", named(found)))
}

/// All that a function does.
fn all_of(folds: Folds, function: &Function) -> Vec<Access> {
    let mut reader = AccessReader::new(folds, None);
    function.body.iter().for_each(|part| reader.statement(part));
    reader.found
}

/// A local that is touched nowhere else in its function, and surely set first, is made anew in each
/// round.
fn is_private(model: &Model, inside: &[Access], around: &[Access], access: &Access) -> bool {
    let times = |list: &[Access]| list.iter().filter(|other| overlap(other, access)).count();
    let sets_all = |first: &Access| {
        first.is_sure
            && matches!(first.how, How::Set(_) | How::Write)
            && first.cells.start <= access.cells.start
            && access.cells.end <= first.cells.end
    };
    access.cells.start >= u64::from(model.state_len)
        && access.cells.end <= CLOCKS
        && inside.iter().find(|other| overlap(other, access)).is_some_and(sets_all)
        && times(inside) == times(around)
}

/// What an access is to, for messages.
fn name(model: &Model, access: &Access) -> String {
    let Range { start, end } = access.cells;
    let name = match (start >= CLOCKS, end > CLOCKS) {
        (true, _) => model.clocks.get((start - CLOCKS) as usize).map(|clock| &clock.name),
        (false, true) => None,
        (false, false) => model.cells.get(start as usize).map(|cell| &cell.name),
    };
    // Of an array all elements may be meant.
    let name = name.and_then(|name| name.split('[').next());
    name.map_or("something behind a reference".to_owned(), |name| format!("`{name}`"))
}

/// A part of what runs in which the order of the set's elements may show; `called` says which
/// functions run.
pub fn ordered_part(folds: Folds, called: &[bool], set: u32) -> Option<Reason> {
    let model = folds.keys.model;
    let mut reason = ordered_function(folds, called, set);
    walk::outside_functions(model, &mut |expr| {
        if let Some(why) = quantifier(folds, None, set, expr) {
            reason.get_or_insert((why.to_owned(), Span::default()));
        }
    });
    reason.or_else(|| ordered_broadcast(folds, set))
}

/// The same for functions alone.
pub fn ordered_function(folds: Folds, called: &[bool], set: u32) -> Option<Reason> {
    let model = folds.keys.model;
    let running = model.functions.iter().zip(called).filter(|(_, is_called)| **is_called);
    running.map(|(function, _)| function).find_map(|function| {
        let of_set = |binder: &Addr| model.cells[*binder].scalar_set == Some(set);
        let mut loops = Vec::new();
        for part in &function.body {
            walk::statement(part, &mut |part| {
                if let Statement::ForEach { binder, body, .. } = part {
                    loops.push((*binder, &**body));
                }
            });
        }
        let of_loop = |(binder, body): (Addr, &Statement)| {
            let why = disorder(folds, function, binder, body).or_else(|| {
                let may_miss =
                    walk::may_return(body) && !folds.keys.harmless.statement(function, body);
                may_miss.then(|| "may end before it fails".to_owned())
            })?;
            let place = model.cells[binder].span;
            Some((format!("a loop over it in `{}` {why}", function.name), place))
        };
        let mut found = loops.into_iter().filter(|(binder, _)| of_set(binder)).find_map(of_loop);
        walk::function(function, &mut |expr| {
            if let Some(why) = quantifier(folds, Some(function), set, expr) {
                found.get_or_insert((format!("in `{}`, {why}", function.name), function.span));
            }
        });
        found
    })
}

/// Why a quantifier over the set may show the order of its elements, if the expression is one; it
/// belongs to that function, or to none.
fn quantifier(
    folds: Folds,
    function: Option<&Function>,
    set: u32,
    expr: &Expr,
) -> Option<&'static str> {
    let model = folds.keys.model;
    let Expr::Quantifier { binder, body, .. } = expr else { return None };
    if model.cells[*binder].scalar_set != Some(set) {
        return None;
    }
    // An effect is seen by the next element; and `forall` and `exists` may end before all.
    let mut reader = AccessReader::new(folds, None);
    reader.expr(body);
    let inside = reader.found;
    let is_scratch =
        |cells: &Range<u64>| cells.start >= u64::from(model.state_len) && cells.end <= CLOCKS;
    // Outside of functions scratch memory holds the results of calls alone, which are made anew.
    let is_seen = |access: &Access| match function {
        _ if access.how == How::Read => false,
        None => !is_scratch(&access.cells),
        Some(function) => !is_private(model, &inside, &all_of(folds, function), access),
    };
    if inside.iter().any(is_seen) {
        return Some("a quantifier over it changes something on the way");
    }
    may_miss(folds, set, expr).then_some("a quantifier over it may end before it fails")
}

/// Whether a query asks in an order that may show.
pub fn asks_in_order(folds: Folds, set: u32, query: &Query) -> bool {
    let mut found = false;
    walk::query(query, &mut |expr| found |= may_miss(folds, set, expr));
    found
}

/// A `forall` or `exists` over the set that may miss an error by ending early; or a `sum`, which
/// looks at all elements, with parts that are too large for some orders.
fn may_miss(folds: Folds, set: u32, expr: &Expr) -> bool {
    let Expr::Quantifier { kind, binder, body, .. } = expr else { return false };
    let harmless = folds.keys.harmless;
    folds.keys.model.cells[*binder].scalar_set == Some(set)
        && match kind {
            QuantifierKind::Sum => !harmless.is_small(body),
            _ => !harmless.expr(body),
        }
}

/// Receivers of one broadcast whose updates do not commute. Pairs of processes that differ in
/// the elements they are for are all alike, so those of the first few elements stand for all.
fn ordered_broadcast(folds: Folds, set: u32) -> Option<Reason> {
    let model = folds.keys.model;
    let owners = &model.layout.owners;
    let few = |p: &usize| {
        let most = 2 * owners[*p].parameters.len() as u32;
        elements(&owners[*p]).all(|(_, element)| element < most)
    };
    let is_of_set = |p: &usize| elements(&owners[*p]).any(|(s, _)| s == set);
    let processes: Vec<usize> = (0..owners.len()).filter(is_of_set).filter(few).collect();
    for (k, &p) in processes.iter().enumerate() {
        for &q in processes[k + 1..].iter().filter(|&&q| owners[q].group == owners[p].group) {
            let found = clash(folds, &model.processes[p], &model.processes[q]);
            if let Some((touched, span)) = found {
                let why = format!("receivers of a broadcast change {touched} in their order");
                return Some((why, span));
            }
        }
    }
    None
}

fn clash(folds: Folds, p: &Process, q: &Process) -> Option<(String, Span)> {
    let model = folds.keys.model;
    let heard = |process: &'_ Process| -> Vec<(Sync, Term, Span)> {
        let edges = process.edges.iter().filter_map(|edge| {
            let sync = edge.sync.clone().filter(|sync| {
                sync.direction == Direction::Receive && model.channels[sync.base].is_broadcast
            })?;
            Some((sync, edge.update.clone()?, edge.span))
        });
        edges.collect()
    };
    let accesses = |term: &Term| {
        let mut reader = AccessReader::new(folds, None);
        reader.effect(&term.tree);
        reader.found
    };
    let (ours, theirs) = (heard(p), heard(q));
    for (a, update, span) in &ours {
        for (b, other, _) in &theirs {
            let may_meet = a.base == b.base || a.offset.is_some() || b.offset.is_some();
            let (here, there) = (accesses(update), accesses(other));
            let clashing = |x: &Access| {
                let other = there.iter().find(|y| overlap(x, y) && !commute(x, y))?;
                Some(name(model, if x.how == How::Read { other } else { x }))
            };
            if may_meet && let Some(touched) = here.iter().find_map(clashing) {
                return Some((touched, *span));
            }
        }
    }
    None
}
