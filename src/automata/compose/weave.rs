//! Joins fragments into one step: guards and invariants by `and`, updates one after the other.
//!
//! A fragment is a template with some of the locations `waiting`, `running` and `over`. Its edge
//! from `waiting` to `running` belongs to the start, the one from `running` to `over` to the end. An
//! edge to `eligible` says when the fragment lets the step be eligible; without it, whatever
//! lets it start.

use super::stamp::Stamp;
use super::woven::unused;

use crate::network::{BinaryOp, Declaration, Edge, Expr, Ident, Origin, Sync, Template, Type};
use std::collections::BTreeSet;

/// A step in the making.
#[derive(Clone, Debug, Default)]
pub struct Weave {
    pub declarations: Vec<Declaration>,
    pub waiting: Vec<Expr>,
    pub running: Vec<Expr>,
    pub start: DraftEdge,
    pub end: DraftEdge,
    pub eligible: Vec<Expr>,
}

/// An edge in the making.
#[derive(Clone, Debug, Default)]
pub struct DraftEdge {
    select: Vec<(Ident, Type)>,
    pub guard: Vec<Expr>,
    sync: Option<Sync>,
    update: Vec<Expr>,
}

impl Weave {
    pub fn add(&mut self, template: &Template, arguments: &[(&str, Expr)]) {
        let stamp = Stamp { arguments, locations: &[], origin: None };
        for declaration in &template.declarations {
            if !self.declarations.contains(declaration) {
                self.declarations.push(declaration.clone());
            }
        }
        for location in &template.locations {
            let Some(invariant) = &location.invariant else { continue };
            match location.name.text.as_str() {
                "waiting" => self.waiting.push(stamp.expr(invariant)),
                "running" => self.running.push(stamp.expr(invariant)),
                _ => {}
            }
        }
        let mut eligible: Option<Option<Expr>> = None;
        let mut start = None;
        for edge in &template.edges {
            let edge = stamp.edge(edge);
            match (edge.source.text.as_str(), edge.target.text.as_str()) {
                ("waiting", "running") => {
                    start = edge.guard.clone();
                    self.start.add(edge);
                }
                ("waiting", "eligible") => eligible = Some(edge.guard),
                ("running", "over") => self.end.add(edge),
                _ => {}
            }
        }
        self.eligible.extend(eligible.unwrap_or(start));
    }
}

impl DraftEdge {
    fn add(&mut self, edge: Edge) {
        let edge = self.apart(edge);
        self.select.extend(edge.select);
        self.guard.extend(edge.guard);
        self.sync = self.sync.take().or(edge.sync);
        self.update.extend(edge.update);
    }

    /// What the edge selects gets another name where there is one of that name already.
    fn apart(&self, mut edge: Edge) -> Edge {
        let mut taken: BTreeSet<String> =
            self.select.iter().chain(&edge.select).map(|(name, _)| name.text.clone()).collect();
        let known = |name: &Ident| self.select.iter().any(|(other, _)| other.text == name.text);
        let mut renamed = Vec::new();
        for (name, _) in edge.select.iter_mut().filter(|(name, _)| known(name)) {
            let fresh = unused(&name.text, &taken);
            taken.insert(fresh.clone());
            renamed.push((std::mem::replace(&mut name.text, fresh.clone()), Expr::name(fresh)));
        }
        let arguments: Vec<(&str, Expr)> =
            renamed.iter().map(|(from, to)| (from.as_str(), to.clone())).collect();
        Stamp { arguments: &arguments, locations: &[], origin: None }.edge(&edge)
    }

    pub fn edge(&self, source: &str, target: &str, origin: Option<Origin>) -> Edge {
        Edge {
            source: Ident::new(source),
            target: Ident::new(target),
            select: self.select.clone(),
            guard: all(&self.guard),
            sync: self.sync.clone(),
            update: self.update.clone(),
            origin,
            span: Default::default(),
        }
    }
}

/// The conjunction; `None` for no conditions.
pub fn all(conditions: &[Expr]) -> Option<Expr> {
    let mut conditions = conditions.iter().cloned();
    let first = conditions.next()?;
    Some(conditions.fold(first, |left, right| Expr::binary(BinaryOp::And, left, right)))
}
