//! As few demands of an infeasible spec as are infeasible by themselves.
//!
//! Takes a spec that was proved infeasible; gives what is left of its demands when all are left out
//! that can be, one after the other (a deletion filter): what is still proved infeasible without a
//! demand does not need it. Orders go first, in halves. Each trial is a relaxed spec, planned,
//! lowered and searched like any other; a bound, or a schedule made by a simple rule, often saves
//! the search. All trials together explore no more than some times what the proof did; if that ends
//! it early, what is left is still infeasible, only perhaps not as few as could be.

use super::plant::{Automata, Compiled};
use super::relax::{Demand, demands, relaxed};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use takt_automata::compose::Templates;
use takt_automata::engine::{self, Control, Options, Order, Progress, Stop, Verdict};
use takt_plant::OrderId;
use takt_spec::Spec;

/// Demands that no schedule meets together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conflict {
    pub demands: BTreeSet<Demand>,
    /// Each single one of them is needed.
    pub is_minimal: bool,
}

/// What all trials may explore: as many times the proof's states, between these two.
const TIMES: u64 = 10;
const LEAST: u64 = 20_000;
const MOST: u64 = 500_000;

/// To plan and to compile a step takes as long as so many states.
const PER_STEP: u64 = 10;

/// `explored` is how many states the proof took.
pub(super) fn find(
    spec: &Spec,
    templates: &Templates,
    explored: u64,
    control: &dyn Control,
) -> Conflict {
    let left = explored.saturating_mul(TIMES).clamp(LEAST, MOST);
    let orders: Vec<OrderId> = (0..spec.orders.len()).map(OrderId).collect();
    let kept = demands(spec, &orders);
    let mut filter =
        Filter { spec, templates, control, left, is_over: false, is_minimal: true, kept };
    filter.drop_orders();
    filter.drop_others();
    Conflict { demands: filter.kept, is_minimal: filter.is_minimal }
}

struct Filter<'f> {
    spec: &'f Spec,
    templates: &'f Templates,
    control: &'f dyn Control,
    /// States that may still be explored.
    left: u64,
    /// Somebody outside wants an end.
    is_over: bool,
    is_minimal: bool,
    /// Proved: together they cannot be met.
    kept: BTreeSet<Demand>,
}

impl Filter<'_> {
    /// Halves first, then halves of these, in the end every single one.
    fn drop_orders(&mut self) {
        let mut size = self.spec.orders.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            loop {
                let orders = self.orders();
                if at >= orders.len() {
                    break;
                }
                let rest = [&orders[..at], &orders[(at + size).min(orders.len())..]].concat();
                // Nothing to be made is no conflict.
                let is_dropped = !rest.is_empty() && {
                    let left = demands(self.spec, &rest);
                    self.tries(left.intersection(&self.kept).copied().collect())
                };
                if !is_dropped {
                    at += size;
                }
            }
            size /= 2;
        }
    }

    fn drop_others(&mut self) {
        let all: Vec<Demand> = self.kept.iter().copied().collect();
        for demand in all.into_iter().filter(|demand| demand.order().is_none()) {
            let mut rest = self.kept.clone();
            rest.remove(&demand);
            self.tries(rest);
        }
    }

    fn orders(&self) -> Vec<OrderId> {
        self.kept.iter().filter_map(Demand::order).collect()
    }

    /// Keeps only these demands if they are infeasible too.
    fn tries(&mut self, rest: BTreeSet<Demand>) -> bool {
        match self.is_feasible(&rest) {
            Some(false) => self.kept = rest,
            Some(true) => return false,
            None => {
                self.is_minimal = false;
                return false;
            }
        }
        true
    }

    /// `None` if that did not become clear.
    fn is_feasible(&mut self, demands: &BTreeSet<Demand>) -> Option<bool> {
        self.is_over |= self.control.poll(&Progress::default()).is_break();
        if self.is_over || self.left == 0 {
            return None;
        }
        let plan = takt_plant::plan(&relaxed(self.spec, demands)).ok()?;
        self.left = self.left.saturating_sub(PER_STEP * plan.step_count() as u64);
        if plan.conflict.is_some() || takt_plant::overload(&plan).is_some() {
            return Some(false);
        }
        if takt_plant::first_schedule(&plan).is_some() {
            return Some(true);
        }
        let compiled = Compiled::new(plan, self.templates);
        let Automata { model, goal, .. } = compiled.automata().ok()?;
        let budget = Budget {
            control: self.control,
            most: self.left,
            explored: Cell::new(0),
            is_over: Cell::new(false),
        };
        let options = Options { order: Some(Order::Dfs), ..Options::default() };
        let goal = std::slice::from_ref(goal);
        let answer = engine::check(model, goal, &options, &budget).ok()?.pop()?;
        self.left = self.left.saturating_sub(answer.explored.max(budget.explored.get()));
        self.is_over |= budget.is_over.get();
        match answer.verdict {
            Verdict::Violated => Some(false),
            Verdict::Satisfied => Some(true),
            Verdict::Unknown => None,
        }
    }
}

/// Ends a search when it has explored enough, or when the one above says so.
struct Budget<'b> {
    control: &'b dyn Control,
    most: u64,
    explored: Cell<u64>,
    is_over: Cell<bool>,
}

impl Control for Budget<'_> {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        self.explored.set(progress.explored);
        if let ControlFlow::Break(stop) = self.control.poll(&Progress::default()) {
            self.is_over.set(true);
            return ControlFlow::Break(stop);
        }
        match progress.explored < self.most {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(Stop::Time),
        }
    }
}
