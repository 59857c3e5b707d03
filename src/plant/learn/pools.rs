//! What steps and holds take: no pool beyond its capacity.

use super::crews::CrewTasks;
use super::encoding::{Before, Encoding, Taker};
use crate::plan::{IdVec, LagFrom, Need, OrderId, Plan, PoolId, Recipe, RecipeId, StepId};
use std::collections::BTreeMap;
use takt_learn::{Lit, Span, Task};

impl Encoding {
    pub fn add_pools(&mut self, plan: &Plan) {
        let takers = self.takers(plan);
        let reaches: IdVec<RecipeId, Reach> = plan.recipes.iter().map(reach).collect();
        let follows = |a: &Taker, b: &Taker| {
            a.order == b.order
                && a.is_step
                && b.is_step
                && reaches[plan.orders[a.order].recipe][a.step][b.step]
        };
        let mut sequences = BTreeMap::new();
        let mut crews = CrewTasks::new();
        let mut pools: Vec<PoolId> = plan.pools.ids().collect();
        if plan.has_crews() {
            // Whoever takes crews comes first.
            pools.sort_by_key(|&pool| plan.pools[pool].setup.is_none());
        }
        for pool in pools {
            let own = &takers[pool];
            if let Some(setup) = &plan.pools[pool].setup {
                let neighbours = self.add_setups(setup, own, &follows);
                if let Some(neighbours) = neighbours.filter(|_| setup.crew.is_some()) {
                    self.add_crew(plan, (pool, setup), own, &neighbours, &mut crews);
                }
                continue;
            }
            let crew = crews.remove(&pool).unwrap_or_default();
            let capacity = plan.pools[pool].capacity();
            let mut is_covered = true;
            let mut before = Before::new(own.len());
            for (k, a) in own.iter().enumerate() {
                for (l, b) in own[..k].iter().enumerate() {
                    let is_alone = a.amount + b.amount > capacity;
                    is_covered &= is_alone;
                    if !is_alone {
                        continue;
                    }
                    match (follows(a, b), follows(b, a)) {
                        (true, _) => before.set(k, l, self.solver.truth()),
                        (_, true) => before.set(l, k, self.solver.truth()),
                        _ if a.is_step && b.is_step => {
                            let [ab, ba] = self.keep_apart(a, b, &mut sequences);
                            before.set(k, l, ab);
                            before.set(l, k, ba);
                        }
                        _ => is_covered = false,
                    }
                }
            }
            self.look_at_sets(own, &before, |taker| 2 * taker.amount > capacity);
            let is_too_much = own.iter().any(|taker| taker.amount > capacity);
            if !is_covered || is_too_much || !crew.is_empty() {
                self.share(own, crew, capacity);
            }
        }
    }

    fn share(&mut self, takers: &[Taker], crew: Vec<Task>, capacity: i64) {
        let task = |taker: &Taker| {
            let Taker { start, end, amount, presence, .. } = *taker;
            Task { start, end, amount, presence }
        };
        self.solver.cumulative(takers.iter().map(task).chain(crew).collect(), capacity);
    }

    /// One of two comes first where both are there. Literals for that serve all pools on which they meet.
    fn keep_apart(
        &mut self,
        a: &Taker,
        b: &Taker,
        sequences: &mut BTreeMap<[(OrderId, StepId); 2], [Lit; 2]>,
    ) -> [Lit; 2] {
        let key = [(a.order, a.step), (b.order, b.step)];
        let is_certain = a.presence.is_none() && b.presence.is_none();
        let known = sequences.get(&key).copied();
        let [ab, ba] = known.unwrap_or_else(|| {
            let ab = self.solver.boolean();
            let ba = if is_certain { !ab } else { self.solver.boolean() };
            self.order(ab, a, b, 0);
            self.order(ba, b, a, 0);
            [ab, ba]
        });
        sequences.insert(key, [ab, ba]);
        if ba != !ab {
            let absent = [a.presence, b.presence].into_iter().flatten().map(|lit| !lit);
            self.solver.clause([ab, ba].into_iter().chain(absent));
        }
        [ab, ba]
    }

    /// Of those that are never there at the same time, what pairs do not see.
    pub fn look_at_sets(
        &mut self,
        takers: &[Taker],
        before: &Before,
        is_alone: impl Fn(&Taker) -> bool,
    ) {
        let alone: Vec<usize> =
            (0..takers.len()).filter(|&k| takers[k].is_step && is_alone(&takers[k])).collect();
        if alone.len() < 3 {
            return;
        }
        let span = |&k: &usize| {
            let Taker { start, end, length, presence, .. } = takers[k];
            Span { start, end, length, presence }
        };
        let pairs = alone.iter().flat_map(|&a| alone.iter().map(move |&b| before.get(a, b)));
        self.solver.disjunctive(alone.iter().map(span).collect(), pairs.collect());
    }

    /// Where the literal holds, `a` ends so long before `b` starts.
    pub fn order(&mut self, lit: Lit, a: &Taker, b: &Taker, gap: i64) {
        self.solver.before(a.end, gap, b.start, Some(lit));
        if !self.orders.iter().rev().take(2).any(|known| known.0 == !lit) {
            self.orders.push((lit, a.end, b.start));
        }
    }

    /// Who takes units of each pool.
    fn takers(&mut self, plan: &Plan) -> IdVec<PoolId, Vec<Taker>> {
        let mut takers: IdVec<PoolId, Vec<Taker>> = plan.pools.filled(Vec::new());
        for order in plan.orders.ids() {
            let recipe = plan.recipe(order);
            for (number, step) in recipe.steps.entries() {
                let vars = self.steps[order][number].clone();
                let (start, family) = (vars.start.into(), step.family);
                let base = Taker {
                    order,
                    step: number,
                    start,
                    end: vars.end,
                    length: step.shortest(),
                    amount: 0,
                    presence: None,
                    family,
                    is_step: true,
                };
                let needs: Vec<&[Need]> = step.modes.iter().map(|mode| &mode.needs[..]).collect();
                self.add_takers(&needs, &vars.modes, base, &mut takers);
                for (hold, choices) in &vars.holds {
                    let rule = &recipe.holds[*hold];
                    let end = self.steps[order][rule.until].end;
                    let base = Taker { end, length: 0, is_step: false, ..base };
                    let needs: Vec<&[Need]> = rule.choices.iter().map(|needs| &needs[..]).collect();
                    self.add_takers(&needs, choices, base, &mut takers);
                }
            }
        }
        takers
    }

    /// What is taken alike in several ways is taken once.
    fn add_takers(
        &mut self,
        ways: &[&[Need]],
        taken: &[Lit],
        base: Taker,
        takers: &mut IdVec<PoolId, Vec<Taker>>,
    ) {
        let mut by_need: BTreeMap<Need, Vec<usize>> = BTreeMap::new();
        for (way, needs) in ways.iter().enumerate() {
            needs.iter().for_each(|need| by_need.entry(*need).or_default().push(way));
        }
        for (need, own) in by_need {
            let presence = match own.as_slice() {
                all if all.len() == ways.len() => None,
                [one] => taken.get(*one).copied(),
                several => {
                    let any = self.solver.boolean();
                    let lits: Vec<Lit> = several.iter().map(|&way| taken[way]).collect();
                    lits.iter().for_each(|&lit| self.solver.clause([!lit, any]));
                    self.solver.clause(lits.into_iter().chain([!any]));
                    Some(any)
                }
            };
            takers[need.pool].push(Taker { amount: need.amount, presence, ..base });
        }
    }
}

/// `[a][b]`: step b starts no earlier than step a ends, by the recipe.
type Reach = IdVec<StepId, IdVec<StepId, bool>>;

fn reach(recipe: &Recipe) -> Reach {
    let steps = &recipe.steps;
    let mut found = steps.filled(steps.filled(false));
    for (b, step) in recipe.steps.entries() {
        for link in &step.after {
            let gap = match link.from {
                LagFrom::End => link.min,
                LagFrom::Start => link.min - recipe.steps[link.before].longest(),
            };
            let pauses = link.from == LagFrom::Start && recipe.steps[link.before].pause.is_some();
            found[link.before][b] |= gap >= 0 && !pauses;
        }
    }
    for middle in steps.ids() {
        for a in steps.ids() {
            for b in steps.ids() {
                found[a][b] |= found[a][middle] && found[middle][b];
            }
        }
    }
    found
}
