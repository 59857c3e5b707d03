//! Names are written with letters that can be seen: they stand in tables, charts and on terminals.

use super::Checker;
use crate::{At, Initial, Spec, Units};
use takt_diagnostic::{Diagnostic, is_unseen, visible};

impl Checker<'_> {
    pub fn letters(&mut self) {
        let spec = self.spec;
        for name in names(spec) {
            let Some(letter) = name.value.chars().find(|&letter| is_unseen(letter)) else {
                continue;
            };
            let code = u32::from(letter);
            let message =
                format!("the name `{}` has a letter that cannot be seen", visible(&name.value));
            let found = Diagnostic::error("bad-name", name.span, message);
            self.found.push(found.label(format!("it has the control character U+{code:04X}")));
        }
    }
}

/// All that is named; whoever speaks of it uses the same letters.
fn names(spec: &Spec) -> impl Iterator<Item = &At<String>> {
    let mut all: Vec<&At<String>> = spec.name.iter().collect();
    all.extend(spec.calendars.iter().map(|calendar| &calendar.name));
    for resource in &spec.resources {
        all.push(&resource.name);
        if let Units::Named(units) = &resource.units {
            all.extend(units.iter().map(|unit| &unit.name));
            all.extend(units.iter().flat_map(|unit| &unit.families).flatten());
        }
        let parts = resource.setup.iter().flat_map(|setup| &setup.parts);
        let changes = parts.flat_map(|part| &part.matrix);
        all.extend(changes.flat_map(|change| [&change.from, &change.to]));
        for initial in resource.initials() {
            match initial {
                Initial::All(family) => all.push(family),
                Initial::PerUnit(each) => all.extend(each.iter().map(|(_, family)| family)),
            }
        }
    }
    for recipe in &spec.recipes {
        all.push(&recipe.name);
        all.extend(recipe.steps.iter().map(|step| &step.name));
        all.extend(recipe.steps.iter().filter_map(|step| step.family.as_ref()));
    }
    // Copies have the name of the first.
    let is_first = |order: &&crate::Order| order.shift.as_ref().is_none_or(|s| s.times == 0);
    for order in spec.orders.iter().filter(is_first) {
        all.push(&order.id);
        all.extend(&order.family);
        all.extend(order.attributes.iter().map(|attribute| &attribute.name));
    }
    if let Some(layout) = &spec.layout {
        all.extend(&layout.locks.ids);
        all.extend(layout.robots.iter().map(|robot| &robot.name));
        all.extend(&layout.chucks.ids);
    }
    all.into_iter()
}
