//! Exact acceleration: what many rounds of a fast cycle do, an additional cycle does in one
//! (Hendriks and Larsen: Exact acceleration of real-time model checking; chapter 2 of Hendriks'
//! thesis).
//!
//! Takes a model, gives one with further locations and edges that reaches the same states in the
//! old locations. A round of the cycle at a location takes between `a` and `b`; `n` rounds take any
//! time from `na` to `nb`, and from `ceil(a / (b - a)) * a` on these intervals leave no gap.
//! So a detour that takes at least that long, and any time beyond, leads nowhere new
//! (theorem 2.13).
//!
//! # In a network
//! (Section 2.5.) The detour starts when the cycle's clock is 0, so that rounds could start there
//! too; nobody else acts while it lasts, so that integers and the others' locations stay as
//! they are. Conditions of the cycle on integers are asked at the start: they hold throughout. Time
//! passes in the detour exactly if it passes during the rounds: the invariants of the others
//! are the same, provided they do not speak of the cycle's clock; no location of the cycle is
//! urgent; and urgent channels have no partner, or there are none. Edges of the cycle are not kept
//! from being taken: there are no priorities, and none starts while another process is in a
//! committed location, for neither does the detour. So `n` rounds in its place are a run of the
//! model, with the same end.

mod cycle;

pub use cycle::Cycle;

use super::{
    ClockId, ClockPlace, ClockTest, Conjunct, Edge, EdgeId, Expr, Formula, Location, LocationId,
    Model, Objective, Place, ProcessId, Query, Term, code,
};
use crate::network::{BinaryOp, Direction};
use std::collections::BTreeSet;
use takt_diagnostic::Span;

/// A model with detours.
#[derive(Clone, Debug)]
pub struct Accelerated {
    pub model: Model,
    pub detours: Vec<Detour>,
    /// For each process, how many locations it had before.
    before: Vec<u32>,
}

/// Two edges that stand for any number of rounds of a cycle.
#[derive(Clone, Debug)]
pub struct Detour {
    pub process: ProcessId,
    pub enter: EdgeId,
    pub leave: EdgeId,
    pub cycle: Cycle,
}

/// More processes with detours than this ask too much of all edges.
const MOST_PROCESSES: usize = 8;

/// Rounds of a cycle are worth a detour if so many of them fit below the largest constant.
const MANY_ROUNDS: i64 = 8;

/// Adds detours for all cycles that are much shorter than `largest`, a constant that clocks are
/// compared with; `None` if there are none, or if it `is_over` before they are found.
pub fn accelerate(
    model: &Model,
    largest: i64,
    is_over: &mut dyn FnMut() -> bool,
) -> Option<Accelerated> {
    if model.has_priorities
        || model.before_update.is_some()
        || model.after_update.is_some()
        || has_urgent_pair(model)
    {
        return None;
    }
    let bystanders = cycle::Bystanders::new(model);
    let mut found: Vec<(usize, Vec<Cycle>)> = Vec::new();
    for (p, process) in model.processes.iter().enumerate() {
        if is_over() {
            return None;
        }
        let clocks = reset_by(process).into_iter();
        let clocks = clocks.filter(|&clock| !bystanders.watch(p, clock));
        let cycles = clocks.flat_map(|clock| cycle::cycles(process, clock));
        let is_worth = |cycle: &Cycle| {
            let longest = cycle.interval().1;
            let rounds = longest.checked_mul(MANY_ROUNDS);
            let threshold = cycle.threshold();
            rounds.is_some_and(|time| time < largest)
                && threshold.is_some_and(|t| t < largest && !bystanders.move_before(p, t))
        };
        let cycles: Vec<Cycle> = cycles.filter(is_worth).collect();
        if !cycles.is_empty() {
            found.push((p, cycles));
        }
    }
    if found.is_empty() || found.len() > MOST_PROCESSES {
        return None;
    }
    Some(build(model, found))
}

/// Whether a model with detours can answer the query: they are no deadlocks, cost nothing, and last
/// as long as they like.
pub fn can_answer(query: &Query) -> bool {
    match query {
        Query::Possibly(p) | Query::Invariantly(p) => !p.has_deadlock(),
        Query::Infimum { within, of } | Query::Supremum { within, of } => {
            !matches!(of, Objective::Cost(_)) && !within.has_deadlock()
        }
        Query::PotentiallyAlways(_) | Query::Eventually(_) | Query::LeadsTo(..) => false,
    }
}

fn build(model: &Model, found: Vec<(usize, Vec<Cycle>)>) -> Accelerated {
    let before = model.processes.iter().map(|p| p.locations.len() as u32).collect();
    let mut made = Accelerated { model: model.clone(), detours: Vec::new(), before };
    for (p, _) in &found {
        for (q, process) in made.model.processes.iter_mut().enumerate() {
            if q != *p {
                let idle = Conjunct::Data(is_at_home(*p, made.before[*p]));
                process.edges.iter_mut().for_each(|edge| edge.guard.insert(0, idle.clone()));
            }
        }
    }
    // Only then, so that detours of processes that are alike come out alike.
    for (p, cycles) in &found {
        for cycle in at_common_starts(model, *p, cycles) {
            made.add(*p, cycle);
        }
    }
    // A detour may not start while another one lasts.
    for detour in &made.detours {
        for (p, _) in found.iter().filter(|(p, _)| *p != detour.process.index()) {
            let idle = Conjunct::Data(is_at_home(*p, made.before[*p]));
            let process = &mut made.model.processes[detour.process];
            process.edges[detour.enter].guard.insert(0, idle);
        }
    }
    code::generate(&mut made.model);
    made
}

impl Accelerated {
    fn add(&mut self, p: usize, cycle: Cycle) {
        let process = &mut self.model.processes[p];
        let start = process.edges[cycle.edges[0].index()].source;
        let span = process.edges[cycle.edges[0].index()].span;
        let conditions = cycle::conditions(process, &cycle);
        let (enter, aside) =
            (EdgeId::at(process.edges.len()), LocationId::at(process.locations.len()));
        let test = |left: Option<ClockId>, right: Option<ClockId>, bound: i64| {
            Conjunct::Clock(ClockTest::fixed(left, right, false, Expr::Const(bound), span))
        };
        let threshold = cycle.threshold().unwrap_or(i64::MAX / 4);
        let mut guard: Vec<Conjunct> = conditions.into_iter().map(Conjunct::Data).collect();
        guard.push(test(Some(cycle.clock), None, 0));
        let mut edge = |source, target, guard, update| {
            process.edges.push(Edge { source, target, guard, update, span, ..Edge::default() })
        };
        let reset = Expr::Reset(ClockPlace::fixed(cycle.clock), Box::new(Expr::Const(0)));
        let out = vec![test(None, Some(cycle.clock), -threshold)];
        edge(start, aside, guard, None);
        edge(aside, start, out, Some(Term::new(reset, span)));
        process.locations[start].outgoing.push(enter);
        let name = format!("{}+{}", process.locations[start].name, aside.0);
        process.locations.push(Location {
            name,
            outgoing: vec![enter.offset(1)],
            span,
            ..Location::default()
        });
        self.model.cells[p].hi = process.locations.len() as i64 - 1;
        self.detours.push(Detour {
            process: ProcessId::at(p),
            enter,
            leave: enter.offset(1),
            cycle,
        });
    }

    /// The query asked of the old locations alone; `None` if detours could change its answer.
    pub fn query(&mut self, query: &Query) -> Option<Query> {
        if !can_answer(query) {
            return None;
        }
        let mut asked = match query {
            Query::Possibly(p) => Query::Possibly(self.at_home(p)),
            Query::Invariantly(p) => {
                let not = Formula::Not(Box::new(p.clone()));
                Query::Invariantly(Formula::Not(Box::new(self.at_home(&not))))
            }
            Query::Infimum { within, of } => {
                Query::Infimum { within: self.at_home(within), of: of.clone() }
            }
            Query::Supremum { within, of } => {
                Query::Supremum { within: self.at_home(within), of: of.clone() }
            }
            _ => return None,
        };
        code::compile_query(&mut self.model, &mut asked);
        Some(asked)
    }

    /// The formula, where no detour is under way.
    fn at_home(&self, formula: &Formula) -> Formula {
        let mut processes: Vec<ProcessId> = self.detours.iter().map(|d| d.process).collect();
        processes.dedup();
        let home = |p: &ProcessId| Formula::Data(is_at_home(p.index(), self.before[*p]));
        Formula::And(processes.iter().map(home).chain([formula.clone()]).collect())
    }

    /// The detour that an edge enters or leaves.
    pub fn detour(&self, process: ProcessId, edge: EdgeId) -> Option<&Detour> {
        let is_it = |d: &&Detour| d.process == process && (d.enter == edge || d.leave == edge);
        self.detours.iter().find(is_it)
    }
}

/// Every cycle from where most of them pass, so that one place serves all.
fn at_common_starts(model: &Model, p: usize, cycles: &[Cycle]) -> Vec<Cycle> {
    let process = &model.processes[p];
    let source = |e: &EdgeId| process.edges[*e].source;
    let mut passes = vec![0u32; process.locations.len()];
    for cycle in cycles {
        starts(process, cycle).for_each(|k| passes[source(&cycle.edges[k]).index()] += 1);
    }
    let turned = |cycle: &Cycle| {
        let best = starts(process, cycle).max_by_key(|&k| {
            let at = source(&cycle.edges[k]);
            (passes[at], std::cmp::Reverse(at))
        });
        turn(cycle, best.unwrap_or(0))
    };
    cycles.iter().map(turned).collect()
}

/// Positions in the cycle at which its clock was just reset.
fn starts<'c>(process: &'c super::Process, cycle: &'c Cycle) -> impl Iterator<Item = usize> + 'c {
    let count = cycle.edges.len();
    (0..count).filter(move |k| {
        let before = cycle.edges[(k + count - 1) % count];
        process.edges[before].update.is_some()
    })
}

/// The same cycle from another of its resets on.
fn turn(cycle: &Cycle, start: usize) -> Cycle {
    let mut turned = cycle.clone();
    turned.edges.rotate_left(start);
    let mut passed = 0;
    let whole = cycle.segments.iter().position(|segment| {
        let is_here = passed == start;
        passed += segment.times.len();
        is_here
    });
    turned.segments.rotate_left(whole.unwrap_or(0));
    turned
}

/// The process is in one of the locations that it had before.
fn is_at_home(process: usize, locations: u32) -> Term {
    let span = Span::default();
    let place = Place::fixed(super::Addr(process as u32), span);
    let bound = Box::new(Expr::Const(i64::from(locations)));
    let less = Expr::Binary(BinaryOp::Less, Box::new(Expr::Load(place)), bound, span);
    Term::new(less, span)
}

/// The clocks that edges of the process set, ascending.
fn reset_by(process: &super::Process) -> BTreeSet<ClockId> {
    let mut found = BTreeSet::new();
    for update in process.edges.iter().filter_map(|edge| edge.update.as_ref()) {
        let parts = match &update.tree {
            Expr::Sequence(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        found.extend(parts.iter().filter_map(|part| match part {
            Expr::Reset(place, _) => place.constant(),
            _ => None,
        }));
    }
    found
}

/// Whether an urgent channel could ever be complete: then time may stop unseen.
fn has_urgent_pair(model: &Model) -> bool {
    let edges = || model.processes.iter().flat_map(|process| &process.edges);
    let uses = |direction: Direction| {
        let syncs = edges().filter_map(|edge| edge.sync.as_ref());
        let mut urgent = syncs.filter(|sync| model.channels[sync.base].is_urgent);
        urgent.any(|sync| sync.direction == direction)
    };
    let is_broadcast = model.channels.iter().any(|c| c.is_urgent && c.is_broadcast);
    uses(Direction::Send) && (is_broadcast || uses(Direction::Receive))
}
