//! Who does setups that are work, and when.
//!
//! A setup of several parts is one stretch of work: it takes whatever the parts that take time take together, the most of
//! each resource, and keeps to calendars if one of them does. So changes of different parts are different kinds of setups.

use super::build::{Builder, Found};
use super::ids::{Id, SourceId};
use super::{Crew, CrewWay, MAX_MODES, Need, PoolId, ResourceId};
use std::collections::BTreeMap;
use takt_diagnostic::Diagnostic;
use takt_spec as spec;

/// Ways to do the setups of a unit, over all kinds.
const MOST_WAYS: usize = 1000;

impl<'s> Builder<'s> {
    /// All pools must be there.
    pub fn crews(&mut self) -> Found<()> {
        let spec = self.spec;
        for (number, resource) in spec.resources.iter().enumerate() {
            let Some(setup) = resource.setup.as_ref().filter(|setup| setup.is_work()) else {
                continue;
            };
            let mut parts = self.families.tables(setup, &|effort| self.effort(effort))?.parts;
            let is_work = |part: &spec::SetupPart| part.on_calendar || !part.crew.is_empty();
            let work = setup.parts.iter().enumerate().filter(|(_, part)| is_work(part));
            let work = work.fold(0, |all, (k, _)| all | 1 << k);
            // The combinations of parts that occur.
            let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
            for own in parts.iter_mut().flatten() {
                *own &= work;
                let next = numbers.len();
                numbers.entry(*own).or_insert(next);
            }
            for pool in self.plan.resources[ResourceId::at(number)].pools.clone() {
                let mut kinds = vec![Vec::new(); numbers.len()];
                for (&own, &kind) in &numbers {
                    kinds[kind] = self.crew_ways(setup, own, pool)?;
                    let count: usize = kinds.iter().map(Vec::len).sum();
                    if count > MOST_WAYS {
                        return Err(too_many(setup));
                    }
                }
                let kind = parts.iter().map(|row| row.iter().map(|own| numbers[own]).collect());
                let crew = Crew { kinds, kind: kind.collect() };
                if let Some(setup) = &mut self.plan.pools[pool].setup {
                    setup.crew = Some(crew);
                }
            }
        }
        Ok(())
    }

    /// The ways to do a setup of which these parts take time.
    fn crew_ways(
        &mut self,
        setup: &'s spec::Setup,
        active: u32,
        unit: PoolId,
    ) -> Found<Vec<CrewWay>> {
        let parts = setup.parts.iter().enumerate();
        let parts: Vec<&spec::SetupPart> =
            parts.filter(|(k, _)| active >> k & 1 == 1).map(|(_, part)| part).collect();
        let mut most: BTreeMap<ResourceId, i64> = BTreeMap::new();
        for need in parts.iter().flat_map(|part| &part.crew) {
            let amount = most.entry(self.resource_index[need.resource.value.as_str()]).or_default();
            *amount = need.amount.value.max(*amount);
        }
        let found = self.combinations(&most.into_iter().collect::<Vec<_>>(), None);
        if found.len() > MAX_MODES {
            return Err(too_many(setup));
        }
        let keeps_calendar = parts.iter().any(|part| part.on_calendar);
        let way = |needs: Vec<Need>| {
            let pools = needs.iter().map(|need| need.pool).chain([unit]);
            let calendars = pools.filter_map(|pool| self.plan.pools[pool].calendar);
            let mut all: Vec<SourceId> =
                calendars.flat_map(|calendar| self.sets[calendar].clone()).collect();
            all.sort_unstable();
            all.dedup();
            let calendar = (keeps_calendar && !all.is_empty()).then(|| self.joint(all));
            CrewWay { needs, calendar }
        };
        Ok(found.into_iter().map(way).collect())
    }
}

fn too_many(setup: &spec::Setup) -> Box<Diagnostic> {
    let message = "there are too many ways to choose who does this setup";
    Box::new(Diagnostic::error("too-large", setup.span, message).label("name fewer units apart"))
}
