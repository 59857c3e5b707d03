//! Faults at their places; and what random terms grow from, which `interpret` compares with code.

mod by_hand;
pub(crate) mod grow;

use crate::model::{Model, Term, code};

fn initial(model: &Model) -> Vec<i32> {
    model.state_cells().iter().map(|cell| cell.initial as i32).collect()
}

/// Compiles a term on its own.
fn compiled(model: &mut Model, tree: crate::model::Expr) -> Term {
    code::generate(model);
    let mut term = Term::new(tree, takt_diagnostic::Span::default());
    code::compile_term(model, &mut term);
    term
}
