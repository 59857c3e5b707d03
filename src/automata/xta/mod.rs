//! Text to network and back: the textual language of UPPAAL, its XML files, and queries.
//!
//! Takes text and the file it came from; gives a [`Network`], a [`Query`](crate::network::Query) or everything that is
//! wrong with the text. Nothing is resolved or checked here beyond the shape of the text.

mod build;
mod chain;
mod depth;
mod dot;
mod expected;
mod precedence;
mod print;
mod process;
mod query;
mod stream;
#[cfg(test)]
mod tests;
mod text;
#[path = "../../../grammar/automata/tokens.rs"]
mod tokens;
mod xml;

#[allow(clippy::all, unused_qualifications, reason = "generated")]
mod grammar {
    lalrpop_util::lalrpop_mod!(inner, "/xta.rs");
    pub use inner::StartParser;
}

pub use dot::print_dot;
pub use print::{print, print_expr, print_query};
pub use query::{parse_queries, parse_query};
pub use xml::{parse_xml, print_xml};

use build::{Entry, ModelItem};
use query::read_queries;
use stream::Stream;
use text::Text;
use tokens::Token;

use crate::network::{Expr, Item, Network, System};
use takt_diagnostic::{Diagnostic, Diagnostics, FileId};

/// Reads a model in the textual language, old files (`.ta`) included.
pub fn parse(text: &str, file: FileId) -> Result<Network, Diagnostics> {
    let text = Text::whole(text, file);
    let network = read_model(&text, true);
    finish(text, network)
}

/// Reads declarations and processes; a system line may be missing.
pub fn parse_library(text: &str, file: FileId) -> Result<Network, Diagnostics> {
    let text = Text::whole(text, file);
    let network = read_model(&text, false);
    finish(text, network)
}

/// Reads a model in the language that it seems to be written in.
pub fn parse_any(text: &str, file: FileId) -> Result<Network, Diagnostics> {
    match text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        true => parse_xml(text, file),
        false => parse(text, file),
    }
}

/// Reads one expression.
pub fn parse_expr(text: &str, file: FileId) -> Result<Expr, Diagnostics> {
    let text = Text::whole(text, file);
    let expr = match read(&text, Token::StartExpr) {
        Some(Entry::Expr(expr)) => Some(expr),
        _ => None,
    };
    finish(text, expr)
}

/// What a model's text consists of.
#[derive(Default)]
struct Collected {
    items: Vec<Item>,
    system: Option<System>,
    has_broken_system: bool,
}

fn collect_items(items: Vec<ModelItem>, collected: &mut Collected) {
    for item in items {
        match item {
            ModelItem::Item(item) => collected.items.push(item),
            ModelItem::System(system) => collected.system = Some(system),
            ModelItem::BrokenSystem => collected.has_broken_system = true,
            ModelItem::Nothing => {}
        }
    }
}

fn read_model(text: &Text, needs_system: bool) -> Option<Network> {
    let Some(Entry::Model(items)) = read(text, Token::StartModel) else { return None };
    let mut collected = Collected::default();
    collect_items(items, &mut collected);
    let has_system = collected.system.is_some() || collected.has_broken_system;
    let mut network = Network {
        items: collected.items,
        system: collected.system.unwrap_or_default(),
        ..Network::default()
    };
    if needs_system && !has_system && !text.has_errors() {
        text.report(missing_system(text, &network));
    }
    if text.is_old() {
        build::refer_as_of_old(&mut network);
    }
    Some(network)
}

fn missing_system(text: &Text, network: &Network) -> Diagnostic {
    let end = expected::end_of_code(text.source);
    if network.items.is_empty() {
        return Diagnostic::error("empty-model", text.span(0, 0), "there is no model here")
            .label("nothing but white space and comments")
            .hint("a model declares processes and ends with a line such as `system P;`");
    }
    Diagnostic::error("missing-system", text.span(end, end), "the model has no system line")
        .label("expected `system ...;` before the end")
        .hint("name the processes that run, such as `system P, Q;`")
}

/// Reads a text of the kind that `start` says. What is wrong with it is in `text` afterwards.
fn read<'s>(text: &Text<'s>, start: Token<'s>) -> Option<Entry> {
    match grammar::StartParser::new().parse(text, Stream::new(text, start)) {
        Ok(entry) => Some(entry),
        Err(failure) => {
            expected::report_failure(text, failure);
            None
        }
    }
}

fn finish<T>(text: Text, value: Option<T>) -> Result<T, Diagnostics> {
    let found = text.into_diagnostics();
    match value {
        Some(value) if !found.has_errors() => Ok(value),
        _ => Err(found),
    }
}
