//! What the spec language can say and a plan cannot, refused at its place.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::spec::Spec;

pub fn refuse(spec: &Spec) -> Result<(), Diagnostics> {
    let mut found = Diagnostics::default();
    if let Some(layout) = &spec.layout {
        let message = "layouts are not supported yet";
        found.push(Diagnostic::error("unsupported", layout.span, message));
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}
