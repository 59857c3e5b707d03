//! No resource beyond its units, and no unit taken twice at a time.

use super::Errors;
use super::assign;
use super::crew::Worked;
use super::hold::Held;
use super::place::Job;
use super::plant::{Plant, Pool};
use std::collections::{BTreeMap, BTreeSet};
use takt_spec::{Order, Step};

/// What a step or a hold takes of a resource from `start` to `end`.
pub struct Use<'a> {
    pub order: &'a Order,
    pub step: &'a Step,
    pub is_hold: bool,
    pub is_fact: bool,
    /// It is set up for the step.
    pub is_setup: bool,
    pub start: i64,
    pub end: i64,
    pub amount: usize,
    /// Those of its units that are known.
    pub units: Vec<usize>,
}

pub fn check(plant: &Plant, jobs: &[Job], holds: &[Held], setups: &[Worked], errors: &mut Errors) {
    for (number, uses) in uses(plant.pools.len(), jobs, holds, setups).into_iter().enumerate() {
        let pool = &plant.pools[number];
        let check = Check { plant, pool, uses: &uses };
        let is_counted = check.amounts(errors);
        // A single unit is taken twice just if too much is taken.
        let is_apart = pool.capacity == 1 || check.units(errors);
        if pool.is_named && is_counted && is_apart {
            check.holds(errors);
        }
    }
}

/// For each resource all its uses by start.
pub fn uses<'a>(
    pools: usize,
    jobs: &[Job<'a>],
    holds: &[Held<'a>],
    setups: &[Worked<'a>],
) -> Vec<Vec<Use<'a>>> {
    let mut uses: Vec<Vec<Use>> = (0..pools).map(|_| Vec::new()).collect();
    for placed in jobs.iter().flat_map(|job| job.steps.iter().flatten()) {
        let mut own: BTreeMap<usize, Vec<Option<usize>>> = BTreeMap::new();
        for &(pool, unit) in &placed.taken {
            own.entry(pool).or_default().push(unit);
        }
        for (pool, taken) in own {
            uses[pool].push(Use {
                order: placed.order,
                step: placed.step,
                is_hold: false,
                is_fact: placed.is_fact,
                is_setup: false,
                start: placed.start,
                end: placed.end,
                amount: taken.len(),
                units: taken.into_iter().flatten().collect(),
            });
        }
    }
    for held in holds {
        let Held { order, step, start, end, amount, .. } = *held;
        let units = held.units.clone();
        let (is_hold, is_fact, is_setup) = (true, held.is_fact, false);
        let taken = Use { order, step, is_hold, is_fact, is_setup, start, end, amount, units };
        uses[held.pool].push(taken);
    }
    for worked in setups {
        let Worked { order, step, start, end, .. } = *worked;
        // Whoever does it may be left open, as with holds.
        let (is_hold, is_fact, is_setup) = (true, false, true);
        for (pool, amount, units) in &worked.crew {
            let (amount, units) = (*amount, units.clone());
            let taken = Use { order, step, is_hold, is_fact, is_setup, start, end, amount, units };
            uses[*pool].push(taken);
        }
    }
    for uses in &mut uses {
        apart(uses);
        uses.retain(|taken| taken.start < taken.end);
        uses.sort_by_key(|taken| (taken.start, taken.end));
    }
    uses
}

/// No rule is checked between facts: what one of them has of a unit, the next one does not take again.
fn apart(uses: &mut Vec<Use>) {
    if uses.iter().all(|one| !one.is_fact) {
        return;
    }
    let mut whole = std::mem::take(uses);
    whole.sort_by_key(|taken| (taken.start, taken.end));
    let mut busy: BTreeMap<usize, i64> = BTreeMap::new();
    for one in whole {
        if !one.is_fact || one.units.len() < one.amount {
            uses.push(one);
            continue;
        }
        for &unit in &one.units {
            let until = busy.entry(unit).or_insert(i64::MIN);
            let (start, end) = (one.start.max(*until), one.end);
            *until = end.max(*until);
            let Use { order, step, is_hold, is_fact, is_setup, .. } = one;
            let (amount, units) = (1, vec![unit]);
            uses.push(Use { order, step, is_hold, is_fact, is_setup, start, end, amount, units });
        }
    }
}

struct Check<'c, 'a> {
    plant: &'c Plant<'a>,
    pool: &'c Pool<'a>,
    /// By start.
    uses: &'c [Use<'a>],
}

impl Check<'_, '_> {
    /// Counts what is taken at each start.
    fn amounts(&self, errors: &mut Errors) -> bool {
        let mut running: BTreeSet<(i64, usize)> = BTreeSet::new();
        let mut taken = 0;
        let mut is_kept = true;
        for (number, next) in self.uses.iter().enumerate() {
            while let Some(&(end, other)) = running.first().filter(|first| first.0 <= next.start) {
                taken -= self.uses[other].amount;
                running.remove(&(end, other));
            }
            let last = running.last().map(|&(_, other)| &self.uses[other]);
            if taken + next.amount > self.pool.capacity {
                self.too_much(next, taken, last, errors);
                is_kept = false;
            }
            taken += next.amount;
            running.insert((next.end, number));
        }
        is_kept
    }

    fn too_much(&self, next: &Use, taken: usize, other: Option<&Use>, errors: &mut Errors) {
        let (resource, capacity) = (self.pool.name(), self.pool.capacity);
        let who = other.map_or(String::new(), |other| self.describe(other));
        let message = if capacity == 1 {
            format!("{} `{resource}` {}, while {who}", verb(next), self.span(next))
        } else {
            let total = taken + next.amount;
            let amount = next.amount;
            let more = if who.is_empty() { who } else { format!("; {who}") };
            let span = self.span(next);
            format!(
                "{} {amount} of `{resource}` {span}: {total} of {capacity} then{more}",
                verb(next)
            )
        };
        errors.push(next.order, next.step, "capacity", message);
    }

    /// Compares each use of a known unit with the one before it that lasts longest.
    fn units(&self, errors: &mut Errors) -> bool {
        let mut last: BTreeMap<usize, &Use> = BTreeMap::new();
        let mut is_kept = true;
        for next in self.uses {
            for unit in &next.units {
                let other = last.get(unit).copied();
                if let Some(other) = other.filter(|other| other.end > next.start) {
                    let (unit, span) = (self.pool.show(*unit), self.span(next));
                    let who = self.describe(other);
                    let message = format!("{} {unit} {span}, while {who}", verb(next));
                    errors.push(next.order, next.step, "overlap", message);
                    is_kept = false;
                }
                if other.is_none_or(|other| other.end < next.end) {
                    last.insert(*unit, next);
                }
            }
        }
        is_kept
    }

    /// A hold keeps its units throughout, also where no row says which.
    fn holds(&self, errors: &mut Errors) {
        let takes = |number: usize, unit: usize| {
            let Use { order, step, .. } = self.uses[number];
            let has_begun = self.plant.facts.of(&order.id.value, &step.name.value).is_some();
            has_begun || self.pool.takes(unit, order.family())
        };
        if let Err(stuck) = assign::assign(self.uses, self.pool.capacity, &takes) {
            let held = &self.uses[stuck];
            let (resource, span) = (self.pool.name(), self.span(held));
            let message = format!("holds `{resource}` {span}, but no unit stays free for that");
            errors.push(held.order, held.step, "hold", message);
        }
    }

    fn span(&self, of: &Use) -> String {
        format!("from {} to {}", self.plant.clock.show(of.start), self.plant.clock.show(of.end))
    }

    fn describe(&self, other: &Use) -> String {
        let (step, order) = (&other.step.name.value, &other.order.id.value);
        let span = self.span(other);
        match (other.is_setup, other.is_hold) {
            (true, _) => format!("the setup for `{step}` of {order} has it {span}"),
            (false, true) => format!("`{step}` of {order} holds it {span}"),
            (false, false) => format!("`{step}` of {order} has it {span}"),
        }
    }
}

fn verb(of: &Use) -> &'static str {
    match (of.is_setup, of.is_hold) {
        (true, _) => "takes for its setup",
        (false, true) => "holds",
        (false, false) => "takes",
    }
}
