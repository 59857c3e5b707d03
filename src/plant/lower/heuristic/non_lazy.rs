//! No step is eligible and unstarted for as long as it would take.
//!
//! Each chain says which step it waits for; for the first, second and further way to do a step
//! there is one automaton each that watches it.

use super::{greedy, restrict};
use crate::lower::Event;
use crate::lower::assembly::{Assembly, Thread, counted};
use crate::plan::{Id, StepId};
use std::collections::BTreeMap;
use takt_automata::compose::{Stamp, all};
use takt_automata::network::{AssignOp, BinaryOp, Expr, ExprKind, Ident, Template, UnaryOp};

/// A step in one mode, with the conditions under which it is eligible (one of them is enough).
type Watched = BTreeMap<(StepId, usize), Vec<Expr>>;

pub fn apply(assembly: &mut Assembly) {
    say_where(assembly);
    let template = assembly.fragment("nonlazy.xta", "Watch");
    let mut watches = Vec::new();
    for thread in 0..assembly.threads.len() {
        let mut by_slot: BTreeMap<usize, Watched> = BTreeMap::new();
        for way in 0..assembly.ways.len() {
            let of = &assembly.ways[way];
            if of.thread != thread {
                continue;
            }
            let (step, mode) = (of.step, of.mode);
            if duration(assembly, thread, step, mode) == 0 {
                // It starts when it becomes eligible.
                greedy::forbid(assembly, way);
                continue;
            }
            let eligible = all(&assembly.ways[way].eligible);
            let eligible = eligible.unwrap_or_else(|| Expr::new(ExprKind::Bool(true)));
            let watched = by_slot.entry(mode).or_default();
            watched.entry((step, mode)).or_default().push(eligible);
        }
        for (slot, watched) in by_slot {
            watches.push(watch(assembly, template, thread, slot, &watched));
        }
    }
    assembly.threads.extend(watches);
}

fn duration(assembly: &Assembly, thread: usize, step: StepId, mode: usize) -> i64 {
    let recipe = assembly.threads[thread].recipe;
    assembly.plan.recipes[recipe].steps[step].modes[mode].duration
}

/// The value of `at` for a chain that waits for this step; 0 where it waits for none.
fn waited_for(step: StepId) -> i64 {
    step.index() as i64 + 1
}

/// Where a chain waits: `at[first_chain + chain]`.
fn place(chain: usize) -> Expr {
    let number = Box::new(counted("first_chain", chain));
    Expr::new(ExprKind::Index(Box::new(Expr::name("at")), number))
}

/// Every chain sets `at` to the step it waits for.
fn say_where(assembly: &mut Assembly) {
    let plan = assembly.plan;
    let mut chains = 0;
    let mut first_steps = Vec::new();
    for (k, order) in plan.orders.entries() {
        assembly.arguments[k].insert("first_chain", Expr::number(chains));
        let own = &assembly.chains[order.recipe].chains;
        chains += own.len() as i64;
        // A chain that begins with a gate waits for nothing yet.
        let steps = &plan.recipes[order.recipe].steps;
        first_steps.extend(own.iter().map(|chain| match steps[chain[0]].after.is_empty() {
            true => 0,
            false => waited_for(chain[0]),
        }));
    }
    let most = plan.recipes.iter().map(|recipe| recipe.steps.len()).max().unwrap_or(1);
    assembly.set("chains", chains.max(1));
    assembly.set("most_steps", most as i64);
    if !first_steps.is_empty() {
        assembly.set_list("at", first_steps);
    }
    let places: BTreeMap<(usize, String), i64> = (assembly.ways.iter())
        .map(|way| ((way.thread, way.location.clone()), waited_for(way.step)))
        .collect();
    for number in 0..assembly.threads.len() {
        let Thread { chain, template, .. } = &mut assembly.threads[number];
        let at = place(*chain);
        for edge in &mut template.edges {
            let starts = edge.origin.is_some_and(|origin| {
                matches!(assembly.events[origin.0 as usize], Event::Start { .. })
            });
            let next = match places.get(&(number, edge.target.text.clone())) {
                Some(&step) => step,
                None if starts => 0,
                None => continue,
            };
            let (at, value) = (Box::new(at.clone()), Box::new(Expr::number(next)));
            edge.update.push(Expr::new(ExprKind::Assign(AssignOp::Set, at, value)));
        }
    }
}

fn watch(
    assembly: &mut Assembly,
    template: &Template,
    thread: usize,
    slot: usize,
    watched: &Watched,
) -> Thread {
    let Thread { recipe, chain, template: beside, .. } = &assembly.threads[thread];
    let (recipe, chain) = (*recipe, *chain);
    let name = format!("{}_watch_{slot}", beside.name.text);
    let name = assembly.fresh("", &name);
    let at = counted("first_chain", chain);
    let mut target = Template {
        name: Ident::new(&name),
        parameters: Vec::new(),
        edges: Vec::new(),
        ..template.clone()
    };
    let mut all_ways = Vec::new();
    for ((step, mode), conditions) in watched {
        let eligible = any(conditions);
        let number = Expr::number(waited_for(*step));
        let wait = duration(assembly, thread, *step, *mode) - 1;
        let arguments =
            [("step", number.clone()), ("wait", Expr::number(wait)), ("chain", at.clone())];
        let stamp = Stamp { arguments: &arguments, locations: &[], origin: None };
        for edge in template.edges.iter().filter(|edge| edge.target.text == "on") {
            let mut edge = stamp.edge(edge);
            let own = edge.guard.take();
            let conditions: Vec<Expr> = own.into_iter().chain([eligible.clone()]).collect();
            edge.guard = all(&conditions);
            target.edges.push(edge);
        }
        let is_here = Expr::binary(BinaryOp::Equal, place(chain), number);
        all_ways.push(Expr::binary(BinaryOp::And, is_here, eligible));
    }
    for edge in template.edges.iter().filter(|edge| edge.target.text == "off") {
        let mut edge = edge.clone();
        let none = Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(any(&all_ways))));
        restrict(&mut edge, Some(none));
        target.edges.push(edge);
    }
    Thread { recipe, chain, is_watch: true, template: target }
}

fn any(conditions: &[Expr]) -> Expr {
    let mut conditions = conditions.iter().cloned();
    let first = conditions.next().unwrap_or_else(|| Expr::new(ExprKind::Bool(false)));
    conditions.fold(first, |left, right| Expr::binary(BinaryOp::Or, left, right))
}
