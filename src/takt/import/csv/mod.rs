//! An unknown table, of orders or of steps, becomes the draft of a spec: what is guessed is said in
//! comments, and so is what is left to fill in.

mod draft;
mod guess;
mod names;

use guess::Table;
use takt_diagnostic::{Diagnostic, Diagnostics, FileId, Span};

/// What is known of the file beside its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin<'a> {
    /// Its name, as the spec shall name it.
    pub path: &'a str,
    /// Its bytes were no UTF-8, so they were read as letters of Western Europe.
    pub is_latin1: bool,
}

/// A draft that names the table; `name` is what the spec shall be called.
pub fn import(text: &str, file: FileId, name: &str, origin: Origin) -> Result<String, Diagnostics> {
    let Some(table) = Table::guess(text) else {
        let span = Span::new(file, 0, text.lines().next().map_or(0, str::len));
        let message = "this is no table with a header and rows below it";
        let found = Diagnostic::error("no-table", span, message);
        let hint = "its columns are separated by one of `;`, `,`, `|` or tabs";
        return Err(found.hint(hint).into());
    };
    Ok(draft::spec(&table, name, origin))
}

#[cfg(test)]
mod tests;
