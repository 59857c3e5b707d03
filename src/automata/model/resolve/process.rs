//! One process: the locations and edges of its template, in the scope of its parameters.

use super::guard::is_never;
use super::instantiate::{choice_count, choices};
use super::scope::{Instance, Symbol};
use super::types::Ty;
use super::{Reported, Res, Resolver, limits};
use crate::model::{Edge, EdgeId, Location, LocationId, Process};
use crate::network::{self, Ident, Template};
use std::collections::BTreeMap;
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    /// Builds a process; the current scope holds its parameters.
    pub fn process_of(&mut self, template: &Template) -> Res<Process> {
        let name = &template.name.text;
        if self.told.failed.contains(name) {
            return Err(Reported);
        }
        let errors = self.errors();
        let process = self.process_in_scope(template);
        if self.errors() > errors {
            self.told.failed.insert(name.clone());
        }
        process
    }

    fn process_in_scope(&mut self, template: &Template) -> Res<Process> {
        let scope = self.at.scope;
        self.spent.locations += template.locations.len() as u64;
        if self.spent.locations > limits::LOCATIONS {
            let label = format!("at most {} locations in all", limits::LOCATIONS);
            let message = "the processes have too many locations".into();
            return Err(self.too_large(template.name.span, message, label));
        }
        self.refuse_recursion(&template.declarations.iter().collect::<Vec<_>>());
        for declaration in &template.declarations {
            self.declaration(declaration);
        }
        let locations = self.location_names(template);
        self.names.instances.push(Instance { scope, locations: locations.clone() });
        let initial = self.initial(&locations, template);
        let mut process = Process {
            template: template.name.text.clone(),
            locations: template.locations.iter().map(|l| self.location_of(l)).collect(),
            ..Process::default()
        };
        for edge in &template.edges {
            let _ = self.edge(edge, &locations, &mut process.edges);
        }
        process.edges.shrink_to_fit();
        for (index, edge) in process.edges.iter().enumerate() {
            process.locations[edge.source].outgoing.push(EdgeId::at(index));
        }
        process.initial = initial?;
        Ok(process)
    }

    fn location_names(&mut self, template: &Template) -> BTreeMap<String, LocationId> {
        let mut names: BTreeMap<String, LocationId> = BTreeMap::new();
        for (index, location) in template.locations.iter().enumerate() {
            let name = &location.name;
            let scope = &self.names.scopes[self.at.scope.0];
            let variable = scope.entries.get(&name.text).map(|entry| entry.span);
            let earlier = names.get(&name.text).map(|&i| template.locations[i].name.span);
            if let Some(first) = variable.or(earlier) {
                self.error(
                    Diagnostic::error(
                        "duplicate-name",
                        name.span,
                        format!("`{}` is declared twice", name.text),
                    )
                    .label("declared again here, as a location")
                    .related(first, "first declared here"),
                );
            }
            names.entry(name.text.clone()).or_insert(LocationId::at(index));
        }
        names
    }

    fn initial(
        &mut self,
        locations: &BTreeMap<String, LocationId>,
        template: &Template,
    ) -> Res<LocationId> {
        if template.initial.text.is_empty() {
            return Err(self.error(
                Diagnostic::error(
                    "no-initial",
                    template.name.span,
                    format!("`{}` has no initial location", template.name.text),
                )
                .label("where does it begin?")
                .hint("write `init` and the name of a location"),
            ));
        }
        self.location(locations, &template.initial)
    }

    fn location(
        &mut self,
        locations: &BTreeMap<String, LocationId>,
        name: &Ident,
    ) -> Res<LocationId> {
        match locations.get(&name.text) {
            Some(&index) => Ok(index),
            None => Err(self.error(
                Diagnostic::error(
                    "unknown-location",
                    name.span,
                    format!("there is no location `{}`", name.text),
                )
                .label("not among the states of this process")
                .did_you_mean(&name.text, locations.keys().map(String::as_str)),
            )),
        }
    }

    fn location_of(&mut self, location: &network::Location) -> Location {
        let (invariant, rate) = location
            .invariant
            .as_ref()
            .and_then(|invariant| self.running(|r| r.invariant(invariant)).ok())
            .unwrap_or_default();
        Location {
            name: location.name.text.clone(),
            urgency: location.urgency,
            invariant,
            rate,
            outgoing: Vec::new(),
            span: location.name.span,
        }
    }

    /// One edge for each choice of the selected values; those that can never be taken are
    /// left out.
    fn edge(
        &mut self,
        edge: &network::Edge,
        locations: &BTreeMap<String, LocationId>,
        into: &mut Vec<Edge>,
    ) -> Res<()> {
        let source = self.location(locations, &edge.source);
        let target = self.location(locations, &edge.target);
        let ends = source.and_then(|source| Ok((source, target?)));
        let types = self.selections(edge)?;
        self.count_edges(&types, edge.span)?;
        for values in choices(&types) {
            let made = self.scoped(|r| {
                for (((name, _), ty), &value) in edge.select.iter().zip(&types).zip(&values) {
                    let ty = ty.clone();
                    r.bind(name, Symbol::Constant { ty, value, is_declared: false });
                }
                r.running(|r| r.chosen_edge(edge, ends, &types, &values))
            })?;
            into.extend(made);
        }
        Ok(())
    }

    fn selections(&mut self, edge: &network::Edge) -> Res<Vec<Ty>> {
        let types: Vec<Res<Ty>> = edge
            .select
            .iter()
            .map(|(_, written)| {
                let ty = self.ty(written)?;
                self.finite_range(&ty, written.span)?;
                Ok(ty)
            })
            .collect();
        types.into_iter().collect()
    }

    fn count_edges(&mut self, types: &[Ty], span: Span) -> Res<()> {
        let count = choice_count(types);
        if count.saturating_add(self.spent.edges) > limits::EDGES {
            let label = format!("at most {} edges in all", limits::EDGES);
            return Err(self.too_large(span, format!("this makes {count} edges"), label));
        }
        self.spent.edges += count;
        Ok(())
    }

    fn chosen_edge(
        &mut self,
        edge: &network::Edge,
        ends: Res<(LocationId, LocationId)>,
        types: &[Ty],
        values: &[i64],
    ) -> Res<Option<Edge>> {
        let guard = match &edge.guard {
            Some(guard) => self.guard(guard),
            None => Ok(Vec::new()),
        };
        let tests = guard.as_deref().unwrap_or_default();
        let sync = edge.sync.as_ref().map(|sync| self.sync(sync, tests)).transpose();
        let update = self.updates(&edge.update);
        self.at.effect = None;
        let ((source, target), guard) = (ends?, guard?);
        let (sync, update) = (sync?, update?);
        if is_never(&guard) {
            return Ok(None);
        }
        let names = edge.select.iter().map(|(name, _)| name.text.clone());
        Ok(Some(Edge {
            source,
            target,
            guard,
            sync,
            update,
            choice: names.zip(values.iter().copied()).collect(),
            scalars: types.iter().map(Ty::scalar_set).collect(),
            origin: edge.origin,
            span: edge.span,
        }))
    }
}
