//! What a table seems to be: its separator, how it writes numbers and dates, which column is what.

use super::names::{self, Meaning};
use std::collections::{BTreeMap, BTreeSet};
use takt_spec::tables::{Misfit, Pattern, cells, patterns, plain};

const SEPARATORS: [char; 4] = [';', '\t', '|', ','];
/// So many rows tell what a column holds.
const SAMPLE: usize = 2000;

/// A table and what is guessed of it.
#[derive(Debug)]
pub(super) struct Table {
    pub separator: char,
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Rows that have not as many cells as the header.
    pub odd_rows: usize,
    pub decimal: Option<char>,
    pub dates: Option<Dates>,
    /// One row per step, not per order.
    pub is_routing: bool,
    pub meanings: BTreeMap<Meaning, usize>,
}

/// The form of the dates of a table.
#[derive(Debug)]
pub(super) struct Dates {
    /// The language's own form, which need not be told.
    pub is_own: bool,
    pub pattern: String,
    /// Another form that fits all dates as well.
    pub other: Option<String>,
    /// The earliest of them, as the language writes days.
    pub earliest: Option<String>,
    /// Columns of dates.
    pub columns: BTreeSet<usize>,
}

impl Table {
    pub(super) fn guess(text: &str) -> Option<Table> {
        let (separator, mut rows) = split(text)?;
        let mut header = rows.remove(0);
        if header.last().is_some_and(String::is_empty) {
            header.pop();
            rows.iter_mut()
                .filter(|r| r.last().is_some_and(String::is_empty))
                .for_each(|r| _ = r.pop());
        }
        let width = header.len();
        let odd_rows = rows.extract_if(.., |row| row.len() != width).count();
        if rows.is_empty() || width < 2 {
            return None;
        }
        let dates = dates(&rows, width);
        let columns = dates.as_ref().map(|dates| dates.columns.clone()).unwrap_or_default();
        let decimal = decimal(&rows, &columns);
        let mut table = Table {
            separator,
            header,
            rows,
            odd_rows,
            decimal,
            dates,
            is_routing: false,
            meanings: BTreeMap::new(),
        };
        table.is_routing = table.looks_like_steps();
        table.meanings = table.assigned(&columns);
        Some(table)
    }

    /// The values of a column that are not empty.
    pub(super) fn column(&self, place: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().map(move |row| row[place].as_str()).filter(|cell| !cell.is_empty())
    }

    pub(super) fn place(&self, meaning: Meaning) -> Option<usize> {
        self.meanings.get(&meaning).copied()
    }

    /// Whether each row has a value of its own.
    pub(super) fn is_unique(&self, place: usize) -> bool {
        let values: BTreeSet<&str> = self.column(place).collect();
        values.len() == self.rows.len()
    }

    fn best(&self, meaning: Meaning, is_free: impl Fn(usize) -> bool) -> Option<(usize, usize)> {
        let ranked = self.header.iter().enumerate().filter(|&(place, _)| is_free(place));
        let ranked = ranked.filter_map(|(i, name)| Some((names::rank(name, meaning)?, i)));
        ranked.min()
    }

    fn looks_like_steps(&self) -> bool {
        let has = |meaning| self.best(meaning, |_| true).is_some();
        let has_time = [Meaning::Duration, Meaning::SetupTime, Meaning::UnitTime].map(has);
        has_time.contains(&true) && (has(Meaning::Step) || has(Meaning::On))
    }

    /// Each meaning with the column whose name fits it best; a column has one meaning.
    fn assigned(&self, dates: &BTreeSet<usize>) -> BTreeMap<Meaning, usize> {
        use Meaning::*;
        let wanted: &[Meaning] = match self.is_routing {
            true => &[Order, Recipe, Step, On, SetupTime, UnitTime, Duration, Family],
            false => &[Order, Recipe, Deadline, Due, Release, Size, Family, DelayCost],
        };
        let is_number = |place: usize| {
            self.column(place).take(SAMPLE).all(|cell| is_number(cell, self.decimal.unwrap_or('.')))
        };
        let mut ranked = Vec::new();
        for (place, name) in self.header.iter().enumerate() {
            for &meaning in wanted {
                let fits = match meaning {
                    Due | Deadline | Release => dates.contains(&place),
                    Size | DelayCost | SetupTime | UnitTime => is_number(place),
                    _ => !dates.contains(&place),
                };
                if let Some(rank) = names::rank(name, meaning).filter(|_| fits) {
                    ranked.push((rank, place, meaning));
                }
            }
        }
        ranked.sort();
        let (mut meanings, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for (_, place, meaning) in ranked {
            if !taken.contains(&place) && !meanings.contains_key(&meaning) {
                taken.insert(place);
                meanings.insert(meaning, place);
            }
        }
        self.by_content(&mut meanings, &taken, dates);
        meanings
    }

    /// What no name tells may be told by the cells.
    fn by_content(
        &self,
        meanings: &mut BTreeMap<Meaning, usize>,
        taken: &BTreeSet<usize>,
        dates: &BTreeSet<usize>,
    ) {
        if self.is_routing {
            // A number of rows for each order: whose they are, if not of a recipe.
            if meanings.contains_key(&Meaning::Order) && meanings.contains_key(&Meaning::Recipe) {
                meanings.remove(&Meaning::Recipe);
            }
            return;
        }
        let mut free = (0..self.header.len()).filter(|place| !taken.contains(place));
        if !meanings.contains_key(&Meaning::Order)
            && let Some(place) = free.find(|&i| !dates.contains(&i) && self.is_unique(i))
        {
            meanings.insert(Meaning::Order, place);
        }
        let mut left = dates.iter().filter(|place| !taken.contains(place));
        if !meanings.contains_key(&Meaning::Due)
            && let Some(&place) = left.next()
        {
            meanings.insert(Meaning::Due, place);
        }
    }
}

/// The separator that makes the most columns of most rows.
fn split(text: &str) -> Option<(char, Vec<Vec<String>>)> {
    let mut best: Option<(usize, char, Vec<Vec<String>>)> = None;
    for separator in SEPARATORS {
        let Some(rows) = cells(text, separator).filter(|rows| rows.len() > 1) else { continue };
        let width = rows[0].len();
        let regular = rows.iter().filter(|row| row.len() == width).count();
        let is_table = width > 1 && 10 * regular >= 9 * rows.len();
        if is_table && best.as_ref().is_none_or(|(most, ..)| width > *most) {
            best = Some((width, separator, rows));
        }
    }
    best.map(|(_, separator, rows)| (separator, rows))
}

pub(super) fn is_number(cell: &str, decimal: char) -> bool {
    let text = cell.strip_prefix('-').unwrap_or(cell);
    let Ok(text) = plain(text, decimal) else { return false };
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits > 0 && text.matches('.').count() <= 1 && digits + text.matches('.').count() == text.len()
}

/// The sign before decimals, if it matters.
fn decimal(rows: &[Vec<String>], dates: &BTreeSet<usize>) -> Option<char> {
    let (mut comma, mut point) = (0, 0);
    for row in rows.iter().take(SAMPLE) {
        let cells = row.iter().enumerate().filter(|(place, _)| !dates.contains(place));
        for (_, cell) in cells.filter(|(_, cell)| cell.contains([',', '.', '\'', ' '])) {
            let [as_comma, as_point] = [',', '.'].map(|sign| is_number(cell, sign));
            comma += usize::from(as_comma && !as_point);
            point += usize::from(as_point && !as_comma);
        }
    }
    match comma > point {
        true => Some(','),
        // With a point alone numbers are those of specs.
        false => None,
    }
}

fn dates(rows: &[Vec<String>], width: usize) -> Option<Dates> {
    let mut by_pattern: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let mut others: BTreeMap<String, String> = BTreeMap::new();
    for place in 0..width {
        let column: Vec<&str> = rows.iter().map(|row| row[place].as_str()).collect();
        let mut fitting = patterns_of(&column).into_iter();
        if let Some(first) = fitting.next() {
            others.extend(fitting.next().map(|other| (first.clone(), other)));
            by_pattern.entry(first).or_default().insert(place);
        }
    }
    // Columns with days alone go with those that have the time of day, too.
    let (pattern, _) =
        by_pattern.iter().max_by_key(|(pattern, columns)| (columns.len(), pattern.len()))?;
    let pattern = by_pattern.keys().filter(|other| other.starts_with(pattern.as_str()));
    let pattern = pattern.max_by_key(|other| other.len())?.clone();
    let columns: BTreeSet<usize> = by_pattern
        .iter()
        .filter(|(p, _)| pattern.starts_with(*p))
        .flat_map(|(_, c)| c)
        .copied()
        .collect();
    let read = Pattern::new(&pattern).ok()?;
    let all = rows.iter().flat_map(|row| columns.iter().map(|&place| &row[place]));
    let earliest = all.filter_map(|cell| read.read(cell).ok()).map(|(date, _)| date).min();
    Some(Dates {
        is_own: ["yyyy-mm-dd", "yyyy-mm-ddThh:MM", "yyyy-mm-ddThh:MM:ss"]
            .contains(&pattern.as_str()),
        other: others.remove(&pattern),
        earliest: earliest.map(|date| date.to_string()),
        pattern,
        columns,
    })
}

/// The patterns that fit all cells of a column that are not empty; first the one that is more likely.
fn patterns_of(column: &[&str]) -> Vec<String> {
    let cells: Vec<&str> =
        column.iter().copied().filter(|cell| !cell.is_empty()).take(SAMPLE).collect();
    let mut candidates: Vec<String> = Vec::new();
    for cell in &cells {
        // A day without its time comes after one with it, and both fit the longer pattern.
        for pattern in patterns(cell).into_iter().chain(compact(cell)) {
            if !candidates.contains(&pattern) {
                candidates.push(pattern);
            }
        }
    }
    candidates.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
    let fits = |pattern: &String| {
        let Ok(pattern) = Pattern::new(pattern) else { return false };
        // A day that does not exist is a mistake in the table.
        cells.iter().all(|cell| pattern.read(cell) != Err(Misfit::Form))
            && cells.iter().any(|cell| pattern.read(cell).is_ok())
    };
    let wrong = |pattern: &String| {
        let pattern = Pattern::new(pattern);
        cells.iter().filter(|cell| pattern.as_ref().is_ok_and(|p| p.read(cell).is_err())).count()
    };
    let mut fitting: Vec<String> = candidates.into_iter().filter(fits).collect();
    let least = fitting.iter().map(wrong).min().unwrap_or(0);
    fitting.retain(|pattern| wrong(pattern) == least);
    let longest = fitting.first().map_or(0, String::len);
    fitting.retain(|pattern| pattern.len() == longest);
    fitting
}

/// `20261103`
fn compact(cell: &str) -> Option<String> {
    let is_year = cell.starts_with("20") && cell.bytes().all(|b| b.is_ascii_digit());
    let pattern = (is_year && cell.len() == 8).then_some("yyyymmdd")?;
    Pattern::new(pattern).ok()?.read(cell).ok().map(|_| pattern.to_owned())
}
