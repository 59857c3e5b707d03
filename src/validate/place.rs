//! Rows become steps in their places: who starts when, on which units, in which way.
//!
//! Judges what a step's rows say among themselves: that there are any, that they agree, that they
//! name what exists and together take what one of the step's alternatives takes.

use super::plant::{Plant, Pool};
use super::{Errors, Violation};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use takt_diagnostic::nearest;
use takt_spec::schedule::{Row, Schedule};
use takt_spec::{Alternative, Order, Recipe, Requirement, Step};

/// A step of an order as the schedule has it.
pub struct Placed<'a> {
    pub order: &'a Order,
    pub step: &'a Step,
    pub start: i64,
    pub end: i64,
    /// Its units: the resource, and which one if that is known.
    pub taken: Vec<(usize, Option<usize>)>,
    /// A resource or unit was not understood.
    pub is_vague: bool,
    /// The work its rows claim.
    pub claim: Option<i64>,
    /// It is fixed: it is as it is.
    pub is_fact: bool,
    /// The alternatives that take what the rows take.
    pub ways: Vec<&'a Alternative>,
}

/// All steps of an order in its recipe's sequence; `None` where a step is missing.
pub struct Job<'a> {
    pub order: &'a Order,
    pub recipe: &'a Recipe,
    pub steps: Vec<Option<Placed<'a>>>,
    names: Rc<Names<'a>>,
}

/// The position of each step of a recipe.
type Names<'a> = BTreeMap<&'a str, usize>;

impl<'a> Job<'a> {
    /// The step of this name, if it is placed.
    pub fn placed(&self, name: &str) -> Option<&Placed<'a>> {
        self.steps[*self.names.get(name)?].as_ref()
    }

    pub fn has_step(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }
}

type Groups<'a> = BTreeMap<(&'a str, &'a str), Vec<&'a Row>>;

/// The jobs of all orders, in the spec's sequence.
pub fn place<'a>(plant: &Plant<'a>, schedule: &'a Schedule, errors: &mut Errors) -> Vec<Job<'a>> {
    let mut groups: Groups = BTreeMap::new();
    for row in schedule.steps() {
        groups.entry((&row.order, &row.step)).or_default().push(row);
    }
    let mut jobs = Vec::new();
    let mut names: BTreeMap<&str, Rc<Names>> = BTreeMap::new();
    for order in &plant.spec.orders {
        let Some(recipe) = plant.recipe(order) else { continue };
        let mut steps = Vec::new();
        for step in &recipe.steps {
            let key = (order.id.value.as_str(), step.name.value.as_str());
            let rows = groups.remove(&key).unwrap_or_default();
            steps.push(StepReader { plant, order, step, errors }.step(rows));
        }
        let names = names.entry(&recipe.name.value).or_insert_with(|| Rc::new(numbered(recipe)));
        jobs.push(Job { order, recipe, steps, names: names.clone() });
    }
    let orders: BTreeMap<&str, &Order> =
        plant.spec.orders.iter().map(|order| (order.id.value.as_str(), order)).collect();
    for (order, step) in groups.into_keys() {
        let known = orders.get(order).and_then(|order| plant.recipe(order));
        errors.0.push(stranger(plant, order, step, known));
    }
    jobs
}

fn numbered(recipe: &Recipe) -> Names<'_> {
    recipe.steps.iter().enumerate().map(|(k, step)| (step.name.value.as_str(), k)).collect()
}

/// A row of a step or order that does not exist.
pub fn stranger(plant: &Plant, order: &str, step: &str, recipe: Option<&Recipe>) -> Violation {
    let mean =
        |name: Option<&str>| name.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
    let (rule, message) = match recipe {
        None => {
            let names = plant.spec.orders.iter().map(|order| order.id.value.as_str());
            let hint = mean(nearest(order, names));
            ("unknown-order", format!("the spec has no order `{order}`{hint}"))
        }
        Some(recipe) => {
            let names = recipe.steps.iter().map(|step| step.name.value.as_str());
            let hint = mean(nearest(step, names));
            let recipe = &recipe.name.value;
            ("unknown-step", format!("the recipe `{recipe}` has no step `{step}`{hint}"))
        }
    };
    Violation { order: order.to_owned(), step: step.to_owned(), rule, message }
}

/// Makes one step in its place out of its rows.
struct StepReader<'r, 'a> {
    plant: &'r Plant<'a>,
    order: &'a Order,
    step: &'a Step,
    errors: &'r mut Errors,
}

impl<'a> StepReader<'_, 'a> {
    fn report(&mut self, rule: &'static str, message: String) {
        self.errors.push(self.order, self.step, rule, message);
    }

    fn step(&mut self, rows: Vec<&'a Row>) -> Option<Placed<'a>> {
        let Some(first) = rows.first().copied() else {
            self.report("missing-step", "is missing in the schedule".to_owned());
            return None;
        };
        let rows = self.single(rows);
        self.agree(&rows);
        let mut taken = Vec::new();
        let mut is_vague = false;
        for row in &rows {
            match self.unit(row) {
                Ok(unit) => taken.extend(unit),
                Err(()) => is_vague = true,
            }
        }
        let is_fact = self.plant.facts.of(&self.order.id.value, &self.step.name.value).is_some();
        let ways = if is_fact { Vec::new() } else { self.ways(&taken, is_vague) };
        Some(Placed {
            order: self.order,
            step: self.step,
            start: rows.iter().map(|row| row.start).min().unwrap_or(first.start),
            end: rows.iter().map(|row| row.end).max().unwrap_or(first.end),
            taken,
            is_vague,
            claim: rows.iter().find_map(|row| row.work),
            is_fact,
            ways,
        })
    }

    /// Each unit once; a step that takes nothing has one row.
    fn single(&mut self, rows: Vec<&'a Row>) -> Vec<&'a Row> {
        let mut seen = BTreeSet::new();
        let mut single = Vec::new();
        let mut repeated = 0;
        for row in rows {
            // Rows that leave the unit open may be many.
            let is_open = row.unit.is_empty() && !row.resource.is_empty();
            if is_open || seen.insert((&row.resource, &row.unit)) {
                single.push(row);
            } else {
                repeated += 1;
            }
        }
        if repeated > 0 {
            let rows = if repeated == 1 { "row" } else { "rows" };
            let message = format!("has {repeated} {rows} too many, of units that it has already");
            self.report("duplicate-row", message);
        }
        single
    }

    /// All rows of a step tell one start, one end, one amount of work, and the order's recipe.
    fn agree(&mut self, rows: &[&Row]) {
        let Some((first, others)) = rows.split_first() else { return };
        if let Some(other) = others.iter().find(|r| (r.start, r.end) != (first.start, first.end)) {
            let clock = &self.plant.clock;
            let span = |row: &Row| format!("{} to {}", clock.show(row.start), clock.show(row.end));
            let message = format!(
                "takes `{}` from {}, but `{}` from {}",
                first.resource,
                span(first),
                other.resource,
                span(other)
            );
            self.report("rows", message);
        }
        let claims: BTreeSet<i64> = rows.iter().filter_map(|row| row.work).collect();
        if claims.len() > 1 {
            self.report("work", "has rows that tell different work".to_owned());
        }
        let recipe = &self.order.recipe.value;
        if let Some(row) = rows.iter().find(|r| !r.recipe.is_empty() && r.recipe != *recipe) {
            self.report("recipe", format!("is of the recipe `{recipe}`, not `{}`", row.recipe));
        }
    }

    /// What a row takes: nothing, or a unit that may be left open.
    fn unit(&mut self, row: &Row) -> Result<Option<(usize, Option<usize>)>, ()> {
        if row.resource.is_empty() {
            if !row.unit.is_empty() {
                self.report("unit", format!("takes the unit `{}` of no resource", row.unit));
            }
            return Ok(None);
        }
        let Some(pool) = self.plant.pool(&row.resource) else {
            let names = self.plant.pools.iter().map(Pool::name);
            let hint = nearest(&row.resource, names);
            let hint = hint.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            let message = format!("the spec has no resource `{}`{hint}", row.resource);
            self.report("unknown-resource", message);
            return Err(());
        };
        match self.plant.pools[pool].unit(&row.unit) {
            Ok(unit) => Ok(Some((pool, unit))),
            Err(message) => {
                self.report("unit", message);
                Ok(Some((pool, None)))
            }
        }
    }

    /// The alternatives that take exactly this. Reports if there is none, unless the rows were wrong anyway.
    fn ways(&mut self, taken: &[(usize, Option<usize>)], is_vague: bool) -> Vec<&'a Alternative> {
        let mut amounts: BTreeMap<&str, i64> = BTreeMap::new();
        for (pool, _) in taken {
            *amounts.entry(self.plant.pools[*pool].name()).or_default() += 1;
        }
        let takes = |way: &&Alternative| {
            let wanted = way.requirements.iter();
            let wanted = wanted.map(|need| (need.resource.value.as_str(), need.amount.value));
            wanted.collect::<BTreeMap<_, _>>() == amounts
        };
        let ways: Vec<_> = self.step.alternatives.iter().filter(takes).collect();
        if ways.is_empty() && !is_vague {
            let mut wanted: Vec<String> = Vec::new();
            for way in &self.step.alternatives {
                let words =
                    list(way.requirements.iter().map(|Requirement { resource, amount }| {
                        (resource.value.as_str(), amount.value)
                    }));
                if !wanted.contains(&words) {
                    wanted.push(words);
                }
            }
            let found = list(amounts.into_iter());
            self.report("resource", format!("takes {found}, but needs {}", wanted.join(" or ")));
        }
        ways
    }
}

/// Resources and amounts in words.
fn list<'n>(amounts: impl Iterator<Item = (&'n str, i64)>) -> String {
    let words: Vec<String> = amounts
        .map(|(name, amount)| match amount {
            1 => format!("`{name}`"),
            _ => format!("{amount} of `{name}`"),
        })
        .collect();
    if words.is_empty() { "no resource".to_owned() } else { words.join(" and ") }
}
