//! Puts a plan together from a spec.

use super::calendar::{Source, Written, common};
use super::cost::{LARGEST_PRICE, Prices};
use super::facts::{Facts, Key};
use super::families::{Families, Tables};
use super::former::Earlier;
use super::heuristic::is_judging;
use super::ids::{CalendarId, FamilyId, Id, IdVec, PoolId, RecipeId, ResourceId, SourceId, StepId};
use super::same::{drop_dead_ends, repeated_first, told_apart};
use super::sequel::Sequels;
use super::settled::Lines;
use super::terms::Terms;
use super::{
    Calendar, Calendars, Hold, LagFrom, Link, MAX_MODES, Mode, Need, Objective, Order, Plan, Pool,
    Recipe, Resource, Role, Rule, Setup, Step, Steps, Unit, Window,
};
use num_traits::ToPrimitive;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::{Diagnostic, Span};
use takt_spec::{self as spec, Exact, Expr, Instant, MAX_TIME, Scope, Spec, Units};

pub type Found<T> = Result<T, Box<Diagnostic>>;

/// What a setup takes and costs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    pub time: i64,
    pub cost: i64,
}

/// What is looked up while the parts are made.
pub struct Builder<'s> {
    pub spec: &'s Spec,
    prices: Prices<'s>,
    pub families: Families<'s>,
    pub resource_index: BTreeMap<&'s str, ResourceId>,
    calendar_index: BTreeMap<&'s str, SourceId>,
    /// For each calendar of the plan: those of the spec that are open together.
    pub sets: IdVec<CalendarId, Vec<SourceId>>,
    pub sources: IdVec<SourceId, Source<'s>>,
    /// Those of the sources that are a single window.
    pub only: BTreeMap<Window, SourceId>,
    pub facts: Facts<'s>,
    pub lines: Lines<'s>,
    earlier: Earlier<'s>,
    /// What tells the units of each pool from others.
    pub terms: IdVec<PoolId, Terms>,
    orders: BTreeMap<&'s str, &'s spec::Order>,
    pub plan: Plan,
}

impl<'s> Builder<'s> {
    /// Everything but windows, horizon, heuristics and conflicts.
    pub fn build(spec: &'s Spec) -> Found<(Plan, Builder<'s>)> {
        let (prices, facts) = (Prices::new(spec)?, Facts::read(spec)?);
        let mut builder = Builder {
            spec,
            earlier: Earlier::read(spec, &prices, &facts)?,
            prices,
            families: Families::of(spec),
            resource_index: index(spec.resources.iter().map(|r| r.name.value.as_str())),
            calendar_index: index(spec.calendars.iter().map(|c| c.name.value.as_str())),
            sets: IdVec::default(),
            sources: (spec.calendars.iter())
                .map(|c| Source::Written(Written::new(spec, c)))
                .collect(),
            only: BTreeMap::new(),
            facts,
            lines: Lines::default(),
            terms: IdVec::default(),
            orders: index_orders(spec),
            plan: Plan::default(),
        };
        builder.plan.families = builder.families.names();
        builder.plan.objective = match spec.objective {
            spec::Objective::Makespan => Objective::Makespan,
            spec::Objective::Cost => Objective::Cost,
            // A layout has no orders, so there is nothing to choose between.
            spec::Objective::Feasible | spec::Objective::Throughput => Objective::Feasible,
        };
        builder.plan.cost_scale = builder.prices.scale;
        builder.plan.now = builder.facts.now;
        builder.facts.apart.extend(pinned_units(spec, &builder.resource_index));
        builder.facts.apart.extend(builder.earlier.apart());
        let apart = told_apart(spec, &builder.facts, &builder.resource_index)?;
        builder.facts.apart.extend(apart);
        for resource in &spec.resources {
            builder.resource(resource)?;
        }
        builder.crews()?;
        builder.settle_setups();
        builder.orders()?;
        let plan = std::mem::take(&mut builder.plan);
        Ok((plan, builder))
    }

    /// The windows of each calendar of the plan that open before `until`; of calendars that no step
    /// needs, those of the time before if they are too many.
    pub fn windows(&self, plan: &Plan, until: i64) -> Found<Calendars> {
        let used = plan.used_calendars();
        let mut alone = BTreeMap::new();
        let mut found = IdVec::default();
        for set in self.sets.ids() {
            let mut windows = self.joint_windows(set, until, &mut alone);
            let mut shorter = until;
            while windows.is_err() && shorter > 1 && !used.contains(&set) {
                shorter /= 2;
                windows = self.joint_windows(set, shorter, &mut BTreeMap::new());
            }
            found.push(Calendar { windows: windows? });
        }
        Ok(found)
    }

    /// The windows of the calendars that are wanted; the others have none.
    pub fn windows_of(&self, wanted: &BTreeSet<CalendarId>, until: i64) -> Found<Calendars> {
        let mut found: IdVec<_, Calendar> = self.sets.iter().map(|_| Calendar::default()).collect();
        let mut alone = BTreeMap::new();
        for &set in wanted {
            found[set].windows = self.joint_windows(set, until, &mut alone)?;
        }
        Ok(found)
    }

    /// Where all calendars of a set are open; `alone` has those that are known already.
    pub fn joint_windows(
        &self,
        set: CalendarId,
        until: i64,
        alone: &mut BTreeMap<SourceId, Vec<Window>>,
    ) -> Found<Vec<Window>> {
        let mut windows: Option<Vec<Window>> = None;
        for &member in &self.sets[set] {
            let own = match alone.entry(member) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.sources[member].windows(until)?),
            };
            windows = Some(windows.map_or_else(|| own.clone(), |both| common(&both, own)));
        }
        Ok(windows.unwrap_or_default())
    }

    pub fn rules(&self) -> Found<Vec<Rule>> {
        let units = |time: &Expr| self.duration(time, self.spec.constants());
        self.spec.heuristics.iter().map(|asked| asked.value.try_map(units)).collect()
    }

    fn resource(&mut self, resource: &'s spec::Resource) -> Found<()> {
        let number = self.plan.resources.next_id();
        let number_of = number;
        let calendar = resource.calendar.as_ref().map(|c| self.calendar_index[c.value.as_str()]);
        let common = self.terms_of(resource, None)?;
        let units: Vec<(Option<SourceId>, Terms)> = match &resource.units {
            Units::Counted(count) => vec![(calendar, common); count.value as usize],
            Units::Named(all) => (all.iter())
                .map(|unit| {
                    let own = unit.calendar.as_ref();
                    let own = own.map(|own| self.calendar_index[own.value.as_str()]);
                    Ok((own.or(calendar), self.terms_of(resource, Some(unit))?))
                })
                .collect::<Found<_>>()?,
        };
        let is_judged = self.spec.heuristics.iter().any(|asked| is_judging(&asked.value));
        let mut pools: Vec<PoolId> = Vec::new();
        for (unit, (calendar, terms)) in units.into_iter().enumerate() {
            let calendar = calendar.map(|calendar| self.joint(vec![calendar]));
            // Whether a step is eligible is told for each such unit by itself.
            let is_alone = |number: usize| {
                is_judged && has_own(resource, number)
                    || self.facts.apart.contains(&Unit { resource: number_of, number })
            };
            let is_apart = resource.setup.is_some() || is_alone(unit);
            let mut known = pools.iter().copied();
            let alike = known.find(|&pool| {
                let first = self.plan.pools[pool].units[0];
                !is_apart
                    && (self.plan.pools[pool].calendar, &self.terms[pool]) == (calendar, &terms)
                    && !is_alone(first)
            });
            match alike {
                Some(pool) => self.plan.pools[pool].units.push(unit),
                None => {
                    let setup = match &resource.setup {
                        Some(setup) => Some(self.setup(resource, setup, unit)?),
                        None => None,
                    };
                    let units = vec![unit];
                    let pool = Pool { resource: number, units, calendar, setup };
                    pools.push(self.plan.pools.push(pool));
                    self.terms.push(terms);
                }
            }
        }
        let (name, units) = (resource.name.value.clone(), resource.unit_names());
        self.plan.resources.push(Resource { name, units, pools });
        Ok(())
    }

    fn setup(&self, of: &'s spec::Resource, setup: &'s spec::Setup, unit: usize) -> Found<Setup> {
        let Tables { time, cost, .. } = self.families.tables(setup, &|one| self.effort(one))?;
        if let Some(&longest) = time.iter().flatten().max() {
            small(Exact::from(i128::from(longest)), setup.span)?;
        }
        let name = of.unit_names().swap_remove(unit);
        let initial = self.families.initial(of, &name);
        Ok(Setup { initial, since: 0, time, cost, crew: None })
    }

    pub fn effort(&self, effort: &spec::Effort) -> Found<Effort> {
        let scope = self.spec.constants();
        let time = effort.time.as_ref().map(|time| self.duration(time, scope)).transpose()?;
        let cost = self.prices.once(effort.cost.as_ref(), scope)?;
        Ok(Effort { time: time.unwrap_or(0), cost })
    }

    fn orders(&mut self) -> Found<()> {
        let recipes = index(self.spec.recipes.iter().map(|r| r.name.value.as_str()));
        let mut known: BTreeMap<Recipe, RecipeId> = BTreeMap::new();
        let mut sequels = Sequels::new(self.spec);
        for order in &self.spec.orders {
            let source = recipes[order.recipe.value.as_str()];
            let (after, least) = self.waits(order, &mut sequels)?;
            let instant = |instant: &Option<Instant>| {
                instant.as_ref().map(|i| self.instant(i, order)).transpose()
            };
            let shift = self.shift(order)?;
            let release = instant(&order.release)?.map_or(shift, |release| release + shift);
            let mut planned = Order {
                id: order.id.value.clone(),
                recipe: RecipeId(0),
                release: release.max(self.facts.now).max(least),
                due: instant(&order.due)?.map(|due| due + shift),
                deadline: instant(&order.deadline)?.map(|deadline| deadline + shift),
                costs: self.prices.of_order(order)?,
                after,
                groups: Vec::new(),
                span: order.id.span,
            };
            let mut recipe = self.recipe(source, order)?;
            self.settle_steps(order, planned.release, &mut recipe.steps);
            self.settle_order(&mut planned, &mut recipe.steps, order);
            let next = RecipeId(known.len());
            planned.recipe = *known.entry(recipe).or_insert(next);
            self.plan.orders.push(planned);
        }
        let mut all: Vec<(Recipe, RecipeId)> = known.into_iter().collect();
        all.sort_by_key(|(_, number)| *number);
        self.tie_groups();
        self.plan.recipes = all.into_iter().map(|(recipe, _)| recipe).collect();
        Ok(())
    }

    fn shift(&self, order: &spec::Order) -> Found<i64> {
        let Some(shift) = &order.shift else { return Ok(0) };
        let every = self.duration(&shift.every, self.spec.scope(order))?;
        let all = every.checked_mul(shift.times).filter(|&all| all <= MAX_TIME);
        all.ok_or_else(|| large(shift.every.span))
    }

    fn instant(&self, instant: &Instant, order: &spec::Order) -> Found<i64> {
        match instant {
            Instant::After(expr) => {
                let exact = expr.duration(self.spec.scope(order)).map_err(|_| large(expr.span))?;
                small(exact.ceil(), expr.span)
            }
            Instant::Civil(moment) => {
                let seconds = (self.spec.time)
                    .seconds_from_start(moment.value)
                    .ok_or_else(|| large(moment.span))?;
                let unit = self.spec.time.unit.seconds().unwrap_or(1);
                small(Exact::new(seconds.into(), unit.into()).ceil(), moment.span)
            }
        }
    }

    fn recipe(&mut self, source: usize, order: &'s spec::Order) -> Found<Recipe> {
        let recipe = &self.spec.recipes[source];
        let positions = index(recipe.steps.iter().map(|step| step.name.value.as_str()));
        let mut made: IdVec<StepId, Option<Step>> = recipe.steps.iter().map(|_| None).collect();
        for k in repeated_first(recipe, &positions) {
            let step = &recipe.steps[k.index()];
            made[k] = Some(match self.fact(order, step).cloned() {
                Some(done) => self.settled_step(order, step, &done)?,
                None => self.step(step, k, order, (&positions, &made))?,
            });
        }
        let mut steps: Steps = made.into_iter().flatten().collect();
        drop_dead_ends(&mut steps);
        let mut holds = Vec::new();
        for hold in &recipe.holds {
            let resource = self.resource_index[hold.resource.value.as_str()];
            let from = positions[hold.from.value.as_str()];
            let until = positions[hold.until.value.as_str()];
            if from == until && steps[from].longest() == 0 {
                // It takes [start, end): nothing at all.
                continue;
            }
            let is_over = |k: StepId| steps[k].role == Role::Fact;
            if is_over(from) && is_over(until) {
                continue;
            }
            let choices = self.hold_choices(order, hold, resource)?;
            if choices.is_empty() {
                let alternative = &recipe.steps[from.index()].alternatives[0];
                steps[from].modes = vec![self.never(alternative, order)?];
                continue;
            }
            holds.push(Hold { from, until, resource, choices });
        }
        Ok(Recipe { name: recipe.name.value.clone(), source, steps, holds })
    }

    /// A hold that began with a fact keeps the units that it has.
    fn hold_choices(
        &self,
        order: &spec::Order,
        hold: &spec::Hold,
        resource: ResourceId,
    ) -> Found<Vec<Vec<Need>>> {
        let key = (order.id.value.as_str(), hold.from.value.as_str());
        let units = self.facts.held.get(&(key, resource)).map_or(&[][..], Vec::as_slice);
        let pool = |&number: &usize| self.pool_of(Unit { resource, number });
        let mut pools: Vec<PoolId> = units.iter().filter_map(pool).collect();
        pools.sort_unstable();
        // What has begun is as it is.
        let family = if pools.is_empty() { Some(order.family()) } else { None };
        let choices = self.choices(resource, hold.amount.value, family);
        if choices.len() > MAX_MODES && !self.facts.apart.is_empty() {
            return Err(self.too_many("hold", hold.resource.span, choices.len()));
        }
        let has = |choice: &Vec<Need>| pools.iter().all(|p| choice.iter().any(|n| n.pool == *p));
        Ok(choices.into_iter().filter(has).collect())
    }

    /// There are more ways to take units than are written out.
    fn too_many(&self, what: &str, span: Span, ways: usize) -> Box<Diagnostic> {
        let message = format!("this {what} can be done in {ways} ways");
        let found = Diagnostic::error("too-large", span, message);
        let found = found.label(format!("at most {MAX_MODES}"));
        Box::new(match self.earlier.apart().next() {
            None => found,
            Some(_) => found.hint("`unit-cost` tells units apart; without it there are fewer ways"),
        })
    }

    /// The family of a fact, known by its order and step.
    pub fn family_of_fact(&self, (order, step): Key<'s>) -> FamilyId {
        let Some(&order) = self.orders.get(order) else { return FamilyId(0) };
        let recipe = self.spec.recipe(&order.recipe.value);
        let step = recipe.and_then(|recipe| recipe.step(step));
        step.map_or(FamilyId(0), |step| self.families.of_step(order, step))
    }

    /// What something costs per time, whatever the order.
    pub fn price_per_time(&self, rate: Option<&spec::Rate>) -> Found<i64> {
        self.prices.rate(rate, self.spec.constants())
    }

    fn step(
        &mut self,
        step: &'s spec::Step,
        k: StepId,
        order: &'s spec::Order,
        (positions, made): (&BTreeMap<&str, StepId>, &IdVec<StepId, Option<Step>>),
    ) -> Found<Step> {
        let scope = self.spec.scope(order);
        let after = match &step.after {
            None => k.before().map(|before| Link { before, ..Link::default() }),
            Some(_) => None,
        };
        let mut after: Vec<Link> = after.into_iter().collect();
        for link in step.after.iter().flatten() {
            let lag = |expr: &Option<Expr>| expr.as_ref().map(|e| self.duration(e, scope));
            after.push(Link {
                before: positions[link.step.value.as_str()],
                from: match link.from {
                    spec::LagFrom::Start => LagFrom::Start,
                    spec::LagFrom::End => LagFrom::End,
                },
                min: lag(&link.min).transpose()?.unwrap_or(0),
                max: lag(&link.max).transpose()?,
            });
        }
        let pause = match &step.interruptible {
            None => None,
            Some(rule) => match &rule.max {
                None => Some(MAX_TIME),
                Some(max) => Some(self.duration(max, scope)?),
            },
        };
        let mut modes = Vec::new();
        for (alternative, way) in step.alternatives.iter().enumerate() {
            let family = step.family.as_ref().map_or(order.family(), |family| &family.value);
            let own = (alternative, family);
            match way.same.is_empty() {
                true => self.modes(own, way, scope, &mut modes)?,
                false => self.same_modes(own, way, order, (positions, made), &mut modes)?,
            }
        }
        if let Some(pin) = order.pins.iter().find(|pin| pin.step.value == step.name.value) {
            let shift = self.shift(order)?;
            self.pin(pin, shift, pause, &mut modes)?;
        }
        if modes.len() > MAX_MODES {
            return Err(self.too_many("step", step.name.span, modes.len()));
        }
        let key = (order.id.value.as_str(), step.name.value.as_str());
        self.earlier.price(&self.plan, key, &mut modes);
        if modes.is_empty() {
            modes.push(self.never(&step.alternatives[0], order)?);
        }
        Ok(Step {
            name: step.name.value.clone(),
            family: self.families.of_step(order, step),
            modes,
            after,
            pause,
            role: Role::Open,
            anchor: self.earlier.anchor(key),
        })
    }

    fn modes(
        &mut self,
        (alternative, family): (usize, &str),
        way: &'s spec::Alternative,
        scope: Scope,
        modes: &mut Vec<Mode>,
    ) -> Found<()> {
        let whole = self.whole(way, scope)?;
        let resources: Vec<(ResourceId, i64)> = (way.requirements.iter())
            .map(|r| (self.resource_index[r.resource.value.as_str()], r.amount.value))
            .collect();
        for needs in self.combinations(&resources, Some(family)) {
            modes.push(self.mode(alternative, (way, whole), needs)?);
        }
        Ok(())
    }

    /// The mode that takes this.
    pub fn mode(
        &mut self,
        alternative: usize,
        (way, whole): (&spec::Alternative, i64),
        needs: Vec<Need>,
    ) -> Found<Mode> {
        let duration = self.stretched(whole, &needs).ok_or_else(|| large(way.span))?;
        let cost = self.run_cost(duration, &needs).filter(|&cost| cost <= LARGEST_PRICE);
        let cost = cost.ok_or_else(|| large(way.span))?;
        let mut calendars: Vec<SourceId> = (needs.iter())
            .filter_map(|need| self.plan.pools[need.pool].calendar)
            .flat_map(|calendar| self.sets[calendar].clone())
            .collect();
        calendars.sort_unstable();
        calendars.dedup();
        let calendar = (!calendars.is_empty()).then(|| self.joint(calendars));
        Ok(Mode { alternative, needs, duration, calendar, cost, ..Mode::default() })
    }

    /// The duration of an alternative before factors.
    pub fn whole(&self, way: &spec::Alternative, scope: Scope) -> Found<i64> {
        let exact = way.duration.duration(scope).map_err(|_| large(way.duration.span))?;
        small(exact.ceil(), way.duration.span)
    }

    /// A way that is open at no time, for a step that cannot be done.
    fn never(&mut self, way: &spec::Alternative, order: &spec::Order) -> Found<Mode> {
        let duration = self.whole(way, self.spec.scope(order))?;
        let never = self.sources.ids().find(|&id| matches!(self.sources[id], Source::Never));
        let never = never.unwrap_or_else(|| self.sources.push(Source::Never));
        let calendar = Some(self.joint(vec![never]));
        Ok(Mode { duration, calendar, ..Mode::default() })
    }

    /// The number of the calendar that is open when all of these are.
    pub fn joint(&mut self, set: Vec<SourceId>) -> CalendarId {
        let known = self.sets.entries().find(|(_, known)| **known == set).map(|(id, _)| id);
        known.unwrap_or_else(|| self.sets.push(set))
    }

    /// All ways to take these amounts from the pools of these resources.
    pub fn combinations(
        &self,
        resources: &[(ResourceId, i64)],
        family: Option<&str>,
    ) -> Vec<Vec<Need>> {
        let mut found: Vec<Vec<Need>> = vec![Vec::new()];
        for &(resource, amount) in resources {
            let choices = self.choices(resource, amount, family);
            found = (found.iter())
                .flat_map(|known| choices.iter().map(|choice| [&known[..], &choice[..]].concat()))
                .take(MAX_MODES + 1)
                .collect();
        }
        found.iter_mut().for_each(|needs| needs.sort_unstable());
        found
    }

    /// All ways to take an amount from the pools of one resource that take the family, if it matters.
    fn choices(&self, resource: ResourceId, amount: i64, family: Option<&str>) -> Vec<Vec<Need>> {
        let mut found: Vec<(Vec<Need>, i64)> = vec![(Vec::new(), amount)];
        let takes = |pool: &PoolId| family.is_none_or(|family| self.terms[*pool].takes(family));
        let pools = self.plan.resources[resource].pools.iter().copied();
        let pools: Vec<PoolId> = pools.filter(takes).collect();
        for (k, &pool) in pools.iter().enumerate() {
            let rest: i64 = pools[k + 1..].iter().map(|&p| self.plan.pools[p].capacity()).sum();
            let mut next = Vec::new();
            for (needs, left) in found {
                let most = self.plan.pools[pool].capacity().min(left);
                for taken in ((left - rest).max(0)..=most).rev() {
                    let mut needs = needs.clone();
                    if taken > 0 {
                        needs.push(Need { pool, amount: taken });
                    }
                    next.push((needs, left - taken));
                }
            }
            next.truncate(MAX_MODES + 1);
            found = next;
        }
        found.retain(|(_, left)| *left == 0);
        found.into_iter().map(|(needs, _)| needs).collect()
    }

    /// The least and the most time between orders.
    pub fn between(
        &self,
        before: &spec::OrderBefore,
        order: &spec::Order,
    ) -> Found<(i64, Option<i64>)> {
        let time = |time: &Expr| self.duration(time, self.spec.scope(order));
        let min = before.min.as_ref().map(time).transpose()?.unwrap_or(0);
        Ok((min, before.max.as_ref().map(time).transpose()?))
    }

    fn duration(&self, expr: &Expr, scope: Scope) -> Found<i64> {
        small(expr.duration(scope).map_err(|_| large(expr.span))?.ceil(), expr.span)
    }
}

/// Whether something tells a unit from the others.
fn has_own(resource: &spec::Resource, unit: usize) -> bool {
    resource.named_units().get(unit).is_some_and(spec::NamedUnit::has_own)
}

fn index_orders(spec: &Spec) -> BTreeMap<&str, &spec::Order> {
    spec.orders.iter().map(|order| (order.id.value.as_str(), order)).collect()
}

/// Units that some step is pinned to.
fn pinned_units(spec: &Spec, resources: &BTreeMap<&str, ResourceId>) -> Vec<Unit> {
    let mut found = Vec::new();
    for order in spec.orders.iter().filter(|order| !order.pins.is_empty()) {
        let Some(recipe) = spec.recipe(&order.recipe.value) else { continue };
        for (pin, name) in order.pins.iter().filter_map(|pin| Some((pin, pin.unit.as_ref()?))) {
            let ways = recipe.step(&pin.step.value).map_or(&[][..], |step| &step.alternatives[..]);
            for need in ways.iter().flat_map(|way| &way.requirements) {
                let resource = resources[need.resource.value.as_str()];
                let names = spec.resources[resource.index()].unit_names();
                let number = names.iter().position(|unit| *unit == name.value);
                found.extend(number.map(|number| Unit { resource, number }));
            }
        }
    }
    found
}

fn index<'a, I: Id>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, I> {
    names.enumerate().map(|(k, name)| (name, I::at(k))).collect()
}

fn small(exact: Exact, span: Span) -> Found<i64> {
    exact.to_integer().to_i64().filter(|&n| n.abs() <= MAX_TIME).ok_or_else(|| large(span))
}

fn large(span: Span) -> Box<Diagnostic> {
    let found = Diagnostic::error("too-large", span, format!("this is more than {MAX_TIME}"));
    Box::new(found.hint("choose a larger unit of time"))
}
