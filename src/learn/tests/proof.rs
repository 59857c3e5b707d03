//! Logs are proofs: what is inferred holds in all solutions of the rules, what is learned follows by unit propagation, and
//! every answer that says no stands at their end.

use super::each_seed;
use super::judge::{Rule, holds};
use super::script::Script;
use crate::Outcome;
use crate::literal::Lit;
use crate::proof::Log;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

#[derive(Clone, Debug)]
pub(super) enum Entry {
    Inferred(Vec<Lit>),
    Learned(Vec<Lit>),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Record(pub(super) Arc<Mutex<Vec<Entry>>>);

impl Log for Record {
    fn inferred(&mut self, clause: &[Lit]) {
        self.0.lock().unwrap().push(Entry::Inferred(clause.to_vec()));
    }

    fn learned(&mut self, clause: &[Lit]) {
        self.0.lock().unwrap().push(Entry::Learned(clause.to_vec()));
    }
}

/// Of two bounds of one side the weaker one says it all.
fn merged(clause: &[Lit]) -> Vec<Lit> {
    let mut bounds: BTreeMap<_, i64> = BTreeMap::new();
    for lit in clause {
        let bound = bounds.entry(lit.side).or_insert(lit.bound);
        *bound = lit.bound.max(*bound);
    }
    bounds.into_iter().map(|(side, bound)| Lit { side, bound }).collect()
}

/// Whether the clause follows from the others by unit propagation over bounds.
fn follows(clause: &[Lit], known: &[Vec<Lit>], ranges: &[(i64, i64)]) -> bool {
    let mut bounds: BTreeMap<_, i64> = BTreeMap::new();
    for (number, &(least, most)) in ranges.iter().enumerate() {
        let var = crate::Var::new(number);
        bounds.extend([(var.upper(), most), (var.lower(), -least)]);
    }
    let is_true = |bounds: &BTreeMap<_, i64>, lit: Lit| {
        bounds.get(&lit.side).is_some_and(|&bound| bound <= lit.bound)
    };
    let set = |bounds: &mut BTreeMap<_, i64>, lit: Lit| {
        let bound = bounds.entry(lit.side).or_insert(i64::MAX);
        *bound = lit.bound.min(*bound);
    };
    let is_empty = |bounds: &BTreeMap<crate::Side, i64>| {
        bounds.iter().any(|(side, &bound)| {
            bounds.get(&side.mirror()).is_some_and(|&other| bound < i64::MAX && bound + other < 0)
        })
    };
    clause.iter().for_each(|&lit| set(&mut bounds, !lit));
    loop {
        if is_empty(&bounds) {
            return true;
        }
        let mut has_changed = false;
        for other in known {
            let mut open = other.iter().filter(|&&lit| !is_true(&bounds, !lit));
            match (open.next(), open.next()) {
                (None, _) => return true,
                (Some(&only), None) if !is_true(&bounds, only) => {
                    set(&mut bounds, only);
                    has_changed = true;
                }
                _ => {}
            }
        }
        if !has_changed {
            return false;
        }
    }
}

#[test]
fn logs_are_proofs() {
    each_seed(300, |_, r| {
        let mut script = Script::new(r);
        script.play(r);
        let entries = script.record.0.lock().unwrap().clone();
        let told = script.rules().iter().flat_map(Rule::clauses);
        let mut known: Vec<Vec<Lit>> = told.map(|clause| merged(&clause)).collect();
        for entry in &entries {
            match entry {
                Entry::Inferred(clause) => {
                    for values in &script.solutions {
                        let is_kept = clause.iter().any(|&lit| holds(lit, values));
                        assert!(is_kept, "{clause:?} excludes {values:?}");
                    }
                    known.push(merged(clause));
                }
                Entry::Learned(clause) => {
                    assert!(follows(clause, &known, script.ranges()), "{clause:?} in {known:?}");
                    known.push(merged(clause));
                }
            }
        }
        for (outcome, _) in &script.log {
            let last = match outcome {
                Outcome::Infeasible => Vec::new(),
                Outcome::Refuted(core) => core.iter().map(|&lit| !lit).collect(),
                _ => continue,
            };
            let is_last =
                |entry: &Entry| matches!(entry, Entry::Learned(clause) if *clause == last);
            let is_broken = script.ranges().iter().any(|range| range.0 > range.1);
            assert!(is_broken || entries.iter().any(is_last), "{outcome:?} is not in the log");
        }
    });
}
