//! What units are set up for: the family of a step, and the values of the attributes that setups go by.
//!
//! A family of the plan is a combination of these that occurs, so that nobody who looks for schedules has to know
//! that setups have parts. Times and costs of the parts add up.

use super::build::{Effort, Found};
use super::ids::{FamilyId, IdVec};
use super::{FamilyTable, SetupTable};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::Diagnostic;
use takt_spec::{self as spec, SetupPart, Spec};

/// Families that a table of setups is made for.
const MAX_FAMILIES: usize = 500;

/// For each kind: `None` where it plays no part, or where nothing is known.
type Combination<'s> = Vec<Option<&'s str>>;

/// The sums of the parts of a setup.
pub struct Tables {
    pub time: SetupTable,
    pub cost: SetupTable,
    /// Which parts take time, one per bit.
    pub parts: FamilyTable<u32>,
}

#[derive(Debug, Default)]
pub struct Families<'s> {
    /// The attributes that setups go by; families themselves are one kind more, the first.
    attributes: Vec<&'s str>,
    numbers: BTreeMap<Combination<'s>, FamilyId>,
    all: IdVec<FamilyId, Combination<'s>>,
    /// For each resource with a setup by attributes: their kinds.
    asked: BTreeMap<&'s str, BTreeSet<usize>>,
}

impl<'s> Families<'s> {
    /// Those that steps have and that units are set up for at first.
    pub fn of(spec: &'s Spec) -> Families<'s> {
        let mut families = Families::default();
        for resource in &spec.resources {
            for part in resource.setup.iter().flat_map(|setup| &setup.parts) {
                let Some(by) = &part.by else { continue };
                if !families.attributes.contains(&by.value.as_str()) {
                    families.attributes.push(&by.value);
                }
                let kind = families.kind(part);
                families.asked.entry(&resource.name.value).or_default().insert(kind);
            }
        }
        let recipes: BTreeMap<&str, &spec::Recipe> =
            spec.recipes.iter().map(|recipe| (recipe.name.value.as_str(), recipe)).collect();
        for order in &spec.orders {
            let Some(recipe) = recipes.get(order.recipe.value.as_str()) else { continue };
            for step in &recipe.steps {
                let combination = families.combination(order, step);
                families.add(combination);
            }
        }
        for resource in spec.resources.iter().filter(|resource| resource.setup.is_some()) {
            for unit in resource.unit_names() {
                families.first(resource, &unit).into_iter().for_each(|first| families.add(first));
            }
        }
        families
    }

    fn add(&mut self, combination: Combination<'s>) {
        let next = self.all.next_id();
        if *self.numbers.entry(combination.clone()).or_insert(next) == next {
            self.all.push(combination);
        }
    }

    /// What a step of an order counts as.
    pub fn of_step(&self, order: &'s spec::Order, step: &'s spec::Step) -> FamilyId {
        self.numbers.get(&self.combination(order, step)).copied().unwrap_or_default()
    }

    /// What a unit is set up for at 0.
    pub fn initial(&self, resource: &'s spec::Resource, unit: &str) -> Option<FamilyId> {
        self.numbers.get(&self.first(resource, unit)?).copied()
    }

    pub fn names(&self) -> IdVec<FamilyId, String> {
        let name = |one: &Combination| one.iter().flatten().copied().collect::<Vec<_>>().join(", ");
        self.all.iter().map(name).collect()
    }

    /// Only units whose setup goes by an attribute tell its values apart.
    fn combination(&self, order: &'s spec::Order, step: &'s spec::Step) -> Combination<'s> {
        let mut found = vec![None; self.attributes.len() + 1];
        found[0] = Some(step.family.as_ref().map_or(order.family(), |f| f.value.as_str()));
        if self.attributes.is_empty() {
            return found;
        }
        let needs = step.alternatives.iter().flat_map(|way| &way.requirements);
        for &kind in needs.filter_map(|need| self.asked.get(need.resource.value.as_str())).flatten()
        {
            let attribute = order.attribute(self.attributes[kind - 1]);
            found[kind] = attribute.map(|attribute| attribute.text.as_str());
        }
        found
    }

    fn first(&self, resource: &'s spec::Resource, unit: &str) -> Option<Combination<'s>> {
        let mut found = vec![None; self.attributes.len() + 1];
        for part in resource.setup.iter().flat_map(|setup| &setup.parts) {
            found[self.kind(part)] = resource.initial(part, unit);
        }
        found.iter().any(Option::is_some).then_some(found)
    }

    fn kind(&self, part: &SetupPart) -> usize {
        let by = part.by.as_ref().map(|by| by.value.as_str());
        by.and_then(|by| self.attributes.iter().position(|known| *known == by)).map_or(0, |k| k + 1)
    }

    /// Times and costs between all combinations: the sums of the parts of a setup, whose efforts are computed by
    /// whoever knows how.
    pub fn tables(
        &self,
        setup: &spec::Setup,
        effort: &dyn Fn(&spec::Effort) -> Found<Effort>,
    ) -> Found<Tables> {
        let count = self.all.len();
        if count > MAX_FAMILIES {
            let message = format!("there are {count} families, too many for a table of setups");
            let found = Diagnostic::error("too-large", setup.span, message);
            return Err(Box::new(found.label(format!("at most {MAX_FAMILIES}"))));
        }
        let none = self.all.filled(self.all.filled(0));
        let parts = self.all.filled(self.all.filled(0));
        let mut tables = Tables { time: none.clone(), cost: none, parts };
        for (number, part) in setup.parts.iter().enumerate() {
            self.add_part(number, part, effort, &mut tables)?;
        }
        Ok(tables)
    }

    fn add_part(
        &self,
        number: usize,
        part: &SetupPart,
        effort: &dyn Fn(&spec::Effort) -> Found<Effort>,
        tables: &mut Tables,
    ) -> Found<()> {
        let kind = self.kind(part);
        let otherwise = effort(&part.otherwise)?;
        let mut matrix: BTreeMap<(&str, &str), Effort> = BTreeMap::new();
        for change in &part.matrix {
            matrix.insert((&change.from.value, &change.to.value), effort(&change.effort)?);
        }
        for (from, a) in self.all.entries() {
            for (to, b) in self.all.entries() {
                let (Some(a), Some(b)) = (a[kind], b[kind]) else { continue };
                let usual = if a == b { Effort::default() } else { otherwise };
                let own = matrix.get(&(a, b)).copied().unwrap_or(usual);
                tables.time[from][to] += own.time;
                tables.cost[from][to] += own.cost;
                tables.parts[from][to] |= u32::from(own.time > 0) << number;
            }
        }
        Ok(())
    }
}
