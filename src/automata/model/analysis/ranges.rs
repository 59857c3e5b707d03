//! Which values an expression may have: evaluated over intervals instead of numbers.

use super::interval::{self, ANYTHING, Interval, join};
use crate::model::{
    Addr, ClockBase, ClockId, ClockPlace, ClockRef, Expr, IndexStep, Model, Place, PlaceBase,
};
use crate::network::QuantifierKind;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How many cells of an array are looked at one by one; beyond, all between the ends are.
const MOST_CELLS: u64 = 1 << 16;

/// More cells than this are not looked at twice.
const LONG: u32 = 16;

/// What each cell may hold.
#[derive(Clone, Debug)]
pub struct Ranges<'a> {
    pub(super) model: &'a Model,
    pub(super) cells: Vec<Interval>,
    /// What a cell reached by reference may hold.
    pub(super) by_reference: Interval,
    /// What was found of all cells that an index reaches (first cell, least and largest index,
    /// stride): tables of a plant's windows are long, and asked for at every edge.
    joined: RefCell<BTreeMap<(u32, u32, u32, u32), Interval>>,
}

impl<'a> Ranges<'a> {
    /// The ranges that the cells are declared with.
    pub fn declared(model: &'a Model) -> Ranges<'a> {
        let cells = model.cells.iter().map(|cell| (cell.lo, cell.hi)).collect();
        Ranges { model, cells, by_reference: ANYTHING, joined: RefCell::default() }
    }

    /// All values that the expression may have.
    pub fn of(&self, expr: &Expr) -> Interval {
        match expr {
            Expr::Const(value) => (*value, *value),
            Expr::Load(place) | Expr::PostIncrement(place, _) => self.of_place(place),
            Expr::Unary(op, inner) => interval::unary(*op, self.of(inner)),
            Expr::Binary(op, left, right, _) => {
                interval::binary(*op, self.of(left), self.of(right))
            }
            Expr::And(left, right) => self.logic(crate::network::BinaryOp::And, left, right),
            Expr::Or(left, right) => self.logic(crate::network::BinaryOp::Or, left, right),
            Expr::Conditional(condition, yes, no) => match interval::truth(self.of(condition)) {
                Some(true) => self.of(yes),
                Some(false) => self.of(no),
                None => join(self.of(yes), self.of(no)),
            },
            Expr::Quantifier { kind: QuantifierKind::Sum, lo, hi, body, .. } => {
                let count = (i128::from(*hi) - i128::from(*lo) + 1).max(0);
                interval::times(count, self.of(body))
            }
            Expr::Quantifier { .. } | Expr::Same { .. } => (0, 1),
            Expr::Call(function, ..) => {
                let result = self.model.functions[*function].result;
                result.map_or((0, 0), |(cell, _)| join((0, 0), self.cells[cell]))
            }
            Expr::Assign(_, value) => self.of(value),
            Expr::Update(place, op, value, _) => {
                interval::binary(*op, self.of_place(place), self.of(value))
            }
            Expr::Copy { .. } | Expr::Reset(..) | Expr::AddCost(_) => (0, 0),
            Expr::Sequence(parts) => parts.last().map_or((0, 0), |last| self.of(last)),
        }
    }

    fn logic(&self, op: crate::network::BinaryOp, left: &Expr, right: &Expr) -> Interval {
        interval::binary(op, self.of(left), self.of(right))
    }

    fn of_place(&self, place: &Place) -> Interval {
        let PlaceBase::Fixed(Addr(base)) = place.base else {
            return self.by_reference;
        };
        if let [step] = &place.steps[..] {
            return self.of_row(base + place.offset, step);
        }
        let mut found: Option<Interval> = None;
        self.each_offset(&place.steps, &mut |offset| {
            if let Some(&cell) = self.cells.get((base + place.offset + offset) as usize) {
                found = Some(found.map_or(cell, |so_far| join(so_far, cell)));
            }
        });
        found.unwrap_or((0, 0)) // no index is in range: there is no value
    }

    /// The same for a single index.
    fn of_row(&self, first: u32, step: &IndexStep) -> Interval {
        let Some((lo, hi)) = self.within(step) else { return (0, 0) };
        let join_all = || {
            let cells = (lo..=hi).map(|index| (first + index * step.stride) as usize);
            let found = cells.filter_map(|cell| self.cells.get(cell).copied()).reduce(join);
            found.unwrap_or((0, 0))
        };
        if hi - lo < LONG {
            return join_all();
        }
        *self.joined.borrow_mut().entry((first, lo, hi, step.stride)).or_insert_with(join_all)
    }

    /// The same, where it is known what one cell holds.
    pub(super) fn with(&self, cell: usize, range: Interval) -> Ranges<'a> {
        let mut cells = self.cells.clone();
        cells[cell] = range;
        Ranges { cells, joined: RefCell::default(), ..*self }
    }

    /// Some cell may hold more than before.
    pub(super) fn forget(&mut self) {
        self.joined.get_mut().clear();
    }

    /// Where the index may stand, counted from the first that is in range.
    fn within(&self, step: &IndexStep) -> Option<(u32, u32)> {
        let last = step.first.saturating_add(i64::from(step.length) - 1);
        let (lo, hi) = interval::meet(self.of(&step.index), (step.first, last))?;
        Some(((lo - step.first) as u32, (hi - step.first) as u32))
    }

    /// All clocks that the reference may denote.
    pub fn clocks(&self, clock: &ClockRef) -> Vec<ClockId> {
        match clock {
            ClockRef::Fixed(clock) => vec![*clock],
            ClockRef::Indexed { place, .. } => self.clocks_at(place),
        }
    }

    pub fn clocks_at(&self, place: &ClockPlace) -> Vec<ClockId> {
        let count = self.model.clocks.len();
        let ClockBase::Fixed(base) = place.base else {
            return ClockId::all(count).collect();
        };
        let mut found = Vec::new();
        self.each_offset(&place.steps, &mut |offset| {
            found.push(base.offset(place.offset + offset))
        });
        found.retain(|clock| clock.index() < count);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Calls `visit` with every sum of steps whose indices are in range.
    pub(super) fn each_offset(&self, steps: &[IndexStep], visit: &mut dyn FnMut(u32)) {
        let mut offsets = Vec::with_capacity(steps.len());
        for step in steps {
            let Some((lo, hi)) = self.within(step) else { return };
            offsets.push((lo, hi, step.stride));
        }
        let count = offsets
            .iter()
            .fold(1u64, |product, &(lo, hi, _)| product.saturating_mul(u64::from(hi - lo) + 1));
        if count > MOST_CELLS {
            let least: u32 = offsets.iter().map(|&(lo, _, stride)| lo * stride).sum();
            let most: u32 = offsets.iter().map(|&(_, hi, stride)| hi * stride).sum();
            (least..=most).for_each(visit);
        } else {
            each_sum(&offsets, 0, visit);
        }
    }
}

fn each_sum(offsets: &[(u32, u32, u32)], sum: u32, visit: &mut dyn FnMut(u32)) {
    match offsets.split_first() {
        None => visit(sum),
        Some((&(lo, hi, stride), rest)) => {
            (lo..=hi).for_each(|index| each_sum(rest, sum + index * stride, visit));
        }
    }
}
