//! Whether a machine is at two instants in the same state: what every component holds, where it is,
//! what it is busy with and for how long yet. Then what was done between them can be done for ever.

use super::super::Errors;
use super::components::Components;
use super::read;
use super::simulation::Simulation;
use takt_spec::Spec;
use takt_spec::schedule::Schedule;

/// Says in words what is not the same; nothing for a spec without a layout.
pub fn recurs(spec: &Spec, schedule: &Schedule, (from, to): (i64, i64)) -> Result<(), String> {
    let Some(components) = spec.layout.as_ref().and_then(|layout| Components::of(spec, layout))
    else {
        return Ok(());
    };
    // Broken rules are told elsewhere.
    let mut errors = Errors::default();
    let mut operations = read::operations(&components, schedule, &mut errors);
    operations.sort_by_key(|operation| operation.start);
    let at = |instant: i64| {
        let mut simulation = Simulation::new(&components);
        let begun = operations.iter().filter(|operation| operation.start < instant);
        begun.for_each(|operation| simulation.run(operation, &mut Errors::default()));
        simulation.state(instant)
    };
    let (before, after) = (at(from), at(to));
    let other = before.iter().zip(&after).find(|(one, two)| one != two);
    match other {
        None if before.len() == after.len() => Ok(()),
        None => Err(format!("not the same components are known at {from} and at {to}")),
        Some(((name, one), (_, two))) => {
            Err(format!("`{name}` at {from}: {one}; but at {to}: {two}"))
        }
    }
}
