//! Setups that are work, as tasks of their own: each has a start, and lasts as long as whoever is before it on the unit
//! asks.
//!
//! A setup of one length, one kind and one way is a task that may be there: it is if the neighbour is there that asks for
//! it. All tasks of a step on a unit share their start.

use super::encoding::{Encoding, Taker};
use crate::plan::{CrewWay, OrderId, Plan, PoolId, Setup, StepId};
use crate::timetable::{Jobs, setups};
use std::collections::BTreeMap;
use takt_learn::{Choice, Lit, Point, Task, Timing, Var};

/// Tasks that take pools beside steps and holds.
pub type CrewTasks = BTreeMap<PoolId, Vec<Task>>;

/// When the setup of a step on a unit starts, and which way it is done; empty where there is only one.
#[derive(Clone, Debug)]
pub struct SetupVars {
    start: Var,
    /// For each kind that has several ways.
    ways: BTreeMap<Vec<CrewWay>, Vec<Lit>>,
}

pub type AllSetupVars = BTreeMap<(PoolId, OrderId, StepId), SetupVars>;

/// Who directly follows whom on a unit, and who comes first.
pub struct Neighbours {
    pub next: Vec<Vec<Option<Lit>>>,
    pub firsts: Vec<Lit>,
}

impl Encoding {
    /// The setups of all steps on a unit.
    pub fn add_crew(
        &mut self,
        plan: &Plan,
        (pool, setup): (PoolId, &Setup),
        takers: &[Taker],
        neighbours: &Neighbours,
        tasks: &mut CrewTasks,
    ) {
        for (k, taker) in takers.iter().enumerate() {
            // By how long they take and who does them: the literals that ask for such a setup.
            let mut asked: BTreeMap<(i64, &[CrewWay]), Vec<Lit>> = BTreeMap::new();
            let mut after: Vec<(Lit, Point)> = Vec::new();
            let initial = setup.initial.and_then(|first| setup.work(first, taker.family));
            if let Some(work) = initial {
                asked.entry(work).or_default().push(neighbours.firsts[k]);
            }
            for (a, other) in takers.iter().enumerate() {
                let work = setup.work(other.family, taker.family);
                if let Some((lit, work)) = neighbours.next[a][k].zip(work) {
                    asked.entry(work).or_default().push(lit);
                    after.push((lit, other.end));
                }
            }
            if asked.is_empty() {
                continue;
            }
            let start =
                self.solver.variable(setup.since.min(plan.horizon), plan.horizon, Choice::Active);
            for (lit, end) in after {
                self.solver.before(end, 0, start, Some(lit));
            }
            let mut vars = SetupVars { start, ways: BTreeMap::new() };
            for ((length, ways), lits) in asked {
                let presence = self.any_of(&lits);
                self.solver.before(start, length, taker.start, Some(presence));
                let choices = match vars.ways.get(ways) {
                    Some(known) => known.clone(),
                    None => self.one_of(ways.len()),
                };
                for (way, choice) in ways.iter().zip(0..) {
                    let presence = match choices.get(choice) {
                        Some(&chosen) => self.both(presence, chosen),
                        None => presence,
                    };
                    self.add_setup_task(plan, way, (start, length), presence, tasks);
                }
                vars.ways.insert(ways.to_vec(), choices);
            }
            self.setups.insert((pool, taker.order, taker.step), vars);
        }
    }

    fn add_setup_task(
        &mut self,
        plan: &Plan,
        way: &CrewWay,
        (start, length): (Var, i64),
        presence: Lit,
        tasks: &mut CrewTasks,
    ) {
        let end = Point { var: start, offset: length };
        if let Some(calendar) = way.calendar {
            let segments = self.segments.of(plan, calendar, length, None);
            self.solver.timing(Timing { start, end, condition: Some(presence), segments });
        }
        for need in &way.needs {
            let (amount, presence) = (need.amount, Some(presence));
            let task = Task { start: start.into(), end, amount, presence };
            tasks.entry(need.pool).or_default().push(task);
        }
    }

    /// A literal that holds if one of these does.
    fn any_of(&mut self, lits: &[Lit]) -> Lit {
        if let [only] = lits {
            return *only;
        }
        let any = self.solver.boolean();
        lits.iter().for_each(|&lit| self.solver.clause([!lit, any]));
        self.solver.clause(lits.iter().copied().chain([!any]));
        any
    }

    /// A literal that holds if both do.
    fn both(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.solver.boolean();
        self.solver.clause([!a, !b, both]);
        self.solver.clause([!both, a]);
        self.solver.clause([!both, b]);
        both
    }

    /// Setups like those of this schedule are tried first.
    pub fn suggest_setups(&mut self, plan: &Plan, jobs: &Jobs) {
        for setup in setups(plan, jobs).unwrap_or_default() {
            if let Some(vars) = self.setups.get(&(setup.pool, setup.order, setup.step)) {
                self.solver.suggest(vars.start, setup.start);
            }
        }
    }
}
