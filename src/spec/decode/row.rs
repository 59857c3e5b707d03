//! Orders that are rows of tables, and what a variant changes in them.

use super::order::{Cells, MAPS, MAX_ORDERS, is_file};
use super::table::{Table, whole};
use crate::fields::Decoder;
use crate::form::Entry;
use crate::language::{ORDER, ORDER_FILE, ROW_CHANGE};
use crate::scalar::Scalar;
use crate::yaml::{Node, NodeKind};
use crate::{At, Files, Order};
use std::collections::BTreeMap;
use takt_diagnostic::{Diagnostic, Span};

/// What a variant says of a row, by the order's id.
#[derive(Debug)]
pub struct Change {
    pub key: Scalar,
    /// A map of keys, or nothing: then there is no such order.
    pub node: Node,
    pub is_met: bool,
}

pub type Changes = BTreeMap<String, Change>;

/// A cell in the language's words, and what it is the value of.
struct Value<'t> {
    name: &'t At<String>,
    cell: Scalar,
    is_key: bool,
}

impl Decoder<'_> {
    pub fn row_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// `- file: orders.csv`: the path is taken as it is written, and read by someone else. The
    /// other keys stand for cells that a row does not have.
    pub fn order_table(
        &mut self,
        node: &Node,
        files: &mut dyn Files,
        changes: &mut Changes,
        orders: &mut Vec<Order>,
    ) -> Option<()> {
        self.no_id(node)?;
        let fields = self.fields(node, &ORDER_FILE)?;
        let table = self.table(&fields, files, &[])?;
        let defaults = self.cells(&fields);
        self.needed(&table, &defaults)?;
        if table.rows.is_empty() && !self.found.has_errors() {
            let message = format!("`{}` has a header, but no orders", table.path.value);
            self.found.push(Diagnostic::warning("no-orders", table.path.span, message));
        }
        let is_many = orders.len() + table.rows.len() > MAX_ORDERS as usize;
        if is_many || !self.may_copy(&defaults, table.rows.len() as i64) {
            let message = format!("there are more than {MAX_ORDERS} orders");
            self.error("too-large", table.path.span, message);
            return None;
        }
        for row in &table.rows {
            let change = table.cell(row, "id").and_then(|id| changes.get_mut(&id.text));
            let change = change.map(|change| {
                change.is_met = true;
                &change.node
            });
            if change.is_some_and(|node| matches!(node.kind, NodeKind::Null)) {
                continue;
            }
            let values = self.values(&table, row);
            let mut cells = self.row(&values, whole(row).unwrap_or_default(), &defaults);
            if let Some(change) = change {
                self.change(&mut cells, change);
            }
            if self.is_named(&table, row, &cells) {
                self.copies(&cells, orders);
            }
        }
        Some(())
    }

    /// Each row has its own id, so that the key could only mean the column.
    fn no_id(&mut self, node: &Node) -> Option<()> {
        let NodeKind::Map(entries) = &node.kind else { return None };
        let Some((key, value)) = entries.iter().find(|(key, _)| key.text == "id") else {
            return Some(());
        };
        let found = Diagnostic::error("unknown-key", key.span, "each row of a file has its own id");
        let column = match &value.kind {
            NodeKind::Scalar(scalar) => scalar.text.as_str(),
            _ => "…",
        };
        self.found.push(found.hint(format!("its column is told by `columns: {{id: {column}}}`")));
        None
    }

    /// The columns without which there is no order.
    fn needed(&mut self, table: &Table, defaults: &Cells) -> Option<()> {
        let mut is_complete = true;
        let has_steps = !self.own_steps.is_empty() || !self.are_steps_known;
        for name in ["id", "recipe"] {
            if name == "recipe" && has_steps {
                continue;
            }
            if !table.has(name) && !defaults.values.contains_key(name) {
                self.missing_column(name, table);
                // With another separator there would be more columns.
                if table.header.len() == 1 {
                    return None;
                }
                is_complete = false;
            }
        }
        is_complete.then_some(())
    }

    /// The cells of a row that are not empty, in the language's words.
    fn values<'t>(&mut self, table: &'t Table, row: &[Scalar]) -> Vec<Value<'t>> {
        let mut values = Vec::new();
        for column in &table.columns {
            let cell = &row[column.place];
            if cell.text.is_empty() {
                continue;
            }
            let entry = order_key(&column.name.value);
            let cell = match entry {
                Some(entry) => table.dialect.translate(cell, entry.name, &entry.form),
                // Ids are taken as they are.
                None if column.name.value == "after" => Ok(cell.clone()),
                None => Ok(table.dialect.value(cell)),
            };
            let name = &column.name;
            values.extend(self.keep(cell).map(|cell| Value {
                name,
                cell,
                is_key: entry.is_some(),
            }));
        }
        values
    }

    fn row<'a>(&mut self, row: &'a [Value<'a>], span: Span, defaults: &Cells<'a>) -> Cells<'a> {
        let mut cells = Cells { span, ..defaults.clone() };
        for value in row {
            if value.name.value == "after" {
                cells.after = self.cell_before(&value.cell);
            } else if value.is_key {
                cells.values.insert(&value.name.value, &value.cell);
            } else {
                cells.attributes.retain(|attribute| attribute.name.value != value.name.value);
                self.attribute(value.name.clone(), &value.cell, &mut cells);
            }
        }
        cells
    }

    /// Whether the row has what no order is without; the empty cell is told.
    fn is_named(&mut self, table: &Table, row: &[Scalar], cells: &Cells) -> bool {
        let mut is_complete = true;
        for name in ["id", "recipe"] {
            let is_own = name == "recipe" && self.has_steps(cells);
            if !cells.values.contains_key(name) && !is_own {
                let span = table.cell(row, name).map_or(cells.span, |cell| cell.span);
                self.missing(span, "an order", name);
                is_complete = false;
            }
        }
        is_complete
    }

    /// Changes a row as a variant says.
    fn change<'a>(&mut self, cells: &mut Cells<'a>, change: &'a Node) -> Option<()> {
        let fields = self.fields(change, &ROW_CHANGE)?;
        for entry in ORDER.entries.iter().filter(|entry| !MAPS.contains(&entry.name)) {
            let Some(node) = fields.get(entry.name) else { continue };
            cells.values.remove(entry.name);
            if !matches!(node.kind, NodeKind::Null) {
                let value = self.scalar(node, &format!("`{}`", entry.name));
                cells.values.extend(value.map(|value| (entry.name, value)));
            }
        }
        if let Some(node) = fields.get("attributes") {
            let changes = self.map(node, "`attributes`").unwrap_or_default();
            for (key, value) in changes {
                cells.attributes.retain(|attribute| attribute.name.value != key.text);
                if !matches!(value.kind, NodeKind::Null)
                    && let Some(name) = self.name(key, "the name of an attribute")
                    && let Some(value) = self.scalar(value, "an attribute")
                {
                    self.attribute(name, value, cells);
                }
            }
        }
        if let Some(node) = fields.get("pins") {
            cells.pins = self.pins(node);
        }
        if let Some(node) = fields.get("after") {
            cells.after = match &node.kind {
                NodeKind::Null => Vec::new(),
                _ => self.orders_before(node),
            };
        }
        Some(())
    }

    /// Changes of rows that no table has.
    pub fn unknown_rows(&mut self, changes: &Changes, orders: &[Order]) {
        for (id, change) in changes.iter().filter(|(_, change)| !change.is_met) {
            let message = format!("there is no `{id}` among the `orders` of the base");
            let found = Diagnostic::error("unknown-name", change.key.span, message);
            let known = orders.iter().map(|order| order.id.value.as_str());
            self.found.push(found.did_you_mean(id, known));
        }
    }

    /// A variant names an order that is none of the items of this list, but may be a row of one of its
    /// files. `false`: there are no files, or a former variant has taken it away.
    pub fn change_row(&mut self, items: &[Option<Node>], key: &Scalar, node: &Node) -> bool {
        if !items.iter().flatten().any(is_file) {
            return false;
        }
        let change = Change { key: key.clone(), node: node.clone(), is_met: false };
        match self.changes.remove(&key.text) {
            Some(former) if matches!(former.node.kind, NodeKind::Null) => {
                self.changes.insert(key.text.clone(), former);
                return false;
            }
            Some(former) => {
                let node = overlay(former.node, change.node);
                self.changes.insert(key.text.clone(), Change { node, ..change });
            }
            None => _ = self.changes.insert(key.text.clone(), change),
        }
        true
    }
}

/// Two changes one after the other; nothing still takes away what the table has.
fn overlay(former: Node, later: Node) -> Node {
    match (former.kind, later.kind) {
        (NodeKind::Map(former), NodeKind::Map(later_entries)) => {
            let mut entries = former;
            for (key, value) in later_entries {
                match entries.iter_mut().find(|(known, _)| known.text == key.text) {
                    Some((_, old)) => {
                        let empty = Node { kind: NodeKind::Null, span: value.span };
                        *old = overlay(std::mem::replace(old, empty), value);
                    }
                    None => entries.push((key, value)),
                }
            }
            Node { kind: NodeKind::Map(entries), span: later.span }
        }
        (_, kind) => Node { kind, span: later.span },
    }
}

/// The key of orders with this name whose value is a single cell.
fn order_key(name: &str) -> Option<&'static Entry> {
    let is_single = !MAPS.contains(&name);
    ORDER.entries.iter().find(|entry| entry.name == name).filter(|_| is_single)
}
