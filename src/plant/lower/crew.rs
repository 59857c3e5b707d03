//! One automaton for each unit whose setups are work: it sets up for any family that may come, by any crew that may do it.

use super::Event;
use super::assembly::{Assembly, empty, number};
use crate::plan::{CrewWay, FamilyId, Plan, PoolId, Setup};
use std::collections::BTreeSet;
use takt_automata::compose::{Names, Weave, all, list};
use takt_automata::network::{Expr, Ident, Initial, Location, Template, Urgency};

pub fn add(assembly: &mut Assembly) {
    let plan = assembly.plan;
    if !plan.has_crews() {
        return;
    }
    let setups = plan.pools.iter().filter_map(|pool| pool.setup.as_ref());
    assembly.set_initial("setup_kind", list(setups.map(|setup| kinds(plan, setup))));
    for (pool, of) in plan.pools.entries() {
        if let Some(setup) = of.setup.as_ref().filter(|setup| setup.crew.is_some()) {
            let template = unit(assembly, pool, setup);
            assembly.stand(template);
        }
    }
}

/// The kind of each change; none after nothing at all.
fn kinds(plan: &Plan, setup: &Setup) -> Initial {
    let value = |kind: usize| Initial::Value(Expr::number(kind as i64));
    let nothing = plan.families.filled(0);
    let rows = plan.families.ids().map(|from| {
        let own = setup.crew.as_ref().map(|crew| &crew.kind[from]);
        list(own.unwrap_or(&nothing).iter().map(|&kind| value(kind)))
    });
    let last = list(nothing.iter().map(|&kind| value(kind)));
    list(rows.chain([last]))
}

/// The automaton of a unit.
fn unit(assembly: &mut Assembly, pool: PoolId, setup: &Setup) -> Template {
    let plan = assembly.plan;
    let of = &plan.pools[pool];
    let called = &plan.resources[of.resource].units[of.units[0]];
    let name = assembly.fresh("Crew_", &format!("{}_{called}", plan.resources[of.resource].name));
    let mut names = Names::default();
    let idle = names.fresh("idle", "");
    let mut template = empty(&name, &idle);
    template.locations.push(location(&idle, None));
    for family in coming(plan, pool) {
        for (kind, ways) in setup.crew.iter().flat_map(|crew| crew.kinds.iter().enumerate()) {
            for (way, by) in ways.iter().enumerate().filter(|_| is_asked(setup, family, kind)) {
                let running = names.fresh("for_", &plan.families[family]);
                let weave = weave(assembly, (pool, setup), (family, kind), by);
                let origin = assembly.origin(Event::SetUp { pool, family, way });
                template.edges.push(weave.start.edge(&idle, &running, origin));
                template.edges.push(weave.end.edge(&running, &idle, None));
                template.locations.push(location(&running, all(&weave.running)));
            }
        }
    }
    template
}

fn location(name: &str, invariant: Option<Expr>) -> Location {
    Location { name: Ident::new(name), invariant, urgency: Urgency::Normal }
}

/// The families of steps that may be done on the unit.
fn coming(plan: &Plan, pool: PoolId) -> BTreeSet<FamilyId> {
    let steps = plan.recipes.iter().flat_map(|recipe| &recipe.steps);
    let comes = steps.filter(|step| {
        step.modes.iter().any(|mode| mode.needs.iter().any(|need| need.pool == pool))
    });
    comes.map(|step| step.family).collect()
}

/// Whether some change to the family is of that kind and takes time.
fn is_asked(setup: &Setup, family: FamilyId, kind: usize) -> bool {
    let is_it = |from: FamilyId| {
        setup.time[from][family] > 0
            && setup.crew.as_ref().is_some_and(|crew| crew.kind[from][family] == kind)
    };
    setup.time.ids().any(is_it)
}

fn weave(
    assembly: &mut Assembly,
    (pool, setup): (PoolId, &Setup),
    (family, kind): (FamilyId, usize),
    by: &CrewWay,
) -> Weave {
    let mut weave = Weave::default();
    let mut add = |assembly: &mut Assembly, file, name: &str, arguments: &[(&str, Expr)]| {
        weave.add(assembly.fragment(file, name), arguments);
    };
    assembly.declare("machine.xta");
    let machine = ("machine", number(assembly.machines[&pool]));
    let wanted = ("wanted", number(family));
    let from = ("from", Expr::number(setup.since));
    add(assembly, "crew.xta", "SetUp", &[machine.clone(), wanted.clone(), from]);
    if setup.crew.as_ref().is_some_and(|crew| crew.kinds.len() > 1) {
        let kind = ("kind", number(kind));
        add(assembly, "crew.xta", "OfKind", &[machine.clone(), wanted.clone(), kind]);
    }
    if let Some(calendar) = by.calendar {
        let calendar = ("calendar", number(assembly.calendars[&calendar].0));
        assembly.declare("calendar.xta");
        add(assembly, "crew.xta", "InsideSetUp", &[machine, wanted, calendar]);
    }
    let taken = by.needs.iter().map(|need| (need.pool, need.amount)).chain([(pool, 1)]);
    for (pool, amount) in taken {
        let arguments = [("pool", number(pool)), ("amount", Expr::number(amount))];
        add(assembly, "counter.xta", "Take", &arguments);
        add(assembly, "counter.xta", "Free", &arguments);
    }
    weave
}
