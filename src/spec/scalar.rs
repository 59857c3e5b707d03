//! A single text of the user's, from YAML or from a cell of a table, that knows the place of each of
//! its characters.

use takt_diagnostic::Span;

#[derive(Clone, Debug)]
pub struct Scalar {
    pub text: String,
    /// Not quoted, so it may be a number or a boolean.
    pub is_plain: bool,
    /// All of it, quotes included.
    pub span: Span,
    /// Where the text begins in its file, if it stands there letter by letter: not so with escapes,
    /// several lines, or behind an alias.
    pub verbatim: Option<u32>,
}

impl Scalar {
    /// What stands here, in words.
    pub fn what(&self) -> &'static str {
        match self.is_plain {
            true if super::phrase::decimal(&self.text).is_some() => "a number",
            true if matches!(self.text.as_str(), "true" | "false") => "a boolean",
            _ => "text",
        }
    }

    /// The place of some bytes of the text, or else of all of it.
    pub fn part(&self, start: usize, end: usize) -> Span {
        match self.verbatim {
            Some(begin) => {
                let at = |offset: usize| begin as usize + offset.min(self.text.len());
                // Nothing would be underlined at an empty place.
                if start < end { Span::new(self.span.file, at(start), at(end)) } else { self.span }
            }
            None => self.span,
        }
    }
}
