//! Small plants, as data of the tests: written as specs, and solved by trying every start of every
//! step in every way. It reads the rules of the spec language slot by slot and shares nothing with
//! the compiler; it is slow and meant to be obviously right.

pub use super::rules::Rule;

/// Open slots: `[t, t + 1)` for whole `t`.
#[derive(Clone, Debug)]
pub struct Calendar {
    pub windows: Vec<(i64, i64)>,
    pub repeat: Option<i64>,
}

impl Calendar {
    fn is_open(&self, slot: i64) -> bool {
        let slot = self.repeat.map_or(slot, |repeat| slot % repeat);
        self.windows.iter().any(|&(from, to)| from <= slot && slot < to)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Resource {
    /// Interchangeable units, or as many named ones.
    pub capacity: i64,
    pub is_named: bool,
    /// Its units are counted in the spec, but it matters which is which: here they are named all the same.
    pub is_numbered: bool,
    pub calendar: Option<usize>,
    /// For each named unit: a calendar of its own.
    pub unit_calendars: Vec<Option<usize>>,
    /// For each named unit, what is its own of this.
    pub unit_performance: Vec<Option<i64>>,
    pub unit_run_cost: Vec<Option<i64>>,
    /// All that it takes.
    pub unit_families: Vec<Option<usize>>,
    pub setup: Option<Setup>,
    /// In halves per unit of work.
    pub run_cost: i64,
    /// In tenths.
    pub performance: Option<i64>,
}

/// `[from][to]` over two families.
#[derive(Clone, Debug)]
pub struct Setup {
    pub time: [[i64; 2]; 2],
    pub cost: [[i64; 2]; 2],
    pub initial: Option<usize>,
    /// What is added by the orders' colour.
    pub by_colour: Option<Box<Setup>>,
    /// What this part takes while a setup runs, of which resource: then it is work.
    pub crew: Option<(usize, i64)>,
    /// It runs in open time only, without a pause.
    pub keeps_calendar: bool,
}

/// A family and a colour, where they are known.
pub type State = [Option<usize>; 2];

impl Setup {
    /// What a unit is set up for at 0.
    pub fn start(&self) -> Option<State> {
        let state = [self.initial, self.by_colour.as_ref().and_then(|part| part.initial)];
        state.iter().any(Option::is_some).then_some(state)
    }

    pub fn parts(&self) -> impl Iterator<Item = &Setup> {
        [Some(self), self.by_colour.as_deref()].into_iter().flatten()
    }

    /// Whether it runs anywhere between two steps.
    pub fn is_work(&self) -> bool {
        self.parts().any(|part| part.crew.is_some() || part.keeps_calendar)
    }

    /// The parts that take time.
    pub fn active(&self, from: State, to: State) -> Vec<&Setup> {
        let parts = [Some(self), self.by_colour.as_deref()];
        let own = parts.into_iter().zip(from).zip(to).filter_map(|((part, from), to)| {
            let part = part?;
            (part.time[from?][to?] > 0).then_some(part)
        });
        own.collect()
    }

    /// Time and cost, added up over both parts.
    pub fn between(&self, from: State, to: State) -> (i64, i64) {
        let parts = [Some(self), self.by_colour.as_deref()];
        let own = parts.into_iter().zip(from).zip(to).filter_map(|((part, from), to)| {
            let (part, from, to) = (part?, from?, to?);
            Some((part.time[from][to], part.cost[from][to]))
        });
        own.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
    }
}

#[derive(Clone, Debug)]
pub struct Alternative {
    pub needs: Vec<(usize, i64)>,
    pub duration: i64,
}

#[derive(Clone, Debug)]
pub struct Link {
    pub before: usize,
    pub from_start: bool,
    pub min: i64,
    pub max: Option<i64>,
}

#[derive(Clone, Debug)]
pub struct Step {
    pub alternatives: Vec<Alternative>,
    /// Earlier steps of the list only.
    pub after: Vec<Link>,
    /// Interruptible; the longest pause.
    pub pause: Option<Option<i64>>,
    /// It takes what this step took: the needs of that come first in each of its alternatives.
    pub same: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Hold {
    pub resource: usize,
    pub from: usize,
    pub until: usize,
    pub amount: i64,
}

#[derive(Clone, Debug)]
pub struct Recipe {
    pub steps: Vec<Step>,
    pub holds: Vec<Hold>,
}

/// Costs in halves.
#[derive(Clone, Debug, Default)]
pub struct Order {
    pub recipe: usize,
    pub release: i64,
    pub due: Option<i64>,
    pub deadline: Option<i64>,
    pub delay: i64,
    pub storage: i64,
    pub holding: i64,
    /// Paid once if it is late.
    pub late: i64,
    pub family: usize,
    pub colour: usize,
    pub after: Vec<OrderLink>,
    pub pins: Vec<Pin>,
}

/// An order that must be finished first, and the time between.
#[derive(Clone, Debug)]
pub struct OrderLink {
    pub before: usize,
    pub min: i64,
    pub max: Option<i64>,
}

/// A step that starts exactly then, or takes this named unit.
#[derive(Clone, Debug)]
pub struct Pin {
    pub step: usize,
    pub start: Option<i64>,
    pub unit: Option<usize>,
}

/// An earlier plan, with prices in halves: for a unit of time, and for a unit that is new.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    pub steps: Vec<Former>,
    pub move_cost: i64,
    pub unit_cost: i64,
}

/// A step as it was.
#[derive(Clone, Debug)]
pub struct Former {
    pub order: usize,
    pub step: usize,
    /// May lie before 0.
    pub start: i64,
    /// Resources, and which of their named units; any unit of those that are counted.
    pub units: Vec<(usize, Option<usize>)>,
}

/// A step that is as it is: order, step, place, and the units of what is counted, need by need.
#[derive(Clone, Debug)]
pub struct Fact {
    pub order: usize,
    pub step: usize,
    pub placed: Placed,
    pub counted: Vec<Vec<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    Feasible,
    Makespan,
    Cost,
}

#[derive(Clone, Debug)]
pub struct Plant {
    pub calendars: Vec<Calendar>,
    pub resources: Vec<Resource>,
    pub recipes: Vec<Recipe>,
    pub orders: Vec<Order>,
    pub objective: Objective,
    pub rules: Vec<Rule>,
    /// No start is tried after this.
    pub horizon: i64,
    /// Nothing but facts starts before it.
    pub now: i64,
    pub facts: Vec<Fact>,
    pub earlier: Option<Earlier>,
}

/// One step in its place.
#[derive(Clone, Debug)]
pub struct Placed {
    pub start: i64,
    pub end: i64,
    pub alternative: usize,
    /// For each need with named units: which one.
    pub units: Vec<usize>,
}

/// `[order][step]`
pub type Schedule = Vec<Vec<Placed>>;

impl Resource {
    /// A unit as rows call it.
    pub fn unit_name(&self, unit: usize) -> String {
        if self.is_numbered { (unit + 1).to_string() } else { format!("u{unit}") }
    }

    pub fn unit_number(&self, name: &str) -> Option<usize> {
        (0..self.capacity as usize).find(|&unit| self.unit_name(unit) == name)
    }
}

impl Plant {
    /// The best value (makespan, or cost in halves; 0 for `feasible`), if there is a schedule.
    pub fn solve(&self) -> Option<i64> {
        let mut best = None;
        let mut schedule: Schedule = vec![Vec::new(); self.orders.len()];
        self.place(&mut schedule, 0, &mut best);
        best
    }

    fn place(&self, schedule: &mut Schedule, order: usize, best: &mut Option<i64>) {
        if self.objective == Objective::Feasible && best.is_some() {
            return;
        }
        let Some(of) = self.orders.get(order) else {
            if let Some(value) = self.value(schedule)
                && best.is_none_or(|best| value < best)
                && self.rules.iter().all(|&rule| super::rules::keeps(self, schedule, rule))
            {
                *best = Some(value);
            }
            return;
        };
        let step = schedule[order].len();
        if step == self.recipes[of.recipe].steps.len() {
            if self.keeps_sequence(&schedule[..=order]) {
                self.place(schedule, order + 1, best);
            }
            return;
        }
        if let Some(fact) = self.fact(order, step) {
            schedule[order].push(fact.placed.clone());
            if self.is_allowed(schedule, order, step) {
                self.place(schedule, order, best);
            }
            schedule[order].pop();
            return;
        }
        let pin = of.pins.iter().find(|pin| pin.step == step);
        let alternatives = self.recipes[of.recipe].steps[step].alternatives.len();
        for alternative in 0..alternatives {
            for units in self.unit_choices(of.recipe, step, alternative) {
                if pin.and_then(|pin| pin.unit).is_some_and(|unit| !units.contains(&unit)) {
                    continue;
                }
                if !self.is_taken((of.recipe, step, alternative), &units, of.family) {
                    continue;
                }
                for start in of.release.max(self.now)..=self.horizon {
                    if pin.and_then(|pin| pin.start).is_some_and(|pinned| pinned != start) {
                        continue;
                    }
                    let end = self.end(order, step, alternative, &units, start);
                    let Some(end) = end else { continue };
                    if self.objective == Objective::Makespan && best.is_some_and(|b| end >= b) {
                        break;
                    }
                    schedule[order].push(Placed { start, end, alternative, units: units.clone() });
                    if self.is_allowed(schedule, order, step) {
                        self.place(schedule, order, best);
                    }
                    schedule[order].pop();
                }
            }
        }
    }

    /// Whether units that have a name take the family.
    pub fn is_taken(&self, of: (usize, usize, usize), units: &[usize], family: usize) -> bool {
        self.units_of(of, units)
            .all(|(resource, _, unit)| unit.is_none_or(|unit| self.takes(resource, unit, family)))
    }

    pub fn fact(&self, order: usize, step: usize) -> Option<&Fact> {
        self.facts.iter().find(|fact| (fact.order, fact.step) == (order, step))
    }

    /// Whether orders, as far as they are there, start so long after those that they wait for. Nothing is asked of
    /// facts, nor of when an order began that began with one.
    fn keeps_sequence(&self, schedule: &[Vec<Placed>]) -> bool {
        let finish = |order: usize| schedule.get(order)?.iter().map(|placed| placed.end).max();
        schedule.iter().enumerate().all(|(order, own)| {
            let is_fact = |step: usize| self.fact(order, step).is_some();
            let open = (0..own.len()).filter(|&step| !is_fact(step));
            let least = open.map(|step| own[step].start).min();
            let first = own.iter().map(|placed| placed.start).min();
            let first = first.filter(|_| !(0..own.len()).any(is_fact));
            self.orders[order].after.iter().all(|link| {
                finish(link.before).is_none_or(|finish| {
                    least.is_none_or(|start| start - finish >= link.min)
                        && first.zip(link.max).is_none_or(|(first, max)| first - finish <= max)
                })
            })
        })
    }

    /// The first schedule that is met.
    pub fn any(&self) -> Option<Schedule> {
        let mut schedule: Schedule = vec![Vec::new(); self.orders.len()];
        self.complete(&mut schedule, 0).then_some(schedule)
    }

    fn complete(&self, schedule: &mut Schedule, order: usize) -> bool {
        let Some(of) = self.orders.get(order) else { return self.setups(schedule).is_some() };
        let step = schedule[order].len();
        if step == self.recipes[of.recipe].steps.len() {
            return self.complete(schedule, order + 1);
        }
        for alternative in 0..self.recipes[of.recipe].steps[step].alternatives.len() {
            for units in self.unit_choices(of.recipe, step, alternative) {
                if !self.is_taken((of.recipe, step, alternative), &units, of.family) {
                    continue;
                }
                for start in of.release..=self.horizon {
                    let end = self.end(order, step, alternative, &units, start);
                    let Some(end) = end else { continue };
                    schedule[order].push(Placed { start, end, alternative, units: units.clone() });
                    if self.is_allowed(schedule, order, step) && self.complete(schedule, order) {
                        return true;
                    }
                    schedule[order].pop();
                }
            }
        }
        false
    }

    /// One unit for each named resource that is needed.
    pub fn unit_choices(&self, recipe: usize, step: usize, alternative: usize) -> Vec<Vec<usize>> {
        let mut choices = vec![Vec::new()];
        for &(resource, _) in &self.recipes[recipe].steps[step].alternatives[alternative].needs {
            let resource = &self.resources[resource];
            if resource.is_named {
                choices = (choices.iter())
                    .flat_map(|known: &Vec<usize>| {
                        (0..resource.capacity as usize)
                            .map(move |unit| [known.as_slice(), &[unit]].concat())
                    })
                    .collect();
            }
        }
        choices
    }

    /// What is taken of each resource, with the unit where it has a name.
    pub fn units_of<'p>(
        &'p self,
        (recipe, step, alternative): (usize, usize, usize),
        units: &'p [usize],
    ) -> impl Iterator<Item = (usize, i64, Option<usize>)> + 'p {
        let mut named = units.iter();
        let needs = &self.recipes[recipe].steps[step].alternatives[alternative].needs;
        needs.iter().map(move |&(resource, amount)| {
            let is_named = self.resources[resource].is_named;
            (resource, amount, if is_named { named.next().copied() } else { None })
        })
    }

    /// The work after factors.
    pub fn work(&self, of: (usize, usize, usize), units: &[usize]) -> i64 {
        let (recipe, step, alternative) = of;
        let factors = self.units_of(of, units).filter_map(|(resource, _, unit)| {
            let resource = &self.resources[resource];
            unit.and_then(|unit| own(&resource.unit_performance, unit)).or(resource.performance)
        });
        let smallest = factors.min().unwrap_or(10);
        let duration = self.recipes[recipe].steps[step].alternatives[alternative].duration;
        (duration * 10 + smallest - 1) / smallest
    }

    /// Whether a named unit may take a family.
    fn takes(&self, resource: usize, unit: usize, family: usize) -> bool {
        own(&self.resources[resource].unit_families, unit).is_none_or(|only| only == family)
    }

    /// Whether all calendars that the step needs are open in a slot.
    pub fn is_open(&self, of: (usize, usize, usize), units: &[usize], slot: i64) -> bool {
        let (recipe, step, alternative) = of;
        let mut named = units.iter();
        let needs = &self.recipes[recipe].steps[step].alternatives[alternative].needs;
        needs.iter().all(|&(resource, _)| {
            let resource = &self.resources[resource];
            let own = match resource.is_named {
                true => named.next().and_then(|&unit| resource.unit_calendars.get(unit)).copied(),
                false => None,
            };
            let calendar = own.flatten().or(resource.calendar);
            calendar.is_none_or(|calendar| self.calendars[calendar].is_open(slot))
        })
    }

    /// The end of a step that starts here; `None` if the calendars forbid it.
    pub fn end(
        &self,
        order: usize,
        step: usize,
        alternative: usize,
        units: &[usize],
        start: i64,
    ) -> Option<i64> {
        let recipe = self.orders[order].recipe;
        let of = (recipe, step, alternative);
        let work = self.work(of, units);
        let pause = self.recipes[recipe].steps[step].pause;
        let (mut left, mut slot, mut closed) = (work, start, 0);
        if work > 0 && !self.is_open(of, units, start) {
            return None;
        }
        while left > 0 {
            if self.is_open(of, units, slot) {
                left -= 1;
                closed = 0;
            } else {
                closed += 1;
                let longest = pause?.unwrap_or(i64::MAX);
                if closed > longest || slot > start + 200 {
                    return None;
                }
            }
            slot += 1;
        }
        Some(slot)
    }

    /// The step placed last against all placed before it.
    fn is_allowed(&self, schedule: &Schedule, order: usize, step: usize) -> bool {
        let of = &self.orders[order];
        let placed = &schedule[order][step];
        let links = &self.recipes[of.recipe].steps[step].after;
        let follows = links.iter().all(|link| {
            let before = &schedule[order][link.before];
            let from = if link.from_start { before.start } else { before.end };
            let lag = placed.start - from;
            let are_facts = [link.before, step].iter().all(|&k| self.fact(order, k).is_some());
            are_facts || lag >= link.min && link.max.is_none_or(|max| lag <= max)
        });
        follows
            && (self.fact(order, step).is_some()
                || self.repeats(schedule, (order, step), (placed.alternative, &placed.units)))
            && of.deadline.is_none_or(|deadline| placed.end <= deadline)
            && self.has_room(schedule)
    }

    /// Whether this way to do a step takes what the step it names has taken.
    pub fn repeats(
        &self,
        schedule: &Schedule,
        (order, step): (usize, usize),
        (alternative, units): (usize, &[usize]),
    ) -> bool {
        let same = self.recipes[self.orders[order].recipe].steps[step].same;
        same.map(|before| &schedule[order][before]).is_none_or(|before| {
            before.alternative == alternative && units.starts_with(&before.units)
        })
    }

    /// Every slot of every resource; holds once their last step is placed. What facts take together of a unit
    /// is taken once.
    fn has_room(&self, schedule: &Schedule) -> bool {
        (0..self.resources.len()).all(|resource| {
            let facts = self.fact_takers(schedule, resource);
            let takers = self.takers(schedule, resource);
            let slots = takers.iter().map(|taker| taker.0).chain(facts.iter().map(|fact| fact.0));
            slots.collect::<Vec<_>>().into_iter().all(|slot| {
                let is_now = |from: i64, to: i64| from <= slot && slot < to;
                let now: Vec<_> = takers.iter().filter(|t| is_now(t.0, t.1)).collect();
                let mut taken: Vec<usize> =
                    facts.iter().filter(|t| is_now(t.0, t.1)).map(|t| t.2).collect();
                taken.sort_unstable();
                taken.dedup();
                let amount: i64 = now.iter().map(|taker| taker.2).sum();
                let mut units: Vec<usize> = now.iter().filter_map(|taker| taker.3).collect();
                let named = self.resources[resource].is_named;
                units.extend(taken.iter().filter(|_| named));
                units.sort_unstable();
                let count = units.len();
                units.dedup();
                let amount = amount + taken.len() as i64;
                now.is_empty()
                    || amount <= self.resources[resource].capacity && units.len() == count
            })
        })
    }

    /// The units that facts take: from, to, unit.
    fn fact_takers(&self, schedule: &Schedule, wanted: usize) -> Vec<(i64, i64, usize)> {
        let mut takers = Vec::new();
        for fact in self.facts.iter().filter(|fact| schedule[fact.order].len() > fact.step) {
            let recipe = &self.recipes[self.orders[fact.order].recipe];
            let needs = &recipe.steps[fact.step].alternatives[fact.placed.alternative].needs;
            let (mut named, mut counted) = (fact.placed.units.iter(), fact.counted.iter());
            for &(resource, _) in needs {
                let units = match self.resources[resource].is_named {
                    true => named.next().map_or(Vec::new(), |&unit| vec![unit]),
                    false => counted.next().cloned().unwrap_or_default(),
                };
                let Placed { start, end, .. } = fact.placed;
                let own = units.into_iter().filter(|_| resource == wanted);
                takers.extend(own.map(|unit| (start, end, unit)));
            }
        }
        takers
    }

    /// Who takes the resource, facts apart: from, to, amount, and which named unit.
    pub fn takers(
        &self,
        schedule: &Schedule,
        wanted: usize,
    ) -> Vec<(i64, i64, i64, Option<usize>)> {
        let mut takers = Vec::new();
        for (order, own) in schedule.iter().enumerate() {
            let recipe = &self.recipes[self.orders[order].recipe];
            for (step, placed) in own.iter().enumerate() {
                if self.fact(order, step).is_some() {
                    continue;
                }
                let mut named = placed.units.iter();
                for &(resource, amount) in
                    &recipe.steps[step].alternatives[placed.alternative].needs
                {
                    let is_named = self.resources[resource].is_named;
                    let unit = if is_named { named.next().copied() } else { None };
                    if resource == wanted {
                        takers.push((placed.start, placed.end, amount, unit));
                    }
                }
            }
            for hold in recipe.holds.iter().filter(|hold| hold.resource == wanted) {
                if let (Some(from), Some(until)) = (own.get(hold.from), own.get(hold.until)) {
                    takers.push((from.start, until.end, hold.amount, None));
                }
            }
        }
        takers
    }

    /// The steps on a named unit by start: start, end, what they count as.
    pub fn line(&self, schedule: &Schedule, wanted: usize, unit: usize) -> Vec<(i64, i64, State)> {
        let line = self.whole_line(schedule, wanted, unit).into_iter();
        line.map(|(start, end, state, _)| (start, end, state)).collect()
    }

    /// The same, and whether it is a fact.
    fn whole_line(
        &self,
        schedule: &Schedule,
        wanted: usize,
        unit: usize,
    ) -> Vec<(i64, i64, State, bool)> {
        let mut line = Vec::new();
        for (order, own) in schedule.iter().enumerate() {
            let recipe = &self.recipes[self.orders[order].recipe];
            for (step, placed) in own.iter().enumerate() {
                let mut named = placed.units.iter();
                for &(resource, _) in &recipe.steps[step].alternatives[placed.alternative].needs {
                    let is_named = self.resources[resource].is_named;
                    let taken = if is_named { named.next().copied() } else { None };
                    if resource == wanted && taken == Some(unit) {
                        let is_fact = self.fact(order, step).is_some();
                        let of = &self.orders[order];
                        let state = [Some(of.family), Some(of.colour)];
                        line.push((placed.start, placed.end, state, is_fact));
                    }
                }
            }
        }
        line.sort_by_key(|entry| (entry.0, entry.1));
        line
    }

    /// The value of a whole schedule, if it keeps every rule of the spec and of the heuristics.
    pub fn judge(&self, schedule: &Schedule) -> Option<i64> {
        let takes = |order: usize, k: usize| {
            let (of, placed) = (&self.orders[order], &schedule[order][k]);
            self.fact(order, k).is_some()
                || self.is_taken((of.recipe, k, placed.alternative), &placed.units, of.family)
        };
        let all = |order: usize| {
            (0..schedule[order].len())
                .all(|k| takes(order, k) && self.is_allowed(schedule, order, k))
        };
        let is_valid = (0..schedule.len()).all(all)
            && self.rules.iter().all(|&rule| super::rules::keeps(self, schedule, rule));
        self.value(schedule).filter(|_| is_valid)
    }

    /// A step that could start earlier with everything else unchanged and the value the same.
    pub fn could_be_earlier(&self, schedule: &Schedule) -> Option<(usize, usize, i64)> {
        let value = self.judge(schedule);
        for (order, own) in schedule.iter().enumerate() {
            for (step, placed) in own.iter().enumerate() {
                let pin = self.orders[order].pins.iter().find(|pin| pin.step == step);
                let is_pinned = pin.is_some_and(|pin| pin.start.is_some());
                if is_pinned || self.fact(order, step).is_some() {
                    continue;
                }
                for start in self.orders[order].release.max(self.now)..placed.start {
                    let end = self.end(order, step, placed.alternative, &placed.units, start);
                    let Some(end) = end else { continue };
                    let mut other = schedule.clone();
                    (other[order][step].start, other[order][step].end) = (start, end);
                    let new = self.judge(&other);
                    if new.is_some() && new <= value {
                        return Some((order, step, start));
                    }
                }
            }
        }
        None
    }

    /// The value of a whole schedule; `None` if setups are too short.
    fn value(&self, schedule: &Schedule) -> Option<i64> {
        let setups = self.setups(schedule).filter(|_| self.keeps_sequence(schedule))?;
        let finish = |order: usize| schedule[order].iter().map(|p| p.end).max().unwrap_or(0);
        match self.objective {
            Objective::Feasible => Some(0),
            Objective::Makespan => Some((0..schedule.len()).map(finish).max().unwrap_or(0)),
            Objective::Cost => {
                let mut cost = setups;
                for (order, of) in self.orders.iter().enumerate() {
                    let start = schedule[order].iter().map(|p| p.start).min().unwrap_or(0);
                    let late = of.due.map_or(0, |due| finish(order) - due);
                    cost += of.delay * late.max(0) + of.storage * (-late).max(0);
                    cost += of.holding * (finish(order) - start);
                    cost += if late > 0 { of.late } else { 0 };
                    for (step, placed) in schedule[order].iter().enumerate() {
                        let way = (of.recipe, step, placed.alternative);
                        let work = match self.fact(order, step) {
                            Some(fact) => fact.placed.end - fact.placed.start,
                            None => self.work(way, &placed.units),
                        };
                        let run = self.units_of(way, &placed.units).map(|(resource, n, unit)| {
                            let resource = &self.resources[resource];
                            let rate = unit.and_then(|unit| own(&resource.unit_run_cost, unit));
                            rate.unwrap_or(resource.run_cost) * n
                        });
                        cost += run.sum::<i64>() * work;
                        cost += self.departure(order, step, placed);
                    }
                }
                Some(cost)
            }
        }
    }

    /// What a step pays for being elsewhere than in the earlier plan.
    fn departure(&self, order: usize, step: usize, placed: &Placed) -> i64 {
        let Some(earlier) = self.earlier.as_ref().filter(|_| self.fact(order, step).is_none())
        else {
            return 0;
        };
        let former = earlier.steps.iter().find(|one| (one.order, one.step) == (order, step));
        let Some(former) = former else { return 0 };
        let steps = &self.recipes[self.orders[order].recipe].steps;
        let (mut named, mut new) = (placed.units.iter(), 0);
        for &(resource, amount) in &steps[step].alternatives[placed.alternative].needs {
            let is_named = self.resources[resource].is_named;
            let unit = if is_named { named.next().copied() } else { None };
            if !former.units.contains(&(resource, unit)) {
                new += amount;
            }
        }
        earlier.move_cost * (placed.start - former.start).abs() + earlier.unit_cost * new
    }

    /// What all setups cost; `None` if one is too short, or finds no crew.
    fn setups(&self, schedule: &Schedule) -> Option<i64> {
        let mut cost = 0;
        let mut work = Vec::new();
        for (number, resource) in self.resources.iter().enumerate() {
            let Some(setup) = &resource.setup else { continue };
            for unit in 0..resource.capacity as usize {
                let mut last = setup.start().map(|state| (0, state, true));
                for (start, end, state, is_fact) in self.whole_line(schedule, number, unit) {
                    if let Some((until, before, was_fact)) = last {
                        let from = if is_fact { until } else { until.max(self.now) };
                        let are_facts = is_fact && was_fact;
                        let (time, price) = setup.between(before, state);
                        if !are_facts && start < from + time {
                            return None;
                        }
                        if !are_facts && time > 0 && setup.is_work() {
                            let parts = setup.active(before, state);
                            work.push(Work { from, to: start, time, parts, at: (number, unit) });
                        }
                        cost += price;
                    }
                    last = Some((end, state, is_fact));
                }
            }
        }
        super::setups::fit(self, schedule, &work).then_some(cost)
    }

    /// The units of a named resource that steps and facts take in a slot, and how much of it all together take.
    pub fn taken(&self, schedule: &Schedule, resource: usize, slot: i64) -> (Vec<usize>, i64) {
        let is_now = |from: i64, to: i64| from <= slot && slot < to;
        let takers = self.takers(schedule, resource);
        let facts = self.fact_takers(schedule, resource);
        let mut units: Vec<usize> =
            facts.iter().filter(|t| is_now(t.0, t.1)).map(|t| t.2).collect();
        units.sort_unstable();
        units.dedup();
        let now = takers.iter().filter(|t| is_now(t.0, t.1));
        let amount = now.clone().map(|t| t.2).sum::<i64>() + units.len() as i64;
        units.extend(now.filter_map(|t| t.3));
        (units, amount)
    }

    /// Whether a unit of a resource is open in a slot.
    pub fn is_unit_open(&self, (resource, unit): (usize, usize), slot: i64) -> bool {
        let resource = &self.resources[resource];
        let own = resource.unit_calendars.get(unit).copied().flatten();
        let calendar = own.or(resource.calendar);
        calendar.is_none_or(|calendar| self.calendars[calendar].is_open(slot))
    }
}

/// A setup that somebody has to do.
pub struct Work<'p> {
    pub from: i64,
    pub to: i64,
    pub time: i64,
    pub parts: Vec<&'p Setup>,
    /// The unit.
    pub at: (usize, usize),
}

/// What a unit has of its own.
fn own<T: Copy>(all: &[Option<T>], unit: usize) -> Option<T> {
    all.get(unit).copied().flatten()
}
