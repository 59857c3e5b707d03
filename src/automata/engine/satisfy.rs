//! Which valuations of a symbolic state satisfy a formula.

use super::candidate::atom;
use super::state::State;
use super::successor::{Broken, Successors};
use super::zone::Zone;
use crate::dbm::{Bound, Dbm, subtract};
use crate::model::{ClockTest, Fault, Formula};
use std::cell::Cell;

/// Parts of a state's zone, or what is wrong.
pub type ZoneList<Z> = Result<Vec<Dbm<<Z as Zone>::Bound>>, Broken>;

/// The part of the state in which the formula holds (or fails, if `wanted` is false), as zones.
pub fn satisfying<Z: Zone>(
    successors: &mut Successors<Z>,
    state: &State<Z>,
    formula: &Formula,
    wanted: bool,
) -> ZoneList<Z> {
    let whole = vec![state.zone.dbm().clone()];
    restrict(successors, state, formula, wanted, whole)
}

/// A formula, or its negation. Formulas over all pairs of a hundred processes are large: they are
/// not copied.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'f> {
    pub formula: &'f Formula,
    pub is_true: bool,
}

impl<'f> From<&'f Formula> for Claim<'f> {
    fn from(formula: &'f Formula) -> Claim<'f> {
        Claim { formula, is_true: true }
    }
}

/// Whether the claim holds somewhere in the state.
pub fn meets<Z: Zone>(
    successors: &mut Successors<Z>,
    state: &State<Z>,
    Claim { formula, is_true }: Claim,
) -> Result<bool, Broken> {
    if !formula.has_leaf(&|leaf| matches!(leaf, Formula::Clock(_) | Formula::Deadlock)) {
        return Ok(holds(successors, &state.cells, formula)? == is_true);
    }
    Ok(!satisfying(successors, state, formula, is_true)?.is_empty())
}

/// The truth of a formula without clocks and deadlocks.
pub fn holds<Z: Zone>(
    successors: &mut Successors<Z>,
    cells: &[i32],
    formula: &Formula,
) -> Result<bool, Broken> {
    Ok(match formula {
        Formula::Data(term) => {
            let model = successors.tables.model;
            successors.vm().eval(model, term.code, cells).map_err(asked)? != 0
        }
        Formula::Not(inner) => !holds(successors, cells, inner)?,
        Formula::And(parts) | Formula::Or(parts) => {
            // From left to right, the first part that is so decides.
            let decisive = matches!(formula, Formula::Or(_));
            for part in parts {
                if holds(successors, cells, part)? == decisive {
                    return Ok(decisive);
                }
            }
            !decisive
        }
        Formula::Clock(_) | Formula::Deadlock => unreachable!("the formula has no clocks"),
    })
}

fn asked(fault: Fault) -> Broken {
    Broken { fault, action: None }
}

fn restrict<Z: Zone>(
    successors: &mut Successors<Z>,
    state: &State<Z>,
    formula: &Formula,
    wanted: bool,
    zones: Vec<Dbm<Z::Bound>>,
) -> ZoneList<Z> {
    if zones.is_empty() {
        return Ok(zones);
    }
    match (formula, wanted) {
        (Formula::Data(_), _) => {
            let is_kept = holds(successors, &state.cells, formula)? == wanted;
            Ok(if is_kept { zones } else { Vec::new() })
        }
        (Formula::Clock(test), _) => restrict_by_test(successors, state, test, wanted, zones),
        (Formula::Deadlock, _) => restrict_by_deadlock(successors, state, wanted, zones),
        (Formula::Not(inner), _) => restrict(successors, state, inner, !wanted, zones),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => parts
            .iter()
            .try_fold(zones, |zones, part| restrict(successors, state, part, wanted, zones)),
        (Formula::And(parts), false) | (Formula::Or(parts), true) => {
            let mut found = Vec::new();
            for part in parts {
                found.extend(restrict(successors, state, part, wanted, zones.clone())?);
            }
            Ok(found)
        }
    }
}

fn restrict_by_test<Z: Zone>(
    successors: &mut Successors<Z>,
    state: &State<Z>,
    test: &ClockTest,
    wanted: bool,
    mut zones: Vec<Dbm<Z::Bound>>,
) -> ZoneList<Z> {
    // A clock that does not matter here is in a part of the formula whose value does not either
    // (see `interest`): others decide, and this part adds nothing.
    let is_absent = Cell::new(false);
    let position = |clock| {
        state.position(clock).unwrap_or_else(|| {
            is_absent.set(true);
            usize::MAX
        })
    };
    let (tables, vm) = successors.tables_and_vm();
    let atom = atom::<Z::Bound>(tables, vm, &state.cells, test, position).map_err(asked)?;
    let Some(a) = atom else {
        return Ok(if wanted { zones } else { Vec::new() });
    };
    if is_absent.get() {
        return Ok(Vec::new());
    }
    let (i, j, bound) = match wanted {
        true => (a.i, a.j, a.bound),
        false => (a.j, a.i, a.bound.negated()),
    };
    zones.retain_mut(|zone| zone.constrain(i.into(), j.into(), bound));
    Ok(zones)
}

/// Keeps what is deadlocked (or is not): valuations from which no transition exists, now or
/// after any delay.
fn restrict_by_deadlock<Z: Zone>(
    successors: &mut Successors<Z>,
    state: &State<Z>,
    wanted: bool,
    mut zones: Vec<Dbm<Z::Bound>>,
) -> ZoneList<Z> {
    let lively = lively(successors, state)?;
    if wanted {
        for part in &lively {
            zones = zones.iter().flat_map(|zone| subtract(zone, part)).collect();
        }
        return Ok(zones);
    }
    let both = |zone: &Dbm<Z::Bound>, part: &Dbm<Z::Bound>| {
        let mut both = zone.clone();
        both.intersect(part).then_some(both)
    };
    Ok(zones.iter().flat_map(|zone| lively.iter().filter_map(|part| both(zone, part))).collect())
}

/// The valuations of the state from which some transition exists, now or after a delay.
pub fn lively<Z: Zone>(successors: &mut Successors<Z>, state: &State<Z>) -> ZoneList<Z> {
    let may_delay = successors.lets_time_pass(state)?;
    let mut parts = active(successors, state)?;
    if may_delay {
        parts.iter_mut().for_each(Dbm::down);
    }
    Ok(parts)
}

/// The valuations of the state in which some transition exists right now.
pub fn active<Z: Zone>(successors: &mut Successors<Z>, state: &State<Z>) -> ZoneList<Z> {
    successors.combine(state)?;
    let mut candidates = successors.combiner.candidates.clone();
    candidates.retain(|candidate| !successors.tables.is_tick(&candidate.action));
    Ok(candidates.iter().filter_map(|candidate| successors.enabled(state, candidate)).collect())
}
