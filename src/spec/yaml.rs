//! YAML text to a tree of places: the only file that knows the YAML crate.
//!
//! The YAML 1.2 core schema, read strictly: a scalar stays text, marked as plain or quoted, and
//! whoever wants a number or a boolean parses the plain text itself. So decimals stay exact and
//! `on`, `no`, dates and times are text. Size, depth and the expansion of aliases are bounded.

use super::scalar::Scalar;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::options::{AliasLimits, DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};
use serde_yaml::{Budget, Location, Options, Spanned};
use takt_diagnostic::{Diagnostic, FileId, Span};

/// Deeper than any spec needs; bounds the recursion of reader and decoder.
const MAX_DEPTH: usize = 38;
const MAX_NODES: usize = 2_000_000;
const MAX_BYTES: usize = 64 << 20;

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: NodeKind,
    /// The text of a scalar or of a flow collection; for a block collection its key, or else
    /// what it begins with.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum NodeKind {
    Null,
    Scalar(Scalar),
    List(Vec<Node>),
    Map(Vec<(Scalar, Node)>),
}

impl Node {
    /// What stands here, in words.
    pub fn what(&self) -> &'static str {
        match &self.kind {
            NodeKind::Null => "nothing",
            NodeKind::Scalar(scalar) => scalar.what(),
            NodeKind::List(_) => "a list",
            NodeKind::Map(_) => "a map",
        }
    }
}

/// Reads one document.
pub fn parse(text: &str, file: FileId) -> Result<Node, Box<Diagnostic>> {
    if text.len() > MAX_BYTES {
        let message = format!("the spec is larger than {} MB", MAX_BYTES >> 20);
        return Err(Box::new(Diagnostic::without_place("too-large", message)));
    }
    let raw: Spanned<Raw> = serde_yaml::from_str_with_options(text, options())
        .map_err(|error| Box::new(syntax_error(&error, text, file)))?;
    Builder { text, file }.node(raw)
}

fn options() -> Options {
    let mut options = Options::default();
    let mut budget = Budget::default();
    budget.max_depth = MAX_DEPTH;
    budget.flow_nesting_limit = MAX_DEPTH;
    budget.max_nodes = MAX_NODES;
    budget.max_events = 3 * MAX_NODES;
    budget.max_total_scalar_bytes = MAX_BYTES;
    options.budget = Some(budget);
    let mut aliases = AliasLimits::default();
    aliases.max_total_replayed_events = MAX_NODES / 10;
    options.alias_limits = aliases;
    // All duplicates come through, so that each can be shown with its first.
    options.duplicate_keys = DuplicateKeyPolicy::LastWins;
    options.merge_keys = MergeKeyPolicy::AsOrdinary;
    options.strict_booleans = true;
    // Whoever wants a number says what is wrong with `.nan`.
    options.non_finite_float_policy = NonFiniteFloatPolicy::PassThrough;
    options.with_snippet = false;
    options
}

/// The crate's messages are kept; the place is given in lines and columns.
fn syntax_error(error: &serde_yaml::Error, text: &str, file: FileId) -> Diagnostic {
    let place = error.location().map(|l| (l.line() as usize, l.column() as usize));
    let words = error.without_snippet().to_string();
    let words = words.split(" at line ").next().unwrap_or("").trim_end_matches([' ', ',', ':']);
    let message = match error.without_snippet() {
        serde_yaml::Error::MultipleDocuments { .. } => "a spec is one YAML document".to_owned(),
        _ if words == "recursion limit exceeded" || words.contains("Depth {") => {
            "this is nested too deeply".to_owned()
        }
        _ if words.starts_with("alias") && words.contains("limit exceeded") => {
            "the aliases of this spec stand for too much".to_owned()
        }
        _ if words.starts_with("recursive references") => {
            "this alias stands within what it stands for".to_owned()
        }
        _ if words.starts_with("budget breached") => "this spec is too large".to_owned(),
        _ => format!("this is not YAML that takt can read: {words}"),
    };
    match place {
        Some((line, column)) => {
            let start = byte_offset(text, line, column);
            let end = text[start..].chars().next().map_or(start, |c| start + c.len_utf8());
            let found = Diagnostic::error("yaml", Span::new(file, start, end), message);
            if words.contains("tab") { found.hint("indent with blanks") } else { found }
        }
        None => Diagnostic::without_place("yaml", message),
    }
}

/// Lines and columns count from 1, columns in characters.
fn byte_offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &text[before..];
    let within = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(i, _)| i);
    before + within
}

/// What the crate hands over: scalars that it takes for something else than text are read again
/// from the source.
enum Raw {
    Text(String),
    Other,
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<Raw>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Raw, E> {
        Ok(Raw::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Raw, E> {
        Ok(Raw::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Raw, E> {
        Ok(Raw::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Raw, E> {
        Ok(Raw::Other)
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Raw::Map(entries))
    }
}

struct Builder<'a> {
    text: &'a str,
    file: FileId,
}

impl Builder<'_> {
    fn node(&self, raw: Spanned<Raw>) -> Result<Node, Box<Diagnostic>> {
        let span = self.trimmed(self.span(&raw.defined));
        // A value behind an alias is shown where it is used.
        let shown = self.trimmed(self.span(&raw.referenced));
        let shown = if shown.start < shown.end { shown } else { span };
        let kind = match raw.value {
            Raw::Text(text) => NodeKind::Scalar(self.scalar(text, span, shown)),
            Raw::Other => self.resolve(span, shown),
            Raw::List(items) => NodeKind::List(
                items.into_iter().map(|item| self.node(item)).collect::<Result<_, _>>()?,
            ),
            Raw::Map(entries) => NodeKind::Map(
                entries.into_iter().map(|entry| self.entry(entry)).collect::<Result<_, _>>()?,
            ),
        };
        Ok(Node { span: self.whole(&kind, shown), kind })
    }

    /// The crate gives a flow collection the place of its bracket, and a block collection an
    /// empty one. The first is shown up to its closing bracket, the second by what it begins with.
    fn whole(&self, kind: &NodeKind, span: Span) -> Span {
        let (first, last) = match kind {
            NodeKind::Map(all) => (all.first().map(|e| e.0.span), all.last().map(|e| e.1.span)),
            NodeKind::List(all) => (all.first().map(|n| n.span), all.last().map(|n| n.span)),
            _ => return span,
        };
        if span.start == span.end || self.is_block(span) {
            return first.unwrap_or(span);
        }
        let mut end = last.map_or(span.end, |last| last.end.max(span.end)) as usize;
        loop {
            let rest = self.text.get(end..).unwrap_or("");
            match rest.chars().next() {
                Some(']' | '}') => return Span { end: end as u32 + 1, ..span },
                Some('#') => end += rest.find('\n').unwrap_or(rest.len()),
                Some(c) if c.is_whitespace() || c == ',' => end += c.len_utf8(),
                _ => return span,
            }
        }
    }

    fn entry(
        &self,
        entry: (Spanned<Raw>, Spanned<Raw>),
    ) -> Result<(Scalar, Node), Box<Diagnostic>> {
        let key = self.node(entry.0)?;
        let what = key.what();
        let NodeKind::Scalar(key) = key.kind else {
            let message = format!("a key must be text, not {what}");
            return Err(Box::new(Diagnostic::error("yaml", key.span, message)));
        };
        let mut value = self.node(entry.1)?;
        if matches!(value.kind, NodeKind::Map(_) | NodeKind::List(_)) && self.is_block(value.span)
            || value.span.start == value.span.end
        {
            value.span = key.span;
        }
        Ok((key, value))
    }

    /// A plain scalar that the crate took for a number, a boolean or nothing.
    fn resolve(&self, span: Span, shown: Span) -> NodeKind {
        match self.source(span).trim() {
            "" | "~" | "null" | "Null" | "NULL" => NodeKind::Null,
            // A tag may make a number of what is quoted.
            text => NodeKind::Scalar(self.scalar(text.trim_matches('"').to_owned(), span, shown)),
        }
    }

    /// `span` is where it is written, `shown` where it is used.
    fn scalar(&self, text: String, span: Span, shown: Span) -> Scalar {
        let source = self.source(span);
        let is_plain = self.is_plain(span);
        let inner = if is_plain { source } else { source.get(1..source.len() - 1).unwrap_or("") };
        let is_verbatim = inner == text && span.start == shown.start;
        let verbatim = is_verbatim.then_some(span.start + u32::from(!is_plain));
        Scalar { text, is_plain, span: shown, verbatim }
    }

    fn is_plain(&self, span: Span) -> bool {
        !self.source(span).starts_with(['"', '\'', '|', '>'])
    }

    /// The place of a block of text reaches to what follows it.
    fn trimmed(&self, span: Span) -> Span {
        let length = self.source(span).trim_end().len() as u32;
        Span { end: span.start + length, ..span }
    }

    fn is_block(&self, span: Span) -> bool {
        !self.source(span).starts_with(['{', '['])
    }

    fn source(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    fn span(&self, location: &Location) -> Span {
        let span = location.span();
        let start = span.byte_offset().unwrap_or(0) as usize;
        let end = start + span.byte_len().unwrap_or(0) as usize;
        Span::new(self.file, start.min(self.text.len()), end.min(self.text.len()))
    }
}
