//! `orders`: entries of the spec and rows of tables, copies made.

use crate::civil;
use crate::fields::{Decoder, Fields};
use crate::language::ORDER;
use crate::scalar::Scalar;
use crate::yaml::{Node, NodeKind};
use crate::{
    At, Attribute, Exact, Expr, ExprKind, Files, Instant, NamedAttribute, Order, OrderBefore, Pin,
    Rate, Shifted, phrase,
};
use std::collections::BTreeMap;
use takt_diagnostic::{Diagnostic, Span};

/// Far more than can be planned; bounds what `count` may ask for.
pub const MAX_ORDERS: i64 = 200_000;
/// Bounds the text of all copies together.
const MAX_TEXT: i64 = 50_000_000;

/// The single values of an order, wherever they stand.
#[derive(Clone)]
pub struct Cells<'a> {
    pub values: BTreeMap<&'a str, &'a Scalar>,
    pub attributes: Vec<NamedAttribute>,
    pub pins: Vec<Pin>,
    pub after: Vec<OrderBefore>,
    pub span: Span,
}

/// Keys that are no single values.
pub const MAPS: [&str; 3] = ["attributes", "pins", "after"];

impl Decoder<'_> {
    pub fn orders(&mut self, node: &Node, files: &mut dyn Files) -> Vec<Order> {
        let mut orders = Vec::new();
        let mut changes = self.row_changes();
        let mut is_complete = true;
        for item in self.list(node, "`orders`").unwrap_or_default() {
            if is_file(item) {
                let read = self.order_table(item, files, &mut changes, &mut orders);
                is_complete &= read.is_some();
            } else if let Some(fields) = self.fields(item, &ORDER) {
                let cells = self.cells(&fields);
                if !fields.is_meant("recipe") && !self.has_steps(&cells) {
                    self.missing(fields.span, ORDER.what, "recipe");
                }
                self.copies(&cells, &mut orders);
            }
        }
        if is_complete {
            self.unknown_rows(&changes, &orders);
        }
        orders
    }

    /// The values of a map with the keys of an order.
    pub fn cells<'a>(&mut self, fields: &Fields<'a>) -> Cells<'a> {
        let mut cells = Cells {
            values: BTreeMap::new(),
            attributes: Vec::new(),
            pins: Vec::new(),
            after: Vec::new(),
            span: fields.span,
        };
        for entry in ORDER.entries.iter().filter(|entry| !MAPS.contains(&entry.name)) {
            let value = fields.get(entry.name);
            let value = value.and_then(|n| self.scalar(n, &format!("`{}`", entry.name)));
            cells.values.extend(value.map(|value| (entry.name, value)));
        }
        cells.pins = fields.get("pins").map(|node| self.pins(node)).unwrap_or_default();
        cells.after = fields.get("after").map(|node| self.orders_before(node)).unwrap_or_default();
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

    /// Whether it has steps of its own, or may have.
    pub fn has_steps(&self, cells: &Cells) -> bool {
        let id = cells.values.get("id");
        !self.are_steps_known || id.is_none_or(|id| self.own_steps.contains_key(&id.text))
    }

    /// The name of the recipe; that there is none has been told.
    fn recipe_of(&mut self, cells: &Cells) -> Option<At<String>> {
        let id = cells.values.get("id")?;
        match (cells.values.get("recipe"), self.own_steps.get(&id.text)) {
            (Some(recipe), None) => Some(At::new(recipe.text.clone(), recipe.span)),
            (None, Some(_)) => Some(At::new(id.text.clone(), id.span)),
            (None, None) => None,
            (Some(recipe), Some(&steps)) => {
                let message = format!("the order `{}` has a recipe and steps of its own", id.text);
                let found = Diagnostic::error("duplicate-key", recipe.span, message);
                self.found.push(found.related(steps, "its steps"));
                None
            }
        }
    }

    pub fn attribute(&mut self, name: At<String>, value: &Scalar, cells: &mut Cells) {
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
        let (value, text) = (At::new(kind, value.span), value.text.clone());
        cells.attributes.push(NamedAttribute { name, value, text });
    }

    /// The order, or as many copies as it asks for.
    pub fn copies(&mut self, cells: &Cells, orders: &mut Vec<Order>) {
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
    pub fn may_copy(&mut self, cells: &Cells, count: i64) -> bool {
        let values = cells.values.values().map(|cell| 20 + cell.text.len()).sum::<usize>();
        let size = (values + (cells.attributes.len() + cells.after.len()) * 100) as i64;
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
        let recipe = self.recipe_of(cells)?;
        Some(Order {
            id: text("id")?,
            recipe,
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
            after: cells.after.clone(),
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
        self.keep(phrase::instant(cell)).map(Instant::After)
    }

    fn price(&mut self, cells: &Cells, name: &str) -> Option<Rate> {
        let cell = cells.values.get(name)?;
        self.keep(phrase::rate(cell, "a price per time"))
    }

    fn price_once(&mut self, cells: &Cells, name: &str) -> Option<Expr> {
        let cell = cells.values.get(name)?;
        self.keep(phrase::expression(cell, "a price"))
    }
}

/// `- file: orders.csv` stands for orders.
pub fn is_file(node: &Node) -> bool {
    let NodeKind::Map(entries) = &node.kind else { return false };
    entries.iter().any(|(key, _)| key.text == "file")
}
