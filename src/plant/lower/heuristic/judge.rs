//! What judging needs: flags that change at their instants, and the judge.

use super::restrict;
use crate::lower::Event;
use crate::lower::assembly::{Assembly, number};
use crate::plan::PoolId;
use std::collections::BTreeSet;
use takt_automata::network::{BinaryOp, Direction, Expr};

pub fn apply(assembly: &mut Assembly) {
    releases(assembly);
    stages(assembly);
    fits(assembly);
    assembly.process("the_judge", "judge.xta", "Judge", Vec::new());
    let origin = assembly.origin(Event::Judge);
    let zero = Expr::number(0);
    // Whoever counts from the finish of others has heard of it.
    let heard = (!assembly.plan.groups.is_empty())
        .then(|| Expr::binary(BinaryOp::Equal, Expr::name("unheard"), zero));
    if let Some(judge) = assembly.automaton("Judge") {
        for edge in &mut judge.edges {
            if edge.sync.as_ref().is_some_and(|sync| sync.direction == Direction::Send) {
                edge.origin = origin;
                restrict(edge, heard.clone());
            }
        }
    }
}

/// Nobody acts while time passes. Prices are no matter of eligibility.
pub fn apply_guards(assembly: &mut Assembly) {
    for edge in assembly.acts(&["Judge", "Costs", "Away"]) {
        restrict(edge, Some(Expr::name("acting")));
    }
}

fn releases(assembly: &mut Assembly) {
    let plan = assembly.plan;
    let instants = plan.discipline().least;
    let queue: BTreeSet<i64> = instants.iter().copied().chain([0]).collect();
    let queue: Vec<i64> = queue.into_iter().collect();
    for (order, at) in instants.entries() {
        let instant = queue.partition_point(|known| known < at);
        assembly.arguments[order].insert("instant", number(instant));
    }
    assembly.set("releases", queue.len() as i64);
    assembly.set_list("release_at", queue);
    assembly.process("gate", "judge.xta", "Releases", Vec::new());
}

fn stages(assembly: &mut Assembly) {
    let plan = assembly.plan;
    let modes = plan.recipes.iter().flat_map(|recipe| &recipe.steps).flat_map(|step| &step.modes);
    let used: BTreeSet<PoolId> = modes.flat_map(|mode| &mode.needs).map(|need| need.pool).collect();
    for (pool, machine) in assembly.machines.clone() {
        if !used.contains(&pool) {
            continue;
        }
        // Families and setup times are declared there; only costs weave a fragment of it in.
        assembly.declare("machine.xta");
        let arguments = vec![number(machine), number(pool)];
        assembly.process("stages", "stages.xta", "Stages", arguments);
    }
}

fn fits(assembly: &mut Assembly) {
    let fits = assembly.fits.clone();
    assembly.set("fits", fits.len().max(1) as i64);
    // What `greedy` keeps `non-lazy` keeps too, so with both of them it is as with `greedy`.
    assembly.set("last_counts", i64::from(assembly.plan.discipline().is_greedy));
    for ((calendar, work, longest), fit) in fits {
        let (open, last) = assembly.calendars[&calendar];
        let mut arguments = vec![number(fit), number(open), number(last)];
        arguments.extend([work, longest].map(Expr::number));
        assembly.process("fit", "fitting.xta", "Fit", arguments);
    }
}
