//! Processes put together from the sections and labels that the grammar reads.

use super::expected::{end_of_code, missing_semicolon};
use super::text::Text;
use crate::network::*;
use takt_diagnostic::{Diagnostic, Span};

/// `state ...;`, `commit ...;`, `init ...;` and so on, in any order.
pub enum Section {
    /// `None` where an entry is not readable.
    Locations(Vec<Option<Location>>),
    Urgency(Urgency, Vec<Ident>),
    Init(Ident),
    Edges(Vec<Option<RawEdge>>),
    Broken,
    BrokenInit,
}

/// An edge whose source may be that of the edge before.
pub struct RawEdge {
    pub source: Option<Ident>,
    pub target: Ident,
    pub labels: Vec<Label>,
    pub span: Span,
}

/// A part of an edge, with the place of its keyword.
pub enum Label {
    Select(Vec<(Ident, Type)>, Span),
    Guard(Expr, Span),
    Sync(Sync, Span),
    Update(Vec<Expr>, Span),
    Broken,
}

pub fn location(name: Ident, invariant: Option<Expr>) -> Location {
    Location { name, invariant, urgency: Urgency::Normal }
}

/// The labels of an edge, the last of which may lack its semicolon.
pub fn labels(text: &Text, mut labels: Vec<Label>, last: Option<Label>, end: usize) -> Vec<Label> {
    if let Some(last) = last {
        text.report(missing_semicolon(text, end_of_code(&text.source[..end])));
        labels.push(last);
    }
    labels
}

pub fn template(
    text: &Text,
    name: Ident,
    parameters: Vec<Parameter>,
    declarations: Vec<Declaration>,
    sections: Vec<Section>,
) -> Template {
    let mut draft = Draft::default();
    for section in sections {
        draft.add(text, section);
    }
    draft.mark_urgent(text);
    let initial = draft.initial(text, &name);
    Template {
        name,
        parameters,
        declarations,
        locations: draft.locations,
        initial,
        edges: draft.edges,
    }
}

/// A process while its sections are read.
#[derive(Default)]
struct Draft {
    locations: Vec<Location>,
    urgencies: Vec<(Urgency, Ident)>,
    init: Option<Ident>,
    edges: Vec<Edge>,
    /// Something was not readable, so what seems missing may be there.
    is_broken: bool,
}

impl Draft {
    fn add(&mut self, text: &Text, section: Section) {
        match section {
            Section::Locations(entries) => {
                self.is_broken |= entries.iter().any(Option::is_none);
                self.locations.extend(entries.into_iter().flatten());
            }
            Section::Urgency(urgency, names) => {
                self.urgencies.extend(names.into_iter().map(|name| (urgency, name)));
            }
            Section::Init(name) => match &self.init {
                None => self.init = Some(name),
                Some(first) => text.report(
                    Diagnostic::error("duplicate-init", name.span, "a process starts twice")
                        .label("a second initial location")
                        .related(first.span, "the first"),
                ),
            },
            Section::Edges(entries) => self.add_edges(text, entries),
            Section::Broken => {}
            Section::BrokenInit => self.is_broken = true,
        }
    }

    /// Gives every edge its source; after an unreadable edge nothing is known about it.
    fn add_edges(&mut self, text: &Text, entries: Vec<Option<RawEdge>>) {
        let mut source: Option<Ident> = None;
        let mut is_known = true;
        for entry in entries {
            let Some(raw) = entry else {
                (source, is_known) = (None, false);
                continue;
            };
            if raw.source.is_some() {
                (source, is_known) = (raw.source.clone(), true);
            }
            match &source {
                Some(source) => self.edges.push(edge(text, source.clone(), raw)),
                None if is_known => text.report(
                    Diagnostic::error("missing-source", raw.span, "the first edge has no source")
                        .label("`-> target` repeats the source of the edge before")
                        .hint("write `source -> target { ... }`"),
                ),
                None => {}
            }
        }
    }

    fn mark_urgent(&mut self, text: &Text) {
        for (urgency, name) in std::mem::take(&mut self.urgencies) {
            match self.locations.iter_mut().find(|l| l.name.text == name.text) {
                Some(location) => location.urgency = urgency,
                None if self.is_broken => {}
                None => {
                    let names: Vec<_> =
                        self.locations.iter().map(|l| l.name.text.as_str()).collect();
                    text.report(unknown_location(&name, &names));
                }
            }
        }
    }

    fn initial(&mut self, text: &Text, process: &Ident) -> Ident {
        match self.init.take() {
            Some(name) => name,
            None => {
                if !self.is_broken && !text.is_cut() {
                    text.report(missing_init(process, &self.locations));
                }
                process.clone()
            }
        }
    }
}

pub fn unknown_location(name: &Ident, names: &[&str]) -> Diagnostic {
    Diagnostic::error(
        "unknown-location",
        name.span,
        format!("there is no location `{}`", name.text),
    )
    .label("not declared")
    .did_you_mean(&name.text, names.iter().copied())
}

pub fn missing_init(process: &Ident, locations: &[Location]) -> Diagnostic {
    let process_name = &process.text;
    match locations.first() {
        None => Diagnostic::error(
            "missing-locations",
            process.span,
            format!("process `{process_name}` has no locations"),
        )
        .label("needs at least one location")
        .hint("write `state start; init start;`"),
        Some(first) => Diagnostic::error(
            "missing-init",
            process.span,
            format!("process `{process_name}` has no initial location"),
        )
        .label("nowhere to start")
        .hint(format!("add `init {};`", first.name.text)),
    }
}

fn edge(text: &Text, source: Ident, raw: RawEdge) -> Edge {
    let mut edge = Edge {
        source,
        target: raw.target,
        select: Vec::new(),
        guard: None,
        sync: None,
        update: Vec::new(),
        origin: None,
        span: raw.span,
    };
    let mut seen: [Option<Span>; 4] = [None; 4];
    for label in raw.labels {
        let (slot, name, span) = match label {
            Label::Select(selects, span) => {
                edge.select = selects;
                (0, "select", span)
            }
            Label::Guard(guard, span) => {
                edge.guard = Some(guard);
                (1, "guard", span)
            }
            Label::Sync(sync, span) => {
                edge.sync = Some(sync);
                (2, "sync", span)
            }
            Label::Update(updates, span) => {
                edge.update = updates;
                (3, "assign", span)
            }
            Label::Broken => continue,
        };
        if let Some(first) = seen[slot].replace(span) {
            text.report(
                Diagnostic::error("duplicate-label", span, format!("an edge has two `{name}`"))
                    .label("the second")
                    .related(first, "the first"),
            );
        }
    }
    edge
}
