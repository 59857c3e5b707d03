//! What is said of random terms holds when they run.

use super::super::resets::DefiniteResets;
use super::Ranges;
use crate::model::grow::Grow;
use crate::model::{Effects, Model, Vm, code};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn values_are_in_range(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let (mut model, mut term) = Grow::new(&bytes).pure_term();
        code::generate(&mut model);
        code::compile_term(&mut model, &mut term);
        // The term has to be part of the model for its bound variables to be seen.
        model.after_update = Some(term.clone());
        let ranges = Ranges::inferred(&model);
        if let Ok(value) = Vm::new(&model).eval(&model, term.code, &initial(&model)) {
            let (lo, hi) = ranges.of(&term.tree);
            prop_assert!(lo <= value && value <= hi, "{value} is not in {lo}..{hi}");
        }
    }

    #[test]
    fn cells_stay_in_range_and_resets_happen(
        bytes in prop::collection::vec(any::<u8>(), 0..400)
    ) {
        let (mut model, term) = Grow::new(&bytes).update_term();
        model.before_update = Some(term);
        code::generate(&mut model);
        let term = model.before_update.as_ref().unwrap();
        let ranges = Ranges::inferred(&model);
        let resets = DefiniteResets::new(&model).of(&term.tree);
        let (mut vm, mut state) = (Vm::new(&model), initial(&model));
        for _ in 0..4 {
            let mut effects = Effects::default();
            if vm.run(&model, term.code, &mut state, &mut effects).is_err() {
                break;
            }
            for (cell, value) in state.iter().enumerate() {
                let (lo, hi) = ranges.cells[cell];
                prop_assert!((lo..=hi).contains(&i64::from(*value)), "cell {cell} is {value}");
            }
            for clock in &resets {
                prop_assert!(effects.resets.iter().any(|(reset, _)| reset == clock));
            }
        }
    }
}

fn initial(model: &Model) -> Vec<i32> {
    model.cells[..model.state_len as usize].iter().map(|cell| cell.initial as i32).collect()
}
