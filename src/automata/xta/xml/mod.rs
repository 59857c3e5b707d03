//! UPPAAL's XML files, read and written. Texts within the elements go through the grammar;
//! their spans point into the XML file. Coordinates and colours are dropped.

mod content;
mod print;
mod template;

pub use print::print_xml;

use roxmltree::{Document, Node, ParsingOptions};

use super::build::{self, Entry, ModelItem};
use super::stream::is_blank;
use super::text::Text;
use super::tokens::Token;
use super::{Collected, collect_items};
use crate::network::{Item, Network};
use content::content;
use takt_diagnostic::{Diagnostic, Diagnostics, FileId, Span};

/// A tag longer than this is not one of UPPAAL's; the XML crate compares all attributes of a
/// tag with each other.
const MAX_TAG: usize = 10_000;

/// Reads a UPPAAL XML file.
pub fn parse_xml(text: &str, file: FileId) -> Result<Network, Diagnostics> {
    if let Some(refusal) = refuse(text, file) {
        return Err(refusal.into());
    }
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(text, options) {
        Ok(document) => document,
        Err(error) => return Err(malformed(text, file, &error).into()),
    };
    let mut reader =
        DocumentReader { xml: text, file, found: Diagnostics::default(), is_old: false };
    let network = reader.network(document.root_element());
    match reader.found.has_errors() {
        true => Err(reader.found.sorted()),
        false => Ok(network),
    }
}

/// What is not even handed to the XML crate.
fn refuse(text: &str, file: FileId) -> Option<Diagnostic> {
    let prolog = text.find("<nta").unwrap_or(text.len());
    if let Some(at) = text[..prolog].find("<!ENTITY") {
        let span = Span::new(file, at, at + 8);
        return Some(
            Diagnostic::error("xml-entity", span, "the file defines entities of its own")
                .label("such definitions are not read")
                .hint("remove the definition; UPPAAL's files have none"),
        );
    }
    let mut at = 0;
    while let Some(open) = text[at..].find('<').map(|i| at + i) {
        let rest = &text[open..];
        let is_tag = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic());
        if is_tag && !rest.bytes().take(MAX_TAG).any(|b| b == b'>') {
            let span = Span::new(file, open, open + 1);
            let message = format!("a tag is longer than {MAX_TAG} bytes");
            return (rest.len() > MAX_TAG)
                .then(|| Diagnostic::error("malformed-xml", span, message).label("begins here"));
        }
        at = open + 1;
    }
    None
}

fn malformed(text: &str, file: FileId, error: &roxmltree::Error) -> Diagnostic {
    let pos = error.pos();
    let line: usize =
        text.split_inclusive('\n').take(pos.row.saturating_sub(1) as usize).map(str::len).sum();
    let column: usize =
        text[line..].chars().take(pos.col.saturating_sub(1) as usize).map(char::len_utf8).sum();
    let words = error.to_string();
    let words = words.split(" at ").next().unwrap_or_default();
    Diagnostic::error(
        "malformed-xml",
        Span::new(file, line + column, line + column),
        "the file is not well-formed XML",
    )
    .label(words)
}

/// Walks the document and collects what is wrong with it.
struct DocumentReader<'x> {
    xml: &'x str,
    file: FileId,
    found: Diagnostics,
    /// Some text was written in the language of UPPAAL 3.
    is_old: bool,
}

impl DocumentReader<'_> {
    fn network(&mut self, root: Node) -> Network {
        let mut network = Network::default();
        if root.tag_name().name() != "nta" {
            self.error("not-a-model", root, "the file is no UPPAAL model", "expected `<nta>`");
            return network;
        }
        let mut collected = Collected::default();
        for node in root.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "declaration" | "instantiation" | "system" => {
                    self.items(node, &mut collected);
                }
                "template" => {
                    if let Some(template) = self.template(node) {
                        collected.items.push(Item::Template(template));
                    }
                }
                "queries" => self.queries(node, &mut network),
                "lsc" => self.unsupported(node, "live sequence charts"),
                _ => {}
            }
        }
        self.finish(root, collected, &mut network);
        network
    }

    fn finish(&mut self, root: Node, collected: Collected, network: &mut Network) {
        network.items = collected.items;
        match collected.system {
            Some(system) => network.system = system,
            None if collected.has_broken_system || self.found.has_errors() => {}
            None => {
                self.error("missing-system", root, "the model has no system line", "no `<system>`");
            }
        }
        if self.is_old {
            build::refer_as_of_old(network);
        }
    }

    fn items(&mut self, node: Node, collected: &mut Collected) {
        if let Some(Entry::Model(items)) = self.read(node, Token::StartModel) {
            collect_items(items, collected);
        }
    }

    fn declarations(&mut self, node: Node) -> Vec<crate::network::Declaration> {
        let Some(Entry::Model(items)) = self.read(node, Token::StartModel) else {
            return Vec::new();
        };
        let mut declarations = Vec::new();
        for item in items {
            match item {
                ModelItem::Item(Item::Declaration(declaration)) => declarations.push(declaration),
                ModelItem::Nothing => {}
                _ => self.error(
                    "misplaced",
                    node,
                    "a template contains something else than declarations",
                    "processes and the system line belong outside",
                ),
            }
        }
        declarations
    }

    fn queries(&mut self, node: Node, network: &mut Network) {
        for query in node.children().filter(|n| n.has_tag_name("query")) {
            let Some(formula) = query.children().find(|n| n.has_tag_name("formula")) else {
                continue;
            };
            let found = content(self.xml, formula.range());
            if is_blank(&found.text) {
                continue;
            }
            let text = Text::mapped(&found.text, self.file, found.map);
            network.queries.extend(super::read_queries(&text));
            network.unread.extend(text.into_diagnostics());
        }
    }

    /// Reads the text of an element; nothing if it has none.
    fn read(&mut self, node: Node, start: Token<'static>) -> Option<Entry> {
        let found = content(self.xml, node.range());
        if is_blank(&found.text) {
            return None;
        }
        let text = Text::mapped(&found.text, self.file, found.map);
        let entry = super::read(&text, start);
        self.take(text);
        entry
    }

    fn take(&mut self, text: Text) {
        self.is_old |= text.is_old();
        self.found.extend(text.into_diagnostics());
    }

    fn unsupported(&mut self, node: Node, what: &str) {
        let message = format!("{what} are not supported");
        self.error("unsupported", node, &message, "not read");
    }

    fn error(&mut self, code: &'static str, node: Node, message: &str, label: &str) {
        let span = self.tag(node);
        self.found.push(Diagnostic::error(code, span, message).label(label));
    }

    /// The place of an element's opening tag, up to its name.
    fn tag(&self, node: Node) -> Span {
        let start = node.range().start;
        Span::new(self.file, start, start + 1 + node.tag_name().name().len())
    }
}
