//! Formulas watched while time passes.
//!
//! A liveness query must know when the truth of its formulas changes, also in the middle of
//! a delay. So the valuations that the invariants allow are partitioned into convex parts in
//! which every watched formula is constant, and a symbolic state stays within one part. A run
//! that lets time pass walks from part to part; such a step is a move without edges.
//!
//! # When a part directly follows another
//! Parts are disjoint and convex, so the line of a valuation `w` back in time visits each part
//! at most once, and the part before that of `w` is determined by `w` alone. It is `P` unless the
//! line passes a third part `R` after `P`, that is unless `w` is in `up(up(P) and R)`.

use super::candidate::Atom;
use super::satisfy::{ZoneList, satisfying};
use super::state::State;
use super::successor::{Broken, Successors};
use super::zone::Zone;
use crate::dbm::{Dbm, subtract};
use crate::model::Formula;

/// The formulas to watch; marks of a state are bits in their order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Observer<'q> {
    formulas: &'q [Formula],
}

/// A convex part of what the invariants allow, and which formulas hold there.
type Piece<B> = (Dbm<B>, u32);

/// A stay inside a part.
pub struct Stay<B> {
    /// The valuations that the run may have while it stays.
    pub zone: Dbm<B>,
    /// The whole part: widening must not lead out of it.
    pub part: Dbm<B>,
    pub marks: u32,
}

impl<'q> Observer<'q> {
    pub fn new(formulas: &'q [Formula]) -> Observer<'q> {
        assert!(formulas.len() <= 32, "marks have 32 bits");
        Observer { formulas }
    }

    pub fn is_watching(&self) -> bool {
        !self.formulas.is_empty()
    }
}

/// The parts in which a run may be right after it entered the state (whose zone is what
/// holds at that instant), each with the time that may pass inside the part.
pub fn entries<Z: Zone>(
    successors: &mut Successors<Z>,
    entry: &State<Z>,
    may_delay: bool,
) -> Result<Vec<Stay<Z::Bound>>, Broken> {
    let parts = partition(successors, entry)?;
    Ok(parts
        .into_iter()
        .filter_map(|(part, marks)| {
            let mut inside = entry.zone.dbm().clone();
            if !inside.intersect(&part) {
                return None;
            }
            if may_delay {
                inside.up();
                let is_left = inside.intersect(&part);
                debug_assert!(is_left, "a delay of 0 stays inside");
            }
            Some(Stay { zone: inside, part, marks })
        })
        .collect())
}

/// What directly follows the state, which lies in one part, when time passes.
pub fn delays<Z: Zone>(
    successors: &mut Successors<Z>,
    state: &State<Z>,
) -> Result<Vec<Stay<Z::Bound>>, Broken> {
    let parts = partition(successors, state)?;
    let mut later = state.zone.dbm().clone();
    later.up();
    let is_home = |part: &Dbm<Z::Bound>| part.clone().intersect(state.zone.dbm());
    let Some(home) = parts.iter().position(|(part, _)| is_home(part)) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for (next, (part, marks)) in parts.iter().enumerate() {
        let mut reached = later.clone();
        if next == home || !reached.intersect(part) {
            continue;
        }
        let mut direct = vec![reached];
        for (third, (between, _)) in parts.iter().enumerate() {
            if third != home
                && third != next
                && let Some(behind) = shadow(&parts[home].0, between)
            {
                direct = direct.iter().flat_map(|zone| subtract(zone, &behind)).collect();
            }
        }
        for mut zone in direct {
            zone.up();
            let is_left = zone.intersect(part);
            debug_assert!(is_left, "a delay of 0 stays inside");
            found.push(Stay { zone, part: part.clone(), marks: *marks });
        }
    }
    Ok(found)
}

/// The parts in which the state, which lies in one part, is not.
pub fn others<Z: Zone>(successors: &mut Successors<Z>, state: &State<Z>) -> ZoneList<Z> {
    let parts = partition(successors, state)?.into_iter().map(|(part, _)| part);
    Ok(parts.filter(|part| !part.clone().intersect(state.zone.dbm())).collect())
}

/// What lies behind `between` for a run that comes from `home`.
fn shadow<B: crate::dbm::Bound>(home: &Dbm<B>, between: &Dbm<B>) -> Option<Dbm<B>> {
    let mut passed = home.clone();
    passed.up();
    passed.intersect(between).then(|| {
        passed.up();
        passed
    })
}

/// The valuations that the state's invariants allow, in parts of constant truth.
fn partition<Z: Zone>(
    successors: &mut Successors<Z>,
    state: &State<Z>,
) -> Result<Vec<Piece<Z::Bound>>, Broken> {
    let mut whole = Dbm::universe(state.clocks.len() + 1);
    for &Atom { i, j, bound } in successors.invariant(state)? {
        let is_left = whole.constrain(i.into(), j.into(), bound);
        assert!(is_left, "a state satisfies its invariants");
    }
    // A deadlock depends on what is possible after a delay, also in another part: so each formula
    // is decided on the whole.
    let mut probe = state.clone();
    probe.zone.set_dbm(whole.clone());
    let mut parts = vec![(whole, 0)];
    for (bit, formula) in successors.observer().formulas.iter().enumerate() {
        let satisfied = satisfying(successors, &probe, formula, true)?;
        let mut refined = Vec::new();
        for (part, marks) in parts {
            let mut outside = vec![part];
            for zone in &satisfied {
                // Satisfying zones may overlap: only what is still outside is new.
                for piece in &outside {
                    let mut inside = piece.clone();
                    if inside.intersect(zone) {
                        refined.push((inside, marks | 1 << bit));
                    }
                }
                outside = outside.iter().flat_map(|piece| subtract(piece, zone)).collect();
            }
            refined.extend(outside.into_iter().map(|piece| (piece, marks)));
        }
        parts = refined;
    }
    Ok(parts)
}
