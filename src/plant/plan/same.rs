//! Steps that take what an earlier step of their order took.
//!
//! Units of which it matters which one is meant are pools of their own. Each mode of such a step then belongs to one
//! mode of the earlier step ([`Mode::same`]), and takes what that takes. A mode after which some step finds no way is left out, so that
//! nobody runs into it.

use super::build::{Builder, Found};
use super::facts::{Done, Facts};
use super::ids::{Id, IdVec, StepId};
use super::{MAX_MODES, Mode, Need, ResourceId, Step, Steps, Unit};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::Diagnostic;
use takt_spec::{self as spec, Alternative, Spec};

/// What is taken again, and the modes of the earlier steps that it comes from.
type Again = (Vec<Need>, Vec<(StepId, usize)>);

/// Units that steps take again: unless all are taken, each is one by itself, and so is what a fact has taken.
pub fn told_apart(
    spec: &Spec,
    facts: &Facts,
    resources: &BTreeMap<&str, ResourceId>,
) -> Found<BTreeSet<Unit>> {
    let mut found = BTreeSet::new();
    let mut repeated: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for recipe in &spec.recipes {
        for same in recipe.steps.iter().flat_map(|s| &s.alternatives).flat_map(|way| &way.same) {
            let name = same.step.value.as_str();
            if !repeated.entry(&recipe.name.value).or_default().insert(name) {
                continue;
            }
            let ways = recipe.step(name).map_or(&[][..], |step| &step.alternatives);
            for need in ways.iter().flat_map(|way| &way.requirements) {
                let resource = resources[need.resource.value.as_str()];
                let units = spec.resources[resource.index()].capacity();
                if units > MAX_MODES as i64 {
                    let name = &need.resource.value;
                    let message = format!("`{name}` has {units} units, too many to tell apart");
                    let wrong = Diagnostic::error("too-large", same.step.span, message);
                    return Err(Box::new(wrong.label(format!("at most {MAX_MODES}"))));
                }
                if need.amount.value < units {
                    found.extend((0..units as usize).map(|number| Unit { resource, number }));
                }
            }
        }
    }
    for order in &spec.orders {
        for step in repeated.get(order.recipe.value.as_str()).into_iter().flatten() {
            let done = facts.steps.get(&(order.id.value.as_str(), *step));
            found.extend(done.iter().flat_map(|done| &done.units));
        }
    }
    Ok(found)
}

/// The steps of a recipe, those first of which others take the same.
pub fn repeated_first(recipe: &spec::Recipe, positions: &BTreeMap<&str, StepId>) -> Vec<StepId> {
    let mut sequence: Vec<StepId> = Vec::new();
    let mut is_there = vec![false; recipe.steps.len()];
    for first in 0..recipe.steps.len() {
        let mut stack = vec![StepId(first)];
        while let Some(&k) = stack.last() {
            let ways = recipe.steps[k.index()].alternatives.iter();
            let mut asked =
                ways.flat_map(|way| &way.same).map(|same| positions[same.step.value.as_str()]);
            match asked.find(|other| !is_there[other.index()]) {
                Some(other) => stack.push(other),
                None => {
                    if !std::mem::replace(&mut is_there[k.index()], true) {
                        sequence.push(k);
                    }
                    stack.pop();
                }
            }
        }
    }
    sequence
}

/// Leaves out modes after which a step that takes the same has none.
pub fn drop_dead_ends(steps: &mut Steps) {
    while let Some((step, kept)) = dead_end(steps) {
        let number = |k: usize| kept[..k].iter().filter(|is_kept| **is_kept).count();
        let mut is_kept = kept.iter();
        steps[step].modes.retain(|_| is_kept.next().copied().unwrap_or(false));
        let all = steps.iter_mut().flat_map(|step| &mut step.modes).flat_map(|mode| &mut mode.same);
        for (_, mode) in all.filter(|(other, _)| *other == step) {
            *mode = number(*mode);
        }
    }
}

/// A step of which some modes, but not all, can be followed.
fn dead_end(steps: &Steps) -> Option<(StepId, Vec<bool>)> {
    for later in steps {
        let asked: BTreeSet<StepId> =
            later.modes.iter().flat_map(|mode| &mode.same).map(|same| same.0).collect();
        for step in asked {
            // A mode that does not ask for it follows any.
            let follows = |k: usize| {
                later.modes.iter().any(|mode| {
                    mode.same.iter().all(|&(other, wanted)| other != step || wanted == k)
                })
            };
            let kept: Vec<bool> = (0..steps[step].modes.len()).map(follows).collect();
            if kept.contains(&false) && kept.contains(&true) {
                return Some((step, kept));
            }
        }
    }
    None
}

impl<'s> Builder<'s> {
    /// The modes of an alternative that takes what other steps took.
    pub fn same_modes(
        &mut self,
        (alternative, family): (usize, &str),
        way: &'s Alternative,
        order: &'s spec::Order,
        (positions, made): (&BTreeMap<&str, StepId>, &IdVec<StepId, Option<Step>>),
        modes: &mut Vec<Mode>,
    ) -> Found<()> {
        let whole = self.whole(way, self.spec.scope(order))?;
        let mut own: BTreeMap<ResourceId, i64> = BTreeMap::new();
        for need in &way.requirements {
            own.insert(self.resource_index[need.resource.value.as_str()], need.amount.value);
        }
        let mut taken: Vec<Again> = vec![Again::default()];
        let recipe = self.spec.recipe(&order.recipe.value);
        for same in &way.same {
            let k = positions[same.step.value.as_str()];
            let Some(other) = recipe.and_then(|recipe| recipe.steps.get(k.index())) else {
                continue;
            };
            let other_way = &other.alternatives[same.alternative];
            for need in &other_way.requirements {
                let resource = self.resource_index[need.resource.value.as_str()];
                *own.entry(resource).or_default() -= need.amount.value;
            }
            let ways: Vec<(Vec<Need>, Option<usize>)> = match (self.fact(order, other), &made[k]) {
                (Some(done), _) => self.done_like(done, other_way).into_iter().collect(),
                (None, None) => Vec::new(),
                (None, Some(step)) => (step.modes.iter().enumerate())
                    .filter(|(_, mode)| mode.alternative == same.alternative)
                    .map(|(m, mode)| (mode.needs.clone(), (step.modes.len() > 1).then_some(m)))
                    .collect(),
            };
            let both = |(needs, from): &Again, (more, mode): &(Vec<Need>, Option<usize>)| {
                let from = from.iter().copied().chain(mode.map(|mode| (k, mode))).collect();
                ([&needs[..], &more[..]].concat(), from)
            };
            taken = (taken.iter())
                .flat_map(|known| ways.iter().map(move |more| both(known, more)))
                .take(MAX_MODES + 1)
                .collect();
        }
        let own: Vec<(ResourceId, i64)> = own.into_iter().filter(|need| need.1 > 0).collect();
        let beside = self.combinations(&own, Some(family));
        for (again, same) in taken {
            for more in &beside {
                if modes.len() <= MAX_MODES
                    && let Some(needs) = self.together(&again, more, family)
                {
                    let mode = self.mode(alternative, (way, whole), needs)?;
                    modes.push(Mode { same: same.clone(), ..mode });
                }
            }
        }
        Ok(())
    }

    /// What a fact took, if that is what this alternative takes.
    fn done_like(&self, done: &Done, way: &Alternative) -> Option<(Vec<Need>, Option<usize>)> {
        let mut amounts: BTreeMap<ResourceId, i64> = BTreeMap::new();
        done.units.iter().for_each(|unit| *amounts.entry(unit.resource).or_default() += 1);
        let wanted: BTreeMap<ResourceId, i64> = (way.requirements.iter())
            .map(|need| (self.resource_index[need.resource.value.as_str()], need.amount.value))
            .collect();
        let need = |unit: &Unit| Some(Need { pool: self.pool_of(*unit)?, amount: 1 });
        (amounts == wanted)
            .then(|| Some((done.units.iter().map(need).collect::<Option<Vec<_>>>()?, None)))?
    }

    /// Both at once; `None` where that is more than there is, or not for this family.
    fn together(&self, again: &[Need], more: &[Need], family: &str) -> Option<Vec<Need>> {
        let mut amounts: BTreeMap<_, i64> = BTreeMap::new();
        for need in again.iter().chain(more) {
            *amounts.entry(need.pool).or_default() += need.amount;
        }
        let fits = amounts.iter().all(|(&pool, &amount)| {
            amount <= self.plan.pools[pool].capacity() && self.terms[pool].takes(family)
        });
        let need = |(pool, amount)| Need { pool, amount };
        fits.then(|| amounts.into_iter().map(need).collect())
    }
}
