//! Queries: one text, or a file with one on each line.

use super::build::Entry;
use super::stream::is_blank;
use super::text::{OffsetMap, Text};
use super::tokens::Token;
use super::{finish, read};
use crate::diagnostic::{Diagnostics, FileId};
use crate::network::Query;

/// Reads one query.
pub fn parse_query(text: &str, file: FileId) -> Result<Query, Diagnostics> {
    let text = Text::whole(text, file);
    let query = read_query(&text);
    finish(text, query)
}

/// Reads a query file: one query on each line; comments and blank lines are nothing, and a
/// backslash at its end makes a line go on with the next.
pub fn parse_queries(text: &str, file: FileId) -> Result<Vec<Query>, Diagnostics> {
    let lines = lines(text);
    let mut queries = Vec::new();
    let mut found = Diagnostics::default();
    let mut start = 0;
    for line in lines.split_inclusive('\n') {
        if !is_blank(line) {
            let text = Text::mapped(line, file, OffsetMap::shifted(start));
            queries.extend(read_query(&text));
            found.extend(text.into_diagnostics());
        }
        start += line.len();
    }
    if found.has_errors() { Err(found) } else { Ok(queries) }
}

pub fn read_query(text: &Text) -> Option<Query> {
    match read(text, Token::StartQuery) {
        Some(Entry::Goal(goal)) => {
            let start = text.source.len() - text.source.trim_start().len();
            let words = text.source.trim();
            let span = text.span(start, start + words.len());
            Some(Query { goal, text: words.to_string(), span })
        }
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
