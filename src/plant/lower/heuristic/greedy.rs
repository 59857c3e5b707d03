//! No time passes while a step is eligible.

use super::restrict;
use crate::lower::assembly::Assembly;
use takt_automata::compose::{Stamp, all};
use takt_automata::network::{Ident, Location};

pub fn apply(assembly: &mut Assembly) {
    (0..assembly.ways.len()).for_each(|way| forbid(assembly, way));
}

/// The judgement cannot be made while a step is eligible in this way.
pub fn forbid(assembly: &mut Assembly, way: usize) {
    let template = assembly.fragment("greedy.xta", "Greedy");
    let way = &assembly.ways[way];
    let target = &mut assembly.threads[way.thread].template;
    let stamp = Stamp { arguments: &[], locations: &[("waiting", &way.location)], origin: None };
    for location in &template.locations {
        let is_known = target.locations.iter().any(|known| known.name.text == location.name.text);
        if location.name.text != "waiting" && !is_known {
            target
                .locations
                .push(Location { name: Ident::new(&location.name.text), ..location.clone() });
        }
    }
    for edge in &template.edges {
        let mut edge = stamp.edge(edge);
        restrict(&mut edge, all(&way.eligible));
        target.edges.push(edge);
    }
}
