//! `orders`: entries of the spec and rows of tables, copies made.

use crate::civil;
use crate::fields::{Decoder, Fields};
use crate::language::{ORDER, ORDER_FILE};
use crate::scalar::Scalar;
use crate::yaml::{Node, NodeKind};
use crate::{
    At, Attribute, Exact, Expr, ExprKind, Files, Instant, NamedAttribute, Order, Pin, Rate,
    Shifted, phrase, table,
};
use std::collections::BTreeMap;
use takt_diagnostic::{Diagnostic, Span};

/// Far more than can be planned; bounds what `count` may ask for.
const MAX_ORDERS: i64 = 200_000;
const MAX_FILES: usize = 100;
const MAX_TABLE: usize = 64 << 20;
/// Bounds the text of all copies together.
const MAX_TEXT: i64 = 50_000_000;

/// The single values of an order, wherever they stand.
#[derive(Clone)]
struct Cells<'a> {
    values: BTreeMap<&'a str, &'a Scalar>,
    attributes: Vec<NamedAttribute>,
    pins: Vec<Pin>,
    span: Span,
}

/// Keys that are no single values.
const MAPS: [&str; 2] = ["attributes", "pins"];

impl Decoder<'_> {
    pub fn orders(&mut self, node: &Node, files: &mut dyn Files) -> Vec<Order> {
        let mut orders = Vec::new();
        for item in self.list(node, "`orders`").unwrap_or_default() {
            if is_file(item) {
                self.file(item, files, &mut orders);
            } else if let Some(fields) = self.fields(item, &ORDER) {
                let cells = self.cells(&fields);
                self.copies(&cells, &mut orders);
            }
        }
        orders
    }

    /// The values of a map with the keys of an order.
    fn cells<'a>(&mut self, fields: &Fields<'a>) -> Cells<'a> {
        let mut cells = Cells {
            values: BTreeMap::new(),
            attributes: Vec::new(),
            pins: Vec::new(),
            span: fields.span,
        };
        for entry in ORDER.entries.iter().filter(|entry| !MAPS.contains(&entry.name)) {
            let value = fields.get(entry.name);
            let value = value.and_then(|n| self.scalar(n, &format!("`{}`", entry.name)));
            cells.values.extend(value.map(|value| (entry.name, value)));
        }
        cells.pins = fields.get("pins").map(|node| self.pins(node)).unwrap_or_default();
        if let Some(node) = fields.get("attributes") {
            for (key, value) in self.map(node, "`attributes`").unwrap_or_default() {
                let name = self.name(key, "the name of an attribute");
                let value = self.scalar(value, "an attribute");
                if let Some((name, value)) = name.zip(value) {
                    self.attribute(name, value, &mut cells);
                }
            }
        }
        cells
    }

    fn attribute(&mut self, name: At<String>, value: &Scalar, cells: &mut Cells) {
        if ORDER.entries.iter().any(|entry| entry.name == name.value) {
            let message = format!("`{}` is a key of orders, not an attribute", name.value);
            self.error("bad-value", name.span, message);
            return;
        }
        let kind = match (phrase::decimal(&value.text), phrase::quantity(&value.text)) {
            (Some(number), _) if value.is_plain => Attribute::Number(number),
            (None, Ok(seconds)) => Attribute::Quantity(seconds),
            _ => Attribute::Text(value.text.clone()),
        };
        cells.attributes.push(NamedAttribute { name, value: At::new(kind, value.span) });
    }

    /// The order, or as many copies as it asks for.
    fn copies(&mut self, cells: &Cells, orders: &mut Vec<Order>) {
        let count = cells.values.get("count");
        let count = count.map(|cell| self.whole_scalar(cell, "`count`", [1, MAX_ORDERS]));
        let every = cells
            .values
            .get("every")
            .and_then(|cell| self.keep(phrase::expression(cell, "a duration")));
        if let (Some(cell), None) = (cells.values.get("every"), count) {
            if cell.text.trim_start().starts_with('-') {
                self.error("out-of-range", cell.span, "`every` must not be negative");
            }
            let message = "`every` has no meaning without `count`";
            self.found.push(Diagnostic::warning("unused", cell.span, message));
        }
        let Some(order) = self.order(cells) else { return };
        let Some(Some(count)) = count else {
            orders.push(order);
            return;
        };
        if orders.len() as i64 + count.value > MAX_ORDERS || !self.may_copy(cells, count.value) {
            self.error("too-large", count.span, "these are more copies than can be planned");
            return;
        }
        let nothing = Expr { kind: ExprKind::Number(Exact::from(0)), span: count.span };
        let every = every.unwrap_or(nothing);
        for times in 0..count.value {
            let id = At::new(format!("{}.{}", order.id.value, times + 1), order.id.span);
            let shift = Some(Shifted { times, every: every.clone() });
            orders.push(Order { id, shift, ..order.clone() });
        }
    }

    /// Whether so many more copies keep within the limit of text.
    fn may_copy(&mut self, cells: &Cells, count: i64) -> bool {
        let values = cells.values.values().map(|cell| 20 + cell.text.len()).sum::<usize>();
        let size = (values + cells.attributes.len() * 100) as i64;
        self.copied = self.copied.saturating_add(count.saturating_mul(size));
        self.copied <= MAX_TEXT
    }

    fn order(&mut self, cells: &Cells) -> Option<Order> {
        let text =
            |name: &str| cells.values.get(name).map(|cell| At::new(cell.text.clone(), cell.span));
        let size = cells.values.get("size").and_then(|cell| self.size(cell));
        let [release, due, deadline] =
            ["release", "due", "deadline"].map(|name| self.instant(cells, name));
        let [delay_cost, storage_cost, holding_cost] =
            ["delay-cost", "storage-cost", "holding-cost"].map(|name| self.price(cells, name));
        let late_cost = self.price_once(cells, "late-cost");
        let has_due = cells.values.contains_key("due");
        for name in ["delay-cost", "storage-cost", "late-cost"] {
            if let (Some(cell), false) = (cells.values.get(name), has_due) {
                let message = format!("a {name} needs a `due` instant");
                let found = Diagnostic::error("missing-key", cell.span, message);
                self.found.push(found.related(cells.span, "this order has none"));
            }
        }
        Some(Order {
            id: text("id")?,
            recipe: text("recipe")?,
            release,
            due,
            deadline,
            shift: None,
            size,
            family: text("family"),
            delay_cost,
            storage_cost,
            late_cost,
            holding_cost,
            attributes: cells.attributes.clone(),
            pins: cells.pins.clone(),
        })
    }

    fn size(&mut self, cell: &Scalar) -> Option<At<Exact>> {
        let size = self.decimal(cell, "`size`");
        let size = size.filter(|size| {
            let is_right = size.value >= Exact::from(0);
            if !is_right {
                self.error("out-of-range", cell.span, "a size is not negative");
            }
            is_right
        });
        // A wrong size is told once, and not again by all that depends on it.
        Some(size.unwrap_or(At::new(Exact::from(1), cell.span)))
    }

    fn instant(&mut self, cells: &Cells, name: &str) -> Option<Instant> {
        self.instant_cell(cells.values.get(name)?, name)
    }

    pub fn instant_cell(&mut self, cell: &Scalar, name: &str) -> Option<Instant> {
        if phrase::is_civil(&cell.text) {
            let moment = self.keep(phrase::date_time(cell, civil::of_date_alone(name)))?;
            return Some(Instant::Civil(At::new(moment, cell.span)));
        }
        self.keep(phrase::expression(cell, "an instant")).map(Instant::After)
    }

    fn price(&mut self, cells: &Cells, name: &str) -> Option<Rate> {
        let cell = cells.values.get(name)?;
        self.keep(phrase::rate(cell, "a price per time"))
    }

    fn price_once(&mut self, cells: &Cells, name: &str) -> Option<Expr> {
        let cell = cells.values.get(name)?;
        self.keep(phrase::expression(cell, "a price"))
    }

    /// `- file: orders.csv`: the path is taken as it is written, and read by someone else. The
    /// other keys stand for cells that a row does not have.
    fn file(&mut self, node: &Node, files: &mut dyn Files, orders: &mut Vec<Order>) -> Option<()> {
        let fields = self.fields(node, &ORDER_FILE)?;
        let path = self.text(fields.get("file")?, "`file`")?;
        self.files += 1;
        let read = if self.files > MAX_FILES {
            Err(format!("a spec names at most {MAX_FILES} files").into())
        } else {
            files.read(&path.value)
        };
        let read = read.and_then(|(file, text)| match text.len() > MAX_TABLE {
            true => Err(format!("`{}` is larger than {} MB", path.value, MAX_TABLE >> 20).into()),
            false => Ok((file, text)),
        });
        let (file, text) = match read {
            Ok(read) => read,
            Err(unread) => {
                self.unread(&unread, path.span);
                return None;
            }
        };
        let rows = self.keep(table::rows(&text, file))?;
        let Some((header, rows)) = rows.split_first() else {
            let message = format!("`{}` is empty", path.value);
            let found = Diagnostic::error("bad-csv", path.span, message);
            self.found.push(found.hint("its first line names the columns: `id,recipe,due`"));
            return None;
        };
        let defaults = self.cells(&fields);
        self.header(header, &defaults)?;
        if rows.is_empty() {
            let message = format!("`{}` has a header, but no orders", path.value);
            self.found.push(Diagnostic::warning("no-orders", path.span, message));
        }
        let is_many = orders.len() + rows.len() > MAX_ORDERS as usize;
        if is_many || !self.may_copy(&defaults, rows.len() as i64) {
            let message = format!("there are more than {MAX_ORDERS} orders");
            self.error("too-large", path.span, message);
            return None;
        }
        for row in rows {
            if let Some(cells) = self.row(header, row, &defaults) {
                self.copies(&cells, orders);
            }
        }
        Some(())
    }

    fn header(&mut self, header: &[Scalar], defaults: &Cells) -> Option<()> {
        let last = header.last()?.span;
        let is_there = |name: &str| {
            defaults.values.contains_key(name) || header.iter().any(|cell| cell.text == name)
        };
        let whole = header[0].span.to(last);
        for cell in header.iter().filter(|cell| cell.text.is_empty()) {
            let span = if cell.span.start < cell.span.end { cell.span } else { whole };
            self.error("bad-csv", span, "a column has no name");
        }
        for name in ["id", "recipe"] {
            if !is_there(name) {
                let message = format!("there is no column `{name}`");
                let found = Diagnostic::error("missing-key", whole, message);
                if header.len() == 1 && header[0].text.contains([';', '\t']) {
                    self.found.push(found.hint("columns are separated by commas"));
                    return None;
                }
                let names = header.iter().map(|cell| cell.text.as_str());
                self.found.push(found.did_you_mean(name, names));
            }
        }
        let names = header.iter().filter(|cell| !cell.text.is_empty());
        let names: Vec<_> = names.map(|cell| At::new(cell.text.clone(), cell.span)).collect();
        self.unique(&names, "the column");
        (is_there("id") && is_there("recipe")).then_some(())
    }

    fn row<'a>(
        &mut self,
        header: &'a [Scalar],
        row: &'a [Scalar],
        defaults: &Cells<'a>,
    ) -> Option<Cells<'a>> {
        let span = row.first()?.span.to(row.last()?.span);
        if row.len() != header.len() {
            let message =
                format!("this row has {} cells, the header has {}", row.len(), header.len());
            self.error("bad-csv", span, message);
            return None;
        }
        let mut cells = Cells { span, ..defaults.clone() };
        for (column, cell) in header.iter().zip(row).filter(|(_, cell)| !cell.text.is_empty()) {
            let is_key = !MAPS.contains(&column.text.as_str())
                && ORDER.entries.iter().any(|entry| entry.name == column.text);
            if is_key {
                cells.values.insert(&column.text, cell);
            } else {
                let name = At::new(column.text.clone(), column.span);
                cells.attributes.retain(|attribute| attribute.name.value != name.value);
                self.attribute(name, cell, &mut cells);
            }
        }
        for name in ["id", "recipe"] {
            if !cells.values.contains_key(name) {
                self.missing(span, "an order", name);
            }
        }
        Some(cells)
    }
}

/// `- file: orders.csv` stands for orders, and has no id of its own.
fn is_file(node: &Node) -> bool {
    let NodeKind::Map(entries) = &node.kind else { return false };
    let has = |name: &str| entries.iter().any(|(key, _)| key.text == name);
    has("file") && !has("id")
}
