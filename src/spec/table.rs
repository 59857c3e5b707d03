//! Tables of text (RFC 4180, with a separator of one's own) in which every cell knows its place.

use super::scalar::Scalar;
use takt_diagnostic::{Diagnostic, FileId, Span};

/// The rows of a table, the header first; lines without a word are left out.
pub fn rows(
    text: &str,
    file: FileId,
    separator: char,
) -> Result<Vec<Vec<Scalar>>, Box<Diagnostic>> {
    let begin = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    let mut cursor = Cursor { text, at: begin, file, separator };
    let mut rows = Vec::new();
    while cursor.at < text.len() {
        let row = cursor.row()?;
        if row.iter().any(|cell| !cell.text.is_empty()) {
            rows.push(row);
        }
    }
    Ok(rows)
}

struct Cursor<'t> {
    text: &'t str,
    at: usize,
    file: FileId,
    separator: char,
}

impl Cursor<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn row(&mut self) -> Result<Vec<Scalar>, Box<Diagnostic>> {
        let mut cells = Vec::new();
        loop {
            cells.push(if self.rest().starts_with('"') { self.quoted()? } else { self.plain() });
            if self.rest().starts_with(self.separator) {
                self.at += self.separator.len_utf8();
                continue;
            }
            if self.skip("\r\n") || self.skip("\n") || self.skip("\r") || self.rest().is_empty() {
                return Ok(cells);
            }
            let next = self.rest().chars().next().map_or(0, char::len_utf8);
            let span = Span::new(self.file, self.at, self.at + next);
            let found = Diagnostic::error("bad-csv", span, "text after a closing quote");
            return Err(Box::new(found.hint("a quote within quotes is written twice")));
        }
    }

    fn skip(&mut self, word: &str) -> bool {
        let is_there = self.rest().starts_with(word);
        self.at += if is_there { word.len() } else { 0 };
        is_there
    }

    /// White space around a plain cell is not part of it.
    fn plain(&mut self) -> Scalar {
        let rest = self.rest();
        let length = rest.find([self.separator, '\n', '\r']).unwrap_or(rest.len());
        let cell = &rest[..length];
        let text = cell.trim().to_owned();
        let start = self.at + (cell.len() - cell.trim_start().len());
        let end = start + text.len();
        self.at += length;
        let span = Span::new(self.file, start, end);
        Scalar { text, is_plain: true, span, verbatim: Some(start as u32) }
    }

    fn quoted(&mut self) -> Result<Scalar, Box<Diagnostic>> {
        let start = self.at;
        let mut text = String::new();
        self.at += 1;
        loop {
            let Some(length) = self.rest().find('"') else {
                let span = Span::new(self.file, start, start + 1);
                return Err(Box::new(Diagnostic::error(
                    "bad-csv",
                    span,
                    "this quote is not closed",
                )));
            };
            text.push_str(&self.rest()[..length]);
            self.at += length + 1;
            if !self.skip("\"") {
                break;
            }
            text.push('"');
        }
        let span = Span::new(self.file, start, self.at);
        let is_verbatim = text.len() + 2 == self.at - start;
        let verbatim = is_verbatim.then_some(start as u32 + 1);
        // A number in quotes is a number all the same: tables know no types.
        Ok(Scalar { text, is_plain: true, span, verbatim })
    }
}
