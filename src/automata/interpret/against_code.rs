//! Compiled code against the walk over trees, on random terms: both give the same values, faults,
//! writes, resets and costs.

use super::Interpreter;
use super::memory::{Memory, Ticks};
use crate::model::grow::Grow;
use crate::model::{Effects, FaultKind, Model, Vm, code};
use proptest::prelude::*;

/// Calls and rounds of loops after which a walk is given up: far fewer than code may take.
const PATIENCE: u32 = 2000;

/// The memory at the beginning.
fn memory(model: &Model) -> Memory<'_> {
    let initial = Interpreter::new(model).initial();
    let mut memory = Memory::new(model, &initial).expect("clocks at 0 fit any ticks");
    memory.budget = PATIENCE;
    memory
}

/// Whether only the walk ends so. What it takes and which numbers zones can hold is the engine's
/// business, and a cost that does not fit 64 bits is no fault of an exact one.
fn is_its_own<T>(memory: &Memory, result: &Result<T, FaultKind>) -> bool {
    matches!(result, Err(FaultKind::Endless | FaultKind::ClockTooLarge(_)))
        || memory.cost > Ticks::from(i64::MAX)
}

proptest! {
    // A file beside the crates would be taken for one of them.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn values_agree(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let (mut model, mut term) = Grow::new(&bytes).pure_term();
        code::generate(&mut model);
        code::compile_term(&mut model, &mut term);
        let mut memory = memory(&model);
        let state = memory.state.clone();
        let expected = memory.eval(&term.tree).map_err(|fault| fault.kind);
        prop_assume!(!is_its_own(&memory, &expected));
        let mut vm = Vm::new(&model);
        let found = vm.eval(&model, term.code, &state).map_err(|fault| fault.kind);
        prop_assert_eq!(found, expected);
        prop_assert_eq!(vm.scratch(&model), &memory.scratch);
    }

    #[test]
    fn updates_agree(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (mut model, term) = Grow::new(&bytes).update_term();
        model.before_update = Some(term);
        code::generate(&mut model);
        let term = model.before_update.as_ref().unwrap();
        let mut memory = memory(&model);
        let mut state = memory.state.clone();
        let expected = memory.eval(&term.tree).map(|_| ()).map_err(|fault| fault.kind);
        prop_assume!(!is_its_own(&memory, &expected));
        let (mut vm, mut effects) = (Vm::new(&model), Effects::default());
        let found = vm.run(&model, term.code, &mut state, &mut effects);
        prop_assert_eq!(found.map_err(|fault| fault.kind), expected);
        prop_assert_eq!(&state, &memory.state);
        prop_assert_eq!(Ticks::from(effects.cost), memory.cost);
        let mut clocks = vec![0; model.clocks.len()];
        effects.resets.iter().for_each(|&(clock, value)| clocks[clock] = value);
        let walked = memory.concrete().expect("clocks fit 64 bits").clocks;
        prop_assert_eq!(clocks, walked.iter().map(|time| time.to_integer()).collect::<Vec<_>>());
        prop_assert_eq!(vm.scratch(&model), &memory.scratch);
    }
}
