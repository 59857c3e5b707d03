//! `routings`: tables with one row per step become recipes, or the steps of single orders.

use super::need::{Way, together};
use super::table::{Table, whole};
use crate::fields::{Decoder, Fields};
use crate::language::ROUTING;
use crate::scalar::Scalar;
use crate::yaml::{Node, NodeKind};
use crate::{
    Alternative, At, Exact, Expr, ExprKind, Files, Interruptible, LagFrom, Predecessor, Recipe,
    Requirement, Step, phrase,
};
use std::collections::BTreeMap;
use takt_diagnostic::{Diagnostic, Span, nearest};

const MAX_AMOUNT: i64 = 1_000_000;
const YES: [&str; 5] = ["true", "yes", "ja", "x", "1"];
const NO: [&str; 4] = ["false", "no", "nein", "0"];

/// Where the recipe of a name stands, and in which table: none for those of `recipes`.
type Known = BTreeMap<String, (usize, Option<usize>)>;

/// What tells how long the steps of a table take.
enum Work<'t> {
    Column(usize),
    /// Over columns and the order's values.
    Expression(Expr),
    Default(&'t Scalar),
}

/// A table of steps, with what a row has where its own cell is empty.
struct Routing<'t> {
    table: &'t Table,
    /// `recipe` or `order`.
    key: &'static str,
    /// Which of the tables of this spec it is.
    number: usize,
    work: Work<'t>,
    defaults: BTreeMap<&'static str, &'t Scalar>,
}

impl Decoder<'_> {
    /// Adds the recipes of all tables to those that are written out.
    pub fn routings(&mut self, node: &Node, files: &mut dyn Files, recipes: &mut Vec<Recipe>) {
        let items = match &node.kind {
            NodeKind::List(items) => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let names = recipes.iter().enumerate();
        let mut known: Known = names.map(|(i, r)| (r.name.value.clone(), (i, None))).collect();
        for (number, item) in items.iter().enumerate() {
            let read = self.routing_table(item, files, number, recipes, &mut known);
            self.are_steps_known &= read.is_some();
        }
    }

    fn routing_table(
        &mut self,
        node: &Node,
        files: &mut dyn Files,
        number: usize,
        recipes: &mut Vec<Recipe>,
        known: &mut Known,
    ) -> Option<()> {
        let fields = self.fields(node, &ROUTING)?;
        let table = self.table(&fields, files, &["duration"])?;
        let routing = self.routing(&fields, &table, number)?;
        for row in &table.rows {
            self.routed(&routing, row, recipes, known);
        }
        Some(())
    }

    fn routing<'t>(
        &mut self,
        fields: &Fields<'t>,
        table: &'t Table,
        number: usize,
    ) -> Option<Routing<'t>> {
        let mut defaults = BTreeMap::new();
        for name in ["recipe", "on", "duration", "family", "interruptible"] {
            let Some(node) = fields.get(name) else { continue };
            defaults.insert(name, self.scalar(node, &format!("`{name}`"))?);
        }
        let is_given = |name: &str| table.has(name) || defaults.contains_key(name);
        let key = match (is_given("recipe"), table.has("order")) {
            (true, true) => {
                let message = "a table of steps has `recipe` or `order`, not both";
                let found = Diagnostic::error("bad-value", table.head(), message);
                self.found.push(found.hint("`columns` may give a column another name"));
                return None;
            }
            (false, true) => "order",
            _ => "recipe",
        };
        let is_other = |name: &str| table.others.iter().any(|other| other.key.value == name);
        let mut is_complete = true;
        for name in [key, "step", "duration"] {
            if !is_given(name) && !is_other(name) {
                self.missing_column(name, table);
                is_complete = false;
            }
        }
        if !is_complete {
            return None;
        }
        let work = self.work(table, defaults.get("duration").copied())?;
        Some(Routing { table, key, number, work, defaults })
    }

    fn work<'t>(&mut self, table: &'t Table, default: Option<&'t Scalar>) -> Option<Work<'t>> {
        if let Some(column) = table.columns.iter().find(|c| c.name.value == "duration") {
            return Some(Work::Column(column.place));
        }
        let Some(told) = table.others.iter().find(|other| other.key.value == "duration") else {
            return default.map(Work::Default);
        };
        let columns = || table.header.iter().map(|cell| cell.text.as_str());
        match phrase::expression(&told.value, "a duration") {
            // A single name was meant to be a column.
            Ok(Expr { kind: ExprKind::Name(name), .. }) if name != "size" && !table.has(&name) => {
                self.no_column(&name, told.value.span, table);
                None
            }
            Ok(expr) => Some(Work::Expression(expr)),
            Err(_) if nearest(&told.value.text, columns()).is_some() => {
                self.no_column(&told.value.text, told.value.span, table);
                None
            }
            Err(found) => {
                self.found.push(*found);
                None
            }
        }
    }

    /// One row: a step at the end of its recipe.
    fn routed(
        &mut self,
        routing: &Routing,
        row: &[Scalar],
        recipes: &mut Vec<Recipe>,
        known: &mut Known,
    ) -> Option<()> {
        let what = if routing.key == "order" { "a step of an order" } else { "a step" };
        let name = self.needed_cell(routing, row, routing.key, what);
        let step = self.needed_cell(routing, row, "step", "a step");
        let step = self.step_of_row(routing, row, step);
        let (name, step) = (name?, step?);
        let place = match known.get(&name.value) {
            Some(&(place, Some(number))) if number == routing.number => place,
            Some(&(place, _)) => {
                self.clash(&name, recipes[place].name.span);
                return None;
            }
            None => {
                known.insert(name.value.clone(), (recipes.len(), Some(routing.number)));
                if routing.key == "order" {
                    self.own_steps.insert(name.value.clone(), name.span);
                }
                recipes.push(Recipe { name, steps: Vec::new(), holds: Vec::new() });
                recipes.len() - 1
            }
        };
        recipes[place].steps.push(step);
        Some(())
    }

    fn clash(&mut self, name: &At<String>, first: Span) {
        let message = format!("a recipe with the name `{}` exists already", name.value);
        let found = Diagnostic::error("duplicate-name", name.span, message);
        self.found.push(found.related(first, "the first one"));
    }

    /// The text of a cell that no row is without.
    fn needed_cell(
        &mut self,
        routing: &Routing,
        row: &[Scalar],
        key: &'static str,
        what: &str,
    ) -> Option<At<String>> {
        match routing.cell(row, key) {
            Some(cell) => Some(At::new(cell.text.clone(), cell.span)),
            None => {
                let empty = routing.table.cell(row, key).or(row.first())?;
                self.missing(empty.span, what, key);
                None
            }
        }
    }

    fn step_of_row(
        &mut self,
        routing: &Routing,
        row: &[Scalar],
        name: Option<At<String>>,
    ) -> Option<Step> {
        let span = whole(row)?;
        let duration = self.duration_of_row(routing, row);
        let duration = duration.unwrap_or(Expr { kind: ExprKind::Number(Exact::from(1)), span });
        let alternatives = match routing.cell(row, "on") {
            Some(cell) => self.ways_of_cell(cell, &duration)?,
            None => {
                vec![Alternative { requirements: Vec::new(), same: Vec::new(), duration, span }]
            }
        };
        let after = routing.cell(row, "after").map(|cell| self.after_of_cell(cell));
        let interruptible = routing.cell(row, "interruptible");
        let interruptible =
            interruptible.and_then(|cell| self.interruptible_of_cell(routing, cell));
        let family = routing.cell(row, "family");
        let family = family.map(|cell| At::new(cell.text.clone(), cell.span));
        Some(Step { name: name?, alternatives, after, interruptible, family, span })
    }

    fn duration_of_row(&mut self, routing: &Routing, row: &[Scalar]) -> Option<Expr> {
        match &routing.work {
            Work::Expression(expr) => self.filled(expr, routing, row),
            Work::Column(place) if !row[*place].text.is_empty() => {
                self.cell_expression(routing, &row[*place])
            }
            Work::Column(place) => match routing.defaults.get("duration") {
                Some(default) => self.default_duration(default, routing, row),
                None => {
                    self.missing(row[*place].span, "a step", "duration");
                    None
                }
            },
            Work::Default(default) => self.default_duration(default, routing, row),
        }
    }

    fn default_duration(
        &mut self,
        default: &Scalar,
        routing: &Routing,
        row: &[Scalar],
    ) -> Option<Expr> {
        let expr = self.keep(phrase::expression(default, "a duration"))?;
        self.filled(&expr, routing, row)
    }

    fn cell_expression(&mut self, routing: &Routing, cell: &Scalar) -> Option<Expr> {
        let cell = self.keep(routing.table.dialect.number(cell))?;
        self.keep(phrase::expression(&cell, "a duration"))
    }

    /// An expression with the cells of a row in place of its columns.
    fn filled(&mut self, expr: &Expr, routing: &Routing, row: &[Scalar]) -> Option<Expr> {
        let kind = match &expr.kind {
            ExprKind::Name(name) if name != "size" => {
                let Some(cell) = routing.table.cell(row, name) else { return Some(expr.clone()) };
                if cell.text.is_empty() {
                    let message = format!("the duration needs `{name}`, and there is none");
                    self.error("missing-key", cell.span, message);
                    return None;
                }
                return self.cell_expression(routing, cell);
            }
            ExprKind::Negate(inner) => {
                ExprKind::Negate(Box::new(self.filled(inner, routing, row)?))
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.filled(left, routing, row);
                let right = self.filled(right, routing, row);
                ExprKind::Binary(*op, Box::new(left?), Box::new(right?))
            }
            other => other.clone(),
        };
        // What is wrong with the whole is so because of the cells of this row.
        let span = match &kind {
            ExprKind::Negate(inner) => inner.span,
            ExprKind::Binary(_, left, right) => {
                if left.span.file == expr.span.file {
                    right.span
                } else {
                    left.span
                }
            }
            _ => expr.span,
        };
        Some(Expr { kind, span })
    }

    /// `M1|M2+crew`: alternatives, each with all that it takes.
    fn ways_of_cell(&mut self, cell: &Scalar, duration: &Expr) -> Option<Vec<Alternative>> {
        let mut ways = Vec::new();
        for (start, text) in parts(&cell.text, 0, '|') {
            let mut requirements = Vec::new();
            for (start, text) in parts(text, start, '+') {
                requirements.push(self.requirement(cell, start, text)?);
            }
            let span = cell.part(start, start + text.len());
            ways.push(Way { requirements, same: Vec::new(), names: Vec::new(), span });
        }
        let is_affordable = self.is_affordable(&ways, cell.span);
        is_affordable.then(|| together(ways, duration))
    }

    /// `vessel`, or `vessel*2`.
    fn requirement(&mut self, cell: &Scalar, start: usize, text: &str) -> Option<Requirement> {
        let (name, amount) = match text.rsplit_once('*') {
            Some((name, amount)) => (name.trim_end(), Some(amount.trim())),
            None => (text, None),
        };
        let span = cell.part(start, start + name.len());
        if name.is_empty() {
            let found = Diagnostic::error("bad-value", cell.span, "a resource is missing here");
            let hint = "alternatives are joined by `|`, what is taken together by `+`";
            self.found.push(found.hint(hint));
            return None;
        }
        let value = match amount.map(str::parse::<i64>) {
            None => 1,
            Some(Ok(amount)) if (1..=MAX_AMOUNT).contains(&amount) => amount,
            Some(_) => {
                let message = format!("an amount is a whole number from 1 to {MAX_AMOUNT}");
                self.error("bad-value", cell.part(start, start + text.len()), message);
                return None;
            }
        };
        Some(Requirement { resource: At::new(name.to_owned(), span), amount: At::new(value, span) })
    }

    /// `cut+drill`: the steps before this one; `[]` for none.
    fn after_of_cell(&mut self, cell: &Scalar) -> Vec<Predecessor> {
        if cell.text == "[]" {
            return Vec::new();
        }
        let mut all = Vec::new();
        for (start, name) in parts(&cell.text, 0, '+') {
            let span = cell.part(start, start + name.len());
            if name.is_empty() {
                self.error("bad-value", cell.span, "the name of a step is missing here");
                continue;
            }
            let step = At::new(name.to_owned(), span);
            all.push(Predecessor { step, from: LagFrom::End, min: None, max: None });
        }
        all
    }

    /// Yes, no, or the longest pause.
    fn interruptible_of_cell(&mut self, routing: &Routing, cell: &Scalar) -> Option<Interruptible> {
        let word = cell.text.to_lowercase();
        let span = cell.span;
        if YES.contains(&word.as_str()) {
            return Some(Interruptible { max: None, span });
        }
        if NO.contains(&word.as_str()) {
            return None;
        }
        let max = self.cell_expression(routing, cell)?;
        Some(Interruptible { max: Some(max), span })
    }
}

impl Routing<'_> {
    /// What stands in a row for a key, or else beside `file`.
    fn cell<'a>(&'a self, row: &'a [Scalar], key: &str) -> Option<&'a Scalar> {
        let own = self.table.cell(row, key).filter(|cell| !cell.text.is_empty());
        own.or_else(|| self.defaults.get(key).copied())
    }
}

/// The parts of a text between signs, without white space around them, each with where it begins.
fn parts(text: &str, start: usize, sign: char) -> impl Iterator<Item = (usize, &str)> {
    let mut at = start;
    text.split(sign).map(move |part| {
        let begin = at + (part.len() - part.trim_start().len());
        at += part.len() + sign.len_utf8();
        (begin, part.trim())
    })
}
