//! What is wrong with a table, said with the column and the cell, and not more of it than helps.

use super::scalar::Scalar;
use super::table;
use std::collections::BTreeMap;
use takt_diagnostic::{Diagnostic, Diagnostics, FileId, Severity, Span};

/// More errors than these of one table are counted only.
const MOST: usize = 100;
/// So much of a cell is repeated in a message.
const LONGEST: usize = 40;

/// A table that was read, to find its cells again by their places.
#[derive(Debug)]
pub struct Source {
    pub file: FileId,
    pub text: String,
    pub separator: char,
    /// Where the spec names it.
    pub named: Span,
    /// It has columns that the spec gives their meaning, so it was not made for takt.
    pub is_mapped: bool,
}

/// Takes messages that are sorted; those about cells come out with column and cell.
pub fn named(found: Diagnostics, tables: &[Source]) -> Diagnostics {
    if !found.has_errors() || tables.is_empty() {
        return found;
    }
    let mut seen: BTreeMap<FileId, usize> = BTreeMap::new();
    let mut rows: BTreeMap<FileId, Vec<Vec<Scalar>>> = BTreeMap::new();
    let mut kept = Diagnostics::default();
    for one in found {
        let table = one.span.and_then(|span| tables.iter().find(|table| table.file == span.file));
        let Some(table) = table.filter(|_| one.severity == Severity::Error) else {
            kept.push(one);
            continue;
        };
        let count = seen.entry(table.file).or_default();
        *count += 1;
        if *count <= MOST {
            let rows = rows.entry(table.file).or_insert_with(|| table.rows());
            kept.push(with_cell(one, rows));
        }
    }
    for table in tables {
        let left = seen.remove(&table.file).unwrap_or(0).saturating_sub(MOST);
        if left > 0 {
            let message = format!("and {left} more errors in this table");
            kept.push(Diagnostic::error("more-errors", table.named, message));
        }
    }
    kept
}

impl Source {
    fn rows(&self) -> Vec<Vec<Scalar>> {
        table::rows(&self.text, self.file, self.separator).unwrap_or_default()
    }
}

fn with_cell(found: Diagnostic, rows: &[Vec<Scalar>]) -> Diagnostic {
    let Some((header, rows)) = rows.split_first() else { return found };
    let Some(span) = found.span else { return found };
    let begins = |row: &Vec<Scalar>| row.first().is_some_and(|cell| cell.span.start <= span.start);
    let row = rows.partition_point(begins).checked_sub(1).map_or(&[][..], |row| &rows[row]);
    let is_there = |cell: &&Scalar| cell.span.start <= span.start && span.end <= cell.span.end;
    let Some(place) = row.iter().position(|cell| is_there(&cell)) else { return found };
    let Some(column) = header.get(place) else { return found };
    let column = shown(&column.text);
    let cell = match row[place].text.as_str() {
        "" => "which is empty".to_owned(),
        text if found.message.contains(&format!("`{text}`")) => String::new(),
        text => format!("cell `{}`", shown(text)),
    };
    let cell = if cell.is_empty() { cell } else { format!(", {cell}") };
    let message = format!("{} (column `{column}`{cell})", found.message);
    Diagnostic { message, ..found }
}

fn shown(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
