//! Queries: one text, or a file with one on each line.

use super::build::Entry;
use super::stream::is_blank;
use super::text::{OffsetMap, Text};
use super::tokens::Token;
use super::{finish, print_query, read};
use crate::network::Query;
use takt_diagnostic::{Diagnostic, Diagnostics, FileId};

/// Reads one query.
pub fn parse_query(text: &str, file: FileId) -> Result<Query, Diagnostics> {
    let text = Text::whole(text, file);
    let mut queries = read_queries(&text);
    if queries.len() > 1 {
        text.report(
            Diagnostic::error("several-queries", queries[1].span, "there are several questions")
                .label("one at a time")
                .hint("ask for each expression in a query of its own"),
        );
    }
    let query = queries.pop();
    finish(text, query)
}

/// Reads a query file: one query on each line; comments and blank lines are nothing, and a
/// backslash at its end makes a line go on with the next. `sup: a, b` is two queries.
pub fn parse_queries(text: &str, file: FileId) -> Result<Vec<Query>, Diagnostics> {
    let lines = lines(text);
    let mut queries = Vec::new();
    let mut found = Diagnostics::default();
    let mut start = 0;
    for line in lines.split_inclusive('\n') {
        if !is_blank(line) {
            let text = Text::mapped(line, file, OffsetMap::shifted(start));
            queries.extend(read_queries(&text));
            found.extend(text.into_diagnostics());
        }
        start += line.len();
    }
    if found.has_errors() { Err(found) } else { Ok(queries) }
}

/// The queries that one text asks; several if it wants the bounds of several expressions.
pub fn read_queries(text: &Text) -> Vec<Query> {
    let words = text.source.trim();
    let start = text.source.len() - text.source.trim_start().len();
    let span = text.span(start, start + words.len());
    if let Some(kind) = foreign_kind(words)
        && read(&Text::mapped(text.source, span.file, OffsetMap::default()), Token::StartQuery)
            .is_none()
    {
        text.report(
            Diagnostic::error("unsupported", span, format!("{kind} are not supported"))
                .label("not read")
                .hint("takt reads E<>, A[], E[], A<>, -->, inf and sup"),
        );
        return Vec::new();
    }
    let Some(Entry::Goals(goals)) = read(text, Token::StartQuery) else { return Vec::new() };
    let is_single = goals.len() == 1;
    let query = |goal| {
        let mut query = Query { goal, text: words.to_string(), span };
        if !is_single {
            query.text = print_query(&query);
        }
        query
    };
    goals.into_iter().map(query).collect()
}

/// What kind of query of UPPAAL's relatives a text may be, if it is not readable.
fn foreign_kind(words: &str) -> Option<&'static str> {
    let end = words.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(words.len());
    let rest = words[end..].trim_start();
    match &words[..end] {
        "Pr" | "simulate" => Some("statistical queries"),
        "E" if rest.starts_with('[') => Some("statistical queries"),
        "strategy" | "control" | "control_t" | "saveStrategy" | "loadStrategy" | "minE"
        | "maxE" | "minPr" | "maxPr" => Some("queries for strategies"),
        "sat" if rest.starts_with(':') => Some("scenarios"),
        "bounds" if rest.starts_with([':', '{']) => Some("queries for bounds"),
        _ => None,
    }
}

/// The text with blanks for comments and for line ends that do not end a query; every byte that
/// is left stays where it was. A comment that does not end is left as it is.
fn lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(0, |i| i + 2)
        } else if character == '\\' {
            continuation(rest)
        } else {
            0
        };
        if length > 0 {
            out.extend(std::iter::repeat_n(' ', length));
            rest = &rest[length..];
        } else {
            out.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    out
}

/// The length of a backslash and the line end after it, if that is what stands here.
fn continuation(rest: &str) -> usize {
    let after = rest[1..].trim_start_matches([' ', '\t', '\r']);
    if after.starts_with('\n') { rest.len() - after.len() + 1 } else { 0 }
}
