//! Where the plant is: facts as steps that can be nowhere else.
//!
//! A fact stays a step of its order, which others follow; a calendar that is open for it alone keeps it in its
//! place. It takes nothing itself: what it takes from `now` on is claimed by steps of their own
//! ([`Role::Claim`](super::Role)), one for each unit, cut where facts overlap, as no rule is checked between facts.
//! A unit with setups begins as the last fact before `now` has left it. So nobody who looks for schedules
//! has to know of facts.

use super::build::Found;
use super::{ResourceId, Unit};
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::Diagnostic;
use takt_spec::schedule::Kind;
use takt_spec::{self as spec, Exact, ExprKind, Instant, MAX_TIME, Spec};

/// The id of an order and the name of one of its steps.
pub type Key<'s> = (&'s str, &'s str);

/// All facts of a spec, in whole units.
#[derive(Debug, Default)]
pub struct Facts<'s> {
    pub now: i64,
    pub steps: BTreeMap<Key<'s>, Done>,
    /// The units of holds that began with a fact and have not ended.
    pub held: BTreeMap<(Key<'s>, ResourceId), Vec<usize>>,
    /// What facts take from now on.
    pub claims: BTreeMap<Key<'s>, Vec<Claim>>,
    /// Units of which rows must know which one is meant.
    pub apart: BTreeSet<Unit>,
    /// The steps on each unit, by start.
    pub lines: BTreeMap<Unit, Vec<Key<'s>>>,
}

/// A step as it was, or as it is settled.
#[derive(Clone, Debug, Default)]
pub struct Done {
    pub start: i64,
    pub end: i64,
    pub work: i64,
    pub units: Vec<Unit>,
}

#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub unit: Unit,
    pub start: i64,
    pub end: i64,
}

/// Someone who takes a unit as a fact.
struct Use<'s> {
    start: i64,
    end: i64,
    key: Key<'s>,
}

impl<'s> Facts<'s> {
    pub fn read(spec: &'s Spec) -> Found<Facts<'s>> {
        let now = spec.now.as_ref().map(|now| moment(spec, now)).transpose()?.unwrap_or(0).max(0);
        let mut facts = Facts { now, ..Facts::default() };
        if spec.fixed.facts.is_empty() {
            return Ok(facts);
        }
        let mut reader = Reader::new(spec);
        reader.rows(&mut facts)?;
        reader.nameless(&mut facts);
        reader.holds(&mut facts);
        for (unit, mut uses) in reader.uses {
            uses.sort_by_key(|one| (one.start, one.end));
            facts.claim(unit, &uses);
        }
        for line in facts.lines.values_mut() {
            line.sort_by_key(|key| facts.steps.get(key).map(|done| (done.start, done.end)));
        }
        Ok(facts)
    }

    /// What of each use nobody before it has; only the time from now on counts.
    fn claim(&mut self, unit: Unit, uses: &[Use<'s>]) {
        let mut free = self.now;
        for one in uses {
            let start = one.start.max(free);
            if start < one.end {
                let claim = Claim { unit, start, end: one.end };
                self.claims.entry(one.key).or_default().push(claim);
                if start > self.now {
                    self.apart.insert(unit);
                }
            }
            free = free.max(one.end);
        }
    }
}

/// Reads rows, and gives units to those that name none.
struct Reader<'s> {
    spec: &'s Spec,
    resources: BTreeMap<&'s str, (ResourceId, BTreeMap<String, usize>)>,
    uses: BTreeMap<Unit, Vec<Use<'s>>>,
    /// Units that open holds have, from when on.
    kept: Vec<(Unit, i64)>,
    /// Steps that take a unit that they do not name.
    open: Vec<(Key<'s>, ResourceId, usize)>,
    hold_rows: BTreeMap<(Key<'s>, ResourceId), Vec<usize>>,
}

impl<'s> Reader<'s> {
    fn new(spec: &'s Spec) -> Reader<'s> {
        let resource = |(k, resource): (usize, &'s spec::Resource)| {
            let units = resource.unit_names().into_iter().zip(0..).collect();
            (resource.name.value.as_str(), (ResourceId(k), units))
        };
        Reader {
            spec,
            resources: spec.resources.iter().enumerate().map(resource).collect(),
            uses: BTreeMap::new(),
            kept: Vec::new(),
            open: Vec::new(),
            hold_rows: BTreeMap::new(),
        }
    }

    fn rows(&mut self, facts: &mut Facts<'s>) -> Found<()> {
        let orders: BTreeSet<&str> = self.spec.orders.iter().map(|o| o.id.value.as_str()).collect();
        let fixed = &self.spec.fixed;
        let until = fixed.until.as_ref().map(|until| moment(self.spec, until)).transpose()?;
        for fact in &fixed.facts {
            let (start, end) = (moment(self.spec, &fact.start)?, moment(self.spec, &fact.end)?);
            let is_late = until.is_some_and(|until| start >= until);
            if is_late || !orders.contains(fact.order.value.as_str()) {
                continue;
            }
            let key = (fact.order.value.as_str(), fact.step.value.as_str());
            let taken = fact.resource.as_ref().and_then(|r| self.resources.get(r.value.as_str()));
            let taken = taken.map(|(resource, units)| {
                let only = (units.len() == 1).then_some(0);
                (*resource, fact.unit.as_ref().map_or(only, |u| units.get(&u.value).copied()))
            });
            if fact.kind == Kind::Hold {
                if let Some((resource, Some(unit))) = taken {
                    self.hold_rows.entry((key, resource)).or_default().push(unit);
                }
                continue;
            }
            let work = fact.work.map_or(end - start, |work| work.value);
            let done =
                facts.steps.entry(key).or_insert(Done { start, end, work, units: Vec::new() });
            match taken {
                None => {}
                Some((resource, Some(number))) => {
                    let unit = Unit { resource, number };
                    done.units.push(unit);
                    self.uses.entry(unit).or_default().push(Use { start, end, key });
                    facts.lines.entry(unit).or_default().push(key);
                }
                Some((resource, None)) => self.open.push((key, resource, done.units.len())),
            }
        }
        Ok(())
    }

    /// Any unit that is free will do; where none is, the first.
    fn nameless(&mut self, facts: &mut Facts<'s>) {
        self.open.sort_by_key(|(key, ..)| facts.steps.get(key).map(|done| (done.start, done.end)));
        for (key, resource, _) in std::mem::take(&mut self.open) {
            let Some(done) = facts.steps.get_mut(&key) else { continue };
            let unit = self.free(resource, done.start, done.end, &done.units);
            done.units.push(unit);
            let one = Use { start: done.start, end: done.end, key };
            self.uses.entry(unit).or_default().push(one);
            facts.lines.entry(unit).or_default().push(key);
        }
    }

    fn free(&self, resource: ResourceId, start: i64, end: i64, taken: &[Unit]) -> Unit {
        let count = self.spec.resources.get(resource.0).map_or(1, |r| r.capacity() as usize);
        let all = (0..count).map(|number| Unit { resource, number });
        let is_free = |unit: &Unit| {
            let uses = self.uses.get(unit).map_or(&[][..], Vec::as_slice);
            let is_kept = self.kept.iter().any(|(kept, from)| kept == unit && *from < end);
            !taken.contains(unit)
                && !is_kept
                && uses.iter().all(|one| one.end <= start || end <= one.start)
        };
        all.clone()
            .find(is_free)
            .or_else(|| all.clone().find(|unit| !taken.contains(unit)))
            .unwrap_or(Unit { resource, number: 0 })
    }

    /// Holds that begin with a fact: over, or still open.
    fn holds(&mut self, facts: &mut Facts<'s>) {
        let recipes: BTreeMap<&str, &spec::Recipe> =
            self.spec.recipes.iter().map(|recipe| (recipe.name.value.as_str(), recipe)).collect();
        for order in &self.spec.orders {
            let Some(recipe) = recipes.get(order.recipe.value.as_str()) else { continue };
            for hold in &recipe.holds {
                let id = order.id.value.as_str();
                let (from, until) =
                    ((id, hold.from.value.as_str()), (id, hold.until.value.as_str()));
                let Some(start) = facts.steps.get(&from).map(|done| done.start) else { continue };
                let Some((resource, _)) = self.resources.get(hold.resource.value.as_str()) else {
                    continue;
                };
                let resource = *resource;
                let mut units = self.hold_rows.remove(&(from, resource)).unwrap_or_default();
                units.truncate(hold.amount.value as usize);
                let over = facts.steps.get(&until).map(|done| done.end);
                let end = over.unwrap_or(MAX_TIME);
                let mut taken: Vec<Unit> =
                    units.into_iter().map(|number| Unit { resource, number }).collect();
                while (taken.len() as i64) < hold.amount.value.min(self.capacity(resource)) {
                    taken.push(self.free(resource, start, end, &taken));
                }
                if over.is_none() {
                    facts.apart.extend(&taken);
                    self.kept.extend(taken.iter().map(|unit| (*unit, start)));
                    let numbers = taken.into_iter().map(|unit| unit.number);
                    facts.held.entry((from, resource)).or_default().extend(numbers);
                    continue;
                }
                for unit in taken {
                    self.uses.entry(unit).or_default().push(Use { start, end, key: from });
                }
            }
        }
    }

    fn capacity(&self, resource: ResourceId) -> i64 {
        self.spec.resources.get(resource.0).map_or(0, spec::Resource::capacity)
    }
}

/// An instant that no order changes, in units from 0; negative before it.
pub fn moment(spec: &Spec, instant: &Instant) -> Found<i64> {
    let (exact, span) = match instant {
        Instant::After(expr) => {
            let exact = match &expr.kind {
                ExprKind::Number(number) => Some(*number),
                _ => expr.duration(spec.constants()).ok(),
            };
            (exact, expr.span)
        }
        Instant::Civil(at) => {
            let unit = spec.time.unit.seconds().unwrap_or(1);
            let seconds = spec.time.seconds_from_start(at.value);
            (seconds.map(|seconds| Exact::new(seconds.into(), unit.into())), at.span)
        }
    };
    let whole = exact.and_then(|exact| exact.ceil().to_integer().to_i64());
    whole.filter(|whole| whole.abs() <= MAX_TIME).ok_or_else(|| {
        let message = format!("this is more than {MAX_TIME}");
        Box::new(Diagnostic::error("too-large", span, message))
    })
}
