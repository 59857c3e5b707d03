//! Words of a text, one after the other, each with its place; numbers among them.

use super::Made;
use std::ops::RangeInclusive;
use takt_diagnostic::{Diagnostic, FileId, Span};

/// Gives the words of a text; what follows a `#` on a line is a comment.
#[derive(Clone, Debug)]
pub(super) struct Words<'t> {
    text: &'t str,
    file: FileId,
    at: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub text: &'t str,
    pub span: Span,
}

/// A number and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    pub value: i64,
    pub span: Span,
}

impl<'t> Words<'t> {
    pub(super) fn new(text: &'t str, file: FileId) -> Words<'t> {
        Words { text, file, at: 0 }
    }

    /// The words of a part of the text.
    pub(super) fn part(text: &'t str, file: FileId, from: usize, to: usize) -> Words<'t> {
        Words { text: &text[..to], file, at: from }
    }

    /// The next word, if there is one.
    pub(super) fn take(&mut self) -> Option<Word<'t>> {
        loop {
            let rest = &self.text[self.at..];
            let start = self.at + rest.find(|c: char| !c.is_whitespace())?;
            let rest = &self.text[start..];
            if rest.starts_with('#') {
                self.at = start + rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            let length = rest.find(|c: char| c.is_whitespace() || c == '#').unwrap_or(rest.len());
            self.at = start + length;
            let span = Span::new(self.file, start, self.at);
            return Some(Word { text: &rest[..length], span });
        }
    }

    /// The next word, which must be there.
    pub(super) fn word(&mut self, what: &str) -> Made<Word<'t>> {
        let end = Span::new(self.file, self.text.len(), self.text.len());
        self.take().ok_or_else(|| {
            let message = format!("the file ends where {what} is expected");
            Box::new(Diagnostic::error("file-ends", end, message))
        })
    }

    /// A whole number in the range; `what` says what it is.
    pub(super) fn whole(&mut self, what: &str, range: RangeInclusive<i64>) -> Made<Whole> {
        let word = self.word(what)?;
        let is_number = word.text.strip_prefix('-').unwrap_or(word.text);
        if is_number.is_empty() || !is_number.bytes().all(|b| b.is_ascii_digit()) {
            let message = format!("{what} is expected here, a whole number");
            let found = Diagnostic::error("not-a-number", word.span, message);
            return Err(Box::new(found.label(format!("this is {}", shown(word.text)))));
        }
        let value = word.text.parse::<i64>().ok().filter(|value| range.contains(value));
        match value {
            Some(value) => Ok(Whole { value, span: word.span }),
            None => {
                let (low, high) = (range.start(), range.end());
                let message = format!("{what} must lie between {low} and {high}");
                Err(Box::new(Diagnostic::error("out-of-range", word.span, message)))
            }
        }
    }

    /// As [`Words::whole`], for numbers that count or name things.
    pub(super) fn count(
        &mut self,
        what: &str,
        range: RangeInclusive<usize>,
    ) -> Made<(usize, Span)> {
        let whole = self.whole(what, *range.start() as i64..=*range.end() as i64)?;
        Ok((whole.value as usize, whole.span))
    }

    /// A decimal that is not negative, with at most six places, as it is to be written.
    pub(super) fn decimal(&mut self, what: &str) -> Made<String> {
        let word = self.word(what)?;
        let (whole, fraction) = word.text.split_once('.').unwrap_or((word.text, ""));
        let is_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        let fraction = fraction.trim_end_matches('0');
        let kept = whole.trim_start_matches('0');
        if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
            let message = format!("{what} is expected here, a decimal that is not negative");
            let found = Diagnostic::error("not-a-number", word.span, message);
            return Err(Box::new(found.label(format!("this is {}", shown(word.text)))));
        }
        if kept.len() > 9 || fraction.len() > 6 {
            let message = format!("{what} is too large or has more than six decimal places");
            return Err(Box::new(Diagnostic::error("out-of-range", word.span, message)));
        }
        let whole = if kept.is_empty() { "0" } else { kept };
        let point = if fraction.is_empty() { "" } else { "." };
        Ok(format!("{whole}{point}{fraction}"))
    }

    /// Nothing may follow.
    pub(super) fn end(&mut self) -> Made<()> {
        match self.take() {
            None => Ok(()),
            Some(word) => {
                let message = "there is more here than the file announces";
                let found = Diagnostic::error("unexpected-text", word.span, message);
                Err(Box::new(found.label("nothing is expected here")))
            }
        }
    }
}

/// A word as messages show it: short, whatever it is.
fn shown(text: &str) -> String {
    let mut short: String = text.chars().take(20).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{short}`")
}
