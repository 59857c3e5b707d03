//! Diagnostics as text with the source lines they speak of, and as JSON.

use super::call;
use super::error::Wrong;
use codespan_reporting::diagnostic as shown;
use codespan_reporting::files::{Files, SimpleFiles};
use codespan_reporting::term::termcolor::{Ansi, NoColor};
use codespan_reporting::term::{self, Config};
use serde_json::{Value, json};
use std::borrow::Cow;
use takt_diagnostic::{Diagnostic, Severity, Sources, Span, visible};

/// More messages than these help nobody.
const MOST: usize = 200;
/// Source lines longer than this are not shown.
const LONGEST_LINE: usize = 400;

type Texts<'a> = SimpleFiles<&'a str, &'a str>;

/// All messages, or only the errors, sorted by place, as people read them.
pub fn text(wrong: &Wrong, only_errors: bool, color: bool) -> String {
    let is_wanted = |d: &&Diagnostic| !only_errors || d.severity == Severity::Error;
    let mut out = messages(&wrong.sources, wrong.diagnostics.iter().filter(is_wanted), color);
    if let Some((trace, _)) = &wrong.trace {
        out.push_str(trace);
    }
    out
}

/// Renders each diagnostic in turn.
pub fn messages<'a>(
    sources: &Sources,
    diagnostics: impl Iterator<Item = &'a Diagnostic>,
    color: bool,
) -> String {
    let (all, left_off): (Vec<_>, Vec<_>) =
        diagnostics.enumerate().partition(|(position, _)| *position < MOST);
    let all: Vec<Diagnostic> = all.into_iter().map(|(_, d)| seen(d, sources)).collect();
    let left_off = left_off.len();
    let shown = seen_sources(sources);
    let texts = texts(&shown);
    let mut out = Vec::new();
    for diagnostic in &all {
        if color {
            render(diagnostic, &texts, &mut Ansi::new(&mut out));
        } else {
            render(diagnostic, &texts, &mut NoColor::new(&mut out));
        }
    }
    let mut out = String::from_utf8_lossy(&out).into_owned();
    if left_off > 0 {
        out.push_str(&format!("... and {left_off} more\n"));
    }
    out
}

/// The files with a sign for each letter that cannot be seen.
fn seen_sources(sources: &Sources) -> Sources {
    let mut shown = Sources::default();
    for (_, source) in sources.iter() {
        shown.add(visible(&source.name), visible(&source.text));
    }
    shown
}

/// The same message about these files: its places are where the same letters stand there.
fn seen(diagnostic: &Diagnostic, sources: &Sources) -> Diagnostic {
    let moved = |span: Span| {
        let text = sources.get(span.file).map_or("", |source| source.text.as_str());
        if let Cow::Borrowed(_) = visible(text) {
            return span;
        }
        let range = within(text, span);
        let at = |offset: usize| visible(&text[..offset]).len();
        Span::new(span.file, at(range.start), at(range.end))
    };
    let mut shown = diagnostic.clone();
    shown.span = shown.span.map(moved);
    for text in [&mut shown.message, &mut shown.label].into_iter().chain(&mut shown.hint) {
        *text = visible(text).into_owned();
    }
    for related in &mut shown.related {
        related.span = moved(related.span);
        related.message = visible(&related.message).into_owned();
    }
    shown
}

/// `{"takt": 1, "errors": [...]}` and a newline.
pub fn json(wrong: &Wrong) -> String {
    let texts = texts(&wrong.sources);
    let errors = wrong.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let mut errors: Vec<Value> = errors.map(|d| error_json(d, &texts)).collect();
    if let (Some((_, trace)), Some(first)) = (&wrong.trace, errors.first_mut()) {
        first["trace"] = trace.clone();
    }
    object(errors)
}

/// A bug of ours, as JSON.
pub fn bug_json(message: &str) -> String {
    object(vec![bare_error("<takt>", "bug-in-takt", message)])
}

fn object(errors: Vec<Value>) -> String {
    format!("{}\n", json!({"takt": 1, "errors": errors}))
}

fn bare_error(file: &str, code: &str, message: &str) -> Value {
    json!({"file": file, "line": null, "column": null, "code": code, "message": message})
}

fn error_json(diagnostic: &Diagnostic, texts: &Texts) -> Value {
    // What has no place is about the first file, from which all others are read.
    let span = diagnostic.span.unwrap_or_default();
    let file = name(span, texts).unwrap_or(call::NAME);
    let mut error = bare_error(file, diagnostic.code, &diagnostic.message);
    if let Some((line, column)) = diagnostic.span.and_then(|span| place(span, texts)) {
        error["line"] = json!(line);
        error["column"] = json!(column);
    }
    if let Some(hint) = &diagnostic.hint {
        error["hint"] = json!(hint);
    }
    error
}

fn texts(sources: &Sources) -> Texts<'_> {
    let mut texts = SimpleFiles::new();
    for (_, source) in sources.iter() {
        texts.add(source.name.as_str(), source.text.as_str());
    }
    texts
}

fn name<'a>(span: Span, texts: &Texts<'a>) -> Option<&'a str> {
    texts.get(span.file.0 as usize).ok().map(|file| *file.name())
}

/// Line and column of the span's start, counted from 1; `None` in a source without text.
fn place(span: Span, texts: &Texts) -> Option<(usize, usize)> {
    let file = texts.get(span.file.0 as usize).ok()?;
    if file.source().is_empty() {
        return None;
    }
    let at = within(file.source(), span).start;
    let place = texts.location(span.file.0 as usize, at).ok()?;
    Some((place.line_number, place.column_number))
}

/// The span's bytes, brought inside the text and onto borders of characters.
fn within(text: &str, span: Span) -> std::ops::Range<usize> {
    let start = text.floor_char_boundary(span.start as usize);
    let end = text.ceil_char_boundary((span.end as usize).min(text.len()));
    start..end.max(start)
}

fn render<W: term::termcolor::WriteColor>(diagnostic: &Diagnostic, texts: &Texts, out: &mut W) {
    let severity = match diagnostic.severity {
        Severity::Error => shown::Severity::Error,
        Severity::Warning => shown::Severity::Warning,
    };
    let mut message = shown::Diagnostic::new(severity)
        .with_code(diagnostic.code)
        .with_message(&diagnostic.message);
    if let Some(span) = diagnostic.span {
        if is_showable(span, texts) {
            message.labels.push(label(span, &diagnostic.label, texts, true));
        } else if let Some((line, column)) = place(span, texts) {
            let file = name(span, texts).unwrap_or_default();
            message.notes.push(format!("at {file}:{line}:{column}"));
        }
    }
    for related in diagnostic.related.iter().filter(|r| is_showable(r.span, texts)) {
        message.labels.push(label(related.span, &related.message, texts, false));
    }
    message.notes.extend(diagnostic.hint.iter().map(|hint| format!("hint: {hint}")));
    // Writing to memory cannot fail, and all spans lie inside their texts.
    let _ = term::emit_to_write_style(out, &Config::default(), texts, &message);
}

fn label(span: Span, text: &str, texts: &Texts, is_primary: bool) -> shown::Label<usize> {
    let file = span.file.0 as usize;
    let source = texts.get(file).map_or("", |f| f.source());
    let style = if is_primary { shown::LabelStyle::Primary } else { shown::LabelStyle::Secondary };
    shown::Label::new(style, file, within(source, span)).with_message(text)
}

/// Whether the lines of the span can be shown: they exist and are not overlong.
fn is_showable(span: Span, texts: &Texts) -> bool {
    let Ok(file) = texts.get(span.file.0 as usize) else { return false };
    let text = *file.source();
    let range = within(text, span);
    let from = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    !text.is_empty() && text[from..to].lines().all(|line| line.len() <= LONGEST_LINE)
}
