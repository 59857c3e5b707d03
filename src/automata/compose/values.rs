//! Values for the constants of a finished network.

use crate::network::{Declaration, Initial, Item, Network};
use std::collections::BTreeMap;
use takt_diagnostic::Span;

/// A list of initial values.
pub fn list(items: impl Iterator<Item = Initial>) -> Initial {
    Initial::List(items.map(|item| (None, item)).collect(), Span::default())
}

/// Gives the named variables these initial values.
pub fn set_constants(network: &mut Network, values: &BTreeMap<&str, Initial>) {
    for item in &mut network.items {
        let Item::Declaration(Declaration::Variables(variables)) = item else { continue };
        for declarator in &mut variables.declarators {
            if let Some(value) = values.get(declarator.name.text.as_str()) {
                declarator.initial = Some(value.clone());
            }
        }
    }
}
