//! Code against a plain walk over the trees, and faults at their places.

mod by_hand;
pub(in crate::model) mod grow;
mod walker;

use super::{Effects, Vm};
use crate::model::{Model, Term, code};
use grow::Grow;
use proptest::prelude::*;
use walker::Walker;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn values_agree_with_a_walk(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let (mut model, mut term) = Grow::new(&bytes).pure_term();
        code::generate(&mut model);
        code::compile_term(&mut model, &mut term);
        let state = initial(&model);
        let mut walker = Walker::new(&model, &state);
        let expected = walker.value(&term.tree);
        prop_assume!(!walker.is_exhausted());
        let mut machine = Vm::new(&model);
        let found = machine.eval(&model, term.code, &state).map_err(|fault| fault.kind);
        prop_assert_eq!(found, expected);
        prop_assert_eq!(machine.scratch, walker.scratch);
    }

    #[test]
    fn updates_agree_with_a_walk(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (mut model, term) = Grow::new(&bytes).update_term();
        model.before_update = Some(term);
        code::generate(&mut model);
        let term = model.before_update.as_ref().unwrap();
        let mut state = initial(&model);
        let mut walker = Walker::new(&model, &state);
        let expected = walker.value(&term.tree).map(|_| ());
        prop_assume!(!walker.is_exhausted());
        let (mut machine, mut effects) = (Vm::new(&model), Effects::default());
        let found = machine.run(&model, term.code, &mut state, &mut effects);
        prop_assert_eq!(found.map_err(|fault| fault.kind), expected);
        prop_assert_eq!(state, walker.state);
        prop_assert_eq!(effects, walker.effects);
        prop_assert_eq!(machine.scratch, walker.scratch);
    }
}

fn initial(model: &Model) -> Vec<i32> {
    model.cells[..model.state_len as usize].iter().map(|cell| cell.initial as i32).collect()
}

/// Compiles a term on its own.
fn compiled(model: &mut Model, tree: crate::model::Expr) -> Term {
    code::generate(model);
    let mut term = Term::new(tree, takt_diagnostic::Span::default());
    code::compile_term(model, &mut term);
    term
}
