//! Templates of XML files: locations known by their ids, edges between them.

use hashbrown::{HashMap, HashSet};
use roxmltree::Node;

use super::DocumentReader;
use super::content::content;
use crate::network::*;
use crate::xta::build::Entry;
use crate::xta::process::{missing_init, unknown_location};
use crate::xta::tokens::Token;
use takt_diagnostic::Diagnostic;

/// The names of locations by their ids.
type Names = HashMap<String, Ident>;

impl DocumentReader<'_> {
    pub fn template(&mut self, node: Node) -> Option<Template> {
        let name = match child(node, "name").map(|n| self.name(n)) {
            Some(name) => name?,
            None => {
                self.error("missing-name", node, "a template has no name", "no `<name>`");
                return None;
            }
        };
        let parameters = match child(node, "parameter") {
            Some(parameters) => match self.read(parameters, Token::StartParameters) {
                Some(Entry::Parameters(parameters)) => parameters,
                _ => Vec::new(),
            },
            None => Vec::new(),
        };
        let declarations = child(node, "declaration").map(|n| self.declarations(n));
        let (locations, names) = self.locations(node);
        let initial = self.initial(node, &name, &locations, &names)?;
        let edges = children(node, "transition")
            .filter_map(|transition| self.edge(transition, &names))
            .collect();
        let declarations = declarations.unwrap_or_default();
        Some(Template { name, parameters, declarations, locations, initial, edges })
    }

    fn locations(&mut self, template: Node) -> (Vec<Location>, Names) {
        for node in children(template, "branchpoint") {
            self.unsupported(node, "probabilistic branch points");
        }
        let mut names = Names::new();
        let mut taken: HashSet<String> = HashSet::new();
        for node in children(template, "location") {
            let name = child(node, "name").filter(|n| !self.is_empty(*n));
            if let Some(name) = name.and_then(|n| self.name(n)) {
                taken.insert(name.text.clone());
                names.insert(id(node), name);
            }
        }
        let mut locations = Vec::new();
        for node in children(template, "location") {
            let name = match names.get(&id(node)) {
                Some(name) => name.clone(),
                None => {
                    let text = free_name(&id(node), &mut taken);
                    let name = Ident { text, span: self.tag(node) };
                    names.insert(id(node), name.clone());
                    name
                }
            };
            locations.push(self.location(node, name));
        }
        (locations, names)
    }

    fn location(&mut self, node: Node, name: Ident) -> Location {
        let invariant = self.label(node, "invariant").and_then(|label| {
            match self.read(label, Token::StartCondition) {
                Some(Entry::Expr(expr)) => Some(expr),
                _ => None,
            }
        });
        let urgency = match (child(node, "committed"), child(node, "urgent")) {
            (Some(_), _) => Urgency::Committed,
            (None, Some(_)) => Urgency::Urgent,
            (None, None) => Urgency::Normal,
        };
        Location { name, invariant, urgency }
    }

    fn initial(
        &mut self,
        template: Node,
        name: &Ident,
        locations: &[Location],
        names: &Names,
    ) -> Option<Ident> {
        match child(template, "init") {
            Some(init) => self.reference(init, names),
            None => {
                self.found.push(missing_init(name, locations));
                None
            }
        }
    }

    fn edge(&mut self, node: Node, names: &Names) -> Option<Edge> {
        let mut end = |tag: &str| match child(node, tag) {
            Some(end) => self.reference(end, names),
            None => {
                let message = format!("an edge has no {tag}");
                self.error("malformed-edge", node, &message, &format!("no `<{tag}>`"));
                None
            }
        };
        let (source, target) = (end("source"), end("target"));
        let mut edge = Edge {
            source: source?,
            target: target?,
            select: Vec::new(),
            guard: None,
            sync: None,
            update: Vec::new(),
            origin: None,
            span: self.tag(node),
        };
        self.labels(node, &mut edge);
        Some(edge)
    }

    fn labels(&mut self, node: Node, edge: &mut Edge) {
        let mut read = |kind, start| self.label(node, kind).and_then(|n| self.read(n, start));
        if let Some(Entry::Select(select)) = read("select", Token::StartSelect) {
            edge.select = select;
        }
        if let Some(Entry::Expr(guard)) = read("guard", Token::StartCondition) {
            edge.guard = Some(guard);
        }
        if let Some(Entry::Sync(sync)) = read("synchronisation", Token::StartSync) {
            edge.sync = Some(sync);
        }
        if let Some(Entry::Update(update)) = read("assignment", Token::StartUpdate) {
            edge.update = update;
        }
        if let Some(probability) = self.label(node, "probability") {
            self.unsupported(probability, "probabilities of edges");
        }
    }

    /// The label of one kind; kinds that are not asked for (comments, test code) are not read.
    fn label<'a, 'x>(&mut self, node: Node<'a, 'x>, kind: &str) -> Option<Node<'a, 'x>> {
        let mut labels =
            children(node, "label").filter(|label| label.attribute("kind") == Some(kind));
        let first = labels.next();
        if let Some(second) = labels.next() {
            let message = format!("there are two labels of kind `{kind}`");
            self.error("duplicate-label", second, &message, "the second");
        }
        first
    }

    /// The location that `<init ref="..."/>`, `<source ...>` or `<target ...>` names.
    fn reference(&mut self, node: Node, names: &Names) -> Option<Ident> {
        let span = self.tag(node);
        let wanted = node.attribute("ref").unwrap_or_default();
        let is_branchpoint = || {
            node.parent_element().and_then(|n| n.parent_element()).is_some_and(|template| {
                children(template, "branchpoint").any(|n| n.attribute("id") == Some(wanted))
            })
        };
        match names.get(wanted) {
            Some(name) => Some(Ident { text: name.text.clone(), span }),
            // Reported once, where it is declared.
            None if is_branchpoint() => None,
            None => {
                let ids = &mut names.keys().map(String::as_str).collect::<Vec<_>>();
                ids.sort_unstable();
                let unknown = Ident { text: wanted.to_string(), span };
                self.found.push(unknown_location(&unknown, ids));
                None
            }
        }
    }

    fn is_empty(&self, node: Node) -> bool {
        content(self.xml, node.range()).text.trim().is_empty()
    }

    /// The name that an element's text is.
    fn name(&mut self, node: Node) -> Option<Ident> {
        match self.read(node, Token::StartName) {
            Some(Entry::Name(name)) => Some(name),
            Some(_) => None,
            None => {
                if self.is_empty(node) {
                    let span = self.tag(node);
                    self.found.push(
                        Diagnostic::error("missing-name", span, "a name is empty")
                            .label("expected a name"),
                    );
                }
                None
            }
        }
    }
}

fn child<'a, 'x>(node: Node<'a, 'x>, tag: &str) -> Option<Node<'a, 'x>> {
    node.children().find(|n| n.has_tag_name(tag))
}

fn children<'a, 'x>(node: Node<'a, 'x>, tag: &str) -> impl Iterator<Item = Node<'a, 'x>> {
    node.children().filter(move |n| n.has_tag_name(tag))
}

fn id(node: Node) -> String {
    node.attribute("id").unwrap_or_default().to_string()
}

/// A name for a location that has only an id: the id made a name, and one of its own.
fn free_name(id: &str, taken: &mut HashSet<String>) -> String {
    let letters = id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let mut name: String = letters.collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.insert(0, '_');
    }
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}
