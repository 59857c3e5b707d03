//! What can be said about a user's input: places in files and messages about them.
//!
//! Data only. Nothing here prints; the command line turns diagnostics into text or JSON.
//! Our own bugs are assertions and outcomes are values: neither is a diagnostic.

mod letters;
mod nearest;

pub use letters::{is_unseen, visible};
pub use nearest::nearest;

use std::collections::BTreeSet;

/// A file of the user's, known by its position in [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A stretch of bytes `[start, end)` of one file.
///
/// Spans are all equal to each other, so that two syntax trees are equal if they mean the
/// same, wherever they were written. Compare the fields to compare places.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

impl Span {
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both; both lie in one file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

/// A further place that explains the message, with its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub message: String,
}

/// One message about one place of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// A stable, kebab-case code such as `unknown-name`; scripts may rely on it.
    pub code: &'static str,
    /// One sentence without a full stop: what is wrong.
    pub message: String,
    /// Where; `None` where the input as a whole is at fault.
    pub span: Option<Span>,
    /// What stands at the place, seen from the rule that is broken.
    pub label: String,
    pub related: Vec<Label>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            related: Vec::new(),
            hint: None,
        }
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// An error about the input as a whole, such as an empty file.
    pub fn without_place(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span: None, ..Diagnostic::error(code, Span::default(), message) }
    }

    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.related.push(Label { span, message: message.into() });
        self
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// Adds "did you mean" for the nearest of `names`, if one is near.
    #[must_use]
    pub fn did_you_mean<'a>(
        self,
        word: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Diagnostic {
        match nearest(word, names) {
            Some(name) => self.hint(format!("did you mean `{name}`?")),
            None => self,
        }
    }
}

/// Everything found wrong with an input, collected so that the user sees it all at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    pub fn extend(&mut self, other: Diagnostics) {
        self.0.extend(other.0);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|d| d.severity == Severity::Error)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter()
    }

    /// In the order of the files and of the places in them; messages without a place first. What
    /// is said twice about one place stands there once.
    #[must_use]
    pub fn sorted(mut self) -> Diagnostics {
        let place = |d: &Diagnostic| d.span.map(|s| (s.file, s.start, s.end));
        self.0.sort_by_key(place);
        let mut seen = BTreeSet::new();
        self.0.retain(|d| seen.insert((place(d), d.code, d.message.clone())));
        self
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        Diagnostics(vec![diagnostic])
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// One file as it was read.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    pub text: String,
}

/// The files of one run, so that a [`Span`] can be shown again.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<Source>);

impl Sources {
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.0.push(Source { name: name.into(), text: text.into() });
        FileId(self.0.len() as u32 - 1)
    }

    pub fn get(&self, id: FileId) -> Option<&Source> {
        self.0.get(id.0 as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.0.iter().enumerate().map(|(i, s)| (FileId(i as u32), s))
    }
}
