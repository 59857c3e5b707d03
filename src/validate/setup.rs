//! Setups between neighbours on a unit: time to leave, costs to pay, and the rows that tell of them.

use super::Errors;
use super::amount;
use super::place::{Job, Placed, stranger};
use super::plant::{Plant, Pool, family};
use std::collections::BTreeMap;
use takt_spec::schedule::{Kind, Row, Schedule};
use takt_spec::{Effort, Initial, Recipe, Setup};

/// What all setups cost together, in millionths; `None` if that cannot be told.
pub fn check<'a>(
    plant: &Plant<'a>,
    jobs: &[Job<'a>],
    schedule: &'a Schedule,
    errors: &mut Errors,
) -> Option<i128> {
    let mut rows = Rows::new(schedule);
    let mut cost = Some(0_i128);
    for (number, pool) in plant.pools.iter().enumerate() {
        let Some(setup) = &pool.resource.setup else { continue };
        let changes = setup.matrix.iter();
        let matrix = changes.map(|c| ((c.from.value.as_str(), c.to.value.as_str()), &c.effort));
        let matrix = matrix.collect();
        for (unit, line) in users(jobs, number, pool.capacity).iter().enumerate() {
            let machine = SetupLine { plant, pool, setup, matrix: &matrix, unit };
            let paid = machine.check(line, &mut rows, errors);
            cost = cost.zip(paid).and_then(|(sum, paid)| sum.checked_add(paid));
        }
    }
    // A step that is nowhere, or on no unit in particular, has unknown neighbours.
    let is_vague = jobs.iter().flat_map(|job| &job.steps).any(|placed| {
        let is_lost = |&(pool, unit): &(usize, Option<usize>)| {
            unit.is_none() && plant.pools[pool].resource.setup.is_some()
        };
        placed.as_ref().is_none_or(|placed| placed.is_vague || placed.taken.iter().any(is_lost))
    });
    rows.rest(plant, jobs, errors);
    cost.filter(|_| !is_vague)
}

/// The steps on each unit of a resource, by start.
fn users<'j, 'a>(jobs: &'j [Job<'a>], pool: usize, units: usize) -> Vec<Vec<&'j Placed<'a>>> {
    let mut users = vec![Vec::new(); units];
    for placed in jobs.iter().flat_map(|job| job.steps.iter().flatten()) {
        for (_, unit) in placed.taken.iter().filter(|taken| taken.0 == pool) {
            unit.iter().for_each(|unit| users[*unit].push(placed));
        }
    }
    for line in &mut users {
        line.sort_by_key(|placed| (placed.start, placed.end));
    }
    users
}

/// One unit with setups, and the matrix of its resource.
struct SetupLine<'p, 'a> {
    plant: &'p Plant<'a>,
    pool: &'p Pool<'a>,
    setup: &'p Setup,
    matrix: &'p BTreeMap<(&'p str, &'p str), &'p Effort>,
    unit: usize,
}

impl<'a> SetupLine<'_, 'a> {
    /// The setups before each of the steps on this unit; gives their cost.
    fn check(
        &self,
        line: &[&Placed<'a>],
        rows: &mut Rows<'a>,
        errors: &mut Errors,
    ) -> Option<i128> {
        let mut before: Option<(&str, i64, Option<&Placed<'a>>)> =
            self.initial().map(|family| (family, 0, None));
        let mut cost = Some(0_i128);
        for placed in line {
            let to = family(placed.order, placed.step);
            if let Some((from, end, earlier)) = before {
                let nothing = Effort::default();
                let effort = self.effort(from, to).unwrap_or(&nothing);
                let scope = self.plant.spec.constants();
                let time = amount::whole_or_zero(effort.time.as_ref(), scope).unwrap_or(0);
                let price = amount::price(effort.cost.as_ref(), scope);
                cost = cost.zip(price).and_then(|(sum, price)| sum.checked_add(price));
                let are_facts = placed.is_fact && earlier.is_none_or(|earlier| earlier.is_fact);
                if !are_facts {
                    self.time(placed, (end, earlier), (from, to), time, errors);
                }
                rows.match_setup(self, placed, time, errors);
            } else {
                rows.match_setup(self, placed, 0, errors);
            }
            before = Some((to, placed.end, Some(*placed)));
        }
        cost
    }

    /// Starts at the earliest so long after the end of the step before.
    fn time(
        &self,
        placed: &Placed,
        (end, earlier): (i64, Option<&Placed>),
        (from, to): (&str, &str),
        time: i64,
        errors: &mut Errors,
    ) {
        // Steps that overlap break another rule.
        let since = if placed.is_fact { end } else { end.max(self.plant.facts.now) };
        let gap = i128::from(placed.start) - i128::from(since);
        if time == 0 || gap >= i128::from(time) || (gap < 0 && earlier.is_some()) {
            return;
        }
        let (start, end) = (self.plant.clock.show(placed.start), self.plant.clock.show(end));
        let since = match earlier {
            Some(earlier) => {
                let (step, order) = (&earlier.step.name.value, &earlier.order.id.value);
                format!("`{step}` of {order} ended there at {end}")
            }
            None => format!("it stood there at {end}"),
        };
        let unit = self.pool.show(self.unit);
        let message = format!(
            "starts at {start} on {unit}, but the setup from `{from}` to `{to}` takes {time} and {since}"
        );
        errors.push(placed.order, placed.step, "setup", message);
    }

    fn initial(&self) -> Option<&str> {
        match self.pool.resource.initial.as_ref()? {
            Initial::All(family) => Some(&family.value),
            Initial::PerUnit(all) => {
                let own = self.pool.show(self.unit);
                all.iter().find(|(unit, _)| unit.value == own).map(|(_, f)| f.value.as_str())
            }
        }
    }

    /// Equal families need nothing unless the matrix says so.
    fn effort(&self, from: &str, to: &str) -> Option<&Effort> {
        let otherwise = (from != to).then_some(&self.setup.otherwise);
        self.matrix.get(&(from, to)).copied().or(otherwise)
    }
}

/// The setup rows, by order, step and resource, until they are accounted for.
struct Rows<'r>(BTreeMap<(&'r str, &'r str, &'r str), Vec<&'r Row>>);

impl<'r> Rows<'r> {
    fn new(schedule: &'r Schedule) -> Rows<'r> {
        let mut rows: BTreeMap<_, Vec<&Row>> = BTreeMap::new();
        for row in schedule.rows.iter().filter(|row| row.kind == Kind::Setup) {
            let key = (row.order.as_str(), row.step.as_str(), row.resource.as_str());
            rows.entry(key).or_default().push(row);
        }
        Rows(rows)
    }

    /// A row is not needed; one that is there tells the setup as it is.
    fn match_setup(
        &mut self,
        machine: &SetupLine<'_, 'r>,
        placed: &Placed<'r>,
        time: i64,
        errors: &mut Errors,
    ) {
        let (order, step) = (&placed.order.id.value, &placed.step.name.value);
        let found = self.0.remove(&(order.as_str(), step.as_str(), machine.pool.name()));
        for (position, row) in found.unwrap_or_default().into_iter().enumerate() {
            let clock = &machine.plant.clock;
            let begin = placed.start.saturating_sub(time);
            let message = match machine.pool.unit(&row.unit) {
                _ if time == 0 => "has a setup row, but needs no setup".to_owned(),
                _ if position > 0 => "has more than one setup row".to_owned(),
                Err(message) => message,
                Ok(unit) if unit.is_some_and(|unit| unit != machine.unit) => {
                    let (wrong, right) = (&row.unit, machine.pool.show(machine.unit));
                    format!("has its setup on {wrong}, but works on {right}")
                }
                Ok(_) if (row.start, row.end) != (begin, placed.start) => format!(
                    "has its setup from {} to {} instead of {} to {}",
                    clock.show(row.start),
                    clock.show(row.end),
                    clock.show(begin),
                    clock.show(placed.start)
                ),
                Ok(_) => continue,
            };
            errors.push(placed.order, placed.step, "setup-row", message);
        }
    }

    /// Rows of setups that nobody needs.
    fn rest(self, plant: &Plant, jobs: &[Job], errors: &mut Errors) {
        if self.0.is_empty() {
            return;
        }
        let recipes: BTreeMap<&str, &Recipe> =
            jobs.iter().map(|job| (job.order.id.value.as_str(), job.recipe)).collect();
        for ((order, step, resource), _) in self.0 {
            let recipe = recipes.get(order).copied();
            if recipe.and_then(|recipe| recipe.step(step)).is_none() {
                errors.0.push(stranger(plant, order, step, recipe));
            } else if plant.pool(resource).is_none() {
                let message = format!("the spec has no resource `{resource}`");
                errors.tell(order, step, "unknown-resource", message);
            } else {
                let message = format!("has a setup row on `{resource}`, but needs no setup there");
                errors.tell(order, step, "setup-row", message);
            }
        }
    }
}
