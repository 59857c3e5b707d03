//! Which scalar sets may be reduced for which query: queries that leave the same ones share a
//! search.

use super::table::Reduction;
use crate::engine::Options;
use crate::model::symmetry::Symmetry;
use crate::model::{Model, Query};
use std::sync::Arc;

/// Queries in groups, each with its reduction.
pub struct Reductions {
    groups: Vec<(Vec<u32>, Option<Arc<Reduction>>)>,
    /// The group of each query.
    of: Vec<usize>,
}

impl Reductions {
    pub fn new(model: &Model, queries: &[Query], options: &Options) -> Reductions {
        let symmetry = match options.without_symmetry {
            true => Arc::new(Symmetry::default()),
            false => Arc::new(Symmetry::of(model)),
        };
        let mut reductions = Reductions { groups: Vec::new(), of: Vec::new() };
        for query in queries {
            let sets = symmetry.sets_for(model, query);
            let known = reductions.groups.iter().position(|(of, _)| *of == sets);
            let group = known.unwrap_or_else(|| {
                let reduction = (!sets.is_empty())
                    .then(|| Arc::new(Reduction::new(model, Arc::clone(&symmetry), &sets)));
                reductions.groups.push((sets, reduction));
                reductions.groups.len() - 1
            });
            reductions.of.push(group);
        }
        reductions
    }

    pub fn len(&self) -> usize {
        self.groups.len()
    }

    pub fn group_of(&self, query: usize) -> usize {
        self.of[query]
    }

    pub fn get(&self, group: usize) -> Option<&Arc<Reduction>> {
        self.groups[group].1.as_ref()
    }
}
