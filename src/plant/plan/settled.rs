//! Facts and pins in the steps of orders, and in what units are set up for.

use super::build::{Builder, Found};
use super::calendar::Source;
use super::facts::{Done, Key, moment};
use super::ids::{CalendarId, FamilyId, Id, IdVec, PoolId, StepId};
use super::{
    Calendar, Fact, FamilyTable, LagFrom, Link, Mode, Need, Order, Role, Step, Steps, TimeCosts,
    Unit, Window,
};
use std::collections::BTreeMap;
use takt_spec::{self as spec, MAX_TIME};

/// What facts do to setups.
#[derive(Default)]
pub struct Lines<'s> {
    /// For what a claim counts on its unit, where that is not the family of its step.
    families: BTreeMap<(Unit, Key<'s>), FamilyId>,
    /// What was paid to set a unit up for a fact, where nothing can come between any more.
    paid: BTreeMap<Key<'s>, i64>,
}

/// A family that only one unit knows: entered as one of the spec, left as another.
struct Extra {
    pool: PoolId,
    /// `None`: nothing comes before it.
    entry: Option<FamilyId>,
    exit: FamilyId,
    /// Added to all times after it.
    delay: i64,
}

/// Facts on a unit that a step of its own claims.
struct Group<'s> {
    key: Key<'s>,
    /// `None`: nothing comes before it.
    entry: Option<FamilyId>,
    exit: FamilyId,
    end: i64,
    /// It is closer to what comes before it than a setup would allow.
    is_close: bool,
}

impl<'s> Builder<'s> {
    /// Sets units up as facts have left them. The tables of setups grow by families of their own.
    pub fn settle_setups(&mut self) {
        let (mut extras, mut close) = (Vec::new(), Vec::new());
        for pool in self.plan.pools.ids() {
            if self.plan.pools[pool].setup.is_some() {
                self.settle_unit(pool, &mut extras, &mut close);
            }
        }
        if !extras.is_empty() {
            self.grow_tables(&extras, &close);
        }
    }

    fn settle_unit(
        &mut self,
        pool: PoolId,
        extras: &mut Vec<Extra>,
        close: &mut Vec<[FamilyId; 2]>,
    ) {
        let now = self.facts.now;
        let (groups, last) = self.groups(pool);
        let first = self.plan.families.len();
        let mut extra = |entry, exit, delay| {
            extras.push(Extra { pool, entry, exit, delay });
            FamilyId(first + extras.len() - 1)
        };
        // Facts have been set up for: that is nobody's work any more.
        let is_work = self.plan.pools[pool].setup.as_ref().is_some_and(|s| s.crew.is_some());
        let are_own = is_work && !groups.is_empty()
            || groups.iter().any(|group| group.is_close || group.entry != Some(group.exit));
        let has_begun = groups.first().is_some_and(|group| group.entry.is_none());
        let is_late = now > 0 || are_own;
        let initial = last.filter(|_| !has_begun);
        // What is work knows by itself when it may begin.
        let delay = if is_work { 0 } else { now };
        let initial = initial.map(|last| if is_late { extra(None, last, delay) } else { last });
        let mut before = initial;
        let unit = self.unit_of(pool);
        for group in groups {
            let family = if are_own { extra(group.entry, group.exit, 0) } else { group.exit };
            if let Some(before) = before.filter(|_| group.is_close || is_work) {
                close.push([before, family]);
            }
            self.lines.families.insert((unit, group.key), family);
            before = Some(family);
        }
        if let Some(setup) = &mut self.plan.pools[pool].setup {
            setup.initial = initial;
            setup.since = if is_late { now } else { 0 };
        }
    }

    /// What is claimed of a unit with setups, in sequence, and the family that it was set up for before.
    fn groups(&mut self, pool: PoolId) -> (Vec<Group<'s>>, Option<FamilyId>) {
        let (unit, now) = (self.unit_of(pool), self.facts.now);
        let Some(setup) = self.plan.pools[pool].setup.clone() else { return (Vec::new(), None) };
        let mut last = setup.initial;
        let mut groups: Vec<Group> = Vec::new();
        for key in self.facts.lines.get(&unit).cloned().unwrap_or_default() {
            let family = self.family_of_fact(key);
            let start = self.facts.steps[&key].start;
            let claims = self.facts.claims.get(&key).map_or(&[][..], Vec::as_slice);
            let claim = claims.iter().find(|claim| claim.unit == unit).copied();
            let before = groups.last().map(|group| group.exit).or(last);
            let cost = before.map_or(0, |before| setup.cost[before][family]);
            let time = before.map_or(0, |before| setup.time[before][family]);
            match (claim, groups.last_mut()) {
                (Some(claim), None) if start <= now => {
                    *self.lines.paid.entry(key).or_default() += cost;
                    let (entry, is_close) = (None, false);
                    groups.push(Group { key, entry, exit: family, end: claim.end, is_close });
                }
                (Some(claim), previous) => {
                    let from = previous.map_or(now, |group| group.end);
                    let is_close = before.is_some() && claim.start < from + time;
                    let (entry, end) = (Some(family), claim.end);
                    groups.push(Group { key, entry, exit: family, end, is_close });
                }
                // It lies in the past, or within others.
                (None, None) => {
                    *self.lines.paid.entry(key).or_default() += cost;
                    last = Some(family);
                }
                (None, Some(group)) => {
                    *self.lines.paid.entry(key).or_default() += cost;
                    group.exit = family;
                }
            }
        }
        (groups, last)
    }

    fn grow_tables(&mut self, extras: &[Extra], close: &[[FamilyId; 2]]) {
        let count = self.plan.families.len();
        for _ in extras {
            self.plan.families.push(String::new());
        }
        for pool in self.plan.pools.ids() {
            let Some(setup) = &mut self.plan.pools[pool].setup else { continue };
            let extra = |id: FamilyId| id.index().checked_sub(count).map(|k| &extras[k]);
            // What two families are in the old tables, and what is added to the time between them.
            let source = |from: FamilyId, to: FamilyId| -> Option<(FamilyId, FamilyId, i64)> {
                let (from, to) = ((from, extra(from)), (to, extra(to)));
                let is_strange = |e: &Extra| e.pool != pool;
                if from.1.is_some_and(is_strange) || to.1.is_some_and(is_strange) {
                    return None;
                }
                let exit = from.1.map_or(from.0, |extra| extra.exit);
                let entry = to.1.map_or(Some(to.0), |extra| extra.entry)?;
                Some((exit, entry, from.1.map_or(0, |extra| extra.delay)))
            };
            let size = count + extras.len();
            setup.time = grown(size, |a, b| {
                source(a, b).map_or(0, |(from, to, delay)| setup.time[from][to] + delay)
            });
            setup.cost =
                grown(size, |a, b| source(a, b).map_or(0, |(from, to, _)| setup.cost[from][to]));
            if let Some(crew) = &mut setup.crew {
                let kind = |a, b| source(a, b).map_or(0, |(from, to, _)| crew.kind[from][to]);
                crew.kind = grown(size, kind);
            }
            for &[from, to] in close {
                setup.time[from][to] = 0;
            }
        }
    }

    fn unit_of(&self, pool: PoolId) -> Unit {
        let pool = &self.plan.pools[pool];
        Unit { resource: pool.resource, number: pool.units[0] }
    }

    /// What is known of a step as a fact.
    pub fn fact(&self, order: &'s spec::Order, step: &'s spec::Step) -> Option<&Done> {
        self.facts.steps.get(&(order.id.value.as_str(), step.name.value.as_str()))
    }

    /// A fact in its place; it takes nothing.
    pub fn settled_step(
        &mut self,
        order: &'s spec::Order,
        step: &'s spec::Step,
        done: &Done,
    ) -> Found<Step> {
        let key = (order.id.value.as_str(), step.name.value.as_str());
        let mut cost = self.lines.paid.get(&key).copied().unwrap_or(0);
        for unit in &done.units {
            cost = cost.saturating_add(self.run_rate(*unit)?.saturating_mul(done.work));
        }
        let (start, end) = (done.start.max(0), done.end.max(0));
        let calendar = Some(self.only(start, end));
        let (alternative, needs, duration) = (0, Vec::new(), end - start);
        let modes = vec![Mode { alternative, needs, duration, calendar, cost, ..Mode::default() }];
        let family = self.family_of_fact(key);
        let (name, role) = (step.name.value.clone(), Role::Fact);
        Ok(Step { name, family, modes, role, ..Step::default() })
    }

    /// Steps that follow facts do so from where those really ended, and none before the floor: the release,
    /// or now. What facts take is added.
    pub fn settle_steps(&mut self, order: &'s spec::Order, floor: i64, steps: &mut Steps) {
        let facts: Vec<StepId> =
            steps.entries().filter(|(_, step)| step.role == Role::Fact).map(|(k, _)| k).collect();
        let Some(&anchor) = facts.first() else { return };
        let names: IdVec<StepId, String> = steps.iter().map(|step| step.name.clone()).collect();
        let id = order.id.value.as_str();
        let known = &self.facts.steps;
        let of = |k: StepId| known.get(&(id, names[k].as_str()));
        for k in steps.ids().filter(|k| !facts.contains(k)) {
            for link in &mut steps[k].after {
                if let Some(done) = of(link.before) {
                    *link = from_fact(*link, done, floor);
                }
            }
            if let (true, Some(done)) = (steps[k].after.is_empty(), of(anchor)) {
                let min = floor - done.start.max(0);
                let link =
                    Link { before: anchor, from: LagFrom::Start, min: min.max(0), max: None };
                steps[k].after.push(link);
            }
        }
        for &k in &facts {
            let step = spec_step(self.spec, order, &names[k]);
            step.into_iter().for_each(|step| self.claim(order, step, k, steps));
        }
    }

    fn claim(
        &mut self,
        order: &'s spec::Order,
        step: &'s spec::Step,
        of: StepId,
        steps: &mut Steps,
    ) {
        let key = (order.id.value.as_str(), step.name.value.as_str());
        for claim in self.facts.claims.get(&key).cloned().unwrap_or_default() {
            let Some(pool) = self.pool_of(claim.unit) else { continue };
            let family = self.lines.families.get(&(claim.unit, key)).copied();
            let calendar = Some(self.only(claim.start, claim.end));
            let needs = vec![Need { pool, amount: 1 }];
            let (alternative, duration, cost) = (0, claim.end - claim.start, 0);
            steps.push(Step {
                name: step.name.value.clone(),
                family: family.unwrap_or(steps[of].family),
                modes: vec![Mode {
                    alternative,
                    needs,
                    duration,
                    calendar,
                    cost,
                    ..Mode::default()
                }],
                role: Role::Claim(of, claim.unit),
                ..Step::default()
            });
        }
    }

    pub fn pool_of(&self, unit: Unit) -> Option<PoolId> {
        let pools = &self.plan.resources[unit.resource].pools;
        pools.iter().copied().find(|&pool| self.plan.pools[pool].units.contains(&unit.number))
    }

    /// What an order with facts pays in any case goes to its first fact, and its release to where it began.
    pub fn settle_order(&mut self, order: &mut Order, steps: &mut Steps, source: &'s spec::Order) {
        let id = source.id.value.as_str();
        let of = |name: &str| self.facts.steps.get(&(id, name)).cloned();
        let mut known: Vec<(StepId, Done)> = Vec::new();
        for (k, step) in steps.entries().filter(|(_, step)| step.role == Role::Fact) {
            known.extend(of(&step.name).map(|done| (k, done)));
        }
        let Some(start) = known.iter().map(|(_, done)| done.start).min() else { return };
        let end = known.iter().map(|(_, done)| done.end).max().unwrap_or(start);
        order.release = start.max(0);
        let is_over = steps.iter().all(|step| step.role != Role::Open);
        let before = order.costs.holding.saturating_mul((-start).max(0));
        let paid = if is_over { order.time_cost(start, end) } else { before };
        if is_over {
            order.costs = TimeCosts::default();
        }
        let first = &mut steps[known[0].0].modes[0];
        first.cost = first.cost.saturating_add(paid);
        let number = self.plan.orders.next_id();
        for (k, Done { start, end, work, units }) in known {
            self.plan.facts.insert((number, k), Fact { start, end, work, units });
        }
    }

    /// Leaves the ways of a step that its pin allows, at the time that it says.
    pub fn pin(
        &mut self,
        pin: &'s spec::Pin,
        shift: i64,
        pause: Option<i64>,
        modes: &mut Vec<Mode>,
    ) -> Found<()> {
        if let Some(name) = &pin.unit {
            modes.retain(|mode| {
                mode.needs.iter().any(|need| self.is_called(need.pool, &name.value))
            });
        }
        let Some(start) = &pin.start else { return Ok(()) };
        let start = moment(self.spec, start)?.saturating_add(shift).max(0);
        for mode in modes {
            let mut set =
                mode.calendar.map_or_else(Vec::new, |calendar| self.sets[calendar].clone());
            let end = self.end_of(mode, start, pause);
            set.push(self.window(start, end));
            set.sort_unstable();
            set.dedup();
            mode.calendar = Some(self.joint(set));
        }
        Ok(())
    }

    fn is_called(&self, pool: PoolId, name: &str) -> bool {
        let pool = &self.plan.pools[pool];
        let names = &self.plan.resources[pool.resource].units;
        pool.units.iter().any(|&unit| names[unit] == name)
    }

    /// When work ends that starts then; where it may not, when it would.
    fn end_of(&self, mode: &Mode, start: i64, pause: Option<i64>) -> i64 {
        let plain = start.saturating_add(mode.duration);
        let Some(calendar) = mode.calendar.filter(|_| pause.is_some()) else { return plain };
        let mut until = plain.saturating_add(1);
        while let Ok(windows) = self.joint_windows(calendar, until, &mut BTreeMap::new()) {
            let open = Calendar { windows };
            // The last window may have been cut.
            let end = open.end(start, mode.duration, pause).filter(|&end| end < until);
            if let Some(end) =
                end.or((open.at(start).is_none() || until >= MAX_TIME).then_some(plain))
            {
                return end;
            }
            until = until.saturating_mul(2).min(MAX_TIME);
        }
        plain
    }

    /// The calendar of work that lasts from here to there, and can be nowhere else.
    fn only(&mut self, start: i64, end: i64) -> CalendarId {
        let source = self.window(start, end);
        self.joint(vec![source])
    }

    fn window(&mut self, start: i64, end: i64) -> super::ids::SourceId {
        let window = Window { open: start, close: end.max(start + 1) };
        if let Some(&known) = self.only.get(&window) {
            return known;
        }
        let source = self.sources.push(Source::Only(window));
        self.only.insert(window, source);
        source
    }
}

fn grown<T>(size: usize, cell: impl Fn(FamilyId, FamilyId) -> T) -> FamilyTable<T> {
    let ids = || (0..size).map(FamilyId);
    ids().map(|from| ids().map(|to| cell(from, to)).collect()).collect()
}

/// The same lag from where a fact of the plan is, which does not start before 0; none before the floor.
fn from_fact(link: Link, done: &Done, floor: i64) -> Link {
    let real = link.from.of(done.start, done.end);
    let shown = real.max(0);
    let min = link.min + real - shown;
    let max = link.max.map(|max| max + real - shown);
    let least = min.max(floor - shown).max(0);
    // What is over cannot be met.
    match max {
        Some(max) if max < least => Link { min: 1, max: Some(0), ..link },
        _ => Link { min: least, max, ..link },
    }
}

fn spec_step<'s>(spec: &'s spec::Spec, order: &spec::Order, name: &str) -> Option<&'s spec::Step> {
    spec.recipe(&order.recipe.value)?.step(name)
}
