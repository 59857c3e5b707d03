//! Heuristics as passes over a plant whose steps can all start: each adds guards or automata.
//!
//! To add one: a template in [`FILES`], a pass that weaves it in, and its place in [`apply`]. Those that
//! look at which steps are eligible come last, as the others have a say in that.

mod greedy;
mod judge;
mod max_active;
mod non_lazy;
mod non_overtaking;
mod start_within;

use super::Event;
use super::assembly::Assembly;
use super::files::file;
use crate::plan::{RecipeId, Rule, StepId};
use takt_automata::compose::{Embedded, Stamp, all};
use takt_automata::network::{Edge, Expr, Template};

/// Their templates.
pub const FILES: [Embedded; 8] = [
    file!("judge.xta"),
    file!("stages.xta"),
    file!("fitting.xta"),
    file!("greedy.xta"),
    file!("nonlazy.xta"),
    file!("nonovertaking.xta"),
    file!("maxactive.xta"),
    file!("startwithin.xta"),
];

pub fn apply(assembly: &mut Assembly) {
    let rules: Vec<Rule> = assembly.plan.heuristics.iter().map(|h| h.rule).collect();
    for &rule in &rules {
        match rule {
            Rule::NonOvertaking => non_overtaking::apply(assembly),
            Rule::MaxActive(most) => max_active::apply(assembly, most),
            Rule::StartWithin(time) => start_within::apply(assembly, time),
            Rule::Greedy | Rule::NonLazy => {}
        }
    }
    if !assembly.plan.is_judged() {
        return;
    }
    judge::apply(assembly);
    for &rule in &rules {
        match rule {
            Rule::Greedy => greedy::apply(assembly),
            Rule::NonLazy => non_lazy::apply(assembly),
            _ => {}
        }
    }
    judge::apply_guards(assembly);
}

/// Weaves a fragment into the starts of steps, before what is there: arguments by recipe and step;
/// `None` leaves a step alone.
fn weave_starts(
    assembly: &mut Assembly,
    template: &Template,
    arguments: impl Fn(RecipeId, StepId) -> Option<Vec<(&'static str, Expr)>>,
) {
    let fragment = |recipe, step| {
        let arguments = arguments(recipe, step)?;
        let stamp = Stamp { arguments: &arguments, locations: &[], origin: None };
        let edges = template.edges.iter();
        edges.filter(|edge| edge.target.text == "running").map(|edge| stamp.edge(edge)).next()
    };
    for (edge, event) in assembly.marked() {
        if let Event::Start { recipe, step, .. } = event
            && let Some(part) = fragment(*recipe, *step)
        {
            let mut updates = part.update;
            updates.append(&mut edge.update);
            edge.update = updates;
            restrict(edge, part.guard);
        }
    }
    for way in 0..assembly.ways.len() {
        let recipe = assembly.threads[assembly.ways[way].thread].recipe;
        let guard = fragment(recipe, assembly.ways[way].step).and_then(|part| part.guard);
        assembly.ways[way].eligible.extend(guard);
    }
}

fn restrict(edge: &mut Edge, guard: Option<Expr>) {
    let conditions: Vec<Expr> = guard.into_iter().chain(edge.guard.take()).collect();
    edge.guard = all(&conditions);
}
