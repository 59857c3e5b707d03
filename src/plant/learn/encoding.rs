//! A plan as variables and rules.

use super::crews::AllSetupVars;
use super::segments::Segments;
use super::symmetry::Symmetry;
use crate::plan::{FamilyId, IdVec, OrderId, Plan, PoolId, StepId};
use crate::timetable::{Job, Jobs};
use takt_learn::{Lit, Point, Solver, Var};

/// Pairs of tasks on one unit that are written out at most, some two to five kilobytes each.
pub const MOST_PAIRS: usize = 60_000;

/// Who directly follows whom takes about so many times as much as who comes first.
const NEIGHBOURS: usize = 4;

/// In which sequence variables that follow from decisions get their values: what is paid first, so that
/// times give way to it.
pub mod rank {
    pub const COST: u8 = 0;
    pub const TIME: u8 = 1;
    pub const VALUE: u8 = 2;
}

/// A step as variables.
#[derive(Clone, Debug)]
pub struct StepVars {
    pub start: Var,
    pub end: Point,
    /// For each mode, whether it is taken; empty where there is only one.
    pub modes: Vec<Lit>,
    /// Others may run on its units at the same time, so that no sequence tells when it starts.
    pub is_shared: bool,
    /// For each hold that begins here: its number, and for each choice whether it is taken; empty where there
    /// is only one.
    pub holds: Vec<(usize, Vec<Lit>)>,
}

/// Whoever takes units of a pool.
#[derive(Clone, Copy, Debug)]
pub struct Taker {
    pub order: OrderId,
    pub step: StepId,
    pub start: Point,
    pub end: Point,
    /// At least so much lies between them.
    pub length: i64,
    pub amount: i64,
    pub presence: Option<Lit>,
    pub family: FamilyId,
    /// Work, which lasts at least 1; a hold may take no time at all.
    pub is_step: bool,
}

/// For two takers, by their numbers, the literal by which one is over before the other starts.
pub struct Before {
    count: usize,
    literals: Vec<Option<Lit>>,
}

impl Before {
    pub fn new(count: usize) -> Before {
        Before { count, literals: vec![None; count * count] }
    }

    pub fn set(&mut self, first: usize, second: usize, lit: Lit) {
        self.literals[first * self.count + second] = Some(lit);
    }

    pub fn get(&self, first: usize, second: usize) -> Option<Lit> {
        self.literals[first * self.count + second]
    }
}

/// A plan in the solver's terms.
#[derive(Debug)]
pub struct Encoding {
    pub solver: Solver,
    /// `[order][step]`
    pub steps: IdVec<OrderId, IdVec<StepId, StepVars>>,
    /// What is to be made small; none where any schedule will do.
    pub objective: Option<Var>,
    /// Which literal says that one point is not after another.
    pub orders: Vec<(Lit, Point, Point)>,
    pub segments: Segments,
    /// Costs of setups, by weight.
    pub costs: Vec<(i64, Var)>,
    pub paid: Paid,
    pub symmetry: Symmetry,
    /// Of setups that are work.
    pub setups: AllSetupVars,
}

/// The objective as a sum, where it is one.
#[derive(Debug, Default)]
pub struct Paid {
    /// Weight and variable of everything that is paid; weights are above 0.
    pub terms: Vec<(i64, Var)>,
    /// What is paid anyhow.
    pub fixed: i64,
}

impl Encoding {
    /// `None` where that would be too large.
    pub fn of(plan: &Plan) -> Option<Encoding> {
        if size(plan) > MOST_PAIRS {
            return None;
        }
        let mut encoding = Encoding {
            solver: Solver::new(),
            steps: IdVec::default(),
            objective: None,
            orders: Vec::new(),
            segments: Segments::default(),
            costs: Vec::new(),
            paid: Paid::default(),
            symmetry: Symmetry::of(plan),
            setups: AllSetupVars::new(),
        };
        encoding.add_steps(plan);
        encoding.add_sequels(plan);
        encoding.add_pools(plan);
        encoding.add_objective(plan);
        encoding.break_symmetry(plan);
        Some(encoding)
    }

    /// The solution as jobs.
    pub fn jobs(&self, plan: &Plan) -> Jobs {
        let taken =
            |choices: &[Lit]| choices.iter().position(|&lit| self.solver.is_true(lit)).unwrap_or(0);
        let job = |order: OrderId, step: StepId, vars: &StepVars| {
            let part = &plan.steps(order)[step];
            let (start, mode) = (self.solver.min(vars.start), taken(&vars.modes));
            let end = plan.end(part, &part.modes[mode], start);
            let holds = vars.holds.iter().map(|(hold, choices)| (*hold, taken(choices))).collect();
            Job { start, end: end.unwrap_or(start), mode, holds }
        };
        let own = |(order, own): (OrderId, &IdVec<StepId, StepVars>)| {
            own.entries().map(|(step, vars)| job(order, step, vars)).collect()
        };
        self.steps.entries().map(own).collect()
    }

    /// Solutions like this schedule are tried first.
    pub fn suggest(&mut self, jobs: &Jobs) {
        let mut at = std::collections::BTreeMap::new();
        for (own, vars) in jobs.iter().zip(&self.steps) {
            for (job, vars) in own.iter().zip(vars) {
                at.insert(vars.start, job.start);
                at.insert(vars.end.var, job.end - vars.end.offset);
                for (k, &lit) in vars.modes.iter().enumerate() {
                    suggest(&mut self.solver, lit, k == job.mode);
                }
                for (hold, choices) in &vars.holds {
                    let taken = job.holds.iter().find(|(other, _)| other == hold);
                    for (k, &lit) in choices.iter().enumerate() {
                        suggest(&mut self.solver, lit, taken.is_some_and(|taken| taken.1 == k));
                    }
                }
            }
        }
        at.iter().for_each(|(&var, &value)| self.solver.suggest(var, value));
        for &(lit, first, second) in &self.orders {
            let instant = |point: Point| at.get(&point.var).map_or(0, |at| at + point.offset);
            suggest(&mut self.solver, lit, instant(first) <= instant(second));
        }
    }
}

fn suggest(solver: &mut Solver, lit: Lit, holds: bool) {
    let positive = lit.side == lit.side.var().lower();
    solver.suggest(lit.side.var(), i64::from(positive == holds));
}

/// Pairs of steps and holds that may meet on a pool, by what they take.
pub fn size(plan: &Plan) -> usize {
    let mut takers = plan.pools.filled(0_usize);
    for order in plan.orders.ids() {
        let recipe = plan.recipe(order);
        let modes = recipe.steps.iter().flat_map(|step| &step.modes).flat_map(|mode| &mode.needs);
        let holds = recipe.holds.iter().flat_map(|hold| &hold.choices).flatten();
        modes.chain(holds).for_each(|need| takers[need.pool] += 1);
    }
    let each = |pool: PoolId| if plan.pools[pool].setup.is_some() { NEIGHBOURS } else { 1 };
    let pairs = |(pool, &count): (PoolId, &usize)| {
        (count.saturating_mul(count) / 2).saturating_mul(each(pool))
    };
    takers.entries().map(pairs).fold(0, usize::saturating_add)
}
