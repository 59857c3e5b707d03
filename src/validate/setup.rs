//! Setups between neighbours on a unit: time to leave, costs to pay, and the rows that tell of them.

use super::Errors;
use super::amount;
use super::place::{Job, Placed, stranger};
use super::plant::{Plant, Pool};
use std::collections::BTreeMap;
use takt_spec::schedule::{Kind, Row, Schedule};
use takt_spec::{Effort, Recipe, Setup, SetupPart};

/// What all setups cost together, in millionths; `None` if that cannot be told.
pub fn check<'a>(
    plant: &Plant<'a>,
    jobs: &[Job<'a>],
    mut rows: Rows<'a>,
    errors: &mut Errors,
) -> Option<i128> {
    let mut cost = Some(0_i128);
    for (number, pool) in plant.pools.iter().enumerate() {
        let Some(setup) = &pool.resource.setup else { continue };
        let parts: Vec<Part> = setup.parts.iter().map(Part::new).collect();
        for (unit, line) in users(jobs, number, pool.capacity).iter().enumerate() {
            let machine = SetupLine { plant, pool, parts: &parts, unit };
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

/// A setup that is work: it has a place of its own.
pub struct Demand<'j, 'a> {
    pub placed: &'j Placed<'a>,
    /// The unit that is set up.
    pub pool: usize,
    pub unit: usize,
    /// From here on it may run, until the step starts.
    pub ready: i64,
    pub length: i64,
    /// What it takes besides: resources and amounts.
    pub crew: BTreeMap<usize, usize>,
    pub keeps_calendar: bool,
    /// In words: from what to what.
    pub change: [String; 2],
}

/// All setups that are work.
pub fn demands<'j, 'a>(plant: &Plant<'a>, jobs: &'j [Job<'a>]) -> Vec<Demand<'j, 'a>> {
    let mut found = Vec::new();
    for (number, pool) in plant.pools.iter().enumerate() {
        let setup = pool.resource.setup.as_ref().filter(|setup| setup.is_work());
        let Some(setup) = setup else { continue };
        let parts: Vec<Part> = setup.parts.iter().map(Part::new).collect();
        for (unit, line) in users(jobs, number, pool.capacity).iter().enumerate() {
            let machine = SetupLine { plant, pool, parts: &parts, unit };
            machine.demands(number, line, &mut found);
        }
    }
    found
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

/// A part of a setup, with its matrix at hand.
struct Part<'p> {
    of: &'p SetupPart,
    matrix: BTreeMap<(&'p str, &'p str), &'p Effort>,
}

impl<'p> Part<'p> {
    fn new(of: &'p SetupPart) -> Part<'p> {
        let changes = of.matrix.iter();
        let matrix = changes.map(|c| ((c.from.value.as_str(), c.to.value.as_str()), &c.effort));
        Part { of, matrix: matrix.collect() }
    }

    /// Equal families need nothing unless the matrix says so.
    fn effort(&self, from: &str, to: &str) -> Option<&'p Effort> {
        let otherwise = (from != to).then_some(&self.of.otherwise);
        self.matrix.get(&(from, to)).copied().or(otherwise)
    }
}

/// What a unit is set up for, part by part; `None` where nothing is known.
type State<'a> = Vec<Option<&'a str>>;

fn show(state: &State) -> String {
    state.iter().flatten().copied().collect::<Vec<_>>().join(", ")
}

/// One unit with setups.
struct SetupLine<'p, 'a> {
    plant: &'p Plant<'a>,
    pool: &'p Pool<'a>,
    parts: &'p [Part<'a>],
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
        let mut before: Option<(State, i64, Option<&Placed<'a>>)> =
            self.initial().map(|state| (state, 0, None));
        let mut cost = Some(0_i128);
        for placed in line {
            let parts = self.parts.iter();
            let to: State = parts.map(|p| p.of.family(placed.order, placed.step)).collect();
            if let Some((from, end, earlier)) = before {
                let (time, price) = self.effort(&from, &to);
                cost = cost.zip(price).and_then(|(sum, price)| sum.checked_add(price));
                let are_facts = placed.is_fact && earlier.is_none_or(|earlier| earlier.is_fact);
                if !are_facts && !self.is_work() {
                    self.time(placed, (end, earlier), (&from, &to), time, errors);
                }
                if !self.is_work() {
                    rows.match_setup(self, placed, time, errors);
                }
            } else if !self.is_work() {
                rows.match_setup(self, placed, 0, errors);
            }
            before = Some((to, placed.end, Some(*placed)));
        }
        cost
    }

    fn is_work(&self) -> bool {
        self.pool.resource.setup.as_ref().is_some_and(Setup::is_work)
    }

    /// What is to be done before each of the steps on this unit, but for what facts have behind them.
    fn demands<'j>(&self, number: usize, line: &[&'j Placed<'a>], found: &mut Vec<Demand<'j, 'a>>) {
        let mut before = self.initial().map(|state| (state, 0, true));
        for placed in line {
            let parts = self.parts.iter();
            let to: State = parts.map(|p| p.of.family(placed.order, placed.step)).collect();
            if let Some((from, end, is_past)) = before
                && let (length @ 1.., _) = self.effort(&from, &to)
                && !(placed.is_fact && is_past)
            {
                let mut crew: BTreeMap<usize, usize> = BTreeMap::new();
                let active = self.active(&from, &to);
                for need in active.iter().flat_map(|part| &part.crew) {
                    let amount = usize::try_from(need.amount.value).unwrap_or(usize::MAX);
                    if let Some(pool) = self.plant.pool(&need.resource.value) {
                        let most = crew.entry(pool).or_default();
                        *most = amount.max(*most);
                    }
                }
                let ready = if placed.is_fact { end } else { end.max(self.plant.facts.now) };
                let keeps_calendar = active.iter().any(|part| part.on_calendar);
                let (pool, unit, change) = (number, self.unit, [show(&from), show(&to)]);
                found.push(Demand {
                    placed,
                    pool,
                    unit,
                    ready,
                    length,
                    crew,
                    keeps_calendar,
                    change,
                });
            }
            before = Some((to, placed.end, placed.is_fact));
        }
    }

    /// The parts that take time.
    fn active(&self, from: &State, to: &State) -> Vec<&SetupPart> {
        let scope = self.plant.spec.constants();
        let takes_time = |((part, from), to): ((&Part<'a>, &Option<&str>), &Option<&str>)| {
            let effort = from.zip(*to).and_then(|(from, to)| part.effort(from, to))?;
            let time = amount::whole_or_zero(effort.time.as_ref(), scope).unwrap_or(0);
            (time > 0).then_some(part.of)
        };
        self.parts.iter().zip(from).zip(to).filter_map(takes_time).collect()
    }

    /// Starts at the earliest so long after the end of the step before.
    fn time(
        &self,
        placed: &Placed,
        (end, earlier): (i64, Option<&Placed>),
        (from, to): (&State, &State),
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
            "starts at {start} on {unit}, but the setup from `{}` to `{}` takes {time} and {since}",
            show(from),
            show(to)
        );
        errors.push(placed.order, placed.step, "setup", message);
    }

    fn initial(&self) -> Option<State<'a>> {
        let unit = self.pool.unit_name(self.unit);
        let first = |part: &Part<'a>| self.pool.resource.initial(part.of, &unit);
        let state: State = self.parts.iter().map(first).collect();
        state.iter().any(Option::is_some).then_some(state)
    }

    /// The time and the price of all parts together; no price where it cannot be told.
    fn effort(&self, from: &State, to: &State) -> (i64, Option<i128>) {
        let scope = self.plant.spec.constants();
        let (mut time, mut cost) = (0_i64, Some(0_i128));
        for ((part, from), to) in self.parts.iter().zip(from).zip(to) {
            let Some(effort) = from.zip(*to).and_then(|(from, to)| part.effort(from, to)) else {
                continue;
            };
            let own = amount::whole_or_zero(effort.time.as_ref(), scope).unwrap_or(0);
            time = time.saturating_add(own);
            let price = amount::price(effort.cost.as_ref(), scope);
            cost = cost.zip(price).and_then(|(sum, price)| sum.checked_add(price));
        }
        (time, cost)
    }
}

/// The setup rows, by order, step and resource, until they are accounted for.
pub struct Rows<'r>(BTreeMap<(&'r str, &'r str, &'r str), Vec<&'r Row>>);

impl<'r> Rows<'r> {
    /// Takes out the rows of a step on a resource that are meant.
    pub fn take(
        &mut self,
        placed: &Placed<'r>,
        resource: &'r str,
        is_meant: impl Fn(&Row) -> bool,
    ) -> Vec<&'r Row> {
        let (order, step) = (placed.order.id.value.as_str(), placed.step.name.value.as_str());
        let Some(all) = self.0.get_mut(&(order, step, resource)) else { return Vec::new() };
        let taken = all.extract_if(.., |row| is_meant(row)).collect();
        if all.is_empty() {
            self.0.remove(&(order, step, resource));
        }
        taken
    }

    pub fn new(schedule: &'r Schedule) -> Rows<'r> {
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
