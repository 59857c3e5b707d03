//! Tables beside the spec: how they are written, which column is what, and their rows.

use crate::cells::Source;
use crate::dates::Pattern;
use crate::dialect::Dialect;
use crate::fields::{Decoder, Fields};
use crate::scalar::Scalar;
use crate::yaml::Node;
use crate::{At, Encoding, Files, phrase, table};
use takt_diagnostic::{Diagnostic, FileId, Span};

const MAX_FILES: usize = 100;
const MAX_TABLE: usize = 64 << 20;
const MAX_ROWS: usize = 500_000;

const ENCODINGS: [(&str, Encoding); 2] = [("utf-8", Encoding::Utf8), ("latin1", Encoding::Latin1)];
const DECIMALS: [(&str, char); 2] = [(".", '.'), (",", ',')];

/// A table as it was read, with what its columns are for.
pub struct Table {
    pub path: At<String>,
    pub dialect: Dialect,
    pub header: Vec<Scalar>,
    /// Each has as many cells as the header.
    pub rows: Vec<Vec<Scalar>>,
    pub columns: Vec<Column>,
    /// Keys that stand for what is no column.
    pub others: Vec<Mapping>,
}

/// A key or a name, and the column whose cells it stands for.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: At<String>,
    pub place: usize,
}

/// What `columns` says of a key.
pub struct Mapping {
    pub key: At<String>,
    pub value: Scalar,
}

impl Table {
    /// All of the header.
    pub fn head(&self) -> Span {
        whole(&self.header).unwrap_or(self.path.span)
    }

    /// The cell of a row for this key.
    pub fn cell<'a>(&self, row: &'a [Scalar], key: &str) -> Option<&'a Scalar> {
        self.columns.iter().find(|column| column.name.value == key).map(|c| &row[c.place])
    }

    pub fn has(&self, key: &str) -> bool {
        self.columns.iter().any(|column| column.name.value == key)
    }
}

/// The place of a row.
pub fn whole(row: &[Scalar]) -> Option<Span> {
    Some(row.first()?.span.to(row.last()?.span))
}

impl Decoder<'_> {
    /// The table that `file` names. What `columns` gives one of the `free` keys need be no column.
    pub fn table(
        &mut self,
        fields: &Fields,
        files: &mut dyn Files,
        free: &[&str],
    ) -> Option<Table> {
        let path = self.text(fields.get("file")?, "`file`")?;
        let dialect = self.dialect(fields);
        let encoding = self.encoding(fields);
        let mappings = fields.get("columns").map(|node| self.mappings(node)).unwrap_or_default();
        let (file, text) = self.table_text(&path, encoding?, files)?;
        let dialect = dialect?;
        let mut rows = self.keep(table::rows(&text, file, dialect.separator))?;
        self.tables.push(Source {
            file,
            text,
            separator: dialect.separator,
            named: path.span,
            is_mapped: !mappings.is_empty(),
        });
        if rows.is_empty() {
            self.error("bad-csv", path.span, format!("`{}` is empty", path.value));
            return None;
        }
        if rows.len() > MAX_ROWS {
            self.error("too-large", path.span, format!("this table has more than {MAX_ROWS} rows"));
            return None;
        }
        without_last(&mut rows);
        let header = rows.remove(0);
        self.header(&header);
        let mut table =
            Table { path, dialect, header, rows, columns: Vec::new(), others: Vec::new() };
        self.columns(&mut table, mappings, free)?;
        self.shapes(&mut table);
        Some(table)
    }

    pub fn table_text(
        &mut self,
        path: &At<String>,
        encoding: Encoding,
        files: &mut dyn Files,
    ) -> Option<(FileId, String)> {
        self.files += 1;
        let read = if self.files > MAX_FILES {
            Err(format!("a spec names at most {MAX_FILES} files").into())
        } else {
            files.read_in(&path.value, encoding)
        };
        let read = read.and_then(|(file, text)| match text.len() > MAX_TABLE {
            true => Err(format!("`{}` is larger than {} MB", path.value, MAX_TABLE >> 20).into()),
            false => Ok((file, text)),
        });
        read.map_err(|unread| self.unread(&unread, path.span)).ok()
    }

    /// How the table is written; `None` if that is not understood, and then its cells are not.
    pub fn dialect(&mut self, fields: &Fields) -> Option<Dialect> {
        let mut dialect = Dialect::default();
        let mut is_known = true;
        if let Some(node) = fields.get("separator") {
            let sign = self.separator(node);
            is_known &= sign.is_some();
            dialect.separator = sign.unwrap_or(',');
        }
        if let Some(node) = fields.get("decimal") {
            dialect.decimal = self.choice(node, "`decimal`", &DECIMALS);
            is_known &= dialect.decimal.is_some();
        }
        if let Some(node) = fields.get("dates") {
            dialect.dates = self.date_pattern(node);
            is_known &= dialect.dates.is_some();
        }
        if let Some(node) = fields.get("day-ends") {
            let scalar = self.scalar(node, "`day-ends`");
            let ends = scalar.and_then(|scalar| self.keep(phrase::time_of_day(scalar)));
            is_known &= ends.is_some();
            dialect.day_ends = ends.unwrap_or_default();
        }
        is_known.then_some(dialect)
    }

    pub fn encoding(&mut self, fields: &Fields) -> Option<Encoding> {
        let Some(node) = fields.get("encoding") else { return Some(Encoding::default()) };
        self.choice(node, "`encoding`", &ENCODINGS)
    }

    fn separator(&mut self, node: &Node) -> Option<char> {
        use crate::yaml::NodeKind;
        // A tab is white space, and so no single value elsewhere.
        let text = match &node.kind {
            NodeKind::Scalar(scalar) if scalar.text == "\t" => "\t".to_owned(),
            _ => self.text(node, "`separator`")?.value,
        };
        let mut letters = text.chars();
        match (text.as_str(), letters.next(), letters.next()) {
            ("tab", ..) => Some('\t'),
            (_, Some(sign), None) if is_separator(sign) => Some(sign),
            _ => {
                let message = "a separator is a single sign, such as `;`, `,`, `|` or `tab`";
                self.error("bad-value", node.span, message);
                None
            }
        }
    }

    fn date_pattern(&mut self, node: &Node) -> Option<Pattern> {
        let text = self.text(node, "`dates`")?;
        let pattern = Pattern::new(&text.value);
        let wrong = |(message, hint): (String, &str)| {
            Box::new(Diagnostic::error("bad-value", text.span, message).hint(hint))
        };
        self.keep(pattern.map_err(wrong))
    }

    fn mappings(&mut self, node: &Node) -> Vec<Mapping> {
        let mut mappings = Vec::new();
        for (key, value) in self.map(node, "`columns`").unwrap_or_default() {
            let key = self.name(key, "a key");
            let value = self.scalar(value, "the name of a column").cloned();
            mappings.extend(key.zip(value).map(|(key, value)| Mapping { key, value }));
        }
        mappings
    }

    fn header(&mut self, header: &[Scalar]) {
        let Some(head) = whole(header) else { return };
        for cell in header.iter().filter(|cell| cell.text.is_empty()) {
            let span = if cell.span.start < cell.span.end { cell.span } else { head };
            self.error("bad-csv", span, "a column has no name");
        }
        let names = header.iter().filter(|cell| !cell.text.is_empty());
        let names: Vec<_> = names.map(|cell| At::new(cell.text.clone(), cell.span)).collect();
        self.unique(&names, "the column");
    }

    /// Which column is what: those that are mapped, by their keys, and all others by their own names.
    fn columns(&mut self, table: &mut Table, mappings: Vec<Mapping>, free: &[&str]) -> Option<()> {
        let mut is_mapped = vec![false; table.header.len()];
        let mut is_known = true;
        for mapping in mappings {
            let place = table.header.iter().position(|cell| cell.text == mapping.value.text);
            match place {
                Some(place) => {
                    is_mapped[place] = true;
                    let name = At::new(mapping.key.value, table.header[place].span);
                    table.columns.push(Column { name, place });
                }
                None if free.contains(&mapping.key.value.as_str()) => table.others.push(mapping),
                None => {
                    is_known = false;
                    self.no_column(&mapping.value.text, mapping.value.span, table);
                }
            }
        }
        let mapped = table.columns.clone();
        let is_taken = |name: &str| mapped.iter().any(|column| column.name.value == name);
        for (place, cell) in table.header.iter().enumerate().filter(|&(i, _)| !is_mapped[i]) {
            let name = At::new(cell.text.clone(), cell.span);
            if is_taken(&cell.text) || table.others.iter().any(|o| o.key.value == cell.text) {
                let message =
                    format!("this column is not read: `columns` says what `{}` is", cell.text);
                self.found.push(Diagnostic::warning("unused", cell.span, message));
            } else {
                table.columns.push(Column { name, place });
            }
        }
        is_known.then_some(())
    }

    /// At `span` stands the name of a column that the table does not have.
    pub fn no_column(&mut self, name: &str, span: Span, table: &Table) {
        let message = format!("`{}` has no column `{name}`", table.path.value);
        let found = Diagnostic::error("missing-column", span, message);
        let found = found.related(table.head(), "its header");
        self.found.push(match another_separator(&table.header) {
            Some(hint) => found.hint(hint),
            None => found.did_you_mean(name, table.header.iter().map(|cell| cell.text.as_str())),
        });
    }

    /// A key that each row must have, and for which there is no column.
    pub fn missing_column(&mut self, key: &str, table: &Table) {
        let message = format!("there is no column `{key}`");
        let found = Diagnostic::error("missing-key", table.head(), message);
        let names = table.header.iter().map(|cell| cell.text.as_str());
        let found = match another_separator(&table.header) {
            Some(hint) => found.hint(hint),
            None => found.did_you_mean(key, names),
        };
        self.found.push(match found.hint {
            Some(_) => found,
            None => found.hint(format!("`columns: {{{key}: …}}` names the column that it is")),
        });
    }

    /// Leaves the rows that have as many cells as the header.
    fn shapes(&mut self, table: &mut Table) {
        let wanted = table.header.len();
        for row in table.rows.extract_if(.., |row| row.len() != wanted) {
            let Some(span) = whole(&row) else { continue };
            let message = format!("this row has {} cells, the header has {wanted}", row.len());
            self.error("bad-csv", span, message);
        }
    }
}

/// What many programs write after the last cell makes one more column, without a name.
fn without_last(rows: &mut [Vec<Scalar>]) {
    let width = rows[0].len();
    let is_spare = |row: &Vec<Scalar>| {
        row.len() == width && row.last().is_some_and(|cell| cell.text.is_empty())
    };
    if width > 1 && rows.iter().all(is_spare) {
        rows.iter_mut().for_each(|row| _ = row.pop());
    }
}

fn is_separator(sign: char) -> bool {
    let is_taken = sign.is_alphanumeric() || matches!(sign, '"' | ' ' | '\n' | '\r' | '.');
    !is_taken && (!sign.is_control() || sign == '\t')
}

/// A header of one column that has separators in it was meant to have more.
fn another_separator(header: &[Scalar]) -> Option<String> {
    let [only] = header else { return None };
    let sign = only.text.chars().find(|c| [';', '\t', '|', ','].contains(c))?;
    let name = if sign == '\t' { "tab".to_owned() } else { sign.to_string() };
    Some(format!("say `separator: \"{name}\"` beside `file`"))
}
