//! `on` and `duration` of a step: what it takes, as a list of alternatives that are each complete.

use crate::fields::Decoder;
use crate::scalar::Scalar;
use crate::yaml::{Node, NodeKind};
use crate::{Alternative, At, Exact, Expr, ExprKind, Requirement, Same, phrase};
use std::collections::BTreeSet;
use takt_diagnostic::{Diagnostic, Span};

/// More ways to do one step than anyone writes down; choices within a list multiply.
pub const MAX_ALTERNATIVES: usize = 200;
/// More than any step takes at once.
pub const MAX_NEEDS: usize = 500;
const MAX_TOTAL: usize = 500_000;
const MAX_AMOUNT: i64 = 1_000_000;

/// One way to do a step, on its way to an [`Alternative`].
#[derive(Clone, Debug)]
pub struct Way {
    pub requirements: Vec<Requirement>,
    /// What other steps took.
    pub same: Vec<Same>,
    /// The names that a map of durations may call it by: of each choice made, the first resource
    /// of what was chosen.
    pub names: Vec<String>,
    pub span: Span,
}

/// All ways to do a step; one that takes nothing where they are not known.
pub struct Needs {
    pub ways: Vec<Way>,
    pub is_known: bool,
}

impl Decoder<'_> {
    /// What may stand behind `on`; what is wrong has been told.
    pub fn needs(&mut self, on: Option<&Node>, step: Span) -> Needs {
        let ways = match on {
            Some(node) => self.ways(node),
            None => Some(vec![way(Vec::new(), step)]),
        };
        let ways = ways.filter(|ways| self.is_affordable(ways, step));
        let is_known = ways.is_some();
        Needs { ways: ways.unwrap_or_else(|| vec![way(Vec::new(), step)]), is_known }
    }

    /// All alternatives of a step, at least one; what is wrong has been told.
    pub fn alternatives(
        &mut self,
        needs: Needs,
        duration: Option<&Node>,
        step: Span,
    ) -> Vec<Alternative> {
        let Needs { ways, is_known } = needs;
        match duration.map(|node| (node, &node.kind)) {
            Some((node, NodeKind::Map(_))) if is_known => self.apart(ways, node),
            Some((_, NodeKind::Map(_))) | None => together(ways, &unknown(step)),
            Some((node, _)) => {
                let duration = self.expression(node, "a duration");
                together(ways, &duration.unwrap_or_else(|| unknown(node.span)))
            }
        }
    }

    /// Who does a setup: resources with amounts, without any choice.
    pub fn crew(&mut self, node: &Node) -> Vec<Requirement> {
        let ways = self.ways(node).unwrap_or_default();
        if ways.iter().any(|way| !way.names.is_empty()) {
            let message = "a setup takes all that `on` names, so `any` has no place there";
            self.error("bad-value", node.span, message);
        }
        let first = ways.into_iter().next().map(|way| finish(way, unknown(node.span)));
        first.map_or_else(Vec::new, |way| way.requirements)
    }

    /// A short text can stand for many alternatives; all steps together may not have too many.
    pub fn is_affordable(&mut self, ways: &[Way], step: Span) -> bool {
        let needs: usize = ways.iter().map(|way| way.requirements.len()).sum();
        self.needs += needs;
        let is_short = ways.len() <= 1 && ways.iter().all(|way| way.same.is_empty());
        let is_affordable = is_short || self.needs <= MAX_TOTAL;
        if !is_affordable {
            self.error("too-large", step, "the steps of this spec have too many alternatives");
        }
        is_affordable
    }

    fn ways(&mut self, node: &Node) -> Option<Vec<Way>> {
        match &node.kind {
            NodeKind::List(items) => self.all_of(items, node.span),
            NodeKind::Map(entries) if entries.iter().any(|(key, _)| key.text == "any") => {
                self.one_of(node)
            }
            NodeKind::Map(entries) if entries.iter().any(|(key, node)| is_same(key, node)) => {
                self.same_as(node)
            }
            NodeKind::Map(_) => self.amounts(node),
            _ => {
                let resource = self.text(node, "`on`")?;
                let amount = At::new(1, resource.span);
                Some(vec![way(vec![Requirement { resource, amount }], node.span)])
            }
        }
    }

    fn same_as(&mut self, node: &Node) -> Option<Vec<Way>> {
        let entries = self.map(node, "`on`")?;
        let [(_, value)] = entries[..] else {
            let found = Diagnostic::error("bad-value", node.span, "`same` stands alone in its map");
            self.found.push(found.hint("a list may hold it: `[{same: cut}, operator]`"));
            return None;
        };
        let step = self.text(value, "`same`")?;
        let same = vec![Same { step, alternative: 0 }];
        Some(vec![Way { same, ..way(Vec::new(), node.span) }])
    }

    /// Everything in a list at once: each way of one entry with each way of the others.
    fn all_of(&mut self, items: &[Node], span: Span) -> Option<Vec<Way>> {
        if items.len() > MAX_NEEDS {
            let message = format!("a step takes at most {MAX_NEEDS} resources at once");
            self.error("too-large", span, message);
            return None;
        }
        let parts: Vec<_> = items.iter().map(|item| self.ways(item)).collect();
        let mut joined = vec![way(Vec::new(), span)];
        for part in parts {
            let part = part?;
            if joined.len() * part.len() > MAX_ALTERNATIVES {
                let message = format!("a step has at most {MAX_ALTERNATIVES} alternatives");
                self.error("too-large", span, message);
                return None;
            }
            let pairs = joined.iter().flat_map(|a| part.iter().map(move |b| (a, b)));
            joined = pairs.map(|(a, b)| join(a, b)).collect();
        }
        Some(joined)
    }

    fn one_of(&mut self, node: &Node) -> Option<Vec<Way>> {
        let entries = self.map(node, "`on`")?;
        let [(_, value)] = entries[..] else {
            let found = Diagnostic::error("bad-value", node.span, "`any` stands alone in its map");
            self.found.push(found.hint("a list may hold it: `[mill, {any: [a, b]}]`"));
            return None;
        };
        let items = self.list(value, "`any`")?;
        if items.is_empty() {
            self.error("bad-value", value.span, "`any` needs at least one alternative");
            return None;
        }
        let parts: Vec<_> = items.iter().map(|item| (item.span, self.ways(item))).collect();
        let mut all = Vec::new();
        for (span, part) in parts {
            for way in part? {
                let first = way.requirements.first().map(|r| r.resource.value.clone());
                let names = first.into_iter().chain(way.names).collect();
                all.push(Way { names, span, ..way });
            }
        }
        if all.len() > MAX_ALTERNATIVES {
            let message = format!("a step has at most {MAX_ALTERNATIVES} alternatives");
            self.error("too-large", node.span, message);
            return None;
        }
        Some(all)
    }

    fn amounts(&mut self, node: &Node) -> Option<Vec<Way>> {
        let mut requirements = Vec::new();
        let entries = self.map(node, "`on`")?;
        if entries.len() > MAX_NEEDS {
            let message = format!("a step takes at most {MAX_NEEDS} resources at once");
            self.error("too-large", node.span, message);
            return None;
        }
        for (key, value) in entries {
            let resource = self.name(key, "the name of a resource");
            let amount = self.whole(value, "an amount", [1, MAX_AMOUNT]);
            let amount = amount.unwrap_or(At::new(1, value.span));
            requirements.extend(resource.map(|resource| Requirement { resource, amount }));
        }
        if requirements.is_empty() {
            self.error("bad-value", node.span, "this map names no resource");
            return None;
        }
        Some(vec![way(requirements, node.span)])
    }

    /// A duration for each alternative, by its first resource.
    fn apart(&mut self, ways: Vec<Way>, node: &Node) -> Vec<Alternative> {
        let mut durations = Vec::new();
        for (key, value) in self.map(node, "`duration`").unwrap_or_default() {
            let duration = self.expression(value, "a duration");
            durations.push((key, duration.unwrap_or_else(|| unknown(value.span))));
        }
        for (key, _) in &durations {
            if !ways.iter().any(|way| way.goes_by(&key.text)) {
                let message = format!("no alternative is called `{}`", key.text);
                let found = Diagnostic::error("unknown-name", key.span, message);
                let names = ways.iter().flat_map(|way| way.all_names());
                self.found.push(found.did_you_mean(&key.text, names));
            }
        }
        let mut alternatives = Vec::new();
        let mut told = BTreeSet::new();
        for way in ways {
            let own: Vec<_> = durations.iter().filter(|(key, _)| way.goes_by(&key.text)).collect();
            if own.len() != 1 {
                let name = way.all_names().next().unwrap_or("").to_owned();
                let (code, message) = match own.len() {
                    0 => (
                        "missing-key",
                        format!("the duration of the alternative `{name}` is missing"),
                    ),
                    _ => (
                        "duplicate-key",
                        format!("the alternative `{name}` has more than one duration"),
                    ),
                };
                // Several alternatives may begin with the same resource.
                if told.insert(message.clone()) {
                    let found = Diagnostic::error(code, node.span, message);
                    self.found.push(found.related(way.span, "this alternative"));
                }
            }
            let duration = own.first().map_or_else(|| unknown(node.span), |own| own.1.clone());
            alternatives.push(finish(way, duration));
        }
        alternatives
    }
}

impl Way {
    /// Without a choice, by its first resource.
    fn all_names(&self) -> impl Iterator<Item = &str> {
        let first = self.requirements.first().filter(|_| self.names.is_empty());
        let first = first.map(|requirement| requirement.resource.value.as_str());
        self.names.iter().map(String::as_str).chain(first)
    }

    fn goes_by(&self, name: &str) -> bool {
        self.all_names().any(|own| own == name)
    }
}

fn way(requirements: Vec<Requirement>, span: Span) -> Way {
    Way { requirements, same: Vec::new(), names: Vec::new(), span }
}

/// A resource may be called `same`: then a number stands behind it.
fn is_same(key: &Scalar, node: &Node) -> bool {
    let is_amount = matches!(&node.kind, NodeKind::Scalar(s) if s.is_plain && phrase::decimal(&s.text).is_some());
    key.text == "same" && !is_amount
}

fn join(a: &Way, b: &Way) -> Way {
    let names = a.names.iter().chain(&b.names).cloned().collect();
    let requirements = a.requirements.iter().chain(&b.requirements).cloned().collect();
    let same = a.same.iter().chain(&b.same).cloned().collect();
    Way { requirements, same, names, span: a.span }
}

pub fn together(ways: Vec<Way>, duration: &Expr) -> Vec<Alternative> {
    ways.into_iter().map(|way| finish(way, duration.clone())).collect()
}

/// Adds up what is named several times.
fn finish(way: Way, duration: Expr) -> Alternative {
    let mut requirements: Vec<Requirement> = Vec::new();
    for next in way.requirements {
        match requirements.iter_mut().find(|r| r.resource.value == next.resource.value) {
            Some(same) => same.amount.value = same.amount.value.saturating_add(next.amount.value),
            None => requirements.push(next),
        }
    }
    Alternative { requirements, same: way.same, duration, span: way.span }
}

/// Stands for a duration that was wrong, so that what else is wrong is looked for all the same.
fn unknown(span: Span) -> Expr {
    Expr { kind: ExprKind::Number(Exact::from(1)), span }
}
